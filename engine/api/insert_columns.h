/* INSERT INTO tables of Parquet and Arrow files. */
#pragma once

#include "engine/api/columnar_writer.h"
#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"
#include "engine/io/arrow_output.h"
#include "engine/io/output_file.h"

/* What the options of a table say of its Parquet or Arrow files. */
enum oriel_status oriel_insert_columns_options(const struct oriel_table_options *options,
                                               struct oriel_arrow_output_options *out,
                                               struct oriel_error *error);

/* Writes the rows of such a file again, so that the new ones stand behind them. */
enum oriel_status oriel_insert_copy_columns(struct oriel_result *result, const char *path,
                                            const struct oriel_table_options *options,
                                            struct oriel_schema schema,
                                            struct oriel_columnar_writer *writer,
                                            struct oriel_error *error);
