/*
 * FIRST_VALUE and LAST_VALUE: the value that is not NULL with the lowest or highest place in the
 * order of the input, and SINGLE_VALUE, which allows only one row.
 */
#include "engine/columns/value.h"
#include "engine/functions/aggregate_table.h"
#include "engine/functions/value_save.h"

enum edge { FIRST, LAST, SINGLE };

struct edge_state {
    oriel_u128 value;
    uint64_t place;      /* of the value, plus 1; 0: no row yet */
    uint32_t room_bytes; /* that a long string's copy may use */
    uint32_t is_null;    /* SINGLE: the value is NULL */
};

static enum edge edge_of(const struct oriel_aggregate_call *call) {
    return *(const enum edge *)call->state;
}

/* Whether a value at `place` takes over. */
static bool comes_before(const struct oriel_aggregate_call *call, const struct edge_state *state,
                         uint64_t place) {
    if (!state->place)
        return true;
    return edge_of(call) == FIRST ? place < state->place : place > state->place;
}

/* Copies a value into the state; a long string into the room that is there, if it is enough. */
static bool keep(const struct oriel_aggregate_call *call, struct edge_state *state,
                 const void *value, struct oriel_arena *arena) {
    const struct oriel_type *type = &call->argument_types[0];
    struct oriel_string text;
    if (oriel_type_physical(type) != ORIEL_PHYSICAL_STRING)
        return oriel_value_copy(arena, type, value, &state->value);
    memcpy(&text, value, sizeof text);
    if (text.length > ORIEL_STRING_INLINE_BYTES) {
        struct oriel_string old;
        memcpy(&old, &state->value, sizeof old);
        const bool fits = state->room_bytes >= text.length;
        char *bytes = NULL;
        if (fits)
            memcpy(&bytes, &old.bytes, sizeof bytes);
        else
            bytes = oriel_arena_allocate(arena, text.length);
        if (!bytes)
            return false;
        memmove(bytes, text.bytes, text.length);
        text.bytes = bytes;
        if (!fits)
            state->room_bytes = text.length;
    } else {
        state->room_bytes = 0;
    }
    memcpy(&state->value, &text, sizeof text);
    return true;
}

static enum oriel_status take(const struct oriel_aggregate_call *call,
                              struct oriel_aggregation *aggregation, struct edge_state *state,
                              const void *value, uint64_t place) {
    if (edge_of(call) == SINGLE && state->place)
        return oriel_error_at(aggregation->error, ORIEL_DATA, call->position,
                              "SingleValueAggFunction received more than one element: a sub-query "
                              "as a value, or SINGLE_VALUE, has one row at most");
    if (!comes_before(call, state, place))
        return ORIEL_OK;
    state->is_null = value == NULL;
    if (value && !keep(call, state, value, aggregation->arena))
        return oriel_error_memory(aggregation->error);
    state->place = place;
    return ORIEL_OK;
}

/* Rows of LAST_VALUE are looked at from the end, so that few values are copied. */
static enum oriel_status edge_update(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, char *states,
                                     size_t stride_bytes, const uint32_t *groups,
                                     const struct oriel_column *arguments, const uint64_t *rows,
                                     size_t row_count, uint64_t first_row) {
    const size_t size = oriel_physical_size(oriel_type_physical(&call->argument_types[0]));
    const bool backwards = edge_of(call) == LAST;
    for (size_t i = 0; i < row_count; i++) {
        const size_t row = backwards ? row_count - 1 - i : i;
        if (!oriel_bits_get(rows, row))
            continue;
        const char *value = (const char *)arguments->values + row * size;
        ORIEL_TRY(take(call, aggregation, (void *)(states + groups[row] * stride_bytes),
                       oriel_column_is_null(arguments, row) ? NULL : value, first_row + row + 1));
    }
    return ORIEL_OK;
}

static enum oriel_status edge_merge(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, void *into,
                                    const void *from) {
    const struct edge_state *state = from;
    if (!state->place)
        return ORIEL_OK;
    return take(call, aggregation, into, state->is_null ? NULL : &state->value, state->place);
}

static enum oriel_status edge_finish(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, const char *states,
                                     size_t stride_bytes, size_t count, struct oriel_column *out) {
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    for (size_t i = 0; i < count; i++) {
        const struct edge_state *state = (const void *)(states + i * stride_bytes);
        if (!state->place || state->is_null)
            oriel_column_set_null(out, i);
        else if (!oriel_value_copy(aggregation->arena, &call->argument_types[0], &state->value,
                                   (char *)out->values + i * size))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static size_t edge_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    const struct edge_state *from = state;
    const size_t head = sizeof from->place + 1;
    if (!from->place || from->is_null)
        return head;
    return head + oriel_value_saved_bytes(&call->argument_types[0], &from->value);
}

static void edge_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    const struct edge_state *from = state;
    memcpy(out, &from->place, sizeof from->place);
    out += sizeof from->place;
    *out++ = (char)from->is_null;
    if (from->place && !from->is_null)
        oriel_value_save(&call->argument_types[0], &from->value, out);
}

static enum oriel_status edge_load(const struct oriel_aggregate_call *call,
                                   struct oriel_aggregation *aggregation, void *state,
                                   const char *bytes, size_t size_bytes) {
    (void)size_bytes;
    struct edge_state *into = state;
    memcpy(&into->place, bytes, sizeof into->place);
    bytes += sizeof into->place;
    into->is_null = (uint32_t)*bytes++;
    if (into->place && !into->is_null &&
        !oriel_value_load(&call->argument_types[0], bytes, aggregation->arena, &into->value))
        return oriel_error_memory(aggregation->error);
    return ORIEL_OK;
}

/* States of fixed types need no saving of their own: their bytes are all there is. */
static const struct oriel_aggregate_operations plain_operations = {
    .update = edge_update, .merge = edge_merge, .finish = edge_finish};
static const struct oriel_aggregate_operations pointing_operations = {
    .update = edge_update,
    .merge = edge_merge,
    .finish = edge_finish,
    .saved_bytes = edge_saved_bytes,
    .save = edge_save,
    .load = edge_load,
};

static enum oriel_status bind(struct oriel_aggregate_binding *binding, const enum edge *edge,
                              struct oriel_error *error) {
    const struct oriel_type *type = &binding->argument_types[0];
    if (type->id == ORIEL_TYPE_NULL)
        return oriel_aggregate_null_error(binding, error);
    const enum oriel_physical physical = oriel_type_physical(type);
    binding->state = edge;
    binding->state_bytes = sizeof(struct edge_state);
    binding->result = oriel_type_with_null(*type, true);
    binding->result.rowtime = false;
    binding->operations = physical == ORIEL_PHYSICAL_STRING || physical == ORIEL_PHYSICAL_NESTED
                              ? &pointing_operations
                              : &plain_operations;
    return ORIEL_OK;
}

static enum oriel_status first_bind(struct oriel_aggregate_binding *binding,
                                    struct oriel_error *error) {
    static const enum edge first = FIRST;
    return bind(binding, &first, error);
}

static enum oriel_status last_bind(struct oriel_aggregate_binding *binding,
                                   struct oriel_error *error) {
    static const enum edge last = LAST;
    return bind(binding, &last, error);
}

static enum oriel_status single_bind(struct oriel_aggregate_binding *binding,
                                     struct oriel_error *error) {
    static const enum edge single = SINGLE;
    return bind(binding, &single, error);
}

const struct oriel_aggregate oriel_aggregates_edge[] = {
    {"FIRST_VALUE", 1, 1,
     ORIEL_AGGREGATE_ORDERED | ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     first_bind},
    {"LAST_VALUE", 1, 1,
     ORIEL_AGGREGATE_ORDERED | ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NULL_AS_ARGUMENT,
     last_bind},
    {"SINGLE_VALUE", 1, 1, ORIEL_AGGREGATE_NULL_AS_ARGUMENT, single_bind},
    {0},
};
