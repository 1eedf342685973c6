/* Separators of text with quotes. The bits of regular quotes alternate between opening and closing,
 * so a prefix parity tells which bytes are inside. A block whose quotes are not all regular (a
 * quote in an unquoted field, text after a closing quote) is read by the state machine instead; the
 * next block starts from the machine's state, so one odd field costs 64 bytes of slow reading. */
#include "kernels/vec/vec.h"

struct writer {
    uint32_t *positions;
    uint32_t *record_ends;
    uint32_t position_count;
    uint32_t record_count;
    uint32_t bad_offset;
    enum oriel_csv_state state;
};

/* The bits of one block of text. */
struct marks {
    uint64_t quote;
    uint64_t delimiter;
    uint64_t newline;
    uint64_t carriage_return;
};

static inline void write_separators(struct writer *writer, uint64_t separator, uint64_t newline,
                                    uint32_t at) {
    uint32_t *const to = writer->positions + writer->position_count;
    for (; newline != 0; newline &= newline - 1) {
        const uint64_t before = separator & ((newline & (0 - newline)) - 1);
        writer->record_ends[writer->record_count++] = writer->position_count + bits_count(before);
    }
    writer->position_count += (uint32_t)(bits_write_numbers(to, separator, at) - to);
}

/* The same machine as the reference, on bits; `used` bytes of the block count. */
static void read_irregular(struct writer *writer, struct marks marks, uint32_t at, size_t used) {
    enum oriel_csv_state state = writer->state;
    uint64_t separator = 0;
    for (size_t i = 0; i < used; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        if (state == ORIEL_CSV_QUOTED) {
            if ((marks.quote & bit) != 0)
                state = ORIEL_CSV_QUOTE_SEEN;
        } else if ((marks.quote & bit) != 0 && state != ORIEL_CSV_UNQUOTED) {
            state = ORIEL_CSV_QUOTED;
        } else if (((marks.delimiter | marks.newline) & bit) != 0) {
            separator |= bit;
            state = ORIEL_CSV_FIELD_START;
        } else {
            if (state == ORIEL_CSV_QUOTE_SEEN && (marks.carriage_return & bit) == 0 &&
                writer->bad_offset == UINT32_MAX)
                writer->bad_offset = at + (uint32_t)i;
            state = ORIEL_CSV_UNQUOTED;
        }
    }
    write_separators(writer, separator, separator & marks.newline, at);
    writer->state = state;
}

/* Reads a block if all its quotes are regular; otherwise changes nothing and returns 0. */
static inline int read_regular(struct writer *writer, struct marks marks, uint32_t at,
                               size_t used) {
    const uint64_t carried_inside = writer->state == ORIEL_CSV_QUOTED ? ~UINT64_C(0) : 0;
    const uint64_t inside = bits_prefix_xor(marks.quote) ^ carried_inside;
    const uint64_t opening = marks.quote & inside;
    const uint64_t closing = marks.quote & ~inside;
    const uint64_t separator = (marks.delimiter | marks.newline) & ~inside;
    const uint64_t field_start = separator << 1 | (writer->state == ORIEL_CSV_FIELD_START);
    const uint64_t after_closing = closing << 1 | (writer->state == ORIEL_CSV_QUOTE_SEEN);
    const uint64_t may_follow = separator | marks.carriage_return | marks.quote;
    const uint64_t irregular = (opening & ~(field_start | after_closing)) |
                               (after_closing & bits_below(used) & ~may_follow);
    if (irregular != 0)
        return 0;

    write_separators(writer, separator, separator & marks.newline, at);
    const uint64_t last = UINT64_C(1) << (used - 1);
    if ((inside & last) != 0)
        writer->state = ORIEL_CSV_QUOTED;
    else if ((closing & last) != 0)
        writer->state = ORIEL_CSV_QUOTE_SEEN;
    else
        writer->state = (separator & last) != 0 ? ORIEL_CSV_FIELD_START : ORIEL_CSV_UNQUOTED;
    return 1;
}

void ORIEL_FN(csv_index_quoted)(const char *restrict text, size_t length, char delimiter,
                                char quote, enum oriel_csv_state state,
                                uint32_t *restrict positions, uint32_t *restrict record_ends,
                                struct oriel_csv_index *restrict out) {
    const vec_u8 quotes = vec_u8_set1(quote);
    const vec_u8 delimiters = vec_u8_set1(delimiter);
    const vec_u8 newlines = vec_u8_set1('\n');
    const vec_u8 returns = vec_u8_set1('\r');
    struct writer writer = {positions, record_ends, 0, 0, UINT32_MAX, state};
    struct marks any = {0};
    uint64_t any_top = 0;

    for (size_t at = 0; at < length; at += VEC_BLOCK) {
        const struct vec_block block = vec_block_load(text + at);
        const size_t used = length - at < VEC_BLOCK ? length - at : VEC_BLOCK;
        const uint64_t mask = bits_below(used);
        const struct marks marks = {
            .quote = vec_block_eq(block, quotes) & mask,
            .delimiter = vec_block_eq(block, delimiters) & mask,
            .newline = vec_block_eq(block, newlines) & mask,
            .carriage_return = vec_block_eq(block, returns) & mask,
        };
        any.quote |= marks.quote;
        any.carriage_return |= marks.carriage_return;
        any_top |= vec_block_top(block) & mask;
        if (!read_regular(&writer, marks, (uint32_t)at, used))
            read_irregular(&writer, marks, (uint32_t)at, used);
    }
    *out = (struct oriel_csv_index){
        .position_count = writer.position_count,
        .record_count = writer.record_count,
        .bad_offset = writer.bad_offset,
        .state = writer.state,
        .has_quote = any.quote != 0,
        .has_non_ascii = any_top != 0,
        .has_cr = any.carriage_return != 0,
    };
}
