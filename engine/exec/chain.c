/*
 * Opens the stages of a chain and links them. A link of a profiled chain stands between two stages
 * and switches the worker's clock.
 */
#include "engine/exec/chain.h"

#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"

/* What comes out of a step, on its way to the next or to the end. */
struct link {
    struct oriel_lane *lane;
    uint32_t step;
};

struct oriel_lane {
    const struct oriel_chain *chain;
    unsigned worker;
    struct oriel_stage **stages; /* NULL where not opened */
    struct link *links;
    bool has_passed; /* rows came to the end since the last push began */
    oriel_push *push;
    void *context;
    struct oriel_operator_profile *sender; /* whose clock ran when the batch came */
};

/* ---- UNION: rows get their place among those of all inputs ---- */

struct move_stage {
    struct oriel_stage stage;
    struct oriel_memory *memory;
    uint64_t offset, bound;
};

static enum oriel_status push_move(struct oriel_stage *stage, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    const struct move_stage *self = (const struct move_stage *)stage;
    struct oriel_batch moved;
    ORIEL_TRY(oriel_union_move(batch, self->offset, self->bound, &moved, error));
    return stage->next(stage->next_context, &moved, error);
}

static void close_move(struct oriel_stage *stage) {
    struct move_stage *self = (struct move_stage *)stage;
    oriel_memory_release(self->memory, self, sizeof *self);
}

static enum oriel_status open_move(const struct oriel_step *step, struct oriel_stage **out,
                                   struct oriel_error *error) {
    static const struct oriel_stage_operations operations = {push_move, close_move};
    struct move_stage *self = oriel_memory_allocate_zeroed(step->runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->stage.operations = &operations;
    self->memory = step->runtime->memory;
    self->offset = step->offset;
    self->bound = step->bound;
    *out = &self->stage;
    return ORIEL_OK;
}

/* ---- stages ---- */

static enum oriel_status push_stage(void *context, const struct oriel_batch *batch,
                                    struct oriel_error *error) {
    struct oriel_stage *stage = context;
    return stage->operations->push(stage, batch, error);
}

static enum oriel_status push_end(void *context, const struct oriel_batch *batch,
                                  struct oriel_error *error) {
    struct oriel_lane *lane = context;
    lane->has_passed = true;
    return lane->push(lane->context, batch, error);
}

static enum oriel_status push_link(void *context, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    const struct link *link = context;
    struct oriel_lane *lane = link->lane;
    const struct oriel_step *steps = lane->chain->steps;
    struct oriel_operator_profile *from = steps[link->step].runtime->operation;
    struct oriel_profile *profile = lane->chain->runtime->profile;
    const bool is_last = link->step + 1 == lane->chain->step_count;
    oriel_profile_count(from, batch->row_count);
    oriel_profile_switch(profile, lane->worker,
                         is_last ? lane->sender : steps[link->step + 1].runtime->operation);
    const enum oriel_status status = is_last
                                         ? push_end(lane, batch, error)
                                         : push_stage(lane->stages[link->step + 1], batch, error);
    oriel_profile_switch(profile, lane->worker, from);
    return status;
}

static enum oriel_status open_stage(const struct oriel_step *step, struct oriel_stage **out,
                                    struct oriel_error *error) {
    switch (step->node->kind) {
    case ORIEL_PLAN_FILTER: return oriel_filter_open(step->node, step->runtime, out, error);
    case ORIEL_PLAN_PROJECT: return oriel_project_open(step->node, step->runtime, out, error);
    case ORIEL_PLAN_UNNEST: return oriel_unnest_open(step->node, step->runtime, out, error);
    case ORIEL_PLAN_UNION: return open_move(step, out, error);
    default: return oriel_window_stage_open(step->node, step->runtime, out, error);
    }
}

static enum oriel_status open_lane(struct oriel_chain *chain, struct oriel_lane *lane,
                                   struct oriel_error *error) {
    for (uint32_t i = 0; i < chain->step_count; i++) {
        ORIEL_TRY(open_stage(&chain->steps[i], &lane->stages[i], error));
        struct oriel_stage *before = i ? lane->stages[i - 1] : NULL;
        struct oriel_stage *stage = lane->stages[i];
        stage->next = push_end;
        stage->next_context = lane;
        if (before) {
            before->next = push_stage;
            before->next_context = stage;
        }
    }
    for (uint32_t i = 0; chain->runtime->profile && i < chain->step_count; i++) {
        lane->links[i] = (struct link){lane, i};
        lane->stages[i]->next = push_link;
        lane->stages[i]->next_context = &lane->links[i];
    }
    return ORIEL_OK;
}

enum oriel_status oriel_chain_init(struct oriel_chain *chain, const struct oriel_runtime *runtime,
                                   const struct oriel_step *steps, uint32_t step_count,
                                   struct oriel_error *error) {
    *chain = (struct oriel_chain){.runtime = runtime, .step_count = step_count};
    oriel_arena_init(&chain->arena, runtime->memory);
    chain->steps = oriel_arena_allocate_zeroed(&chain->arena, step_count, sizeof *chain->steps);
    if (!chain->steps) {
        oriel_arena_deinit(&chain->arena);
        return oriel_error_memory(error);
    }
    for (uint32_t i = 0; i < step_count; i++)
        chain->steps[i] = steps[i];
    return ORIEL_OK;
}

enum oriel_status oriel_chain_start(struct oriel_chain *chain, unsigned worker_count,
                                    struct oriel_error *error) {
    struct oriel_arena *arena = &chain->arena;
    chain->lanes = oriel_arena_allocate_zeroed(arena, worker_count, sizeof *chain->lanes);
    if (!chain->lanes)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < worker_count; w++) {
        struct oriel_lane *lane = &chain->lanes[w];
        lane->chain = chain;
        lane->worker = w;
        lane->stages = oriel_arena_allocate_zeroed(arena, chain->step_count, sizeof(void *));
        lane->links = oriel_arena_allocate_zeroed(arena, chain->step_count, sizeof *lane->links);
        if (!lane->stages || !lane->links)
            return oriel_error_memory(error);
        chain->lane_count = w + 1;
        ORIEL_TRY(open_lane(chain, lane, error));
    }
    return ORIEL_OK;
}

void oriel_chain_deinit(struct oriel_chain *chain) {
    for (unsigned w = 0; w < chain->lane_count; w++)
        for (uint32_t i = 0; i < chain->step_count; i++) {
            struct oriel_stage *stage = chain->lanes[w].stages[i];
            if (stage)
                stage->operations->close(stage);
        }
    chain->lane_count = 0;
    oriel_arena_deinit(&chain->arena);
}

static enum oriel_status push_lane(void *context, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    struct oriel_lane *lane = context;
    struct oriel_profile *profile = lane->chain->runtime->profile;
    if (lane->chain->step_count == 0)
        return push_end(lane, batch, error);
    if (!profile)
        return push_stage(lane->stages[0], batch, error);
    lane->sender =
        oriel_profile_switch(profile, lane->worker, lane->chain->steps[0].runtime->operation);
    const enum oriel_status status = push_stage(lane->stages[0], batch, error);
    oriel_profile_switch(profile, lane->worker, lane->sender);
    return status;
}

enum oriel_status oriel_chain_push(struct oriel_chain *chain, unsigned worker,
                                   const struct oriel_batch *batch, oriel_push *push, void *context,
                                   struct oriel_error *error) {
    struct oriel_lane *lane = &chain->lanes[worker];
    lane->push = push;
    lane->context = context;
    lane->has_passed = false;
    const enum oriel_status status = push_lane(lane, batch, error);
    if (status == ORIEL_OK || status == ORIEL_DONE)
        return status;
    return oriel_push_rows(chain->runtime, batch, status, lane->has_passed, push_lane, lane, error);
}
