/*
 * Tier 1 of the API: kernels on arrays of the caller, without an engine.
 *
 * All are pure functions: they allocate nothing, keep nothing, and may be called from any thread at
 * any time. Every array is the caller's before and after; inputs are read exactly up to their
 * length, outputs written exactly up to theirs, and no two arrays may overlap. Arrays need only the
 * alignment of their type. `isa` is a name of oriel_engine_isa_at, NULL the best one here; every
 * instruction set gives the same values.
 *
 * Errors: ORIEL_ARGUMENT when the instruction set is unknown or this machine cannot run it, a size
 * is not positive, sizes do not divide as they must, or there are more than
 * ORIEL_KERNEL_COUNT_MAX rows where rows get numbers. Nothing else can fail, and outputs are then
 * untouched.
 *
 * Times are in milliseconds since 1970-01-01 00:00, before it too. Windows whose bounds would leave
 * int64 wrap around, as they do in Flink.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oriel/error.h"
#include "oriel/export.h"

ORIEL_BEGIN_DECLS

/* The most rows that a kernel with row numbers takes: 2^32 - 65. */
#define ORIEL_KERNEL_COUNT_MAX ((size_t)UINT32_MAX - 64)

/* ---- windows of times -------------------------------------------------------------------------
 * The window of Flink's TimeWindow.getWindowStartWithOffset: windows of `size` begin at offset plus
 * whole multiples of it. Floor division by the reciprocal in double precision with one correction;
 * neighbours in one window need no division.
 */

/* start_ms[i] (count entries) = start of the TUMBLE window of time_ms[i], which ends at
 * start_ms[i] + size_ms. offset_ms may have any value. */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_tumble(const char *isa,
                                                               const int64_t *time_ms, size_t count,
                                                               int64_t size_ms, int64_t offset_ms,
                                                               int64_t *start_ms,
                                                               struct oriel_error *error);

/*
 * The HOP windows of each time: with n = size_ms / slide_ms, which must be whole,
 * start_ms[i * n] .. start_ms[i * n + n - 1] (count * n entries) are the starts of the n windows of
 * time_ms[i], ascending; each ends at its start + size_ms.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_hop(const char *isa, const int64_t *time_ms,
                                                            size_t count, int64_t size_ms,
                                                            int64_t slide_ms, int64_t offset_ms,
                                                            int64_t *start_ms,
                                                            struct oriel_error *error);

/*
 * The CUMULATE windows of each time: entry w of the outputs is a window [start_ms[w], end_ms[w]) of
 * row rows[w], in the order of rows, then ends; *window_count gets their number. A row has 1 to
 * max_size_ms / step_ms windows, which must be whole; the outputs have room for count times that.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_cumulate(
    const char *isa, const int64_t *time_ms, size_t count, int64_t max_size_ms, int64_t step_ms,
    int64_t offset_ms, uint32_t *rows, int64_t *start_ms, int64_t *end_ms, size_t *window_count,
    struct oriel_error *error);

/* ---- order, sessions, groups ------------------------------------------------------------------
 * `scratch` is memory of oriel_kernel_scratch_bytes(count) bytes, aligned to 8, whose content means
 * nothing before and after.
 */
ORIEL_API size_t oriel_kernel_scratch_bytes(size_t count);

/*
 * The stable ascending order of rows by key, then time: permutation[0 .. count - 1] are the numbers
 * of the rows in that order. keys NULL: by time alone. Least-significant-digit radix sort over 8
 * bits a pass; passes whose digit is the same everywhere are left out.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_sort(const char *isa,
                                                             const int64_t *time_ms,
                                                             const uint32_t *keys, size_t count,
                                                             void *scratch, uint32_t *permutation,
                                                             struct oriel_error *error);

/*
 * Finds sessions in rows that are sorted by key, then time: bit i % 64 of breaks[i / 64] is set
 * when row i begins a session, that is its key is another than that of row i - 1 or its time more
 * than gap_ms later; keys NULL: all are equal. `breaks` has (count + 63) / 64 words. *session_count
 * gets the number of sessions.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_session_breaks(
    const char *isa, const int64_t *time_ms, const uint32_t *keys, size_t count, int64_t gap_ms,
    uint64_t *breaks, size_t *session_count, struct oriel_error *error);

/*
 * The sessions of rows in any order: ids[i] (count entries) is the number of row i's session, from
 * 0, in the order of keys, then times. Session s is [start_ms[s], end_ms[s]): from its first time
 * to its last plus gap_ms, as Flink's SESSION gives window_start and window_end; rows whose windows
 * [time, time + gap_ms) touch share one. Both may be NULL, else they have room for count entries,
 * of which *session_count are written. Sorts, then marks breaks.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_session_ids(
    const char *isa, const int64_t *time_ms, const uint32_t *keys, size_t count, int64_t gap_ms,
    void *scratch, uint32_t *ids, int64_t *start_ms, int64_t *end_ms, size_t *session_count,
    struct oriel_error *error);

/*
 * Dense numbers for keys: ids[i] (count entries) is the number of the group of keys[i], from 0 in
 * the order in which keys first appear; first_rows[g] (room for count entries, *group_count
 * written; may be NULL) is the first row of group g. Open addressing over at least twice as many
 * places as rows, by a multiply-and-fold hash.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_group(const char *isa, const int64_t *keys,
                                                              size_t count, void *scratch,
                                                              uint32_t *ids, uint32_t *first_rows,
                                                              size_t *group_count,
                                                              struct oriel_error *error);

/* ---- the first n of an order ------------------------------------------------------------------
 */

enum oriel_kernel_end { ORIEL_KERNEL_GREATEST, ORIEL_KERNEL_LEAST };

/*
 * The numbers of the n greatest (or least) values, best first, equal ones by row number, into rows
 * (room for the smaller of n and count; *row_count written). Rows whose bit i % 64 of word i / 64
 * of `valid` is not set are left out; valid NULL: none are. Doubles in Flink's order: NaN is the
 * greatest, -0.0 equals 0.0. A bounded heap behind a vector comparison with its worst entry.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_top_i64(
    const char *isa, const int64_t *values, const uint64_t *valid, size_t count, size_t n,
    enum oriel_kernel_end end, uint32_t *rows, size_t *row_count, struct oriel_error *error);
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_kernel_top_f64(
    const char *isa, const double *values, const uint64_t *valid, size_t count, size_t n,
    enum oriel_kernel_end end, uint32_t *rows, size_t *row_count, struct oriel_error *error);

ORIEL_END_DECLS
