/*
 * Rows of a block whose codes have ids already need nothing but these; the codes of the others are
 * listed, looked up together as a block of strings, and remembered.
 */
#include "engine/exec/key_codes.h"

#include "engine/exec/key_table.h"

enum { BLOCK_ROWS = ORIEL_KEY_BLOCK_ROWS };

void oriel_key_codes_deinit(struct oriel_key_codes *codes, struct oriel_memory *memory) {
    oriel_memory_release(memory, codes->ids, codes->capacity * sizeof *codes->ids);
    oriel_memory_release(memory, codes->strings, BLOCK_ROWS * sizeof *codes->strings);
    oriel_memory_release(memory, codes->codes, BLOCK_ROWS * sizeof *codes->codes);
    oriel_memory_release(memory, codes->found, BLOCK_ROWS * sizeof *codes->found);
    *codes = (struct oriel_key_codes){0};
}

void oriel_key_codes_clear(struct oriel_key_codes *codes) {
    codes->dictionary = 0;
}

static enum oriel_status make_room(struct oriel_key_table *table, size_t count,
                                   struct oriel_error *error) {
    struct oriel_key_codes *codes = &table->codes;
    struct oriel_memory *memory = table->memory;
    if (count > codes->capacity) {
        oriel_memory_release(memory, codes->ids, codes->capacity * sizeof *codes->ids);
        codes->ids = oriel_memory_allocate(memory, count * sizeof *codes->ids);
        codes->capacity = codes->ids ? count : 0;
    }
    if (!codes->strings)
        codes->strings = oriel_memory_allocate(memory, BLOCK_ROWS * sizeof *codes->strings);
    if (!codes->codes)
        codes->codes = oriel_memory_allocate(memory, BLOCK_ROWS * sizeof *codes->codes);
    if (!codes->found)
        codes->found = oriel_memory_allocate(memory, BLOCK_ROWS * sizeof *codes->found);
    return codes->ids && codes->strings && codes->codes && codes->found ? ORIEL_OK
                                                                        : oriel_error_memory(error);
}

static enum oriel_status enter(struct oriel_key_table *table,
                               const struct oriel_dictionary *dictionary,
                               struct oriel_error *error) {
    struct oriel_key_codes *codes = &table->codes;
    const size_t count = (size_t)dictionary->entry_count + 1;
    if (codes->dictionary == dictionary->number)
        return ORIEL_OK;
    codes->dictionary = 0;
    ORIEL_TRY(make_room(table, count, error));
    for (size_t i = 0; i < count; i++)
        codes->ids[i] = ORIEL_KEY_NONE;
    codes->dictionary = dictionary->number;
    return ORIEL_OK;
}

static inline uint32_t code_at(const struct oriel_column *column, size_t row) {
    return oriel_bits_get(column->valid, row) ? column->codes[row]
                                              : column->dictionary->entry_count;
}

/* True when all rows have ids. */
static bool load(const struct oriel_key_codes *codes, const struct oriel_column *column,
                 size_t first, size_t end, uint32_t *ids) {
    uint32_t greatest = 0;
    if (!column->valid) {
        for (size_t i = first; i < end; i++) {
            ids[i] = codes->ids[column->codes[i]];
            greatest = ids[i] > greatest ? ids[i] : greatest;
        }
    } else {
        for (size_t i = first; i < end; i++) {
            ids[i] = codes->ids[code_at(column, i)];
            greatest = ids[i] > greatest ? ids[i] : greatest;
        }
    }
    return greatest != ORIEL_KEY_NONE;
}

/* Looks up the codes of the rows without an id; one that several rows have is listed once. */
static enum oriel_status learn(struct oriel_key_table *table, const struct oriel_column *column,
                               size_t first, size_t end, const uint32_t *ids,
                               struct oriel_error *error) {
    struct oriel_key_codes *codes = &table->codes;
    uint64_t valid[BLOCK_ROWS / 64];
    uint32_t count = 0;
    memset(valid, 0xFF, sizeof valid);
    for (size_t i = first; i < end; i++) {
        const uint32_t code = code_at(column, i);
        if (ids[i] != ORIEL_KEY_NONE || codes->ids[code] != ORIEL_KEY_NONE)
            continue;
        if (code < column->dictionary->entry_count)
            codes->strings[count] = column->dictionary->entries[code];
        else
            oriel_bits_clear(valid, count);
        codes->ids[code] = 0; /* listed */
        codes->codes[count++] = code;
    }
    const struct oriel_column keys = {
        .type = column->type, .values = codes->strings, .valid = valid};
    const enum oriel_status status =
        oriel_key_table_map_hashed(table, &keys, NULL, count, codes->found, error);
    for (uint32_t i = 0; i < count; i++)
        codes->ids[codes->codes[i]] = status == ORIEL_OK ? codes->found[i] : ORIEL_KEY_NONE;
    return status;
}

enum oriel_status oriel_key_codes_map(struct oriel_key_table *table,
                                      const struct oriel_column *column, size_t row_count,
                                      uint32_t *ids, struct oriel_error *error) {
    ORIEL_TRY(enter(table, column->dictionary, error));
    for (size_t first = 0; first < row_count; first += BLOCK_ROWS) {
        const size_t end = row_count - first < BLOCK_ROWS ? row_count : first + BLOCK_ROWS;
        if (load(&table->codes, column, first, end, ids))
            continue;
        ORIEL_TRY(learn(table, column, first, end, ids, error));
        load(&table->codes, column, first, end, ids);
    }
    return ORIEL_OK;
}
