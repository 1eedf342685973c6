/*
 * The sessions that a streaming job would still hold, per key: which of its rows it would drop. A
 * session is given up once the watermark has passed it; rows that touch none and are past the
 * watermark themselves are dropped.
 */
#pragma once

#include "engine/base/runtime.h"

struct oriel_late_sessions {
    struct oriel_memory *memory;
    uint32_t *heads; /* of each key: place of its first session + 1, 0: none */
    size_t key_capacity;
    struct oriel_live_session *sessions;
    uint32_t count, capacity;
    uint32_t free; /* list of places + 1 */
};

void oriel_late_sessions_init(struct oriel_late_sessions *sessions, struct oriel_memory *memory);
void oriel_late_sessions_deinit(struct oriel_late_sessions *sessions);

/* A row of key `key` at time_ms on the wall clock, while all windows have fired that end before
 * `fired_ms` (INT64_MIN: none). *dropped says whether it comes too late. */
enum oriel_status oriel_late_sessions_add(struct oriel_late_sessions *sessions, uint32_t key,
                                          int64_t time_ms, int64_t gap_ms, int64_t fired_ms,
                                          bool *dropped, struct oriel_error *error);
