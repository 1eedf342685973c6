/*
 * IN and EXISTS with a sub-query as conditions of WHERE: semi and anti joins. Conditions of the
 * sub-query on columns of the outer row become conditions of the join.
 */
#include <string.h>

#include "engine/plan/sub_query.h"

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
    ORIEL_TRY(oriel_sub_query_bind(b, ast->query, &rows->scope, is_in, &sub));
    if (is_in)
        ORIEL_TRY(oriel_sub_query_add_in(b, &(struct bind_frame){.scope = &rows->scope}, ast, &sub,
                                         &nullable));
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
