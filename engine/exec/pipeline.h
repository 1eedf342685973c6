/*
 * Sources that are made of sources: what a plan becomes. Each takes its inputs over and closes
 * them, also when opening fails. `start` of a source that needs all of its input first runs that
 * input, on all workers, so it is called outside of them.
 */
#pragma once

#include "engine/exec/chain.h"
#include "engine/exec/exec.h"
#include "engine/exec/operator.h"
#include "engine/exec/pass.h"

/* A source whose batches went through `steps`, at least one, the first one first; copied. */
enum oriel_status oriel_staged_source_open(const struct oriel_runtime *runtime,
                                           struct oriel_source *input,
                                           const struct oriel_step *steps, uint32_t step_count,
                                           struct oriel_source **out, struct oriel_error *error);

/* Opens one worker's instance of a streaming node. */
enum oriel_status oriel_filter_open(const struct oriel_plan *plan,
                                    const struct oriel_runtime *runtime, struct oriel_stage **out,
                                    struct oriel_error *error);
enum oriel_status oriel_project_open(const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime, struct oriel_stage **out,
                                     struct oriel_error *error);
enum oriel_status oriel_window_stage_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_stage **out, struct oriel_error *error);

enum oriel_status oriel_unnest_open(const struct oriel_plan *plan,
                                    const struct oriel_runtime *runtime, struct oriel_stage **out,
                                    struct oriel_error *error);

/* A source of the rows that sinks make of whole inputs: input i is pushed into sinks[i], one input
 * after the other, and the last sink finishes for all of them. Closes the sinks. */
enum { ORIEL_SINK_INPUT_MAX = 2 };
enum oriel_status oriel_sink_source_open(const struct oriel_runtime *runtime,
                                         struct oriel_source *const *inputs,
                                         struct oriel_sink *const *sinks, uint32_t input_count,
                                         struct oriel_schema schema, struct oriel_source **out,
                                         struct oriel_error *error);

/* All rows of inputs[0], then those of inputs[1], ...; position_bits: bits of the largest position
 * (first_row) of an input. */
enum oriel_status oriel_union_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_source *const *inputs, uint32_t input_count,
                                          unsigned position_bits, struct oriel_schema schema,
                                          struct oriel_source **out, struct oriel_error *error);

/* The rows of the scan `scan`, counting late ones for scan.watches. */
enum oriel_status oriel_late_source_open(const struct oriel_plan *scan,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_source *input, struct oriel_source **out,
                                         struct oriel_error *error);

/* The rows of `plan`, whose windows are counted if it has any and that is wanted. */
enum oriel_status oriel_window_count_open(const struct oriel_plan *plan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_source *input, struct oriel_source **out,
                                          struct oriel_error *error);

/* Rows [offset, offset + limit) of the input; it is not read further. */
enum oriel_status oriel_limit_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_source *input, int64_t offset, int64_t limit,
                                          struct oriel_source **out, struct oriel_error *error);

/* UNNEST multiplies positions by 1 << this: more elements than that for each row of a batch, taken
 * together, are an error. */
enum { ORIEL_UNNEST_POSITION_BITS = 16 };
/* The same for one sink that takes all inputs: sources, each `next` after the one before (pushed in
 * this order, taken over), and passes. Closes the sink. */
struct oriel_sink_input {
    struct oriel_source *source; /* NULL: the rows come from the pass */
    struct oriel_pass *pass;
    struct oriel_sink_input *next;
};
enum oriel_status oriel_fed_source_open(const struct oriel_runtime *runtime,
                                        const struct oriel_sink_input *inputs,
                                        struct oriel_sink *sink, struct oriel_schema schema,
                                        struct oriel_source **out, struct oriel_error *error);

/* A batch of an input of UNION ALL as one of the union: `offset` is added to its position, which
 * must be below `bound`. */
enum oriel_status oriel_union_move(const struct oriel_batch *batch, uint64_t offset, uint64_t bound,
                                   struct oriel_batch *out, struct oriel_error *error);

/* Windows that one row can be in: positions are multiplied by it. */
uint64_t oriel_window_expansion(const struct oriel_window *window);

/* The constant rows of a VALUES node, evaluated at once. */
enum oriel_status oriel_values_source_open(const struct oriel_plan *plan,
                                           const struct oriel_runtime *runtime,
                                           struct oriel_source **out, struct oriel_error *error);
