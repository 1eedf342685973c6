/*
 * Dates and times as text: the forms that Flink's CSV format reads, and what Flink prints.
 */
#include "engine/base/civil.h"

enum { YEAR_DIGITS_MAX = 10, YEAR_MAX = 292000000, FRACTION_DIGITS_MAX = 9 };

/* A text being read from the left. */
struct reader {
    const char *next;
    const char *end;
};

static int digit_at(const char *text) {
    const int digit = *text - '0';
    return digit >= 0 && digit <= 9 ? digit : -1;
}

static bool read_character(struct reader *reader, char c) {
    if (reader->next == reader->end || *reader->next != c)
        return false;
    reader->next++;
    return true;
}

/* Two digits no larger than `high`. */
static bool read_two(struct reader *reader, int32_t high, int32_t *out) {
    if (reader->end - reader->next < 2)
        return false;
    const int tens = digit_at(reader->next), ones = digit_at(reader->next + 1);
    if (tens < 0 || ones < 0 || tens * 10 + ones > high)
        return false;
    reader->next += 2;
    *out = tens * 10 + ones;
    return true;
}

/* Four digits, or more behind a sign, as Java's ISO form has it: '+' only where it is needed. */
static bool read_year(struct reader *reader, int64_t *out) {
    const bool minus = read_character(reader, '-');
    const bool plus = !minus && read_character(reader, '+');
    const int most = minus || plus ? YEAR_DIGITS_MAX : 4;
    int64_t value = 0;
    int count = 0;
    for (; count < most && reader->next < reader->end; count++, reader->next++) {
        const int digit = digit_at(reader->next);
        if (digit < 0)
            break;
        value = value * 10 + digit;
    }
    if (count < (plus ? 5 : 4) || (minus && value == 0) || value > YEAR_MAX)
        return false;
    *out = minus ? -value : value;
    return true;
}

/* yyyy-MM-dd in days; a day up to 31 past the end of its month is the last one. */
static enum oriel_parse_result read_date(struct reader *reader, int64_t *days) {
    int64_t year;
    int32_t month, day;
    if (!read_year(reader, &year) || !read_character(reader, '-') ||
        !read_two(reader, 12, &month) || !read_character(reader, '-') ||
        !read_two(reader, 31, &day) || month == 0 || day == 0)
        return ORIEL_PARSE_BAD;
    const int32_t last = oriel_days_in_month(year, month);
    *days = oriel_days_from_civil(year, month, day > last ? last : day);
    return day > last ? ORIEL_PARSE_LENIENT : ORIEL_PARSE_OK;
}

/* The digits behind the point, none to nine, in nanoseconds. */
static void read_fraction(struct reader *reader, int32_t *nanos) {
    int32_t value = 0;
    for (int i = 0; i < FRACTION_DIGITS_MAX; i++) {
        const int digit = reader->next < reader->end ? digit_at(reader->next) : -1;
        if (digit >= 0)
            reader->next++;
        value = value * 10 + (digit > 0 ? digit : 0);
    }
    *nanos = value;
}

/* HH:mm:ss[.f], or HH:mm where the second may be missing. The hour may be 24 here. */
static bool read_time(struct reader *reader, bool needs_second, int64_t *ms, int32_t *nanos) {
    int32_t hour, minute, second = 0, fraction = 0;
    if (!read_two(reader, 24, &hour) || !read_character(reader, ':') ||
        !read_two(reader, 59, &minute))
        return false;
    if (read_character(reader, ':')) {
        if (!read_two(reader, 59, &second))
            return false;
        if (read_character(reader, '.'))
            read_fraction(reader, &fraction);
    } else if (needs_second) {
        return false;
    }
    *ms = ((int64_t)(hour * 60 + minute) * 60 + second) * 1000 + fraction / 1000000;
    *nanos = fraction % 1000000;
    return true;
}

enum oriel_parse_result oriel_timestamp_parse(const char *text, size_t length, int64_t *ms,
                                              int32_t *nanos) {
    struct reader reader = {text, text + length};
    int64_t days, time;
    enum oriel_parse_result result = read_date(&reader, &days);
    if (result == ORIEL_PARSE_BAD || !read_character(&reader, ' ') ||
        !read_time(&reader, true, &time, nanos) || reader.next != reader.end)
        return ORIEL_PARSE_BAD;
    if (time >= ORIEL_MS_PER_DAY) {
        if (time > ORIEL_MS_PER_DAY || *nanos)
            return ORIEL_PARSE_BAD;
        result = ORIEL_PARSE_LENIENT;
    }
    *ms = days * ORIEL_MS_PER_DAY + time;
    return result;
}

/* One or two digits. */
static bool read_short(struct reader *reader, int32_t *out) {
    int32_t value = 0;
    int count = 0;
    for (; count < 2 && reader->next < reader->end; count++, reader->next++) {
        const int digit = digit_at(reader->next);
        if (digit < 0)
            break;
        value = value * 10 + digit;
    }
    *out = value;
    return count > 0;
}

enum oriel_parse_result oriel_date_parse(const char *text, size_t length, int32_t *days) {
    struct reader reader = {text, text + length};
    int64_t year;
    int32_t month, day;
    if (length < 5 || digit_at(text) < 0 || !read_year(&reader, &year) ||
        !read_character(&reader, '-') || !read_short(&reader, &month) ||
        !read_character(&reader, '-') || !read_short(&reader, &day) || reader.next != reader.end)
        return ORIEL_PARSE_BAD;
    if (month < 1 || month > 12 || day < 1 || day > 31)
        return ORIEL_PARSE_BAD;
    const bool exists = year > 0 && day <= oriel_days_in_month(year, month);
    *days = (int32_t)oriel_days_from_civil(year > 0 ? year : 1, month, day);
    return exists ? ORIEL_PARSE_OK : ORIEL_PARSE_LENIENT;
}

enum oriel_parse_result oriel_time_parse(const char *text, size_t length, int32_t *ms) {
    struct reader reader = {text, text + length};
    int64_t value;
    int32_t nanos;
    if (!read_time(&reader, false, &value, &nanos) || reader.next != reader.end ||
        value >= ORIEL_MS_PER_DAY)
        return ORIEL_PARSE_BAD;
    *ms = (int32_t)value;
    return ORIEL_PARSE_OK;
}

static char *write_two(char *out, int32_t value) {
    out[0] = (char)('0' + value / 10);
    out[1] = (char)('0' + value % 10);
    return out + 2;
}

/* Four digits of the year; those of a year before 0000 go down from '0', as in Flink. */
static char *write_date(char *out, int64_t days) {
    const struct oriel_civil_date date = oriel_civil_from_days(days);
    out[0] = (char)('0' + date.year / 1000 % 10);
    out[1] = (char)('0' + date.year / 100 % 10);
    out[2] = (char)('0' + date.year / 10 % 10);
    out[3] = (char)('0' + date.year % 10);
    out[4] = '-';
    out = write_two(out + 5, date.month);
    *out++ = '-';
    return write_two(out, date.day);
}

static char *write_second(char *out, int32_t second_of_day) {
    out = write_two(out, second_of_day / 3600);
    *out++ = ':';
    out = write_two(out, second_of_day / 60 % 60);
    *out++ = ':';
    return write_two(out, second_of_day % 60);
}

size_t oriel_timestamp_print(int64_t ms, int32_t nanos, unsigned precision,
                             char out[ORIEL_TIMESTAMP_TEXT_BYTES]) {
    const int64_t days = oriel_floor_div(ms, ORIEL_MS_PER_DAY);
    const int32_t ms_of_day = (int32_t)oriel_floor_mod(ms, ORIEL_MS_PER_DAY);
    char *end = write_date(out, days);
    *end++ = ' ';
    end = write_second(end, ms_of_day / 1000);
    if (precision) {
        int32_t fraction = ms_of_day % 1000 * 1000000 + nanos;
        *end++ = '.';
        for (int32_t unit = 100000000; precision > 0 && unit > 0; precision--, unit /= 10) {
            *end++ = (char)('0' + fraction / unit);
            fraction %= unit;
        }
    }
    return (size_t)(end - out);
}

size_t oriel_date_print(int32_t days, char out[ORIEL_TIMESTAMP_TEXT_BYTES]) {
    return (size_t)(write_date(out, days) - out);
}

size_t oriel_time_print(int32_t ms, unsigned precision, char out[ORIEL_TIMESTAMP_TEXT_BYTES]) {
    const int32_t ms_of_day = (int32_t)oriel_floor_mod(ms, ORIEL_MS_PER_DAY);
    char *end = write_second(out, ms_of_day / 1000);
    int32_t fraction = ms_of_day % 1000;
    if (precision) {
        *end++ = '.';
        do {
            *end++ = (char)('0' + fraction / 100);
            fraction = fraction % 100 * 10;
        } while (fraction && --precision);
    }
    return (size_t)(end - out);
}
