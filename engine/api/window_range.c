/*
 * The range of windows that count: its bounds from texts, and the remark on queries that have none.
 */
#include "engine/api/window_range.h"

#include <stdio.h>
#include <string.h>

#include "engine/api/engine_internal.h"
#include "engine/base/civil.h"

enum { TEXT_BYTES = 64 };

/* Completes what was left out: a date alone is its midnight, a minute its first second. */
static enum oriel_status parse_time(const char *text, const char *name, int64_t *out,
                                    struct oriel_error *error) {
    char whole[TEXT_BYTES];
    int32_t nanos;
    const size_t length = strlen(text);
    const char *rest = length == 10 ? " 00:00:00" : length == 16 ? ":00" : "";
    const int printed = snprintf(whole, sizeof whole, "%s%s", text, rest);
    if (length > 10 && printed < (int)sizeof whole && whole[10] == 'T')
        whole[10] = ' ';
    if (printed < (int)sizeof whole &&
        oriel_timestamp_parse(whole, (size_t)printed, out, &nanos) == ORIEL_PARSE_OK && nanos == 0)
        return ORIEL_OK;
    return oriel_error_set(error, ORIEL_ARGUMENT,
                           "%s must be a time such as '2024-01-31' or '2024-01-31 18:30:00', but "
                           "is '%s'",
                           name, text);
}

enum oriel_status oriel_engine_set_window_range(struct oriel_engine *engine, const char *from,
                                                const char *until, struct oriel_error *error) {
    int64_t after_ms = INT64_MIN, until_ms = INT64_MAX;
    if (!engine)
        return oriel_error_set(error, ORIEL_ARGUMENT, "engine must not be NULL");
    if (from)
        ORIEL_TRY(parse_time(from, "the start of the range", &after_ms, error));
    if (until)
        ORIEL_TRY(parse_time(until, "the end of the range", &until_ms, error));
    if (after_ms >= until_ms)
        return oriel_error_set(error, ORIEL_ARGUMENT,
                               "the range of windows is empty: '%s' is not after '%s'", until,
                               from);
    engine->has_window_range = from || until;
    engine->window_ends_after_ms = after_ms;
    engine->window_ends_until_ms = until_ms;
    return ORIEL_OK;
}

void oriel_note_window_range(const struct oriel_result *result, const struct oriel_plan *plan) {
    if (result->runtime.has_window_range && !oriel_plan_has_window(plan))
        oriel_runtime_note(&result->runtime,
                           "the query has no windows, so its rows are not restricted to the range");
}
