/*
 * Fields of times: EXTRACT and YEAR(), MONTH() ... All give BIGINT. A time before 1970 with a part
 * of a day is cut towards 1970 first, as Flink does.
 */
#include "engine/base/civil.h"
#include "engine/functions/function_table.h"
#include "engine/functions/moment.h"
#include "engine/functions/rows.h"
#include "engine/functions/time_unit.h"

enum { DAYS_PER_WEEK = 7, MONTHS_PER_YEAR = 12 };

/* 1 = Monday .. 7 = Sunday; 1970-01-01 was a Thursday. */
static int64_t iso_day(int64_t days) {
    return oriel_floor_mod(days + 3, DAYS_PER_WEEK) + 1;
}

/* The week belongs to the year that its Thursday lies in. */
static int64_t iso_year(int64_t days) {
    return oriel_civil_from_days(days - iso_day(days) + 4).year;
}

static int64_t iso_week(int64_t days) {
    const int64_t thursday = days - iso_day(days) + 4;
    const int64_t january_1 = oriel_days_from_civil(oriel_civil_from_days(thursday).year, 1, 1);
    return (thursday - january_1) / DAYS_PER_WEEK + 1;
}

static int64_t of_date(enum oriel_time_unit unit, int64_t days) {
    const struct oriel_civil_date date = oriel_civil_from_days(days);
    const int64_t year = date.year;
    switch (unit) {
    case ORIEL_UNIT_MILLENNIUM: return year > 0 ? (year + 999) / 1000 : (year - 999) / 1000;
    case ORIEL_UNIT_CENTURY: return year > 0 ? (year + 99) / 100 : (year - 99) / 100;
    case ORIEL_UNIT_DECADE: return oriel_floor_div(year, 10);
    case ORIEL_UNIT_YEAR: return year;
    case ORIEL_UNIT_QUARTER: return (date.month + 2) / 3;
    case ORIEL_UNIT_MONTH: return date.month;
    case ORIEL_UNIT_DAY: return date.day;
    case ORIEL_UNIT_WEEK: return iso_week(days);
    case ORIEL_UNIT_ISOYEAR: return iso_year(days);
    case ORIEL_UNIT_ISODOW: return iso_day(days);
    case ORIEL_UNIT_DOW: return iso_day(days) % DAYS_PER_WEEK + 1;
    default: return days - oriel_days_from_civil(year, 1, 1) + 1; /* DOY */
    }
}

static int64_t of_moment(enum oriel_time_unit unit, struct oriel_moment moment) {
    switch (unit) {
    case ORIEL_UNIT_NANOSECOND: return moment.ms % 1000 * 1000000 + moment.ns;
    case ORIEL_UNIT_MICROSECOND: return moment.ms % 1000 * 1000 + moment.ns / 1000;
    case ORIEL_UNIT_MILLISECOND: return moment.ms % 1000;
    case ORIEL_UNIT_SECOND: return moment.ms / 1000 % 60;
    case ORIEL_UNIT_MINUTE: return moment.ms / 60000 % 60;
    case ORIEL_UNIT_HOUR: return moment.ms / 3600000 % 24;
    case ORIEL_UNIT_EPOCH: return moment.ms / 1000;
    default: return of_date(unit, moment.ms / ORIEL_MS_PER_DAY);
    }
}

static int64_t of_interval(enum oriel_time_unit unit, const struct oriel_type *type,
                           const void *values, size_t row) {
    if (type->id == ORIEL_TYPE_INTERVAL_YEAR) {
        const int64_t months = ((const int32_t *)values)[row];
        if (unit == ORIEL_UNIT_MONTH)
            return months % MONTHS_PER_YEAR;
        if (unit == ORIEL_UNIT_QUARTER)
            return (months % MONTHS_PER_YEAR) / 3 + 1;
        return months / oriel_time_unit_months(unit);
    }
    const int64_t ms = ((const int64_t *)values)[row];
    if (unit == ORIEL_UNIT_DAY)
        return ms / ORIEL_MS_PER_DAY;
    return of_moment(unit, (struct oriel_moment){.ms = ms});
}

static enum oriel_status evaluate(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const enum oriel_time_unit unit = *(const enum oriel_time_unit *)call->state;
    const uint32_t place = call->argument_count - 1;
    const struct oriel_type *type = &call->argument_types[place];
    const void *values = arguments[place].values;
    const bool interval =
        type->id == ORIEL_TYPE_INTERVAL_DAY || type->id == ORIEL_TYPE_INTERVAL_YEAR;
    int64_t *to = out->values;
    for (size_t row = 0; row < row_count; row++) {
        to[row] = 0;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        to[row] =
            interval
                ? of_interval(unit, type, values, row)
                : of_moment(unit, oriel_moment_read(type, values, row, evaluation->runtime->zone));
    }
    return ORIEL_OK;
}

static bool has_unit(const struct oriel_type *type, enum oriel_time_unit unit) {
    switch (type->id) {
    case ORIEL_TYPE_TIME: return unit <= ORIEL_UNIT_HOUR || unit == ORIEL_UNIT_EPOCH;
    case ORIEL_TYPE_INTERVAL_DAY: return unit <= ORIEL_UNIT_DAY || unit == ORIEL_UNIT_EPOCH;
    case ORIEL_TYPE_INTERVAL_YEAR: return unit >= ORIEL_UNIT_MONTH && unit <= ORIEL_UNIT_MILLENNIUM;
    default: return true;
    }
}

static enum oriel_status bind_unit(struct oriel_binding *binding, enum oriel_time_unit unit,
                                   struct oriel_error *error) {
    const uint32_t place = binding->argument_count - 1;
    const struct oriel_type *type = &binding->argument_types[place];
    if (type->id != ORIEL_TYPE_INTERVAL_DAY && type->id != ORIEL_TYPE_INTERVAL_YEAR)
        ORIEL_TRY(oriel_bind_arguments(binding, place ? ".D" : "D",
                                       "a DATE, TIME, TIMESTAMP or INTERVAL", error));
    type = &binding->casts[place];
    if (!has_unit(type, unit))
        return oriel_error_at(
            error, ORIEL_INVALID, binding->position, "unit %s can not be applied to %s variable",
            oriel_time_unit_name(unit), type->id == ORIEL_TYPE_TIME ? "time" : "interval");
    enum oriel_time_unit *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    *state = unit;
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BIGINT), evaluate);
    binding->result.nullable = binding->argument_types[place].nullable;
    return ORIEL_OK;
}

static enum oriel_status bind_extract(struct oriel_binding *binding, struct oriel_error *error) {
    enum oriel_time_unit unit;
    ORIEL_TRY(oriel_time_unit_bind(binding, 0, &unit, error));
    return bind_unit(binding, unit, error);
}

static enum oriel_status bind_named(struct oriel_binding *binding, struct oriel_error *error) {
    static const struct {
        const char *name;
        enum oriel_time_unit unit;
    } names[] = {
        {"YEAR", ORIEL_UNIT_YEAR},     {"QUARTER", ORIEL_UNIT_QUARTER},
        {"MONTH", ORIEL_UNIT_MONTH},   {"WEEK", ORIEL_UNIT_WEEK},
        {"DAYOFYEAR", ORIEL_UNIT_DOY}, {"DAYOFMONTH", ORIEL_UNIT_DAY},
        {"DAYOFWEEK", ORIEL_UNIT_DOW}, {"HOUR", ORIEL_UNIT_HOUR},
        {"MINUTE", ORIEL_UNIT_MINUTE}, {"SECOND", ORIEL_UNIT_SECOND},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, binding->name) == 0)
            return bind_unit(binding, names[i].unit, error);
    }
    return oriel_error_at(error, ORIEL_INTERNAL, binding->position, "%s has no unit",
                          binding->name);
}

static const struct oriel_function rows[] = {
    {"DAYOFMONTH", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"DAYOFWEEK", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"DAYOFYEAR", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"EXTRACT", 2, 2, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_UNEXPANDED, bind_extract, NULL},
    {"HOUR", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"MINUTE", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"MONTH", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"QUARTER", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"SECOND", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"WEEK", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
    {"YEAR", 1, 1, ORIEL_FUNCTION_STRICT, bind_named, NULL},
};

const struct oriel_function_group oriel_functions_temporal_extract = {rows,
                                                                      sizeof rows / sizeof rows[0]};
