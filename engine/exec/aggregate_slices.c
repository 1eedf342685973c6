/*
 * Results whose windows are single slices: TUMBLE, and no window at all (one slice). A morsel is a
 * run of slices, or a range of ranks of one slice when there are many keys.
 */
#include "engine/exec/aggregate_radix.h"

enum {
    MORSEL_RANKS = 32768, /* groups of one morsel */
    ARENA_BYTES_MAX = 4 << 20,
};

/* Whether all groups lie in blocks, whose ranks can be read part by part. */
static bool in_one_block(const struct aggregate_merged *merged) {
    return merged->slice_count == 1 && !aggregate_merged_hashed(merged) &&
           !aggregate_slice_packed(merged, 0);
}

/* begin: slice << 32 | first rank; end likewise, exclusive in slices when the first rank is 0. */
static enum oriel_status claim_slices(struct aggregate_source *source,
                                      struct oriel_morsel *morsel) {
    const struct aggregate_merged *merged = source->merged;
    const uint32_t ranks = merged->key_count;
    const bool empty_global =
        merged->layout->plan->aggregate.global && merged->slice_count == 0 && !source->started;
    source->started = true;
    if (empty_global)
        return ORIEL_OK;
    if (source->next_slice >= merged->slice_count || ranks == 0)
        return ORIEL_DONE;
    morsel->begin = (uint64_t)source->next_slice << 32 | source->next_rank;
    if (ranks <= MORSEL_RANKS || !in_one_block(merged)) {
        uint64_t groups = 0;
        do {
            groups += aggregate_slice_bound(merged, source->next_slice++);
        } while (groups < MORSEL_RANKS && source->next_slice < merged->slice_count);
    } else if (ranks - source->next_rank <= MORSEL_RANKS) {
        source->next_rank = 0;
        source->next_slice++;
    } else {
        source->next_rank += MORSEL_RANKS;
    }
    morsel->end = (uint64_t)source->next_slice << 32 | source->next_rank;
    return ORIEL_OK;
}

enum oriel_status aggregate_reader_spare(struct aggregate_reader *reader,
                                         struct oriel_error *error) {
    if (reader->arena.total_bytes <= ARENA_BYTES_MAX)
        return ORIEL_OK;
    ORIEL_TRY(aggregate_output_flush(&reader->output, error));
    oriel_arena_reset(&reader->arena);
    return ORIEL_OK;
}

/* Puts out the groups of a slice. */
static enum oriel_status put_slice(struct aggregate_reader *reader, uint32_t slice,
                                   uint32_t rank_begin, uint32_t rank_end,
                                   struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    const struct aggregate_layout *layout = merged->layout;
    int64_t start_ms, end_ms;
    aggregate_slice_window(layout, merged->slice_starts_ms[slice], &start_ms, &end_ms);
    struct aggregate_sum *sum = &reader->sum;
    if (merged->keyed)
        return aggregate_keyed_slice_put(reader, slice, error);
    ORIEL_TRY(aggregate_reader_spare(reader, error));
    ORIEL_TRY(aggregate_sum_slice(sum, slice, rank_begin, rank_end, true, &reader->arena, error));
    return aggregate_output_add_all(&reader->output, sum->ranks, sum->states, sum->count, start_ms,
                                    end_ms, error);
}

static enum oriel_status read_slices(struct aggregate_reader *reader,
                                     const struct oriel_morsel *morsel, struct oriel_error *error) {
    const struct aggregate_merged *merged = reader->source->merged;
    if (merged->slice_count == 0) {
        char *states;
        return aggregate_output_add(&reader->output, 0, 0, 0, &states, error);
    }
    uint32_t slice = (uint32_t)(morsel->begin >> 32), rank = (uint32_t)morsel->begin;
    while (((uint64_t)slice << 32 | rank) < morsel->end) {
        const bool last = slice == (uint32_t)(morsel->end >> 32);
        const uint32_t rank_end = last ? (uint32_t)morsel->end : merged->key_count;
        ORIEL_TRY(put_slice(reader, slice, rank, rank_end, error));
        if (last)
            break;
        slice++;
        rank = 0;
    }
    return ORIEL_OK;
}

const struct aggregate_shape aggregate_shape_slices = {
    .claim = claim_slices, .read = read_slices, .single_use = true};
