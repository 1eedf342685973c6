/*
 * COLLECT: the values of a group that are not NULL and how often each came, as a MULTISET in the
 * order of the values.
 */
#include "engine/functions/aggregate_table.h"
#include "engine/functions/value_set.h"

static enum oriel_status collect_update(const struct oriel_aggregate_call *call,
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

static enum oriel_status collect_merge(const struct oriel_aggregate_call *call,
                                       struct oriel_aggregation *aggregation, void *into,
                                       const void *from) {
    return oriel_value_set_merge(into, from, &call->argument_types[0], aggregation->arena)
               ? ORIEL_OK
               : oriel_error_memory(aggregation->error);
}

static enum oriel_status collect_one(const struct oriel_aggregate_call *call,
                                     struct oriel_arena *scratch, struct oriel_arena *arena,
                                     const struct oriel_value_set *set,
                                     const struct oriel_nested **out, struct oriel_error *error) {
    struct oriel_column values;
    int32_t *counts;
    struct oriel_nested *nested = oriel_arena_allocate(arena, sizeof *nested);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(arena, 2 * (set->count + 1ul), sizeof *slots);
    if (!nested || !slots ||
        !oriel_value_set_list(set, &call->argument_types[0], ORIEL_SET_BY_VALUE, scratch, &values,
                              &counts))
        return oriel_error_memory(error);
    const size_t size = oriel_physical_size(oriel_type_physical(&values.type));
    for (uint32_t i = 0; i < set->count; i++) {
        memcpy(&slots[2 * i], (const char *)values.values + i * size, size);
        memcpy(&slots[2 * i + 1], &counts[i], sizeof counts[i]);
    }
    *nested = (struct oriel_nested){.count = set->count, .slots = slots};
    *out = nested;
    return ORIEL_OK;
}

static enum oriel_status collect_finish(const struct oriel_aggregate_call *call,
                                        struct oriel_aggregation *aggregation, const char *states,
                                        size_t stride_bytes, size_t count,
                                        struct oriel_column *out) {
    struct oriel_arena scratch;
    oriel_arena_init(&scratch, aggregation->runtime->memory);
    enum oriel_status status = ORIEL_OK;
    for (size_t i = 0; i < count && status == ORIEL_OK; i++) {
        oriel_arena_reset(&scratch);
        status = collect_one(call, &scratch, aggregation->arena,
                             (const void *)(states + i * stride_bytes),
                             (const struct oriel_nested **)out->values + i, aggregation->error);
    }
    oriel_arena_deinit(&scratch);
    return status;
}

static size_t collect_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    return oriel_value_set_saved_bytes(state, &call->argument_types[0]);
}

static void collect_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    oriel_value_set_save(state, &call->argument_types[0], out);
}

static enum oriel_status collect_load(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, void *state,
                                      const char *bytes, size_t size_bytes) {
    (void)size_bytes;
    return oriel_value_set_load(state, &call->argument_types[0], bytes, aggregation->arena)
               ? ORIEL_OK
               : oriel_error_memory(aggregation->error);
}

static const struct oriel_aggregate_operations collect_operations = {
    .update = collect_update,
    .merge = collect_merge,
    .finish = collect_finish,
    .saved_bytes = collect_saved_bytes,
    .save = collect_save,
    .load = collect_load,
};

static enum oriel_status collect_bind(struct oriel_aggregate_binding *binding,
                                      struct oriel_error *error) {
    if (binding->argument_types[0].id == ORIEL_TYPE_NULL)
        return oriel_aggregate_null_error(binding, error);
    if (!oriel_value_set_takes(&binding->argument_types[0]))
        return oriel_aggregate_type_error(binding, "a value that is no MAP", error);
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(binding->statement_arena, 2, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    fields[0].type = binding->argument_types[0];
    fields[0].type.rowtime = false;
    fields[1].type = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_INT), false);
    binding->result = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_MAP), false);
    binding->result.multiset = true;
    binding->result.field_count = 2;
    binding->result.fields = fields;
    binding->state_bytes = sizeof(struct oriel_value_set);
    binding->operations = &collect_operations;
    return ORIEL_OK;
}

const struct oriel_aggregate oriel_aggregates_collect[] = {
    {"COLLECT", 1, 1,
     ORIEL_AGGREGATE_HOLDS_ALL | ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NEVER_NULL,
     collect_bind},
    {0},
};
