/*
 * TIMESTAMPADD and TIMESTAMPDIFF of (unit, ...), and the interval (a - b) unit.
 */
#include "engine/base/civil.h"
#include "engine/functions/arithmetic.h"
#include "engine/functions/function_table.h"
#include "engine/functions/moment.h"
#include "engine/functions/rows.h"
#include "engine/functions/time_unit.h"

enum { DAYS_PER_MONTH_MAX = 31, PRECISION_DEFAULT = 6, PRECISION_MS = 3 };

static enum oriel_time_unit unit_of(const struct oriel_call *call) {
    return *(const enum oriel_time_unit *)call->state;
}

static enum oriel_status add(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                             const struct oriel_column *arguments, size_t row_count,
                             struct oriel_column *out) {
    const enum oriel_time_unit unit = unit_of(call);
    const int64_t *counts = arguments[1].values;
    const struct oriel_type *type = &call->argument_types[2];
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        struct oriel_moment moment = oriel_moment_read_instant(type, arguments[2].values, row);
        const int64_t months = oriel_time_unit_months(unit);
        if (months) {
            const int64_t days = oriel_floor_div(moment.ms, ORIEL_MS_PER_DAY);
            const int64_t rest = moment.ms - days * ORIEL_MS_PER_DAY;
            const int32_t count = (int32_t)(uint32_t)((uint64_t)counts[row] * (uint64_t)months);
            moment.ms = oriel_days_add_months(days, count) * ORIEL_MS_PER_DAY + rest;
        } else {
            moment.ms = (int64_t)((uint64_t)moment.ms +
                                  (uint64_t)counts[row] * (uint64_t)oriel_time_unit_ms(unit));
        }
        oriel_moment_write_instant(&call->result, out->values, row, moment);
    }
    return ORIEL_OK;
}

/* Whole months from `from` to `to`; the day at the end of a shorter month counts as reached. */
static int64_t months_of_days(int64_t from, int64_t to) {
    if (to < from)
        return -months_of_days(to, from);
    int64_t months = (to - from) / DAYS_PER_MONTH_MAX;
    while (oriel_days_add_months(from, months) < to &&
           oriel_days_add_months(from, months + 1) <= to)
        months++;
    return months;
}

static int64_t months_between(int64_t from_ms, int64_t to_ms) {
    const int64_t from = oriel_floor_div(from_ms, ORIEL_MS_PER_DAY);
    const int64_t to = oriel_floor_div(to_ms, ORIEL_MS_PER_DAY);
    const int64_t months = months_of_days(from, to);
    const bool short_of_day =
        oriel_floor_mod(to_ms, ORIEL_MS_PER_DAY) < oriel_floor_mod(from_ms, ORIEL_MS_PER_DAY);
    return oriel_days_add_months(from, months) == to && short_of_day ? months - 1 : months;
}

static enum oriel_status difference(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    const enum oriel_time_unit unit = unit_of(call);
    const int64_t months = oriel_time_unit_months(unit);
    for (size_t row = 0; row < row_count; row++) {
        int64_t count = 0;
        if (oriel_row_counts(evaluation, out, row)) {
            const int64_t from =
                oriel_moment_read_instant(&call->argument_types[1], arguments[1].values, row).ms;
            const int64_t to =
                oriel_moment_read_instant(&call->argument_types[2], arguments[2].values, row).ms;
            count = months ? months_between(from, to) / months
                           : (int64_t)((uint64_t)to - (uint64_t)from) / oriel_time_unit_ms(unit);
        }
        ((int32_t *)out->values)[row] = (int32_t)(uint32_t)(uint64_t)count;
    }
    return ORIEL_OK;
}

static enum oriel_status minus_months(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    const struct oriel_type *type = &call->argument_types[1];
    for (size_t row = 0; row < row_count; row++) {
        int64_t count = 0;
        if (oriel_row_counts(evaluation, out, row))
            count = months_between(oriel_moment_read_instant(type, arguments[2].values, row).ms,
                                   oriel_moment_read_instant(type, arguments[1].values, row).ms);
        ((int32_t *)out->values)[row] = (int32_t)(uint32_t)(uint64_t)count;
    }
    return ORIEL_OK;
}

static enum oriel_status minus_ms(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const struct oriel_type *types = call->argument_types;
    (void)evaluation;
    for (size_t row = 0; row < row_count; row++)
        ((int64_t *)out->values)[row] =
            (int64_t)((uint64_t)oriel_moment_read_instant(&types[1], arguments[1].values, row).ms -
                      (uint64_t)oriel_moment_read_instant(&types[2], arguments[2].values, row).ms);
    return ORIEL_OK;
}

static enum oriel_status bind_unit(struct oriel_binding *binding, enum oriel_time_unit *out,
                                   struct oriel_error *error) {
    enum oriel_time_unit *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    ORIEL_TRY(oriel_time_unit_bind(binding, 0, state, error));
    *out = *state;
    if (*state < ORIEL_UNIT_MILLISECOND || *state > ORIEL_UNIT_YEAR)
        return oriel_error_at(
            error, ORIEL_INVALID, binding->position,
            "%s takes MILLISECOND, SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER "
            "or YEAR, not %s",
            binding->name, oriel_time_unit_name(*state));
    return ORIEL_OK;
}

/* A DATE with hours becomes a TIMESTAMP, milliseconds give a TIMESTAMP of at least three digits. */
static struct oriel_type sum_type(const struct oriel_type *type, enum oriel_time_unit unit) {
    struct oriel_type out = *type;
    out.rowtime = false;
    if (type->id == ORIEL_TYPE_DATE && unit < ORIEL_UNIT_DAY)
        return oriel_type_timestamp(PRECISION_DEFAULT);
    if (unit == ORIEL_UNIT_MILLISECOND && type->id != ORIEL_TYPE_DATE &&
        type->precision < PRECISION_MS)
        out.precision = PRECISION_MS;
    return out;
}

static enum oriel_status bind_add(struct oriel_binding *binding, struct oriel_error *error) {
    enum oriel_time_unit unit;
    ORIEL_TRY(bind_unit(binding, &unit, error));
    ORIEL_TRY(oriel_bind_arguments(binding, ".lD", "'TIMESTAMPADD(<unit>, <INTEGER>, <DATETIME>)'",
                                   error));
    return oriel_bind_result(binding, sum_type(&binding->casts[2], unit), add);
}

static enum oriel_status bind_difference(struct oriel_binding *binding, struct oriel_error *error) {
    enum oriel_time_unit unit;
    ORIEL_TRY(bind_unit(binding, &unit, error));
    ORIEL_TRY(oriel_bind_arguments(binding, ".D", "'TIMESTAMPDIFF(<unit>, <DATETIME>, <DATETIME>)'",
                                   error));
    struct oriel_type *casts = binding->casts;
    if (casts[1].id != casts[2].id && oriel_type_is_timestamp(&casts[1]) &&
        oriel_type_is_timestamp(&casts[2])) {
        struct oriel_type type;
        oriel_type_unify(&casts[1], &casts[2], &type);
        for (uint32_t i = 1; i <= 2; i++)
            casts[i] = oriel_type_with_null(type, casts[i].nullable);
    }
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_INT), difference);
}

static bool is_moment(const struct oriel_type *type) {
    return oriel_type_is_timestamp(type) || type->id == ORIEL_TYPE_DATE ||
           type->id == ORIEL_TYPE_TIME;
}

static enum oriel_status bind_minus(struct oriel_binding *binding, struct oriel_error *error) {
    const struct oriel_type *types = binding->argument_types;
    enum oriel_time_unit unit;
    char a[96], b[96];
    ORIEL_TRY(bind_unit(binding, &unit, error));
    oriel_type_print(&types[1], false, a, sizeof a);
    oriel_type_print(&types[2], false, b, sizeof b);
    if (!is_moment(&types[1]) || !is_moment(&types[2]))
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "Cannot apply '-' to arguments of type '(<%s> - <%s>) %s'. Supported "
                              "form(s): '(<DATETIME> - <DATETIME>) <DATETIME_INTERVAL>'",
                              a, b, oriel_time_unit_name(unit));
    if (types[1].id != types[2].id)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "The two times of a difference must be of the same type, but are %s "
                              "and %s; CAST one",
                              a, b);
    const bool is_months = oriel_time_unit_months(unit) != 0;
    return oriel_bind_result(
        binding, oriel_type_make(is_months ? ORIEL_TYPE_INTERVAL_YEAR : ORIEL_TYPE_INTERVAL_DAY),
        is_months ? minus_months : minus_ms);
}

static const struct oriel_function rows[] = {
    {"MINUS", 3, 3, ORIEL_FUNCTION_STRICT, bind_minus, NULL}, /* (a - b) unit */
    {"TIMESTAMPADD", 3, 3, ORIEL_FUNCTION_STRICT, bind_add, NULL},
    {"TIMESTAMPDIFF", 3, 3, ORIEL_FUNCTION_STRICT, bind_difference, NULL},
};

const struct oriel_function_group oriel_functions_temporal_shift = {rows,
                                                                    sizeof rows / sizeof rows[0]};
