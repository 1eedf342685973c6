/*
 * Decides once for each column how its values get into ours, and has a loop for each frequent way;
 * all else goes value by value through arrow_values.c.
 */
#include "engine/io/arrow_column.h"

#include <string.h>

#include "engine/base/civil.h"
#include "engine/io/arrow_text.h"
#include "kernels/kernels.h"

static int64_t power_of_ten(unsigned exponent) {
    int64_t power = 1;
    while (exponent--)
        power *= 10;
    return power;
}

static bool is_integer_layout(const struct oriel_arrow_type *type) {
    return type->layout == ORIEL_ARROW_SIGNED || type->layout == ORIEL_ARROW_UNSIGNED;
}

/* A column of 32 bits may be declared as narrow as its values are, since Parquet's smallest
 * integer has 32 bits; so may one of unsigned 64 bits, for want of a type. Each value is checked.
 */
static bool fit_integer(const struct oriel_arrow_type *type, const struct oriel_type *wanted) {
    const bool is_count = is_integer_layout(type) && (oriel_type_is_integer(&type->type) ||
                                                      type->type.id == ORIEL_TYPE_DECIMAL);
    if (!is_count)
        return false;
    if (wanted->id == ORIEL_TYPE_DECIMAL)
        return type->type.id == ORIEL_TYPE_DECIMAL && wanted->scale == 0 &&
               wanted->precision >= type->type.precision;
    const bool is_narrow = type->layout == ORIEL_ARROW_SIGNED && type->width_bytes == 4;
    return type->type.id == ORIEL_TYPE_DECIMAL ? wanted->id == ORIEL_TYPE_BIGINT
                                               : is_narrow || wanted->id >= type->type.id;
}

static bool fit_decimal(struct oriel_arrow_type *type, const struct oriel_type *wanted) {
    if (type->layout != ORIEL_ARROW_DECIMAL)
        return fit_integer(type, wanted);
    return wanted->scale >= type->type.scale &&
           wanted->precision - wanted->scale >= type->type.precision - type->type.scale;
}

static bool fit_timestamp(struct oriel_arrow_type *type, const struct oriel_type *wanted) {
    if (!oriel_type_is_timestamp(&type->type))
        return false;
    const unsigned physical = wanted->precision <= 3 ? 3 : 9;
    const unsigned kept =
        wanted->precision < type->type.precision ? wanted->precision : type->type.precision;
    type->divide = power_of_ten(type->type.precision - kept);
    type->multiply = power_of_ten(physical - kept);
    return true;
}

static bool is_bytes(const struct oriel_arrow_type *type) {
    return type->layout == ORIEL_ARROW_FIXED || type->layout == ORIEL_ARROW_OFFSETS_32 ||
           type->layout == ORIEL_ARROW_OFFSETS_64 || type->layout == ORIEL_ARROW_VIEWS;
}

static bool fit_type(struct oriel_arrow_type *type, const struct oriel_type *wanted) {
    switch (wanted->id) {
    case ORIEL_TYPE_TINYINT:
    case ORIEL_TYPE_SMALLINT:
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_BIGINT: return fit_integer(type, wanted);
    case ORIEL_TYPE_FLOAT: return type->type.id == ORIEL_TYPE_FLOAT;
    case ORIEL_TYPE_DOUBLE:
        return type->type.id == ORIEL_TYPE_FLOAT || type->type.id == ORIEL_TYPE_DOUBLE;
    case ORIEL_TYPE_DECIMAL: return fit_decimal(type, wanted);
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: type->is_text = true; return is_bytes(type);
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: type->is_text = false; return is_bytes(type);
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: return fit_timestamp(type, wanted);
    default: return type->type.id == wanted->id; /* BOOLEAN, DATE, TIME, intervals */
    }
}

/* Parts must fit one by one; those of a ROW have the same names in the same order. */
static bool fit_parts(struct oriel_arrow_column *column, const struct oriel_type *wanted) {
    if (column->type.type.id != wanted->id || column->child_count != wanted->field_count)
        return false;
    for (uint32_t i = 0; i < column->child_count; i++) {
        struct oriel_arrow_column *part = &column->children[i];
        if (wanted->id == ORIEL_TYPE_ROW &&
            strcmp(column->type.type.fields[i].name, wanted->fields[i].name) != 0)
            return false;
        if (!oriel_arrow_column_fit(part, &wanted->fields[i].type))
            return false;
        part->wanted = &wanted->fields[i].type;
    }
    return true;
}

bool oriel_arrow_column_fit(struct oriel_arrow_column *column, const struct oriel_type *wanted) {
    if (column->child_count)
        return fit_parts(column, wanted);
    return column->type.layout == ORIEL_ARROW_NULL ? wanted->id < ORIEL_TYPE_ARRAY
                                                   : fit_type(&column->type, wanted);
}

static enum oriel_arrow_way choose_way(const struct oriel_arrow_column *column,
                                       const struct oriel_type *wanted) {
    const struct oriel_arrow_type *type = &column->type;
    const enum oriel_physical physical = oriel_type_physical(wanted);
    const bool is_text = type->layout == ORIEL_ARROW_OFFSETS_32 ||
                         type->layout == ORIEL_ARROW_OFFSETS_64 ||
                         type->layout == ORIEL_ARROW_VIEWS;
    if (column->child_count)
        return ORIEL_ARROW_WAY_ANY;
    if (column->has_dictionary)
        return is_bytes(type) ? ORIEL_ARROW_WAY_DICTIONARY : ORIEL_ARROW_WAY_ANY;
    if (is_text)
        return ORIEL_ARROW_WAY_TEXT;
    const bool is_time = oriel_type_is_timestamp(wanted) && type->width_bytes == 8;
    const bool is_whole = type->divide == 1 && type->multiply == 1;
    if (is_time && physical == ORIEL_PHYSICAL_I128)
        return ORIEL_ARROW_WAY_SCALE_I128;
    if (is_time && !is_whole)
        return type->multiply == 1 ? ORIEL_ARROW_WAY_SCALE_I64 : ORIEL_ARROW_WAY_ANY;
    const bool is_number = type->layout == ORIEL_ARROW_SIGNED || type->layout == ORIEL_ARROW_FLOAT;
    return is_number && is_whole && wanted->id != ORIEL_TYPE_TIME &&
                   type->width_bytes == oriel_physical_size(physical)
               ? ORIEL_ARROW_WAY_COPY
               : ORIEL_ARROW_WAY_ANY;
}

void oriel_arrow_target_choose(struct oriel_arrow_target *target) {
    target->way = choose_way(&target->column, &target->wanted);
    oriel_arrow_target_reset(target);
}

void oriel_arrow_target_reset(struct oriel_arrow_target *target) {
    target->dictionary.strings.entry_count = 0;
}

void oriel_arrow_target_deinit(struct oriel_arrow_target *target) {
    oriel_arrow_dictionary_deinit(&target->dictionary);
}

/* Copies bits [first, first + count) to the begin of `out`; true when one of them is clear. Reads
 * no byte behind the last bit. */
static bool copy_validity(const struct ArrowArray *array, int64_t first, size_t count,
                          uint64_t *out) {
    const unsigned char *bits = array->buffers[0];
    if (!bits || array->null_count == 0 || !count)
        return false;
    const unsigned shift = (unsigned)(first % 8);
    const unsigned char *at = bits + first / 8;
    const size_t byte_count = (shift + count + 7) / 8, out_count = (count + 7) / 8;
    unsigned char *bytes = (unsigned char *)out;
    out[oriel_bits_word_count(count) - 1] = 0;
    for (size_t i = 0; i < out_count; i++) {
        const unsigned next = shift && i + 1 < byte_count ? at[i + 1] : 0;
        bytes[i] = (unsigned char)(at[i] >> shift | next << (8 - shift));
    }
    uint64_t missing = 0;
    for (size_t i = 0; i < count / 64; i++)
        missing |= ~out[i];
    return (missing | (count % 64 ? ~out[count / 64] & oriel_bits_low(count % 64) : 0)) != 0;
}

static void scale_to_i64(const struct oriel_arrow_type *type, const char *from, size_t count,
                         int64_t *out) {
    memcpy(out, from, count * sizeof *out);
    if (type->divide == 1000) {
        for (size_t i = 0; i < count; i++)
            out[i] = out[i] / 1000 - (out[i] % 1000 < 0);
    } else if (type->divide == 1000000) {
        for (size_t i = 0; i < count; i++)
            out[i] = out[i] / 1000000 - (out[i] % 1000000 < 0);
    } else {
        for (size_t i = 0; i < count; i++)
            out[i] = oriel_floor_div(out[i], type->divide);
    }
}

static void scale_to_i128(const struct oriel_arrow_type *type, const char *from, size_t count,
                          oriel_i128 *out) {
    for (size_t i = 0; i < count; i++) {
        int64_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        if (type->divide != 1)
            value = oriel_floor_div(value, type->divide);
        out[i] = (oriel_i128)value * type->multiply;
    }
}

/* Without codes when a number is out of range, which the slow way then names. */
static enum oriel_status read_codes(struct oriel_arrow_target *target,
                                    const struct ArrowArray *child, int64_t base, size_t count,
                                    struct oriel_column *out, struct oriel_error *error) {
    struct oriel_arrow_dictionary *dictionary = &target->dictionary;
    ORIEL_TRY(oriel_arrow_dictionary_enter(dictionary, &target->column, child, error));
    ORIEL_TRY(oriel_arrow_codes_read(dictionary, &target->column.indices, child, base, count, out,
                                     error));
    if (out->codes)
        target->kernels->gather_128((const uint64_t *)(const void *)dictionary->entries, out->codes,
                                    count, out->values);
    return ORIEL_OK;
}

static bool read_fast(struct oriel_arrow_target *target, const struct ArrowArray *array,
                      int64_t base, size_t count, const uint64_t *valid) {
    const struct oriel_arrow_type *type = &target->column.type;
    const char *from = (const char *)array->buffers[1] + base * (int64_t)type->width_bytes;
    switch (target->way) {
    case ORIEL_ARROW_WAY_COPY: memcpy(target->values, from, count * type->width_bytes); return true;
    case ORIEL_ARROW_WAY_SCALE_I64: scale_to_i64(type, from, count, target->values); return true;
    case ORIEL_ARROW_WAY_SCALE_I128: scale_to_i128(type, from, count, target->values); return true;
    case ORIEL_ARROW_WAY_TEXT:
        return oriel_arrow_texts_read(target->kernels, type, array, base, count, valid,
                                      target->values);
    case ORIEL_ARROW_WAY_DICTIONARY:
    case ORIEL_ARROW_WAY_ANY: break;
    }
    return false;
}

/* Lets the column point into the array; false when its values must be moved to be aligned. */
static bool borrow_values(const struct oriel_arrow_target *target, const struct ArrowArray *array,
                          int64_t base, struct oriel_column *out) {
    const uint32_t width = target->column.type.width_bytes;
    const char *from = (const char *)array->buffers[1] + base * (int64_t)width;
    if ((uintptr_t)from % width)
        return false;
    out->values = (void *)(uintptr_t)from;
    return true;
}

enum oriel_status oriel_arrow_target_read(struct oriel_arrow_target *target,
                                          const struct ArrowArray *array, uint32_t index,
                                          size_t first, size_t count, int64_t *rows,
                                          struct oriel_column *out, struct oriel_error *error) {
    const struct ArrowArray *child = array->children[index];
    const int64_t base = array->offset + child->offset + (int64_t)first;
    *out = (struct oriel_column){
        .type = target->wanted, .values = target->values, .valid = target->valid};
    enum oriel_arrow_way way = target->way;
    if (way == ORIEL_ARROW_WAY_DICTIONARY && !oriel_arrow_dictionary_pays(child, array->length))
        way = ORIEL_ARROW_WAY_ANY;
    if (way != ORIEL_ARROW_WAY_ANY) {
        if (!copy_validity(child, base, count, target->valid))
            out->valid = NULL;
        if (way == ORIEL_ARROW_WAY_DICTIONARY)
            ORIEL_TRY(read_codes(target, child, base, count, out, error));
        if (out->codes || (way == ORIEL_ARROW_WAY_COPY && borrow_values(target, child, base, out)))
            return ORIEL_OK;
        if (read_fast(target, child, base, count, out->valid))
            return ORIEL_OK;
        out->valid = target->valid;
    }
    return oriel_arrow_column_read(array, index, &target->column, first, count, rows, target->arena,
                                   out, error);
}
