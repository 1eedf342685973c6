/*
 * Cuts a script into statements at the semicolons that stand outside strings, names and comments.
 * In a statement set (EXECUTE STATEMENT SET BEGIN ... END, BEGIN STATEMENT SET; ... END) only the
 * semicolon after the closing END counts.
 */
#include "engine/sql/script.h"

#include <string.h>

#include "engine/base/text.h"

void oriel_script_reader_init(struct oriel_script_reader *reader, const char *text, size_t length) {
    static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";
    const size_t mark = length >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
    *reader = (struct oriel_script_reader){text, length, mark, {1, 1}};
}

struct oriel_position oriel_script_advance(struct oriel_position position, const char *text,
                                           size_t length) {
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '\n') {
            position.line++;
            position.column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            position.column++;
        }
    }
    return position;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

/* Past what `quote` opened at `at`; the end of the text when nothing closes it. */
static size_t skip_quoted(const char *text, size_t length, size_t at, char quote) {
    const char *close = memchr(text + at + 1, quote, length - at - 1);
    return close ? (size_t)(close - text) + 1 : length;
}

static size_t skip_line(const char *text, size_t length, size_t at) {
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) : length;
}

static size_t skip_comment(const char *text, size_t length, size_t at) {
    for (size_t i = at + 2; i + 1 < length; ++i)
        if (text[i] == '*' && text[i + 1] == '/')
            return i + 2;
    return length;
}

/* True for the comment that read_piece cut at the end of the text because nothing closes it. */
static bool is_unclosed_comment(const char *text, size_t length, size_t at, size_t next) {
    return text[at] == '/' && next == length &&
           (next - at < 4 || text[next - 2] != '*' || text[next - 1] != '/');
}

enum piece { PIECE_BLANK, PIECE_WORD, PIECE_SEMICOLON, PIECE_QUOTED, PIECE_OTHER };

/* What stands at `at`, and in *next where it ends. Two quotes in a row are two pieces; that cuts
 * at the same semicolons. */
static enum piece read_piece(const char *text, size_t length, size_t at, size_t *next) {
    const char c = text[at];
    const char following = at + 1 < length ? text[at + 1] : '\0';
    *next = at + 1;
    if (c == ';')
        return PIECE_SEMICOLON;
    if (c == '\'' || c == '`') {
        *next = skip_quoted(text, length, at, c);
        return PIECE_QUOTED;
    }
    if (c == '-' && following == '-') {
        *next = skip_line(text, length, at);
        return PIECE_BLANK;
    }
    if (c == '/' && following == '*') {
        *next = skip_comment(text, length, at);
        /* a hint belongs to the statement, also at its end */
        return at + 2 < length && text[at + 2] == '+' ? PIECE_OTHER : PIECE_BLANK;
    }
    if (is_blank(c)) {
        while (*next < length && is_blank(text[*next]))
            ++*next;
        return PIECE_BLANK;
    }
    if (!is_word_byte(c))
        return PIECE_OTHER;
    while (*next < length && is_word_byte(text[*next]))
        ++*next;
    return PIECE_WORD;
}

/* Follows the words at the start of a statement as far as they can open a statement set. */
struct set_scan {
    enum {
        SET_START,           /* nothing read yet */
        SET_EXECUTE,         /* EXECUTE or EXPLAIN: STATEMENT may follow */
        SET_BEGIN_FIRST,     /* BEGIN */
        SET_STATEMENT,       /* EXECUTE STATEMENT */
        SET_BEGIN_STATEMENT, /* BEGIN STATEMENT */
        SET_EXECUTE_SET,     /* EXECUTE STATEMENT SET: BEGIN opens */
        SET_OPEN,            /* inside, not after a semicolon */
        SET_BOUNDARY,        /* inside, where a statement or END begins */
        SET_CLOSED,          /* after END, or no statement set at all */
    } state;
};

static bool is(struct oriel_text word, const char *upper) {
    return oriel_text_equal_ignoring_case(word, oriel_text_of(upper));
}

static void scan_word(struct set_scan *scan, struct oriel_text word) {
    switch (scan->state) {
    case SET_START:
        scan->state = is(word, "EXECUTE") || is(word, "EXPLAIN") ? SET_EXECUTE
                      : is(word, "BEGIN")                        ? SET_BEGIN_FIRST
                                                                 : SET_CLOSED;
        break;
    case SET_EXECUTE:
        if (is(word, "STATEMENT"))
            scan->state = SET_STATEMENT;
        else if (is(word, "SELECT") || is(word, "INSERT") || is(word, "WITH"))
            scan->state = SET_CLOSED;
        break;
    case SET_BEGIN_FIRST:
        scan->state = is(word, "STATEMENT") ? SET_BEGIN_STATEMENT : SET_CLOSED;
        break;
    case SET_STATEMENT: scan->state = is(word, "SET") ? SET_EXECUTE_SET : SET_CLOSED; break;
    case SET_BEGIN_STATEMENT: scan->state = is(word, "SET") ? SET_OPEN : SET_CLOSED; break;
    case SET_EXECUTE_SET: scan->state = is(word, "BEGIN") ? SET_BOUNDARY : SET_CLOSED; break;
    case SET_BOUNDARY: scan->state = is(word, "END") ? SET_CLOSED : SET_OPEN; break;
    case SET_OPEN:
    case SET_CLOSED: break;
    }
}

/* Finds the end of the statement that begins at span->begin. */
static void find_end(const char *text, size_t length, struct sql_statement_span *span) {
    struct set_scan scan = {SET_START};
    size_t at = span->begin, next = at;
    span->end = span->begin;
    for (; at < length; at = next) {
        const enum piece piece = read_piece(text, length, at, &next);
        if (piece == PIECE_SEMICOLON) {
            if (scan.state != SET_OPEN && scan.state != SET_BOUNDARY) {
                span->has_semicolon = true;
                span->next = next;
                return;
            }
            scan.state = SET_BOUNDARY;
        } else if (piece == PIECE_WORD) {
            scan_word(&scan, (struct oriel_text){text + at, next - at});
        } else if (piece != PIECE_BLANK && scan.state == SET_BOUNDARY) {
            scan.state = SET_OPEN;
        }
        if (piece != PIECE_BLANK || is_unclosed_comment(text, length, at, next))
            span->end = next;
    }
    span->next = length;
}

bool oriel_script_find_statement(const struct oriel_script_reader *reader,
                                 struct sql_statement_span *span) {
    size_t at = reader->offset, next = at;
    *span = (struct sql_statement_span){0};
    for (; at < reader->length; at = next) {
        const enum piece piece = read_piece(reader->text, reader->length, at, &next);
        if (piece == PIECE_BLANK ? is_unclosed_comment(reader->text, reader->length, at, next)
                                 : piece != PIECE_SEMICOLON)
            break;
    }
    if (at == reader->length)
        return false;
    span->begin = at;
    span->position =
        oriel_script_advance(reader->position, reader->text + reader->offset, at - reader->offset);
    find_end(reader->text, reader->length, span);
    return true;
}

bool oriel_script_is_complete(const char *text, size_t length) {
    struct oriel_script_reader reader;
    struct sql_statement_span span;
    oriel_script_reader_init(&reader, text, length);
    if (!oriel_script_find_statement(&reader, &span))
        return false;
    return span.has_semicolon;
}
