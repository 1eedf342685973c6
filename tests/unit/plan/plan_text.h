/*
 * What the binder makes of a script, as text: plan and fields of each query, fields of each
 * DESCRIBE, errors with their positions. A script goes on after an error of the binder.
 */
#pragma once

#include "engine/base/memory.h"
#include "engine/base/status.h"

struct plan_text {
    char *bytes; /* ends with NUL; owned by the caller, from malloc */
    size_t length;
};

/* ORIEL_MEMORY when an allocation failed; all memory of `memory` is given back in any case. */
enum oriel_status plan_text_make(struct oriel_memory *memory, const char *script, size_t length,
                                 struct plan_text *out);
