/*
 * The text of tokens: what the lexer's rules call when they have found where a token ends. Words
 * are looked up among the keywords; quotes and escapes are taken off here and nowhere else.
 */
#include "engine/sql/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/grammar.h"
#include "engine/sql/keywords.h"

/* Moves over the last token; `here` becomes the `length_bytes` that follow it. */
void oriel_lexer_advance(struct sql_lexer *lexer, size_t length_bytes) {
    struct sql_location *here = &lexer->here;
    const char *skipped = lexer->source + here->begin;
    for (uint32_t i = 0; i < here->end - here->begin; ++i) {
        if (skipped[i] == '\n') {
            here->line++;
            here->column = 1;
        } else if (((unsigned char)skipped[i] & 0xc0) != 0x80) {
            here->column++;
        }
    }
    here->begin = here->end;
    here->end += (uint32_t)length_bytes;
}

static const char *token_bytes(const struct sql_lexer *lexer) {
    return lexer->source + lexer->here.begin;
}

static uint32_t token_length(const struct sql_lexer *lexer) {
    return lexer->here.end - lexer->here.begin;
}

int oriel_lexer_fail(struct sql_lexer *lexer, struct sql_token *token, const char *format, ...) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    token->text.bytes = oriel_arena_copy(lexer->arena, message, strlen(message));
    if (!token->text.bytes)
        lexer->out_of_memory = true;
    return SQL_LEXICAL_ERROR;
}

static uint32_t decode_utf8(const char *bytes, uint32_t length, uint32_t *used) {
    const unsigned char first = (unsigned char)bytes[0];
    const uint32_t wanted = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (wanted > length) {
        *used = length;
        return 0xfffd;
    }
    *used = wanted;
    uint32_t code = wanted == 1 ? first : first & (0xffU >> (wanted + 1));
    for (uint32_t i = 1; i < wanted; ++i)
        code = code << 6 | ((unsigned char)bytes[i] & 0x3fU);
    return code;
}

/* Blanks, quotes and punctuation outside ASCII, which come with text pasted from a page. */
static bool is_foreign_mark(uint32_t code) {
    return code == 0xa0 || (code >= 0x80 && code <= 0x9f) || (code >= 0x2000 && code <= 0x206f) ||
           (code >= 0x3000 && code <= 0x3003) || code == 0xfeff || code == 0xfffd ||
           (code >= 0xff01 && code <= 0xff0f) || (code >= 0xff1a && code <= 0xff20);
}

static int foreign_mark(struct sql_lexer *lexer, struct sql_token *token, uint32_t at,
                        uint32_t code) {
    const char *hint = code == 0x2018 || code == 0x2019 || code == 0x201c || code == 0x201d
                           ? ": strings stand in straight quotes '...'"
                           : "";
    lexer->here.begin = lexer->here.end - (token_length(lexer) - at);
    for (uint32_t i = 0; i < at; ++i)
        if (((unsigned char)lexer->source[lexer->here.begin - at + i] & 0xc0) != 0x80)
            lexer->here.column++;
    return oriel_lexer_fail(lexer, token, "found the character U+%04X%s", (unsigned)code, hint);
}

int oriel_lexer_word(struct sql_lexer *lexer, struct sql_token *token) {
    const char *bytes = token_bytes(lexer);
    const uint32_t length = token_length(lexer);
    for (uint32_t i = 0, used; i < length; i += used) {
        const uint32_t code = decode_utf8(bytes + i, length - i, &used);
        if (is_foreign_mark(code))
            return foreign_mark(lexer, token, i, code);
    }
    token->text = (struct sql_text){bytes, length, false};
    const struct sql_keyword *keyword = oriel_sql_keyword_find(bytes, length);
    return keyword ? keyword->token : SQL_IDENTIFIER;
}

/* Copies what stands between the quotes, two of them in a row for one. */
static bool unquote(struct sql_lexer *lexer, struct sql_token *token, uint32_t skipped) {
    const char *from = token_bytes(lexer) + skipped;
    const char quote = *from++;
    const char *end = lexer->source + lexer->here.end - 1;
    char *out = oriel_arena_allocate(lexer->arena, (size_t)(end - from) + 1);
    if (!out) {
        lexer->out_of_memory = true;
        return false;
    }
    uint32_t length = 0;
    for (; from < end; ++from) {
        out[length++] = *from;
        if (*from == quote)
            ++from;
    }
    out[length] = '\0';
    token->text = (struct sql_text){out, length, true};
    return true;
}

int oriel_lexer_quoted_name(struct sql_lexer *lexer, struct sql_token *token) {
    if (!unquote(lexer, token, 0))
        return SQL_LEXICAL_ERROR;
    if (token->text.length == 0)
        return oriel_lexer_fail(lexer, token, "found an empty name ``");
    if (memchr(token->text.bytes, 0, token->text.length))
        return oriel_lexer_fail(lexer, token, "found a NUL character in a name");
    return SQL_IDENTIFIER;
}

int oriel_lexer_string(struct sql_lexer *lexer, struct sql_token *token) {
    const char *bytes = token_bytes(lexer);
    uint32_t prefix = 0;
    while (bytes[prefix] != '\'')
        ++prefix;
    if (bytes[0] == '_' &&
        !oriel_text_equal_ignoring_case((struct oriel_text){bytes, prefix}, ORIEL_TEXT("_UTF8")) &&
        !oriel_text_equal_ignoring_case((struct oriel_text){bytes, prefix}, ORIEL_TEXT("_UTF-8")) &&
        !oriel_text_equal_ignoring_case((struct oriel_text){bytes, prefix}, ORIEL_TEXT("_UTF16")) &&
        !oriel_text_equal_ignoring_case((struct oriel_text){bytes, prefix},
                                        ORIEL_TEXT("_UTF-16LE")))
        return oriel_lexer_fail(
            lexer, token,
            "found the character set %.*s: strings are Unicode, write _UTF8'...' "
            "or no character set",
            (int)(prefix > 60 ? 59 : prefix - 1), bytes + 1);
    return unquote(lexer, token, prefix) ? SQL_STRING : SQL_LEXICAL_ERROR;
}

int oriel_lexer_unicode_string(struct sql_lexer *lexer, struct sql_token *token) {
    return unquote(lexer, token, 2) ? SQL_UNICODE_STRING : SQL_LEXICAL_ERROR;
}

int oriel_lexer_binary(struct sql_lexer *lexer, struct sql_token *token) {
    if (!unquote(lexer, token, 1))
        return SQL_LEXICAL_ERROR;
    for (uint32_t i = 0; i < token->text.length; ++i) {
        const char c = token->text.bytes[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return oriel_lexer_fail(lexer, token,
                                    "a binary string X'...' holds hexadecimal digits only");
    }
    if (token->text.length % 2)
        return oriel_lexer_fail(lexer, token,
                                "a binary string X'...' needs an even number of digits");
    return SQL_BINARY_STRING;
}

int oriel_lexer_number(struct sql_lexer *lexer, struct sql_token *token) {
    token->text = (struct sql_text){token_bytes(lexer), token_length(lexer), false};
    return SQL_NUMBER;
}

int oriel_lexer_unknown(struct sql_lexer *lexer, struct sql_token *token) {
    const char c = *token_bytes(lexer);
    if (c == '\0')
        return oriel_lexer_fail(lexer, token, "found a NUL character");
    if (c == '?')
        return oriel_lexer_fail(lexer, token,
                                "found ?: a script has no parameters, write the value");
    if ((unsigned char)c < 0x20)
        return oriel_lexer_fail(lexer, token, "found the control character U+%04X", (unsigned)c);
    return oriel_lexer_fail(lexer, token, "found the character %c", c);
}
