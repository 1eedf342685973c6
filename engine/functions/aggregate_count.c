/*
 * COUNT(*) and COUNT(x): the state is an int64. APPROX_COUNT_DISTINCT counts exactly, as
 * COUNT(DISTINCT x): no estimate is closer.
 */
#include "engine/functions/aggregate_table.h"
#include "kernels/kernels.h"

static enum oriel_status count_update(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, char *states,
                                      size_t stride_bytes, const uint32_t *groups,
                                      const struct oriel_column *arguments, const uint64_t *rows,
                                      size_t row_count, uint64_t first_row) {
    (void)call, (void)arguments, (void)first_row;
    aggregation->runtime->kernels->group_count(groups, rows, row_count, states, stride_bytes);
    return ORIEL_OK;
}

static enum oriel_status count_merge(const struct oriel_aggregate_call *call,
                                     struct oriel_aggregation *aggregation, void *into,
                                     const void *from) {
    (void)call, (void)aggregation;
    *(int64_t *)into += *(const int64_t *)from;
    return ORIEL_OK;
}

static enum oriel_status count_finish(const struct oriel_aggregate_call *call,
                                      struct oriel_aggregation *aggregation, const char *states,
                                      size_t stride_bytes, size_t count, struct oriel_column *out) {
    (void)call, (void)aggregation;
    int64_t *values = out->values;
    for (size_t i = 0; i < count; i++)
        values[i] = *(const int64_t *)(const void *)(states + i * stride_bytes);
    return ORIEL_OK;
}

const struct oriel_aggregate_operations oriel_aggregate_count_operations = {
    .update = count_update, .merge = count_merge, .merge_adds_words = true, .finish = count_finish};

static enum oriel_status count_bind(struct oriel_aggregate_binding *binding,
                                    struct oriel_error *error) {
    if (binding->argument_count > 1)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "We now only support the count of one field.");
    binding->result = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false);
    binding->state_bytes = sizeof(int64_t);
    binding->operations = &oriel_aggregate_count_operations;
    return ORIEL_OK;
}

static enum oriel_status approximate_bind(struct oriel_aggregate_binding *binding,
                                          struct oriel_error *error) {
    if (binding->distinct)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "APPROX_COUNT_DISTINCT counts distinct values without DISTINCT");
    binding->distinct = true;
    return count_bind(binding, error);
}

const struct oriel_aggregate oriel_aggregates_count[] = {
    {"COUNT", 0, ORIEL_ARGUMENTS_ANY, ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NEVER_NULL,
     count_bind},
    {"APPROX_COUNT_DISTINCT", 1, 1, ORIEL_AGGREGATE_SKIPS_NULLS | ORIEL_AGGREGATE_NEVER_NULL,
     approximate_bind},
    {0},
};
