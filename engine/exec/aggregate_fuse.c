/*
 * Parts of sessions that touch become one session.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/exec/aggregate_sessions.h"
#include "engine/exec/drive.h"
#include "kernels/kernels.h"

enum { RANKS_A_TASK = 64 };

static struct oriel_memory *memory_of(const struct aggregate_sessions *sessions) {
    return sessions->merged->layout->runtime->memory;
}

static int by_least(const void *a, const void *b) {
    const struct aggregate_stretch *x = a, *y = b;
    if (x->least_ms != y->least_ms)
        return x->least_ms < y->least_ms ? -1 : 1;
    if (x->store != y->store)
        return x->store < y->store ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Joins batches that one worker read one after the other and that lie so in time too. */
static void join_stretches(struct aggregate_sessions *sessions) {
    uint32_t count = 0;
    int64_t greatest_ms = INT64_MIN;
    for (uint32_t i = 0; i < sessions->stretch_count; i++) {
        const struct aggregate_stretch here = sessions->stretches[i];
        struct aggregate_stretch *last = count ? &sessions->stretches[count - 1] : NULL;
        if (last && last->store == here.store && last->number + 1 == here.number &&
            greatest_ms <= here.least_ms) {
            last->greatest_ms = here.greatest_ms;
            last->number = here.number;
            last->descends = last->descends || here.descends;
        } else {
            sessions->stretches[count] = here;
            sessions->quiet_from_ms[count++] = greatest_ms;
        }
        greatest_ms = here.greatest_ms > greatest_ms ? here.greatest_ms : greatest_ms;
    }
    sessions->stretch_count = count;
}

static enum oriel_status list_stretches(struct aggregate_sessions *sessions,
                                        struct oriel_error *error) {
    const struct aggregate_merged *merged = sessions->merged;
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++)
        count += merged->stores[s].stretch_count;
    sessions->stretch_capacity = count;
    sessions->stretches =
        oriel_memory_allocate(memory_of(sessions), count * sizeof *sessions->stretches);
    sessions->quiet_from_ms =
        oriel_memory_allocate(memory_of(sessions), count * sizeof *sessions->quiet_from_ms);
    if (!sessions->stretches || !sessions->quiet_from_ms)
        return oriel_error_memory(error);
    for (unsigned s = 0; s < merged->store_count; s++) {
        const struct aggregate_store *store = &merged->stores[s];
        const struct aggregate_stretch *from = store->stretches.items;
        for (uint32_t i = 0; i < store->stretch_count; i++) {
            sessions->stretches[sessions->stretch_count] = from[i];
            sessions->stretches[sessions->stretch_count++].store = s;
        }
    }
    qsort(sessions->stretches, sessions->stretch_count, sizeof *sessions->stretches, by_least);
    join_stretches(sessions);
    return ORIEL_OK;
}

/* The last stretch that begins at or before `time_ms`; `near` is a guess. */
static uint32_t stretch_at(const struct aggregate_sessions *sessions, int64_t time_ms,
                           uint32_t near) {
    const struct aggregate_stretch *stretches = sessions->stretches;
    uint32_t low = 0, high = sessions->stretch_count;
    if (stretches[near].least_ms <= time_ms) {
        if (near + 1 == high || stretches[near + 1].least_ms > time_ms)
            return near;
        low = near + 1;
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (stretches[middle].least_ms <= time_ms)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether only rows of stretch `at` can be near the session [first, last]. */
static bool is_whole(const struct aggregate_sessions *sessions, uint32_t at, int64_t first_ms,
                     int64_t last_ms) {
    const uint64_t gap = (uint64_t)sessions->merged->layout->window->size_ms;
    const struct aggregate_stretch *stretch = &sessions->stretches[at];
    if (stretch->descends || first_ms < stretch->least_ms || last_ms > stretch->greatest_ms)
        return false;
    const int64_t before_ms = sessions->quiet_from_ms[at];
    if (at > 0 && (before_ms >= first_ms || (uint64_t)first_ms - (uint64_t)before_ms <= gap))
        return false;
    if (at + 1 == sessions->stretch_count)
        return true;
    const int64_t after_ms = sessions->stretches[at + 1].least_ms;
    return after_ms > last_ms && (uint64_t)after_ms - (uint64_t)last_ms > gap;
}

/* A run over all pieces or ranks by all workers. */
struct fusing {
    struct aggregate_sessions *sessions;
    atomic_uint next;
};

static void find_edges(const struct aggregate_sessions *sessions, struct sessions_piece *piece,
                       int64_t *first_ms, int64_t *last_ms) {
    const struct oriel_kernels *kernels = sessions->merged->layout->runtime->kernels;
    const struct oriel_packed_rows *rows = aggregate_piece_rows(piece->piece);
    uint32_t at = 0;
    memset(piece->edges, 0, sizeof piece->edges);
    oriel_packed_rows_read(kernels, rows, 1, 1, (uint64_t *)first_ms);
    oriel_packed_rows_read(kernels, rows, 2, 1, (uint64_t *)last_ms);
    for (uint32_t i = 0; i < rows->row_count; i++) {
        at = stretch_at(sessions, first_ms[i], at);
        if (!is_whole(sessions, at, first_ms[i], last_ms[i]))
            piece->edges[i / 64] |= UINT64_C(1) << (i % 64);
    }
}

static enum oriel_status find_all_edges(void *context, unsigned worker, struct oriel_error *error) {
    struct fusing *fusing = context;
    struct aggregate_sessions *sessions = fusing->sessions;
    int64_t first_ms[AGGREGATE_PIECE_ROWS], last_ms[AGGREGATE_PIECE_ROWS];
    (void)worker;
    for (;;) {
        const uint32_t p = atomic_fetch_add(&fusing->next, 1);
        if (p >= sessions->piece_count)
            return ORIEL_OK;
        ORIEL_TRY(oriel_runtime_check(sessions->merged->layout->runtime, error));
        find_edges(sessions, &sessions->pieces[p], first_ms, last_ms);
    }
}

/* Counting sort of the edges by rank. */
static void list_edges(struct aggregate_sessions *sessions) {
    const struct aggregate_merged *merged = sessions->merged;
    uint32_t *begins = sessions->rank_begins;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t p = 0; p < sessions->piece_count; p++) {
            const struct sessions_piece *piece = &sessions->pieces[p];
            const struct oriel_packed_rows *rows = aggregate_piece_rows(piece->piece);
            for (uint32_t w = 0; w < AGGREGATE_PIECE_ROWS / 64; w++) {
                for (uint64_t left = piece->edges[w]; left; left &= left - 1) {
                    const uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(left);
                    const uint32_t rank =
                        merged->rank_of_local[piece->store]
                                             [(uint32_t)oriel_packed_rows_at(rows, 0, row)];
                    if (pass == 0) {
                        begins[rank + 2]++;
                        continue;
                    }
                    sessions->edges[begins[rank + 1]++] =
                        (struct session_edge){(int64_t)oriel_packed_rows_at(rows, 1, row),
                                              (int64_t)oriel_packed_rows_at(rows, 2, row), rank,
                                              p * AGGREGATE_PIECE_ROWS + row};
                }
            }
        }
        for (uint32_t r = 0; pass == 0 && r < merged->key_count; r++)
            begins[r + 2] += begins[r + 1];
    }
}

static int by_first(const void *a, const void *b) {
    const struct session_edge *x = a, *y = b;
    if (x->first_ms != y->first_ms)
        return x->first_ms < y->first_ms ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The sessions of a rank, written to the places of its first edges. */
static void fuse_rank(struct aggregate_sessions *sessions, uint32_t rank) {
    const uint64_t gap = (uint64_t)sessions->merged->layout->window->size_ms;
    const uint32_t begin = sessions->rank_begins[rank], end = sessions->rank_begins[rank + 1];
    struct fused_session *fused = sessions->fused + begin;
    uint32_t count = 0;
    for (uint32_t i = begin + 1; i < end; i++) {
        if (by_first(&sessions->edges[i - 1], &sessions->edges[i]) > 0) {
            qsort(sessions->edges + begin, end - begin, sizeof *sessions->edges, by_first);
            break;
        }
    }
    for (uint32_t i = begin; i < end; i++) {
        const struct session_edge *edge = &sessions->edges[i];
        struct fused_session *open = count ? &fused[count - 1] : NULL;
        if (open && (edge->first_ms <= open->last_ms ||
                     (uint64_t)edge->first_ms - (uint64_t)open->last_ms <= gap)) {
            open->entry_count++;
            if (edge->last_ms > open->last_ms)
                open->last_ms = edge->last_ms;
        } else {
            fused[count++] = (struct fused_session){edge->first_ms, edge->last_ms, i, 1};
        }
    }
    sessions->fused_counts[rank] = count;
}

static enum oriel_status fuse_all(void *context, unsigned worker, struct oriel_error *error) {
    struct fusing *fusing = context;
    struct aggregate_sessions *sessions = fusing->sessions;
    const uint32_t key_count = sessions->merged->key_count;
    (void)worker;
    for (;;) {
        const uint32_t begin = atomic_fetch_add(&fusing->next, RANKS_A_TASK);
        if (begin >= key_count)
            return ORIEL_OK;
        ORIEL_TRY(oriel_runtime_check(sessions->merged->layout->runtime, error));
        for (uint32_t r = begin; r < key_count && r < begin + RANKS_A_TASK; r++)
            fuse_rank(sessions, r);
    }
}

static void mark_all(struct sessions_piece *piece) {
    memset(piece->edges, 0, sizeof piece->edges);
    for (size_t i = 0; i < piece->piece->row_count; i++)
        piece->edges[i / 64] |= UINT64_C(1) << (i % 64);
}

enum oriel_status aggregate_sessions_fuse(struct aggregate_sessions *sessions,
                                          struct oriel_error *error) {
    const struct oriel_runtime *runtime = sessions->merged->layout->runtime;
    struct oriel_memory *memory = runtime->memory;
    const size_t keys = sessions->merged->key_count;
    ORIEL_TRY(list_stretches(sessions, error));
    struct fusing finding = {.sessions = sessions};
    if (sessions->stretch_count)
        ORIEL_TRY(sessions_run(sessions, find_all_edges, &finding, error));
    size_t count = 0;
    for (uint32_t p = 0; p < sessions->piece_count; p++) {
        if (sessions->stretch_count == 0) /* all came from files */
            mark_all(&sessions->pieces[p]);
        for (uint32_t w = 0; w < AGGREGATE_PIECE_ROWS / 64; w++)
            count += (size_t)__builtin_popcountll(sessions->pieces[p].edges[w]);
    }
    sessions->edge_count = (uint32_t)count;
    sessions->edges = oriel_memory_allocate(memory, count * sizeof *sessions->edges);
    sessions->fused = oriel_memory_allocate(memory, count * sizeof *sessions->fused);
    sessions->rank_begins = oriel_memory_allocate_zeroed(memory, keys + 2, sizeof(uint32_t));
    sessions->fused_counts = oriel_memory_allocate_zeroed(memory, keys, sizeof(uint32_t));
    if (!sessions->edges || !sessions->fused || !sessions->rank_begins || !sessions->fused_counts)
        return oriel_error_memory(error);
    list_edges(sessions);
    struct fusing fusing = {.sessions = sessions};
    return sessions_run(sessions, fuse_all, &fusing, error);
}
