/*
 * Projections over projections become one, and what a projection over a window function computes
 * without the window is computed below it: once a row instead of once a window, and out of the way
 * between window and aggregation.
 */
#include <string.h>

#include "engine/functions/expression.h"
#include "engine/plan/rewrite.h"

static bool is_trivial(const struct oriel_expression *expression) {
    return expression->kind == ORIEL_EXPRESSION_COLUMN ||
           expression->kind == ORIEL_EXPRESSION_CONSTANT;
}

/* Merging must not compute anything twice. */
static enum oriel_status can_merge(struct binder *b, const struct oriel_plan *outer,
                                   const struct oriel_plan *inner, bool *out) {
    const uint32_t inner_count = inner->schema.field_count;
    uint32_t *const uses =
        oriel_arena_allocate_zeroed(b->arena, (size_t)inner_count + 1, sizeof *uses);
    if (!uses)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < outer->schema.field_count; i++)
        oriel_expression_count_uses(outer->project.expressions[i], uses);
    *out = !inner->project.requires_time;
    for (uint32_t i = 0; i < inner_count; i++) {
        if (!is_trivial(inner->project.expressions[i]) && uses[i] > 1)
            *out = false;
    }
    return ORIEL_OK;
}

static enum oriel_status merge(struct binder *b, struct oriel_plan *outer) {
    struct oriel_plan *const inner = outer->inputs[0];
    const uint32_t count = outer->schema.field_count;
    struct oriel_expression **const merged =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *merged);
    if (!merged)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        merged[i] = oriel_expression_substitute(b->arena, outer->project.expressions[i],
                                                inner->project.expressions);
        if (!merged[i])
            return oriel_bind_memory(b);
        /* What the inner one gives may be constant. */
        ORIEL_TRY(oriel_expression_fold(b->runtime, b->arena, &merged[i], b->error));
    }
    outer->project.expressions = merged;
    outer->inputs[0] = inner->inputs[0];
    return ORIEL_OK;
}

/* The window function under a projection, perhaps with a filter on the windows between. */
static struct oriel_plan *window_below(struct oriel_plan *project, struct oriel_plan **filter) {
    struct oriel_plan *below = project->inputs[0];
    *filter = NULL;
    if (below->kind == ORIEL_PLAN_FILTER) {
        *filter = below;
        below = below->inputs[0];
    }
    return below->kind == ORIEL_PLAN_WINDOW ? below : NULL;
}

static bool can_sink(const struct oriel_expression *expression, uint32_t own) {
    return !is_trivial(expression) && oriel_expression_within(expression, 0, own) &&
           !oriel_expression_is_volatile(expression);
}

/* A map for columns of the window function once `extra` columns were put before the window's. */
static uint32_t *shift_map(struct binder *b, uint32_t own, uint32_t extra) {
    uint32_t *const map = oriel_arena_allocate_zeroed(b->arena, (size_t)own + 3, sizeof *map);
    for (uint32_t i = 0; map && i < own + 3; i++)
        map[i] = i < own ? i : i + extra;
    return map;
}

/* Extends the input of the window function and moves the columns of the window behind. */
static enum oriel_status extend_window(struct binder *b, struct oriel_plan *window,
                                       const struct oriel_conditions *computed) {
    const uint32_t own = window->inputs[0]->schema.field_count;
    struct oriel_plan *const input =
        oriel_plan_make_extension(b->arena, window->inputs[0], computed->count, computed->items);
    struct oriel_field *const fields =
        input ? oriel_plan_copy_fields(b->arena, input->schema, 3) : NULL;
    if (!fields)
        return oriel_bind_memory(b);
    memcpy(fields + input->schema.field_count, window->schema.fields + own, 3 * sizeof *fields);
    window->inputs[0] = input;
    window->schema = (struct oriel_schema){input->schema.field_count + 3, fields};
    return ORIEL_OK;
}

static enum oriel_status sink_below_window(struct binder *b, struct oriel_plan *project,
                                           bool *changed) {
    struct oriel_plan *filter;
    struct oriel_plan *const window = window_below(project, &filter);
    *changed = false;
    if (!window)
        return ORIEL_OK;
    const uint32_t own = window->inputs[0]->schema.field_count;
    const uint32_t count = project->schema.field_count;
    struct oriel_conditions computed = {0};
    uint32_t *const places =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *places);
    if (!places)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        if (!can_sink(project->project.expressions[i], own))
            continue;
        computed.items =
            oriel_plan_grow(b->arena, computed.items, computed.count, sizeof *computed.items);
        if (!computed.items)
            return oriel_bind_memory(b);
        places[i] = own + computed.count;
        computed.items[computed.count++] = project->project.expressions[i];
    }
    if (!computed.count)
        return ORIEL_OK;
    uint32_t *const map = shift_map(b, own, computed.count);
    if (!map)
        return oriel_bind_memory(b);
    ORIEL_TRY(extend_window(b, window, &computed));
    for (uint32_t i = 0; i < count; i++) {
        struct oriel_expression **const item = &project->project.expressions[i];
        *item = can_sink(*item, own)
                    ? oriel_expression_column(b->arena, places[i], (*item)->type, (*item)->position)
                    : oriel_expression_remap(b->arena, *item, map);
        if (!*item)
            return oriel_bind_memory(b);
    }
    if (filter) {
        filter->filter.condition = oriel_expression_remap(b->arena, filter->filter.condition, map);
        filter->schema = window->schema;
        if (!filter->filter.condition)
            return oriel_bind_memory(b);
    }
    *changed = true;
    return oriel_rewrite_projections(b, &window->inputs[0]);
}

enum oriel_status oriel_rewrite_projections(struct binder *b, struct oriel_plan **plan) {
    struct oriel_plan *const node = *plan;
    for (uint32_t i = 0; i < node->input_count; i++)
        ORIEL_TRY(oriel_rewrite_projections(b, &node->inputs[i]));
    if (node->kind != ORIEL_PLAN_PROJECT)
        return ORIEL_OK;
    for (;;) {
        bool changed = false;
        if (node->inputs[0]->kind == ORIEL_PLAN_PROJECT) {
            ORIEL_TRY(can_merge(b, node, node->inputs[0], &changed));
            if (changed)
                ORIEL_TRY(merge(b, node));
        } else {
            ORIEL_TRY(sink_below_window(b, node, &changed));
        }
        if (!changed)
            return ORIEL_OK;
    }
}
