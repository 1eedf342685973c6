/*
 * Updates, merges and spilling of aggregates over lists of values, and the loop of their results.
 */
#include "engine/functions/aggregate_list.h"

static const struct oriel_list_layout *layout_of(const struct oriel_aggregate_call *call) {
    return &((const struct oriel_list_call *)call->state)->layout;
}

enum oriel_status oriel_list_bind(struct oriel_aggregate_binding *binding, uint32_t column_count,
                                  struct oriel_list_call **out, struct oriel_error *error) {
    struct oriel_list_call *call =
        oriel_arena_allocate_zeroed(binding->statement_arena, 1, sizeof *call);
    if (!call)
        return oriel_error_memory(error);
    call->layout.column_count = column_count;
    for (uint32_t c = 0; c < column_count; c++) {
        call->layout.types[c] = binding->casts[c];
        call->layout.types[c].rowtime = false;
    }
    call->layout.ordered = true;
    binding->state = call;
    binding->state_bytes = sizeof(struct oriel_value_list);
    *out = call;
    return ORIEL_OK;
}

enum oriel_status oriel_list_update(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, char *states,
                                    size_t stride_bytes, const uint32_t *groups,
                                    const struct oriel_column *arguments, const uint64_t *rows,
                                    size_t row_count, uint64_t first_row) {
    const struct oriel_list_call *list_call = call->state;
    const struct oriel_list_layout *layout = &list_call->layout;
    const uint64_t *wanted =
        list_call->skip_nulls ? arguments[layout->column_count - 1].valid : NULL;
    ORIEL_FOR_SELECTED(row, rows, row_count) {
        if (!oriel_bits_get(wanted, row))
            continue;
        if (!oriel_value_list_add(layout, (void *)(states + groups[row] * stride_bytes), arguments,
                                  row, first_row + row, aggregation->arena))
            return oriel_error_memory(aggregation->error);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_list_merge(const struct oriel_aggregate_call *call,
                                   struct oriel_aggregation *aggregation, void *into,
                                   const void *from) {
    (void)call;
    return oriel_value_list_merge(into, from, aggregation->arena)
               ? ORIEL_OK
               : oriel_error_memory(aggregation->error);
}

size_t oriel_list_saved_bytes(const struct oriel_aggregate_call *call, const void *state) {
    return oriel_value_list_saved_bytes(layout_of(call), state);
}

void oriel_list_save(const struct oriel_aggregate_call *call, const void *state, char *out) {
    oriel_value_list_save(layout_of(call), state, out);
}

enum oriel_status oriel_list_load(const struct oriel_aggregate_call *call,
                                  struct oriel_aggregation *aggregation, void *state,
                                  const char *bytes, size_t size_bytes) {
    (void)size_bytes;
    return oriel_value_list_load(layout_of(call), state, bytes, aggregation->arena)
               ? ORIEL_OK
               : oriel_error_memory(aggregation->error);
}

enum oriel_status oriel_list_finish(const struct oriel_aggregate_call *call,
                                    struct oriel_aggregation *aggregation, const char *states,
                                    size_t stride_bytes, size_t count, struct oriel_column *out,
                                    oriel_list_result *result) {
    struct oriel_arena scratch;
    oriel_arena_init(&scratch, aggregation->runtime->memory);
    enum oriel_status status = ORIEL_OK;
    for (size_t i = 0; i < count && status == ORIEL_OK; i++) {
        const struct oriel_value_list *list = (const void *)(states + i * stride_bytes);
        struct oriel_column columns[ORIEL_LIST_COLUMNS_MAX];
        oriel_arena_reset(&scratch);
        status = oriel_value_list_read(layout_of(call), list, aggregation->runtime, &scratch,
                                       columns, aggregation->error);
        if (status == ORIEL_OK)
            status = result(call, aggregation, list, columns, &scratch, out, i);
    }
    oriel_arena_deinit(&scratch);
    return status;
}
