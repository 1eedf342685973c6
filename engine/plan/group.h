/*
 * Inside engine/plan: a grouped SELECT while it is bound. Keys and arguments of aggregates are
 * computed by a projection below the aggregation; what stands above it refers to its output: keys,
 * aggregates, then the grouping id, whose place is known when all aggregates are.
 */
#pragma once

#include "engine/plan/bind.h"

enum { ORIEL_GROUP_KEYS_MAX = 63, ORIEL_GROUP_SETS_MAX = 4096 };

struct bind_group {
    struct bind_rows *input;
    struct oriel_position position;

    uint32_t key_count;
    const struct ast_expression **keys;
    uint32_t *key_columns;        /* in the projection */
    struct oriel_type *key_types; /* above the aggregation */
    uint32_t set_count;
    uint64_t *sets;

    /* GROUP BY TUMBLE(ts, size) and its like: the call, and calls of its auxiliary functions
     * _START, _END and _ROWTIME, which are keys in its place; over these columns of the input.
     * NULL: none. */
    const struct ast_expression *window_call;
    struct ast_expression *window_keys[3];
    uint32_t window_columns[3];

    uint32_t computed_count; /* the projection */
    struct oriel_expression **computed;

    uint32_t aggregate_count;
    struct oriel_aggregate_call *aggregates;

    uint32_t reference_count; /* columns to be set to the grouping id */
    struct oriel_expression **references;

    uint32_t joined_count; /* sub-queries in SELECT and HAVING: joined to the result */
    struct bind_joined *joined;
};

struct sub_query_key;

/* A sub-query that is left-joined to the rows of a grouping. */
struct bind_joined {
    struct oriel_plan *right; /* its first columns are the keys */
    const struct sub_query_key *keys;
    uint32_t key_count;
    uint32_t column;                    /* of `right`: the value */
    struct oriel_expression *reference; /* gets its column when the join is made */
};

/* sub_query.c: joins `right` as oriel_sub_query_join does, at once to the rows of the frame or,
 * above a grouping, when that is finished. */
enum oriel_status oriel_sub_query_place(struct binder *b, struct bind_frame *frame,
                                        const struct sub_query_key *keys, uint32_t key_count,
                                        struct oriel_plan *right, uint32_t column,
                                        struct oriel_expression **out);
enum oriel_status oriel_group_join_values(struct binder *b, struct bind_group *group,
                                          struct oriel_plan **plan);

/* A number for the column of a reference whose place is not known yet, unlike all others. */
#define ORIEL_COLUMN_PROVISIONAL (1u << 30)
#define ORIEL_COLUMN_OF_OVER (1u << 29)

/* The column of the projection that computes `expression`. */
enum oriel_status oriel_group_compute(struct binder *b, struct bind_group *group,
                                      struct oriel_expression *expression, uint32_t *column);

/* bind_aggregate.c, when all aggregates are known. Flink makes quotients of SUM and COUNT of all
 * AVG where that needs fewer aggregates, or where there is a STDDEV or VAR; an AVG of integers then
 * has the sum as it wrapped around. */
enum oriel_status oriel_bind_averages(struct binder *b, struct bind_group *group);

/* The number of a key; the same expression is one key. */
enum oriel_status oriel_group_add_key(struct binder *b, struct bind_group *group,
                                      const struct ast_expression *ast, uint32_t *key);

/* The same for an expression that is bound already. */
enum oriel_status oriel_group_add_bound_key(struct binder *b, struct bind_group *group,
                                            const struct ast_expression *ast,
                                            struct oriel_expression *expression, uint32_t *key);

/* grouping_sets.c: sets keys and sets from the GROUP BY of `query`. */
enum oriel_status oriel_group_bind_sets(struct binder *b, struct bind_group *group,
                                        const struct ast_query *query);

/* bind_group_window.c: finds a group window function in GROUP BY and puts its window under the
 * input. */
enum oriel_status oriel_group_bind_window(struct binder *b, const struct ast_query *query,
                                          struct bind_group *group);
bool oriel_group_is_window_call(const struct ast_expression *ast);

/* A group over `input` without keys yet, and their types once all are added. */
enum oriel_status oriel_group_make(struct binder *b, struct bind_rows *input,
                                   struct oriel_position position, struct bind_group **out);
enum oriel_status oriel_group_set_key_types(struct binder *b, struct bind_group *group);
