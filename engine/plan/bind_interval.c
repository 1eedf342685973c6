/*
 * Interval literals: the text between the quotes read by its units, e.g. '1 06' DAY TO HOUR. The
 * leading field has two digits unless a precision is written, the others have their natural limits.
 */
#include <string.h>

#include "engine/plan/bind.h"

enum { PRECISION_PRESET = 2, FRACTION_PRESET = 6 };

static const char *unit_name(enum ast_interval_unit unit) {
    static const char *const names[] = {"",    "YEAR", "QUARTER", "MONTH", "WEEK",
                                        "DAY", "HOUR", "MINUTE",  "SECOND"};
    return names[unit];
}

static const char *unit_text(const struct ast_expression *ast, char *out, size_t size) {
    struct oriel_text unit = oriel_text_of(unit_name(ast->unit));
    size_t length = unit.length < size - 1 ? unit.length : size - 1;
    memcpy(out, unit.bytes, length);
    if (ast->unit_to != AST_UNIT_NONE) {
        const struct oriel_text to = oriel_text_of(unit_name(ast->unit_to));
        if (length + 4 + to.length < size) {
            memcpy(out + length, " TO ", 4);
            memcpy(out + length + 4, to.bytes, to.length);
            length += 4 + to.length;
        }
    }
    out[length] = '\0';
    return out;
}

static enum oriel_status bad_literal(const struct ast_expression *ast, struct oriel_error *error) {
    char unit[32];
    return oriel_error_at(error, ORIEL_INVALID, ast->position,
                          "Illegal interval literal format '%.60s' for INTERVAL %s; a number is "
                          "wanted, such as INTERVAL '10' MINUTE",
                          ast->text, unit_text(ast, unit, sizeof unit));
}

/* ms or months of one of the unit; months are negative numbers here. */
static int64_t unit_size(enum ast_interval_unit unit) {
    switch (unit) {
    case AST_UNIT_YEAR: return -12;
    case AST_UNIT_QUARTER: return -3;
    case AST_UNIT_MONTH: return -1;
    case AST_UNIT_WEEK: return 604800000;
    case AST_UNIT_DAY: return 86400000;
    case AST_UNIT_HOUR: return 3600000;
    case AST_UNIT_MINUTE: return 60000;
    default: return 1000;
    }
}

/* Reads digits; at most 18 so that the value fits. False when there are none or too many. */
static bool read_digits(const char **at, int64_t *value, int *digit_count) {
    *value = 0;
    *digit_count = 0;
    while (**at >= '0' && **at <= '9') {
        if (++*digit_count > 18)
            return false;
        *value = *value * 10 + (**at - '0');
        ++*at;
    }
    return *digit_count > 0;
}

/* .123 after the seconds, in ms; digits past the third are dropped. */
static bool read_fraction(const char **at, int limit, int64_t *ms) {
    if (**at != '.')
        return true;
    ++*at;
    int digits = 0;
    int64_t weight = 100;
    while (**at >= '0' && **at <= '9') {
        *ms += (**at - '0') * weight;
        weight /= 10;
        digits++;
        ++*at;
    }
    return digits > 0 && digits <= limit;
}

/* The unit after `unit` in a range, and the sign between them. */
static enum ast_interval_unit next_unit(enum ast_interval_unit unit, char *separator) {
    switch (unit) {
    case AST_UNIT_YEAR: *separator = '-'; return AST_UNIT_MONTH;
    case AST_UNIT_DAY: *separator = ' '; return AST_UNIT_HOUR;
    case AST_UNIT_HOUR: *separator = ':'; return AST_UNIT_MINUTE;
    case AST_UNIT_MINUTE: *separator = ':'; return AST_UNIT_SECOND;
    default: return AST_UNIT_NONE;
    }
}

static int64_t field_limit(enum ast_interval_unit unit) {
    return unit == AST_UNIT_MONTH ? 12 : unit == AST_UNIT_HOUR ? 24 : 60;
}

/* The leading field, with its precision. */
static enum oriel_status read_leading(const struct ast_expression *ast, const char **at,
                                      int64_t *value, struct oriel_error *error) {
    int digits;
    if (!read_digits(at, value, &digits))
        return bad_literal(ast, error);
    const int precision = ast->unit_precision >= 0 ? ast->unit_precision : PRECISION_PRESET;
    int64_t limit = 1;
    for (int i = 0; i < precision && limit < INT64_MAX / 10; i++)
        limit *= 10;
    if (*value >= limit)
        return oriel_error_at(error, ORIEL_INVALID, ast->position,
                              "Interval field value %lld exceeds precision of %s(%d) field; write "
                              "%s(%d)",
                              (long long)*value, unit_name(ast->unit), precision,
                              unit_name(ast->unit), digits);
    return ORIEL_OK;
}

enum oriel_status oriel_bind_interval(const struct ast_expression *ast, bool *is_months,
                                      int64_t *value, struct oriel_error *error) {
    if (ast->unit_precision > 10 || ast->unit_precision == 0)
        return oriel_error_at(error, ORIEL_INVALID, ast->position,
                              "Interval leading field precision %d must be between 1 and 10",
                              ast->unit_precision);
    const char *at = ast->text;
    bool negative = ast->negative;
    if (*at == '+' || *at == '-') {
        negative ^= *at == '-';
        at++;
    }
    int64_t field;
    ORIEL_TRY(read_leading(ast, &at, &field, error));
    const int64_t leading = unit_size(ast->unit);
    *is_months = leading < 0;
    const int64_t scale = *is_months ? -leading : leading;
    if (field > INT64_MAX / 2 / scale)
        return bad_literal(ast, error);
    int64_t total = field * scale;
    enum ast_interval_unit unit = ast->unit;
    while (ast->unit_to != AST_UNIT_NONE && unit != ast->unit_to) {
        char separator = 0;
        int digits;
        unit = next_unit(unit, &separator);
        if (unit == AST_UNIT_NONE || *at != separator)
            return bad_literal(ast, error);
        at++;
        if (!read_digits(&at, &field, &digits) || field >= field_limit(unit))
            return bad_literal(ast, error);
        total += field * (*is_months ? 1 : unit_size(unit));
    }
    const int fraction = ast->fraction_precision >= 0 ? ast->fraction_precision : FRACTION_PRESET;
    if (unit == AST_UNIT_SECOND && !read_fraction(&at, fraction, &total))
        return bad_literal(ast, error);
    if (*at)
        return bad_literal(ast, error);
    if (*is_months && total > INT32_MAX)
        return bad_literal(ast, error);
    *value = negative ? -total : total;
    return ORIEL_OK;
}
