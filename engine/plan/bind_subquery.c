/*
 * IN and EXISTS with a sub-query as conditions of WHERE: semi and anti joins. Conditions of the
 * sub-query on columns of the outer row become conditions of the join.
 */
#include <string.h>

#include "engine/plan/bind.h"

static bool is_negation(const struct ast_expression *ast) {
    return ast->kind == AST_CALL && strcmp(ast->text, "NOT") == 0 && ast->arguments.count == 1;
}

bool oriel_bind_is_subquery_condition(const struct ast_expression *ast) {
    while (is_negation(ast))
        ast = ast->arguments.items[0];
    return ast->kind == AST_IN_QUERY || ast->kind == AST_EXISTS;
}

/* Outer columns are those of the left side, own columns those of the right side. */
static struct oriel_expression *join_sides(struct oriel_arena *arena,
                                           const struct oriel_expression *expression,
                                           uint32_t left_count) {
    struct oriel_expression *const out = oriel_arena_allocate(arena, sizeof *out);
    if (!out)
        return NULL;
    *out = *expression;
    if (expression->kind == ORIEL_EXPRESSION_COLUMN)
        out->column = expression->column & ORIEL_COLUMN_OUTER
                          ? expression->column & ~ORIEL_COLUMN_OUTER
                          : expression->column + left_count;
    if (!expression->argument_count)
        return out;
    out->arguments =
        oriel_arena_allocate_zeroed(arena, expression->argument_count, sizeof *out->arguments);
    for (uint32_t i = 0; out->arguments && i < expression->argument_count; i++) {
        out->arguments[i] = join_sides(arena, expression->arguments[i], left_count);
        if (!out->arguments[i])
            return NULL;
    }
    return out->arguments ? out : NULL;
}

/* A sub-query whose rows can be joined one by one. */
static bool is_simple(const struct ast_query *query) {
    return query->kind == AST_QUERY_SELECT && !query->with.count && !query->distinct &&
           !oriel_bind_is_grouped(query) && !query->qualify && !query->order_by.count &&
           !query->limit && !query->offset;
}

/* The rows of the sub-query and, for IN, its columns as expressions over them. */
struct sub_query {
    struct bind_rows rows;
    struct oriel_conditions correlated;
    uint32_t column_count;
    struct oriel_expression **columns;
};

static enum oriel_status bind_columns(struct binder *b, const struct ast_query *query,
                                      struct sub_query *sub) {
    struct bind_frame frame = {.scope = &sub->rows.scope, .clause = "SELECT"};
    sub->column_count = query->items.count;
    sub->columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)sub->column_count + 1, sizeof *sub->columns);
    if (!sub->columns)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < query->items.count; i++)
        ORIEL_TRY(
            oriel_bind_expression(b, &frame, query->items.items[i]->expression, &sub->columns[i]));
    return ORIEL_OK;
}

static bool has_star(const struct ast_query *query) {
    for (uint32_t i = 0; i < query->items.count; i++) {
        if (query->items.items[i]->expression->kind == AST_STAR)
            return true;
    }
    return false;
}

static enum oriel_status bind_sub_query(struct binder *b, const struct ast_query *query,
                                        const struct bind_scope *outer, bool wants_columns,
                                        struct sub_query *sub) {
    if (is_simple(query) && !(wants_columns && has_star(query))) {
        ORIEL_TRY(oriel_bind_source(b, query, outer, &sub->correlated, &sub->rows));
        return wants_columns ? bind_columns(b, query, sub) : ORIEL_OK;
    }
    ORIEL_TRY(oriel_bind_rows(b, query, &sub->rows.plan));
    sub->column_count = sub->rows.plan->schema.field_count;
    sub->columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)sub->column_count + 1, sizeof *sub->columns);
    if (!sub->columns)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < sub->column_count; i++) {
        sub->columns[i] = oriel_expression_column(
            b->arena, i, sub->rows.plan->schema.fields[i].type, query->position);
        if (!sub->columns[i])
            return oriel_bind_memory(b);
    }
    return ORIEL_OK;
}

/* The equalities of IN, over outer and own columns; they go behind the correlated conditions. */
static enum oriel_status add_in_conditions(struct binder *b, const struct bind_scope *outer,
                                           const struct ast_expression *ast, struct sub_query *sub,
                                           bool *nullable) {
    if (ast->arguments.count != sub->column_count)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Values passed to IN operator must have compatible types: %u "
                              "columns are compared with %u",
                              ast->arguments.count, sub->column_count);
    struct bind_scope empty = {.outer = outer};
    struct bind_frame frame = {.scope = &empty, .clause = "WHERE"};
    *nullable = false;
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        struct oriel_expression *sides[2] = {NULL, sub->columns[i]}, *equal;
        ORIEL_TRY(oriel_bind_expression(b, &frame, ast->arguments.items[i], &sides[0]));
        *nullable |= sides[0]->type.nullable || sides[1]->type.nullable;
        ORIEL_TRY(oriel_bind_plain_call(b, "=", ast->position, sides, 2, NULL, &equal));
        if (!oriel_conditions_add(&sub->correlated, b->arena, equal))
            return oriel_bind_memory(b);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_bind_subquery_condition(struct binder *b, struct bind_rows *rows,
                                                const struct ast_expression *ast) {
    bool negated = false;
    while (is_negation(ast)) {
        negated = !negated;
        ast = ast->arguments.items[0];
    }
    negated ^= ast->negated;
    const bool is_in = ast->kind == AST_IN_QUERY;
    struct sub_query sub = {0};
    bool nullable = false;
    ORIEL_TRY(bind_sub_query(b, ast->query, &rows->scope, is_in, &sub));
    if (is_in)
        ORIEL_TRY(add_in_conditions(b, &rows->scope, ast, &sub, &nullable));
    if (negated && nullable && ast->arguments.count > 1)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, ast->position,
                              "NOT IN of several nullable columns cannot be run yet");
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_JOIN, ast->position, 2);
    if (!plan)
        return oriel_bind_memory(b);
    const uint32_t left_count = rows->plan->schema.field_count;
    struct oriel_conditions conditions = {0};
    for (uint32_t i = 0; i < sub.correlated.count; i++) {
        struct oriel_expression *const condition =
            join_sides(b->arena, sub.correlated.items[i], left_count);
        if (!condition || !oriel_conditions_add(&conditions, b->arena, condition))
            return oriel_bind_memory(b);
    }
    plan->inputs[0] = rows->plan;
    plan->inputs[1] = sub.rows.plan;
    plan->schema = rows->plan->schema;
    plan->join.kind = negated ? ORIEL_JOIN_ANTI : ORIEL_JOIN_SEMI;
    plan->join.null_aware = negated && nullable;
    if (conditions.count) {
        plan->join.residual = oriel_expression_all(b->arena, conditions.items, conditions.count);
        if (!plan->join.residual)
            return oriel_bind_memory(b);
    }
    rows->plan = plan;
    return ORIEL_OK;
}
