/*
 * Finds the order of a plan's rows: that of the nearest aggregation, ranking or sort below, as far
 * as projections keep its columns.
 */
#include "engine/plan/plan_order.h"

static enum oriel_status take_columns(struct oriel_arena *arena, const uint32_t *columns,
                                      uint32_t count, struct oriel_plan_order *out,
                                      struct oriel_error *error) {
    out->columns = oriel_arena_allocate_zeroed(arena, count, sizeof *out->columns);
    if (!out->columns)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++)
        out->columns[i] = columns[i];
    out->column_count = count;
    return ORIEL_OK;
}

static bool find_reference(const struct oriel_plan *project, uint32_t column, uint32_t *out) {
    for (uint32_t i = 0; i < project->schema.field_count; i++) {
        const struct oriel_expression *expression = project->project.expressions[i];
        if (expression->kind == ORIEL_EXPRESSION_COLUMN && expression->column == column) {
            *out = i;
            return true;
        }
    }
    return false;
}

/* Keeps the columns up to the first one that the projection drops. */
static void project_order(const struct oriel_plan *project, struct oriel_plan_order *order) {
    for (uint32_t i = 0; i < order->column_count; i++)
        if (!find_reference(project, order->columns[i], &order->columns[i])) {
            order->column_count = i;
            order->is_unique = false;
        }
}

/* The items up to the first one that does not ascend with NULLs first. */
static enum oriel_status take_items(struct oriel_arena *arena, const struct oriel_plan *sort,
                                    struct oriel_plan_order *out, struct oriel_error *error) {
    const struct oriel_sort_item *items = sort->sort.items;
    out->columns = oriel_arena_allocate_zeroed(arena, sort->sort.item_count, sizeof(uint32_t));
    if (!out->columns)
        return oriel_error_memory(error);
    while (out->column_count < sort->sort.item_count && !items[out->column_count].descending &&
           items[out->column_count].nulls_first) {
        out->columns[out->column_count] = items[out->column_count].column;
        out->column_count++;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_plan_find_order(const struct oriel_plan *plan, struct oriel_arena *arena,
                                        struct oriel_plan_order *out, struct oriel_error *error) {
    *out = (struct oriel_plan_order){0};
    switch (plan->kind) {
    case ORIEL_PLAN_AGGREGATE:
        if (plan->aggregate.set_count > 1)
            return ORIEL_OK;
        out->is_unique = true;
        return take_columns(arena, plan->aggregate.order, plan->aggregate.order_count, out, error);
    case ORIEL_PLAN_RANK:
        out->is_unique = plan->rank.high == 1 && plan->rank.function == ORIEL_RANK_ROW_NUMBER;
        return take_columns(arena, plan->rank.order, plan->rank.order_count, out, error);
    case ORIEL_PLAN_SORT: return take_items(arena, plan, out, error);
    case ORIEL_PLAN_PROJECT:
        ORIEL_TRY(oriel_plan_find_order(plan->inputs[0], arena, out, error));
        project_order(plan, out);
        return ORIEL_OK;
    case ORIEL_PLAN_FILTER:
    case ORIEL_PLAN_LIMIT: return oriel_plan_find_order(plan->inputs[0], arena, out, error);
    default: return ORIEL_OK;
    }
}

/* The place of the key whose columns these are; key_count if there is none. */
static uint32_t find_key(const struct oriel_plan *plan, uint32_t left, uint32_t right) {
    uint32_t k = 0;
    while (k < plan->join.key_count &&
           (plan->join.left_keys[k] != left || plan->join.right_keys[k] != right))
        k++;
    return k;
}

static bool keeps_order(const struct oriel_plan *plan, const struct oriel_plan_order *left) {
    for (uint32_t i = 0; i < plan->join.order_count; i++)
        if (i >= left->column_count ||
            left->columns[i] != plan->join.left_keys[plan->join.order[i]])
            return false;
    return true;
}

enum oriel_status oriel_plan_find_join_order(const struct oriel_plan *plan,
                                             struct oriel_arena *arena,
                                             struct oriel_join_order *out,
                                             struct oriel_error *error) {
    struct oriel_plan_order left, right;
    const uint32_t count = plan->join.key_count;
    *out = (struct oriel_join_order){0};
    if (plan->join.kind == ORIEL_JOIN_RIGHT || plan->join.kind == ORIEL_JOIN_FULL ||
        plan->join.null_aware)
        return ORIEL_OK;
    ORIEL_TRY(oriel_plan_find_order(plan->inputs[0], arena, &left, error));
    ORIEL_TRY(oriel_plan_find_order(plan->inputs[1], arena, &right, error));
    if (left.column_count < count || right.column_count < count || !keeps_order(plan, &left))
        return ORIEL_OK;
    uint32_t *keys = oriel_arena_allocate_zeroed(arena, count, sizeof *keys);
    if (!keys)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = find_key(plan, left.columns[i], right.columns[i]);
        if (keys[i] == count)
            return ORIEL_OK;
        for (uint32_t j = 0; j < i; j++)
            if (keys[j] == keys[i])
                return ORIEL_OK;
    }
    *out = (struct oriel_join_order){count, keys, right.is_unique && right.column_count == count};
    return ORIEL_OK;
}
