/*
 * Puts the workers' groups in one order: shared key ids, ranks, and a list of slices.
 */
#include "engine/exec/aggregate_merge.h"

#include <stdlib.h>
#include <string.h>

#include "engine/exec/key_rank.h"
#include "kernels/kernels.h"

static struct oriel_memory *memory_of(const struct aggregate_merged *merged) {
    return merged->layout->runtime->memory;
}

static uint32_t local_key_count(const struct aggregate_merged *merged, unsigned store) {
    return merged->keys ? merged->stores[store].keys.key_count : 1;
}

/* A zeroed table of one array a store. */
static enum oriel_status make_arrays(const struct aggregate_merged *merged, uint32_t ***arrays,
                                     struct oriel_error *error) {
    *arrays = oriel_memory_allocate_zeroed(memory_of(merged), merged->store_count, sizeof **arrays);
    return *arrays ? ORIEL_OK : oriel_error_memory(error);
}

static uint32_t *make_numbers(const struct aggregate_merged *merged, size_t count) {
    return oriel_memory_allocate(memory_of(merged), count * sizeof(uint32_t));
}

/* A multiple of 64, so that the validity words of a piece begin with a whole word. */
enum { SHARED_ROWS = 4096 };

/* Adds the keys of one more store to those of store 0; ids[i] is the shared id of its key i. */
static enum oriel_status share_keys(struct aggregate_merged *merged, unsigned store, uint32_t *ids,
                                    struct oriel_error *error) {
    const struct oriel_table *keys = &merged->stores[store].keys.keys;
    struct oriel_column *columns = merged->stores[store].key_columns;
    for (size_t first = 0; first < keys->row_count; first += SHARED_ROWS) {
        size_t count = keys->row_count - first;
        if (count > SHARED_ROWS)
            count = SHARED_ROWS;
        for (uint32_t c = 0; c < merged->layout->key_schema.field_count; c++) {
            const struct oriel_column *from = &keys->columns[c];
            const size_t size = oriel_physical_size(oriel_type_physical(&from->type));
            columns[c] = (struct oriel_column){
                .type = from->type,
                .values = (char *)from->values + first * size,
                .valid = from->valid ? from->valid + first / 64 : NULL,
            };
        }
        ORIEL_TRY(oriel_key_table_map(merged->keys, columns, count, ids + first, error));
    }
    return ORIEL_OK;
}

static enum oriel_status rank_keys(struct aggregate_merged *merged, struct oriel_error *error) {
    const struct aggregate_layout *layout = merged->layout;
    merged->key_of_rank = make_numbers(merged, merged->key_count);
    if (!merged->key_of_rank)
        return oriel_error_memory(error);
    if (!merged->keys || layout->sort_count == 0) {
        for (uint32_t k = 0; k < merged->key_count; k++)
            merged->key_of_rank[k] = k;
        return ORIEL_OK;
    }
    return oriel_key_rank(layout->runtime, &merged->keys->keys, layout->sort_items,
                          layout->sort_count, merged->key_of_rank, error);
}

/* Both ways between the keys of each store and the ranks. `shared` is the shared id by local id. */
static enum oriel_status map_ranks(struct aggregate_merged *merged, uint32_t *const *shared,
                                   struct oriel_error *error) {
    uint32_t *rank_of_key = make_numbers(merged, merged->key_count);
    if (!rank_of_key)
        return oriel_error_memory(error);
    for (uint32_t rank = 0; rank < merged->key_count; rank++)
        rank_of_key[merged->key_of_rank[rank]] = rank;
    enum oriel_status status = ORIEL_OK;
    for (unsigned s = 0; s < merged->store_count && status == ORIEL_OK; s++) {
        const uint32_t count = local_key_count(merged, s);
        merged->rank_of_local[s] = make_numbers(merged, count);
        merged->local_of_rank[s] = make_numbers(merged, merged->key_count);
        if (!merged->rank_of_local[s] || !merged->local_of_rank[s]) {
            status = oriel_error_memory(error);
            break;
        }
        memset(merged->local_of_rank[s], 0xFF, merged->key_count * sizeof(uint32_t));
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t rank = rank_of_key[shared[s] ? shared[s][k] : k];
            merged->rank_of_local[s][k] = rank;
            merged->local_of_rank[s][rank] = k;
        }
    }
    oriel_memory_release(memory_of(merged), rank_of_key, merged->key_count * sizeof(uint32_t));
    return status;
}

static enum oriel_status merge_keys(struct aggregate_merged *merged, struct oriel_error *error) {
    uint32_t **shared;
    ORIEL_TRY(make_arrays(merged, &shared, error));
    enum oriel_status status = ORIEL_OK;
    for (unsigned s = 1; merged->keys && s < merged->store_count && status == ORIEL_OK; s++) {
        shared[s] = make_numbers(merged, local_key_count(merged, s));
        status = shared[s] ? share_keys(merged, s, shared[s], error) : oriel_error_memory(error);
    }
    merged->key_count = merged->keys ? merged->keys->key_count : 1;
    if (status == ORIEL_OK)
        status = rank_keys(merged, error);
    if (status == ORIEL_OK)
        status = map_ranks(merged, shared, error);
    for (unsigned s = 1; s < merged->store_count; s++)
        oriel_memory_release(memory_of(merged), shared[s],
                             local_key_count(merged, s) * sizeof(uint32_t));
    oriel_memory_release(memory_of(merged), shared, merged->store_count * sizeof *shared);
    return status;
}

static int by_value(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static enum oriel_status merge_slices(struct aggregate_merged *merged, struct oriel_error *error) {
    size_t total = 0;
    for (unsigned s = 0; s < merged->store_count; s++)
        total += merged->stores[s].slice_count;
    merged->slice_starts_ms =
        oriel_memory_allocate(memory_of(merged), (total + 1) * sizeof(int64_t));
    if (!merged->slice_starts_ms)
        return oriel_error_memory(error);
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        for (uint32_t i = 0; i < merged->stores[s].slice_count; i++)
            merged->slice_starts_ms[count++] = merged->stores[s].slices[i].start_ms;
    }
    qsort(merged->slice_starts_ms, count, sizeof(int64_t), by_value);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || merged->slice_starts_ms[i] != merged->slice_starts_ms[i - 1])
            merged->slice_starts_ms[merged->slice_count++] = merged->slice_starts_ms[i];
    }
    for (unsigned s = 0; s < merged->store_count; s++) {
        merged->local_slices[s] = make_numbers(merged, merged->slice_count);
        if (!merged->local_slices[s])
            return oriel_error_memory(error);
        for (uint32_t i = 0; i < merged->slice_count; i++)
            merged->local_slices[s][i] =
                aggregate_store_slice_at(&merged->stores[s], merged->slice_starts_ms[i]);
    }
    return ORIEL_OK;
}

/* Counting sort of a store's groups by their slice. */
static enum oriel_status list_groups(struct aggregate_merged *merged, unsigned s,
                                     struct oriel_error *error) {
    const struct aggregate_store *store = &merged->stores[s];
    uint32_t *begins =
        oriel_memory_allocate_zeroed(memory_of(merged), store->slice_count + 2u, sizeof *begins);
    uint32_t *list = make_numbers(merged, store->group_count);
    merged->list_begins[s] = begins;
    merged->lists[s] = list;
    if (!begins || !list)
        return oriel_error_memory(error);
    for (uint32_t g = 0; g < store->group_count; g++)
        begins[store->group_slices[g] + 2]++;
    for (uint32_t i = 0; i < store->slice_count; i++)
        begins[i + 2] += begins[i + 1];
    for (uint32_t g = 0; g < store->group_count; g++)
        list[begins[store->group_slices[g] + 1]++] = g;
    return ORIEL_OK;
}

enum oriel_status aggregate_merge(const struct aggregate_layout *layout,
                                  struct aggregate_store *stores, unsigned store_count,
                                  struct aggregate_merged *merged, struct oriel_error *error) {
    *merged =
        (struct aggregate_merged){.layout = layout,
                                  .stores = stores,
                                  .store_count = store_count,
                                  .keys = aggregate_has_keys(layout) ? &stores[0].keys : NULL};
    ORIEL_TRY(make_arrays(merged, &merged->rank_of_local, error));
    ORIEL_TRY(make_arrays(merged, &merged->local_of_rank, error));
    ORIEL_TRY(make_arrays(merged, &merged->local_slices, error));
    ORIEL_TRY(make_arrays(merged, &merged->list_begins, error));
    ORIEL_TRY(make_arrays(merged, &merged->lists, error));
    merged->keyed = stores[0].keyed;
    if (merged->keyed)
        merged->key_count = 1;
    else
        ORIEL_TRY(merge_keys(merged, error));
    if (aggregate_is_session(layout))
        return ORIEL_OK;
    ORIEL_TRY(merge_slices(merged, error));
    for (unsigned s = 0; s < store_count; s++) {
        if (stores[s].form == AGGREGATE_HASHED && !merged->keyed)
            ORIEL_TRY(list_groups(merged, s, error));
    }
    return ORIEL_OK;
}

static void release_arrays(const struct aggregate_merged *merged, uint32_t **arrays,
                           size_t (*count)(const struct aggregate_merged *, unsigned)) {
    if (!arrays)
        return;
    for (unsigned s = 0; s < merged->store_count; s++)
        oriel_memory_release(memory_of(merged), arrays[s], count(merged, s) * sizeof(uint32_t));
    oriel_memory_release(memory_of(merged), arrays, merged->store_count * sizeof *arrays);
}

static size_t local_keys(const struct aggregate_merged *merged, unsigned s) {
    return local_key_count(merged, s);
}

static size_t all_keys(const struct aggregate_merged *merged, unsigned s) {
    (void)s;
    return merged->key_count;
}

static size_t all_slices(const struct aggregate_merged *merged, unsigned s) {
    (void)s;
    return merged->slice_count;
}

static size_t own_slices(const struct aggregate_merged *merged, unsigned s) {
    return merged->stores[s].slice_count + 2u;
}

static size_t own_groups(const struct aggregate_merged *merged, unsigned s) {
    return merged->stores[s].group_count;
}

void aggregate_merged_deinit(struct aggregate_merged *merged) {
    if (!merged->layout)
        return;
    size_t total = 1;
    for (unsigned s = 0; s < merged->store_count; s++)
        total += merged->stores[s].slice_count;
    oriel_memory_release(memory_of(merged), merged->slice_starts_ms, total * sizeof(int64_t));
    oriel_memory_release(memory_of(merged), merged->key_of_rank,
                         merged->key_count * sizeof(uint32_t));
    release_arrays(merged, merged->rank_of_local, local_keys);
    release_arrays(merged, merged->local_of_rank, all_keys);
    release_arrays(merged, merged->local_slices, all_slices);
    release_arrays(merged, merged->list_begins, own_slices);
    release_arrays(merged, merged->lists, own_groups);
    *merged = (struct aggregate_merged){0};
}

size_t aggregate_slice_bound(const struct aggregate_merged *merged, uint32_t slice) {
    size_t bound = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const struct aggregate_store *store = &merged->stores[s];
        const uint32_t number = merged->local_slices[s][slice];
        if (number == AGGREGATE_NO_SLICE)
            continue;
        const struct aggregate_slice *local = &store->slices[number];
        bound += local->packed_count;
        if (local->block != AGGREGATE_NO_BLOCK)
            bound += store->blocks.items[local->block].key_count;
        if (merged->lists[s])
            bound += merged->list_begins[s][number + 1] - merged->list_begins[s][number];
    }
    return bound;
}

size_t aggregate_slice_packed(const struct aggregate_merged *merged, uint32_t slice) {
    size_t count = 0;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const uint32_t number = merged->local_slices[s][slice];
        if (number != AGGREGATE_NO_SLICE)
            count += merged->stores[s].slices[number].packed_count;
    }
    return count;
}

bool aggregate_merged_hashed(const struct aggregate_merged *merged) {
    for (unsigned s = 0; s < merged->store_count; s++) {
        if (merged->lists[s])
            return true;
    }
    return false;
}

uint32_t aggregate_slice_from(const struct aggregate_merged *merged, int64_t start_ms) {
    uint32_t low = 0, high = merged->slice_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (merged->slice_starts_ms[middle] < start_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
