/*
 * Inside engine/functions: the rows that the aggregate files give to the table, and what they
 * share.
 */
#pragma once

#include <string.h>

#include "engine/functions/aggregate.h"
#include "engine/functions/function.h"

/* Each ends with an entry without a name. */
extern const struct oriel_aggregate oriel_aggregates_count[];
extern const struct oriel_aggregate oriel_aggregates_sum[];
extern const struct oriel_aggregate oriel_aggregates_extreme[];
extern const struct oriel_aggregate oriel_aggregates_variance[];
extern const struct oriel_aggregate oriel_aggregates_edge[];
extern const struct oriel_aggregate oriel_aggregates_array[];
extern const struct oriel_aggregate oriel_aggregates_collect[];
extern const struct oriel_aggregate oriel_aggregates_json[];
extern const struct oriel_aggregate oriel_aggregates_percentile[];

/* Of COUNT; DISTINCT knows their result without running them. */
extern const struct oriel_aggregate_operations oriel_aggregate_count_operations;

/* Wraps the operations of a bound aggregate so that a value counts once; see aggregate_distinct.c.
 */
enum oriel_status oriel_aggregate_make_distinct(struct oriel_aggregate_binding *binding,
                                                struct oriel_error *error);

/* "SUM cannot be applied to ..." */
enum oriel_status oriel_aggregate_type_error(const struct oriel_aggregate_binding *binding,
                                             const char *wanted, struct oriel_error *error);

/* "Illegal use of 'NULL'" */
enum oriel_status oriel_aggregate_null_error(const struct oriel_aggregate_binding *binding,
                                             struct oriel_error *error);

/* Calls `body` for each selected row: the loop of updates that no kernel serves. */
#define ORIEL_FOR_SELECTED(row, rows, row_count)                                                   \
    for (size_t row = 0; row < (row_count); row++)                                                 \
        if (oriel_bits_get((rows), row))
