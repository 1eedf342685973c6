/*
 * Reads buckets of sessions: sorts each and puts its sessions out.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/exec/aggregate_sessions.h"
#include "kernels/kernels.h"

static enum oriel_status claim_sessions(struct aggregate_source *source,
                                        struct oriel_morsel *morsel) {
    struct aggregate_sessions *sessions = source->sessions;
    const uint32_t *begins = sessions->bucket_begins;
    while (sessions->next_bucket < sessions->bucket_count &&
           begins[sessions->next_bucket] == begins[sessions->next_bucket + 1])
        sessions->next_bucket++;
    if (sessions->next_bucket >= sessions->bucket_count)
        return ORIEL_DONE;
    morsel->begin = begins[sessions->next_bucket];
    morsel->end = begins[++sessions->next_bucket];
    return ORIEL_OK;
}

/* The session behind an entry of `order`. */
struct found_session {
    int64_t first_ms;
    int64_t last_ms;
    uint32_t rank;
};

static struct found_session find_session(const struct aggregate_sessions *sessions, uint32_t item) {
    if (item & SESSION_FUSED) {
        const struct fused_session *fused = &sessions->fused[item & ~SESSION_FUSED];
        return (struct found_session){fused->first_ms, fused->last_ms,
                                      sessions->edges[fused->entry_begin].rank};
    }
    const struct oriel_packed_rows *rows = sessions_rows(sessions, item);
    const uint32_t row = item % AGGREGATE_PIECE_ROWS;
    const uint32_t store = sessions->pieces[item / AGGREGATE_PIECE_ROWS].store;
    return (struct found_session){
        (int64_t)oriel_packed_rows_at(rows, 1, row), (int64_t)oriel_packed_rows_at(rows, 2, row),
        sessions->merged->rank_of_local[store][(uint32_t)oriel_packed_rows_at(rows, 0, row)]};
}

static int by_start_and_rank(const void *a, const void *b, void *context) {
    const struct found_session x = find_session(context, *(const uint32_t *)a);
    const struct found_session y = find_session(context, *(const uint32_t *)b);
    if (x.first_ms != y.first_ms)
        return x.first_ms < y.first_ms ? -1 : 1;
    return (x.rank > y.rank) - (x.rank < y.rank);
}

/* By end, start and rank. */
static enum oriel_status sort_bucket(struct aggregate_reader *reader, uint32_t *order, size_t count,
                                     struct oriel_error *error) {
    struct aggregate_sessions *sessions = reader->source->sessions;
    const struct oriel_kernels *kernels = sessions->merged->layout->runtime->kernels;
    uint64_t *keys = oriel_arena_allocate(&reader->arena, 2 * count * sizeof *keys);
    uint32_t *scratch = oriel_arena_allocate(&reader->arena, count * sizeof *scratch);
    if (!keys || !scratch)
        return oriel_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        const int64_t last_ms =
            order[i] & SESSION_FUSED
                ? sessions->fused[order[i] & ~SESSION_FUSED].last_ms
                : (int64_t)oriel_packed_rows_at(sessions_rows(sessions, order[i]), 2,
                                                order[i] % AGGREGATE_PIECE_ROWS);
        keys[i] = (uint64_t)last_ms - (uint64_t)sessions->least_last_ms;
    }
    kernels->radix_sort_u64(keys, order, count, keys + count, scratch);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && keys[end] == keys[begin];)
            end++;
        if (end - begin > 1)
            qsort_r(order + begin, end - begin, sizeof *order, by_start_and_rank, sessions);
    }
    return ORIEL_OK;
}

static void read_states(const struct aggregate_sessions *sessions, uint32_t place, char *states) {
    const struct oriel_packed_rows *rows = sessions_rows(sessions, place);
    const uint32_t words = aggregate_state_words(sessions->merged->layout);
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t word = oriel_packed_rows_at(rows, 3 + w, place % AGGREGATE_PIECE_ROWS);
        memcpy(states + w * sizeof word, &word, sizeof word);
    }
}

static enum oriel_status put_fused(struct aggregate_reader *reader,
                                   const struct fused_session *fused, char *states, char *room,
                                   struct oriel_error *error) {
    const struct aggregate_sessions *sessions = reader->source->sessions;
    const struct session_edge *edges = &sessions->edges[fused->entry_begin];
    read_states(sessions, edges[0].place, states);
    for (uint32_t e = 1; e < fused->entry_count; e++) {
        read_states(sessions, edges[e].place, room);
        ORIEL_TRY(aggregate_merge_states(sessions->merged->layout, &reader->output.arena, true,
                                         false, states, room, error));
    }
    return ORIEL_OK;
}

static enum oriel_status read_sessions(struct aggregate_reader *reader,
                                       const struct oriel_morsel *morsel,
                                       struct oriel_error *error) {
    const struct aggregate_sessions *sessions = reader->source->sessions;
    const struct aggregate_layout *layout = sessions->merged->layout;
    char *room = oriel_arena_allocate(&reader->arena, layout->stride_bytes);
    if (!room)
        return oriel_error_memory(error);
    ORIEL_TRY(
        sort_bucket(reader, sessions->order + morsel->begin, morsel->end - morsel->begin, error));
    for (uint64_t i = morsel->begin; i < morsel->end; i++) {
        const uint32_t item = sessions->order[i];
        const struct found_session found = find_session(sessions, item);
        char *states;
        ORIEL_TRY(aggregate_output_add(&reader->output, found.rank, found.first_ms,
                                       found.last_ms + layout->window->size_ms, &states, error));
        if (item & SESSION_FUSED)
            ORIEL_TRY(
                put_fused(reader, &sessions->fused[item & ~SESSION_FUSED], states, room, error));
        else
            read_states(sessions, item, states);
    }
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_session = {
    .claim = claim_sessions, .read = read_sessions, .single_use = true};
