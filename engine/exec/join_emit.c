/*
 * Rows of a join in the order of its left input. Entries are collected until a batch is full; then
 * the residual is evaluated for all pairs at once, and the entries that stay are gathered.
 */
#include "engine/exec/join_emit.h"

#include <string.h>

#include "kernels/kernels.h"

static bool gives_pairs(const struct oriel_plan *plan) {
    return plan->join.kind == ORIEL_JOIN_INNER || plan->join.kind == ORIEL_JOIN_LEFT;
}

static enum oriel_status lay_out(struct oriel_join_emit *emit, struct oriel_error *error) {
    const struct oriel_schema left = emit->left, right = emit->right;
    const uint32_t count = left.field_count + right.field_count;
    struct oriel_field *pair = oriel_arena_allocate_zeroed(&emit->arena, count, sizeof *pair);
    if (!pair)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++)
        pair[i] = i < left.field_count ? left.fields[i] : right.fields[i - left.field_count];
    emit->pair = (struct oriel_schema){count, pair};
    return ORIEL_OK;
}

static enum oriel_status make_room(struct oriel_join_emit *emit, struct oriel_error *error) {
    const struct oriel_runtime *runtime = emit->runtime;
    struct oriel_arena *arena = &emit->arena;
    const size_t rows = runtime->batch_rows;
    ORIEL_TRY(lay_out(emit, error));
    ORIEL_TRY(
        oriel_column_buffers_init(&emit->left_buffers, runtime->memory, &emit->left, rows, error));
    ORIEL_TRY(oriel_column_buffers_init(&emit->right_buffers, runtime->memory, &emit->right, rows,
                                        error));
    if (emit->plan->join.residual)
        ORIEL_TRY(
            oriel_evaluator_open(runtime, &emit->plan->join.residual, 1, &emit->residual, error));
    emit->columns =
        oriel_arena_allocate_zeroed(arena, emit->pair.field_count, sizeof *emit->columns);
    emit->left_rows = oriel_arena_allocate_zeroed(arena, rows, sizeof *emit->left_rows);
    emit->picks = oriel_arena_allocate_zeroed(arena, rows, sizeof *emit->picks);
    emit->selection =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(rows), sizeof *emit->selection);
    emit->pair_rows = oriel_arena_allocate_zeroed(arena, rows, sizeof *emit->pair_rows);
    emit->kept = oriel_arena_allocate_zeroed(arena, rows, sizeof *emit->kept);
    emit->pair_picks = oriel_arena_allocate_zeroed(arena, rows, sizeof *emit->pair_picks);
    emit->marks = oriel_arena_allocate_zeroed(arena, rows, 1);
    emit->is_false = oriel_arena_allocate_zeroed(arena, rows, 1);
    return emit->columns && emit->left_rows && emit->picks && emit->selection && emit->pair_rows &&
                   emit->kept && emit->pair_picks && emit->marks && emit->is_false
               ? ORIEL_OK
               : oriel_error_memory(error);
}

enum oriel_status oriel_join_emit_init(struct oriel_join_emit *emit, const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_error *error) {
    *emit = (struct oriel_join_emit){.plan = plan,
                                     .runtime = runtime,
                                     .left = plan->inputs[0]->schema,
                                     .right = plan->inputs[1]->schema};
    oriel_arena_init(&emit->arena, runtime->memory);
    const enum oriel_status status = make_room(emit, error);
    if (status != ORIEL_OK)
        oriel_join_emit_deinit(emit);
    return status;
}

void oriel_join_emit_deinit(struct oriel_join_emit *emit) {
    if (!emit->runtime)
        return;
    oriel_evaluator_close(&emit->residual);
    oriel_column_buffers_deinit(&emit->left_buffers);
    oriel_column_buffers_deinit(&emit->right_buffers);
    oriel_arena_deinit(&emit->arena);
    *emit = (struct oriel_join_emit){0};
}

void oriel_join_emit_sources(struct oriel_join_emit *emit, const struct oriel_column **sources,
                             uint32_t source_count) {
    emit->sources = sources;
    emit->source_count = source_count;
}

struct oriel_column *oriel_join_null_row(struct oriel_arena *arena, struct oriel_schema schema) {
    struct oriel_column *columns =
        oriel_arena_allocate_zeroed(arena, schema.field_count, sizeof *columns);
    uint64_t *valid = oriel_arena_allocate_zeroed(arena, 1, sizeof *valid);
    void *value = oriel_arena_allocate_zeroed(arena, 1, sizeof(oriel_u128));
    if (!columns || !valid || !value)
        return NULL;
    for (uint32_t c = 0; c < schema.field_count; c++)
        columns[c] =
            (struct oriel_column){.type = schema.fields[c].type, .values = value, .valid = valid};
    return columns;
}

enum oriel_status oriel_join_emit_begin(struct oriel_join_emit *emit,
                                        const struct oriel_batch *batch, uint64_t expansion,
                                        oriel_push *push, void *context,
                                        struct oriel_error *error) {
    emit->batch = batch;
    emit->count = 0;
    emit->emitted = 0;
    emit->push = push;
    emit->context = context;
    if (emit->plan->join.residual || !gives_pairs(emit->plan))
        memset(emit->marks, 0, batch->row_count);
    return __builtin_mul_overflow(batch->first_row, expansion, &emit->first_row)
               ? oriel_error_set(error, ORIEL_RUNTIME, "the join makes too many rows")
               : ORIEL_OK;
}

/* Marks the left rows of pairs for which the residual is true, and drops the other pairs. */
static enum oriel_status check_residual(struct oriel_join_emit *emit, struct oriel_error *error) {
    const struct oriel_kernels *kernels = emit->runtime->kernels;
    size_t pair_count = 0;
    for (size_t i = 0; i < emit->count; i++) {
        emit->pair_rows[pair_count] = emit->left_rows[i];
        emit->pair_picks[pair_count] = emit->picks[i];
        emit->kept[pair_count] = (uint32_t)i;
        pair_count += emit->picks[i].source != emit->source_count;
    }
    if (pair_count == 0)
        return ORIEL_OK;
    oriel_gather_rows(kernels, emit->batch->columns, emit->left.field_count, emit->pair_rows,
                      pair_count, &emit->left_buffers, emit->columns);
    for (uint32_t c = 0; c < emit->right.field_count; c++)
        oriel_gather_picks(emit->sources, emit->source_count, c, emit->pair_picks, pair_count,
                           &emit->right_buffers.columns[c],
                           &emit->columns[emit->left.field_count + c]);
    const struct oriel_batch batch = {
        .row_count = pair_count, .column_count = emit->pair.field_count, .columns = emit->columns};
    const struct oriel_column *condition;
    ORIEL_TRY(oriel_evaluator_run(emit->residual, &batch, &condition, error));
    kernels->bytes_to_bits(condition->values, condition->valid, pair_count, emit->selection);
    for (size_t i = 0; i < pair_count; i++) {
        const bool holds = oriel_bits_get(emit->selection, i);
        emit->marks[emit->pair_rows[i]] |= holds;
        emit->is_false[emit->kept[i]] = !holds;
    }
    return ORIEL_OK;
}

/* Whether a left row goes on by itself. */
static bool goes_on(const struct oriel_join_emit *emit, uint32_t left) {
    return emit->plan->join.kind == ORIEL_JOIN_SEMI ? emit->marks[left] : !emit->marks[left];
}

/* Leaves only the entries that go on. */
static void keep_entries(struct oriel_join_emit *emit) {
    const bool pairs = gives_pairs(emit->plan);
    size_t kept = 0;
    for (size_t i = 0; i < emit->count; i++) {
        const bool is_pair = emit->picks[i].source != emit->source_count;
        emit->left_rows[kept] = emit->left_rows[i];
        emit->picks[kept] = emit->picks[i];
        kept += is_pair ? pairs && !emit->is_false[i] : goes_on(emit, emit->left_rows[i]);
    }
    emit->count = kept;
}

static bool is_whole_batch(const struct oriel_join_emit *emit) {
    if (emit->count != emit->batch->row_count)
        return false;
    for (size_t i = 0; i < emit->count; i++)
        if (emit->left_rows[i] != i)
            return false;
    return true;
}

enum oriel_status oriel_join_emit_flush(struct oriel_join_emit *emit, struct oriel_error *error) {
    if (emit->count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_runtime_check(emit->runtime, error));
    if (emit->residual)
        ORIEL_TRY(check_residual(emit, error));
    if (emit->residual || !gives_pairs(emit->plan))
        keep_entries(emit);
    const uint32_t left_count = emit->left.field_count;
    if (is_whole_batch(emit))
        memcpy(emit->columns, emit->batch->columns, left_count * sizeof *emit->columns);
    else
        oriel_gather_rows(emit->runtime->kernels, emit->batch->columns, left_count, emit->left_rows,
                          emit->count, &emit->left_buffers, emit->columns);
    const uint32_t right_count = gives_pairs(emit->plan) ? emit->right.field_count : 0;
    for (uint32_t c = 0; c < right_count; c++)
        oriel_gather_picks(emit->sources, emit->source_count + 1, c, emit->picks, emit->count,
                           &emit->right_buffers.columns[c], &emit->columns[left_count + c]);
    const struct oriel_batch batch = {.row_count = emit->count,
                                      .column_count = left_count + right_count,
                                      .columns = emit->columns,
                                      .first_row = emit->first_row + emit->emitted};
    emit->emitted += emit->count;
    emit->count = 0;
    return batch.row_count ? emit->push(emit->context, &batch, error) : ORIEL_OK;
}

static inline enum oriel_status add(struct oriel_join_emit *emit, uint32_t left,
                                    struct oriel_pick pick, struct oriel_error *error) {
    emit->left_rows[emit->count] = left;
    emit->picks[emit->count++] = pick;
    return emit->count == emit->runtime->batch_rows ? oriel_join_emit_flush(emit, error) : ORIEL_OK;
}

enum oriel_status oriel_join_emit_row(struct oriel_join_emit *emit, uint32_t left,
                                      const struct oriel_pick *picks, size_t count,
                                      struct oriel_error *error) {
    const enum oriel_join_kind kind = emit->plan->join.kind;
    const struct oriel_pick none = {emit->source_count, 0};
    if (emit->residual || gives_pairs(emit->plan))
        for (size_t i = 0; i < count; i++)
            ORIEL_TRY(add(emit, left, picks[i], error));
    else
        emit->marks[left] = count != 0;
    if (kind == ORIEL_JOIN_INNER || (kind == ORIEL_JOIN_LEFT && count && !emit->residual))
        return ORIEL_OK;
    return add(emit, left, none, error);
}
