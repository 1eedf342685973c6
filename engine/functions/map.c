/*
 * Functions of maps: MAP_KEYS, MAP_VALUES, MAP_ENTRIES, MAP_FROM_ARRAYS, MAP_UNION.
 */
#include "engine/functions/array_list.h"
#include "engine/functions/function_table.h"

/* Keys with state "K", values with state "V". */
static enum oriel_status parts_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    const struct oriel_nested *map = oriel_nested_at(&arguments[0], row);
    const size_t first = *(const char *)call->state == 'V';
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, map->count, &list));
    for (size_t i = 0; i < map->count; i++)
        oriel_array_list_push_from(&list, map, 2 * i + first);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

static enum oriel_status entries_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_nested *map = oriel_nested_at(&arguments[0], row);
    struct oriel_array_list list;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, map->count, &list));
    for (size_t i = 0; i < map->count; i++) {
        struct oriel_array_list entry;
        ORIEL_TRY(oriel_array_list_open(call, evaluation, 2, &entry));
        oriel_array_list_push_from(&entry, map, 2 * i);
        oriel_array_list_push_from(&entry, map, 2 * i + 1);
        *entry.nested =
            (struct oriel_nested){.count = 2, .valid = entry.valid, .slots = entry.slots};
        oriel_u128 slot = 0;
        memcpy(&slot, &entry.nested, sizeof entry.nested);
        oriel_array_list_push(&list, slot, true);
    }
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

static enum oriel_status from_arrays_row(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row,
                                         struct oriel_column *out) {
    const struct oriel_nested *keys = oriel_nested_at(&arguments[0], row);
    const struct oriel_nested *values = oriel_nested_at(&arguments[1], row);
    struct oriel_array_list list;
    if (keys->count != values->count)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "Invalid function MAP_FROM_ARRAYS call: The length of the keys array "
                              "%u is not equal to the length of the values array %u",
                              keys->count, values->count);
    ORIEL_TRY(oriel_array_list_open(call, evaluation, 2 * (size_t)keys->count, &list));
    for (size_t i = 0; i < keys->count; i++) {
        oriel_array_list_push_from(&list, keys, i);
        oriel_array_list_push_from(&list, values, i);
    }
    oriel_array_list_finish(&list, keys->count, out, row);
    return ORIEL_OK;
}

/* Of equal keys the value of the last map counts. */
static enum oriel_status merge_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    const struct oriel_type *type = &call->argument_types[0].fields[0].type;
    struct oriel_array_list list;
    size_t count = 0;
    for (uint32_t i = 0; i < call->argument_count; i++)
        count += oriel_nested_at(&arguments[i], row)->count;
    ORIEL_TRY(oriel_array_list_open(call, evaluation, 2 * count, &list));
    for (uint32_t i = 0; i < call->argument_count; i++) {
        const struct oriel_nested *map = oriel_nested_at(&arguments[i], row);
        for (size_t k = 0; k < map->count; k++)
            oriel_map_list_put(&list, type, map->slots[2 * k], oriel_bits_get(map->valid, 2 * k),
                               map->slots[2 * k + 1], oriel_bits_get(map->valid, 2 * k + 1));
    }
    oriel_array_list_finish(&list, list.count / 2, out, row);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(parts)
ORIEL_TEXT_EACH(entries)
ORIEL_TEXT_EACH(from_arrays)
ORIEL_TEXT_EACH(merge)

static enum oriel_status bind_parts(struct oriel_binding *binding, const char *state,
                                    struct oriel_error *error) {
    const struct oriel_type *map = &binding->argument_types[0];
    struct oriel_field *field = oriel_bind_fields(binding, 1, error);
    if (!field)
        return ORIEL_MEMORY;
    if (map->id != ORIEL_TYPE_MAP)
        return oriel_bind_refuse(binding, "a MAP", error);
    field->type = map->fields[*state == 'V'].type;
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_ARRAY);
    type.fields = field;
    type.field_count = 1;
    binding->state = state;
    return oriel_bind_result(binding, type, parts);
}

static enum oriel_status bind_keys(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_parts(binding, "K", error);
}

static enum oriel_status bind_values(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_parts(binding, "V", error);
}

static enum oriel_status bind_entries(struct oriel_binding *binding, struct oriel_error *error) {
    const struct oriel_type *map = &binding->argument_types[0];
    struct oriel_field *fields = oriel_bind_fields(binding, 3, error);
    if (!fields)
        return ORIEL_MEMORY;
    if (map->id != ORIEL_TYPE_MAP)
        return oriel_bind_refuse(binding, "'MAP_ENTRIES(<MAP>)'", error);
    fields[0] = (struct oriel_field){"key", map->fields[0].type};
    fields[1] = (struct oriel_field){"value", map->fields[1].type};
    fields[2].type = oriel_type_make(ORIEL_TYPE_ROW);
    fields[2].type.fields = fields;
    fields[2].type.field_count = 2;
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_ARRAY);
    type.fields = &fields[2];
    type.field_count = 1;
    return oriel_bind_result(binding, type, entries);
}

static enum oriel_status bind_from_arrays(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    const struct oriel_type *types = binding->argument_types;
    struct oriel_field *fields = oriel_bind_fields(binding, 2, error);
    if (!fields)
        return ORIEL_MEMORY;
    if (types[0].id != ORIEL_TYPE_ARRAY || types[1].id != ORIEL_TYPE_ARRAY)
        return oriel_bind_refuse(binding, "'MAP_FROM_ARRAYS(<ARRAY>, <ARRAY>)'", error);
    fields[0].type = types[0].fields[0].type;
    fields[1].type = types[1].fields[0].type;
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_MAP);
    type.fields = fields;
    type.field_count = 2;
    return oriel_bind_result(binding, type, from_arrays);
}

static enum oriel_status bind_union(struct oriel_binding *binding, struct oriel_error *error) {
    struct oriel_type type = binding->argument_types[0];
    for (uint32_t i = 0; i < binding->argument_count; i++) {
        if (binding->argument_types[i].id != ORIEL_TYPE_MAP ||
            (i && !oriel_type_unify_nested(binding->statement_arena, &type,
                                           &binding->argument_types[i], &type)))
            return oriel_bind_refuse(binding, "maps of one type", error);
    }
    for (uint32_t i = 0; i < binding->argument_count; i++)
        binding->casts[i] = oriel_type_with_null(type, binding->argument_types[i].nullable);
    return oriel_bind_result(binding, type, merge);
}

static const struct oriel_function rows[] = {
    {"MAP_ENTRIES", 1, 1, ORIEL_FUNCTION_STRICT, bind_entries, NULL},
    {"MAP_FROM_ARRAYS", 2, 2, ORIEL_FUNCTION_STRICT, bind_from_arrays, NULL},
    {"MAP_KEYS", 1, 1, ORIEL_FUNCTION_STRICT, bind_keys, NULL},
    {"MAP_UNION", 1, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_STRICT, bind_union, NULL},
    {"MAP_VALUES", 1, 1, ORIEL_FUNCTION_STRICT, bind_values, NULL},
};

const struct oriel_function_group oriel_functions_map = {rows, sizeof rows / sizeof rows[0]};
