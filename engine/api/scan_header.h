/* The header of the CSV files of a scan: which field of a record each column of the table is. */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"
#include "engine/io/csv_sniff.h"

/*
 * Reads the header of the first file that has one, where options->csv.header says that files have
 * them; count is 0 otherwise, and where the files can be read only once. A file in the place of a
 * connector has a header when its first record names all columns of `columns` (NULL entries are
 * left out), which then is put into options->csv.header.
 */
enum oriel_status oriel_scan_header_find(struct oriel_result *result,
                                         struct oriel_table_options *options,
                                         const char *const *columns, uint32_t column_count,
                                         struct oriel_csv_header *out, struct oriel_error *error);

/* The place of a name in the header, or -1. */
int32_t oriel_scan_header_place(const struct oriel_csv_header *header, const char *name);

/* ORIEL_INVALID: a column that is read is not in the header. */
enum oriel_status oriel_scan_header_lacks(const struct oriel_csv_header *header,
                                          const struct oriel_table_options *options,
                                          const char *name, struct oriel_position position,
                                          struct oriel_error *error);
