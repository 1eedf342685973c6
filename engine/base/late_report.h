/*
 * How many rows a streaming job would have dropped as late: one entry for each window operator of a
 * statement that takes rows from a table with a watermark. The binder makes entries, the scan of
 * the table counts, the API reads. Entries lie in the statement arena.
 */
#pragma once

#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/status.h"

struct oriel_late_window {
    struct oriel_late_window *next;
    const char *table;
    const char *window; /* e.g. "TUMBLE(ts, size 600000 ms)" */
    struct oriel_position position;
    bool is_counted;        /* its scan was read */
    uint64_t row_count;     /* rows that reached the window */
    uint64_t dropped_count; /* rows late for all of their windows: dropped */
    uint64_t part_count;    /* rows late for some of them only: missing there */
    uint64_t missing_count; /* rows missing, summed over all windows */
    uint64_t first_row;     /* of the table, from 1 on: the first row that is missing; 0: none */
    char first_file[ORIEL_ERROR_SOURCE_SIZE]; /* and where it stands; "": not known */
    uint64_t first_offset;                    /* in bytes */
};

struct oriel_late_report {
    struct oriel_arena *arena;
    struct oriel_late_window *first, **last;
};
