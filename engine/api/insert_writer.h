/* Rows into one file of a table, text or columns, batch by batch on one thread. */
#pragma once

#include "engine/api/columnar_writer.h"
#include "engine/api/row_writer.h"
#include "engine/api/table_options.h"

struct oriel_insert_writer {
    bool is_text;
    struct oriel_formatter *formatter;
    struct oriel_row_writer rows;
    struct oriel_columnar_writer columns;
};

/* How the text formats print a table with these options. */
struct oriel_formatter_options oriel_insert_format(const struct oriel_table_options *options);

/* With `continues` rows stand in the file already. The file is neither committed nor closed; the
 * schema is borrowed. Needs no deinit when it fails.
 */
enum oriel_status oriel_insert_writer_init(struct oriel_insert_writer *writer,
                                           struct oriel_result *result,
                                           const struct oriel_table_options *options,
                                           struct oriel_schema schema,
                                           struct oriel_output_file *file, bool continues,
                                           struct oriel_error *error);
void oriel_insert_writer_deinit(struct oriel_insert_writer *writer);
enum oriel_status oriel_insert_writer_add(struct oriel_insert_writer *writer,
                                          const struct oriel_batch *batch,
                                          struct oriel_error *error);
enum oriel_status oriel_insert_writer_finish(struct oriel_insert_writer *writer,
                                             struct oriel_error *error);
