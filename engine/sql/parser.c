/*
 * The front door: takes one statement off the script, checks that it is text, and hands it to the
 * grammar or, for the plain statements, to plain_statement.c.
 */
#include "engine/sql/parser.h"

#include <string.h>

#include "engine/sql/grammar.h"
#include "engine/sql/parse_state.h"
#include "engine/sql/script.h"

/* The length of the well-formed UTF-8 character at `bytes`; 0 when there is none. */
static size_t character_length(const unsigned char *bytes, size_t left) {
    const unsigned char first = bytes[0];
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || left < length)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    if ((first == 0xe0 && bytes[1] < 0xa0) || (first == 0xed && bytes[1] >= 0xa0) ||
        (first == 0xf0 && bytes[1] < 0x90) || (first == 0xf4 && bytes[1] >= 0x90))
        return 0;
    return length;
}

static enum oriel_status check_text(const char *text, size_t length, struct oriel_position start,
                                    struct oriel_error *error) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (length > UINT32_MAX / 2)
        return oriel_error_at(error, ORIEL_INVALID, start, "the statement is longer than 2 GB");
    for (size_t i = 0; i < length;) {
        const size_t used = character_length(bytes + i, length - i);
        if (used == 0)
            return oriel_error_at(error, ORIEL_SYNTAX, oriel_script_advance(start, text, i),
                                  "the text is not valid UTF-8: found the byte 0x%02X", bytes[i]);
        i += used;
    }
    return ORIEL_OK;
}

static enum oriel_status run_grammar(struct sql_parser *parser) {
    const int result = oriel_grammar_parse(parser);
    if (parser->status != ORIEL_OK)
        return parser->status;
    if (result != 0)
        return oriel_error_set(parser->error, ORIEL_INTERNAL, "the SQL parser failed");
    return ORIEL_OK;
}

static enum oriel_status open_parser(struct sql_parser *parser, struct oriel_arena *arena,
                                     const char *text, size_t length, struct oriel_position start,
                                     struct oriel_error *error) {
    parser->arena = arena;
    parser->error = error;
    parser->status = ORIEL_OK;
    parser->source = text;
    parser->source_length = length;
    parser->has_semicolon = false;
    parser->statement = NULL;
    parser->expression = NULL;
    ORIEL_TRY(check_text(text, length, start, error));
    return oriel_tokens_open(&parser->tokens, arena, text, length, start, error);
}

/* Parses the statement in [text, text + length), which begins at `start`. */
static enum oriel_status parse_one(struct sql_parser *parser, const struct sql_statement_span *span,
                                   const char *text, struct oriel_arena *arena,
                                   struct oriel_error *error) {
    ORIEL_TRY(open_parser(parser, arena, text + span->begin, span->end - span->begin,
                          span->position, error));
    parser->has_semicolon = span->has_semicolon;
    enum oriel_status status = parser->status;
    if (oriel_sql_parse_plain(parser)) {
        status = parser->status;
    } else {
        parser->start_token = SQL_START_STATEMENT;
        status = run_grammar(parser);
    }
    oriel_tokens_close(&parser->tokens);
    ORIEL_TRY(status);
    parser->statement->position = span->position;
    parser->statement->source =
        oriel_arena_copy(arena, text + span->begin, span->end - span->begin);
    return parser->statement->source ? ORIEL_OK : oriel_error_memory(error);
}

enum oriel_status oriel_parse_statement(struct oriel_script_reader *reader,
                                        struct oriel_arena *statement_arena,
                                        struct ast_statement **out, struct oriel_error *error) {
    struct sql_statement_span span;
    struct sql_parser parser;
    if (!oriel_script_find_statement(reader, &span)) {
        reader->position = oriel_script_advance(reader->position, reader->text + reader->offset,
                                                reader->length - reader->offset);
        reader->offset = reader->length;
        return ORIEL_DONE;
    }
    ORIEL_TRY(parse_one(&parser, &span, reader->text, statement_arena, error));
    reader->position =
        oriel_script_advance(span.position, reader->text + span.begin, span.next - span.begin);
    reader->offset = span.next;
    *out = parser.statement;
    return ORIEL_OK;
}

enum oriel_status oriel_parse_expression(const char *text, size_t length,
                                         struct oriel_arena *statement_arena,
                                         struct ast_expression **out, struct oriel_error *error) {
    struct sql_parser parser;
    ORIEL_TRY(
        open_parser(&parser, statement_arena, text, length, (struct oriel_position){1, 1}, error));
    parser.start_token = SQL_START_EXPRESSION;
    const enum oriel_status status = run_grammar(&parser);
    oriel_tokens_close(&parser.tokens);
    ORIEL_TRY(status);
    *out = parser.expression;
    return ORIEL_OK;
}
