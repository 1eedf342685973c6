#pragma once

#include <stddef.h>
#include <stdint.h>

/* Sums of 64 values, which the compiler widens and adds in vectors. Those of int32 fit an int64. */

static inline uint64_t sum_run_i32(const int32_t *values) {
    int64_t sum = 0;
    for (size_t i = 0; i < 64; i++)
        sum += values[i];
    return (uint64_t)sum;
}

static inline uint64_t sum_run_i64(const int64_t *values) {
    uint64_t sum = 0;
    for (size_t i = 0; i < 64; i++)
        sum += (uint64_t)values[i];
    return sum;
}
