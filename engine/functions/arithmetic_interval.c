/*
 * Arithmetic of times and intervals: DATE, TIME and TIMESTAMP plus and minus an interval, sums of
 * intervals, an interval times an integer, and the difference of two times as an interval.
 */
#include "engine/functions/arithmetic.h"

#include "engine/base/civil.h"
#include "engine/functions/rows.h"

enum { MONTHS_PER_YEAR = 12, NS_PER_MS = 1000000 };

static bool is_interval(const struct oriel_type *type) {
    return type->id == ORIEL_TYPE_INTERVAL_DAY || type->id == ORIEL_TYPE_INTERVAL_YEAR;
}

static bool is_time(const struct oriel_type *type) {
    return oriel_type_is_timestamp(type) || type->id == ORIEL_TYPE_DATE ||
           type->id == ORIEL_TYPE_TIME;
}

int64_t oriel_days_add_months(int64_t days, int64_t months) {
    const struct oriel_civil_date date = oriel_civil_from_days(days);
    const int64_t total = (int64_t)date.year * MONTHS_PER_YEAR + (date.month - 1) + months;
    const int64_t year = oriel_floor_div(total, MONTHS_PER_YEAR);
    const int32_t month = (int32_t)oriel_floor_mod(total, MONTHS_PER_YEAR) + 1;
    const int32_t last = oriel_days_in_month(year, month);
    return oriel_days_from_civil(year, month, date.day < last ? date.day : last);
}

static int64_t wrap_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t ms_add_months(int64_t ms, int64_t months) {
    const int64_t days = oriel_floor_div(ms, ORIEL_MS_PER_DAY);
    return wrap_add(oriel_days_add_months(days, months) * ORIEL_MS_PER_DAY,
                    oriel_floor_mod(ms, ORIEL_MS_PER_DAY));
}

/* One value of the time plus an interval in ms or months. TIMESTAMP_LTZ moves by months on the wall
 * clock of UTC, as Flink does. */
static void add_one(const struct oriel_type *type, bool months, void *values, size_t row,
                    int64_t interval) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I64: {
        int64_t *ms = (int64_t *)values + row;
        *ms = months ? ms_add_months(*ms, interval) : wrap_add(*ms, interval);
        break;
    }
    case ORIEL_PHYSICAL_I128: {
        oriel_i128 *ns = (oriel_i128 *)values + row;
        if (months) {
            const oriel_i128 floor_fix = *ns < 0 ? NS_PER_MS - 1 : 0;
            const int64_t ms = (int64_t)((*ns - floor_fix) / NS_PER_MS);
            const oriel_i128 below_ms = *ns - (oriel_i128)ms * NS_PER_MS;
            *ns = (oriel_i128)ms_add_months(ms, interval) * NS_PER_MS + below_ms;
        } else {
            *ns += (oriel_i128)interval * NS_PER_MS;
        }
        break;
    }
    default: {
        int32_t *value = (int32_t *)values + row;
        if (type->id == ORIEL_TYPE_TIME) {
            if (!months)
                *value = (int32_t)oriel_floor_mod(*value + interval % ORIEL_MS_PER_DAY,
                                                  ORIEL_MS_PER_DAY);
        } else {
            *value = months ? (int32_t)oriel_days_add_months(*value, interval)
                            : (int32_t)(uint32_t)wrap_add(*value, interval / ORIEL_MS_PER_DAY);
        }
    }
    }
}

struct interval_state {
    bool subtract;
    bool interval_first;
    bool months; /* the interval, or the wanted difference, is in months */
};

static int64_t interval_at(const struct oriel_column *column, bool months, size_t row) {
    return months ? ((const int32_t *)column->values)[row] : ((const int64_t *)column->values)[row];
}

/* TIMESTAMP(0..3) and an interval are both milliseconds. */
static void shift_ms(const int64_t *times, const int64_t *intervals, bool subtract,
                     size_t row_count, int64_t *to) {
    const uint64_t sign = subtract ? UINT64_MAX : 1;
    for (size_t row = 0; row < row_count; row++)
        to[row] = (int64_t)((uint64_t)times[row] + sign * (uint64_t)intervals[row]);
}

static enum oriel_status shift(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    const struct interval_state *state = call->state;
    const struct oriel_column *times = &arguments[state->interval_first];
    const struct oriel_column *intervals = &arguments[!state->interval_first];
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&call->result));
    if (!state->months && oriel_type_physical(&call->result) == ORIEL_PHYSICAL_I64) {
        shift_ms(times->values, intervals->values, state->subtract, row_count, out->values);
        return ORIEL_OK;
    }
    memcpy(out->values, times->values, row_count * value_bytes);
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const int64_t interval = interval_at(intervals, state->months, row);
        add_one(&call->result, state->months, out->values, row,
                state->subtract ? (int64_t)(0 - (uint64_t)interval) : interval);
    }
    return ORIEL_OK;
}

static enum oriel_status multiply_months(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row_count,
                                         struct oriel_column *out) {
    (void)evaluation;
    const struct interval_state *state = call->state;
    const int32_t *months = arguments[!state->interval_first].values;
    const int64_t *factors = arguments[state->interval_first].values;
    int32_t *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = (int32_t)(uint32_t)((uint64_t)months[row] * (uint64_t)factors[row]);
    return ORIEL_OK;
}

static enum oriel_status bind_state(struct oriel_binding *binding, bool subtract,
                                    bool interval_first, bool months, struct oriel_error *error) {
    struct interval_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    *state = (struct interval_state){
        .subtract = subtract, .interval_first = interval_first, .months = months};
    return ORIEL_OK;
}

static enum oriel_status bind_product(struct oriel_binding *binding, bool interval_first,
                                      struct oriel_error *error) {
    const struct oriel_type *interval = &binding->argument_types[!interval_first];
    const uint32_t factor = interval_first;
    const bool months = interval->id == ORIEL_TYPE_INTERVAL_YEAR;
    binding->casts[factor] = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT),
                                                  binding->argument_types[factor].nullable);
    ORIEL_TRY(bind_state(binding, false, interval_first, months, error));
    return oriel_bind_result(
        binding, *interval,
        months ? multiply_months
               : oriel_arithmetic_evaluation(ORIEL_OPERATOR_MULTIPLY, ORIEL_TYPE_BIGINT));
}

enum oriel_status oriel_interval_bind(struct oriel_binding *binding, enum oriel_operator operator,
                                      bool * done, struct oriel_error *error) {
    const struct oriel_type *a = &binding->argument_types[0];
    const struct oriel_type *b = &binding->argument_types[1];
    const bool subtract = operator== ORIEL_OPERATOR_SUBTRACT;
    *done = true;
    if (operator== ORIEL_OPERATOR_NEGATE && is_interval(a))
        return oriel_bind_result(binding, *a, oriel_arithmetic_evaluation(operator, a->id));
    if (operator== ORIEL_OPERATOR_MULTIPLY && is_interval(a) && oriel_type_is_integer(b))
        return bind_product(binding, true, error);
    if (operator== ORIEL_OPERATOR_MULTIPLY && is_interval(b) && oriel_type_is_integer(a))
        return bind_product(binding, false, error);
    if (operator== ORIEL_OPERATOR_ADD || subtract) {
        if (is_interval(a) && a->id == b->id)
            return oriel_bind_result(binding, *a, oriel_arithmetic_evaluation(operator, a->id));
        if (is_time(a) && is_interval(b)) {
            ORIEL_TRY(
                bind_state(binding, subtract, false, b->id == ORIEL_TYPE_INTERVAL_YEAR, error));
            return oriel_bind_result(binding, *a, shift);
        }
        if (!subtract && is_interval(a) && is_time(b)) {
            ORIEL_TRY(bind_state(binding, false, true, a->id == ORIEL_TYPE_INTERVAL_YEAR, error));
            return oriel_bind_result(binding, *b, shift);
        }
    }
    *done = false;
    return ORIEL_OK;
}
