/* Reference of the integer columns: digit by digit. */
#include "kernels/isa_kernels.h"

#include <string.h>

/* Returns whether the field has the plain form; *value is 0 if not. */
static int read_integer(const char *field, size_t length, int64_t *value) {
    *value = 0;
    const size_t sign = length > 0 && field[0] == '-';
    const size_t digit_count = length - sign;
    if (digit_count == 0 || digit_count > 18)
        return 0;
    int64_t number = 0;
    for (size_t i = sign; i < length; i++) {
        if (field[i] < '0' || field[i] > '9')
            return 0;
        number = number * 10 + (field[i] - '0');
    }
    *value = sign != 0 ? -number : number;
    return 1;
}

void oriel_csv_i64_reference(const char *restrict text, const uint32_t *restrict positions,
                             size_t stride, size_t count, int64_t *restrict out,
                             uint64_t *restrict slow) {
    memset(slow, 0, (count + 63) / 64 * sizeof *slow);
    for (size_t i = 0; i < count; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const uint32_t end = positions[i * stride + 1];
        if (!read_integer(text + start, end - start, &out[i]))
            slow[i / 64] |= UINT64_C(1) << (i % 64);
    }
}

void oriel_csv_i32_reference(const char *restrict text, const uint32_t *restrict positions,
                             size_t stride, size_t count, int32_t *restrict out,
                             uint64_t *restrict slow) {
    memset(slow, 0, (count + 63) / 64 * sizeof *slow);
    for (size_t i = 0; i < count; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const uint32_t end = positions[i * stride + 1];
        int64_t value;
        const int plain = read_integer(text + start, end - start, &value);
        const int fits = value >= INT32_MIN && value <= INT32_MAX;
        out[i] = fits ? (int32_t)value : 0;
        if (!plain || !fits)
            slow[i / 64] |= UINT64_C(1) << (i % 64);
    }
}
