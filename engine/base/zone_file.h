/*
 * Inside engine/base: changes of a zone's offset from the system's time zone files, which are
 * younger than what ICU brings along.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/memory.h"
#include "engine/base/status.h"

/* offset_ms[i] holds from change i - 1 on, offset_ms[0] before the first; no two are the same next
 * to each other. */
struct oriel_zone_changes {
    struct oriel_memory *memory;
    size_t capacity;
    size_t count;
    int64_t *instant_ms;
    int32_t *offset_ms;
};

/* Reads the file of a zone, and follows its rules up to the end of `year_last`. *found is false,
 * and there is nothing to release, when there is no such file or it is none of version 2 or later.
 * `folder` ends with a slash. */
enum oriel_status oriel_zone_file_read(struct oriel_memory *memory, const char *folder,
                                       const char *name, int32_t year_last,
                                       struct oriel_zone_changes *out, bool *found,
                                       struct oriel_error *error);
void oriel_zone_changes_release(struct oriel_zone_changes *changes);

/* Where the files lie. */
#define ORIEL_ZONE_FOLDER "/usr/share/zoneinfo/"
