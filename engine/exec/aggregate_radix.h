/*
 * Inside aggregation: the radix strategy, for windows of single slices (TUMBLE) with many keys. A
 * worker keeps so few groups that they stay in the cache. When there are more they are packed,
 * slice by slice, with their keys, and the worker starts anew with an empty table: no table ever
 * holds all keys. Whoever reads a slice sorts its groups by key, by radix. Where nearly every row
 * is the first of its group nobody looks for groups: each row is one, for some rounds.
 */
#pragma once

#include "engine/exec/aggregate_source.h"

/* Whether the strategy can serve the plan. */
bool aggregate_radix_possible(const struct aggregate_layout *layout);

/* Makes a store that has no groups yet one of the strategy. */
void aggregate_radix_open(struct aggregate_store *store);

/* From the dense form to radix, with all groups that there are. */
enum oriel_status aggregate_radix_begin(struct aggregate_store *store, struct oriel_error *error);

/* Before the keys of a batch get ids: packs the groups when they are too many. */
enum oriel_status aggregate_radix_prepare(struct aggregate_store *store, size_t row_count,
                                          struct oriel_error *error);

/* While store->loose_rounds: in place of ids of keys, and of groups as aggregate_store_find_slices
 * has them; the starts of slices are in store->slice_starts. */
enum oriel_status aggregate_radix_keep_keys(struct aggregate_store *store, size_t row_count,
                                            struct oriel_error *error);
enum oriel_status aggregate_radix_take_rows(struct aggregate_store *store, const uint64_t *rows,
                                            size_t row_count, struct oriel_error *error);

/* Packs all groups. */
enum oriel_status aggregate_radix_pack(struct aggregate_store *store, struct oriel_error *error);

/* Room for `count` groups and a piece; forgets what is there. */
enum oriel_status aggregate_keyed_slice_reserve(struct aggregate_keyed_slice *keyed,
                                                const struct aggregate_layout *layout, size_t count,
                                                struct oriel_error *error);
/* Reads the groups of a piece to row `first` on. Begins with row 0. */
void aggregate_keyed_slice_read(struct aggregate_keyed_slice *keyed,
                                const struct aggregate_piece *piece, size_t first);
void aggregate_keyed_slice_deinit(struct aggregate_keyed_slice *keyed);

/* Puts out a slice. */
enum oriel_status aggregate_keyed_slice_put(struct aggregate_reader *reader, uint32_t slice,
                                            struct oriel_error *error);
