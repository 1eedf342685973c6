/*
 * Group window functions, the older form of windows: GROUP BY TUMBLE(ts, size), HOP(ts, slide,
 * size) or SESSION(ts, gap). The window goes under the grouped rows as a table function would,
 * sessions are by the other keys; TUMBLE_START and its like name the window's columns.
 */
#include <string.h>

#include "engine/plan/group.h"

static const struct group_window {
    const char *name;
    enum oriel_window_kind kind;
    uint32_t argument_count;  /* with the time column */
    const char *auxiliary[3]; /* start, end, time */
} group_windows[] = {
    {"TUMBLE", ORIEL_WINDOW_TUMBLE, 2, {"TUMBLE_START", "TUMBLE_END", "TUMBLE_ROWTIME"}},
    {"HOP", ORIEL_WINDOW_HOP, 3, {"HOP_START", "HOP_END", "HOP_ROWTIME"}},
    {"SESSION", ORIEL_WINDOW_SESSION, 2, {"SESSION_START", "SESSION_END", "SESSION_ROWTIME"}},
};

enum { GROUP_WINDOW_COUNT = sizeof group_windows / sizeof group_windows[0] };

static const struct group_window *find_window(const struct ast_expression *ast) {
    for (size_t i = 0; ast->kind == AST_CALL && i < GROUP_WINDOW_COUNT; i++) {
        if (strcmp(group_windows[i].name, ast->text) == 0)
            return &group_windows[i];
    }
    return NULL;
}

bool oriel_group_is_window_call(const struct ast_expression *ast) {
    return find_window(ast) != NULL;
}

bool oriel_bind_is_window_auxiliary(const char *name) {
    for (size_t i = 0; i < GROUP_WINDOW_COUNT; i++) {
        for (size_t k = 0; k < 3; k++) {
            if (strcmp(group_windows[i].auxiliary[k], name) == 0)
                return true;
        }
    }
    return false;
}

/* The one call among the expressions of GROUP BY itself. */
static enum oriel_status find_call(struct binder *b, const struct ast_query *query,
                                   struct bind_group *group) {
    for (uint32_t i = 0; i < query->group_by.count; i++) {
        const struct ast_grouping *const grouping = query->group_by.items[i];
        for (uint32_t k = 0; grouping->kind == AST_GROUPING_EXPRESSION && k < grouping->items.count;
             k++) {
            const struct ast_expression *const item = grouping->items.items[k];
            if (!oriel_group_is_window_call(item))
                continue;
            if (group->window_call)
                return oriel_error_at(b->error, ORIEL_INVALID, item->position,
                                      "GROUP BY can have one group window function, but has two");
            group->window_call = item;
        }
    }
    return ORIEL_OK;
}

static enum oriel_status bind_interval(struct binder *b, const struct ast_expression *call,
                                       const struct ast_expression *ast, int64_t *out) {
    bool is_months = false;
    if (ast->kind != AST_INTERVAL)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Only constant window intervals are supported by %s: write INTERVAL "
                              "'10' MINUTE",
                              call->text);
    ORIEL_TRY(oriel_bind_interval(ast, &is_months, out, b->error));
    if (is_months)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Window aggregate only support SECOND, MINUTE, HOUR, DAY as the time "
                              "unit. MONTH and YEAR time unit are not supported yet.");
    if (*out <= 0)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "An interval of %s must be positive", call->text);
    return ORIEL_OK;
}

static enum oriel_status bind_time_column(struct binder *b, const struct bind_group *group,
                                          struct oriel_window *window) {
    const struct ast_expression *const call = group->window_call;
    struct bind_frame frame = {.scope = &group->input->scope, .clause = "GROUP BY"};
    struct oriel_expression *time;
    char type[96];
    ORIEL_TRY(oriel_bind_expression(b, &frame, call->arguments.items[0], &time));
    const bool is_attribute = time->type.rowtime || b->runtime->batch_mode;
    if (time->kind != ORIEL_EXPRESSION_COLUMN || time->column & ORIEL_COLUMN_OUTER ||
        !oriel_type_is_timestamp(&time->type) || !is_attribute)
        return oriel_error_at(
            b->error, ORIEL_INVALID, call->arguments.items[0]->position,
            "The window function %s requires the timecol is a time attribute type, "
            "but is %s.",
            call->text, oriel_type_print(&time->type, false, type, sizeof type));
    window->time_column = time->column;
    window->drop_null_time = b->runtime->batch_mode;
    return ORIEL_OK;
}

/* Sessions are made for each combination of the other keys, which become columns of the input. */
static enum oriel_status bind_session_keys(struct binder *b, const struct ast_query *query,
                                           struct bind_group *group, struct oriel_window *window) {
    struct bind_frame frame = {.scope = &group->input->scope, .clause = "GROUP BY"};
    struct oriel_conditions computed = {0};
    uint32_t *keys = NULL;
    const uint32_t own = group->input->plan->schema.field_count;
    for (uint32_t i = 0; i < query->group_by.count; i++) {
        const struct ast_grouping *const grouping = query->group_by.items[i];
        for (uint32_t k = 0; k < grouping->items.count; k++) {
            if (grouping->items.items[k] == group->window_call)
                continue;
            struct oriel_expression *key;
            ORIEL_TRY(oriel_bind_expression(b, &frame, grouping->items.items[k], &key));
            keys = oriel_plan_grow(b->arena, keys, window->key_count, sizeof *keys);
            computed.items =
                oriel_plan_grow(b->arena, computed.items, computed.count, sizeof *computed.items);
            if (!keys || !computed.items)
                return oriel_bind_memory(b);
            const bool is_column = key->kind == ORIEL_EXPRESSION_COLUMN;
            keys[window->key_count++] = is_column ? key->column : own + computed.count;
            if (!is_column)
                computed.items[computed.count++] = key;
        }
    }
    window->keys = keys;
    group->input->plan =
        oriel_plan_make_extension(b->arena, group->input->plan, computed.count, computed.items);
    return group->input->plan ? ORIEL_OK : oriel_bind_memory(b);
}

/* Puts the window under the grouped rows; its columns come behind those that the scope knows. */
static enum oriel_status place_window(struct binder *b, struct bind_group *group,
                                      const struct oriel_window *window) {
    struct oriel_plan *const input = group->input->plan;
    struct oriel_plan *const plan =
        oriel_plan_make(b->arena, ORIEL_PLAN_WINDOW, group->window_call->position, 1);
    const uint32_t own = input->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, input->schema, 3);
    if (!plan || !fields)
        return oriel_bind_memory(b);
    const struct oriel_type bound = oriel_type_with_null(oriel_type_timestamp(3), false);
    fields[own] = (struct oriel_field){"window_start", bound};
    fields[own + 1] = (struct oriel_field){"window_end", bound};
    fields[own + 2] = (struct oriel_field){
        "window_time", oriel_type_with_null(fields[window->time_column].type, false)};
    plan->inputs[0] = input;
    plan->schema = (struct oriel_schema){own + 3, fields};
    plan->window.window = *window;
    plan->window.window.position = group->window_call->position;
    plan->window.is_group_window = true;
    group->input->plan = plan;
    for (uint32_t i = 0; i < 3; i++)
        group->window_columns[i] = own + i;
    return ORIEL_OK;
}

/* The calls that name the columns of the window: same arguments, other names. */
static enum oriel_status make_auxiliary(struct binder *b, struct bind_group *group,
                                        const struct group_window *form) {
    for (uint32_t i = 0; i < 3; i++) {
        struct ast_expression *const call = oriel_arena_allocate(b->arena, sizeof *call);
        if (!call)
            return oriel_bind_memory(b);
        *call = *group->window_call;
        call->text = form->auxiliary[i];
        group->window_keys[i] = call;
    }
    return ORIEL_OK;
}

static enum oriel_status refuse_sets(struct binder *b, const struct ast_query *query,
                                     const struct ast_expression *call) {
    for (uint32_t i = 0; i < query->group_by.count; i++) {
        const struct ast_grouping *const grouping = query->group_by.items[i];
        if (grouping->kind != AST_GROUPING_EXPRESSION)
            return oriel_error_at(b->error, ORIEL_INVALID, grouping->position,
                                  "%s in GROUP BY goes with plain keys alone; for ROLLUP, CUBE and "
                                  "GROUPING SETS write FROM %s(TABLE ...) and group by "
                                  "window_start, window_end",
                                  call->text, call->text);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_group_bind_window(struct binder *b, const struct ast_query *query,
                                          struct bind_group *group) {
    ORIEL_TRY(find_call(b, query, group));
    if (!group->window_call)
        return ORIEL_OK;
    const struct ast_expression *const call = group->window_call;
    ORIEL_TRY(refuse_sets(b, query, call));
    const struct group_window *const form = find_window(call);
    struct oriel_window window = {.kind = form->kind};
    if (call->arguments.count != form->argument_count)
        return oriel_error_at(b->error, ORIEL_INVALID, call->position,
                              "Invalid number of arguments to function '%s'", call->text);
    ORIEL_TRY(bind_time_column(b, group, &window));
    if (form->kind == ORIEL_WINDOW_HOP)
        ORIEL_TRY(bind_interval(b, call, call->arguments.items[1], &window.slide_ms));
    ORIEL_TRY(
        bind_interval(b, call, call->arguments.items[form->argument_count - 1], &window.size_ms));
    if (form->kind == ORIEL_WINDOW_SESSION)
        ORIEL_TRY(bind_session_keys(b, query, group, &window));
    ORIEL_TRY(make_auxiliary(b, group, form));
    return place_window(b, group, &window);
}
