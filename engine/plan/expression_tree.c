/*
 * Bound expressions as trees: the binder makes them, the rewrites move them between nodes. A node
 * is never changed once others may point to it: moving means copying.
 */
#include "engine/plan/expression_tree.h"

#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/plan_node.h"

static struct oriel_expression *make(struct oriel_arena *arena, enum oriel_expression_kind kind,
                                     struct oriel_type type, struct oriel_position position) {
    struct oriel_expression *const out = oriel_arena_allocate_zeroed(arena, 1, sizeof *out);
    if (!out)
        return NULL;
    out->kind = kind;
    out->type = type;
    out->position = position;
    return out;
}

struct oriel_expression *oriel_expression_column(struct oriel_arena *arena, uint32_t column,
                                                 struct oriel_type type,
                                                 struct oriel_position position) {
    struct oriel_expression *const out = make(arena, ORIEL_EXPRESSION_COLUMN, type, position);
    if (out)
        out->column = column;
    return out;
}

struct oriel_expression *oriel_expression_constant(struct oriel_arena *arena,
                                                   struct oriel_type type, bool is_null,
                                                   struct oriel_position position) {
    type.nullable = is_null;
    struct oriel_expression *const out = make(arena, ORIEL_EXPRESSION_CONSTANT, type, position);
    /* Values lie on a 64-byte border with padding behind, as in every column. */
    char *const block = oriel_arena_allocate_zeroed(arena, 1, 3 * ORIEL_ALIGNMENT);
    if (!out || !block)
        return NULL;
    const uintptr_t misaligned = (uintptr_t)block % ORIEL_ALIGNMENT;
    out->constant.values = block + (misaligned ? ORIEL_ALIGNMENT - misaligned : 0);
    out->constant.type = type;
    if (is_null) {
        out->constant.valid = oriel_arena_allocate_zeroed(arena, 1, ORIEL_ALIGNMENT);
        if (!out->constant.valid)
            return NULL;
    }
    return out;
}

struct oriel_expression *oriel_expression_bigint(struct oriel_arena *arena, int64_t value,
                                                 struct oriel_position position) {
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_BIGINT);
    struct oriel_expression *const out = oriel_expression_constant(arena, type, false, position);
    if (out)
        memcpy(out->constant.values, &value, sizeof value);
    return out;
}

bool oriel_expression_is_null_constant(const struct oriel_expression *expression) {
    return expression->kind == ORIEL_EXPRESSION_CONSTANT &&
           oriel_column_is_null(&expression->constant, 0);
}

struct oriel_expression *oriel_expression_logic(struct oriel_arena *arena,
                                                enum oriel_expression_kind kind,
                                                struct oriel_expression *const *arguments,
                                                uint32_t count, struct oriel_position position) {
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_BOOLEAN);
    type.nullable = false;
    for (uint32_t i = 0; i < count; i++)
        type.nullable |= arguments[i]->type.nullable;
    struct oriel_expression *const out = make(arena, kind, type, position);
    if (!out)
        return NULL;
    out->arguments = oriel_arena_allocate_zeroed(arena, count, sizeof *out->arguments);
    if (!out->arguments)
        return NULL;
    memcpy(out->arguments, arguments, count * sizeof *arguments);
    out->argument_count = count;
    return out;
}

struct oriel_expression *oriel_expression_all(struct oriel_arena *arena,
                                              struct oriel_expression *const *conditions,
                                              uint32_t count) {
    if (count == 1)
        return conditions[0];
    return oriel_expression_logic(arena, ORIEL_EXPRESSION_AND, conditions, count,
                                  conditions[0]->position);
}

bool oriel_conditions_add(struct oriel_conditions *conditions, struct oriel_arena *arena,
                          struct oriel_expression *condition) {
    if (condition->kind == ORIEL_EXPRESSION_AND) {
        for (uint32_t i = 0; i < condition->argument_count; i++) {
            if (!oriel_conditions_add(conditions, arena, condition->arguments[i]))
                return false;
        }
        return true;
    }
    conditions->items =
        oriel_plan_grow(arena, conditions->items, conditions->count, sizeof *conditions->items);
    if (!conditions->items)
        return false;
    conditions->items[conditions->count++] = condition;
    return true;
}

/* A copy of a call whose arguments changed but for their types. */
static struct oriel_expression *copy_with(struct oriel_arena *arena,
                                          const struct oriel_expression *expression,
                                          struct oriel_expression *const *replacements,
                                          const uint32_t *map) {
    if (expression->kind == ORIEL_EXPRESSION_COLUMN) {
        if (expression->column & ORIEL_COLUMN_OUTER)
            return oriel_expression_column(arena, expression->column, expression->type,
                                           expression->position);
        if (replacements)
            return replacements[expression->column];
        return oriel_expression_column(arena, map[expression->column], expression->type,
                                       expression->position);
    }
    struct oriel_expression *const out =
        make(arena, expression->kind, expression->type, expression->position);
    if (!out)
        return NULL;
    *out = *expression;
    if (!expression->argument_count)
        return out;
    out->arguments =
        oriel_arena_allocate_zeroed(arena, expression->argument_count, sizeof *out->arguments);
    if (!out->arguments)
        return NULL;
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        out->arguments[i] = copy_with(arena, expression->arguments[i], replacements, map);
        if (!out->arguments[i])
            return NULL;
    }
    return out;
}

struct oriel_expression *oriel_expression_substitute(struct oriel_arena *arena,
                                                     const struct oriel_expression *expression,
                                                     struct oriel_expression *const *replacements) {
    return copy_with(arena, expression, replacements, NULL);
}

struct oriel_expression *oriel_expression_remap(struct oriel_arena *arena,
                                                const struct oriel_expression *expression,
                                                const uint32_t *map) {
    return copy_with(arena, expression, NULL, map);
}

void oriel_expression_mark(const struct oriel_expression *expression, bool *used) {
    if (expression->kind == ORIEL_EXPRESSION_COLUMN && !(expression->column & ORIEL_COLUMN_OUTER))
        used[expression->column] = true;
    for (uint32_t i = 0; i < expression->argument_count; i++)
        oriel_expression_mark(expression->arguments[i], used);
}

bool oriel_expression_uses(const struct oriel_expression *expression, uint32_t column) {
    if (expression->kind == ORIEL_EXPRESSION_COLUMN)
        return expression->column == column;
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        if (oriel_expression_uses(expression->arguments[i], column))
            return true;
    }
    return false;
}

void oriel_expression_count_uses(const struct oriel_expression *expression, uint32_t *uses) {
    if (expression->kind == ORIEL_EXPRESSION_COLUMN && !(expression->column & ORIEL_COLUMN_OUTER))
        uses[expression->column]++;
    for (uint32_t i = 0; i < expression->argument_count; i++)
        oriel_expression_count_uses(expression->arguments[i], uses);
}

bool oriel_expression_within(const struct oriel_expression *expression, uint32_t low,
                             uint32_t high) {
    if (expression->kind == ORIEL_EXPRESSION_COLUMN)
        return expression->column >= low && expression->column < high;
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        if (!oriel_expression_within(expression->arguments[i], low, high))
            return false;
    }
    return true;
}

bool oriel_expression_has_columns(const struct oriel_expression *expression) {
    return !oriel_expression_within(expression, 0, 0);
}

bool oriel_expression_has_outer(const struct oriel_expression *expression) {
    return !oriel_expression_within(expression, 0, ORIEL_COLUMN_OUTER);
}

bool oriel_expression_is_volatile(const struct oriel_expression *expression) {
    if (expression->kind == ORIEL_EXPRESSION_CALL &&
        expression->call->function->flags & ORIEL_FUNCTION_VOLATILE)
        return true;
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        if (oriel_expression_is_volatile(expression->arguments[i]))
            return true;
    }
    return false;
}

uint32_t oriel_expression_count_nodes(const struct oriel_expression *expression, uint32_t limit) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < expression->argument_count && count < limit; i++)
        count += oriel_expression_count_nodes(expression->arguments[i], limit - count);
    return count;
}

static bool same_constant(const struct oriel_column *a, const struct oriel_column *b) {
    const bool null_a = oriel_column_is_null(a, 0), null_b = oriel_column_is_null(b, 0);
    if (null_a || null_b)
        return null_a == null_b;
    const enum oriel_physical physical = oriel_type_physical(&a->type);
    if (physical == ORIEL_PHYSICAL_STRING)
        return oriel_string_equal(a->values, b->values);
    if (physical == ORIEL_PHYSICAL_NESTED)
        return a->values == b->values;
    return memcmp(a->values, b->values, oriel_physical_size(physical)) == 0;
}

bool oriel_expression_same(const struct oriel_expression *a, const struct oriel_expression *b) {
    if (a == b)
        return true;
    if (a->kind != b->kind || a->argument_count != b->argument_count ||
        a->has_else != b->has_else || !oriel_type_same(&a->type, &b->type))
        return false;
    if (a->kind == ORIEL_EXPRESSION_COLUMN && a->column != b->column)
        return false;
    if (a->kind == ORIEL_EXPRESSION_CONSTANT && !same_constant(&a->constant, &b->constant))
        return false;
    if (a->kind == ORIEL_EXPRESSION_CALL) {
        /* Equal functions over equal arguments were bound the same way. */
        if (a->call->function != b->call->function || oriel_expression_is_volatile(a))
            return false;
    }
    for (uint32_t i = 0; i < a->argument_count; i++) {
        if (!oriel_expression_same(a->arguments[i], b->arguments[i]))
            return false;
    }
    return true;
}

bool oriel_expression_integer(const struct oriel_expression *expression, int64_t *value) {
    if (expression->kind != ORIEL_EXPRESSION_CONSTANT ||
        oriel_expression_is_null_constant(expression) ||
        !oriel_type_is_integer(&expression->constant.type))
        return false;
    const void *const bytes = expression->constant.values;
    switch (oriel_type_physical(&expression->constant.type)) {
    case ORIEL_PHYSICAL_I8: *value = *(const int8_t *)bytes; return true;
    case ORIEL_PHYSICAL_I16: *value = *(const int16_t *)bytes; return true;
    case ORIEL_PHYSICAL_I32: *value = *(const int32_t *)bytes; return true;
    case ORIEL_PHYSICAL_I64: *value = *(const int64_t *)bytes; return true;
    default: return false;
    }
}
