/*
 * Inside engine/functions: patterns of Java's DateTimeFormatter (yyyy-MM-dd HH:mm:ss.SSS), English
 * names. Times with a zone in the pattern (V z O X x Z) do not exist here.
 */
#pragma once

#include "engine/functions/moment.h"

/* One part of a pattern: a run of one letter, or (letter 0) a text that stands for itself. */
struct oriel_time_item {
    char letter;
    uint8_t count;
    bool adjacent; /* a number of fixed width follows at once */
    struct oriel_text text;
};

struct oriel_time_pattern {
    struct oriel_time_item *items;
    size_t item_count;
    size_t text_bytes_max; /* of a formatted time */
};

/* Compiles into `arena`. NULL when it went well, else a sentence in `arena` or a constant. */
const char *oriel_time_pattern_compile(struct oriel_arena *arena, struct oriel_text pattern,
                                       struct oriel_time_pattern *out);

/* Writes at most text_bytes_max bytes; returns how many. */
size_t oriel_time_pattern_format(const struct oriel_time_pattern *pattern,
                                 struct oriel_moment moment, char *out);

/* Reads the whole text; fields that the pattern lacks are those of 1970-01-01 00:00. */
bool oriel_time_pattern_parse(const struct oriel_time_pattern *pattern, struct oriel_text text,
                              struct oriel_moment *out);

extern const char *const oriel_month_names[12];
extern const char *const oriel_day_names[7]; /* from Monday */
