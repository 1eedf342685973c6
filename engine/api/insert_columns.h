/* INSERT INTO tables of Parquet and Arrow files. */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"
#include "engine/io/arrow_output.h"
#include "engine/io/output_file.h"

struct oriel_insert_columns {
    struct oriel_schema sink;
    const char *const *required;
    const struct oriel_table_options *options;
    const char *appended; /* path of a file whose rows come first, or NULL */
};

/* What the options of a table say of its Parquet or Arrow files. */
enum oriel_status oriel_insert_columns_options(const struct oriel_table_options *options,
                                               struct oriel_arrow_output_options *out,
                                               struct oriel_error *error);

/* Runs the execution of `result` into `file`, which is not committed. */
enum oriel_status oriel_insert_write_columns(struct oriel_result *result,
                                             const struct oriel_insert_columns *insert,
                                             struct oriel_output_file *file,
                                             struct oriel_error *error);
