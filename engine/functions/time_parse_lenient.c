/*
 * Text as times by a pattern of SimpleDateFormat: numbers are as long as they are unless another
 * number follows at once, each part may be past its end, and what follows the pattern is passed
 * over.
 */
#include "engine/base/civil.h"
#include "engine/base/zone.h"
#include "engine/functions/time_pattern.h"

enum { DIGITS_MAX = 12, MONTHS_PER_YEAR = 12, YOUNGEST = 2046 };

struct lenient {
    const char *next, *end;
    int64_t year, month, day, hour, minute, second, ms;
    int64_t half; /* 12 for PM */
};

static const struct oriel_time_item default_items[] = {
    {.letter = 'y', .count = 4}, {.text = {"-", 1}},          {.letter = 'M', .count = 2},
    {.text = {"-", 1}},          {.letter = 'd', .count = 2}, {.text = {" ", 1}},
    {.letter = 'H', .count = 2}, {.text = {":", 1}},          {.letter = 'm', .count = 2},
    {.text = {":", 1}},          {.letter = 's', .count = 2},
};

const struct oriel_time_pattern oriel_time_pattern_default = {
    .items = default_items,
    .item_count = sizeof default_items / sizeof default_items[0],
    .lenient = true,
};

int64_t oriel_time_pattern_instant(const struct oriel_zone *zone, int64_t local_ms) {
    static const int64_t shifts[] = {3600000, 1800000, 7200000};
    const int64_t first = oriel_zone_to_instant(zone, local_ms);
    if (oriel_zone_is_fixed(zone))
        return first;
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        if (oriel_zone_to_local(zone, first + shifts[i]) == local_ms)
            return first + shifts[i];
    }
    return first;
}

/* At most `most` characters, a minus among them. */
static bool take(struct lenient *parse, size_t most, int64_t *out, size_t *digit_count) {
    while (parse->next < parse->end && (*parse->next == ' ' || *parse->next == '\t'))
        parse->next++;
    const char *end = (size_t)(parse->end - parse->next) > most ? parse->next + most : parse->end;
    const bool minus = parse->next < end && *parse->next == '-';
    parse->next += minus;
    *out = 0;
    *digit_count = 0;
    for (; parse->next < end && *parse->next >= '0' && *parse->next <= '9'; parse->next++) {
        if (++*digit_count > DIGITS_MAX)
            return false;
        *out = *out * 10 + (*parse->next - '0');
    }
    if (minus)
        *out = -*out;
    return *digit_count > 0;
}

/* The longest name that the text goes on with, whole or its first three letters. */
static bool take_name(struct lenient *parse, const char *const *names, int64_t count,
                      int64_t *out) {
    for (int whole = 1; whole >= 0; whole--) {
        for (int64_t i = 0; i < count; i++) {
            const size_t length = whole ? strlen(names[i]) : 3;
            if ((size_t)(parse->end - parse->next) >= length &&
                oriel_text_equal_ignoring_case((struct oriel_text){parse->next, length},
                                               (struct oriel_text){names[i], length})) {
                parse->next += length;
                *out = i + 1;
                return true;
            }
        }
    }
    return false;
}

static bool take_half(struct lenient *parse) {
    static const char *const halves[] = {"AM", "PM"};
    for (int64_t i = 0; i < 2; i++) {
        if (parse->end - parse->next >= 2 &&
            oriel_text_equal_ignoring_case((struct oriel_text){parse->next, 2},
                                           oriel_text_of(halves[i]))) {
            parse->next += 2;
            parse->half = 12 * i;
            return true;
        }
    }
    return false;
}

static bool take_item(struct lenient *parse, const struct oriel_time_item *item, bool abuts) {
    int64_t value;
    size_t digits;
    if (item->letter == 'a')
        return take_half(parse);
    if (item->letter == 'E')
        return take_name(parse, oriel_day_names, 7, &value);
    if ((item->letter == 'M' || item->letter == 'L') && item->count > 2)
        return take_name(parse, oriel_month_names, MONTHS_PER_YEAR, &parse->month);
    if (!take(parse, abuts ? item->count : SIZE_MAX, &value, &digits))
        return false;
    switch (item->letter) {
    case 'y':
        if (item->count <= 2 && digits == 2 && value >= 0)
            value += value + 2000 > YOUNGEST ? 1900 : 2000;
        parse->year = value;
        break;
    case 'M':
    case 'L': parse->month = value; break;
    case 'd': parse->day = value; break;
    case 'D':
        parse->month = 1;
        parse->day = value;
        break;
    case 'H': parse->hour = value; break;
    case 'k': parse->hour = value == 24 ? 0 : value; break;
    case 'K': parse->hour = value; break;
    case 'h': parse->hour = value == 12 ? 0 : value; break;
    case 'm': parse->minute = value; break;
    case 's': parse->second = value; break;
    case 'S': parse->ms = value; break;
    default: break; /* weeks and eras do not change the day */
    }
    return true;
}

bool oriel_time_pattern_parse_lenient(const struct oriel_time_pattern *pattern,
                                      struct oriel_text text, struct oriel_moment *out) {
    struct lenient parse = {
        .next = text.bytes, .end = text.bytes + text.length, .year = 1970, .month = 1, .day = 1};
    for (size_t i = 0; i < pattern->item_count; i++) {
        const struct oriel_time_item *item = &pattern->items[i];
        if (!item->letter) {
            if ((size_t)(parse.end - parse.next) < item->text.length ||
                memcmp(parse.next, item->text.bytes, item->text.length) != 0)
                return false;
            parse.next += item->text.length;
            continue;
        }
        if (!take_item(&parse, item, item->adjacent))
            return false;
    }
    if (parse.year > 9999999 || parse.year < -9999999)
        return false;
    const int64_t months = parse.year * MONTHS_PER_YEAR + parse.month - 1;
    const int64_t days =
        oriel_days_from_civil(oriel_floor_div(months, MONTHS_PER_YEAR),
                              (int32_t)oriel_floor_mod(months, MONTHS_PER_YEAR) + 1, 1) +
        parse.day - 1;
    out->ns = 0;
    return !__builtin_mul_overflow(days, (int64_t)ORIEL_MS_PER_DAY, &out->ms) &&
           !__builtin_add_overflow(out->ms,
                                   (parse.hour + parse.half) * 3600000 + parse.minute * 60000 +
                                       parse.second * 1000 + parse.ms,
                                   &out->ms);
}
