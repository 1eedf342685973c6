/*
 * Turns a plan into sources: streaming nodes become stages, breakers sources over sinks, tables
 * that are read more than once passes.
 */
#include "engine/exec/build.h"

#include "engine/exec/join.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"
#include "engine/exec/sinks.h"
#include "engine/exec/table_source.h"

static enum oriel_status build(const struct oriel_builder *builder, const struct oriel_plan *plan,
                               struct oriel_source **out, struct oriel_error *error);

static enum oriel_status build_staged(const struct oriel_builder *builder,
                                      const struct oriel_plan *plan, struct oriel_source **out,
                                      struct oriel_error *error) {
    uint32_t count = 0;
    struct oriel_builder below = *builder;
    const struct oriel_plan *bottom = plan;
    for (; oriel_plan_is_streaming(bottom); bottom = bottom->inputs[0]) {
        below = oriel_builder_below(&below, oriel_streaming_bits(bottom));
        count++;
    }
    struct oriel_source *input;
    ORIEL_TRY(build(&below, bottom, &input, error));
    struct oriel_memory *memory = builder->runtime->memory;
    struct oriel_step *steps = oriel_memory_allocate_zeroed(memory, count, sizeof *steps);
    enum oriel_status status = steps ? ORIEL_OK : oriel_error_memory(error);
    uint32_t at = count;
    for (const struct oriel_plan *it = plan; it != bottom && status == ORIEL_OK;
         it = it->inputs[0]) {
        steps[--at].node = it;
        status = oriel_operator_runtime(builder->runtime, it, &steps[at].runtime, error);
    }
    if (status == ORIEL_OK)
        status = oriel_staged_source_open(builder->runtime, input, steps, count, out, error);
    else
        input->operations->close(input);
    oriel_memory_release(memory, steps, count * sizeof *steps);
    return status;
}

/* Below a breaker positions are new. */
static struct oriel_builder with_all_bits(const struct oriel_builder *builder) {
    struct oriel_builder out = *builder;
    out.position_bits = ORIEL_POSITION_BITS_MAX;
    return out;
}

static void close_all(struct oriel_source **sources, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        sources[i]->operations->close(sources[i]);
}

static enum oriel_status build_union(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan, struct oriel_source **out,
                                     struct oriel_error *error) {
    struct oriel_memory *memory = builder->runtime->memory;
    const size_t size = plan->input_count * sizeof(struct oriel_source *);
    struct oriel_source **inputs = oriel_memory_allocate(memory, size);
    if (!inputs)
        return oriel_error_memory(error);
    const struct oriel_builder below =
        oriel_builder_below(builder, oriel_bits_of(plan->input_count - 1));
    enum oriel_status status = ORIEL_OK;
    uint32_t count = 0;
    for (; count < plan->input_count && status == ORIEL_OK; count++)
        status = build(&below, plan->inputs[count], &inputs[count], error);
    if (status == ORIEL_OK)
        status = oriel_union_source_open(builder->runtime, inputs, count, below.position_bits,
                                         plan->schema, out, error);
    else
        close_all(inputs, count - 1);
    oriel_memory_release(memory, inputs, size);
    return status;
}

static enum oriel_status open_sink(const struct oriel_runtime *runtime,
                                   const struct oriel_plan *plan, struct oriel_sink **out,
                                   struct oriel_error *error) {
    switch (plan->kind) {
    case ORIEL_PLAN_AGGREGATE: return oriel_aggregate_open(plan, runtime, out, error);
    case ORIEL_PLAN_RANK: return oriel_rank_open(plan, runtime, out, error);
    case ORIEL_PLAN_OVER: return oriel_over_open(plan, runtime, out, error);
    case ORIEL_PLAN_SORT: return oriel_sort_open(plan, runtime, out, error);
    default: return oriel_session_rows_open(plan, runtime, out, error);
    }
}

static enum oriel_status build_breaker(const struct oriel_builder *builder,
                                       const struct oriel_plan *plan, struct oriel_source **out,
                                       struct oriel_error *error) {
    struct oriel_sink *sink;
    struct oriel_sink_input *inputs;
    struct oriel_arena arena;
    ORIEL_TRY(open_sink(builder->runtime, plan, &sink, error));
    oriel_arena_init(&arena, builder->runtime->memory);
    const struct oriel_builder below = with_all_bits(builder);
    const bool has_states = plan->kind == ORIEL_PLAN_AGGREGATE && plan->aggregate.states;
    enum oriel_status status =
        oriel_inputs_build(&below, has_states ? plan->aggregate.states : plan->inputs[0], sink,
                           builder->runtime, &arena, &inputs, error);
    struct oriel_source *rows = NULL;
    if (status == ORIEL_OK)
        status = oriel_fed_source_open(builder->runtime, inputs, sink, plan->schema, &rows, error);
    else
        sink->operations->close(sink);
    oriel_arena_deinit(&arena);
    if (status == ORIEL_OK)
        status = oriel_window_count_open(plan, builder->runtime, rows, out, error);
    return status;
}

static enum oriel_status build_join(const struct oriel_builder *builder,
                                    const struct oriel_plan *plan, struct oriel_source **out,
                                    struct oriel_error *error) {
    struct oriel_source *inputs[2];
    const struct oriel_builder left =
        oriel_builder_below(builder, oriel_bits_of(ORIEL_JOIN_EXPANSION_MAX - 1));
    const struct oriel_builder right = with_all_bits(builder);
    ORIEL_TRY(build(&left, plan->inputs[0], &inputs[0], error));
    const enum oriel_status status = build(&right, plan->inputs[1], &inputs[1], error);
    if (status != ORIEL_OK) {
        close_all(inputs, 1);
        return status;
    }
    return oriel_join_source_open(plan, builder->runtime, inputs, out, error);
}

static enum oriel_status build_scan(const struct oriel_builder *builder,
                                    const struct oriel_plan *plan, struct oriel_source **out,
                                    struct oriel_error *error) {
    struct oriel_source *scan;
    ORIEL_TRY(builder->open_scan(builder->open_scan_context, plan, builder->runtime, &scan, error));
    if (plan->scan.watches)
        return oriel_late_source_open(plan, builder->runtime, scan, out, error);
    *out = scan;
    return ORIEL_OK;
}

static enum oriel_status build_node(const struct oriel_builder *builder,
                                    const struct oriel_plan *plan, struct oriel_source **out,
                                    struct oriel_error *error) {
    switch (plan->kind) {
    case ORIEL_PLAN_SCAN: return build_scan(builder, plan, out, error);
    case ORIEL_PLAN_VALUES: return oriel_values_source_open(plan, builder->runtime, out, error);
    case ORIEL_PLAN_LIMIT: {
        struct oriel_source *input;
        ORIEL_TRY(build(builder, plan->inputs[0], &input, error));
        return oriel_limit_source_open(builder->runtime, input, plan->limit.offset,
                                       plan->limit.limit, out, error);
    }
    case ORIEL_PLAN_UNION: return build_union(builder, plan, out, error);
    case ORIEL_PLAN_JOIN: return build_join(builder, plan, out, error);
    default: return build_breaker(builder, plan, out, error);
    }
}

/* With a profile each operator has a runtime of its own, and a source around its source. */
static enum oriel_status build(const struct oriel_builder *builder, const struct oriel_plan *plan,
                               struct oriel_source **out, struct oriel_error *error) {
    if (oriel_plan_is_streaming(plan))
        return build_staged(builder, plan, out, error);
    if (!builder->runtime->profile)
        return build_node(builder, plan, out, error);
    struct oriel_builder own = *builder;
    struct oriel_source *inner;
    ORIEL_TRY(oriel_operator_runtime(builder->runtime, plan, &own.runtime, error));
    ORIEL_TRY(build_node(&own, plan, &inner, error));
    const bool passes_claims = plan->kind == ORIEL_PLAN_LIMIT || plan->kind == ORIEL_PLAN_UNION;
    return oriel_profiled_source_open(own.runtime, inner, !passes_claims, out, error);
}

enum oriel_status oriel_source_build(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan, struct oriel_source **out,
                                     struct oriel_error *error) {
    return build(builder, plan, out, error);
}
