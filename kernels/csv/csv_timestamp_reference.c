/* Reference of the timestamp columns: the pattern character by character, the calendar by a table.
 */
#include "kernels/isa_kernels.h"

#include <string.h>

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int two_digits(const char *text) {
    return (text[0] - '0') * 10 + (text[1] - '0');
}

static int matches(const char *text, const char *pattern, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (pattern[i] == 'd' ? !is_digit(text[i]) : text[i] != pattern[i])
            return 0;
    }
    return 1;
}

/* Days from 1970-01-01, or INT64_MIN when the month has no such day. 719528 days lie between
 * 0000-01-01 and 1970-01-01. */
static int64_t epoch_day(int year, int month, int day) {
    static const uint8_t lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month < 1 || month > 12 || day < 1 || day > lengths[month - 1] + (month == 2 && is_leap))
        return INT64_MIN;
    int64_t days = (int64_t)year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    for (int m = 1; m < month; m++)
        days += lengths[m - 1] + (m == 2 && is_leap);
    return days + day - 1 - 719528;
}

static int read_timestamp(const char *field, size_t length, enum oriel_csv_zone zone,
                          int64_t *value) {
    *value = 0;
    if (zone == ORIEL_CSV_ZONE_Z && (length == 0 || field[length - 1] != 'Z'))
        return 0;
    length -= zone == ORIEL_CSV_ZONE_Z;
    if (length < 19 || length == 20 || length > 29 || !matches(field, "dddd-dd-dd dd:dd:dd", 19))
        return 0;
    int64_t millisecond = 0;
    if (length > 19) {
        if (!matches(field + 19, ".ddddddddd", length - 19))
            return 0;
        for (size_t i = 20; i < 23; i++)
            millisecond = millisecond * 10 + (i < length ? field[i] - '0' : 0);
    }
    const int year = two_digits(field) * 100 + two_digits(field + 2);
    const int64_t day = epoch_day(year, two_digits(field + 5), two_digits(field + 8));
    const int hour = two_digits(field + 11);
    const int minute = two_digits(field + 14);
    const int second = two_digits(field + 17);
    if (day == INT64_MIN || hour > 23 || minute > 59 || second > 59)
        return 0;
    *value = (((day * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millisecond;
    return 1;
}

void oriel_csv_timestamp_ms_reference(const char *restrict text, const uint32_t *restrict positions,
                                      size_t stride, size_t count, enum oriel_csv_zone zone,
                                      int64_t *restrict out, uint64_t *restrict slow) {
    memset(slow, 0, (count + 63) / 64 * sizeof *slow);
    for (size_t i = 0; i < count; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const uint32_t end = positions[i * stride + 1];
        if (!read_timestamp(text + start, end - start, zone, &out[i]))
            slow[i / 64] |= UINT64_C(1) << (i % 64);
    }
}
