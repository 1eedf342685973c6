/*
 * Tier 1 of the API: kernels on arrays of the caller, without an engine. Pure functions: they
 * allocate nothing, read exactly `count` elements, and may be called from any thread. `isa` is a
 * name of oriel_engine_isa_at, NULL the best one here; every instruction set gives the same values.
 * ORIEL_ARGUMENT when the name is unknown, this machine cannot run it, or a size is not positive.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oriel/error.h"
#include "oriel/export.h"

ORIEL_BEGIN_DECLS

/* start_ms[i] = time_ms[i] - floorMod(time_ms[i] - offset_ms, size_ms): the start of the TUMBLE
 * window of a time, also before 1970. Arrays must not overlap. */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_window_start(
    const char *isa, const int64_t *time_ms, size_t count, int64_t size_ms, int64_t offset_ms,
    int64_t *start_ms, struct oriel_error *error);

/*
 * Finds sessions in rows that are sorted by key, then time: bit i % 64 of breaks[i / 64] is set
 * when row i begins a session, that is its key is another than that of row i - 1 or its time more
 * than gap_ms later; keys NULL: all are equal. `breaks` has (count + 63) / 64 words. *session_count
 * gets the number of sessions.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_session_breaks(
    const char *isa, const int64_t *time_ms, const uint32_t *keys, size_t count, int64_t gap_ms,
    uint64_t *breaks, size_t *session_count, struct oriel_error *error);

ORIEL_END_DECLS
