/* Checks of comparisons, bitmaps and gathers. */
#include "tests/kernels/check.h"

#include <string.h>

enum { SLOT_LEFT, SLOT_RIGHT, SLOT_VALID, SLOT_OUT_A, SLOT_OUT_B, SLOT_INDICES };

enum { OPERATOR_COUNT = ORIEL_COMPARE_GE + 1, ROOM_AFTER = 64 };

struct byte_outputs {
    uint8_t *want;
    uint8_t *have;
};

static struct byte_outputs place_bytes(struct check *check, size_t size) {
    return (struct byte_outputs){check_place(check, SLOT_OUT_A, size, 0),
                                 check_place(check, SLOT_OUT_B, size, 0)};
}

void check_compare_i32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t kinds = 0; kinds < 25; kinds++) {
            const int32_t *const left = check_i32(check, SLOT_LEFT, kinds % 5, count);
            const int32_t *const right = check_i32(check, SLOT_RIGHT, kinds / 5, count);
            for (int op = 0; op < OPERATOR_COUNT; op++) {
                const struct byte_outputs out = place_bytes(check, count);
                check->reference->compare_i32((enum oriel_compare)op, left, right, count, out.want);
                check->tested->compare_i32((enum oriel_compare)op, left, right, count, out.have);
                check_same(check, "out", count, out.want, out.have, 1, count);
            }
        }
    }
}

void check_compare_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t kinds = 0; kinds < 25; kinds++) {
            const int64_t *const left = check_i64(check, SLOT_LEFT, kinds % 5, count);
            const int64_t *const right = check_i64(check, SLOT_RIGHT, kinds / 5, count);
            for (int op = 0; op < OPERATOR_COUNT; op++) {
                const struct byte_outputs out = place_bytes(check, count);
                check->reference->compare_i64((enum oriel_compare)op, left, right, count, out.want);
                check->tested->compare_i64((enum oriel_compare)op, left, right, count, out.have);
                check_same(check, "out", count, out.want, out.have, 1, count);
            }
        }
    }
}

void check_compare_f64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        for (size_t kinds = 0; kinds < 9; kinds++) {
            const double *const left = check_f64(check, SLOT_LEFT, kinds % 3, count);
            const double *const right = check_f64(check, SLOT_RIGHT, kinds / 3, count);
            for (int op = 0; op < OPERATOR_COUNT; op++) {
                const struct byte_outputs out = place_bytes(check, count);
                check->reference->compare_f64((enum oriel_compare)op, left, right, count, out.want);
                check->tested->compare_f64((enum oriel_compare)op, left, right, count, out.have);
                check_same(check, "out", count, out.want, out.have, 1, count);
            }
        }
    }
}

void check_compare_constant_i32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int32_t *values;
        for (size_t kind = 0; (values = check_i32(check, SLOT_LEFT, kind, count)); kind++) {
            for (int op = 0; op < OPERATOR_COUNT; op++) {
                const struct byte_outputs out = place_bytes(check, count);
                const int32_t bound = *check_i32(check, SLOT_RIGHT, (size_t)op % 5, 1);
                check->reference->compare_constant_i32((enum oriel_compare)op, values, bound, count,
                                                       out.want);
                check->tested->compare_constant_i32((enum oriel_compare)op, values, bound, count,
                                                    out.have);
                check_same(check, "out", count, out.want, out.have, 1, count);
            }
        }
    }
}

void check_compare_constant_i64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const int64_t *values;
        for (size_t kind = 0; (values = check_i64(check, SLOT_LEFT, kind, count)); kind++) {
            for (int op = 0; op < OPERATOR_COUNT; op++) {
                const struct byte_outputs out = place_bytes(check, count);
                const int64_t bound = *check_i64(check, SLOT_RIGHT, (size_t)op % 5, 1);
                check->reference->compare_constant_i64((enum oriel_compare)op, values, bound, count,
                                                       out.want);
                check->tested->compare_constant_i64((enum oriel_compare)op, values, bound, count,
                                                    out.have);
                check_same(check, "out", count, out.want, out.have, 1, count);
            }
        }
    }
}

void check_compare_constant_f64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const double *values;
        for (size_t kind = 0; (values = check_f64(check, SLOT_LEFT, kind, count)); kind++) {
            for (int op = 0; op < 3 * OPERATOR_COUNT; op++) {
                const struct byte_outputs out = place_bytes(check, count);
                const double bound = *check_f64(check, SLOT_RIGHT, (size_t)op / 6, 1);
                const enum oriel_compare compare = (enum oriel_compare)(op % OPERATOR_COUNT);
                check->reference->compare_constant_f64(compare, values, bound, count, out.want);
                check->tested->compare_constant_f64(compare, values, bound, count, out.have);
                check_same(check, "out", count, out.want, out.have, 1, count);
            }
        }
    }
}

void check_bytes_to_bits(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const uint64_t *valid;
        for (size_t nulls = 0; check_validity(check, SLOT_VALID, nulls, count, &valid); nulls++) {
            uint8_t *const bytes = check_place(check, SLOT_LEFT, count, 0);
            const uint64_t choices = 1 + check_below(check, 3);
            for (size_t i = 0; i < count; i++)
                bytes[i] = (uint8_t)(check_below(check, choices) * (1 + check_below(check, 255)));
            uint64_t *const want = check_place(check, SLOT_OUT_A, check_words(count) * 8, 0);
            uint64_t *const have = check_place(check, SLOT_OUT_B, check_words(count) * 8, 0);
            check_same_number(check, "returned", count,
                              check->reference->bytes_to_bits(bytes, valid, count, want),
                              check->tested->bytes_to_bits(bytes, valid, count, have));
            check_same(check, "selection", count, want, have, 8, check_words(count));
        }
    }
}

void check_count_bits(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const uint64_t *bits;
        for (size_t kind = 1; check_validity(check, SLOT_VALID, kind, count, &bits); kind++)
            check_same_number(check, "returned", count, check->reference->count_bits(bits, count),
                              check->tested->count_bits(bits, count));
    }
}

void check_select_indices(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const uint64_t *bits;
        for (size_t kind = 1; check_validity(check, SLOT_VALID, kind, count, &bits); kind++) {
            uint32_t *const want = check_place(check, SLOT_OUT_A, (count + ROOM_AFTER) * 4, 0);
            uint32_t *const have = check_place(check, SLOT_OUT_B, (count + ROOM_AFTER) * 4, 0);
            const size_t selected = check->reference->select_indices(bits, count, want);
            if (check_same_number(check, "returned", count, selected,
                                  check->tested->select_indices(bits, count, have)))
                check_same(check, "indices", count, want, have, 4, selected);
        }
    }
}

/* A source of `rows` elements of `size` bytes and indices that often repeat and name both ends. */
static const void *random_source(struct check *check, size_t rows, size_t size) {
    unsigned char *const values = check_place(check, SLOT_LEFT, rows * size, 0);
    for (size_t i = 0; i < rows * size; i++)
        values[i] = (unsigned char)check_random(check);
    return values;
}

static const uint32_t *random_indices(struct check *check, size_t count, size_t rows) {
    uint32_t *const indices = check_place(check, SLOT_INDICES, count * 4, 0);
    for (size_t i = 0; i < count; i++) {
        const uint64_t choice = check_below(check, 8);
        indices[i] = (uint32_t)(choice == 0   ? 0
                                : choice == 1 ? rows - 1
                                              : check_below(check, rows));
    }
    return indices;
}

enum { SOURCE_ROWS = 777 };

void check_gather_8(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const void *const values = random_source(check, SOURCE_ROWS, 1);
        const uint32_t *const indices = random_indices(check, count, SOURCE_ROWS);
        void *const want = check_place(check, SLOT_OUT_A, count, 0);
        void *const have = check_place(check, SLOT_OUT_B, count, 0);
        check->reference->gather_8(values, indices, count, want);
        check->tested->gather_8(values, indices, count, have);
        check_same(check, "out", count, want, have, 1, count);
    }
}

void check_gather_16(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const void *const values = random_source(check, SOURCE_ROWS, 2);
        const uint32_t *const indices = random_indices(check, count, SOURCE_ROWS);
        void *const want = check_place(check, SLOT_OUT_A, count * 2, 0);
        void *const have = check_place(check, SLOT_OUT_B, count * 2, 0);
        check->reference->gather_16(values, indices, count, want);
        check->tested->gather_16(values, indices, count, have);
        check_same(check, "out", count, want, have, 2, count);
    }
}

void check_gather_32(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const void *const values = random_source(check, SOURCE_ROWS, 4);
        const uint32_t *const indices = random_indices(check, count, SOURCE_ROWS);
        void *const want = check_place(check, SLOT_OUT_A, count * 4, 0);
        void *const have = check_place(check, SLOT_OUT_B, count * 4, 0);
        check->reference->gather_32(values, indices, count, want);
        check->tested->gather_32(values, indices, count, have);
        check_same(check, "out", count, want, have, 4, count);
    }
}

void check_gather_64(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const void *const values = random_source(check, SOURCE_ROWS, 8);
        const uint32_t *const indices = random_indices(check, count, SOURCE_ROWS);
        void *const want = check_place(check, SLOT_OUT_A, count * 8, 0);
        void *const have = check_place(check, SLOT_OUT_B, count * 8, 0);
        check->reference->gather_64(values, indices, count, want);
        check->tested->gather_64(values, indices, count, have);
        check_same(check, "out", count, want, have, 8, count);
    }
}

void check_gather_128(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const void *const values = random_source(check, SOURCE_ROWS, 16);
        const uint32_t *const indices = random_indices(check, count, SOURCE_ROWS);
        void *const want = check_place(check, SLOT_OUT_A, count * 16, 0);
        void *const have = check_place(check, SLOT_OUT_B, count * 16, 0);
        check->reference->gather_128(values, indices, count, want);
        check->tested->gather_128(values, indices, count, have);
        check_same(check, "out", count, want, have, 16, count);
    }
}

void check_gather_bits(struct check *check) {
    size_t count;
    for (size_t step = 0; check_count(step, &count) && check->failures == 0; step++) {
        const uint64_t *bits;
        for (size_t kind = 1; check_validity(check, SLOT_VALID, kind, SOURCE_ROWS, &bits); kind++) {
            const uint32_t *const indices = random_indices(check, count, SOURCE_ROWS);
            uint64_t *const want = check_place(check, SLOT_OUT_A, check_words(count) * 8, 0);
            uint64_t *const have = check_place(check, SLOT_OUT_B, check_words(count) * 8, 0);
            check->reference->gather_bits(bits, indices, count, want);
            check->tested->gather_bits(bits, indices, count, have);
            check_same(check, "out", count, want, have, 8, check_words(count));
        }
    }
}
