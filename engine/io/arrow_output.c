/*
 * The end of a result that becomes a Parquet or Arrow file: what the module encodes goes into the
 * output file, whose errors come back unchanged.
 */
#include "engine/io/arrow_output.h"

#include <string.h>

#include "engine/base/text.h"

enum { PARQUET_GROUP_ROWS = 1 << 20, ARROW_BATCH_ROWS = 1 << 16 };

struct oriel_arrow_output {
    struct oriel_memory *memory;
    const struct oriel_arrow_shim *shim;
    enum oriel_arrow_format format;
    struct oriel_arrow_writer *writer;
    struct oriel_output_file *file;
    struct oriel_error failure; /* of the file */
};

bool oriel_arrow_compression_read(const char *name, enum oriel_arrow_format format,
                                  enum oriel_arrow_compression *out) {
    static const struct {
        const char *name;
        enum oriel_arrow_compression compression;
        bool is_for_parquet_only;
    } names[] = {
        {"UNCOMPRESSED", ORIEL_ARROW_UNCOMPRESSED, false},
        {"NONE", ORIEL_ARROW_UNCOMPRESSED, false},
        {"SNAPPY", ORIEL_ARROW_SNAPPY, true},
        {"GZIP", ORIEL_ARROW_GZIP, true},
        {"ZSTD", ORIEL_ARROW_ZSTD, false},
        {"LZ4", ORIEL_ARROW_LZ4, false},
        {"LZ4_RAW", ORIEL_ARROW_LZ4, true},
    };
    const bool is_parquet = format == ORIEL_ARROW_PARQUET;
    if (!name) {
        *out = is_parquet ? ORIEL_ARROW_SNAPPY : ORIEL_ARROW_UNCOMPRESSED;
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!oriel_text_equal_ignoring_case(oriel_text_of(name), oriel_text_of(names[i].name)))
            continue;
        *out = names[i].compression;
        return is_parquet || !names[i].is_for_parquet_only;
    }
    return false;
}

static int write_bytes(void *context, const void *bytes, size_t length) {
    struct oriel_arrow_output *output = context;
    return oriel_output_file_write(output->file, bytes, length, &output->failure) != ORIEL_OK;
}

static enum oriel_status failed(const struct oriel_arrow_output *output, enum oriel_status status,
                                const struct oriel_arrow_message *message,
                                struct oriel_error *error) {
    if (output->failure.status != ORIEL_OK) {
        if (error)
            *error = output->failure;
        return output->failure.status;
    }
    if (status == ORIEL_MEMORY)
        return oriel_error_memory(error);
    return oriel_error_set(error, status, "cannot write a %s file: %s",
                           oriel_arrow_format_name(output->format), message->text);
}

enum oriel_status oriel_arrow_output_open(struct oriel_memory *memory,
                                          const struct oriel_arrow_output_options *options,
                                          struct ArrowSchema *schema,
                                          struct oriel_output_file *file,
                                          struct oriel_arrow_output **out,
                                          struct oriel_error *error) {
    *out = NULL;
    const struct oriel_arrow_shim *shim = NULL;
    enum oriel_status status = oriel_arrow_module_load(options->format, &shim, error);
    struct oriel_arrow_output *output =
        status == ORIEL_OK ? oriel_memory_allocate_zeroed(memory, 1, sizeof *output) : NULL;
    if (!output) {
        schema->release(schema);
        return status == ORIEL_OK ? oriel_error_memory(error) : status;
    }
    *output = (struct oriel_arrow_output){
        .memory = memory, .shim = shim, .format = options->format, .file = file};
    const struct oriel_arrow_write_options writing = {
        .format = options->format,
        .compression = options->compression,
        .group_rows =
            options->format == ORIEL_ARROW_PARQUET ? PARQUET_GROUP_ROWS : ARROW_BATCH_ROWS,
        .write = write_bytes,
        .write_context = output,
    };
    const struct oriel_arrow_account account = oriel_arrow_account_of(memory);
    struct oriel_arrow_message message = {""};
    status = shim->writer_open(&writing, &account, schema, &output->writer, &message);
    if (status != ORIEL_OK) {
        status = failed(output, status, &message, error);
        oriel_arrow_output_close(&output);
        return status;
    }
    *out = output;
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_output_add(struct oriel_arrow_output *output,
                                         struct ArrowArray *array, struct oriel_error *error) {
    struct oriel_arrow_message message = {""};
    const enum oriel_status status = output->shim->writer_add(output->writer, array, &message);
    return status == ORIEL_OK ? ORIEL_OK : failed(output, status, &message, error);
}

enum oriel_status oriel_arrow_output_finish(struct oriel_arrow_output *output,
                                            struct oriel_error *error) {
    struct oriel_arrow_message message = {""};
    const enum oriel_status status = output->shim->writer_finish(output->writer, &message);
    return status == ORIEL_OK ? ORIEL_OK : failed(output, status, &message, error);
}

void oriel_arrow_output_close(struct oriel_arrow_output **output) {
    struct oriel_arrow_output *it = *output;
    if (!it)
        return;
    if (it->writer)
        it->shim->writer_close(it->writer);
    oriel_memory_release(it->memory, it, sizeof *it);
    *output = NULL;
}
