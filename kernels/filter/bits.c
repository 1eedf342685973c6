/* Bitmaps of selections: condition bytes -> bits -> row numbers, 64 rows a step. */
#include "kernels/vec/vec.h"

size_t ORIEL_FN(bytes_to_bits)(const uint8_t *restrict bytes, const uint64_t *restrict valid,
                               size_t count, uint64_t *restrict selection) {
    const vec_u8 zeros = vec_u8_set1(0);
    char last_rows[VEC_BLOCK];
    size_t selected = 0;
    for (size_t first = 0; first < count; first += 64) {
        const char *from = (const char *)bytes + first;
        if (count - first < 64) {
            memset(last_rows, 0, sizeof last_rows);
            memcpy(last_rows, from, count - first);
            from = last_rows;
        }
        const uint64_t is_set = ~vec_block_eq(vec_block_load(from), zeros);
        const uint64_t word = is_set & bits_valid_word(valid, first / 64, count);
        selection[first / 64] = word;
        selected += bits_count(word);
    }
    return selected;
}

size_t ORIEL_FN(count_bits)(const uint64_t *restrict bits, size_t count) {
    size_t set = 0;
    for (size_t word = 0; word < count / 64; word++)
        set += bits_count(bits[word]);
    if (count % 64 != 0)
        set += bits_count(bits[count / 64] & bits_below(count % 64));
    return set;
}

size_t ORIEL_FN(select_indices)(const uint64_t *restrict selection, size_t count,
                                uint32_t *restrict indices) {
    uint32_t *to = indices;
    for (size_t first = 0; first < count; first += 64) {
        const uint64_t word = bits_valid_word(selection, first / 64, count);
        if (word != 0)
            to = bits_write_numbers(to, word, (uint32_t)first);
    }
    return (size_t)(to - indices);
}
