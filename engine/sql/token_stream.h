/* Tokens in the grammar's terms: what a word means depends on its neighbours. */
#pragma once

#include "engine/sql/lexer.h"
#include "engine/sql/parser.h"

enum { ORIEL_TOKENS_AHEAD = 8 };

/* What is open at one level of parentheses, brackets or CASE. */
struct sql_level {
    uint32_t open_betweens; /* BETWEENs whose AND has not come */
    bool position_call;     /* inside POSITION( before its IN */
    bool json_keys;         /* inside JSON_OBJECT( or JSON_OBJECTAGG( */
};

struct sql_token_stream {
    struct sql_lexer lexer;
    struct sql_token ahead[ORIEL_TOKENS_AHEAD]; /* read, not handed out; a ring */
    uint32_t ahead_first, ahead_count;
    struct sql_token previous, before_previous; /* the last two that the grammar took */
    uint32_t depth;
    bool too_deep;
    bool in_alter; /* ADD and AFTER are words of ALTER alone */
    struct sql_level levels[ORIEL_SQL_DEPTH_MAX + 1];
};

enum oriel_status oriel_tokens_open(struct sql_token_stream *stream, struct oriel_arena *arena,
                                    const char *source, size_t length, struct oriel_position start,
                                    struct oriel_error *error);
void oriel_tokens_close(struct sql_token_stream *stream);

/* The token `distance` (below ORIEL_TOKENS_AHEAD) ahead as the lexer gives it. */
const struct sql_token *oriel_tokens_peek(struct sql_token_stream *stream, uint32_t distance);

/* Takes the next token as the grammar wants it; pairs such as NULLS FIRST become one token. */
struct sql_token oriel_tokens_next(struct sql_token_stream *stream);

/* Takes the next token as the lexer gives it. */
struct sql_token oriel_tokens_next_raw(struct sql_token_stream *stream);

/* True for a word, quoted or not, that spells `upper_word` without quotes. */
bool oriel_token_is_word(const struct sql_token *token, const char *upper_word);
