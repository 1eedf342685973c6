/*
 * Pairs of a join: candidates are checked by the residual, mark their rows as matched, and go to
 * the sorter with the columns that bring them into order.
 */
#include "engine/exec/join_pairs.h"

#include <string.h>

#include "engine/exec/gather.h"
#include "kernels/kernels.h"

static enum oriel_status open_bounds(struct oriel_join_room *room, struct oriel_error *error) {
    const struct oriel_join_ranges *ranges = &room->layout->ranges;
    const struct oriel_runtime *runtime = room->layout->runtime;
    struct oriel_expression *left[ORIEL_JOIN_RANGES_MAX], *right[ORIEL_JOIN_RANGES_MAX];
    if (ranges->count == 0)
        return ORIEL_OK;
    for (uint32_t r = 0; r < ranges->count; r++) {
        left[r] = ranges->items[r].left;
        right[r] = ranges->items[r].right;
    }
    ORIEL_TRY(oriel_evaluator_open(runtime, left, ranges->count, &room->left_bounds, error));
    return oriel_evaluator_open(runtime, right, ranges->count, &room->right_bounds, error);
}

static enum oriel_status make_room(struct oriel_join_room *room, struct oriel_error *error) {
    const struct oriel_join_layout *layout = room->layout;
    const struct oriel_runtime *runtime = layout->runtime;
    struct oriel_arena *arena = &room->arena;
    const size_t rows = runtime->batch_rows;
    ORIEL_TRY(oriel_column_buffers_init(&room->left, runtime->memory, &layout->left, rows, error));
    ORIEL_TRY(
        oriel_column_buffers_init(&room->right, runtime->memory, &layout->right, rows, error));
    if (layout->plan->join.residual)
        ORIEL_TRY(
            oriel_evaluator_open(runtime, &layout->plan->join.residual, 1, &room->residual, error));
    ORIEL_TRY(open_bounds(room, error));
    room->left_columns =
        oriel_arena_allocate_zeroed(arena, layout->left.field_count, sizeof *room->left_columns);
    room->right_columns =
        oriel_arena_allocate_zeroed(arena, layout->right.field_count, sizeof *room->right_columns);
    room->pair_columns =
        oriel_arena_allocate_zeroed(arena, layout->pair.field_count, sizeof *room->pair_columns);
    room->out = oriel_arena_allocate_zeroed(arena, layout->output.field_count, sizeof *room->out);
    room->left_positions = oriel_arena_allocate_zeroed(arena, rows, sizeof(int64_t));
    room->right_positions = oriel_arena_allocate_zeroed(arena, rows, sizeof(int64_t));
    room->null_values = oriel_arena_allocate_zeroed(arena, rows, sizeof(oriel_u128));
    room->null_valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(rows), sizeof(uint64_t));
    room->selection =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(rows), sizeof(uint64_t));
    room->kept = oriel_arena_allocate_zeroed(arena, rows + 64, sizeof(uint32_t));
    room->left_rows = oriel_arena_allocate_zeroed(arena, rows, sizeof(uint32_t));
    room->right_rows = oriel_arena_allocate_zeroed(arena, rows, sizeof(uint32_t));
    if (!room->left_columns || !room->right_columns || !room->pair_columns || !room->out ||
        !room->left_positions || !room->right_positions || !room->null_values ||
        !room->null_valid || !room->selection || !room->kept || !room->left_rows ||
        !room->right_rows)
        return oriel_error_memory(error);
    for (size_t i = 0; i < rows; i++) {
        room->left_positions[i] = INT64_MAX; /* rows without a left one come last */
        room->right_positions[i] = -1;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_join_room_init(struct oriel_join_room *room,
                                       const struct oriel_join_layout *layout,
                                       struct oriel_error *error) {
    *room = (struct oriel_join_room){.layout = layout};
    oriel_arena_init(&room->arena, layout->runtime->memory);
    const enum oriel_status status = make_room(room, error);
    if (status != ORIEL_OK)
        oriel_join_room_deinit(room);
    return status;
}

void oriel_join_room_deinit(struct oriel_join_room *room) {
    if (!room->layout)
        return;
    oriel_evaluator_close(&room->residual);
    oriel_evaluator_close(&room->left_bounds);
    oriel_evaluator_close(&room->right_bounds);
    oriel_column_buffers_deinit(&room->left);
    oriel_column_buffers_deinit(&room->right);
    oriel_arena_deinit(&room->arena);
    *room = (struct oriel_join_room){0};
}

static bool gives_pairs(enum oriel_join_kind kind) {
    return kind != ORIEL_JOIN_SEMI && kind != ORIEL_JOIN_ANTI;
}

static void null_columns(const struct oriel_join_room *room, struct oriel_schema schema,
                         uint32_t count, struct oriel_column *columns) {
    for (uint32_t c = 0; c < count; c++)
        columns[c] = (struct oriel_column){
            .type = schema.fields[c].type, .values = room->null_values, .valid = room->null_valid};
}

/* Brings the rows of both sides into room->left_columns and right_columns; a side is NULL when it
 * is missing. */
static void gather_sides(struct oriel_join_part *part, const uint32_t *left_rows,
                         const uint32_t *right_rows, size_t count) {
    struct oriel_join_room *room = part->room;
    const struct oriel_join_layout *layout = room->layout;
    const struct oriel_kernels *kernels = layout->runtime->kernels;
    if (left_rows)
        oriel_gather_rows(kernels, part->left.columns, layout->left.field_count, left_rows, count,
                          &room->left, room->left_columns);
    else
        null_columns(room, layout->left, layout->left_count, room->left_columns);
    if (right_rows)
        oriel_gather_rows(kernels, part->right.columns, layout->right.field_count, right_rows,
                          count, &room->right, room->right_columns);
    else
        null_columns(room, layout->right, layout->right_count, room->right_columns);
    if (!left_rows)
        room->left_columns[layout->left_count] = (struct oriel_column){
            .type = layout->left.fields[layout->left_count].type, .values = room->left_positions};
    if (!right_rows)
        room->right_columns[layout->right_count] =
            (struct oriel_column){.type = layout->right.fields[layout->right_count].type,
                                  .values = room->right_positions};
}

/* Hands rows to the sorter. */
static enum oriel_status emit(struct oriel_join_part *part, const uint32_t *left_rows,
                              const uint32_t *right_rows, size_t count, struct oriel_error *error) {
    struct oriel_join_room *room = part->room;
    const struct oriel_join_layout *layout = room->layout;
    const struct oriel_plan *plan = layout->plan;
    if (count == 0)
        return ORIEL_OK;
    gather_sides(part, left_rows, right_rows, count);
    struct oriel_column *out = room->out;
    memcpy(out, room->left_columns, layout->left_count * sizeof *out);
    out += layout->left_count;
    if (gives_pairs(plan->join.kind)) {
        memcpy(out, room->right_columns, layout->right_count * sizeof *out);
        out += layout->right_count;
    }
    for (uint32_t k = 0; layout->hidden_order && k < plan->join.order_count; k++) {
        const uint32_t key = plan->join.order[k];
        *out++ = left_rows ? room->left_columns[plan->join.left_keys[key]]
                           : room->right_columns[plan->join.right_keys[key]];
    }
    *out++ = room->left_columns[layout->left_count];
    *out++ = room->right_columns[layout->right_count];
    const struct oriel_batch batch = {
        .row_count = count, .column_count = layout->output.field_count, .columns = room->out};
    return oriel_sorter_add(layout->sorter, part->worker, &batch, NULL, count, error);
}

/* Keeps the pairs for which the residual is true. */
static enum oriel_status check_residual(struct oriel_join_part *part, struct oriel_error *error) {
    struct oriel_join_room *room = part->room;
    const struct oriel_join_layout *layout = room->layout;
    const struct oriel_kernels *kernels = layout->runtime->kernels;
    gather_sides(part, room->left_rows, room->right_rows, room->pair_count);
    memcpy(room->pair_columns, room->left_columns, layout->left_count * sizeof *room->pair_columns);
    memcpy(room->pair_columns + layout->left_count, room->right_columns,
           layout->right_count * sizeof *room->pair_columns);
    const struct oriel_batch batch = {.row_count = room->pair_count,
                                      .column_count = layout->pair.field_count,
                                      .columns = room->pair_columns};
    const struct oriel_column *condition;
    ORIEL_TRY(oriel_evaluator_run(room->residual, &batch, &condition, error));
    kernels->bytes_to_bits(condition->values, condition->valid, batch.row_count, room->selection);
    const size_t kept = kernels->select_indices(room->selection, batch.row_count, room->kept);
    for (size_t i = 0; i < kept; i++) {
        room->left_rows[i] = room->left_rows[room->kept[i]];
        room->right_rows[i] = room->right_rows[room->kept[i]];
    }
    room->pair_count = kept;
    return ORIEL_OK;
}

enum oriel_status oriel_join_flush_pairs(struct oriel_join_part *part, struct oriel_error *error) {
    struct oriel_join_room *room = part->room;
    if (room->pair_count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_runtime_check(room->layout->runtime, error));
    if (room->residual)
        ORIEL_TRY(check_residual(part, error));
    for (size_t i = 0; i < room->pair_count; i++) {
        part->left_matched[room->left_rows[i]] = 1;
        part->right_matched[room->right_rows[i]] = 1;
    }
    const size_t count = room->pair_count;
    room->pair_count = 0;
    if (!gives_pairs(room->layout->plan->join.kind))
        return ORIEL_OK;
    return emit(part, room->left_rows, room->right_rows, count, error);
}

enum oriel_status oriel_join_add_pair(struct oriel_join_part *part, uint32_t left, uint32_t right,
                                      struct oriel_error *error) {
    struct oriel_join_room *room = part->room;
    room->left_rows[room->pair_count] = left;
    room->right_rows[room->pair_count++] = right;
    return room->pair_count == room->layout->runtime->batch_rows
               ? oriel_join_flush_pairs(part, error)
               : ORIEL_OK;
}

/* Gives out the rows of one side whose mark is `wanted`. */
static enum oriel_status emit_side(struct oriel_join_part *part, bool left, uint8_t wanted,
                                   struct oriel_error *error) {
    struct oriel_join_room *room = part->room;
    const size_t capacity = room->layout->runtime->batch_rows;
    const size_t row_count = left ? part->left.row_count : part->right.row_count;
    const uint8_t *marks = left ? part->left_matched : part->right_matched;
    uint32_t *rows = left ? room->left_rows : room->right_rows;
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++) {
        if (marks[i] != wanted)
            continue;
        rows[count++] = (uint32_t)i;
        if (count == capacity) {
            ORIEL_TRY(emit(part, left ? rows : NULL, left ? NULL : rows, count, error));
            count = 0;
        }
    }
    return emit(part, left ? rows : NULL, left ? NULL : rows, count, error);
}

enum oriel_status oriel_join_emit_left(struct oriel_join_part *part, struct oriel_error *error) {
    const enum oriel_join_kind kind = part->room->layout->plan->join.kind;
    if (kind == ORIEL_JOIN_SEMI)
        return emit_side(part, true, 1, error);
    if (kind == ORIEL_JOIN_ANTI || kind == ORIEL_JOIN_LEFT || kind == ORIEL_JOIN_FULL)
        return emit_side(part, true, 0, error);
    return ORIEL_OK;
}

enum oriel_status oriel_join_emit_right(struct oriel_join_part *part, struct oriel_error *error) {
    const enum oriel_join_kind kind = part->room->layout->plan->join.kind;
    return kind == ORIEL_JOIN_RIGHT || kind == ORIEL_JOIN_FULL ? emit_side(part, false, 0, error)
                                                               : ORIEL_OK;
}

enum oriel_status oriel_join_emit_rest(struct oriel_join_part *part, struct oriel_error *error) {
    ORIEL_TRY(oriel_join_emit_left(part, error));
    return oriel_join_emit_right(part, error);
}
