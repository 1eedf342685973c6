/* Which names of time zones are valid: those that Java and the TZDB agree on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ORIEL_ZONE_NAME_BYTES = 128 };

/* UTC, GMT, GMT+9, GMT-09:30, GMT+0930: a fixed offset of at most 18 hours. Asks no one. */
bool oriel_zone_name_is_offset(const char *name, int32_t *offset_ms);

/* The name of a region or of a zone without rules, such as Etc/GMT+5; case counts. */
bool oriel_zone_name_is_region(const char *name);
