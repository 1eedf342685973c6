/* Reference of the comparisons: a three-way order, then the operator on its outcome. */
#include "kernels/isa_kernels.h"

static uint8_t holds(enum oriel_compare op, int order) {
    switch (op) {
    case ORIEL_COMPARE_EQ: return order == 0;
    case ORIEL_COMPARE_NE: return order != 0;
    case ORIEL_COMPARE_LT: return order < 0;
    case ORIEL_COMPARE_LE: return order <= 0;
    case ORIEL_COMPARE_GT: return order > 0;
    case ORIEL_COMPARE_GE: return order >= 0;
    }
    return 0;
}

static int order_i64(int64_t left, int64_t right) {
    return (left > right) - (left < right);
}

static int order_f64(double left, double right) {
    const int left_is_nan = left != left;
    const int right_is_nan = right != right;
    if (left_is_nan || right_is_nan)
        return left_is_nan - right_is_nan;
    return (left > right) - (left < right);
}

void oriel_compare_i32_reference(enum oriel_compare op, const int32_t *restrict left,
                                 const int32_t *restrict right, size_t count,
                                 uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = holds(op, order_i64(left[i], right[i]));
}

void oriel_compare_i64_reference(enum oriel_compare op, const int64_t *restrict left,
                                 const int64_t *restrict right, size_t count,
                                 uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = holds(op, order_i64(left[i], right[i]));
}

void oriel_compare_f64_reference(enum oriel_compare op, const double *restrict left,
                                 const double *restrict right, size_t count,
                                 uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = holds(op, order_f64(left[i], right[i]));
}

void oriel_compare_constant_i32_reference(enum oriel_compare op, const int32_t *restrict values,
                                          int32_t bound, size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = holds(op, order_i64(values[i], bound));
}

void oriel_compare_constant_i64_reference(enum oriel_compare op, const int64_t *restrict values,
                                          int64_t bound, size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = holds(op, order_i64(values[i], bound));
}

void oriel_compare_constant_f64_reference(enum oriel_compare op, const double *restrict values,
                                          double bound, size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++)
        out[i] = holds(op, order_f64(values[i], bound));
}
