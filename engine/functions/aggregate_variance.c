/*
 * VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP and their other names: binding and results. As in
 * Flink the result is a DOUBLE that is brought to the argument's type: cut to an integer, or
 * rounded to a DECIMAL(38, 6) or finer.
 */
#include "engine/functions/aggregate_variance.h"

#include <math.h>

#include "engine/base/decimal.h"

enum { DECIMAL_SCALE_MIN = 6, DIGIT_BITS = 32 };

static const struct oriel_variance_call *options_of(const struct oriel_aggregate_call *call) {
    return call->state;
}

bool oriel_variance_store_null(const struct oriel_aggregate_call *call, uint64_t count,
                               struct oriel_column *out, size_t row) {
    if (count > (options_of(call)->sample ? 1u : 0u))
        return false;
    oriel_column_set_null(out, row);
    return true;
}

/* Java's casts: the nearest of the range, toward zero inside. */
static int64_t to_long(double value) {
    if (value >= 0x1p63)
        return INT64_MAX;
    return value <= -0x1p63 ? INT64_MIN : (int64_t)value;
}

static int32_t to_int(double value) {
    if (value >= 0x1p31)
        return INT32_MAX;
    return value <= -0x1p31 ? INT32_MIN : (int32_t)value;
}

void oriel_variance_store_value(const struct oriel_aggregate_call *call, double variance,
                                struct oriel_column *out, size_t row) {
    const double value = options_of(call)->root ? sqrt(variance) : variance;
    switch (out->type.id) {
    case ORIEL_TYPE_TINYINT: ((int8_t *)out->values)[row] = (int8_t)to_int(value); break;
    case ORIEL_TYPE_SMALLINT: ((int16_t *)out->values)[row] = (int16_t)to_int(value); break;
    case ORIEL_TYPE_INT: ((int32_t *)out->values)[row] = to_int(value); break;
    case ORIEL_TYPE_BIGINT: ((int64_t *)out->values)[row] = to_long(value); break;
    case ORIEL_TYPE_FLOAT: ((float *)out->values)[row] = (float)value; break;
    case ORIEL_TYPE_DECIMAL:
        if (!oriel_decimal_from_double(value, out->type.precision, out->type.scale,
                                       &((oriel_i128 *)out->values)[row]))
            oriel_column_set_null(out, row);
        break;
    default: ((double *)out->values)[row] = value; break;
    }
}

static size_t split(oriel_u128 value, uint32_t digits[4]) {
    for (unsigned i = 0; i < 4; i++)
        digits[i] = (uint32_t)(value >> (DIGIT_BITS * i));
    return 4;
}

static void multiply(struct oriel_wide *number, oriel_u128 factor) {
    const struct oriel_wide old = *number;
    uint32_t digits[4];
    split(factor, digits);
    *number = (struct oriel_wide){{0}};
    for (unsigned i = 0; i < 4; i++)
        oriel_wide_add(number, old.digits, ORIEL_WIDE_DIGITS - 4, digits[i], DIGIT_BITS * i);
}

void oriel_variance_store(const struct oriel_aggregate_call *call, struct oriel_wide *numerator,
                          int exponent, uint64_t count, struct oriel_column *out, size_t row) {
    struct oriel_wide denominator = {{0}};
    uint32_t digits[4];
    const oriel_u128 pairs = (oriel_u128)count * (options_of(call)->sample ? count - 1 : count);
    oriel_wide_add(&denominator, digits, split(pairs, digits), 1, 0);
    if (call->argument_types[0].id == ORIEL_TYPE_DECIMAL) {
        const oriel_u128 power = (oriel_u128)oriel_decimal_power(call->argument_types[0].scale);
        multiply(&denominator, power);
        multiply(&denominator, power);
    }
    oriel_variance_store_value(call, oriel_wide_ratio(numerator, &denominator, exponent), out, row);
}

void oriel_variance_add_squares(struct oriel_wide *numerator, uint64_t count,
                                const uint32_t *digits, size_t digit_count, unsigned shift) {
    oriel_wide_add(numerator, digits, digit_count, (uint32_t)count, shift);
    if (count >> DIGIT_BITS)
        oriel_wide_add(numerator, digits, digit_count, (uint32_t)(count >> DIGIT_BITS),
                       shift + DIGIT_BITS);
}

void oriel_variance_subtract_square(struct oriel_wide *numerator, const uint32_t *digits,
                                    size_t digit_count, unsigned shift) {
    size_t low = 0;
    while (low < digit_count && !digits[low])
        low++;
    while (digit_count > low && !digits[digit_count - 1])
        digit_count--;
    for (size_t i = low; i < digit_count; i++)
        oriel_wide_subtract(numerator, digits + low, digit_count - low, digits[i],
                            shift + (unsigned)(DIGIT_BITS * (low + i)));
}

static enum oriel_status bind(struct oriel_aggregate_binding *binding,
                              const struct oriel_variance_call *options,
                              struct oriel_error *error) {
    const struct oriel_type *type = &binding->argument_types[0];
    if (type->id == ORIEL_TYPE_NULL || !oriel_type_is_numeric(type))
        return oriel_aggregate_type_error(binding, "a number", error);
    binding->state = options;
    binding->result = oriel_type_with_null(*type, true);
    if (type->id == ORIEL_TYPE_DECIMAL) {
        binding->result =
            oriel_type_decimal(ORIEL_DECIMAL_PRECISION_MAX,
                               type->scale < DECIMAL_SCALE_MIN ? DECIMAL_SCALE_MIN : type->scale);
        binding->operations = &oriel_variance_decimal_operations;
        binding->state_bytes = ORIEL_VARIANCE_DECIMAL_BYTES;
    } else if (oriel_type_is_integer(type)) {
        binding->operations = &oriel_variance_integer_operations;
        binding->state_bytes = ORIEL_VARIANCE_INTEGER_BYTES;
    } else {
        binding->operations = &oriel_variance_float_operations;
        binding->state_bytes = ORIEL_VARIANCE_FLOAT_BYTES;
    }
    return ORIEL_OK;
}

static enum oriel_status variance_bind(struct oriel_aggregate_binding *binding,
                                       struct oriel_error *error) {
    static const struct oriel_variance_call population = {.sample = false};
    static const struct oriel_variance_call sample = {.sample = true};
    return bind(binding, strcmp(binding->name, "VAR_POP") == 0 ? &population : &sample, error);
}

static enum oriel_status deviation_bind(struct oriel_aggregate_binding *binding,
                                        struct oriel_error *error) {
    static const struct oriel_variance_call population = {.root = true};
    static const struct oriel_variance_call sample = {.sample = true, .root = true};
    return bind(binding, strcmp(binding->name, "STDDEV_POP") == 0 ? &population : &sample, error);
}

const struct oriel_aggregate oriel_aggregates_variance[] = {
    {"VAR_POP", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     variance_bind},
    {"VAR_SAMP", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS, variance_bind},
    {"VARIANCE", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS, variance_bind},
    {"STDDEV_POP", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     deviation_bind},
    {"STDDEV_SAMP", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS, deviation_bind},
    {"STDDEV", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS, deviation_bind},
    {0},
};
