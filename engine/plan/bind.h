/*
 * Inside engine/plan: what the files of the binder share. One `struct binder` lives while one
 * statement is bound; frames say what an expression at some place may refer to.
 */
#pragma once

#include "engine/plan/binder.h"
#include "engine/plan/expression_tree.h"
#include "engine/plan/plan_node.h"

struct bind_group;
struct bind_over;

/* A WITH query in sight; the nearest one first. */
struct bind_with {
    const struct ast_with *with;
    const struct bind_with *next; /* those it may refer to itself */
};

struct binder {
    struct oriel_session *session;
    const struct oriel_runtime *runtime;
    struct oriel_arena *arena;
    struct oriel_error *error;
    const struct bind_with *with;
    const struct ast_with *recursive;   /* the WITH RECURSIVE query that is being bound, or NULL */
    unsigned depth;                     /* of queries in queries, views in views */
    uint32_t table_count;               /* tables and named queries bound so far, each time */
    const struct bind_scope *enclosing; /* of a sub-query that cannot be correlated; for messages */
};

enum {
    ORIEL_BIND_DEPTH_MAX = 200,
    ORIEL_BIND_NODES_MAX = 20000,
    ORIEL_BIND_TABLES_MAX = 10000,
    ORIEL_BIND_COLUMNS_MAX = 10000, /* of a table or query */
};

/* Columns that a place can name. Column i of the scope is column i of the rows, but for `hidden`
 * ones (the right side of USING), which only a qualified name reaches. */
struct bind_column {
    const char *name;
    struct oriel_type type;
    bool hidden;
};

struct bind_table {
    const char *alias; /* NULL: none */
    uint32_t first, count;
};

struct bind_scope {
    const struct bind_scope *outer; /* of the enclosing query, for correlation */
    uint32_t column_count;
    struct bind_column *columns;
    uint32_t table_count;
    struct bind_table *tables;
};

/* What stands at the place that is bound. */
struct bind_frame {
    const struct bind_scope *scope;
    const char *clause;       /* for messages: "WHERE" */
    struct bind_group *group; /* NULL: not grouped */
    struct bind_over *over;   /* NULL: OVER may not stand here */
    struct bind_rows *rows;   /* whose plan a scalar sub-query may be joined to; NULL: none */
    const struct ast_query *aliases; /* QUALIFY: the SELECT whose aliases it can name; or NULL */
    bool null_is_false;              /* of a condition: WHERE takes NULL for FALSE */
    bool in_aggregate;
};

/* A bound FROM item or query: rows and the names of their columns. */
struct bind_rows {
    struct oriel_plan *plan;
    struct bind_scope scope;
};

static inline enum oriel_status oriel_bind_memory(struct binder *b) {
    return oriel_error_memory(b->error);
}

/* suggest.c: the candidate that looks most like `name`, or NULL when none is close. */
struct oriel_suggestion {
    const char *name;
    const char *best;
    unsigned distance;
};
void oriel_suggestion_offer(struct oriel_suggestion *suggestion, const char *candidate);
/* "; did you mean 'x'?" or "". */
const char *oriel_suggestion_text(const struct oriel_suggestion *suggestion, char *out,
                                  size_t size);

/* scope.c */
enum oriel_name_result { ORIEL_NAME_FOUND, ORIEL_NAME_NONE, ORIEL_NAME_AMBIGUOUS };
enum oriel_name_result oriel_scope_find(const struct bind_scope *scope, const struct ast_name *name,
                                        uint32_t *column, uint32_t *part_count);
enum oriel_status oriel_scope_resolve(struct binder *b, const struct bind_scope *scope,
                                      const struct ast_name *name, struct oriel_expression **out);
/* One table with the fields of `plan`. */
enum oriel_status oriel_scope_init(struct binder *b, struct bind_scope *scope,
                                   const struct oriel_plan *plan, const char *alias);
enum oriel_status oriel_scope_join(struct binder *b, const struct bind_scope *left,
                                   const struct bind_scope *right, struct bind_scope *out);
/* Renames columns of the one table. */
enum oriel_status oriel_scope_rename(struct binder *b, struct bind_scope *scope,
                                     struct oriel_position position, uint32_t name_count,
                                     struct ast_identifier *const *names);
/* Makes names unique in place: ts, ts -> ts, ts0. */
enum oriel_status oriel_scope_uniquify(struct binder *b, const char **names, uint32_t count);

/* bind_type.c */
enum oriel_status oriel_bind_type(struct oriel_arena *arena, const struct ast_type *ast,
                                  struct oriel_type *out, struct oriel_error *error);

/* bind_literal.c */
enum oriel_status oriel_bind_literal(struct binder *b, const struct ast_expression *ast,
                                     bool negated, struct oriel_expression **out);
enum oriel_status oriel_bind_interval(const struct ast_expression *ast, bool *is_months,
                                      int64_t *value, struct oriel_error *error);
struct oriel_expression *oriel_bind_string(struct binder *b, const char *bytes, size_t length,
                                           struct oriel_position position);

/* bind_expression.c */
/* ORIEL_INVALID for a NULL without a type. */
enum oriel_status oriel_bind_refuse_null(struct binder *b, const struct ast_expression *ast);
enum oriel_status oriel_bind_expression(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **out);
/* The same, where the literal NULL may stand without a type. */
enum oriel_status oriel_bind_operand(struct binder *b, struct bind_frame *frame,
                                     const struct ast_expression *ast,
                                     struct oriel_expression **out);
enum oriel_status oriel_bind_condition(struct binder *b, struct bind_frame *frame,
                                       const struct ast_expression *ast,
                                       struct oriel_expression **out);
/* The same without a frame's grouping and OVER: a plain call. */
enum oriel_status oriel_bind_plain_call(struct binder *b, const char *name,
                                        struct oriel_position position,
                                        struct oriel_expression *const *arguments, uint32_t count,
                                        const struct oriel_type *target,
                                        struct oriel_expression **out);
/* Folds an expression that was put together here. Forms that write an argument out several times
 * must not multiply without bound when they are nested: too many nodes are an error. */
enum oriel_status oriel_bind_finish_form(struct binder *b, struct oriel_expression **expression);
enum oriel_status oriel_bind_as_computed(struct binder *b, struct oriel_expression **out);
enum oriel_status oriel_bind_cast(struct binder *b, struct oriel_expression *expression,
                                  struct oriel_type type, struct oriel_expression **out);
/* Whether two trees are the same expression over `scope`. */
bool oriel_ast_same(const struct bind_scope *scope, const struct ast_expression *a,
                    const struct ast_expression *b);

/* bind_json.c: JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT, JSON_ARRAY */
bool oriel_bind_is_json(const char *name);
enum oriel_status oriel_bind_json(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out);

/* bind_call.c: calls that are neither aggregate nor OVER. */
enum oriel_status oriel_bind_call(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out);
/* bind_case.c */
enum oriel_status oriel_bind_case(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out);
/* COALESCE, IFNULL, NULLIF, IF. */
bool oriel_bind_is_conditional(const char *name);
enum oriel_status oriel_bind_conditional(struct binder *b, const struct ast_expression *ast,
                                         struct oriel_expression *const *arguments,
                                         struct oriel_expression **out);

/* bind_group.c */
enum oriel_status oriel_bind_group(struct binder *b, const struct ast_query *query,
                                   struct bind_rows *input, struct bind_group **out);
/* The column of a key that `ast` is, if it is one. */
struct oriel_expression *oriel_group_match(struct binder *b, const struct bind_group *group,
                                           const struct ast_expression *ast, bool *matched);
enum oriel_status oriel_group_finish(struct binder *b, struct bind_group *group,
                                     struct oriel_plan **out);
/* The error of a column that is neither grouped nor aggregated. */
enum oriel_status oriel_bind_not_grouped(struct binder *b, const char *name,
                                         struct oriel_position position);
/* GROUPING and GROUPING_ID. */
enum oriel_status oriel_bind_grouping(struct binder *b, struct bind_frame *frame,
                                      const struct ast_expression *ast,
                                      struct oriel_expression **out);
struct oriel_plan *oriel_bind_distinct(struct binder *b, struct oriel_plan *input);

/* bind_group_window.c: TUMBLE_START and its like. */
bool oriel_bind_is_window_auxiliary(const char *name);

/* bind_aggregate.c */
bool oriel_bind_is_aggregate(const struct ast_expression *ast);
bool oriel_bind_has_aggregate(const struct ast_expression *ast);
enum oriel_status oriel_bind_aggregate(struct binder *b, struct bind_frame *frame,
                                       const struct ast_expression *ast,
                                       struct oriel_expression **out);

/* Chooses the operations for bound arguments, which get casts, and fills all of `call` but the
 * columns. */
enum oriel_status oriel_bind_aggregate_call(struct binder *b, const struct ast_expression *ast,
                                            struct oriel_expression **arguments, uint32_t count,
                                            struct oriel_aggregate_call *call);

/* bind_over.c */
struct bind_over *oriel_over_make(struct binder *b, const struct ast_query *query);
enum oriel_status oriel_bind_over(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out);
/* Puts the nodes of all OVER calls on top of `plan`. */
enum oriel_status oriel_over_finish(struct binder *b, struct bind_over *over,
                                    struct oriel_plan **plan);

/* bind_query.c: a whole query, or its first parts. */
enum oriel_status oriel_bind_rows(struct binder *b, const struct ast_query *query,
                                  struct oriel_plan **out);
enum oriel_status oriel_bind_where(struct binder *b, struct bind_rows *rows,
                                   const struct ast_expression *where,
                                   struct oriel_conditions *correlated);
/* FROM and WHERE. Conditions on columns of `outer` go to `correlated`. */
enum oriel_status oriel_bind_source(struct binder *b, const struct ast_query *query,
                                    const struct bind_scope *outer,
                                    struct oriel_conditions *correlated, struct bind_rows *out);
bool oriel_bind_is_grouped(const struct ast_query *query);

/* bind_set.c: VALUES, UNION, INTERSECT, EXCEPT. */
enum oriel_status oriel_bind_values(struct binder *b, const struct ast_query *query,
                                    struct oriel_plan **out);
enum oriel_status oriel_bind_set(struct binder *b, const struct ast_query *query,
                                 struct oriel_plan **out);

/* bind_order.c: ORDER BY and LIMIT over a query's own columns. */
enum oriel_status oriel_bind_limit(struct binder *b, const struct ast_query *query,
                                   struct oriel_plan **plan);
enum oriel_status oriel_bind_order_output(struct binder *b, const struct ast_query *query,
                                          struct oriel_plan **plan);
enum oriel_status oriel_bind_ordinal(struct binder *b, const struct ast_expression *ast,
                                     uint32_t count, uint32_t *column);
struct oriel_plan *oriel_plan_make_sort(struct oriel_arena *arena, struct oriel_plan *input,
                                        uint32_t item_count, struct oriel_sort_item *items);
struct oriel_sort_item oriel_bind_sort_item(const struct ast_order_item *item, uint32_t column);

/* bind_from.c */
/* Tables and queries that have too many columns are an error. */
enum oriel_status oriel_bind_check_columns(struct binder *b, uint32_t count,
                                           struct oriel_position position);
enum oriel_status oriel_bind_from(struct binder *b, const struct ast_from *from,
                                  struct bind_rows *out);
/* bind_join.c */
enum oriel_status oriel_bind_join(struct binder *b, const struct ast_from *from,
                                  struct bind_rows *out);
/* bind_unnest.c: the rows of `left`, once for each element; `outer` keeps those without one. */
enum oriel_status oriel_bind_unnest(struct binder *b, const struct ast_from *from,
                                    const struct bind_rows *left, bool outer,
                                    struct bind_rows *out);
/* SELECT without FROM: one row without columns. */
enum oriel_status oriel_bind_one_row(struct binder *b, struct oriel_position position,
                                     struct bind_rows *rows);
/* bind_window.c: TUMBLE, HOP, CUMULATE, SESSION in FROM. */
enum oriel_status oriel_bind_window(struct binder *b, const struct ast_from *from,
                                    struct bind_rows *out);

/* bind_subquery.c: a condition of WHERE that is IN or EXISTS with a sub-query, or the negation. */
bool oriel_bind_is_subquery_condition(const struct ast_expression *ast);
enum oriel_status oriel_bind_subquery_condition(struct binder *b, struct bind_rows *rows,
                                                const struct ast_expression *ast);

/* bind_scalar.c: (SELECT ...) as a value. */
enum oriel_status oriel_bind_scalar(struct binder *b, struct bind_frame *frame,
                                    const struct ast_expression *ast,
                                    struct oriel_expression **out);

/* bind_membership.c: IN and EXISTS with a sub-query within an expression. */
enum oriel_status oriel_bind_membership(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **out);

/* rewrite_range.c: leaves windows out that end outside of the runtime's range. */
enum oriel_status oriel_restrict_windows(struct binder *b, struct oriel_plan **plan);

/* watch_late.c: binds the watermark of a table for its scan, if late rows are to be counted; `rows`
 * are the table's rows over the scan. Tells scans the windows to count for. */
enum oriel_status oriel_bind_watermark(struct binder *b, const struct oriel_table_entry *entry,
                                       struct oriel_plan *scan, struct oriel_plan *rows);
enum oriel_status oriel_watch_late(struct binder *b, struct oriel_plan *plan);

/* rewrite.c: all rewrites, in order. */
enum oriel_status oriel_plan_rewrite(struct binder *b, struct oriel_plan **plan);
