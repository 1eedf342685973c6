/*
 * Inside exec: from plans to sources. Plans that are built by one builder read the tables that they
 * share in passes (engine/exec/pass.h).
 */
#pragma once

#include "engine/exec/exec.h"
#include "engine/exec/pass.h"

/* The passes of some plans, one for each struct oriel_shared_scan that they read. */
struct oriel_passes;

struct oriel_builder {
    const struct oriel_runtime *runtime; /* must outlive what is built */
    oriel_open_scan *open_scan;
    void *open_scan_context;
    struct oriel_passes *passes;
    unsigned position_bits; /* that positions of rows at this place of the plan may have */
};
enum { ORIEL_POSITION_BITS_MAX = 62 };

enum oriel_status oriel_passes_open(const struct oriel_runtime *runtime, struct oriel_passes **out,
                                    struct oriel_error *error);
/* After everything that was built with them is closed. */
void oriel_passes_close(struct oriel_passes **passes);

/* What a plan becomes. */
enum oriel_status oriel_source_build(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan, struct oriel_source **out,
                                     struct oriel_error *error);

/* Whether the rows of a root come straight from a pass, through streaming operators alone. */
bool oriel_result_is_fed(const struct oriel_plan *plan);

/* For such a root: the pass, and its number there; `runtime` is of who takes the rows. */
enum oriel_status oriel_result_build(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime, struct oriel_pass **out,
                                     uint32_t *number, struct oriel_error *error);

/* The pass of a shared table, opened the first time. */
enum oriel_status oriel_passes_find(const struct oriel_builder *builder,
                                    const struct oriel_shared_scan *shared, struct oriel_pass **out,
                                    struct oriel_error *error);

/* ---- build_input.c ---- */

/* Nodes that become stages. */
bool oriel_plan_is_streaming(const struct oriel_plan *plan);

/* Bits that such a node puts behind a position. */
unsigned oriel_streaming_bits(const struct oriel_plan *plan);
unsigned oriel_bits_of(uint64_t value);

/* The same builder with positions of so many bits less. */
struct oriel_builder oriel_builder_below(const struct oriel_builder *builder, unsigned bits);

/* The runtime of the operator of `node`: its own with a profile. */
enum oriel_status oriel_operator_runtime(const struct oriel_runtime *runtime,
                                         const struct oriel_plan *node,
                                         const struct oriel_runtime **out,
                                         struct oriel_error *error);

/* The inputs of the breaker whose rows come from `plan`, as a list in `arena`: sources, and feeds
 * of `sink` that were added to passes. When it fails the sources are closed. */
struct oriel_sink_input;
enum oriel_status oriel_inputs_build(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan, struct oriel_sink *sink,
                                     const struct oriel_runtime *sink_runtime,
                                     struct oriel_arena *arena, struct oriel_sink_input **out,
                                     struct oriel_error *error);
