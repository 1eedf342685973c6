/*
 * IN and EXISTS with a sub-query within an expression, e.g. under OR: the distinct keys of the
 * sub-query are joined to the rows with a mark, and the value is whether the mark is there.
 */
#include "engine/plan/group.h"
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

static struct oriel_expression *make_boolean(struct binder *b, bool is_null, bool value,
                                             struct oriel_position position) {
    struct oriel_expression *const out =
        oriel_expression_constant(b->arena, oriel_type_make(ORIEL_TYPE_BOOLEAN), is_null, position);
    if (out && !is_null)
        *(int8_t *)out->constant.values = value;
    return out;
}

/* A CASE of BOOLEAN: `parts` are when, then, ..., else. */
static struct oriel_expression *make_choice(struct binder *b, uint32_t count,
                                            struct oriel_expression *const *parts,
                                            struct oriel_position position) {
    struct oriel_expression **const arguments =
        oriel_arena_allocate_zeroed(b->arena, count, sizeof *arguments);
    struct oriel_expression *const out = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *out);
    if (!arguments || !out)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!parts[i])
            return NULL;
        arguments[i] = parts[i];
    }
    *out = (struct oriel_expression){.kind = ORIEL_EXPRESSION_CASE,
                                     .type = oriel_type_make(ORIEL_TYPE_BOOLEAN),
                                     .position = position,
                                     .argument_count = count,
                                     .arguments = arguments,
                                     .has_else = true};
    return out;
}

/* Behind the counts of rows and known values: whether some are unknown, NULL without rows. */
static enum oriel_status add_unknown(struct binder *b, uint32_t rows_column,
                                     struct oriel_plan **plan) {
    const struct oriel_position position = (*plan)->position;
    struct oriel_expression *sides[2], *is_empty, *is_unknown;
    sides[0] = oriel_expression_column(b->arena, rows_column,
                                       (*plan)->schema.fields[rows_column].type, position);
    sides[1] = oriel_expression_bigint(b->arena, 0, position);
    if (!sides[0] || !sides[1])
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_bind_plain_call(b, "=", position, sides, 2, NULL, &is_empty));
    sides[1] = oriel_expression_column(b->arena, rows_column + 1,
                                       (*plan)->schema.fields[rows_column + 1].type, position);
    if (!sides[1])
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_bind_plain_call(b, "<>", position, sides, 2, NULL, &is_unknown));
    struct oriel_expression *const parts[] = {is_empty, make_boolean(b, true, false, position),
                                              is_unknown};
    struct oriel_expression *choice = make_choice(b, 3, parts, position);
    *plan = choice ? oriel_plan_make_extension(b->arena, *plan, 1, &choice) : NULL;
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

/* One row for each combination of the keys but the last: they, the number of rows, the number of
 * values of the last key that are not NULL, and what add_unknown says. */
static enum oriel_status make_counts(struct binder *b, const struct sub_query *sub,
                                     const struct sub_query_key *keys, uint32_t key_count,
                                     struct oriel_plan **out) {
    const struct oriel_position position = sub->rows.plan->position;
    struct oriel_expression **const values =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *values);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *names);
    struct ast_identifier *const parts =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *parts);
    struct ast_expression *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *columns);
    uint64_t *const sets = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *sets);
    struct bind_rows *const rows = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *rows);
    if (!values || !names || !parts || !columns || !sets || !rows)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < key_count; i++) {
        values[i] = keys[i].own;
        names[i] = oriel_arena_print(b->arena, "$key%u", i);
        if (!names[i])
            return oriel_bind_memory(b);
        parts[i] = (struct ast_identifier){position, names[i], true};
        columns[i] = (struct ast_expression){
            .kind = AST_COLUMN, .position = position, .name = {position, 1, &parts[i]}};
    }
    struct bind_group *group;
    rows->plan = oriel_plan_make_project(b->arena, sub->rows.plan, key_count, values, names);
    if (!rows->plan)
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_scope_init(b, &rows->scope, rows->plan, NULL));
    ORIEL_TRY(oriel_group_make(b, rows, position, &group));
    for (uint32_t i = 0, key; i + 1 < key_count; i++) {
        ORIEL_TRY(oriel_group_add_key(b, group, &columns[i], &key));
        sets[0] |= (uint64_t)1 << i;
    }
    group->set_count = 1;
    group->sets = sets;
    ORIEL_TRY(oriel_group_set_key_types(b, group));
    struct ast_expression *const argument = &columns[key_count - 1];
    struct ast_expression *arguments[] = {argument};
    const struct ast_expression all = {
        .kind = AST_CALL, .text = "COUNT", .star = true, .position = position};
    const struct ast_expression known = {
        .kind = AST_CALL, .text = "COUNT", .position = position, .arguments = {1, arguments}};
    struct bind_frame frame = {.scope = &rows->scope, .clause = "SELECT", .group = group};
    struct oriel_expression *unused;
    ORIEL_TRY(oriel_bind_expression(b, &frame, &all, &unused));
    ORIEL_TRY(oriel_bind_expression(b, &frame, &known, &unused));
    ORIEL_TRY(oriel_group_finish(b, group, out));
    return add_unknown(b, key_count - 1, out);
}

/* TRUE with a match; else FALSE over no rows, NULL when a side is unknown, FALSE. */
static enum oriel_status make_three_valued(struct binder *b, struct bind_frame *frame,
                                           const struct sub_query *sub,
                                           const struct sub_query_key *keys, uint32_t key_count,
                                           struct oriel_expression *is_match,
                                           struct oriel_expression **out) {
    const struct oriel_position position = is_match->position;
    struct oriel_plan *counts;
    struct oriel_expression *state, *is_empty, *value = keys[key_count - 1].outer, *either[2];
    ORIEL_TRY(make_counts(b, sub, keys, key_count, &counts));
    ORIEL_TRY(oriel_sub_query_place(b, frame, keys, key_count - 1, counts, key_count + 1, &state));
    ORIEL_TRY(oriel_bind_plain_call(b, "IS NULL", position, &state, 1, NULL, &is_empty));
    ORIEL_TRY(oriel_bind_plain_call(b, "IS NULL", position, &value, 1, NULL, &either[1]));
    either[0] = state;
    struct oriel_expression *const parts[] = {
        is_match,
        make_boolean(b, false, true, position),
        is_empty,
        make_boolean(b, false, false, position),
        oriel_expression_logic(b->arena, ORIEL_EXPRESSION_OR, either, 2, position),
        make_boolean(b, true, false, position),
        make_boolean(b, false, false, position)};
    *out = make_choice(b, 7, parts, position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_membership(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **out) {
    const bool is_in = ast->kind == AST_IN_QUERY;
    if (!frame->rows && !frame->group)
        return oriel_error_at(
            b->error, ORIEL_UNSUPPORTED, ast->position,
            "%s with a sub-query can so far stand in WHERE, HAVING and SELECT, not here in %s",
            is_in ? "IN" : "EXISTS", frame->clause);
    struct sub_query sub = {0};
    struct sub_query_key *keys;
    struct oriel_plan *marked;
    bool nullable = false;
    ORIEL_TRY(oriel_sub_query_bind(b, ast->query, frame->group ? NULL : frame->scope, is_in, &sub));
    if (is_in)
        ORIEL_TRY(oriel_sub_query_add_in(b, frame, ast, &sub, &nullable));
    nullable &= ast->negated || !frame->null_is_false;
    if (nullable && ast->arguments.count != 1)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, ast->position,
                              "%sIN with several nullable values can so far stand only as a "
                              "condition of WHERE",
                              ast->negated ? "NOT " : "");
    ORIEL_TRY(oriel_sub_query_keys(b, &sub, &keys));
    ORIEL_TRY(make_marked(b, &sub, keys, sub.correlated.count, &marked));
    ORIEL_TRY(oriel_sub_query_place(b, frame, keys, sub.correlated.count, marked,
                                    sub.correlated.count, out));
    ORIEL_TRY(oriel_bind_plain_call(b, "IS NOT NULL", ast->position, out, 1, NULL, out));
    if (nullable) {
        /* the plans of a query are trees, so it is bound once more */
        struct sub_query again = {0};
        struct sub_query_key *other;
        ORIEL_TRY(
            oriel_sub_query_bind(b, ast->query, frame->group ? NULL : frame->scope, true, &again));
        ORIEL_TRY(oriel_sub_query_add_in(b, frame, ast, &again, &nullable));
        ORIEL_TRY(oriel_sub_query_keys(b, &again, &other));
        ORIEL_TRY(make_three_valued(b, frame, &again, other, again.correlated.count, *out, out));
    }
    if (!ast->negated)
        return ORIEL_OK;
    return oriel_bind_plain_call(b, "NOT", ast->position, out, 1, NULL, out);
}
