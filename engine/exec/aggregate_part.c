/*
 * The states of groups out as rows, and back.
 */
#include "engine/exec/aggregate_part.h"

#include <stdlib.h>
#include <string.h>

#include "engine/exec/aggregate_output.h"
#include "engine/exec/table_source.h"

enum { SUM_BYTES = 4, BLOCK_ROWS = 256 };

/* FNV-1a: against states of other queries and damaged ones, not against forged ones. */
static uint32_t check_sum(const char *bytes, size_t count) {
    uint32_t sum = UINT32_C(2166136261);
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return sum;
}

/* ---- in ---- */

static enum oriel_status damaged(const struct oriel_aggregate_call *call,
                                 struct oriel_error *error) {
    return oriel_error_set(error, ORIEL_DATA,
                           "a state of %s is damaged, or is not of this query and version",
                           call->function->name);
}

/* Reads one state and adds it to `into`; `scratch` has room for it. */
static enum oriel_status add_state(struct aggregate_store *store,
                                   const struct oriel_aggregate_call *call,
                                   const struct oriel_string *saved, char *scratch, char *into,
                                   struct oriel_error *error) {
    struct oriel_aggregation aggregation = {store->layout->runtime, &store->arena, error};
    const char *bytes = oriel_string_bytes(saved);
    uint32_t sum;
    if (saved->length < SUM_BYTES)
        return damaged(call, error);
    const size_t size = saved->length - SUM_BYTES;
    memcpy(&sum, bytes + size, SUM_BYTES);
    if (sum != check_sum(bytes, size) || (!call->operations->load && size != call->state_bytes))
        return damaged(call, error);
    memset(scratch, 0, call->state_bytes);
    if (call->operations->load)
        ORIEL_TRY(call->operations->load(call, &aggregation, scratch, bytes, size));
    else
        memcpy(scratch, bytes, size);
    return call->operations->merge(call, &aggregation, into, scratch);
}

static enum oriel_status find_group(struct aggregate_store *store, uint32_t key, int64_t time_ms,
                                    int64_t last_ms, uint32_t *group, struct oriel_error *error) {
    if (aggregate_is_session(store->layout))
        return aggregate_store_add_session(store, key, time_ms, last_ms, group, error);
    store->key_ids[0] = key;
    store->slice_starts[0] = time_ms;
    ORIEL_TRY(aggregate_store_find_slices(store, NULL, NULL, 1, error));
    *group = store->groups[0];
    return ORIEL_OK;
}

static enum oriel_status add_rows(struct aggregate_store *store, const struct oriel_batch *batch,
                                  const uint32_t *ids, char *scratch, struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    const struct oriel_column *times = &batch->columns[layout->key_schema.field_count];
    const struct oriel_column *states = times + 2;
    for (size_t row = 0; row < batch->row_count; row++) {
        uint32_t group = 0;
        if (oriel_column_is_null(&times[0], row) || oriel_column_is_null(&times[1], row))
            return oriel_error_set(error, ORIEL_DATA, "the time of a state is NULL");
        ORIEL_TRY(find_group(store, ids[row], ((const int64_t *)times[0].values)[row],
                             ((const int64_t *)times[1].values)[row], &group, error));
        char *into = store->states + group * layout->stride_bytes;
        for (uint32_t a = 0; a < layout->plan->aggregate.aggregate_count; a++) {
            const struct oriel_aggregate_call *call = &layout->plan->aggregate.aggregates[a];
            if (oriel_column_is_null(&states[a], row))
                return damaged(call, error);
            ORIEL_TRY(add_state(store, call, &oriel_column_strings(&states[a])[row], scratch,
                                into + layout->offsets[a], error));
        }
    }
    return ORIEL_OK;
}

enum oriel_status aggregate_part_add(struct aggregate_store *store, const struct oriel_batch *batch,
                                     struct oriel_error *error) {
    struct oriel_arena batch_arena;
    oriel_arena_init(&batch_arena, store->layout->runtime->memory);
    uint32_t *ids = oriel_arena_allocate_zeroed(&batch_arena, batch->row_count, sizeof *ids);
    char *scratch = oriel_arena_allocate(&batch_arena, store->layout->stride_bytes);
    enum oriel_status status = ids && scratch ? ORIEL_OK : oriel_error_memory(error);
    if (status == ORIEL_OK && store->keys_open)
        status = oriel_key_table_map(&store->keys, batch->columns, batch->row_count, ids, error);
    if (status == ORIEL_OK)
        status = add_rows(store, batch, ids, scratch, error);
    oriel_arena_deinit(&batch_arena);
    return status;
}

/* ---- out ---- */

/* A group on its way out: its states are number `at` of the list. */
struct part_entry {
    int64_t time_ms, last_ms;
    uint32_t rank;
    size_t at;
};

struct part_list {
    const struct aggregate_merged *merged;
    uint32_t store; /* that is being listed */
    size_t count, entry_room, state_room;
    struct part_entry *entries;
    char *states; /* copies, stride by stride; what they point to stays in the stores */
};

static int by_time(const void *a, const void *b) {
    const struct part_entry *x = a, *y = b;
    if (x->time_ms != y->time_ms)
        return x->time_ms < y->time_ms ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->last_ms != y->last_ms)
        return x->last_ms < y->last_ms ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* An array with room for one more of `item_bytes`, which doubles; NULL leaves it as it was. */
static void *grow(const struct part_list *list, void *items, size_t item_bytes, size_t *capacity) {
    if (list->count < *capacity)
        return items;
    const size_t after = *capacity ? 2 * *capacity : 256;
    void *grown = oriel_memory_resize(list->merged->layout->runtime->memory, items,
                                      *capacity * item_bytes, after * item_bytes);
    if (grown)
        *capacity = after;
    return grown;
}

static enum oriel_status list_group(void *context, uint32_t key, const int64_t times_ms[2],
                                    const char *states, struct oriel_error *error) {
    struct part_list *list = context;
    const size_t stride = list->merged->layout->stride_bytes;
    void *entries = grow(list, list->entries, sizeof *list->entries, &list->entry_room);
    list->entries = entries ? entries : list->entries;
    void *room = entries ? grow(list, list->states, stride, &list->state_room) : NULL;
    list->states = room ? room : list->states;
    if (!room)
        return oriel_error_memory(error);
    list->entries[list->count] = (struct part_entry){
        times_ms[0], times_ms[1], list->merged->rank_of_local[list->store][key], list->count};
    memcpy(list->states + list->count++ * stride, states, stride);
    return ORIEL_OK;
}

static enum oriel_status list_groups(struct part_list *list, struct oriel_error *error) {
    for (; list->store < list->merged->store_count; list->store++)
        ORIEL_TRY(
            aggregate_store_each(&list->merged->stores[list->store], list_group, list, error));
    if (list->count)
        qsort(list->entries, list->count, sizeof *list->entries, by_time);
    return ORIEL_OK;
}

/* The rows of a block, which are then copied to the table. */
struct part_block {
    const struct aggregate_merged *merged;
    struct oriel_arena arena; /* of states and saved bytes */
    struct oriel_column_buffers buffers;
    size_t count;
    struct oriel_table *table;
};

static enum oriel_status flush(struct part_block *block, struct oriel_error *error) {
    const struct oriel_batch batch = {.row_count = block->count,
                                      .column_count = block->buffers.column_count,
                                      .columns = block->buffers.columns};
    ORIEL_TRY(oriel_table_append(block->table, &batch, NULL, 0, block->count, error));
    for (uint32_t c = 0; c < block->buffers.column_count; c++)
        memset(block->buffers.columns[c].valid, 0xFF,
               oriel_bits_word_count(BLOCK_ROWS) * sizeof(uint64_t));
    block->count = 0;
    oriel_arena_reset(&block->arena);
    return oriel_runtime_check(block->merged->layout->runtime, error);
}

static void put_key(struct part_block *block, uint32_t rank) {
    const struct aggregate_merged *merged = block->merged;
    const uint32_t key = merged->key_of_rank[rank];
    for (uint32_t c = 0; merged->keys && c < merged->layout->key_schema.field_count; c++) {
        const struct oriel_column *from = &merged->keys->keys.columns[c];
        struct oriel_column *to = &block->buffers.columns[c];
        const size_t size = oriel_physical_size(oriel_type_physical(&from->type));
        if (oriel_column_is_null(from, key))
            oriel_column_set_null(to, block->count);
        else
            memcpy((char *)to->values + block->count * size,
                   (const char *)from->values + key * size, size);
    }
}

static enum oriel_status put_states(struct part_block *block, const char *states,
                                    struct oriel_error *error) {
    const struct aggregate_layout *layout = block->merged->layout;
    for (uint32_t a = 0; a < layout->plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &layout->plan->aggregate.aggregates[a];
        const char *state = states + layout->offsets[a];
        const size_t size = call->operations->saved_bytes
                                ? call->operations->saved_bytes(call, state)
                                : call->state_bytes;
        char *bytes = size > INT32_MAX - SUM_BYTES
                          ? NULL
                          : oriel_arena_allocate(&block->arena, size + SUM_BYTES);
        if (!bytes)
            return oriel_error_memory(error);
        if (call->operations->save)
            call->operations->save(call, state, bytes);
        else
            memcpy(bytes, state, size);
        const uint32_t sum = check_sum(bytes, size);
        memcpy(bytes + size, &sum, SUM_BYTES);
        struct oriel_column *to = &block->buffers.columns[layout->key_schema.field_count + 2 + a];
        ((struct oriel_string *)to->values)[block->count] =
            oriel_string_make(bytes, size + SUM_BYTES);
    }
    return ORIEL_OK;
}

/* Puts out the group of entries [0, count), which are of one key and time. */
static enum oriel_status put_group(struct part_block *block, const struct part_list *list,
                                   size_t begin, size_t count, struct oriel_error *error) {
    const struct part_entry *entries = list->entries + begin;
    const struct aggregate_layout *layout = block->merged->layout;
    struct oriel_column *times = &block->buffers.columns[layout->key_schema.field_count];
    char *states = oriel_arena_allocate_zeroed(&block->arena, 1, layout->stride_bytes);
    if (!states)
        return oriel_error_memory(error);
    for (size_t i = 0; i < count; i++)
        ORIEL_TRY(aggregate_merge_states(layout, &block->arena, false, i == 0, states,
                                         list->states + entries[i].at * layout->stride_bytes,
                                         error));
    put_key(block, entries[0].rank);
    ((int64_t *)times[0].values)[block->count] = entries[0].time_ms;
    ((int64_t *)times[1].values)[block->count] = entries[0].last_ms;
    ORIEL_TRY(put_states(block, states, error));
    block->count++;
    return block->count == BLOCK_ROWS ? flush(block, error) : ORIEL_OK;
}

static enum oriel_status put_groups(struct part_block *block, const struct part_list *list,
                                    struct oriel_error *error) {
    const bool is_session = aggregate_is_session(block->merged->layout);
    const struct part_entry *entries = list->entries;
    for (size_t begin = 0, end; begin < list->count; begin = end) {
        end = begin + 1;
        while (!is_session && end < list->count && entries[end].time_ms == entries[begin].time_ms &&
               entries[end].rank == entries[begin].rank)
            end++;
        ORIEL_TRY(put_group(block, list, begin, end - begin, error));
    }
    return block->count ? flush(block, error) : ORIEL_OK;
}

static enum oriel_status fill_table(const struct aggregate_merged *merged,
                                    struct oriel_table *table, struct oriel_error *error) {
    struct oriel_memory *memory = merged->layout->runtime->memory;
    struct part_block block = {.merged = merged, .table = table};
    struct part_list list = {.merged = merged};
    oriel_arena_init(&block.arena, memory);
    enum oriel_status status =
        oriel_column_buffers_init(&block.buffers, memory, &table->schema, BLOCK_ROWS, error);
    if (status == ORIEL_OK)
        status = list_groups(&list, error);
    if (status == ORIEL_OK)
        status = put_groups(&block, &list, error);
    oriel_column_buffers_deinit(&block.buffers);
    oriel_arena_deinit(&block.arena);
    oriel_memory_release(memory, list.entries, list.entry_room * sizeof *list.entries);
    oriel_memory_release(memory, list.states, list.state_room * merged->layout->stride_bytes);
    return status;
}

enum oriel_status aggregate_part_source(const struct aggregate_merged *merged,
                                        struct oriel_source **out, struct oriel_error *error) {
    const struct oriel_runtime *runtime = merged->layout->runtime;
    struct oriel_table *table = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *table);
    if (!table)
        return oriel_error_memory(error);
    oriel_table_init(table, runtime->memory, merged->layout->plan->schema);
    enum oriel_status status = fill_table(merged, table, error);
    if (status == ORIEL_OK)
        status = oriel_table_source_open(runtime, table, true, 0, out, error);
    if (status != ORIEL_OK) {
        oriel_table_deinit(table);
        oriel_memory_release(runtime->memory, table, sizeof *table);
    }
    return status;
}
