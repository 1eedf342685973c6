/*
 * What type a column may have whose values are known as texts.
 */
#pragma once

#include "engine/base/text.h"
#include "engine/columns/type.h"

/* From the narrowest on. */
enum oriel_guess {
    ORIEL_GUESS_NOTHING, /* only NULLs so far */
    ORIEL_GUESS_BOOLEAN,
    ORIEL_GUESS_BIGINT,
    ORIEL_GUESS_DOUBLE,
    ORIEL_GUESS_DATE,
    ORIEL_GUESS_TIMESTAMP,
    ORIEL_GUESS_TIMESTAMP_LTZ,
    ORIEL_GUESS_STRING,
};

struct oriel_column_guess {
    enum oriel_guess guess;
    unsigned digits; /* of seconds, of timestamps */
};

struct oriel_column_guess oriel_guess_text(struct oriel_text text);

/* The narrowest guess that holds both. */
struct oriel_column_guess oriel_guess_widen(struct oriel_column_guess a,
                                            struct oriel_column_guess b);

/* STRING for nothing. */
struct oriel_type oriel_guess_type(struct oriel_column_guess guess);
