/*
 * Casts of ARRAY, MAP and ROW: the parts of all rows are laid out as one column, cast as such, and
 * put together again.
 */
#include "engine/columns/value.h"
#include "engine/functions/cast.h"
#include "engine/functions/rows.h"

enum { HEADER_BYTES = 32 }; /* of a value, so that its slots are aligned to 16 */

_Static_assert(sizeof(struct oriel_nested) <= HEADER_BYTES, "the header fits");

/* Starts with what every cast has as its state. */
struct nested_cast {
    struct oriel_cast cast;
    uint32_t part_count; /* 1 for ARRAY, 2 for MAP, fields for ROW */
    struct oriel_call *parts;
};

/* Part `part` of the values of all rows that count. */
struct parts {
    size_t count;
    struct oriel_column from, to;
};

static const struct oriel_nested *nested_at(const struct oriel_column *column, size_t row) {
    return ((const struct oriel_nested *const *)column->values)[row];
}

/* Slots part, part + step ... belong to a part; a ROW has one of each. */
static size_t slot_step(const struct oriel_type *type, const struct oriel_nested *nested) {
    return type->id == ORIEL_TYPE_ROW ? nested->count : type->field_count;
}

static bool take_column(struct oriel_arena *arena, const struct oriel_type *type, size_t count,
                        struct oriel_column *out) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(type));
    const size_t rounded = (count + 63) / 64 * 64 + 64;
    *out = (struct oriel_column){
        .type = *type,
        .values = oriel_arena_allocate_zeroed(arena, rounded, value_bytes),
        .valid = oriel_arena_allocate_zeroed(arena, rounded / 64, sizeof(uint64_t))};
    return out->values && out->valid;
}

static enum oriel_status gather(const struct oriel_call *part, struct oriel_evaluation *evaluation,
                                const struct oriel_column *nested, uint32_t place,
                                const struct oriel_column *rows, size_t row_count,
                                struct parts *out) {
    const struct oriel_type *from = &part->argument_types[0];
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(from));
    out->count = 0;
    for (size_t row = 0; row < row_count; row++) {
        if (oriel_row_counts(evaluation, rows, row))
            out->count += oriel_nested_slot_count(&nested->type, nested_at(nested, row));
    }
    if (!take_column(evaluation->batch_arena, from, out->count, &out->from) ||
        !take_column(evaluation->batch_arena, &part->result, out->count, &out->to))
        return oriel_error_memory(evaluation->error);
    out->count = 0;
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, rows, row))
            continue;
        const struct oriel_nested *value = nested_at(nested, row);
        const size_t end = oriel_nested_slot_count(&nested->type, value);
        const size_t step = slot_step(&nested->type, value);
        for (size_t slot = place; slot < end; slot += step, out->count++) {
            if (!oriel_bits_get(value->valid, slot))
                continue;
            oriel_bits_set(out->from.valid, out->count);
            oriel_bits_set(out->to.valid, out->count);
            memcpy((char *)out->from.values + out->count * value_bytes, &value->slots[slot],
                   value_bytes);
        }
    }
    return ORIEL_OK;
}

static void scatter(const struct oriel_type *type, struct oriel_evaluation *evaluation,
                    uint32_t place, size_t row_count, const struct parts *parts,
                    struct oriel_column *out) {
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&parts->to.type));
    const char *values = parts->to.values;
    size_t index = 0;
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        struct oriel_nested *value = ((struct oriel_nested **)out->values)[row];
        const size_t end = oriel_nested_slot_count(type, value);
        const size_t step = slot_step(type, value);
        uint64_t *valid = (uint64_t *)(void *)((char *)value + HEADER_BYTES);
        oriel_u128 *slots = (oriel_u128 *)(void *)(valid + 2 * ((end + 127) / 128));
        for (size_t slot = place; slot < end; slot += step, index++) {
            if (!oriel_bits_get(parts->to.valid, index))
                continue;
            oriel_bits_set(valid, slot);
            memcpy(&slots[slot], values + index * value_bytes, value_bytes);
        }
    }
}

/* A value with room for its words and slots right behind it. */
static struct oriel_nested *make_value(struct oriel_arena *arena, uint32_t count,
                                       size_t slot_count) {
    const size_t word_count = 2 * ((slot_count + 127) / 128);
    char *block = oriel_arena_allocate_zeroed(
        arena, 1, HEADER_BYTES + word_count * sizeof(uint64_t) + slot_count * sizeof(oriel_u128));
    if (!block)
        return NULL;
    struct oriel_nested *value = (struct oriel_nested *)(void *)block;
    uint64_t *valid = (uint64_t *)(void *)(block + HEADER_BYTES);
    *value = (struct oriel_nested){
        .count = count, .valid = valid, .slots = (oriel_u128 *)(void *)(valid + word_count)};
    return value;
}

static enum oriel_status evaluate(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const struct nested_cast *state = call->state;
    const struct oriel_type *type = &arguments[0].type;
    struct oriel_nested **to = out->values;
    memset(to, 0, row_count * sizeof *to);
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const struct oriel_nested *from = nested_at(&arguments[0], row);
        to[row] =
            make_value(evaluation->batch_arena, from->count, oriel_nested_slot_count(type, from));
        if (!to[row])
            return oriel_error_memory(evaluation->error);
    }
    for (uint32_t i = 0; i < state->part_count; i++) {
        const struct oriel_call *part = &state->parts[i];
        const uint64_t *active = evaluation->active;
        struct parts parts;
        ORIEL_TRY(gather(part, evaluation, &arguments[0], i, out, row_count, &parts));
        evaluation->active = NULL;
        const enum oriel_status status =
            part->evaluate(part, evaluation, &parts.from, parts.count, &parts.to);
        evaluation->active = active;
        ORIEL_TRY(status);
        scatter(type, evaluation, i, row_count, &parts, out);
    }
    return ORIEL_OK;
}

/* The cast of one part, bound as a call of its own. */
static enum oriel_status bind_part(struct oriel_binding *binding, const struct oriel_type *from,
                                   const struct oriel_type *to, struct oriel_call *out,
                                   struct oriel_error *error) {
    const struct oriel_function *function = oriel_function_find(binding->name);
    struct oriel_type *types =
        oriel_arena_allocate_zeroed(binding->statement_arena, 2, sizeof *types);
    if (!types)
        return oriel_error_memory(error);
    types[0] = *from;
    struct oriel_binding part = *binding;
    part.argument_types = types;
    part.casts = types;
    part.constants = NULL;
    part.target = to;
    ORIEL_TRY(function->bind(&part, error));
    *out = (struct oriel_call){.function = function,
                               .position = binding->position,
                               .result = *to,
                               .argument_count = 1,
                               .argument_types = types,
                               .evaluate = part.evaluate,
                               .state = part.state};
    return ORIEL_OK;
}

enum oriel_status oriel_cast_nested_bind(struct oriel_binding *binding,
                                         const struct oriel_cast *cast, oriel_evaluate **out,
                                         struct oriel_error *error) {
    const struct oriel_type *from = &cast->from, *to = &cast->to;
    const bool nested =
        from->id == ORIEL_TYPE_ARRAY || from->id == ORIEL_TYPE_MAP || from->id == ORIEL_TYPE_ROW;
    *out = NULL;
    if (!nested || from->id != to->id || from->field_count != to->field_count)
        return ORIEL_OK;
    struct nested_cast *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    *state = (struct nested_cast){.cast = *cast, .part_count = from->field_count};
    state->parts = oriel_arena_allocate_zeroed(binding->statement_arena, from->field_count + 1,
                                               sizeof *state->parts);
    if (!state->parts)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < from->field_count; i++)
        ORIEL_TRY(bind_part(binding, &from->fields[i].type, &to->fields[i].type, &state->parts[i],
                            error));
    binding->state = state;
    *out = evaluate;
    return ORIEL_OK;
}
