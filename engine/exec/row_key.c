/*
 * Hashes, equality and order of composite keys, column by column: numbers are brought to the width
 * and the normal form that the hash kernels take, so that equal values have equal hashes.
 */
#include "engine/exec/row_key.h"

#include <math.h>

#include "kernels/kernels.h"

enum { BLOCK_ROWS = 1024 };

double oriel_row_key_normal_f64(double value) {
    if (isnan(value))
        return (double)NAN;
    return value + 0.0; /* -0.0 + 0.0 is 0.0 */
}

float oriel_row_key_normal_f32(float value) {
    if (isnan(value))
        return (float)NAN;
    return value + 0.0f;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    const oriel_u128 product =
        (oriel_u128)(hash ^ value ^ UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t nested_hash(const struct oriel_type *type, const struct oriel_nested *nested);

/* The hash of a value inside a nested one; it lies at the start of its slot. */
static uint64_t slot_hash(const struct oriel_type *type, const oriel_u128 *slot) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_STRING: {
        struct oriel_string value;
        memcpy(&value, slot, sizeof value);
        const char *bytes = oriel_string_bytes(&value);
        uint64_t hash = value.length;
        for (uint32_t i = 0; i < value.length; i++)
            hash = mix(hash, (unsigned char)bytes[i]);
        return hash;
    }
    case ORIEL_PHYSICAL_NESTED: {
        const struct oriel_nested *inner;
        memcpy(&inner, slot, sizeof inner);
        return nested_hash(type, inner);
    }
    case ORIEL_PHYSICAL_F64: {
        double value;
        memcpy(&value, slot, sizeof value);
        uint64_t bits;
        value = oriel_row_key_normal_f64(value);
        memcpy(&bits, &value, sizeof bits);
        return mix(1, bits);
    }
    case ORIEL_PHYSICAL_F32: {
        float value;
        memcpy(&value, slot, sizeof value);
        uint32_t bits;
        value = oriel_row_key_normal_f32(value);
        memcpy(&bits, &value, sizeof bits);
        return mix(2, bits);
    }
    case ORIEL_PHYSICAL_I8:
    case ORIEL_PHYSICAL_I16:
    case ORIEL_PHYSICAL_I32:
    case ORIEL_PHYSICAL_I64:
    case ORIEL_PHYSICAL_I128: {
        uint64_t words[2] = {0, 0};
        memcpy(words, slot, oriel_physical_size(oriel_type_physical(type)));
        return mix(mix(3, words[0]), words[1]);
    }
    }
    return 0;
}

static uint64_t nested_hash(const struct oriel_type *type, const struct oriel_nested *nested) {
    const bool pairs = type->id == ORIEL_TYPE_MAP;
    const size_t slot_count = pairs ? (size_t)nested->count * 2 : nested->count;
    uint64_t hash = nested->count;
    for (size_t i = 0; i < slot_count; i++) {
        const size_t child = type->id == ORIEL_TYPE_ROW ? i : pairs ? i % 2 : 0;
        if (!oriel_bits_get(nested->valid, i))
            hash = mix(hash, UINT64_C(0xa5a5a5a5a5a5a5a5));
        else
            hash = mix(hash, slot_hash(&type->fields[child].type, &nested->slots[i]));
    }
    return hash;
}

static void widen(const struct oriel_column *column, size_t first, size_t count, int64_t *out) {
    switch (oriel_type_physical(&column->type)) {
    case ORIEL_PHYSICAL_I8: {
        const int8_t *values = (const int8_t *)column->values + first;
        for (size_t i = 0; i < count; i++)
            out[i] = values[i];
        break;
    }
    case ORIEL_PHYSICAL_I16: {
        const int16_t *values = (const int16_t *)column->values + first;
        for (size_t i = 0; i < count; i++)
            out[i] = values[i];
        break;
    }
    case ORIEL_PHYSICAL_F32: {
        const float *values = (const float *)column->values + first;
        for (size_t i = 0; i < count; i++) {
            const float value = oriel_row_key_normal_f32(values[i]);
            int32_t bits;
            memcpy(&bits, &value, sizeof bits);
            out[i] = bits;
        }
        break;
    }
    case ORIEL_PHYSICAL_F64: {
        const double *values = (const double *)column->values + first;
        for (size_t i = 0; i < count; i++) {
            const double value = oriel_row_key_normal_f64(values[i]);
            memcpy(&out[i], &value, sizeof value);
        }
        break;
    }
    default: {
        const struct oriel_nested *const *values =
            (const struct oriel_nested *const *)column->values + first;
        for (size_t i = 0; i < count; i++)
            out[i] = oriel_column_is_null(column, first + i)
                         ? 0
                         : (int64_t)nested_hash(&column->type, values[i]);
        break;
    }
    }
}

static void hash_column(const struct oriel_kernels *kernels, const struct oriel_column *column,
                        size_t first, size_t count, enum oriel_hash_mode mode, uint64_t *hashes) {
    const uint64_t *valid = column->valid ? column->valid + first / 64 : NULL;
    switch (oriel_type_physical(&column->type)) {
    case ORIEL_PHYSICAL_I32:
        kernels->hash_i32((const int32_t *)column->values + first, valid, count, mode, hashes);
        break;
    case ORIEL_PHYSICAL_I64:
        kernels->hash_i64((const int64_t *)column->values + first, valid, count, mode, hashes);
        break;
    case ORIEL_PHYSICAL_I128:
        kernels->hash_i128((const uint64_t *)column->values + first * 2, valid, count, mode,
                           hashes);
        break;
    case ORIEL_PHYSICAL_STRING:
        kernels->hash_string((const struct oriel_kernel_string *)column->values + first, valid,
                             count, mode, hashes);
        break;
    case ORIEL_PHYSICAL_I8:
    case ORIEL_PHYSICAL_I16:
    case ORIEL_PHYSICAL_F32:
    case ORIEL_PHYSICAL_F64:
    case ORIEL_PHYSICAL_NESTED: {
        int64_t wide[BLOCK_ROWS];
        widen(column, first, count, wide);
        kernels->hash_i64(wide, valid, count, mode, hashes);
        break;
    }
    }
}

void oriel_row_key_hash(const struct oriel_kernels *kernels, const struct oriel_column *columns,
                        uint32_t column_count, size_t row_count, uint64_t *hashes) {
    for (size_t first = 0; first < row_count; first += BLOCK_ROWS) {
        const size_t left = row_count - first;
        const size_t count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        if (column_count == 0)
            memset(hashes + first, 0, count * sizeof *hashes);
        for (uint32_t c = 0; c < column_count; c++)
            hash_column(kernels, &columns[c], first, count, c ? ORIEL_HASH_COMBINE : ORIEL_HASH_SET,
                        hashes + first);
    }
}

static bool values_equal(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                         size_t row_b) {
    switch (oriel_type_physical(&a->type)) {
    case ORIEL_PHYSICAL_I8:
        return ((const int8_t *)a->values)[row_a] == ((const int8_t *)b->values)[row_b];
    case ORIEL_PHYSICAL_I16:
        return ((const int16_t *)a->values)[row_a] == ((const int16_t *)b->values)[row_b];
    case ORIEL_PHYSICAL_I32:
        return ((const int32_t *)a->values)[row_a] == ((const int32_t *)b->values)[row_b];
    case ORIEL_PHYSICAL_I64:
        return ((const int64_t *)a->values)[row_a] == ((const int64_t *)b->values)[row_b];
    case ORIEL_PHYSICAL_I128:
        return ((const oriel_i128 *)a->values)[row_a] == ((const oriel_i128 *)b->values)[row_b];
    case ORIEL_PHYSICAL_F32: {
        const float x = ((const float *)a->values)[row_a], y = ((const float *)b->values)[row_b];
        return x == y || (isnan(x) && isnan(y));
    }
    case ORIEL_PHYSICAL_F64: {
        const double x = ((const double *)a->values)[row_a], y = ((const double *)b->values)[row_b];
        return x == y || (isnan(x) && isnan(y));
    }
    case ORIEL_PHYSICAL_STRING:
        return oriel_string_equal(oriel_column_strings(a) + row_a, oriel_column_strings(b) + row_b);
    case ORIEL_PHYSICAL_NESTED: return oriel_column_compare(a, row_a, b, row_b) == 0;
    }
    return false;
}

bool oriel_row_key_equal(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                         size_t row_b, uint32_t column_count) {
    for (uint32_t c = 0; c < column_count; c++) {
        const int null_a = oriel_column_is_null(&a[c], row_a);
        if (null_a != oriel_column_is_null(&b[c], row_b))
            return false;
        if (!null_a && !values_equal(&a[c], row_a, &b[c], row_b))
            return false;
    }
    return true;
}

int oriel_row_key_order(const struct oriel_column *a, size_t row_a, const struct oriel_column *b,
                        size_t row_b, const struct oriel_sort_item *items, uint32_t item_count) {
    for (uint32_t i = 0; i < item_count; i++) {
        const struct oriel_column *column_a = &a[items[i].column];
        const struct oriel_column *column_b = &b[items[i].column];
        const int null_a = oriel_column_is_null(column_a, row_a);
        const int null_b = oriel_column_is_null(column_b, row_b);
        if (null_a && null_b)
            continue;
        if (null_a || null_b)
            return null_a == items[i].nulls_first ? -1 : 1;
        const int order = oriel_column_compare(column_a, row_a, column_b, row_b);
        if (order)
            return items[i].descending ? -order : order;
    }
    return 0;
}
