/*
 * Inside engine/functions: MIN and MAX of numbers, which aggregate_extreme.c chooses from.
 */
#pragma once

#include "engine/functions/aggregate.h"

enum {
    ORIEL_EXTREME_INTEGER_BYTES = 16,
    ORIEL_EXTREME_WIDE_BYTES = 32,
    ORIEL_EXTREME_FLOAT_BYTES = 16,
};

extern const struct oriel_aggregate_operations oriel_extreme_integers; /* of up to 8 bytes */
extern const struct oriel_aggregate_operations oriel_extreme_wide;     /* of 16 bytes */
extern const struct oriel_aggregate_operations oriel_extreme_floats;

static inline bool oriel_extreme_is_max(const struct oriel_aggregate_call *call) {
    return call->state != NULL;
}
