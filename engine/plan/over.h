/*
 * Inside the binder: calls with OVER, which bind_over.c collects and turns into plan nodes, and
 * bind_over_frame.c binds the aggregates and frames of.
 */
#pragma once

#include "engine/plan/bind.h"

struct over_call {
    struct oriel_position position;
    bool is_rank;
    enum oriel_rank_function function;   /* rank */
    struct oriel_over_call frame;        /* else: all but its columns */
    struct oriel_expression **arguments; /* likewise */
    uint32_t partition_count;
    struct oriel_expression **partition;
    uint32_t item_count;
    struct oriel_expression **items;
    struct oriel_sort_item *orders;
    struct oriel_expression *reference; /* its column is set when the node is placed */
};

struct bind_over {
    const struct ast_query *query; /* whose WINDOW clause names windows */
    uint32_t call_count;
    struct over_call *calls;
};

/* bind_over_value.c: LAG, LEAD, NTILE, PERCENT_RANK and CUME_DIST, which look at the rows of the
 * partition one by one; false when `name` is none of them. */
bool oriel_over_find_function(const char *name, enum oriel_over_function *function);
enum oriel_status oriel_bind_over_value(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        const struct ast_over *window, struct over_call *call);

/* bind_over_spread.c: VAR and STDDEV of integers, made of SUM and COUNT; *done is false for any
 * other call. */
enum oriel_status oriel_bind_over_spread(struct binder *b, struct bind_frame *frame,
                                         const struct ast_expression *ast, bool *done,
                                         struct oriel_expression **out);

/* bind_over_frame.c: fills frame and arguments of an aggregate; partition and items are
 * bound. */
enum oriel_status oriel_bind_over_aggregate(struct binder *b, struct bind_frame *frame,
                                            const struct ast_expression *ast,
                                            const struct ast_over *window, struct over_call *call);
