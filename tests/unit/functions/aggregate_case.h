/*
 * Runs one aggregate over the rows of one group: in one pass, or split at random into parts that
 * are updated apart, saved and loaded, and merged in a random order. Results are texts.
 */
#pragma once

#include "engine/functions/aggregate.h"
#include "tests/unit/functions/call_case.h"

enum { AGGREGATE_ARGUMENTS_MAX = 3, AGGREGATE_RESULT_BYTES = 1 << 16 };

struct aggregate_rows {
    uint32_t column_count;
    struct oriel_column columns[AGGREGATE_ARGUMENTS_MAX];
    const struct oriel_column *constants[AGGREGATE_ARGUMENTS_MAX]; /* NULL where not constant */
    size_t row_count;
};

struct aggregate_options {
    bool distinct;
    enum oriel_aggregate_nulls nulls;
};

/* ORIEL_INVALID when the aggregate does not take the types. */
enum oriel_status aggregate_bind(struct call_bench *bench, const char *name,
                                 const struct aggregate_rows *rows,
                                 struct aggregate_options options,
                                 struct oriel_aggregate_call *call, struct oriel_error *error);

/* The rows in one update; `out` gets the result as text. */
enum oriel_status aggregate_at_once(struct call_bench *bench,
                                    const struct oriel_aggregate_call *call,
                                    const struct aggregate_rows *rows, char *out,
                                    struct oriel_error *error);

/* The rows in `part_count` parts with arenas of their own; the seed decides which row goes where,
 * which parts are saved and loaded, and the order of merges. */
enum oriel_status aggregate_in_parts(struct call_bench *bench,
                                     const struct oriel_aggregate_call *call,
                                     const struct aggregate_rows *rows, size_t part_count,
                                     uint64_t seed, char *out, struct oriel_error *error);

/* Rows of a constant per argument, from texts like "INT|1,NULL,3;=DOUBLE|0.5". */
void aggregate_rows_of_text(struct call_bench *bench, const char *text, struct aggregate_rows *out);

/* A random column: few different values, some NULLs, extremes of the type. */
struct oriel_column random_column(struct call_bench *bench, struct oriel_type type,
                                  size_t row_count, uint64_t *seed);

uint64_t next_random(uint64_t *seed);
