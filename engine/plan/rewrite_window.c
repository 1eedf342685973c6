/*
 * The window aggregate: GROUP BY window_start, window_end over a window function. The aggregation
 * assigns windows itself, so a row is added to a slice once, however many windows it is in.
 */
#include <string.h>

#include "engine/plan/rewrite.h"

/* The parts of aggregation over projection [over filter on windows] over window function. */
struct window_aggregate {
    struct oriel_plan *aggregate, *project, *filter, *window;
    struct oriel_expression *condition; /* of the filter; NULL: none */
    struct oriel_expression *range;     /* what keeps windows to the range of the run; NULL: none */
    uint32_t own;                       /* columns of the function's input */
    uint32_t *new_columns;              /* of the projection: where each goes */
};

static enum oriel_key_kind kind_of_column(const struct window_aggregate *parts, uint32_t column) {
    const struct oriel_expression *const expression = parts->project->project.expressions[column];
    if (expression->kind != ORIEL_EXPRESSION_COLUMN || expression->column < parts->own)
        return ORIEL_KEY_COLUMN;
    return (enum oriel_key_kind)(ORIEL_KEY_WINDOW_START + (expression->column - parts->own));
}

static bool uses_window(const struct window_aggregate *parts, uint32_t column) {
    return !oriel_expression_within(parts->project->project.expressions[column], 0, parts->own);
}

/* Finds the pieces; false when the aggregation is over something else. */
static bool find_parts(struct oriel_plan *plan, struct window_aggregate *parts) {
    if (plan->kind != ORIEL_PLAN_AGGREGATE || plan->aggregate.window ||
        plan->inputs[0]->kind != ORIEL_PLAN_PROJECT)
        return false;
    parts->aggregate = plan;
    parts->project = plan->inputs[0];
    struct oriel_plan *below = parts->project->inputs[0];
    parts->filter = NULL;
    if (below->kind == ORIEL_PLAN_FILTER) {
        parts->filter = below;
        below = below->inputs[0];
    }
    if (below->kind != ORIEL_PLAN_WINDOW)
        return false;
    parts->window = below;
    parts->own = below->inputs[0]->schema.field_count;
    return true;
}

/* Takes the conditions of the run's range from those that the query has: where these go depends on
 * what they are, as in Flink. */
static enum oriel_status split_filter(struct binder *b, struct window_aggregate *parts) {
    struct oriel_conditions all = {0}, own = {0}, range = {0};
    parts->condition = parts->range = NULL;
    if (!parts->filter)
        return ORIEL_OK;
    if (!oriel_conditions_add(&all, b->arena, parts->filter->filter.condition))
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < all.count; i++) {
        const bool is_range = all.items[i] == parts->window->window.range[0] ||
                              all.items[i] == parts->window->window.range[1];
        if (!oriel_conditions_add(is_range ? &range : &own, b->arena, all.items[i]))
            return oriel_bind_memory(b);
    }
    if (own.count)
        parts->condition = oriel_expression_all(b->arena, own.items, own.count);
    if (range.count)
        parts->range = oriel_expression_all(b->arena, range.items, range.count);
    return (own.count && !parts->condition) || (range.count && !parts->range) ? oriel_bind_memory(b)
                                                                              : ORIEL_OK;
}

/* Window keys in every grouping set, nothing else computed from the window. */
static bool has_window_keys(const struct window_aggregate *parts) {
    const struct oriel_plan *const plan = parts->aggregate;
    bool has_start = false, has_end = false;
    for (uint32_t k = 0; k < plan->aggregate.key_count; k++) {
        const uint32_t column = plan->aggregate.keys[k].column;
        const enum oriel_key_kind kind = kind_of_column(parts, column);
        if (kind == ORIEL_KEY_COLUMN && uses_window(parts, column))
            return false;
        bool is_always_set = true;
        for (uint32_t s = 0; s < plan->aggregate.set_count; s++)
            is_always_set &= k < 64 ? plan->aggregate.sets[s] >> k & 1 : 1;
        if (kind != ORIEL_KEY_COLUMN && !is_always_set)
            return false;
        has_start |= kind == ORIEL_KEY_WINDOW_START;
        has_end |= kind == ORIEL_KEY_WINDOW_END;
    }
    return has_start && has_end;
}

static bool has_plain_arguments(const struct window_aggregate *parts) {
    const struct oriel_plan *const plan = parts->aggregate;
    for (uint32_t i = 0; i < plan->aggregate.aggregate_count; i++) {
        const struct oriel_aggregate_call *const call = &plan->aggregate.aggregates[i];
        for (uint32_t a = 0; a < call->argument_count; a++) {
            if (uses_window(parts, call->arguments[a]))
                return false;
        }
        if (call->filter >= 0 && uses_window(parts, (uint32_t)call->filter))
            return false;
    }
    return true;
}

/* Sessions are made a key: the other group keys must be exactly the PARTITION BY keys. */
static bool has_session_keys(const struct window_aggregate *parts) {
    const struct oriel_plan *const plan = parts->aggregate;
    const struct oriel_window *const window = &parts->window->window.window;
    if (plan->aggregate.set_count != 1)
        return false;
    uint64_t found = 0;
    for (uint32_t k = 0; k < plan->aggregate.key_count; k++) {
        const uint32_t column = plan->aggregate.keys[k].column;
        const struct oriel_expression *const expression =
            parts->project->project.expressions[column];
        if (kind_of_column(parts, column) != ORIEL_KEY_COLUMN)
            continue;
        uint32_t i = 0;
        while (i < window->key_count && (expression->kind != ORIEL_EXPRESSION_COLUMN ||
                                         window->keys[i] != expression->column))
            i++;
        if (i == window->key_count || i >= 64)
            return false;
        found |= (uint64_t)1 << i;
    }
    for (uint32_t i = 0; i < window->key_count; i++) {
        if (i >= 64 || !(found >> i & 1))
            return false;
    }
    return true;
}

/* Where the key of each window column is, or UINT32_MAX. */
static void find_window_keys(const struct window_aggregate *parts, uint32_t *key_of_window) {
    for (uint32_t w = 0; w < 3; w++)
        key_of_window[w] = UINT32_MAX;
    for (uint32_t k = parts->aggregate->aggregate.key_count; k-- > 0;) {
        const enum oriel_key_kind kind =
            kind_of_column(parts, parts->aggregate->aggregate.keys[k].column);
        if (kind != ORIEL_KEY_COLUMN)
            key_of_window[kind - ORIEL_KEY_WINDOW_START] = k;
    }
}

/* Whether a filter between is on the windows alone, each of its columns a key. */
static bool can_lift_filter(const struct window_aggregate *parts, const uint32_t *key_of_window) {
    const struct oriel_expression *const condition = parts->condition;
    if (!oriel_expression_within(condition, parts->own, parts->own + 3))
        return false;
    for (uint32_t w = 0; w < 3; w++) {
        if (oriel_expression_uses(condition, parts->own + w) && key_of_window[w] == UINT32_MAX)
            return false;
    }
    return true;
}

/* A filter on other columns is still here only above a session. Flink drops its rows before
 * sessions are made when it makes one operator of window and aggregation, and after that otherwise.
 */
static bool can_sink_filter(const struct window_aggregate *parts) {
    return oriel_expression_within(parts->condition, 0, parts->own);
}

static enum oriel_status sink_filter(struct binder *b, struct window_aggregate *parts) {
    struct oriel_plan *const window = parts->window;
    window->inputs[0] = oriel_plan_make_filter(b->arena, window->inputs[0], &parts->condition, 1);
    parts->condition = NULL;
    return window->inputs[0] ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status check_hop(struct binder *b, const struct oriel_plan *plan) {
    const struct oriel_window *const window = &plan->window.window;
    if (window->kind != ORIEL_WINDOW_HOP || b->runtime->batch_mode ||
        plan->window.is_group_window || window->size_ms % window->slide_ms == 0)
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, plan->position,
                          "HOP table function based aggregate requires size must be an integral "
                          "multiple of slide, but got size %lld ms and slide %lld ms%s",
                          (long long)window->size_ms, (long long)window->slide_ms,
                          window->slide_ms % window->size_ms
                              ? ""
                              : ". The slide stands before the size: are they swapped?");
}

/* The projection without window columns, with the time column behind. */
static enum oriel_status make_input(struct binder *b, struct window_aggregate *parts,
                                    struct oriel_window *window, struct oriel_plan **out) {
    const uint32_t count = parts->project->schema.field_count;
    struct oriel_plan *const input = parts->window->inputs[0];
    struct oriel_expression **const expressions =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *expressions);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *names);
    parts->new_columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *parts->new_columns);
    if (!expressions || !names || !parts->new_columns)
        return oriel_bind_memory(b);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (uses_window(parts, i))
            continue;
        parts->new_columns[i] = kept;
        expressions[kept] = parts->project->project.expressions[i];
        names[kept++] = parts->project->schema.fields[i].name;
    }
    const struct oriel_field *const time = &input->schema.fields[window->time_column];
    expressions[kept] =
        oriel_expression_column(b->arena, window->time_column, time->type, input->position);
    names[kept] = time->name;
    if (!expressions[kept])
        return oriel_bind_memory(b);
    window->time_column = kept++;
    *out = oriel_plan_make_project(b->arena, input, kept, expressions, names);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status move_aggregates(struct binder *b, const struct window_aggregate *parts) {
    struct oriel_plan *const plan = parts->aggregate;
    const uint32_t count = plan->aggregate.aggregate_count;
    struct oriel_aggregate_call *const calls =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *calls);
    if (!calls)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        calls[i] = plan->aggregate.aggregates[i];
        uint32_t *const arguments = oriel_arena_allocate_zeroed(
            b->arena, (size_t)calls[i].argument_count + 1, sizeof *arguments);
        if (!arguments)
            return oriel_bind_memory(b);
        for (uint32_t a = 0; a < calls[i].argument_count; a++)
            arguments[a] = parts->new_columns[calls[i].arguments[a]];
        calls[i].arguments = arguments;
        if (calls[i].filter >= 0)
            calls[i].filter = (int32_t)parts->new_columns[calls[i].filter];
    }
    plan->aggregate.aggregates = calls;
    return ORIEL_OK;
}

static enum oriel_status move_keys(struct binder *b, const struct window_aggregate *parts,
                                   struct oriel_window *window) {
    struct oriel_plan *const plan = parts->aggregate;
    const uint32_t count = plan->aggregate.key_count;
    struct oriel_key *const keys =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *keys);
    uint32_t *const session_keys =
        oriel_arena_allocate_zeroed(b->arena, (size_t)window->key_count + 1, sizeof *session_keys);
    if (!keys || !session_keys)
        return oriel_bind_memory(b);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t column = plan->aggregate.keys[k].column;
        keys[k].kind = kind_of_column(parts, column);
        if (keys[k].kind != ORIEL_KEY_COLUMN)
            continue;
        keys[k].column = parts->new_columns[column];
        const struct oriel_expression *const expression =
            parts->project->project.expressions[column];
        for (uint32_t i = 0; i < window->key_count; i++) {
            if (expression->kind == ORIEL_EXPRESSION_COLUMN &&
                expression->column == window->keys[i])
                session_keys[i] = keys[k].column;
        }
    }
    plan->aggregate.keys = keys;
    window->keys = session_keys;
    return ORIEL_OK;
}

/* Puts the filter on the windows on top, over the keys. */
static enum oriel_status lift_filter(struct binder *b, const struct window_aggregate *parts,
                                     const uint32_t *key_of_window, struct oriel_plan **plan) {
    struct oriel_conditions conditions = {0};
    uint32_t *const map =
        oriel_arena_allocate_zeroed(b->arena, (size_t)parts->own + 3, sizeof *map);
    if (!map)
        return oriel_bind_memory(b);
    for (uint32_t w = 0; w < 3; w++)
        map[parts->own + w] = key_of_window[w];
    struct oriel_expression *const lifted[] = {parts->condition, parts->range};
    for (uint32_t i = 0; i < 2; i++) {
        struct oriel_expression *const moved =
            lifted[i] ? oriel_expression_remap(b->arena, lifted[i], map) : NULL;
        if (lifted[i] && (!moved || !oriel_conditions_add(&conditions, b->arena, moved)))
            return oriel_bind_memory(b);
    }
    *plan = oriel_plan_make_filter(b->arena, *plan, conditions.items, conditions.count);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status fuse(struct binder *b, struct oriel_plan **plan) {
    struct window_aggregate parts;
    uint32_t key_of_window[3];
    if (!find_parts(*plan, &parts) || !has_window_keys(&parts) || !has_plain_arguments(&parts))
        return ORIEL_OK;
    const bool is_session = parts.window->window.window.kind == ORIEL_WINDOW_SESSION;
    if (is_session && !has_session_keys(&parts))
        return ORIEL_OK;
    find_window_keys(&parts, key_of_window);
    ORIEL_TRY(split_filter(b, &parts));
    if (parts.condition && !can_lift_filter(&parts, key_of_window)) {
        if (!is_session || !can_sink_filter(&parts))
            return ORIEL_OK;
        ORIEL_TRY(sink_filter(b, &parts));
    }
    ORIEL_TRY(check_hop(b, parts.window));
    struct oriel_window *const window = oriel_arena_allocate(b->arena, sizeof *window);
    if (!window)
        return oriel_bind_memory(b);
    *window = parts.window->window.window;
    struct oriel_plan *input;
    ORIEL_TRY(make_input(b, &parts, window, &input));
    ORIEL_TRY(move_aggregates(b, &parts));
    ORIEL_TRY(move_keys(b, &parts, window));
    parts.aggregate->inputs[0] = input;
    parts.aggregate->aggregate.window = window;
    ORIEL_TRY(lift_filter(b, &parts, key_of_window, plan));
    return oriel_rewrite_projections(b, &parts.aggregate->inputs[0]);
}

enum oriel_status oriel_rewrite_windows(struct binder *b, struct oriel_plan **plan) {
    for (uint32_t i = 0; i < (*plan)->input_count; i++)
        ORIEL_TRY(oriel_rewrite_windows(b, &(*plan)->inputs[i]));
    return fuse(b, plan);
}
