/*
 * What chunks tell each other. Each chunk publishes how it ends as soon as its separators are
 * known, before anything is decoded; the next one may start inside a quoted field and waits for
 * that. The chain also makes errors the same for any number of workers: a chunk that failed waits
 * until all before it are done, and the earliest failure is the one reported.
 */
#include <errno.h>
#include <time.h>

#include "engine/io/csv_reader.h"

enum { WAIT_MS = 20 }; /* between looks at the cancel flag */

struct csv_link {
    uint8_t start; /* enum csv_state, once resolved */
    uint8_t end;
    uint8_t is_first : 1; /* of a file */
    uint8_t is_published : 1;
    uint8_t is_pass : 1;
    uint8_t is_finished : 1;
};

enum oriel_status csv_chain_init(struct csv_chain *chain, struct oriel_memory *memory,
                                 struct oriel_error *error) {
    *chain = (struct csv_chain){.memory = memory};
    if (pthread_mutex_init(&chain->mutex, NULL) != 0)
        return oriel_error_memory(error);
    if (pthread_cond_init(&chain->changed, NULL) != 0) {
        pthread_mutex_destroy(&chain->mutex);
        return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

void csv_chain_deinit(struct csv_chain *chain) {
    oriel_memory_release(chain->memory, chain->links, chain->capacity * sizeof *chain->links);
    pthread_cond_destroy(&chain->changed);
    pthread_mutex_destroy(&chain->mutex);
}

static enum csv_state end_state(const struct csv_link *link) {
    if (link->is_pass && link->start == CSV_QUOTED)
        return CSV_QUOTED;
    return (enum csv_state)link->end;
}

/* Carries known states forward over all published links. */
static void resolve(struct csv_chain *chain) {
    const uint64_t before = chain->resolved;
    while (chain->resolved < chain->claimed_count) {
        struct csv_link *link = &chain->links[chain->resolved];
        if (link->is_first) {
            link->start = CSV_RECORD_START;
        } else {
            const struct csv_link *previous = link - 1;
            if (!previous->is_published)
                break;
            link->start = (uint8_t)end_state(previous);
        }
        chain->resolved++;
    }
    if (chain->resolved != before)
        pthread_cond_broadcast(&chain->changed);
}

enum oriel_status csv_chain_add(struct csv_chain *chain, bool first, uint64_t *number,
                                struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&chain->mutex);
    if (chain->claimed_count == chain->capacity) {
        const size_t capacity = chain->capacity ? 2 * chain->capacity : 1024;
        struct csv_link *links = oriel_memory_resize(
            chain->memory, chain->links, chain->capacity * sizeof *links, capacity * sizeof *links);
        if (links) {
            chain->links = links;
            chain->capacity = capacity;
        } else {
            status = oriel_error_memory(error);
        }
    }
    if (status == ORIEL_OK) {
        *number = chain->claimed_count++;
        chain->links[*number] = (struct csv_link){.is_first = first};
        resolve(chain);
    }
    pthread_mutex_unlock(&chain->mutex);
    return status;
}

void csv_chain_publish(struct csv_chain *chain, uint64_t number, enum csv_end_kind kind,
                       enum csv_state state) {
    pthread_mutex_lock(&chain->mutex);
    struct csv_link *link = &chain->links[number];
    if (!link->is_published) {
        link->is_published = true;
        link->is_pass = kind == CSV_END_PASS;
        link->end = (uint8_t)state;
        resolve(chain);
    }
    pthread_mutex_unlock(&chain->mutex);
}

/* Waits for a change, at most WAIT_MS, then looks at the cancel flag. Called with the mutex held.
 */
static enum oriel_status wait_for_change(struct csv_chain *chain,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_error *error) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&chain->changed, &chain->mutex, &until);
    return oriel_runtime_check(runtime, error);
}

enum oriel_status csv_chain_wait(struct csv_chain *chain, uint64_t number,
                                 const struct oriel_runtime *runtime, enum csv_state *state,
                                 struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&chain->mutex);
    while (status == ORIEL_OK) {
        if (chain->failed && chain->failed_number < number) {
            status = ORIEL_DONE;
        } else if (chain->resolved > number) {
            *state = (enum csv_state)chain->links[number].start;
            break;
        } else {
            status = wait_for_change(chain, runtime, error);
        }
    }
    pthread_mutex_unlock(&chain->mutex);
    return status;
}

bool csv_chain_overtaken(struct csv_chain *chain, uint64_t number) {
    pthread_mutex_lock(&chain->mutex);
    const bool overtaken = chain->failed && chain->failed_number < number;
    pthread_mutex_unlock(&chain->mutex);
    return overtaken;
}

static void finish_locked(struct csv_chain *chain, uint64_t number) {
    chain->links[number].is_finished = true;
    while (chain->finished < chain->claimed_count && chain->links[chain->finished].is_finished)
        chain->finished++;
}

void csv_chain_finish(struct csv_chain *chain, uint64_t number) {
    pthread_mutex_lock(&chain->mutex);
    finish_locked(chain, number);
    if (chain->failed)
        pthread_cond_broadcast(&chain->changed);
    pthread_mutex_unlock(&chain->mutex);
}

enum oriel_status csv_chain_fail(struct csv_chain *chain, uint64_t number, enum oriel_status status,
                                 const struct oriel_runtime *runtime, struct oriel_error *error) {
    struct oriel_error cancelled = {0};
    pthread_mutex_lock(&chain->mutex);
    if (status != ORIEL_DONE && (!chain->failed || number < chain->failed_number)) {
        chain->failed = true;
        chain->failed_number = number;
        chain->failure = error ? *error : (struct oriel_error){0};
        chain->failure.status = status;
    }
    chain->links[number].is_published = true; /* nobody waits for it; see csv_chain_wait */
    finish_locked(chain, number);
    resolve(chain);
    pthread_cond_broadcast(&chain->changed);
    enum oriel_status result = ORIEL_OK;
    while (chain->failed && chain->finished < chain->failed_number && result == ORIEL_OK)
        result = wait_for_change(chain, runtime, &cancelled);
    if (result == ORIEL_OK && chain->failed) {
        result = chain->failure.status;
        if (error)
            *error = chain->failure;
    } else if (result != ORIEL_OK && error) {
        *error = cancelled;
    }
    pthread_mutex_unlock(&chain->mutex);
    return result;
}
