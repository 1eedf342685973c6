/*
 * FLOOR and CEIL of a time TO a unit. Units up to a day are exact; longer ones look at the day
 * alone, cut towards 1970, as Flink does. Weeks start on Sunday. The result of a TIMESTAMP_LTZ is
 * counted with the offset of its argument, also where the zone changes in between.
 */
#include "engine/base/civil.h"
#include "engine/functions/moment.h"
#include "engine/functions/rows.h"
#include "engine/functions/time_unit.h"

enum { DAYS_PER_WEEK = 7, SUNDAY_OFFSET = 3, MONTHS_PER_YEAR = 12 };

struct round_state {
    enum oriel_time_unit unit;
    bool up;
};

static int64_t round_ms(const struct round_state *state, int64_t ms) {
    const int64_t unit = oriel_time_unit_ms(state->unit);
    const int64_t rest = oriel_floor_mod(ms, unit);
    return state->up && rest ? ms - rest + unit : ms - rest;
}

static int64_t round_week(const struct round_state *state, int64_t days) {
    const int64_t rest = oriel_floor_mod(days - SUNDAY_OFFSET, DAYS_PER_WEEK);
    return state->up && rest ? days - rest + DAYS_PER_WEEK : days - rest;
}

/* Centuries and millennia begin with the years 1, 101, 1001. */
static int64_t round_days(const struct round_state *state, int64_t days) {
    const int64_t unit = oriel_time_unit_months(state->unit);
    const struct oriel_civil_date date = oriel_civil_from_days(days);
    const int64_t origin = unit >= 100 * MONTHS_PER_YEAR ? MONTHS_PER_YEAR : 0;
    const int64_t month = (int64_t)date.year * MONTHS_PER_YEAR + date.month - 1;
    int64_t start = month - oriel_floor_mod(month - origin, unit);
    if (state->up && state->unit == ORIEL_UNIT_QUARTER && (date.month > 1 || date.day > 1))
        start += unit; /* Flink keeps the first of January alone */
    for (;; start += unit) {
        const int64_t year = oriel_floor_div(start, MONTHS_PER_YEAR);
        const int32_t of_year = (int32_t)oriel_floor_mod(start, MONTHS_PER_YEAR) + 1;
        const int64_t rounded = oriel_days_from_civil(year, of_year, 1);
        if (!state->up || rounded >= days)
            return rounded;
    }
}

static struct oriel_moment round_moment(const struct round_state *state,
                                        const struct oriel_type *type, struct oriel_moment moment) {
    if (oriel_time_unit_months(state->unit)) {
        moment.ms = round_days(state, moment.ms / ORIEL_MS_PER_DAY) * ORIEL_MS_PER_DAY;
        moment.ns = 0;
    } else if (state->unit == ORIEL_UNIT_WEEK) {
        moment.ms = round_week(state, moment.ms / ORIEL_MS_PER_DAY) * ORIEL_MS_PER_DAY;
        moment.ns = 0;
    } else if (state->unit >= ORIEL_UNIT_SECOND) {
        if (type->id == ORIEL_TYPE_DATE) {
            if (state->up && state->unit == ORIEL_UNIT_DAY)
                moment.ms += ORIEL_MS_PER_DAY; /* also a day, as in Flink */
        } else {
            if (state->up && moment.ns)
                moment.ms++;
            moment.ms = round_ms(state, moment.ms);
        }
        moment.ns = 0;
    } else {
        const int32_t step = state->unit == ORIEL_UNIT_MILLISECOND   ? 1000000
                             : state->unit == ORIEL_UNIT_MICROSECOND ? 1000
                                                                     : 1;
        const int32_t rest = moment.ns % step;
        moment.ns += state->up && rest ? step - rest : -rest;
        if (moment.ns == 1000000) {
            moment.ns = 0;
            moment.ms++;
        }
    }
    return moment;
}

static enum oriel_status evaluate(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const struct oriel_type *type = &call->argument_types[0];
    const struct oriel_zone *zone = evaluation->runtime->zone;
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(type)));
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_moment instant =
            oriel_moment_read_instant(type, arguments[0].values, row);
        struct oriel_moment moment = oriel_moment_read(type, arguments[0].values, row, zone);
        const int64_t offset_ms = moment.ms - instant.ms; /* of the time itself, as in Flink */
        moment = round_moment(call->state, type, moment);
        moment.ms -= offset_ms;
        oriel_moment_write_instant(type, out->values, row, moment);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_time_round_bind(struct oriel_binding *binding, bool up,
                                        struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "D.", "a DATE, TIME or TIMESTAMP TO a unit", error));
    struct round_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    state->up = up;
    ORIEL_TRY(oriel_time_unit_bind(binding, 1, &state->unit, error));
    if (state->unit > ORIEL_UNIT_MILLENNIUM ||
        (binding->casts[0].id == ORIEL_TYPE_TIME && state->unit > ORIEL_UNIT_HOUR))
        return oriel_bind_refuse(binding, "a time TO a unit that it has", error);
    struct oriel_type type = binding->casts[0];
    type.rowtime = false;
    return oriel_bind_result(binding, type, evaluate);
}
