/*
 * Joins in FROM. The node gets its whole condition as residual here; the rewrites move parts of it
 * down and take the equalities out as keys.
 */
#include <string.h>

#include "engine/plan/bind.h"

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

/* left.name = right.name; the right one is hidden from then on. */
static enum oriel_status add_using_column(struct binder *b, const struct ast_from *from,
                                          struct bind_scope *scope, uint32_t left_count,
                                          const char *name, struct oriel_position position,
                                          struct oriel_conditions *conditions) {
    uint32_t sides[2];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t matches = 0;
        const uint32_t first = side ? left_count : 0;
        const uint32_t end = side ? scope->column_count : left_count;
        for (uint32_t i = first; i < end; i++) {
            if (scope->columns[i].hidden || strcmp(scope->columns[i].name, name) != 0)
                continue;
            sides[side] = i;
            matches++;
        }
        if (matches != 1)
            return oriel_error_at(
                b->error, ORIEL_INVALID, position, "Column '%s' %s of the join", name,
                matches ? side ? "is ambiguous on the right side" : "is ambiguous on the left side"
                : side  ? "not found on the right side"
                        : "not found on the left side");
    }
    if (from->join == AST_JOIN_FULL || from->join == AST_JOIN_RIGHT)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, position,
                              "USING and NATURAL of a RIGHT or FULL join cannot be run yet; write "
                              "ON instead");
    struct oriel_expression *parts[2], *condition;
    for (uint32_t side = 0; side < 2; side++) {
        parts[side] = oriel_expression_column(b->arena, sides[side],
                                              scope->columns[sides[side]].type, position);
        if (!parts[side])
            return oriel_bind_memory(b);
    }
    ORIEL_TRY(oriel_bind_plain_call(b, "=", position, parts, 2, NULL, &condition));
    scope->columns[sides[1]].hidden = true;
    return oriel_conditions_add(conditions, b->arena, condition) ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status add_natural_columns(struct binder *b, const struct ast_from *from,
                                             struct bind_scope *scope, uint32_t left_count,
                                             struct oriel_conditions *conditions) {
    for (uint32_t i = 0; i < left_count; i++) {
        bool is_shared = false;
        for (uint32_t j = left_count; j < scope->column_count; j++)
            is_shared |= !scope->columns[j].hidden &&
                         strcmp(scope->columns[i].name, scope->columns[j].name) == 0;
        if (is_shared && !scope->columns[i].hidden)
            ORIEL_TRY(add_using_column(b, from, scope, left_count, scope->columns[i].name,
                                       from->position, conditions));
    }
    return ORIEL_OK;
}

static enum oriel_status bind_conditions(struct binder *b, const struct ast_from *from,
                                         struct bind_scope *scope, uint32_t left_count,
                                         struct oriel_conditions *conditions) {
    if (from->natural)
        return add_natural_columns(b, from, scope, left_count, conditions);
    for (uint32_t i = 0; i < from->using_columns.count; i++)
        ORIEL_TRY(add_using_column(b, from, scope, left_count, from->using_columns.items[i]->text,
                                   from->using_columns.items[i]->position, conditions));
    if (!from->on)
        return ORIEL_OK;
    struct bind_frame frame = {.scope = scope, .clause = "ON"};
    struct oriel_expression *condition;
    ORIEL_TRY(oriel_bind_condition(b, &frame, from->on, &condition));
    return oriel_conditions_add(conditions, b->arena, condition) ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_join(struct binder *b, const struct ast_from *from,
                                  struct bind_rows *out) {
    struct bind_rows left, right;
    ORIEL_TRY(oriel_bind_from(b, from->left, &left));
    ORIEL_TRY(oriel_bind_from(b, from->right, &right));
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
    ORIEL_TRY(bind_conditions(b, from, &out->scope, left_count, &conditions));
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
    return ORIEL_OK;
}
