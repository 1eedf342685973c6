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

/* The sessions of a bucket, array by array. */
struct bucket {
    size_t count;
    int64_t *first_ms, *last_ms;
    uint32_t *ranks;
    uint32_t *items; /* its place, or SESSION_FUSED and its number */
    uint32_t *order;
};

static enum oriel_status make_bucket(struct oriel_arena *arena, size_t room, struct bucket *bucket,
                                     struct oriel_error *error) {
    *bucket = (struct bucket){
        .first_ms = oriel_arena_allocate(arena, room * sizeof(int64_t)),
        .last_ms = oriel_arena_allocate(arena, room * sizeof(int64_t)),
        .ranks = oriel_arena_allocate(arena, room * sizeof(uint32_t)),
        .items = oriel_arena_allocate(arena, room * sizeof(uint32_t)),
        .order = oriel_arena_allocate(arena, room * sizeof(uint32_t)),
    };
    return bucket->first_ms && bucket->last_ms && bucket->ranks && bucket->items && bucket->order
               ? ORIEL_OK
               : oriel_error_memory(error);
}

static void add_fused(const struct aggregate_sessions *sessions, const struct session_run *run,
                      struct bucket *bucket) {
    const struct fused_session *fused = &sessions->fused[run->place & ~SESSION_FUSED];
    const size_t at = bucket->count++;
    bucket->first_ms[at] = fused->first_ms;
    bucket->last_ms[at] = fused->last_ms;
    bucket->ranks[at] = sessions->edges[fused->entry_begin].rank;
    bucket->items[at] = run->place;
}

/* Adds the whole sessions of a run. */
static void add_run(const struct aggregate_sessions *sessions, const struct session_run *run,
                    struct bucket *bucket) {
    const struct oriel_kernels *kernels = sessions->merged->layout->runtime->kernels;
    const struct sessions_piece *piece = &sessions->pieces[run->place / AGGREGATE_PIECE_ROWS];
    const struct oriel_packed_rows *rows = aggregate_piece_rows(piece->piece);
    const uint32_t *rank_of_local = sessions->merged->rank_of_local[piece->store];
    const uint32_t begin = run->place % AGGREGATE_PIECE_ROWS;
    uint64_t keys[AGGREGATE_PIECE_ROWS];
    int64_t *first_ms = bucket->first_ms + bucket->count;
    int64_t *last_ms = bucket->last_ms + bucket->count;
    uint32_t count = 0;
    oriel_packed_rows_read_part(kernels, rows, 0, begin, run->count, keys);
    oriel_packed_rows_read_part(kernels, rows, 1, begin, run->count, (uint64_t *)first_ms);
    oriel_packed_rows_read_part(kernels, rows, 2, begin, run->count, (uint64_t *)last_ms);
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t row = begin + i;
        first_ms[count] = first_ms[i];
        last_ms[count] = last_ms[i];
        bucket->ranks[bucket->count + count] = rank_of_local[(uint32_t)keys[i]];
        bucket->items[bucket->count + count] = run->place + i;
        count += !(piece->edges[row / 64] >> (row % 64) & 1);
    }
    bucket->count += count;
}

static int by_start_and_rank(const void *a, const void *b, void *context) {
    const struct bucket *bucket = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (bucket->first_ms[x] != bucket->first_ms[y])
        return bucket->first_ms[x] < bucket->first_ms[y] ? -1 : 1;
    return (bucket->ranks[x] > bucket->ranks[y]) - (bucket->ranks[x] < bucket->ranks[y]);
}

/* By end, start and rank. */
static enum oriel_status sort_bucket(struct aggregate_reader *reader, struct bucket *bucket,
                                     struct oriel_error *error) {
    struct aggregate_sessions *sessions = reader->source->sessions;
    const size_t count = bucket->count;
    uint64_t *keys = oriel_arena_allocate(&reader->arena, 2 * count * sizeof *keys);
    uint32_t *scratch = oriel_arena_allocate(&reader->arena, count * sizeof *scratch);
    if (!keys || !scratch)
        return oriel_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)bucket->last_ms[i] - (uint64_t)sessions->least_last_ms;
        bucket->order[i] = (uint32_t)i;
    }
    sessions->merged->layout->runtime->kernels->radix_sort_u64(keys, bucket->order, count,
                                                               keys + count, scratch);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && keys[end] == keys[begin];)
            end++;
        if (end - begin > 1)
            qsort_r(bucket->order + begin, end - begin, sizeof *bucket->order, by_start_and_rank,
                    bucket);
    }
    return ORIEL_OK;
}

static enum oriel_status fill_bucket(struct aggregate_reader *reader,
                                     const struct oriel_morsel *morsel, struct bucket *bucket,
                                     struct oriel_error *error) {
    const struct aggregate_sessions *sessions = reader->source->sessions;
    size_t room = 0;
    for (uint64_t r = morsel->begin; r < morsel->end; r++)
        room += sessions->runs[r].count;
    ORIEL_TRY(make_bucket(&reader->arena, room, bucket, error));
    for (uint64_t r = morsel->begin; r < morsel->end; r++) {
        const struct session_run *run = &sessions->runs[r];
        if (run->place & SESSION_FUSED)
            add_fused(sessions, run, bucket);
        else
            add_run(sessions, run, bucket);
    }
    return sort_bucket(reader, bucket, error);
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
    struct bucket bucket;
    ORIEL_TRY(fill_bucket(reader, morsel, &bucket, error));
    for (size_t i = 0; i < bucket.count; i++) {
        const uint32_t at = bucket.order[i];
        const uint32_t item = bucket.items[at];
        char *states;
        ORIEL_TRY(aggregate_output_add(&reader->output, bucket.ranks[at], bucket.first_ms[at],
                                       bucket.last_ms[at] + layout->window->size_ms, &states,
                                       error));
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
