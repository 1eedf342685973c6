/*
 * Constructors for the nodes of a plan, and the one question that rewrites ask all over: is this
 * column the start, the end or the time of a window?
 */
#include "engine/plan/plan_node.h"

#include <string.h>

#include "engine/plan/expression_tree.h"

void *oriel_plan_grow(struct oriel_arena *arena, void *items, uint32_t count, size_t item_bytes) {
    if (items && count & (count - 1))
        return items;
    const size_t capacity = count ? (size_t)count * 2 : 1;
    void *const grown = oriel_arena_allocate_zeroed(arena, capacity, item_bytes);
    if (grown && count)
        memcpy(grown, items, (size_t)count * item_bytes);
    return grown;
}

struct oriel_plan *oriel_plan_make(struct oriel_arena *arena, enum oriel_plan_kind kind,
                                   struct oriel_position position, uint32_t input_count) {
    struct oriel_plan *const plan = oriel_arena_allocate_zeroed(arena, 1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->kind = kind;
    plan->position = position;
    plan->input_count = input_count;
    if (input_count) {
        plan->inputs = oriel_arena_allocate_zeroed(arena, input_count, sizeof *plan->inputs);
        if (!plan->inputs)
            return NULL;
    }
    return plan;
}

struct oriel_plan *oriel_plan_make_over(struct oriel_arena *arena, enum oriel_plan_kind kind,
                                        struct oriel_plan *input) {
    struct oriel_plan *const plan = oriel_plan_make(arena, kind, input->position, 1);
    if (!plan)
        return NULL;
    plan->inputs[0] = input;
    plan->schema = input->schema;
    return plan;
}

struct oriel_plan *oriel_plan_make_filter(struct oriel_arena *arena, struct oriel_plan *input,
                                          struct oriel_expression *const *conditions,
                                          uint32_t condition_count) {
    if (!condition_count)
        return input;
    struct oriel_plan *const plan = oriel_plan_make_over(arena, ORIEL_PLAN_FILTER, input);
    if (!plan)
        return NULL;
    plan->filter.condition = oriel_expression_all(arena, conditions, condition_count);
    return plan->filter.condition ? plan : NULL;
}

struct oriel_plan *oriel_plan_make_project(struct oriel_arena *arena, struct oriel_plan *input,
                                           uint32_t count, struct oriel_expression **expressions,
                                           const char *const *names) {
    struct oriel_plan *const plan = oriel_plan_make(arena, ORIEL_PLAN_PROJECT, input->position, 1);
    struct oriel_field *const fields =
        oriel_arena_allocate_zeroed(arena, count ? count : 1, sizeof *fields);
    if (!plan || !fields)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        fields[i].name = names[i];
        fields[i].type = expressions[i]->type;
    }
    plan->inputs[0] = input;
    plan->schema = (struct oriel_schema){count, fields};
    plan->project.expressions = expressions;
    return plan;
}

struct oriel_plan *oriel_plan_make_columns(struct oriel_arena *arena, struct oriel_plan *input,
                                           uint32_t count, const uint32_t *columns) {
    struct oriel_expression **const expressions =
        oriel_arena_allocate_zeroed(arena, count ? count : 1, sizeof *expressions);
    const char **const names = oriel_arena_allocate_zeroed(arena, count ? count : 1, sizeof *names);
    if (!expressions || !names)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct oriel_field *const field = &input->schema.fields[columns[i]];
        names[i] = field->name;
        expressions[i] = oriel_expression_column(arena, columns[i], field->type, input->position);
        if (!expressions[i])
            return NULL;
    }
    return oriel_plan_make_project(arena, input, count, expressions, names);
}

struct oriel_plan *oriel_plan_make_extension(struct oriel_arena *arena, struct oriel_plan *input,
                                             uint32_t count,
                                             struct oriel_expression *const *expressions) {
    if (!count)
        return input;
    const uint32_t own = input->schema.field_count;
    struct oriel_expression **const all =
        oriel_arena_allocate_zeroed(arena, (size_t)own + count, sizeof *all);
    const char **const names =
        oriel_arena_allocate_zeroed(arena, (size_t)own + count, sizeof *names);
    if (!all || !names)
        return NULL;
    for (uint32_t i = 0; i < own; i++) {
        const struct oriel_field *const field = &input->schema.fields[i];
        names[i] = field->name;
        all[i] = oriel_expression_column(arena, i, field->type, input->position);
        if (!all[i])
            return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        names[own + i] = oriel_arena_print(arena, "$f%u", own + i);
        if (!names[own + i])
            return NULL;
        all[own + i] = expressions[i];
    }
    return oriel_plan_make_project(arena, input, own + count, all, names);
}

struct oriel_field *oriel_plan_copy_fields(struct oriel_arena *arena, struct oriel_schema schema,
                                           uint32_t extra) {
    struct oriel_field *const fields =
        oriel_arena_allocate_zeroed(arena, (size_t)schema.field_count + extra + 1, sizeof *fields);
    if (fields && schema.field_count)
        memcpy(fields, schema.fields, schema.field_count * sizeof *fields);
    return fields;
}

static enum oriel_window_role key_role(const struct oriel_plan *plan, const struct oriel_key *key) {
    switch (key->kind) {
    case ORIEL_KEY_WINDOW_START: return ORIEL_ROLE_START;
    case ORIEL_KEY_WINDOW_END: return ORIEL_ROLE_END;
    case ORIEL_KEY_WINDOW_TIME: return ORIEL_ROLE_TIME;
    case ORIEL_KEY_COLUMN: break;
    }
    return oriel_plan_column_role(plan->inputs[0], key->column);
}

static enum oriel_window_role union_role(const struct oriel_plan *plan, uint32_t column) {
    const enum oriel_window_role role = oriel_plan_column_role(plan->inputs[0], column);
    for (uint32_t i = 1; i < plan->input_count; i++) {
        if (oriel_plan_column_role(plan->inputs[i], column) != role)
            return ORIEL_ROLE_NONE;
    }
    return role;
}

enum oriel_window_role oriel_plan_column_role(const struct oriel_plan *plan, uint32_t column) {
    switch (plan->kind) {
    case ORIEL_PLAN_SCAN:
    case ORIEL_PLAN_VALUES: return ORIEL_ROLE_NONE;
    case ORIEL_PLAN_PROJECT:
        if (plan->project.expressions[column]->kind != ORIEL_EXPRESSION_COLUMN)
            return ORIEL_ROLE_NONE;
        return oriel_plan_column_role(plan->inputs[0], plan->project.expressions[column]->column);
    case ORIEL_PLAN_WINDOW: {
        const uint32_t own = plan->inputs[0]->schema.field_count;
        if (column >= own)
            return (enum oriel_window_role)(ORIEL_ROLE_START + (column - own));
        return ORIEL_ROLE_NONE; /* columns of an earlier window are ordinary ones here */
    }
    case ORIEL_PLAN_AGGREGATE:
        if (column >= plan->aggregate.key_count)
            return ORIEL_ROLE_NONE;
        return key_role(plan, &plan->aggregate.keys[column]);
    case ORIEL_PLAN_JOIN: {
        const uint32_t left = plan->inputs[0]->schema.field_count;
        return column < left ? oriel_plan_column_role(plan->inputs[0], column)
                             : oriel_plan_column_role(plan->inputs[1], column - left);
    }
    case ORIEL_PLAN_UNION: return union_role(plan, column);
    case ORIEL_PLAN_OVER:
    case ORIEL_PLAN_RANK:
    case ORIEL_PLAN_UNNEST:
        if (column >= plan->inputs[0]->schema.field_count)
            return ORIEL_ROLE_NONE;
        return oriel_plan_column_role(plan->inputs[0], column);
    case ORIEL_PLAN_FILTER:
    case ORIEL_PLAN_SORT:
    case ORIEL_PLAN_LIMIT: return oriel_plan_column_role(plan->inputs[0], column);
    }
    return ORIEL_ROLE_NONE;
}
