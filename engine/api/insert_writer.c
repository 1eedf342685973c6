/*
 * The formats of tables behind one face, for those who write many files in turn.
 */
#include "engine/api/insert_writer.h"

#include "engine/api/insert_columns.h"

struct oriel_formatter_options oriel_insert_format(const struct oriel_table_options *options) {
    const struct oriel_csv_options *csv = &options->csv;
    const struct oriel_json_options *json = &options->json;
    return (struct oriel_formatter_options){
        .format = options->format == ORIEL_TABLE_JSON ? ORIEL_FORMAT_JSON : ORIEL_FORMAT_CSV,
        .csv = {.delimiter = csv->delimiter,
                .quote = csv->quote < 0 ? '\0' : (char)csv->quote,
                .escape = csv->escape < 0 ? '\0' : (char)csv->escape,
                .null_literal = csv->null_literal,
                .quote_empty = csv->quoted_empty_is_string,
                .as_flink = true},
        .json = {.as_flink = true,
                 .iso_timestamps = json->iso_timestamps,
                 .plain_decimals = json->plain_decimals,
                 .skip_nulls = json->skip_nulls},
        .header = options->format == ORIEL_TABLE_CSV && csv->header,
        .print_identifier = options->print_identifier,
    };
}

enum oriel_status oriel_insert_writer_init(struct oriel_insert_writer *writer,
                                           struct oriel_result *result,
                                           const struct oriel_table_options *options,
                                           struct oriel_schema schema,
                                           struct oriel_output_file *file, bool continues,
                                           struct oriel_error *error) {
    struct oriel_memory *memory = &result->engine->memory;
    *writer = (struct oriel_insert_writer){.is_text = options->format == ORIEL_TABLE_CSV ||
                                                      options->format == ORIEL_TABLE_JSON};
    if (writer->is_text) {
        struct oriel_formatter_options format = oriel_insert_format(options);
        format.header &= !continues;
        ORIEL_TRY(oriel_formatter_open(memory, schema, &format, &writer->formatter, error));
        oriel_row_writer_init(&writer->rows, memory, writer->formatter, file, schema.field_count);
        return ORIEL_OK;
    }
    struct oriel_arrow_output_options output;
    ORIEL_TRY(oriel_insert_columns_options(options, &output, error));
    return oriel_columnar_writer_init(&writer->columns, memory, schema, "UTC", &output, file,
                                      error);
}

void oriel_insert_writer_deinit(struct oriel_insert_writer *writer) {
    if (!writer->is_text) {
        oriel_columnar_writer_deinit(&writer->columns);
        return;
    }
    oriel_row_writer_deinit(&writer->rows);
    oriel_formatter_close(&writer->formatter);
}

enum oriel_status oriel_insert_writer_add(struct oriel_insert_writer *writer,
                                          const struct oriel_batch *batch,
                                          struct oriel_error *error) {
    return writer->is_text ? oriel_row_writer_add(&writer->rows, batch, error)
                           : oriel_columnar_writer_add(&writer->columns, batch, error);
}

enum oriel_status oriel_insert_writer_finish(struct oriel_insert_writer *writer,
                                             struct oriel_error *error) {
    return writer->is_text ? oriel_row_writer_finish(&writer->rows, error)
                           : oriel_columnar_writer_finish(&writer->columns, error);
}
