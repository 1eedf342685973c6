/*
 * The window table functions TUMBLE, HOP, CUMULATE and SESSION in FROM: their arguments by place or
 * by name, Flink's checks in Flink's words, and the three columns they add.
 */
#include "engine/functions/function.h"
#include "engine/plan/bind.h"

#include <string.h>

enum { PARAMETERS_MAX = 5 };

struct window_form {
    const char *name;
    enum oriel_window_kind kind;
    uint32_t least, most;
    const char *parameters[PARAMETERS_MAX]; /* DATA, TIMECOL, then the intervals */
    const char *form;
};

static const struct window_form forms[] = {
    {"TUMBLE",
     ORIEL_WINDOW_TUMBLE,
     3,
     4,
     {"DATA", "TIMECOL", "SIZE", "OFFSET"},
     "TUMBLE(TABLE table_name, DESCRIPTOR(timecol), datetime interval[, datetime interval])"},
    {"HOP",
     ORIEL_WINDOW_HOP,
     4,
     5,
     {"DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"},
     "HOP(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime "
     "interval])"},
    {"CUMULATE",
     ORIEL_WINDOW_CUMULATE,
     4,
     5,
     {"DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"},
     "CUMULATE(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, "
     "datetime interval])"},
    {"SESSION",
     ORIEL_WINDOW_SESSION,
     3,
     3,
     {"DATA", "TIMECOL", "GAP"},
     "SESSION(TABLE table_name [PARTITION BY(partition_keys)], DESCRIPTOR(timecol), datetime "
     "interval)"},
};

static const struct window_form *find_form(const struct ast_name *name) {
    const struct oriel_text text = oriel_text_of(name->parts[name->part_count - 1].text);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (oriel_text_equal_ignoring_case(text, oriel_text_of(forms[i].name)))
            return &forms[i];
    }
    return NULL;
}

static enum oriel_status unknown_function(struct binder *b, const struct ast_from *from) {
    const char *const name = from->name.parts[from->name.part_count - 1].text;
    struct oriel_suggestion suggestion = {.name = name};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        oriel_suggestion_offer(&suggestion, forms[i].name);
    char hint[160];
    return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                          "No match found for table function %s%s", name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* Puts argument `ast` into the place its name asks for. */
static enum oriel_status place_named(struct binder *b, const struct window_form *form,
                                     const struct ast_expression *ast,
                                     const struct ast_expression **places) {
    struct oriel_suggestion suggestion = {.name = ast->text};
    for (uint32_t i = 0; i < form->most; i++) {
        oriel_suggestion_offer(&suggestion, form->parameters[i]);
        if (strcmp(ast->text, form->parameters[i]) != 0)
            continue;
        if (places[i])
            return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                                  "Parameter '%s' of %s is given twice", form->parameters[i],
                                  form->name);
        places[i] = ast->arguments.items[0];
        return ORIEL_OK;
    }
    char hint[160];
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "Param '%s' not found in function '%s'%s", ast->text, form->name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* A bare column where a descriptor or an interval is wanted; a key of PARTITION BY ends up here too
 * when the parentheses around several keys are missing. */
static enum oriel_status refuse_columns(struct binder *b, const struct window_form *form,
                                        const struct ast_from *from) {
    for (uint32_t i = 1; i < from->arguments.count; i++) {
        const struct ast_expression *const argument = from->arguments.items[i];
        if (argument->kind != AST_COLUMN)
            continue;
        const char *const name = argument->name.parts[0].text;
        const struct ast_expression *const table = from->arguments.items[0];
        if (table->kind == AST_TABLE && table->partition_by.count)
            return oriel_error_at(b->error, ORIEL_INVALID, argument->position,
                                  "Column '%s' not found in any table; several keys are written "
                                  "PARTITION BY (%s, ...)",
                                  name, name);
        if (i == 1)
            return oriel_error_at(b->error, ORIEL_INVALID, argument->position,
                                  "Column '%s' not found in any table; the time column of %s is "
                                  "written DESCRIPTOR(%s)",
                                  name, form->name, name);
        return oriel_error_at(b->error, ORIEL_INVALID, argument->position,
                              "Column '%s' not found in any table; %s wants an interval literal "
                              "here",
                              name, form->name);
    }
    return ORIEL_OK;
}

static enum oriel_status place_arguments(struct binder *b, const struct window_form *form,
                                         const struct ast_from *from,
                                         const struct ast_expression **places) {
    const uint32_t count = from->arguments.count;
    ORIEL_TRY(refuse_columns(b, form, from));
    if (count < form->least || count > form->most)
        return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                              "Invalid number of arguments to function '%s'. Supported form: %s",
                              form->name, form->form);
    const bool named = from->arguments.items[0]->kind == AST_NAMED;
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_expression *const argument = from->arguments.items[i];
        if ((argument->kind == AST_NAMED) != named)
            return oriel_error_at(b->error, ORIEL_INVALID, argument->position,
                                  "The arguments of %s must either all have names or none of them",
                                  form->name);
        if (named)
            ORIEL_TRY(place_named(b, form, argument, places));
        else
            places[i] = argument;
    }
    if (named && places[0] != from->arguments.items[0]->arguments.items[0])
        return oriel_error_at(b->error, ORIEL_INVALID, from->arguments.items[0]->position,
                              "DATA must be the first named argument of %s", form->name);
    for (uint32_t i = 0; i < form->least; i++) {
        if (!places[i])
            return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                                  "Parameter '%s' of %s is missing", form->parameters[i],
                                  form->name);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_partition(struct binder *b, const struct window_form *form,
                                        const struct ast_expression *table,
                                        const struct bind_scope *scope,
                                        struct oriel_window *window) {
    if (!table->partition_by.count)
        return ORIEL_OK;
    if (form->kind != ORIEL_WINDOW_SESSION)
        return oriel_error_at(
            b->error, ORIEL_INVALID, table->partition_by.items[0]->position,
            "Only tables with set semantics may be partitioned. Invalid "
            "PARTITION BY clause in the 0-th operand of table function '%s': only "
            "SESSION takes it, for others the column goes into GROUP BY",
            form->name);
    uint32_t *const keys =
        oriel_arena_allocate_zeroed(b->arena, table->partition_by.count, sizeof *keys);
    if (!keys)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < table->partition_by.count; i++) {
        const struct ast_expression *const item = table->partition_by.items[i];
        struct oriel_expression *column;
        if (item->kind != AST_COLUMN)
            return oriel_error_at(b->error, ORIEL_INVALID, item->position,
                                  "PARTITION BY of %s must name columns of the table", form->name);
        ORIEL_TRY(oriel_scope_resolve(b, scope, &item->name, &column));
        if (column->kind != ORIEL_EXPRESSION_COLUMN)
            return oriel_error_at(b->error, ORIEL_INVALID, item->position,
                                  "PARTITION BY of %s must name columns of the table", form->name);
        keys[i] = column->column;
    }
    window->key_count = table->partition_by.count;
    window->keys = keys;
    return ORIEL_OK;
}

static enum oriel_status bind_data(struct binder *b, const struct window_form *form,
                                   const struct ast_expression *table, struct bind_rows *input,
                                   struct oriel_window *window) {
    if (table->kind != AST_TABLE) {
        const char *const name = table->kind == AST_COLUMN ? table->name.parts[0].text : NULL;
        return oriel_error_at(b->error, ORIEL_INVALID, table->position,
                              "The first argument of %s must be TABLE %s or a query in "
                              "parentheses",
                              form->name, name ? name : "name");
    }
    if (table->order_by.count)
        return oriel_error_at(b->error, ORIEL_INVALID, table->position,
                              "ORDER BY cannot stand in an argument of %s", form->name);
    ORIEL_TRY(oriel_bind_from(b, table->table, input));
    return bind_partition(b, form, table, &input->scope, window);
}

/* Whether all rows come from tables that were declared without DDL: their time column needs no
 * watermark. */
static void find_sources(const struct oriel_plan *plan, bool *declared, bool *undeclared) {
    if (plan->kind == ORIEL_PLAN_SCAN) {
        if (plan->scan.table->definitions)
            *declared = true;
        else
            *undeclared = true;
    }
    for (uint32_t i = 0; i < plan->input_count; i++)
        find_sources(plan->inputs[i], declared, undeclared);
}

/* A computed column AS PROCTIME(). */
static bool is_processing_time(const struct oriel_plan *plan, uint32_t column) {
    while (plan->kind == ORIEL_PLAN_PROJECT) {
        const struct oriel_expression *const expression = plan->project.expressions[column];
        if (expression->kind == ORIEL_EXPRESSION_CALL)
            return strcmp(expression->call->function->name, "PROCTIME") == 0;
        if (expression->kind != ORIEL_EXPRESSION_COLUMN)
            return false;
        column = expression->column;
        plan = plan->inputs[0];
    }
    return false;
}

/* What would be right: the time of the window before, or a watermark. */
static enum oriel_status no_time_attribute(struct binder *b, const struct ast_expression *named,
                                           const struct bind_rows *input,
                                           const struct oriel_expression *column) {
    char type[96];
    const char *const name = named->name.parts[named->name.part_count - 1].text;
    oriel_type_print(&column->type, false, type, sizeof type);
    if (oriel_plan_column_role(input->plan, column->column) != ORIEL_ROLE_NONE)
        return oriel_error_at(b->error, ORIEL_INVALID, named->position,
                              "The window function requires the timecol is a time attribute type, "
                              "but is %s. The time attribute of a window is window_time",
                              type);
    return oriel_error_at(b->error, ORIEL_INVALID, named->position,
                          "The window function requires the timecol is a time attribute type, but "
                          "is %s. Declare it in CREATE TABLE: WATERMARK FOR %s AS %s - INTERVAL "
                          "'5' SECOND",
                          type, name, name);
}

static enum oriel_status bind_time_column(struct binder *b, const struct window_form *form,
                                          const struct ast_expression *descriptor,
                                          const struct bind_rows *input,
                                          struct oriel_window *window) {
    if (descriptor->kind != AST_DESCRIPTOR || !descriptor->arguments.count)
        return oriel_error_at(b->error, ORIEL_INVALID, descriptor->position,
                              "The second argument of %s must be DESCRIPTOR(timecol)", form->name);
    const struct ast_expression *const named = descriptor->arguments.items[0];
    struct oriel_expression *column;
    for (uint32_t i = 0; i < descriptor->arguments.count; i++)
        ORIEL_TRY(
            oriel_scope_resolve(b, &input->scope, &descriptor->arguments.items[i]->name, &column));
    ORIEL_TRY(oriel_scope_resolve(b, &input->scope, &named->name, &column));
    char type[96];
    if (column->kind != ORIEL_EXPRESSION_COLUMN || !oriel_type_is_timestamp(&column->type))
        return oriel_error_at(b->error, ORIEL_INVALID, named->position,
                              "The window function %s requires the timecol to be TIMESTAMP or "
                              "TIMESTAMP_LTZ, but is %s. Besides, the timecol must be a time "
                              "attribute type in streaming mode.",
                              form->form,
                              oriel_type_print(&column->type, false, type, sizeof type));
    if (is_processing_time(input->plan, column->column))
        return oriel_error_at(b->error, ORIEL_INVALID, named->position,
                              "'%s' is a processing time (PROCTIME()), which means nothing over "
                              "files; use the event's time: a TIMESTAMP column with a WATERMARK",
                              named->name.parts[named->name.part_count - 1].text);
    bool declared = false, undeclared = false;
    find_sources(input->plan, &declared, &undeclared);
    const bool is_lenient = undeclared && !declared;
    if (!column->type.rowtime && !b->runtime->batch_mode && !is_lenient)
        return no_time_attribute(b, named, input, column);
    window->time_column = column->column;
    window->drop_null_time = b->runtime->batch_mode || is_lenient;
    return ORIEL_OK;
}

static enum oriel_status refuse_interval(struct binder *b, const struct window_form *form,
                                         const char *parameter, const struct ast_expression *ast,
                                         const struct oriel_expression *bound) {
    if (bound->type.id == ORIEL_TYPE_INTERVAL_DAY || bound->type.id == ORIEL_TYPE_INTERVAL_YEAR)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Only constant window descriptors are supported. %s must be one "
                              "interval literal such as INTERVAL '10' MINUTE or INTERVAL '-3' "
                              "MINUTE",
                              parameter);
    char type[96];
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "Cannot apply '%s' with %s as %s: a datetime interval is wanted, "
                          "such as INTERVAL '10' MINUTE. Supported form(s): %s",
                          form->name, oriel_type_print(&bound->type, false, type, sizeof type),
                          parameter, form->form);
}

static enum oriel_status bind_interval(struct binder *b, const struct window_form *form,
                                       const char *parameter, const struct ast_expression *ast,
                                       int64_t *out) {
    *out = 0;
    if (!ast)
        return ORIEL_OK;
    if (ast->kind != AST_INTERVAL) {
        struct bind_scope empty = {0};
        struct bind_frame frame = {.scope = &empty, .clause = form->name};
        struct oriel_expression *bound;
        ORIEL_TRY(oriel_bind_expression(b, &frame, ast, &bound));
        return refuse_interval(b, form, parameter, ast, bound);
    }
    bool is_months;
    ORIEL_TRY(oriel_bind_interval(ast, &is_months, out, b->error));
    if (is_months)
        return oriel_error_at(
            b->error, ORIEL_INVALID, ast->position,
            "Window aggregate only support SECOND, MINUTE, HOUR, DAY as the time "
            "unit. MONTH and YEAR time unit are not supported yet. A window is as "
            "long as its days: INTERVAL '30' DAY; calendar months are GROUP BY "
            "FLOOR(ts TO MONTH)");
    return ORIEL_OK;
}

/* What Flink checks wherever the function stands. */
static enum oriel_status check_sizes(struct binder *b, const struct oriel_window *window,
                                     struct oriel_position position) {
    const long long size = (long long)window->size_ms, slide = (long long)window->slide_ms;
    switch (window->kind) {
    case ORIEL_WINDOW_TUMBLE:
        if (size > 0)
            return ORIEL_OK;
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "TUMBLE table function based aggregate requires size to be positive, "
                              "but got %lld ms.",
                              size);
    case ORIEL_WINDOW_HOP:
        if (size > 0 && slide > 0)
            return ORIEL_OK;
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "HOP table function based aggregate requires slide and size to be "
                              "positive, but got slide %lld ms and size %lld ms.",
                              slide, size);
    case ORIEL_WINDOW_CUMULATE:
        if (size <= 0 || slide <= 0)
            return oriel_error_at(b->error, ORIEL_INVALID, position,
                                  "CUMULATE table function based aggregate requires maxSize and "
                                  "step to be positive, but got maxSize %lld ms and step %lld ms.",
                                  size, slide);
        if (size % slide == 0)
            return ORIEL_OK;
        return oriel_error_at(
            b->error, ORIEL_INVALID, position,
            "CUMULATE table function based aggregate requires maxSize must be an "
            "integral multiple of step, but got maxSize %lld ms and step %lld "
            "ms.%s",
            size, slide, slide % size ? "" : " The step stands before the size: are they swapped?");
    case ORIEL_WINDOW_SESSION:
        if (size > 0)
            return ORIEL_OK;
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "SESSION table function based aggregate requires gap to be positive, "
                              "but got gap %lld ms.",
                              size);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_sizes(struct binder *b, const struct window_form *form,
                                    const struct ast_from *from,
                                    const struct ast_expression *const *places,
                                    struct oriel_window *window) {
    const bool has_slide = form->kind == ORIEL_WINDOW_HOP || form->kind == ORIEL_WINDOW_CUMULATE;
    uint32_t next = 2;
    if (has_slide) {
        ORIEL_TRY(bind_interval(b, form, form->parameters[next], places[next], &window->slide_ms));
        next++;
    }
    ORIEL_TRY(bind_interval(b, form, form->parameters[next], places[next], &window->size_ms));
    next++;
    if (form->kind != ORIEL_WINDOW_SESSION)
        ORIEL_TRY(bind_interval(b, form, form->parameters[next], places[next], &window->offset_ms));
    return check_sizes(b, window, from->position);
}

/* The input's columns and the three of the window. */
static enum oriel_status make_window(struct binder *b, const struct ast_from *from,
                                     const struct bind_rows *input,
                                     const struct oriel_window *window, struct bind_rows *out) {
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_WINDOW, from->position, 1);
    const uint32_t count = input->plan->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, input->plan->schema, 3);
    if (!plan || !fields)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++)
        fields[i].name = input->scope.columns[i].name;
    const struct oriel_type bound = oriel_type_with_null(oriel_type_timestamp(3), false);
    fields[count] = (struct oriel_field){"window_start", bound};
    fields[count + 1] = (struct oriel_field){"window_end", bound};
    fields[count + 2] = (struct oriel_field){
        "window_time", oriel_type_with_null(fields[window->time_column].type, false)};
    plan->inputs[0] = input->plan;
    plan->schema = (struct oriel_schema){count + 3, fields};
    plan->window.window = *window;
    plan->window.window.position = from->position;
    out->plan = plan;
    return oriel_scope_init(b, &out->scope, plan, NULL);
}

enum oriel_status oriel_bind_window(struct binder *b, const struct ast_from *from,
                                    struct bind_rows *out) {
    const struct window_form *const form = find_form(&from->name);
    if (!form)
        return unknown_function(b, from);
    const struct ast_expression *places[PARAMETERS_MAX] = {NULL};
    struct oriel_window window = {.kind = form->kind};
    struct bind_rows input;
    ORIEL_TRY(place_arguments(b, form, from, places));
    ORIEL_TRY(bind_data(b, form, places[0], &input, &window));
    ORIEL_TRY(bind_time_column(b, form, places[1], &input, &window));
    ORIEL_TRY(bind_sizes(b, form, from, places, &window));
    return make_window(b, from, &input, &window, out);
}
