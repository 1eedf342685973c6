/*
 * Variances of FLOAT and DOUBLE. A square is added as two doubles, the product and its error (the
 * error-free product of Dekker and Veltkamp; FLOAT squares fit one), to an exact sum. Doubles whose
 * squares leave the range, or lose bits below it, are scaled and summed apart.
 */
#include <math.h>

#include "engine/functions/aggregate_variance.h"
#include "engine/functions/exact_sum.h"

enum {
    SCALE_BITS = 608,   /* extremes are scaled by 2^608 or its inverse */
    DIGIT_UNIT = 1074,  /* digits of exact sums count 2^-1074 */
    SQUARE_UNIT = 2290, /* the numerator counts 2^-2290: the unit of the scaled-up squares */
    SUMS_MAX = 4,
};

static const double huge_bound = 0x1p500, tiny_bound = 0x1p-480;

struct extremes {
    struct oriel_exact_sum tiny, huge; /* squares of values * 2^608, * 2^-608 */
};

struct float_state {
    struct oriel_exact_sum sum, squares;
    struct extremes *extremes; /* NULL: none came */
    uint64_t count;
};

_Static_assert(sizeof(struct float_state) == ORIEL_VARIANCE_FLOAT_BYTES, "as bound");

static bool add_square(struct oriel_exact_sum *sum, double value, struct oriel_arena *arena) {
    const double product = value * value;
    const double spread = 0x1.0000002p27 * value;
    const double high = spread - (spread - value), low = value - high;
    const double error = ((high * high - product) + 2.0 * high * low) + low * low;
    return oriel_exact_sum_add(sum, product, arena) &&
           (error == 0.0 || oriel_exact_sum_add(sum, error, arena));
}

static bool add_extreme(struct float_state *state, double value, bool huge,
                        struct oriel_arena *arena) {
    if (!state->extremes)
        state->extremes = oriel_arena_allocate_zeroed(arena, 1, sizeof *state->extremes);
    if (!state->extremes)
        return false;
    return huge ? add_square(&state->extremes->huge, ldexp(value, -SCALE_BITS), arena)
                : add_square(&state->extremes->tiny, ldexp(value, SCALE_BITS), arena);
}

static bool add_value(struct float_state *state, double value, struct oriel_arena *arena) {
    const double magnitude = fabs(value);
    state->count++;
    if (!oriel_exact_sum_add(&state->sum, value, arena))
        return false;
    if (magnitude >= tiny_bound && magnitude < huge_bound)
        return add_square(&state->squares, value, arena);
    if (value == 0.0 || !isfinite(value))
        return true;
    return add_extreme(state, value, magnitude >= huge_bound, arena);
}

static enum oriel_status float_update(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, char *states,
                                      size_t stride_bytes, const uint32_t *groups,
                                      const struct oriel_column *arguments, const uint64_t *rows,
                                      size_t row_count, uint64_t first_row) {
    (void)first_row;
    const bool single = call->argument_types[0].id == ORIEL_TYPE_FLOAT;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        const double value = single ? (double)((const float *)arguments->values)[row]
                                    : ((const double *)arguments->values)[row];
        if (!add_value((void *)(states + groups[row] * stride_bytes), value, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static enum oriel_status float_merge(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, void *into,
                                     const void *from) {
    (void)call;
    struct float_state *a = into;
    const struct float_state *b = from;
    struct oriel_arena *arena = aggregation->arena;
    a->count += b->count;
    bool kept = oriel_exact_sum_merge(&a->sum, &b->sum, arena) &&
                oriel_exact_sum_merge(&a->squares, &b->squares, arena);
    if (kept && b->extremes) {
        if (!a->extremes)
            a->extremes = oriel_arena_allocate_zeroed(arena, 1, sizeof *a->extremes);
        kept = a->extremes &&
               oriel_exact_sum_merge(&a->extremes->tiny, &b->extremes->tiny, arena) &&
               oriel_exact_sum_merge(&a->extremes->huge, &b->extremes->huge, arena);
    }
    return kept ? ORIEL_OK : oriel_error_memory(aggregation->error);
}

/* numerator += count * sum, whose digits count 2^(-1074 + scale). */
static void add_sum(struct oriel_wide *numerator, uint64_t count, const struct oriel_exact_sum *sum,
                    int scale) {
    uint32_t digits[ORIEL_EXACT_SUM_DIGITS];
    size_t low = 0, high = ORIEL_EXACT_SUM_DIGITS;
    oriel_exact_sum_digits(sum, digits);
    while (high > 0 && !digits[high - 1])
        high--;
    while (low < high && !digits[low])
        low++;
    oriel_variance_add_squares(numerator, count, digits + low, high - low,
                               (unsigned)(SQUARE_UNIT - DIGIT_UNIT + scale) + 32u * (unsigned)low);
}

static enum oriel_status float_finish(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, const char *states,
                                      size_t stride_bytes, size_t count, struct oriel_column *out) {
    (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct float_state *state = (const void *)(states + i * stride_bytes);
        if (oriel_variance_store_null(call, state->count, out, i))
            continue;
        if (state->sum.infinities) {
            oriel_variance_store_value(call, (double)NAN, out, i);
            continue;
        }
        struct oriel_wide numerator = {{0}};
        uint32_t digits[ORIEL_EXACT_SUM_DIGITS];
        add_sum(&numerator, state->count, &state->squares, 0);
        if (state->extremes) {
            add_sum(&numerator, state->count, &state->extremes->tiny, -2 * SCALE_BITS);
            add_sum(&numerator, state->count, &state->extremes->huge, 2 * SCALE_BITS);
        }
        oriel_exact_sum_digits(&state->sum, digits);
        oriel_variance_subtract_square(&numerator, digits, ORIEL_EXACT_SUM_DIGITS,
                                       SQUARE_UNIT - 2 * DIGIT_UNIT);
        oriel_variance_store(call, &numerator, -SQUARE_UNIT, state->count, out, i);
    }
    return ORIEL_OK;
}

static size_t list_sums(struct float_state *state, struct oriel_exact_sum *sums[SUMS_MAX]) {
    sums[0] = &state->sum;
    sums[1] = &state->squares;
    if (!state->extremes)
        return 2;
    sums[2] = &state->extremes->tiny;
    sums[3] = &state->extremes->huge;
    return SUMS_MAX;
}

static size_t float_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    (void)call;
    struct float_state from = *(const struct float_state *)state;
    struct oriel_exact_sum *sums[SUMS_MAX];
    const size_t sum_count = list_sums(&from, sums);
    size_t size = sizeof from.count + 1;
    for (size_t i = 0; i < sum_count; i++)
        size += sizeof(uint32_t) + oriel_exact_sum_saved_bytes(sums[i]);
    return size;
}

static void float_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    (void)call;
    struct float_state from = *(const struct float_state *)state;
    struct oriel_exact_sum *sums[SUMS_MAX];
    const size_t sum_count = list_sums(&from, sums);
    memcpy(out, &from.count, sizeof from.count);
    out += sizeof from.count;
    *out++ = (char)sum_count;
    for (size_t i = 0; i < sum_count; i++) {
        const uint32_t size = (uint32_t)oriel_exact_sum_saved_bytes(sums[i]);
        memcpy(out, &size, sizeof size);
        oriel_exact_sum_save(sums[i], out + sizeof size);
        out += sizeof size + size;
    }
}

static enum oriel_status float_load(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, void *state,
                                    const char *bytes, size_t size_bytes) {
    (void)call, (void)size_bytes;
    struct float_state *into = state;
    struct oriel_exact_sum *sums[SUMS_MAX];
    memcpy(&into->count, bytes, sizeof into->count);
    bytes += sizeof into->count;
    const size_t sum_count = (size_t)*bytes++;
    if (sum_count == SUMS_MAX)
        into->extremes = oriel_arena_allocate_zeroed(aggregation->arena, 1, sizeof *into->extremes);
    if (list_sums(into, sums) != sum_count)
        return oriel_error_memory(aggregation->error);
    for (size_t i = 0; i < sum_count; i++) {
        uint32_t size;
        memcpy(&size, bytes, sizeof size);
        bytes += sizeof size;
        if (!oriel_exact_sum_load(sums[i], bytes, size, aggregation->arena))
            return oriel_error_memory(aggregation->error);
        bytes += size;
    }
    return ORIEL_OK;
}

const struct oriel_aggregate_operations oriel_variance_float_operations = {
    .update = float_update,
    .merge = float_merge,
    .finish = float_finish,
    .saved_bytes = float_saved_bytes,
    .save = float_save,
    .load = float_load,
};
