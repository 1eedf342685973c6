/*
 * Variances of integers and decimals: the sum and the sum of the squares, both without loss. A
 * square of 127 bits and 2^63 rows need 317 bits.
 */
#include "engine/functions/aggregate_variance.h"

struct integer_state {
    oriel_i128 sum;
    uint64_t squares[3]; /* lowest first */
    uint64_t count;
};

struct decimal_state {
    oriel_u128 low; /* of the sum, in two's complement of 192 bits */
    int64_t high;
    uint64_t squares[5];
    uint64_t count;
};

_Static_assert(sizeof(struct integer_state) == ORIEL_VARIANCE_INTEGER_BYTES, "as bound");
_Static_assert(sizeof(struct decimal_state) == ORIEL_VARIANCE_DECIMAL_BYTES, "as bound");

static void add_words(uint64_t *into, const uint64_t *words, size_t word_count, size_t width) {
    unsigned __int128 carry = 0;
    for (size_t i = 0; i < width; i++) {
        carry += into[i];
        if (i < word_count)
            carry += words[i];
        into[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static size_t split_words(const uint64_t *words, size_t word_count, uint32_t *digits) {
    for (size_t i = 0; i < word_count; i++) {
        digits[2 * i] = (uint32_t)words[i];
        digits[2 * i + 1] = (uint32_t)(words[i] >> 32);
    }
    return 2 * word_count;
}

static int64_t integer_at(const struct oriel_column *column, enum oriel_physical physical,
                          size_t row) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return ((const int8_t *)column->values)[row];
    case ORIEL_PHYSICAL_I16: return ((const int16_t *)column->values)[row];
    case ORIEL_PHYSICAL_I32: return ((const int32_t *)column->values)[row];
    default: return ((const int64_t *)column->values)[row];
    }
}

static enum oriel_status integer_update(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, char *states,
                                        size_t stride_bytes, const uint32_t *groups,
                                        const struct oriel_column *arguments, const uint64_t *rows,
                                        size_t row_count, uint64_t first_row) {
    (void)aggregation, (void)first_row;
    const enum oriel_physical physical = oriel_type_physical(&call->argument_types[0]);
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        struct integer_state *state = (void *)(states + groups[row] * stride_bytes);
        const int64_t value = integer_at(arguments, physical, row);
        const oriel_u128 square = (oriel_u128)((oriel_i128)value * value);
        const uint64_t words[2] = {(uint64_t)square, (uint64_t)(square >> 64)};
        add_words(state->squares, words, 2, 3);
        state->sum += value;
        state->count++;
    }
    return ORIEL_OK;
}

static enum oriel_status integer_merge(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, void *into,
                                       const void *from) {
    (void)call, (void)aggregation;
    struct integer_state *a = into;
    const struct integer_state *b = from;
    add_words(a->squares, b->squares, 3, 3);
    a->sum += b->sum;
    a->count += b->count;
    return ORIEL_OK;
}

static enum oriel_status integer_finish(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, const char *states,
                                        size_t stride_bytes, size_t count,
                                        struct oriel_column *out) {
    (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct integer_state *state = (const void *)(states + i * stride_bytes);
        if (oriel_variance_store_null(call, state->count, out, i))
            continue;
        const oriel_u128 sum = (oriel_u128)(state->sum < 0 ? -state->sum : state->sum);
        const uint64_t words[2] = {(uint64_t)sum, (uint64_t)(sum >> 64)};
        uint32_t digits[6];
        struct oriel_wide numerator = {{0}};
        oriel_variance_add_squares(&numerator, state->count, digits,
                                   split_words(state->squares, 3, digits), 0);
        oriel_variance_subtract_square(&numerator, digits, split_words(words, 2, digits), 0);
        oriel_variance_store(call, &numerator, 0, state->count, out, i);
    }
    return ORIEL_OK;
}

static void decimal_add_sum(struct decimal_state *state, oriel_u128 low, int64_t high) {
    const oriel_u128 sum = state->low + low;
    state->high += high + (sum < low);
    state->low = sum;
}

/* The square of |value| < 2^127 in 256 bits. */
static void square_words(oriel_i128 value, uint64_t words[4]) {
    const oriel_u128 magnitude = (oriel_u128)(value < 0 ? -value : value);
    const uint64_t low = (uint64_t)magnitude, high = (uint64_t)(magnitude >> 64);
    const oriel_u128 low_square = (oriel_u128)low * low, high_square = (oriel_u128)high * high;
    const oriel_u128 cross = (oriel_u128)low * high; /* below 2^127, counted twice */
    const uint64_t middle[3] = {0, (uint64_t)(cross << 1), (uint64_t)(cross >> 63)};
    words[0] = (uint64_t)low_square;
    words[1] = (uint64_t)(low_square >> 64);
    words[2] = (uint64_t)high_square;
    words[3] = (uint64_t)(high_square >> 64);
    add_words(words, middle, 3, 4);
}

static enum oriel_status decimal_update(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, char *states,
                                        size_t stride_bytes, const uint32_t *groups,
                                        const struct oriel_column *arguments, const uint64_t *rows,
                                        size_t row_count, uint64_t first_row) {
    (void)call, (void)aggregation, (void)first_row;
    const oriel_i128 *values = arguments->values;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        struct decimal_state *state = (void *)(states + groups[row] * stride_bytes);
        uint64_t words[4];
        square_words(values[row], words);
        add_words(state->squares, words, 4, 5);
        decimal_add_sum(state, (oriel_u128)values[row], values[row] < 0 ? -1 : 0);
        state->count++;
    }
    return ORIEL_OK;
}

static enum oriel_status decimal_merge(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, void *into,
                                       const void *from) {
    (void)call, (void)aggregation;
    struct decimal_state *a = into;
    const struct decimal_state *b = from;
    add_words(a->squares, b->squares, 5, 5);
    decimal_add_sum(a, b->low, b->high);
    a->count += b->count;
    return ORIEL_OK;
}

/* The magnitude of a sum in three words. */
static void sum_words(const struct decimal_state *state, uint64_t words[3]) {
    words[0] = (uint64_t)state->low;
    words[1] = (uint64_t)(state->low >> 64);
    words[2] = (uint64_t)state->high;
    if (state->high >= 0)
        return;
    const uint64_t one = 1;
    for (unsigned i = 0; i < 3; i++)
        words[i] = ~words[i];
    add_words(words, &one, 1, 3);
}

static enum oriel_status decimal_finish(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, const char *states,
                                        size_t stride_bytes, size_t count,
                                        struct oriel_column *out) {
    (void)aggregation;
    for (size_t i = 0; i < count; i++) {
        const struct decimal_state *state = (const void *)(states + i * stride_bytes);
        if (oriel_variance_store_null(call, state->count, out, i))
            continue;
        uint64_t words[3];
        uint32_t digits[10];
        struct oriel_wide numerator = {{0}};
        sum_words(state, words);
        oriel_variance_add_squares(&numerator, state->count, digits,
                                   split_words(state->squares, 5, digits), 0);
        oriel_variance_subtract_square(&numerator, digits, split_words(words, 3, digits), 0);
        oriel_variance_store(call, &numerator, 0, state->count, out, i);
    }
    return ORIEL_OK;
}

const struct oriel_aggregate_operations oriel_variance_integer_operations = {
    .update = integer_update, .merge = integer_merge, .finish = integer_finish};
const struct oriel_aggregate_operations oriel_variance_decimal_operations = {
    .update = decimal_update, .merge = decimal_merge, .finish = decimal_finish};
