/*
 * Arithmetic of DECIMALs. Result types follow Flink: enough digits for the exact result, and where
 * that is more than 38, fewer digits after the point. A result that does not fit its type is NULL.
 */
#include "engine/functions/arithmetic.h"

#include "engine/base/decimal.h"
#include "engine/functions/rows.h"

enum { SCALE_KEPT = 6 };

struct decimal_state {
    enum oriel_operator operator;
    unsigned scale_a, scale_b, scale; /* of the arguments and the result */
    unsigned precision;               /* of the result */
    bool exact;                       /* no intermediate result can leave 38 digits */
};

static struct oriel_type fit(unsigned precision, unsigned scale) {
    if (precision <= ORIEL_DECIMAL_PRECISION_MAX)
        return oriel_type_decimal(precision, scale);
    const unsigned whole = precision - scale;
    const unsigned least = scale < SCALE_KEPT ? scale : SCALE_KEPT;
    const unsigned room =
        whole < ORIEL_DECIMAL_PRECISION_MAX ? ORIEL_DECIMAL_PRECISION_MAX - whole : 0;
    return oriel_type_decimal(ORIEL_DECIMAL_PRECISION_MAX, room > least ? room : least);
}

static unsigned larger(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static struct oriel_type result_type(enum oriel_operator operator, const struct oriel_type * a,
                                     const struct oriel_type *b) {
    const unsigned p1 = a->precision, s1 = a->scale, p2 = b->precision, s2 = b->scale;
    const unsigned scale = larger(s1, s2);
    const unsigned whole_a = p1 - s1, whole_b = p2 - s2;
    switch (operator) {
    case ORIEL_OPERATOR_MULTIPLY: return fit(p1 + p2 + 1, s1 + s2);
    case ORIEL_OPERATOR_DIVIDE: {
        const unsigned quotient_scale = larger(SCALE_KEPT, s1 + p2 + 1);
        return fit(p1 - s1 + s2 + quotient_scale, quotient_scale);
    }
    case ORIEL_OPERATOR_MODULO: {
        const unsigned precision = (whole_a < whole_b ? whole_a : whole_b) + scale;
        return fit(precision ? precision : 1, scale);
    }
    default: return fit(larger(whole_a, whole_b) + scale + 1, scale);
    }
}

/* Splits a value of some scale into units of the result's scale and the rest, which has the scale
 * `fine`; false when the units leave 128 bits. */
static bool split(oriel_i128 value, unsigned scale, unsigned coarse, unsigned fine,
                  oriel_i128 *units, oriel_i128 *rest) {
    *rest = 0;
    if (scale <= coarse)
        return !__builtin_mul_overflow(value, oriel_decimal_power(coarse - scale), units);
    const oriel_i128 unit = oriel_decimal_power(scale - coarse);
    *units = value / unit;
    *rest = value % unit * oriel_decimal_power(fine - scale);
    return true;
}

/* Adds at the scale of the result and carries what lies below it, so that no digit is lost although
 * the exact sum may have more than 38. */
static bool add_rows(const struct decimal_state *state, oriel_i128 a, oriel_i128 b,
                     oriel_i128 *out) {
    const unsigned fine = larger(state->scale_a, state->scale_b);
    oriel_i128 units_a, units_b, rest_a, rest_b, sum;
    if (state->operator== ORIEL_OPERATOR_SUBTRACT)
        b = -b;
    if (!split(a, state->scale_a, state->scale, fine, &units_a, &rest_a) ||
        !split(b, state->scale_b, state->scale, fine, &units_b, &rest_b) ||
        __builtin_add_overflow(units_a, units_b, &sum))
        return false;
    const oriel_i128 unit = oriel_decimal_power(fine - state->scale);
    oriel_i128 rest = rest_a + rest_b;
    sum += rest / unit;
    rest %= unit;
    if (sum > 0 && rest < 0) {
        sum--;
        rest += unit;
    } else if (sum < 0 && rest > 0) {
        sum++;
        rest -= unit;
    }
    if (unit > 1 && rest >= unit - rest)
        sum++;
    else if (unit > 1 && -rest >= unit + rest)
        sum--;
    const oriel_i128 limit = oriel_decimal_power(state->precision);
    *out = sum;
    return sum < limit && sum > -limit;
}

static bool modulo_rows(const struct decimal_state *state, oriel_i128 a, oriel_i128 b,
                        oriel_i128 *out) {
    const unsigned scale = larger(state->scale_a, state->scale_b);
    if (!oriel_decimal_rescale(a, state->scale_a, scale, ORIEL_DECIMAL_PRECISION_MAX, &a) ||
        !oriel_decimal_rescale(b, state->scale_b, scale, ORIEL_DECIMAL_PRECISION_MAX, &b))
        return false;
    return oriel_decimal_rescale(a % b, scale, state->scale, state->precision, out);
}

static bool compute(const struct decimal_state *state, oriel_i128 a, oriel_i128 b,
                    oriel_i128 *out) {
    switch (state->operator) {
    case ORIEL_OPERATOR_MULTIPLY:
        return oriel_decimal_multiply(a, b, state->scale_a + state->scale_b, state->scale,
                                      state->precision, out);
    case ORIEL_OPERATOR_DIVIDE:
        return oriel_decimal_divide(a, b,
                                    (int)(state->scale + state->scale_b) - (int)state->scale_a,
                                    state->precision, out);
    case ORIEL_OPERATOR_MODULO: return modulo_rows(state, a, b, out);
    default: return add_rows(state, a, b, out);
    }
}

/* The common case: the type has room for every exact result, so plain integer steps do. */
static void compute_exact(const struct decimal_state *state, const oriel_i128 *a,
                          const oriel_i128 *b, size_t row_count, oriel_i128 *to) {
    if (state->operator== ORIEL_OPERATOR_MULTIPLY) {
        for (size_t row = 0; row < row_count; row++)
            to[row] = (oriel_i128)((oriel_u128)a[row] * (oriel_u128)b[row]);
        return;
    }
    const oriel_u128 factor_a = (oriel_u128)oriel_decimal_power(state->scale - state->scale_a);
    const oriel_u128 factor_b = (oriel_u128)oriel_decimal_power(state->scale - state->scale_b);
    const bool add = state->operator== ORIEL_OPERATOR_ADD;
    for (size_t row = 0; row < row_count; row++) {
        const oriel_u128 left = (oriel_u128)a[row] * factor_a;
        const oriel_u128 right = (oriel_u128)b[row] * factor_b;
        to[row] = (oriel_i128)(add ? left + right : left - right);
    }
}

static enum oriel_status evaluate(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const struct decimal_state *state = call->state;
    const oriel_i128 *a = arguments[0].values, *b = arguments[1].values;
    oriel_i128 *to = out->values;
    if (state->exact) {
        compute_exact(state, a, b, row_count, to);
        return ORIEL_OK;
    }
    const bool divides =
        state->operator== ORIEL_OPERATOR_DIVIDE || state->operator== ORIEL_OPERATOR_MODULO;
    for (size_t row = 0; row < row_count; row++) {
        to[row] = 0;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        if (divides && b[row] == 0)
            return oriel_error_at(
                evaluation->error, ORIEL_RUNTIME, call->position,
                "Division by zero; NULLIF(x, 0) as the divisor gives NULL instead");
        if (!compute(state, a[row], b[row], &to[row])) {
            to[row] = 0;
            oriel_bits_clear(out->valid, row);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status negate(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                const struct oriel_column *arguments, size_t row_count,
                                struct oriel_column *out) {
    (void)call, (void)evaluation;
    const oriel_i128 *from = arguments[0].values;
    oriel_i128 *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = (oriel_i128)(0 - (oriel_u128)from[row]);
    return ORIEL_OK;
}

enum oriel_status oriel_decimal_bind(struct oriel_binding *binding, enum oriel_operator operator,
                                     struct oriel_error * error) {
    const struct oriel_type *a = &binding->casts[0], *b = &binding->casts[1];
    if (operator== ORIEL_OPERATOR_NEGATE)
        return oriel_bind_result(binding, *a, negate);
    struct decimal_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    const struct oriel_type result = result_type(operator, a, b);
    *state = (struct decimal_state){.operator= operator,
                                    .scale_a = a->scale,
                                    .scale_b = b->scale,
                                    .scale = result.scale,
                                    .precision = result.precision};
    const unsigned sum_digits =
        larger((unsigned)(a->precision - a->scale), (unsigned)(b->precision - b->scale)) +
        larger(a->scale, b->scale) + 1;
    if (operator== ORIEL_OPERATOR_MULTIPLY)
        state->exact = a->precision + b->precision < ORIEL_DECIMAL_PRECISION_MAX;
    else if (operator== ORIEL_OPERATOR_ADD || operator== ORIEL_OPERATOR_SUBTRACT)
        state->exact = sum_digits <= ORIEL_DECIMAL_PRECISION_MAX;
    return oriel_bind_result(binding, result, evaluate);
}
