/*
 * The JSON source: hands pieces of files to workers in order. A piece belongs to the lines that
 * begin in it, so workers need to know nothing of each other.
 */
#include "engine/io/json_source.h"

#include <string.h>

#include "engine/io/json_reader.h"

enum { BLOCK_PADDING_BYTES = 64, CHUNK_MIN_BYTES = 16, TYPE_TEXT_BYTES = 128 };

static enum oriel_status start(struct oriel_source *base, unsigned worker_count,
                               struct oriel_error *error) {
    struct json_source *source = (struct json_source *)base;
    source->workers = oriel_memory_allocate_zeroed(source->runtime->memory, worker_count,
                                                   sizeof *source->workers);
    if (!source->workers)
        return oriel_error_memory(error);
    source->worker_count = worker_count;
    if (source->runtime->progress)
        atomic_fetch_add_explicit(&source->runtime->progress->bytes_total, source->list.total_bytes,
                                  memory_order_relaxed);
    return ORIEL_OK;
}

static enum oriel_status open_file(struct json_source *source, struct json_file *file,
                                   struct oriel_error *error) {
    ORIEL_TRY(
        oriel_byte_source_open_unpacked(&file->bytes, source->runtime->memory, file->path, error));
    file->is_open = true;
    file->chunks_left = 1; /* for the claims to come */
    source->next_offset = 0;
    oriel_block_reader_begin(&source->blocks);
    ORIEL_TRY(oriel_file_properties_init(
        &file->properties, &source->list.files[file - source->files], &source->arena, error));
    file->properties.size_bytes = (int64_t)file->bytes.size_bytes;
    file->properties.modified_ms = file->bytes.modified_ns / 1000000;
    return ORIEL_OK;
}

/* One chunk, or the claiming, is done with the file. Called with the lock held. */
static void leave_file(struct json_file *file) {
    if (--file->chunks_left > 0)
        return;
    file->is_open = false;
    oriel_byte_source_close(&file->bytes);
}

static enum oriel_status claim_from(struct json_source *source, struct json_file *file,
                                    struct oriel_morsel *morsel, struct oriel_error *error) {
    if (!file->bytes.seekable) {
        struct oriel_block *block;
        ORIEL_TRY(json_pipe_next(source, file, &block, error));
        if (!block)
            return ORIEL_DONE;
        morsel->begin = morsel->end = 0; /* tells it from a range, which is never empty */
        morsel->state = block;
    } else {
        if (source->next_offset >= file->bytes.size_bytes)
            return ORIEL_DONE;
        const uint64_t left = file->bytes.size_bytes - source->next_offset;
        morsel->begin = source->next_offset;
        morsel->end = morsel->begin +
                      (left < source->options.chunk_bytes ? left : source->options.chunk_bytes);
        morsel->state = file;
        source->next_offset = morsel->end;
    }
    ORIEL_TRY(json_reject_claim(source, file, morsel, error));
    file->chunks_left++;
    morsel->number = source->claim_count++;
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *base, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct json_source *source = (struct json_source *)base;
    enum oriel_status status = ORIEL_DONE;
    *morsel = (struct oriel_morsel){0};
    pthread_mutex_lock(&source->lock);
    while (status == ORIEL_DONE && source->file_index < source->file_count) {
        struct json_file *file = &source->files[source->file_index];
        status = file->is_open ? ORIEL_OK : open_file(source, file, error);
        if (status != ORIEL_OK)
            break;
        status = claim_from(source, file, morsel, error);
        if (status == ORIEL_DONE) {
            leave_file(file);
            source->file_index++;
        }
    }
    pthread_mutex_unlock(&source->lock);
    return status;
}

static enum oriel_status load(struct json_source *source, struct json_worker *worker,
                              const struct oriel_morsel *morsel, struct oriel_error *error) {
    ORIEL_TRY(json_worker_prepare(source, worker, error));
    worker->chunk = (struct json_chunk){.number = morsel->number};
    uint64_t count = morsel->end - morsel->begin;
    if (count) {
        ORIEL_TRY(
            json_chunk_load(source, worker, morsel->state, morsel->begin, morsel->end, error));
    } else {
        const struct oriel_block *block = morsel->state;
        worker->chunk.file = block->file;
        worker->chunk.is_block = true;
        worker->chunk.text = block->bytes;
        worker->chunk.length = worker->chunk.limit = block->length;
        count = block->taken_bytes;
        worker->chunk.lines_before = block->lines_before;
    }
    if (source->runtime->progress)
        atomic_fetch_add_explicit(&source->runtime->progress->bytes, count, memory_order_relaxed);
    return ORIEL_OK;
}

static enum oriel_status read_morsel(struct oriel_source *base, unsigned number,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct json_source *source = (struct json_source *)base;
    struct json_worker *worker = &source->workers[number];
    struct oriel_error own = {0};
    json_reject_begin(worker, morsel);
    enum oriel_status status = load(source, worker, morsel, &own);
    if (status == ORIEL_OK)
        status = json_chunk_read(source, worker, push, context, &own);
    if (morsel->rejects)
        status = json_reject_finish(worker, morsel, status, &own);
    if (status != ORIEL_OK && error)
        *error = own;
    struct json_file *file = morsel->state;
    pthread_mutex_lock(&source->lock);
    if (morsel->begin == morsel->end) {
        struct oriel_block *block = morsel->state;
        file = block->file;
        oriel_block_reader_free(&source->blocks, block);
    }
    leave_file(file);
    pthread_mutex_unlock(&source->lock);
    return status;
}

static void close_source(struct oriel_source *base) {
    struct json_source *source = (struct json_source *)base;
    struct oriel_memory *memory = source->runtime->memory;
    json_lenient_note(source);
    for (unsigned i = 0; i < source->worker_count; i++)
        json_worker_deinit(source, &source->workers[i]);
    oriel_memory_release(memory, source->workers, source->worker_count * sizeof *source->workers);
    for (size_t i = 0; i < source->file_count; i++)
        oriel_byte_source_close(&source->files[i].bytes);
    oriel_block_reader_deinit(&source->blocks);
    oriel_file_list_deinit(&source->list);
    pthread_mutex_destroy(&source->lock);
    pthread_mutex_destroy(&source->lenient.mutex);
    oriel_arena_deinit(&source->arena);
    oriel_memory_release(memory, source, sizeof *source);
}

static const struct oriel_source_operations source_operations = {start, claim, read_morsel,
                                                                 close_source};

/* ---- opening ---- */

static bool can_hold(const struct oriel_type *type) {
    if (type->id == ORIEL_TYPE_MAP && !oriel_type_is_character(&type->fields[0].type))
        return false;
    if (oriel_type_physical(type) != ORIEL_PHYSICAL_NESTED)
        return type->id >= ORIEL_TYPE_BOOLEAN && type->id <= ORIEL_TYPE_TIMESTAMP_LTZ;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!can_hold(&type->fields[i].type))
            return false;
    }
    return true;
}

static enum oriel_status check_types(const struct oriel_csv_request *request,
                                     struct oriel_error *error) {
    char text[TYPE_TEXT_BYTES];
    for (uint32_t i = 0; i < request->fields.field_count; i++) {
        const struct oriel_field *field = &request->fields.fields[i];
        if (!can_hold(&field->type))
            return oriel_error_set(
                error, ORIEL_INVALID,
                "a JSON file cannot hold column '%s' of type %s (keys of a MAP must be strings)",
                field->name, oriel_type_print(&field->type, false, text, sizeof text));
    }
    return ORIEL_OK;
}

static void add_plan(struct json_source *source, struct oriel_csv_column column,
                     const struct oriel_field *field, int32_t output, bool rowtime) {
    source->plans[source->plan_count++] = (struct json_plan){
        .column = column,
        .output = output,
        .rowtime = rowtime,
        .value_size = oriel_physical_size(oriel_type_physical(&field->type)),
        .type = field->type,
        .name = field->name,
        .name_length = strlen(field->name),
    };
}

static enum oriel_status make_plans(struct json_source *source, struct oriel_error *error) {
    const struct oriel_csv_request *request = &source->request;
    const size_t room = (size_t)request->column_count + 1;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&source->arena, room, sizeof *fields);
    source->plans = oriel_arena_allocate_zeroed(&source->arena, room, sizeof *source->plans);
    if (!fields || !source->plans)
        return oriel_error_memory(error);
    bool rowtime_seen = request->rowtime < 0;
    for (uint32_t i = 0; i < request->column_count; i++) {
        const struct oriel_csv_column *column = &request->columns[i];
        const bool is_field = column->kind == ORIEL_CSV_FIELD;
        const bool is_rowtime = is_field && request->rowtime == (int32_t)column->field;
        fields[i] = is_field ? request->fields.fields[column->field]
                             : oriel_file_property_field(request, column);
        add_plan(source, *column, &fields[i], (int32_t)i, is_rowtime);
        rowtime_seen |= is_rowtime;
    }
    if (!rowtime_seen)
        add_plan(source, (struct oriel_csv_column){ORIEL_CSV_FIELD, (uint32_t)request->rowtime},
                 &request->fields.fields[request->rowtime], -1, true);
    source->base.schema = (struct oriel_schema){request->column_count, fields};
    return ORIEL_OK;
}

static enum oriel_status name_files(struct json_source *source, struct oriel_error *error) {
    const size_t count = source->list.file_count;
    source->files = oriel_arena_allocate_zeroed(&source->arena, count + 1, sizeof *source->files);
    if (!source->files)
        return oriel_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        source->files[i].bytes.descriptor = -1;
        source->files[i].path = source->list.files[i].path;
    }
    source->file_count = count;
    return ORIEL_OK;
}

static enum oriel_status prepare(struct json_source *source, struct oriel_error *error) {
    if (source->options.chunk_bytes < CHUNK_MIN_BYTES)
        source->options.chunk_bytes = CHUNK_MIN_BYTES;
    source->blocks = (struct oriel_block_reader){.runtime = source->runtime,
                                                 .block_bytes = source->options.chunk_bytes,
                                                 .padding_bytes = BLOCK_PADDING_BYTES};
    if (source->runtime->rejects)
        source->reject_source = oriel_rejects_add_source(source->runtime->rejects);
    ORIEL_TRY(check_types(&source->request, error));
    ORIEL_TRY(make_plans(source, error));
    return name_files(source, error);
}

static bool make_locks(struct json_source *source) {
    if (pthread_mutex_init(&source->lock, NULL) != 0)
        return false;
    if (pthread_mutex_init(&source->lenient.mutex, NULL) == 0)
        return true;
    pthread_mutex_destroy(&source->lock);
    return false;
}

enum oriel_status oriel_json_source_open(const struct oriel_runtime *runtime,
                                         struct oriel_file_list *files,
                                         const struct oriel_json_options *options,
                                         const struct oriel_csv_request *request,
                                         struct oriel_source **out, struct oriel_error *error) {
    *out = NULL;
    struct json_source *source = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *source);
    if (!source || !make_locks(source)) {
        oriel_memory_release(runtime->memory, source, sizeof *source);
        oriel_file_list_deinit(files);
        return oriel_error_memory(error);
    }
    source->base.operations = &source_operations;
    source->runtime = runtime;
    source->options = *options;
    source->request = *request;
    source->list = *files;
    oriel_arena_init(&source->arena, runtime->memory);
    const enum oriel_status status = prepare(source, error);
    if (status != ORIEL_OK)
        close_source(&source->base);
    else
        *out = &source->base;
    return status;
}
