/* The words that mean something to the grammar. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct sql_keyword {
    const char *word; /* upper case */
    int token;        /* of the grammar */
    bool reserved;    /* cannot be a name without backticks */
};

/* The keyword that `bytes` spell in any case; NULL: none. */
const struct sql_keyword *oriel_sql_keyword_find(const char *bytes, size_t length);

/* The keywords in order of their words; NULL at the end. */
const struct sql_keyword *oriel_sql_keyword_at(size_t index);

/* True for a word that cannot be a name without backticks. */
bool oriel_sql_is_reserved(const char *bytes, size_t length);
