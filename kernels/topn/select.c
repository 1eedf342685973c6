/* Row numbers of the values that pass a comparison with a constant: the filter in front of a Top-N
 * heap, which few rows pass. Three comparisons serve all six operators, the others being their
 * opposites. */
#include "kernels/vec/vec.h"

enum base { BASE_LESS, BASE_GREATER, BASE_EQUAL };

struct plan {
    enum base base;
    uint64_t flip; /* all ones: the opposite of the base */
};

static inline struct plan plan_of(enum oriel_compare op) {
    switch (op) {
    case ORIEL_COMPARE_EQ: return (struct plan){BASE_EQUAL, 0};
    case ORIEL_COMPARE_NE: return (struct plan){BASE_EQUAL, ~UINT64_C(0)};
    case ORIEL_COMPARE_LT: return (struct plan){BASE_LESS, 0};
    case ORIEL_COMPARE_LE: return (struct plan){BASE_GREATER, ~UINT64_C(0)};
    case ORIEL_COMPARE_GT: return (struct plan){BASE_GREATER, 0};
    case ORIEL_COMPARE_GE: return (struct plan){BASE_LESS, ~UINT64_C(0)};
    }
    return (struct plan){BASE_EQUAL, 0};
}

static inline uint64_t word_i64(enum base base, const int64_t *values, vec_i64 bounds) {
    uint64_t word = 0;
    for (size_t k = 0; k < 64; k += VEC_I64_LANES) {
        const vec_i64 value = vec_i64_load(values + k);
        const unsigned bits = base == BASE_LESS      ? vec_i64_gt_bits(bounds, value)
                              : base == BASE_GREATER ? vec_i64_gt_bits(value, bounds)
                                                     : vec_i64_eq_bits(value, bounds);
        word |= (uint64_t)bits << k;
    }
    return word;
}

/* NaN is above every number and equals itself. Only an ordered comparison is ever needed: nothing
 * is above a NaN bound, everything that equals itself is below it; and what is not below or equal
 * to a number is above it, NaN included. */
static inline uint64_t word_f64(enum base base, int bound_is_nan, const double *values,
                                vec_f64 bounds) {
    uint64_t word = 0;
    for (size_t k = 0; k < 64; k += VEC_I64_LANES) {
        const vec_f64 value = vec_f64_load(values + k);
        unsigned bits;
        if (bound_is_nan)
            bits = vec_f64_eq_bits(value, value);
        else
            bits = base == BASE_LESS      ? vec_f64_lt_bits(value, bounds)
                   : base == BASE_GREATER ? vec_f64_le_bits(value, bounds)
                                          : vec_f64_eq_bits(value, bounds);
        word |= (uint64_t)bits << k;
    }
    if (bound_is_nan)
        return base == BASE_LESS ? word : base == BASE_GREATER ? 0 : ~word;
    return base == BASE_GREATER ? ~word : word;
}

static inline size_t select_i64_column(enum base base, uint64_t flip,
                                       const int64_t *restrict values,
                                       const uint64_t *restrict valid, size_t count, int64_t bound,
                                       uint32_t *restrict indices) {
    const vec_i64 bounds = vec_i64_set1(bound);
    int64_t last_rows[64];
    uint32_t *to = indices;
    for (size_t first = 0; first < count; first += 64) {
        const int64_t *from = values + first;
        if (count - first < 64) {
            memset(last_rows, 0, sizeof last_rows);
            memcpy(last_rows, from, (count - first) * sizeof *from);
            from = last_rows;
        }
        const uint64_t word =
            (word_i64(base, from, bounds) ^ flip) & bits_valid_word(valid, first / 64, count);
        if (word != 0)
            to = bits_write_numbers(to, word, (uint32_t)first);
    }
    return (size_t)(to - indices);
}

static inline size_t select_f64_column(enum base base, uint64_t flip, const double *restrict values,
                                       const uint64_t *restrict valid, size_t count, double bound,
                                       uint32_t *restrict indices) {
    const vec_f64 bounds = vec_f64_set1(bound);
    const int bound_is_nan = bound != bound;
    double last_rows[64];
    uint32_t *to = indices;
    for (size_t first = 0; first < count; first += 64) {
        const double *from = values + first;
        if (count - first < 64) {
            memset(last_rows, 0, sizeof last_rows);
            memcpy(last_rows, from, (count - first) * sizeof *from);
            from = last_rows;
        }
        const uint64_t word = (word_f64(base, bound_is_nan, from, bounds) ^ flip) &
                              bits_valid_word(valid, first / 64, count);
        if (word != 0)
            to = bits_write_numbers(to, word, (uint32_t)first);
    }
    return (size_t)(to - indices);
}

size_t ORIEL_FN(select_i64)(enum oriel_compare op, const int64_t *restrict values,
                            const uint64_t *restrict valid, size_t count, int64_t bound,
                            uint32_t *restrict indices) {
    const struct plan plan = plan_of(op);
    if (plan.base == BASE_GREATER)
        return select_i64_column(BASE_GREATER, plan.flip, values, valid, count, bound, indices);
    if (plan.base == BASE_LESS)
        return select_i64_column(BASE_LESS, plan.flip, values, valid, count, bound, indices);
    return select_i64_column(BASE_EQUAL, plan.flip, values, valid, count, bound, indices);
}

size_t ORIEL_FN(select_f64)(enum oriel_compare op, const double *restrict values,
                            const uint64_t *restrict valid, size_t count, double bound,
                            uint32_t *restrict indices) {
    const struct plan plan = plan_of(op);
    if (plan.base == BASE_GREATER)
        return select_f64_column(BASE_GREATER, plan.flip, values, valid, count, bound, indices);
    if (plan.base == BASE_LESS)
        return select_f64_column(BASE_LESS, plan.flip, values, valid, count, bound, indices);
    return select_f64_column(BASE_EQUAL, plan.flip, values, valid, count, bound, indices);
}
