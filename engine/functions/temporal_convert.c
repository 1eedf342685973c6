/*
 * Times from text and to text by pattern: DATE_FORMAT, TO_DATE, TO_TIMESTAMP, FROM_UNIXTIME,
 * UNIX_TIMESTAMP. A text that is no time gives NULL. time_pattern.h says which dialect is whose.
 */
#include "engine/base/civil.h"
#include "engine/base/zone.h"
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/time_pattern.h"
#include "engine/functions/time_text.h"
#include "engine/functions/time_unit.h"

static const char default_pattern[] = "yyyy-MM-dd HH:mm:ss";

/* What bind knows: the compiled pattern if it is constant. `bad` says why it is none. */
struct convert_state {
    int32_t pattern_argument; /* -1: the default form */
    bool constant;
    bool lenient;
    struct oriel_time_pattern pattern;
    const char *bad;
};

static enum oriel_status bind_pattern(struct oriel_binding *binding, uint32_t argument,
                                      bool lenient, struct convert_state **out,
                                      struct oriel_error *error) {
    struct oriel_text text = ORIEL_TEXT(default_pattern);
    struct convert_state *state = oriel_bind_state(binding, sizeof *state, error);
    *out = state;
    if (!state)
        return ORIEL_MEMORY;
    const bool given = argument < binding->argument_count;
    state->lenient = lenient;
    state->pattern_argument = given ? (int32_t)argument : -1;
    state->constant = !given || oriel_bind_constant_text(binding, argument, &text);
    if (state->constant)
        state->bad =
            oriel_time_pattern_compile(binding->statement_arena, text, lenient, &state->pattern);
    return ORIEL_OK;
}

/* The pattern of a row: the constant one, or compiled anew. NULL in *out and a reason if it is bad.
 */
static const struct oriel_time_pattern *pattern_at(const struct oriel_call *call,
                                                   struct oriel_evaluation *evaluation,
                                                   const struct oriel_column *arguments, size_t row,
                                                   struct oriel_time_pattern *scratch,
                                                   const char **bad) {
    const struct convert_state *state = call->state;
    if (state->constant) {
        *bad = state->bad;
        return state->bad ? NULL : &state->pattern;
    }
    *bad = oriel_time_pattern_compile(evaluation->batch_arena,
                                      oriel_text_at(&arguments[state->pattern_argument], row),
                                      state->lenient, scratch);
    return *bad ? NULL : scratch;
}

static enum oriel_status format_into(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments,
                                     struct oriel_moment moment, size_t row,
                                     struct oriel_column *out) {
    struct oriel_time_pattern scratch;
    const char *bad;
    const struct oriel_time_pattern *pattern =
        pattern_at(call, evaluation, arguments, row, &scratch, &bad);
    if (!pattern)
        return oriel_error_at(evaluation->error, ORIEL_INVALID, call->position, "%s: %s",
                              call->function->name, bad);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, pattern->text_bytes_max, &room));
    oriel_text_point(out, row, room, oriel_time_pattern_format(pattern, moment, room));
    return ORIEL_OK;
}

static enum oriel_status format_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    struct oriel_moment moment;
    if (oriel_type_is_character(&call->argument_types[0])) {
        const struct oriel_text text = oriel_text_at(&arguments[0], row);
        if (!oriel_time_pattern_parse_lenient(&oriel_time_pattern_default, text, &moment)) {
            oriel_column_set_null(out, row);
            return ORIEL_OK;
        }
    } else {
        moment = oriel_moment_read(&call->argument_types[0], arguments[0].values, row,
                                   evaluation->runtime->zone);
    }
    return format_into(call, evaluation, arguments, moment, row, out);
}

static enum oriel_status date_format(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    return oriel_text_each(call, evaluation, arguments, row_count, out, format_row);
}

static enum oriel_status from_unixtime_row(const struct oriel_call *call,
                                           struct oriel_evaluation *evaluation,
                                           const struct oriel_column *arguments, size_t row,
                                           struct oriel_column *out) {
    const int64_t seconds = ((const int64_t *)arguments[0].values)[row];
    const int64_t ms = (int64_t)((uint64_t)seconds * 1000);
    const struct oriel_zone *zone = evaluation->runtime->zone;
    const struct oriel_moment moment = {.ms = zone ? oriel_zone_to_local(zone, ms) : ms};
    return format_into(call, evaluation, arguments, moment, row, out);
}

ORIEL_TEXT_EACH(from_unixtime)

/* Reads a text by the pattern of the call, or in the default form. */
static bool parse_row(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                      const struct oriel_column *arguments, size_t row, struct oriel_moment *out) {
    const struct convert_state *state = call->state;
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    if (state->pattern_argument < 0 && !state->lenient)
        return oriel_time_text_timestamp(text.bytes, text.length, &out->ms, &out->ns);
    struct oriel_time_pattern scratch;
    const char *bad;
    const struct oriel_time_pattern *pattern =
        pattern_at(call, evaluation, arguments, row, &scratch, &bad);
    if (!pattern)
        return false;
    if (state->lenient)
        return oriel_time_pattern_parse_lenient(pattern, text, out);
    return oriel_time_pattern_parse(pattern, text, out) ||
           oriel_time_text_lenient(text.bytes, text.length, &out->ms, &out->ns);
}

static enum oriel_status to_timestamp_row(const struct oriel_call *call,
                                          struct oriel_evaluation *evaluation,
                                          const struct oriel_column *arguments, size_t row,
                                          struct oriel_column *out) {
    struct oriel_moment moment;
    if (parse_row(call, evaluation, arguments, row, &moment))
        oriel_moment_write(&call->result, out->values, row, moment, evaluation->runtime->zone);
    else
        oriel_column_set_null(out, row);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(to_timestamp)

static enum oriel_status to_date_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct convert_state *state = call->state;
    int32_t days = 0;
    bool read;
    if (state->pattern_argument < 0) {
        const struct oriel_text text = oriel_text_at(&arguments[0], row);
        read = oriel_time_text_date(text.bytes, text.length, &days);
    } else {
        struct oriel_moment moment;
        read = parse_row(call, evaluation, arguments, row, &moment);
        if (read)
            days = (int32_t)oriel_floor_div(moment.ms, ORIEL_MS_PER_DAY);
    }
    oriel_i32_set(out, row, days);
    if (!read)
        oriel_column_set_null(out, row);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(to_date)

/* Seconds; the least BIGINT for a text that is no time. */
static enum oriel_status unix_timestamp_row(const struct oriel_call *call,
                                            struct oriel_evaluation *evaluation,
                                            const struct oriel_column *arguments, size_t row,
                                            struct oriel_column *out) {
    const struct oriel_zone *zone = evaluation->runtime->zone;
    struct oriel_moment moment;
    int64_t seconds = INT64_MIN;
    if (parse_row(call, evaluation, arguments, row, &moment))
        seconds =
            oriel_floor_div(zone ? oriel_time_pattern_instant(zone, moment.ms) : moment.ms, 1000);
    ((int64_t *)out->values)[row] = seconds;
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(unix_timestamp)

static enum oriel_status bind_nullable(struct oriel_binding *binding, struct oriel_type type,
                                       oriel_evaluate *evaluate) {
    oriel_bind_result(binding, type, evaluate);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_date_format(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    struct convert_state *state;
    const bool text = oriel_type_is_character(&binding->argument_types[0]);
    ORIEL_TRY(oriel_bind_arguments(
        binding, text ? "s" : "ts",
        "'DATE_FORMAT(<TIMESTAMP>, <STRING>)', 'DATE_FORMAT(<STRING>, <STRING>)'", error));
    ORIEL_TRY(bind_pattern(binding, 1, false, &state, error));
    if (state->bad)
        return oriel_error_at(error, ORIEL_INVALID, binding->position, "DATE_FORMAT: %s",
                              state->bad);
    return bind_nullable(binding, oriel_type_string(), date_format);
}

static enum oriel_status bind_from_unixtime(struct oriel_binding *binding,
                                            struct oriel_error *error) {
    struct convert_state *state;
    ORIEL_TRY(oriel_bind_arguments(binding, "ls", "'FROM_UNIXTIME(<INTEGER>[, <STRING>])'", error));
    ORIEL_TRY(bind_pattern(binding, 1, true, &state, error));
    if (state->bad)
        return oriel_error_at(error, ORIEL_INVALID, binding->position, "FROM_UNIXTIME: %s",
                              state->bad);
    return bind_nullable(binding, oriel_type_string(), from_unixtime);
}

static enum oriel_status bind_to_timestamp(struct oriel_binding *binding,
                                           struct oriel_error *error) {
    struct convert_state *state;
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'TO_TIMESTAMP(<STRING>[, <STRING>])'", error));
    ORIEL_TRY(bind_pattern(binding, 1, false, &state, error));
    return bind_nullable(binding, oriel_type_timestamp(3), to_timestamp);
}

static enum oriel_status bind_to_date(struct oriel_binding *binding, struct oriel_error *error) {
    struct convert_state *state;
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'TO_DATE(<STRING>[, <STRING>])'", error));
    ORIEL_TRY(bind_pattern(binding, 1, true, &state, error));
    return bind_nullable(binding, oriel_type_make(ORIEL_TYPE_DATE), to_date);
}

static enum oriel_status bind_unix_timestamp(struct oriel_binding *binding,
                                             struct oriel_error *error) {
    struct convert_state *state;
    if (binding->argument_count == 0)
        return oriel_now_seconds_bind(binding);
    ORIEL_TRY(
        oriel_bind_arguments(binding, "s", "'UNIX_TIMESTAMP([<STRING>[, <STRING>]])'", error));
    ORIEL_TRY(bind_pattern(binding, 1, true, &state, error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BIGINT), unix_timestamp);
}

static const struct oriel_function rows[] = {
    {"DATE_FORMAT", 2, 2, ORIEL_FUNCTION_STRICT, bind_date_format, NULL},
    {"FROM_UNIXTIME", 1, 2, ORIEL_FUNCTION_STRICT, bind_from_unixtime, NULL},
    {"TO_DATE", 1, 2, ORIEL_FUNCTION_STRICT, bind_to_date, NULL},
    {"TO_TIMESTAMP", 1, 2, ORIEL_FUNCTION_STRICT, bind_to_timestamp, NULL},
    {"UNIX_TIMESTAMP", 0, 2, ORIEL_FUNCTION_STRICT, bind_unix_timestamp, NULL},
};

const struct oriel_function_group oriel_functions_temporal_convert = {rows,
                                                                      sizeof rows / sizeof rows[0]};
