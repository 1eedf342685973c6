#pragma once

/* What the checks of one kernel are given and how they report. A check calls the reference and the
 * tested kernel on the same input, placed against a guard page, and compares all output. */

#include "kernels/kernels.h"

enum {
    CHECK_SLOT_COUNT = 12,
    CHECK_WIDEST_LANES = 64,
    CHECK_ROWS_MAX = 5000, /* a full batch with an odd tail */
};

struct check {
    const struct oriel_kernels *reference;
    const struct oriel_kernels *tested;
    const char *kernel;
    const char *isa;
    uint64_t seed;
    uint64_t state;
    unsigned failures;
};

typedef void check_function(struct check *check);

/* Every kernel's check. One that is missing does not link. */
#define KERNEL(name, return_type, parameters) check_function check_##name;
#include "kernels/kernel_list.h"
#undef KERNEL

/* ---- input ---- */

uint64_t check_random(struct check *check);
/* Uniform in 0 .. bound - 1. */
uint64_t check_below(struct check *check, uint64_t bound);

/* The counts every check must cover, by step: 0 to two widest vectors and one, then a full batch.
 * Returns 0 past the last. */
int check_count(size_t step, size_t *count);

/* size bytes that end `padding` bytes before an inaccessible page. A slot holds one buffer at a
 * time; all its bytes before the guard page are filled with junk that differs from slot to slot. */
void *check_place(struct check *check, int slot, size_t size, size_t padding);

/* Validity in `slot`, by kind: no bitmap, all valid, none, half, few NULLs, few valid. Bits past
 * count are random. Returns 0 past the last kind. */
int check_validity(struct check *check, int slot, size_t kind, size_t count,
                   const uint64_t **valid);

/* count int64 values (int32, double) in `slot`, by kind: random, extremes, small, ascending, equal.
 * Returns NULL past the last kind. */
int64_t *check_i64(struct check *check, int slot, size_t kind, size_t count);
int32_t *check_i32(struct check *check, int slot, size_t kind, size_t count);
double *check_f64(struct check *check, int slot, size_t kind, size_t count);

/* ---- output ---- */

static inline size_t check_words(size_t count) {
    return (count + 63) / 64;
}

/* Reports a failure and returns 0 when the arrays differ; `what` names the output, `count` is the
 * size of the case. */
int check_same(struct check *check, const char *what, size_t count, const void *expected,
               const void *actual, size_t element_size, size_t element_count);
int check_same_number(struct check *check, const char *what, size_t count, uint64_t expected,
                      uint64_t actual);
