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
    sessions->pieces =
        oriel_memory_allocate_zeroed(memory_of(sessions), count, sizeof *sessions->pieces);
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

/* Dealing out: each worker counts, then places, the runs of its part of pieces and ranks. */
struct dealing {
    struct aggregate_sessions *sessions;
    unsigned workers;
    bool placing;
    uint32_t *counts; /* [worker][bucket]: then the next place */
};

static void deal_run(const struct dealing *dealing, unsigned worker, uint64_t bucket,
                     uint32_t place, uint32_t row_count) {
    uint32_t *count = &dealing->counts[worker * (size_t)dealing->sessions->bucket_count + bucket];
    if (dealing->placing)
        dealing->sessions->runs[*count] = (struct session_run){place, row_count};
    ++*count;
}

static uint64_t bucket_of(const struct aggregate_sessions *sessions, int64_t last_ms) {
    return ((uint64_t)last_ms - (uint64_t)sessions->least_last_ms) / sessions->bucket_ms;
}

static int64_t last_of(const struct oriel_packed_rows *rows, uint32_t row) {
    return (int64_t)oriel_packed_rows_at(rows, 2, row);
}

/* The first row after `begin` that is of another bucket; the rows are by last time. */
static uint32_t bucket_end(const struct aggregate_sessions *sessions,
                           const struct oriel_packed_rows *rows, uint32_t begin, uint64_t bucket) {
    uint32_t inside = begin, outside = rows->row_count - 1;
    if (bucket_of(sessions, last_of(rows, outside)) == bucket)
        return rows->row_count;
    for (uint32_t step = 1; step < outside - inside; step *= 2) {
        if (bucket_of(sessions, last_of(rows, inside + step)) != bucket)
            outside = inside + step;
        else
            inside += step;
    }
    while (outside - inside > 1) {
        const uint32_t middle = inside + (outside - inside) / 2;
        if (bucket_of(sessions, last_of(rows, middle)) == bucket)
            inside = middle;
        else
            outside = middle;
    }
    return outside;
}

static enum oriel_status deal_part(void *context, unsigned worker, struct oriel_error *error) {
    const struct dealing *dealing = context;
    const struct aggregate_sessions *sessions = dealing->sessions;
    if (worker >= dealing->workers)
        return ORIEL_OK;
    const uint32_t piece_end = sessions_part(sessions->piece_count, worker + 1, dealing->workers);
    for (uint32_t p = sessions_part(sessions->piece_count, worker, dealing->workers); p < piece_end;
         p++) {
        const struct oriel_packed_rows *rows = aggregate_piece_rows(sessions->pieces[p].piece);
        if (sessions->pieces[p].edge_count == rows->row_count)
            continue;
        for (uint32_t begin = 0, end; begin < rows->row_count; begin = end) {
            const uint64_t bucket = bucket_of(sessions, last_of(rows, begin));
            end = bucket_end(sessions, rows, begin, bucket);
            deal_run(dealing, worker, bucket, p * AGGREGATE_PIECE_ROWS + begin, end - begin);
        }
        ORIEL_TRY(oriel_runtime_check(sessions->merged->layout->runtime, error));
    }
    const uint32_t keys = sessions->merged->key_count;
    const uint32_t rank_end = sessions_part(keys, worker + 1, dealing->workers);
    for (uint32_t r = sessions_part(keys, worker, dealing->workers); r < rank_end; r++) {
        for (uint32_t i = 0; i < sessions->fused_counts[r]; i++) {
            const uint32_t at = sessions->rank_begins[r] + i;
            deal_run(dealing, worker, bucket_of(sessions, sessions->fused[at].last_ms),
                     SESSION_FUSED | at, 1);
        }
    }
    return ORIEL_OK;
}

/* Buckets of the same length in time, so many that each has BUCKET_SESSIONS on average. */
static void size_buckets(struct aggregate_sessions *sessions) {
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (uint32_t p = 0; p < sessions->piece_count; p++) {
        const struct oriel_packed_rows *rows = aggregate_piece_rows(sessions->pieces[p].piece);
        const int64_t first = last_of(rows, 0), last = last_of(rows, rows->row_count - 1);
        least = first < least ? first : least;
        greatest = last > greatest ? last : greatest;
        sessions->total += rows->row_count;
    }
    sessions->total -= sessions->edge_count;
    for (uint32_t r = 0; r < sessions->merged->key_count; r++)
        sessions->total += sessions->fused_counts[r];
    if (sessions->total == 0)
        return;
    uint64_t buckets = sessions->total / BUCKET_SESSIONS + 1;
    if (buckets > BUCKETS_MAX)
        buckets = BUCKETS_MAX;
    sessions->least_last_ms = least;
    sessions->bucket_ms = ((uint64_t)greatest - (uint64_t)least) / buckets + 1;
    sessions->bucket_count = (uint32_t)(bucket_of(sessions, greatest) + 1);
}

static enum oriel_status place_runs(struct dealing *dealing, struct oriel_error *error) {
    struct aggregate_sessions *sessions = dealing->sessions;
    uint64_t place = 0;
    for (uint32_t b = 0; b < sessions->bucket_count; b++) {
        sessions->bucket_begins[b] = (uint32_t)place;
        for (unsigned w = 0; w < dealing->workers; w++) {
            uint32_t *count = &dealing->counts[w * (size_t)sessions->bucket_count + b];
            const uint32_t here = *count;
            *count = (uint32_t)place;
            place += here;
        }
    }
    if (place > UINT32_MAX)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 runs of sessions");
    sessions->bucket_begins[sessions->bucket_count] = (uint32_t)place;
    sessions->run_count = (uint32_t)place;
    sessions->runs = oriel_memory_allocate(memory_of(sessions), place * sizeof *sessions->runs);
    if (!sessions->runs)
        return oriel_error_memory(error);
    dealing->placing = true;
    return sessions_run(sessions, deal_part, dealing, error);
}

static enum oriel_status deal_out(struct aggregate_sessions *sessions, struct oriel_error *error) {
    struct oriel_memory *memory = memory_of(sessions);
    size_buckets(sessions);
    if (sessions->total == 0)
        return ORIEL_OK;
    struct dealing dealing = {
        .sessions = sessions,
        .workers = sessions->merged->store_count > 1
                       ? oriel_worker_count(sessions->merged->layout->runtime)
                       : 1,
    };
    const size_t count = (size_t)dealing.workers * sessions->bucket_count;
    dealing.counts = oriel_memory_allocate_zeroed(memory, count, sizeof *dealing.counts);
    sessions->bucket_begins = oriel_memory_allocate_zeroed(memory, sessions->bucket_count + 1u,
                                                           sizeof *sessions->bucket_begins);
    enum oriel_status status = dealing.counts && sessions->bucket_begins
                                   ? sessions_run(sessions, deal_part, &dealing, error)
                                   : oriel_error_memory(error);
    if (status == ORIEL_OK)
        status = place_runs(&dealing, error);
    oriel_memory_release(memory, dealing.counts, count * sizeof *dealing.counts);
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
    oriel_memory_release(memory, sessions->edges, sessions->edge_count * sizeof *sessions->edges);
    oriel_memory_release(memory, sessions->fused, sessions->edge_count * sizeof *sessions->fused);
    oriel_memory_release(memory, sessions->rank_begins, (keys + 2) * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->fused_counts, keys * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->runs, sessions->run_count * sizeof *sessions->runs);
    oriel_memory_release(memory, sessions->bucket_begins,
                         (sessions->bucket_count + 1u) * sizeof(uint32_t));
    oriel_memory_release(memory, sessions, sizeof *sessions);
    source->sessions = NULL;
}
