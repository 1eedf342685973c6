/*
 * Packed rows: the widths of the columns, and the kernels at their places.
 */
#include "engine/exec/packed_rows.h"

#include <string.h>

#include "kernels/kernels.h"

static uint32_t width_of(uint64_t range) {
    return range == 0            ? 0
           : range <= UINT8_MAX  ? 1
           : range <= UINT16_MAX ? 2
           : range <= UINT32_MAX ? 4
                                 : 8;
}

size_t oriel_packed_rows_plan(const struct oriel_kernels *kernels, const uint64_t *words,
                              size_t room, uint32_t row_count, uint32_t column_count,
                              struct oriel_packed_column *columns) {
    size_t offset = sizeof(struct oriel_packed_rows) + column_count * sizeof *columns;
    for (uint32_t c = 0; c < column_count; c++) {
        int64_t bounds[2] = {0, 0};
        kernels->min_max_i64((const int64_t *)words + c * room, NULL, row_count, bounds);
        columns[c].base = (uint64_t)bounds[0];
        columns[c].width = width_of((uint64_t)bounds[1] - (uint64_t)bounds[0]);
        columns[c].offset = (uint32_t)offset;
        offset += ((size_t)row_count * columns[c].width + 7) & ~(size_t)7;
    }
    return offset;
}

void oriel_packed_rows_write(const struct oriel_kernels *kernels, const uint64_t *words,
                             size_t room, uint32_t row_count, uint32_t column_count,
                             const struct oriel_packed_column *columns,
                             struct oriel_packed_rows *out) {
    out->row_count = row_count;
    out->column_count = column_count;
    memcpy(out->columns, columns, column_count * sizeof *columns);
    for (uint32_t c = 0; c < column_count; c++) {
        if (columns[c].width)
            kernels->pack_u64(words + c * room, row_count, columns[c].base, columns[c].width,
                              (char *)out + columns[c].offset);
    }
}

void oriel_packed_rows_read(const struct oriel_kernels *kernels,
                            const struct oriel_packed_rows *rows, uint32_t column, size_t stride,
                            uint64_t *values) {
    const struct oriel_packed_column *from = &rows->columns[column];
    kernels->unpack_u64((const char *)rows + from->offset, rows->row_count, from->base, from->width,
                        stride, values);
}

void oriel_packed_rows_read_part(const struct oriel_kernels *kernels,
                                 const struct oriel_packed_rows *rows, uint32_t column,
                                 uint32_t begin, uint32_t row_count, uint64_t *values) {
    const struct oriel_packed_column *from = &rows->columns[column];
    const char *packed = (const char *)rows + from->offset + (size_t)begin * from->width;
    kernels->unpack_u64(packed, row_count, from->base, from->width, 1, values);
}
