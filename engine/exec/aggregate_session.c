/*
 * Sessions from the sessions of the workers: those of one key that overlap or touch are one. The
 * workers' sessions are sorted by key and first time, merged in one scan, and put in the order of
 * the result: window end, window start, keys.
 */
#include "engine/exec/aggregate_source.h"

#include "kernels/kernels.h"

enum { MORSEL_SESSIONS = 16384 };

static uint64_t biased(int64_t value) {
    return (uint64_t)value ^ UINT64_C(1) << 63;
}

/* Room for one radix sort. */
struct sorter {
    const struct oriel_runtime *runtime;
    size_t count;
    uint64_t *keys;
    uint64_t *scratch_keys;
    uint32_t *scratch_order;
};

static enum oriel_status sorter_init(struct sorter *sorter, const struct oriel_runtime *runtime,
                                     size_t count, struct oriel_error *error) {
    *sorter = (struct sorter){.runtime = runtime, .count = count};
    sorter->keys = oriel_memory_allocate(runtime->memory, count * sizeof(uint64_t));
    sorter->scratch_keys = oriel_memory_allocate(runtime->memory, count * sizeof(uint64_t));
    sorter->scratch_order = oriel_memory_allocate(runtime->memory, count * sizeof(uint32_t));
    return sorter->keys && sorter->scratch_keys && sorter->scratch_order
               ? ORIEL_OK
               : oriel_error_memory(error);
}

static void sorter_deinit(struct sorter *sorter) {
    struct oriel_memory *memory = sorter->runtime->memory;
    oriel_memory_release(memory, sorter->keys, sorter->count * sizeof(uint64_t));
    oriel_memory_release(memory, sorter->scratch_keys, sorter->count * sizeof(uint64_t));
    oriel_memory_release(memory, sorter->scratch_order, sorter->count * sizeof(uint32_t));
}

static void sort_order(struct sorter *sorter, uint32_t *order, size_t count) {
    sorter->runtime->kernels->radix_sort_u64(sorter->keys, order, count, sorter->scratch_keys,
                                             sorter->scratch_order);
}

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

static void list_entries(struct aggregate_source *source, struct aggregate_entry *entries) {
    const struct aggregate_merged *merged = source->merged;
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const struct aggregate_store *store = &merged->stores[s];
        for (uint32_t g = 0; g < store->group_count; g++)
            entries[count++] = (struct aggregate_entry){
                merged->rank_of_local[s][store->group_keys[g]], g, (uint32_t)s};
    }
}

/* source->entries = `listed` by rank, then first time. */
static void sort_entries(struct aggregate_source *source, struct sorter *sorter,
                         const struct aggregate_entry *listed, uint32_t *order) {
    for (size_t i = 0; i < source->entry_count; i++) {
        order[i] = (uint32_t)i;
        sorter->keys[i] = biased(first_of(source, &listed[i]));
    }
    sort_order(sorter, order, source->entry_count);
    for (size_t i = 0; i < source->entry_count; i++)
        sorter->keys[i] = listed[order[i]].rank;
    sort_order(sorter, order, source->entry_count);
    for (size_t i = 0; i < source->entry_count; i++)
        source->entries[i] = listed[order[i]];
}

static void merge_touching(struct aggregate_source *source) {
    const uint64_t gap = (uint64_t)source->merged->layout->window->size_ms;
    for (size_t i = 0; i < source->entry_count; i++) {
        const struct aggregate_entry *entry = &source->entries[i];
        const int64_t first = first_of(source, entry), last = last_of(source, entry);
        struct aggregate_session *open =
            source->session_count ? &source->sessions[source->session_count - 1] : NULL;
        if (open && open->rank == entry->rank &&
            (first <= open->last_ms || (uint64_t)first - (uint64_t)open->last_ms <= gap)) {
            open->end = (uint32_t)i + 1;
            if (last > open->last_ms)
                open->last_ms = last;
        } else {
            source->sessions[source->session_count++] =
                (struct aggregate_session){first, last, entry->rank, (uint32_t)i, (uint32_t)i + 1};
        }
    }
}

/* By end, start, rank: the sessions are already by rank, so two stable sorts do it. */
static void order_sessions(struct aggregate_source *source, struct sorter *sorter) {
    uint32_t *order = source->session_order;
    for (size_t i = 0; i < source->session_count; i++) {
        order[i] = (uint32_t)i;
        sorter->keys[i] = biased(source->sessions[i].first_ms);
    }
    sort_order(sorter, order, source->session_count);
    for (size_t i = 0; i < source->session_count; i++)
        sorter->keys[i] = biased(source->sessions[order[i]].last_ms);
    sort_order(sorter, order, source->session_count);
}

enum oriel_status aggregate_sessions_prepare(struct aggregate_source *source,
                                             struct oriel_error *error) {
    const struct oriel_runtime *runtime = source->merged->layout->runtime;
    struct oriel_memory *memory = runtime->memory;
    size_t count = 0;
    for (unsigned s = 0; s < source->merged->store_count; s++)
        count += source->merged->stores[s].group_count;
    if (count > UINT32_MAX - 1)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 sessions");
    source->entry_count = count;
    source->session_capacity = count;
    source->entries = oriel_memory_allocate(memory, count * sizeof *source->entries);
    source->sessions = oriel_memory_allocate(memory, count * sizeof *source->sessions);
    source->session_order = oriel_memory_allocate(memory, count * sizeof(uint32_t));
    if (!source->entries || !source->sessions || !source->session_order)
        return oriel_error_memory(error);
    struct aggregate_entry *listed = oriel_memory_allocate(memory, count * sizeof *listed);
    struct sorter sorter;
    enum oriel_status status = sorter_init(&sorter, runtime, count, error);
    if (!listed)
        status = oriel_error_memory(error);
    if (status == ORIEL_OK) {
        list_entries(source, listed);
        sort_entries(source, &sorter, listed, source->session_order);
        merge_touching(source);
        order_sessions(source, &sorter);
    }
    sorter_deinit(&sorter);
    oriel_memory_release(memory, listed, count * sizeof *listed);
    return status;
}

void aggregate_sessions_release(struct aggregate_source *source) {
    struct oriel_memory *memory = source->merged->layout->runtime->memory;
    const size_t count = source->session_capacity;
    oriel_memory_release(memory, source->entries, count * sizeof *source->entries);
    oriel_memory_release(memory, source->sessions, count * sizeof *source->sessions);
    oriel_memory_release(memory, source->session_order, count * sizeof(uint32_t));
}

static enum oriel_status claim_sessions(struct aggregate_source *source,
                                        struct oriel_morsel *morsel) {
    if (source->next_session >= source->session_count)
        return ORIEL_DONE;
    morsel->begin = source->next_session;
    source->next_session += MORSEL_SESSIONS;
    if (source->next_session > source->session_count)
        source->next_session = source->session_count;
    morsel->end = source->next_session;
    return ORIEL_OK;
}

static enum oriel_status read_sessions(struct aggregate_reader *reader,
                                       const struct oriel_morsel *morsel,
                                       struct oriel_error *error) {
    const struct aggregate_source *source = reader->source;
    const struct aggregate_layout *layout = source->merged->layout;
    for (uint64_t i = morsel->begin; i < morsel->end; i++) {
        const struct aggregate_session *session = &source->sessions[source->session_order[i]];
        char *states;
        ORIEL_TRY(aggregate_output_add(&reader->output, session->rank, session->first_ms,
                                       session->last_ms + layout->window->size_ms, &states, error));
        for (uint32_t e = session->begin; e < session->end; e++)
            ORIEL_TRY(aggregate_merge_states(
                layout, &reader->output.arena, true, e == session->begin, states,
                aggregate_entry_states(source->merged, &source->entries[e]), error));
    }
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_session = {
    .claim = claim_sessions, .read = read_sessions, .single_use = true};
