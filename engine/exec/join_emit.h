/*
 * Inside joins that keep the order of the left input: what a left batch becomes. Pairs are checked
 * by the residual, left rows without a pair follow where the kind wants them, and rows go on in
 * the order of the left ones.
 */
#pragma once

#include "engine/columns/source.h"
#include "engine/exec/gather.h"
#include "engine/plan/plan.h"

struct oriel_evaluator;

struct oriel_join_emit {
    const struct oriel_plan *plan; /* JOIN: INNER, LEFT, SEMI or ANTI */
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_evaluator *residual; /* or NULL */
    struct oriel_schema left, right;
    struct oriel_schema pair; /* left and right fields, for the residual */
    struct oriel_column_buffers left_buffers, right_buffers;
    struct oriel_column *columns; /* of pairs */
    /* The right rows: sources[source_count] is a row of NULLs. */
    const struct oriel_column **sources;
    uint32_t source_count;
    /* Entries: pairs, and left rows whose marks decide whether they go on (source_count as the
     * source of the pick). */
    size_t count;
    uint32_t *left_rows;
    struct oriel_pick *picks;
    uint64_t *selection;
    uint32_t *pair_rows, *kept; /* of the residual */
    struct oriel_pick *pair_picks;
    uint8_t *marks;    /* by left row: it has a pair */
    uint8_t *is_false; /* by entry: a pair that the residual dropped */
    /* The left batch. */
    const struct oriel_batch *batch;
    uint64_t first_row, emitted;
    oriel_push *push;
    void *context;
};

enum oriel_status oriel_join_emit_init(struct oriel_join_emit *emit, const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_error *error);
void oriel_join_emit_deinit(struct oriel_join_emit *emit);

/* Sets the right rows; behind the sources stands a row of NULLs, see oriel_join_null_row. */
void oriel_join_emit_sources(struct oriel_join_emit *emit, const struct oriel_column **sources,
                             uint32_t source_count);

/* Columns of `schema` with one row, NULL; in `arena`. NULL when memory runs out. */
struct oriel_column *oriel_join_null_row(struct oriel_arena *arena, struct oriel_schema schema);

/* Begins a left batch: at most `expansion` rows are made of each of its rows. */
enum oriel_status oriel_join_emit_begin(struct oriel_join_emit *emit,
                                        const struct oriel_batch *batch, uint64_t expansion,
                                        oriel_push *push, void *context, struct oriel_error *error);

/* A left row and all right rows with its keys, in their order; `count` may be 0. Left rows ascend.
 */
enum oriel_status oriel_join_emit_row(struct oriel_join_emit *emit, uint32_t left,
                                      const struct oriel_pick *picks, size_t count,
                                      struct oriel_error *error);

/* Pushes what is left. */
enum oriel_status oriel_join_emit_flush(struct oriel_join_emit *emit, struct oriel_error *error);
