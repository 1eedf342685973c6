/*
 * MIN and MAX for every type with an order: the choice by type, and strings, whose state owns a
 * copy of its string.
 */
#include "engine/functions/aggregate_extreme.h"
#include "engine/functions/aggregate_table.h"

struct string_state {
    struct oriel_string value;
    uint32_t capacity; /* of the bytes that value.bytes points to */
    uint32_t seen;
};

/* Copies a string into the state, reusing its bytes when they suffice. */
static bool string_keep(struct string_state *state, const struct oriel_string *value,
                        struct oriel_arena *arena) {
    if (value->length <= ORIEL_STRING_INLINE_BYTES) {
        state->value = *value;
        state->capacity = 0;
    } else {
        char *bytes = NULL;
        if (state->capacity >= value->length)
            memcpy(&bytes, &state->value.bytes, sizeof bytes);
        else
            bytes = oriel_arena_allocate(arena, value->length);
        if (!bytes)
            return false;
        if (state->capacity < value->length)
            state->capacity = value->length;
        memmove(bytes, value->bytes, value->length);
        state->value = oriel_string_make(bytes, value->length);
    }
    state->seen = 1;
    return true;
}

static enum oriel_status string_take(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation,
                                     struct string_state *state, const struct oriel_string *value) {
    const int order = state->seen ? oriel_string_compare(value, &state->value) : 0;
    if (state->seen && (oriel_extreme_is_max(call) ? order <= 0 : order >= 0))
        return ORIEL_OK;
    return string_keep(state, value, aggregation->arena) ? ORIEL_OK
                                                         : oriel_error_memory(aggregation->error);
}

static enum oriel_status string_update(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, char *states,
                                       size_t stride_bytes, const uint32_t *groups,
                                       const struct oriel_column *arguments, const uint64_t *rows,
                                       size_t row_count, uint64_t first_row) {
    (void)first_row;
    const struct oriel_string *values = arguments->values;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        ORIEL_TRY(string_take(call, aggregation, (void *)(states + groups[row] * stride_bytes),
                              &values[row]));
    }
    return ORIEL_OK;
}

static enum oriel_status string_merge(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, void *into,
                                      const void *from) {
    const struct string_state *b = from;
    return b->seen ? string_take(call, aggregation, into, &b->value) : ORIEL_OK;
}

static enum oriel_status string_finish(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, const char *states,
                                       size_t stride_bytes, size_t count,
                                       struct oriel_column *out) {
    (void)call;
    for (size_t i = 0; i < count; i++) {
        const struct string_state *state = (const void *)(states + i * stride_bytes);
        struct string_state copy = {0};
        if (!state->seen)
            oriel_column_set_null(out, i);
        else if (!string_keep(&copy, &state->value, aggregation->arena))
            return oriel_error_memory(aggregation->error);
        else
            ((struct oriel_string *)out->values)[i] = copy.value;
    }
    return ORIEL_OK;
}

static size_t string_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    (void)call;
    const struct string_state *from = state;
    return 1 + (from->seen ? from->value.length : 0);
}

static void string_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    (void)call;
    const struct string_state *from = state;
    out[0] = (char)from->seen;
    if (from->seen && from->value.length)
        memcpy(out + 1, oriel_string_bytes(&from->value), from->value.length);
}

static enum oriel_status string_load(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, void *state,
                                     const char *bytes, size_t size_bytes) {
    (void)call;
    const struct oriel_string value = oriel_string_make(bytes + 1, size_bytes - 1);
    if (bytes[0] && !string_keep(state, &value, aggregation->arena))
        return oriel_error_memory(aggregation->error);
    return ORIEL_OK;
}

static const struct oriel_aggregate_operations string_operations = {
    .update = string_update,
    .merge = string_merge,
    .finish = string_finish,
    .saved_bytes = string_saved_bytes,
    .save = string_save,
    .load = string_load,
};

static enum oriel_status bind(struct oriel_aggregate_binding *binding, bool max,
                              struct oriel_error *error) {
    static const char max_mark; /* a call->state that is not NULL says MAX */
    const struct oriel_type *type = &binding->argument_types[0];
    binding->state = max ? &max_mark : NULL;
    binding->result = oriel_type_with_null(*type, true);
    binding->result.rowtime = false;
    if (type->id == ORIEL_TYPE_INTERVAL_DAY || type->id == ORIEL_TYPE_INTERVAL_YEAR ||
        type->id == ORIEL_TYPE_BINARY || type->id == ORIEL_TYPE_VARBINARY)
        return oriel_aggregate_type_error(binding, "a number, string, time or BOOLEAN", error);
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_NESTED:
        return oriel_aggregate_type_error(binding, "a value with an order", error);
    case ORIEL_PHYSICAL_STRING:
        binding->operations = &string_operations;
        binding->state_bytes = sizeof(struct string_state);
        return ORIEL_OK;
    case ORIEL_PHYSICAL_F32:
    case ORIEL_PHYSICAL_F64:
        binding->operations = &oriel_extreme_floats;
        binding->state_bytes = ORIEL_EXTREME_FLOAT_BYTES;
        return ORIEL_OK;
    case ORIEL_PHYSICAL_I8:
    case ORIEL_PHYSICAL_I16:
    case ORIEL_PHYSICAL_I32:
    case ORIEL_PHYSICAL_I64:
        binding->operations = &oriel_extreme_integers;
        binding->state_bytes = ORIEL_EXTREME_INTEGER_BYTES;
        return ORIEL_OK;
    default:
        binding->operations = &oriel_extreme_wide;
        binding->state_bytes = ORIEL_EXTREME_WIDE_BYTES;
        return ORIEL_OK;
    }
}

static enum oriel_status min_bind(struct oriel_aggregate_binding *binding,
                                  struct oriel_error *error) {
    return bind(binding, false, error);
}

static enum oriel_status max_bind(struct oriel_aggregate_binding *binding,
                                  struct oriel_error *error) {
    return bind(binding, true, error);
}

const struct oriel_aggregate oriel_aggregates_extreme[] = {
    {"MIN", 1, 1,
     ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_IGNORES_DISTINCT |
         ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     min_bind},
    {"MAX", 1, 1,
     ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_IGNORES_DISTINCT |
         ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     max_bind},
    {0},
};
