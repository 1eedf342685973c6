/* Separators of text with quotes. The bits of regular quotes alternate between opening and closing,
 * so a prefix parity tells which bytes are inside. A block whose quotes are not all regular (a
 * quote in an unquoted field, text after a closing quote) is read by the state machine instead; the
 * next block starts from the machine's state, so one odd field costs 64 bytes of slow reading. */
#include "kernels/vec/vec.h"

struct output {
    uint32_t *positions;
    uint32_t *position;
    uint32_t *record_end;
};

/* What the bytes before a block leave behind, as masks for its bits; at most one is not 0. None: in
 * the middle of an unquoted field. */
struct carry {
    uint64_t inside;        /* all ones: inside quotes */
    uint64_t field_start;   /* bit 0: a separator, or the start */
    uint64_t after_closing; /* bit 0: a quote that may be the closing one */
};

/* The bits of one block of text. */
struct marks {
    uint64_t quote;
    uint64_t delimiter;
    uint64_t newline;
    uint64_t carriage_return;
    uint64_t top; /* byte >= 0x80 */
};

static inline struct carry carry_of(enum oriel_csv_state state) {
    return (struct carry){
        .inside = state == ORIEL_CSV_QUOTED ? ~UINT64_C(0) : 0,
        .field_start = state == ORIEL_CSV_FIELD_START,
        .after_closing = state == ORIEL_CSV_QUOTE_SEEN,
    };
}

static inline enum oriel_csv_state state_of(struct carry carry) {
    if (carry.inside != 0)
        return ORIEL_CSV_QUOTED;
    if (carry.after_closing != 0)
        return ORIEL_CSV_QUOTE_SEEN;
    return carry.field_start != 0 ? ORIEL_CSV_FIELD_START : ORIEL_CSV_UNQUOTED;
}

static inline void write_separators(struct output *output, uint64_t separator, uint64_t newline,
                                    uint32_t at) {
    const uint32_t position_count = (uint32_t)(output->position - output->positions);
    output->position = bits_write_numbers(output->position, separator, at);
    /* Two record ends whether or not there are, as in csv_index.c. */
    uint32_t *const end = output->record_end + bits_count(newline);
    uint32_t *to = output->record_end;
    do {
        for (int k = 0; k < 2; k++) {
            const uint64_t up_to = separator & (newline ^ (newline - 1));
            *to++ = position_count + bits_count(up_to) - 1;
            newline &= newline - 1;
        }
    } while (newline != 0);
    output->record_end = end;
}

/* The same machine as the reference, on bits. Returns the separators outside quotes of the block's
 * first `used` bytes; *bad_offset is set to the first text after a closing quote, unless already
 * set. */
__attribute__((noinline, cold)) static uint64_t read_irregular(const struct marks *marks,
                                                               uint32_t at, size_t used,
                                                               enum oriel_csv_state *state_inout,
                                                               uint32_t *bad_offset) {
    enum oriel_csv_state state = *state_inout;
    uint64_t separator = 0;
    for (size_t i = 0; i < used; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        if (state == ORIEL_CSV_QUOTED) {
            if ((marks->quote & bit) != 0)
                state = ORIEL_CSV_QUOTE_SEEN;
        } else if ((marks->quote & bit) != 0 && state != ORIEL_CSV_UNQUOTED) {
            state = ORIEL_CSV_QUOTED;
        } else if (((marks->delimiter | marks->newline) & bit) != 0) {
            separator |= bit;
            state = ORIEL_CSV_FIELD_START;
        } else {
            if (state == ORIEL_CSV_QUOTE_SEEN && (marks->carriage_return & bit) == 0 &&
                *bad_offset == UINT32_MAX)
                *bad_offset = at + (uint32_t)i;
            state = ORIEL_CSV_UNQUOTED;
        }
    }
    *state_inout = state;
    return separator;
}

/* Reads the first `used` (1 to 64) bytes of a block. */
static inline void index_block(struct marks marks, uint32_t at, size_t used, struct carry *carry,
                               uint32_t *bad_offset, struct output *output) {
    const uint64_t inside = bits_prefix_xor(marks.quote) ^ carry->inside;
    const uint64_t opening = marks.quote & inside;
    const uint64_t closing = marks.quote & ~inside;
    uint64_t separator = (marks.delimiter | marks.newline) & ~inside;
    const uint64_t field_start = separator << 1 | carry->field_start;
    const uint64_t after_closing = closing << 1 | carry->after_closing;
    const uint64_t may_follow = separator | marks.carriage_return | marks.quote;
    const uint64_t irregular = (opening & ~(field_start | after_closing)) |
                               (after_closing & bits_below(used) & ~may_follow);
    if (irregular == 0) {
        const unsigned last = (unsigned)used - 1;
        *carry = (struct carry){
            .inside = 0 - (inside >> last & 1),
            .field_start = separator >> last & 1,
            .after_closing = closing >> last & 1,
        };
    } else {
        enum oriel_csv_state state = state_of(*carry);
        separator = read_irregular(&marks, at, used, &state, bad_offset);
        *carry = carry_of(state);
    }
    write_separators(output, separator, separator & marks.newline, at);
}

struct looked_for {
    vec_u8 quote;
    vec_u8 delimiter;
    vec_u8 newline;
    vec_u8 carriage_return;
};

static inline struct marks find_marks(const char *text, uint64_t used,
                                      const struct looked_for *looked_for) {
    const struct vec_block block = vec_block_load(text);
    return (struct marks){
        .quote = vec_block_eq(block, looked_for->quote) & used,
        .delimiter = vec_block_eq(block, looked_for->delimiter) & used,
        .newline = vec_block_eq(block, looked_for->newline) & used,
        .carriage_return = vec_block_eq(block, looked_for->carriage_return) & used,
        .top = vec_block_top(block) & used,
    };
}

static inline void add_marks(struct marks *any, struct marks marks) {
    any->quote |= marks.quote;
    any->carriage_return |= marks.carriage_return;
    any->top |= marks.top;
}

void ORIEL_FN(csv_index_quoted)(const char *restrict text, size_t length, char delimiter,
                                char quote, enum oriel_csv_state state,
                                uint32_t *restrict positions, uint32_t *restrict record_ends,
                                struct oriel_csv_index *restrict out) {
    const struct looked_for looked_for = {
        .quote = vec_u8_set1(quote),
        .delimiter = vec_u8_set1(delimiter),
        .newline = vec_u8_set1('\n'),
        .carriage_return = vec_u8_set1('\r'),
    };
    struct output output = {positions, positions, record_ends};
    struct carry carry = carry_of(state);
    struct marks any = {0};
    uint32_t bad_offset = UINT32_MAX;
    size_t at = 0;
    for (; at + VEC_BLOCK <= length; at += VEC_BLOCK) {
        const struct marks marks = find_marks(text + at, ~UINT64_C(0), &looked_for);
        add_marks(&any, marks);
        index_block(marks, (uint32_t)at, VEC_BLOCK, &carry, &bad_offset, &output);
    }
    if (at < length) {
        const size_t used = length - at;
        const struct marks marks = find_marks(text + at, bits_below(used), &looked_for);
        add_marks(&any, marks);
        index_block(marks, (uint32_t)at, used, &carry, &bad_offset, &output);
    }
    *out = (struct oriel_csv_index){
        .position_count = (uint32_t)(output.position - positions),
        .record_count = (uint32_t)(output.record_end - record_ends),
        .bad_offset = bad_offset,
        .state = state_of(carry),
        .has_quote = any.quote != 0,
        .has_non_ascii = any.top != 0,
        .has_cr = any.carriage_return != 0,
    };
}
