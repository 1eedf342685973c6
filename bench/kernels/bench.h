#pragma once

/* Inputs and registration shared by the benchmarks of all kernels. */

#include "kernels/kernels.h"

enum {
    BENCH_ROWS = 4096,        /* a batch: columns of it stay in L1 and L2 */
    BENCH_RECORDS = 4096,     /* CSV records of 48 bytes: a chunk of 200 KB, in L2 */
    BENCH_TEXT_MAX = 1 << 18, /* bytes of CSV text */
    BENCH_COLUMNS = 4,        /* order_id,shop,amount,time */
    BENCH_GROUPS = 1000,
    BENCH_OUT_BYTES = 4 * (BENCH_TEXT_MAX + 64),
};

struct bench_data {
    char text[BENCH_TEXT_MAX + ORIEL_KERNEL_PADDING];          /* no quotes */
    char quoted_text[BENCH_TEXT_MAX + ORIEL_KERNEL_PADDING];   /* the shop in quotes */
    char accented_text[BENCH_TEXT_MAX + ORIEL_KERNEL_PADDING]; /* one letter in eight not ASCII */
    size_t text_length;
    size_t quoted_length;
    size_t accented_length;
    uint32_t positions[BENCH_RECORDS * BENCH_COLUMNS + 1]; /* of text, after the sentinel */
    int32_t values_i32[BENCH_ROWS];
    int64_t values_i64[BENCH_ROWS];
    int64_t other_i64[BENCH_ROWS];
    int64_t time[BENCH_ROWS];     /* ascending, 250 ms a row */
    int64_t shuffled[BENCH_ROWS]; /* the same out of order, within the hour */
    double values_f64[BENCH_ROWS];
    double other_f64[BENCH_ROWS];
    uint64_t words[2 * BENCH_ROWS];      /* random 64-bit numbers */
    uint64_t selection[BENCH_ROWS / 64]; /* one row in four */
    uint8_t bytes[BENCH_ROWS];           /* the same as bytes */
    uint32_t indices[BENCH_ROWS / 4];    /* ascending row numbers */
    uint32_t groups[BENCH_ROWS];
    uint32_t keys[BENCH_ROWS];
    struct oriel_kernel_string strings[BENCH_ROWS];
};

/* What a body writes to; it returns how many bytes of `out` are the answer. */
struct bench_output {
    _Alignas(64) char out[BENCH_OUT_BYTES];
    _Alignas(64) char scratch[BENCH_OUT_BYTES];
};

typedef size_t bench_body(const struct oriel_kernels *kernels, const struct bench_data *data,
                          struct bench_output *output);

struct bench {
    const struct oriel_isa *isa;
    const char *kernel;
    const struct bench_data *data;
    struct bench_output *output;
};

typedef void bench_function(struct bench *bench);

/* Every kernel's benchmark. One that is missing does not link. */
#define KERNEL(name, return_type, parameters) bench_function bench_##name;
#include "kernels/kernel_list.h"
#undef KERNEL

/* Runs `body` once with the reference and once with the ISA, exits with a message if the answers
 * differ, and registers it as kernel[:variant]/isa. */
void bench_add(struct bench *bench, const char *variant, bench_body *body, size_t bytes,
               size_t items);
