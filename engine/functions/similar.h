/*
 * Inside engine/functions: patterns of SIMILAR TO as regular expressions.
 */
#pragma once

#include "engine/functions/signature.h"

/* `escape` NULL: there is none. ORIEL_INVALID for a wrong use of the escape character or a set that
 * does not end. */
enum oriel_status oriel_similar_to_regex(struct oriel_arena *arena, struct oriel_text pattern,
                                         const struct oriel_text *escape,
                                         struct oriel_position position, struct oriel_text *out,
                                         struct oriel_error *error);
