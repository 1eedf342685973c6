/*
 * Cuts the result of Top-N into pieces of some thousand groups: neighbouring windows together, a
 * large window by the ranks of its keys, so that all workers have a part of it.
 */
#include "engine/exec/top_pieces.h"

enum { PIECE_GROUPS = 8192, LARGE_WINDOW_PIECES = 4 };

uint32_t oriel_top_seek(const struct oriel_top_merge *merge, unsigned filter, uint32_t window,
                        uint32_t rank) {
    uint32_t low = merge->begins[filter][window], high = merge->begins[filter][window + 1];
    if (rank == 0)
        return low;
    if (rank >= merge->key_count)
        return high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (oriel_top_rank(merge, filter, merge->groups[filter][middle]) < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Rows kept of the groups of a window with ranks in a range, by all filters. */
static uint64_t count_rows(const struct oriel_top_merge *merge, uint32_t window,
                           uint32_t rank_begin, uint32_t rank_end) {
    uint64_t count = 0;
    for (unsigned f = 0; f < merge->filter_count; f++) {
        const struct oriel_top_filter *filter = merge->filters[f];
        const uint32_t begin = oriel_top_seek(merge, f, window, rank_begin);
        const uint32_t end = oriel_top_seek(merge, f, window, rank_end);
        if (filter->single)
            count += end - begin;
        for (uint32_t i = begin; !filter->single && i < end; i++)
            count += filter->heaps[merge->groups[f][i]].count;
    }
    return count;
}

/* The cutting of the result into pieces; without `pieces` they are only counted. */
struct cutting {
    const struct oriel_top_merge *merge;
    struct oriel_top_piece *pieces;
    uint64_t count;
    uint64_t row;
};

static void cut(struct cutting *cutting, uint32_t window_begin, uint32_t window_end,
                uint32_t rank_begin, uint32_t rank_end) {
    if (cutting->pieces) {
        cutting->pieces[cutting->count] =
            (struct oriel_top_piece){window_begin, window_end, rank_begin, rank_end, cutting->row};
        for (uint32_t w = window_begin; w < window_end; w++)
            cutting->row += count_rows(cutting->merge, w, rank_begin, rank_end);
    }
    cutting->count++;
}

static void cut_all(struct cutting *cutting) {
    const struct oriel_top_merge *merge = cutting->merge;
    const uint32_t key_count = merge->key_count;
    uint64_t filled = 0;
    uint32_t begin = 0;
    for (uint32_t window = 0; window < merge->window_count; window++) {
        uint64_t groups = 0;
        for (unsigned f = 0; f < merge->filter_count; f++)
            groups += merge->begins[f][window + 1] - merge->begins[f][window];
        if (groups < LARGE_WINDOW_PIECES * PIECE_GROUPS) {
            filled += groups;
            if (filled < PIECE_GROUPS)
                continue;
            cut(cutting, begin, window + 1, 0, key_count);
        } else {
            if (begin < window)
                cut(cutting, begin, window, 0, key_count);
            const uint32_t step = (uint32_t)(key_count / (groups / PIECE_GROUPS)) + 1;
            for (uint64_t rank = 0; rank < key_count; rank += step)
                cut(cutting, window, window + 1, (uint32_t)rank,
                    key_count - rank < step ? key_count : (uint32_t)rank + step);
        }
        filled = 0;
        begin = window + 1;
    }
    if (begin < merge->window_count)
        cut(cutting, begin, merge->window_count, 0, key_count);
}

enum oriel_status oriel_top_cut(const struct oriel_top_merge *merge,
                                struct oriel_top_piece **pieces, uint64_t *count,
                                struct oriel_error *error) {
    struct cutting cutting = {.merge = merge};
    cut_all(&cutting);
    *pieces = oriel_memory_allocate(merge->runtime->memory, cutting.count * sizeof **pieces);
    if (!*pieces)
        return oriel_error_memory(error);
    *count = cutting.count;
    cutting.pieces = *pieces;
    cutting.count = 0;
    cut_all(&cutting);
    return ORIEL_OK;
}
