/*
 * LAG, LEAD, NTILE, PERCENT_RANK and CUME_DIST with OVER: what they look at is a place in the
 * partition, not a frame.
 */
#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/over.h"

bool oriel_over_find_function(const char *name, enum oriel_over_function *function) {
    if (strcmp(name, "LAG") == 0 || strcmp(name, "LEAD") == 0)
        *function = ORIEL_OVER_LAG;
    else if (strcmp(name, "NTILE") == 0)
        *function = ORIEL_OVER_NTILE;
    else if (strcmp(name, "PERCENT_RANK") == 0)
        *function = ORIEL_OVER_PERCENT_RANK;
    else if (strcmp(name, "CUME_DIST") == 0)
        *function = ORIEL_OVER_CUME_DIST;
    else
        return false;
    return true;
}

static enum oriel_status check(struct binder *b, const struct ast_expression *ast,
                               const struct ast_over *window, enum oriel_over_function function) {
    const bool is_lag = function == ORIEL_OVER_LAG;
    const uint32_t least = is_lag || function == ORIEL_OVER_NTILE;
    if (ast->star || ast->arguments.count < least || ast->arguments.count > (is_lag ? 3 : least))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Invalid number of arguments to function '%s'", ast->text);
    if (ast->filter || ast->distinct)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "%s is no aggregate function, so %s cannot be used with it",
                              ast->text, ast->filter ? "FILTER" : "DISTINCT");
    if (window->frame != AST_FRAME_NONE)
        return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                              "ROW/RANGE not allowed with %s", ast->text);
    if (!is_lag && !window->order_by.count)
        return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                              "OVER of %s must have an ORDER BY", ast->text);
    return ORIEL_OK;
}

/* A whole number that does not depend on the row. */
static enum oriel_status bind_number(struct binder *b, const struct ast_expression *ast,
                                     const char *function, int64_t *number) {
    const struct bind_scope nothing = {0};
    struct bind_frame frame = {.scope = &nothing, .clause = function};
    struct oriel_expression *bound = NULL;
    if (ast->kind != AST_COLUMN)
        ORIEL_TRY(oriel_bind_expression(b, &frame, ast, &bound));
    if (!bound || bound->kind != ORIEL_EXPRESSION_CONSTANT ||
        !oriel_type_is_integer(&bound->type) || oriel_column_is_null(&bound->constant, 0))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Argument to function '%s' must be a literal: a whole number, the "
                              "same for all rows",
                              function);
    ORIEL_TRY(oriel_bind_cast(b, bound, oriel_type_make(ORIEL_TYPE_BIGINT), &bound));
    *number = *(const int64_t *)bound->constant.values;
    return ORIEL_OK;
}

static bool needs_no_cast(const struct oriel_type *from, const struct oriel_type *to) {
    return from->id == to->id || (oriel_type_is_character(from) && oriel_type_is_character(to)) ||
           (oriel_type_is_binary(from) && oriel_type_is_binary(to));
}

/* The value where there is no row, in the type of the others. */
static enum oriel_status cast_default(struct binder *b, const struct ast_expression *ast,
                                      const struct oriel_type *type,
                                      struct oriel_expression **value) {
    char from[96], to[96];
    const struct oriel_type *const given = &(*value)->type;
    if (!needs_no_cast(given, type) && !b->runtime->batch_mode)
        return oriel_error_at(b->error, ORIEL_INVALID, (*value)->position,
                              "Please explicitly cast default value %s to %s: CAST(... AS %s)",
                              oriel_type_print(given, false, from, sizeof from),
                              oriel_type_print(type, false, to, sizeof to), to);
    if (oriel_type_same(given, type) ||
        (oriel_type_is_character(given) && oriel_type_is_character(type)))
        return ORIEL_OK;
    return oriel_bind_plain_call(b, "CAST", ast->position, value, 1, type, value);
}

static enum oriel_status bind_lag(struct binder *b, struct bind_frame *inside,
                                  const struct ast_expression *ast, struct over_call *call) {
    const uint32_t count = ast->arguments.count;
    struct oriel_expression **const arguments = call->arguments;
    call->frame.number = 1;
    ORIEL_TRY(oriel_bind_expression(b, inside, ast->arguments.items[0], &arguments[0]));
    if (count > 1)
        ORIEL_TRY(bind_number(b, ast->arguments.items[1], ast->text, &call->frame.number));
    if (call->frame.number < -INT64_MAX)
        call->frame.number = -INT64_MAX;
    if (strcmp(ast->text, "LEAD") == 0)
        call->frame.number = -call->frame.number;
    struct oriel_type type = oriel_type_with_null(arguments[0]->type, true);
    type.rowtime = false;
    if (count > 2) {
        ORIEL_TRY(oriel_bind_expression(b, inside, ast->arguments.items[2], &arguments[1]));
        ORIEL_TRY(cast_default(b, ast, &type, &arguments[1]));
        if (oriel_type_is_character(&type)) { /* of any length */
            type.id = ORIEL_TYPE_VARCHAR;
            type.length = ORIEL_LENGTH_MAX;
        }
    }
    call->frame.aggregate.argument_count = count > 2 ? 2 : 1;
    call->frame.aggregate.result = type;
    return ORIEL_OK;
}

enum oriel_status oriel_bind_over_value(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        const struct ast_over *window, struct over_call *call) {
    struct bind_frame inside = *frame;
    inside.over = NULL;
    inside.clause = "OVER";
    ORIEL_TRY(check(b, ast, window, call->frame.function));
    call->frame.range = true;
    call->frame.start_unbounded = call->frame.end_unbounded = true;
    call->arguments = oriel_arena_allocate_zeroed(b->arena, 2, sizeof *call->arguments);
    if (!call->arguments)
        return oriel_bind_memory(b);
    if (call->frame.function == ORIEL_OVER_LAG)
        return bind_lag(b, &inside, ast, call);
    const bool is_tile = call->frame.function == ORIEL_OVER_NTILE;
    call->frame.aggregate.result = oriel_type_with_null(
        oriel_type_make(is_tile ? ORIEL_TYPE_BIGINT : ORIEL_TYPE_DOUBLE), false);
    if (!is_tile)
        return ORIEL_OK;
    ORIEL_TRY(bind_number(b, ast->arguments.items[0], ast->text, &call->frame.number));
    if (call->frame.number < 1)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->arguments.items[0]->position,
                              "NTILE divides a partition into at least 1 part, not %lld",
                              (long long)call->frame.number);
    return ORIEL_OK;
}
