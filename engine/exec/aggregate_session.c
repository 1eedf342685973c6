/*
 * Sessions from the sessions of the workers: those of one key that overlap or touch are one.
 *
 * The workers' sessions are listed key by key; within a key they are mostly in order of time
 * already, so only keys that are not get sorted. All keys are merged in parallel. The result is
 * ordered by window end, window start, keys: sessions are dealt out to buckets by their end, and
 * whoever reads a bucket sorts it.
 */
#include "engine/exec/aggregate_source.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "engine/exec/drive.h"
#include "kernels/kernels.h"

enum {
    BUCKET_SESSIONS = 8192, /* on average */
    BUCKETS_MAX = 1 << 20,
    KEYS_A_TASK = 64,
};

static const struct aggregate_store *store_of(const struct aggregate_source *source,
                                              const struct aggregate_entry *entry) {
    return &source->merged->stores[entry->store];
}

static int64_t first_of(const struct aggregate_source *source, const struct aggregate_entry *e) {
    return store_of(source, e)->session_first_ms[e->group];
}

static int64_t last_of(const struct aggregate_source *source, const struct aggregate_entry *e) {
    return store_of(source, e)->session_last_ms[e->group];
}

/* Counting sort by rank: entries of rank r at rank_begins[r] .. rank_begins[r + 1]. */
static void list_by_rank(struct aggregate_source *source) {
    const struct aggregate_merged *merged = source->merged;
    uint32_t *begins = source->rank_begins;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const struct aggregate_store *store = &merged->stores[s];
        for (uint32_t g = 0; g < store->group_count; g++)
            begins[merged->rank_of_local[s][store->group_keys[g]] + 2]++;
    }
    for (uint32_t r = 0; r < merged->key_count; r++)
        begins[r + 2] += begins[r + 1];
    for (unsigned s = 0; s < merged->store_count; s++) {
        const struct aggregate_store *store = &merged->stores[s];
        for (uint32_t g = 0; g < store->group_count; g++) {
            const uint32_t rank = merged->rank_of_local[s][store->group_keys[g]];
            source->entries[begins[rank + 1]++] = (struct aggregate_entry){rank, g, (uint32_t)s};
        }
    }
}

static int by_first(const void *a, const void *b, void *context) {
    const struct aggregate_entry *x = a, *y = b;
    const int64_t first_x = first_of(context, x), first_y = first_of(context, y);
    if (first_x != first_y)
        return first_x < first_y ? -1 : 1;
    if (x->store != y->store)
        return x->store < y->store ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void sort_key(struct aggregate_source *source, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin + 1; i < end; i++) {
        if (first_of(source, &source->entries[i]) < first_of(source, &source->entries[i - 1])) {
            qsort_r(source->entries + begin, end - begin, sizeof *source->entries, by_first,
                    source);
            return;
        }
    }
}

/* The sessions of a key, written to the places of its first entries; returns how many. */
static uint32_t merge_key(struct aggregate_source *source, uint32_t rank) {
    const uint64_t gap = (uint64_t)source->merged->layout->window->size_ms;
    const uint32_t begin = source->rank_begins[rank], end = source->rank_begins[rank + 1];
    uint32_t count = 0;
    sort_key(source, begin, end);
    for (uint32_t i = begin; i < end; i++) {
        const struct aggregate_entry *entry = &source->entries[i];
        const int64_t first = first_of(source, entry), last = last_of(source, entry);
        struct aggregate_session *open = count ? &source->sessions[begin + count - 1] : NULL;
        if (open && (first <= open->last_ms || (uint64_t)first - (uint64_t)open->last_ms <= gap)) {
            open->entry_count++;
            if (last > open->last_ms)
                open->last_ms = last;
        } else {
            source->sessions[begin + count++] = (struct aggregate_session){first, last, i, 1};
        }
    }
    return count;
}

struct merge_work {
    struct aggregate_source *source;
    atomic_uint next_rank;
};

static enum oriel_status merge_keys(void *context, unsigned worker, struct oriel_error *error) {
    (void)worker;
    struct merge_work *work = context;
    struct aggregate_source *source = work->source;
    const uint32_t key_count = source->merged->key_count;
    for (;;) {
        const uint32_t begin = atomic_fetch_add(&work->next_rank, KEYS_A_TASK);
        if (begin >= key_count)
            return ORIEL_OK;
        ORIEL_TRY(oriel_runtime_check(source->merged->layout->runtime, error));
        for (uint32_t r = begin; r < key_count && r < begin + KEYS_A_TASK; r++)
            source->session_counts[r] = merge_key(source, r);
    }
}

static uint64_t bucket_of(const struct aggregate_source *source, int64_t last_ms) {
    return ((uint64_t)last_ms - (uint64_t)source->least_last_ms) / source->bucket_ms;
}

/* Numbers of all sessions, by bucket and then rank, in session_order. */
static enum oriel_status deal_out(struct aggregate_source *source, struct oriel_error *error) {
    const struct aggregate_merged *merged = source->merged;
    int64_t greatest = INT64_MIN;
    source->least_last_ms = INT64_MAX;
    for (uint32_t r = 0; r < merged->key_count; r++) {
        for (uint32_t i = 0; i < source->session_counts[r]; i++) {
            const int64_t last = source->sessions[source->rank_begins[r] + i].last_ms;
            greatest = last > greatest ? last : greatest;
            source->least_last_ms = last < source->least_last_ms ? last : source->least_last_ms;
        }
        source->session_count += source->session_counts[r];
    }
    if (source->session_count == 0)
        return ORIEL_OK;
    uint64_t buckets = source->session_count / BUCKET_SESSIONS + 1;
    if (buckets > BUCKETS_MAX)
        buckets = BUCKETS_MAX;
    source->bucket_ms = ((uint64_t)greatest - (uint64_t)source->least_last_ms) / buckets + 1;
    source->bucket_count = bucket_of(source, greatest) + 1;
    source->bucket_begins = oriel_memory_allocate_zeroed(
        merged->layout->runtime->memory, source->bucket_count + 2, sizeof(uint32_t));
    if (!source->bucket_begins)
        return oriel_error_memory(error);
    uint32_t *begins = source->bucket_begins;
    for (uint32_t r = 0; r < merged->key_count; r++) {
        for (uint32_t i = 0; i < source->session_counts[r]; i++)
            begins[bucket_of(source, source->sessions[source->rank_begins[r] + i].last_ms) + 2]++;
    }
    for (uint64_t b = 0; b < source->bucket_count; b++)
        begins[b + 2] += begins[b + 1];
    for (uint32_t r = 0; r < merged->key_count; r++) {
        for (uint32_t i = 0; i < source->session_counts[r]; i++) {
            const uint32_t place = source->rank_begins[r] + i;
            const uint64_t bucket = bucket_of(source, source->sessions[place].last_ms);
            source->session_order[begins[bucket + 1]++] = place;
        }
    }
    return ORIEL_OK;
}

static enum oriel_status allocate(struct aggregate_source *source, size_t count,
                                  struct oriel_error *error) {
    struct oriel_memory *memory = source->merged->layout->runtime->memory;
    const size_t keys = source->merged->key_count;
    source->entry_count = count;
    source->entries = oriel_memory_allocate(memory, count * sizeof *source->entries);
    source->sessions = oriel_memory_allocate(memory, count * sizeof *source->sessions);
    source->session_order = oriel_memory_allocate(memory, count * sizeof(uint32_t));
    source->rank_begins = oriel_memory_allocate_zeroed(memory, keys + 2, sizeof(uint32_t));
    source->session_counts = oriel_memory_allocate_zeroed(memory, keys, sizeof(uint32_t));
    if (!source->entries || !source->sessions || !source->session_order || !source->rank_begins ||
        !source->session_counts)
        return oriel_error_memory(error);
    return ORIEL_OK;
}

enum oriel_status aggregate_sessions_prepare(struct aggregate_source *source,
                                             struct oriel_error *error) {
    const struct oriel_runtime *runtime = source->merged->layout->runtime;
    size_t count = 0;
    for (unsigned s = 0; s < source->merged->store_count; s++)
        count += source->merged->stores[s].group_count;
    if (count > UINT32_MAX - 1)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 sessions");
    ORIEL_TRY(allocate(source, count, error));
    list_by_rank(source);
    struct merge_work work = {.source = source};
    if (source->merged->store_count > 1)
        ORIEL_TRY(oriel_run_workers(runtime, merge_keys, &work, error));
    else
        ORIEL_TRY(merge_keys(&work, 0, error));
    return deal_out(source, error);
}

void aggregate_sessions_release(struct aggregate_source *source) {
    struct oriel_memory *memory = source->merged->layout->runtime->memory;
    const size_t count = source->entry_count, keys = source->merged->key_count;
    oriel_memory_release(memory, source->entries, count * sizeof *source->entries);
    oriel_memory_release(memory, source->sessions, count * sizeof *source->sessions);
    oriel_memory_release(memory, source->session_order, count * sizeof(uint32_t));
    oriel_memory_release(memory, source->rank_begins, (keys + 2) * sizeof(uint32_t));
    oriel_memory_release(memory, source->session_counts, keys * sizeof(uint32_t));
    oriel_memory_release(memory, source->bucket_begins,
                         (source->bucket_count + 2) * sizeof(uint32_t));
}

static enum oriel_status claim_sessions(struct aggregate_source *source,
                                        struct oriel_morsel *morsel) {
    while (source->next_bucket < source->bucket_count &&
           source->bucket_begins[source->next_bucket] ==
               source->bucket_begins[source->next_bucket + 1])
        source->next_bucket++;
    if (source->next_bucket >= source->bucket_count)
        return ORIEL_DONE;
    morsel->begin = source->bucket_begins[source->next_bucket];
    morsel->end = source->bucket_begins[++source->next_bucket];
    return ORIEL_OK;
}

/* Sorts a bucket by end, then start; it is by rank already, and the sorts are stable. */
static enum oriel_status sort_bucket(struct aggregate_reader *reader, uint32_t *order, size_t count,
                                     struct oriel_error *error) {
    const struct aggregate_source *source = reader->source;
    const struct oriel_kernels *kernels = source->merged->layout->runtime->kernels;
    uint64_t *keys = oriel_arena_allocate(&reader->arena, 2 * count * sizeof *keys);
    uint32_t *scratch = oriel_arena_allocate(&reader->arena, count * sizeof *scratch);
    if (!keys || !scratch)
        return oriel_error_memory(error);
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const int64_t first = source->sessions[order[i]].first_ms;
        least = first < least ? first : least;
    }
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint64_t)source->sessions[order[i]].first_ms - (uint64_t)least;
    kernels->radix_sort_u64(keys, order, count, keys + count, scratch);
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint64_t)source->sessions[order[i]].last_ms - (uint64_t)source->least_last_ms;
    kernels->radix_sort_u64(keys, order, count, keys + count, scratch);
    return ORIEL_OK;
}

static enum oriel_status read_sessions(struct aggregate_reader *reader,
                                       const struct oriel_morsel *morsel,
                                       struct oriel_error *error) {
    const struct aggregate_source *source = reader->source;
    const struct aggregate_layout *layout = source->merged->layout;
    ORIEL_TRY(sort_bucket(reader, source->session_order + morsel->begin,
                          morsel->end - morsel->begin, error));
    for (uint64_t i = morsel->begin; i < morsel->end; i++) {
        const struct aggregate_session *session = &source->sessions[source->session_order[i]];
        const struct aggregate_entry *entries = &source->entries[session->entry_begin];
        char *states;
        ORIEL_TRY(aggregate_output_add(&reader->output, entries->rank, session->first_ms,
                                       session->last_ms + layout->window->size_ms, &states, error));
        for (uint32_t e = 0; e < session->entry_count; e++)
            ORIEL_TRY(aggregate_merge_states(layout, &reader->output.arena, true, e == 0, states,
                                             aggregate_entry_states(source->merged, &entries[e]),
                                             error));
    }
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_session = {
    .claim = claim_sessions, .read = read_sessions, .single_use = true};
