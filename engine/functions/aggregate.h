/*
 * Aggregate functions: one struct of functions each, one file a family, one row each in the table.
 *
 * A state is `state_bytes` bytes, aligned to 16, and all zero when nothing was added. Whoever
 * groups decides which rows go to which state; the aggregate decides what rows do to a state.
 * Merging is associative, and exact for any split of the rows: the result never depends on threads
 * or batches.
 */
#pragma once

#include "engine/functions/expression.h"

struct oriel_aggregate;

/* What IGNORE NULLS and RESPECT NULLS, and the clauses ABSENT and NULL ON NULL say. */
enum oriel_aggregate_nulls {
    ORIEL_AGGREGATE_NULLS_DEFAULT,
    ORIEL_AGGREGATE_NULLS_KEPT,
    ORIEL_AGGREGATE_NULLS_IGNORED,
};

struct oriel_aggregate_call {
    const struct oriel_aggregate *function;
    struct oriel_position position;
    struct oriel_type result;
    uint32_t argument_count; /* 0 for COUNT(*) */
    const struct oriel_type *argument_types;
    const uint32_t *arguments;        /* columns of the input batch */
    int32_t filter;                   /* BOOLEAN column of FILTER (WHERE ...), or -1 */
    bool distinct;                    /* for EXPLAIN; the operations already respect it */
    enum oriel_aggregate_nulls nulls; /* likewise */
    bool divides_sum;                 /* AVG: of the sum as SUM has it, wrapped around */
    const void *state;                /* what bind prepared, e.g. a separator */
    size_t state_bytes;
    const struct oriel_aggregate_operations *operations; /* chosen by bind for the types */
};

/* Surroundings of an update, merge or finish. `arena` owns what states point to: it lives as long
 * as the states and belongs to one worker or partition. */
struct oriel_aggregation {
    const struct oriel_runtime *runtime;
    struct oriel_arena *arena;
    struct oriel_error *error;
};

struct oriel_aggregate_operations {
    /*
     * Adds rows: row i of the argument columns goes to the state at states + groups[i] *
     * stride_bytes. `rows` are selection words (FILTER, and for functions that skip nulls the
     * validity of the argument); NULL: all rows. first_row + i is the place of row i in the input
     * order.
     */
    enum oriel_status (*update)(const struct oriel_aggregate_call *call,
                                struct oriel_aggregation *aggregation, char *states,
                                size_t stride_bytes, const uint32_t *groups,
                                const struct oriel_column *arguments, const uint64_t *rows,
                                size_t row_count, uint64_t first_row);
    /* Adds the state `from` to `into`. `from` stays usable and may point into another arena; `into`
     * may then point there too, so that arena must live until `into` is finished or saved. */
    enum oriel_status (*merge)(const struct oriel_aggregate_call *call,
                               struct oriel_aggregation *aggregation, void *into, const void *from);
    bool merge_adds_words; /* merge is the sum of each 64-bit word, wrapped around */
    /* Writes the results of `count` states at states + i * stride_bytes to rows 0.. of `out`
     * (buffers with validity words, all valid). Strings and nested values are in aggregation->arena
     * or where the states have them. */
    enum oriel_status (*finish)(const struct oriel_aggregate_call *call,
                                struct oriel_aggregation *aggregation, const char *states,
                                size_t stride_bytes, size_t count, struct oriel_column *out);
    /* For states that point elsewhere (NULL otherwise): bytes that save needs, save, and load. */
    size_t (*saved_bytes)(const struct oriel_aggregate_call *call, const void *state);
    void (*save)(const struct oriel_aggregate_call *call, const void *state, char *out);
    enum oriel_status (*load)(const struct oriel_aggregate_call *call,
                              struct oriel_aggregation *aggregation, void *state, const char *bytes,
                              size_t size_bytes);
};

struct oriel_aggregate_binding {
    const struct oriel_runtime *runtime;
    struct oriel_arena *statement_arena;
    struct oriel_position position;
    const char *name;
    bool distinct;
    enum oriel_aggregate_nulls nulls;
    bool last_is_json; /* the last argument is a call of JSON_OBJECT or JSON_ARRAY */
    uint32_t argument_count;
    const struct oriel_type *argument_types;
    const struct oriel_column *const *constants;
    /* results */
    struct oriel_type *casts;
    struct oriel_type result;
    size_t state_bytes;
    const struct oriel_aggregate_operations *operations;
    const void *state;
};

enum oriel_aggregate_flags {
    ORIEL_AGGREGATE_SKIPS_NULLS = 1, /* rows whose first argument is NULL are not given to update */
    ORIEL_AGGREGATE_ORDERED = 2,     /* the result depends on the order of the input */
    ORIEL_AGGREGATE_IGNORES_DISTINCT = 4, /* MIN, MAX: duplicates do not change the result */
    ORIEL_AGGREGATE_NEVER_NULL = 8,       /* COUNT, COLLECT: also for a group without rows */
    ORIEL_AGGREGATE_NULL_AS_ARGUMENT =
        16, /* not NULL where no argument is NULL and there are rows */
    ORIEL_AGGREGATE_TAKES_NULLS_CLAUSE = 32, /* ARRAY_AGG: IGNORE NULLS, RESPECT NULLS */
    ORIEL_AGGREGATE_HOLDS_ALL = 64,          /* ARRAY_AGG: a result has all values of its group */
};

struct oriel_aggregate {
    const char *name;
    uint8_t argument_count_min, argument_count_max;
    unsigned flags;
    enum oriel_status (*bind)(struct oriel_aggregate_binding *binding, struct oriel_error *error);
};

/* The aggregate with that name (upper case), or NULL. */
const struct oriel_aggregate *oriel_aggregate_find(const char *name);

/* All of them; NULL past the end. */
const struct oriel_aggregate *oriel_aggregate_at(size_t index);

/* Binds for the argument types of `binding` and, when binding->distinct is set, wraps the
 * operations so that equal values count once. Call this, not aggregate->bind. */
enum oriel_status oriel_aggregate_bind(const struct oriel_aggregate *aggregate,
                                       struct oriel_aggregate_binding *binding,
                                       struct oriel_error *error);
