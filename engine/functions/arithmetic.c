/*
 * Arithmetic of integers and floating point numbers: one loop for each operator and type, written
 * once and expanded over the list of types.
 */
#include "engine/functions/arithmetic.h"

#include "engine/functions/rows.h"

/* X(name, type, unsigned type): results wrap, so they are computed without sign. */
#define ORIEL_INTEGER_LIST(X)                                                                      \
    X(i8, int8_t, uint8_t)                                                                         \
    X(i16, int16_t, uint16_t)                                                                      \
    X(i32, int32_t, uint32_t)                                                                      \
    X(i64, int64_t, uint64_t)

#define ORIEL_INTEGER_DEFINE(name, type, utype)                                                    \
    static enum oriel_status add_##name(                                                           \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        (void)call, (void)evaluation;                                                              \
        const type *a = arguments[0].values, *b = arguments[1].values;                             \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++)                                               \
            to[row] = (type)(utype)((uint64_t)a[row] + (uint64_t)b[row]);                          \
        return ORIEL_OK;                                                                           \
    }                                                                                              \
    static enum oriel_status subtract_##name(                                                      \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        (void)call, (void)evaluation;                                                              \
        const type *a = arguments[0].values, *b = arguments[1].values;                             \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++)                                               \
            to[row] = (type)(utype)((uint64_t)a[row] - (uint64_t)b[row]);                          \
        return ORIEL_OK;                                                                           \
    }                                                                                              \
    static enum oriel_status multiply_##name(                                                      \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        (void)call, (void)evaluation;                                                              \
        const type *a = arguments[0].values, *b = arguments[1].values;                             \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++)                                               \
            to[row] = (type)(utype)((uint64_t)a[row] * (uint64_t)b[row]);                          \
        return ORIEL_OK;                                                                           \
    }                                                                                              \
    static enum oriel_status negate_##name(                                                        \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        (void)call, (void)evaluation;                                                              \
        const type *a = arguments[0].values;                                                       \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++)                                               \
            to[row] = (type)(utype)(0 - (uint64_t)a[row]);                                         \
        return ORIEL_OK;                                                                           \
    }                                                                                              \
    static enum oriel_status divide_##name(                                                        \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        const type *a = arguments[0].values, *b = arguments[1].values;                             \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++) {                                             \
            if (b[row] == 0 && oriel_row_counts(evaluation, out, row))                             \
                return divided_by_zero(call, evaluation);                                          \
            const type divisor = b[row] == 0 ? 1 : b[row];                                         \
            to[row] = (type)(divisor == -1 ? (type)(utype)(0 - (uint64_t)a[row])                   \
                                           : (type)(a[row] / divisor));                            \
        }                                                                                          \
        return ORIEL_OK;                                                                           \
    }                                                                                              \
    static enum oriel_status modulo_##name(                                                        \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        const type *a = arguments[0].values, *b = arguments[1].values;                             \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++) {                                             \
            if (b[row] == 0 && oriel_row_counts(evaluation, out, row))                             \
                return divided_by_zero(call, evaluation);                                          \
            const type divisor = b[row] == 0 || b[row] == -1 ? 1 : b[row];                         \
            to[row] = (type)(a[row] % divisor);                                                    \
        }                                                                                          \
        return ORIEL_OK;                                                                           \
    }

/* X(name, type, operator) over the operators of floating point numbers. */
#define ORIEL_FLOAT_LIST(X)                                                                        \
    X(add_f32, float, +)                                                                           \
    X(add_f64, double, +)                                                                          \
    X(subtract_f32, float, -)                                                                      \
    X(subtract_f64, double, -)                                                                     \
    X(multiply_f32, float, *)                                                                      \
    X(multiply_f64, double, *)                                                                     \
    X(divide_f32, float, /)                                                                        \
    X(divide_f64, double, /)

#define ORIEL_FLOAT_DEFINE(name, type, sign)                                                       \
    __attribute__((no_sanitize("float-divide-by-zero"))) static enum oriel_status name(            \
        const struct oriel_call *call, struct oriel_evaluation *evaluation,                        \
        const struct oriel_column *arguments, size_t row_count, struct oriel_column *out) {        \
        (void)call, (void)evaluation;                                                              \
        const type *a = arguments[0].values, *b = arguments[1].values;                             \
        type *to = out->values;                                                                    \
        for (size_t row = 0; row < row_count; row++)                                               \
            to[row] = a[row] sign b[row];                                                          \
        return ORIEL_OK;                                                                           \
    }

static enum oriel_status divided_by_zero(const struct oriel_call *call,
                                         const struct oriel_evaluation *evaluation) {
    return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                          "/ by zero; NULLIF(x, 0) as the divisor gives NULL instead");
}

ORIEL_INTEGER_LIST(ORIEL_INTEGER_DEFINE)
ORIEL_FLOAT_LIST(ORIEL_FLOAT_DEFINE)

static enum oriel_status negate_f32(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    (void)call, (void)evaluation;
    const float *from = arguments[0].values;
    float *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = -from[row];
    return ORIEL_OK;
}

static enum oriel_status negate_f64(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    (void)call, (void)evaluation;
    const double *from = arguments[0].values;
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = -from[row];
    return ORIEL_OK;
}

oriel_evaluate *oriel_arithmetic_evaluation(enum oriel_operator operator, enum oriel_type_id type) {
    static oriel_evaluate *const integers[ORIEL_OPERATOR_COUNT][4] = {
        {add_i8, add_i16, add_i32, add_i64},
        {subtract_i8, subtract_i16, subtract_i32, subtract_i64},
        {multiply_i8, multiply_i16, multiply_i32, multiply_i64},
        {divide_i8, divide_i16, divide_i32, divide_i64},
        {modulo_i8, modulo_i16, modulo_i32, modulo_i64},
        {negate_i8, negate_i16, negate_i32, negate_i64},
    };
    static oriel_evaluate *const floats[ORIEL_OPERATOR_COUNT][2] = {
        {add_f32, add_f64},
        {subtract_f32, subtract_f64},
        {multiply_f32, multiply_f64},
        {divide_f32, divide_f64},
        {NULL, NULL},
        {negate_f32, negate_f64},
    };
    switch (type) {
    case ORIEL_TYPE_TINYINT: return integers[operator][0];
    case ORIEL_TYPE_SMALLINT: return integers[operator][1];
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_INTERVAL_YEAR: return integers[operator][2];
    case ORIEL_TYPE_BIGINT:
    case ORIEL_TYPE_INTERVAL_DAY: return integers[operator][3];
    case ORIEL_TYPE_FLOAT: return floats[operator][0];
    case ORIEL_TYPE_DOUBLE: return floats[operator][1];
    default: return NULL;
    }
}
