/*
 * Days and calendar dates. The calendar repeats every 400 years (an era), and a year is counted
 * from March here, so that the leap day comes last.
 */
#include "engine/base/civil.h"

enum {
    DAYS_PER_ERA = 146097,
    DAYS_TO_EPOCH = 719468, /* from 0000-03-01 to 1970-01-01 */
};

/* Days whose year fits 32 bits; farther ones are taken for these. */
#define DAYS_LIMIT (INT64_C(2147483000) / 400 * DAYS_PER_ERA)

int64_t oriel_floor_div(int64_t value, int64_t divisor) {
    const int64_t quotient = value / divisor;
    return quotient - (value % divisor < 0);
}

int64_t oriel_floor_mod(int64_t value, int64_t divisor) {
    const int64_t remainder = value % divisor;
    return remainder < 0 ? remainder + divisor : remainder;
}

int64_t oriel_days_from_civil(int64_t year, int32_t month, int32_t day) {
    const int64_t counted = year - (month <= 2);
    const int64_t era = oriel_floor_div(counted, 400);
    const int64_t year_of_era = counted - era * 400;
    const int64_t month_from_march = month > 2 ? month - 3 : month + 9;
    const int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    const int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_ERA + day_of_era - DAYS_TO_EPOCH;
}

struct oriel_civil_date oriel_civil_from_days(int64_t days) {
    if (days > DAYS_LIMIT)
        days = DAYS_LIMIT;
    if (days < -DAYS_LIMIT)
        days = -DAYS_LIMIT;
    const int64_t shifted = days + DAYS_TO_EPOCH;
    const int64_t era = oriel_floor_div(shifted, DAYS_PER_ERA);
    const uint32_t day_of_era = (uint32_t)(shifted - era * DAYS_PER_ERA);
    const uint32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const uint32_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const uint32_t month_from_march = (5 * day_of_year + 2) / 153;
    const uint32_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    return (struct oriel_civil_date){
        .year = (int32_t)(era * 400 + year_of_era + (month <= 2)),
        .month = (int32_t)month,
        .day = (int32_t)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
    };
}

int32_t oriel_days_in_month(int64_t year, int32_t month) {
    static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}
