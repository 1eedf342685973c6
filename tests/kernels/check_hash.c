/* Checks of the hashes: equal to the reference, and good enough: the bits of small numbers spread.
 */
#include "tests/kernels/check.h"

#include <string.h>

enum { SLOT_VALUES, SLOT_VALID, SLOT_OUT_A, SLOT_OUT_B, SLOT_BYTES };

typedef void hash_function(const struct oriel_kernels *kernels, const void *values,
                           const uint64_t *valid, size_t count, enum oriel_hash_mode mode,
                           uint64_t *hash);

static void compare_hashes(struct check *check, hash_function *hash, const void *values,
                           size_t count) {
    const uint64_t *valid;
    for (size_t nulls = 0; check_validity(check, SLOT_VALID, nulls, count, &valid); nulls++) {
        uint64_t *const want = check_place(check, SLOT_OUT_A, count * sizeof *want, 0);
        uint64_t *const have = check_place(check, SLOT_OUT_B, count * sizeof *have, 0);
        hash(check->reference, values, valid, count, ORIEL_HASH_SET, want);
        hash(check->tested, values, valid, count, ORIEL_HASH_SET, have);
        check_same(check, "hash", count, want, have, sizeof *want, count);
        hash(check->reference, values, valid, count, ORIEL_HASH_COMBINE, want);
        hash(check->tested, values, valid, count, ORIEL_HASH_COMBINE, have);
        check_same(check, "combined hash", count, want, have, sizeof *want, count);
    }
}

static void hash_i32(const struct oriel_kernels *kernels, const void *values, const uint64_t *valid,
                     size_t count, enum oriel_hash_mode mode, uint64_t *hash) {
    kernels->hash_i32(values, valid, count, mode, hash);
}

static void hash_i64(const struct oriel_kernels *kernels, const void *values, const uint64_t *valid,
                     size_t count, enum oriel_hash_mode mode, uint64_t *hash) {
    kernels->hash_i64(values, valid, count, mode, hash);
}

static void hash_i128(const struct oriel_kernels *kernels, const void *values,
                      const uint64_t *valid, size_t count, enum oriel_hash_mode mode,
                      uint64_t *hash) {
    kernels->hash_i128(values, valid, count, mode, hash);
}

static void hash_string(const struct oriel_kernels *kernels, const void *values,
                        const uint64_t *valid, size_t count, enum oriel_hash_mode mode,
                        uint64_t *hash) {
    kernels->hash_string(values, valid, count, mode, hash);
}

/* 4096 neighbouring numbers must fill 256 buckets, by the top as by the low bits, about evenly: 16
 * each with a deviation of 4, so 48 is eight deviations off. */
static void check_spread(struct check *check, const uint64_t *hash, size_t count) {
    unsigned low[256] = {0};
    unsigned top[256] = {0};
    for (size_t i = 0; i < count; i++) {
        low[hash[i] & 0xFF]++;
        top[hash[i] >> 56]++;
    }
    for (size_t b = 0; b < 256; b++) {
        check_same_number(check, "low bits crowd", b, 1, low[b] < 48);
        check_same_number(check, "top bits crowd", b, 1, top[b] < 48);
    }
}

void check_hash_i32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int32_t *values;
        for (size_t kind = 0; (values = check_i32(check, SLOT_VALUES, kind, count)); kind++)
            compare_hashes(check, hash_i32, values, count);
    }
    const int32_t narrow[4] = {0, -1, INT32_MIN, 12345};
    const int64_t wide[4] = {0, -1, INT32_MIN, 12345};
    uint64_t want[4];
    uint64_t have[4];
    check->tested->hash_i64(wide, NULL, 4, ORIEL_HASH_SET, want);
    check->tested->hash_i32(narrow, NULL, 4, ORIEL_HASH_SET, have);
    check_same(check, "hash of the widened value", 4, want, have, sizeof want[0], 4);
}

void check_hash_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, count)); kind++)
            compare_hashes(check, hash_i64, values, count);
    }
    enum { NUMBERS = 4096 };
    static const int64_t strides[] = {1, 1000, 1 << 16, INT64_C(1) << 40};
    int64_t *const values = check_place(check, SLOT_VALUES, NUMBERS * sizeof *values, 0);
    uint64_t *const hash = check_place(check, SLOT_OUT_A, NUMBERS * sizeof *hash, 0);
    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
        for (int64_t i = 0; i < NUMBERS; i++)
            values[i] = i * strides[s];
        check->tested->hash_i64(values, NULL, NUMBERS, ORIEL_HASH_SET, hash);
        check_spread(check, hash, NUMBERS);
    }
}

void check_hash_i128(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        if (2 * count > CHECK_ROWS_MAX)
            count = CHECK_ROWS_MAX / 2;
        for (size_t kind = 0; (values = check_i64(check, SLOT_VALUES, kind, 2 * count)); kind++)
            compare_hashes(check, hash_i128, values, count);
    }
}

/* Strings whose bytes, when long, end at a guard page: hashing must not read past them. */
static const struct oriel_kernel_string *random_strings(struct check *check, size_t count) {
    enum { BYTES = 128 };
    char *const bytes = check_place(check, SLOT_BYTES, BYTES, 0);
    struct oriel_kernel_string *const strings =
        check_place(check, SLOT_VALUES, count * sizeof *strings, 0);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (char)check_random(check);
    if (count > 0)
        memset(strings, 0, count * sizeof *strings);
    for (size_t i = 0; i < count; i++) {
        const size_t length = check_below(check, check_below(check, 2) == 0 ? 14 : BYTES + 1);
        const char *const from = bytes + BYTES - length;
        strings[i].length = (uint32_t)length;
        if (length > ORIEL_KERNEL_STRING_INLINE) {
            memcpy(strings[i].prefix, from, 4);
            strings[i].tail.pointer = from;
            continue;
        }
        memcpy(strings[i].prefix, from, length < 4 ? length : 4);
        if (length > 4)
            memcpy(strings[i].tail.inlined, from + 4, length - 4);
    }
    return strings;
}

void check_hash_string(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++)
        compare_hashes(check, hash_string, random_strings(check, count), count);

    /* The hash is of the bytes, not of where they lie. */
    const char a[] = "thirteen bytes and more";
    const char b[] = "thirteen bytes and more";
    struct oriel_kernel_string strings[2] = {{.length = sizeof a - 1, .tail.pointer = a},
                                             {.length = sizeof b - 1, .tail.pointer = b}};
    uint64_t hash[2];
    memcpy(strings[0].prefix, a, 4);
    memcpy(strings[1].prefix, b, 4);
    check->tested->hash_string(strings, NULL, 2, ORIEL_HASH_SET, hash);
    check_same_number(check, "hash by content", 2, hash[0], hash[1]);
}
