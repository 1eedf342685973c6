/*
 * Distinct composite keys, numbered 0, 1, 2 ... in order of their first appearance: the hash table
 * below aggregation, partitions and joins. Open addressing over slots of 8 bytes (a part of the
 * hash and the id); the hash of every key is kept, so growing never looks at keys. It owns copies
 * of the keys, with -0.0 stored as 0.0 and any NaN as one NaN, so that they do not depend on who
 * came first.
 *
 * Not thread-safe: one a worker or partition.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"
#include "engine/exec/key_block.h"
#include "engine/exec/key_codes.h"

/* No key: what find gives for a key that is not there. Ids end below it. */
#define ORIEL_KEY_NONE UINT32_MAX

/* How keys are compared, chosen from the schema. */
enum oriel_key_form {
    ORIEL_KEY_FORM_32,     /* one column of 4 bytes */
    ORIEL_KEY_FORM_64,     /* one column of 8 bytes */
    ORIEL_KEY_FORM_STRING, /* one column of strings */
    ORIEL_KEY_FORM_ANY,
};

struct oriel_key_table {
    const struct oriel_kernels *kernels;
    struct oriel_memory *memory;
    enum oriel_key_form form;
    uint32_t key_count; /* distinct keys so far; the next id */
    uint32_t null_id;   /* forms of one column: the id of NULL, or ORIEL_KEY_NONE */
    uint64_t *slots;    /* part of the hash << 32 | id + 1; 0: empty */
    size_t slot_count;  /* a power of two */
    uint64_t *hashes;   /* of each key */
    size_t hash_capacity;
    struct oriel_table keys; /* row i is key i */
    struct oriel_key_block block;
    uint32_t *fresh; /* rows of a block that are not there yet */
    struct oriel_key_codes codes;
};

/* `schema`: the key columns (at least one); borrowed, it must outlive the table. */
enum oriel_status oriel_key_table_init(struct oriel_key_table *table,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_schema schema, struct oriel_error *error);
void oriel_key_table_deinit(struct oriel_key_table *table);

/* Forgets all keys, keeps the buffers. */
void oriel_key_table_clear(struct oriel_key_table *table);

/* ids[i] = id of row i of the key columns, which gets the next id when it is new. Columns as the
 * schema has them, row 0 at bit 0 of the validity words. ORIEL_MEMORY leaves the table usable. */
enum oriel_status oriel_key_table_map(struct oriel_key_table *table,
                                      const struct oriel_column *columns, size_t row_count,
                                      uint32_t *ids, struct oriel_error *error);

/* The same with hashes that the caller already has from oriel_row_key_hash. */
enum oriel_status oriel_key_table_map_hashed(struct oriel_key_table *table,
                                             const struct oriel_column *columns,
                                             const uint64_t *hashes, size_t row_count,
                                             uint32_t *ids, struct oriel_error *error);

/* Looks keys up without adding any: ORIEL_KEY_NONE where there is none. `scratch` of the table's
 * schema; with one each, several threads may look up at the same time. `hashes` may be NULL. */
void oriel_key_table_find(const struct oriel_key_table *table, struct oriel_key_block *scratch,
                          const struct oriel_column *columns, const uint64_t *hashes,
                          size_t row_count, uint32_t *ids);

/* Bytes that the table holds. */
size_t oriel_key_table_bytes(const struct oriel_key_table *table);
