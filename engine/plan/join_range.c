/*
 * Finds what a join's residual says about ranges: comparisons of a value of the left side with one
 * of the right side, in a list of conditions that all have to hold.
 */
#include "engine/plan/join_range.h"

#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/expression_tree.h"

static bool take_comparison(const char *name, struct oriel_join_range *range) {
    static const struct {
        const char *name;
        bool is_upper, is_strict;
    } comparisons[] = {
        {">=", true, false}, {">", true, true}, {"<=", false, false}, {"<", false, true}};
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        if (strcmp(name, comparisons[i].name) != 0)
            continue;
        range->is_upper = comparisons[i].is_upper;
        range->is_strict = comparisons[i].is_strict;
        return true;
    }
    return false;
}

static bool is_searchable(const struct oriel_type *type) {
    const enum oriel_physical physical = oriel_type_physical(type);
    return physical == ORIEL_PHYSICAL_I32 || physical == ORIEL_PHYSICAL_I64;
}

/* Sets `range`, its right side over the fields of the pair, if the condition is one. */
static bool take_range(const struct oriel_plan *plan, const struct oriel_expression *condition,
                       struct oriel_join_range *range) {
    const uint32_t left_count = plan->inputs[0]->schema.field_count;
    const uint32_t total = left_count + plan->inputs[1]->schema.field_count;
    if (condition->kind != ORIEL_EXPRESSION_CALL || condition->argument_count != 2 ||
        !take_comparison(condition->call->function->name, range) ||
        oriel_expression_is_volatile(condition))
        return false;
    for (uint32_t swap = 0; swap < 2; swap++) {
        range->left = condition->arguments[swap];
        range->right = condition->arguments[1 - swap];
        if (swap)
            range->is_upper = !range->is_upper;
        if (oriel_expression_within(range->left, 0, left_count) &&
            oriel_expression_within(range->right, left_count, total) &&
            oriel_expression_has_columns(range->right) &&
            oriel_type_same(&range->left->type, &range->right->type) &&
            is_searchable(&range->left->type))
            return true;
    }
    return false;
}

enum oriel_status oriel_plan_find_join_ranges(const struct oriel_plan *plan,
                                              struct oriel_arena *arena,
                                              struct oriel_join_ranges *out,
                                              struct oriel_error *error) {
    const uint32_t left_count = plan->inputs[0]->schema.field_count;
    const uint32_t right_count = plan->inputs[1]->schema.field_count;
    struct oriel_conditions conditions = {0};
    *out = (struct oriel_join_ranges){0};
    if (!plan->join.residual)
        return ORIEL_OK;
    uint32_t *map =
        oriel_arena_allocate_zeroed(arena, (size_t)left_count + right_count, sizeof *map);
    if (!map || !oriel_conditions_add(&conditions, arena, plan->join.residual))
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < right_count; i++)
        map[left_count + i] = i;
    for (uint32_t i = 0; i < conditions.count && out->count < ORIEL_JOIN_RANGES_MAX; i++) {
        struct oriel_join_range range;
        if (!take_range(plan, conditions.items[i], &range))
            continue;
        range.right = oriel_expression_remap(arena, range.right, map);
        if (!range.right)
            return oriel_error_memory(error);
        out->items[out->count++] = range;
    }
    return ORIEL_OK;
}
