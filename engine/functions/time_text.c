/*
 * Reading of dates and times for CAST.
 */
#include "engine/functions/time_text.h"

#include "engine/base/civil.h"

enum { MS_PER_HOUR = 3600000, MS_PER_MINUTE = 60000, MS_PER_SECOND = 1000, NS_PER_MS = 1000000 };

struct reader {
    const char *next;
    const char *end;
};

static struct reader read_trimmed(const char *text, size_t length) {
    struct reader reader = {text, text + length};
    while (reader.next < reader.end && *reader.next == ' ')
        reader.next++;
    while (reader.end > reader.next && reader.end[-1] == ' ')
        reader.end--;
    return reader;
}

static bool skip(struct reader *reader, char c) {
    if (reader->next == reader->end || *reader->next != c)
        return false;
    reader->next++;
    return true;
}

/* `least` to `most` digits with a value of low to high. */
static bool read_digits(struct reader *reader, int least, int most, int32_t low, int32_t high,
                        int32_t *out) {
    int32_t value = 0;
    int count = 0;
    for (; count < most && reader->next < reader->end; count++, reader->next++) {
        if (*reader->next < '0' || *reader->next > '9')
            break;
        value = value * 10 + (*reader->next - '0');
    }
    *out = value;
    return count >= least && value >= low && value <= high;
}

static bool at_end(const struct reader *reader) {
    return reader->next == reader->end;
}

bool oriel_time_text_date(const char *text, size_t length, int32_t *days) {
    struct reader reader = read_trimmed(text, length);
    int32_t year, month = 1, day = 1;
    if (!read_digits(&reader, 1, 4, 0, 9999, &year))
        return false;
    if (skip(&reader, '-')) {
        if (!read_digits(&reader, 1, 2, 1, 12, &month))
            return false;
        if (skip(&reader, '-') && !read_digits(&reader, 1, 2, 1, 31, &day))
            return false;
    }
    if (!at_end(&reader) && *reader.next != ' ')
        return false;
    if (day > oriel_days_in_month(year, month))
        return false;
    *days = (int32_t)oriel_days_from_civil(year, month, day);
    return true;
}

/* .f{0,9} in nanoseconds. */
static bool read_fraction(struct reader *reader, int32_t *ns) {
    *ns = 0;
    if (!skip(reader, '.'))
        return true;
    int32_t unit = 100000000;
    for (; !at_end(reader); reader->next++, unit /= 10) {
        if (*reader->next < '0' || *reader->next > '9' || unit == 0)
            return false;
        *ns += (*reader->next - '0') * unit;
    }
    return true;
}

bool oriel_time_text_time(const char *text, size_t length, int32_t *ms) {
    struct reader reader = read_trimmed(text, length);
    int32_t hour, minute = 0, second = 0, ns = 0;
    if (!read_digits(&reader, 1, 2, 0, 23, &hour))
        return false;
    if (skip(&reader, ':')) {
        if (!read_digits(&reader, 1, 2, 0, 59, &minute))
            return false;
        if (skip(&reader, ':') &&
            (!read_digits(&reader, 1, 2, 0, 59, &second) || !read_fraction(&reader, &ns)))
            return false;
    }
    *ms = hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND + ns / NS_PER_MS;
    return at_end(&reader);
}

bool oriel_time_text_timestamp(const char *text, size_t length, int64_t *ms, int32_t *ns) {
    struct reader reader = {text, text + length};
    int32_t year, month, day, hour = 0, minute = 0, second = 0, nanos = 0;
    if (!read_digits(&reader, 4, 4, 0, 9999, &year) || !skip(&reader, '-') ||
        !read_digits(&reader, 1, 2, 1, 12, &month) || !skip(&reader, '-') ||
        !read_digits(&reader, 1, 2, 1, 31, &day))
        return false;
    if (skip(&reader, ' ') &&
        (!read_digits(&reader, 1, 2, 0, 24, &hour) || !skip(&reader, ':') ||
         !read_digits(&reader, 1, 2, 0, 59, &minute) || !skip(&reader, ':') ||
         !read_digits(&reader, 1, 2, 0, 59, &second) || !read_fraction(&reader, &nanos)))
        return false;
    if (!at_end(&reader) || (hour == 24 && (minute || second || nanos)))
        return false;
    const int32_t last = oriel_days_in_month(year, month);
    *ms = oriel_days_from_civil(year, month, day > last ? last : day) * ORIEL_MS_PER_DAY +
          hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND + nanos / NS_PER_MS;
    *ns = nanos % NS_PER_MS;
    return true;
}

bool oriel_time_text_lenient(const char *text, size_t length, int64_t *ms, int32_t *ns) {
    struct reader reader = read_trimmed(text, length);
    int32_t year, month, day, hour = 0, minute = 0, second = 0, nanos = 0;
    if (!read_digits(&reader, 4, 4, 0, 9999, &year) || !skip(&reader, '-') ||
        !read_digits(&reader, 1, 2, 1, 12, &month) || !skip(&reader, '-') ||
        !read_digits(&reader, 1, 2, 1, 31, &day))
        return false;
    if (skip(&reader, ' ') &&
        (!read_digits(&reader, 1, 4, 0, 9999, &hour) || !skip(&reader, ':') ||
         !read_digits(&reader, 1, 4, 0, 9999, &minute) || !skip(&reader, ':') ||
         !read_digits(&reader, 1, 4, 0, 9999, &second) || reader.end[-1] == '.' ||
         !read_fraction(&reader, &nanos)))
        return false;
    *ms = (oriel_days_from_civil(year, month, 1) + day - 1) * ORIEL_MS_PER_DAY +
          (int64_t)hour * MS_PER_HOUR + (int64_t)minute * MS_PER_MINUTE +
          (int64_t)second * MS_PER_SECOND + nanos / NS_PER_MS;
    *ns = nanos % NS_PER_MS;
    return at_end(&reader);
}
