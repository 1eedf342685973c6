/*
 * Tree building: SELECT, VALUES, set operations and what stands around them.
 */
#include <string.h>

#include "engine/sql/ast_build.h"

struct sql_query_tail *oriel_ast_tail(struct sql_parser *parser, struct sql_list *order_by,
                                      struct ast_expression *limit, struct ast_expression *offset) {
    struct sql_query_tail *tail = oriel_ast_allocate(parser, sizeof *tail);
    if (tail)
        *tail = (struct sql_query_tail){order_by, limit, offset};
    return tail;
}

static struct ast_query *make(struct sql_parser *parser, enum ast_query_kind kind,
                              struct sql_location location) {
    struct ast_query *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = kind;
    out->position = sql_position(location);
    out->depth = 1;
    return out;
}

static void raise_depth(struct ast_query *query, uint32_t child) {
    if (query->depth <= child)
        query->depth = child + 1;
}

static void raise_by_expression(struct ast_query *query, const struct ast_expression *child) {
    if (child)
        raise_depth(query, child->depth);
}

static struct ast_query *check(struct sql_parser *parser, struct ast_query *query) {
    return oriel_ast_check_depth(parser, query->depth, query->position) ? query : NULL;
}

/* SELECT * FROM a table or a query. */
static struct ast_query *select_all(struct sql_parser *parser, struct sql_location location,
                                    struct ast_from *from) {
    struct ast_query *out = make(parser, AST_QUERY_SELECT, location);
    struct ast_expression *star = oriel_ast_star(parser, location, NULL);
    if (!out || !star || !from)
        return NULL;
    struct ast_select_item *item = oriel_ast_select_item(parser, location, star, NULL);
    struct sql_list *items = item ? oriel_ast_list(parser, item) : NULL;
    if (!items)
        return NULL;
    SQL_TAKE(out->items, items);
    out->from = from;
    return oriel_ast_select_finish(parser, out);
}

struct ast_query *oriel_ast_query_finish(struct sql_parser *parser, struct sql_location location,
                                         struct ast_query *body, struct sql_list *with,
                                         const struct sql_query_tail *tail) {
    /* The inner ORDER BY, LIMIT or WITH of a query in parentheses belongs to it alone. */
    if (body->with.count || body->order_by.count || body->limit || body->offset) {
        body = select_all(parser, location, oriel_ast_from_query(parser, location, body));
        if (!body)
            return NULL;
    }
    SQL_TAKE(body->with, with);
    for (uint32_t i = 0; i < body->with.count; ++i)
        raise_depth(body, body->with.items[i]->query->depth);
    if (tail) {
        SQL_TAKE(body->order_by, tail->order_by);
        for (uint32_t i = 0; i < body->order_by.count; ++i)
            raise_by_expression(body, body->order_by.items[i]->expression);
        body->limit = tail->limit;
        body->offset = tail->offset;
    }
    body->position = sql_position(location);
    return check(parser, body);
}

struct sql_list *oriel_ast_row_list(struct sql_parser *parser, struct sql_list *rows,
                                    struct ast_expression *row) {
    if (row->kind != AST_CALL || strcmp(row->text, "ROW") != 0) {
        struct ast_expression *one =
            oriel_ast_operator(parser, (struct sql_location){0}, "ROW", row, NULL, NULL);
        if (!one)
            return NULL;
        one->position = row->position;
        row = one;
    }
    return oriel_ast_list_add(parser, rows, row);
}

struct ast_query *oriel_ast_values(struct sql_parser *parser, struct sql_location location,
                                   struct sql_list *rows) {
    struct ast_query *out = make(parser, AST_QUERY_VALUES, location);
    if (!out)
        return NULL;
    SQL_TAKE(out->rows, rows);
    for (uint32_t i = 0; i < out->rows.count; ++i)
        raise_by_expression(out, out->rows.items[i]);
    return check(parser, out);
}

struct ast_query *oriel_ast_table_query(struct sql_parser *parser, struct sql_location location,
                                        struct ast_name *name) {
    return select_all(parser, location, oriel_ast_from_table(parser, location, name, NULL));
}

/* One more branch; the array has room up to the next power of two. */
static struct ast_query *append(struct sql_parser *parser, struct ast_query *query,
                                struct ast_query *branch) {
    const uint32_t count = query->rest.count;
    if ((count & (count - 1)) == 0) {
        struct ast_query **items =
            oriel_arena_allocate_zeroed(parser->arena, (size_t)count * 2 + 1, sizeof *items);
        if (!items)
            return oriel_sql_fail_memory(parser);
        if (count)
            memcpy(items, query->rest.items, count * sizeof *items);
        query->rest.items = items;
    }
    query->rest.items[query->rest.count++] = branch;
    raise_depth(query, branch->depth);
    return check(parser, query);
}

static bool is_plain_union_all(const struct ast_query *query) {
    return query->kind == AST_QUERY_UNION && query->all && !query->with.count &&
           !query->order_by.count && !query->limit && !query->offset;
}

struct ast_query *oriel_ast_set_operation(struct sql_parser *parser, struct sql_location location,
                                          enum ast_query_kind kind, int all, struct ast_query *left,
                                          struct ast_query *right) {
    if (kind == AST_QUERY_UNION && all && is_plain_union_all(left))
        return append(parser, left, right);
    struct ast_query *out = make(parser, kind, location);
    if (!out)
        return NULL;
    out->all = all != 0;
    out->left = left;
    out->right = right;
    raise_depth(out, left->depth);
    raise_depth(out, right->depth);
    return check(parser, out);
}

struct ast_with *oriel_ast_with(struct sql_parser *parser, struct ast_identifier *name,
                                struct sql_list *columns, struct ast_query *query) {
    struct ast_with *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->name = name;
    SQL_TAKE(out->columns, columns);
    out->query = query;
    return out;
}

void oriel_ast_with_recursive(const struct sql_list *items) {
    for (uint32_t i = 0; i < items->count; ++i)
        ((struct ast_with *)items->items[i])->recursive = true;
}

struct ast_query *oriel_ast_select(struct sql_parser *parser, struct sql_location location,
                                   int distinct, struct sql_list *items) {
    struct ast_query *out = make(parser, AST_QUERY_SELECT, location);
    if (!out)
        return NULL;
    out->distinct = distinct != 0;
    SQL_TAKE(out->items, items);
    return out;
}

static void raise_by_groups(struct ast_query *select, const struct ast_grouping *group) {
    for (uint32_t i = 0; i < group->items.count; ++i)
        raise_by_expression(select, group->items.items[i]);
    for (uint32_t i = 0; i < group->children.count; ++i)
        raise_by_groups(select, group->children.items[i]);
}

static void raise_by_window(struct ast_query *select, const struct ast_over *over) {
    for (uint32_t i = 0; i < over->partition_by.count; ++i)
        raise_by_expression(select, over->partition_by.items[i]);
    for (uint32_t i = 0; i < over->order_by.count; ++i)
        raise_by_expression(select, over->order_by.items[i]->expression);
    raise_by_expression(select, over->frame_start.offset);
    raise_by_expression(select, over->frame_end.offset);
}

struct ast_query *oriel_ast_select_finish(struct sql_parser *parser, struct ast_query *select) {
    for (uint32_t i = 0; i < select->items.count; ++i)
        raise_by_expression(select, select->items.items[i]->expression);
    if (select->from)
        raise_depth(select, select->from->depth);
    raise_by_expression(select, select->where);
    raise_by_expression(select, select->having);
    raise_by_expression(select, select->qualify);
    for (uint32_t i = 0; i < select->group_by.count; ++i)
        raise_by_groups(select, select->group_by.items[i]);
    for (uint32_t i = 0; i < select->windows.count; ++i)
        raise_by_window(select, select->windows.items[i]->over);
    return check(parser, select);
}

struct ast_query *oriel_ast_select_clauses(struct sql_parser *parser, struct ast_query *select,
                                           struct sql_location group_location,
                                           struct sql_list *groups, struct sql_list *windows) {
    if (groups) {
        select->has_group_by = true;
        select->group_position = sql_position(group_location);
        SQL_TAKE(select->group_by, groups);
    }
    SQL_TAKE(select->windows, windows);
    return oriel_ast_select_finish(parser, select);
}

struct ast_select_item *oriel_ast_select_item(struct sql_parser *parser,
                                              struct sql_location location,
                                              struct ast_expression *expression,
                                              struct ast_identifier *alias) {
    struct ast_select_item *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out || !expression)
        return NULL;
    out->position = sql_position(location);
    out->expression = expression;
    out->alias = alias;
    return out;
}

struct ast_grouping *oriel_ast_grouping_of(struct sql_parser *parser, struct sql_location location,
                                           struct ast_expression *expression) {
    struct ast_grouping *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = AST_GROUPING_EXPRESSION;
    out->position = sql_position(location);
    if (expression && expression->kind == AST_CALL && strcmp(expression->text, "ROW") == 0) {
        out->items.count = expression->arguments.count;
        out->items.items = expression->arguments.items;
    } else if (expression) {
        struct sql_list *items = oriel_ast_list(parser, expression);
        if (!items)
            return NULL;
        SQL_TAKE(out->items, items);
    }
    return out;
}

/* How deep groups lie in groups is bounded by their parentheses. */
struct ast_grouping *oriel_ast_grouping(struct sql_parser *parser, struct sql_location location,
                                        enum ast_grouping_kind kind, struct sql_list *children) {
    struct ast_grouping *out = oriel_ast_grouping_of(parser, location, NULL);
    if (!out)
        return NULL;
    out->kind = kind;
    SQL_TAKE(out->children, children);
    return out;
}

struct ast_order_item *oriel_ast_order_item(struct sql_parser *parser,
                                            struct ast_expression *expression, int descending,
                                            int nulls) {
    struct ast_order_item *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->expression = expression;
    out->descending = descending != 0;
    out->nulls = (unsigned)nulls;
    return out;
}

struct ast_named_window *oriel_ast_named_window(struct sql_parser *parser,
                                                const struct ast_identifier *name,
                                                struct ast_over *over) {
    struct ast_named_window *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->name = name->text;
    out->over = over;
    return out;
}

struct ast_over *oriel_ast_over(struct sql_parser *parser, struct sql_location location,
                                const struct ast_identifier *reference,
                                struct sql_list *partition_by, struct sql_list *order_by) {
    struct ast_over *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->position = sql_position(location);
    out->reference = reference ? reference->text : NULL;
    SQL_TAKE(out->partition_by, partition_by);
    SQL_TAKE(out->order_by, order_by);
    return out;
}

struct ast_over *oriel_ast_window(struct sql_parser *parser, struct sql_location location,
                                  const struct ast_identifier *reference,
                                  struct sql_list *partition_by, struct sql_list *order_by,
                                  const struct ast_over *frame) {
    struct ast_over *out = oriel_ast_over(parser, location, reference, partition_by, order_by);
    if (out)
        out->extends = reference != NULL;
    if (out && frame) {
        out->frame = frame->frame;
        out->frame_start = frame->frame_start;
        out->frame_end = frame->frame_end;
    }
    return out;
}

struct ast_over *oriel_ast_frame(struct sql_parser *parser, struct sql_location location, int unit,
                                 const struct ast_frame_bound *start,
                                 const struct ast_frame_bound *end) {
    struct ast_over *out = oriel_ast_over(parser, location, NULL, NULL, NULL);
    if (!out)
        return NULL;
    out->frame = (unsigned)unit;
    out->frame_start = *start;
    out->frame_end = end ? *end : (struct ast_frame_bound){AST_BOUND_CURRENT_ROW, NULL};
    return out;
}

struct ast_frame_bound *oriel_ast_bound(struct sql_parser *parser, int kind,
                                        struct ast_expression *offset) {
    struct ast_frame_bound *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = (unsigned)kind;
    out->offset = offset;
    return out;
}
