/*
 * The hash table of composite keys. Rows come in blocks: hashes first, then one pass of probing
 * with the slots and the keys of later rows fetched ahead, then all keys that are new in the block
 * are copied at once.
 */
#include "engine/exec/key_table.h"

#include "engine/exec/row_key.h"
#include "kernels/kernels.h"

enum {
    BLOCK_ROWS = ORIEL_KEY_BLOCK_ROWS,
    FIRST_SLOT_COUNT = 256,
    AHEAD_SLOT = 24,             /* rows between the fetch of a slot and its use */
    AHEAD_KEY = 12,              /* rows between the fetch of a key and its use */
    CACHED_SLOT_COUNT = 1 << 14, /* tables up to this size are not worth fetching ahead */
    ROOMY_SLOT_COUNT = 1 << 15,  /* tables up to this size are a quarter full at most, not half */
};

static const uint32_t KEY_COUNT_MAX = UINT32_MAX - 1;

/* A block of rows on its way through the table. */
struct block {
    const struct oriel_column *columns; /* row 0 is the block's first */
    const uint64_t *hashes;
    uint32_t row_count;
    uint32_t base;        /* key count before the block: later ids are not copied yet */
    uint32_t fresh_count; /* rows in table->fresh */
};

static enum oriel_key_form form_of(struct oriel_schema schema) {
    if (schema.field_count != 1)
        return ORIEL_KEY_FORM_ANY;
    switch (oriel_type_physical(&schema.fields[0].type)) {
    case ORIEL_PHYSICAL_I32:
    case ORIEL_PHYSICAL_F32: return ORIEL_KEY_FORM_32;
    case ORIEL_PHYSICAL_I64:
    case ORIEL_PHYSICAL_F64: return ORIEL_KEY_FORM_64;
    case ORIEL_PHYSICAL_STRING: return ORIEL_KEY_FORM_STRING;
    case ORIEL_PHYSICAL_I8:
    case ORIEL_PHYSICAL_I16:
    case ORIEL_PHYSICAL_I128:
    case ORIEL_PHYSICAL_NESTED: break;
    }
    return ORIEL_KEY_FORM_ANY;
}

/* Keys that fit into slots: with few collisions where the slots stay in the cache. */
static size_t keys_of_slots(size_t slot_count) {
    return slot_count <= ROOMY_SLOT_COUNT ? slot_count / 4 : slot_count / 2;
}

enum oriel_status oriel_key_table_init(struct oriel_key_table *table,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_schema schema, struct oriel_error *error) {
    *table = (struct oriel_key_table){
        .kernels = runtime->kernels,
        .memory = runtime->memory,
        .form = form_of(schema),
        .null_id = ORIEL_KEY_NONE,
    };
    oriel_table_init(&table->keys, runtime->memory, schema);
    table->slots =
        oriel_memory_allocate_zeroed(runtime->memory, FIRST_SLOT_COUNT, sizeof *table->slots);
    table->hashes = oriel_memory_allocate(runtime->memory,
                                          keys_of_slots(FIRST_SLOT_COUNT) * sizeof *table->hashes);
    table->fresh = oriel_memory_allocate(runtime->memory, BLOCK_ROWS * sizeof *table->fresh);
    if (table->slots)
        table->slot_count = FIRST_SLOT_COUNT;
    if (table->hashes)
        table->hash_capacity = keys_of_slots(FIRST_SLOT_COUNT);
    const enum oriel_status status =
        table->slots && table->hashes && table->fresh
            ? oriel_key_block_init(&table->block, runtime->memory, schema, error)
            : oriel_error_memory(error);
    if (status != ORIEL_OK)
        oriel_key_table_deinit(table);
    return status;
}

void oriel_key_table_deinit(struct oriel_key_table *table) {
    if (!table->memory)
        return;
    oriel_memory_release(table->memory, table->slots, table->slot_count * sizeof *table->slots);
    oriel_memory_release(table->memory, table->hashes,
                         table->hash_capacity * sizeof *table->hashes);
    oriel_key_block_deinit(&table->block);
    oriel_memory_release(table->memory, table->fresh, BLOCK_ROWS * sizeof *table->fresh);
    oriel_key_codes_deinit(&table->codes, table->memory);
    oriel_table_deinit(&table->keys);
    *table = (struct oriel_key_table){0};
}

void oriel_key_table_clear(struct oriel_key_table *table) {
    memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    table->key_count = 0;
    table->null_id = ORIEL_KEY_NONE;
    oriel_key_codes_clear(&table->codes);
    oriel_table_clear(&table->keys);
}

size_t oriel_key_table_bytes(const struct oriel_key_table *table) {
    size_t bytes = table->slot_count * sizeof *table->slots +
                   table->hash_capacity * sizeof *table->hashes +
                   table->codes.capacity * sizeof *table->codes.ids + table->keys.arena.total_bytes;
    for (uint32_t i = 0; i < table->keys.schema.field_count; i++)
        bytes += table->keys.capacity *
                 oriel_physical_size(oriel_type_physical(&table->keys.schema.fields[i].type));
    return bytes;
}

/* Bits 20 to 51: neither all of the partition (top) nor all of the place (bottom). */
static inline uint64_t slot_of(uint64_t hash, uint32_t id) {
    return ((hash >> 20) << 32) | (id + 1);
}

static inline bool tag_matches(uint64_t slot, uint64_t hash) {
    return (slot >> 32) == ((hash >> 20) & UINT32_MAX);
}

/* Fills empty slots with the first `key_count` keys. */
static void place_keys(struct oriel_key_table *table, uint64_t *slots, size_t slot_count,
                       uint32_t key_count) {
    const size_t mask = slot_count - 1;
    for (uint32_t id = 0; id < key_count; id++) {
        if (id == table->null_id)
            continue;
        size_t at = table->hashes[id] & mask;
        while (slots[at])
            at = (at + 1) & mask;
        slots[at] = slot_of(table->hashes[id], id);
    }
}

static bool grow(struct oriel_key_table *table) {
    const size_t slot_count = table->slot_count * 2;
    uint64_t *slots = oriel_memory_allocate_zeroed(table->memory, slot_count, sizeof *slots);
    if (!slots)
        return false;
    uint64_t *hashes =
        oriel_memory_resize(table->memory, table->hashes, table->hash_capacity * sizeof *hashes,
                            keys_of_slots(slot_count) * sizeof *hashes);
    if (!hashes) {
        oriel_memory_release(table->memory, slots, slot_count * sizeof *slots);
        return false;
    }
    table->hashes = hashes;
    table->hash_capacity = keys_of_slots(slot_count);
    place_keys(table, slots, slot_count, table->key_count);
    oriel_memory_release(table->memory, table->slots, table->slot_count * sizeof *table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
    return true;
}

/* Takes keys at and after `base` out again. */
static void forget_from(struct oriel_key_table *table, uint32_t base) {
    if (table->null_id != ORIEL_KEY_NONE && table->null_id >= base)
        table->null_id = ORIEL_KEY_NONE;
    table->key_count = base;
    memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    place_keys(table, table->slots, table->slot_count, base);
}

/* The next id, for row `row` of the block; ORIEL_KEY_NONE when there is no room. */
static uint32_t take_id(struct oriel_key_table *table, struct block *block, uint32_t row) {
    if (table->key_count >= KEY_COUNT_MAX ||
        (table->key_count >= table->hash_capacity && !grow(table)))
        return ORIEL_KEY_NONE;
    table->hashes[table->key_count] = block->hashes[row];
    table->fresh[block->fresh_count++] = row;
    return table->key_count++;
}

static __attribute__((noinline)) uint32_t insert(struct oriel_key_table *table, struct block *block,
                                                 uint32_t row) {
    const uint32_t id = take_id(table, block, row);
    if (id == ORIEL_KEY_NONE)
        return id;
    const size_t mask = table->slot_count - 1;
    size_t at = block->hashes[row] & mask;
    while (table->slots[at])
        at = (at + 1) & mask;
    table->slots[at] = slot_of(block->hashes[row], id);
    return id;
}

static inline __attribute__((always_inline)) bool key_equal(const struct oriel_key_table *table,
                                                            const struct block *block,
                                                            enum oriel_key_form form, uint32_t id,
                                                            uint32_t row) {
    const bool copied = id < block->base;
    const struct oriel_column *stored = copied ? table->keys.columns : block->columns;
    const size_t at = copied ? id : table->fresh[id - block->base];
    switch (form) {
    case ORIEL_KEY_FORM_32:
        return ((const uint32_t *)stored->values)[at] ==
               ((const uint32_t *)block->columns->values)[row];
    case ORIEL_KEY_FORM_64:
        return ((const uint64_t *)stored->values)[at] ==
               ((const uint64_t *)block->columns->values)[row];
    case ORIEL_KEY_FORM_STRING:
        return oriel_string_equal((const struct oriel_string *)stored->values + at,
                                  (const struct oriel_string *)block->columns->values + row);
    case ORIEL_KEY_FORM_ANY: break;
    }
    return oriel_row_key_equal(stored, at, block->columns, row, table->keys.schema.field_count);
}

static inline __attribute__((always_inline)) void fetch_ahead(const struct oriel_key_table *table,
                                                              const struct block *block,
                                                              enum oriel_key_form form,
                                                              uint32_t row) {
    const size_t mask = table->slot_count - 1;
    if (row + AHEAD_SLOT < block->row_count)
        __builtin_prefetch(&table->slots[block->hashes[row + AHEAD_SLOT] & mask]);
    if (form == ORIEL_KEY_FORM_ANY || row + AHEAD_KEY >= block->row_count)
        return;
    const uint32_t id = (uint32_t)table->slots[block->hashes[row + AHEAD_KEY] & mask];
    if (id == 0 || id > block->base)
        return;
    const size_t width = form == ORIEL_KEY_FORM_32 ? 4 : form == ORIEL_KEY_FORM_64 ? 8 : 16;
    __builtin_prefetch((const char *)table->keys.columns->values + (id - 1) * width);
}

/* The id of a row, or ORIEL_KEY_NONE when the table does not hold it. */
static inline __attribute__((always_inline)) uint32_t probe(const struct oriel_key_table *table,
                                                            const struct block *block,
                                                            enum oriel_key_form form,
                                                            uint32_t row) {
    const size_t mask = table->slot_count - 1;
    const uint64_t hash = block->hashes[row];
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        const uint64_t slot = table->slots[at];
        if (!slot)
            return ORIEL_KEY_NONE;
        const uint32_t id = (uint32_t)slot - 1;
        if (tag_matches(slot, hash) && key_equal(table, block, form, id, row))
            return id;
    }
}

/* A row that the first look did not settle: NULL, a key behind others, a new key. */
static __attribute__((noinline)) uint32_t map_row(struct oriel_key_table *table,
                                                  struct block *block, enum oriel_key_form form,
                                                  uint32_t row) {
    if (form != ORIEL_KEY_FORM_ANY && oriel_column_is_null(block->columns, row)) {
        if (table->null_id == ORIEL_KEY_NONE)
            table->null_id = take_id(table, block, row);
        return table->null_id;
    }
    const uint32_t id = probe(table, block, form, row);
    return id == ORIEL_KEY_NONE ? insert(table, block, row) : id;
}

static inline __attribute__((always_inline)) bool map_rows(struct oriel_key_table *table,
                                                           struct block *block,
                                                           enum oriel_key_form form,
                                                           uint32_t *ids) {
    const uint64_t *valid = form == ORIEL_KEY_FORM_ANY ? NULL : block->columns->valid;
    const uint64_t *hashes = block->hashes;
    const uint64_t *slots = table->slots;
    size_t mask = table->slot_count - 1;
    for (uint32_t row = 0; row < block->row_count; row++) {
        if (mask >= CACHED_SLOT_COUNT)
            fetch_ahead(table, block, form, row);
        /* most rows have a key that is known and lies where its hash points, or next to it */
        const uint64_t hash = hashes[row];
        const uint64_t first = slots[hash & mask], second = slots[(hash + 1) & mask];
        const uint64_t other = -(uint64_t)!tag_matches(first, hash); /* a guess costs more */
        const uint64_t slot = first ^ ((first ^ second) & other);
        const uint32_t id = (uint32_t)slot - 1;
        if (tag_matches(slot, hash) && id < block->base && (!valid || oriel_bits_get(valid, row)) &&
            key_equal(table, block, form, id, row)) {
            ids[row] = id;
            continue;
        }
        ids[row] = map_row(table, block, form, row);
        if (ids[row] == ORIEL_KEY_NONE)
            return false;
        slots = table->slots;
        mask = table->slot_count - 1;
    }
    return true;
}

static bool map_block(struct oriel_key_table *table, struct block *block, uint32_t *ids) {
    switch (table->form) {
    case ORIEL_KEY_FORM_32: return map_rows(table, block, ORIEL_KEY_FORM_32, ids);
    case ORIEL_KEY_FORM_64: return map_rows(table, block, ORIEL_KEY_FORM_64, ids);
    case ORIEL_KEY_FORM_STRING: return map_rows(table, block, ORIEL_KEY_FORM_STRING, ids);
    case ORIEL_KEY_FORM_ANY: break;
    }
    return map_rows(table, block, ORIEL_KEY_FORM_ANY, ids);
}

static inline __attribute__((always_inline)) void find_rows(const struct oriel_key_table *table,
                                                            const struct block *block,
                                                            enum oriel_key_form form,
                                                            uint32_t *ids) {
    const uint64_t *valid = form == ORIEL_KEY_FORM_ANY ? NULL : block->columns->valid;
    for (uint32_t row = 0; row < block->row_count; row++) {
        if (table->slot_count > CACHED_SLOT_COUNT)
            fetch_ahead(table, block, form, row);
        ids[row] =
            valid && !oriel_bits_get(valid, row) ? table->null_id : probe(table, block, form, row);
    }
}

static void find_block(const struct oriel_key_table *table, const struct block *block,
                       uint32_t *ids) {
    switch (table->form) {
    case ORIEL_KEY_FORM_32: find_rows(table, block, ORIEL_KEY_FORM_32, ids); return;
    case ORIEL_KEY_FORM_64: find_rows(table, block, ORIEL_KEY_FORM_64, ids); return;
    case ORIEL_KEY_FORM_STRING: find_rows(table, block, ORIEL_KEY_FORM_STRING, ids); return;
    case ORIEL_KEY_FORM_ANY: find_rows(table, block, ORIEL_KEY_FORM_ANY, ids); return;
    }
}

static uint32_t block_rows(size_t row_count, size_t first) {
    const size_t left = row_count - first;
    return left < BLOCK_ROWS ? (uint32_t)left : BLOCK_ROWS;
}

enum oriel_status oriel_key_table_map_hashed(struct oriel_key_table *table,
                                             const struct oriel_column *columns,
                                             const uint64_t *hashes, size_t row_count,
                                             uint32_t *ids, struct oriel_error *error) {
    const uint32_t field_count = table->keys.schema.field_count;
    for (size_t first = 0; first < row_count; first += BLOCK_ROWS) {
        const uint32_t count = block_rows(row_count, first);
        oriel_key_block_cut(&table->block, table->kernels, columns, hashes, first, count);
        struct block block = {.columns = table->block.columns,
                              .hashes = table->block.hashes,
                              .row_count = count,
                              .base = table->key_count};
        if (!map_block(table, &block, ids + first)) {
            forget_from(table, block.base);
            return oriel_error_memory(error);
        }
        if (!block.fresh_count)
            continue;
        const struct oriel_batch batch = {
            .row_count = count, .column_count = field_count, .columns = block.columns};
        const enum oriel_status status =
            oriel_table_append(&table->keys, &batch, table->fresh, 0, block.fresh_count, error);
        if (status != ORIEL_OK) {
            forget_from(table, block.base);
            return status;
        }
    }
    return ORIEL_OK;
}

enum oriel_status oriel_key_table_map(struct oriel_key_table *table,
                                      const struct oriel_column *columns, size_t row_count,
                                      uint32_t *ids, struct oriel_error *error) {
    if (row_count && table->form == ORIEL_KEY_FORM_STRING && columns->codes)
        return oriel_key_codes_map(table, columns, row_count, ids, error);
    return oriel_key_table_map_hashed(table, columns, NULL, row_count, ids, error);
}

void oriel_key_table_find(const struct oriel_key_table *table, struct oriel_key_block *scratch,
                          const struct oriel_column *columns, const uint64_t *hashes,
                          size_t row_count, uint32_t *ids) {
    for (size_t first = 0; first < row_count; first += BLOCK_ROWS) {
        const uint32_t count = block_rows(row_count, first);
        oriel_key_block_cut(scratch, table->kernels, columns, hashes, first, count);
        const struct block block = {.columns = scratch->columns,
                                    .hashes = scratch->hashes,
                                    .row_count = count,
                                    .base = table->key_count};
        find_block(table, &block, ids + first);
    }
}
