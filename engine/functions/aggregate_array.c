/*
 * ARRAY_AGG and LISTAGG: the values of a group in the order of the input. ARRAY_AGG keeps NULLs
 * unless IGNORE NULLS says otherwise; both are NULL where there is no value.
 */
#include "engine/functions/aggregate_list.h"

static enum oriel_status array_result(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation,
                                      const struct oriel_value_list *list,
                                      const struct oriel_column *columns,
                                      struct oriel_arena *scratch, struct oriel_column *out,
                                      size_t row) {
    (void)call, (void)scratch;
    if (list->count == 0) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const size_t size = oriel_physical_size(oriel_type_physical(&columns[0].type));
    const size_t words_bytes = oriel_bits_word_count(list->count) * sizeof(uint64_t);
    struct oriel_nested *nested = oriel_arena_allocate(aggregation->arena, sizeof *nested);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(aggregation->arena, list->count, sizeof *slots);
    uint64_t *valid =
        columns[0].valid ? oriel_arena_allocate(aggregation->arena, words_bytes) : NULL;
    if (!nested || !slots || (columns[0].valid && !valid))
        return oriel_error_memory(aggregation->error);
    for (uint64_t i = 0; i < list->count; i++)
        memcpy(&slots[i], (const char *)columns[0].values + i * size, size);
    if (valid)
        memcpy(valid, columns[0].valid, words_bytes);
    *nested = (struct oriel_nested){.count = (uint32_t)list->count, .valid = valid, .slots = slots};
    ((const struct oriel_nested **)out->values)[row] = nested;
    return ORIEL_OK;
}

static enum oriel_status array_finish(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, const char *states,
                                      size_t stride_bytes, size_t count, struct oriel_column *out) {
    return oriel_list_finish(call, aggregation, states, stride_bytes, count, out, array_result);
}

static enum oriel_status text_result(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation,
                                     const struct oriel_value_list *list,
                                     const struct oriel_column *columns,
                                     struct oriel_arena *scratch, struct oriel_column *out,
                                     size_t row) {
    (void)scratch;
    const struct oriel_text separator = ((const struct oriel_list_call *)call->state)->separator;
    const struct oriel_string *values = columns[0].values;
    if (list->count == 0) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    size_t length = (list->count - 1) * separator.length;
    for (uint64_t i = 0; i < list->count; i++)
        length += values[i].length;
    if (length > INT32_MAX)
        return oriel_error_at(aggregation->error, ORIEL_DATA, call->position,
                              "A text of LISTAGG has more than 2^31 bytes");
    char *bytes = oriel_arena_allocate(aggregation->arena, length + 1);
    if (!bytes)
        return oriel_error_memory(aggregation->error);
    char *end = bytes;
    for (uint64_t i = 0; i < list->count; i++) {
        if (i && separator.length) {
            memcpy(end, separator.bytes, separator.length);
            end += separator.length;
        }
        if (values[i].length)
            memcpy(end, oriel_string_bytes(&values[i]), values[i].length);
        end += values[i].length;
    }
    ((struct oriel_string *)out->values)[row] = oriel_string_make(bytes, length);
    return ORIEL_OK;
}

static enum oriel_status text_finish(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, const char *states,
                                     size_t stride_bytes, size_t count, struct oriel_column *out) {
    return oriel_list_finish(call, aggregation, states, stride_bytes, count, out, text_result);
}

static const struct oriel_aggregate_operations array_operations = {
    .update = oriel_list_update,
    .merge = oriel_list_merge,
    .finish = array_finish,
    .saved_bytes = oriel_list_saved_bytes,
    .save = oriel_list_save,
    .load = oriel_list_load,
};

static const struct oriel_aggregate_operations text_operations = {
    .update = oriel_list_update,
    .merge = oriel_list_merge,
    .finish = text_finish,
    .saved_bytes = oriel_list_saved_bytes,
    .save = oriel_list_save,
    .load = oriel_list_load,
};

static enum oriel_status array_bind(struct oriel_aggregate_binding *binding,
                                    struct oriel_error *error) {
    struct oriel_list_call *call;
    if (binding->argument_types[0].id == ORIEL_TYPE_NULL)
        return oriel_aggregate_null_error(binding, error);
    ORIEL_TRY(oriel_list_bind(binding, 1, &call, error));
    struct oriel_field *element =
        oriel_arena_allocate_zeroed(binding->statement_arena, 1, sizeof *element);
    if (!element)
        return oriel_error_memory(error);
    call->skip_nulls = binding->nulls == ORIEL_AGGREGATE_NULLS_IGNORED;
    element->type = call->layout.types[0];
    binding->result = oriel_type_make(ORIEL_TYPE_ARRAY);
    binding->result.field_count = 1;
    binding->result.fields = element;
    binding->operations = &array_operations;
    return ORIEL_OK;
}

static enum oriel_status text_bind(struct oriel_aggregate_binding *binding,
                                   struct oriel_error *error) {
    struct oriel_list_call *call;
    if (!oriel_type_is_character(&binding->argument_types[0]))
        return oriel_aggregate_type_error(binding, "a text", error);
    ORIEL_TRY(oriel_list_bind(binding, 1, &call, error));
    call->separator = ORIEL_TEXT(",");
    if (binding->argument_count > 1) {
        const struct oriel_column *separator = binding->constants[1];
        if (!separator || !oriel_type_is_character(&separator->type))
            return oriel_error_at(error, ORIEL_INVALID, binding->position,
                                  "Argument to function 'LISTAGG' must be a literal: the "
                                  "separator is a text that is the same for all rows");
        if (oriel_column_is_null(separator, 0))
            return oriel_error_at(error, ORIEL_INVALID, binding->position,
                                  "Argument to function 'LISTAGG' must not be NULL");
        call->separator = oriel_string_text(separator->values);
    }
    binding->result = oriel_type_with_null(call->layout.types[0], true);
    binding->operations = &text_operations;
    return ORIEL_OK;
}

const struct oriel_aggregate oriel_aggregates_array[] = {
    {"ARRAY_AGG", 1, 1,
     ORIEL_AGGREGATE_HOLDS_ALL | ORIEL_AGGREGATE_ORDERED | ORIEL_AGGREGATE_NULL_AS_ARGUMENT |
         ORIEL_AGGREGATE_TAKES_NULLS_CLAUSE,
     array_bind},
    {"LISTAGG", 1, 2,
     ORIEL_AGGREGATE_HOLDS_ALL | ORIEL_AGGREGATE_ORDERED | ORIEL_AGGREGATE_SKIPS_NULLS |
         ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     text_bind},
    {0},
};
