/*
 * The CSV source: hands pieces of files to workers in order and runs a worker's way from bytes to
 * batches. What workers must know of each other is in the chain.
 */
#include <string.h>
#include <unistd.h>

#include "engine/io/csv_reader.h"

enum { FILE_PARTS = 64, MEMORY_PARTS = 64 };

static struct csv_source *from_base(struct oriel_source *base) {
    return (struct csv_source *)(void *)base;
}

static enum oriel_status start(struct oriel_source *base, unsigned worker_count,
                               struct oriel_error *error) {
    struct csv_source *source = from_base(base);
    source->workers = oriel_memory_allocate_zeroed(source->runtime->memory, worker_count,
                                                   sizeof *source->workers);
    if (!source->workers)
        return oriel_error_memory(error);
    source->worker_count = worker_count;
    for (unsigned i = 0; i < worker_count; i++)
        source->workers[i].row_capacity = source->runtime->batch_rows;
    if (source->runtime->progress)
        atomic_fetch_add_explicit(&source->runtime->progress->bytes_total, source->list.total_bytes,
                                  memory_order_relaxed);
    return ORIEL_OK;
}

/* What all rows of the file have in common. */
static enum oriel_status note_properties(struct csv_source *source, struct csv_file *file,
                                         struct oriel_error *error) {
    const struct oriel_file text = {.path = file->path};
    const struct oriel_file *listed =
        file->bytes.text ? &text : &source->list.files[file - source->files];
    ORIEL_TRY(oriel_file_properties_init(&file->properties, listed, &source->arena, error));
    file->properties.size_bytes = (int64_t)file->bytes.size_bytes;
    file->properties.modified_ms = file->bytes.modified_ns / 1000000;
    return ORIEL_OK;
}

static enum oriel_status open_file(struct csv_source *source, struct csv_file *file,
                                   struct oriel_error *error) {
    if (!file->bytes.text)
        ORIEL_TRY(oriel_byte_source_open_unpacked(&file->bytes, source->runtime->memory, file->path,
                                                  error));
    file->is_open = true;
    source->next_offset = 0;
    oriel_block_reader_begin(&source->blocks);
    file->chunks_left = 1; /* for the claims to come */
    return note_properties(source, file, error);
}

/* One chunk, or the claiming, is done with the file. Called with the claim mutex held. */
static void leave_file(struct csv_file *file) {
    if (--file->chunks_left > 0)
        return;
    file->is_open = false;
    if (!file->bytes.text)
        oriel_byte_source_close(&file->bytes);
}

/* The morsel's place in the order of the input, also in that of bad rows. */
static enum oriel_status claim_place(struct csv_source *source, bool first, int64_t lines_before,
                                     struct oriel_morsel *morsel, struct oriel_error *error) {
    ORIEL_TRY(csv_reject_claim(source, lines_before, morsel, error));
    const enum oriel_status status = csv_chain_add(&source->chain, first, &morsel->number, error);
    if (status != ORIEL_OK && morsel->rejects) {
        (void)oriel_reject_chunk_finish(morsel->rejects, 0, ORIEL_REJECT_FAILED, NULL);
        morsel->rejects = NULL;
    }
    return status;
}

/* The default grows with the file, as long as all workers get many and little of the memory goes
 * into them. */
static uint64_t range_bytes(const struct csv_source *source, const struct csv_file *file) {
    uint64_t bytes = source->options.chunk_bytes;
    const size_t limit = source->runtime->memory->limit_bytes;
    if (bytes != ORIEL_CSV_CHUNK_BYTES)
        return bytes;
    while (bytes < ORIEL_CSV_CHUNK_BYTES_LARGE &&
           bytes * 2 * FILE_PARTS <= file->bytes.size_bytes &&
           (limit == 0 || bytes * 2 * MEMORY_PARTS <= limit))
        bytes *= 2;
    return bytes;
}

static enum oriel_status claim_range(struct csv_source *source, struct csv_file *file,
                                     struct oriel_morsel *morsel, struct oriel_error *error) {
    const uint64_t begin = source->next_offset;
    const uint64_t left = file->bytes.size_bytes - begin;
    const uint64_t wanted = range_bytes(source, file);
    const uint64_t length = left < wanted ? left : wanted;
    ORIEL_TRY(claim_place(source, begin == 0, begin == 0 ? 0 : ORIEL_LINES_GO_ON, morsel, error));
    morsel->begin = begin;
    morsel->end = begin + length;
    morsel->state = file;
    source->next_offset = morsel->end;
    file->chunks_left++;
    return ORIEL_OK;
}

static enum oriel_status claim_block(struct csv_source *source, struct csv_file *file,
                                     struct oriel_morsel *morsel, struct oriel_error *error) {
    struct oriel_block *block;
    ORIEL_TRY(csv_pipe_next(source, file, &block, error));
    if (!block)
        return ORIEL_DONE;
    const enum oriel_status status =
        claim_place(source, true, (int64_t)block->lines_before, morsel, error);
    if (status != ORIEL_OK) {
        oriel_block_reader_free(&source->blocks, block);
        return status;
    }
    morsel->begin = morsel->end = 0; /* tells it from a range, which is never empty */
    morsel->state = block;
    file->chunks_left++;
    return ORIEL_OK;
}

static enum oriel_status claim_next(struct csv_source *source, struct oriel_morsel *morsel,
                                    struct oriel_error *error) {
    while (source->file_index < source->file_count) {
        struct csv_file *file = &source->files[source->file_index];
        if (!file->is_open)
            ORIEL_TRY(open_file(source, file, error));
        enum oriel_status status = ORIEL_DONE;
        if (!file->bytes.seekable)
            status = claim_block(source, file, morsel, error);
        else if (source->next_offset < file->bytes.size_bytes)
            status = claim_range(source, file, morsel, error);
        if (status != ORIEL_DONE)
            return status;
        leave_file(file);
        source->file_index++;
    }
    return ORIEL_DONE;
}

/* A claim that fails becomes a morsel whose reading fails, so that what is wrong in earlier morsels
 * is reported first. */
static enum oriel_status claim(struct oriel_source *base, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct csv_source *source = from_base(base);
    struct oriel_error failure = {0};
    enum oriel_status status = ORIEL_DONE;
    *morsel = (struct oriel_morsel){0};
    pthread_mutex_lock(&source->claim_mutex);
    if (!source->claims_ended && !csv_chain_overtaken(&source->chain, UINT64_MAX))
        status = claim_next(source, morsel, &failure);
    if (status != ORIEL_OK)
        source->claims_ended = true;
    if (status != ORIEL_OK && status != ORIEL_DONE && status != ORIEL_CANCELLED) {
        source->claim_failure = failure;
        source->claim_failure.status = status;
        morsel->state = &source->claim_failure;
        morsel->begin = morsel->end = 0;
        status = csv_chain_add(&source->chain, true, &morsel->number, &failure);
    }
    pthread_mutex_unlock(&source->claim_mutex);
    if (status != ORIEL_OK && status != ORIEL_DONE && error)
        *error = failure;
    return status;
}

static enum oriel_status read_rows(struct csv_source *source, struct csv_worker *worker,
                                   oriel_push *push, void *context, struct oriel_error *error) {
    const struct csv_chunk *chunk = &worker->chunk;
    worker->rows_pushed = 0;
    csv_reject_loaded(worker);
    if (chunk->first_record >= worker->index.record_count)
        return ORIEL_OK;
    csv_chunk_check(source, worker);
    uint32_t next = chunk->first_record;
    while (next < worker->index.record_count) {
        struct csv_rows rows;
        ORIEL_TRY(oriel_runtime_check(source->runtime, error));
        if (csv_chain_overtaken(&source->chain, chunk->number)) {
            worker->overtaken = true;
            return ORIEL_DONE;
        }
        ORIEL_TRY(csv_rows_next(source, worker, &next, &rows, error));
        ORIEL_TRY(csv_decode_push(source, worker, &rows, push, context, error));
    }
    return ORIEL_OK;
}

static enum oriel_status load(struct csv_source *source, struct csv_worker *worker,
                              const struct oriel_morsel *morsel, struct oriel_error *error) {
    if (morsel->state == &source->claim_failure) {
        if (error)
            *error = source->claim_failure;
        return source->claim_failure.status;
    }
    ORIEL_TRY(csv_worker_prepare(source, worker, error));
    csv_reject_begin(worker, morsel);
    enum oriel_status status;
    uint64_t count = morsel->end - morsel->begin;
    if (count == 0) {
        const struct oriel_block *block = morsel->state;
        count = block->taken_bytes;
        status = csv_chunk_load_block(source, worker, morsel->number, block, error);
    } else
        status = csv_chunk_load(source, worker, morsel->state, morsel->number, morsel->begin,
                                morsel->end, error);
    worker->overtaken = status == ORIEL_DONE; /* that is how waiting for a failed chunk ends */
    if (status == ORIEL_OK && source->runtime->progress)
        atomic_fetch_add_explicit(&source->runtime->progress->bytes, count, memory_order_relaxed);
    return status;
}

static void release_morsel(struct csv_source *source, const struct oriel_morsel *morsel) {
    if (morsel->state == &source->claim_failure)
        return;
    struct csv_file *file = morsel->state;
    pthread_mutex_lock(&source->claim_mutex);
    if (morsel->begin == morsel->end) {
        struct oriel_block *block = morsel->state;
        file = block->file;
        oriel_block_reader_free(&source->blocks, block);
    }
    leave_file(file);
    pthread_mutex_unlock(&source->claim_mutex);
}

static enum oriel_status read_morsel(struct oriel_source *base, unsigned number,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct csv_source *source = from_base(base);
    struct csv_worker *worker = &source->workers[number];
    struct oriel_error own = {0};
    worker->overtaken = false;
    enum oriel_status status = load(source, worker, morsel, &own);
    if (status == ORIEL_OK)
        status = read_rows(source, worker, push, context, &own);
    if (status == ORIEL_OK && worker->rejects.muted)
        status = ORIEL_DONE;
    if (morsel->rejects)
        status = csv_reject_finish(worker, morsel, status, &own);
    release_morsel(source, morsel);
    const bool is_stop = status == ORIEL_CANCELLED || (status == ORIEL_DONE && !worker->overtaken);
    if (status == ORIEL_OK || is_stop) {
        csv_chain_publish(&source->chain, morsel->number, CSV_END_STATE, CSV_RECORD_START);
        csv_chain_finish(&source->chain, morsel->number);
    } else {
        status = csv_chain_fail(&source->chain, morsel->number, status, source->runtime, &own);
    }
    if (status != ORIEL_OK && error)
        *error = own;
    return status;
}

static void close_source(struct oriel_source *base) {
    struct csv_source *source = from_base(base);
    struct oriel_memory *memory = source->runtime->memory;
    csv_lenient_note(source);
    for (unsigned i = 0; i < source->worker_count; i++)
        csv_worker_deinit(source, &source->workers[i]);
    oriel_memory_release(memory, source->workers, source->worker_count * sizeof *source->workers);
    for (size_t i = 0; i < source->file_count; i++)
        oriel_byte_source_close(&source->files[i].bytes);
    oriel_block_reader_deinit(&source->blocks);
    oriel_file_list_deinit(&source->list);
    if (source->has_locks) {
        csv_chain_deinit(&source->chain);
        pthread_mutex_destroy(&source->claim_mutex);
        pthread_mutex_destroy(&source->lenient.mutex);
    }
    oriel_arena_deinit(&source->arena);
    oriel_memory_release(memory, source, sizeof *source);
}

const struct oriel_source_operations csv_source_operations = {
    .start = start,
    .claim = claim,
    .read = read_morsel,
    .close = close_source,
};
