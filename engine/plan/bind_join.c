/*
 * Joins in FROM. The node gets its whole condition as residual here; the rewrites move parts of it
 * down and take the equalities out as keys.
 */
#include <string.h>

#include "engine/plan/using.h"

static void make_nullable(struct bind_scope *scope, struct oriel_field *fields, uint32_t first,
                          uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) {
        scope->columns[i].type.nullable = true;
        fields[i].type.nullable = true;
    }
}

static enum oriel_join_kind join_kind(enum ast_join_kind kind) {
    switch (kind) {
    case AST_JOIN_LEFT: return ORIEL_JOIN_LEFT;
    case AST_JOIN_RIGHT: return ORIEL_JOIN_RIGHT;
    case AST_JOIN_FULL: return ORIEL_JOIN_FULL;
    default: return ORIEL_JOIN_INNER;
    }
}

static enum oriel_status bind_on(struct binder *b, const struct ast_from *from,
                                 struct bind_scope *scope, struct oriel_conditions *conditions) {
    if (!from->on)
        return ORIEL_OK;
    struct bind_frame frame = {.scope = scope, .clause = "ON"};
    struct oriel_expression *condition;
    ORIEL_TRY(oriel_bind_condition(b, &frame, from->on, &condition));
    return oriel_conditions_add(conditions, b->arena, condition) ? ORIEL_OK : oriel_bind_memory(b);
}

/* Two tables with one name: what stands behind it would always be the first. */
static enum oriel_status check_names(struct binder *b, const struct ast_from *from,
                                     const struct bind_scope *left,
                                     const struct bind_scope *right) {
    for (uint32_t r = 0; r < right->table_count; r++) {
        const char *const name = right->tables[r].alias;
        for (uint32_t l = 0; name && l < left->table_count; l++) {
            if (left->tables[l].alias && strcmp(left->tables[l].alias, name) == 0)
                return oriel_error_at(b->error, ORIEL_INVALID, from->right->position,
                                      "Duplicate relation name '%s' in FROM clause", name);
        }
    }
    return ORIEL_OK;
}

/* JOIN UNNEST(...): the right side is made of each left row. */
static enum oriel_status join_unnest(struct binder *b, const struct ast_from *from,
                                     struct bind_rows *left, struct bind_rows *out) {
    struct oriel_conditions conditions = {0};
    if (from->join == AST_JOIN_RIGHT || from->join == AST_JOIN_FULL || from->natural ||
        from->using_columns.count)
        return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                              "UNNEST can only be joined with CROSS JOIN, INNER JOIN and LEFT JOIN "
                              "... ON TRUE, since its elements come from the row on the left");
    ORIEL_TRY(oriel_bind_unnest(b, from->right, left, from->join == AST_JOIN_LEFT, out));
    ORIEL_TRY(check_names(
        b, from, &left->scope,
        &(struct bind_scope){.table_count = 1,
                             .tables = &out->scope.tables[out->scope.table_count - 1]}));
    ORIEL_TRY(bind_on(b, from, &out->scope, &conditions));
    const struct oriel_expression *const first = conditions.count ? conditions.items[0] : NULL;
    const bool is_true = conditions.count == 1 && first->kind == ORIEL_EXPRESSION_CONSTANT &&
                         !oriel_column_is_null(&first->constant, 0) &&
                         *(const int8_t *)first->constant.values;
    if (is_true)
        return ORIEL_OK;
    if (from->join == AST_JOIN_LEFT)
        return oriel_error_at(b->error, ORIEL_INVALID,
                              from->on ? from->on->position : from->position,
                              "LEFT JOIN UNNEST(...) takes ON TRUE; put other conditions into "
                              "WHERE");
    out->plan = oriel_plan_make_filter(b->arena, out->plan, conditions.items, conditions.count);
    return out->plan ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_join(struct binder *b, const struct ast_from *from,
                                  struct bind_rows *out) {
    struct bind_rows left, right;
    ORIEL_TRY(oriel_bind_from(b, from->left, &left));
    if (from->right->kind == AST_FROM_UNNEST)
        return join_unnest(b, from, &left, out);
    ORIEL_TRY(oriel_bind_from(b, from->right, &right));
    ORIEL_TRY(check_names(b, from, &left.scope, &right.scope));
    ORIEL_TRY(oriel_scope_join(b, &left.scope, &right.scope, &out->scope));
    const uint32_t left_count = left.plan->schema.field_count;
    const uint32_t right_count = right.plan->schema.field_count;
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_JOIN, from->position, 2);
    struct oriel_field *const fields =
        oriel_plan_copy_fields(b->arena, left.plan->schema, right_count);
    if (!plan || !fields)
        return oriel_bind_memory(b);
    if (right_count)
        memcpy(fields + left_count, right.plan->schema.fields, right_count * sizeof *fields);
    struct oriel_conditions conditions = {0};
    struct bind_using using = {0};
    ORIEL_TRY(oriel_using_bind(b, from, &out->scope, left_count, &using, &conditions));
    ORIEL_TRY(bind_on(b, from, &out->scope, &conditions));
    plan->join.kind = join_kind(from->join);
    if (plan->join.kind == ORIEL_JOIN_LEFT || plan->join.kind == ORIEL_JOIN_FULL)
        make_nullable(&out->scope, fields, left_count, right_count);
    if (plan->join.kind == ORIEL_JOIN_RIGHT || plan->join.kind == ORIEL_JOIN_FULL)
        make_nullable(&out->scope, fields, 0, left_count);
    plan->inputs[0] = left.plan;
    plan->inputs[1] = right.plan;
    plan->schema = (struct oriel_schema){left_count + right_count, fields};
    if (conditions.count) {
        plan->join.residual = oriel_expression_all(b->arena, conditions.items, conditions.count);
        if (!plan->join.residual)
            return oriel_bind_memory(b);
    }
    out->plan = plan;
    return oriel_using_merge(b, &using, out);
}
