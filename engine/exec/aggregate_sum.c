/*
 * Adds up a slice: lists the groups of all stores, from their pieces, blocks and hash tables, and
 * brings those of one key together: through an array by rank when the ranks are few, else by a
 * radix sort.
 */
#include "engine/exec/aggregate_sum.h"

#include <string.h>

#include "engine/exec/aggregate_output.h"
#include "kernels/kernels.h"

enum {
    RANKS_A_GROUP = 16, /* an array by rank is as fast as a sort up to so many ranks a group */
    RANKS_FREE = 1024,
};

/* The entries of a slice on their way. */
struct listing {
    struct aggregate_sum *sum;
    uint32_t rank_begin, rank_end;
    size_t count;
    size_t unpacked_count;
};

static struct oriel_memory *memory_of(const struct aggregate_sum *sum) {
    return sum->merged->layout->runtime->memory;
}

void aggregate_sum_init(struct aggregate_sum *sum, const struct aggregate_merged *merged) {
    *sum = (struct aggregate_sum){.merged = merged};
}

static void release_entries(struct aggregate_sum *sum) {
    const size_t count = sum->capacity;
    struct oriel_memory *memory = memory_of(sum);
    oriel_memory_release(memory, sum->ranks, count * sizeof *sum->ranks);
    oriel_memory_release(memory, sum->states, count * sizeof *sum->states);
    oriel_memory_release(memory, sum->keys, count * sizeof *sum->keys);
    oriel_memory_release(memory, sum->scratch, count * sizeof *sum->scratch);
    oriel_memory_release(memory, sum->entry_states, count * sizeof *sum->entry_states);
    oriel_memory_release(memory, sum->numbers, 2 * count * sizeof *sum->numbers);
    sum->ranks = NULL;
    sum->states = NULL;
    sum->keys = sum->scratch = NULL;
    sum->entry_states = NULL;
    sum->numbers = NULL;
    sum->capacity = 0;
}

void aggregate_sum_deinit(struct aggregate_sum *sum) {
    if (!sum->merged)
        return;
    release_entries(sum);
    oriel_memory_release(memory_of(sum), sum->unpacked,
                         sum->unpacked_capacity * sum->merged->layout->stride_bytes);
    oriel_memory_release(memory_of(sum), sum->entry_of_rank,
                         sum->rank_capacity * sizeof *sum->entry_of_rank);
    oriel_memory_release(memory_of(sum), sum->added,
                         sum->added_capacity * sum->merged->layout->stride_bytes);
    *sum = (struct aggregate_sum){0};
}

static enum oriel_status reserve_entries(struct aggregate_sum *sum, size_t count,
                                         struct oriel_error *error) {
    struct oriel_memory *memory = memory_of(sum);
    if (count < AGGREGATE_PIECE_ROWS) /* pieces are read through the same room */
        count = AGGREGATE_PIECE_ROWS;
    if (count <= sum->capacity)
        return ORIEL_OK;
    if (count >= UINT32_MAX)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 groups in a window");
    release_entries(sum);
    sum->capacity = count + count / 4;
    count = sum->capacity;
    sum->ranks = oriel_memory_allocate(memory, count * sizeof *sum->ranks);
    sum->states = oriel_memory_allocate(memory, count * sizeof *sum->states);
    sum->keys = oriel_memory_allocate(memory, count * sizeof *sum->keys);
    sum->scratch = oriel_memory_allocate(memory, count * sizeof *sum->scratch);
    sum->entry_states = oriel_memory_allocate(memory, count * sizeof *sum->entry_states);
    sum->numbers = oriel_memory_allocate(memory, 2 * count * sizeof *sum->numbers);
    return sum->ranks && sum->states && sum->keys && sum->scratch && sum->entry_states &&
                   sum->numbers
               ? ORIEL_OK
               : oriel_error_memory(error);
}

static enum oriel_status reserve_unpacked(struct aggregate_sum *sum, size_t count,
                                          struct oriel_error *error) {
    const size_t stride = sum->merged->layout->stride_bytes;
    if (count <= sum->unpacked_capacity)
        return ORIEL_OK;
    oriel_memory_release(memory_of(sum), sum->unpacked, sum->unpacked_capacity * stride);
    sum->unpacked_capacity = 0;
    sum->unpacked = oriel_memory_allocate(memory_of(sum), (count + count / 4) * stride);
    if (!sum->unpacked)
        return oriel_error_memory(error);
    sum->unpacked_capacity = count + count / 4;
    return ORIEL_OK;
}

static inline void list_entry(struct listing *listing, uint32_t rank, const char *states) {
    if (rank < listing->rank_begin || rank >= listing->rank_end)
        return;
    listing->sum->keys[listing->count] = (uint64_t)rank << 32 | listing->count;
    listing->sum->entry_states[listing->count++] = states;
}

static void list_pieces(struct listing *listing, unsigned s, const struct aggregate_piece *piece) {
    struct aggregate_sum *sum = listing->sum;
    const struct aggregate_layout *layout = sum->merged->layout;
    const uint32_t *rank_of_local = sum->merged->rank_of_local[s];
    for (; piece; piece = piece->older) {
        char *states = sum->unpacked + listing->unpacked_count * layout->stride_bytes;
        aggregate_piece_read(layout, piece, sum->scratch, sum->numbers, NULL, NULL, states);
        for (size_t i = 0; i < piece->row_count; i++)
            list_entry(listing, rank_of_local[sum->numbers[i]], states + i * layout->stride_bytes);
        listing->unpacked_count += piece->row_count;
    }
}

static void list_block(struct listing *listing, unsigned s, uint32_t number) {
    const struct aggregate_merged *merged = listing->sum->merged;
    const struct aggregate_store *store = &merged->stores[s];
    const struct aggregate_blocks *blocks = &store->blocks;
    const size_t base = (size_t)number * blocks->block_keys;
    const size_t stride = merged->layout->stride_bytes;
    const uint32_t key_count = blocks->items[number].key_count;
    if (listing->rank_end - listing->rank_begin < key_count / 2) { /* one part of many keys */
        for (uint32_t rank = listing->rank_begin; rank < listing->rank_end; rank++) {
            const uint32_t key = merged->local_of_rank[s][rank];
            if (key < blocks->block_keys && blocks->touched[base + key])
                list_entry(listing, rank, store->states + (base + key) * stride);
        }
        return;
    }
    uint32_t keys[AGGREGATE_BLOCK_KEYS];
    for (uint32_t first = 0; first < blocks->block_keys; first += AGGREGATE_PIECE_ROWS) {
        const uint32_t count = aggregate_block_keys(store, number, first, keys);
        for (uint32_t i = 0; i < count; i++)
            list_entry(listing, merged->rank_of_local[s][keys[i]],
                       store->states + (base + keys[i]) * stride);
    }
}

static void list_hashed(struct listing *listing, unsigned s, uint32_t slice) {
    const struct aggregate_merged *merged = listing->sum->merged;
    const struct aggregate_store *store = &merged->stores[s];
    const uint32_t *begins = merged->list_begins[s], *list = merged->lists[s];
    for (uint32_t i = begins[slice]; i < begins[slice + 1]; i++)
        list_entry(listing, merged->rank_of_local[s][store->group_keys[list[i]]],
                   store->states + list[i] * merged->layout->stride_bytes);
}

static void list_slice(struct listing *listing, uint32_t slice) {
    const struct aggregate_merged *merged = listing->sum->merged;
    for (unsigned s = 0; s < merged->store_count; s++) {
        const uint32_t number = merged->local_slices[s][slice];
        if (number == AGGREGATE_NO_SLICE)
            continue;
        const struct aggregate_slice *local = &merged->stores[s].slices[number];
        list_pieces(listing, s, local->pieces);
        if (local->block != AGGREGATE_NO_BLOCK)
            list_block(listing, s, local->block);
        if (merged->lists[s])
            list_hashed(listing, s, number);
    }
}

/* How entries become results. */
struct adding {
    struct aggregate_sum *sum;
    bool single_use;
    struct oriel_arena *arena;
};

/* Adds an entry to result number `at`, which has its first entry's states or a sum already. */
static enum oriel_status add_entry(const struct adding *adding, size_t at, const char *states,
                                   struct oriel_error *error) {
    struct aggregate_sum *sum = adding->sum;
    const struct aggregate_layout *layout = sum->merged->layout;
    const size_t stride = layout->stride_bytes;
    char *into = (char *)(uintptr_t)sum->states[at];
    if (into < sum->added || into >= sum->added + sum->added_count * stride) {
        const char *first = into;
        into = sum->added + sum->added_count++ * stride;
        memset(into, 0, stride);
        ORIEL_TRY(aggregate_merge_states(layout, adding->arena, adding->single_use, true, into,
                                         first, error));
        sum->states[at] = into;
    }
    return aggregate_merge_states(layout, adding->arena, adding->single_use, false, into, states,
                                  error);
}

/* Room for as many sums as there can be: at least two entries each. */
static enum oriel_status reserve_added(struct aggregate_sum *sum, size_t entry_count,
                                       struct oriel_error *error) {
    const size_t stride = sum->merged->layout->stride_bytes;
    const size_t count = entry_count / 2 + 1;
    sum->added_count = 0;
    if (count <= sum->added_capacity)
        return ORIEL_OK;
    oriel_memory_release(memory_of(sum), sum->added, sum->added_capacity * stride);
    sum->added_capacity = 0;
    sum->added = oriel_memory_allocate(memory_of(sum), (count + count / 4) * stride);
    if (!sum->added)
        return oriel_error_memory(error);
    sum->added_capacity = count + count / 4;
    return ORIEL_OK;
}

static enum oriel_status add_sorted(const struct adding *adding, size_t count,
                                    struct oriel_error *error) {
    struct aggregate_sum *sum = adding->sum;
    const struct oriel_kernels *kernels = sum->merged->layout->runtime->kernels;
    kernels->radix_sort_u64(sum->keys, sum->numbers, count, sum->scratch, sum->numbers + count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t rank = (uint32_t)(sum->keys[i] >> 32);
        const char *states = sum->entry_states[(uint32_t)sum->keys[i]];
        if (sum->count && sum->ranks[sum->count - 1] == rank) {
            ORIEL_TRY(add_entry(adding, sum->count - 1, states, error));
        } else {
            sum->ranks[sum->count] = rank;
            sum->states[sum->count++] = states;
        }
    }
    return ORIEL_OK;
}

static enum oriel_status reserve_ranks(struct aggregate_sum *sum, size_t count,
                                       struct oriel_error *error) {
    if (count <= sum->rank_capacity)
        return ORIEL_OK;
    oriel_memory_release(memory_of(sum), sum->entry_of_rank,
                         sum->rank_capacity * sizeof *sum->entry_of_rank);
    sum->rank_capacity = 0;
    sum->entry_of_rank =
        oriel_memory_allocate_zeroed(memory_of(sum), count, sizeof *sum->entry_of_rank);
    if (!sum->entry_of_rank)
        return oriel_error_memory(error);
    sum->rank_capacity = count;
    return ORIEL_OK;
}

/* `numbers` chains the entries of a rank: the entry before + 1. */
static enum oriel_status add_by_rank(const struct adding *adding, const struct listing *listing,
                                     struct oriel_error *error) {
    struct aggregate_sum *sum = adding->sum;
    const uint32_t ranks = listing->rank_end - listing->rank_begin;
    ORIEL_TRY(reserve_ranks(sum, ranks, error));
    for (size_t i = listing->count; i-- > 0;) {
        uint32_t *last = &sum->entry_of_rank[(sum->keys[i] >> 32) - listing->rank_begin];
        sum->numbers[i] = *last;
        *last = (uint32_t)i + 1;
    }
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t entry = sum->entry_of_rank[r];
        if (!entry)
            continue;
        sum->entry_of_rank[r] = 0;
        sum->ranks[sum->count] = listing->rank_begin + r;
        sum->states[sum->count++] = sum->entry_states[entry - 1];
        while ((entry = sum->numbers[entry - 1]) != 0)
            ORIEL_TRY(add_entry(adding, sum->count - 1, sum->entry_states[entry - 1], error));
    }
    return ORIEL_OK;
}

enum oriel_status aggregate_sum_slice(struct aggregate_sum *sum, uint32_t slice,
                                      uint32_t rank_begin, uint32_t rank_end, bool single_use,
                                      struct oriel_arena *arena, struct oriel_error *error) {
    struct listing listing = {.sum = sum, .rank_begin = rank_begin, .rank_end = rank_end};
    const struct adding adding = {sum, single_use, arena};
    const struct aggregate_merged *merged = sum->merged;
    size_t bound = aggregate_slice_bound(merged, slice);
    const size_t places = (size_t)(rank_end - rank_begin) * merged->store_count;
    const size_t packed = aggregate_slice_packed(merged, slice);
    if (!packed && bound > places && !aggregate_merged_hashed(merged))
        bound = places; /* each store has a key once */
    sum->count = 0;
    ORIEL_TRY(reserve_entries(sum, bound, error));
    ORIEL_TRY(reserve_unpacked(sum, packed, error));
    list_slice(&listing, slice);
    ORIEL_TRY(reserve_added(sum, listing.count, error));
    const size_t ranks = rank_end - rank_begin;
    if (ranks <= RANKS_FREE || ranks <= RANKS_A_GROUP * listing.count)
        return add_by_rank(&adding, &listing, error);
    return add_sorted(&adding, listing.count, error);
}
