/*
 * Inside engine/functions: arrays that a function puts together element by element.
 */
#pragma once

#include "engine/columns/value.h"
#include "engine/columns/value_text.h"
#include "engine/functions/text_result.h"

/* Elements so far; `slots` and `valid` have room for as many as were asked for. */
struct oriel_array_list {
    struct oriel_nested *nested;
    oriel_u128 *slots;
    uint64_t *valid;
    uint32_t count;
};

/* Room for `capacity` elements in the batch arena. */
enum oriel_status oriel_array_list_open(const struct oriel_call *call,
                                        struct oriel_evaluation *evaluation, size_t capacity,
                                        struct oriel_array_list *list);

/* Appends a slot, or NULL where `valid` is false. */
static inline void oriel_array_list_push(struct oriel_array_list *list, oriel_u128 slot,
                                         bool valid) {
    if (valid) {
        list->slots[list->count] = slot;
        oriel_bits_set(list->valid, list->count);
    }
    list->count++;
}

static inline void oriel_array_list_push_from(struct oriel_array_list *list,
                                              const struct oriel_nested *from, size_t index) {
    oriel_array_list_push(list, from->slots[index], oriel_bits_get(from->valid, index));
}

/* Makes the list the value of the row: `count` elements, 2 * `count` slots for a MAP. */
static inline void oriel_array_list_finish(struct oriel_array_list *list, uint32_t count,
                                           struct oriel_column *out, size_t row) {
    *list->nested =
        (struct oriel_nested){.count = count, .valid = list->valid, .slots = list->slots};
    ((const struct oriel_nested **)out->values)[row] = list->nested;
}

static inline const struct oriel_nested *oriel_nested_at(const struct oriel_column *column,
                                                         size_t row) {
    return ((const struct oriel_nested *const *)column->values)[row];
}

/* The value of a row as a slot; zero for NULL. */
oriel_u128 oriel_slot_of(const struct oriel_column *column, size_t row);

/* The first of the slots from, from + step ... below `slot_count` that equals `slot`, or is NULL
 * if `valid` is false; SIZE_MAX if there is none. */
size_t oriel_slots_find(const struct oriel_type *type, const oriel_u128 *slots,
                        const uint64_t *valid, size_t from, size_t step, size_t slot_count,
                        oriel_u128 slot, bool slot_valid);

/* Puts an entry into a list of keys and values in turn; a key that is there gets the new value. */
void oriel_map_list_put(struct oriel_array_list *list, const struct oriel_type *key_type,
                        oriel_u128 key, bool key_valid, oriel_u128 value, bool value_valid);

/* Zeroed fields of a nested result; NULL after setting `error`. */
struct oriel_field *oriel_bind_fields(struct oriel_binding *binding, uint32_t count,
                                      struct oriel_error *error);

/* Checks that argument `value` fits the elements of the ARRAY in argument 0, and casts it. */
enum oriel_status oriel_bind_element(struct oriel_binding *binding, uint32_t value,
                                     const char *forms, struct oriel_error *error);
