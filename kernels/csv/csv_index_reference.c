/* Reference of the separator kernels: the CSV record as a state machine, one byte at a time. */
#include "kernels/isa_kernels.h"

static void note_byte(struct oriel_csv_index *index, char byte, int quote) {
    index->has_quote |= quote >= 0 && (unsigned char)byte == quote;
    index->has_non_ascii |= (unsigned char)byte >= 0x80;
    index->has_cr |= byte == '\r';
}

void oriel_csv_index_reference(const char *restrict text, size_t length, char delimiter, int quote,
                               uint32_t *restrict positions, uint32_t *restrict record_ends,
                               struct oriel_csv_index *restrict out) {
    struct oriel_csv_index index = {.bad_offset = UINT32_MAX};
    for (size_t i = 0; i < length; i++) {
        note_byte(&index, text[i], quote);
        if (text[i] == '\n')
            record_ends[index.record_count++] = index.position_count;
        if (text[i] == '\n' || text[i] == delimiter)
            positions[index.position_count++] = (uint32_t)i;
    }
    index.state = length == 0 || text[length - 1] == '\n' || text[length - 1] == delimiter
                      ? ORIEL_CSV_FIELD_START
                      : ORIEL_CSV_UNQUOTED;
    *out = index;
}

void oriel_csv_index_quoted_reference(const char *restrict text, size_t length, char delimiter,
                                      char quote, enum oriel_csv_state state,
                                      uint32_t *restrict positions, uint32_t *restrict record_ends,
                                      struct oriel_csv_index *restrict out) {
    struct oriel_csv_index index = {.bad_offset = UINT32_MAX};
    for (size_t i = 0; i < length; i++) {
        const char byte = text[i];
        note_byte(&index, byte, (unsigned char)quote);
        if (state == ORIEL_CSV_QUOTED) {
            if (byte == quote)
                state = ORIEL_CSV_QUOTE_SEEN;
        } else if (byte == quote && state != ORIEL_CSV_UNQUOTED) {
            state = ORIEL_CSV_QUOTED;
        } else if (byte == delimiter || byte == '\n') {
            if (byte == '\n')
                record_ends[index.record_count++] = index.position_count;
            positions[index.position_count++] = (uint32_t)i;
            state = ORIEL_CSV_FIELD_START;
        } else {
            if (state == ORIEL_CSV_QUOTE_SEEN && byte != '\r' && index.bad_offset == UINT32_MAX)
                index.bad_offset = (uint32_t)i;
            state = ORIEL_CSV_UNQUOTED;
        }
    }
    index.state = state;
    *out = index;
}
