/*
 * From text to tree: a script is read statement by statement, so that what stands before a syntax
 * error has been run when the error is found.
 */
#pragma once

#include "engine/base/arena.h"
#include "engine/sql/ast.h"

/* A position in a script that is read from the front; the text must outlive it. */
struct oriel_script_reader {
    const char *text;
    size_t length;
    size_t offset;                  /* of the next statement */
    struct oriel_position position; /* of `offset` */
};

void oriel_script_reader_init(struct oriel_script_reader *reader, const char *text, size_t length);

/*
 * Parses the next statement into `statement_arena`. ORIEL_DONE when only blanks, comments and
 * semicolons are left; ORIEL_SYNTAX with position and "found X, expected Y" otherwise; nesting
 * deeper than ORIEL_SQL_DEPTH_MAX is an ORIEL_INVALID. On an error the reader stays at the
 * statement.
 */
enum { ORIEL_SQL_DEPTH_MAX = 200 };
enum oriel_status oriel_parse_statement(struct oriel_script_reader *reader,
                                        struct oriel_arena *statement_arena,
                                        struct ast_statement **out, struct oriel_error *error);

/* Parses one expression, e.g. that of a computed column; all of the text must be used. */
enum oriel_status oriel_parse_expression(const char *text, size_t length,
                                         struct oriel_arena *statement_arena,
                                         struct ast_expression **out, struct oriel_error *error);

/* True when `text` holds at least one complete statement (a semicolon outside strings, comments and
 * BEGIN ... END): for a prompt that reads line by line. */
bool oriel_script_is_complete(const char *text, size_t length);

/* Writes an expression as Flink's catalog prints it: `a` - INTERVAL '1' SECOND; NULL: no memory. */
const char *oriel_ast_print_expression(const struct ast_expression *expression,
                                       struct oriel_arena *arena);
