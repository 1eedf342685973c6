/*
 * Time zones by ICU: names of the TZDB, UTC and GMT+hh:mm. A zone is immutable once open and may be
 * used by several threads.
 */
#pragma once

#include "engine/base/memory.h"
#include "engine/base/status.h"

struct oriel_zone;

/* ORIEL_INVALID for a name that Flink refuses too ("+05:30", "Mars/Base"). */
enum oriel_status oriel_zone_open(struct oriel_memory *memory, const char *name,
                                  struct oriel_zone **out, struct oriel_error *error);
void oriel_zone_close(struct oriel_zone **zone);

const char *oriel_zone_name(const struct oriel_zone *zone);

/* Instant to wall clock, both in ms since 1970-01-01 00:00. */
int64_t oriel_zone_to_local(const struct oriel_zone *zone, int64_t instant_ms);

/* Wall clock to instant as Java does: a time in a gap moves forward by the gap, of a repeated hour
 * the first pass is taken. */
int64_t oriel_zone_to_instant(const struct oriel_zone *zone, int64_t local_ms);
