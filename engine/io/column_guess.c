/*
 * Only forms that the readers take count, and of these only those that lose nothing.
 */
#include "engine/io/column_guess.h"

#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/number_text.h"

static bool is_number_like(struct oriel_text text) {
    const char first = text.bytes[0];
    return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
}

/* A number that would lose something: 007 is more likely a name. */
static bool has_leading_zero(struct oriel_text text) {
    const size_t sign = text.bytes[0] == '-' || text.bytes[0] == '+';
    return text.length > sign + 1 && text.bytes[sign] == '0' && text.bytes[sign + 1] >= '0' &&
           text.bytes[sign + 1] <= '9';
}

static unsigned fraction_digits(struct oriel_text text) {
    const char *point = memchr(text.bytes, '.', text.length);
    if (!point)
        return 0;
    unsigned count = 0;
    for (const char *at = point + 1; at < text.bytes + text.length; at++)
        count += *at >= '0' && *at <= '9';
    return count;
}

struct oriel_column_guess oriel_guess_text(struct oriel_text text) {
    const struct oriel_column_guess string = {ORIEL_GUESS_STRING, 0};
    int64_t number;
    int32_t days, nanos;
    double floating;
    if (text.length == 0)
        return string;
    if (oriel_text_equal_ignoring_case(text, ORIEL_TEXT("true")) ||
        oriel_text_equal_ignoring_case(text, ORIEL_TEXT("false")))
        return (struct oriel_column_guess){ORIEL_GUESS_BOOLEAN, 0};
    if (!is_number_like(text) || has_leading_zero(text))
        return string;
    if (oriel_integer_parse(text.bytes, text.length, INT64_MIN, INT64_MAX, &number) ==
        ORIEL_INTEGER_OK)
        return (struct oriel_column_guess){ORIEL_GUESS_BIGINT, 0};
    if (text.length == 10 && oriel_date_parse(text.bytes, text.length, &days) != ORIEL_PARSE_BAD)
        return (struct oriel_column_guess){ORIEL_GUESS_DATE, 0};
    const bool has_zone = text.bytes[text.length - 1] == 'Z';
    const size_t time_length = text.length - has_zone;
    if (oriel_timestamp_parse(text.bytes, time_length, &number, &nanos) != ORIEL_PARSE_BAD)
        return (struct oriel_column_guess){
            has_zone ? ORIEL_GUESS_TIMESTAMP_LTZ : ORIEL_GUESS_TIMESTAMP, fraction_digits(text)};
    const char last = text.bytes[text.length - 1]; /* Java's 1d and 1f are no usual numbers */
    if (last >= '.' && last <= '9' && oriel_double_parse(text.bytes, text.length, &floating))
        return (struct oriel_column_guess){ORIEL_GUESS_DOUBLE, 0};
    return string;
}

struct oriel_column_guess oriel_guess_widen(struct oriel_column_guess a,
                                            struct oriel_column_guess b) {
    const unsigned digits = a.digits > b.digits ? a.digits : b.digits;
    if (a.guess == ORIEL_GUESS_NOTHING || a.guess == b.guess)
        return (struct oriel_column_guess){b.guess, digits};
    if ((a.guess == ORIEL_GUESS_BIGINT && b.guess == ORIEL_GUESS_DOUBLE) ||
        (a.guess == ORIEL_GUESS_DOUBLE && b.guess == ORIEL_GUESS_BIGINT))
        return (struct oriel_column_guess){ORIEL_GUESS_DOUBLE, 0};
    return (struct oriel_column_guess){ORIEL_GUESS_STRING, 0};
}

struct oriel_type oriel_guess_type(struct oriel_column_guess column) {
    const unsigned precision = column.digits <= 3 ? 3 : column.digits <= 6 ? 6 : 9;
    switch (column.guess) {
    case ORIEL_GUESS_BOOLEAN: return oriel_type_make(ORIEL_TYPE_BOOLEAN);
    case ORIEL_GUESS_BIGINT: return oriel_type_make(ORIEL_TYPE_BIGINT);
    case ORIEL_GUESS_DOUBLE: return oriel_type_make(ORIEL_TYPE_DOUBLE);
    case ORIEL_GUESS_DATE: return oriel_type_make(ORIEL_TYPE_DATE);
    case ORIEL_GUESS_TIMESTAMP: return oriel_type_timestamp(precision);
    case ORIEL_GUESS_TIMESTAMP_LTZ: return oriel_type_timestamp_ltz(precision);
    case ORIEL_GUESS_NOTHING:
    case ORIEL_GUESS_STRING: break;
    }
    return oriel_type_string();
}
