/*
 * Random columns for the tests of aggregates: few different values, so that they repeat, and the
 * extremes of each type.
 */
#include <math.h>
#include <string.h>

#include "engine/base/decimal.h"
#include "tests/unit/functions/aggregate_case.h"

enum { DIFFERENT = 12 };

static int64_t integer_of(uint64_t random, unsigned bits) {
    const int64_t largest = (int64_t)(UINT64_MAX >> (65 - bits));
    switch (random % DIFFERENT) {
    case 0: return largest;
    case 1: return -largest - 1;
    case 2: return 0;
    case 3: return largest - (int64_t)(random >> 60);
    default: return (int64_t)(random >> 32) % 50 - 25;
    }
}

static double real_of(uint64_t random) {
    static const double odd[] = {1e308, -1e308, 0x1p-1074, -3e-320, 0.0, -0.0, 1e16, 1e-30};
    if (random % 7 == 0)
        return odd[(random >> 8) % 8];
    if (random % 997 == 1)
        return random >> 63 ? (double)INFINITY : (double)NAN;
    return (double)((int64_t)(random >> 40) % 2000 - 1000) / 100.0;
}

static struct oriel_string text_of(struct call_bench *bench, uint64_t random) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz, \"0123456789";
    const size_t length = (random >> 8) % 4 == 0 ? 13 + random % 40 : random % 5;
    char *bytes = oriel_arena_allocate(&bench->arena, length + 1);
    for (size_t i = 0; i < length; i++)
        bytes[i] = letters[(random % DIFFERENT + i * 7) % (sizeof letters - 1)];
    return oriel_string_make(bytes, length);
}

static void put_value(struct call_bench *bench, const struct oriel_type *type, uint64_t *seed,
                      void *out);

static const struct oriel_nested *nested_of(struct call_bench *bench, const struct oriel_type *type,
                                            uint64_t *seed) {
    struct oriel_nested *nested = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *nested);
    nested->count =
        type->id == ORIEL_TYPE_ROW ? type->field_count : (uint32_t)(next_random(seed) % 4);
    const uint32_t slot_count = type->id == ORIEL_TYPE_MAP ? 2 * nested->count : nested->count;
    oriel_u128 *slots = oriel_arena_allocate_zeroed(&bench->arena, slot_count + 1, sizeof *slots);
    uint64_t *valid = oriel_arena_allocate_zeroed(&bench->arena, 1, sizeof *valid);
    for (uint32_t i = 0; i < slot_count; i++) {
        const uint32_t field = type->id == ORIEL_TYPE_ROW   ? i
                               : type->id == ORIEL_TYPE_MAP ? i % 2
                                                            : 0;
        if (next_random(seed) % 5 == 0)
            continue;
        oriel_bits_set(valid, i);
        put_value(bench, &type->fields[field].type, seed, &slots[i]);
    }
    nested->slots = slots;
    nested->valid = valid;
    return nested;
}

static void put_value(struct call_bench *bench, const struct oriel_type *type, uint64_t *seed,
                      void *out) {
    const uint64_t random = next_random(seed);
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I8:
        *(int8_t *)out = (int8_t)(type->id == ORIEL_TYPE_BOOLEAN ? (int64_t)(random & 1)
                                                                 : integer_of(random, 8));
        break;
    case ORIEL_PHYSICAL_I16: *(int16_t *)out = (int16_t)integer_of(random, 16); break;
    case ORIEL_PHYSICAL_I32:
        *(int32_t *)out =
            type->id == ORIEL_TYPE_INT ? (int32_t)integer_of(random, 32) : (int32_t)(random % 50);
        break;
    case ORIEL_PHYSICAL_I64:
        *(int64_t *)out =
            type->id == ORIEL_TYPE_BIGINT ? integer_of(random, 64) : (int64_t)(random % 100000);
        break;
    case ORIEL_PHYSICAL_I128: {
        oriel_i128 value = (int64_t)(random >> 32) % 100 - 50;
        if (random % DIFFERENT == 0)
            value = oriel_decimal_power(type->precision) - 1;
        memcpy(out, &value, sizeof value);
        break;
    }
    case ORIEL_PHYSICAL_F32: *(float *)out = (float)real_of(random); break;
    case ORIEL_PHYSICAL_F64: *(double *)out = real_of(random); break;
    case ORIEL_PHYSICAL_STRING: {
        const struct oriel_string text = text_of(bench, random);
        memcpy(out, &text, sizeof text);
        break;
    }
    case ORIEL_PHYSICAL_NESTED: {
        const struct oriel_nested *nested = nested_of(bench, type, seed);
        memcpy(out, &nested, sizeof nested);
        break;
    }
    }
}

struct oriel_column random_column(struct call_bench *bench, struct oriel_type type,
                                  size_t row_count, uint64_t *seed) {
    const size_t size = oriel_physical_size(oriel_type_physical(&type));
    const size_t words = oriel_bits_word_count(row_count) + 1;
    char *values = oriel_arena_allocate_zeroed(&bench->arena, row_count + 64, size);
    uint64_t *valid = oriel_arena_allocate_zeroed(&bench->arena, words, sizeof *valid);
    const unsigned nulls = (unsigned)(next_random(seed) % 3) * 4; /* none, some, many */
    for (size_t row = 0; row < row_count; row++) {
        if (next_random(seed) % 10 < nulls)
            continue;
        oriel_bits_set(valid, row);
        put_value(bench, &type, seed, values + row * size);
    }
    return (struct oriel_column){
        .type = oriel_type_with_null(type, true), .values = values, .valid = valid};
}
