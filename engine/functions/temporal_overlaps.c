/*
 * OVERLAPS of two periods, given as start, end, start, end; the binder has added intervals to their
 * starts. Ends may stand in front of starts. Periods that only touch overlap.
 */
#include "engine/columns/value.h"
#include "engine/functions/function_table.h"
#include "engine/functions/rows.h"
#include "engine/functions/signature.h"

enum truth { TRUTH_FALSE, TRUTH_UNKNOWN, TRUTH_TRUE };

/* a <= b; a NULL pointer is NULL. */
static enum truth not_after(const struct oriel_type *type, const void *a, const void *b) {
    if (!a || !b)
        return TRUTH_UNKNOWN;
    return oriel_value_compare(type, a, b) <= 0 ? TRUTH_TRUE : TRUTH_FALSE;
}

static enum oriel_status overlaps(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const struct oriel_type *type = &call->argument_types[0];
    const size_t size = oriel_physical_size(oriel_type_physical(type));
    memset(out->values, 0, row_count);
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const void *bounds[4];
        for (unsigned i = 0; i < 4; i++)
            bounds[i] = oriel_column_is_null(&arguments[i], row)
                            ? NULL
                            : (const char *)arguments[i].values + row * size;
        /* Where the order is not known the end is taken for the start, as in Flink. */
        for (unsigned i = 0; i < 4; i += 2) {
            if (not_after(type, bounds[i], bounds[i + 1]) != TRUTH_TRUE) {
                const void *const start = bounds[i];
                bounds[i] = bounds[i + 1];
                bounds[i + 1] = start;
            }
        }
        const enum truth first = not_after(type, bounds[2], bounds[1]);
        const enum truth second = not_after(type, bounds[0], bounds[3]);
        const enum truth both = first < second ? first : second;
        if (both == TRUTH_UNKNOWN)
            oriel_column_set_null(out, row);
        ((uint8_t *)out->values)[row] = both == TRUTH_TRUE;
    }
    return ORIEL_OK;
}

static enum oriel_status bind_overlaps(struct oriel_binding *binding, struct oriel_error *error) {
    static const char forms[] = "'(<TIME>, <TIME or INTERVAL>) OVERLAPS (<TIME>, <TIME or "
                                "INTERVAL>)'";
    struct oriel_type type = binding->argument_types[0];
    ORIEL_TRY(oriel_bind_arguments(binding, "D", forms, error));
    for (uint32_t i = 1; i < 4; i++) {
        if (!oriel_type_unify(&type, &binding->argument_types[i], &type))
            return oriel_bind_refuse(binding, forms, error);
    }
    for (uint32_t i = 0; i < 4; i++)
        binding->casts[i] = oriel_type_with_null(type, binding->argument_types[i].nullable);
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), overlaps);
}

static const struct oriel_function rows[] = {
    {"OVERLAPS", 4, 4, 0, bind_overlaps, NULL},
};

const struct oriel_function_group oriel_functions_temporal_overlaps = {rows, sizeof rows /
                                                                                 sizeof rows[0]};
