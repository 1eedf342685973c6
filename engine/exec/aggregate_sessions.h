/*
 * Inside aggregation: the sessions of the result, made from those of the workers, which lie packed
 * in pieces. Most are whole: no row of another batch is near. The others, at the edges of batches,
 * are brought together by key. Then all are dealt out to buckets by their end.
 */
#pragma once

#include "engine/exec/aggregate_source.h"
#include "engine/exec/drive.h"

struct sessions_piece {
    const struct aggregate_piece *piece;
    uint32_t store;
    uint32_t edge_count;
    uint64_t edges[AGGREGATE_PIECE_ROWS / 64]; /* which rows are */
};

/* A part of a session. */
struct session_edge {
    int64_t first_ms;
    int64_t last_ms;
    uint32_t rank;
    uint32_t place; /* piece * AGGREGATE_PIECE_ROWS + row */
};

/* Edges that make one session, from entry_begin on. */
struct fused_session {
    int64_t first_ms;
    int64_t last_ms;
    uint32_t entry_begin;
    uint32_t entry_count;
};

#define SESSION_FUSED (UINT32_C(1) << 31)

/* The rows of a piece, but for edges, from that place on; or, with SESSION_FUSED, a fused one. */
struct session_run {
    uint32_t place;
    uint32_t count;
};

/* A stretch, by the times of a session of which it is certain that it is whole: it begins after all
 * earlier rows and ends before all later ones, and the gap lies between. */
struct session_stretch {
    int64_t least_ms;
    int64_t whole_from_ms, whole_to_ms;
};

struct aggregate_sessions {
    const struct aggregate_merged *merged;
    uint32_t piece_count;
    struct sessions_piece *pieces;
    uint32_t stretch_count;
    size_t stretch_capacity;
    struct session_stretch *stretches; /* by least_ms, neighbours of one store joined */
    uint32_t edge_count;
    struct session_edge *edges;  /* by rank, then first time */
    uint32_t *rank_begins;       /* of the edges of each rank, and of its fused sessions */
    uint32_t *fused_counts;      /* of each rank */
    struct fused_session *fused; /* those of rank r from rank_begins[r] on */
    uint64_t total;              /* sessions of the result */
    uint32_t run_count;
    struct session_run *runs; /* by bucket */
    int64_t least_last_ms;
    uint64_t bucket_ms;
    uint32_t bucket_count;
    uint32_t *bucket_begins; /* of their runs */
    uint32_t next_bucket;
};

static inline const struct oriel_packed_rows *sessions_rows(
    const struct aggregate_sessions *sessions, uint32_t place) {
    return aggregate_piece_rows(sessions->pieces[place / AGGREGATE_PIECE_ROWS].piece);
}

enum oriel_status aggregate_sessions_list_stretches(struct aggregate_sessions *sessions,
                                                    struct oriel_error *error);

/* Sorts out which sessions of the pieces are edges, lists those by key and fuses them. */
enum oriel_status aggregate_sessions_fuse(struct aggregate_sessions *sessions,
                                          struct oriel_error *error);

/* Runs work(context, worker) on all workers; of one store, which a worker may have read out of
 * files, only on the caller. */
static inline enum oriel_status sessions_run(const struct aggregate_sessions *sessions,
                                             enum oriel_status (*work)(void *context,
                                                                       unsigned worker,
                                                                       struct oriel_error *error),
                                             void *context, struct oriel_error *error) {
    return sessions->merged->store_count > 1
               ? oriel_run_workers(sessions->merged->layout->runtime, work, context, error)
               : work(context, 0, error);
}

/* Of `count` things, worker w of `workers` takes those from part w to part w + 1. */
static inline uint32_t sessions_part(uint32_t count, unsigned worker, unsigned workers) {
    return (uint32_t)((uint64_t)count * worker / workers);
}
