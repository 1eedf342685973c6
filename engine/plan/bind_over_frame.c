/*
 * Aggregates with OVER: their arguments, and the frame of rows that they look at.
 */
#include "engine/plan/over.h"

enum { NANOS_PER_MS = 1000000, MS_PER_DAY = 86400000 };

static enum oriel_status bind_arguments(struct binder *b, const struct bind_frame *inside,
                                        const struct ast_expression *ast, struct over_call *call) {
    const uint32_t count = ast->star ? 0 : ast->arguments.count;
    if (ast->filter)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "OVER must be applied to aggregate function: a FILTER cannot stand "
                              "between them");
    if (ast->call_nulls != AST_CALL_NULLS_DEFAULT &&
        !(oriel_aggregate_find(ast->text)->flags & ORIEL_AGGREGATE_TAKES_NULLS_CLAUSE))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Cannot specify IGNORE NULLS or RESPECT NULLS following '%s'",
                              ast->text);
    call->arguments =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *call->arguments);
    if (!call->arguments)
        return oriel_bind_memory(b);
    struct bind_frame frame = *inside;
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(oriel_bind_expression(b, &frame, ast->arguments.items[i], &call->arguments[i]));
    return oriel_bind_aggregate_call(b, ast, call->arguments, count, &call->frame.aggregate);
}

/* The units of the order value in which a RANGE is measured, per millisecond of an interval. */
static enum oriel_status scale_interval(struct binder *b, const struct oriel_expression *item,
                                        const struct oriel_expression *bound, oriel_i128 *value) {
    const enum oriel_physical physical = oriel_type_physical(&item->type);
    if (oriel_type_is_timestamp(&item->type) && physical == ORIEL_PHYSICAL_I128)
        *value *= NANOS_PER_MS;
    else if (item->type.id == ORIEL_TYPE_DATE)
        *value /= MS_PER_DAY;
    else if (!oriel_type_is_timestamp(&item->type) && item->type.id != ORIEL_TYPE_TIME)
        return oriel_error_at(b->error, ORIEL_INVALID, bound->position,
                              "An interval bounds a RANGE only over a date or a time");
    return ORIEL_OK;
}

static enum oriel_status scale_number(struct binder *b, const struct oriel_expression *item,
                                      const struct oriel_expression *bound, oriel_i128 *value) {
    if (!oriel_type_is_integer(&item->type) && item->type.id != ORIEL_TYPE_DECIMAL)
        return oriel_error_at(b->error, ORIEL_INVALID, bound->position,
                              "A number bounds a RANGE only over an integer or a DECIMAL; over a "
                              "time it is an INTERVAL");
    for (unsigned i = 0; i < item->type.scale && item->type.id == ORIEL_TYPE_DECIMAL; i++)
        *value *= 10;
    return ORIEL_OK;
}

static oriel_i128 constant_value(const struct oriel_expression *bound) {
    switch (oriel_type_physical(&bound->type)) {
    case ORIEL_PHYSICAL_I8: return *(const int8_t *)bound->constant.values;
    case ORIEL_PHYSICAL_I16: return *(const int16_t *)bound->constant.values;
    case ORIEL_PHYSICAL_I32: return *(const int32_t *)bound->constant.values;
    case ORIEL_PHYSICAL_I64: return *(const int64_t *)bound->constant.values;
    default: return 0;
    }
}

/* The distance of a bound from the current row, towards the start. */
static enum oriel_status bind_offset(struct binder *b, const struct ast_expression *ast,
                                     const struct over_call *call, oriel_i128 *value) {
    const struct bind_scope nothing = {0};
    struct bind_frame frame = {.scope = &nothing, .clause = "OVER"};
    struct oriel_expression *bound;
    ORIEL_TRY(oriel_bind_expression(b, &frame, ast, &bound));
    const bool is_interval = bound->type.id == ORIEL_TYPE_INTERVAL_DAY;
    if (bound->kind != ORIEL_EXPRESSION_CONSTANT || oriel_column_is_null(&bound->constant, 0) ||
        (!is_interval && !oriel_type_is_integer(&bound->type)) ||
        (is_interval && !call->frame.range))
        return oriel_error_at(
            b->error, ORIEL_INVALID, bound->position, "The bound of %s must be a constant %s",
            call->frame.range ? "RANGE" : "ROWS",
            call->frame.range ? "INTERVAL of days to seconds or whole number" : "whole number");
    *value = constant_value(bound);
    if (*value < 0)
        return oriel_error_at(b->error, ORIEL_INVALID, bound->position,
                              "The bound of a frame must not be negative");
    if (!call->frame.range)
        return ORIEL_OK;
    if (call->item_count != 1)
        return oriel_error_at(b->error, ORIEL_INVALID, bound->position,
                              "RANGE with a bound needs exactly one ORDER BY item");
    return is_interval ? scale_interval(b, call->items[0], bound, value)
                       : scale_number(b, call->items[0], bound, value);
}

/* One end of the frame: unbounded, or its distance towards the start. */
static enum oriel_status bind_bound(struct binder *b, const struct ast_frame_bound *bound,
                                    const struct over_call *call, bool *unbounded,
                                    oriel_i128 *value) {
    *unbounded = false;
    *value = 0;
    switch (bound->kind) {
    case AST_BOUND_UNBOUNDED_PRECEDING:
    case AST_BOUND_UNBOUNDED_FOLLOWING: *unbounded = true; return ORIEL_OK;
    case AST_BOUND_CURRENT_ROW: return ORIEL_OK;
    case AST_BOUND_PRECEDING: return bind_offset(b, bound->offset, call, value);
    case AST_BOUND_FOLLOWING:
        ORIEL_TRY(bind_offset(b, bound->offset, call, value));
        *value = -*value;
        return ORIEL_OK;
    }
    return ORIEL_OK;
}

static enum oriel_status bind_frame_bounds(struct binder *b, const struct ast_over *window,
                                           struct over_call *call) {
    struct oriel_over_call *const frame = &call->frame;
    if (window->frame == AST_FRAME_NONE) { /* all rows, or with an order all up to here */
        frame->range = true;
        frame->start_unbounded = true;
        frame->end_unbounded = call->item_count == 0;
        return ORIEL_OK;
    }
    if (!call->item_count)
        return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                              "ROWS and RANGE need an ORDER BY in OVER");
    if (window->frame_start.kind == AST_BOUND_UNBOUNDED_FOLLOWING ||
        window->frame_end.kind == AST_BOUND_UNBOUNDED_PRECEDING ||
        window->frame_end.kind < window->frame_start.kind)
        return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                              "The frame of OVER ends before it starts");
    frame->range = window->frame == AST_FRAME_RANGE;
    ORIEL_TRY(bind_bound(b, &window->frame_start, call, &frame->start_unbounded, &frame->start));
    ORIEL_TRY(bind_bound(b, &window->frame_end, call, &frame->end_unbounded, &frame->end));
    frame->end = -frame->end;
    return ORIEL_OK;
}

enum oriel_status oriel_bind_over_aggregate(struct binder *b, struct bind_frame *frame,
                                            const struct ast_expression *ast,
                                            const struct ast_over *window, struct over_call *call) {
    struct bind_frame inside = *frame;
    inside.over = NULL;
    inside.clause = "OVER";
    ORIEL_TRY(bind_arguments(b, &inside, ast, call));
    ORIEL_TRY(bind_frame_bounds(b, window, call));
    /* A frame can be empty. */
    const bool is_count = call->frame.aggregate.function->flags & ORIEL_AGGREGATE_NEVER_NULL;
    if (!is_count)
        call->frame.aggregate.result.nullable = true;
    return ORIEL_OK;
}
