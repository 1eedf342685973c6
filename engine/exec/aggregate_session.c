/*
 * The result of SESSION. It is ordered by window end, window start, keys: the sessions are dealt
 * out to buckets by their end, and whoever reads a bucket sorts it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/exec/aggregate_sessions.h"
#include "engine/exec/drive.h"
#include "kernels/kernels.h"

enum {
    BUCKET_SESSIONS = 8192, /* on average */
    BUCKETS_MAX = 1 << 20,
};

static struct oriel_memory *memory_of(const struct aggregate_sessions *sessions) {
    return sessions->merged->layout->runtime->memory;
}

static enum oriel_status list_pieces(struct aggregate_sessions *sessions,
                                     struct oriel_error *error) {
    const struct aggregate_merged *merged = sessions->merged;
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        for (const struct aggregate_piece *p = merged->stores[s].session_pieces; p; p = p->older)
            count++;
    }
    if (count > SESSION_FUSED / AGGREGATE_PIECE_ROWS)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^31 sessions");
    sessions->pieces = oriel_memory_allocate(memory_of(sessions), count * sizeof *sessions->pieces);
    if (!sessions->pieces)
        return oriel_error_memory(error);
    sessions->piece_count = (uint32_t)count;
    uint32_t end = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        uint32_t at = end;
        for (const struct aggregate_piece *p = merged->stores[s].session_pieces; p; p = p->older)
            end++;
        at = end; /* the list begins with the newest */
        for (const struct aggregate_piece *p = merged->stores[s].session_pieces; p; p = p->older) {
            sessions->pieces[--at].piece = p;
            sessions->pieces[at].store = s;
        }
    }
    return ORIEL_OK;
}

/* Dealing out: each worker counts, then places, the sessions of its part of pieces and ranks. */
struct dealing {
    struct aggregate_sessions *sessions;
    unsigned workers;
    bool placing;
    int64_t *bounds;  /* of each worker: the least and the greatest last time */
    uint32_t *counts; /* [worker][bucket]: then the next place */
    uint32_t *totals; /* of each worker */
};

static void deal_one(const struct dealing *dealing, unsigned worker, int64_t last_ms,
                     uint32_t item) {
    const struct aggregate_sessions *sessions = dealing->sessions;
    if (!dealing->counts) {
        int64_t *bounds = &dealing->bounds[2 * worker];
        bounds[0] = last_ms < bounds[0] ? last_ms : bounds[0];
        bounds[1] = last_ms > bounds[1] ? last_ms : bounds[1];
        dealing->totals[worker]++;
        return;
    }
    const uint64_t bucket =
        ((uint64_t)last_ms - (uint64_t)sessions->least_last_ms) / sessions->bucket_ms;
    uint32_t *count = &dealing->counts[worker * (size_t)sessions->bucket_count + bucket];
    if (dealing->placing)
        sessions->order[*count] = item;
    ++*count;
}

static enum oriel_status deal_part(void *context, unsigned worker, struct oriel_error *error) {
    const struct dealing *dealing = context;
    const struct aggregate_sessions *sessions = dealing->sessions;
    const struct oriel_kernels *kernels = sessions->merged->layout->runtime->kernels;
    int64_t last_ms[AGGREGATE_PIECE_ROWS];
    if (worker >= dealing->workers)
        return ORIEL_OK;
    const uint32_t piece_end = sessions_part(sessions->piece_count, worker + 1, dealing->workers);
    for (uint32_t p = sessions_part(sessions->piece_count, worker, dealing->workers); p < piece_end;
         p++) {
        const struct sessions_piece *piece = &sessions->pieces[p];
        const struct oriel_packed_rows *rows = aggregate_piece_rows(piece->piece);
        oriel_packed_rows_read(kernels, rows, 2, 1, (uint64_t *)last_ms);
        for (uint32_t i = 0; i < rows->row_count; i++) {
            if (!(piece->edges[i / 64] >> (i % 64) & 1))
                deal_one(dealing, worker, last_ms[i], p * AGGREGATE_PIECE_ROWS + i);
        }
        ORIEL_TRY(oriel_runtime_check(sessions->merged->layout->runtime, error));
    }
    const uint32_t keys = sessions->merged->key_count;
    const uint32_t rank_end = sessions_part(keys, worker + 1, dealing->workers);
    for (uint32_t r = sessions_part(keys, worker, dealing->workers); r < rank_end; r++) {
        for (uint32_t i = 0; i < sessions->fused_counts[r]; i++) {
            const uint32_t at = sessions->rank_begins[r] + i;
            deal_one(dealing, worker, sessions->fused[at].last_ms, SESSION_FUSED | at);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status size_buckets(struct dealing *dealing, struct oriel_error *error) {
    struct aggregate_sessions *sessions = dealing->sessions;
    const struct oriel_runtime *runtime = sessions->merged->layout->runtime;
    for (unsigned w = 0; w < dealing->workers; w++) {
        dealing->bounds[2 * w] = INT64_MAX;
        dealing->bounds[2 * w + 1] = INT64_MIN;
    }
    ORIEL_TRY(sessions_run(sessions, deal_part, dealing, error));
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (unsigned w = 0; w < dealing->workers; w++) {
        least = dealing->bounds[2 * w] < least ? dealing->bounds[2 * w] : least;
        greatest = dealing->bounds[2 * w + 1] > greatest ? dealing->bounds[2 * w + 1] : greatest;
        sessions->total += dealing->totals[w];
    }
    if (sessions->total == 0)
        return ORIEL_OK;
    uint64_t buckets = sessions->total / BUCKET_SESSIONS + 1;
    if (buckets > BUCKETS_MAX)
        buckets = BUCKETS_MAX;
    sessions->least_last_ms = least;
    sessions->bucket_ms = ((uint64_t)greatest - (uint64_t)least) / buckets + 1;
    sessions->bucket_count =
        (uint32_t)(((uint64_t)greatest - (uint64_t)least) / sessions->bucket_ms + 1);
    sessions->bucket_begins = oriel_memory_allocate_zeroed(
        runtime->memory, sessions->bucket_count + 1u, sizeof(uint32_t));
    sessions->order = oriel_memory_allocate(runtime->memory, sessions->total * sizeof(uint32_t));
    dealing->counts = oriel_memory_allocate_zeroed(
        runtime->memory, (size_t)dealing->workers * sessions->bucket_count, sizeof(uint32_t));
    return sessions->bucket_begins && sessions->order && dealing->counts
               ? ORIEL_OK
               : oriel_error_memory(error);
}

static enum oriel_status deal_all(struct dealing *dealing, struct oriel_error *error) {
    struct aggregate_sessions *sessions = dealing->sessions;
    ORIEL_TRY(size_buckets(dealing, error));
    if (sessions->total == 0)
        return ORIEL_OK;
    ORIEL_TRY(sessions_run(sessions, deal_part, dealing, error));
    uint32_t place = 0;
    for (uint32_t b = 0; b < sessions->bucket_count; b++) {
        sessions->bucket_begins[b] = place;
        for (unsigned w = 0; w < dealing->workers; w++) {
            uint32_t *count = &dealing->counts[w * (size_t)sessions->bucket_count + b];
            const uint32_t here = *count;
            *count = place;
            place += here;
        }
    }
    sessions->bucket_begins[sessions->bucket_count] = place;
    dealing->placing = true;
    return sessions_run(sessions, deal_part, dealing, error);
}

static enum oriel_status deal_out(struct aggregate_sessions *sessions, struct oriel_error *error) {
    struct oriel_memory *memory = memory_of(sessions);
    struct dealing dealing = {
        .sessions = sessions,
        .workers = sessions->merged->store_count > 1
                       ? oriel_worker_count(sessions->merged->layout->runtime)
                       : 1,
    };
    const size_t workers = dealing.workers;
    dealing.bounds = oriel_memory_allocate_zeroed(memory, 2 * workers, sizeof(int64_t));
    dealing.totals = oriel_memory_allocate_zeroed(memory, workers, sizeof(uint32_t));
    const enum oriel_status status =
        dealing.bounds && dealing.totals ? deal_all(&dealing, error) : oriel_error_memory(error);
    oriel_memory_release(memory, dealing.bounds, 2 * workers * sizeof(int64_t));
    oriel_memory_release(memory, dealing.totals, workers * sizeof(uint32_t));
    oriel_memory_release(memory, dealing.counts,
                         workers * sessions->bucket_count * sizeof(uint32_t));
    return status;
}

enum oriel_status aggregate_sessions_prepare(struct aggregate_source *source,
                                             struct oriel_error *error) {
    struct oriel_memory *memory = source->merged->layout->runtime->memory;
    struct aggregate_sessions *sessions = oriel_memory_allocate_zeroed(memory, 1, sizeof *sessions);
    if (!sessions)
        return oriel_error_memory(error);
    source->sessions = sessions;
    sessions->merged = source->merged;
    ORIEL_TRY(list_pieces(sessions, error));
    ORIEL_TRY(aggregate_sessions_fuse(sessions, error));
    return deal_out(sessions, error);
}

void aggregate_sessions_release(struct aggregate_source *source) {
    struct aggregate_sessions *sessions = source->sessions;
    if (!sessions)
        return;
    struct oriel_memory *memory = memory_of(sessions);
    const size_t keys = source->merged->key_count;
    oriel_memory_release(memory, sessions->pieces,
                         sessions->piece_count * sizeof *sessions->pieces);
    oriel_memory_release(memory, sessions->stretches,
                         sessions->stretch_capacity * sizeof *sessions->stretches);
    oriel_memory_release(memory, sessions->quiet_from_ms,
                         sessions->stretch_capacity * sizeof *sessions->quiet_from_ms);
    oriel_memory_release(memory, sessions->edges, sessions->edge_count * sizeof *sessions->edges);
    oriel_memory_release(memory, sessions->fused, sessions->edge_count * sizeof *sessions->fused);
    oriel_memory_release(memory, sessions->rank_begins, (keys + 2) * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->fused_counts, keys * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->order, sessions->total * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->bucket_begins,
                         (sessions->bucket_count + 1u) * sizeof(uint32_t));
    oriel_memory_release(memory, sessions, sizeof *sessions);
    source->sessions = NULL;
}
