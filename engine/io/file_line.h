/* Lines of files, counted once something is to be said about one. */
#pragma once

#include "engine/base/runtime.h"

/* *line = number of the line, from 1 on, that byte `offset` of the file lies in; 0 when the file
 * cannot be read. */
enum oriel_status oriel_file_line_of(const struct oriel_runtime *runtime, const char *path,
                                     uint64_t offset, uint64_t *line, struct oriel_error *error);
