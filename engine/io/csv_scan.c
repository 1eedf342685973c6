/*
 * The exact scanner: Jackson's rules for quotes, escapes, comments and line ends, byte by byte. It
 * reads what the SIMD kernels do not know (escapes, comments, a lone '\r'), the ends of records
 * that leave their chunk, and decides what text after a closing quote really is.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

enum { BLANK_MAX = ' ' }; /* this and all below are blanks after a closing quote */

bool csv_options_exact(const struct oriel_csv_options *options) {
    return options->escape >= 0 || options->allow_comments ||
           options->quote == (unsigned char)options->delimiter;
}

enum oriel_status csv_index_reserve(struct csv_index *index, struct oriel_memory *memory,
                                    size_t positions, size_t records, struct oriel_error *error) {
    if (positions > index->position_capacity) {
        uint32_t *grown =
            oriel_memory_resize(memory, index->positions, index->position_capacity * sizeof *grown,
                                positions * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        index->positions = grown;
        index->position_capacity = positions;
    }
    if (records > index->record_capacity) {
        uint32_t *grown =
            oriel_memory_resize(memory, index->record_ends, index->record_capacity * sizeof *grown,
                                records * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        index->record_ends = grown;
        index->record_capacity = records;
    }
    return ORIEL_OK;
}

void csv_index_deinit(struct csv_index *index, struct oriel_memory *memory) {
    oriel_memory_release(memory, index->positions,
                         index->position_capacity * sizeof *index->positions);
    oriel_memory_release(memory, index->record_ends,
                         index->record_capacity * sizeof *index->record_ends);
    oriel_memory_release(memory, index->bad_records,
                         index->bad_capacity * sizeof *index->bad_records);
    *index = (struct csv_index){0};
}

static enum oriel_status push_position(struct csv_scanner *scanner, size_t position,
                                       struct oriel_error *error) {
    struct csv_index *index = scanner->index;
    if (!index || scanner->orphan)
        return ORIEL_OK;
    if (index->position_count == index->position_capacity)
        ORIEL_TRY(
            csv_index_reserve(index, scanner->memory, 2 * index->position_capacity + 64, 0, error));
    index->positions[index->position_count++] = (uint32_t)position;
    return ORIEL_OK;
}

static enum oriel_status push_bad(struct csv_scanner *scanner, struct oriel_error *error) {
    struct csv_index *index = scanner->index;
    if (index->bad_count == index->bad_capacity) {
        const size_t capacity = 2 * index->bad_capacity + 16;
        uint32_t *grown =
            oriel_memory_resize(scanner->memory, index->bad_records,
                                index->bad_capacity * sizeof *grown, capacity * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        index->bad_records = grown;
        index->bad_capacity = capacity;
    }
    index->bad_records[index->bad_count++] = index->record_count;
    return ORIEL_OK;
}

static enum oriel_status end_record(struct csv_scanner *scanner, size_t end, size_t behind,
                                    struct oriel_error *error) {
    struct csv_index *index = scanner->index;
    if (index && !scanner->orphan) {
        if (scanner->bad)
            ORIEL_TRY(push_bad(scanner, error));
        ORIEL_TRY(push_position(scanner, end, error));
        if (index->record_count == index->record_capacity)
            ORIEL_TRY(csv_index_reserve(index, scanner->memory, 0, 2 * index->record_capacity + 64,
                                        error));
        index->record_ends[index->record_count++] = index->position_count - 1;
    }
    scanner->bad = false;
    scanner->orphan = false;
    scanner->after_cr = false;
    scanner->state = CSV_RECORD_START;
    scanner->cut = behind;
    return ORIEL_OK;
}

/* At the start of a record; leaves the state FIELD_START when `byte` belongs to one. */
static enum oriel_status start_record(struct csv_scanner *scanner, unsigned char byte, size_t at,
                                      struct oriel_error *error) {
    if (scanner->options->allow_comments) {
        if (byte == '#') {
            scanner->state = CSV_COMMENT;
            return ORIEL_OK;
        }
        if (byte == ' ' || byte == '\n' || byte == '\r') {
            scanner->cut = at + 1;
            return ORIEL_OK;
        }
    }
    scanner->state = CSV_FIELD_START;
    if (scanner->index && scanner->index->separated)
        return push_position(scanner, at - 1, error);
    return ORIEL_OK;
}

/* Skips bytes that mean nothing in the current state. */
static size_t skip_plain(const struct csv_scanner *scanner, const char *text, size_t at,
                         size_t to) {
    const struct oriel_csv_options *options = scanner->options;
    if (scanner->state == CSV_QUOTED && options->escape < 0) {
        const char *quote = memchr(text + at, options->quote, to - at);
        return quote ? (size_t)(quote - text) : to;
    }
    if (scanner->state == CSV_UNQUOTED) {
        while (at < to && text[at] != options->delimiter && text[at] != '\n' && text[at] != '\r' &&
               (unsigned char)text[at] != options->escape)
            at++;
    }
    return at;
}

/* One byte of a record that is no line end and no delimiter outside quotes. */
static void follow_byte(struct csv_scanner *scanner, int byte) {
    const struct oriel_csv_options *options = scanner->options;
    switch (scanner->state) {
    case CSV_FIELD_START:
    case CSV_UNQUOTED:
        scanner->state = byte == options->escape ? CSV_ESCAPE_UNQUOTED : CSV_UNQUOTED;
        break;
    case CSV_QUOTED:
        if (byte == options->quote)
            scanner->state = CSV_QUOTE_SEEN;
        else if (byte == options->escape)
            scanner->state = CSV_ESCAPE_QUOTED;
        break;
    case CSV_QUOTE_SEEN:
    case CSV_AFTER_QUOTE:
        scanner->state = byte <= BLANK_MAX ? CSV_AFTER_QUOTE : CSV_UNQUOTED;
        if (byte > BLANK_MAX)
            scanner->bad = true;
        break;
    case CSV_ESCAPE_UNQUOTED: scanner->state = CSV_UNQUOTED; break;
    case CSV_ESCAPE_QUOTED: scanner->state = CSV_QUOTED; break;
    case CSV_RECORD_START:
    case CSV_COMMENT: break;
    }
}

/* The states in which a delimiter, a line end and a quote stand for themselves. */
static bool is_inside(enum csv_state state) {
    return state == CSV_QUOTED || state == CSV_ESCAPE_QUOTED || state == CSV_ESCAPE_UNQUOTED;
}

enum oriel_status csv_scan_exact(struct csv_scanner *scanner, const char *text, size_t from,
                                 size_t to, bool at_end, bool one_record, size_t *stop,
                                 struct oriel_error *error) {
    const struct oriel_csv_options *options = scanner->options;
    const uint32_t records = scanner->index ? scanner->index->record_count : 0;
    size_t at = from;
    while (at < to) {
        at = skip_plain(scanner, text, at, to);
        if (at == to)
            break;
        const unsigned char byte = (unsigned char)text[at];
        if (scanner->state == CSV_COMMENT) {
            if (byte == '\n' || byte == '\r') {
                scanner->state = CSV_RECORD_START;
                scanner->cut = at + 1;
            }
            at++;
            continue;
        }
        if (scanner->state == CSV_RECORD_START) {
            ORIEL_TRY(start_record(scanner, byte, at, error));
            if (scanner->state != CSV_FIELD_START) {
                at++;
                continue;
            }
        }
        if (is_inside(scanner->state)) {
            follow_byte(scanner, byte);
        } else if (byte == '\n') {
            const bool separated = scanner->index && scanner->index->separated;
            ORIEL_TRY(end_record(scanner, at - (separated && scanner->after_cr), at + 1, error));
        } else if (byte == '\r') {
            const bool has_next = at + 1 < to || !at_end;
            if (has_next && text[at + 1] == '\n')
                scanner->after_cr = true;
            else
                ORIEL_TRY(end_record(scanner, at, at + 1, error));
        } else if (byte == options->quote && scanner->state == CSV_FIELD_START) {
            scanner->state = CSV_QUOTED;
        } else if (byte == options->quote && scanner->state == CSV_QUOTE_SEEN) {
            scanner->state = CSV_QUOTED;
        } else if (text[at] == options->delimiter) {
            ORIEL_TRY(push_position(scanner, at, error));
            scanner->state = CSV_FIELD_START;
        } else {
            follow_byte(scanner, byte);
        }
        at++;
        if (one_record && scanner->index->record_count > records)
            break;
    }
    *stop = at;
    return ORIEL_OK;
}

enum oriel_status csv_scan_finish(struct csv_scanner *scanner, size_t length,
                                  struct oriel_error *error) {
    if (scanner->state == CSV_RECORD_START || scanner->state == CSV_COMMENT)
        return ORIEL_OK;
    return end_record(scanner, length, length, error);
}
