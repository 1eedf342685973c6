/* How a table of files is read: what its options and the columns that are wanted come to. */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/scan_bounds.h"
#include "engine/api/scan_files.h"
#include "engine/api/table_options.h"

struct oriel_scan_options {
    struct oriel_table_options table;
    struct oriel_folder_columns folders;
    struct oriel_csv_request request;
    struct oriel_arrow_bounds bounds; /* of row groups; field -1: none */
};

/* Reads the options of the table of a SCAN, which is no stream; texts lie in the result's arena. */
enum oriel_status oriel_scan_read_options(struct oriel_result *result,
                                          const struct oriel_plan *scan,
                                          struct oriel_scan_options *out,
                                          struct oriel_error *error);
