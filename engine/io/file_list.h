/*
 * The files behind the 'path' of a table: the file itself, or all files of a folder and of its
 * sub-folders in the order of their names. Names that begin with '.' or '_' are left out, as Flink
 * does, even where `path` itself ends in one.
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
 * is missing, may not be read or is a loop of links; ORIEL_UNSUPPORTED for another scheme (s3:). On
 * failure the list is empty and needs no deinit.
 */
enum oriel_status oriel_file_list_init(struct oriel_file_list *list, struct oriel_memory *memory,
                                       const char *path, struct oriel_error *error);
void oriel_file_list_deinit(struct oriel_file_list *list);
