/*
 * Files of object stores (s3://, gs://, hdfs://), which the module of Arrow reaches.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "engine/io/arrow_shim.h"
#include "engine/io/file_list.h"

/* Whether a path is the URI of an object store that Arrow may have. */
bool oriel_path_is_object(const char *path);

/* Adds the file, the files of the folder, or those that match the pattern `uri`, sorted. A '?'
 * begins the options of the store, and is no part of a pattern. */
enum oriel_status oriel_object_list(struct oriel_file_list *list, const char *uri,
                                    struct oriel_error *error);

enum oriel_status oriel_object_open(const char *uri, struct oriel_arrow_object **out,
                                    uint64_t *size_bytes, int64_t *modified_ns,
                                    struct oriel_error *error);
enum oriel_status oriel_object_read(struct oriel_arrow_object *object, const char *uri,
                                    uint64_t offset, char *buffer, size_t length, size_t *got,
                                    struct oriel_error *error);
void oriel_object_close(struct oriel_arrow_object *object); /* NULL is allowed */
