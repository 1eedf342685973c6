/*
 * The way of rows through streaming operators, from a source towards a sink or a result: each
 * worker has its own stages. With a profile every step counts its rows and time.
 */
#pragma once

#include "engine/exec/operator.h"

struct oriel_step {
    const struct oriel_plan *node; /* FILTER, PROJECT, WINDOW; UNION: rows become those of it */
    uint64_t offset, bound;        /* UNION: of the positions of the input; see oriel_union_move */
    const struct oriel_runtime *runtime; /* of the node's operator */
};

struct oriel_lane;

struct oriel_chain {
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_step *steps; /* the first one first */
    uint32_t step_count;      /* may be 0 */
    struct oriel_lane *lanes; /* one a worker */
    unsigned lane_count;
};

/* Copies the steps. */
enum oriel_status oriel_chain_init(struct oriel_chain *chain, const struct oriel_runtime *runtime,
                                   const struct oriel_step *steps, uint32_t step_count,
                                   struct oriel_error *error);
/* Opens the stages of all workers. */
enum oriel_status oriel_chain_start(struct oriel_chain *chain, unsigned worker_count,
                                    struct oriel_error *error);
void oriel_chain_deinit(struct oriel_chain *chain);

/*
 * Sends a batch through the stages of `worker` to `push`. When a row is at fault, the error is that
 * of the first such row of the batch, whatever the stages: then rows were pushed more than once,
 * and the run must end.
 */
enum oriel_status oriel_chain_push(struct oriel_chain *chain, unsigned worker,
                                   const struct oriel_batch *batch, oriel_push *push, void *context,
                                   struct oriel_error *error);

/*
 * After `push` of a batch of several rows failed with `status` and *error because of its content:
 * pushes its rows one by one, so that the error becomes that of the first row at fault. With
 * `has_passed` some rows came through already. Returns the status to report; ORIEL_DONE when
 * whoever takes the rows wants no more before one is at fault.
 */
enum oriel_status oriel_push_rows(const struct oriel_runtime *runtime,
                                  const struct oriel_batch *batch, enum oriel_status status,
                                  bool has_passed, oriel_push *push, void *context,
                                  struct oriel_error *error);
