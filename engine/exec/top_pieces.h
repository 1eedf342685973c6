/*
 * Inside Top-N and deduplication: the result cut into pieces, each read by one worker.
 */
#pragma once

#include "engine/exec/top_merge.h"

/* Some windows, or the groups of one whose ranks lie in a range. */
struct oriel_top_piece {
    uint32_t window_begin, window_end;
    uint32_t rank_begin, rank_end;
    uint64_t first_row; /* at or behind all rows of the pieces before */
};

/* Cuts; `pieces` is a block of the merge's memory. */
enum oriel_status oriel_top_cut(const struct oriel_top_merge *merge,
                                struct oriel_top_piece **pieces, uint64_t *count,
                                struct oriel_error *error);
