/*
 * Time zones: names of the TZDB, UTC and GMT+hh:mm. A zone is immutable once open, reads nothing
 * any more, and may be used by several threads.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/memory.h"
#include "engine/base/status.h"

struct oriel_zone;

/* ORIEL_INVALID for a name that Flink refuses too ("+05:30", "Mars/Base"). */
enum oriel_status oriel_zone_open(struct oriel_memory *memory, const char *name,
                                  struct oriel_zone **out, struct oriel_error *error);
void oriel_zone_close(struct oriel_zone **zone);

const char *oriel_zone_name(const struct oriel_zone *zone);

/* True when the offset never changes; it is that of any instant then. */
bool oriel_zone_is_fixed(const struct oriel_zone *zone);

/* Instant to wall clock, both in ms since 1970-01-01 00:00. */
int64_t oriel_zone_to_local(const struct oriel_zone *zone, int64_t instant_ms);

/* Wall clock to instant as Java does: a time in a gap moves forward by the gap, of a repeated hour
 * the first pass is taken. */
int64_t oriel_zone_to_instant(const struct oriel_zone *zone, int64_t local_ms);

/* A stretch of time with one offset, for callers that convert many times near each other: for all
 * t in [from_ms, until_ms) the answer is t + offset_ms (to_local) or t - offset_ms (to_instant). */
struct oriel_zone_span {
    int64_t from_ms;
    int64_t until_ms;
    int64_t offset_ms;
};

struct oriel_zone_span oriel_zone_local_span(const struct oriel_zone *zone, int64_t instant_ms);
struct oriel_zone_span oriel_zone_instant_span(const struct oriel_zone *zone, int64_t local_ms);
