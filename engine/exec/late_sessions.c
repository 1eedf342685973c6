/*
 * Live sessions as lists, one a key; mostly of one session.
 */
#include "engine/exec/late_sessions.h"

#include <string.h>

struct oriel_live_session {
    int64_t start_ms;
    int64_t end_ms; /* last row + gap */
    uint32_t next;
};

void oriel_late_sessions_init(struct oriel_late_sessions *sessions, struct oriel_memory *memory) {
    *sessions = (struct oriel_late_sessions){.memory = memory};
}

void oriel_late_sessions_deinit(struct oriel_late_sessions *sessions) {
    oriel_memory_release(sessions->memory, sessions->heads,
                         sessions->key_capacity * sizeof *sessions->heads);
    oriel_memory_release(sessions->memory, sessions->sessions,
                         sessions->capacity * sizeof *sessions->sessions);
}

static enum oriel_status reserve_key(struct oriel_late_sessions *it, uint32_t key,
                                     struct oriel_error *error) {
    if (key < it->key_capacity)
        return ORIEL_OK;
    const size_t capacity = ((size_t)key + 1) * 2 + 64;
    uint32_t *grown = oriel_memory_resize(
        it->memory, it->heads, it->key_capacity * sizeof *it->heads, capacity * sizeof *it->heads);
    if (!grown)
        return oriel_error_memory(error);
    memset(grown + it->key_capacity, 0, (capacity - it->key_capacity) * sizeof *grown);
    it->heads = grown;
    it->key_capacity = capacity;
    return ORIEL_OK;
}

static enum oriel_status take_place(struct oriel_late_sessions *it, uint32_t *place,
                                    struct oriel_error *error) {
    if (it->free) {
        *place = it->free;
        it->free = it->sessions[*place - 1].next;
        return ORIEL_OK;
    }
    if (it->count == it->capacity) {
        const uint32_t capacity = it->capacity ? 2 * it->capacity : 256;
        struct oriel_live_session *grown =
            capacity > it->capacity
                ? oriel_memory_resize(it->memory, it->sessions, it->capacity * sizeof *grown,
                                      (size_t)capacity * sizeof *grown)
                : NULL;
        if (!grown)
            return oriel_error_memory(error);
        it->sessions = grown;
        it->capacity = capacity;
    }
    *place = ++it->count;
    return ORIEL_OK;
}

enum oriel_status oriel_late_sessions_add(struct oriel_late_sessions *it, uint32_t key,
                                          int64_t time_ms, int64_t gap_ms, int64_t fired_ms,
                                          bool *dropped, struct oriel_error *error) {
    ORIEL_TRY(reserve_key(it, key, error));
    struct oriel_live_session merged = {time_ms, time_ms + gap_ms, 0};
    bool touches = false;
    for (uint32_t *link = &it->heads[key]; *link;) {
        const uint32_t place = *link;
        struct oriel_live_session *session = &it->sessions[place - 1];
        const bool fired = session->end_ms <= fired_ms;
        const bool meets =
            !fired && session->start_ms <= merged.end_ms && session->end_ms >= merged.start_ms;
        if (!fired && !meets) {
            link = &session->next;
            continue;
        }
        if (meets) {
            touches = true;
            merged.start_ms =
                session->start_ms < merged.start_ms ? session->start_ms : merged.start_ms;
            merged.end_ms = session->end_ms > merged.end_ms ? session->end_ms : merged.end_ms;
        }
        *link = session->next;
        session->next = it->free;
        it->free = place;
    }
    *dropped = !touches && merged.end_ms <= fired_ms;
    if (*dropped)
        return ORIEL_OK;
    uint32_t place = 0;
    ORIEL_TRY(take_place(it, &place, error));
    merged.next = it->heads[key];
    it->sessions[place - 1] = merged;
    it->heads[key] = place;
    return ORIEL_OK;
}
