/*
 * A sub-query as a value: its one row is joined to every row of the query around it; no row gives
 * NULL, more than one an error. An aggregate over rows that equal the outer row in some columns is
 * grouped by those columns first.
 */
#include <string.h>

#include "engine/plan/group.h"
#include "engine/plan/sub_query.h"

/* What the form of a plan says of its rows. */
struct row_bounds {
    bool at_most_one, at_least_one;
};

static struct row_bounds row_bounds(const struct oriel_plan *plan) {
    struct row_bounds below = {false, false};
    switch (plan->kind) {
    case ORIEL_PLAN_AGGREGATE:
        return (struct row_bounds){plan->aggregate.global, plan->aggregate.global};
    case ORIEL_PLAN_VALUES:
        return (struct row_bounds){plan->values.row_count <= 1, plan->values.row_count >= 1};
    case ORIEL_PLAN_PROJECT:
    case ORIEL_PLAN_SORT: return row_bounds(plan->inputs[0]);
    case ORIEL_PLAN_FILTER:
        below.at_most_one = row_bounds(plan->inputs[0]).at_most_one;
        return below;
    case ORIEL_PLAN_LIMIT:
        below.at_most_one = plan->limit.limit <= 1 || row_bounds(plan->inputs[0]).at_most_one;
        return below;
    default: return below;
    }
}

/* One value over FROM and WHERE alone. */
static bool is_one_value(const struct ast_query *query) {
    return query->kind == AST_QUERY_SELECT && !query->with.count && !query->distinct &&
           !query->has_group_by && !query->having && !query->qualify && !query->order_by.count &&
           !query->limit && !query->offset && query->items.count == 1 &&
           query->items.items[0]->expression->kind != AST_STAR;
}

/* SINGLE_VALUE(value): the value of the one row, NULL without one, an error with more. */
static struct ast_expression *make_single(struct binder *b, struct ast_expression *value) {
    struct ast_expression *const out = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *out);
    struct ast_expression **const arguments =
        oriel_arena_allocate_zeroed(b->arena, 1, sizeof *arguments);
    if (!out || !arguments)
        return NULL;
    arguments[0] = value;
    *out = (struct ast_expression){.kind = AST_CALL,
                                   .text = "SINGLE_VALUE",
                                   .position = value->position,
                                   .arguments = {1, arguments}};
    return out;
}

/* The one value of the rows of `plan`, or NULL. */
static enum oriel_status make_single_row(struct binder *b, struct oriel_position position,
                                         struct oriel_plan **plan) {
    struct ast_identifier name = {position, "$value", true};
    struct ast_expression column = {
        .kind = AST_COLUMN, .position = position, .name = {position, 1, &name}};
    struct bind_rows *const rows = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *rows);
    uint64_t *const sets = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *sets);
    struct ast_expression *const single = make_single(b, &column);
    struct bind_group *group;
    struct oriel_expression *value;
    if (!rows || !sets || !single)
        return oriel_bind_memory(b);
    rows->plan = *plan;
    ORIEL_TRY(oriel_scope_init(b, &rows->scope, *plan, NULL));
    rows->scope.columns[0].name = name.text;
    ORIEL_TRY(oriel_group_make(b, rows, position, &group));
    group->set_count = 1;
    group->sets = sets;
    ORIEL_TRY(oriel_group_set_key_types(b, group));
    struct bind_frame frame = {.scope = &rows->scope, .clause = "SELECT", .group = group};
    ORIEL_TRY(oriel_bind_expression(b, &frame, single, &value));
    return oriel_group_finish(b, group, plan);
}

static bool has_count(const struct ast_expression *ast) {
    if (oriel_bind_is_aggregate(ast))
        return strstr(ast->text, "COUNT") != NULL;
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        if (has_count(ast->arguments.items[i]))
            return true;
    }
    return false;
}

/* The aggregate by the own sides of the keys: keys, then the value. */
static enum oriel_status make_grouped(struct binder *b, const struct ast_query *query,
                                      const struct ast_expression *item, struct sub_query *sub,
                                      const struct sub_query_key *keys, struct oriel_plan **out) {
    const uint32_t count = sub->correlated.count;
    struct bind_group *group;
    struct ast_expression *const places =
        oriel_arena_allocate_zeroed(b->arena, count, sizeof *places);
    struct oriel_expression **const values =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *values);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *names);
    uint64_t *const sets = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *sets);
    if (!places || !values || !names || !sets)
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_group_make(b, &sub->rows, query->position, &group));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key;
        /* Trees that equal nothing in the query, each of its own. */
        places[i] = (struct ast_expression){
            .kind = AST_DEFAULT, .position = query->position, .number = (int)i};
        ORIEL_TRY(oriel_group_add_bound_key(b, group, &places[i], keys[i].own, &key));
        sets[0] |= (uint64_t)1 << i;
    }
    group->set_count = 1;
    group->sets = sets;
    ORIEL_TRY(oriel_group_set_key_types(b, group));
    for (uint32_t i = 0; i < count; i++) {
        names[i] = "$key";
        values[i] = oriel_expression_column(b->arena, i, group->key_types[i], query->position);
        if (!values[i])
            return oriel_bind_memory(b);
    }
    struct bind_frame frame = {.scope = &sub->rows.scope, .clause = "SELECT", .group = group};
    names[count] = "$value";
    ORIEL_TRY(oriel_bind_expression(b, &frame, item, &values[count]));
    ORIEL_TRY(oriel_group_finish(b, group, out));
    *out = oriel_plan_make_project(b->arena, *out, count + 1, values, names);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

/* *done is false when the sub-query does not depend on the outer row. */
static enum oriel_status bind_correlated(struct binder *b, struct bind_frame *frame,
                                         const struct ast_query *query, bool *done,
                                         struct oriel_expression **out) {
    *done = false;
    if (!frame->rows || !is_one_value(query))
        return ORIEL_OK;
    struct sub_query sub = {0};
    struct sub_query_key *keys;
    struct oriel_plan *grouped;
    ORIEL_TRY(oriel_bind_source(b, query, frame->scope, &sub.correlated, &sub.rows));
    if (!sub.correlated.count)
        return ORIEL_OK;
    *done = true;
    struct ast_expression *item = query->items.items[0]->expression;
    if (!oriel_bind_has_aggregate(item))
        item = make_single(b, item);
    if (!item)
        return oriel_bind_memory(b);
    if (has_count(item) && !oriel_bind_is_aggregate(item))
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, item->position,
                              "A count within an expression cannot be run yet in a sub-query that "
                              "depends on the outer row");
    ORIEL_TRY(oriel_sub_query_keys(b, &sub, &keys));
    ORIEL_TRY(make_grouped(b, query, item, &sub, keys, &grouped));
    ORIEL_TRY(oriel_sub_query_join(b, frame->rows, keys, sub.correlated.count, grouped,
                                   sub.correlated.count, out));
    if (!has_count(item))
        return ORIEL_OK;
    /* Where no row is equal there is no group, and a count of nothing is 0. */
    struct oriel_expression *parts[2] = {*out,
                                         oriel_expression_bigint(b->arena, 0, item->position)};
    if (!parts[1])
        return oriel_bind_memory(b);
    const struct ast_expression coalesce = {
        .kind = AST_CALL, .text = "COALESCE", .position = item->position, .arguments.count = 2};
    return oriel_bind_conditional(b, &coalesce, parts, out);
}

static enum oriel_status join_value(struct binder *b, struct bind_rows *rows,
                                    struct oriel_plan *value, bool at_least_one) {
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_JOIN, value->position, 2);
    const uint32_t left_count = rows->plan->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, rows->plan->schema, 1);
    if (!plan || !fields)
        return oriel_bind_memory(b);
    fields[left_count] = value->schema.fields[0];
    fields[left_count].type.nullable |= !at_least_one;
    fields[left_count].type.rowtime = false;
    plan->inputs[0] = rows->plan;
    plan->inputs[1] = value;
    plan->schema = (struct oriel_schema){left_count + 1, fields};
    plan->join.kind = at_least_one ? ORIEL_JOIN_INNER : ORIEL_JOIN_LEFT;
    rows->plan = plan;
    return ORIEL_OK;
}

static enum oriel_status bind_uncorrelated(struct binder *b, struct bind_frame *frame,
                                           const struct ast_expression *ast,
                                           struct oriel_expression **out) {
    struct oriel_plan *value;
    const struct bind_scope *const enclosing = b->enclosing;
    b->enclosing = frame->scope;
    const enum oriel_status status = oriel_bind_rows(b, ast->query, &value);
    b->enclosing = enclosing;
    if (status != ORIEL_OK)
        return status;
    if (value->schema.field_count != 1)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "A sub-query as a value must have one column, but has %u",
                              value->schema.field_count);
    if (!row_bounds(value).at_most_one)
        ORIEL_TRY(make_single_row(b, ast->position, &value));
    if (!frame->rows)
        return oriel_sub_query_place(b, frame, NULL, 0, value, 0, out);
    const uint32_t column = frame->rows->plan->schema.field_count;
    ORIEL_TRY(join_value(b, frame->rows, value, row_bounds(value).at_least_one));
    *out = oriel_expression_column(b->arena, column, frame->rows->plan->schema.fields[column].type,
                                   ast->position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_scalar(struct binder *b, struct bind_frame *frame,
                                    const struct ast_expression *ast,
                                    struct oriel_expression **out) {
    if (!frame->rows && !frame->group)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, ast->position,
                              "A sub-query as a value can so far stand in WHERE, HAVING and "
                              "SELECT, not here in %s",
                              frame->clause);
    bool done;
    ORIEL_TRY(bind_correlated(b, frame, ast->query, &done, out));
    return done ? ORIEL_OK : bind_uncorrelated(b, frame, ast, out);
}
