/*
 * Columns and batches: what flows between sources, operators and writers.
 *
 * A column is an array of physical values with optional validity words. Every buffer is 64-byte
 * aligned with ORIEL_BUFFER_PADDING readable and writable bytes behind it. Values of null rows are
 * defined (any bits may stand there, but they were written) and must not influence results.
 * A batch borrows its columns: it is valid during the push that hands it over, no longer; an
 * operator that keeps rows copies them, strings included.
 */
#pragma once

#include "engine/base/arena.h"
#include "engine/base/bits.h"
#include "engine/base/status.h"
#include "engine/base/text.h"
#include "engine/columns/type.h"

enum { ORIEL_BATCH_ROWS_DEFAULT = 4096, ORIEL_BATCH_ROWS_MAX = 65536 };

/* Strings that rows refer to by number. Two of them may be equal. */
struct oriel_dictionary {
    uint64_t number; /* above 0; no other dictionary of the engine has it */
    uint32_t entry_count;
    const struct oriel_string *entries;
};

struct oriel_column {
    struct oriel_type type;
    void *values;    /* row_count values of oriel_type_physical(&type) */
    uint64_t *valid; /* a bit a row; NULL: no row is null */
    /* Of strings that come from a dictionary, else both NULL: the value of row i, unless it is
     * null, is entry codes[i]. Codes of null rows are any below entry_count. Whoever makes other
     * values for the rows leaves them out. */
    const uint32_t *codes;
    const struct oriel_dictionary *dictionary;
};

/* Where rows stand in a file, for messages: row i begins at byte offset_base + offsets[i * stride]
 * + 1, modulo 2^32 in the sum of the latter two. */
struct oriel_place {
    const char *file;
    uint64_t offset_base;
    const uint32_t *offsets;
    size_t stride;
};

struct oriel_batch {
    size_t row_count;
    uint32_t column_count;
    const struct oriel_column *columns;
    uint64_t first_row; /* place of row 0 in the input order: rises within and between morsels */
    const struct oriel_place *place; /* of a batch of a file, or NULL */
};

static inline int oriel_column_is_null(const struct oriel_column *column, size_t row) {
    return !oriel_bits_get(column->valid, row);
}

static inline const struct oriel_string *oriel_column_strings(const struct oriel_column *column) {
    return column->values;
}

/*
 * Buffers for the columns of a schema, owned by `memory`: `capacity` rows each, with validity
 * words. Strings point wherever their producer says.
 */
struct oriel_column_buffers {
    struct oriel_memory *memory;
    size_t capacity;
    uint32_t column_count;
    struct oriel_column *columns; /* `valid` points to the words, also when there is no null */
    uint32_t **codes;             /* of each column: room for `capacity` codes, or NULL */
};

enum oriel_status oriel_column_buffers_init(struct oriel_column_buffers *buffers,
                                            struct oriel_memory *memory,
                                            const struct oriel_schema *schema, size_t capacity,
                                            struct oriel_error *error);
void oriel_column_buffers_deinit(struct oriel_column_buffers *buffers);

/* Makes room for codes where `columns`, as many as the buffers have, come with codes. */
enum oriel_status oriel_column_buffers_keep_codes(struct oriel_column_buffers *buffers,
                                                  const struct oriel_column *columns,
                                                  struct oriel_error *error);

/* Clears the validity bit of a row whose column has words of its own, and zeroes the value. */
void oriel_column_set_null(struct oriel_column *column, size_t row);

/*
 * Rows that are kept: grows without bound (but the memory limit) and owns its strings and nested
 * values. Appends copy. `columns` of a table can be used as those of a batch.
 */
struct oriel_table {
    struct oriel_memory *memory;
    struct oriel_schema schema; /* borrowed */
    size_t row_count;
    size_t capacity;
    struct oriel_column *columns; /* NULL before the first append; `valid` is NULL until a null
                                     comes */
    struct oriel_arena arena;     /* strings longer than 12 bytes, nested values */
};

void oriel_table_init(struct oriel_table *table, struct oriel_memory *memory,
                      struct oriel_schema schema);
void oriel_table_deinit(struct oriel_table *table);

/* Appends rows [first, first + count) of `batch`, or rows[first] .. rows[first + count - 1] if
 * `rows` is not NULL. When it fails the table keeps the rows that it had. Strings of null rows are
 * not looked at. */
enum oriel_status oriel_table_append(struct oriel_table *table, const struct oriel_batch *batch,
                                     const uint32_t *rows, size_t first, size_t count,
                                     struct oriel_error *error);

/* Takes the last `count` rows off and writes the i-th of them over row places[i], which is before
 * them; what the old values pointed to stays in the arena. */
void oriel_table_replace(struct oriel_table *table, const uint32_t *places, size_t count);

/* Forgets the rows, keeps the buffers. */
void oriel_table_clear(struct oriel_table *table);

/* Rows of one value, in order by bytes or numbers: NULL lowest, NaN largest, -0.0 equal to 0.0,
 * strings by UTF-8 bytes. <0, 0, >0. The columns have the same type. */
int oriel_column_compare(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                         size_t row_b);
