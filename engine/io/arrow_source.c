/*
 * The source over Parquet and Arrow files: what is wanted, and the operations; arrow_claim.c deals
 * the parts out, arrow_reader.c reads them.
 */
#include "engine/io/arrow_source.h"

#include <string.h>

#include "engine/io/arrow_reader.h"

static enum oriel_status source_start(struct oriel_source *base, unsigned worker_count,
                                      struct oriel_error *error) {
    struct arrow_source *source = (struct arrow_source *)base;
    struct oriel_memory *memory = source->runtime->memory;
    source->workers = oriel_memory_allocate_zeroed(memory, worker_count, sizeof *source->workers);
    if (!source->workers)
        return oriel_error_memory(error);
    source->worker_count = worker_count;
    for (unsigned i = 0; i < worker_count; i++) {
        oriel_arena_init(&source->workers[i].arena, memory);
        oriel_arena_init(&source->workers[i].batch_arena, memory);
    }
    for (unsigned i = 0; i < worker_count; i++)
        ORIEL_TRY(arrow_worker_init(source, &source->workers[i], error));
    if (source->runtime->progress)
        atomic_fetch_add(&source->runtime->progress->bytes_total, source->list.total_bytes);
    return ORIEL_OK;
}

/* A claim that failed is lost, so those behind it must not look like the whole rest. */
static enum oriel_status claim_locked(struct arrow_source *source, struct arrow_claim **claim,
                                      struct oriel_error *error) {
    if (source->failure.status == ORIEL_OK) {
        const enum oriel_status status = arrow_claim_next(source, claim, &source->failure);
        if (status == ORIEL_OK || status == ORIEL_DONE)
            return status;
        source->failure.status = status;
    }
    if (error)
        *error = source->failure;
    return source->failure.status;
}

static enum oriel_status source_claim(struct oriel_source *base, struct oriel_morsel *morsel,
                                      struct oriel_error *error) {
    struct arrow_source *source = (struct arrow_source *)base;
    struct arrow_claim *claim = NULL;
    pthread_mutex_lock(&source->lock);
    const enum oriel_status status = claim_locked(source, &claim, error);
    if (status == ORIEL_OK)
        *morsel = (struct oriel_morsel){.number = source->claim_count++, .state = claim};
    pthread_mutex_unlock(&source->lock);
    return status;
}

static enum oriel_status source_read(struct oriel_source *base, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct arrow_source *source = (struct arrow_source *)base;
    struct arrow_claim *claim = morsel->state;
    const enum oriel_status status =
        arrow_worker_read(source, &source->workers[worker], claim, push, context, error);
    arrow_claim_release(source, claim);
    return status;
}

static void source_close(struct oriel_source *base) {
    struct arrow_source *source = (struct arrow_source *)base;
    struct oriel_memory *memory = source->runtime->memory;
    for (unsigned i = 0; i < source->worker_count; i++)
        arrow_worker_deinit(source, &source->workers[i]);
    oriel_memory_release(memory, source->workers, source->worker_count * sizeof *source->workers);
    arrow_claims_close(source);
    oriel_file_list_deinit(&source->list);
    pthread_mutex_destroy(&source->lock);
    oriel_arena_deinit(&source->arena);
    oriel_memory_release(memory, source, sizeof *source);
}

static const struct oriel_source_operations source_operations = {source_start, source_claim,
                                                                 source_read, source_close};

/* The needed column over a field of the request, made when it is not there yet. */
static int32_t need(struct arrow_source *source, struct oriel_field *fields, uint32_t field) {
    for (uint32_t i = 0; i < source->needed_count; i++) {
        if (source->needed[i].field == field)
            return (int32_t)i;
    }
    const struct oriel_field *wanted = &source->request.fields.fields[field];
    const bool is_rowtime = source->request.rowtime == (int32_t)field;
    source->needed[source->needed_count] = (struct arrow_needed){
        .field = field,
        .is_rowtime = is_rowtime,
        .forbids_null = is_rowtime || !wanted->type.nullable,
    };
    fields[source->needed_count] = *wanted;
    return (int32_t)source->needed_count++;
}

/* INT96 gets the coarsest unit that the table can tell apart, since nanoseconds end in 2262. */
static void note_unit(struct arrow_source *source, const struct oriel_type *type) {
    if (!oriel_type_is_timestamp(type))
        return;
    const enum oriel_arrow_unit unit = type->precision <= 3   ? ORIEL_ARROW_MILLISECOND
                                       : type->precision <= 6 ? ORIEL_ARROW_MICROSECOND
                                                              : ORIEL_ARROW_NANOSECOND;
    if (unit > source->int96_unit)
        source->int96_unit = unit;
}

static enum oriel_status choose_columns(struct arrow_source *source, struct oriel_error *error) {
    const struct oriel_csv_request *request = &source->request;
    const size_t wanted = (size_t)request->column_count + 1;
    const size_t room = request->fields.field_count + (size_t)2;
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&source->arena, wanted, sizeof *fields);
    struct oriel_field *needed = oriel_arena_allocate_zeroed(&source->arena, room, sizeof *needed);
    source->needed = oriel_arena_allocate_zeroed(&source->arena, room, sizeof *source->needed);
    source->needed_of =
        oriel_arena_allocate_zeroed(&source->arena, wanted, sizeof *source->needed_of);
    if (!fields || !needed || !source->needed || !source->needed_of)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < request->column_count; i++) {
        const struct oriel_csv_column *column = &request->columns[i];
        const bool is_field = column->kind == ORIEL_CSV_FIELD;
        fields[i] = is_field ? request->fields.fields[column->field]
                             : oriel_file_property_field(request, column);
        source->needed_of[i] = is_field ? need(source, needed, column->field) : -1;
    }
    if (request->rowtime >= 0)
        need(source, needed, (uint32_t)request->rowtime);
    for (uint32_t i = 0; i < source->needed_count; i++)
        note_unit(source, &needed[i].type);
    source->needed_schema = (struct oriel_schema){source->needed_count, needed};
    source->base.schema = (struct oriel_schema){request->column_count, fields};
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_file_list *files,
                                          enum oriel_arrow_format format,
                                          const struct oriel_csv_request *request,
                                          const struct oriel_arrow_bounds *bounds,
                                          struct oriel_source **out, struct oriel_error *error) {
    *out = NULL;
    struct arrow_source *source = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *source);
    if (!source || pthread_mutex_init(&source->lock, NULL) != 0) {
        oriel_memory_release(runtime->memory, source, sizeof *source);
        oriel_file_list_deinit(files);
        return oriel_error_memory(error);
    }
    source->base.operations = &source_operations;
    source->runtime = runtime;
    source->format = format;
    source->request = *request;
    source->bounds = bounds ? *bounds : (struct oriel_arrow_bounds){.field = -1};
    source->list = *files;
    oriel_arena_init(&source->arena, runtime->memory);
    enum oriel_status status = choose_columns(source, error);
    if (status == ORIEL_OK)
        status = oriel_arrow_module_load(source->format, &source->shim, error);
    if (status != ORIEL_OK)
        source_close(&source->base);
    else
        *out = &source->base;
    return status;
}
