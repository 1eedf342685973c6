/*
 * Such a file cannot grow, so one that is there is read and written again, the new rows behind it.
 */
#include "engine/api/insert_columns.h"

#include "engine/api/columnar_writer.h"
#include "engine/io/arrow_source.h"

static enum oriel_status add_batch(void *context, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    return oriel_columnar_writer_add(context, batch, error);
}

static enum oriel_status copy_source(struct oriel_source *source,
                                     struct oriel_columnar_writer *writer,
                                     struct oriel_error *error) {
    ORIEL_TRY(source->operations->start(source, 1, error));
    for (;;) {
        struct oriel_morsel morsel;
        const enum oriel_status status = source->operations->claim(source, &morsel, error);
        if (status == ORIEL_DONE)
            return ORIEL_OK;
        ORIEL_TRY(status);
        ORIEL_TRY(source->operations->read(source, 0, &morsel, add_batch, writer, error));
    }
}

enum oriel_status oriel_insert_copy_columns(struct oriel_result *result, const char *path,
                                            const struct oriel_table_options *options,
                                            struct oriel_schema schema,
                                            struct oriel_columnar_writer *writer,
                                            struct oriel_error *error) {
    const enum oriel_arrow_format format =
        options->format == ORIEL_TABLE_PARQUET ? ORIEL_ARROW_PARQUET : ORIEL_ARROW_IPC;
    struct oriel_csv_column *columns = oriel_arena_allocate_zeroed(
        &result->arena, (size_t)schema.field_count + 1, sizeof *columns);
    if (!columns)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema.field_count; i++)
        columns[i] = (struct oriel_csv_column){ORIEL_CSV_FIELD, i};
    const struct oriel_csv_request request = {
        .fields = schema,
        .column_count = schema.field_count,
        .columns = columns,
        .rowtime = -1,
    };
    struct oriel_file_list files;
    struct oriel_source *source;
    ORIEL_TRY(oriel_file_list_init(&files, &result->engine->memory, path, error));
    ORIEL_TRY(
        oriel_arrow_source_open(&result->runtime, &files, format, &request, NULL, &source, error));
    const enum oriel_status status = copy_source(source, writer, error);
    source->operations->close(source);
    return status;
}

enum oriel_status oriel_insert_columns_options(const struct oriel_table_options *options,
                                               struct oriel_arrow_output_options *out,
                                               struct oriel_error *error) {
    const bool is_parquet = options->format == ORIEL_TABLE_PARQUET;
    out->format = is_parquet ? ORIEL_ARROW_PARQUET : ORIEL_ARROW_IPC;
    const struct oriel_option *name = options->compression;
    if (!oriel_arrow_compression_read(name ? name->value : NULL, out->format, &out->compression))
        return oriel_error_at(error, ORIEL_INVALID, name->position,
                              "the option '%s' is %s, but is '%s'", name->key,
                              is_parquet ? "UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4 or LZ4_RAW"
                                         : "UNCOMPRESSED, ZSTD or LZ4",
                              name->value);
    return ORIEL_OK;
}
