/*
 * Inside engine/plan: a sub-query of IN, EXISTS or a value while it is bound. Its conditions on
 * columns of the outer row are kept apart; in them ORIEL_COLUMN_OUTER marks the outer columns.
 */
#pragma once

#include "engine/plan/bind.h"

struct sub_query {
    struct bind_rows rows;
    struct oriel_conditions correlated;
    uint32_t column_count; /* of its SELECT, where they are wanted: expressions over `rows` */
    struct oriel_expression **columns;
};

/* FROM, WHERE and columns of a sub-query whose rows can be joined one by one; any other as a whole.
 */
enum oriel_status oriel_sub_query_bind(struct binder *b, const struct ast_query *query,
                                       const struct bind_scope *outer, bool wants_columns,
                                       struct sub_query *sub);

/* Adds the equalities of an IN to `correlated`. *nullable: one of the compared values may be NULL.
 */
enum oriel_status oriel_sub_query_add_in(struct binder *b, const struct bind_frame *outer,
                                         const struct ast_expression *ast, struct sub_query *sub,
                                         bool *nullable);

/* An equality of the outer with the own row, taken apart. */
struct sub_query_key {
    const char *function;           /* "=" or "IS NOT DISTINCT FROM" */
    struct oriel_expression *outer; /* over the outer row, without the mark */
    struct oriel_expression *own;
};

/* All correlated conditions as equalities; ORIEL_UNSUPPORTED when one is something else. */
enum oriel_status oriel_sub_query_keys(struct binder *b, const struct sub_query *sub,
                                       struct sub_query_key **keys);

/* Left-joins `right`, whose first columns are the keys, to the rows; *out is its column `column`.
 */
enum oriel_status oriel_sub_query_join(struct binder *b, struct bind_rows *rows,
                                       const struct sub_query_key *keys, uint32_t key_count,
                                       struct oriel_plan *right, uint32_t column,
                                       struct oriel_expression **out);
