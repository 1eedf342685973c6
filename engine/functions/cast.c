/*
 * CAST and TRY_CAST: picks the conversion for a pair of types, or says that there is none.
 */
#include "engine/functions/cast.h"

#include <stdio.h>

#include "engine/functions/function_table.h"
#include "engine/functions/rows.h"

enum { SHOWN_TEXT_BYTES = 200, TYPE_TEXT_BYTES = 160 };

enum oriel_status oriel_cast_failed(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation, struct oriel_column *out,
                                    size_t row, struct oriel_text text, const char *reason) {
    const struct oriel_cast *cast = call->state;
    if (cast->try) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    char type[TYPE_TEXT_BYTES];
    oriel_type_print(&cast->to, false, type, sizeof type);
    const int shown = text.length < SHOWN_TEXT_BYTES ? (int)text.length : SHOWN_TEXT_BYTES;
    return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                          "For input string: '%.*s'. %s (CAST to %s)", shown, text.bytes, reason,
                          type);
}

static enum oriel_status copy(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                              const struct oriel_column *arguments, size_t row_count,
                              struct oriel_column *out) {
    (void)evaluation;
    memcpy(out->values, arguments[0].values,
           row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    return ORIEL_OK;
}

/* NULL has no value to convert. */
static enum oriel_status all_null(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    (void)evaluation, (void)arguments;
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    memset(out->valid, 0, oriel_bits_word_count(row_count) * sizeof *out->valid);
    return ORIEL_OK;
}

static oriel_evaluate *choose(const struct oriel_cast *cast) {
    const struct oriel_type *from = &cast->from, *to = &cast->to;
    if (from->id == ORIEL_TYPE_NULL)
        return all_null;
    if (oriel_type_same(from, to))
        return copy;
    oriel_evaluate *evaluate = oriel_cast_number(cast);
    if (!evaluate)
        evaluate = oriel_cast_time(cast);
    if (!evaluate)
        evaluate = oriel_cast_from_text(cast);
    if (!evaluate)
        evaluate = oriel_cast_to_text(cast);
    return evaluate;
}

static const char *advice(const struct oriel_type *from, const struct oriel_type *to) {
    if (oriel_type_is_numeric(from) && to->id == ORIEL_TYPE_TIMESTAMP)
        return "; use TO_TIMESTAMP(FROM_UNIXTIME(x)), x in seconds";
    if (oriel_type_is_numeric(from) && to->id == ORIEL_TYPE_TIMESTAMP_LTZ)
        return "; use TO_TIMESTAMP_LTZ(x, precision)";
    if (oriel_type_is_timestamp(from) && oriel_type_is_numeric(to))
        return "; use UNIX_TIMESTAMP(CAST(x AS STRING))";
    return "";
}

static enum oriel_status bind(struct oriel_binding *binding, bool try, struct oriel_error *error) {
    const struct oriel_type *from = &binding->argument_types[0];
    if (!binding->target)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "%s is written %s(value AS type)", binding->name, binding->name);
    struct oriel_cast *cast = oriel_bind_state(binding, sizeof *cast, error);
    if (!cast)
        return ORIEL_MEMORY;
    *cast = (struct oriel_cast){.from = *from, .to = *binding->target, .try = try};
    oriel_evaluate *evaluate = choose(cast);
    if (!evaluate)
        ORIEL_TRY(oriel_cast_nested_bind(binding, cast, &evaluate, error));
    if (!evaluate) {
        char from_text[TYPE_TEXT_BYTES], to_text[TYPE_TEXT_BYTES];
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "Cast function cannot convert value of type %s to type %s%s",
                              oriel_type_print(from, false, from_text, sizeof from_text),
                              oriel_type_print(&cast->to, false, to_text, sizeof to_text),
                              advice(from, &cast->to));
    }
    oriel_bind_result(binding, *binding->target, evaluate);
    binding->result.nullable = try || from->nullable || from->id == ORIEL_TYPE_NULL;
    return ORIEL_OK;
}

static enum oriel_status bind_cast(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, false, error);
}

static enum oriel_status bind_try_cast(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, true, error);
}

static const struct oriel_function rows[] = {
    {"CAST", 1, 1, ORIEL_FUNCTION_STRICT, bind_cast, NULL},
    {"TRY_CAST", 1, 1, ORIEL_FUNCTION_STRICT, bind_try_cast, NULL},
};

const struct oriel_function_group oriel_functions_cast = {rows, sizeof rows / sizeof rows[0]};
