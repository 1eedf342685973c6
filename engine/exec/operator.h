/*
 * The two kinds of operators inside a pipeline.
 *
 * A pipeline reads one source on all workers. Each worker has its own chain of stages (filter,
 * project, window assignment), which push batches on, and all share one sink (aggregate, sort,
 * rank, join build, ...), which keeps what it needs per worker. When the source is empty, finish
 * turns the sink into the source of the next pipeline.
 */
#pragma once

#include "engine/columns/source.h"
#include "engine/exec/task_pool.h"
#include "engine/plan/plan.h"

/* One worker's instance of a streaming operator. */
struct oriel_stage;

struct oriel_stage_operations {
    enum oriel_status (*push)(struct oriel_stage *stage, const struct oriel_batch *batch,
                              struct oriel_error *error);
    void (*close)(struct oriel_stage *stage);
};

struct oriel_stage {
    const struct oriel_stage_operations *operations;
    oriel_push *next; /* where its output goes */
    void *next_context;
};

/* Shared by all workers; push of different workers runs at the same time. */
struct oriel_sink;

struct oriel_sink_operations {
    /* Rows of one worker. Batches of a morsel come in order, morsels in any order; batch->first_row
     * tells the place in the input. */
    enum oriel_status (*push)(struct oriel_sink *sink, unsigned worker,
                              const struct oriel_batch *batch, struct oriel_error *error);
    /* After the last push of all workers, on the calling thread, which may run tasks on the pool.
     * Gives the source of the sink's rows, which are read in its order. The source may borrow from
     * the sink: it is closed first. */
    enum oriel_status (*finish)(struct oriel_sink *sink, struct oriel_source **out,
                                struct oriel_error *error);
    void (*close)(struct oriel_sink *sink);
    /* Optional: after finish, says in a few words how the work was done ("hash, 3 million groups"),
     * for EXPLAIN ANALYZE. */
    void (*report)(const struct oriel_sink *sink, char *text, size_t text_bytes);
};

struct oriel_sink {
    const struct oriel_sink_operations *operations;
};

/* The sinks, each in a file of its own. Inputs come in the schema of plan->inputs[0]. */
enum oriel_status oriel_aggregate_open(const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime, struct oriel_sink **out,
                                       struct oriel_error *error);
