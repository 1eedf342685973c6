/* Rows of a running query that nobody wants: they are computed, checked and counted. */
#pragma once

#include <stdatomic.h>

#include "engine/exec/exec.h"

struct oriel_discard {
    const char *const *required; /* as in struct oriel_row_writer; or NULL */
    _Atomic uint64_t row_count;
};

/* For oriel_execution_run. */
struct oriel_piece_maker oriel_discard_maker(struct oriel_discard *discard);
