/*
 * ABS, SIGN, CEIL, FLOOR, ROUND and TRUNCATE of numbers. Rounding is half away from zero, for
 * DOUBLE and FLOAT on the decimal digits that are printed: ROUND(1.005, 2) is 1.01.
 */
#include <math.h>

#include "engine/base/decimal.h"
#include "engine/functions/function_table.h"
#include "engine/functions/rows.h"
#include "engine/functions/signature.h"
#include "engine/functions/time_unit.h"

enum { DIGITS_MAX = ORIEL_DECIMAL_PRECISION_MAX, DOUBLE_DIGITS = 17 };

static int64_t integer_at(const struct oriel_type *type, const void *values, size_t row) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)values)[row];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)values)[row];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)values)[row];
    default: return ((const int64_t *)values)[row];
    }
}

/* Keeps the low bytes, as Java's casts do. */
static void set_integer(const struct oriel_type *type, void *values, size_t row, int64_t value) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(type));
    memcpy((char *)values + row * value_bytes, &value, value_bytes);
}

enum rounding { ROUNDING_ABS, ROUNDING_SIGN, ROUNDING_CEIL, ROUNDING_FLOOR };

static double round_double(enum rounding rounding, double value) {
    switch (rounding) {
    case ROUNDING_ABS: return fabs(value);
    case ROUNDING_SIGN: return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : value;
    case ROUNDING_CEIL: return ceil(value);
    default: return floor(value);
    }
}

/* The result has scale 0 for CEIL and FLOOR, else the scale of the argument. */
static oriel_i128 round_decimal(enum rounding rounding, oriel_i128 value, oriel_i128 unit) {
    const oriel_i128 whole = value / unit, rest = value % unit;
    switch (rounding) {
    case ROUNDING_ABS: return value < 0 ? -value : value;
    case ROUNDING_SIGN: return value > 0 ? unit : value < 0 ? -unit : 0;
    case ROUNDING_CEIL: return whole + (rest > 0);
    default: return whole - (rest < 0);
    }
}

static int64_t round_integer(enum rounding rounding, int64_t value) {
    switch (rounding) {
    case ROUNDING_ABS: return value < 0 ? (int64_t)(0 - (uint64_t)value) : value;
    case ROUNDING_SIGN: return (value > 0) - (value < 0);
    default: return value;
    }
}

static enum oriel_status one(const struct oriel_call *call, const struct oriel_column *arguments,
                             size_t row_count, struct oriel_column *out, enum rounding rounding) {
    const struct oriel_type *type = &call->argument_types[0];
    const void *from = arguments[0].values;
    const oriel_i128 unit = type->id == ORIEL_TYPE_DECIMAL ? oriel_decimal_power(type->scale) : 1;
    for (size_t row = 0; row < row_count; row++) {
        switch (type->id) {
        case ORIEL_TYPE_FLOAT:
            ((float *)out->values)[row] =
                (float)round_double(rounding, (double)((const float *)from)[row]);
            break;
        case ORIEL_TYPE_DOUBLE:
            ((double *)out->values)[row] = round_double(rounding, ((const double *)from)[row]);
            break;
        case ORIEL_TYPE_DECIMAL:
            ((oriel_i128 *)out->values)[row] =
                round_decimal(rounding, ((const oriel_i128 *)from)[row], unit);
            break;
        default:
            set_integer(type, out->values, row,
                        round_integer(rounding, integer_at(type, from, row)));
        }
    }
    return ORIEL_OK;
}

static enum oriel_status absolute(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    (void)evaluation;
    return one(call, arguments, row_count, out, ROUNDING_ABS);
}

static enum oriel_status sign(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                              const struct oriel_column *arguments, size_t row_count,
                              struct oriel_column *out) {
    (void)evaluation;
    return one(call, arguments, row_count, out, ROUNDING_SIGN);
}

static enum oriel_status ceiling(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row_count,
                                 struct oriel_column *out) {
    (void)evaluation;
    return one(call, arguments, row_count, out, ROUNDING_CEIL);
}

static enum oriel_status floor_of(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    (void)evaluation;
    return one(call, arguments, row_count, out, ROUNDING_FLOOR);
}

static oriel_i128 round_unit(oriel_i128 value, oriel_i128 unit, bool cut) {
    const oriel_i128 rest = value % unit;
    const oriel_i128 half = rest < 0 ? -rest : rest;
    value -= rest;
    if (!cut && half >= unit - half)
        value += rest < 0 ? -unit : unit;
    return value;
}

/* Rounds (or cuts) to `digits` behind the point, fewer than 0 in front of it. */
static double round_digits(double value, int32_t digits, bool cut) {
    if (value == 0.0)
        return 0.0; /* as a decimal number has no -0.0 */
    if (value != value || isinf(value) || digits > DIGITS_MAX - DOUBLE_DIGITS)
        return value;
    const int whole_digits = fabs(value) >= 1.0 ? (int)floor(log10(fabs(value))) + 1 : 0;
    if (whole_digits >= DIGITS_MAX)
        return value;
    const unsigned kept = digits > 0 ? (unsigned)digits : 0;
    const int room = DIGITS_MAX - 1 - whole_digits;
    const unsigned scale = cut || digits < 0 ? (unsigned)room : kept;
    oriel_i128 decimal;
    if (scale < kept || !oriel_decimal_from_double(value, DIGITS_MAX, scale, &decimal))
        return value; /* so large that it has no digits behind the point */
    const int64_t dropped = (int64_t)scale - digits;
    if (dropped > DIGITS_MAX)
        return 0.0;
    return oriel_decimal_to_double(round_unit(decimal, oriel_decimal_power((unsigned)dropped), cut),
                                   scale);
}

/* The digits that a result keeps of a DECIMAL; its type has them when they are constant. */
static bool round_decimal_digits(const struct oriel_call *call, oriel_i128 value, int32_t digits,
                                 bool cut, oriel_i128 *out) {
    const unsigned scale = call->argument_types[0].scale;
    if (digits < (int32_t)scale) {
        const int64_t dropped = (int64_t)scale - digits;
        value = dropped > DIGITS_MAX
                    ? 0
                    : round_unit(value, oriel_decimal_power((unsigned)dropped), cut);
    }
    return oriel_decimal_rescale(value, scale, call->result.scale, call->result.precision, out);
}

static enum oriel_status digits_of(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out, bool cut) {
    const struct oriel_type *type = &call->argument_types[0];
    const void *from = arguments[0].values;
    for (size_t row = 0; row < row_count; row++) {
        const int32_t digits =
            call->argument_count > 1 ? ((const int32_t *)arguments[1].values)[row] : 0;
        if (type->id == ORIEL_TYPE_FLOAT) {
            ((float *)out->values)[row] =
                (float)round_digits((double)((const float *)from)[row], digits, cut);
        } else if (type->id == ORIEL_TYPE_DOUBLE) {
            ((double *)out->values)[row] = round_digits(((const double *)from)[row], digits, cut);
        } else if (type->id == ORIEL_TYPE_DECIMAL) {
            oriel_i128 *to = (oriel_i128 *)out->values + row;
            *to = 0;
            if (oriel_row_counts(evaluation, out, row) &&
                !round_decimal_digits(call, ((const oriel_i128 *)from)[row], digits, cut, to))
                oriel_column_set_null(out, row);
        } else {
            oriel_i128 value = integer_at(type, from, row);
            if (digits < 0)
                value = digits < -DIGITS_MAX
                            ? 0
                            : round_unit(value, oriel_decimal_power((unsigned)-digits), cut);
            set_integer(type, out->values, row, (int64_t)(uint64_t)value);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status round_half_up(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row_count,
                                       struct oriel_column *out) {
    return digits_of(call, evaluation, arguments, row_count, out, false);
}

static enum oriel_status truncate_digits(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row_count,
                                         struct oriel_column *out) {
    return digits_of(call, evaluation, arguments, row_count, out, true);
}

static enum oriel_status bind_abs(struct oriel_binding *binding, struct oriel_error *error) {
    const enum oriel_type_id id = binding->argument_types[0].id;
    if (id != ORIEL_TYPE_INTERVAL_DAY && id != ORIEL_TYPE_INTERVAL_YEAR)
        ORIEL_TRY(oriel_bind_arguments(binding, "n", "'ABS(<NUMERIC>)', 'ABS(<INTERVAL>)'", error));
    return oriel_bind_result(binding, binding->casts[0], absolute);
}

static enum oriel_status bind_sign(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "n", "'SIGN(<NUMERIC>)'", error));
    return oriel_bind_result(binding, binding->casts[0], sign);
}

static enum oriel_status bind_whole(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                    bool up, struct oriel_error *error) {
    if (binding->argument_count == 2)
        return oriel_time_round_bind(binding, up, error);
    ORIEL_TRY(oriel_bind_arguments(binding, "n", "a number, or a time and TO with a unit", error));
    struct oriel_type type = binding->casts[0];
    if (type.id == ORIEL_TYPE_DECIMAL)
        type.scale = 0;
    return oriel_bind_result(binding, type, evaluate);
}

static enum oriel_status bind_ceil(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_whole(binding, ceiling, true, error);
}

static enum oriel_status bind_floor(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_whole(binding, floor_of, false, error);
}

/* A DECIMAL rounded to a constant number of digits has just these, and one more in front. */
static struct oriel_type rounded_type(const struct oriel_binding *binding) {
    const struct oriel_type type = binding->casts[0];
    int32_t digits = 0;
    if (type.id != ORIEL_TYPE_DECIMAL)
        return type;
    if (binding->argument_count > 1) {
        const struct oriel_column *constant = binding->constants ? binding->constants[1] : NULL;
        if (!constant || oriel_column_is_null(constant, 0))
            return type;
        const int64_t value = integer_at(&binding->argument_types[1], constant->values, 0);
        digits = value > DIGITS_MAX ? DIGITS_MAX : value < 0 ? 0 : (int32_t)value;
    }
    if (digits >= type.scale)
        return type;
    const int32_t precision = 1 + type.precision - type.scale + digits;
    return oriel_type_decimal((unsigned)(precision > DIGITS_MAX ? DIGITS_MAX : precision),
                              (unsigned)digits);
}

static enum oriel_status bind_digits(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                     const char *forms, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "ni", forms, error));
    return oriel_bind_result(binding, rounded_type(binding), evaluate);
}

static enum oriel_status bind_round(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_digits(binding, round_half_up, "'ROUND(<NUMERIC>[, <INT>])'", error);
}

static enum oriel_status bind_truncate(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_digits(binding, truncate_digits, "'TRUNCATE(<NUMERIC>[, <INT>])'", error);
}

static const struct oriel_function rows[] = {
    {"ABS", 1, 1, ORIEL_FUNCTION_STRICT, bind_abs, NULL},
    {"CEIL", 1, 2, ORIEL_FUNCTION_STRICT, bind_ceil, NULL},
    {"CEILING", 1, 2, ORIEL_FUNCTION_STRICT, bind_ceil, NULL},
    {"FLOOR", 1, 2, ORIEL_FUNCTION_STRICT, bind_floor, NULL},
    {"ROUND", 1, 2, ORIEL_FUNCTION_STRICT, bind_round, NULL},
    {"SIGN", 1, 1, ORIEL_FUNCTION_STRICT, bind_sign, NULL},
    {"TRUNCATE", 1, 2, ORIEL_FUNCTION_STRICT, bind_truncate, NULL},
};

const struct oriel_function_group oriel_functions_math_round = {rows, sizeof rows / sizeof rows[0]};
