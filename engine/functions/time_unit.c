/*
 * Names and sizes of the units of time.
 */
#include "engine/functions/time_unit.h"

static const struct {
    const char *name;
    int64_t ms;
    int32_t months;
} units[ORIEL_UNIT_COUNT] = {
    [ORIEL_UNIT_NANOSECOND] = {"NANOSECOND", 0, 0},
    [ORIEL_UNIT_MICROSECOND] = {"MICROSECOND", 0, 0},
    [ORIEL_UNIT_MILLISECOND] = {"MILLISECOND", 1, 0},
    [ORIEL_UNIT_SECOND] = {"SECOND", 1000, 0},
    [ORIEL_UNIT_MINUTE] = {"MINUTE", 60000, 0},
    [ORIEL_UNIT_HOUR] = {"HOUR", 3600000, 0},
    [ORIEL_UNIT_DAY] = {"DAY", 86400000, 0},
    [ORIEL_UNIT_WEEK] = {"WEEK", 7 * 86400000, 0},
    [ORIEL_UNIT_MONTH] = {"MONTH", 0, 1},
    [ORIEL_UNIT_QUARTER] = {"QUARTER", 0, 3},
    [ORIEL_UNIT_YEAR] = {"YEAR", 0, 12},
    [ORIEL_UNIT_DECADE] = {"DECADE", 0, 120},
    [ORIEL_UNIT_CENTURY] = {"CENTURY", 0, 1200},
    [ORIEL_UNIT_MILLENNIUM] = {"MILLENNIUM", 0, 12000},
    [ORIEL_UNIT_EPOCH] = {"EPOCH", 0, 0},
    [ORIEL_UNIT_DOW] = {"DOW", 0, 0},
    [ORIEL_UNIT_ISODOW] = {"ISODOW", 0, 0},
    [ORIEL_UNIT_DOY] = {"DOY", 0, 0},
    [ORIEL_UNIT_ISOYEAR] = {"ISOYEAR", 0, 0},
};

/* SECONDS is SECOND, and SQL_TSI_SECOND of ODBC too. */
static bool is_unit(struct oriel_text text, const char *name) {
    const struct oriel_text odbc = ORIEL_TEXT("SQL_TSI_");
    if (text.length > odbc.length && memcmp(text.bytes, odbc.bytes, odbc.length) == 0) {
        text.bytes += odbc.length;
        text.length -= odbc.length;
    }
    if (oriel_text_equal_ignoring_case(text, oriel_text_of(name)))
        return true;
    if (text.length == 0 || (text.bytes[text.length - 1] | 0x20) != 's')
        return false;
    text.length--;
    return oriel_text_equal_ignoring_case(text, oriel_text_of(name));
}

enum oriel_status oriel_time_unit_bind(const struct oriel_binding *binding, uint32_t argument,
                                       enum oriel_time_unit *out, struct oriel_error *error) {
    struct oriel_text text;
    if (!oriel_bind_constant_text(binding, argument, &text))
        return oriel_bind_refuse(binding, "a unit such as HOUR and a time", error);
    for (int unit = 0; unit < ORIEL_UNIT_COUNT; unit++) {
        if (is_unit(text, units[unit].name)) {
            *out = (enum oriel_time_unit)unit;
            return ORIEL_OK;
        }
    }
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "%s: '%.*s' is not a valid time unit", binding->name, (int)text.length,
                          text.bytes);
}

const char *oriel_time_unit_name(enum oriel_time_unit unit) {
    return units[unit].name;
}

int64_t oriel_time_unit_ms(enum oriel_time_unit unit) {
    return units[unit].ms;
}

int32_t oriel_time_unit_months(enum oriel_time_unit unit) {
    return units[unit].months;
}
