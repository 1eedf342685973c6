/*
 * JSON_ARRAYAGG, in the order of the input, and JSON_OBJECTAGG, in the order of the keys, which
 * must be unique. The results are never NULL.
 */
#include "engine/functions/aggregate_list.h"

#include <stdlib.h>

#include "engine/functions/json_value.h"

enum { JSON_LENGTH = 2000 }; /* of the type, as Flink says it; texts may be longer */

static enum oriel_status append_value(const struct oriel_aggregate_call *call,
                                      struct oriel_text_buffer *text,
                                      const struct oriel_column *column, size_t row) {
    const struct oriel_list_call *list_call = call->state;
    if (oriel_column_is_null(column, row))
        return oriel_text_buffer_append(text, "null", 4);
    const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
    const char *value = (const char *)column->values + row * size;
    if (!list_call->raw_json)
        return oriel_json_append(text, &column->type, value);
    const struct oriel_string *json = (const void *)value;
    return oriel_text_buffer_append(text, oriel_string_bytes(json), json->length);
}

/* The text as the result of a row; gives the buffer back. */
static enum oriel_status store_text(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, enum oriel_status status,
                                    struct oriel_text_buffer *text, struct oriel_column *out,
                                    size_t row) {
    char *bytes = NULL;
    if (status == ORIEL_OK && text->length > INT32_MAX)
        status = oriel_error_at(aggregation->error, ORIEL_DATA, call->position,
                                "A text of %s has more than 2^31 bytes", call->function->name);
    else if (status == ORIEL_OK)
        bytes = oriel_arena_copy(aggregation->arena, text->bytes, text->length);
    if (bytes)
        ((struct oriel_string *)out->values)[row] = oriel_string_make(bytes, text->length);
    else if (status == ORIEL_OK || status == ORIEL_MEMORY)
        status = oriel_error_memory(aggregation->error);
    oriel_text_buffer_deinit(text);
    return status;
}

static enum oriel_status append_array(const struct oriel_aggregate_call *call,
                                      struct oriel_text_buffer *text,
                                      const struct oriel_column *values, uint64_t count) {
    ORIEL_TRY(oriel_text_buffer_append(text, "[", 1));
    for (uint64_t i = 0; i < count; i++) {
        if (i)
            ORIEL_TRY(oriel_text_buffer_append(text, ",", 1));
        ORIEL_TRY(append_value(call, text, values, i));
    }
    return oriel_text_buffer_append(text, "]", 1);
}

static enum oriel_status array_result(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation,
                                      const struct oriel_value_list *list,
                                      const struct oriel_column *columns,
                                      struct oriel_arena *scratch, struct oriel_column *out,
                                      size_t row) {
    (void)scratch;
    struct oriel_text_buffer text;
    oriel_text_buffer_init(&text, aggregation->runtime->memory);
    const enum oriel_status status = append_array(call, &text, &columns[0], list->count);
    return store_text(call, aggregation, status, &text, out, row);
}

static enum oriel_status array_finish(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, const char *states,
                                      size_t stride_bytes, size_t count, struct oriel_column *out) {
    return oriel_list_finish(call, aggregation, states, stride_bytes, count, out, array_result);
}

static enum oriel_status object_update(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, char *states,
                                       size_t stride_bytes, const uint32_t *groups,
                                       const struct oriel_column *arguments, const uint64_t *rows,
                                       size_t row_count, uint64_t first_row) {
    ORIEL_FOR_SELECTED(row, arguments[0].valid ? rows : NULL, row_count) {
        if (oriel_column_is_null(&arguments[0], row))
            return oriel_error_at(aggregation->error, ORIEL_DATA, call->position,
                                  "A key of JSON_OBJECTAGG is NULL");
    }
    return oriel_list_update(call, aggregation, states, stride_bytes, groups, arguments, rows,
                             row_count, first_row);
}

/* A key and its place in the list. */
struct member {
    struct oriel_string key;
    uint64_t row;
};

static int by_key(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    const int order = oriel_string_compare(&x->key, &y->key);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static enum oriel_status append_object(const struct oriel_aggregate_call *call,
                                       struct oriel_text_buffer *text, const struct member *members,
                                       uint64_t count, const struct oriel_column *values,
                                       struct oriel_error *error) {
    ORIEL_TRY(oriel_text_buffer_append(text, "{", 1));
    for (uint64_t i = 0; i < count; i++) {
        const struct oriel_string *key = &members[i].key;
        if (i && oriel_string_equal(key, &members[i - 1].key))
            return oriel_error_at(error, ORIEL_DATA, call->position,
                                  "Key '%.*s' is already present. Duplicate keys are not allowed "
                                  "in JSON_OBJECTAGG. Please ensure that keys are unique.",
                                  (int)(key->length < 200 ? key->length : 200),
                                  oriel_string_bytes(key));
        if (i)
            ORIEL_TRY(oriel_text_buffer_append(text, ",", 1));
        ORIEL_TRY(oriel_json_append_text(text, oriel_string_bytes(key), key->length));
        ORIEL_TRY(oriel_text_buffer_append(text, ":", 1));
        ORIEL_TRY(append_value(call, text, values, members[i].row));
    }
    return oriel_text_buffer_append(text, "}", 1);
}

static enum oriel_status object_result(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation,
                                       const struct oriel_value_list *list,
                                       const struct oriel_column *columns,
                                       struct oriel_arena *scratch, struct oriel_column *out,
                                       size_t row) {
    const struct oriel_string *keys = columns[0].values;
    struct member *members = oriel_arena_allocate_zeroed(scratch, list->count + 1, sizeof *members);
    if (!members)
        return oriel_error_memory(aggregation->error);
    for (uint64_t i = 0; i < list->count; i++)
        members[i] = (struct member){keys[i], i};
    qsort(members, list->count, sizeof *members, by_key);
    struct oriel_text_buffer text;
    oriel_text_buffer_init(&text, aggregation->runtime->memory);
    const enum oriel_status status =
        append_object(call, &text, members, list->count, &columns[1], aggregation->error);
    return store_text(call, aggregation, status, &text, out, row);
}

static enum oriel_status object_finish(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, const char *states,
                                       size_t stride_bytes, size_t count,
                                       struct oriel_column *out) {
    return oriel_list_finish(call, aggregation, states, stride_bytes, count, out, object_result);
}

static const struct oriel_aggregate_operations array_operations = {
    .update = oriel_list_update,
    .merge = oriel_list_merge,
    .finish = array_finish,
    .saved_bytes = oriel_list_saved_bytes,
    .save = oriel_list_save,
    .load = oriel_list_load,
};

static const struct oriel_aggregate_operations object_operations = {
    .update = object_update,
    .merge = oriel_list_merge,
    .finish = object_finish,
    .saved_bytes = oriel_list_saved_bytes,
    .save = oriel_list_save,
    .load = oriel_list_load,
};

/* The value is the last of `column_count` arguments. */
static enum oriel_status bind(struct oriel_aggregate_binding *binding, uint32_t column_count,
                              bool skips_nulls, const struct oriel_aggregate_operations *operations,
                              struct oriel_error *error) {
    const struct oriel_type *unwritable =
        oriel_json_unwritable(&binding->argument_types[column_count - 1]);
    struct oriel_list_call *call;
    char type[128];
    if (unwritable)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "Type '%s' is not scalar or cannot be converted into JSON",
                              oriel_type_print(unwritable, false, type, sizeof type));
    ORIEL_TRY(oriel_list_bind(binding, column_count, &call, error));
    call->skip_nulls = skips_nulls;
    call->raw_json = binding->last_is_json;
    binding->result = oriel_type_with_null(oriel_type_string(), false);
    binding->result.length = JSON_LENGTH;
    binding->operations = operations;
    return ORIEL_OK;
}

static enum oriel_status array_bind(struct oriel_aggregate_binding *binding,
                                    struct oriel_error *error) {
    return bind(binding, 1, binding->nulls != ORIEL_AGGREGATE_NULLS_KEPT, &array_operations, error);
}

static enum oriel_status object_bind(struct oriel_aggregate_binding *binding,
                                     struct oriel_error *error) {
    if (!oriel_type_is_character(&binding->argument_types[0]))
        return oriel_aggregate_type_error(binding, "a text as the key", error);
    if (binding->distinct)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "JSON_OBJECTAGG has no DISTINCT: its keys are unique");
    return bind(binding, 2, binding->nulls == ORIEL_AGGREGATE_NULLS_IGNORED, &object_operations,
                error);
}

const struct oriel_aggregate oriel_aggregates_json[] = {
    {"JSON_ARRAYAGG", 1, 1,
     ORIEL_AGGREGATE_HOLDS_ALL | ORIEL_AGGREGATE_ORDERED | ORIEL_AGGREGATE_NEVER_NULL, array_bind},
    {"JSON_OBJECTAGG", 2, 2, ORIEL_AGGREGATE_HOLDS_ALL | ORIEL_AGGREGATE_NEVER_NULL, object_bind},
    {0},
};
