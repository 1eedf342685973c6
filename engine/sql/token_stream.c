/*
 * Between lexer and grammar. SQL words change their meaning with their place: AND ends a BETWEEN or
 * joins conditions, GROUPING is a function or the start of GROUPING SETS, MAP a name or a
 * constructor. This is settled here with a few tokens of lookahead, so that the grammar stays
 * LALR(1) and a word that is not reserved stays a name wherever it can be one.
 */
#include "engine/sql/token_stream.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/grammar.h"

enum oriel_status oriel_tokens_open(struct sql_token_stream *stream, struct oriel_arena *arena,
                                    const char *source, size_t length, struct oriel_position start,
                                    struct oriel_error *error) {
    memset(stream, 0, sizeof *stream);
    return oriel_lexer_open(&stream->lexer, arena, source, length, start, error);
}

void oriel_tokens_close(struct sql_token_stream *stream) {
    oriel_lexer_close(&stream->lexer);
}

const struct sql_token *oriel_tokens_peek(struct sql_token_stream *stream, uint32_t distance) {
    while (stream->ahead_count <= distance) {
        const uint32_t place =
            (stream->ahead_first + stream->ahead_count) % (uint32_t)ORIEL_TOKENS_AHEAD;
        oriel_lexer_next(&stream->lexer, &stream->ahead[place]);
        stream->ahead_count++;
    }
    return &stream->ahead[(stream->ahead_first + distance) % (uint32_t)ORIEL_TOKENS_AHEAD];
}

struct sql_token oriel_tokens_next_raw(struct sql_token_stream *stream) {
    const struct sql_token token = *oriel_tokens_peek(stream, 0);
    stream->ahead_first = (stream->ahead_first + 1) % (uint32_t)ORIEL_TOKENS_AHEAD;
    stream->ahead_count--;
    return token;
}

bool oriel_token_is_word(const struct sql_token *token, const char *upper_word) {
    return !token->text.quoted && token->text.bytes &&
           oriel_text_equal_ignoring_case(
               (struct oriel_text){token->text.bytes, token->text.length},
               oriel_text_of(upper_word));
}

static int next_kind(struct sql_token_stream *stream) {
    return oriel_tokens_peek(stream, 0)->kind;
}

/* The token becomes `kind` and swallows the `count` that follow. */
static void merge(struct sql_token_stream *stream, struct sql_token *token, int kind,
                  uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        token->location.end = oriel_tokens_next_raw(stream).location.end;
    token->kind = kind;
}

/* Opens a level after `opener`, the word before its parenthesis. */
static void open_level(struct sql_token_stream *stream, int opener) {
    if (stream->depth == ORIEL_SQL_DEPTH_MAX) {
        stream->too_deep = true;
        return;
    }
    stream->levels[++stream->depth] = (struct sql_level){
        .position_call = opener == SQL_POSITION,
        .json_keys = opener == SQL_JSON_OBJECT || opener == SQL_JSON_OBJECTAGG,
    };
}

static void close_level(struct sql_token_stream *stream) {
    if (stream->depth > 0)
        stream->depth--;
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static uint32_t hex_value(char c) {
    return (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

static uint32_t encode_utf8(char *out, uint32_t code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const uint32_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (uint32_t i = count - 1; i > 0; --i, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00U >> count & 0xffU) | code);
    return count;
}

/* Reads one \XXXX or \+XXXXXX after the escape character; false when it is none. */
static bool read_escape(const char *bytes, uint32_t length, uint32_t *used, uint32_t *code) {
    const uint32_t skipped = length > 0 && bytes[0] == '+' ? 1 : 0;
    const uint32_t digits = skipped ? 6 : 4;
    if (length < skipped + digits)
        return false;
    *code = 0;
    for (uint32_t i = 0; i < digits; ++i) {
        if (!is_hex(bytes[skipped + i]))
            return false;
        *code = *code << 4 | hex_value(bytes[skipped + i]);
    }
    *used = skipped + digits;
    return true;
}

/* U&'...' to a plain string. An escape and its digits are never shorter than what they stand for.
 */
static void decode_unicode(struct sql_token_stream *stream, struct sql_token *token, char escape) {
    const struct sql_text from = token->text;
    char *out = oriel_arena_allocate(stream->lexer.arena, (size_t)from.length + 1);
    uint32_t length = 0;
    if (!out) {
        stream->lexer.out_of_memory = true;
        return;
    }
    for (uint32_t i = 0; i < from.length;) {
        if (from.bytes[i] != escape) {
            out[length++] = from.bytes[i++];
            continue;
        }
        if (++i < from.length && from.bytes[i] == escape) {
            out[length++] = from.bytes[i++];
            continue;
        }
        uint32_t used = 0, code = 0, low = 0, low_used = 0;
        bool valid = read_escape(from.bytes + i, from.length - i, &used, &code);
        i += used;
        if (valid && code >= 0xd800 && code < 0xdc00 && i < from.length &&
            from.bytes[i] == escape &&
            read_escape(from.bytes + i + 1, from.length - i - 1, &low_used, &low) &&
            low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            i += 1 + low_used;
        }
        if (!valid || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
            token->kind = oriel_lexer_fail(&stream->lexer, token,
                                           "the string U&'...' has an escape that is no character: "
                                           "write %cXXXX or %c+XXXXXX",
                                           escape, escape);
            return;
        }
        length += encode_utf8(out + length, code);
    }
    out[length] = '\0';
    token->kind = SQL_STRING;
    token->text = (struct sql_text){out, length, true};
}

static void finish_unicode_string(struct sql_token_stream *stream, struct sql_token *token) {
    char escape = '\\';
    if (next_kind(stream) == SQL_UESCAPE) {
        (void)oriel_tokens_next_raw(stream);
        const struct sql_token character = oriel_tokens_next_raw(stream);
        if (character.kind != SQL_STRING || character.text.length != 1 ||
            is_hex(character.text.bytes[0]) || strchr("+'\" ", character.text.bytes[0])) {
            token->kind = oriel_lexer_fail(&stream->lexer, token,
                                           "after UESCAPE stands one character in quotes");
            return;
        }
        escape = character.text.bytes[0];
        token->location.end = character.location.end;
    }
    decode_unicode(stream, token, escape);
}

/* Words and signs that open or close levels, or that pair up across a level. */
static void track_levels(struct sql_token_stream *stream, struct sql_token *token) {
    struct sql_level *level = &stream->levels[stream->depth];
    switch (token->kind) {
    case '(': open_level(stream, stream->previous.kind); break;
    case '[':
    case SQL_CASE: open_level(stream, 0); break;
    case ')':
    case ']':
    case SQL_END: close_level(stream); break;
    case SQL_BETWEEN: level->open_betweens++; break;
    case SQL_AND:
        if (level->open_betweens > 0) {
            level->open_betweens--;
            token->kind = SQL_BETWEEN_AND;
        }
        break;
    case SQL_IN:
        if (level->position_call) {
            level->position_call = false;
            token->kind = SQL_POSITION_IN;
        }
        break;
    default: break;
    }
}

/* KEY before a key, not a column of that name: JSON_OBJECT(KEY key VALUE value). */
static bool is_key_of_json(struct sql_token_stream *stream) {
    const int next = next_kind(stream);
    const int previous = stream->previous.kind;
    return stream->levels[stream->depth].json_keys && (previous == '(' || previous == ',') &&
           next != SQL_VALUE && next != '.' && next != ':' && next != '[';
}

/* `word` keeps its keyword only when `holds`; else it is a plain name. */
static void keep_if(struct sql_token *token, bool holds) {
    if (!holds)
        token->kind = SQL_IDENTIFIER;
}

static void merge_time_zone(struct sql_token_stream *stream, struct sql_token *token) {
    const int kind = token->kind;
    const bool local = next_kind(stream) == SQL_LOCAL;
    if (oriel_tokens_peek(stream, local)->kind != SQL_TIME ||
        oriel_tokens_peek(stream, local + 1U)->kind != SQL_ZONE)
        return;
    merge(stream, token,
          kind == SQL_WITHOUT ? SQL_WITHOUT_ZONE
          : local             ? SQL_WITH_LOCAL_ZONE
                              : SQL_WITH_ZONE,
          local + 2U);
}

static void settle_word_by_next(struct sql_token_stream *stream, struct sql_token *token) {
    const int next = next_kind(stream);
    const int previous = stream->previous.kind;
    switch (token->kind) {
    case SQL_NOT:
        if (next == SQL_BETWEEN || next == SQL_IN || next == SQL_LIKE || next == SQL_SIMILAR)
            token->kind = SQL_NOT_INFIX;
        break;
    case SQL_IGNORE:
    case SQL_RESPECT:
        if (next == SQL_NULLS)
            merge(stream, token, token->kind, 1);
        else
            token->kind = SQL_IDENTIFIER;
        break;
    case SQL_NULLS:
        if (next == SQL_FIRST || next == SQL_LAST)
            merge(stream, token, next == SQL_FIRST ? SQL_NULLS_FIRST : SQL_NULLS_LAST, 1);
        else
            token->kind = SQL_IDENTIFIER;
        break;
    case SQL_WITH:
    case SQL_WITHOUT: merge_time_zone(stream, token); break;
    case SQL_NULL_:
    case SQL_ABSENT:
        if (next == SQL_ON && oriel_tokens_peek(stream, 1)->kind == SQL_NULL_)
            merge(stream, token, token->kind == SQL_NULL_ ? SQL_NULL_ON_NULL : SQL_ABSENT_ON_NULL,
                  2);
        else if (token->kind == SQL_ABSENT)
            token->kind = SQL_IDENTIFIER;
        break;
    case SQL_FUNCTION_WORD:
        if (next == SQL_SETS && oriel_token_is_word(token, "GROUPING"))
            merge(stream, token, SQL_GROUPING_SETS, 1);
        break;
    case SQL_UNBOUNDED: keep_if(token, next == SQL_PRECEDING || next == SQL_FOLLOWING); break;
    case SQL_TIMESTAMPADD:
    case SQL_TIMESTAMPDIFF:
    case SQL_DESCRIPTOR: keep_if(token, next == '('); break;
    case SQL_STATEMENT: keep_if(token, next == SQL_SET); break;
    case SQL_PARTITIONED: keep_if(token, next == SQL_BY); break;
    case SQL_MAP:
        keep_if(token,
                next == '[' || (next == '<' && (previous == SQL_AS || previous == '<' ||
                                                previous == ',' || previous == SQL_IDENTIFIER)));
        break;
    default: break;
    }
}

static void settle_word_by_previous(struct sql_token_stream *stream, struct sql_token *token) {
    const int previous = stream->previous.kind;
    switch (token->kind) {
    case SQL_IF:
        keep_if(token, false);
        if (previous != SQL_TABLE && previous != SQL_VIEW)
            break;
        if (next_kind(stream) == SQL_EXISTS)
            merge(stream, token, SQL_IF_EXISTS, 1);
        else if (next_kind(stream) == SQL_NOT && oriel_tokens_peek(stream, 1)->kind == SQL_EXISTS)
            merge(stream, token, SQL_IF_NOT_EXISTS, 2);
        break;
    case SQL_REPLACE:
        keep_if(token, previous == SQL_OR && stream->before_previous.kind == SQL_CREATE);
        break;
    case SQL_TEMPORARY: keep_if(token, previous == SQL_CREATE || previous == SQL_REPLACE); break;
    case SQL_VIEW:
        keep_if(token,
                previous == SQL_CREATE || previous == SQL_REPLACE || previous == SQL_TEMPORARY ||
                    previous == SQL_ALTER);
        break;
    case SQL_OVERWRITE: keep_if(token, previous == SQL_INSERT); break;
    case SQL_ORDINALITY: keep_if(token, previous == SQL_WITH); break;
    case SQL_JSON:
        keep_if(token, previous == SQL_IS ||
                           (previous == SQL_NOT && stream->before_previous.kind == SQL_IS));
        break;
    case SQL_KEY: keep_if(token, previous == SQL_PRIMARY || is_key_of_json(stream)); break;
    case SQL_IDENTIFIER:
        if (previous == SQL_JSON &&
            (oriel_token_is_word(token, "OBJECT") || oriel_token_is_word(token, "SCALAR")))
            token->kind = SQL_JSON_KIND;
        else if (stream->in_alter && !token->text.quoted && oriel_token_is_word(token, "ADD"))
            token->kind = SQL_ADD;
        else if (stream->in_alter && !token->text.quoted && oriel_token_is_word(token, "AFTER"))
            token->kind = SQL_AFTER;
        break;
    case SQL_ALTER: stream->in_alter = true; break;
    case SQL_SETS:
    case SQL_LAST:
    case SQL_ZONE: keep_if(token, false); break;
    default: break;
    }
}

struct sql_token oriel_tokens_next(struct sql_token_stream *stream) {
    struct sql_token token = oriel_tokens_next_raw(stream);
    if (token.kind == SQL_UNICODE_STRING)
        finish_unicode_string(stream, &token);
    settle_word_by_next(stream, &token);
    settle_word_by_previous(stream, &token);
    track_levels(stream, &token);
    stream->before_previous = stream->previous;
    stream->previous = token;
    return token;
}
