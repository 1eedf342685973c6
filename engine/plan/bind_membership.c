/*
 * IN and EXISTS with a sub-query within an expression, e.g. under OR: the distinct keys of the
 * sub-query are joined to the rows with a mark, and the value is whether the mark is there.
 */
#include "engine/plan/sub_query.h"

#include <string.h>

/* One row for each combination of keys: the keys and TRUE behind them. */
static enum oriel_status make_marked(struct binder *b, const struct sub_query *sub,
                                     const struct sub_query_key *keys, uint32_t key_count,
                                     struct oriel_plan **out) {
    struct oriel_expression **const values =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *values);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *names);
    if (!values || !names)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < key_count; i++) {
        values[i] = keys[i].own;
        names[i] = "$key";
    }
    struct oriel_plan *plan =
        oriel_plan_make_project(b->arena, sub->rows.plan, key_count, values, names);
    if (!plan)
        return oriel_bind_memory(b);
    if (key_count) {
        plan = oriel_bind_distinct(b, plan);
    } else {
        plan = oriel_plan_make_over(b->arena, ORIEL_PLAN_LIMIT, plan);
        if (plan)
            plan->limit.limit = 1;
    }
    struct oriel_expression *const mark = oriel_expression_constant(
        b->arena, oriel_type_make(ORIEL_TYPE_BOOLEAN), false, sub->rows.plan->position);
    if (!plan || !mark)
        return oriel_bind_memory(b);
    *(int8_t *)mark->constant.values = 1;
    *out = oriel_plan_make_extension(b->arena, plan, 1, &mark);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

/* The conditions of the join: outer expression against key column. */
static enum oriel_status make_condition(struct binder *b, const struct sub_query_key *keys,
                                        uint32_t key_count, uint32_t left_count,
                                        const struct oriel_plan *marked,
                                        struct oriel_expression **out) {
    struct oriel_conditions conditions = {0};
    for (uint32_t i = 0; i < key_count; i++) {
        struct oriel_expression *sides[2] = {keys[i].outer,
                                             oriel_expression_column(b->arena, left_count + i,
                                                                     marked->schema.fields[i].type,
                                                                     marked->position)};
        struct oriel_expression *condition;
        if (!sides[1])
            return oriel_bind_memory(b);
        ORIEL_TRY(oriel_bind_plain_call(b, keys[i].function, marked->position, sides, 2, NULL,
                                        &condition));
        if (!oriel_conditions_add(&conditions, b->arena, condition))
            return oriel_bind_memory(b);
    }
    *out = NULL;
    if (!key_count)
        return ORIEL_OK;
    *out = oriel_expression_all(b->arena, conditions.items, conditions.count);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_sub_query_join(struct binder *b, struct bind_rows *rows,
                                       const struct sub_query_key *keys, uint32_t key_count,
                                       struct oriel_plan *right, uint32_t column,
                                       struct oriel_expression **out) {
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_JOIN, right->position, 2);
    const uint32_t left_count = rows->plan->schema.field_count;
    const uint32_t right_count = right->schema.field_count;
    struct oriel_field *const fields =
        oriel_plan_copy_fields(b->arena, rows->plan->schema, right_count);
    if (!plan || !fields)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < right_count; i++) {
        fields[left_count + i] = right->schema.fields[i];
        fields[left_count + i].type.nullable = true;
        fields[left_count + i].type.rowtime = false;
    }
    plan->inputs[0] = rows->plan;
    plan->inputs[1] = right;
    plan->schema = (struct oriel_schema){left_count + right_count, fields};
    plan->join.kind = ORIEL_JOIN_LEFT;
    ORIEL_TRY(make_condition(b, keys, key_count, left_count, right, &plan->join.residual));
    rows->plan = plan;
    *out = oriel_expression_column(b->arena, left_count + column, fields[left_count + column].type,
                                   right->position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_membership(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **out) {
    const bool is_in = ast->kind == AST_IN_QUERY;
    if (!frame->rows)
        return oriel_error_at(
            b->error, ORIEL_UNSUPPORTED, ast->position,
            "%s with a sub-query can so far stand in WHERE and in a SELECT without "
            "GROUP BY, not here in %s",
            is_in ? "IN" : "EXISTS", frame->clause);
    struct sub_query sub = {0};
    struct sub_query_key *keys;
    struct oriel_plan *marked;
    bool nullable = false;
    ORIEL_TRY(oriel_sub_query_bind(b, ast->query, frame->scope, is_in, &sub));
    if (is_in)
        ORIEL_TRY(oriel_sub_query_add_in(b, frame->scope, ast, &sub, &nullable));
    if (nullable && (ast->negated || !frame->null_is_false))
        return oriel_error_at(
            b->error, ORIEL_UNSUPPORTED, ast->position,
            "%sIN with a sub-query over nullable values can so far stand only as a "
            "condition of WHERE%s",
            ast->negated ? "NOT " : "", ast->negated ? "" : ", also under OR");
    ORIEL_TRY(oriel_sub_query_keys(b, &sub, &keys));
    ORIEL_TRY(make_marked(b, &sub, keys, sub.correlated.count, &marked));
    ORIEL_TRY(oriel_sub_query_join(b, frame->rows, keys, sub.correlated.count, marked,
                                   sub.correlated.count, out));
    ORIEL_TRY(oriel_bind_plain_call(b, "IS NOT NULL", ast->position, out, 1, NULL, out));
    if (!ast->negated)
        return ORIEL_OK;
    return oriel_bind_plain_call(b, "NOT", ast->position, out, 1, NULL, out);
}
