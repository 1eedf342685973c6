/* Separators of text without quotes: the first pass over every CSV file and the fastest loop of the
 * engine. 64 bytes become one word of separator bits, whose numbers are written out unconditionally
 * in groups, so that the only branches left are predictable ones. */
#include "kernels/vec/vec.h"

struct separators {
    vec_u8 delimiter;
    vec_u8 newline;
};

struct output {
    uint32_t *positions;
    uint32_t *position;
    uint32_t *record_end;
};

static inline void index_block(struct vec_block block, uint32_t at, uint64_t used,
                               const struct separators *separators, struct output *output) {
    uint64_t newline = vec_block_eq(block, separators->newline) & used;
    const uint64_t separator = newline | (vec_block_eq(block, separators->delimiter) & used);
    const uint32_t position_count = (uint32_t)(output->position - output->positions);
    output->position = bits_write_numbers(output->position, separator, at);

    /* Two record ends whether or not there are: one or two in 64 bytes is what files have, and
     * which of the two is beyond the branch predictor. */
    uint32_t *const end = output->record_end + bits_count(newline);
    uint32_t *to = output->record_end;
    do {
        for (int k = 0; k < 2; k++) {
            /* The newline is itself the last of the separators up to it. */
            const uint64_t up_to = separator & (newline ^ (newline - 1));
            *to++ = position_count + bits_count(up_to) - 1;
            newline &= newline - 1;
        }
    } while (newline != 0);
    output->record_end = end;
}

void ORIEL_FN(csv_index)(const char *restrict text, size_t length, char delimiter, int quote,
                         uint32_t *restrict positions, uint32_t *restrict record_ends,
                         struct oriel_csv_index *restrict out) {
    const struct separators separators = {vec_u8_set1(delimiter), vec_u8_set1('\n')};
    const vec_u8 quotes = vec_u8_set1(quote < 0 ? '\n' : (char)quote); /* if none, not looked at */
    const vec_u8 returns = vec_u8_set1('\r');
    struct output output = {positions, positions, record_ends};

    /* What occurs at all is kept in vectors until the end: the least of byte ^ quote in each lane
     * is 0 where a quote was. */
    vec_u8 least_from_quote = vec_u8_set1(1);
    vec_u8 least_from_return = vec_u8_set1(1);
    vec_u8 all_bits = vec_u8_set1(0);
    size_t at = 0;
    for (; at + VEC_BLOCK <= length; at += VEC_BLOCK) {
        const struct vec_block block = vec_block_load(text + at);
        for (int k = 0; k < VEC_BLOCK_VECTORS; k++) {
            least_from_quote = vec_u8_min(least_from_quote, vec_u8_xor(block.part[k], quotes));
            least_from_return = vec_u8_min(least_from_return, vec_u8_xor(block.part[k], returns));
            all_bits = vec_u8_or(all_bits, block.part[k]);
        }
        index_block(block, (uint32_t)at, ~UINT64_C(0), &separators, &output);
    }
    const vec_u8 zeros = vec_u8_set1(0);
    uint64_t any_quote = vec_u8_eq_bits(least_from_quote, zeros);
    uint64_t any_return = vec_u8_eq_bits(least_from_return, zeros);
    uint64_t any_top = vec_u8_top_bits(all_bits);
    if (at < length) {
        const struct vec_block block = vec_block_load(text + at);
        const uint64_t used = bits_below(length - at);
        any_quote |= vec_block_eq(block, quotes) & used;
        any_return |= vec_block_eq(block, returns) & used;
        any_top |= vec_block_top(block) & used;
        index_block(block, (uint32_t)at, used, &separators, &output);
    }

    const char last = length == 0 ? '\n' : text[length - 1];
    *out = (struct oriel_csv_index){
        .position_count = (uint32_t)(output.position - positions),
        .record_count = (uint32_t)(output.record_end - record_ends),
        .bad_offset = UINT32_MAX,
        .state = last == '\n' || last == delimiter ? ORIEL_CSV_FIELD_START : ORIEL_CSV_UNQUOTED,
        .has_quote = quote >= 0 && any_quote != 0,
        .has_non_ascii = any_top != 0,
        .has_cr = any_return != 0,
    };
}
