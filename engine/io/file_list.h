/*
 * The files behind the 'path' of a table: the file itself, or all files of a folder and of its
 * sub-folders in the order of their names. Names that begin with '.' or '_' are left out, as Flink
 * does, even where `path` itself ends in one. A path that is not there may be a pattern (see
 * path_pattern.h), whose files come sorted by the bytes of their paths, or several paths and
 * patterns between commas or semicolons, which keep their order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/status.h"

struct oriel_file {
    const char *path;
    uint64_t size_bytes; /* 0 for a FIFO or device */
    /* Of each column of the folders its value (NULL: it is NULL, or not wanted); see folder.h. */
    const void *const *folder_values;
};

struct oriel_file_list {
    struct oriel_memory *memory;
    struct oriel_arena arena; /* the paths */
    struct oriel_file *files;
    size_t file_count;
    size_t capacity;
    uint64_t total_bytes;
    bool is_hidden; /* `path` itself has such a name, so nothing is read */
};

/*
 * Fills the list; a leading `file:` or `file://` of `path` is taken off. ORIEL_IO for a path that
 * is missing, may not be read or is a loop of links, and for a pattern without a match;
 * ORIEL_INVALID for a file that is named twice; ORIEL_UNSUPPORTED for another scheme (s3:). On
 * failure the list is empty and needs no deinit.
 */
enum oriel_status oriel_file_list_init(struct oriel_file_list *list, struct oriel_memory *memory,
                                       const char *path, struct oriel_error *error);
void oriel_file_list_deinit(struct oriel_file_list *list);

/* For those who fill a list: adds a file, whose path lies in the arena; sorts files [first, ...) by
 * path and leaves out those that are there twice. */
enum oriel_status oriel_file_list_add(struct oriel_file_list *list, const char *path,
                                      uint64_t size_bytes, struct oriel_error *error);
void oriel_file_list_sort(struct oriel_file_list *list, size_t first);

/* Leaves out the files for which `keep` says so. */
void oriel_file_list_keep(struct oriel_file_list *list, const bool *keep);
