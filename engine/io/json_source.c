/*
 * The JSON source: hands pieces of files to workers in order. A piece belongs to the lines that
 * begin in it, so workers need to know nothing of each other.
 */
#include "engine/io/json_source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/io/json_reader.h"

enum { CHUNK_MIN_BYTES = 16, TYPE_TEXT_BYTES = 128 };

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

/* The absolute path of the file, for file.path, and its last part, for file.name. */
static enum oriel_status name_file(struct json_source *source, struct json_file *file,
                                   struct oriel_error *error) {
    char resolved[PATH_MAX];
    const char *path = file->path;
    if (realpath(file->path, resolved))
        path = oriel_arena_copy(&source->arena, resolved, strlen(resolved));
    if (!path)
        return oriel_error_memory(error);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    file->path_text = oriel_string_make(path, strlen(path));
    file->name_text = oriel_string_make(name, strlen(name));
    return ORIEL_OK;
}

static enum oriel_status open_file(struct json_source *source, struct json_file *file,
                                   struct oriel_error *error) {
    ORIEL_TRY(
        oriel_byte_source_open_unpacked(&file->bytes, source->runtime->memory, file->path, error));
    file->is_open = true;
    file->chunks_left = 1; /* for the claims to come */
    source->next_offset = 0;
    source->read_offset = 0;
    source->pipe_ended = false;
    source->carry_length = 0;
    source->lines = 0;
    return name_file(source, file, error);
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
        struct json_block *block;
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
        const struct json_block *block = morsel->state;
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
        struct json_block *block = morsel->state;
        file = block->file;
        block->next = source->free_blocks;
        source->free_blocks = block;
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
    json_pipe_deinit(source);
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

static struct oriel_field property_field(enum oriel_csv_column_kind kind) {
    struct oriel_field field = {"file.path", oriel_type_string()};
    if (kind == ORIEL_CSV_FILE_NAME)
        field.name = "file.name";
    else if (kind == ORIEL_CSV_FILE_SIZE)
        field = (struct oriel_field){"file.size", oriel_type_make(ORIEL_TYPE_BIGINT)};
    else if (kind == ORIEL_CSV_FILE_MODIFIED)
        field = (struct oriel_field){"file.modification-time", oriel_type_timestamp_ltz(3)};
    field.type.nullable = false;
    return field;
}

static void add_plan(struct json_source *source, enum oriel_csv_column_kind kind,
                     const struct oriel_field *field, int32_t output, bool rowtime) {
    source->plans[source->plan_count++] = (struct json_plan){
        .kind = kind,
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
        fields[i] = is_field ? request->fields.fields[column->field] : property_field(column->kind);
        add_plan(source, column->kind, &fields[i], (int32_t)i, is_rowtime);
        rowtime_seen |= is_rowtime;
    }
    if (!rowtime_seen)
        add_plan(source, ORIEL_CSV_FIELD, &request->fields.fields[request->rowtime], -1, true);
    source->base.schema = (struct oriel_schema){request->column_count, fields};
    return ORIEL_OK;
}

static enum oriel_status list_files(struct json_source *source, const char *path,
                                    struct oriel_error *error) {
    struct oriel_file_list list;
    ORIEL_TRY(oriel_file_list_init(&list, source->runtime->memory, path, error));
    source->list = list;
    if (list.is_hidden)
        oriel_runtime_note(source->runtime,
                           "'%s' is not read: like Flink, Oriel leaves out names that begin with "
                           "'.' or '_'",
                           path);
    source->files =
        oriel_arena_allocate_zeroed(&source->arena, list.file_count + 1, sizeof *source->files);
    if (!source->files)
        return oriel_error_memory(error);
    for (size_t i = 0; i < list.file_count; i++) {
        source->files[i].bytes.descriptor = -1;
        source->files[i].path = list.files[i].path;
        source->file_count++;
    }
    return ORIEL_OK;
}

static enum oriel_status prepare(struct json_source *source, const char *path,
                                 struct oriel_error *error) {
    if (source->options.chunk_bytes < CHUNK_MIN_BYTES)
        source->options.chunk_bytes = CHUNK_MIN_BYTES;
    if (source->runtime->rejects)
        source->reject_source = oriel_rejects_add_source(source->runtime->rejects);
    ORIEL_TRY(check_types(&source->request, error));
    ORIEL_TRY(make_plans(source, error));
    return list_files(source, path, error);
}

enum oriel_status oriel_json_source_open(const struct oriel_runtime *runtime, const char *path,
                                         const struct oriel_json_options *options,
                                         const struct oriel_csv_request *request,
                                         struct oriel_source **out, struct oriel_error *error) {
    *out = NULL;
    struct json_source *source = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *source);
    if (!source)
        return oriel_error_memory(error);
    if (pthread_mutex_init(&source->lock, NULL) != 0) {
        oriel_memory_release(runtime->memory, source, sizeof *source);
        return oriel_error_memory(error);
    }
    if (pthread_mutex_init(&source->lenient.mutex, NULL) != 0) {
        pthread_mutex_destroy(&source->lock);
        oriel_memory_release(runtime->memory, source, sizeof *source);
        return oriel_error_memory(error);
    }
    source->base.operations = &source_operations;
    source->runtime = runtime;
    source->options = *options;
    source->request = *request;
    source->list.memory = runtime->memory;
    oriel_arena_init(&source->list.arena, runtime->memory);
    oriel_arena_init(&source->arena, runtime->memory);
    const enum oriel_status status = prepare(source, path, error);
    if (status != ORIEL_OK)
        close_source(&source->base);
    else
        *out = &source->base;
    return status;
}
