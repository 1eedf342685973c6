/*
 * Lays out the states and keys of an aggregation, and cuts its windows into slices: the greatest
 * length of which both the slide and the size are multiples, so that every row is added once.
 */
#include "engine/exec/aggregate_radix.h"

#include <stdlib.h>

#include "engine/base/civil.h"
#include "engine/functions/aggregate_extreme.h"

enum { STATE_ALIGNMENT = 16 };

static int64_t greatest_divisor(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void cut_slices(struct aggregate_layout *layout) {
    const struct oriel_window *window = layout->window;
    if (!window || window->kind == ORIEL_WINDOW_SESSION)
        return;
    layout->slice_ms = window->kind == ORIEL_WINDOW_TUMBLE
                           ? window->size_ms
                           : greatest_divisor(window->size_ms, window->slide_ms);
    layout->slice_offset_ms = oriel_floor_mod(window->offset_ms, layout->slice_ms);
}

static enum aggregate_bound bound_of(const struct aggregate_layout *layout,
                                     const struct oriel_aggregate_call *call) {
    if (!aggregate_is_session(layout) || call->operations != &oriel_extreme_integers ||
        call->filter >= 0 || call->arguments[0] != layout->window->time_column ||
        call->argument_types[0].id != ORIEL_TYPE_TIMESTAMP)
        return AGGREGATE_NO_BOUND;
    return oriel_extreme_is_max(call) ? AGGREGATE_LAST_TIME : AGGREGATE_FIRST_TIME;
}

/* `part`: states come from elsewhere or go there. */
static enum oriel_status lay_states(struct aggregate_layout *layout, bool part,
                                    struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan;
    layout->offsets = oriel_arena_allocate_zeroed(
        &layout->arena, plan->aggregate.aggregate_count + 1u, sizeof *layout->offsets);
    layout->bounds = oriel_arena_allocate_zeroed(
        &layout->arena, plan->aggregate.aggregate_count + 1u, sizeof *layout->bounds);
    if (!layout->offsets || !layout->bounds)
        return oriel_error_memory(error);
    layout->plain_states = true;
    layout->adds_words = true;
    size_t offset = 0;
    for (uint32_t a = 0; a < plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &plan->aggregate.aggregates[a];
        const size_t alignment = call->state_bytes % STATE_ALIGNMENT ? 8 : STATE_ALIGNMENT;
        offset = (offset + alignment - 1) / alignment * alignment;
        layout->offsets[a] = offset;
        layout->bounds[a] = part ? AGGREGATE_NO_BOUND : bound_of(layout, call);
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            continue;
        offset += call->state_bytes;
        if (call->operations->saved_bytes)
            layout->plain_states = false;
        if (!call->operations->merge_adds_words)
            layout->adds_words = false;
        if (call->function->flags & ORIEL_AGGREGATE_HOLDS_ALL)
            layout->long_results = true;
    }
    layout->stride_bytes = (offset + STATE_ALIGNMENT - 1) / STATE_ALIGNMENT * STATE_ALIGNMENT;
    if (!layout->stride_bytes)
        layout->stride_bytes = STATE_ALIGNMENT;
    return ORIEL_OK;
}

static int by_grouping_id(const void *a, const void *b) {
    const struct aggregate_set *x = a, *y = b;
    return (x->grouping_id > y->grouping_id) - (x->grouping_id < y->grouping_id);
}

static enum oriel_status lay_sets(struct aggregate_layout *layout, struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan;
    const uint32_t key_count = plan->aggregate.key_count;
    layout->set_count = plan->aggregate.set_count ? plan->aggregate.set_count : 1;
    layout->sets =
        oriel_arena_allocate_zeroed(&layout->arena, layout->set_count, sizeof *layout->sets);
    if (!layout->sets)
        return oriel_error_memory(error);
    for (uint32_t s = 0; s < layout->set_count; s++) {
        struct aggregate_set *set = &layout->sets[s];
        set->keys = plan->aggregate.set_count ? plan->aggregate.sets[s] : ~UINT64_C(0);
        for (uint32_t k = 0; k < key_count; k++) {
            if (!(set->keys >> k & 1))
                set->grouping_id |= INT64_C(1) << (key_count - 1 - k);
        }
    }
    qsort(layout->sets, layout->set_count, sizeof *layout->sets, by_grouping_id);
    return ORIEL_OK;
}

static enum oriel_status lay_keys(struct aggregate_layout *layout, struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan;
    const struct oriel_schema *input = &plan->inputs[0]->schema;
    const uint32_t key_count = plan->aggregate.key_count;
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&layout->arena, key_count + 1u, sizeof *fields);
    layout->key_inputs =
        oriel_arena_allocate_zeroed(&layout->arena, key_count + 1u, sizeof(uint32_t));
    layout->key_positions =
        oriel_arena_allocate_zeroed(&layout->arena, key_count + 1u, sizeof(uint32_t));
    layout->key_sizes =
        oriel_arena_allocate_zeroed(&layout->arena, key_count + 1u, sizeof(uint32_t));
    if (!fields || !layout->key_inputs || !layout->key_positions || !layout->key_sizes)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < key_count; k++) {
        const struct oriel_key *key = &plan->aggregate.keys[k];
        if (key->kind != ORIEL_KEY_COLUMN)
            continue;
        const uint32_t at = layout->key_column_count++;
        fields[at] = input->fields[key->column];
        fields[at].type.nullable = fields[at].type.nullable || layout->set_count > 1;
        layout->key_inputs[at] = key->column;
        layout->key_positions[at] = k;
    }
    layout->key_schema = (struct oriel_schema){layout->key_column_count, fields};
    if (layout->set_count > 1) {
        fields[layout->key_column_count].name = "grouping set";
        fields[layout->key_column_count].type = oriel_type_make(ORIEL_TYPE_INT);
        layout->key_schema.field_count++;
    }
    for (uint32_t c = 0; c < layout->key_schema.field_count; c++)
        layout->key_sizes[c] = (uint32_t)oriel_physical_size(oriel_type_physical(&fields[c].type));
    return ORIEL_OK;
}

static enum oriel_status lay_order(struct aggregate_layout *layout, struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan;
    layout->sort_items = oriel_arena_allocate_zeroed(
        &layout->arena, layout->key_schema.field_count + 1u, sizeof *layout->sort_items);
    if (!layout->sort_items)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < plan->aggregate.order_count; i++) {
        for (uint32_t k = 0; k < layout->key_column_count; k++) {
            if (layout->key_positions[k] == plan->aggregate.order[i])
                layout->sort_items[layout->sort_count++] =
                    (struct oriel_sort_item){.column = k, .nulls_first = true};
        }
    }
    if (layout->set_count > 1)
        layout->sort_items[layout->sort_count++] =
            (struct oriel_sort_item){.column = layout->key_column_count, .nulls_first = true};
    return ORIEL_OK;
}

enum oriel_status aggregate_layout_init(struct aggregate_layout *layout,
                                        const struct oriel_plan *plan,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_error *error) {
    *layout = (struct aggregate_layout){
        .plan = plan, .runtime = runtime, .window = plan->aggregate.window};
    oriel_arena_init(&layout->arena, runtime->memory);
    const bool part = plan->aggregate.gives_states || plan->aggregate.states;
    layout->copies = !part && plan->choices[ORIEL_TOPIC_WINDOW].strategy == ORIEL_STRATEGY_COPIES;
    cut_slices(layout);
    ORIEL_TRY(lay_states(layout, part, error));
    ORIEL_TRY(lay_sets(layout, error));
    ORIEL_TRY(lay_keys(layout, error));
    ORIEL_TRY(lay_order(layout, error));
    layout->strategy = plan->choices[ORIEL_TOPIC_AGGREGATE].strategy;
    layout->session = plan->choices[ORIEL_TOPIC_SESSION].strategy;
    if (!plan->aggregate.window && layout->strategy == ORIEL_STRATEGY_RADIX)
        layout->strategy = ORIEL_STRATEGY_AUTO;
    layout->may_radix = !part && aggregate_radix_possible(layout);
    return ORIEL_OK;
}

void aggregate_slice_window(const struct aggregate_layout *layout, int64_t slice_start_ms,
                            int64_t *start_ms, int64_t *end_ms) {
    const struct oriel_window *window = layout->window;
    *start_ms = slice_start_ms;
    *end_ms = slice_start_ms + layout->slice_ms;
    if (!layout->copies)
        return;
    if (window->kind == ORIEL_WINDOW_HOP) {
        *end_ms = slice_start_ms + window->size_ms;
    } else {
        *end_ms = slice_start_ms;
        *start_ms = *end_ms - 1 - oriel_floor_mod(*end_ms - 1 - window->offset_ms, window->size_ms);
    }
}

void aggregate_layout_deinit(struct aggregate_layout *layout) {
    oriel_arena_deinit(&layout->arena);
}
