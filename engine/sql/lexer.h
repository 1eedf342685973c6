/* Characters to tokens, and what the grammar and the tree builders call a token. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/status.h"

/* Where a token or a rule stands: begin and end count bytes from the start of the statement. */
struct sql_location {
    uint32_t line, column;
    uint32_t begin, end;
};

/* The text of a token. Words and numbers lie in the source; strings and quoted names are copies
 * without quotes that end with NUL. */
struct sql_text {
    const char *bytes;
    uint32_t length;
    bool quoted;
};

struct sql_token {
    int kind; /* SQL_... of the grammar; 0 at the end */
    struct sql_location location;
    struct sql_text text; /* SQL_LEXICAL_ERROR: the message */
};

/* Room for what flex allocates: its state, one buffer and a stack of one. */
enum { ORIEL_LEXER_SCRATCH_BYTES = 2048 };

struct sql_lexer {
    struct oriel_arena *arena;
    const char *source;
    size_t length;
    char *buffer; /* a copy of the source that flex writes into */
    void *scanner;
    struct sql_location here;   /* of the token that is being read */
    struct sql_location opened; /* of the comment that is being skipped */
    bool out_of_memory;
    size_t scratch_used;
    _Alignas(16) char scratch[ORIEL_LEXER_SCRATCH_BYTES];
};

/* Begins at `start` of the script. `source` must be valid UTF-8 below 4 GB and outlive the lexer.
 */
enum oriel_status oriel_lexer_open(struct sql_lexer *lexer, struct oriel_arena *arena,
                                   const char *source, size_t length, struct oriel_position start,
                                   struct oriel_error *error);
void oriel_lexer_close(struct sql_lexer *lexer);

/* Reads one token. A mistake is a token of kind SQL_LEXICAL_ERROR. */
void oriel_lexer_next(struct sql_lexer *lexer, struct sql_token *token);

/* What the rules of lexer.l call, in lexer_actions.c. */
void oriel_lexer_advance(struct sql_lexer *lexer, size_t length_bytes);
int oriel_lexer_fail(struct sql_lexer *lexer, struct sql_token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int oriel_lexer_word(struct sql_lexer *lexer, struct sql_token *token);
int oriel_lexer_quoted_name(struct sql_lexer *lexer, struct sql_token *token);
int oriel_lexer_string(struct sql_lexer *lexer, struct sql_token *token);
int oriel_lexer_unicode_string(struct sql_lexer *lexer, struct sql_token *token);
int oriel_lexer_binary(struct sql_lexer *lexer, struct sql_token *token);
int oriel_lexer_number(struct sql_lexer *lexer, struct sql_token *token);
int oriel_lexer_unknown(struct sql_lexer *lexer, struct sql_token *token);
