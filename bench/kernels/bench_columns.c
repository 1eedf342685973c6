/* Benchmarks of the kernels that map columns to columns: assignment, hashes, comparisons. Bytes are
 * those of the input. */
#include "bench/kernels/bench.h"

#include <string.h>

static size_t run_min_max_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    int64_t *const out = (int64_t *)(void *)output->out;
    kernels->min_max_i64(data->values_i64, NULL, BENCH_ROWS, out);
    return 2 * sizeof *out;
}

static size_t run_min_max_i64_nulls(const struct oriel_kernels *kernels,
                                    const struct bench_data *data, struct bench_output *output) {
    int64_t *const out = (int64_t *)(void *)output->out;
    kernels->min_max_i64(data->values_i64, data->selection, BENCH_ROWS, out);
    return 2 * sizeof *out;
}

void bench_min_max_i64(struct bench *bench) {
    bench_add(bench, "", run_min_max_i64, BENCH_ROWS * 8, BENCH_ROWS);
    bench_add(bench, "nulls", run_min_max_i64_nulls, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_within_prefix_i64(const struct oriel_kernels *kernels,
                                    const struct bench_data *data, struct bench_output *output) {
    const size_t prefix =
        kernels->within_prefix_i64(data->time, BENCH_ROWS, data->time[0], UINT64_C(1) << 62);
    memcpy(output->out, &prefix, sizeof prefix);
    return sizeof prefix;
}

void bench_within_prefix_i64(struct bench *bench) {
    bench_add(bench, "", run_within_prefix_i64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_floor_i64_ordered(const struct oriel_kernels *kernels,
                                    const struct bench_data *data, struct bench_output *output) {
    int64_t *const out = (int64_t *)(void *)output->out;
    kernels->floor_i64(data->time, BENCH_ROWS, 600000, 0, out);
    return BENCH_ROWS * sizeof *out;
}

static size_t run_floor_i64_shuffled(const struct oriel_kernels *kernels,
                                     const struct bench_data *data, struct bench_output *output) {
    int64_t *const out = (int64_t *)(void *)output->out;
    kernels->floor_i64(data->shuffled, BENCH_ROWS, 600000, 0, out);
    return BENCH_ROWS * sizeof *out;
}

void bench_floor_i64(struct bench *bench) {
    bench_add(bench, "ordered", run_floor_i64_ordered, BENCH_ROWS * 8, BENCH_ROWS);
    bench_add(bench, "shuffled", run_floor_i64_shuffled, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_hash_i32(const struct oriel_kernels *kernels, const struct bench_data *data,
                           struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_i32(data->values_i32, NULL, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

static size_t run_hash_i32_nulls(const struct oriel_kernels *kernels, const struct bench_data *data,
                                 struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_i32(data->values_i32, data->selection, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

void bench_hash_i32(struct bench *bench) {
    bench_add(bench, "", run_hash_i32, BENCH_ROWS * 4, BENCH_ROWS);
    bench_add(bench, "nulls", run_hash_i32_nulls, BENCH_ROWS * 4, BENCH_ROWS);
}

static size_t run_hash_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                           struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_i64(data->values_i64, NULL, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

static size_t run_hash_i64_nulls(const struct oriel_kernels *kernels, const struct bench_data *data,
                                 struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_i64(data->values_i64, data->selection, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

void bench_hash_i64(struct bench *bench) {
    bench_add(bench, "", run_hash_i64, BENCH_ROWS * 8, BENCH_ROWS);
    bench_add(bench, "nulls", run_hash_i64_nulls, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_hash_i128(const struct oriel_kernels *kernels, const struct bench_data *data,
                            struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_i128(data->words, NULL, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

static size_t run_hash_i128_nulls(const struct oriel_kernels *kernels,
                                  const struct bench_data *data, struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_i128(data->words, data->selection, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

void bench_hash_i128(struct bench *bench) {
    bench_add(bench, "", run_hash_i128, BENCH_ROWS * 16, BENCH_ROWS);
    bench_add(bench, "nulls", run_hash_i128_nulls, BENCH_ROWS * 16, BENCH_ROWS);
}

static size_t run_hash_string(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_string(data->strings, NULL, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

static size_t run_hash_string_nulls(const struct oriel_kernels *kernels,
                                    const struct bench_data *data, struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->hash_string(data->strings, data->selection, BENCH_ROWS, ORIEL_HASH_SET, out);
    return BENCH_ROWS * sizeof *out;
}

void bench_hash_string(struct bench *bench) {
    bench_add(bench, "", run_hash_string, BENCH_ROWS * 16, BENCH_ROWS);
    bench_add(bench, "nulls", run_hash_string_nulls, BENCH_ROWS * 16, BENCH_ROWS);
}

static size_t run_compare_i32(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    uint8_t *const out = (uint8_t *)output->out;
    kernels->compare_i32(ORIEL_COMPARE_LE, data->values_i32, (const int32_t *)data->groups,
                         BENCH_ROWS, out);
    return BENCH_ROWS;
}

void bench_compare_i32(struct bench *bench) {
    bench_add(bench, "", run_compare_i32, 2 * BENCH_ROWS * 4, BENCH_ROWS);
}

static size_t run_compare_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    uint8_t *const out = (uint8_t *)output->out;
    kernels->compare_i64(ORIEL_COMPARE_LE, data->values_i64, data->other_i64, BENCH_ROWS, out);
    return BENCH_ROWS;
}

void bench_compare_i64(struct bench *bench) {
    bench_add(bench, "", run_compare_i64, 2 * BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_compare_f64(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    uint8_t *const out = (uint8_t *)output->out;
    kernels->compare_f64(ORIEL_COMPARE_LE, data->values_f64, data->other_f64, BENCH_ROWS, out);
    return BENCH_ROWS;
}

void bench_compare_f64(struct bench *bench) {
    bench_add(bench, "", run_compare_f64, 2 * BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_compare_constant_i32(const struct oriel_kernels *kernels,
                                       const struct bench_data *data, struct bench_output *output) {
    uint8_t *const out = (uint8_t *)output->out;
    kernels->compare_constant_i32(ORIEL_COMPARE_GT, data->values_i32, 1000, BENCH_ROWS, out);
    return BENCH_ROWS;
}

void bench_compare_constant_i32(struct bench *bench) {
    bench_add(bench, "", run_compare_constant_i32, BENCH_ROWS * 4, BENCH_ROWS);
}

static size_t run_compare_constant_i64(const struct oriel_kernels *kernels,
                                       const struct bench_data *data, struct bench_output *output) {
    uint8_t *const out = (uint8_t *)output->out;
    kernels->compare_constant_i64(ORIEL_COMPARE_GT, data->values_i64, 1000, BENCH_ROWS, out);
    return BENCH_ROWS;
}

void bench_compare_constant_i64(struct bench *bench) {
    bench_add(bench, "", run_compare_constant_i64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_compare_constant_f64(const struct oriel_kernels *kernels,
                                       const struct bench_data *data, struct bench_output *output) {
    uint8_t *const out = (uint8_t *)output->out;
    kernels->compare_constant_f64(ORIEL_COMPARE_GT, data->values_f64, 1000, BENCH_ROWS, out);
    return BENCH_ROWS;
}

void bench_compare_constant_f64(struct bench *bench) {
    bench_add(bench, "", run_compare_constant_f64, BENCH_ROWS * 8, BENCH_ROWS);
}
