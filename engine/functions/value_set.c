/*
 * Sets of values: open-addressing tables in the arena, doubled when three quarters are full. Values
 * of every type are widened to 16 bytes; long strings and nested values are copied.
 */
#include "engine/functions/value_set.h"

#include <math.h>
#include <stdlib.h>

#include "engine/columns/value.h"
#include "engine/functions/value_save.h"

enum { FIRST_CAPACITY = 4 };

struct oriel_set_entry {
    oriel_u128 value; /* the value's bytes, zero extended */
    uint64_t place;   /* where it first came, plus 1; 0: the entry is free */
    uint32_t hash;
    uint32_t count; /* how often it came, modulo 2^32 */
};

bool oriel_value_set_takes(const struct oriel_type *type) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!oriel_value_set_takes(&type->fields[i].type))
            return false;
    }
    return type->id != ORIEL_TYPE_MAP;
}

/* The value widened; equal floating-point numbers become equal bytes. */
static oriel_u128 widen(enum oriel_physical physical, const void *from) {
    oriel_u128 value = 0;
    memcpy(&value, from, oriel_physical_size(physical));
    if (physical == ORIEL_PHYSICAL_F64) {
        double number;
        memcpy(&number, &value, sizeof number);
        number = isnan(number) ? (double)NAN : number + 0.0;
        memcpy(&value, &number, sizeof number);
    } else if (physical == ORIEL_PHYSICAL_F32) {
        float number;
        memcpy(&number, &value, sizeof number);
        number = isnan(number) ? (float)NAN : number + 0.0F;
        memcpy(&value, &number, sizeof number);
    }
    return value;
}

static uint64_t mix(uint64_t a, uint64_t b) {
    const oriel_u128 product =
        (oriel_u128)(a ^ UINT64_C(0x9E3779B97F4A7C15)) * (b ^ UINT64_C(0xD6E8FEB86659FD93));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_string(const struct oriel_string *text) {
    const char *bytes = oriel_string_bytes(text);
    uint64_t hash = text->length;
    for (size_t at = 0; at < text->length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, text->length - at < 8 ? text->length - at : 8);
        hash = mix(hash, word);
    }
    return hash;
}

static uint64_t hash_value(const struct oriel_type *type, const oriel_u128 *value) {
    const enum oriel_physical physical = oriel_type_physical(type);
    if (physical == ORIEL_PHYSICAL_STRING)
        return hash_string((const void *)value);
    if (physical != ORIEL_PHYSICAL_NESTED)
        return mix((uint64_t)*value, (uint64_t)(*value >> 64));
    const struct oriel_nested *nested = *(const struct oriel_nested *const *)value;
    uint64_t hash = nested->count;
    for (uint32_t i = 0; i < oriel_nested_slot_count(type, nested); i++) {
        const struct oriel_type *slot = oriel_nested_slot_type(type, i);
        oriel_u128 wide = 0;
        if (oriel_bits_get(nested->valid, i))
            wide = widen(oriel_type_physical(slot), &nested->slots[i]);
        hash = mix(hash, oriel_bits_get(nested->valid, i) ? hash_value(slot, &wide) : 1);
    }
    return hash;
}

static bool same_value(const struct oriel_type *type, const oriel_u128 *a, const oriel_u128 *b) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_STRING: return oriel_string_equal((const void *)a, (const void *)b);
    case ORIEL_PHYSICAL_NESTED: return oriel_value_compare(type, a, b) == 0;
    default: return *a == *b;
    }
}

static struct oriel_set_entry *find(const struct oriel_value_set *set,
                                    const struct oriel_type *type, const oriel_u128 *value,
                                    uint32_t hash) {
    for (uint32_t at = hash;; at++) {
        struct oriel_set_entry *entry = &set->entries[at & (set->capacity - 1)];
        if (!entry->place || (entry->hash == hash && same_value(type, &entry->value, value)))
            return entry;
    }
}

static bool grow(struct oriel_value_set *set, struct oriel_arena *arena) {
    const uint32_t capacity = set->capacity ? set->capacity * 2 : FIRST_CAPACITY;
    struct oriel_set_entry *entries =
        capacity ? oriel_arena_allocate_zeroed(arena, capacity, sizeof *entries) : NULL;
    if (!entries)
        return false;
    for (uint32_t i = 0; i < set->capacity; i++) {
        if (!set->entries[i].place)
            continue;
        uint32_t at = set->entries[i].hash;
        while (entries[at & (capacity - 1)].place)
            at++;
        entries[at & (capacity - 1)] = set->entries[i];
    }
    set->entries = entries;
    set->capacity = capacity;
    return true;
}

/* Adds `from`; `copies` says whether what it points to must be copied. */
static bool insert(struct oriel_value_set *set, const struct oriel_type *type,
                   const struct oriel_set_entry *from, bool copies, struct oriel_arena *arena) {
    if (set->count >= set->capacity / 4 * 3 && !grow(set, arena))
        return false;
    struct oriel_set_entry *entry = find(set, type, &from->value, from->hash);
    struct oriel_set_entry kept = *from;
    if (entry->place && entry->place <= from->place) {
        entry->count += from->count;
        return true;
    }
    /* Equal nested values may differ in the sign of a zero: the first stays. */
    if (copies && !oriel_value_copy(arena, type, &from->value, &kept.value))
        return false;
    kept.count += entry->count;
    set->count += entry->place == 0;
    *entry = kept;
    return true;
}

static void add_null(struct oriel_value_set *set, uint64_t place) {
    if (place && (!set->null_place || place < set->null_place))
        set->null_place = place;
}

bool oriel_value_set_add(struct oriel_value_set *set, const struct oriel_column *column, size_t row,
                         uint64_t place, struct oriel_arena *arena) {
    if (oriel_column_is_null(column, row)) {
        add_null(set, place + 1);
        return true;
    }
    const enum oriel_physical physical = oriel_type_physical(&column->type);
    const void *from = (const char *)column->values + row * oriel_physical_size(physical);
    struct oriel_set_entry entry = {.value = widen(physical, from), .place = place + 1, .count = 1};
    entry.hash = (uint32_t)hash_value(&column->type, &entry.value);
    return insert(set, &column->type, &entry, true, arena);
}

bool oriel_value_set_merge(struct oriel_value_set *into, const struct oriel_value_set *from,
                           const struct oriel_type *type, struct oriel_arena *arena) {
    add_null(into, from->null_place);
    if (!into->capacity && from->capacity) {
        const size_t size = from->capacity * sizeof *from->entries;
        into->entries = oriel_arena_allocate(arena, size);
        if (!into->entries)
            return false;
        memcpy(into->entries, from->entries, size);
        into->capacity = from->capacity;
        into->count = from->count;
        return true;
    }
    for (uint32_t i = 0; i < from->capacity; i++) {
        if (from->entries[i].place && !insert(into, type, &from->entries[i], false, arena))
            return false;
    }
    return true;
}

struct listed {
    struct oriel_set_entry entry;
    const struct oriel_type *type; /* NULL: the entry of the NULL */
};

static int by_place(const void *a, const void *b) {
    const struct listed *x = a, *y = b;
    return (x->entry.place > y->entry.place) - (x->entry.place < y->entry.place);
}

static int by_value(const void *a, const void *b) {
    const struct listed *x = a, *y = b;
    if (!x->type || !y->type)
        return (x->type != NULL) - (y->type != NULL);
    return oriel_value_compare(x->type, &x->entry.value, &y->entry.value);
}

bool oriel_value_set_list(const struct oriel_value_set *set, const struct oriel_type *type,
                          enum oriel_value_set_order order, struct oriel_arena *arena,
                          struct oriel_column *column, int32_t **counts) {
    const size_t total = oriel_value_set_size(set);
    const size_t size = oriel_physical_size(oriel_type_physical(type));
    struct listed *sorted = oriel_arena_allocate_zeroed(arena, total + 1, sizeof *sorted);
    char *values = oriel_arena_allocate_zeroed(arena, total + 1, size);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(total) + 1, sizeof *valid);
    int32_t *numbers = oriel_arena_allocate_zeroed(arena, total + 1, sizeof *numbers);
    if (!sorted || !values || !valid || !numbers)
        return false;
    size_t count = 0;
    if (set->null_place)
        sorted[count++] = (struct listed){.entry = {.place = set->null_place}};
    for (uint32_t i = 0; i < set->capacity; i++) {
        if (set->entries[i].place)
            sorted[count++] = (struct listed){set->entries[i], type};
    }
    qsort(sorted, count, sizeof *sorted, order == ORIEL_SET_BY_PLACE ? by_place : by_value);
    for (size_t i = 0; i < count; i++) {
        memcpy(values + i * size, &sorted[i].entry.value, size);
        numbers[i] = (int32_t)(sorted[i].entry.count & INT32_MAX);
        if (sorted[i].type)
            oriel_bits_set(valid, i);
    }
    *column = (struct oriel_column){
        .type = *type, .values = values, .valid = set->null_place ? valid : NULL};
    if (counts)
        *counts = numbers;
    return true;
}

/* The head, and then for each entry place, count and value. */
enum { ENTRY_HEAD_BYTES = sizeof(uint64_t) + sizeof(uint32_t) };

size_t oriel_value_set_saved_bytes(const struct oriel_value_set *set,
                                   const struct oriel_type *type) {
    size_t size = sizeof set->count + sizeof set->null_place;
    for (uint32_t i = 0; i < set->capacity; i++) {
        if (set->entries[i].place)
            size += ENTRY_HEAD_BYTES + oriel_value_saved_bytes(type, &set->entries[i].value);
    }
    return size;
}

void oriel_value_set_save(const struct oriel_value_set *set, const struct oriel_type *type,
                          char *out) {
    memcpy(out, &set->null_place, sizeof set->null_place);
    out += sizeof set->null_place;
    memcpy(out, &set->count, sizeof set->count);
    out += sizeof set->count;
    for (uint32_t i = 0; i < set->capacity; i++) {
        const struct oriel_set_entry *entry = &set->entries[i];
        if (!entry->place)
            continue;
        memcpy(out, &entry->place, sizeof entry->place);
        memcpy(out + sizeof entry->place, &entry->count, sizeof entry->count);
        out = oriel_value_save(type, &entry->value, out + ENTRY_HEAD_BYTES);
    }
}

bool oriel_value_set_load(struct oriel_value_set *set, const struct oriel_type *type,
                          const char *bytes, struct oriel_arena *arena) {
    uint64_t null_place;
    uint32_t count;
    memcpy(&null_place, bytes, sizeof null_place);
    bytes += sizeof null_place;
    memcpy(&count, bytes, sizeof count);
    bytes += sizeof count;
    add_null(set, null_place);
    for (uint32_t i = 0; i < count; i++) {
        struct oriel_set_entry entry = {0};
        memcpy(&entry.place, bytes, sizeof entry.place);
        memcpy(&entry.count, bytes + sizeof entry.place, sizeof entry.count);
        bytes = oriel_value_load(type, bytes + ENTRY_HEAD_BYTES, arena, &entry.value);
        if (!bytes)
            return false;
        entry.hash = (uint32_t)hash_value(type, &entry.value);
        if (!insert(set, type, &entry, false, arena))
            return false;
    }
    return true;
}
