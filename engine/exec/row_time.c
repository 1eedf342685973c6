/*
 * Between the values of time columns and the wall clock.
 */
#include "engine/exec/row_time.h"

#include "engine/base/zone.h"

enum { NANOS_PER_MS = 1000000 };

static int64_t floor_ms(oriel_i128 nanos) {
    const oriel_i128 ms = nanos / NANOS_PER_MS;
    return (int64_t)(ms - (nanos % NANOS_PER_MS < 0));
}

const int64_t *oriel_row_time_local(const struct oriel_runtime *runtime,
                                    const struct oriel_column *column, size_t row_count,
                                    int64_t *scratch) {
    const bool wide = oriel_type_physical(&column->type) == ORIEL_PHYSICAL_I128;
    const bool zoned = column->type.id == ORIEL_TYPE_TIMESTAMP_LTZ;
    if (!wide && !zoned)
        return column->values;
    for (size_t i = 0; i < row_count; i++) {
        if (oriel_column_is_null(column, i)) {
            scratch[i] = 0;
            continue;
        }
        const int64_t ms = wide ? floor_ms(((const oriel_i128 *)column->values)[i])
                                : ((const int64_t *)column->values)[i];
        scratch[i] = zoned ? oriel_zone_to_local(runtime->zone, ms) : ms;
    }
    return scratch;
}

void oriel_row_time_store(const struct oriel_runtime *runtime, const struct oriel_type *type,
                          int64_t local_ms, void *values, size_t row) {
    const int64_t ms = type->id == ORIEL_TYPE_TIMESTAMP_LTZ
                           ? oriel_zone_to_instant(runtime->zone, local_ms)
                           : local_ms;
    if (oriel_type_physical(type) == ORIEL_PHYSICAL_I128)
        ((oriel_i128 *)values)[row] = (oriel_i128)ms * NANOS_PER_MS;
    else
        ((int64_t *)values)[row] = ms;
}
