/*
 * Calls with OVER: each becomes a node over the rows of the SELECT. ROW_NUMBER, RANK and DENSE_RANK
 * are ranks, unbounded at first; the rewrites move the conditions on them into their range.
 * Aggregates get frames, LAG and its like look at the whole partition.
 */
#include <string.h>

#include "engine/plan/group.h"
#include "engine/plan/over.h"

struct bind_over *oriel_over_make(struct binder *b, const struct ast_query *query) {
    struct bind_over *const over = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *over);
    if (over)
        over->query = query;
    return over;
}

static const struct ast_over *find_named(const struct bind_over *over, const char *name) {
    for (uint32_t i = 0; i < over->query->windows.count; i++) {
        if (strcmp(over->query->windows.items[i]->name, name) == 0)
            return over->query->windows.items[i]->over;
    }
    return NULL;
}

static enum oriel_status check_names(struct binder *b, const struct bind_over *over) {
    for (uint32_t i = 0; i < over->query->windows.count; i++) {
        const struct ast_named_window *const window = over->query->windows.items[i];
        if (find_named(over, window->name) != window->over)
            return oriel_error_at(b->error, ORIEL_INVALID, window->over->position,
                                  "Duplicate window names not allowed: '%s'", window->name);
    }
    return ORIEL_OK;
}

/* `extension`, which refers to `base` by its name, as one window. */
static enum oriel_status extend_window(struct binder *b, const struct ast_over *base,
                                       const struct ast_over *extension,
                                       const struct ast_over **out) {
    if (base->frame != AST_FRAME_NONE)
        return oriel_error_at(b->error, ORIEL_INVALID, extension->position,
                              "Referenced window cannot have framing declarations: window '%s'",
                              extension->reference);
    if (extension->partition_by.count)
        return oriel_error_at(b->error, ORIEL_INVALID, extension->position,
                              "PARTITION BY not allowed with existing window reference '%s'",
                              extension->reference);
    if (extension->order_by.count && base->order_by.count)
        return oriel_error_at(b->error, ORIEL_INVALID, extension->position,
                              "ORDER BY not allowed in both base and referenced windows: window "
                              "'%s' has one",
                              extension->reference);
    struct ast_over *const joined = oriel_arena_allocate(b->arena, sizeof *joined);
    if (!joined)
        return oriel_bind_memory(b);
    *joined = *extension;
    joined->reference = base->reference;
    joined->partition_by = base->partition_by;
    joined->frame = AST_FRAME_NONE; /* as Flink, which forgets the frame of an extension */
    if (base->order_by.count)
        joined->order_by = base->order_by;
    *out = joined;
    return ORIEL_OK;
}

/* The window that is meant: written out, by its name in the WINDOW clause, or one that extends it.
 */
static enum oriel_status find_window(struct binder *b, const struct bind_over *over,
                                     const struct ast_over *written, const struct ast_over **out) {
    enum { STEPS_MAX = 64 };
    *out = written;
    if (written->reference)
        ORIEL_TRY(check_names(b, over));
    for (uint32_t step = 0; (*out)->reference; step++) {
        const struct ast_over *const base = find_named(over, (*out)->reference);
        if (!base || step == STEPS_MAX)
            return oriel_error_at(b->error, ORIEL_INVALID, written->position,
                                  "Window '%s' not found", (*out)->reference);
        if (!(*out)->extends)
            *out = base;
        else
            ORIEL_TRY(extend_window(b, base, *out, out));
    }
    return ORIEL_OK;
}

static bool find_function(const char *name, enum oriel_rank_function *function) {
    if (strcmp(name, "ROW_NUMBER") == 0)
        *function = ORIEL_RANK_ROW_NUMBER;
    else if (strcmp(name, "RANK") == 0)
        *function = ORIEL_RANK_RANK;
    else if (strcmp(name, "DENSE_RANK") == 0)
        *function = ORIEL_RANK_DENSE_RANK;
    else
        return false;
    return true;
}

static enum oriel_status bind_window(struct binder *b, struct bind_frame *frame,
                                     const struct ast_over *window, struct over_call *call) {
    struct bind_frame inside = *frame;
    inside.over = NULL;
    inside.clause = "OVER";
    call->partition_count = window->partition_by.count;
    call->item_count = window->order_by.count;
    call->partition = oriel_arena_allocate_zeroed(b->arena, (size_t)call->partition_count + 1,
                                                  sizeof *call->partition);
    call->items =
        oriel_arena_allocate_zeroed(b->arena, (size_t)call->item_count + 1, sizeof *call->items);
    call->orders =
        oriel_arena_allocate_zeroed(b->arena, (size_t)call->item_count + 1, sizeof *call->orders);
    if (!call->partition || !call->items || !call->orders)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < call->partition_count; i++)
        ORIEL_TRY(
            oriel_bind_expression(b, &inside, window->partition_by.items[i], &call->partition[i]));
    for (uint32_t i = 0; i < call->item_count; i++) {
        const struct ast_order_item *const item = window->order_by.items[i];
        ORIEL_TRY(oriel_bind_expression(b, &inside, item->expression, &call->items[i]));
        call->orders[i] = oriel_bind_sort_item(item, 0);
    }
    return ORIEL_OK;
}

/* A rank by what is the same for all rows says nothing. */
static enum oriel_status check_order(struct binder *b, const struct ast_over *window,
                                     const struct over_call *call) {
    for (uint32_t i = 0; i < call->item_count; i++) {
        if (call->items[i]->kind != ORIEL_EXPRESSION_CONSTANT)
            return ORIEL_OK;
    }
    return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                          "The window rank function requires order by clause with non-constant "
                          "fields");
}

static bool same_list(struct oriel_expression *const *a, struct oriel_expression *const *b,
                      uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!oriel_expression_same(a[i], b[i]))
            return false;
    }
    return true;
}

/* An equal call that was bound before, so that a rank in SELECT and QUALIFY is computed once. */
static struct over_call *find_same(struct bind_over *over, const struct over_call *call) {
    for (uint32_t i = 0; i < over->call_count; i++) {
        struct over_call *const other = &over->calls[i];
        if (!other->is_rank || other->function != call->function ||
            other->item_count != call->item_count ||
            other->partition_count != call->partition_count ||
            !same_list(other->partition, call->partition, call->partition_count) ||
            !same_list(other->items, call->items, call->item_count))
            continue;
        bool is_same = true;
        for (uint32_t k = 0; k < call->item_count; k++)
            is_same &= other->orders[k].descending == call->orders[k].descending &&
                       other->orders[k].nulls_first == call->orders[k].nulls_first;
        if (is_same)
            return other;
    }
    return NULL;
}

static enum oriel_status check_rank(struct binder *b, const struct ast_expression *ast,
                                    const struct ast_over *window) {
    if (ast->arguments.count)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Invalid number of arguments to function '%s'", ast->text);
    if (window->frame != AST_FRAME_NONE)
        return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                              "ROW/RANGE not allowed with %s", ast->text);
    if (!window->order_by.count)
        return oriel_error_at(b->error, ORIEL_INVALID, window->position,
                              "OVER of %s must have an ORDER BY", ast->text);
    return ORIEL_OK;
}

static enum oriel_status check_place(struct binder *b, const struct bind_frame *frame,
                                     const struct ast_expression *ast) {
    if (!frame->over || frame->in_aggregate)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Windowed aggregate expression is illegal in %s%s",
                              frame->in_aggregate ? "an aggregate" : frame->clause,
                              frame->in_aggregate ? "" : " clause");
    return ORIEL_OK;
}

enum oriel_status oriel_bind_over(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out) {
    struct over_call call = {.position = ast->position};
    const struct ast_over *window;
    ORIEL_TRY(check_place(b, frame, ast));
    call.is_rank = find_function(ast->text, &call.function);
    const bool is_value =
        !call.is_rank && oriel_over_find_function(ast->text, &call.frame.function);
    if (!call.is_rank && !is_value && !oriel_aggregate_find(ast->text))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "OVER must be applied to aggregate function; '%s' is none, nor "
                              "ROW_NUMBER, RANK, LAG or the like",
                              ast->text);
    bool is_done;
    ORIEL_TRY(oriel_bind_over_spread(b, frame, ast, &is_done, out));
    if (is_done)
        return ORIEL_OK;
    ORIEL_TRY(find_window(b, frame->over, ast->over, &window));
    if (call.is_rank)
        ORIEL_TRY(check_rank(b, ast, window));
    ORIEL_TRY(bind_window(b, frame, window, &call));
    if (call.is_rank)
        ORIEL_TRY(check_order(b, window, &call));
    const struct over_call *const same = call.is_rank ? find_same(frame->over, &call) : NULL;
    if (same) {
        *out = same->reference;
        return ORIEL_OK;
    }
    struct oriel_type type = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false);
    if (is_value)
        ORIEL_TRY(oriel_bind_over_value(b, frame, ast, window, &call));
    else if (!call.is_rank)
        ORIEL_TRY(oriel_bind_over_aggregate(b, frame, ast, window, &call));
    if (!call.is_rank)
        type = call.frame.aggregate.result;
    frame->over->calls = oriel_plan_grow(b->arena, frame->over->calls, frame->over->call_count,
                                         sizeof *frame->over->calls);
    call.reference = oriel_expression_column(
        b->arena, ORIEL_COLUMN_PROVISIONAL | ORIEL_COLUMN_OF_OVER | frame->over->call_count, type,
        ast->position);
    if (!frame->over->calls || !call.reference)
        return oriel_bind_memory(b);
    frame->over->calls[frame->over->call_count++] = call;
    *out = call.reference;
    return ORIEL_OK;
}

/* Gives each of the expressions a column: its own if it is one, else one behind `base`. */
static bool place_columns(struct oriel_arena *arena, struct oriel_expression *const *expressions,
                          uint32_t count, uint32_t base, struct oriel_conditions *computed,
                          uint32_t *columns) {
    for (uint32_t i = 0; i < count; i++) {
        if (expressions[i]->kind == ORIEL_EXPRESSION_COLUMN) {
            columns[i] = expressions[i]->column;
            continue;
        }
        computed->items =
            oriel_plan_grow(arena, computed->items, computed->count, sizeof *computed->items);
        if (!computed->items)
            return false;
        columns[i] = base + computed->count;
        computed->items[computed->count++] = expressions[i];
    }
    return true;
}

/* window_end, window_start, then the other partition columns as written. */
static uint32_t order_partition(const struct oriel_plan *input, const uint32_t *partition,
                                uint32_t count, uint32_t *order) {
    uint32_t start = count, end = count, placed = 0;
    for (uint32_t i = count; i-- > 0;) {
        const enum oriel_window_role role = oriel_plan_column_role(input, partition[i]);
        if (role == ORIEL_ROLE_START)
            start = i;
        else if (role == ORIEL_ROLE_END)
            end = i;
    }
    const bool is_windowed = start < count && end < count;
    if (is_windowed) {
        order[placed++] = partition[end];
        order[placed++] = partition[start];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_windowed || (i != start && i != end))
            order[placed++] = partition[i];
    }
    return placed;
}

/* The columns that a node works on, by their places in its input. */
struct places {
    uint32_t *partition;
    uint32_t *items;
    uint32_t *arguments;
};

/* Computes what is no column yet below the node. */
static struct oriel_plan *place_all(struct binder *b, const struct over_call *call,
                                    struct oriel_plan *input, struct places *places) {
    struct oriel_conditions computed = {0};
    const uint32_t base = input->schema.field_count;
    const uint32_t argument_count = call->is_rank ? 0 : call->frame.aggregate.argument_count;
    places->partition =
        oriel_arena_allocate_zeroed(b->arena, (size_t)call->partition_count + 1, sizeof(uint32_t));
    places->items =
        oriel_arena_allocate_zeroed(b->arena, (size_t)call->item_count + 1, sizeof(uint32_t));
    places->arguments =
        oriel_arena_allocate_zeroed(b->arena, (size_t)argument_count + 1, sizeof(uint32_t));
    if (!places->partition || !places->items || !places->arguments ||
        !place_columns(b->arena, call->partition, call->partition_count, base, &computed,
                       places->partition) ||
        !place_columns(b->arena, call->items, call->item_count, base, &computed, places->items) ||
        !place_columns(b->arena, call->arguments, argument_count, base, &computed,
                       places->arguments))
        return NULL;
    for (uint32_t i = 0; i < call->item_count; i++)
        call->orders[i].column = places->items[i];
    return oriel_plan_make_extension(b->arena, input, computed.count, computed.items);
}

static bool set_rank(struct binder *b, const struct over_call *call, const struct places *places,
                     struct oriel_plan *plan) {
    uint32_t *const order =
        oriel_arena_allocate_zeroed(b->arena, (size_t)call->partition_count + 1, sizeof *order);
    if (!order)
        return false;
    plan->rank.function = call->function;
    plan->rank.partition_count = call->partition_count;
    plan->rank.partition = places->partition;
    plan->rank.item_count = call->item_count;
    plan->rank.items = call->orders;
    plan->rank.low = 1;
    plan->rank.high = INT64_MAX;
    plan->rank.order_count =
        order_partition(plan->inputs[0], places->partition, call->partition_count, order);
    plan->rank.order = order;
    return true;
}

static bool set_over(struct binder *b, const struct over_call *call, const struct places *places,
                     struct oriel_plan *plan) {
    struct oriel_over_call *const frame = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *frame);
    if (!frame)
        return false;
    *frame = call->frame;
    frame->aggregate.arguments = places->arguments;
    frame->aggregate.filter = -1;
    plan->over.partition_count = call->partition_count;
    plan->over.partition = places->partition;
    plan->over.item_count = call->item_count;
    plan->over.items = call->orders;
    plan->over.call_count = 1;
    plan->over.calls = frame;
    return true;
}

static struct oriel_plan *make_node(struct binder *b, const struct over_call *call,
                                    struct oriel_plan *input) {
    struct places places = {0};
    input = place_all(b, call, input, &places);
    if (!input)
        return NULL;
    struct oriel_plan *const plan = oriel_plan_make(
        b->arena, call->is_rank ? ORIEL_PLAN_RANK : ORIEL_PLAN_OVER, call->position, 1);
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, input->schema, 1);
    if (!plan || !fields)
        return NULL;
    fields[input->schema.field_count] =
        (struct oriel_field){call->is_rank ? "$rank" : "$over", call->reference->type};
    plan->inputs[0] = input;
    plan->schema = (struct oriel_schema){input->schema.field_count + 1, fields};
    call->reference->column = input->schema.field_count;
    const bool is_set =
        call->is_rank ? set_rank(b, call, &places, plan) : set_over(b, call, &places, plan);
    return is_set ? plan : NULL;
}

enum oriel_status oriel_over_finish(struct binder *b, struct bind_over *over,
                                    struct oriel_plan **plan) {
    for (uint32_t i = 0; i < over->call_count; i++) {
        *plan = make_node(b, &over->calls[i], *plan);
        if (!*plan)
            return oriel_bind_memory(b);
    }
    return ORIEL_OK;
}
