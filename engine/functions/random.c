/*
 * Functions that differ from row to row: RAND, RAND_INTEGER, UUID. With a seed, RAND gives Java's
 * sequence by the place of a row in the input, so it does not depend on threads or batches.
 */
#include <stdio.h>
#include <sys/random.h>

#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"

#define JAVA_MULTIPLIER UINT64_C(0x5DEECE66D)
#define JAVA_MASK ((UINT64_C(1) << 48) - 1)

/* State of a generator after `steps` more steps, by squaring the step. */
static uint64_t java_jump(uint64_t state, uint64_t steps) {
    uint64_t multiplier = JAVA_MULTIPLIER, addend = 11;
    for (; steps; steps >>= 1) {
        if (steps & 1)
            state = (state * multiplier + addend) & JAVA_MASK;
        addend = addend * (multiplier + 1);
        multiplier *= multiplier;
    }
    return state;
}

static uint32_t java_next(uint64_t *state, unsigned bits) {
    *state = (*state * JAVA_MULTIPLIER + 11) & JAVA_MASK;
    return (uint32_t)(*state >> (48 - bits));
}

static double java_double(uint64_t *state) {
    const uint64_t high = java_next(state, 26);
    return (double)((high << 27) + java_next(state, 27)) * 0x1.0p-53;
}

/* 0 .. bound - 1; takes more than one step only where one would not be fair. */
static int32_t java_integer(uint64_t *state, int32_t bound) {
    const uint32_t range = (uint32_t)bound;
    uint32_t bits = java_next(state, 31);
    if ((range & (range - 1)) == 0)
        return (int32_t)((uint64_t)range * bits >> 31);
    while (bits - bits % range + (range - 1) > INT32_MAX)
        bits = java_next(state, 31);
    return (int32_t)(bits % range);
}

/* A generator for calls without a seed, one an evaluator. */
static enum oriel_status open_generator(const struct oriel_call *call,
                                        const struct oriel_runtime *runtime, void **local,
                                        struct oriel_error *error) {
    (void)call;
    uint64_t *state = oriel_memory_allocate(runtime->memory, sizeof *state);
    *local = state;
    if (!state)
        return oriel_error_memory(error);
    if (getrandom(state, sizeof *state, GRND_NONBLOCK) != (ssize_t)sizeof *state)
        *state = (uint64_t)runtime->start_ms ^ (uint64_t)(uintptr_t)state;
    return ORIEL_OK;
}

static void close_generator(const struct oriel_call *call, const struct oriel_runtime *runtime,
                            void *local) {
    (void)call;
    oriel_memory_release(runtime->memory, local, sizeof(uint64_t));
}

static const struct oriel_function_local generator = {open_generator, close_generator};

/* splitmix64 by Sebastiano Vigna */
static uint64_t split_mix(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t seeded(const struct oriel_column *seeds, const struct oriel_evaluation *evaluation,
                       size_t row, unsigned steps_per_row) {
    const uint64_t seed = (uint64_t)(int64_t)oriel_i32_at(seeds, row);
    return java_jump((seed ^ JAVA_MULTIPLIER) & JAVA_MASK,
                     steps_per_row * (evaluation->first_row + row));
}

static enum oriel_status rand_double(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++) {
        if (call->argument_count == 0) {
            to[row] = (double)(split_mix(evaluation->local) >> 11) * 0x1.0p-53;
        } else {
            uint64_t state = seeded(&arguments[0], evaluation, row, 2);
            to[row] = java_double(&state);
        }
    }
    return ORIEL_OK;
}

/* ([seed,] bound) */
static enum oriel_status rand_integer(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    const struct oriel_column *bounds = &arguments[call->argument_count - 1];
    for (size_t row = 0; row < row_count; row++) {
        oriel_i32_set(out, row, 0);
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const int32_t bound = oriel_i32_at(bounds, row);
        if (bound <= 0)
            return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                                  "RAND_INTEGER: the bound must be positive, got %d", bound);
        uint64_t state = call->argument_count > 1 ? seeded(&arguments[0], evaluation, row, 1)
                                                  : split_mix(evaluation->local) & JAVA_MASK;
        oriel_i32_set(out, row, java_integer(&state, bound));
    }
    return ORIEL_OK;
}

/* Version 4: random but for the version and variant bits. */
static enum oriel_status uuid(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                              const struct oriel_column *arguments, size_t row_count,
                              struct oriel_column *out) {
    (void)arguments;
    for (size_t row = 0; row < row_count; row++) {
        const uint64_t high = split_mix(evaluation->local), low = split_mix(evaluation->local);
        char text[40];
        const int length =
            snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(high >> 32),
                     (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xfff),
                     (unsigned)(low >> 48 & 0x3fff) | 0x8000,
                     (unsigned long long)(low & UINT64_C(0xffffffffffff)));
        ORIEL_TRY(oriel_text_set(call, evaluation, out, row, text, (size_t)length));
    }
    return ORIEL_OK;
}

static enum oriel_status bind_rand(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "i", "'RAND([<INT>])'", error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_DOUBLE), rand_double);
}

static enum oriel_status bind_rand_integer(struct oriel_binding *binding,
                                           struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "i", "'RAND_INTEGER([<INT>,] <INT>)'", error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_INT), rand_integer);
}

static enum oriel_status bind_uuid(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_CHAR);
    type.length = 36;
    return oriel_bind_result(binding, type, uuid);
}

static const struct oriel_function rows[] = {
    {"RAND", 0, 1, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_VOLATILE, bind_rand, &generator},
    {"RAND_INTEGER", 1, 2, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_VOLATILE, bind_rand_integer,
     &generator},
    {"UUID", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_VOLATILE, bind_uuid, &generator},
};

const struct oriel_function_group oriel_functions_random = {rows, sizeof rows / sizeof rows[0]};
