/*
 * oriel_result_write: a result as text into a file, a descriptor or a function.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

#include "engine/api/columnar_writer.h"
#include "engine/api/row_writer.h"

static enum oriel_status read_output(const struct oriel_output *given, struct oriel_output *output,
                                     struct oriel_error *error) {
    if (!given || given->struct_size != sizeof *given)
        return oriel_error_set(error, ORIEL_ARGUMENT, "struct_size of the output is not set");
    *output = *given;
    if (!output->path && !output->write && output->fd < 0)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the output has no path, write or fd");
    if ((unsigned)output->format > ORIEL_FORMAT_ARROW)
        return oriel_error_set(error, ORIEL_ARGUMENT, "there is no such format");
    return ORIEL_OK;
}

static enum oriel_status refuse_input(const struct oriel_result *result,
                                      const struct oriel_output_file *file, const char *path,
                                      struct oriel_error *error) {
    for (const struct oriel_input_file *input = result->inputs; input; input = input->next) {
        if (oriel_output_file_is(file, input->device, input->inode))
            return oriel_error_set(error, ORIEL_INVALID,
                                   "%s is also an input of the statement; write to another file",
                                   path ? path : "the output");
    }
    return ORIEL_OK;
}

/* EXPLAIN and SHOW CREATE TABLE are shown as they are. */
static enum oriel_status write_plain(struct oriel_result *result, const char *lead,
                                     struct oriel_output_file *file, struct oriel_error *error) {
    const struct oriel_batch *batch;
    enum oriel_status status = oriel_result_pull(result, &batch, error);
    if (status == ORIEL_DONE)
        return ORIEL_OK;
    ORIEL_TRY(status);
    if (lead)
        ORIEL_TRY(oriel_output_file_write(file, lead, strlen(lead), error));
    const struct oriel_string *value = oriel_column_strings(&batch->columns[0]);
    ORIEL_TRY(oriel_output_file_write(file, oriel_string_bytes(value), value->length, error));
    if (value->length && oriel_string_bytes(value)[value->length - 1] != '\n')
        ORIEL_TRY(oriel_output_file_write(file, "\n", 1, error));
    return ORIEL_OK;
}

static enum oriel_status write_listing(struct oriel_result *result,
                                       struct oriel_formatter *formatter,
                                       struct oriel_row_writer *writer, struct oriel_error *error) {
    const struct oriel_batch *batch;
    const enum oriel_status status = oriel_result_pull(result, &batch, error);
    if (status == ORIEL_DONE)
        return ORIEL_OK;
    ORIEL_TRY(status);
    ORIEL_TRY(oriel_formatter_measure(formatter, batch, error));
    return oriel_row_writer_add(writer, batch, error);
}

/* A result that was read in part before is written from where it stands, on this thread. */
static enum oriel_status write_rest(struct oriel_result *result, struct oriel_row_writer *writer,
                                    struct oriel_error *error) {
    const struct oriel_batch *batch;
    enum oriel_status status;
    while ((status = oriel_result_pull(result, &batch, error)) == ORIEL_OK)
        ORIEL_TRY(oriel_row_writer_add(writer, batch, error));
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

static enum oriel_status write_rows(struct oriel_result *result, struct oriel_formatter *formatter,
                                    struct oriel_row_writer *writer, struct oriel_error *error) {
    if (result->has_listing)
        return write_listing(result, formatter, writer, error);
    if (result->use != ORIEL_RESULT_FRESH)
        return write_rest(result, writer, error);
    result->use = ORIEL_RESULT_FAILED; /* unless all goes well */
    const struct oriel_piece_maker maker = oriel_row_writer_maker(writer);
    const enum oriel_status status = oriel_execution_run(result->execution, &maker, error);
    result->row_count = writer->row_count;
    if (status == ORIEL_OK)
        result->use = ORIEL_RESULT_USED;
    return status;
}

static enum oriel_status write_formatted(struct oriel_result *result,
                                         const struct oriel_output *output,
                                         struct oriel_output_file *file,
                                         struct oriel_error *error) {
    const struct oriel_formatter_options options = {
        .format = output->format,
        .zone = result->runtime.zone,
        .header = output->header == ORIEL_HEADER_YES,
        .op_column = result->kind == ORIEL_RESULT_ROWS && !result->runtime.batch_mode,
        .fit_content = result->kind != ORIEL_RESULT_ROWS,
        .max_column_width = result->max_column_width,
        .csv = {.delimiter = ',', .quote = '"', .quote_empty = true},
    };
    struct oriel_formatter *formatter;
    struct oriel_memory *memory = &result->engine->memory;
    ORIEL_TRY(oriel_formatter_open(memory, result->schema, &options, &formatter, error));
    struct oriel_row_writer writer;
    oriel_row_writer_init(&writer, memory, formatter, file, result->schema.field_count);
    writer.lead = output->lead;
    writer.escape_controls =
        output->controls == ORIEL_CONTROLS_ESCAPED && output->format != ORIEL_FORMAT_TABLEAU;
    enum oriel_status status = write_rows(result, formatter, &writer, error);
    if (status == ORIEL_OK)
        status = oriel_row_writer_finish(&writer, error);
    oriel_row_writer_deinit(&writer);
    oriel_formatter_close(&formatter);
    return status;
}

static enum oriel_status write_columns_from(struct oriel_result *result,
                                            struct oriel_columnar_writer *writer,
                                            struct oriel_error *error) {
    const struct oriel_batch *batch;
    enum oriel_status status = ORIEL_DONE;
    if (!result->has_listing && result->use == ORIEL_RESULT_FRESH) {
        result->use = ORIEL_RESULT_FAILED; /* unless all goes well */
        const struct oriel_piece_maker maker = oriel_columnar_writer_maker(writer);
        ORIEL_TRY(oriel_execution_run(result->execution, &maker, error));
        result->row_count = writer->row_count;
        result->use = ORIEL_RESULT_USED;
    } else {
        while ((status = oriel_result_pull(result, &batch, error)) == ORIEL_OK)
            ORIEL_TRY(oriel_columnar_writer_add(writer, batch, error));
    }
    ORIEL_TRY(status == ORIEL_DONE ? ORIEL_OK : status);
    return oriel_columnar_writer_finish(writer, error);
}

static enum oriel_status write_columnar(struct oriel_result *result,
                                        const struct oriel_output *output,
                                        struct oriel_output_file *file, struct oriel_error *error) {
    const bool is_parquet = output->format == ORIEL_FORMAT_PARQUET;
    struct oriel_arrow_output_options options = {.format = is_parquet ? ORIEL_ARROW_PARQUET
                                                                      : ORIEL_ARROW_IPC};
    oriel_arrow_compression_read(NULL, options.format, &options.compression);
    const struct oriel_zone *zone = result->runtime.zone;
    struct oriel_columnar_writer writer;
    ORIEL_TRY(oriel_columnar_writer_init(&writer, &result->engine->memory, result->schema,
                                         zone ? oriel_zone_name(zone) : "UTC", &options, file,
                                         error));
    const enum oriel_status status = write_columns_from(result, &writer, error);
    oriel_columnar_writer_deinit(&writer);
    return status;
}

enum oriel_status oriel_result_write(struct oriel_result *result, struct oriel_output *output,
                                     struct oriel_error *error) {
    struct oriel_output known = ORIEL_OUTPUT_INIT;
    if (!result)
        return oriel_error_set(error, ORIEL_ARGUMENT, "result must not be NULL");
    ORIEL_TRY(read_output(output, &known, error));
    output->system_error = 0;
    if (!result->execution && !result->has_listing)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the result has no rows to write");
    const struct oriel_output_target target = {
        .path = known.path,
        .write = known.write,
        .write_context = known.write_context,
        .fd = known.fd,
        .sync = known.sync == ORIEL_SYNC_YES,
        .cancelled = &result->engine->cancelled,
    };
    struct oriel_output_file *file;
    ORIEL_TRY(oriel_output_file_open(&result->engine->memory, &target, &file, error));
    enum oriel_status status = refuse_input(result, file, known.path, error);
    const bool is_plain = result->kind == ORIEL_RESULT_TEXT && known.format == ORIEL_FORMAT_TABLEAU;
    const bool is_columnar =
        known.format == ORIEL_FORMAT_PARQUET || known.format == ORIEL_FORMAT_ARROW;
    if (status == ORIEL_OK)
        status = is_plain      ? write_plain(result, known.lead, file, error)
                 : is_columnar ? write_columnar(result, &known, file, error)
                               : write_formatted(result, &known, file, error);
    if (status == ORIEL_OK)
        status = oriel_output_file_commit(file, error);
    output->system_error = oriel_output_file_errno(file);
    oriel_output_file_close(&file);
    return oriel_engine_place_error(result->engine, status, error);
}
