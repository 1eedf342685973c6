/*
 * Windows that end in a range only (a backfill that runs day by day). The condition goes right
 * above the last windows of a query; what it means for the times of their rows goes below them,
 * from where the rewrites carry it to the scan. Windows over the windows of others ask those for as
 * much as they need themselves, so all windows of the result are whole.
 */
#include "engine/base/civil.h"
#include "engine/plan/bind.h"

/* Larger than any offset of a zone. */
static const int64_t ZONE_MARGIN_MS = INT64_C(24) * 3600 * 1000;

/* Values v with after < v <= until, on the wall clock; the ends of int64 are no bound. */
struct range {
    int64_t after_ms;
    int64_t until_ms;
};

static bool has_window(const struct oriel_plan *plan) {
    bool found = plan->kind == ORIEL_PLAN_WINDOW;
    for (uint32_t i = 0; i < plan->input_count && !found; i++)
        found = has_window(plan->inputs[i]);
    return found;
}

bool oriel_plan_has_window(const struct oriel_plan *plan) {
    bool found = plan->kind == ORIEL_PLAN_WINDOW ||
                 (plan->kind == ORIEL_PLAN_AGGREGATE && plan->aggregate.window);
    for (uint32_t i = 0; i < plan->input_count && !found; i++)
        found = oriel_plan_has_window(plan->inputs[i]);
    return found;
}

static int64_t floor_to(int64_t value, int64_t unit_ms, int64_t offset_ms) {
    return value - oriel_floor_mod(value - offset_ms, unit_ms);
}

/* The times of rows that windows ending in `ends` need, as time + 1 in (after, until]: so the range
 * of window ends of a window below, whose window_time the time is. Exact for TUMBLE. */
static struct range times_of(const struct oriel_window *window, struct range ends) {
    struct range times = ends;
    switch (window->kind) {
    case ORIEL_WINDOW_TUMBLE:
        if (ends.after_ms != INT64_MIN)
            times.after_ms = floor_to(ends.after_ms, window->size_ms, window->offset_ms);
        if (ends.until_ms != INT64_MAX)
            times.until_ms = floor_to(ends.until_ms, window->size_ms, window->offset_ms);
        break;
    case ORIEL_WINDOW_HOP:
    case ORIEL_WINDOW_CUMULATE:
        if (ends.after_ms != INT64_MIN)
            times.after_ms = ends.after_ms - window->size_ms;
        break;
    case ORIEL_WINDOW_SESSION:
        /* A session may begin any time before. One that ends later than the range holds a row, or
         * touches one, at its end or before, so it is not taken for one that ends in it. */
        times.after_ms = INT64_MIN;
        if (ends.until_ms != INT64_MAX)
            times.until_ms = ends.until_ms + 1;
        break;
    }
    return times;
}

static struct oriel_expression *time_constant(struct binder *b, struct oriel_type type,
                                              int64_t ms) {
    struct oriel_expression *const constant = oriel_expression_constant(
        b->arena, oriel_type_with_null(type, false), false, (struct oriel_position){0});
    if (!constant)
        return NULL;
    if (oriel_type_physical(&type) == ORIEL_PHYSICAL_I128)
        *(oriel_i128 *)constant->constant.values = (oriel_i128)ms * 1000000;
    else
        *(int64_t *)constant->constant.values = ms;
    return constant;
}

static enum oriel_status compare(struct binder *b, struct oriel_conditions *conditions,
                                 struct oriel_expression *value, const char *name, int64_t ms) {
    struct oriel_type type = value->type;
    type.rowtime = false;
    struct oriel_expression *const sides[2] = {value, time_constant(b, type, ms)};
    struct oriel_expression *condition;
    if (!sides[1])
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_bind_plain_call(b, name, value->position, sides, 2, NULL, &condition));
    return oriel_conditions_add(conditions, b->arena, condition) ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status put_filter(struct binder *b, struct oriel_plan **plan,
                                    const struct oriel_conditions *conditions) {
    if (!conditions->count)
        return ORIEL_OK;
    *plan = oriel_plan_make_filter(b->arena, *plan, conditions->items, conditions->count);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

/* Rows of the window's input with time + 1 in the range. Times with a zone are compared on the wall
 * clock, and once more as they are, so that files can be skipped by their statistics. */
static enum oriel_status filter_times(struct binder *b, struct oriel_plan *node,
                                      struct range times) {
    const uint32_t column = node->window.window.time_column;
    struct oriel_plan *const input = node->inputs[0];
    struct oriel_conditions conditions = {0};
    struct oriel_expression *time = oriel_expression_column(
        b->arena, column, input->schema.fields[column].type, node->position);
    if (!time)
        return oriel_bind_memory(b);
    const bool has_zone = time->type.id == ORIEL_TYPE_TIMESTAMP_LTZ;
    if (has_zone && times.after_ms != INT64_MIN)
        ORIEL_TRY(compare(b, &conditions, time, ">=", times.after_ms - ZONE_MARGIN_MS));
    if (has_zone && times.until_ms != INT64_MAX)
        ORIEL_TRY(compare(b, &conditions, time, "<", times.until_ms + ZONE_MARGIN_MS));
    if (has_zone)
        ORIEL_TRY(oriel_bind_cast(b, time, oriel_type_timestamp(time->type.precision), &time));
    if (times.after_ms != INT64_MIN)
        ORIEL_TRY(compare(b, &conditions, time, ">=", times.after_ms));
    if (times.until_ms != INT64_MAX)
        ORIEL_TRY(compare(b, &conditions, time, "<", times.until_ms));
    return put_filter(b, &node->inputs[0], &conditions);
}

static enum oriel_status filter_ends(struct binder *b, struct oriel_plan **plan,
                                     struct range ends) {
    struct oriel_plan *const node = *plan;
    const uint32_t column = node->inputs[0]->schema.field_count + 1;
    struct oriel_conditions conditions = {0};
    struct oriel_expression *const end =
        oriel_expression_column(b->arena, column, node->schema.fields[column].type, node->position);
    if (!end)
        return oriel_bind_memory(b);
    if (ends.after_ms != INT64_MIN)
        ORIEL_TRY(compare(b, &conditions, end, ">", ends.after_ms));
    if (ends.until_ms != INT64_MAX)
        ORIEL_TRY(compare(b, &conditions, end, "<=", ends.until_ms));
    for (uint32_t i = 0; i < conditions.count; i++)
        node->window.range[i] = conditions.items[i];
    return put_filter(b, plan, &conditions);
}

static enum oriel_status restrict_windows(struct binder *b, struct oriel_plan **plan,
                                          struct range ends) {
    struct oriel_plan *const node = *plan;
    if (node->kind != ORIEL_PLAN_WINDOW) {
        for (uint32_t i = 0; i < node->input_count; i++)
            ORIEL_TRY(restrict_windows(b, &node->inputs[i], ends));
        return ORIEL_OK;
    }
    const struct oriel_window *const window = &node->window.window;
    const struct range times = times_of(window, ends);
    const bool is_window_time =
        has_window(node->inputs[0]) &&
        oriel_plan_column_role(node->inputs[0], window->time_column) == ORIEL_ROLE_TIME;
    if (is_window_time)
        ORIEL_TRY(restrict_windows(b, &node->inputs[0], times));
    else
        ORIEL_TRY(filter_times(b, node, times));
    return window->kind == ORIEL_WINDOW_TUMBLE ? ORIEL_OK : filter_ends(b, plan, ends);
}

enum oriel_status oriel_restrict_windows(struct binder *b, struct oriel_plan **plan) {
    const struct range ends = {b->runtime->window_ends_after_ms, b->runtime->window_ends_until_ms};
    if (!b->runtime->has_window_range)
        return ORIEL_OK;
    return restrict_windows(b, plan, ends);
}
