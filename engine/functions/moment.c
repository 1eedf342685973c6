/*
 * Points in time whatever their type: one reader and one writer, so that no function needs to know
 * how precise its argument is.
 */
#include "engine/functions/moment.h"

#include "engine/base/civil.h"
#include "engine/base/zone.h"

enum { NS_PER_MS = 1000000, PRECISION_MS = 3, PRECISION_NS = 9 };

struct oriel_moment oriel_moment_read_instant(const struct oriel_type *type, const void *values,
                                              size_t row) {
    struct oriel_moment out = {0, 0};
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_I64: out.ms = ((const int64_t *)values)[row]; break;
    case ORIEL_PHYSICAL_I128: {
        const oriel_i128 ns = ((const oriel_i128 *)values)[row];
        const oriel_i128 floor_fix = ns < 0 ? NS_PER_MS - 1 : 0;
        out.ms = (int64_t)((ns - floor_fix) / NS_PER_MS);
        out.ns = (int32_t)(ns - (oriel_i128)out.ms * NS_PER_MS);
        break;
    }
    default:
        out.ms = ((const int32_t *)values)[row];
        if (type->id == ORIEL_TYPE_DATE)
            out.ms *= ORIEL_MS_PER_DAY;
    }
    return out;
}

struct oriel_moment oriel_moment_read(const struct oriel_type *type, const void *values, size_t row,
                                      const struct oriel_zone *zone) {
    struct oriel_moment out = oriel_moment_read_instant(type, values, row);
    if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ && zone)
        out.ms = oriel_zone_to_local(zone, out.ms);
    return out;
}

/* Powers of ten that a precision leaves out. */
static int64_t unit_of(unsigned precision, unsigned finest) {
    int64_t unit = 1;
    for (; precision < finest; precision++)
        unit *= 10;
    return unit;
}

void oriel_moment_floor(const struct oriel_type *type, struct oriel_moment *moment) {
    const int64_t unit_ms =
        type->id == ORIEL_TYPE_DATE ? ORIEL_MS_PER_DAY : unit_of(type->precision, PRECISION_MS);
    moment->ms -= oriel_floor_mod(moment->ms, unit_ms);
}

void oriel_moment_write_instant(const struct oriel_type *type, void *values, size_t row,
                                struct oriel_moment moment) {
    const int64_t unit_ms = unit_of(type->precision, PRECISION_MS);
    switch (type->id) {
    case ORIEL_TYPE_DATE: ((int32_t *)values)[row] = (int32_t)(moment.ms / ORIEL_MS_PER_DAY); break;
    case ORIEL_TYPE_TIME:
        ((int32_t *)values)[row] =
            (int32_t)oriel_floor_mod(moment.ms / unit_ms * unit_ms, ORIEL_MS_PER_DAY);
        break;
    default:
        if (oriel_type_physical(type) == ORIEL_PHYSICAL_I64) {
            ((int64_t *)values)[row] = moment.ms / unit_ms * unit_ms;
        } else {
            const int64_t unit_ns = unit_of(type->precision, PRECISION_NS);
            ((oriel_i128 *)values)[row] =
                (oriel_i128)moment.ms * NS_PER_MS + moment.ns / unit_ns * unit_ns;
        }
    }
}

void oriel_moment_write(const struct oriel_type *type, void *values, size_t row,
                        struct oriel_moment moment, const struct oriel_zone *zone) {
    if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ && zone)
        moment.ms = oriel_zone_to_instant(zone, moment.ms);
    oriel_moment_write_instant(type, values, row, moment);
}
