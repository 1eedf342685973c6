/*
 * The core of SESSION windows: rows of keys and times become sessions. Rows of one key that lie no
 * more than `gap` apart share a session (fact 9: a distance of exactly the gap joins).
 */
#pragma once

#include "engine/base/runtime.h"

struct oriel_sessions {
    struct oriel_memory *memory;
    size_t row_count;
    uint32_t session_count;
    uint32_t *session_of_row; /* row i of the input lies in this session */
    uint32_t *order; /* rows by session, time, then position: a session's rows lie together */
    /* of each session; sessions are numbered by key id, then time */
    uint32_t *key_ids;
    int64_t *first_ms; /* its start: the first time */
    int64_t *end_ms;   /* the last time + gap */
};

/*
 * `key_ids` (below key_count; NULL: one key) and wall-clock `times_ms` in input order, in any order
 * of time. Rows that are already sorted by time skip the sort. row_count <= UINT32_MAX - 64.
 */
enum oriel_status oriel_session_assign(const struct oriel_runtime *runtime, const uint32_t *key_ids,
                                       uint32_t key_count, const int64_t *times_ms,
                                       size_t row_count, int64_t gap_ms, struct oriel_sessions *out,
                                       struct oriel_error *error);
void oriel_sessions_deinit(struct oriel_sessions *sessions);
