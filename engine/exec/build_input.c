/*
 * The way from what is read to a breaker or a result: streaming nodes become the steps of a chain,
 * behind a source of its own or as a taker of a pass. A UNION below a breaker that reads a shared
 * table is taken apart, each input keeping its place by its positions.
 */
#include "engine/exec/build.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"

unsigned oriel_bits_of(uint64_t value) {
    unsigned bits = 0;
    for (; value; value >>= 1)
        bits++;
    return bits;
}

struct oriel_builder oriel_builder_below(const struct oriel_builder *builder, unsigned bits) {
    struct oriel_builder out = *builder;
    out.position_bits = bits < out.position_bits ? out.position_bits - bits : 1;
    return out;
}

bool oriel_plan_is_streaming(const struct oriel_plan *plan) {
    return plan->kind == ORIEL_PLAN_FILTER || plan->kind == ORIEL_PLAN_PROJECT ||
           plan->kind == ORIEL_PLAN_UNNEST ||
           (plan->kind == ORIEL_PLAN_WINDOW && plan->window.window.kind != ORIEL_WINDOW_SESSION);
}

unsigned oriel_streaming_bits(const struct oriel_plan *plan) {
    if (plan->kind == ORIEL_PLAN_WINDOW)
        return oriel_bits_of(oriel_window_expansion(&plan->window.window) - 1);
    return plan->kind == ORIEL_PLAN_UNNEST ? ORIEL_UNNEST_POSITION_BITS : 0;
}

enum oriel_status oriel_operator_runtime(const struct oriel_runtime *runtime,
                                         const struct oriel_plan *node,
                                         const struct oriel_runtime **out,
                                         struct oriel_error *error) {
    *out = runtime;
    return runtime->profile ? oriel_profile_add(runtime, node, false, out, error) : ORIEL_OK;
}

/* A step with those that follow it. */
struct path {
    struct oriel_step step;
    const struct path *after;
};

/* What the inputs of a breaker have in common. */
struct gathering {
    const struct oriel_builder *builder;
    struct oriel_sink *sink;
    const struct oriel_runtime *taker_runtime;
    struct oriel_arena *arena;
    struct oriel_sink_input **last;
    struct oriel_pass *pass; /* of the feed that was added last */
    uint32_t number;
};

static enum oriel_status list_steps(const struct gathering *gathering, const struct path *path,
                                    struct oriel_step **steps, uint32_t *count,
                                    struct oriel_error *error) {
    *count = 0;
    for (const struct path *it = path; it; it = it->after)
        ++*count;
    *steps = oriel_arena_allocate_zeroed(gathering->arena, *count, sizeof **steps);
    if (!*steps)
        return oriel_error_memory(error);
    for (uint32_t i = 0; path; path = path->after)
        (*steps)[i++] = path->step;
    return ORIEL_OK;
}

static enum oriel_status add_feed(struct gathering *gathering, const struct oriel_plan *scan,
                                  const struct path *path, struct oriel_error *error) {
    struct oriel_step *steps;
    struct oriel_feed feed = {
        .scan = scan, .sink = gathering->sink, .taker_runtime = gathering->taker_runtime};
    ORIEL_TRY(list_steps(gathering, path, &steps, &feed.step_count, error));
    feed.steps = steps;
    ORIEL_TRY(oriel_operator_runtime(gathering->builder->runtime, scan, &feed.scan_runtime, error));
    ORIEL_TRY(oriel_passes_find(gathering->builder, scan->scan.shared, &gathering->pass, error));
    return oriel_pass_add(gathering->pass, &feed, &gathering->number, error);
}

static enum oriel_status add_source(const struct gathering *gathering,
                                    const struct oriel_builder *builder,
                                    const struct oriel_plan *leaf, const struct path *path,
                                    struct oriel_source **out, struct oriel_error *error) {
    struct oriel_step *steps;
    uint32_t count;
    ORIEL_TRY(list_steps(gathering, path, &steps, &count, error));
    ORIEL_TRY(oriel_source_build(builder, leaf, out, error));
    if (!count)
        return ORIEL_OK;
    struct oriel_source *input = *out;
    return oriel_staged_source_open(gathering->builder->runtime, input, steps, count, out, error);
}

static enum oriel_status add_input(struct gathering *gathering, const struct oriel_builder *builder,
                                   const struct oriel_plan *leaf, const struct path *path,
                                   struct oriel_error *error) {
    struct oriel_sink_input *input =
        oriel_arena_allocate_zeroed(gathering->arena, 1, sizeof *input);
    if (!input)
        return oriel_error_memory(error);
    if (leaf->kind == ORIEL_PLAN_SCAN && leaf->scan.shared) {
        ORIEL_TRY(add_feed(gathering, leaf, path, error));
        input->pass = gathering->pass;
    } else {
        ORIEL_TRY(add_source(gathering, builder, leaf, path, &input->source, error));
    }
    *gathering->last = input;
    gathering->last = &input->next;
    return ORIEL_OK;
}

static bool reads_shared(const struct oriel_plan *plan) {
    bool found = plan->kind == ORIEL_PLAN_SCAN && plan->scan.shared;
    if (oriel_plan_is_streaming(plan) || plan->kind == ORIEL_PLAN_UNION) {
        for (uint32_t i = 0; i < plan->input_count; i++)
            found |= reads_shared(plan->inputs[i]);
    }
    return found;
}

/* `builder` has the bits that positions of the rows of `plan` may have. */
static enum oriel_status gather(struct gathering *gathering, const struct oriel_builder *builder,
                                const struct oriel_plan *plan, const struct path *path,
                                struct oriel_error *error) {
    const bool is_union = plan->kind == ORIEL_PLAN_UNION && reads_shared(plan);
    if (!is_union && !oriel_plan_is_streaming(plan))
        return add_input(gathering, builder, plan, path, error);
    const struct oriel_builder below = oriel_builder_below(
        builder, is_union ? oriel_bits_of(plan->input_count - 1) : oriel_streaming_bits(plan));
    for (uint32_t i = 0; i < plan->input_count; i++) {
        struct path own = {
            {plan, (uint64_t)i << below.position_bits, UINT64_C(1) << below.position_bits, NULL},
            path};
        ORIEL_TRY(
            oriel_operator_runtime(gathering->builder->runtime, plan, &own.step.runtime, error));
        ORIEL_TRY(gather(gathering, &below, plan->inputs[i], &own, error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_inputs_build(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan, struct oriel_sink *sink,
                                     const struct oriel_runtime *sink_runtime,
                                     struct oriel_arena *arena, struct oriel_sink_input **out,
                                     struct oriel_error *error) {
    struct gathering gathering = {.builder = builder,
                                  .sink = sink,
                                  .taker_runtime = sink_runtime,
                                  .arena = arena,
                                  .last = out};
    *out = NULL;
    const enum oriel_status status = gather(&gathering, builder, plan, NULL, error);
    for (struct oriel_sink_input *it = *out; it && status != ORIEL_OK; it = it->next)
        if (it->source)
            it->source->operations->close(it->source);
    return status;
}

bool oriel_result_is_fed(const struct oriel_plan *plan) {
    while (oriel_plan_is_streaming(plan))
        plan = plan->inputs[0];
    return plan->kind == ORIEL_PLAN_SCAN && plan->scan.shared;
}

enum oriel_status oriel_result_build(const struct oriel_builder *builder,
                                     const struct oriel_plan *plan,
                                     const struct oriel_runtime *runtime, struct oriel_pass **out,
                                     uint32_t *number, struct oriel_error *error) {
    struct oriel_sink_input *input = NULL;
    struct oriel_arena arena;
    oriel_arena_init(&arena, runtime->memory);
    struct gathering gathering = {
        .builder = builder, .taker_runtime = runtime, .arena = &arena, .last = &input};
    const enum oriel_status status = gather(&gathering, builder, plan, NULL, error);
    oriel_arena_deinit(&arena);
    *out = gathering.pass;
    *number = gathering.number;
    return status;
}
