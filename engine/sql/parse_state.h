/* The state of one parse, shared by the grammar, the tree builders and the error report. */
#pragma once

#include "engine/sql/ast.h"
#include "engine/sql/token_stream.h"

struct sql_parser {
    struct oriel_arena *arena; /* of the statement */
    struct oriel_error *error;
    enum oriel_status status; /* ORIEL_OK until something fails */
    const char *source;       /* the statement, without the semicolon */
    size_t source_length;
    bool has_semicolon; /* what ends the source; else the end of the script */
    int start_token;    /* SQL_START_STATEMENT or SQL_START_EXPRESSION, until it is given out */
    struct sql_token_stream tokens;
    struct ast_statement *statement;
    struct ast_expression *expression;
};

static inline struct oriel_position sql_position(struct sql_location location) {
    return (struct oriel_position){location.line, location.column};
}

/* Fails the parse with a message, unless it has failed before; the value is always NULL. */
void *oriel_sql_fail(struct sql_parser *parser, enum oriel_status status,
                     struct oriel_position position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails the parse because memory ran out; the value is always NULL. */
void *oriel_sql_fail_memory(struct sql_parser *parser);

/* What the grammar could take instead of a token, by the names of grammar.y. */
enum { ORIEL_SQL_EXPECTED_MAX = 256 };
struct sql_expected {
    const char *names[ORIEL_SQL_EXPECTED_MAX];
    size_t count;
};

/* Fails the parse: found ..., expected ..., and a hint where the cause is clear. */
void oriel_sql_report_unexpected(struct sql_parser *parser, const struct sql_token *found,
                                 struct sql_expected *expected);

/* A token as the user wrote it, for messages. */
enum { ORIEL_SQL_TOKEN_TEXT_BYTES = 160 };
const char *oriel_sql_token_text(const struct sql_parser *parser, const struct sql_token *token,
                                 char buffer[ORIEL_SQL_TOKEN_TEXT_BYTES]);

/* The upper-case word of `words` that `token` most likely misspells; NULL: none. */
const char *oriel_sql_similar_word(const struct sql_token *token, const char *const *words,
                                   size_t count);

/* The parser that bison makes: 0, 1 when parser->status is set, 2 when its stack is full. */
int oriel_grammar_parse(struct sql_parser *parser);

/* SET, RESET, USE, SHOW, DROP, DESCRIBE and the statements that are only recognised. True when the
 * statement begins like one of them; it is then parsed or parser->status says why not. */
bool oriel_sql_parse_plain(struct sql_parser *parser);
