/*
 * The matcher behind SIMILAR TO and the REGEXP functions: one ICU object for each evaluator, which
 * keeps the pattern compiled while it stays the same.
 */
#include "engine/functions/regex.h"

#include <unicode/uregex.h>
#include <unicode/utext.h>

enum { TIME_LIMIT_STEPS = 4000, STACK_BYTES_MAX = 8 << 20 };

struct oriel_regex {
    struct oriel_memory *memory;
    const struct oriel_runtime *runtime;
    URegularExpression *expression; /* NULL: the pattern is none */
    char *pattern;                  /* NULL: not set yet */
    size_t pattern_length;
    UText text;
};

enum oriel_status oriel_regex_open(const struct oriel_runtime *runtime, struct oriel_regex **out,
                                   struct oriel_error *error) {
    static const UText empty = UTEXT_INITIALIZER;
    struct oriel_regex *regex = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *regex);
    *out = regex;
    if (!regex)
        return oriel_error_memory(error);
    regex->memory = runtime->memory;
    regex->runtime = runtime;
    regex->text = empty;
    return ORIEL_OK;
}

/* ICU asks every few thousand steps whether to go on: one text can take seconds. */
static UBool goes_on(const void *context, int32_t steps) {
    (void)steps;
    const struct oriel_regex *regex = context;
    return oriel_runtime_check(regex->runtime, NULL) == ORIEL_OK;
}

static UBool finds_on(const void *context, int64_t place) {
    (void)place;
    return goes_on(context, 0);
}

static void forget_pattern(struct oriel_regex *regex) {
    if (regex->expression)
        uregex_close(regex->expression);
    regex->expression = NULL;
    oriel_memory_release(regex->memory, regex->pattern, regex->pattern_length);
    regex->pattern = NULL;
}

void oriel_regex_close(struct oriel_regex *regex) {
    if (!regex)
        return;
    forget_pattern(regex);
    utext_close(&regex->text);
    oriel_memory_release(regex->memory, regex, sizeof *regex);
}

enum oriel_status oriel_regex_set_pattern(struct oriel_regex *regex, struct oriel_text pattern,
                                          bool *valid, struct oriel_error *error) {
    if (regex->pattern &&
        oriel_text_equal(pattern, (struct oriel_text){regex->pattern, regex->pattern_length})) {
        *valid = regex->expression != NULL;
        return ORIEL_OK;
    }
    forget_pattern(regex);
    regex->pattern_length = pattern.length;
    regex->pattern = oriel_memory_allocate(regex->memory, pattern.length);
    if (!regex->pattern)
        return oriel_error_memory(error);
    if (pattern.length)
        memcpy(regex->pattern, pattern.bytes, pattern.length);
    UErrorCode code = U_ZERO_ERROR;
    UParseError where;
    UText text = UTEXT_INITIALIZER;
    utext_openUTF8(&text, regex->pattern, (int64_t)pattern.length, &code);
    regex->expression = uregex_openUText(&text, 0, &where, &code);
    utext_close(&text);
    if (code == U_MEMORY_ALLOCATION_ERROR)
        return oriel_error_memory(error);
    *valid = U_SUCCESS(code);
    if (!*valid) {
        if (regex->expression)
            uregex_close(regex->expression);
        regex->expression = NULL;
        return ORIEL_OK;
    }
    uregex_setTimeLimit(regex->expression, TIME_LIMIT_STEPS, &code);
    uregex_setStackLimit(regex->expression, STACK_BYTES_MAX, &code);
    uregex_setMatchCallback(regex->expression, goes_on, regex, &code);
    uregex_setFindProgressCallback(regex->expression, finds_on, regex, &code);
    return ORIEL_OK;
}

static enum oriel_status check(const struct oriel_regex *regex, UErrorCode code,
                               struct oriel_error *error) {
    if (U_SUCCESS(code))
        return ORIEL_OK;
    if (code == U_REGEX_STOPPED_BY_CALLER)
        return oriel_runtime_check(regex->runtime, error);
    if (code == U_REGEX_TIME_OUT || code == U_REGEX_STACK_OVERFLOW)
        return oriel_error_set(error, ORIEL_RUNTIME,
                               "a regular expression takes too long on a text; make it simpler");
    return oriel_error_memory(error);
}

enum oriel_status oriel_regex_set_text(struct oriel_regex *regex, struct oriel_text text,
                                       struct oriel_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    utext_openUTF8(&regex->text, text.length ? text.bytes : "", (int64_t)text.length, &code);
    uregex_setUText(regex->expression, &regex->text, &code);
    return check(regex, code, error);
}

enum oriel_status oriel_regex_matches(struct oriel_regex *regex, bool *out,
                                      struct oriel_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    *out = uregex_matches64(regex->expression, 0, &code);
    return check(regex, code, error);
}

enum oriel_status oriel_regex_find_next(struct oriel_regex *regex, bool *out,
                                        struct oriel_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    *out = uregex_findNext(regex->expression, &code);
    return check(regex, code, error);
}

int32_t oriel_regex_group_count(const struct oriel_regex *regex) {
    UErrorCode code = U_ZERO_ERROR;
    return uregex_groupCount(regex->expression, &code);
}

bool oriel_regex_group(const struct oriel_regex *regex, int32_t group, size_t *start, size_t *end) {
    UErrorCode code = U_ZERO_ERROR;
    const int64_t from = uregex_start64(regex->expression, group, &code);
    const int64_t to = uregex_end64(regex->expression, group, &code);
    if (U_FAILURE(code) || from < 0)
        return false;
    *start = (size_t)from;
    *end = (size_t)to;
    return true;
}
