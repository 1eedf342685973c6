/*
 * The rewrites in their order: conditions go down first, so that projections meet, so that windows
 * meet their aggregations; unused columns are left out last.
 */
#include "engine/plan/rewrite.h"

void oriel_rewrite_limits(const struct oriel_runtime *runtime, struct oriel_plan *plan) {
    for (uint32_t i = 0; i < plan->input_count; i++)
        oriel_rewrite_limits(runtime, plan->inputs[i]);
    if (plan->kind == ORIEL_PLAN_RANK) {
        /* Deduplication by a time attribute, latest first: among equal times the last arrival wins
         * in streaming mode, the first in batch mode. */
        const struct oriel_sort_item *const item = plan->rank.items;
        plan->rank.last_of_equals =
            !runtime->batch_mode && plan->rank.function == ORIEL_RANK_ROW_NUMBER &&
            plan->rank.item_count == 1 && plan->rank.low == 1 && plan->rank.high == 1 &&
            item->descending && plan->inputs[0]->schema.fields[item->column].type.rowtime;
    }
    if (plan->kind != ORIEL_PLAN_LIMIT || plan->limit.limit == INT64_MAX)
        return;
    struct oriel_plan *below = plan->inputs[0];
    while (below->kind == ORIEL_PLAN_PROJECT)
        below = below->inputs[0];
    if (below->kind != ORIEL_PLAN_SORT)
        return;
    if (plan->limit.offset <= INT64_MAX - plan->limit.limit)
        below->sort.limit = plan->limit.offset + plan->limit.limit;
}

/* Tells scans the condition of the filter right above them. */
static void offer_conditions(struct oriel_plan *plan) {
    for (uint32_t i = 0; i < plan->input_count; i++)
        offer_conditions(plan->inputs[i]);
    if (plan->kind == ORIEL_PLAN_FILTER && plan->inputs[0]->kind == ORIEL_PLAN_SCAN)
        plan->inputs[0]->scan.condition = plan->filter.condition;
}

enum oriel_status oriel_plan_rewrite(struct binder *b, struct oriel_plan **plan) {
    ORIEL_TRY(oriel_rewrite_filters(b, plan));
    ORIEL_TRY(oriel_rewrite_projections(b, plan));
    ORIEL_TRY(oriel_rewrite_windows(b, plan));
    oriel_rewrite_limits(b->runtime, *plan);
    ORIEL_TRY(oriel_rewrite_columns(b, plan));
    offer_conditions(*plan);
    return oriel_rewrite_strategies(b, *plan);
}
