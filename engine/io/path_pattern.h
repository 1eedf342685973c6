/*
 * Patterns of paths: `*`, `?` and `[a-z]` stand for what a name has, `**` for any folders,
 * `{a,b}` for either. Names that begin with '.' or '_' must be written out.
 */
#pragma once

#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/memory.h"
#include "engine/base/status.h"

/* Paths, in an array of their own; the texts lie in an arena. */
struct oriel_path_set {
    struct oriel_memory *memory;
    struct oriel_arena *arena;
    const char **paths;
    size_t count;
    size_t capacity;
};

enum oriel_status oriel_path_set_add(struct oriel_path_set *set, const char *path,
                                     struct oriel_error *error);
void oriel_path_set_deinit(struct oriel_path_set *set);

/* Whether `path` has characters of patterns. */
bool oriel_path_is_pattern(const char *path);

/* Cuts `path` at commas and semicolons outside of braces. */
enum oriel_status oriel_path_split(const char *path, struct oriel_path_set *out,
                                   struct oriel_error *error);

/* Adds the files and folders that match, in any order and perhaps more than once. */
enum oriel_status oriel_path_match(const char *pattern, struct oriel_path_set *out,
                                   struct oriel_error *error);

/* Whether a path has the form of the pattern, or lies in a folder that has. */
bool oriel_path_fits(const char *pattern, const char *path);
