/*
 * Casts between numbers and BOOLEAN, as Java converts: integers wrap, floating point numbers are
 * cut towards zero and stop at the ends of the range, a DECIMAL that does not fit is NULL.
 */
#include "engine/functions/cast.h"

#include "engine/base/decimal.h"
#include "engine/functions/rows.h"

enum number_class {
    CLASS_NONE,
    CLASS_INTEGER, /* BOOLEAN too */
    CLASS_FLOAT,
    CLASS_DECIMAL,
};

static enum number_class class_of(const struct oriel_type *type) {
    if (oriel_type_is_integer(type) || type->id == ORIEL_TYPE_BOOLEAN)
        return CLASS_INTEGER;
    if (type->id == ORIEL_TYPE_FLOAT || type->id == ORIEL_TYPE_DOUBLE)
        return CLASS_FLOAT;
    return type->id == ORIEL_TYPE_DECIMAL ? CLASS_DECIMAL : CLASS_NONE;
}

#define ORIEL_CAST_SOURCES(X, suffix, type)                                                        \
    X(i8, int8_t, suffix, type)                                                                    \
    X(i16, int16_t, suffix, type)                                                                  \
    X(i32, int32_t, suffix, type)                                                                  \
    X(i64, int64_t, suffix, type)

/* X(source, its type, target, its type): conversions that C does as Java does. */
#define ORIEL_CAST_LIST(X)                                                                         \
    ORIEL_CAST_SOURCES(X, i8, int8_t)                                                              \
    ORIEL_CAST_SOURCES(X, i16, int16_t)                                                            \
    ORIEL_CAST_SOURCES(X, i32, int32_t)                                                            \
    ORIEL_CAST_SOURCES(X, i64, int64_t)                                                            \
    ORIEL_CAST_SOURCES(X, f32, float)                                                              \
    ORIEL_CAST_SOURCES(X, f64, double)                                                             \
    X(f32, float, f64, double)                                                                     \
    X(f64, double, f32, float)

#define ORIEL_CAST_DEFINE(source, source_type, target, target_type)                                \
    static void source##_to_##target(const void *from_values, size_t row_count, void *to_values) { \
        const source_type *from = from_values;                                                     \
        target_type *to = to_values;                                                               \
        for (size_t row = 0; row < row_count; row++)                                               \
            to[row] = (target_type)from[row];                                                      \
    }
ORIEL_CAST_LIST(ORIEL_CAST_DEFINE)

typedef void convert(const void *from, size_t row_count, void *to);

static unsigned place(enum oriel_physical physical) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return 0;
    case ORIEL_PHYSICAL_I16: return 1;
    case ORIEL_PHYSICAL_I32: return 2;
    case ORIEL_PHYSICAL_I64: return 3;
    case ORIEL_PHYSICAL_F32: return 4;
    default: return 5;
    }
}

static convert *const conversions[6][6] = {
    {i8_to_i8, i8_to_i16, i8_to_i32, i8_to_i64, i8_to_f32, i8_to_f64},
    {i16_to_i8, i16_to_i16, i16_to_i32, i16_to_i64, i16_to_f32, i16_to_f64},
    {i32_to_i8, i32_to_i16, i32_to_i32, i32_to_i64, i32_to_f32, i32_to_f64},
    {i64_to_i8, i64_to_i16, i64_to_i32, i64_to_i64, i64_to_f32, i64_to_f64},
    {NULL, NULL, NULL, NULL, NULL, f32_to_f64},
    {NULL, NULL, NULL, NULL, f64_to_f32, NULL},
};

static enum oriel_status simple(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                const struct oriel_column *arguments, size_t row_count,
                                struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_cast *cast = call->state;
    const unsigned from = place(oriel_type_physical(&cast->from));
    const unsigned to = place(oriel_type_physical(&cast->to));
    conversions[from][to](arguments[0].values, row_count, out->values);
    return ORIEL_OK;
}

static int64_t integer_at(const struct oriel_type *type, const void *values, size_t row) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)values)[row];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)values)[row];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)values)[row];
    default: return ((const int64_t *)values)[row];
    }
}

static double float_at(const struct oriel_type *type, const void *values, size_t row) {
    return type->id == ORIEL_TYPE_FLOAT ? (double)((const float *)values)[row]
                                        : ((const double *)values)[row];
}

/* Writes the low bytes; BOOLEAN is whether the value is not zero. */
static void set_integer(const struct oriel_type *type, void *values, size_t row, int64_t value) {
    if (type->id == ORIEL_TYPE_BOOLEAN)
        value = value != 0;
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(type));
    memcpy((char *)values + row * value_bytes, &value, value_bytes);
}

static enum oriel_status to_boolean(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_cast *cast = call->state;
    uint8_t *to = out->values;
    for (size_t row = 0; row < row_count; row++) {
        switch (class_of(&cast->from)) {
        case CLASS_FLOAT: to[row] = float_at(&cast->from, arguments[0].values, row) != 0.0; break;
        case CLASS_DECIMAL: to[row] = ((const oriel_i128 *)arguments[0].values)[row] != 0; break;
        default: to[row] = integer_at(&cast->from, arguments[0].values, row) != 0;
        }
    }
    return ORIEL_OK;
}

/* Java's (int) and (long) of a double: NaN is 0, the ends of the range hold what is beyond them. */
static int64_t saturate(double value, int64_t low, int64_t high) {
    if (value != value)
        return 0;
    if (value >= (double)high)
        return high;
    if (value <= (double)low)
        return low;
    return (int64_t)value;
}

static enum oriel_status float_to_integer(const struct oriel_call *call,
                                          struct oriel_evaluation *evaluation,
                                          const struct oriel_column *arguments, size_t row_count,
                                          struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_cast *cast = call->state;
    const bool wide = cast->to.id == ORIEL_TYPE_BIGINT;
    const int64_t low = wide ? INT64_MIN : INT32_MIN, high = wide ? INT64_MAX : INT32_MAX;
    for (size_t row = 0; row < row_count; row++)
        set_integer(&cast->to, out->values, row,
                    saturate(float_at(&cast->from, arguments[0].values, row), low, high));
    return ORIEL_OK;
}

static enum oriel_status to_decimal(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    const struct oriel_cast *cast = call->state;
    const struct oriel_type *from = &cast->from, *to = &cast->to;
    const enum number_class kind = class_of(from);
    oriel_i128 *values = out->values;
    for (size_t row = 0; row < row_count; row++) {
        values[row] = 0;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        bool fits;
        if (kind == CLASS_FLOAT)
            fits = oriel_decimal_from_double(float_at(from, arguments[0].values, row),
                                             to->precision, to->scale, &values[row]);
        else if (kind == CLASS_DECIMAL)
            fits = oriel_decimal_rescale(((const oriel_i128 *)arguments[0].values)[row],
                                         from->scale, to->scale, to->precision, &values[row]);
        else
            fits = oriel_decimal_rescale(integer_at(from, arguments[0].values, row), 0, to->scale,
                                         to->precision, &values[row]);
        if (!fits)
            oriel_column_set_null(out, row);
    }
    return ORIEL_OK;
}

static enum oriel_status decimal_to_integer(const struct oriel_call *call,
                                            struct oriel_evaluation *evaluation,
                                            const struct oriel_column *arguments, size_t row_count,
                                            struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_cast *cast = call->state;
    const oriel_i128 *from = arguments[0].values;
    const oriel_i128 divisor = oriel_decimal_power(cast->from.scale);
    for (size_t row = 0; row < row_count; row++)
        set_integer(&cast->to, out->values, row, (int64_t)(uint64_t)(from[row] / divisor));
    return ORIEL_OK;
}

static enum oriel_status decimal_to_float(const struct oriel_call *call,
                                          struct oriel_evaluation *evaluation,
                                          const struct oriel_column *arguments, size_t row_count,
                                          struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_cast *cast = call->state;
    const oriel_i128 *from = arguments[0].values;
    for (size_t row = 0; row < row_count; row++) {
        const double value = oriel_decimal_to_double(from[row], cast->from.scale);
        if (cast->to.id == ORIEL_TYPE_FLOAT)
            ((float *)out->values)[row] = (float)value;
        else
            ((double *)out->values)[row] = value;
    }
    return ORIEL_OK;
}

oriel_evaluate *oriel_cast_number(const struct oriel_cast *cast) {
    const enum number_class from = class_of(&cast->from), to = class_of(&cast->to);
    if (from == CLASS_NONE || to == CLASS_NONE)
        return NULL;
    if (cast->to.id == ORIEL_TYPE_BOOLEAN)
        return to_boolean;
    if (to == CLASS_DECIMAL)
        return to_decimal;
    if (from == CLASS_DECIMAL)
        return to == CLASS_INTEGER ? decimal_to_integer : decimal_to_float;
    if (from == CLASS_FLOAT && to == CLASS_INTEGER)
        return float_to_integer;
    return simple;
}
