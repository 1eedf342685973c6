/* One INSERT on its way from the statement to where its rows go. */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"
#include "engine/io/file_list.h"

struct oriel_insert {
    const struct ast_statement *statement;
    const struct oriel_table_entry *table;
    struct oriel_table_options options;
    struct oriel_schema sink; /* the columns that are written */
    const struct ast_type *const *types;
    const char *const *required; /* for each its name if it is NOT NULL, else NULL */
    struct oriel_plan *plan;
    uint32_t folder_column_count;   /* columns of the sink that stand in names of folders */
    const uint32_t *folder_columns; /* in the order of the folders */
    const char *folder;             /* or NULL */
    const char *path;               /* of the file that is written; NULL: print and blackhole */
};

/* Binds the INSERTs of a statement, one or a STATEMENT SET, into the result's arena. */
enum oriel_status oriel_inserts_prepare(struct oriel_result *result,
                                        const struct ast_statement *statement,
                                        struct oriel_insert **out, uint32_t *count,
                                        struct oriel_error *error);

/* Runs them; result->row_count counts the rows of all. The runtime has its pool. */
enum oriel_status oriel_inserts_run(struct oriel_result *result, const struct oriel_insert *inserts,
                                    uint32_t count, struct oriel_error *error);

/* A new file in `folder`. */
enum oriel_status oriel_insert_name_part(struct oriel_result *result,
                                         const struct oriel_insert *insert, const char *folder,
                                         const char **out, struct oriel_error *error);

/* Removes the files that OVERWRITE replaces. */
enum oriel_status oriel_insert_remove_files(const struct oriel_file_list *old,
                                            struct oriel_error *error);

/* Decides between file and folder, and names the file. */
enum oriel_status oriel_insert_choose_path(struct oriel_result *result, struct oriel_insert *insert,
                                           struct oriel_error *error);

/*
 * Runs the opened execution of `result` into the target of `insert`. A file appears whole or not at
 * all; ORIEL_INVALID when the statement reads it.
 */
enum oriel_status oriel_insert_write(struct oriel_result *result, const struct oriel_insert *insert,
                                     struct oriel_error *error);

/* Makes the folder of `insert` and those above it. */
enum oriel_status oriel_insert_make_folder(struct oriel_result *result,
                                           const struct oriel_insert *insert,
                                           struct oriel_error *error);
