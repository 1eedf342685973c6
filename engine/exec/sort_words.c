/*
 * Encodes rows as sort words and compares them. Descending items have all bits of their words
 * turned; where NULL stands is in a flag of its own, which they do not turn.
 */
#include "engine/exec/sort_words.h"

#include <string.h>

#include "engine/exec/row_key.h"

enum { STRING_BYTES = 15, LONG_STRING = ORIEL_SORT_LONG_STRING };

static enum oriel_sort_form form_of(const struct oriel_type *type) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I8:
    case ORIEL_PHYSICAL_I16:
    case ORIEL_PHYSICAL_I32:
    case ORIEL_PHYSICAL_F32: return ORIEL_SORT_NARROW;
    case ORIEL_PHYSICAL_I64:
    case ORIEL_PHYSICAL_F64: return ORIEL_SORT_64;
    case ORIEL_PHYSICAL_I128: return ORIEL_SORT_128;
    case ORIEL_PHYSICAL_STRING: return ORIEL_SORT_STRING;
    case ORIEL_PHYSICAL_NESTED: break;
    }
    return ORIEL_SORT_NESTED;
}

static uint32_t value_words(enum oriel_sort_form form) {
    switch (form) {
    case ORIEL_SORT_NARROW:
    case ORIEL_SORT_64: return 1;
    case ORIEL_SORT_128:
    case ORIEL_SORT_STRING: return 2;
    case ORIEL_SORT_NESTED: break;
    }
    return 0;
}

enum oriel_status oriel_sort_layout_make(struct oriel_sort_layout *layout,
                                         struct oriel_arena *arena, struct oriel_schema schema,
                                         const struct oriel_sort_item *items, uint32_t item_count,
                                         struct oriel_error *error) {
    *layout = (struct oriel_sort_layout){.part_count = item_count, .exact = true};
    layout->parts = oriel_arena_allocate_zeroed(arena, item_count, sizeof *layout->parts);
    if (!layout->parts)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < item_count; i++) {
        const struct oriel_type *type = &schema.fields[items[i].column].type;
        struct oriel_sort_part *part = &layout->parts[i];
        part->item = items[i];
        part->form = form_of(type);
        part->flag = type->nullable && part->form != ORIEL_SORT_NARROW;
        part->first_word = layout->word_count;
        part->word_count = value_words(part->form) + part->flag;
        layout->word_count += part->word_count;
        if (part->form == ORIEL_SORT_STRING || part->form == ORIEL_SORT_NESTED)
            layout->exact = false;
    }
    if (layout->word_count == 0)
        layout->word_count = 1; /* a word that is always 0 */
    return ORIEL_OK;
}

struct oriel_sort_layout oriel_sort_layout_prefix(const struct oriel_sort_layout *layout,
                                                  uint32_t part_count) {
    struct oriel_sort_layout out = {
        .part_count = part_count, .exact = true, .parts = layout->parts};
    for (uint32_t p = 0; p < part_count; p++) {
        const struct oriel_sort_part *part = &layout->parts[p];
        out.word_count += part->word_count;
        out.exact &= part->form != ORIEL_SORT_STRING && part->form != ORIEL_SORT_NESTED;
    }
    if (out.word_count == 0)
        out.word_count = 1;
    return out;
}

static uint64_t word_of_i64(int64_t value) {
    return (uint64_t)value ^ (UINT64_C(1) << 63);
}

static uint64_t word_of_f64(double value) {
    uint64_t bits;
    value = oriel_row_key_normal_f64(value);
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint32_t narrow_value(const struct oriel_column *column, size_t row) {
    const uint32_t sign = UINT32_C(1) << 31;
    switch (oriel_type_physical(&column->type)) {
    case ORIEL_PHYSICAL_I8: return (uint32_t)((const int8_t *)column->values)[row] ^ sign;
    case ORIEL_PHYSICAL_I16: return (uint32_t)((const int16_t *)column->values)[row] ^ sign;
    case ORIEL_PHYSICAL_I32: return (uint32_t)((const int32_t *)column->values)[row] ^ sign;
    default: break;
    }
    uint32_t bits;
    const float value = oriel_row_key_normal_f32(((const float *)column->values)[row]);
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | sign;
}

static void string_words(const struct oriel_string *value, uint64_t words[2]) {
    unsigned char bytes[16] = {0};
    const uint32_t length = value->length < STRING_BYTES ? value->length : STRING_BYTES;
    memcpy(bytes, oriel_string_bytes(value), length);
    bytes[STRING_BYTES] =
        (unsigned char)(value->length <= STRING_BYTES ? value->length : LONG_STRING);
    memcpy(words, bytes, sizeof bytes);
    words[0] = __builtin_bswap64(words[0]);
    words[1] = __builtin_bswap64(words[1]);
}

/* The words of one value that is not NULL. */
static void encode_value(const struct oriel_sort_part *part, const struct oriel_column *column,
                         size_t row, uint64_t *words) {
    switch (part->form) {
    case ORIEL_SORT_64:
        words[0] = column->type.id == ORIEL_TYPE_DOUBLE
                       ? word_of_f64(((const double *)column->values)[row])
                       : word_of_i64(((const int64_t *)column->values)[row]);
        break;
    case ORIEL_SORT_128: {
        const oriel_i128 value = ((const oriel_i128 *)column->values)[row];
        words[0] = word_of_i64((int64_t)(value >> 64));
        words[1] = (uint64_t)value;
        break;
    }
    case ORIEL_SORT_STRING: string_words(oriel_column_strings(column) + row, words); break;
    case ORIEL_SORT_NARROW:
    case ORIEL_SORT_NESTED: return;
    }
    if (part->item.descending)
        for (uint32_t k = 0; k < part->word_count - part->flag; k++)
            words[k] = ~words[k];
}

static uint64_t narrow_word(const struct oriel_sort_part *part, const struct oriel_column *column,
                            size_t row) {
    if (oriel_column_is_null(column, row))
        return part->item.nulls_first ? 0 : UINT64_MAX;
    const uint32_t value = narrow_value(column, row);
    return (UINT64_C(1) << 32) + (part->item.descending ? ~value : value);
}

static void encode_any(const struct oriel_sort_part *part, const struct oriel_column *column,
                       const uint32_t *rows, size_t first, size_t count, size_t stride,
                       uint64_t *words) {
    for (size_t i = 0; i < count; i++) {
        const size_t row = rows ? rows[i] : first + i;
        uint64_t *out = words + i * stride;
        if (part->form == ORIEL_SORT_NARROW) {
            out[0] = narrow_word(part, column, row);
            continue;
        }
        const int null = oriel_column_is_null(column, row);
        if (part->flag)
            *out++ = null != part->item.nulls_first;
        if (null)
            memset(out, 0, (part->word_count - part->flag) * sizeof *out);
        else
            encode_value(part, column, row, out);
    }
}

/* The usual columns without NULLs, with nothing to decide in the loop. */
static void encode_i64(const struct oriel_column *column, const uint32_t *rows, size_t first,
                       size_t count, size_t stride, uint64_t turn, uint64_t *words) {
    const int64_t *values = column->values;
    for (size_t i = 0; i < count; i++)
        words[i * stride] = word_of_i64(values[rows ? rows[i] : first + i]) ^ turn;
}

static void encode_i32(const struct oriel_column *column, const uint32_t *rows, size_t first,
                       size_t count, size_t stride, uint32_t turn, uint64_t *words) {
    const uint32_t *values = column->values;
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = values[rows ? rows[i] : first + i] ^ UINT32_C(1) << 31 ^ turn;
        words[i * stride] = (UINT64_C(1) << 32) + value;
    }
}

static void encode_string(const struct oriel_column *column, const uint32_t *rows, size_t first,
                          size_t count, size_t stride, uint64_t turn, uint64_t *words) {
    const struct oriel_string *values = column->values;
    for (size_t i = 0; i < count; i++) {
        uint64_t *out = words + i * stride;
        string_words(&values[rows ? rows[i] : first + i], out);
        out[0] ^= turn;
        out[1] ^= turn;
    }
}

static void encode_part(const struct oriel_sort_part *part, const struct oriel_column *column,
                        const uint32_t *rows, size_t first, size_t count, size_t stride,
                        uint64_t *words) {
    const enum oriel_physical physical = oriel_type_physical(&column->type);
    const uint64_t turn = part->item.descending ? UINT64_MAX : 0;
    if (column->valid || (physical != ORIEL_PHYSICAL_I32 && physical != ORIEL_PHYSICAL_I64 &&
                          physical != ORIEL_PHYSICAL_STRING)) {
        encode_any(part, column, rows, first, count, stride, words);
        return;
    }
    if (part->flag) {
        for (size_t i = 0; i < count; i++)
            words[i * stride] = part->item.nulls_first;
        words++;
    }
    if (physical == ORIEL_PHYSICAL_I64)
        encode_i64(column, rows, first, count, stride, turn, words);
    else if (physical == ORIEL_PHYSICAL_I32)
        encode_i32(column, rows, first, count, stride, (uint32_t)turn, words);
    else
        encode_string(column, rows, first, count, stride, turn, words);
}

void oriel_sort_encode(const struct oriel_sort_layout *layout, const struct oriel_column *columns,
                       const uint32_t *rows, size_t first, size_t count, uint64_t *words) {
    const size_t stride = layout->word_count;
    if (layout->part_count == 0 || stride == 1)
        memset(words, 0, count * stride * sizeof *words);
    for (uint32_t p = 0; p < layout->part_count; p++) {
        const struct oriel_sort_part *part = &layout->parts[p];
        if (part->word_count)
            encode_part(part, &columns[part->item.column], rows, first, count, stride,
                        words + part->first_word);
    }
}

/* Parts whose words are equal: the rest of long strings, nested values. */
static int compare_rest(const struct oriel_sort_part *part, const struct oriel_sort_row *a,
                        uint32_t other_column, const struct oriel_sort_row *b) {
    const struct oriel_column *column_a = &a->columns[part->item.column];
    const struct oriel_column *column_b = &b->columns[other_column];
    if (oriel_column_is_null(column_a, a->row))
        return 0; /* then both are: the flag says so */
    if (part->form == ORIEL_SORT_STRING &&
        !oriel_sort_is_cut(part, a->words[part->first_word + part->word_count - 1]))
        return 0;
    const int order = oriel_column_compare(column_a, a->row, column_b, b->row);
    return part->item.descending ? -order : order;
}

int oriel_sort_compare(const struct oriel_sort_layout *layout, const struct oriel_sort_row *a,
                       const struct oriel_sort_row *b) {
    return oriel_sort_compare_sides(layout, a, layout, b);
}

int oriel_sort_compare_sides(const struct oriel_sort_layout *layout, const struct oriel_sort_row *a,
                             const struct oriel_sort_layout *other,
                             const struct oriel_sort_row *b) {
    if (layout->exact) {
        for (uint32_t k = 0; k < layout->word_count; k++)
            if (a->words[k] != b->words[k])
                return a->words[k] < b->words[k] ? -1 : 1;
        return 0;
    }
    for (uint32_t p = 0; p < layout->part_count; p++) {
        const struct oriel_sort_part *part = &layout->parts[p];
        for (uint32_t k = part->first_word; k < part->first_word + part->word_count; k++)
            if (a->words[k] != b->words[k])
                return a->words[k] < b->words[k] ? -1 : 1;
        if (part->form == ORIEL_SORT_STRING || part->form == ORIEL_SORT_NESTED) {
            const int order = compare_rest(part, a, other->parts[p].item.column, b);
            if (order)
                return order;
        }
    }
    return 0;
}
