/*
 * Rows of 64-bit words in as few bytes as they need: column by column the difference to the least
 * value, in 0, 1, 2, 4 or 8 bytes. For what is written once and read back whole: fresh memory costs
 * more than the arithmetic.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct oriel_kernels;

struct oriel_packed_column {
    uint64_t base;
    uint32_t offset; /* of its values, in bytes from the start of the rows */
    uint32_t width;
};

struct oriel_packed_rows {
    uint32_t row_count; /* at most ORIEL_PACKED_ROWS_MAX */
    uint32_t column_count;
    struct oriel_packed_column columns[]; /* then the values */
};

enum { ORIEL_PACKED_ROWS_MAX = 1 << 20, ORIEL_PACKED_COLUMNS_MAX = 256 };

/* Column c of the rows to pack is words[c * room] .. words[c * room + row_count - 1]. Fills
 * `columns` and returns the bytes that the packed rows will take. */
size_t oriel_packed_rows_plan(const struct oriel_kernels *kernels, const uint64_t *words,
                              size_t room, uint32_t row_count, uint32_t column_count,
                              struct oriel_packed_column *columns);

/* Packs into `out`, aligned to 8 bytes, which has as many bytes as the plan said. */
void oriel_packed_rows_write(const struct oriel_kernels *kernels, const uint64_t *words,
                             size_t room, uint32_t row_count, uint32_t column_count,
                             const struct oriel_packed_column *columns,
                             struct oriel_packed_rows *out);

/* values[i * stride] = row i of a column. */
void oriel_packed_rows_read(const struct oriel_kernels *kernels,
                            const struct oriel_packed_rows *rows, uint32_t column, size_t stride,
                            uint64_t *values);

/* values[i] = row begin + i of a column. */
void oriel_packed_rows_read_part(const struct oriel_kernels *kernels,
                                 const struct oriel_packed_rows *rows, uint32_t column,
                                 uint32_t begin, uint32_t row_count, uint64_t *values);

/* One value. */
static inline uint64_t oriel_packed_rows_at(const struct oriel_packed_rows *rows, uint32_t column,
                                            uint32_t row) {
    const struct oriel_packed_column *from = &rows->columns[column];
    const void *values = (const char *)rows + from->offset;
    switch (from->width) {
    case 0: return from->base;
    case 1: return from->base + ((const uint8_t *)values)[row];
    case 2: return from->base + ((const uint16_t *)values)[row];
    case 4: return from->base + ((const uint32_t *)values)[row];
    default: return from->base + ((const uint64_t *)values)[row];
    }
}
