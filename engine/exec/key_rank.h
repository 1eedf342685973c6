/*
 * The order of the distinct keys of a result.
 */
#pragma once

#include "engine/exec/row_key.h"

/*
 * Writes the numbers of the rows of `keys` to `order` (row_count entries) so that they ascend by
 * `items`; equal rows keep their order. Numbers and short strings are sorted by radix on an 8-byte
 * prefix, and only rows of equal prefixes are compared.
 */
enum oriel_status oriel_key_rank(const struct oriel_runtime *runtime,
                                 const struct oriel_table *keys,
                                 const struct oriel_sort_item *items, uint32_t item_count,
                                 uint32_t *order, struct oriel_error *error);
