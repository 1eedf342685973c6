/* Inputs against guard pages, and the comparison of outputs, for the checks of all kernels. */
#include "tests/kernels/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOT_BYTES = 1 << 18, PRINTED_FAILURES = 3 };

/* splitmix64: any seed will do, also 0. */
uint64_t check_random(struct check *check) {
    uint64_t z = check->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint64_t check_below(struct check *check, uint64_t bound) {
    return check_random(check) % bound;
}

int check_count(size_t step, size_t *count) {
    static const size_t large[] = {191, 192, 200, 1000, CHECK_ROWS_MAX};
    enum { SMALL = 2 * CHECK_WIDEST_LANES + 2 };
    if (step >= SMALL + sizeof large / sizeof large[0])
        return 0;
    *count = step < SMALL ? step : large[step - SMALL];
    return 1;
}

static char *map_slot(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const base =
        mmap(NULL, SLOT_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + SLOT_BYTES, page, PROT_NONE) != 0) {
        perror("check_kernels: mmap");
        exit(2);
    }
    return base;
}

void *check_place(struct check *check, int slot, size_t size, size_t padding) {
    static char *slots[CHECK_SLOT_COUNT];
    if (slots[slot] == NULL)
        slots[slot] = map_slot();
    if (size + padding > SLOT_BYTES) {
        fprintf(stderr, "check_kernels: %s wants a buffer of %zu bytes\n", check->kernel, size);
        exit(2);
    }
    char *const start = slots[slot] + SLOT_BYTES - padding - size;
    memset(start, 0xA0 + slot, size);
    for (size_t i = 0; i < padding; i++)
        start[size + i] = "0123456789,\n\"\r \xC3"[check_below(check, 16)];
    return start;
}

int check_validity(struct check *check, int slot, size_t kind, size_t count,
                   const uint64_t **valid) {
    *valid = NULL;
    if (kind == 0)
        return 1;
    uint64_t *const words = check_place(check, slot, check_words(count) * sizeof *words, 0);
    for (size_t i = 0; i < check_words(count); i++) {
        const uint64_t a = check_random(check);
        const uint64_t few = a & check_random(check) & check_random(check) & check_random(check);
        switch (kind) {
        case 1: words[i] = ~UINT64_C(0); break;
        case 2: words[i] = 0; break;
        case 3: words[i] = a; break;
        case 4: words[i] = ~few; break;
        case 5: words[i] = few; break;
        default: return 0;
        }
    }
    if (count % 64 != 0) {
        const uint64_t used = (UINT64_C(1) << (count % 64)) - 1;
        words[count / 64] = (words[count / 64] & used) | (check_random(check) & ~used);
    }
    *valid = words;
    return kind <= 5;
}

int64_t *check_i64(struct check *check, int slot, size_t kind, size_t count) {
    static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN, -1,           0,
                                       1,         INT32_MAX,     INT64_MAX, INT64_MAX - 1};
    if (kind > 4)
        return NULL;
    int64_t *const values = check_place(check, slot, count * sizeof *values, 0);
    int64_t running = (int64_t)check_below(check, 1000) - 500;
    const int64_t equal = (int64_t)check_random(check);
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = check_random(check);
        running += (int64_t)(random % 16 == 0 ? random >> 50 : random % 8);
        switch (kind) {
        case 0: values[i] = (int64_t)random; break;
        case 1: values[i] = extremes[random % 9]; break;
        case 2: values[i] = (int64_t)(random % 7) - 3; break;
        case 3: values[i] = running; break;
        default: values[i] = equal; break;
        }
    }
    return values;
}

int32_t *check_i32(struct check *check, int slot, size_t kind, size_t count) {
    const int64_t *const wide = check_i64(check, slot, kind, count);
    if (wide == NULL)
        return NULL;
    static int32_t narrow[CHECK_ROWS_MAX];
    for (size_t i = 0; i < count; i++) {
        const int clamps = kind == 1;
        narrow[i] = clamps && wide[i] > INT32_MAX   ? INT32_MAX
                    : clamps && wide[i] < INT32_MIN ? INT32_MIN
                                                    : (int32_t)(uint32_t)(uint64_t)wide[i];
    }
    int32_t *const values = check_place(check, slot, count * sizeof *values, 0);
    if (count > 0)
        memcpy(values, narrow, count * sizeof *values);
    return values;
}

double *check_f64(struct check *check, int slot, size_t kind, size_t count) {
    const double extremes[] = {-INFINITY, INFINITY, (double)NAN, -(double)NAN, 0.0,
                               -0.0,      1.0,      -1.0,        5e-324,       -1.7e308};
    if (kind > 2)
        return NULL;
    double *const values = check_place(check, slot, count * sizeof *values, 0);
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = check_random(check);
        if (kind == 0)
            memcpy(&values[i], &random, sizeof values[i]);
        else if (kind == 1)
            values[i] = extremes[random % 10];
        else
            values[i] = (double)(random % 7) - 3;
    }
    return values;
}

/* Returns whether the failure is among the first few, which are printed. */
static int report(struct check *check, const char *what, size_t count) {
    if (check->failures++ >= PRINTED_FAILURES)
        return 0;
    printf("FAIL %s/%s seed %" PRIu64 ": %s differs, case of %zu", check->kernel, check->isa,
           check->seed, what, count);
    return 1;
}

static void print_bytes(const char *label, const unsigned char *bytes, size_t size) {
    printf(" %s 0x", label);
    for (size_t i = size; i > 0; i--)
        printf("%02x", bytes[i - 1]);
}

int check_same(struct check *check, const char *what, size_t count, const void *expected,
               const void *actual, size_t element_size, size_t element_count) {
    if (element_count == 0 || memcmp(expected, actual, element_size * element_count) == 0)
        return 1;
    const unsigned char *want = expected;
    const unsigned char *have = actual;
    size_t i = 0;
    while (memcmp(want, have, element_size) == 0) {
        want += element_size;
        have += element_size;
        i++;
    }
    if (!report(check, what, count))
        return 0;
    printf(", first at %zu:", i);
    print_bytes("expected", want, element_size);
    print_bytes("actual", have, element_size);
    printf("\n");
    return 0;
}

int check_same_number(struct check *check, const char *what, size_t count, uint64_t expected,
                      uint64_t actual) {
    if (expected == actual)
        return 1;
    if (report(check, what, count))
        printf(": expected %" PRIu64 " actual %" PRIu64 "\n", expected, actual);
    return 0;
}
