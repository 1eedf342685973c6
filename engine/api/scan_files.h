/*
 * The files that a scan reads: those of the path whose folders can hold rows that are wanted.
 */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"
#include "engine/io/file_list.h"

/* Columns of a table that stand in the names of its folders (PARTITIONED BY). */
struct oriel_folder_columns {
    struct oriel_schema schema; /* in the order of the folders */
    const int32_t *number_of;   /* for each column of the table its place there, or -1 */
};

/* Finds them; none where the files of a replacement do not lie in such folders. */
enum oriel_status oriel_scan_folders_find(struct oriel_result *result,
                                          const struct oriel_table_entry *table,
                                          const struct oriel_table_options *options,
                                          struct oriel_folder_columns *out,
                                          struct oriel_error *error);

struct oriel_scan_options;

/*
 * Lists the files, reads the values of their folders that the scan wants, and leaves out the files
 * for which the condition of the scan is not TRUE whatever is in them.
 */
enum oriel_status oriel_scan_files_list(struct oriel_result *result, const struct oriel_plan *scan,
                                        const struct oriel_scan_options *options,
                                        struct oriel_file_list *out, struct oriel_error *error);

/* Remembers the files, so that the statement does not write over them, nor reads a pipe again. */
enum oriel_status oriel_scan_files_note(struct oriel_result *result,
                                        const struct oriel_file_list *files,
                                        struct oriel_error *error);
