/*
 * DISTINCT for any aggregate of one argument: the state is the set of values seen, merging is their
 * union, and finish gives the set, in the order in which the values first came, to the aggregate.
 *
 * A set is an open-addressing table of entries in the arena, doubled when three quarters are full.
 * Values of every type are widened to 16 bytes; long strings are copied.
 */
#include "engine/functions/aggregate_table.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 4 };

struct entry {
    oriel_u128 value;   /* the value's bytes, zero extended, or a struct oriel_string */
    uint64_t first_row; /* where it first came, plus 1; 0: the place is free */
    uint64_t hash;
};

struct set_state {
    struct entry *entries;
    uint32_t count;
    uint32_t capacity; /* a power of two */
};

/* What bind keeps: the aggregate that works on the set. */
struct inner {
    struct oriel_aggregate_call call;
    struct oriel_type argument_type;
};

static oriel_u128 value_at(const struct oriel_column *column, enum oriel_physical physical,
                           size_t row) {
    oriel_u128 value = 0;
    const size_t size = oriel_physical_size(physical);
    memcpy(&value, (const char *)column->values + row * size, size);
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

static uint64_t hash_value(const oriel_u128 *value, bool string) {
    struct oriel_string text;
    memcpy(&text, value, sizeof text);
    if (!string || text.length <= ORIEL_STRING_INLINE_BYTES)
        return mix((uint64_t)*value, (uint64_t)(*value >> 64));
    uint64_t hash = text.length;
    for (size_t at = 0; at < text.length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, text.bytes + at, text.length - at < 8 ? text.length - at : 8);
        hash = mix(hash, word);
    }
    return hash;
}

static bool same_value(const oriel_u128 *a, const oriel_u128 *b, bool string) {
    return string ? oriel_string_equal((const void *)a, (const void *)b) : *a == *b;
}

static struct entry *find(const struct set_state *set, const oriel_u128 *value, uint64_t hash,
                          bool string) {
    for (uint64_t at = hash;; at++) {
        struct entry *entry = &set->entries[at & (set->capacity - 1)];
        if (!entry->first_row || (entry->hash == hash && same_value(&entry->value, value, string)))
            return entry;
    }
}

static bool grow(struct set_state *set, struct oriel_arena *arena) {
    const struct set_state old = *set;
    struct set_state grown = {.count = old.count,
                              .capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY};
    grown.entries = oriel_arena_allocate_zeroed(arena, grown.capacity, sizeof *grown.entries);
    if (!grown.entries)
        return false;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (!old.entries[i].first_row)
            continue;
        uint64_t at = old.entries[i].hash;
        while (grown.entries[at & (grown.capacity - 1)].first_row)
            at++;
        grown.entries[at & (grown.capacity - 1)] = old.entries[i];
    }
    *set = grown;
    return true;
}

/* Adds a value that came at `first_row` (counted from 1). */
static bool insert(struct set_state *set, oriel_u128 value, uint64_t hash, uint64_t first_row,
                   bool string, struct oriel_arena *arena) {
    if (set->count >= set->capacity / 4 * 3 && !grow(set, arena))
        return false;
    struct entry *entry = find(set, &value, hash, string);
    if (entry->first_row) {
        if (first_row < entry->first_row)
            entry->first_row = first_row;
        return true;
    }
    struct oriel_string text;
    memcpy(&text, &value, sizeof text);
    if (string && text.length > ORIEL_STRING_INLINE_BYTES) {
        const char *copy = oriel_arena_copy(arena, text.bytes, text.length);
        if (!copy)
            return false;
        text.bytes = copy;
        memcpy(&value, &text, sizeof value);
    }
    *entry = (struct entry){.value = value, .first_row = first_row, .hash = hash};
    set->count++;
    return true;
}

static bool is_string(const struct inner *inner) {
    return oriel_type_physical(&inner->argument_type) == ORIEL_PHYSICAL_STRING;
}

static enum oriel_status set_update(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, char *states,
                                    size_t stride_bytes, const uint32_t *groups,
                                    const struct oriel_column *arguments, const uint64_t *rows,
                                    size_t row_count, uint64_t first_row) {
    const struct inner *inner = call->state;
    const bool string = is_string(inner);
    const enum oriel_physical physical = oriel_type_physical(&inner->argument_type);
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        const oriel_u128 value = value_at(arguments, physical, row);
        if (!insert((void *)(states + groups[row] * stride_bytes), value,
                    hash_value(&value, string), first_row + row + 1, string, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static enum oriel_status set_merge(const struct oriel_aggregate_call *call,
                                   struct oriel_aggregation *aggregation, void *into,
                                   const void *from) {
    const struct set_state *set = from;
    const bool string = is_string(call->state);
    for (uint32_t i = 0; i < set->capacity; i++) {
        const struct entry *entry = &set->entries[i];
        if (entry->first_row &&
            !insert(into, entry->value, entry->hash, entry->first_row, string, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static int by_first_row(const void *a, const void *b) {
    const uint64_t x = ((const struct entry *)a)->first_row;
    const uint64_t y = ((const struct entry *)b)->first_row;
    return (x > y) - (x < y);
}

/* The values of a set as a column, in the order in which they came. */
static enum oriel_status list_values(const struct set_state *set, const struct inner *inner,
                                     struct oriel_aggregation *aggregation,
                                     struct oriel_column *column) {
    const size_t size = oriel_physical_size(oriel_type_physical(&inner->argument_type));
    struct entry *sorted =
        oriel_arena_allocate_zeroed(aggregation->arena, set->count + 1u, sizeof *sorted);
    char *values = oriel_arena_allocate_zeroed(aggregation->arena, set->count + 1u, size);
    if (!sorted || !values)
        return oriel_error_memory(aggregation->error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->capacity; i++) {
        if (set->entries[i].first_row)
            sorted[count++] = set->entries[i];
    }
    qsort(sorted, count, sizeof *sorted, by_first_row);
    for (uint32_t i = 0; i < count; i++)
        memcpy(values + i * size, &sorted[i].value, size);
    *column = (struct oriel_column){.type = inner->argument_type, .values = values};
    return ORIEL_OK;
}

static enum oriel_status finish_one(const struct inner *inner,
                                    struct oriel_aggregation *aggregation,
                                    const struct set_state *set, size_t row,
                                    struct oriel_column *out) {
    const struct oriel_aggregate_operations *operations = inner->call.operations;
    struct oriel_column values;
    ORIEL_TRY(list_values(set, inner, aggregation, &values));
    char *state = oriel_arena_allocate_zeroed(aggregation->arena, 1, inner->call.state_bytes);
    uint32_t *groups =
        oriel_arena_allocate_zeroed(aggregation->arena, set->count + 1u, sizeof *groups);
    uint64_t word = ~UINT64_C(0);
    if (!state || !groups)
        return oriel_error_memory(aggregation->error);
    ORIEL_TRY(operations->update(&inner->call, aggregation, state, inner->call.state_bytes, groups,
                                 &values, NULL, set->count, 0));
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    struct oriel_column one = {
        .type = out->type, .values = (char *)out->values + row * size, .valid = &word};
    ORIEL_TRY(
        operations->finish(&inner->call, aggregation, state, inner->call.state_bytes, 1, &one));
    if (!(word & 1))
        oriel_column_set_null(out, row);
    return ORIEL_OK;
}

static enum oriel_status set_finish(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, const char *states,
                                    size_t stride_bytes, size_t count, struct oriel_column *out) {
    for (size_t i = 0; i < count; i++)
        ORIEL_TRY(finish_one(call->state, aggregation, (const void *)(states + i * stride_bytes), i,
                             out));
    return ORIEL_OK;
}

static size_t set_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    const struct set_state *set = state;
    size_t size = sizeof(uint32_t) + set->count * sizeof(struct entry);
    for (uint32_t i = 0; is_string(call->state) && i < set->capacity; i++) {
        const struct oriel_string *text = (const void *)&set->entries[i].value;
        if (set->entries[i].first_row && text->length > ORIEL_STRING_INLINE_BYTES)
            size += text->length;
    }
    return size;
}

static void set_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    const struct set_state *set = state;
    memcpy(out, &set->count, sizeof set->count);
    out += sizeof set->count;
    for (uint32_t i = 0; i < set->capacity; i++) {
        const struct entry *entry = &set->entries[i];
        if (!entry->first_row)
            continue;
        memcpy(out, entry, sizeof *entry);
        out += sizeof *entry;
        const struct oriel_string *text = (const void *)&entry->value;
        if (is_string(call->state) && text->length > ORIEL_STRING_INLINE_BYTES) {
            memcpy(out, text->bytes, text->length);
            out += text->length;
        }
    }
}

static enum oriel_status set_load(const struct oriel_aggregate_call *call,
                                  struct oriel_aggregation *aggregation, void *state,
                                  const char *bytes, size_t size_bytes) {
    (void)size_bytes;
    uint32_t count;
    memcpy(&count, bytes, sizeof count);
    bytes += sizeof count;
    for (uint32_t i = 0; i < count; i++) {
        struct entry entry;
        memcpy(&entry, bytes, sizeof entry);
        bytes += sizeof entry;
        struct oriel_string text;
        memcpy(&text, &entry.value, sizeof text);
        if (is_string(call->state) && text.length > ORIEL_STRING_INLINE_BYTES) {
            text.bytes = bytes;
            memcpy(&entry.value, &text, sizeof text);
            bytes += text.length;
        }
        if (!insert(state, entry.value, entry.hash, entry.first_row, is_string(call->state),
                    aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static const struct oriel_aggregate_operations set_operations = {
    .update = set_update,
    .merge = set_merge,
    .finish = set_finish,
    .saved_bytes = set_saved_bytes,
    .save = set_save,
    .load = set_load,
};

enum oriel_status oriel_aggregate_make_distinct(struct oriel_aggregate_binding *binding,
                                                struct oriel_error *error) {
    if (binding->argument_count == 0)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "DISTINCT needs an argument: %s(DISTINCT x)", binding->name);
    if (oriel_type_physical(&binding->argument_types[0]) == ORIEL_PHYSICAL_NESTED)
        return oriel_aggregate_type_error(binding, "a value without parts for DISTINCT", error);
    struct inner *inner = oriel_arena_allocate_zeroed(binding->statement_arena, 1, sizeof *inner);
    struct oriel_type *types = oriel_arena_allocate_zeroed(binding->statement_arena,
                                                           binding->argument_count, sizeof *types);
    if (!inner || !types)
        return oriel_error_memory(error);
    memcpy(types, binding->argument_types, binding->argument_count * sizeof *types);
    inner->argument_type = binding->argument_types[0];
    inner->call = (struct oriel_aggregate_call){
        .position = binding->position,
        .result = binding->result,
        .argument_count = binding->argument_count,
        .argument_types = types,
        .filter = -1,
        .state = binding->state,
        .state_bytes = binding->state_bytes,
        .operations = binding->operations,
    };
    binding->state = inner;
    binding->state_bytes = sizeof(struct set_state);
    binding->operations = &set_operations;
    return ORIEL_OK;
}
