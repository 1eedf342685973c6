/* Window assignment. Rows come nearly in time order, so a run of rows is first compared with the
 * window of the row before it; only a run that leaves that window divides. Division is by the
 * reciprocal in double for |time - offset| and size below 2^49; everything else takes the exact
 * integer division. */
#include "kernels/vec/vec.h"

enum { RUN = 64 };

/* Below these, sums of two values cannot wrap, and values convert to double and back exactly. */
#define WRAP_FREE (INT64_C(1) << 61)
#define DOUBLE_EXACT (INT64_C(1) << 49)

static inline int64_t wrapping_sub(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t floor_one(int64_t time, int64_t size, int64_t offset) {
    const int64_t remainder = wrapping_sub(time, offset) % size;
    return wrapping_sub(time, remainder < 0 ? remainder + size : remainder);
}

static inline int is_within(int64_t value, int64_t limit) {
    return value > -limit && value < limit;
}

/* Bounds of the values of a whole run. */
static inline void run_bounds(const int64_t *time, int64_t *least, int64_t *greatest) {
    vec_i64 low = vec_i64_load(time);
    vec_i64 high = low;
    for (size_t i = VEC_I64_LANES; i < RUN; i += VEC_I64_LANES) {
        const vec_i64 value = vec_i64_load(time + i);
        low = vec_i64_min(low, value);
        high = vec_i64_max(high, value);
    }
    *least = vec_i64_reduce_min(low);
    *greatest = vec_i64_reduce_max(high);
}

static inline void fill_run(int64_t *start, int64_t value) {
    const vec_i64 all = vec_i64_set1(value);
    for (size_t i = 0; i < RUN; i += VEC_I64_LANES)
        vec_i64_store(start + i, all);
}

/* The quotient x * (1 / size) is off by less than 2^49 * 1.5 * 2^-52 < 0.2, so the nearest integer
 * n to it leaves a remainder x - n * size within 0.7 sizes of zero. All of it is exact in double.
 */
static inline void divide_run(const int64_t *time, int64_t size, int64_t offset, int64_t *start) {
    const vec_f64 sizes = vec_f64_set1((double)size);
    const vec_f64 reciprocals = vec_f64_set1(1.0 / (double)size);
    const vec_f64 zeros = vec_f64_set1(0.0);
    const vec_i64 offsets = vec_i64_set1(offset);
    for (size_t i = 0; i < RUN; i += VEC_I64_LANES) {
        const vec_i64 times = vec_i64_load(time + i);
        const vec_f64 relative = vec_f64_from_small_i64(vec_i64_sub(times, offsets));
        const vec_f64 quotient = vec_f64_round_small(vec_f64_mul(relative, reciprocals));
        vec_f64 remainder = vec_f64_sub(relative, vec_f64_mul(quotient, sizes));
        remainder = vec_f64_add(remainder, vec_f64_where_lt(remainder, zeros, sizes));
        vec_i64_store(start + i, vec_i64_sub(times, vec_i64_from_small_f64(remainder)));
    }
}

void ORIEL_FN(floor_i64)(const int64_t *restrict time, size_t count, int64_t size, int64_t offset,
                         int64_t *restrict start) {
    size_t i = 0;
    int64_t current = WRAP_FREE; /* start of the window of the run before; this one is after all */
    const int64_t limit = size < WRAP_FREE && is_within(offset, WRAP_FREE) ? WRAP_FREE : 0;
    const int64_t double_limit = size < DOUBLE_EXACT ? DOUBLE_EXACT : 0;
    for (; i + RUN <= count; i += RUN) {
        int64_t least;
        int64_t greatest;
        run_bounds(time + i, &least, &greatest);
        if (is_within(least, limit) && is_within(greatest, limit)) {
            if (least < current || greatest - current >= size)
                current = floor_one(least, size, offset);
            if (greatest - current < size) {
                fill_run(start + i, current);
                continue;
            }
            if (is_within(least - offset, double_limit) &&
                is_within(greatest - offset, double_limit)) {
                divide_run(time + i, size, offset, start + i);
                continue;
            }
        }
        for (size_t k = i; k < i + RUN; k++)
            start[k] = floor_one(time[k], size, offset);
    }
    for (; i < count; i++)
        start[i] = floor_one(time[i], size, offset);
}
