/*
 * Sub-queries that depend on the row around them: the parts that IN, EXISTS and values share.
 */
#include "engine/plan/sub_query.h"

#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/group.h"

static bool is_simple(const struct ast_query *query) {
    return query->kind == AST_QUERY_SELECT && !query->with.count && !query->distinct &&
           !oriel_bind_is_grouped(query) && !query->qualify && !query->order_by.count &&
           !query->limit && !query->offset;
}

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

/* What EXISTS selects is not looked at, but a bare NULL is refused as anywhere else. */
static enum oriel_status check_nulls(struct binder *b, const struct ast_query *query) {
    for (uint32_t i = 0; i < query->items.count; i++)
        ORIEL_TRY(oriel_bind_refuse_null(b, query->items.items[i]->expression));
    return ORIEL_OK;
}

static bool has_star(const struct ast_query *query) {
    for (uint32_t i = 0; i < query->items.count; i++) {
        if (query->items.items[i]->expression->kind == AST_STAR)
            return true;
    }
    return false;
}

enum oriel_status oriel_sub_query_bind(struct binder *b, const struct ast_query *query,
                                       const struct bind_scope *outer, bool wants_columns,
                                       struct sub_query *sub) {
    if (is_simple(query) && !(wants_columns && has_star(query))) {
        ORIEL_TRY(oriel_bind_source(b, query, outer, &sub->correlated, &sub->rows));
        return wants_columns ? bind_columns(b, query, sub) : check_nulls(b, query);
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

/* Marks columns as those of the outer row. */
static struct oriel_expression *make_outer(struct binder *b,
                                           const struct oriel_expression *expression) {
    struct oriel_expression *const out = oriel_arena_allocate(b->arena, sizeof *out);
    if (!out)
        return NULL;
    *out = *expression;
    if (expression->kind == ORIEL_EXPRESSION_COLUMN)
        out->column |= ORIEL_COLUMN_OUTER;
    if (!expression->argument_count)
        return out;
    out->arguments =
        oriel_arena_allocate_zeroed(b->arena, expression->argument_count, sizeof *out->arguments);
    for (uint32_t i = 0; out->arguments && i < expression->argument_count; i++) {
        out->arguments[i] = make_outer(b, expression->arguments[i]);
        if (!out->arguments[i])
            return NULL;
    }
    return out->arguments ? out : NULL;
}

/* The compared value, over the outer row. */
static enum oriel_status bind_outer(struct binder *b, const struct bind_frame *outer,
                                    const struct ast_expression *ast,
                                    struct oriel_expression **out) {
    struct bind_scope empty = {.outer = outer->scope};
    struct bind_frame frame = {.scope = &empty, .clause = "WHERE"};
    if (!outer->group)
        return oriel_bind_expression(b, &frame, ast, out);
    frame =
        (struct bind_frame){.scope = outer->scope, .clause = outer->clause, .group = outer->group};
    ORIEL_TRY(oriel_bind_expression(b, &frame, ast, out));
    *out = make_outer(b, *out);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_sub_query_add_in(struct binder *b, const struct bind_frame *outer,
                                         const struct ast_expression *ast, struct sub_query *sub,
                                         bool *nullable) {
    if (ast->arguments.count != sub->column_count)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Values passed to IN operator must have compatible types: %u "
                              "columns are compared with %u",
                              ast->arguments.count, sub->column_count);
    *nullable = false;
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        struct oriel_expression *sides[2] = {NULL, sub->columns[i]}, *equal;
        ORIEL_TRY(bind_outer(b, outer, ast->arguments.items[i], &sides[0]));
        *nullable |= sides[0]->type.nullable || sides[1]->type.nullable;
        ORIEL_TRY(oriel_bind_plain_call(b, "=", ast->position, sides, 2, NULL, &equal));
        if (!oriel_conditions_add(&sub->correlated, b->arena, equal))
            return oriel_bind_memory(b);
    }
    return ORIEL_OK;
}

/* The expression with the mark of outer columns taken off; false in *ok when it has own columns. */
static struct oriel_expression *take_outer(struct binder *b,
                                           const struct oriel_expression *expression, bool *ok) {
    struct oriel_expression *const out = oriel_arena_allocate(b->arena, sizeof *out);
    if (!out)
        return NULL;
    *out = *expression;
    if (expression->kind == ORIEL_EXPRESSION_COLUMN) {
        *ok &= (expression->column & ORIEL_COLUMN_OUTER) != 0;
        out->column = expression->column & ~ORIEL_COLUMN_OUTER;
    }
    if (!expression->argument_count)
        return out;
    out->arguments =
        oriel_arena_allocate_zeroed(b->arena, expression->argument_count, sizeof *out->arguments);
    for (uint32_t i = 0; out->arguments && i < expression->argument_count; i++) {
        out->arguments[i] = take_outer(b, expression->arguments[i], ok);
        if (!out->arguments[i])
            return NULL;
    }
    return out->arguments ? out : NULL;
}

static enum oriel_status take_key(struct binder *b, const struct oriel_expression *condition,
                                  struct sub_query_key *key) {
    const bool is_call = condition->kind == ORIEL_EXPRESSION_CALL && condition->argument_count == 2;
    const char *const name = is_call ? condition->call->function->name : "";
    if (strcmp(name, "=") == 0 || strcmp(name, "IS NOT DISTINCT FROM") == 0) {
        for (uint32_t swap = 0; swap < 2; swap++) {
            bool is_outer = true;
            key->function = name;
            key->own = condition->arguments[1 - swap];
            key->outer = take_outer(b, condition->arguments[swap], &is_outer);
            if (!key->outer)
                return oriel_bind_memory(b);
            if (is_outer && !oriel_expression_has_outer(key->own))
                return ORIEL_OK;
        }
    }
    return oriel_error_at(
        b->error, ORIEL_UNSUPPORTED, condition->position,
        "A sub-query within an expression can so far depend on the outer row only "
        "by equalities");
}

enum oriel_status oriel_sub_query_keys(struct binder *b, const struct sub_query *sub,
                                       struct sub_query_key **keys) {
    *keys = oriel_arena_allocate_zeroed(b->arena, (size_t)sub->correlated.count + 1, sizeof **keys);
    if (!*keys)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < sub->correlated.count; i++)
        ORIEL_TRY(take_key(b, sub->correlated.items[i], &(*keys)[i]));
    return ORIEL_OK;
}

enum oriel_status oriel_sub_query_place(struct binder *b, struct bind_frame *frame,
                                        const struct sub_query_key *keys, uint32_t key_count,
                                        struct oriel_plan *right, uint32_t column,
                                        struct oriel_expression **out) {
    struct bind_group *const group = frame->group;
    if (frame->rows)
        return oriel_sub_query_join(b, frame->rows, keys, key_count, right, column, out);
    group->joined =
        oriel_plan_grow(b->arena, group->joined, group->joined_count, sizeof *group->joined);
    *out = oriel_expression_column(b->arena, ORIEL_COLUMN_PROVISIONAL | group->joined_count,
                                   oriel_type_with_null(right->schema.fields[column].type, true),
                                   right->position);
    if (!group->joined || !*out)
        return oriel_bind_memory(b);
    (*out)->type.rowtime = false;
    group->joined[group->joined_count++] =
        (struct bind_joined){right, keys, key_count, column, *out};
    return ORIEL_OK;
}

enum oriel_status oriel_group_join_values(struct binder *b, struct bind_group *group,
                                          struct oriel_plan **plan) {
    struct bind_rows rows = {.plan = *plan};
    for (uint32_t i = 0; i < group->joined_count; i++) {
        const struct bind_joined *const joined = &group->joined[i];
        struct oriel_expression *value;
        ORIEL_TRY(oriel_sub_query_join(b, &rows, joined->keys, joined->key_count, joined->right,
                                       joined->column, &value));
        joined->reference->column = value->column;
    }
    *plan = rows.plan;
    return ORIEL_OK;
}
