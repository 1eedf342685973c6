/*
 * ARRAY, MAP and ROW: building them, taking elements out, counting them.
 */
#include <string.h>

#include "engine/columns/value.h"
#include "engine/functions/array_list.h"
#include "engine/functions/function_table.h"

/* One value for each row, with a slot for each argument. */
static enum oriel_status build(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    const uint32_t count = call->argument_count;
    const size_t word_count = oriel_bits_word_count(count);
    const struct oriel_nested **to = out->values;
    memset(out->values, 0, row_count * sizeof *to);
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        struct oriel_arena *arena = evaluation->batch_arena;
        struct oriel_nested *nested = oriel_arena_allocate(arena, sizeof *nested);
        oriel_u128 *slots = oriel_arena_allocate_zeroed(arena, count + 1, sizeof *slots);
        uint64_t *valid = oriel_arena_allocate_zeroed(arena, word_count + 1, sizeof *valid);
        if (!nested || !slots || !valid)
            return oriel_error_memory(evaluation->error);
        bool all_valid = true;
        for (uint32_t i = 0; i < count; i++) {
            const size_t value_bytes =
                oriel_physical_size(oriel_type_physical(&call->argument_types[i]));
            if (oriel_column_is_null(&arguments[i], row)) {
                all_valid = false;
                continue;
            }
            oriel_bits_set(valid, i);
            memcpy(&slots[i], (const char *)arguments[i].values + row * value_bytes, value_bytes);
        }
        *nested = (struct oriel_nested){
            .count = count, .valid = all_valid ? NULL : valid, .slots = slots};
        to[row] = nested;
    }
    return ORIEL_OK;
}

/* Of equal keys the first keeps its place and gets the value of the last. */
static enum oriel_status build_map(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out) {
    memset(out->values, 0, row_count * sizeof(struct oriel_nested *));
    for (size_t row = 0; row < row_count; row++) {
        struct oriel_array_list list;
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        ORIEL_TRY(oriel_array_list_open(call, evaluation, call->argument_count, &list));
        for (uint32_t i = 0; i + 1 < call->argument_count; i += 2)
            oriel_map_list_put(&list, &call->argument_types[0], oriel_slot_of(&arguments[i], row),
                               !oriel_column_is_null(&arguments[i], row),
                               oriel_slot_of(&arguments[i + 1], row),
                               !oriel_column_is_null(&arguments[i + 1], row));
        oriel_array_list_finish(&list, list.count / 2, out, row);
    }
    return ORIEL_OK;
}

static enum oriel_status finish_build(struct oriel_binding *binding, enum oriel_type_id id,
                                      struct oriel_field *fields, uint32_t field_count) {
    binding->result = oriel_type_make(id);
    binding->result.nullable = false;
    binding->result.fields = fields;
    binding->result.field_count = field_count;
    binding->evaluate = build;
    return ORIEL_OK;
}

/* The type that arguments first, first + step ... meet in; casts are set to it. */
static bool unify_every(struct oriel_binding *binding, uint32_t first, uint32_t step,
                        struct oriel_type *out) {
    *out = binding->argument_types[first];
    for (uint32_t i = first + step; i < binding->argument_count; i += step) {
        if (!oriel_type_unify_nested(binding->statement_arena, out, &binding->argument_types[i],
                                     out))
            return false;
    }
    for (uint32_t i = first; i < binding->argument_count; i += step)
        binding->casts[i] = oriel_type_with_null(*out, binding->argument_types[i].nullable);
    return true;
}

static struct oriel_field *make_fields(struct oriel_binding *binding, uint32_t count,
                                       struct oriel_error *error) {
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(binding->statement_arena, count + 1, sizeof *fields);
    if (!fields)
        oriel_error_memory(error);
    return fields;
}

static enum oriel_status bind_array(struct oriel_binding *binding, struct oriel_error *error) {
    struct oriel_field *fields = make_fields(binding, 1, error);
    if (!fields)
        return ORIEL_MEMORY;
    if (!unify_every(binding, 0, 1, &fields[0].type) || fields[0].type.id == ORIEL_TYPE_NULL)
        return oriel_bind_refuse(binding, "elements of one type", error);
    return finish_build(binding, ORIEL_TYPE_ARRAY, fields, 1);
}

static enum oriel_status bind_map(struct oriel_binding *binding, struct oriel_error *error) {
    struct oriel_field *fields = make_fields(binding, 2, error);
    if (!fields)
        return ORIEL_MEMORY;
    if (binding->argument_count % 2)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "MAP takes keys and values in turn, got %u arguments",
                              binding->argument_count);
    if (!unify_every(binding, 0, 2, &fields[0].type) ||
        !unify_every(binding, 1, 2, &fields[1].type))
        return oriel_bind_refuse(binding, "keys of one type and values of one type", error);
    finish_build(binding, ORIEL_TYPE_MAP, fields, 2);
    binding->evaluate = build_map;
    return ORIEL_OK;
}

static enum oriel_status bind_row(struct oriel_binding *binding, struct oriel_error *error) {
    const uint32_t count = binding->argument_count;
    struct oriel_field *fields = make_fields(binding, count, error);
    if (!fields)
        return ORIEL_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        char *name = oriel_arena_print(binding->statement_arena, "EXPR$%u", i);
        if (!name)
            return oriel_error_memory(error);
        fields[i] = (struct oriel_field){.name = name, .type = binding->argument_types[i]};
    }
    return finish_build(binding, ORIEL_TYPE_ROW, fields, count);
}

static const struct oriel_nested *nested_at(const struct oriel_column *column, size_t row) {
    return ((const struct oriel_nested *const *)column->values)[row];
}

static void take_slot(const struct oriel_nested *nested, size_t slot, size_t row,
                      struct oriel_column *out) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&out->type));
    if (oriel_bits_get(nested->valid, slot))
        memcpy((char *)out->values + row * value_bytes, &nested->slots[slot], value_bytes);
    else
        oriel_column_set_null(out, row);
}

/* Elements count from 1; one that the array does not have is NULL. */
static enum oriel_status array_item(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    (void)call;
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row)) {
            oriel_column_set_null(out, row);
            continue;
        }
        const struct oriel_nested *nested = nested_at(&arguments[0], row);
        const int32_t index = ((const int32_t *)arguments[1].values)[row];
        if (index < 1 || (uint32_t)index > nested->count)
            oriel_column_set_null(out, row);
        else
            take_slot(nested, (size_t)index - 1, row, out);
    }
    return ORIEL_OK;
}

static enum oriel_status map_item(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const struct oriel_type *key_type = &call->argument_types[1];
    const size_t key_bytes = oriel_physical_size(oriel_type_physical(key_type));
    for (size_t row = 0; row < row_count; row++) {
        const bool counts = oriel_row_counts(evaluation, out, row);
        const struct oriel_nested *nested = counts ? nested_at(&arguments[0], row) : NULL;
        const char *key = (const char *)arguments[1].values + row * key_bytes;
        size_t found = SIZE_MAX;
        for (size_t i = 0; nested && i < nested->count && found == SIZE_MAX; i++) {
            if (oriel_bits_get(nested->valid, 2 * i) &&
                oriel_value_compare(key_type, key, &nested->slots[2 * i]) == 0)
                found = 2 * i + 1;
        }
        if (found == SIZE_MAX)
            oriel_column_set_null(out, row);
        else
            take_slot(nested, found, row, out);
    }
    return ORIEL_OK;
}

static enum oriel_status check_index(const struct oriel_binding *binding,
                                     struct oriel_error *error) {
    const struct oriel_column *index = binding->constants[1];
    if (!index || oriel_column_is_null(index, 0) || index->type.id != ORIEL_TYPE_INT ||
        *(const int32_t *)index->values >= 1)
        return ORIEL_OK;
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "Array element access needs an index starting at 1 but was %d",
                          *(const int32_t *)index->values);
}

static enum oriel_status bind_item(struct oriel_binding *binding, struct oriel_error *error) {
    const struct oriel_type *type = &binding->argument_types[0];
    if (type->id == ORIEL_TYPE_ARRAY) {
        ORIEL_TRY(oriel_bind_arguments(binding, ".i", "'<ARRAY>[<INT>]'", error));
        ORIEL_TRY(check_index(binding, error));
        oriel_bind_result(binding, type->fields[0].type, array_item);
    } else if (type->id == ORIEL_TYPE_MAP) {
        if (!oriel_type_casts_implicitly(&binding->argument_types[1], &type->fields[0].type))
            return oriel_bind_refuse(binding, "a key of the map's type", error);
        /* any length of text is compared as it is */
        if (!oriel_type_is_character(&type->fields[0].type))
            binding->casts[1] =
                oriel_type_with_null(type->fields[0].type, binding->argument_types[1].nullable);
        oriel_bind_result(binding, type->fields[1].type, map_item);
    } else {
        return oriel_bind_refuse(binding, "'<ARRAY>[<INT>]', '<MAP>[<KEY>]'", error);
    }
    binding->result.nullable = true;
    return ORIEL_OK;
}

/* The field whose place the call's state says. */
static enum oriel_status row_field(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row_count,
                                   struct oriel_column *out) {
    const uint32_t place = *(const uint32_t *)call->state;
    for (size_t row = 0; row < row_count; row++) {
        if (oriel_row_counts(evaluation, out, row))
            take_slot(nested_at(&arguments[0], row), place, row, out);
        else
            oriel_column_set_null(out, row);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_field(struct oriel_binding *binding, struct oriel_error *error) {
    const struct oriel_type *type = &binding->argument_types[0];
    struct oriel_text name;
    char text[160];
    if (type->id != ORIEL_TYPE_ROW || !oriel_bind_constant_text(binding, 1, &name))
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "Only a ROW has fields, and this is of type %s",
                              oriel_type_print(type, false, text, sizeof text));
    uint32_t *place = oriel_bind_state(binding, sizeof *place, error);
    if (!place)
        return ORIEL_MEMORY;
    while (*place < type->field_count &&
           (strlen(type->fields[*place].name) != name.length ||
            memcmp(type->fields[*place].name, name.bytes, name.length) != 0))
        ++*place;
    if (*place == type->field_count)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "Column '%.*s' not found in %s", (int)name.length, name.bytes,
                              oriel_type_print(type, false, text, sizeof text));
    const bool nullable = type->nullable || type->fields[*place].type.nullable;
    oriel_bind_result(binding, type->fields[*place].type, row_field);
    binding->result.nullable = nullable;
    return ORIEL_OK;
}

static enum oriel_status cardinality(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    (void)call;
    for (size_t row = 0; row < row_count; row++)
        ((int32_t *)out->values)[row] = oriel_row_counts(evaluation, out, row)
                                            ? (int32_t)nested_at(&arguments[0], row)->count
                                            : 0;
    return ORIEL_OK;
}

static enum oriel_status bind_cardinality(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    const enum oriel_type_id id = binding->argument_types[0].id;
    if (id != ORIEL_TYPE_ARRAY && id != ORIEL_TYPE_MAP)
        return oriel_bind_refuse(binding, "'CARDINALITY(<ARRAY>)', 'CARDINALITY(<MAP>)'", error);
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_INT), cardinality);
}

static const struct oriel_function rows[] = {
    {".", 2, 2, ORIEL_FUNCTION_STRICT, bind_field, NULL},
    {"ARRAY", 1, ORIEL_ARGUMENTS_ANY, 0, bind_array, NULL},
    {"CARDINALITY", 1, 1, ORIEL_FUNCTION_STRICT, bind_cardinality, NULL},
    {"MAP", 2, ORIEL_ARGUMENTS_ANY, 0, bind_map, NULL},
    {"ROW", 1, ORIEL_ARGUMENTS_ANY, 0, bind_row, NULL},
    {"[]", 2, 2, ORIEL_FUNCTION_STRICT, bind_item, NULL},
};

const struct oriel_function_group oriel_functions_nested = {rows, sizeof rows / sizeof rows[0]};
