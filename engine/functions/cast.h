/*
 * Inside engine/functions: CAST and TRY_CAST, one file a family of source and target types.
 */
#pragma once

#include "engine/functions/signature.h"

struct oriel_cast {
    struct oriel_type from, to;
    bool try; /* a value that cannot be read becomes NULL instead of an error */
};

/* Each returns the evaluation for binding->state = struct oriel_cast, or NULL if the family has no
 * such cast. */
oriel_evaluate *oriel_cast_number(const struct oriel_cast *cast); /* number, BOOLEAN to the same */
oriel_evaluate *oriel_cast_time(const struct oriel_cast *cast);   /* times to times */
oriel_evaluate *oriel_cast_from_text(const struct oriel_cast *cast); /* strings to anything */
oriel_evaluate *oriel_cast_to_text(const struct oriel_cast *cast); /* anything to strings, bytes */

/* ARRAY, MAP and ROW part by part: replaces binding->state and sets *evaluate, or NULL if the parts
 * have no cast. */
enum oriel_status oriel_cast_nested_bind(struct oriel_binding *binding,
                                         const struct oriel_cast *cast, oriel_evaluate **evaluate,
                                         struct oriel_error *error);

/* After a value could not be read: clears the row in `out` for TRY_CAST, else fails with `reason`
 * after the text. */
enum oriel_status oriel_cast_failed(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation, struct oriel_column *out,
                                    size_t row, struct oriel_text text, const char *reason);
