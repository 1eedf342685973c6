/*
 * What functions of arrays and maps share.
 */
#include "engine/functions/array_list.h"

enum oriel_status oriel_array_list_open(const struct oriel_call *call,
                                        struct oriel_evaluation *evaluation, size_t capacity,
                                        struct oriel_array_list *list) {
    struct oriel_arena *arena = evaluation->batch_arena;
    if (capacity > INT32_MAX)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "%s: the result has too many elements", call->function->name);
    *list = (struct oriel_array_list){
        .nested = oriel_arena_allocate(arena, sizeof(struct oriel_nested)),
        .slots = oriel_arena_allocate_zeroed(arena, capacity + 1, sizeof(oriel_u128)),
        .valid = oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(capacity) + 1,
                                             sizeof(uint64_t)),
    };
    if (!list->nested || !list->slots || !list->valid)
        return oriel_error_memory(evaluation->error);
    return ORIEL_OK;
}

oriel_u128 oriel_slot_of(const struct oriel_column *column, size_t row) {
    const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
    oriel_u128 slot = 0;
    if (!oriel_column_is_null(column, row))
        memcpy(&slot, (const char *)column->values + row * size, size);
    return slot;
}

size_t oriel_slots_find(const struct oriel_type *type, const oriel_u128 *slots,
                        const uint64_t *valid, size_t from, size_t step, size_t slot_count,
                        oriel_u128 slot, bool slot_valid) {
    for (size_t i = from; i < slot_count; i += step) {
        const bool is_valid = oriel_bits_get(valid, i);
        if (is_valid == slot_valid &&
            (!is_valid || oriel_value_compare(type, &slot, &slots[i]) == 0))
            return i;
    }
    return SIZE_MAX;
}

void oriel_map_list_put(struct oriel_array_list *list, const struct oriel_type *key_type,
                        oriel_u128 key, bool key_valid, oriel_u128 value, bool value_valid) {
    const size_t found =
        oriel_slots_find(key_type, list->slots, list->valid, 0, 2, list->count, key, key_valid);
    if (found == SIZE_MAX) {
        oriel_array_list_push(list, key, key_valid);
        oriel_array_list_push(list, value, value_valid);
        return;
    }
    list->slots[found + 1] = value;
    if (value_valid)
        oriel_bits_set(list->valid, found + 1);
    else
        oriel_bits_clear(list->valid, found + 1);
}

struct oriel_field *oriel_bind_fields(struct oriel_binding *binding, uint32_t count,
                                      struct oriel_error *error) {
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(binding->statement_arena, (size_t)count + 1, sizeof *fields);
    if (!fields)
        oriel_error_memory(error);
    return fields;
}

enum oriel_status oriel_bind_element(struct oriel_binding *binding, uint32_t value,
                                     const char *forms, struct oriel_error *error) {
    const struct oriel_type *array = &binding->argument_types[0];
    const struct oriel_type *type = &binding->argument_types[value];
    if (array->id != ORIEL_TYPE_ARRAY || !oriel_type_casts_implicitly(type, &array->fields[0].type))
        return oriel_bind_refuse(binding, forms, error);
    /* any length of text is compared as it is */
    if (!oriel_type_is_character(type))
        binding->casts[value] = oriel_type_with_null(array->fields[0].type, type->nullable);
    return ORIEL_OK;
}
