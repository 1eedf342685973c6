/* Columns of tables that declare none. */
#pragma once

#include "engine/api/engine_internal.h"

/* oriel_infer_table for `context` = struct oriel_engine. */
enum oriel_status oriel_engine_infer_table(void *context, const struct oriel_runtime *runtime,
                                           struct oriel_table_entry *table,
                                           struct oriel_arena *arena,
                                           struct oriel_position position,
                                           struct oriel_error *error);
