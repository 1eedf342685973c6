/*
 * Inside joins: the right rows of one key in the order of a value, so that those that a left row
 * can match by the plan's ranges are found by binary search. An interval join then costs its rows
 * and its matches.
 */
#pragma once

#include "engine/exec/join_pairs.h"

/* The right rows of a partition. */
struct oriel_range_search {
    const struct oriel_join_room *room;
    uint32_t *rows;   /* by key, then by the value of the first range, then as they come; NULL: they
                         cannot be searched */
    size_t row_count; /* without the rows that have a NULL in a range, which match nothing */
    uint32_t *begins; /* where the rows of each key begin; behind the last key the end of all */
    /* by range: of `rows`, biased to ascend as unsigned numbers; NULL where they do not ascend */
    uint64_t *values[ORIEL_JOIN_RANGES_MAX];
    const struct oriel_column *left; /* by range: of a slice of left rows */
    bool has_left;
};

/* Sorts the right rows, of which row i has the key ids[i]. Where a value cannot be computed they
 * are not searched, and the residual finds out whether that is an error. Lists in `arena`. */
enum oriel_status oriel_range_search_init(struct oriel_range_search *search,
                                          const struct oriel_join_room *room,
                                          struct oriel_arena *arena,
                                          const struct oriel_table *right, const uint32_t *ids,
                                          uint32_t key_count, struct oriel_error *error);

/* Goes to a slice of left rows, which is borrowed until the last find. */
enum oriel_status oriel_range_search_begin(struct oriel_range_search *search,
                                           const struct oriel_batch *left,
                                           struct oriel_error *error);

/* Places [*begin, *end) in search->rows: the rows of a key that left row `i` of the slice can
 * match. */
void oriel_range_search_find(const struct oriel_range_search *search, uint32_t key, size_t i,
                             size_t *begin, size_t *end);
