/*
 * Literals: numbers get the smallest type that Flink gives them (1.5 is a DECIMAL(2, 1)), strings
 * are CHAR(n), dates and times are checked here.
 */
#include <math.h>
#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/decimal.h"
#include "engine/base/number_text.h"
#include "engine/plan/bind.h"

static uint32_t count_characters(const char *text, size_t length) {
    uint32_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Puts a NOT NULL constant of `type` with the value at `bytes`. */
static enum oriel_status put(struct binder *b, struct oriel_type type,
                             struct oriel_position position, const void *bytes, size_t size,
                             struct oriel_expression **out) {
    *out = oriel_expression_constant(b->arena, type, false, position);
    if (!*out)
        return oriel_bind_memory(b);
    memcpy((*out)->constant.values, bytes, size);
    return ORIEL_OK;
}

static enum oriel_status put_bytes(struct binder *b, struct oriel_type type,
                                   struct oriel_position position, const char *bytes, size_t length,
                                   struct oriel_expression **out) {
    const char *const copy = oriel_arena_copy(b->arena, bytes, length);
    if (!copy)
        return oriel_bind_memory(b);
    const struct oriel_string value = oriel_string_make(copy, length);
    return put(b, type, position, &value, sizeof value, out);
}

static struct oriel_type char_type(const char *text, size_t length) {
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_CHAR);
    type.length = (int32_t)count_characters(text, length);
    return type;
}

struct oriel_expression *oriel_bind_string(struct binder *b, const char *bytes, size_t length,
                                           struct oriel_position position) {
    struct oriel_expression *out = NULL;
    return put_bytes(b, char_type(bytes, length), position, bytes, length, &out) == ORIEL_OK ? out
                                                                                             : NULL;
}

static enum oriel_status out_of_range(struct binder *b, const struct ast_expression *ast,
                                      bool negated) {
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "Numeric literal '%s%.60s' out of range%s", negated ? "-" : "", ast->text,
                          strpbrk(ast->text, "eE") ? "" : "; CAST a string to DECIMAL instead");
}

/* Whether the digits of a number, without its point, are those of a BIGINT. */
static bool fits_long(__int128 value, bool negated) {
    return value <= (__int128)INT64_MAX + negated;
}

/* Digits with a point. */
static enum oriel_status bind_decimal(struct binder *b, const struct ast_expression *ast,
                                      size_t length, bool negated, struct oriel_expression **out) {
    const char *const point = memchr(ast->text, '.', length);
    const size_t scale = length - (size_t)(point - ast->text) - 1;
    size_t precision = length - 1;
    /* Zeros before the first digit of a long number do not count. */
    for (size_t i = 0; precision > ORIEL_DECIMAL_PRECISION_MAX && ast->text[i] == '0'; i++)
        precision--;
    if (precision == 0)
        precision = 1;
    __int128 value;
    if (precision > ORIEL_DECIMAL_PRECISION_MAX || scale > precision ||
        oriel_decimal_parse(ast->text, length, (unsigned)precision, (unsigned)scale, &value) != 0 ||
        !fits_long(value, negated))
        return out_of_range(b, ast, negated);
    if (negated)
        value = -value;
    return put(b, oriel_type_decimal((unsigned)precision, (unsigned)scale), ast->position, &value,
               sizeof value, out);
}

static enum oriel_status bind_number(struct binder *b, const struct ast_expression *ast,
                                     bool negated, struct oriel_expression **out) {
    size_t length = strlen(ast->text);
    if (memchr(ast->text, 'e', length) || memchr(ast->text, 'E', length)) {
        double value;
        if (!oriel_double_parse(ast->text, length, &value))
            return oriel_error_at(b->error, ORIEL_INVALID, ast->position, "'%s' is no number",
                                  ast->text);
        if (isinf(value))
            return out_of_range(b, ast, negated);
        if (negated)
            value = -value;
        return put(b, oriel_type_make(ORIEL_TYPE_DOUBLE), ast->position, &value, sizeof value, out);
    }
    if (length > 1 && ast->text[length - 1] == '.')
        length--; /* 5. is whole */
    if (memchr(ast->text, '.', length))
        return bind_decimal(b, ast, length, negated, out);
    size_t zeros = 0;
    while (zeros + 1 < length && ast->text[zeros] == '0')
        zeros++;
    __int128 whole;
    if (oriel_decimal_parse(ast->text + zeros, length - zeros, ORIEL_DECIMAL_PRECISION_MAX, 0,
                            &whole) != 0 ||
        !fits_long(whole, negated))
        return out_of_range(b, ast, negated);
    if (negated)
        whole = -whole;
    if (whole >= INT32_MIN && whole <= INT32_MAX) {
        const int32_t value = (int32_t)whole;
        return put(b, oriel_type_make(ORIEL_TYPE_INT), ast->position, &value, sizeof value, out);
    }
    const int64_t value = (int64_t)whole;
    return put(b, oriel_type_make(ORIEL_TYPE_BIGINT), ast->position, &value, sizeof value, out);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum oriel_status bind_binary(struct binder *b, const struct ast_expression *ast,
                                     struct oriel_expression **out) {
    const size_t digits = strlen(ast->text);
    char *const bytes = oriel_arena_allocate(b->arena, digits / 2 + 1);
    if (!bytes)
        return oriel_bind_memory(b);
    bool is_good = digits % 2 == 0;
    for (size_t i = 0; is_good && i < digits; i += 2) {
        const int high = hex_digit(ast->text[i]), low = hex_digit(ast->text[i + 1]);
        is_good = high >= 0 && low >= 0;
        bytes[i / 2] = (char)(unsigned char)(high * 16 + low);
    }
    if (!is_good)
        return oriel_error_at(
            b->error, ORIEL_INVALID, ast->position,
            "Binary literal X'%.60s' must be an even number of hexadecimal digits", ast->text);
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_BINARY);
    type.length = (int32_t)(digits / 2);
    return put_bytes(b, type, ast->position, bytes, digits / 2, out);
}

static enum oriel_status bad_time(struct binder *b, const struct ast_expression *ast,
                                  const char *what, const char *form) {
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "Illegal %s literal '%.60s': not in format '%s'", what, ast->text, form);
}

/* A number of one to `most` digits, then `stop` unless that is NUL. */
static bool take_number(const char **at, int most, char stop, int64_t *out) {
    const char *const start = *at;
    *out = 0;
    for (; **at >= '0' && **at <= '9' && *at - start < most; ++*at)
        *out = *out * 10 + (**at - '0');
    if (*at == start || (stop && **at != stop))
        return false;
    *at += stop != '\0';
    return true;
}

enum { YEAR_DIGITS_MAX = 5, NANO_DIGITS = 9 };

/* The calendar went from 1582-10-04 to 1582-10-15; literals, unlike casts, know that. */
static bool is_left_out(int64_t days) {
    return days >= oriel_days_from_civil(1582, 10, 5) && days < oriel_days_from_civil(1582, 10, 15);
}

static bool take_date(const char **at, int64_t *days) {
    int64_t year, month, day;
    if (!take_number(at, YEAR_DIGITS_MAX, '-', &year) || !take_number(at, 2, '-', &month) ||
        !take_number(at, 2, '\0', &day) || year < 1 || month < 1 || month > 12 || day < 1 ||
        day > oriel_days_in_month(year, (int32_t)month))
        return false;
    *days = oriel_days_from_civil(year, (int32_t)month, (int32_t)day);
    return !is_left_out(*days);
}

/* h:m:s with one or two digits each, and a fraction of any length, which is cut. */
static bool take_time(const char **at, int64_t *nanos, unsigned *digits) {
    int64_t hour, minute, second, fraction = 0;
    *digits = 0;
    if (!take_number(at, 2, ':', &hour) || !take_number(at, 2, ':', &minute) ||
        !take_number(at, 2, '\0', &second) || hour > 23 || minute > 59 || second > 59)
        return false;
    const bool has_fraction = **at == '.';
    *at += has_fraction;
    for (; has_fraction && **at >= '0' && **at <= '9'; ++*at) {
        if (*digits < NANO_DIGITS) {
            fraction = fraction * 10 + (**at - '0');
            ++*digits;
        }
    }
    for (unsigned i = *digits; i < NANO_DIGITS; i++)
        fraction *= 10;
    *nanos = ((hour * 60 + minute) * 60 + second) * INT64_C(1000000000) + fraction;
    return true;
}

static enum oriel_status bind_timestamp(struct binder *b, const struct ast_expression *ast,
                                        struct oriel_expression **out) {
    const char *at = ast->text;
    int64_t days, nanos = 0;
    unsigned digits = 0;
    bool good = take_date(&at, &days);
    if (good && *at == ' ') {
        at++;
        good = take_time(&at, &nanos, &digits);
    }
    if (!good || *at)
        return bad_time(b, ast, "TIMESTAMP", "yyyy-MM-dd HH:mm:ss[.fraction]");
    const struct oriel_type type = oriel_type_timestamp(digits);
    const int64_t ms = days * 86400000 + nanos / 1000000;
    if (oriel_type_physical(&type) == ORIEL_PHYSICAL_I64)
        return put(b, type, ast->position, &ms, sizeof ms, out);
    const __int128 value = (__int128)days * 86400000000000 + nanos;
    return put(b, type, ast->position, &value, sizeof value, out);
}

/* Blanks may stand around a date. A TIME has milliseconds at most. */
static enum oriel_status bind_date_or_time(struct binder *b, const struct ast_expression *ast,
                                           struct oriel_expression **out) {
    const char *at = ast->text;
    int64_t days, nanos;
    unsigned digits;
    if (ast->kind == AST_DATE) {
        at += strspn(at, " ");
        if (!take_date(&at, &days) || at[strspn(at, " ")])
            return bad_time(b, ast, "DATE", "yyyy-MM-dd");
        const int32_t value = (int32_t)days;
        return put(b, oriel_type_make(ORIEL_TYPE_DATE), ast->position, &value, sizeof value, out);
    }
    if (!take_time(&at, &nanos, &digits) || *at)
        return bad_time(b, ast, "TIME", "HH:mm:ss[.fraction]");
    const int32_t ms = (int32_t)(nanos / 1000000);
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_TIME);
    type.precision = (uint8_t)(digits < 3 ? digits : 3);
    return put(b, type, ast->position, &ms, sizeof ms, out);
}

static enum oriel_status bind_interval(struct binder *b, const struct ast_expression *ast,
                                       struct oriel_expression **out) {
    bool is_months;
    int64_t value;
    ORIEL_TRY(oriel_bind_interval(ast, &is_months, &value, b->error));
    if (!is_months)
        return put(b, oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), ast->position, &value, sizeof value,
                   out);
    const int32_t months = (int32_t)value;
    return put(b, oriel_type_make(ORIEL_TYPE_INTERVAL_YEAR), ast->position, &months, sizeof months,
               out);
}

enum oriel_status oriel_bind_literal(struct binder *b, const struct ast_expression *ast,
                                     bool negated, struct oriel_expression **out) {
    switch (ast->kind) {
    case AST_NULL:
        /* UNKNOWN has a type, NULL has none */
        *out = oriel_expression_constant(
            b->arena, oriel_type_make(ast->number ? ORIEL_TYPE_BOOLEAN : ORIEL_TYPE_NULL), true,
            ast->position);
        return *out ? ORIEL_OK : oriel_bind_memory(b);
    case AST_BOOLEAN: {
        const int8_t value = ast->number != 0;
        return put(b, oriel_type_make(ORIEL_TYPE_BOOLEAN), ast->position, &value, sizeof value,
                   out);
    }
    case AST_NUMBER: return bind_number(b, ast, negated, out);
    case AST_STRING:
        return put_bytes(b, char_type(ast->text, ast->text_length), ast->position, ast->text,
                         ast->text_length, out);
    case AST_BINARY: return bind_binary(b, ast, out);
    case AST_DATE:
    case AST_TIME: return bind_date_or_time(b, ast, out);
    case AST_TIMESTAMP: {
        ORIEL_TRY(bind_timestamp(b, ast, out));
        const struct oriel_type type = oriel_type_timestamp_ltz((*out)->type.precision);
        if (!ast->number)
            return ORIEL_OK;
        return oriel_bind_plain_call(b, "CAST", ast->position, out, 1, &type, out);
    }
    default: return bind_interval(b, ast, out);
    }
}
