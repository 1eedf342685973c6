/*
 * Ids of keys that come as codes of a dictionary: looked up once for each code, so that a row costs
 * a load. Belongs to one key table.
 */
#pragma once

#include "engine/columns/batch.h"

struct oriel_key_table;

struct oriel_key_codes {
    uint64_t dictionary; /* its number; 0: none */
    uint32_t *ids;       /* of each entry, then of NULL; ORIEL_KEY_NONE: not looked up yet */
    size_t capacity;
    struct oriel_string *strings; /* room for the keys of a block that are looked up ... */
    uint32_t *codes;              /* ... their codes ... */
    uint32_t *found;              /* ... and their ids */
};

void oriel_key_codes_deinit(struct oriel_key_codes *codes, struct oriel_memory *memory);

/* Forgets all ids. */
void oriel_key_codes_clear(struct oriel_key_codes *codes);

/* What oriel_key_table_map does, for a table of one string column that has codes. The values of
 * the column are not looked at. */
enum oriel_status oriel_key_codes_map(struct oriel_key_table *table,
                                      const struct oriel_column *column, size_t row_count,
                                      uint32_t *ids, struct oriel_error *error);
