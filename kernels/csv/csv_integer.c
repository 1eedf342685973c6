/* Integer columns of CSV: eight digits at a time in one word, checked and multiplied together. The
 * digits are aligned to the end of the word by a shift, so a field is read forward only and the
 * bytes past it (the padding at the end of the text) never matter. */
#include "kernels/vec/digits.h"
#include "kernels/vec/vec.h"

enum { DIGITS_MAX = 18 };

/* Returns whether the field has the plain form; *value is unspecified if not. */
static inline int read_integer(const char *field, uint32_t length, int64_t *value) {
    const unsigned sign = field[0] == '-';
    const char *const digits = field + sign;
    const uint32_t digit_count = length - sign;
    if (digit_count - 1 >= DIGITS_MAX)
        return 0;

    uint64_t number;
    int valid;
    if (digit_count <= 8) {
        const uint64_t chunk = digits_align8(bits_load_u64(digits), digit_count);
        valid = digits_valid8(chunk);
        number = digits_value8(chunk);
    } else {
        const unsigned first_count = (digit_count - 1) % 8 + 1;
        uint64_t chunk = digits_align8(bits_load_u64(digits), first_count);
        valid = digits_valid8(chunk);
        number = digits_value8(chunk);
        for (uint32_t at = first_count; at < digit_count; at += 8) {
            chunk = bits_load_u64(digits + at);
            valid &= digits_valid8(chunk);
            number = number * 100000000 + digits_value8(chunk);
        }
    }
    const int64_t signed_number = (int64_t)(number & INT64_MAX);
    *value = sign != 0 ? -signed_number : signed_number;
    return valid;
}

void ORIEL_FN(csv_i64)(const char *restrict text, const uint32_t *restrict positions, size_t stride,
                       size_t count, int64_t *restrict out, uint64_t *restrict slow) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t slow_word = 0;
        for (size_t i = 0; i < used; i++, positions += stride) {
            const uint32_t start = positions[0] + 1;
            int64_t value = 0;
            const int plain = read_integer(text + start, positions[1] - start, &value);
            out[first + i] = plain ? value : 0;
            slow_word |= (uint64_t)!plain << i;
        }
        slow[first / 64] = slow_word;
    }
}

void ORIEL_FN(csv_i32)(const char *restrict text, const uint32_t *restrict positions, size_t stride,
                       size_t count, int32_t *restrict out, uint64_t *restrict slow) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t slow_word = 0;
        for (size_t i = 0; i < used; i++, positions += stride) {
            const uint32_t start = positions[0] + 1;
            int64_t value = 0;
            int plain = read_integer(text + start, positions[1] - start, &value);
            plain = plain && value >= INT32_MIN && value <= INT32_MAX;
            out[first + i] = plain ? (int32_t)value : 0;
            slow_word |= (uint64_t)!plain << i;
        }
        slow[first / 64] = slow_word;
    }
}
