/* String columns of CSV: twelve bytes are loaded whatever the length, the ones past the field
 * cleared by a table of masks, so short strings are built without a branch. */
#include "kernels/vec/vec.h"

/* Masks for bytes 0 to 3 and 4 to 11 of an inline string of each length. */
static const uint32_t prefix_masks[16] = {
    0,           0xFF,        0xFFFF,      0xFFFFFF,    0xFFFFFFFFU, 0xFFFFFFFFU,
    0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU,
    0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU,
};
static const uint64_t tail_masks[16] = {
    0,
    0,
    0,
    0,
    0,
    UINT64_C(0xFF),
    UINT64_C(0xFFFF),
    UINT64_C(0xFFFFFF),
    UINT64_C(0xFFFFFFFF),
    UINT64_C(0xFFFFFFFFFF),
    UINT64_C(0xFFFFFFFFFFFF),
    UINT64_C(0xFFFFFFFFFFFFFF),
    UINT64_C(0xFFFFFFFFFFFFFFFF),
    0,
    0,
    0,
};

void ORIEL_FN(csv_string)(const char *restrict text, const uint32_t *restrict positions,
                          size_t stride, size_t count, int quote,
                          struct oriel_kernel_string *restrict out, uint64_t *restrict slow) {
    for (size_t first = 0; first < count; first += 64) {
        const size_t used = count - first < 64 ? count - first : 64;
        uint64_t slow_word = 0;
        for (size_t i = 0; i < used; i++, positions += stride) {
            const uint32_t start = positions[0] + 1;
            const char *const field = text + start;
            uint32_t length = positions[1] - start;
            const int is_quoted = length > 0 && (unsigned char)field[0] == quote;
            length = is_quoted ? 0 : length;
            slow_word |= (uint64_t)is_quoted << i;

            const uint32_t entry = length < 13 ? length : 13;
            const uint32_t prefix = bits_load_u32(field) & prefix_masks[entry];
            uint64_t tail = bits_load_u64(field + 4) & tail_masks[entry];
            if (length > ORIEL_KERNEL_STRING_INLINE)
                tail = (uint64_t)(uintptr_t)field;
            struct oriel_kernel_string *const string = &out[first + i];
            string->length = length;
            memcpy(string->prefix, &prefix, sizeof prefix);
            memcpy(&string->tail, &tail, sizeof tail);
        }
        slow[first / 64] = slow_word;
    }
}
