/* Benchmarks of the CSV kernels. Bytes are those of the whole text for the scans, of the decoded
 * column for the decoders. */
#include "bench/kernels/bench.h"

#include <string.h>

static size_t run_csv_index(const struct oriel_kernels *kernels, const struct bench_data *data,
                            struct bench_output *output) {
    uint32_t *const positions = (uint32_t *)(void *)output->out;
    uint32_t *const record_ends = (uint32_t *)(void *)output->scratch;
    struct oriel_csv_index index;
    kernels->csv_index(data->text, data->text_length, ',', '"', positions, record_ends, &index);
    return (size_t)index.position_count * sizeof *positions;
}

void bench_csv_index(struct bench *bench) {
    bench_add(bench, "", run_csv_index, bench->data->text_length, BENCH_RECORDS);
}

static size_t run_csv_index_quoted_quotes(const struct oriel_kernels *kernels,
                                          const struct bench_data *data,
                                          struct bench_output *output) {
    uint32_t *const positions = (uint32_t *)(void *)output->out;
    uint32_t *const record_ends = (uint32_t *)(void *)output->scratch;
    struct oriel_csv_index index;
    kernels->csv_index_quoted(data->quoted_text, data->quoted_length, ',', '"',
                              ORIEL_CSV_FIELD_START, positions, record_ends, &index);
    return (size_t)index.position_count * sizeof *positions;
}

static size_t run_csv_index_quoted_plain(const struct oriel_kernels *kernels,
                                         const struct bench_data *data,
                                         struct bench_output *output) {
    uint32_t *const positions = (uint32_t *)(void *)output->out;
    uint32_t *const record_ends = (uint32_t *)(void *)output->scratch;
    struct oriel_csv_index index;
    kernels->csv_index_quoted(data->text, data->text_length, ',', '"', ORIEL_CSV_FIELD_START,
                              positions, record_ends, &index);
    return (size_t)index.position_count * sizeof *positions;
}

void bench_csv_index_quoted(struct bench *bench) {
    bench_add(bench, "quotes", run_csv_index_quoted_quotes, bench->data->quoted_length,
              BENCH_RECORDS);
    bench_add(bench, "plain", run_csv_index_quoted_plain, bench->data->text_length, BENCH_RECORDS);
}

static size_t run_utf8_validate_ascii(const struct oriel_kernels *kernels,
                                      const struct bench_data *data, struct bench_output *output) {
    const size_t valid = kernels->utf8_validate(data->text, data->text_length);
    memcpy(output->out, &valid, sizeof valid);
    return sizeof valid;
}

static size_t run_utf8_validate_accented(const struct oriel_kernels *kernels,
                                         const struct bench_data *data,
                                         struct bench_output *output) {
    const size_t valid = kernels->utf8_validate(data->accented_text, data->accented_length);
    memcpy(output->out, &valid, sizeof valid);
    return sizeof valid;
}

void bench_utf8_validate(struct bench *bench) {
    bench_add(bench, "ascii", run_utf8_validate_ascii, bench->data->text_length, BENCH_RECORDS);
    bench_add(bench, "accented", run_utf8_validate_accented, bench->data->accented_length,
              BENCH_RECORDS);
}

static size_t run_csv_i32(const struct oriel_kernels *kernels, const struct bench_data *data,
                          struct bench_output *output) {
    int32_t *const out = (int32_t *)(void *)output->out;
    uint64_t *const slow = (uint64_t *)(void *)output->scratch;
    kernels->csv_i32(data->text, data->positions + 2, BENCH_COLUMNS, BENCH_RECORDS, out, slow);
    return BENCH_RECORDS * sizeof *out;
}

void bench_csv_i32(struct bench *bench) {
    bench_add(bench, "", run_csv_i32, BENCH_RECORDS * 4, BENCH_RECORDS);
}

static size_t run_csv_i64(const struct oriel_kernels *kernels, const struct bench_data *data,
                          struct bench_output *output) {
    int64_t *const out = (int64_t *)(void *)output->out;
    uint64_t *const slow = (uint64_t *)(void *)output->scratch;
    kernels->csv_i64(data->text, data->positions + 0, BENCH_COLUMNS, BENCH_RECORDS, out, slow);
    return BENCH_RECORDS * sizeof *out;
}

void bench_csv_i64(struct bench *bench) {
    bench_add(bench, "", run_csv_i64, BENCH_RECORDS * 8, BENCH_RECORDS);
}

static size_t run_csv_timestamp_ms(const struct oriel_kernels *kernels,
                                   const struct bench_data *data, struct bench_output *output) {
    int64_t *const out = (int64_t *)(void *)output->out;
    uint64_t *const slow = (uint64_t *)(void *)output->scratch;
    kernels->csv_timestamp_ms(data->text, data->positions + 3, BENCH_COLUMNS, BENCH_RECORDS,
                              ORIEL_CSV_ZONE_NONE, out, slow);
    return BENCH_RECORDS * sizeof *out;
}

void bench_csv_timestamp_ms(struct bench *bench) {
    bench_add(bench, "", run_csv_timestamp_ms, BENCH_RECORDS * 8, BENCH_RECORDS);
}

static size_t run_csv_string(const struct oriel_kernels *kernels, const struct bench_data *data,
                             struct bench_output *output) {
    struct oriel_kernel_string *const out = (struct oriel_kernel_string *)(void *)output->out;
    uint64_t *const slow = (uint64_t *)(void *)output->scratch;
    kernels->csv_string(data->text, data->positions + 1, BENCH_COLUMNS, BENCH_RECORDS, '"', out,
                        slow);
    return BENCH_RECORDS * sizeof *out;
}

void bench_csv_string(struct bench *bench) {
    bench_add(bench, "", run_csv_string, BENCH_RECORDS * 16, BENCH_RECORDS);
}
