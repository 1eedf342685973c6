/*
 * The list of chunks under way and the bad rows found in them; see rejects.h. Whoever finishes the
 * first chunk of the list hands on its rows and those of all finished ones behind it.
 */
#include "engine/io/rejects.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { WAIT_MS = 20 }; /* between looks at the cancel flag */

struct entry {
    struct entry *next;
    size_t block_bytes;
    uint64_t lines;
    const char *file, *column, *reason;
    struct oriel_text raw;
    char bytes[];
};

struct oriel_reject_chunk {
    struct oriel_rejects *rejects;
    struct oriel_reject_chunk *next;
    uint64_t source;
    struct oriel_table_progress *table;
    struct entry *first, **last;
    uint64_t count;      /* of the entries */
    uint64_t bound;      /* most rows that can be bad */
    int64_t lines_given; /* before the chunk, or ORIEL_LINES_GO_ON */
    uint64_t lines;      /* in it, once finished */
    bool finished;
    enum oriel_reject_outcome outcome;
};

struct oriel_rejects {
    const struct oriel_runtime *runtime;
    uint64_t limit;
    int (*receive)(void *context, const struct oriel_rejected_row *row);
    void *context;
    pthread_mutex_t lock; /* of all below and of the chunks */
    pthread_cond_t changed;
    struct oriel_reject_chunk *first, **last;
    uint64_t handed_on;    /* rows of chunks that left the list */
    uint64_t lines_before; /* the first chunk, unless it gives them */
    uint64_t source_count;
    uint64_t stopped; /* source of which nothing is wanted any more; 0: none */
    bool closed;      /* nothing is handed on any more */
};

enum oriel_status oriel_rejects_open(const struct oriel_runtime *runtime, uint64_t limit,
                                     int (*receive)(void *context,
                                                    const struct oriel_rejected_row *row),
                                     void *context, struct oriel_rejects **out,
                                     struct oriel_error *error) {
    struct oriel_rejects *rejects =
        oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *rejects);
    if (!rejects)
        return oriel_error_memory(error);
    rejects->runtime = runtime;
    rejects->limit = limit;
    rejects->receive = receive;
    rejects->context = context;
    rejects->last = &rejects->first;
    pthread_mutex_init(&rejects->lock, NULL);
    pthread_cond_init(&rejects->changed, NULL);
    *out = rejects;
    return ORIEL_OK;
}

static void drop_first(struct oriel_rejects *rejects) {
    struct oriel_reject_chunk *chunk = rejects->first;
    struct oriel_memory *memory = rejects->runtime->memory;
    rejects->first = chunk->next;
    if (!rejects->first)
        rejects->last = &rejects->first;
    while (chunk->first) {
        struct entry *entry = chunk->first;
        chunk->first = entry->next;
        oriel_memory_release(memory, entry, entry->block_bytes);
    }
    oriel_memory_release(memory, chunk, sizeof *chunk);
}

void oriel_rejects_close(struct oriel_rejects **rejects) {
    struct oriel_rejects *it = *rejects;
    if (!it)
        return;
    while (it->first)
        drop_first(it);
    pthread_cond_destroy(&it->changed);
    pthread_mutex_destroy(&it->lock);
    oriel_memory_release(it->runtime->memory, it, sizeof *it);
    *rejects = NULL;
}

uint64_t oriel_rejects_add_source(struct oriel_rejects *rejects) {
    pthread_mutex_lock(&rejects->lock);
    const uint64_t number = ++rejects->source_count;
    pthread_mutex_unlock(&rejects->lock);
    return number;
}

enum oriel_status oriel_reject_chunk_claim(struct oriel_rejects *rejects, uint64_t source,
                                           struct oriel_table_progress *table, int64_t lines_before,
                                           struct oriel_reject_chunk **out,
                                           struct oriel_error *error) {
    struct oriel_reject_chunk *chunk =
        oriel_memory_allocate_zeroed(rejects->runtime->memory, 1, sizeof *chunk);
    if (!chunk)
        return oriel_error_memory(error);
    chunk->rejects = rejects;
    chunk->source = source;
    chunk->table = table;
    chunk->last = &chunk->first;
    chunk->bound = UINT64_MAX;
    chunk->lines_given = lines_before;
    pthread_mutex_lock(&rejects->lock);
    *rejects->last = chunk;
    rejects->last = &chunk->next;
    pthread_mutex_unlock(&rejects->lock);
    *out = chunk;
    return ORIEL_OK;
}

void oriel_reject_chunk_bound(struct oriel_reject_chunk *chunk, uint64_t row_count) {
    struct oriel_rejects *rejects = chunk->rejects;
    pthread_mutex_lock(&rejects->lock);
    chunk->bound = row_count;
    pthread_cond_broadcast(&rejects->changed);
    pthread_mutex_unlock(&rejects->lock);
}

/* The most rows that chunks before `chunk` can still add to those handed on. */
static uint64_t bound_before(const struct oriel_reject_chunk *chunk) {
    uint64_t bound = 0;
    for (const struct oriel_reject_chunk *at = chunk->rejects->first; at != chunk; at = at->next) {
        const uint64_t more = at->finished ? at->count : at->bound;
        bound = more > UINT64_MAX - bound ? UINT64_MAX : bound + more;
    }
    return bound;
}

static void wait_for_change(struct oriel_rejects *rejects) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&rejects->changed, &rejects->lock, &until);
}

enum oriel_status oriel_reject_chunk_allow(struct oriel_reject_chunk *chunk, size_t wanted,
                                           size_t *allowed, struct oriel_error *error) {
    struct oriel_rejects *rejects = chunk->rejects;
    enum oriel_status status = ORIEL_OK;
    *allowed = wanted;
    if (rejects->limit == UINT64_MAX)
        return ORIEL_OK;
    pthread_mutex_lock(&rejects->lock);
    while (status == ORIEL_OK) {
        const uint64_t used = rejects->handed_on + chunk->count;
        const uint64_t room = rejects->limit > used ? rejects->limit - used : 0;
        if (rejects->closed) {
            status = ORIEL_DONE;
        } else if (rejects->first == chunk) {
            *allowed = wanted < room ? wanted : (size_t)room;
            break;
        } else if (wanted <= room && bound_before(chunk) <= room - wanted) {
            break;
        } else {
            wait_for_change(rejects);
            status = oriel_runtime_check(rejects->runtime, error);
        }
    }
    pthread_mutex_unlock(&rejects->lock);
    return status;
}

static char *copy_text(char *to, const char *text, size_t length) {
    if (length)
        memcpy(to, text, length);
    to[length] = '\0';
    return to + length + 1;
}

enum oriel_status oriel_reject_chunk_add(struct oriel_reject_chunk *chunk,
                                         const struct oriel_reject *reject,
                                         struct oriel_error *error) {
    struct oriel_rejects *rejects = chunk->rejects;
    const size_t file = strlen(reject->file), column = strlen(reject->column),
                 reason = strlen(reject->reason);
    const size_t bytes = sizeof(struct entry) + file + column + reason + reject->raw.length + 4;
    struct entry *entry = oriel_memory_allocate(rejects->runtime->memory, bytes);
    if (!entry)
        return oriel_error_memory(error);
    *entry = (struct entry){.block_bytes = bytes, .lines = reject->lines, .file = entry->bytes};
    entry->column = copy_text(entry->bytes, reject->file, file);
    entry->reason = copy_text((char *)(uintptr_t)entry->column, reject->column, column);
    entry->raw.bytes = copy_text((char *)(uintptr_t)entry->reason, reject->reason, reason);
    entry->raw.length = reject->raw.length;
    copy_text((char *)(uintptr_t)entry->raw.bytes, reject->raw.bytes, reject->raw.length);
    *chunk->last = entry;
    chunk->last = &entry->next;
    pthread_mutex_lock(&rejects->lock);
    chunk->count++;
    pthread_mutex_unlock(&rejects->lock);
    return ORIEL_OK;
}

static uint64_t lines_before(const struct oriel_reject_chunk *chunk) {
    return chunk->lines_given == ORIEL_LINES_GO_ON ? chunk->rejects->lines_before
                                                   : (uint64_t)chunk->lines_given;
}

enum oriel_status oriel_reject_chunk_fail(const struct oriel_reject_chunk *chunk,
                                          const struct oriel_reject *reject,
                                          struct oriel_error *error) {
    struct oriel_rejects *rejects = chunk->rejects;
    pthread_mutex_lock(&rejects->lock);
    const uint64_t line = lines_before(chunk) + reject->lines + 1;
    pthread_mutex_unlock(&rejects->lock);
    oriel_error_set(error, ORIEL_DATA, "%s", reject->reason);
    if (rejects->limit)
        oriel_error_set(error, ORIEL_DATA, "%s (bad row %llu; %llu are allowed)", reject->reason,
                        (unsigned long long)rejects->limit + 1, (unsigned long long)rejects->limit);
    oriel_error_set_source(error, reject->file, line < UINT32_MAX ? (uint32_t)line : UINT32_MAX, 0);
    return ORIEL_DATA;
}

static enum oriel_status hand_on(struct oriel_rejects *rejects,
                                 const struct oriel_reject_chunk *chunk,
                                 struct oriel_error *error) {
    const uint64_t before = lines_before(chunk);
    for (const struct entry *entry = chunk->first; entry; entry = entry->next) {
        const struct oriel_rejected_row row = {
            .file = entry->file,
            .line = before + entry->lines + 1,
            .column = entry->column,
            .reason = entry->reason,
            .raw = entry->raw.bytes,
            .raw_length = entry->raw.length,
        };
        const int failed = rejects->receive ? rejects->receive(rejects->context, &row) : 0;
        if (failed)
            return oriel_error_set(error, ORIEL_IO, "rejected rows cannot be written: %s",
                                   strerror(failed));
        rejects->handed_on++;
        if (chunk->table)
            atomic_fetch_add_explicit(&chunk->table->rows_rejected, 1, memory_order_relaxed);
        if (rejects->runtime->progress)
            atomic_fetch_add_explicit(&rejects->runtime->progress->rows_rejected, 1,
                                      memory_order_relaxed);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_reject_chunk_finish(struct oriel_reject_chunk *chunk, uint64_t lines,
                                            enum oriel_reject_outcome outcome,
                                            struct oriel_error *error) {
    struct oriel_rejects *rejects = chunk->rejects;
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&rejects->lock);
    chunk->finished = true;
    chunk->lines = lines;
    chunk->outcome = outcome;
    while (rejects->first && rejects->first->finished) {
        const struct oriel_reject_chunk *first = rejects->first;
        const bool wanted = !rejects->closed && first->source != rejects->stopped;
        if (wanted && first->outcome != ORIEL_REJECT_FAILED)
            status = hand_on(rejects, first, error);
        if (wanted && first->outcome == ORIEL_REJECT_STOPPED)
            rejects->stopped = first->source;
        rejects->closed |= status != ORIEL_OK || first->outcome == ORIEL_REJECT_FAILED ||
                           first->outcome == ORIEL_REJECT_ENDED;
        rejects->lines_before = lines_before(first) + first->lines;
        drop_first(rejects);
    }
    pthread_cond_broadcast(&rejects->changed);
    pthread_mutex_unlock(&rejects->lock);
    return status;
}
