/*
 * IS JSON and IS NOT JSON [VALUE | OBJECT | ARRAY | SCALAR]: NULL is no JSON. What follows the
 * first value is not looked at, as in Flink.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/json_tree.h"
#include "engine/functions/text_result.h"

enum kind { KIND_VALUE, KIND_OBJECT, KIND_ARRAY, KIND_SCALAR };

struct check_state {
    enum kind kind;
    bool negated;
};

static bool is_kind(const struct oriel_json *json, enum kind kind) {
    switch (kind) {
    case KIND_OBJECT: return json->kind == ORIEL_JSON_OBJECT;
    case KIND_ARRAY: return json->kind == ORIEL_JSON_ARRAY;
    case KIND_SCALAR: return oriel_json_is_scalar(json);
    default: return true;
    }
}

static enum oriel_status is_json(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row_count,
                                 struct oriel_column *out) {
    const struct check_state *state = call->state;
    memset(out->values, 0, row_count);
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        struct oriel_json *json = NULL;
        size_t end;
        if (!oriel_column_is_null(&arguments[0], row))
            ORIEL_TRY(oriel_json_read(evaluation->batch_arena, oriel_text_at(&arguments[0], row),
                                      &json, &end, evaluation->error));
        ((uint8_t *)out->values)[row] = (json && is_kind(json, state->kind)) != state->negated;
    }
    return ORIEL_OK;
}

static enum oriel_status bind(struct oriel_binding *binding, bool negated,
                              struct oriel_error *error) {
    static const char *const kinds[] = {"VALUE", "OBJECT", "ARRAY", "SCALAR"};
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'<STRING> IS [NOT] JSON'", error));
    struct check_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    state->negated = negated;
    struct oriel_text kind;
    if (oriel_bind_constant_text(binding, 1, &kind)) {
        for (unsigned i = 0; i < 4; i++) {
            if (strlen(kinds[i]) == kind.length && memcmp(kinds[i], kind.bytes, kind.length) == 0)
                state->kind = (enum kind)i;
        }
    }
    binding->result = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BOOLEAN), false);
    binding->evaluate = is_json;
    return ORIEL_OK;
}

static enum oriel_status bind_is(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, false, error);
}

static enum oriel_status bind_is_not(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, true, error);
}

static const struct oriel_function rows[] = {
    {"IS JSON", 1, 2, 0, bind_is, NULL},
    {"IS NOT JSON", 1, 2, 0, bind_is_not, NULL},
};

const struct oriel_function_group oriel_functions_json_check = {rows, sizeof rows / sizeof rows[0]};
