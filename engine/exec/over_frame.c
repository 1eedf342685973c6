/*
 * Sliding frames. A frame that never leaves rows behind is a running state. Otherwise its rows are
 * in two parts, as in a queue of two stacks: for the older part the states of all its suffixes, for
 * the newer one a running state, so that each row costs a bounded number of merges and nothing has
 * to be taken back.
 */
#include "engine/exec/over_frame.h"

#include <string.h>

#include "engine/exec/row_key.h"

void oriel_frame_init(struct oriel_frame *frame, const struct oriel_over_call *call,
                      const struct oriel_over_rows *rows) {
    *frame = (struct oriel_frame){.call = call, .rows = rows};
}

static const struct oriel_column *order_column(const struct oriel_over_rows *rows) {
    return &rows->columns[rows->items[0].column];
}

static bool same_order(const struct oriel_over_rows *rows, size_t a, size_t b) {
    return oriel_row_key_order(rows->columns, rows->order[a], rows->columns, rows->order[b],
                               rows->items, rows->item_count) == 0;
}

/* The order value in its own units; falls with the order when that is descending. */
static oriel_i128 order_value(const struct oriel_over_rows *rows, size_t row) {
    const struct oriel_column *column = order_column(rows);
    const uint32_t at = rows->order[row];
    switch (oriel_type_physical(&column->type)) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)column->values)[at];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)column->values)[at];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)column->values)[at];
    case ORIEL_PHYSICAL_I64: return ((const int64_t *)column->values)[at];
    default: return ((const oriel_i128 *)column->values)[at];
    }
}

/* How far row `a` lies before row `b`, in the order; both are not NULL. */
static oriel_i128 distance(const struct oriel_over_rows *rows, size_t a, size_t b) {
    const oriel_i128 ahead = order_value(rows, b) - order_value(rows, a);
    return rows->items[0].descending ? -ahead : ahead;
}

static bool is_null(const struct oriel_over_rows *rows, size_t row) {
    return oriel_column_is_null(order_column(rows), rows->order[row]) != 0;
}

/* Whether `candidate` lies before the start of the frame of `row`; RANGE. NULLs are peers of each
 * other alone. */
static bool before_start(const struct oriel_frame *frame, size_t candidate, size_t row) {
    const struct oriel_over_rows *rows = frame->rows;
    if (frame->call->start == 0)
        return candidate < row && !same_order(rows, candidate, row);
    if (is_null(rows, candidate) || is_null(rows, row))
        return candidate < row && is_null(rows, candidate) != is_null(rows, row);
    return distance(rows, candidate, row) > frame->call->start;
}

static bool past_end(const struct oriel_frame *frame, size_t candidate, size_t row) {
    const struct oriel_over_rows *rows = frame->rows;
    if (frame->call->end == 0)
        return candidate > row && !same_order(rows, candidate, row);
    if (is_null(rows, candidate) || is_null(rows, row))
        return candidate > row && is_null(rows, candidate) != is_null(rows, row);
    return distance(rows, row, candidate) > frame->call->end;
}

static size_t clamp(oriel_i128 value, size_t limit) {
    return value < 0 ? 0 : value > (oriel_i128)limit ? limit : (size_t)value;
}

void oriel_frame_move(struct oriel_frame *frame, size_t row) {
    const struct oriel_over_call *call = frame->call;
    const size_t count = frame->rows->row_count;
    if (call->end_unbounded) {
        frame->end = count;
    } else if (call->range) {
        while (frame->end < count && !past_end(frame, frame->end, row))
            frame->end++;
    } else {
        frame->end = clamp((oriel_i128)row + call->end + 1, count);
    }
    if (!call->start_unbounded) {
        if (call->range) {
            while (frame->begin < count && before_start(frame, frame->begin, row))
                frame->begin++;
        } else {
            frame->begin = clamp((oriel_i128)row - call->start, count);
        }
    }
}

struct slide {
    const struct oriel_runtime *runtime;
    const struct oriel_aggregate_call *call;
    const struct oriel_over_rows *rows;
    struct oriel_arena *arena;
    char *newer; /* state of the rows [middle, end) */
    char *older; /* older[i]: state of the rows [base + i, middle) */
    char *scratch;
    size_t base, middle, end;
    size_t older_capacity;
    struct oriel_error *error;
};

static enum oriel_status merge(struct slide *slide, char *into, const char *from) {
    struct oriel_aggregation aggregation = {slide->runtime, slide->arena, slide->error};
    return slide->call->operations->merge(slide->call, &aggregation, into, from);
}

/* Adds one row of the order to a state. */
static enum oriel_status add_row(struct slide *slide, char *state, size_t row) {
    enum { ARGUMENTS_MAX = 8 };
    const struct oriel_aggregate_call *call = slide->call;
    const uint32_t at = slide->rows->order[row], group = 0;
    struct oriel_column arguments[ARGUMENTS_MAX];
    uint64_t valid[ARGUMENTS_MAX];
    const struct oriel_column *columns = slide->rows->columns;
    for (uint32_t i = 0; i < call->argument_count && i < ARGUMENTS_MAX; i++) {
        const struct oriel_column *from = &columns[call->arguments[i]];
        valid[i] = !oriel_column_is_null(from, at);
        arguments[i] = *from;
        arguments[i].values =
            (char *)from->values + at * oriel_physical_size(oriel_type_physical(&from->type));
        arguments[i].valid = &valid[i];
        if (i == 0 && !valid[0] && (call->function->flags & ORIEL_AGGREGATE_SKIPS_NULLS))
            return ORIEL_OK;
    }
    struct oriel_aggregation aggregation = {slide->runtime, slide->arena, slide->error};
    return call->operations->update(call, &aggregation, state, call->state_bytes, &group, arguments,
                                    NULL, 1, row);
}

static enum oriel_status grow_older(struct slide *slide, size_t count) {
    if (count <= slide->older_capacity)
        return ORIEL_OK;
    slide->older = oriel_arena_allocate(slide->arena, count * 2 * slide->call->state_bytes);
    slide->older_capacity = count * 2;
    return slide->older ? ORIEL_OK : oriel_error_memory(slide->error);
}

/* Makes all rows of the frame the older part. */
static enum oriel_status turn_over(struct slide *slide, size_t begin) {
    const size_t bytes = slide->call->state_bytes, count = slide->end - begin;
    ORIEL_TRY(grow_older(slide, count));
    for (size_t i = count; i-- > 0;) {
        char *state = slide->older + i * bytes;
        memset(state, 0, bytes);
        ORIEL_TRY(add_row(slide, state, begin + i));
        if (i + 1 < count)
            ORIEL_TRY(merge(slide, state, state + bytes));
    }
    slide->base = begin;
    slide->middle = slide->end;
    memset(slide->newer, 0, bytes);
    return ORIEL_OK;
}

/* The state of the frame [begin, end) in slide->scratch or slide->newer. */
static enum oriel_status slide_to(struct slide *slide, size_t begin, size_t end,
                                  const char **state) {
    const size_t bytes = slide->call->state_bytes;
    if (end < begin)
        end = begin;
    for (; slide->end < end; slide->end++)
        ORIEL_TRY(add_row(slide, slide->newer, slide->end));
    *state = slide->newer;
    if (begin == slide->base && slide->middle == slide->base)
        return ORIEL_OK; /* nothing has left the frame */
    if (begin >= slide->middle && begin < slide->end && begin > slide->base)
        ORIEL_TRY(turn_over(slide, begin));
    memset(slide->scratch, 0, bytes);
    *state = slide->scratch;
    if (begin >= slide->end)
        return ORIEL_OK;
    ORIEL_TRY(merge(slide, slide->scratch, slide->older + (begin - slide->base) * bytes));
    return merge(slide, slide->scratch, slide->newer);
}

static enum oriel_status finish_row(struct slide *slide, const char *state, uint32_t at,
                                    struct oriel_column *out) {
    struct oriel_aggregation aggregation = {slide->runtime, slide->arena, slide->error};
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    uint64_t valid = 1;
    struct oriel_column one = {
        .type = out->type, .values = (char *)out->values + at * size, .valid = &valid};
    ORIEL_TRY(slide->call->operations->finish(slide->call, &aggregation, state,
                                              slide->call->state_bytes, 1, &one));
    if (!(valid & 1))
        oriel_bits_clear(out->valid, at);
    return ORIEL_OK;
}

enum oriel_status oriel_over_compute(const struct oriel_runtime *runtime,
                                     const struct oriel_over_call *call,
                                     const struct oriel_over_rows *rows, struct oriel_arena *arena,
                                     struct oriel_column *out, struct oriel_error *error) {
    if (call->function != ORIEL_OVER_AGGREGATE) {
        oriel_over_take(call, rows, out);
        return ORIEL_OK;
    }
    struct slide slide = {
        .runtime = runtime, .call = &call->aggregate, .rows = rows, .arena = arena, .error = error};
    slide.newer = oriel_arena_allocate_zeroed(arena, 1, call->aggregate.state_bytes);
    slide.scratch = oriel_arena_allocate_zeroed(arena, 1, call->aggregate.state_bytes);
    if (!slide.newer || !slide.scratch)
        return oriel_error_memory(error);
    struct oriel_frame frame;
    oriel_frame_init(&frame, call, rows);
    for (size_t row = 0; row < rows->row_count; row++) {
        const char *state;
        if (row % 1024 == 0)
            ORIEL_TRY(oriel_runtime_check(runtime, error));
        oriel_frame_move(&frame, row);
        ORIEL_TRY(slide_to(&slide, frame.begin, frame.end, &state));
        ORIEL_TRY(finish_row(&slide, state, rows->order[row], out));
    }
    return ORIEL_OK;
}
