/*
 * Types across the Arrow C data interface, both ways.
 */
#pragma once

#include "engine/base/arena.h"
#include "engine/base/status.h"
#include "engine/columns/type.h"
#include "oriel/arrow_c.h"

/* How the buffers of an array lie, and what brings its values to ours. */
enum oriel_arrow_layout {
    ORIEL_ARROW_NULL,
    ORIEL_ARROW_BOOLEAN, /* a bit a value */
    ORIEL_ARROW_SIGNED,  /* width_bytes wide */
    ORIEL_ARROW_UNSIGNED,
    ORIEL_ARROW_HALF_FLOAT,
    ORIEL_ARROW_FLOAT,
    ORIEL_ARROW_DECIMAL,    /* width_bytes 4, 8, 16 or 32; at most 38 digits */
    ORIEL_ARROW_FIXED,      /* width_bytes a value */
    ORIEL_ARROW_OFFSETS_32, /* offsets and bytes */
    ORIEL_ARROW_OFFSETS_64,
    ORIEL_ARROW_VIEWS, /* 16-byte views into any number of buffers */
    /* With children; see arrow_nested.h. */
    ORIEL_ARROW_LIST_32, /* lists and maps */
    ORIEL_ARROW_LIST_64,
    ORIEL_ARROW_LIST_FIXED, /* width_bytes elements a value */
    ORIEL_ARROW_STRUCT,
};

struct oriel_arrow_type {
    enum oriel_arrow_layout layout;
    uint32_t width_bytes;
    struct oriel_type type;
    int64_t multiply; /* integers: floor(value / divide) * multiply is ours */
    int64_t divide;
    bool is_text; /* UTF-8 that must be checked */
};

/* Reads a format string. False when there is no such type of ours, or the string is malformed. */
bool oriel_arrow_type_read(const char *format, struct oriel_arrow_type *out);

/* What a format string with children stands for, such as "list"; NULL when it has none. */
const char *oriel_arrow_nested_name(const char *format);

/* Writes the format string of a type; NULL for nested types. `zone` stands in TIMESTAMP_LTZ. The
 * text lies in `arena` or is static; *memory_failed tells why NULL came. */
const char *oriel_arrow_type_format(const struct oriel_type *type, const char *zone,
                                    struct oriel_arena *arena, bool *memory_failed);
