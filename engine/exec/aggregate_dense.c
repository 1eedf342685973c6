/*
 * The dense form: a row's group is its slice's block and its key's id, without a search. Few blocks
 * are open at a time; the slices of the others are packed.
 */
#include <string.h>

#include "engine/exec/aggregate_store.h"
#include "kernels/kernels.h"

enum {
    CACHED_BYTES = 1 << 20,
    OPEN_BYTES = 1 << 18, /* of all blocks, while rows come in order of time */
    LIMIT_MIN = 8,
    LIMIT_MAX = 1 << 15,
    FREE_PLACES = 8 << 20, /* so many are never too many ... */
    FREE_BYTES = 256 << 20,
    FREE_SHARE = 8, /* ... of the memory limit */
    SPARSITY = 8,   /* ... beyond, one in eight must be a group */
    RUN_ROWS = 64,  /* so many rows of a slice on average follow each other where rows have order */
    REOPENINGS = 4, /* of each block, before packing counts as a waste */
    RECENT_BITS = 12,
};

static struct aggregate_recent *recent_place(const struct aggregate_blocks *blocks,
                                             int64_t start_ms) {
    return &blocks->recent[(uint64_t)start_ms * UINT64_C(0x9E3779B97F4A7C15) >> (64 - RECENT_BITS)];
}

static size_t place_bytes(const struct aggregate_store *store) {
    return store->layout->stride_bytes + sizeof(uint8_t);
}

/* Room for `capacity` blocks of `block_keys` places. What is there stays at its place. */
static enum oriel_status make_room(struct aggregate_store *store, uint32_t capacity,
                                   uint32_t block_keys, struct oriel_error *error) {
    struct aggregate_blocks *blocks = &store->blocks;
    const size_t places = (size_t)capacity * block_keys;
    if (places > UINT32_MAX)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 groups in one worker");
    blocks->arrays[BLOCKS_ITEMS].item_bytes = sizeof *blocks->items;
    blocks->arrays[BLOCKS_STATES].item_bytes = store->layout->stride_bytes;
    blocks->arrays[BLOCKS_TOUCHED].item_bytes = sizeof *blocks->touched;
    blocks->arrays[BLOCKS_RECENT].item_bytes = sizeof *blocks->recent;
    const size_t counts[BLOCKS_ARRAYS] = {capacity, places, places, 1 << RECENT_BITS};
    enum oriel_status status = ORIEL_OK;
    for (unsigned i = 0; i < BLOCKS_ARRAYS && status == ORIEL_OK; i++)
        status = aggregate_array_grow(store, &blocks->arrays[i], counts[i], error);
    /* some may have moved before there was no memory for another */
    blocks->items = blocks->arrays[BLOCKS_ITEMS].items;
    blocks->touched = blocks->arrays[BLOCKS_TOUCHED].items;
    blocks->recent = blocks->arrays[BLOCKS_RECENT].items;
    store->states = blocks->arrays[BLOCKS_STATES].items;
    ORIEL_TRY(status);
    blocks->capacity = capacity;
    blocks->block_keys = block_keys;
    return ORIEL_OK;
}

uint32_t aggregate_block_keys(const struct aggregate_store *store, uint32_t block, uint32_t first,
                              uint32_t *keys) {
    const struct oriel_kernels *kernels = store->layout->runtime->kernels;
    const struct aggregate_blocks *blocks = &store->blocks;
    const uint32_t left = blocks->block_keys - first;
    const uint32_t places = left < AGGREGATE_PIECE_ROWS ? left : AGGREGATE_PIECE_ROWS;
    const uint8_t *touched = blocks->touched + (size_t)block * blocks->block_keys + first;
    uint64_t bits[AGGREGATE_PIECE_ROWS / 64];
    kernels->bytes_to_bits(touched, NULL, places, bits);
    const uint32_t count = (uint32_t)kernels->select_indices(bits, places, keys);
    for (uint32_t i = 0; first && i < count; i++)
        keys[i] += first;
    return count;
}

/* Empties a block whose groups are packed. */
static void clear_block(struct aggregate_store *store, uint32_t block) {
    struct aggregate_blocks *blocks = &store->blocks;
    const size_t base = (size_t)block * blocks->block_keys;
    const size_t stride = store->layout->stride_bytes;
    const bool whole = blocks->items[block].key_count > blocks->block_keys / 4;
    uint32_t keys[AGGREGATE_BLOCK_KEYS];
    if (whole)
        memset(store->states + base * stride, 0, blocks->block_keys * stride);
    for (uint32_t first = 0; !whole && first < blocks->block_keys; first += AGGREGATE_PIECE_ROWS) {
        const uint32_t count = aggregate_block_keys(store, block, first, keys);
        for (uint32_t i = 0; i < count; i++)
            memset(store->states + (base + keys[i]) * stride, 0, stride);
    }
    memset(blocks->touched + base, 0, blocks->block_keys);
    blocks->group_count -= blocks->items[block].key_count;
    blocks->items[block].key_count = 0;
}

static enum oriel_status pack_slice(struct aggregate_store *store, struct aggregate_slice *slice,
                                    struct oriel_error *error) {
    struct aggregate_blocks *blocks = &store->blocks;
    const char *states =
        store->states + (size_t)slice->block * blocks->block_keys * store->layout->stride_bytes;
    uint32_t keys[AGGREGATE_BLOCK_KEYS + AGGREGATE_PIECE_ROWS];
    uint32_t count = 0;
    for (uint32_t first = 0; first < blocks->block_keys; first += AGGREGATE_PIECE_ROWS) {
        count += aggregate_block_keys(store, slice->block, first, keys + count);
        const bool last = first + AGGREGATE_PIECE_ROWS >= blocks->block_keys;
        while (count >= AGGREGATE_PIECE_ROWS || (last && count)) {
            const uint32_t part = count < AGGREGATE_PIECE_ROWS ? count : AGGREGATE_PIECE_ROWS;
            aggregate_pack_rows(store, keys, part, states);
            ORIEL_TRY(aggregate_pack_write(store, &slice->pieces, error));
            count -= part;
            memmove(keys, keys + part, count * sizeof *keys);
        }
    }
    slice->packed_count += blocks->items[slice->block].key_count;
    clear_block(store, slice->block);
    slice->block = AGGREGATE_NO_BLOCK;
    struct aggregate_recent *recent = recent_place(blocks, slice->start_ms);
    if (recent->start_ms == slice->start_ms)
        recent->block = 0;
    return ORIEL_OK;
}

static enum oriel_status pack_all(struct aggregate_store *store, struct oriel_error *error) {
    struct aggregate_blocks *blocks = &store->blocks;
    while (blocks->count) {
        ORIEL_TRY(pack_slice(store, &store->slices[blocks->items[blocks->count - 1].slice], error));
        blocks->count--;
    }
    return ORIEL_OK;
}

void aggregate_dense_release(struct aggregate_store *store) {
    for (unsigned i = 0; i < BLOCKS_ARRAYS; i++)
        aggregate_array_release(store, &store->blocks.arrays[i]);
    store->blocks = (struct aggregate_blocks){0};
}

enum oriel_status aggregate_dense_leave(struct aggregate_store *store, struct oriel_error *error) {
    ORIEL_TRY(pack_all(store, error));
    aggregate_dense_release(store);
    store->states = NULL;
    return ORIEL_OK;
}

static bool may_leave(const struct aggregate_store *store) {
    return store->layout->strategy == ORIEL_STRATEGY_AUTO;
}

/* Whether slices have few of many keys. */
static bool thin(const struct aggregate_store *store, uint32_t keys) {
    return store->slice_count > 1 && keys > AGGREGATE_MANY_KEYS &&
           store->total_count / store->slice_count < keys / SPARSITY;
}

/* Blocks for all keys that there are. */
static enum oriel_status widen(struct aggregate_store *store, bool *sparse,
                               struct oriel_error *error) {
    struct aggregate_blocks *blocks = &store->blocks;
    const uint32_t wanted = store->keys_open ? store->keys.key_count : 1;
    uint32_t keys = blocks->block_keys ? blocks->block_keys : 1;
    while (keys < wanted)
        keys = keys > UINT32_MAX / 2 ? UINT32_MAX : keys * 2;
    if (keys == blocks->block_keys)
        return ORIEL_OK;
    *sparse = may_leave(store) && thin(store, keys);
    if (*sparse)
        return ORIEL_OK;
    if (blocks->count > 1) { /* only block 0 keeps its places */
        ORIEL_TRY(pack_all(store, error));
        aggregate_dense_release(store);
    }
    ORIEL_TRY(make_room(store, 1, keys, error));
    const size_t block_bytes = keys * place_bytes(store);
    const size_t limit = OPEN_BYTES / block_bytes;
    blocks->limit = limit < LIMIT_MIN ? LIMIT_MIN : limit > LIMIT_MAX ? LIMIT_MAX : (uint32_t)limit;
    return ORIEL_OK;
}

/* Whether `capacity` blocks would be a waste. */
static bool too_many(const struct aggregate_store *store, uint32_t capacity) {
    const struct aggregate_blocks *blocks = &store->blocks;
    const size_t places = (size_t)capacity * blocks->block_keys;
    const size_t limit = store->layout->runtime->memory->limit_bytes;
    size_t free_bytes = FREE_BYTES;
    if (limit && limit / FREE_SHARE < free_bytes)
        free_bytes = limit / FREE_SHARE;
    return (places > FREE_PLACES || places * place_bytes(store) > free_bytes) &&
           places > SPARSITY * blocks->group_count;
}

/* A block that the current batch does not need, or AGGREGATE_NO_BLOCK. */
static uint32_t find_victim(struct aggregate_store *store) {
    struct aggregate_blocks *blocks = &store->blocks;
    for (uint32_t i = 0; i < blocks->count; i++) {
        const uint32_t at = blocks->next_victim;
        blocks->next_victim = at + 1 < blocks->count ? at + 1 : 0;
        if (blocks->items[at].last_batch != store->batch_number)
            return at;
    }
    return AGGREGATE_NO_BLOCK;
}

/* Opens a slice. */
static enum oriel_status take_block(struct aggregate_store *store, uint32_t slice, bool *sparse,
                                    struct oriel_error *error) {
    struct aggregate_blocks *blocks = &store->blocks;
    uint32_t at = AGGREGATE_NO_BLOCK;
    if (store->slices[slice].pieces && ++blocks->reopened_count > REOPENINGS * blocks->limit) {
        *sparse = may_leave(store) && too_many(store, 2 * blocks->limit);
        if (*sparse)
            return ORIEL_OK;
        blocks->reopened_count = 0;
        if (!too_many(store, 2 * blocks->limit))
            blocks->limit *= 2;
    }
    const bool full = blocks->count == blocks->capacity;
    if (full && (blocks->count >= blocks->limit || too_many(store, 2 * blocks->capacity)))
        at = find_victim(store);
    if (at != AGGREGATE_NO_BLOCK) {
        ORIEL_TRY(pack_slice(store, &store->slices[blocks->items[at].slice], error));
    } else {
        if (full) {
            *sparse = may_leave(store) && too_many(store, 2 * blocks->capacity);
            if (*sparse)
                return ORIEL_OK;
            ORIEL_TRY(make_room(store, 2 * blocks->capacity, blocks->block_keys, error));
        }
        at = blocks->count++;
    }
    blocks->items[at] = (struct aggregate_block){.slice = slice, .last_batch = 0};
    store->slices[slice].block = at;
    return ORIEL_OK;
}

/* The block of the slice that starts there becomes the current one. */
static enum oriel_status enter_slice(struct aggregate_store *store, int64_t start_ms, bool *sparse,
                                     struct oriel_error *error) {
    ORIEL_TRY(aggregate_store_slice_of(store, start_ms, &store->current_slice, error));
    const struct aggregate_slice *slice = &store->slices[store->current_slice];
    if (slice->block == AGGREGATE_NO_BLOCK)
        ORIEL_TRY(take_block(store, store->current_slice, sparse, error));
    if (*sparse)
        return ORIEL_OK;
    store->blocks.items[slice->block].last_batch = store->batch_number;
    return ORIEL_OK;
}

/* The place of the slice's first key. Blocks that a batch needs stay. */
static inline enum oriel_status find_base(struct aggregate_store *store, int64_t start_ms,
                                          uint32_t *base, bool *sparse, struct oriel_error *error) {
    const struct aggregate_blocks *blocks = &store->blocks;
    const struct aggregate_recent known = *recent_place(blocks, start_ms);
    if (known.block && known.start_ms == start_ms) {
        blocks->items[known.block - 1].last_batch = store->batch_number;
        *base = (known.block - 1) * blocks->block_keys;
        return ORIEL_OK;
    }
    ORIEL_TRY(enter_slice(store, start_ms, sparse, error));
    if (*sparse)
        return ORIEL_OK;
    const uint32_t block = store->slices[store->current_slice].block;
    *recent_place(blocks, start_ms) = (struct aggregate_recent){start_ms, block + 1};
    *base = block * blocks->block_keys;
    return ORIEL_OK;
}

/* The places of the rows; in blocks that the cache does not hold they are fetched. */
static enum oriel_status place_rows(struct aggregate_store *store, const uint64_t *rows,
                                    size_t row_count, bool *sparse, struct oriel_error *error) {
    const struct aggregate_blocks *blocks = &store->blocks;
    const int64_t *starts = store->slice_starts;
    const size_t stride = store->layout->stride_bytes;
    const bool fetch =
        (size_t)blocks->count * blocks->block_keys * place_bytes(store) > CACHED_BYTES;
    int64_t start_ms = 0;
    uint32_t base = AGGREGATE_NO_BLOCK;
    for (size_t i = 0; i < row_count; i++) {
        store->groups[i] = 0;
        if (rows && !oriel_bits_get(rows, i))
            continue;
        if (base == AGGREGATE_NO_BLOCK || starts[i] != start_ms) {
            ORIEL_TRY(find_base(store, starts[i], &base, sparse, error));
            if (*sparse)
                return ORIEL_OK;
            start_ms = starts[i];
        }
        const uint32_t group = base + store->key_ids[i];
        store->groups[i] = group;
        if (fetch) {
            __builtin_prefetch(&blocks->touched[group], 1);
            __builtin_prefetch(store->states + group * stride, 1);
        }
    }
    return ORIEL_OK;
}

/* Counts the groups that are new. */
static void touch_rows(struct aggregate_store *store, const uint64_t *rows, size_t row_count) {
    struct aggregate_blocks *blocks = &store->blocks;
    for (size_t i = 0; i < row_count; i++) {
        const uint32_t group = store->groups[i];
        if ((rows && !oriel_bits_get(rows, i)) || blocks->touched[group])
            continue;
        blocks->touched[group] = 1;
        blocks->items[group / blocks->block_keys].key_count++;
        blocks->group_count++;
        store->total_count++;
    }
}

/* The places of rows that come in long runs of one slice; *placed is false when they do not, or
 * when a block is too large for the cache. `times` NULL: all rows have one slice. */
static enum oriel_status place_runs(struct aggregate_store *store, const int64_t *times,
                                    size_t row_count, bool *placed, bool *sparse,
                                    struct oriel_error *error) {
    const struct aggregate_layout *layout = store->layout;
    const struct oriel_kernels *kernels = layout->runtime->kernels;
    struct aggregate_blocks *blocks = &store->blocks;
    size_t runs = 0;
    *placed = false;
    for (size_t i = 0, count = row_count; i < row_count; i += count) {
        int64_t start_ms = store->slice_starts[0];
        if (runs++ > row_count / RUN_ROWS)
            return ORIEL_OK;
        if (times) {
            kernels->floor_i64(times + i, 1, layout->slice_ms, layout->slice_offset_ms, &start_ms);
            count = kernels->within_prefix_i64(times + i, row_count - i, start_ms,
                                               (uint64_t)layout->slice_ms);
        }
        ORIEL_TRY(enter_slice(store, start_ms, sparse, error));
        if (*sparse || blocks->block_keys * place_bytes(store) > CACHED_BYTES)
            return ORIEL_OK;
        const uint32_t block = store->slices[store->current_slice].block;
        const size_t fresh =
            kernels->group_place(store->key_ids + i, count, block * blocks->block_keys,
                                 blocks->touched, store->groups + i);
        blocks->items[block].key_count += (uint32_t)fresh;
        blocks->group_count += fresh;
        store->total_count += fresh;
    }
    *placed = true;
    return ORIEL_OK;
}

enum oriel_status aggregate_dense_find(struct aggregate_store *store, const int64_t *times,
                                       const uint64_t *rows, size_t row_count, bool *sparse,
                                       struct oriel_error *error) {
    bool placed = false;
    *sparse = false;
    ORIEL_TRY(widen(store, sparse, error));
    if (!*sparse && !rows && !store->layout->copies)
        ORIEL_TRY(place_runs(store, times, row_count, &placed, sparse, error));
    if (times && !placed)
        aggregate_store_floor(store, times, row_count);
    if (*sparse || placed)
        return ORIEL_OK;
    ORIEL_TRY(place_rows(store, rows, row_count, sparse, error));
    if (!*sparse)
        touch_rows(store, rows, row_count);
    return ORIEL_OK;
}
