/* Reference of the string columns. */
#include "kernels/isa_kernels.h"

#include <string.h>

void oriel_csv_string_reference(const char *restrict text, const uint32_t *restrict positions,
                                size_t stride, size_t count, int quote,
                                struct oriel_kernel_string *restrict out, uint64_t *restrict slow) {
    memset(slow, 0, (count + 63) / 64 * sizeof *slow);
    memset(out, 0, count * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const uint32_t start = positions[i * stride] + 1;
        const uint32_t length = positions[i * stride + 1] - start;
        const char *const field = text + start;
        if (quote >= 0 && length > 0 && (unsigned char)field[0] == quote) {
            slow[i / 64] |= UINT64_C(1) << (i % 64);
            continue;
        }
        out[i].length = length;
        if (length > ORIEL_KERNEL_STRING_INLINE) {
            memcpy(out[i].prefix, field, 4);
            out[i].tail.pointer = field;
            continue;
        }
        memcpy(out[i].prefix, field, length < 4 ? length : 4);
        if (length > 4)
            memcpy(out[i].tail.inlined, field + 4, length - 4);
    }
}
