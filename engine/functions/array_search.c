/*
 * Functions of arrays that give one element or a number: ARRAY_CONTAINS, ARRAY_POSITION, ARRAY_MAX,
 * ARRAY_MIN, ARRAY_JOIN, ELEMENT.
 */
#include "engine/functions/array_list.h"
#include "engine/functions/function_table.h"

static size_t place(const struct oriel_call *call, const struct oriel_column *arguments,
                    size_t row) {
    const struct oriel_nested *nested = oriel_nested_at(&arguments[0], row);
    return oriel_slots_find(&call->argument_types[0].fields[0].type, nested->slots, nested->valid,
                            0, 1, nested->count, oriel_slot_of(&arguments[1], row),
                            !oriel_column_is_null(&arguments[1], row));
}

/* A NULL to look for is found among NULLs. */
static enum oriel_status contains_row(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row,
                                      struct oriel_column *out) {
    (void)evaluation;
    if (oriel_column_is_null(&arguments[0], row))
        oriel_column_set_null(out, row);
    else
        ((uint8_t *)out->values)[row] = place(call, arguments, row) != SIZE_MAX;
    return ORIEL_OK;
}

static enum oriel_status position_row(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row,
                                      struct oriel_column *out) {
    (void)evaluation;
    const size_t found = place(call, arguments, row);
    oriel_i32_set(out, row, found == SIZE_MAX ? 0 : (int32_t)found + 1);
    return ORIEL_OK;
}

static void put_slot(const oriel_u128 *slot, size_t row, struct oriel_column *out) {
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    if (slot)
        memcpy((char *)out->values + row * size, slot, size);
    else
        oriel_column_set_null(out, row);
}

/* The largest element, or with state "<" the smallest. A NaN stays once it is met first. */
static enum oriel_status extreme_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    (void)evaluation;
    const struct oriel_nested *nested = oriel_nested_at(&arguments[0], row);
    const struct oriel_type *type = &call->argument_types[0].fields[0].type;
    const bool least = *(const char *)call->state == '<';
    const oriel_u128 *best = NULL;
    for (size_t i = 0; i < nested->count; i++) {
        if (!oriel_bits_get(nested->valid, i))
            continue;
        const int order = best ? oriel_value_compare(type, &nested->slots[i], best) : 0;
        if (!best || (least ? order < 0 : order > 0))
            best = &nested->slots[i];
    }
    put_slot(best, row, out);
    return ORIEL_OK;
}

static enum oriel_status element_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_nested *nested = oriel_nested_at(&arguments[0], row);
    if (nested->count > 1)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "ELEMENT: Array has more than one element");
    put_slot(nested->count && oriel_bits_get(nested->valid, 0) ? nested->slots : NULL, row, out);
    return ORIEL_OK;
}

/* NULL elements are left out unless a third argument stands for them. */
static enum oriel_status join_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    const struct oriel_nested *nested = oriel_nested_at(&arguments[0], row);
    const struct oriel_text separator = oriel_text_at(&arguments[1], row);
    struct oriel_text_buffer text;
    oriel_text_buffer_init(&text, evaluation->runtime->memory);
    enum oriel_status status = ORIEL_OK;
    bool first = true;
    for (size_t i = 0; i < nested->count && status == ORIEL_OK; i++) {
        struct oriel_text part;
        if (oriel_bits_get(nested->valid, i))
            part = oriel_string_text((const struct oriel_string *)&nested->slots[i]);
        else if (call->argument_count > 2)
            part = oriel_text_at(&arguments[2], row);
        else
            continue;
        if (!first)
            status = oriel_text_buffer_append(&text, separator.bytes, separator.length);
        if (status == ORIEL_OK)
            status = oriel_text_buffer_append(&text, part.bytes, part.length);
        first = false;
    }
    if (status != ORIEL_OK)
        oriel_error_memory(evaluation->error);
    else
        status = oriel_text_set(call, evaluation, out, row, text.bytes, text.length);
    oriel_text_buffer_deinit(&text);
    return status;
}

ORIEL_TEXT_EACH(contains)
ORIEL_TEXT_EACH(position)
ORIEL_TEXT_EACH(extreme)
ORIEL_TEXT_EACH(element)
ORIEL_TEXT_EACH(join)

static enum oriel_status bind_contains(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_element(binding, 1, "'ARRAY_CONTAINS(<ARRAY>, <ELEMENT>)'", error));
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), contains);
    binding->result.nullable = binding->argument_types[0].nullable;
    return ORIEL_OK;
}

static enum oriel_status bind_position(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_element(binding, 1, "'ARRAY_POSITION(<ARRAY>, <ELEMENT>)'", error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_INT), position);
}

static enum oriel_status bind_extreme(struct oriel_binding *binding, const char *state,
                                      struct oriel_error *error) {
    if (binding->argument_types[0].id != ORIEL_TYPE_ARRAY)
        return oriel_bind_refuse(binding, "an ARRAY", error);
    binding->state = state;
    oriel_bind_result(binding, binding->argument_types[0].fields[0].type, extreme);
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_max(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_extreme(binding, ">", error);
}

static enum oriel_status bind_min(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_extreme(binding, "<", error);
}

static enum oriel_status bind_element(struct oriel_binding *binding, struct oriel_error *error) {
    if (binding->argument_types[0].id != ORIEL_TYPE_ARRAY)
        return oriel_bind_refuse(binding, "'ELEMENT(<ARRAY>)'", error);
    const struct oriel_type type = binding->argument_types[0].fields[0].type;
    oriel_bind_result(binding, type, element);
    binding->result.nullable |= type.nullable;
    return ORIEL_OK;
}

static enum oriel_status bind_join(struct oriel_binding *binding, struct oriel_error *error) {
    static const char forms[] = "'ARRAY_JOIN(<ARRAY<STRING>>, <STRING>[, <STRING>])'";
    const struct oriel_type *type = &binding->argument_types[0];
    if (type->id != ORIEL_TYPE_ARRAY || !oriel_type_is_character(&type->fields[0].type))
        return oriel_bind_refuse(binding, forms, error);
    ORIEL_TRY(oriel_bind_arguments(binding, ".s", forms, error));
    return oriel_bind_result(binding, oriel_type_string(), join);
}

static const struct oriel_function rows[] = {
    {"ARRAY_CONTAINS", 2, 2, 0, bind_contains, NULL},
    {"ARRAY_JOIN", 2, 3, ORIEL_FUNCTION_STRICT, bind_join, NULL},
    {"ARRAY_MAX", 1, 1, ORIEL_FUNCTION_STRICT, bind_max, NULL},
    {"ARRAY_MIN", 1, 1, ORIEL_FUNCTION_STRICT, bind_min, NULL},
    {"ARRAY_POSITION", 2, 2, ORIEL_FUNCTION_STRICT, bind_position, NULL},
    {"ELEMENT", 1, 1, ORIEL_FUNCTION_STRICT, bind_element, NULL},
};

const struct oriel_function_group oriel_functions_array_search = {rows,
                                                                  sizeof rows / sizeof rows[0]};
