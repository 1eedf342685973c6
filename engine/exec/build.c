/*
 * Turns a plan into sources: streaming nodes become stages of one staged source, breakers sources
 * over sinks.
 */
#include "engine/exec/join.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"
#include "engine/exec/sinks.h"
#include "engine/exec/table_source.h"

enum { POSITION_BITS_MAX = 62 };

struct builder {
    const struct oriel_runtime *runtime;
    oriel_open_scan *open_scan;
    void *open_scan_context;
    unsigned position_bits; /* that positions of rows at this place of the plan may have */
};

static enum oriel_status build(const struct builder *builder, const struct oriel_plan *plan,
                               struct oriel_source **out, struct oriel_error *error);

static unsigned bits_of(uint64_t value) {
    unsigned bits = 0;
    for (; value; value >>= 1)
        bits++;
    return bits;
}

/* Bits that the streaming nodes down to `bottom` put behind a position. */
static unsigned bits_between(const struct oriel_plan *plan, const struct oriel_plan *bottom) {
    unsigned bits = 0;
    for (; plan != bottom; plan = plan->inputs[0]) {
        if (plan->kind == ORIEL_PLAN_WINDOW)
            bits += bits_of(oriel_window_expansion(&plan->window.window) - 1);
        else if (plan->kind == ORIEL_PLAN_UNNEST)
            bits += ORIEL_UNNEST_POSITION_BITS;
    }
    return bits;
}

/* The same place in the plan, with positions of so many bits less. */
static struct builder with_fewer_bits(const struct builder *builder, unsigned bits) {
    struct builder out = *builder;
    out.position_bits = bits < out.position_bits ? out.position_bits - bits : 1;
    return out;
}

/* Below a breaker positions are new. */
static struct builder with_all_bits(const struct builder *builder) {
    struct builder out = *builder;
    out.position_bits = POSITION_BITS_MAX;
    return out;
}

static bool is_streaming(const struct oriel_plan *plan) {
    return plan->kind == ORIEL_PLAN_FILTER || plan->kind == ORIEL_PLAN_PROJECT ||
           plan->kind == ORIEL_PLAN_UNNEST ||
           (plan->kind == ORIEL_PLAN_WINDOW && plan->window.window.kind != ORIEL_WINDOW_SESSION);
}

static enum oriel_status build_staged(const struct builder *builder, const struct oriel_plan *plan,
                                      struct oriel_source **out, struct oriel_error *error) {
    uint32_t node_count = 0;
    const struct oriel_plan *bottom = plan;
    const uint32_t count_max = builder->runtime->operation ? 1 : UINT32_MAX; /* each by itself */
    for (; is_streaming(bottom) && node_count < count_max; bottom = bottom->inputs[0])
        node_count++;
    struct oriel_source *input;
    const struct builder below = with_fewer_bits(builder, bits_between(plan, bottom));
    ORIEL_TRY(build(&below, bottom, &input, error));
    struct oriel_memory *memory = builder->runtime->memory;
    const struct oriel_plan **nodes = oriel_memory_allocate(memory, node_count * sizeof *nodes);
    if (!nodes) {
        input->operations->close(input);
        return oriel_error_memory(error);
    }
    uint32_t at = node_count;
    for (const struct oriel_plan *node = plan; node != bottom; node = node->inputs[0])
        nodes[--at] = node;
    const enum oriel_status status =
        oriel_staged_source_open(builder->runtime, input, nodes, node_count, out, error);
    oriel_memory_release(memory, nodes, node_count * sizeof *nodes);
    return status;
}

static void close_all(struct oriel_source **sources, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        sources[i]->operations->close(sources[i]);
}

static enum oriel_status build_union(const struct builder *builder, const struct oriel_plan *plan,
                                     struct oriel_source **out, struct oriel_error *error) {
    struct oriel_memory *memory = builder->runtime->memory;
    const size_t size = plan->input_count * sizeof(struct oriel_source *);
    struct oriel_source **inputs = oriel_memory_allocate(memory, size);
    if (!inputs)
        return oriel_error_memory(error);
    const struct builder below = with_fewer_bits(builder, bits_of(plan->input_count - 1));
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

static enum oriel_status open_sink(const struct builder *builder, const struct oriel_plan *plan,
                                   struct oriel_sink **out, struct oriel_error *error) {
    switch (plan->kind) {
    case ORIEL_PLAN_AGGREGATE: return oriel_aggregate_open(plan, builder->runtime, out, error);
    case ORIEL_PLAN_RANK: return oriel_rank_open(plan, builder->runtime, out, error);
    case ORIEL_PLAN_OVER: return oriel_over_open(plan, builder->runtime, out, error);
    case ORIEL_PLAN_SORT: return oriel_sort_open(plan, builder->runtime, out, error);
    default: return oriel_session_rows_open(plan, builder->runtime, out, error);
    }
}

static enum oriel_status build_breaker(const struct builder *builder, const struct oriel_plan *plan,
                                       struct oriel_source **out, struct oriel_error *error) {
    struct oriel_source *input;
    struct oriel_sink *sink;
    const struct builder below = with_all_bits(builder);
    const bool has_states = plan->kind == ORIEL_PLAN_AGGREGATE && plan->aggregate.states;
    ORIEL_TRY(build(&below, has_states ? plan->aggregate.states : plan->inputs[0], &input, error));
    const enum oriel_status status = open_sink(builder, plan, &sink, error);
    if (status != ORIEL_OK) {
        input->operations->close(input);
        return status;
    }
    return oriel_sink_source_open(builder->runtime, &input, &sink, 1, plan->schema, out, error);
}

static enum oriel_status build_join(const struct builder *builder, const struct oriel_plan *plan,
                                    struct oriel_source **out, struct oriel_error *error) {
    struct oriel_source *inputs[2];
    const struct builder left = with_fewer_bits(builder, bits_of(ORIEL_JOIN_EXPANSION_MAX - 1));
    const struct builder right = with_all_bits(builder);
    ORIEL_TRY(build(&left, plan->inputs[0], &inputs[0], error));
    const enum oriel_status status = build(&right, plan->inputs[1], &inputs[1], error);
    if (status != ORIEL_OK) {
        close_all(inputs, 1);
        return status;
    }
    return oriel_join_source_open(plan, builder->runtime, inputs, out, error);
}

static enum oriel_status build_scan(const struct builder *builder, const struct oriel_plan *plan,
                                    struct oriel_source **out, struct oriel_error *error) {
    struct oriel_source *scan;
    ORIEL_TRY(
        builder->open_scan(builder->open_scan_context, plan, builder->runtime, &scan, error));
    if (plan->scan.watches)
        return oriel_late_source_open(plan, builder->runtime, scan, out, error);
    *out = scan;
    return ORIEL_OK;
}

static enum oriel_status build_node(const struct builder *builder, const struct oriel_plan *plan,
                                    struct oriel_source **out, struct oriel_error *error) {
    if (is_streaming(plan))
        return build_staged(builder, plan, out, error);
    switch (plan->kind) {
    case ORIEL_PLAN_SCAN:
        return build_scan(builder, plan, out, error);
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
static enum oriel_status build(const struct builder *builder, const struct oriel_plan *plan,
                               struct oriel_source **out, struct oriel_error *error) {
    if (!builder->runtime->profile)
        return build_node(builder, plan, out, error);
    struct builder own = *builder;
    struct oriel_source *inner;
    ORIEL_TRY(oriel_profile_add(builder->runtime, plan, false, &own.runtime, error));
    ORIEL_TRY(build_node(&own, plan, &inner, error));
    const bool passes_claims =
        is_streaming(plan) || plan->kind == ORIEL_PLAN_LIMIT || plan->kind == ORIEL_PLAN_UNION;
    return oriel_profiled_source_open(own.runtime, inner, !passes_claims, out, error);
}

enum oriel_status oriel_source_build(const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime,
                                     oriel_open_scan *open_scan, void *open_scan_context,
                                     struct oriel_source **out, struct oriel_error *error) {
    const struct builder builder = {runtime, open_scan, open_scan_context, POSITION_BITS_MAX};
    return build(&builder, plan, out, error);
}
