/* Separators of text without quotes: the first pass over every CSV file and the fastest loop of the
 * engine. 64 bytes become one word of separator bits, whose numbers are written out unconditionally
 * in groups, so that the only branches left are predictable ones. */
#include "kernels/vec/vec.h"

void ORIEL_FN(csv_index)(const char *restrict text, size_t length, char delimiter, int quote,
                         uint32_t *restrict positions, uint32_t *restrict record_ends,
                         struct oriel_csv_index *restrict out) {
    const vec_u8 delimiters = vec_u8_set1(delimiter);
    const vec_u8 newlines = vec_u8_set1('\n');
    const vec_u8 returns = vec_u8_set1('\r');
    /* Without a quote character any byte that is no quote serves; its bits are dropped at the end.
     */
    const vec_u8 quotes = vec_u8_set1(quote < 0 ? '\n' : (char)quote);
    uint64_t any_quote = 0;
    uint64_t any_return = 0;
    uint64_t any_top = 0;
    uint32_t *position = positions;
    uint32_t *record_end = record_ends;

    for (size_t at = 0; at < length; at += VEC_BLOCK) {
        const struct vec_block block = vec_block_load(text + at);
        const uint64_t used = bits_below(length - at);
        uint64_t newline = vec_block_eq(block, newlines) & used;
        const uint64_t separator = newline | (vec_block_eq(block, delimiters) & used);
        any_quote |= vec_block_eq(block, quotes) & used;
        any_return |= vec_block_eq(block, returns) & used;
        any_top |= vec_block_top(block) & used;

        const uint32_t position_count = (uint32_t)(position - positions);
        position = vec_write_bit_numbers(position, separator, (uint32_t)at);
        for (; newline != 0; newline &= newline - 1) {
            const uint64_t before = separator & ((newline & (0 - newline)) - 1);
            *record_end++ = position_count + bits_count(before);
        }
    }

    const char last = length == 0 ? '\n' : text[length - 1];
    *out = (struct oriel_csv_index){
        .position_count = (uint32_t)(position - positions),
        .record_count = (uint32_t)(record_end - record_ends),
        .bad_offset = UINT32_MAX,
        .state = last == '\n' || last == delimiter ? ORIEL_CSV_FIELD_START : ORIEL_CSV_UNQUOTED,
        .has_quote = quote >= 0 && any_quote != 0,
        .has_non_ascii = any_top != 0,
        .has_cr = any_return != 0,
    };
}
