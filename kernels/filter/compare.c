/* Comparisons of columns and constants. The loops of compare_template.h, one for each operator, are
 * of the plain kind that compilers turn into vectors of the instruction set they compile for.
 *
 * Here are instantiated compare_i32, compare_constant_i32, compare_i64, compare_constant_i64,
 * compare_f64 and compare_constant_f64. */
#include "kernels/vec/vec.h"

static inline uint8_t equal_i32(int32_t a, int32_t b) {
    return a == b;
}

static inline uint8_t less_i32(int32_t a, int32_t b) {
    return a < b;
}

static inline uint8_t equal_i64(int64_t a, int64_t b) {
    return a == b;
}

static inline uint8_t less_i64(int64_t a, int64_t b) {
    return a < b;
}

/* NaN equals NaN and is above every number. No branches, so the loops vectorise. */
static inline uint8_t equal_f64(double a, double b) {
    return (uint8_t)((a == b) | ((a != a) & (b != b)));
}

static inline uint8_t less_f64(double a, double b) {
    return (uint8_t)((a < b) | ((a == a) & (b != b)));
}

#define COMPARE_TYPE int32_t
#define COMPARE_COLUMNS compare_i32
#define COMPARE_CONSTANT compare_constant_i32
#define COMPARE_EQUAL equal_i32
#define COMPARE_LESS less_i32
#include "kernels/filter/compare_template.h"

#define COMPARE_TYPE int64_t
#define COMPARE_COLUMNS compare_i64
#define COMPARE_CONSTANT compare_constant_i64
#define COMPARE_EQUAL equal_i64
#define COMPARE_LESS less_i64
#include "kernels/filter/compare_template.h"

#define COMPARE_TYPE double
#define COMPARE_COLUMNS compare_f64
#define COMPARE_CONSTANT compare_constant_f64
#define COMPARE_EQUAL equal_f64
#define COMPARE_LESS less_f64
#include "kernels/filter/compare_template.h"
