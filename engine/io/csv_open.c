/*
 * Opens CSV sources: looks the files up, checks that a CSV file can hold the columns, and decides
 * once how each wanted column is decoded.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

enum { CHUNK_MIN_BYTES = 16, CHUNK_MAX_BYTES = 1 << 30, TYPE_TEXT_BYTES = 128 };

static bool is_scalar(const struct oriel_type *type) {
    return type->id >= ORIEL_TYPE_BOOLEAN && type->id <= ORIEL_TYPE_TIMESTAMP_LTZ;
}

static enum oriel_status check_types(const struct oriel_csv_request *request,
                                     struct oriel_error *error) {
    for (uint32_t i = 0; i < request->fields.field_count; i++) {
        const struct oriel_field *field = &request->fields.fields[i];
        const struct oriel_type *type = &field->type;
        bool fits = is_scalar(type);
        if (type->id == ORIEL_TYPE_ARRAY || type->id == ORIEL_TYPE_ROW) {
            fits = true;
            for (uint32_t c = 0; c < type->field_count; c++)
                fits &= is_scalar(&type->fields[c].type);
        }
        if (!fits) {
            char text[TYPE_TEXT_BYTES];
            return oriel_error_set(error, ORIEL_INVALID,
                                   "a CSV file cannot hold column '%s' of type %s", field->name,
                                   oriel_type_print(type, false, text, sizeof text));
        }
    }
    return ORIEL_OK;
}

static enum csv_decoder decoder_of(const struct oriel_type *type) {
    switch (type->id) {
    case ORIEL_TYPE_TINYINT:
    case ORIEL_TYPE_SMALLINT: return CSV_DECODE_NARROW;
    case ORIEL_TYPE_INT: return CSV_DECODE_I32;
    case ORIEL_TYPE_BIGINT: return CSV_DECODE_I64;
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: return CSV_DECODE_STRING;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        return type->precision <= 3 ? CSV_DECODE_TIMESTAMP : CSV_DECODE_EACH;
    default: return CSV_DECODE_EACH;
    }
}

/* Whether a kernel would take the null literal for a value: it has a digit and no blanks. */
static bool is_plain(const struct csv_source *source, enum csv_decoder decoder) {
    const struct oriel_csv_options *options = &source->options;
    if (!options->null_literal || decoder == CSV_DECODE_STRING)
        return false;
    return strpbrk(options->null_literal, "0123456789") != NULL;
}

static struct csv_column_plan plan_field(const struct csv_source *source, uint32_t field,
                                         int32_t output) {
    const struct oriel_field *definition = &source->request.fields.fields[field];
    const enum csv_decoder decoder = source->exact &&
                                             decoder_of(&definition->type) == CSV_DECODE_STRING &&
                                             source->options.escape >= 0
                                         ? CSV_DECODE_EACH
                                         : decoder_of(&definition->type);
    return (struct csv_column_plan){
        .decoder = decoder,
        .kind = ORIEL_CSV_FIELD,
        .field = field,
        .output = output,
        .rowtime = source->request.rowtime == (int32_t)field,
        .plain_null = is_plain(source, decoder),
        .value_size = oriel_physical_size(oriel_type_physical(&definition->type)),
        .type = definition->type,
        .name = definition->name,
    };
}

/* Plans in the order of the fields, so that the first fault of a row does not depend on the query.
 */
static void insert_plan(struct csv_source *source, struct csv_column_plan plan) {
    uint32_t at = source->plan_count++;
    while (at > 0 && plan.kind == ORIEL_CSV_FIELD &&
           (source->plans[at - 1].kind != ORIEL_CSV_FIELD ||
            source->plans[at - 1].field > plan.field)) {
        source->plans[at] = source->plans[at - 1];
        at--;
    }
    source->plans[at] = plan;
}

static enum oriel_status make_plans(struct csv_source *source, struct oriel_error *error) {
    const struct oriel_csv_request *request = &source->request;
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&source->arena, request->column_count + 1, sizeof *fields);
    source->plans = oriel_arena_allocate_zeroed(&source->arena, (size_t)request->column_count + 1,
                                                sizeof *source->plans);
    if (!fields || !source->plans)
        return oriel_error_memory(error);
    bool rowtime_seen = request->rowtime < 0;
    for (uint32_t i = 0; i < request->column_count; i++) {
        const struct oriel_csv_column *column = &request->columns[i];
        if (column->kind == ORIEL_CSV_FIELD) {
            fields[i] = request->fields.fields[column->field];
            rowtime_seen |= (int32_t)column->field == request->rowtime;
            insert_plan(source, plan_field(source, column->field, (int32_t)i));
            continue;
        }
        fields[i] = oriel_file_property_field(request, column);
        insert_plan(source,
                    (struct csv_column_plan){
                        .decoder = CSV_DECODE_FILE,
                        .kind = column->kind,
                        .field = column->field,
                        .output = (int32_t)i,
                        .value_size = oriel_physical_size(oriel_type_physical(&fields[i].type)),
                        .type = fields[i].type,
                        .name = fields[i].name,
                    });
    }
    if (!rowtime_seen)
        insert_plan(source, plan_field(source, (uint32_t)request->rowtime, -1));
    source->base.schema = (struct oriel_schema){request->column_count, fields};
    return ORIEL_OK;
}

static enum oriel_status make_locks(struct csv_source *source, struct oriel_error *error) {
    ORIEL_TRY(csv_chain_init(&source->chain, source->runtime->memory, error));
    if (pthread_mutex_init(&source->claim_mutex, NULL) == 0) {
        if (pthread_mutex_init(&source->lenient.mutex, NULL) == 0) {
            source->has_locks = true;
            return ORIEL_OK;
        }
        pthread_mutex_destroy(&source->claim_mutex);
    }
    csv_chain_deinit(&source->chain);
    return oriel_error_memory(error);
}

static enum oriel_status prepare(struct csv_source *source, struct oriel_error *error) {
    ORIEL_TRY(make_locks(source, error));
    ORIEL_TRY(check_types(&source->request, error));
    size_t *chunk = &source->options.chunk_bytes;
    *chunk = *chunk < CHUNK_MIN_BYTES   ? CHUNK_MIN_BYTES
             : *chunk > CHUNK_MAX_BYTES ? CHUNK_MAX_BYTES
                                        : *chunk;
    if (source->runtime->rejects)
        source->reject_source = oriel_rejects_add_source(source->runtime->rejects);
    source->exact = csv_options_exact(&source->options);
    source->field_count = source->request.fields.field_count;
    source->blocks = (struct oriel_block_reader){
        .runtime = source->runtime, .block_bytes = *chunk, .padding_bytes = source->field_count};
    return make_plans(source, error);
}

static enum oriel_status make_source(const struct oriel_runtime *runtime,
                                     const struct oriel_csv_options *options,
                                     const struct oriel_csv_request *request,
                                     struct csv_source **out, struct oriel_error *error) {
    struct csv_source *source = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *source);
    if (!source)
        return oriel_error_memory(error);
    source->base.operations = &csv_source_operations;
    source->runtime = runtime;
    source->options = *options;
    source->request = *request;
    source->list.memory = runtime->memory;
    oriel_arena_init(&source->list.arena, runtime->memory);
    oriel_arena_init(&source->arena, runtime->memory);
    *out = source;
    return prepare(source, error);
}

static enum oriel_status allocate_files(struct csv_source *source, size_t count,
                                        struct oriel_error *error) {
    source->files = oriel_arena_allocate_zeroed(&source->arena, count + 1, sizeof *source->files);
    if (!source->files)
        return oriel_error_memory(error);
    for (size_t i = 0; i < count; i++)
        source->files[i].bytes.descriptor = -1;
    source->file_count = count;
    return ORIEL_OK;
}

enum oriel_status oriel_csv_source_open(const struct oriel_runtime *runtime,
                                        struct oriel_file_list *files,
                                        const struct oriel_csv_options *options,
                                        const struct oriel_csv_request *request,
                                        struct oriel_source **out, struct oriel_error *error) {
    struct csv_source *source = NULL;
    enum oriel_status status = make_source(runtime, options, request, &source, error);
    if (source)
        source->list = *files;
    else
        oriel_file_list_deinit(files);
    if (status == ORIEL_OK)
        status = allocate_files(source, source->list.file_count, error);
    for (size_t i = 0; status == ORIEL_OK && i < source->file_count; i++)
        source->files[i].path = source->list.files[i].path;
    if (status != ORIEL_OK && source) {
        csv_source_operations.close(&source->base);
        source = NULL;
    }
    *out = source ? &source->base : NULL;
    return status;
}

enum oriel_status oriel_csv_text_source_open(const struct oriel_runtime *runtime, const char *name,
                                             const char *text, size_t length, bool seekable,
                                             const struct oriel_csv_options *options,
                                             const struct oriel_csv_request *request,
                                             struct oriel_source **out, struct oriel_error *error) {
    struct csv_source *source = NULL;
    enum oriel_status status = make_source(runtime, options, request, &source, error);
    if (status == ORIEL_OK)
        status = allocate_files(source, 1, error);
    if (status == ORIEL_OK) {
        source->files[0].path = name;
        oriel_byte_source_open_text(&source->files[0].bytes, name, text, length, seekable);
        source->list.total_bytes = length;
    } else if (source) {
        csv_source_operations.close(&source->base);
        source = NULL;
    }
    *out = source ? &source->base : NULL;
    return status;
}
