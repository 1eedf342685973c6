/*
 * Reads partitions of spilled groups back, one a worker at a time, finishes each, and leaves the
 * order of all rows to a sort.
 */
#include <stdatomic.h>
#include <string.h>

#include "engine/exec/aggregate_source.h"
#include "engine/exec/aggregate_spill.h"
#include "engine/exec/drive.h"
#include "engine/exec/row_key.h"
#include "engine/exec/sinks.h"
#include "kernels/kernels.h"

enum { POSITION_SHIFT = 40, PASS_BITS_MAX = 4 };

struct unspill {
    struct aggregate_spill *spill;
    struct oriel_sink *sort;
    atomic_uint next_partition;
};

/* Reads the states of one group and adds them to `into`. */
static enum oriel_status add_read_states(struct aggregate_store *store,
                                         struct oriel_spill_reader *reader, char *scratch,
                                         char *into, struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    if (layout->plain_states) {
        ORIEL_TRY(oriel_spill_read(reader, scratch, layout->stride_bytes, error));
        return aggregate_merge_states(layout, &store->arena, false, false, into, scratch, error);
    }
    struct oriel_aggregation aggregation = {layout->runtime, &store->arena, error};
    struct oriel_memory *memory = layout->runtime->memory;
    for (uint32_t a = 0; a < layout->plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &layout->plan->aggregate.aggregates[a];
        uint64_t size;
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            continue;
        ORIEL_TRY(oriel_spill_read(reader, &size, sizeof size, error));
        char *bytes = oriel_memory_allocate(memory, size);
        if (!bytes)
            return oriel_error_memory(error);
        memset(scratch, 0, call->state_bytes);
        enum oriel_status status = oriel_spill_read(reader, bytes, size, error);
        if (status == ORIEL_OK && call->operations->load)
            status = call->operations->load(call, &aggregation, scratch, bytes, size);
        else if (status == ORIEL_OK)
            memcpy(scratch, bytes, size);
        if (status == ORIEL_OK)
            status =
                call->operations->merge(call, &aggregation, into + layout->offsets[a], scratch);
        oriel_memory_release(memory, bytes, size);
        ORIEL_TRY(status);
    }
    return ORIEL_OK;
}

static enum oriel_status group_of(struct aggregate_store *store, uint32_t key,
                                  const int64_t times[2], uint32_t *group,
                                  struct oriel_error *error) {
    if (aggregate_is_session(store->layout))
        return aggregate_store_add_session(store, key, times[0], times[1], group, error);
    store->key_ids[0] = key;
    store->slice_starts[0] = times[0];
    ORIEL_TRY(aggregate_store_find_slices(store, NULL, NULL, 1, error));
    *group = store->groups[0];
    return ORIEL_OK;
}

/* Passes over what is left of a partition: which of its keys are wanted now. */
struct unspill_pass {
    unsigned bits; /* of the hash, behind those of the partition, that number the passes */
    uint64_t number;
    struct oriel_table rows;   /* of a block */
    struct oriel_table chosen; /* those of them that this pass takes */
};

/* The keys of a block as ids, ORIEL_KEY_NONE where another pass takes them. */
static enum oriel_status read_keys(struct aggregate_store *store, struct oriel_spill_reader *reader,
                                   struct unspill_pass *pass, struct oriel_arena *arena,
                                   uint32_t *ids, uint32_t count, struct oriel_error *error) {
    memset(ids, 0, count * sizeof *ids);
    if (!store->keys_open)
        return ORIEL_OK;
    const uint32_t columns = store->layout->key_schema.field_count;
    oriel_table_clear(&pass->rows);
    ORIEL_TRY(oriel_spill_read_rows(reader, &pass->rows, error));
    if (pass->bits == 0)
        return oriel_key_table_map(&store->keys, pass->rows.columns, count, ids, error);
    uint64_t *hashes = oriel_arena_allocate(arena, count * sizeof *hashes);
    uint32_t *taken = oriel_arena_allocate(arena, count * sizeof *taken);
    uint32_t *taken_ids = oriel_arena_allocate(arena, count * sizeof *taken_ids);
    if (!hashes || !taken || !taken_ids)
        return oriel_error_memory(error);
    oriel_row_key_hash(store->layout->runtime->kernels, pass->rows.columns, columns, count, hashes);
    size_t taken_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = ORIEL_KEY_NONE;
        if (hashes[i] << AGGREGATE_PARTITION_BITS >> (64 - pass->bits) == pass->number)
            taken[taken_count++] = i;
    }
    const struct oriel_batch batch = {
        .row_count = count, .column_count = columns, .columns = pass->rows.columns};
    oriel_table_clear(&pass->chosen);
    ORIEL_TRY(oriel_table_append(&pass->chosen, &batch, taken, 0, taken_count, error));
    if (taken_count)
        ORIEL_TRY(
            oriel_key_table_map(&store->keys, pass->chosen.columns, taken_count, taken_ids, error));
    for (size_t i = 0; i < taken_count; i++)
        ids[taken[i]] = taken_ids[i];
    return ORIEL_OK;
}

/* Passes over the states of one group. */
static enum oriel_status skip_states(const struct aggregate_layout *layout,
                                     struct oriel_spill_reader *reader, char *scratch,
                                     struct oriel_error *error) {
    if (layout->plain_states)
        return oriel_spill_read(reader, scratch, layout->stride_bytes, error);
    for (uint32_t a = 0; a < layout->plan->aggregate.aggregate_count; a++) {
        uint64_t left;
        if (layout->bounds[a] != AGGREGATE_NO_BOUND)
            continue;
        ORIEL_TRY(oriel_spill_read(reader, &left, sizeof left, error));
        while (left) {
            const size_t now = left < layout->stride_bytes ? (size_t)left : layout->stride_bytes;
            ORIEL_TRY(oriel_spill_read(reader, scratch, now, error));
            left -= now;
        }
    }
    return ORIEL_OK;
}

static enum oriel_status read_group(struct aggregate_store *store,
                                    struct oriel_spill_reader *states, uint32_t key, char *scratch,
                                    struct oriel_error *error) {
    int64_t times[2];
    uint32_t group = 0;
    ORIEL_TRY(oriel_spill_read(states, times, sizeof times, error));
    if (key == ORIEL_KEY_NONE)
        return skip_states(store->layout, states, scratch, error);
    ORIEL_TRY(group_of(store, key, times, &group, error));
    return add_read_states(store, states, scratch,
                           store->states + group * store->layout->stride_bytes, error);
}

static enum oriel_status read_blocks(struct aggregate_store *store, struct oriel_spill_reader *keys,
                                     struct oriel_spill_reader *states, struct unspill_pass *pass,
                                     struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    while (states->left_bytes) {
        uint32_t count;
        struct oriel_arena arena;
        oriel_arena_init(&arena, layout->runtime->memory);
        ORIEL_TRY(oriel_spill_read(states, &count, sizeof count, error));
        uint32_t *ids = oriel_arena_allocate(&arena, count * sizeof *ids);
        char *scratch = oriel_arena_allocate(&arena, layout->stride_bytes);
        enum oriel_status status = ids && scratch
                                       ? read_keys(store, keys, pass, &arena, ids, count, error)
                                       : oriel_error_memory(error);
        for (uint32_t i = 0; i < count && status == ORIEL_OK; i++)
            status = read_group(store, states, ids[i], scratch, error);
        oriel_arena_deinit(&arena);
        ORIEL_TRY(status);
        ORIEL_TRY(oriel_runtime_check(layout->runtime, error));
    }
    return ORIEL_OK;
}

static enum oriel_status read_partition(struct aggregate_spill *spill, unsigned partition,
                                        struct aggregate_store *store, struct unspill_pass *pass,
                                        struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    oriel_table_init(&pass->rows, spill->layout->runtime->memory, spill->layout->key_schema);
    oriel_table_init(&pass->chosen, spill->layout->runtime->memory, spill->layout->key_schema);
    for (unsigned w = 0; w < spill->worker_count && status == ORIEL_OK; w++) {
        const struct aggregate_partition *from =
            &spill->partitions[w * (size_t)AGGREGATE_PARTITIONS + partition];
        struct oriel_spill_reader keys, states;
        oriel_spill_reader_init(&keys, &from->keys);
        oriel_spill_reader_init(&states, &from->states);
        status = read_blocks(store, &keys, &states, pass, error);
        oriel_spill_reader_deinit(&keys);
        oriel_spill_reader_deinit(&states);
    }
    oriel_table_deinit(&pass->rows);
    oriel_table_deinit(&pass->chosen);
    return status;
}

/* So many passes, as a power of two, that what each reads fits beside that of other workers. */
static unsigned pass_bits(const struct aggregate_spill *spill, unsigned partition) {
    const struct aggregate_layout *layout = spill->layout;
    const size_t limit = layout->runtime->memory->limit_bytes;
    uint64_t bytes = 0; /* of tables and arrays, which double as they grow */
    unsigned bits = 0;
    for (unsigned w = 0; w < spill->worker_count; w++) {
        const struct aggregate_partition *from =
            &spill->partitions[w * (size_t)AGGREGATE_PARTITIONS + partition];
        bytes += 4 * from->states.size_bytes + 3 * from->keys.size_bytes;
    }
    while (limit && aggregate_has_keys(layout) && bits < PASS_BITS_MAX &&
           bytes >> bits > limit / (2 * spill->worker_count))
        bits++;
    return bits;
}

struct sort_push {
    struct oriel_sink *sort;
    unsigned worker;
    uint64_t position; /* of the partition's next row among all rows of the sort's input */
};

static enum oriel_status push_to_sort(void *context, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct sort_push *push = context;
    struct oriel_batch placed = *batch;
    placed.first_row = push->position;
    push->position += batch->row_count;
    return push->sort->operations->push(push->sort, push->worker, &placed, error);
}

static enum oriel_status put_out(struct aggregate_merged *merged, struct sort_push *push,
                                 struct oriel_error *error) {
    struct oriel_source *source = NULL;
    ORIEL_TRY(aggregate_source_open(merged, &source, error));
    enum oriel_status status = source->operations->start(source, 1, error);
    while (status == ORIEL_OK) {
        struct oriel_morsel morsel;
        status = source->operations->claim(source, &morsel, error);
        if (status == ORIEL_OK)
            status = source->operations->read(source, 0, &morsel, push_to_sort, push, error);
    }
    source->operations->close(source);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

static enum oriel_status finish_pass(struct unspill *unspill, unsigned partition,
                                     struct unspill_pass *pass, struct sort_push *push,
                                     struct oriel_error *error) {
    struct aggregate_spill *spill = unspill->spill;
    struct aggregate_store store;
    struct aggregate_merged merged = {0};
    enum oriel_status status = aggregate_store_open(&store, spill->layout, error);
    store.one_by_one = true;
    store.keyed = false;
    if (status == ORIEL_OK)
        status = read_partition(spill, partition, &store, pass, error);
    if (status == ORIEL_OK)
        status = aggregate_store_finish(&store, error);
    if (status == ORIEL_OK && store.total_count) {
        status = aggregate_merge(spill->layout, &store, 1, &merged, error);
        if (status == ORIEL_OK)
            status = put_out(&merged, push, error);
        aggregate_merged_deinit(&merged);
    }
    aggregate_store_close(&store);
    return status;
}

static enum oriel_status finish_partition(struct unspill *unspill, unsigned worker,
                                          unsigned partition, struct oriel_error *error) {
    struct sort_push push = {unspill->sort, worker, (uint64_t)partition << POSITION_SHIFT};
    struct unspill_pass pass = {.bits = pass_bits(unspill->spill, partition)};
    for (; pass.number < UINT64_C(1) << pass.bits; pass.number++)
        ORIEL_TRY(finish_pass(unspill, partition, &pass, &push, error));
    return ORIEL_OK;
}

static enum oriel_status work(void *context, unsigned worker, struct oriel_error *error) {
    struct unspill *unspill = context;
    for (;;) {
        const unsigned partition = atomic_fetch_add(&unspill->next_partition, 1);
        if (partition >= AGGREGATE_PARTITIONS)
            return ORIEL_OK;
        const enum oriel_status status = finish_partition(unspill, worker, partition, error);
        if (status != ORIEL_OK) {
            atomic_store(&unspill->next_partition, AGGREGATE_PARTITIONS);
            return status;
        }
    }
}

/* The order of the result as a SORT over the node's own fields. */
static enum oriel_status sort_plan(const struct aggregate_layout *layout, struct oriel_arena *arena,
                                   struct oriel_plan **out, struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan;
    struct oriel_plan *sort = oriel_arena_allocate_zeroed(arena, 1, sizeof *sort);
    struct oriel_plan **inputs = oriel_arena_allocate_zeroed(arena, 1, sizeof(struct oriel_plan *));
    struct oriel_sort_item *items =
        oriel_arena_allocate_zeroed(arena, plan->aggregate.order_count + 1u, sizeof *items);
    if (!sort || !inputs || !items)
        return oriel_error_memory(error);
    sort->kind = ORIEL_PLAN_SORT;
    sort->schema = plan->schema;
    sort->input_count = 1;
    sort->inputs = inputs;
    memcpy(inputs, &plan, sizeof plan);
    for (uint32_t i = 0; i < plan->aggregate.order_count; i++)
        items[sort->sort.item_count++] =
            (struct oriel_sort_item){.column = plan->aggregate.order[i], .nulls_first = true};
    if (plan->aggregate.grouping_id)
        items[sort->sort.item_count++] =
            (struct oriel_sort_item){.column = plan->schema.field_count - 1, .nulls_first = true};
    sort->sort.items = items;
    sort->sort.limit = INT64_MAX;
    *out = sort;
    return ORIEL_OK;
}

enum oriel_status aggregate_spill_finish(struct aggregate_spill *spill, struct oriel_source **out,
                                         struct oriel_sink **sort, struct oriel_error *error) {
    const struct oriel_runtime *runtime = spill->layout->runtime;
    struct oriel_plan *plan = NULL;
    ORIEL_TRY(sort_plan(spill->layout, &spill->arena, &plan, error));
    ORIEL_TRY(oriel_sort_open(plan, runtime, sort, error));
    struct unspill unspill = {.spill = spill, .sort = *sort};
    ORIEL_TRY(oriel_run_workers(runtime, work, &unspill, error));
    return (*sort)->operations->finish(*sort, out, error);
}
