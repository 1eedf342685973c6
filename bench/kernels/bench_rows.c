/* Benchmarks of the kernels on selections, groups and order. Bytes are those of the input. */
#include "bench/kernels/bench.h"

#include <string.h>

static size_t run_bytes_to_bits(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->bytes_to_bits(data->bytes, data->selection, BENCH_ROWS, out);
    return BENCH_ROWS / 8;
}

void bench_bytes_to_bits(struct bench *bench) {
    bench_add(bench, "", run_bytes_to_bits, BENCH_ROWS, BENCH_ROWS);
}

static size_t run_count_bits(const struct oriel_kernels *kernels, const struct bench_data *data,
                             struct bench_output *output) {
    const size_t set = kernels->count_bits(data->selection, BENCH_ROWS);
    memcpy(output->out, &set, sizeof set);
    return sizeof set;
}

void bench_count_bits(struct bench *bench) {
    bench_add(bench, "", run_count_bits, BENCH_ROWS / 8, BENCH_ROWS);
}

static size_t run_select_indices(const struct oriel_kernels *kernels, const struct bench_data *data,
                                 struct bench_output *output) {
    uint32_t *const out = (uint32_t *)(void *)output->out;
    return kernels->select_indices(data->selection, BENCH_ROWS, out) * sizeof *out;
}

void bench_select_indices(struct bench *bench) {
    bench_add(bench, "", run_select_indices, BENCH_ROWS / 8, BENCH_ROWS);
}

static size_t run_gather_8(const struct oriel_kernels *kernels, const struct bench_data *data,
                           struct bench_output *output) {
    uint8_t *const out = (uint8_t *)(void *)output->out;
    kernels->gather_8(data->bytes, data->indices, BENCH_ROWS / 4, out);
    return BENCH_ROWS / 4 * 8 / 8;
}

void bench_gather_8(struct bench *bench) {
    bench_add(bench, "", run_gather_8, BENCH_ROWS / 4 * 8 / 8, BENCH_ROWS / 4);
}

static size_t run_gather_16(const struct oriel_kernels *kernels, const struct bench_data *data,
                            struct bench_output *output) {
    uint16_t *const out = (uint16_t *)(void *)output->out;
    kernels->gather_16((const uint16_t *)data->values_i32, data->indices, BENCH_ROWS / 4, out);
    return BENCH_ROWS / 4 * 16 / 8;
}

void bench_gather_16(struct bench *bench) {
    bench_add(bench, "", run_gather_16, BENCH_ROWS / 4 * 16 / 8, BENCH_ROWS / 4);
}

static size_t run_gather_32(const struct oriel_kernels *kernels, const struct bench_data *data,
                            struct bench_output *output) {
    uint32_t *const out = (uint32_t *)(void *)output->out;
    kernels->gather_32((const uint32_t *)data->values_i32, data->indices, BENCH_ROWS / 4, out);
    return BENCH_ROWS / 4 * 32 / 8;
}

void bench_gather_32(struct bench *bench) {
    bench_add(bench, "", run_gather_32, BENCH_ROWS / 4 * 32 / 8, BENCH_ROWS / 4);
}

static size_t run_gather_64(const struct oriel_kernels *kernels, const struct bench_data *data,
                            struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->gather_64(data->words, data->indices, BENCH_ROWS / 4, out);
    return BENCH_ROWS / 4 * 64 / 8;
}

void bench_gather_64(struct bench *bench) {
    bench_add(bench, "", run_gather_64, BENCH_ROWS / 4 * 64 / 8, BENCH_ROWS / 4);
}

static size_t run_gather_128(const struct oriel_kernels *kernels, const struct bench_data *data,
                             struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->gather_128(data->words, data->indices, BENCH_ROWS / 4, out);
    return BENCH_ROWS / 4 * 128 / 8;
}

void bench_gather_128(struct bench *bench) {
    bench_add(bench, "", run_gather_128, BENCH_ROWS / 4 * 128 / 8, BENCH_ROWS / 4);
}

static size_t run_gather_bits(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->gather_bits(data->selection, data->indices, BENCH_ROWS / 4, out);
    return BENCH_ROWS / 4 / 8;
}

void bench_gather_bits(struct bench *bench) {
    bench_add(bench, "", run_gather_bits, BENCH_ROWS / 4 / 8, BENCH_ROWS / 4);
}

static size_t run_group_count(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    kernels->group_count(data->groups, NULL, BENCH_ROWS, output->out, 16);
    return BENCH_GROUPS * 16;
}

static size_t run_group_count_nulls(const struct oriel_kernels *kernels,
                                    const struct bench_data *data, struct bench_output *output) {
    kernels->group_count(data->groups, data->selection, BENCH_ROWS, output->out, 16);
    return BENCH_GROUPS * 16;
}

void bench_group_count(struct bench *bench) {
    bench_add(bench, "", run_group_count, BENCH_ROWS * 4, BENCH_ROWS);
    bench_add(bench, "nulls", run_group_count_nulls, BENCH_ROWS * 4, BENCH_ROWS);
}

static size_t run_group_sum_i32(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    kernels->group_sum_i32(data->groups, data->values_i32, NULL, BENCH_ROWS, output->out, 16);
    return BENCH_GROUPS * 16;
}

static size_t run_group_sum_i32_nulls(const struct oriel_kernels *kernels,
                                      const struct bench_data *data, struct bench_output *output) {
    kernels->group_sum_i32(data->groups, data->values_i32, data->selection, BENCH_ROWS, output->out,
                           16);
    return BENCH_GROUPS * 16;
}

void bench_group_sum_i32(struct bench *bench) {
    bench_add(bench, "", run_group_sum_i32, BENCH_ROWS * 8, BENCH_ROWS);
    bench_add(bench, "nulls", run_group_sum_i32_nulls, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_group_sum_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    kernels->group_sum_i64(data->groups, data->values_i64, NULL, BENCH_ROWS, output->out, 16);
    return BENCH_GROUPS * 16;
}

static size_t run_group_sum_i64_nulls(const struct oriel_kernels *kernels,
                                      const struct bench_data *data, struct bench_output *output) {
    kernels->group_sum_i64(data->groups, data->values_i64, data->selection, BENCH_ROWS, output->out,
                           16);
    return BENCH_GROUPS * 16;
}

void bench_group_sum_i64(struct bench *bench) {
    bench_add(bench, "", run_group_sum_i64, BENCH_ROWS * 12, BENCH_ROWS);
    bench_add(bench, "nulls", run_group_sum_i64_nulls, BENCH_ROWS * 12, BENCH_ROWS);
}

static size_t run_group_place(const struct oriel_kernels *kernels, const struct bench_data *data,
                              struct bench_output *output) {
    uint8_t *const touched = (uint8_t *)output->scratch;
    uint32_t *const groups = (uint32_t *)(void *)output->out;
    const size_t size = BENCH_ROWS * sizeof *groups;
    memset(touched, 0, BENCH_GROUPS);
    kernels->group_place(data->groups, BENCH_ROWS, 0, touched, groups);
    return size;
}

void bench_group_place(struct bench *bench) {
    bench_add(bench, "", run_group_place, BENCH_ROWS * 4, BENCH_ROWS);
}

static size_t run_group_min_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    kernels->group_min_i64(data->groups, data->values_i64, NULL, BENCH_ROWS, output->out, 16);
    return BENCH_GROUPS * 16;
}

static size_t run_group_min_i64_nulls(const struct oriel_kernels *kernels,
                                      const struct bench_data *data, struct bench_output *output) {
    kernels->group_min_i64(data->groups, data->values_i64, data->selection, BENCH_ROWS, output->out,
                           16);
    return BENCH_GROUPS * 16;
}

void bench_group_min_i64(struct bench *bench) {
    bench_add(bench, "", run_group_min_i64, BENCH_ROWS * 12, BENCH_ROWS);
    bench_add(bench, "nulls", run_group_min_i64_nulls, BENCH_ROWS * 12, BENCH_ROWS);
}

static size_t run_group_max_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    kernels->group_max_i64(data->groups, data->values_i64, NULL, BENCH_ROWS, output->out, 16);
    return BENCH_GROUPS * 16;
}

static size_t run_group_max_i64_nulls(const struct oriel_kernels *kernels,
                                      const struct bench_data *data, struct bench_output *output) {
    kernels->group_max_i64(data->groups, data->values_i64, data->selection, BENCH_ROWS, output->out,
                           16);
    return BENCH_GROUPS * 16;
}

void bench_group_max_i64(struct bench *bench) {
    bench_add(bench, "", run_group_max_i64, BENCH_ROWS * 12, BENCH_ROWS);
    bench_add(bench, "nulls", run_group_max_i64_nulls, BENCH_ROWS * 12, BENCH_ROWS);
}

static size_t run_sum_i32(const struct oriel_kernels *kernels, const struct bench_data *data,
                          struct bench_output *output) {
    const int64_t sum = kernels->sum_i32(data->values_i32, NULL, BENCH_ROWS);
    memcpy(output->out, &sum, sizeof sum);
    return sizeof sum;
}

static size_t run_sum_i32_nulls(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    const int64_t sum = kernels->sum_i32(data->values_i32, data->selection, BENCH_ROWS);
    memcpy(output->out, &sum, sizeof sum);
    return sizeof sum;
}

void bench_sum_i32(struct bench *bench) {
    bench_add(bench, "", run_sum_i32, BENCH_ROWS * 4, BENCH_ROWS);
    bench_add(bench, "nulls", run_sum_i32_nulls, BENCH_ROWS * 4, BENCH_ROWS);
}

static size_t run_sum_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                          struct bench_output *output) {
    const int64_t sum = kernels->sum_i64(data->values_i64, NULL, BENCH_ROWS);
    memcpy(output->out, &sum, sizeof sum);
    return sizeof sum;
}

static size_t run_sum_i64_nulls(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    const int64_t sum = kernels->sum_i64(data->values_i64, data->selection, BENCH_ROWS);
    memcpy(output->out, &sum, sizeof sum);
    return sizeof sum;
}

void bench_sum_i64(struct bench *bench) {
    bench_add(bench, "", run_sum_i64, BENCH_ROWS * 8, BENCH_ROWS);
    bench_add(bench, "nulls", run_sum_i64_nulls, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_session_breaks_times(const struct oriel_kernels *kernels,
                                       const struct bench_data *data, struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->session_breaks(data->time, NULL, BENCH_ROWS, 200, out);
    return BENCH_ROWS / 8;
}

static size_t run_session_breaks_keys(const struct oriel_kernels *kernels,
                                      const struct bench_data *data, struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->session_breaks(data->time, data->keys, BENCH_ROWS, 200, out);
    return BENCH_ROWS / 8;
}

void bench_session_breaks(struct bench *bench) {
    bench_add(bench, "times", run_session_breaks_times, BENCH_ROWS * 8, BENCH_ROWS);
    bench_add(bench, "keys", run_session_breaks_keys, BENCH_ROWS * 12, BENCH_ROWS);
}

static size_t run_sorted_prefix_i64(const struct oriel_kernels *kernels,
                                    const struct bench_data *data, struct bench_output *output) {
    const size_t prefix = kernels->sorted_prefix_i64(data->time, BENCH_ROWS);
    memcpy(output->out, &prefix, sizeof prefix);
    return sizeof prefix;
}

void bench_sorted_prefix_i64(struct bench *bench) {
    bench_add(bench, "", run_sorted_prefix_i64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_radix_sort_u64_times(const struct oriel_kernels *kernels,
                                       const struct bench_data *data, struct bench_output *output) {
    uint64_t *const keys = (uint64_t *)(void *)output->out;
    uint32_t *const payload = (uint32_t *)(void *)(output->out + BENCH_ROWS * sizeof *keys);
    uint64_t *const scratch = (uint64_t *)(void *)output->scratch;
    memcpy(keys, data->shuffled, BENCH_ROWS * sizeof *keys);
    memcpy(payload, data->groups, BENCH_ROWS * sizeof *payload);
    kernels->radix_sort_u64(keys, payload, BENCH_ROWS, scratch, (uint32_t *)(scratch + BENCH_ROWS));
    return BENCH_ROWS * (sizeof *keys + sizeof *payload);
}

static size_t run_radix_sort_u64_random(const struct oriel_kernels *kernels,
                                        const struct bench_data *data,
                                        struct bench_output *output) {
    uint64_t *const keys = (uint64_t *)(void *)output->out;
    uint32_t *const payload = (uint32_t *)(void *)(output->out + BENCH_ROWS * sizeof *keys);
    uint64_t *const scratch = (uint64_t *)(void *)output->scratch;
    memcpy(keys, data->words, BENCH_ROWS * sizeof *keys);
    memcpy(payload, data->groups, BENCH_ROWS * sizeof *payload);
    kernels->radix_sort_u64(keys, payload, BENCH_ROWS, scratch, (uint32_t *)(scratch + BENCH_ROWS));
    return BENCH_ROWS * (sizeof *keys + sizeof *payload);
}

void bench_radix_sort_u64(struct bench *bench) {
    bench_add(bench, "times", run_radix_sort_u64_times, BENCH_ROWS * 12, BENCH_ROWS);
    bench_add(bench, "random", run_radix_sort_u64_random, BENCH_ROWS * 12, BENCH_ROWS);
}

static size_t run_partition_u64(const struct oriel_kernels *kernels, const struct bench_data *data,
                                struct bench_output *output) {
    uint32_t *const rows = (uint32_t *)(void *)output->out;
    uint32_t *const offsets = (uint32_t *)(void *)output->scratch;
    kernels->partition_u64(data->words, BENCH_ROWS, 6, offsets, rows);
    return BENCH_ROWS * sizeof *rows;
}

void bench_partition_u64(struct bench *bench) {
    bench_add(bench, "", run_partition_u64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_select_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                             struct bench_output *output) {
    uint32_t *const out = (uint32_t *)(void *)output->out;
    return kernels->select_i64(ORIEL_COMPARE_GT, data->values_i64, NULL, BENCH_ROWS, 490000, out) *
           sizeof *out;
}

void bench_select_i64(struct bench *bench) {
    bench_add(bench, "", run_select_i64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_select_f64(const struct oriel_kernels *kernels, const struct bench_data *data,
                             struct bench_output *output) {
    uint32_t *const out = (uint32_t *)(void *)output->out;
    return kernels->select_f64(ORIEL_COMPARE_GT, data->values_f64, NULL, BENCH_ROWS, 30000.0, out) *
           sizeof *out;
}

void bench_select_f64(struct bench *bench) {
    bench_add(bench, "", run_select_f64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_pack_u64(const struct oriel_kernels *kernels, const struct bench_data *data,
                           struct bench_output *output) {
    kernels->pack_u64(data->words, BENCH_ROWS, data->words[0], 4, output->out);
    return BENCH_ROWS * 4;
}

void bench_pack_u64(struct bench *bench) {
    bench_add(bench, "", run_pack_u64, BENCH_ROWS * 8, BENCH_ROWS);
}

static size_t run_unpack_u64(const struct oriel_kernels *kernels, const struct bench_data *data,
                             struct bench_output *output) {
    uint64_t *const out = (uint64_t *)(void *)output->out;
    kernels->unpack_u64(data->words, BENCH_ROWS, 7, 4, 1, out);
    return BENCH_ROWS * sizeof *out;
}

void bench_unpack_u64(struct bench *bench) {
    bench_add(bench, "", run_unpack_u64, BENCH_ROWS * 4, BENCH_ROWS);
}
