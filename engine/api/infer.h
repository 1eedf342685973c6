/* Columns of tables that declare none. */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"

/* The format of a file or folder, by the suffix of its path or of its first file. ORIEL_INVALID
 * when that tells none. */
enum oriel_status oriel_engine_find_format(struct oriel_memory *memory, const char *path,
                                           enum oriel_table_format *out, struct oriel_error *error);

/* oriel_infer_table for `context` = struct oriel_engine. */
enum oriel_status oriel_engine_infer_table(void *context, const struct oriel_runtime *runtime,
                                           struct oriel_table_entry *table,
                                           struct oriel_arena *arena,
                                           struct oriel_position position,
                                           struct oriel_error *error);
