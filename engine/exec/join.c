/*
 * Hash joins: both sides are partitioned by the hash of their keys, every partition is matched in
 * memory, and what comes out is sorted into the order of the result.
 */
#include "engine/exec/join.h"

#include "engine/exec/drive.h"
#include "engine/exec/join_pairs.h"
#include "engine/exec/partitions.h"
#include "engine/exec/positioned.h"
#include "engine/exec/row_key.h"

/* One input. */
struct side {
    struct oriel_sink sink;
    struct join *join;
    const uint32_t *keys;
    struct oriel_positioned positioned;
    struct oriel_partitions partitions;
    struct oriel_column **key_columns; /* of each worker */
    uint64_t **hashes;
};

struct join {
    const struct oriel_runtime *runtime;
    const struct oriel_plan *plan;
    struct oriel_arena arena;
    unsigned worker_count;
    unsigned open_sinks; /* the last one closed frees everything */
    struct side left, right;
    struct oriel_join_layout layout;
    struct oriel_join_room *rooms; /* of each worker */
    bool is_spilled;
};

static enum oriel_status push_side(struct oriel_sink *sink, unsigned worker,
                                   const struct oriel_batch *batch, struct oriel_error *error) {
    struct side *side = (struct side *)sink;
    const struct join *self = side->join;
    const struct oriel_batch rows = oriel_positioned_batch(&side->positioned, worker, batch);
    struct oriel_column *keys = side->key_columns[worker];
    for (uint32_t k = 0; k < self->layout.group_key_count; k++)
        keys[k] = rows.columns[side->keys[k]];
    oriel_row_key_hash(self->runtime->kernels, keys, self->layout.group_key_count, rows.row_count,
                       side->hashes[worker]);
    return oriel_partitions_add(&side->partitions, worker, &rows, side->hashes[worker], error);
}

/* Whether both sides of a partition, with what joining them needs, are too large for memory. */
static bool is_too_large(const struct join *self, uint32_t partition) {
    const struct oriel_memory *memory = self->runtime->memory;
    const uint64_t bytes = oriel_partitions_bytes(&self->left.partitions, partition) +
                           oriel_partitions_bytes(&self->right.partitions, partition);
    return memory->limit_bytes && self->is_spilled && !self->plan->join.null_aware &&
           bytes > oriel_memory_available(memory) / 4;
}

static enum oriel_status match_whole(struct join *self, struct oriel_join_part *part,
                                     uint32_t partition, struct oriel_error *error) {
    ORIEL_TRY(oriel_partitions_load(&self->left.partitions, partition, &part->left, error));
    ORIEL_TRY(oriel_partitions_load(&self->right.partitions, partition, &part->right, error));
    return part->left.row_count || part->right.row_count ? oriel_join_match(part, error) : ORIEL_OK;
}

static enum oriel_status work_on(void *context, unsigned worker, uint32_t partition,
                                 struct oriel_error *error) {
    struct join *self = context;
    struct oriel_join_part part = {.worker = worker, .room = &self->rooms[worker]};
    oriel_table_init(&part.left, self->runtime->memory, self->layout.left);
    oriel_table_init(&part.right, self->runtime->memory, self->layout.right);
    if (is_too_large(self, partition)) /* what has come out so far need not be in memory */
        ORIEL_TRY(oriel_sorter_relieve(self->layout.sorter, error));
    const enum oriel_status status =
        is_too_large(self, partition)
            ? oriel_join_match_pieces(&part, &self->left.partitions, &self->right.partitions,
                                      partition, error)
            : match_whole(self, &part, partition, error);
    oriel_table_deinit(&part.left);
    oriel_table_deinit(&part.right);
    return status;
}

static enum oriel_status finish_join(struct oriel_sink *sink, struct oriel_source **out,
                                     struct oriel_error *error) {
    struct join *self = ((struct side *)sink)->join;
    self->is_spilled = self->left.partitions.spill || self->right.partitions.spill;
    if (self->is_spilled) /* then all rows are in files, and memory is left for one partition */
        ORIEL_TRY(oriel_partitions_relieve(&self->left.partitions, error));
    ORIEL_TRY(oriel_partitions_each(&self->left.partitions, work_on, self, error));
    return oriel_sorter_finish(self->layout.sorter, out, error);
}

static void close_join(struct join *self) {
    for (unsigned w = 0; self->rooms && w < self->worker_count; w++)
        oriel_join_room_deinit(&self->rooms[w]);
    oriel_sorter_close(&self->layout.sorter);
    oriel_partitions_deinit(&self->left.partitions);
    oriel_partitions_deinit(&self->right.partitions);
    oriel_positioned_deinit(&self->left.positioned);
    oriel_positioned_deinit(&self->right.positioned);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static void close_side(struct oriel_sink *sink) {
    struct join *self = ((struct side *)sink)->join;
    if (--self->open_sinks == 0)
        close_join(self);
}

static const struct oriel_sink_operations side_operations = {push_side, finish_join, close_side,
                                                             NULL};

static enum oriel_status open_side(struct join *self, struct side *side, const uint32_t *keys,
                                   struct oriel_schema input, struct oriel_error *error) {
    struct oriel_arena *arena = &self->arena;
    side->sink.operations = &side_operations;
    side->join = self;
    side->keys = keys;
    ORIEL_TRY(oriel_positioned_init(&side->positioned, self->runtime, input, error));
    ORIEL_TRY(
        oriel_partitions_init(&side->partitions, self->runtime, side->positioned.schema, error));
    side->key_columns = oriel_arena_allocate_zeroed(arena, self->worker_count, sizeof(void *));
    side->hashes = oriel_arena_allocate_zeroed(arena, self->worker_count, sizeof(void *));
    if (!side->key_columns || !side->hashes)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < self->worker_count; w++) {
        side->key_columns[w] = oriel_arena_allocate_zeroed(arena, self->plan->join.key_count,
                                                           sizeof(struct oriel_column));
        side->hashes[w] =
            oriel_arena_allocate_zeroed(arena, self->runtime->batch_rows, sizeof(uint64_t));
        if (!side->key_columns[w] || !side->hashes[w])
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

/* The schemas of keys, pairs and sorted rows. */
static enum oriel_status lay_out(struct join *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    struct oriel_join_layout *layout = &self->layout;
    const struct oriel_schema left = plan->inputs[0]->schema, right = plan->inputs[1]->schema;
    const uint32_t key_count = plan->join.key_count;
    struct oriel_field *keys = oriel_arena_allocate_zeroed(&self->arena, key_count, sizeof *keys);
    struct oriel_field *pair;
    if (!keys)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_schema_extend(&self->arena, left, right.field_count, &pair, error));
    for (uint32_t i = 0; i < right.field_count; i++)
        pair[left.field_count + i] = right.fields[i];
    for (uint32_t k = 0; k < key_count; k++)
        keys[k] = right.fields[plan->join.right_keys[k]];
    ORIEL_TRY(oriel_plan_find_join_ranges(plan, &self->arena, &layout->ranges, error));
    layout->plan = plan;
    layout->runtime = self->runtime;
    layout->left_count = left.field_count;
    layout->right_count = right.field_count;
    layout->left = self->left.positioned.schema;
    layout->right = self->right.positioned.schema;
    layout->pair = (struct oriel_schema){left.field_count + right.field_count, pair};
    layout->key_schema = (struct oriel_schema){key_count, keys};
    layout->hidden_order =
        plan->join.kind == ORIEL_JOIN_RIGHT || plan->join.kind == ORIEL_JOIN_FULL;
    return ORIEL_OK;
}

static enum oriel_status open_sorter(struct join *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    struct oriel_join_layout *layout = &self->layout;
    const uint32_t order_count = plan->join.order_count;
    const uint32_t hidden_count = layout->hidden_order ? order_count : 0;
    const uint32_t visible = plan->schema.field_count;
    struct oriel_field *fields;
    ORIEL_TRY(oriel_schema_extend(&self->arena, plan->schema, hidden_count + 2, &fields, error));
    struct oriel_sort_item *items =
        oriel_arena_allocate_zeroed(&self->arena, (size_t)order_count + 2, sizeof *items);
    if (!items)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < order_count; k++) {
        const uint32_t column = plan->join.left_keys[plan->join.order[k]];
        items[k] = (struct oriel_sort_item){.column = layout->hidden_order ? visible + k : column,
                                            .nulls_first = true};
        if (!layout->hidden_order)
            continue;
        fields[visible + k] = plan->inputs[0]->schema.fields[column];
        fields[visible + k].type.nullable = true;
    }
    for (uint32_t i = 0; i < 2; i++) {
        fields[visible + hidden_count + i] =
            (struct oriel_field){"position", oriel_position_type()};
        items[order_count + i].column = visible + hidden_count + i;
    }
    layout->output = (struct oriel_schema){visible + hidden_count + 2, fields};
    return oriel_sorter_open(self->runtime, layout->output, visible, items, order_count + 2,
                             INT64_MAX, &layout->sorter, error);
}

static enum oriel_status open_parts(struct join *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->plan;
    self->layout.group_key_count = plan->join.key_count - (plan->join.null_aware ? 1 : 0);
    ORIEL_TRY(open_side(self, &self->left, plan->join.left_keys, plan->inputs[0]->schema, error));
    ORIEL_TRY(open_side(self, &self->right, plan->join.right_keys, plan->inputs[1]->schema, error));
    self->left.partitions.peer = &self->right.partitions;
    self->right.partitions.peer = &self->left.partitions;
    ORIEL_TRY(lay_out(self, error));
    ORIEL_TRY(open_sorter(self, error));
    self->rooms =
        oriel_arena_allocate_zeroed(&self->arena, self->worker_count, sizeof *self->rooms);
    if (!self->rooms)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < self->worker_count; w++)
        ORIEL_TRY(oriel_join_room_init(&self->rooms[w], &self->layout, error));
    return ORIEL_OK;
}

enum oriel_status oriel_join_open(const struct oriel_plan *plan,
                                  const struct oriel_runtime *runtime, struct oriel_sink *sinks[2],
                                  struct oriel_error *error) {
    struct join *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->runtime = runtime;
    self->plan = plan;
    self->worker_count = oriel_worker_count(runtime);
    self->open_sinks = 2;
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, error);
    if (status != ORIEL_OK) {
        close_join(self);
        return status;
    }
    sinks[0] = &self->left.sink;
    sinks[1] = &self->right.sink;
    return ORIEL_OK;
}

enum oriel_status oriel_join_relieve(struct oriel_sink *sink, struct oriel_error *error) {
    const struct oriel_memory *memory = ((struct side *)sink)->join->runtime->memory;
    return memory->limit_bytes && oriel_memory_available(memory) < memory->limit_bytes / 2
               ? oriel_partitions_relieve(&((struct side *)sink)->partitions, error)
               : ORIEL_OK;
}
