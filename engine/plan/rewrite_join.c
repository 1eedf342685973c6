/*
 * A join's equalities become keys: each side's expression is a column, computed below the join
 * where it is none. The rest of the condition stays as residual.
 */
#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/rewrite.h"

struct key_list {
    uint32_t count;
    struct oriel_expression **left, **right; /* the right ones over the right side's own columns */
    bool *null_matches;
};

static enum oriel_status add_key(struct binder *b, struct key_list *keys,
                                 struct oriel_expression *left, struct oriel_expression *right,
                                 bool null_matches) {
    keys->left = oriel_plan_grow(b->arena, keys->left, keys->count, sizeof *keys->left);
    keys->right = oriel_plan_grow(b->arena, keys->right, keys->count, sizeof *keys->right);
    keys->null_matches =
        oriel_plan_grow(b->arena, keys->null_matches, keys->count, sizeof *keys->null_matches);
    if (!keys->left || !keys->right || !keys->null_matches || !left || !right)
        return oriel_bind_memory(b);
    keys->left[keys->count] = left;
    keys->right[keys->count] = right;
    keys->null_matches[keys->count++] = null_matches;
    return ORIEL_OK;
}

/* Adds the condition as a key when it compares one side with the other. */
static enum oriel_status take_key(struct binder *b, const struct oriel_plan *join,
                                  const struct oriel_expression *condition,
                                  const uint32_t *right_map, struct key_list *keys, bool *taken) {
    *taken = false;
    if (condition->kind != ORIEL_EXPRESSION_CALL || condition->argument_count != 2)
        return ORIEL_OK;
    const char *const name = condition->call->function->name;
    const bool null_matches = strcmp(name, "IS NOT DISTINCT FROM") == 0;
    if (!null_matches && strcmp(name, "=") != 0)
        return ORIEL_OK;
    const uint32_t left_count = join->inputs[0]->schema.field_count;
    const uint32_t total = left_count + join->inputs[1]->schema.field_count;
    for (uint32_t swap = 0; swap < 2; swap++) {
        struct oriel_expression *const left = condition->arguments[swap];
        struct oriel_expression *const right = condition->arguments[1 - swap];
        if (!oriel_expression_within(left, 0, left_count) ||
            !oriel_expression_within(right, left_count, total) ||
            !oriel_type_same(&left->type, &right->type))
            continue;
        /* A constant against a column is a condition of one side; only NOT IN needs it as a key. */
        if (!join->join.null_aware &&
            (!oriel_expression_has_columns(left) || !oriel_expression_has_columns(right)))
            continue;
        *taken = true;
        return add_key(b, keys, left, oriel_expression_remap(b->arena, right, right_map),
                       null_matches);
    }
    return ORIEL_OK;
}

/* Gives every expression a column of `input`, which is extended where needed. */
static enum oriel_status place_keys(struct binder *b, struct oriel_plan **input,
                                    struct oriel_expression *const *expressions, uint32_t count,
                                    uint32_t **out) {
    struct oriel_conditions computed = {0};
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *columns);
    if (!columns)
        return oriel_bind_memory(b);
    const uint32_t own = (*input)->schema.field_count;
    for (uint32_t i = 0; i < count; i++) {
        if (expressions[i]->kind == ORIEL_EXPRESSION_COLUMN) {
            columns[i] = expressions[i]->column;
            continue;
        }
        computed.items =
            oriel_plan_grow(b->arena, computed.items, computed.count, sizeof *computed.items);
        if (!computed.items)
            return oriel_bind_memory(b);
        columns[i] = own + computed.count;
        computed.items[computed.count++] = expressions[i];
    }
    *input = oriel_plan_make_extension(b->arena, *input, computed.count, computed.items);
    *out = columns;
    return *input ? ORIEL_OK : oriel_bind_memory(b);
}

/* Rows of a window join come by window_end and window_start, when both are keys. */
static enum oriel_status set_order(struct binder *b, struct oriel_plan *join) {
    uint32_t *const order = oriel_arena_allocate_zeroed(b->arena, 2, sizeof *order);
    if (!order)
        return oriel_bind_memory(b);
    bool has_start = false, has_end = false;
    for (uint32_t i = 0; i < join->join.key_count; i++) {
        const enum oriel_window_role role =
            oriel_plan_column_role(join->inputs[0], join->join.left_keys[i]);
        if (role == ORIEL_ROLE_END && !has_end) {
            order[0] = i;
            has_end = true;
        } else if (role == ORIEL_ROLE_START && !has_start) {
            order[1] = i;
            has_start = true;
        }
    }
    join->join.order = order;
    join->join.order_count = has_start && has_end ? 2 : 0;
    return ORIEL_OK;
}

/* The fields that the join had before its sides were extended. */
static enum oriel_status restore_columns(struct binder *b, struct oriel_plan **plan,
                                         struct oriel_schema before, uint32_t left_count,
                                         uint32_t left_extra) {
    struct oriel_plan *const join = *plan;
    const bool is_semi = join->join.kind == ORIEL_JOIN_SEMI || join->join.kind == ORIEL_JOIN_ANTI;
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)before.field_count + 1, sizeof *columns);
    struct oriel_field *const fields = oriel_plan_copy_fields(
        b->arena, join->inputs[0]->schema, is_semi ? 0 : join->inputs[1]->schema.field_count);
    if (!columns || !fields)
        return oriel_bind_memory(b);
    uint32_t total = join->inputs[0]->schema.field_count;
    if (!is_semi) {
        memcpy(fields + total, join->inputs[1]->schema.fields,
               join->inputs[1]->schema.field_count * sizeof *fields);
        total += join->inputs[1]->schema.field_count;
    }
    for (uint32_t i = 0; i < before.field_count; i++) {
        columns[i] = i < left_count ? i : i + left_extra;
        fields[columns[i]] = before.fields[i]; /* with the nullability of an outer join */
    }
    join->schema = (struct oriel_schema){total, fields};
    *plan = oriel_plan_make_columns(b->arena, join, before.field_count, columns);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

/* Sides that were extended move the right columns of the residual. */
static enum oriel_status set_residual(struct binder *b, struct oriel_plan *join,
                                      const struct oriel_conditions *rest, uint32_t left_count,
                                      uint32_t right_count, uint32_t left_extra) {
    join->join.residual = NULL;
    if (!rest->count)
        return ORIEL_OK;
    if (join->join.null_aware)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, join->position,
                              "NOT IN over nullable values can only be correlated by equalities "
                              "so far; write NOT EXISTS instead");
    struct oriel_expression *const all = oriel_expression_all(b->arena, rest->items, rest->count);
    uint32_t *const map =
        oriel_arena_allocate_zeroed(b->arena, (size_t)left_count + right_count + 1, sizeof *map);
    if (!all || !map)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < left_count + right_count; i++)
        map[i] = i < left_count ? i : i + left_extra;
    join->join.residual = oriel_expression_remap(b->arena, all, map);
    return join->join.residual ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_rewrite_join_keys(struct binder *b, struct oriel_plan **plan,
                                          const struct oriel_conditions *conditions) {
    struct oriel_plan *const join = *plan;
    const struct oriel_schema before = join->schema;
    const uint32_t left_count = join->inputs[0]->schema.field_count;
    const uint32_t right_count = join->inputs[1]->schema.field_count;
    struct key_list keys = {0};
    struct oriel_conditions rest = {0};
    uint32_t *const right_map = oriel_arena_allocate_zeroed(
        b->arena, (size_t)left_count + right_count + 1, sizeof *right_map);
    if (!right_map)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < right_count; i++)
        right_map[left_count + i] = i;
    for (uint32_t i = 0; i < conditions->count; i++) {
        bool taken;
        ORIEL_TRY(take_key(b, join, conditions->items[i], right_map, &keys, &taken));
        if (!taken && !oriel_conditions_add(&rest, b->arena, conditions->items[i]))
            return oriel_bind_memory(b);
    }
    uint32_t *left_keys, *right_keys;
    ORIEL_TRY(place_keys(b, &join->inputs[0], keys.left, keys.count, &left_keys));
    ORIEL_TRY(place_keys(b, &join->inputs[1], keys.right, keys.count, &right_keys));
    const uint32_t left_extra = join->inputs[0]->schema.field_count - left_count;
    const uint32_t right_extra = join->inputs[1]->schema.field_count - right_count;
    join->join.key_count = keys.count;
    join->join.left_keys = left_keys;
    join->join.right_keys = right_keys;
    join->join.null_matches = keys.null_matches;
    ORIEL_TRY(set_residual(b, join, &rest, left_count, right_count, left_extra));
    ORIEL_TRY(set_order(b, join));
    if (!left_extra && !right_extra)
        return ORIEL_OK;
    return restore_columns(b, plan, before, left_count, left_extra);
}
