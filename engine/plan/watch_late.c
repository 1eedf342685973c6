/*
 * Which scans are to count late rows, for which windows. A row's lateness depends on the rows of
 * the table before it, also on those that a filter drops, so it is found at the scan: what the plan
 * between computes is carried down to there.
 */
#include "engine/base/late_report.h"
#include "engine/plan/bind.h"
#include "engine/plan/explain_text.h"

/* A window operator: the expressions it needs, over the node that the walk has come down to. */
struct watch {
    const struct oriel_window *window;
    struct oriel_position position;
    struct oriel_conditions conditions;
    uint32_t count; /* time, keys */
    struct oriel_expression **expressions;
    const struct oriel_schema *schema; /* of the window's input */
};

static enum oriel_status begin(struct binder *b, const struct oriel_plan *input,
                               const struct oriel_window *window, struct watch *watch) {
    watch->count = 1 + window->key_count;
    watch->expressions =
        oriel_arena_allocate_zeroed(b->arena, watch->count, sizeof *watch->expressions);
    if (!watch->expressions)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < watch->count; i++) {
        const uint32_t column = i ? window->keys[i - 1] : window->time_column;
        watch->expressions[i] = oriel_expression_column(
            b->arena, column, input->schema.fields[column].type, watch->position);
        if (!watch->expressions[i])
            return oriel_bind_memory(b);
    }
    return ORIEL_OK;
}

static enum oriel_status go_through_project(struct binder *b, const struct oriel_plan *project,
                                            struct watch *watch) {
    for (uint32_t i = 0; i < watch->count; i++) {
        watch->expressions[i] = oriel_expression_substitute(b->arena, watch->expressions[i],
                                                            project->project.expressions);
        if (!watch->expressions[i])
            return oriel_bind_memory(b);
    }
    for (uint32_t i = 0; i < watch->conditions.count; i++) {
        watch->conditions.items[i] = oriel_expression_substitute(
            b->arena, watch->conditions.items[i], project->project.expressions);
        if (!watch->conditions.items[i])
            return oriel_bind_memory(b);
    }
    return ORIEL_OK;
}

/* What is computed for rows that a filter drops must not fail: CASE WHEN condition THEN value END.
 */
static enum oriel_status guard(struct binder *b, const struct oriel_expression *condition,
                               struct oriel_expression **value) {
    if ((*value)->kind == ORIEL_EXPRESSION_COLUMN || !condition)
        return ORIEL_OK;
    struct oriel_expression *const made = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *made);
    struct oriel_expression **const parts = oriel_arena_allocate(b->arena, 2 * sizeof(void *));
    struct oriel_expression *const copy = oriel_arena_allocate(b->arena, sizeof *copy);
    if (!made || !parts || !copy)
        return oriel_bind_memory(b);
    *copy = *condition;
    parts[0] = copy;
    parts[1] = *value;
    made->kind = ORIEL_EXPRESSION_CASE;
    made->type = oriel_type_with_null((*value)->type, true);
    made->position = (*value)->position;
    made->argument_count = 2;
    made->arguments = parts;
    *value = made;
    return ORIEL_OK;
}

static enum oriel_status describe(struct binder *b, const struct watch *watch,
                                  struct oriel_late_window *report) {
    struct explain e = {.arena = b->arena};
    oriel_text_buffer_init(&e.text, b->arena->memory);
    oriel_explain_window(&e, watch->window, watch->schema);
    report->window = oriel_arena_copy(b->arena, e.text.bytes ? e.text.bytes : "", e.text.length);
    oriel_text_buffer_deinit(&e.text);
    return report->window && !e.failed ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status attach(struct binder *b, struct oriel_plan *scan, struct watch *watch) {
    struct oriel_late_report *const log = b->runtime->late;
    struct oriel_late_window *const report =
        oriel_arena_allocate_zeroed(b->arena, 1, sizeof *report);
    struct oriel_watch *const made = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *made);
    if (!report || !made)
        return oriel_bind_memory(b);
    if (watch->conditions.count) {
        made->condition =
            oriel_expression_all(b->arena, watch->conditions.items, watch->conditions.count);
        if (!made->condition)
            return oriel_bind_memory(b);
    }
    for (uint32_t i = 0; i < watch->count; i++)
        ORIEL_TRY(guard(b, made->condition, &watch->expressions[i]));
    made->window = watch->window;
    made->time = watch->expressions[0];
    made->keys = watch->expressions + 1;
    made->report = report;
    made->next = scan->scan.watches;
    scan->scan.watches = made;
    scan->scan.condition = NULL; /* rows that are skipped move the watermark too */
    report->table = scan->scan.table->name;
    report->position = watch->position;
    ORIEL_TRY(describe(b, watch, report));
    *log->last = report;
    log->last = &report->next;
    return ORIEL_OK;
}

/* Goes down from a window operator to the table that its rows come from. Rows of other operators
 * are never late: they come before the watermark that made them. */
static enum oriel_status watch_window(struct binder *b, const struct oriel_window *window,
                                      struct oriel_plan *input) {
    struct watch watch = {.window = window, .position = window->position, .schema = &input->schema};
    ORIEL_TRY(begin(b, input, window, &watch));
    for (;; input = input->inputs[0]) {
        switch (input->kind) {
        case ORIEL_PLAN_PROJECT: ORIEL_TRY(go_through_project(b, input, &watch)); break;
        case ORIEL_PLAN_FILTER:
            if (!oriel_conditions_add(&watch.conditions, b->arena, input->filter.condition))
                return oriel_bind_memory(b);
            break;
        case ORIEL_PLAN_SCAN: return input->scan.watermark ? attach(b, input, &watch) : ORIEL_OK;
        default: return ORIEL_OK;
        }
    }
}

static bool has_window_end(const struct oriel_plan *input, const uint32_t *columns,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (oriel_plan_column_role(input, columns[i]) == ORIEL_ROLE_END)
            return true;
    }
    return false;
}

/* `drops`: the operator above works window by window, so it drops late rows of a window function,
 * which alone drops none, but for SESSION. */
static enum oriel_status walk(struct binder *b, struct oriel_plan *plan, bool drops) {
    bool below[2] = {false, false};
    switch (plan->kind) {
    case ORIEL_PLAN_WINDOW:
        if (drops || plan->window.window.kind == ORIEL_WINDOW_SESSION)
            ORIEL_TRY(watch_window(b, &plan->window.window, plan->inputs[0]));
        break;
    case ORIEL_PLAN_AGGREGATE:
        if (plan->aggregate.window)
            ORIEL_TRY(watch_window(b, plan->aggregate.window, plan->inputs[0]));
        break;
    case ORIEL_PLAN_RANK:
        below[0] =
            has_window_end(plan->inputs[0], plan->rank.partition, plan->rank.partition_count);
        break;
    case ORIEL_PLAN_JOIN:
        below[0] = has_window_end(plan->inputs[0], plan->join.left_keys, plan->join.key_count);
        below[1] = has_window_end(plan->inputs[1], plan->join.right_keys, plan->join.key_count);
        break;
    case ORIEL_PLAN_FILTER:
    case ORIEL_PLAN_PROJECT: below[0] = drops; break;
    case ORIEL_PLAN_SCAN:
    case ORIEL_PLAN_VALUES:
    case ORIEL_PLAN_SORT:
    case ORIEL_PLAN_LIMIT:
    case ORIEL_PLAN_OVER:
    case ORIEL_PLAN_UNNEST:
    case ORIEL_PLAN_UNION: break;
    }
    for (uint32_t i = 0; i < plan->input_count; i++)
        ORIEL_TRY(walk(b, plan->inputs[i], i < 2 && below[i]));
    return ORIEL_OK;
}

enum oriel_status oriel_watch_late(struct binder *b, struct oriel_plan *plan) {
    return b->runtime->late ? walk(b, plan, false) : ORIEL_OK;
}

enum oriel_status oriel_bind_watermark(struct binder *b, const struct oriel_table_entry *entry,
                                       struct oriel_plan *scan, struct oriel_plan *rows) {
    struct bind_scope scope;
    struct bind_frame frame = {.scope = &scope, .clause = "WATERMARK"};
    if (!b->runtime->late || !entry->watermark)
        return ORIEL_OK;
    ORIEL_TRY(oriel_scope_init(b, &scope, rows, entry->name));
    ORIEL_TRY(
        oriel_bind_expression(b, &frame, entry->watermark->expression, &scan->scan.watermark));
    if (rows->kind != ORIEL_PLAN_PROJECT)
        return ORIEL_OK;
    scan->scan.watermark =
        oriel_expression_substitute(b->arena, scan->scan.watermark, rows->project.expressions);
    return scan->scan.watermark ? ORIEL_OK : oriel_bind_memory(b);
}
