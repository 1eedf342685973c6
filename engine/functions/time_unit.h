/*
 * Inside engine/functions: the units of EXTRACT, FLOOR TO, TIMESTAMPADD and TIMESTAMPDIFF.
 */
#pragma once

#include "engine/functions/signature.h"

enum oriel_time_unit {
    ORIEL_UNIT_NANOSECOND,
    ORIEL_UNIT_MICROSECOND,
    ORIEL_UNIT_MILLISECOND,
    ORIEL_UNIT_SECOND,
    ORIEL_UNIT_MINUTE,
    ORIEL_UNIT_HOUR,
    ORIEL_UNIT_DAY,
    ORIEL_UNIT_WEEK,
    ORIEL_UNIT_MONTH,
    ORIEL_UNIT_QUARTER,
    ORIEL_UNIT_YEAR,
    ORIEL_UNIT_DECADE,
    ORIEL_UNIT_CENTURY,
    ORIEL_UNIT_MILLENNIUM,
    ORIEL_UNIT_EPOCH,
    ORIEL_UNIT_DOW,
    ORIEL_UNIT_ISODOW,
    ORIEL_UNIT_DOY,
    ORIEL_UNIT_ISOYEAR,
    ORIEL_UNIT_COUNT,
};

/* Reads the unit that argument `argument` must be, a constant; ORIEL_INVALID if it is no unit. */
enum oriel_status oriel_time_unit_bind(const struct oriel_binding *binding, uint32_t argument,
                                       enum oriel_time_unit *out, struct oriel_error *error);

/* "HOUR", "DOY"... */
const char *oriel_time_unit_name(enum oriel_time_unit unit);

/* Milliseconds of SECOND to WEEK; 0 for the others. */
int64_t oriel_time_unit_ms(enum oriel_time_unit unit);

/* Months of MONTH to MILLENNIUM; 0 for the others. */
int32_t oriel_time_unit_months(enum oriel_time_unit unit);

/* UNIX_TIMESTAMP() without arguments. */
enum oriel_status oriel_now_seconds_bind(struct oriel_binding *binding);

/* FLOOR and CEIL of (time, unit). */
enum oriel_status oriel_time_round_bind(struct oriel_binding *binding, bool up,
                                        struct oriel_error *error);
