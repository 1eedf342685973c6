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

/* The last stretch that begins at or before `time_ms`, or the first. */
static uint32_t stretch_at(const struct aggregate_sessions *sessions, int64_t time_ms) {
    uint32_t low = 0, high = sessions->stretch_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (sessions->stretches[middle].least_ms <= time_ms)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A run over all pieces or ranks by all workers. */
struct fusing {
    struct aggregate_sessions *sessions;
    size_t most_edges; /* of a rank */
    atomic_uint next;
};

static void find_edges(const struct aggregate_sessions *sessions, struct sessions_piece *piece,
                       int64_t *first_ms, int64_t *last_ms) {
    const struct oriel_kernels *kernels = sessions->merged->layout->runtime->kernels;
    const struct oriel_packed_rows *rows = aggregate_piece_rows(piece->piece);
    int64_t from_ms = 0, to_ms = -1; /* of the times of the stretch */
    struct session_stretch stretch = {0};
    memset(piece->edges, 0, sizeof piece->edges);
    oriel_packed_rows_read(kernels, rows, 1, 1, (uint64_t *)first_ms);
    oriel_packed_rows_read(kernels, rows, 2, 1, (uint64_t *)last_ms);
    for (uint32_t i = 0; i < rows->row_count; i++) {
        if (first_ms[i] < from_ms || first_ms[i] > to_ms) {
            const uint32_t at = stretch_at(sessions, first_ms[i]);
            stretch = sessions->stretches[at];
            from_ms = stretch.least_ms;
            to_ms = at + 1 < sessions->stretch_count ? sessions->stretches[at + 1].least_ms - 1
                                                     : INT64_MAX;
        }
        const bool whole =
            (first_ms[i] >= stretch.whole_from_ms) & (last_ms[i] <= stretch.whole_to_ms);
        piece->edges[i / 64] |= (uint64_t)!whole << (i % 64);
    }
    piece->edge_count = (uint32_t)kernels->count_bits(piece->edges, AGGREGATE_PIECE_ROWS);
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
            for (uint32_t w = 0; piece->edge_count && w < AGGREGATE_PIECE_ROWS / 64; w++) {
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

/* A worker's room to sort the edges of a rank. */
struct edge_room {
    uint64_t *keys;
    uint32_t *order;
    struct session_edge *edges;
};

enum { EDGES_INSERTED_MAX = 24 };

/* By first time, then as they are. */
static void sort_edges(const struct oriel_kernels *kernels, struct session_edge *edges,
                       size_t count, const struct edge_room *room) {
    size_t sorted = 1;
    while (sorted < count && edges[sorted - 1].first_ms <= edges[sorted].first_ms)
        sorted++;
    if (count > EDGES_INSERTED_MAX && sorted < count) {
        for (size_t i = 0; i < count; i++) {
            room->keys[i] = (uint64_t)edges[i].first_ms ^ UINT64_C(1) << 63;
            room->order[i] = (uint32_t)i;
        }
        kernels->radix_sort_u64(room->keys, room->order, count, room->keys + count,
                                room->order + count);
        memcpy(room->edges, edges, count * sizeof *edges);
        for (size_t i = 0; i < count; i++)
            edges[i] = room->edges[room->order[i]];
        return;
    }
    for (; sorted < count; sorted++) {
        const struct session_edge edge = edges[sorted];
        size_t at = sorted;
        for (; at > 0 && edges[at - 1].first_ms > edge.first_ms; at--)
            edges[at] = edges[at - 1];
        edges[at] = edge;
    }
}

/* The sessions of a rank, written to the places of its first edges. */
static void fuse_rank(struct aggregate_sessions *sessions, uint32_t rank,
                      const struct edge_room *room) {
    const uint64_t gap = (uint64_t)sessions->merged->layout->window->size_ms;
    const uint32_t begin = sessions->rank_begins[rank], end = sessions->rank_begins[rank + 1];
    struct fused_session *fused = sessions->fused + begin;
    uint32_t count = 0;
    sort_edges(sessions->merged->layout->runtime->kernels, sessions->edges + begin, end - begin,
               room);
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

static enum oriel_status fuse_ranks(struct fusing *fusing, const struct edge_room *room,
                                    struct oriel_error *error) {
    struct aggregate_sessions *sessions = fusing->sessions;
    const uint32_t key_count = sessions->merged->key_count;
    for (;;) {
        const uint32_t begin = atomic_fetch_add(&fusing->next, RANKS_A_TASK);
        if (begin >= key_count)
            return ORIEL_OK;
        ORIEL_TRY(oriel_runtime_check(sessions->merged->layout->runtime, error));
        for (uint32_t r = begin; r < key_count && r < begin + RANKS_A_TASK; r++)
            fuse_rank(sessions, r, room);
    }
}

static size_t most_edges(const struct aggregate_sessions *sessions) {
    size_t most = 0;
    for (uint32_t r = 0; r < sessions->merged->key_count; r++) {
        const size_t count = sessions->rank_begins[r + 1] - sessions->rank_begins[r];
        most = count > most ? count : most;
    }
    return most;
}

static enum oriel_status fuse_all(void *context, unsigned worker, struct oriel_error *error) {
    struct fusing *fusing = context;
    struct oriel_arena arena;
    (void)worker;
    oriel_arena_init(&arena, memory_of(fusing->sessions));
    const size_t most = fusing->most_edges;
    const struct edge_room room = {
        .keys = oriel_arena_allocate(&arena, 2 * most * sizeof *room.keys),
        .order = oriel_arena_allocate(&arena, 2 * most * sizeof *room.order),
        .edges = oriel_arena_allocate(&arena, most * sizeof *room.edges),
    };
    const enum oriel_status status = room.keys && room.order && room.edges
                                         ? fuse_ranks(fusing, &room, error)
                                         : oriel_error_memory(error);
    oriel_arena_deinit(&arena);
    return status;
}

static void mark_all(struct sessions_piece *piece) {
    piece->edge_count = (uint32_t)piece->piece->row_count;
    memset(piece->edges, 0, sizeof piece->edges);
    for (size_t i = 0; i < piece->piece->row_count; i++)
        piece->edges[i / 64] |= UINT64_C(1) << (i % 64);
}

enum oriel_status aggregate_sessions_fuse(struct aggregate_sessions *sessions,
                                          struct oriel_error *error) {
    const struct oriel_runtime *runtime = sessions->merged->layout->runtime;
    struct oriel_memory *memory = runtime->memory;
    const size_t keys = sessions->merged->key_count;
    ORIEL_TRY(aggregate_sessions_list_stretches(sessions, error));
    struct fusing finding = {.sessions = sessions};
    if (sessions->stretch_count)
        ORIEL_TRY(sessions_run(sessions, find_all_edges, &finding, error));
    size_t count = 0;
    for (uint32_t p = 0; p < sessions->piece_count; p++) {
        if (sessions->stretch_count == 0) /* all came from files */
            mark_all(&sessions->pieces[p]);
        count += sessions->pieces[p].edge_count;
    }
    sessions->edge_count = (uint32_t)count;
    sessions->edges = oriel_memory_allocate(memory, count * sizeof *sessions->edges);
    sessions->fused = oriel_memory_allocate(memory, count * sizeof *sessions->fused);
    sessions->rank_begins = oriel_memory_allocate_zeroed(memory, keys + 2, sizeof(uint32_t));
    sessions->fused_counts = oriel_memory_allocate_zeroed(memory, keys, sizeof(uint32_t));
    if (!sessions->edges || !sessions->fused || !sessions->rank_begins || !sessions->fused_counts)
        return oriel_error_memory(error);
    list_edges(sessions);
    struct fusing fusing = {.sessions = sessions, .most_edges = most_edges(sessions)};
    return sessions_run(sessions, fuse_all, &fusing, error);
}
