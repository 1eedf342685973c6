/*
 * Sources that are made of sources: what a plan becomes. Each takes its inputs over and closes
 * them, also when opening fails. `start` of a source that needs all of its input first runs that
 * input, on all workers, so it is called outside of them.
 */
#pragma once

#include "engine/exec/exec.h"
#include "engine/exec/operator.h"

/* A source whose batches went through the streaming nodes `nodes` (FILTER, PROJECT, WINDOW,
 * UNNEST), the
 * first one first. `nodes` is copied. */
enum oriel_status oriel_staged_source_open(const struct oriel_runtime *runtime,
                                           struct oriel_source *input,
                                           const struct oriel_plan *const *nodes,
                                           uint32_t node_count, struct oriel_source **out,
                                           struct oriel_error *error);

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

/* Rows [offset, offset + limit) of the input; it is not read further. */
enum oriel_status oriel_limit_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_source *input, int64_t offset, int64_t limit,
                                          struct oriel_source **out, struct oriel_error *error);

/* UNNEST multiplies positions by 1 << this: more elements than that for each row of a batch, taken
 * together, are an error. */
enum { ORIEL_UNNEST_POSITION_BITS = 16 };

/* Windows that one row can be in: positions are multiplied by it. */
uint64_t oriel_window_expansion(const struct oriel_window *window);

/* What a plan becomes. `runtime` must outlive the source. */
enum oriel_status oriel_source_build(const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime,
                                     oriel_open_scan *open_scan, void *open_scan_context,
                                     struct oriel_source **out, struct oriel_error *error);

/* The constant rows of a VALUES node, evaluated at once. */
enum oriel_status oriel_values_source_open(const struct oriel_plan *plan,
                                           const struct oriel_runtime *runtime,
                                           struct oriel_source **out, struct oriel_error *error);
