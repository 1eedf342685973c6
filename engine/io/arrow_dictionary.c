/*
 * Dictionaries are remembered by the buffers that they were made from. Numbers of any width become
 * codes of 32 bits, all of them checked; most often they are that already, and stay in their array.
 */
#include "engine/io/arrow_dictionary.h"

#include <string.h>

#include "engine/io/arrow_values.h"

/* A dictionary so many times larger than its array is not turned into strings as a whole. */
enum { DICTIONARY_ROWS_RATIO = 4 };

void oriel_arrow_dictionary_deinit(struct oriel_arrow_dictionary *dictionary) {
    if (!dictionary->memory)
        return;
    oriel_memory_release(dictionary->memory, dictionary->entries,
                         dictionary->entry_capacity * sizeof *dictionary->entries);
    oriel_memory_release(dictionary->memory, dictionary->codes,
                         dictionary->code_capacity * sizeof *dictionary->codes);
    *dictionary = (struct oriel_arrow_dictionary){0};
}

bool oriel_arrow_dictionary_pays(const struct ArrowArray *child, int64_t row_count) {
    const struct ArrowArray *values = child->dictionary;
    const bool has_null = values->null_count != 0 && values->buffers[0];
    return values->length > 0 && values->length <= INT32_MAX && !has_null &&
           values->length / DICTIONARY_ROWS_RATIO <= row_count;
}

static bool is_same(const struct oriel_arrow_dictionary *dictionary,
                    const struct ArrowArray *values) {
    return dictionary->strings.entry_count && dictionary->length == values->length &&
           dictionary->offset == values->offset && dictionary->buffers[0] == values->buffers[1] &&
           dictionary->buffers[1] == values->buffers[2];
}

enum oriel_status oriel_arrow_dictionary_enter(struct oriel_arrow_dictionary *dictionary,
                                               const struct oriel_arrow_column *column,
                                               const struct ArrowArray *child,
                                               struct oriel_error *error) {
    enum { STEP = 256 };
    const struct ArrowArray *values = child->dictionary;
    const size_t count = (size_t)values->length;
    int64_t rows[STEP];
    if (is_same(dictionary, values))
        return ORIEL_OK;
    dictionary->strings.entry_count = 0;
    if (count > dictionary->entry_capacity) {
        oriel_memory_release(dictionary->memory, dictionary->entries,
                             dictionary->entry_capacity * sizeof *dictionary->entries);
        dictionary->entry_capacity = 0;
        dictionary->entries =
            oriel_memory_allocate_zeroed(dictionary->memory, count, sizeof *dictionary->entries);
        if (!dictionary->entries)
            return oriel_error_memory(error);
        dictionary->entry_capacity = count;
    }
    for (size_t first = 0; first < count; first += STEP) {
        const size_t step = count - first < STEP ? count - first : STEP;
        struct oriel_column out = {.type = column->type.type,
                                   .values = dictionary->entries + first};
        for (size_t i = 0; i < step; i++)
            rows[i] = values->offset + (int64_t)(first + i);
        ORIEL_TRY(
            oriel_arrow_values_read(&column->type, values, column->name, rows, step, &out, error));
    }
    const uint64_t number =
        atomic_fetch_add_explicit(dictionary->dictionary_count, 1, memory_order_relaxed) + 1;
    dictionary->strings = (struct oriel_dictionary){number, (uint32_t)count, dictionary->entries};
    dictionary->offset = values->offset;
    dictionary->length = values->length;
    dictionary->buffers[0] = values->buffers[1];
    dictionary->buffers[1] = values->buffers[2];
    return ORIEL_OK;
}

/* Numbers that a code cannot be become UINT32_MAX, which no entry has. Buffers of others need not
 * be aligned. */
static inline __attribute__((always_inline)) void narrow_width(const char *from, size_t width,
                                                               bool is_signed, size_t count,
                                                               uint32_t *out) {
    const unsigned shift = 64 - 8 * (unsigned)width;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, from + i * width, width);
        const int64_t number = is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
        out[i] = number >= 0 && number <= INT32_MAX ? (uint32_t)number : UINT32_MAX;
    }
}

static void narrow(const struct oriel_arrow_type *indices, const char *from, size_t count,
                   uint32_t *out) {
    const bool is_signed = indices->layout == ORIEL_ARROW_SIGNED;
    switch (indices->width_bytes) {
    case 1: narrow_width(from, 1, is_signed, count, out); break;
    case 2: narrow_width(from, 2, is_signed, count, out); break;
    case 4: narrow_width(from, 4, is_signed, count, out); break;
    default: narrow_width(from, 8, is_signed, count, out); break;
    }
}

static enum oriel_status reserve_codes(struct oriel_arrow_dictionary *dictionary, size_t count,
                                       struct oriel_error *error) {
    if (count <= dictionary->code_capacity)
        return ORIEL_OK;
    uint32_t *codes =
        oriel_memory_resize(dictionary->memory, dictionary->codes,
                            dictionary->code_capacity * sizeof *codes, count * sizeof *codes);
    if (!codes)
        return oriel_error_memory(error);
    dictionary->codes = codes;
    dictionary->code_capacity = count;
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_codes_read(struct oriel_arrow_dictionary *dictionary,
                                         const struct oriel_arrow_type *indices,
                                         const struct ArrowArray *child, int64_t base, size_t count,
                                         struct oriel_column *out, struct oriel_error *error) {
    const uint32_t entry_count = dictionary->strings.entry_count;
    const char *from = (const char *)child->buffers[1] + base * (int64_t)indices->width_bytes;
    const uint32_t *codes = (const void *)from;
    if (indices->width_bytes != sizeof *codes || (uintptr_t)from % sizeof *codes || out->valid) {
        ORIEL_TRY(reserve_codes(dictionary, count, error));
        narrow(indices, from, count, dictionary->codes);
        for (size_t i = 0; out->valid && i < count; i++)
            dictionary->codes[i] = oriel_bits_get(out->valid, i) ? dictionary->codes[i] : 0;
        codes = dictionary->codes;
    }
    uint32_t greatest = 0;
    for (size_t i = 0; i < count; i++)
        greatest = codes[i] > greatest ? codes[i] : greatest;
    if (greatest >= entry_count)
        return ORIEL_OK;
    out->codes = codes;
    out->dictionary = &dictionary->strings;
    return ORIEL_OK;
}
