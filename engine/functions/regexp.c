/*
 * SIMILAR TO and the REGEXP functions. A pattern that is none is an error for SIMILAR TO, FALSE for
 * REGEXP and NULL for the others, as in Flink.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/regex.h"
#include "engine/functions/similar.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

static enum oriel_status open_regex(const struct oriel_call *call,
                                    const struct oriel_runtime *runtime, void **local,
                                    struct oriel_error *error) {
    (void)call;
    struct oriel_regex *regex;
    const enum oriel_status status = oriel_regex_open(runtime, &regex, error);
    *local = regex;
    return status;
}

static void close_regex(const struct oriel_call *call, const struct oriel_runtime *runtime,
                        void *local) {
    (void)call, (void)runtime;
    oriel_regex_close(local);
}

static const struct oriel_function_local regex_local = {open_regex, close_regex};

/* An error inside the matcher knows no position yet. */
static enum oriel_status at_call(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 enum oriel_status status) {
    if (status != ORIEL_OK && evaluation->error) {
        evaluation->error->line = call->position.line;
        evaluation->error->column = call->position.column;
    }
    return status;
}

/* Readies the matcher for a row; *valid is false for a bad pattern. */
static enum oriel_status prepare(struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row, bool *valid) {
    struct oriel_regex *regex = evaluation->local;
    ORIEL_TRY(oriel_regex_set_pattern(regex, oriel_text_at(&arguments[1], row), valid,
                                      evaluation->error));
    return *valid
               ? oriel_regex_set_text(regex, oriel_text_at(&arguments[0], row), evaluation->error)
               : ORIEL_OK;
}

static enum oriel_status similar_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    struct oriel_regex *regex = evaluation->local;
    struct oriel_text escape, pattern;
    const bool has_escape = call->argument_count > 2;
    bool valid, found;
    if (has_escape)
        escape = oriel_text_at(&arguments[2], row);
    ORIEL_TRY(oriel_similar_to_regex(evaluation->batch_arena, oriel_text_at(&arguments[1], row),
                                     has_escape ? &escape : NULL, call->position, &pattern,
                                     evaluation->error));
    ORIEL_TRY(oriel_regex_set_pattern(regex, pattern, &valid, evaluation->error));
    if (!valid)
        return oriel_error_at(evaluation->error, ORIEL_INVALID, call->position,
                              "Invalid regular expression '%.*s' for SIMILAR TO",
                              (int)pattern.length, pattern.bytes);
    ORIEL_TRY(oriel_regex_set_text(regex, oriel_text_at(&arguments[0], row), evaluation->error));
    ORIEL_TRY(at_call(call, evaluation, oriel_regex_matches(regex, &found, evaluation->error)));
    ((uint8_t *)out->values)[row] = found;
    return ORIEL_OK;
}

static enum oriel_status regexp_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    bool valid, found = false;
    ORIEL_TRY(prepare(evaluation, arguments, row, &valid));
    if (valid)
        ORIEL_TRY(at_call(call, evaluation,
                          oriel_regex_find_next(evaluation->local, &found, evaluation->error)));
    ((uint8_t *)out->values)[row] = found;
    return ORIEL_OK;
}

/* The group of the first match, NULL if there is none. */
static enum oriel_status extract_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const int32_t group = call->argument_count > 2 ? oriel_i32_at(&arguments[2], row) : 0;
    bool valid, found = false;
    size_t start, end;
    ORIEL_TRY(prepare(evaluation, arguments, row, &valid));
    if (valid)
        ORIEL_TRY(at_call(call, evaluation,
                          oriel_regex_find_next(evaluation->local, &found, evaluation->error)));
    if (found && group >= 0 && group <= oriel_regex_group_count(evaluation->local) &&
        oriel_regex_group(evaluation->local, group, &start, &end))
        oriel_text_point(out, row, text.bytes + start, end - start);
    else
        oriel_column_set_null(out, row);
    return ORIEL_OK;
}

/* Counts matches, and for INSTR finds where the first one is, in UTF-16 units; NULL for a bad
 * pattern. */
static enum oriel_status count_matches(const struct oriel_call *call,
                                       struct oriel_evaluation *evaluation,
                                       const struct oriel_column *arguments, size_t row,
                                       struct oriel_column *out, bool first_only) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    bool valid, found = true;
    int32_t result = 0;
    size_t start = 0, end;
    ORIEL_TRY(prepare(evaluation, arguments, row, &valid));
    if (!valid) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    while (found && !(first_only && result)) {
        ORIEL_TRY(at_call(call, evaluation,
                          oriel_regex_find_next(evaluation->local, &found, evaluation->error)));
        result += found;
    }
    if (first_only && found && oriel_regex_group(evaluation->local, 0, &start, &end))
        result = (int32_t)oriel_utf16_count(text.bytes, start) + 1;
    oriel_i32_set(out, row, result);
    return ORIEL_OK;
}

static enum oriel_status count_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    return count_matches(call, evaluation, arguments, row, out, false);
}

static enum oriel_status instr_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    return count_matches(call, evaluation, arguments, row, out, true);
}

/* Puts the replacement, taken literally, in the place of every match. */
static enum oriel_status replace_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text by = oriel_text_at(&arguments[2], row);
    bool valid, found = true;
    ORIEL_TRY(prepare(evaluation, arguments, row, &valid));
    if (!valid) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    char *room = NULL;
    size_t capacity = 0, length = 0, done = 0;
    while (found) {
        size_t start = text.length, end = text.length;
        ORIEL_TRY(at_call(call, evaluation,
                          oriel_regex_find_next(evaluation->local, &found, evaluation->error)));
        if (found)
            oriel_regex_group(evaluation->local, 0, &start, &end);
        const size_t needed = length + (start - done) + by.length;
        if (needed >= capacity) {
            char *larger;
            ORIEL_TRY(oriel_text_room(call, evaluation, 2 * needed + text.length + 1, &larger));
            if (length)
                memcpy(larger, room, length);
            room = larger;
            capacity = 2 * needed + text.length + 1;
        }
        memcpy(room + length, text.bytes + done, start - done);
        length += start - done;
        if (found && by.length)
            memcpy(room + length, by.bytes, by.length);
        length += found ? by.length : 0;
        done = end;
    }
    oriel_text_point(out, row, room, length);
    return ORIEL_OK;
}

static oriel_text_row *const row_functions[] = {
    similar_row, regexp_row, extract_row, count_row, instr_row, replace_row,
};

enum which {
    WHICH_SIMILAR,
    WHICH_REGEXP,
    WHICH_EXTRACT,
    WHICH_COUNT,
    WHICH_INSTR,
    WHICH_REPLACE,
};

static enum oriel_status evaluate(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const enum which *which = call->state;
    return oriel_text_each(call, evaluation, arguments, row_count, out, row_functions[*which]);
}

static enum oriel_status bind(struct oriel_binding *binding, enum which which, const char *pattern,
                              const char *forms, enum oriel_type_id result, bool nullable,
                              struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    enum which *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    *state = which;
    oriel_bind_result(binding,
                      result == ORIEL_TYPE_VARCHAR ? oriel_type_string() : oriel_type_make(result),
                      evaluate);
    binding->result.nullable |= nullable;
    return ORIEL_OK;
}

static enum oriel_status bind_similar(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, WHICH_SIMILAR, "s", "'<STRING> SIMILAR TO <STRING> [ESCAPE <STRING>]'",
                ORIEL_TYPE_BOOLEAN, false, error);
}

static enum oriel_status bind_regexp(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, WHICH_REGEXP, "s", "'REGEXP(<STRING>, <STRING>)'", ORIEL_TYPE_BOOLEAN,
                false, error);
}

static enum oriel_status bind_extract(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, WHICH_EXTRACT, "ssi", "'REGEXP_EXTRACT(<STRING>, <STRING>[, <INT>])'",
                ORIEL_TYPE_VARCHAR, true, error);
}

static enum oriel_status bind_count(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, WHICH_COUNT, "s", "'REGEXP_COUNT(<STRING>, <STRING>)'", ORIEL_TYPE_INT,
                true, error);
}

static enum oriel_status bind_instr(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, WHICH_INSTR, "s", "'REGEXP_INSTR(<STRING>, <STRING>)'", ORIEL_TYPE_INT,
                true, error);
}

static enum oriel_status bind_replace(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, WHICH_REPLACE, "s", "'REGEXP_REPLACE(<STRING>, <STRING>, <STRING>)'",
                ORIEL_TYPE_VARCHAR, false, error);
}

static const struct oriel_function rows[] = {
    {"REGEXP", 2, 2, ORIEL_FUNCTION_STRICT, bind_regexp, &regex_local},
    {"REGEXP_COUNT", 2, 2, ORIEL_FUNCTION_STRICT, bind_count, &regex_local},
    {"REGEXP_EXTRACT", 2, 3, ORIEL_FUNCTION_STRICT, bind_extract, &regex_local},
    {"REGEXP_INSTR", 2, 2, ORIEL_FUNCTION_STRICT, bind_instr, &regex_local},
    {"REGEXP_REPLACE", 3, 3, ORIEL_FUNCTION_STRICT, bind_replace, &regex_local},
    {"REGEXP_SUBSTR", 2, 2, ORIEL_FUNCTION_STRICT, bind_extract, &regex_local},
    {"SIMILAR TO", 2, 3, ORIEL_FUNCTION_STRICT, bind_similar, &regex_local},
};

const struct oriel_function_group oriel_functions_regexp = {rows, sizeof rows / sizeof rows[0]};
