/*
 * HOP windows from slices. With few keys a morsel is a block of as many slices as a window has: the
 * sums from each slice to the end of the block and the running sum over the next block give every
 * window that starts in the block by one more addition, whatever the overlap (the block
 * decomposition of van Herk, 1992, and Gil and Werman, 1993, which needs no inverse). Otherwise,
 * and where states that hold many values make the sums of a block too large, each window is put
 * together from the entries of its slices.
 */
#include "engine/exec/aggregate_source.h"

#include <stdlib.h>

#include "engine/base/civil.h"

enum {
    BLOCK_BYTES_MAX = 32 << 20,   /* of the suffix sums of one block */
    POINTED_BYTES_MAX = 64 << 20, /* the same with what the states point to */
    BLOCK_SLICES_MAX = 1 << 16,
};

struct hop {
    int64_t slice_ms;
    int64_t slide_ms;
    int64_t size_ms;
    int64_t offset_ms; /* 0 .. slide - 1 */
};

static struct hop hop_of(const struct aggregate_layout *layout) {
    const struct oriel_window *window = layout->window;
    return (struct hop){.slice_ms = layout->slice_ms,
                        .slide_ms = window->slide_ms,
                        .size_ms = window->size_ms,
                        .offset_ms = oriel_floor_mod(window->offset_ms, window->slide_ms)};
}

static bool in_blocks(const struct aggregate_merged *merged, const struct hop *hop) {
    const int64_t slices = hop->size_ms / hop->slice_ms;
    if (merged->sparse || slices > BLOCK_SLICES_MAX || merged->layout->long_results)
        return false; /* long results are much work anyway, and a block of them much at once */
    const oriel_i128 bytes =
        (oriel_i128)slices * merged->key_count * (oriel_i128)(merged->layout->stride_bytes + 1);
    return bytes <= BLOCK_BYTES_MAX;
}

/* The first window start at or after `time_ms`. */
static int64_t window_from(const struct hop *hop, int64_t time_ms) {
    const int64_t past = oriel_floor_mod(time_ms - hop->offset_ms, hop->slide_ms);
    return past ? time_ms + (hop->slide_ms - past) : time_ms;
}

static enum oriel_status claim_hop(struct aggregate_source *source, struct oriel_morsel *morsel) {
    const struct aggregate_merged *merged = source->merged;
    const struct hop hop = hop_of(merged->layout);
    if (merged->slice_count == 0 || merged->key_count == 0)
        return ORIEL_DONE;
    if (!source->started) {
        source->started = true;
        source->next_start_ms = merged->slice_starts_ms[0] - (hop.size_ms - hop.slice_ms);
    }
    const uint32_t next = aggregate_slice_from(merged, source->next_start_ms);
    if (next == merged->slice_count)
        return ORIEL_DONE;
    /* Windows that end before the next slice that is there are empty. */
    const int64_t useful = merged->slice_starts_ms[next] - (hop.size_ms - hop.slice_ms);
    if (useful > source->next_start_ms)
        source->next_start_ms = useful;
    int64_t width_ms = hop.size_ms;
    if (!in_blocks(merged, &hop)) {
        source->next_start_ms = window_from(&hop, source->next_start_ms);
        width_ms = hop.slide_ms;
    }
    morsel->begin = (uint64_t)source->next_start_ms;
    source->next_start_ms += width_ms;
    morsel->end = (uint64_t)source->next_start_ms;
    return ORIEL_OK;
}

/* The sums of one slice or of several, by rank; `present` says where there is one. */
struct rank_sums {
    char *states;
    uint8_t *present;
};

static enum oriel_status make_sums(struct aggregate_reader *reader, size_t count,
                                   struct rank_sums *sums, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const size_t places = count * merged->key_count;
    sums->states = oriel_arena_allocate(&reader->arena, places * merged->layout->stride_bytes);
    sums->present = oriel_arena_allocate_zeroed(&reader->arena, places, 1);
    return sums->states && sums->present ? ORIEL_OK : oriel_error_memory(error);
}

static enum oriel_status add_states(struct aggregate_reader *reader, struct rank_sums *sums,
                                    uint32_t rank, const char *states, struct oriel_error *error) {
    const struct aggregate_layout *layout = reader->source->merged->layout;
    char *into = sums->states + rank * layout->stride_bytes;
    const bool fresh = !sums->present[rank];
    if (fresh && !layout->plain_states)
        memset(into, 0, layout->stride_bytes);
    sums->present[rank] = 1;
    return aggregate_merge_states(layout, &reader->arena, false, fresh, into, states, error);
}

/* Adds the slice that starts at `start_ms`, if there is one. */
static enum oriel_status add_slice(struct aggregate_reader *reader, struct rank_sums *sums,
                                   struct aggregate_entry *entries, int64_t start_ms,
                                   struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const uint32_t slice = aggregate_slice_from(merged, start_ms);
    if (slice == merged->slice_count || merged->slice_starts_ms[slice] != start_ms)
        return ORIEL_OK;
    const size_t count = aggregate_slice_entries(merged, slice, 0, merged->key_count, entries);
    for (size_t i = 0; i < count; i++)
        ORIEL_TRY(add_states(reader, sums, entries[i].rank,
                             aggregate_entry_states(merged, &entries[i]), error));
    return ORIEL_OK;
}

/* Puts out the window of slices [start of `suffix`, end of `prefix`). */
static enum oriel_status put_window(struct aggregate_reader *reader, int64_t start_ms,
                                    const struct rank_sums *suffix, const struct rank_sums *prefix,
                                    struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    const struct rank_sums *parts[] = {suffix, prefix};
    for (uint32_t rank = 0; rank < merged->key_count; rank++) {
        if (!suffix->present[rank] && !prefix->present[rank])
            continue;
        char *states;
        ORIEL_TRY(aggregate_output_add(&reader->output, rank, start_ms,
                                       start_ms + layout->window->size_ms, &states, error));
        bool fresh = true;
        for (unsigned p = 0; p < 2; p++) {
            if (!parts[p]->present[rank])
                continue;
            ORIEL_TRY(aggregate_merge_states(layout, &reader->output.arena, false, fresh, states,
                                             parts[p]->states + rank * layout->stride_bytes,
                                             error));
            fresh = false;
        }
    }
    return ORIEL_OK;
}

static struct rank_sums at_slice(const struct aggregate_merged *merged,
                                 const struct rank_sums *sums, size_t index) {
    return (struct rank_sums){sums->states +
                                  index * merged->key_count * merged->layout->stride_bytes,
                              sums->present + index * merged->key_count};
}

/* suffixes[i]: the sums of the slices from number i of the block to its end. Stops early, and says
 * so in the reader, when they grow too large. */
static enum oriel_status sum_suffixes(struct aggregate_reader *reader, int64_t block_ms,
                                      size_t slices, struct rank_sums *suffixes,
                                      struct aggregate_entry *entries, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    for (size_t i = slices; i-- > 0;) {
        struct rank_sums here = at_slice(merged, suffixes, i);
        const size_t bytes = reader->arena.total_bytes;
        reader->states_too_large =
            bytes > POINTED_BYTES_MAX ||
            2 * bytes > oriel_memory_available(merged->layout->runtime->memory);
        if (reader->states_too_large)
            return ORIEL_OK;
        ORIEL_TRY(
            add_slice(reader, &here, entries, block_ms + (int64_t)i * layout->slice_ms, error));
        if (i + 1 == slices)
            continue;
        const struct rank_sums after = at_slice(merged, suffixes, i + 1);
        for (uint32_t rank = 0; rank < merged->key_count; rank++) {
            if (after.present[rank])
                ORIEL_TRY(add_states(reader, &here, rank,
                                     after.states + rank * layout->stride_bytes, error));
        }
    }
    return ORIEL_OK;
}

/* The windows that start in the block; nothing is put out when the states are too large. */
static enum oriel_status read_block(struct aggregate_reader *reader, const struct hop *hop,
                                    int64_t block_ms, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const size_t slices = (size_t)(hop->size_ms / hop->slice_ms);
    struct rank_sums suffixes, prefix;
    struct aggregate_entry *entries = oriel_arena_allocate_zeroed(
        &reader->arena, aggregate_slice_bound(merged, 0, 0, merged->key_count) + 1,
        sizeof *entries);
    if (!entries)
        return oriel_error_memory(error);
    ORIEL_TRY(make_sums(reader, slices, &suffixes, error));
    ORIEL_TRY(make_sums(reader, 1, &prefix, error));
    ORIEL_TRY(sum_suffixes(reader, block_ms, slices, &suffixes, entries, error));
    for (size_t i = 0; i < slices && !reader->states_too_large; i++) {
        const int64_t start_ms = block_ms + (int64_t)i * hop->slice_ms;
        if (i)
            ORIEL_TRY(add_slice(reader, &prefix, entries, start_ms + hop->size_ms - hop->slice_ms,
                                error));
        if (oriel_floor_mod(start_ms - hop->offset_ms, hop->slide_ms) != 0)
            continue;
        const struct rank_sums suffix = at_slice(merged, &suffixes, i);
        ORIEL_TRY(put_window(reader, start_ms, &suffix, &prefix, error));
        ORIEL_TRY(oriel_runtime_check(merged->layout->runtime, error));
    }
    return ORIEL_OK;
}

static int by_rank(const void *a, const void *b) {
    const struct aggregate_entry *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->store != y->store)
        return x->store < y->store ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

/* One window from the entries of its slices. */
static enum oriel_status read_window(struct aggregate_reader *reader, const struct hop *hop,
                                     int64_t start_ms, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const uint32_t first = aggregate_slice_from(merged, start_ms);
    const uint32_t end = aggregate_slice_from(merged, start_ms + hop->size_ms);
    size_t bound = 1, count = 0;
    oriel_arena_reset(&reader->arena);
    for (uint32_t s = first; s < end; s++)
        bound += aggregate_slice_bound(merged, s, 0, merged->key_count);
    struct aggregate_entry *entries =
        oriel_arena_allocate_zeroed(&reader->arena, bound, sizeof *entries);
    if (!entries)
        return oriel_error_memory(error);
    for (uint32_t s = first; s < end; s++)
        count += aggregate_slice_entries(merged, s, 0, merged->key_count, entries + count);
    qsort(entries, count, sizeof *entries, by_rank);
    char *states = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool fresh = i == 0 || entries[i].rank != entries[i - 1].rank;
        if (fresh)
            ORIEL_TRY(aggregate_output_add(&reader->output, entries[i].rank, start_ms,
                                           start_ms + hop->size_ms, &states, error));
        ORIEL_TRY(aggregate_merge_states(merged->layout, &reader->output.arena, false, fresh,
                                         states, aggregate_entry_states(merged, &entries[i]),
                                         error));
    }
    return ORIEL_OK;
}

static enum oriel_status read_hop(struct aggregate_reader *reader,
                                  const struct oriel_morsel *morsel, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct hop hop = hop_of(merged->layout);
    if (in_blocks(merged, &hop) && !reader->states_too_large)
        ORIEL_TRY(read_block(reader, &hop, (int64_t)morsel->begin, error));
    if (in_blocks(merged, &hop) && !reader->states_too_large)
        return ORIEL_OK;
    for (int64_t start_ms = window_from(&hop, (int64_t)morsel->begin);
         start_ms < (int64_t)morsel->end; start_ms += hop.slide_ms) {
        ORIEL_TRY(read_window(reader, &hop, start_ms, error));
        ORIEL_TRY(oriel_runtime_check(merged->layout->runtime, error));
    }
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_hop = {
    .claim = claim_hop, .read = read_hop, .single_use = false};
