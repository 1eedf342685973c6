/*
 * Row times: columns of TIMESTAMP and TIMESTAMP_LTZ of any precision as milliseconds of the wall
 * clock, on which windows are cut, and back.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"

/*
 * The wall-clock milliseconds of `row_count` rows: the column's own values when they are just that,
 * else `scratch` (row_count values), filled. Fractions below a millisecond are cut (floor). Values
 * of null rows are any.
 */
const int64_t *oriel_row_time_local(const struct oriel_runtime *runtime,
                                    const struct oriel_column *column, size_t row_count,
                                    int64_t *scratch);

/* Writes a wall-clock time as a value of `type` to row `row` of `values`: window_time. */
void oriel_row_time_store(const struct oriel_runtime *runtime, const struct oriel_type *type,
                          int64_t local_ms, void *values, size_t row);
