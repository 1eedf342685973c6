/*
 * Cuts the result of Top-N into pieces of some thousand groups: neighbouring windows together, a
 * large window by the ranks of its keys, so that all workers have a part of it.
 */
#include "engine/exec/top_pieces.h"

enum { PIECE_GROUPS = 8192 };

/* Rows of the groups of a window with ranks in a range, at most. */
static uint64_t count_rows(const struct oriel_top_merge *merge, uint32_t window,
                           uint32_t rank_begin, uint32_t rank_end) {
    const uint64_t groups = oriel_top_group_count(merge, window);
    const uint64_t ranks = (uint64_t)(rank_end - rank_begin) * merge->filter_count;
    return (groups < ranks ? groups : ranks) * (uint64_t)merge->layout->plan->rank.high;
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
        const uint64_t groups = oriel_top_group_count(merge, window);
        if (groups < ORIEL_TOP_LARGE_WINDOW) {
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
