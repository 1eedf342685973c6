/*
 * Inside engine/functions: JSON paths as Flink has them (JsonPath): $.a.b, ['a'], [0], [-1], [0,2],
 * [1:3], [*], .*, ..a, with `lax` or `strict` in front.
 */
#pragma once

#include "engine/functions/json_tree.h"

enum oriel_json_step_kind {
    ORIEL_JSON_STEP_KEY,
    ORIEL_JSON_STEP_INDEXES, /* one or several */
    ORIEL_JSON_STEP_SLICE,
    ORIEL_JSON_STEP_ALL,
};

struct oriel_json_step {
    struct oriel_json_step *next;
    enum oriel_json_step_kind kind;
    bool deep; /* after ..: at every level */
    struct oriel_text key;
    uint32_t index_count;
    const int32_t *indexes;
    bool has_from, has_to; /* SLICE */
    int32_t from, to;
};

struct oriel_json_path {
    bool lax;      /* strict is the default */
    bool good;     /* false: no path, which is an error of each row in strict mode */
    bool definite; /* names at most one place; else the result is an array of all places */
    const char *unsupported; /* what this path asks for that cannot be run, or NULL */
    struct oriel_json_step *first;
};

/* Borrows from `text`. Fails only for want of memory. */
enum oriel_status oriel_json_path_read(struct oriel_arena *arena, struct oriel_text text,
                                       struct oriel_json_path *out, struct oriel_error *error);

/* *out is NULL when a definite path leads nowhere. */
enum oriel_status oriel_json_path_find(struct oriel_arena *arena,
                                       const struct oriel_json_path *path,
                                       const struct oriel_json *root, const struct oriel_json **out,
                                       struct oriel_error *error);
