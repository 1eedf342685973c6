/*
 * DISTINCT for any aggregate of one argument: the state is the set of values seen, merging is their
 * union, and finish gives the set, in the order in which the values first came, to the aggregate.
 */
#include "engine/functions/aggregate_table.h"
#include "engine/functions/value_set.h"

/* What bind keeps: the aggregate that works on the set. */
struct inner {
    struct oriel_aggregate_call call;
    struct oriel_type argument_type;
};

static const struct oriel_type *type_of(const struct oriel_aggregate_call *call) {
    return &((const struct inner *)call->state)->argument_type;
}

static enum oriel_status set_update(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, char *states,
                                    size_t stride_bytes, const uint32_t *groups,
                                    const struct oriel_column *arguments, const uint64_t *rows,
                                    size_t row_count, uint64_t first_row) {
    (void)call;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        if (!oriel_value_set_add((void *)(states + groups[row] * stride_bytes), arguments, row,
                                 first_row + row, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

static enum oriel_status set_merge(const struct oriel_aggregate_call *call,
                                   struct oriel_aggregation *aggregation, void *into,
                                   const void *from) {
    return oriel_value_set_merge(into, from, type_of(call), aggregation->arena)
               ? ORIEL_OK
               : oriel_error_memory(aggregation->error);
}

/* The state of the inner aggregate dies with `aggregation`, as what its result points to. */
static enum oriel_status finish_one(const struct oriel_aggregate_call *inner,
                                    const struct oriel_type *argument_type,
                                    struct oriel_aggregation *aggregation,
                                    const struct oriel_value_set *set, size_t row,
                                    struct oriel_column *out) {
    const struct oriel_aggregate_operations *operations = inner->operations;
    const size_t count = oriel_value_set_size(set);
    struct oriel_column values;
    char *state = oriel_arena_allocate_zeroed(aggregation->arena, 1, inner->state_bytes);
    uint32_t *groups = oriel_arena_allocate_zeroed(aggregation->arena, count + 1, sizeof *groups);
    uint64_t word = ~UINT64_C(0);
    if (!state || !groups ||
        !oriel_value_set_list(set, argument_type, ORIEL_SET_BY_PLACE, aggregation->arena,
                              &values, NULL))
        return oriel_error_memory(aggregation->error);
    ORIEL_TRY(operations->update(inner, aggregation, state, inner->state_bytes, groups,
                                 &values, NULL, count, 0));
    const size_t size = oriel_physical_size(oriel_type_physical(&out->type));
    struct oriel_column one = {
        .type = out->type, .values = (char *)out->values + row * size, .valid = &word};
    ORIEL_TRY(
        operations->finish(inner, aggregation, state, inner->state_bytes, 1, &one));
    if (!(word & 1))
        oriel_column_set_null(out, row);
    return ORIEL_OK;
}

static enum oriel_status set_finish(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, const char *states,
                                    size_t stride_bytes, size_t count, struct oriel_column *out) {
    const struct inner *inner = call->state;
    const bool counts = inner->call.operations == &oriel_aggregate_count_operations;
    struct oriel_aggregate_call one = inner->call;
    one.divides_sum = call->divides_sum;
    for (size_t i = 0; i < count; i++) {
        const struct oriel_value_set *set = (const void *)(states + i * stride_bytes);
        if (counts)
            ((int64_t *)out->values)[i] = set->count;
        else
            ORIEL_TRY(finish_one(&one, &inner->argument_type, aggregation, set, i, out));
    }
    return ORIEL_OK;
}

static size_t set_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    return oriel_value_set_saved_bytes(state, type_of(call));
}

static void set_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    oriel_value_set_save(state, type_of(call), out);
}

static enum oriel_status set_load(const struct oriel_aggregate_call *call,
                                  struct oriel_aggregation *aggregation, void *state,
                                  const char *bytes, size_t size_bytes) {
    (void)size_bytes;
    return oriel_value_set_load(state, type_of(call), bytes, aggregation->arena)
               ? ORIEL_OK
               : oriel_error_memory(aggregation->error);
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
    if (!oriel_value_set_takes(&binding->casts[0]))
        return oriel_aggregate_type_error(binding, "a value that is no MAP", error);
    for (uint32_t i = 1; i < binding->argument_count; i++) {
        if (!binding->constants[i])
            return oriel_error_at(error, ORIEL_INVALID, binding->position,
                                  "%s(DISTINCT ...) takes one argument that is not constant",
                                  binding->name);
    }
    struct inner *inner = oriel_arena_allocate_zeroed(binding->statement_arena, 1, sizeof *inner);
    struct oriel_type *types = oriel_arena_allocate_zeroed(binding->statement_arena,
                                                           binding->argument_count, sizeof *types);
    if (!inner || !types)
        return oriel_error_memory(error);
    memcpy(types, binding->casts, binding->argument_count * sizeof *types);
    inner->argument_type = types[0];
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
    binding->state_bytes = sizeof(struct oriel_value_set);
    binding->operations = &set_operations;
    return ORIEL_OK;
}
