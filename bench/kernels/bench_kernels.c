/* Times every kernel on every instruction set of this CPU. Inputs are deterministic; each answer is
 * compared with the reference's before the clock runs. */
#include "bench/kernels/bench.h"
#include "bench/kernels/benchmark_shim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the registered function needs; lives until the program ends. */
struct registered {
    const struct oriel_kernels *kernels;
    const struct bench_data *data;
    struct bench_output *output;
    bench_body *body;
};

static void run_body(void *argument) {
    const struct registered *const r = argument;
    r->body(r->kernels, r->data, r->output);
}

static void *allocate(size_t size) {
    void *const memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory == NULL) {
        fprintf(stderr, "bench_kernels: out of memory\n");
        exit(2);
    }
    memset(memory, 0, size);
    return memory;
}

void bench_add(struct bench *bench, const char *variant, bench_body *body, size_t bytes,
               size_t items) {
    static struct bench_output *expected;
    if (expected == NULL)
        expected = allocate(sizeof *expected);
    memset(expected, 0, sizeof *expected);
    memset(bench->output, 0, sizeof *bench->output);
    const size_t want = body(oriel_isa_at(0)->kernels, bench->data, expected);
    const size_t have = body(bench->isa->kernels, bench->data, bench->output);
    if (want != have || memcmp(expected->out, bench->output->out, want) != 0) {
        fprintf(stderr, "bench_kernels: %s/%s gives another answer than the reference\n",
                bench->kernel, bench->isa->name);
        exit(1);
    }

    struct registered *const r = allocate(sizeof *r);
    *r = (struct registered){bench->isa->kernels, bench->data, bench->output, body};
    char name[96];
    snprintf(name, sizeof name, "%s%s%s/%s", bench->kernel, variant[0] != '\0' ? ":" : "", variant,
             bench->isa->name);
    benchmark_register(name, run_body, r, (int64_t)bytes, (int64_t)items);
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33 ^ *state;
}

static void make_text(struct bench_data *data) {
    uint64_t state = 7;
    size_t at = 0;
    size_t quoted = 0;
    size_t accented = 0;
    size_t position = 0;
    data->positions[position++] = UINT32_MAX;
    for (unsigned i = 0; i < BENCH_RECORDS; i++) {
        const unsigned shop = (unsigned)(next_random(&state) % 1000);
        const unsigned amount = (unsigned)(next_random(&state) % 100000);
        char tail[64];
        snprintf(tail, sizeof tail, "%u,2024-03-%02u %02u:%02u:%02u.%03u\n", amount, 1 + i / 3600,
                 i / 60 % 24, i % 60, i * 7 % 60, i * 13 % 1000);
        const size_t start = at;
        at += (size_t)snprintf(data->text + at, 64, "%u,shop_%04u,%s", 1000000 + i, shop, tail);
        quoted += (size_t)snprintf(data->quoted_text + quoted, 64, "%u,\"shop_%04u\",%s",
                                   1000000 + i, shop, tail);
        accented += (size_t)snprintf(data->accented_text + accented, 64,
                                     "%u,caf\xC3\xA9_\xE2\x82\xAC%04u,%s", 1000000 + i, shop, tail);
        for (size_t k = start; k < at; k++) {
            if (data->text[k] == ',' || data->text[k] == '\n')
                data->positions[position++] = (uint32_t)k;
        }
    }
    data->text_length = at;
    data->quoted_length = quoted;
    data->accented_length = accented;
}

static void make_columns(struct bench_data *data) {
    uint64_t state = 11;
    uint32_t session_key = 0;
    size_t selected = 0;
    for (size_t i = 0; i < BENCH_ROWS; i++) {
        const uint64_t random = next_random(&state);
        data->values_i32[i] = (int32_t)(random % 100000) - 50000;
        data->values_i64[i] = (int64_t)(random % 1000000) - 500000;
        data->other_i64[i] = (int64_t)(next_random(&state) % 1000000) - 500000;
        data->values_f64[i] = (double)data->values_i64[i] / 16;
        data->other_f64[i] = (double)data->other_i64[i] / 16;
        data->time[i] = INT64_C(1710000000000) + (int64_t)i * 250;
        data->shuffled[i] = INT64_C(1710000000000) + (int64_t)(random % 3600000);
        data->words[2 * i] = random;
        data->words[2 * i + 1] = next_random(&state);
        data->groups[i] = (uint32_t)(random % BENCH_GROUPS);
        session_key += random % 32 == 0;
        data->keys[i] = session_key;
        if (random >> 20 & 1 & (random >> 21)) {
            data->bytes[i] = 1;
            data->selection[i / 64] |= UINT64_C(1) << (i % 64);
            if (selected < BENCH_ROWS / 4)
                data->indices[selected++] = (uint32_t)i;
        }
        char shop[16];
        snprintf(shop, sizeof shop, "shop_%04u", (unsigned)(random % 1000));
        data->strings[i].length = 9;
        memcpy(data->strings[i].prefix, shop, 4);
        memcpy(data->strings[i].tail.inlined, shop + 4, 5);
    }
}

int main(int argc, char **argv) {
    struct bench_data *const data = allocate(sizeof *data);
    struct bench_output *const output = allocate(sizeof *output);
    make_text(data);
    make_columns(data);
#define KERNEL(name, return_type, parameters)                                                      \
    for (size_t i = 0; oriel_isa_at(i) != NULL; i++) {                                             \
        struct bench bench = {oriel_isa_at(i), #name, data, output};                               \
        if ((bench.isa->required & ~oriel_cpu_features()) == 0)                                    \
            bench_##name(&bench);                                                                  \
    }
#include "kernels/kernel_list.h"
#undef KERNEL
    return benchmark_run(argc, argv);
}
