/*
 * Gathers by the kernels, column by column. Filters, windows, partitions and sources use it.
 */
#include "engine/exec/gather.h"

#include "engine/base/assertion.h"
#include "kernels/kernels.h"

static void gather_values(const struct oriel_kernels *kernels, const struct oriel_column *column,
                          const uint32_t *rows, size_t row_count, void *out) {
    switch (oriel_physical_size(oriel_type_physical(&column->type))) {
    case 1: kernels->gather_8(column->values, rows, row_count, out); break;
    case 2: kernels->gather_16(column->values, rows, row_count, out); break;
    case 4: kernels->gather_32(column->values, rows, row_count, out); break;
    case 8: kernels->gather_64(column->values, rows, row_count, out); break;
    default: kernels->gather_128(column->values, rows, row_count, out); break;
    }
}

void oriel_gather_rows(const struct oriel_kernels *kernels, const struct oriel_column *columns,
                       uint32_t column_count, const uint32_t *rows, size_t row_count,
                       const struct oriel_column_buffers *buffers, struct oriel_column *out) {
    ORIEL_ASSERT(row_count <= buffers->capacity);
    for (uint32_t c = 0; c < column_count; c++) {
        out[c] = (struct oriel_column){
            .type = columns[c].type,
            .values = buffers->columns[c].values,
            .valid = columns[c].valid ? buffers->columns[c].valid : NULL,
        };
        gather_values(kernels, &columns[c], rows, row_count, out[c].values);
        if (columns[c].codes && buffers->codes && buffers->codes[c]) {
            kernels->gather_32(columns[c].codes, rows, row_count, buffers->codes[c]);
            out[c].codes = buffers->codes[c];
            out[c].dictionary = columns[c].dictionary;
        }
        if (out[c].valid)
            kernels->gather_bits(columns[c].valid, rows, row_count, out[c].valid);
    }
}

#define PICK(type)                                                                                 \
    do {                                                                                           \
        type *target = buffer->values;                                                             \
        for (size_t i = 0; i < count; i++)                                                         \
            target[i] = ((const type *)sources[picks[i].source][column].values)[picks[i].row];     \
    } while (0)

static bool pick_bits(const struct oriel_column *const *sources, uint32_t source_count,
                      uint32_t column, const struct oriel_pick *picks, size_t count,
                      uint64_t *out) {
    bool any = false;
    for (uint32_t i = 0; i < source_count; i++)
        any |= sources[i] && sources[i][column].valid;
    if (!any)
        return false;
    any = false;
    for (size_t i = 0; i < count; i++) {
        const int null = oriel_column_is_null(&sources[picks[i].source][column], picks[i].row);
        if (i % 64 == 0)
            out[i / 64] = 0;
        out[i / 64] |= (uint64_t)!null << (i % 64);
        any |= null;
    }
    return any;
}

void oriel_gather_picks(const struct oriel_column *const *sources, uint32_t source_count,
                        uint32_t column, const struct oriel_pick *picks, size_t count,
                        const struct oriel_column *buffer, struct oriel_column *out) {
    switch (oriel_physical_size(oriel_type_physical(&buffer->type))) {
    case 1: PICK(uint8_t); break;
    case 2: PICK(uint16_t); break;
    case 4: PICK(uint32_t); break;
    case 8: PICK(uint64_t); break;
    default: PICK(oriel_u128); break;
    }
    const bool nulls = pick_bits(sources, source_count, column, picks, count, buffer->valid);
    *out = (struct oriel_column){
        .type = buffer->type, .values = buffer->values, .valid = nulls ? buffer->valid : NULL};
}

static uint64_t bits_from(const uint64_t *words, size_t first, size_t count) {
    const size_t shift = first % 64;
    uint64_t out = words[first / 64] >> shift;
    if (shift && shift + count > 64)
        out |= words[first / 64 + 1] << (64 - shift);
    return out & oriel_bits_low(count);
}

void oriel_slice_columns(const struct oriel_column *columns, uint32_t column_count, size_t first,
                         size_t row_count, uint64_t *words, struct oriel_column *out) {
    ORIEL_ASSERT(first % 64 == 0 || row_count <= 64);
    for (uint32_t c = 0; c < column_count; c++) {
        const size_t width = oriel_physical_size(oriel_type_physical(&columns[c].type));
        out[c] = (struct oriel_column){
            .type = columns[c].type,
            .values = (char *)columns[c].values + first * width,
            .codes = columns[c].codes ? columns[c].codes + first : NULL,
            .dictionary = columns[c].dictionary,
        };
        if (columns[c].valid && first % 64 == 0) {
            out[c].valid = columns[c].valid + first / 64;
        } else if (columns[c].valid) {
            words[c] = bits_from(columns[c].valid, first, row_count);
            out[c].valid = &words[c];
        }
    }
}

size_t oriel_slice_rows(size_t batch_rows) {
    return batch_rows > 64 ? batch_rows / 64 * 64 : batch_rows;
}
