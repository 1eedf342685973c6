/*
 * Assigns sessions: rows are brought into order of time (runs that are sorted already cost one
 * look), then grouped by key, and a scan for gaps cuts them into sessions.
 */
#include "engine/exec/session_assign.h"

#include <string.h>

#include "engine/base/bits.h"
#include "kernels/kernels.h"

/* Arrays needed on the way, all of row_count entries. */
struct scratch {
    uint64_t *keys, *other_keys; /* times as sort keys; later times in order */
    uint32_t *rows, *other_rows;
    uint64_t *breaks;
    uint32_t *counts; /* key_count + 1 */
};

static void release_scratch(struct oriel_memory *memory, struct scratch *scratch, size_t row_count,
                            uint32_t key_count) {
    oriel_memory_release(memory, scratch->keys, row_count * sizeof(uint64_t));
    oriel_memory_release(memory, scratch->other_keys, row_count * sizeof(uint64_t));
    oriel_memory_release(memory, scratch->rows, row_count * sizeof(uint32_t));
    oriel_memory_release(memory, scratch->other_rows, row_count * sizeof(uint32_t));
    oriel_memory_release(memory, scratch->breaks,
                         oriel_bits_word_count(row_count) * sizeof(uint64_t));
    oriel_memory_release(memory, scratch->counts, ((size_t)key_count + 1) * sizeof(uint32_t));
}

static bool make_scratch(struct oriel_memory *memory, struct scratch *scratch, size_t row_count,
                         uint32_t key_count) {
    *scratch = (struct scratch){
        .keys = oriel_memory_allocate(memory, row_count * sizeof(uint64_t)),
        .other_keys = oriel_memory_allocate(memory, row_count * sizeof(uint64_t)),
        .rows = oriel_memory_allocate(memory, row_count * sizeof(uint32_t)),
        .other_rows = oriel_memory_allocate(memory, row_count * sizeof(uint32_t)),
        .breaks =
            oriel_memory_allocate(memory, oriel_bits_word_count(row_count) * sizeof(uint64_t)),
        .counts = oriel_memory_allocate(memory, ((size_t)key_count + 1) * sizeof(uint32_t)),
    };
    return scratch->keys && scratch->other_keys && scratch->rows && scratch->other_rows &&
           scratch->breaks && scratch->counts;
}

/* rows = 0.. in order of time, ties by position. */
static void sort_by_time(const struct oriel_kernels *kernels, const int64_t *times_ms,
                         size_t row_count, struct scratch *scratch) {
    for (size_t i = 0; i < row_count; i++)
        scratch->rows[i] = (uint32_t)i;
    if (kernels->sorted_prefix_i64(times_ms, row_count) == row_count)
        return;
    for (size_t i = 0; i < row_count; i++)
        scratch->keys[i] = (uint64_t)times_ms[i] ^ (UINT64_C(1) << 63);
    kernels->radix_sort_u64(scratch->keys, scratch->rows, row_count, scratch->other_keys,
                            scratch->other_rows);
}

/* Moves the rows to `order` so that those of a key lie together; stable. */
static void group_by_key(const uint32_t *key_ids, uint32_t key_count, size_t row_count,
                         struct scratch *scratch, uint32_t *order) {
    if (!key_ids || key_count <= 1) {
        memcpy(order, scratch->rows, row_count * sizeof *order);
        return;
    }
    uint32_t *next = scratch->counts;
    memset(next, 0, ((size_t)key_count + 1) * sizeof *next);
    for (size_t i = 0; i < row_count; i++)
        next[key_ids[i] + 1]++;
    for (uint32_t k = 0; k < key_count; k++)
        next[k + 1] += next[k];
    for (size_t i = 0; i < row_count; i++)
        order[next[key_ids[scratch->rows[i]]]++] = scratch->rows[i];
}

static int64_t add_saturated(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static bool make_sessions(struct oriel_sessions *out, size_t session_count) {
    out->session_count = (uint32_t)session_count;
    out->key_ids = oriel_memory_allocate(out->memory, session_count * sizeof *out->key_ids);
    out->first_ms = oriel_memory_allocate(out->memory, session_count * sizeof *out->first_ms);
    out->end_ms = oriel_memory_allocate(out->memory, session_count * sizeof *out->end_ms);
    return out->key_ids && out->first_ms && out->end_ms;
}

/* Numbers the sessions along `order`; `times` and `keys` are in that order. */
static void number_sessions(const struct scratch *scratch, const int64_t *times,
                            const uint32_t *keys, int64_t gap_ms, struct oriel_sessions *out) {
    uint32_t session = UINT32_MAX;
    for (size_t i = 0; i < out->row_count; i++) {
        if (oriel_bits_get(scratch->breaks, i)) {
            if (i)
                out->end_ms[session] = add_saturated(times[i - 1], gap_ms);
            session++;
            out->first_ms[session] = times[i];
            out->key_ids[session] = keys ? keys[i] : 0;
        }
        out->session_of_row[out->order[i]] = session;
    }
    if (out->row_count)
        out->end_ms[session] = add_saturated(times[out->row_count - 1], gap_ms);
}

enum oriel_status oriel_session_assign(const struct oriel_runtime *runtime, const uint32_t *key_ids,
                                       uint32_t key_count, const int64_t *times_ms,
                                       size_t row_count, int64_t gap_ms, struct oriel_sessions *out,
                                       struct oriel_error *error) {
    const struct oriel_kernels *kernels = runtime->kernels;
    struct oriel_memory *memory = runtime->memory;
    *out = (struct oriel_sessions){.memory = memory, .row_count = row_count};
    if (row_count > UINT32_MAX - 64)
        return oriel_error_set(error, ORIEL_MEMORY, "too many rows for one set of sessions");
    out->session_of_row = oriel_memory_allocate(memory, row_count * sizeof(uint32_t));
    out->order = oriel_memory_allocate(memory, row_count * sizeof(uint32_t));
    struct scratch scratch;
    bool complete =
        make_scratch(memory, &scratch, row_count, key_count) && out->session_of_row && out->order;
    if (complete) {
        sort_by_time(kernels, times_ms, row_count, &scratch);
        group_by_key(key_ids, key_count, row_count, &scratch, out->order);
        int64_t *times = (int64_t *)scratch.other_keys;
        uint32_t *keys = key_ids ? scratch.other_rows : NULL;
        kernels->gather_64((const uint64_t *)times_ms, out->order, row_count, scratch.other_keys);
        if (keys)
            kernels->gather_32(key_ids, out->order, row_count, keys);
        const size_t session_count =
            kernels->session_breaks(times, keys, row_count, gap_ms, scratch.breaks);
        complete = make_sessions(out, session_count);
        if (complete)
            number_sessions(&scratch, times, keys, gap_ms, out);
    }
    release_scratch(memory, &scratch, row_count, key_count);
    if (complete)
        return ORIEL_OK;
    oriel_sessions_deinit(out);
    return oriel_error_memory(error);
}

void oriel_sessions_deinit(struct oriel_sessions *sessions) {
    struct oriel_memory *memory = sessions->memory;
    if (!memory)
        return;
    oriel_memory_release(memory, sessions->session_of_row, sessions->row_count * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->order, sessions->row_count * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->key_ids, sessions->session_count * sizeof(uint32_t));
    oriel_memory_release(memory, sessions->first_ms, sessions->session_count * sizeof(int64_t));
    oriel_memory_release(memory, sessions->end_ms, sessions->session_count * sizeof(int64_t));
    *sessions = (struct oriel_sessions){0};
}
