/*
 * Tables that the program registers as Arrow streams.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/source.h"
#include "oriel/arrow_c.h"
#include "oriel/engine.h"

struct oriel_stream_table;

/* Takes `stream` over (also on failure) and reads its schema; the table is put before *tables. */
enum oriel_status oriel_stream_table_make(struct oriel_memory *memory,
                                          struct ArrowArrayStream *stream,
                                          enum oriel_stream_use use,
                                          struct oriel_stream_table **tables,
                                          struct oriel_error *error);

struct oriel_schema oriel_stream_table_schema(const struct oriel_stream_table *table);

/* Frees the table that was made last, or all. */
void oriel_stream_table_drop(struct oriel_stream_table **tables);
void oriel_stream_tables_close(struct oriel_stream_table **tables);

/* A source of the columns `columns` of a table. A table of ORIEL_STREAM_ONCE has one only once. */
enum oriel_status oriel_stream_table_open(void *table, const struct oriel_runtime *runtime,
                                          const uint32_t *columns, uint32_t column_count,
                                          struct oriel_source **out, struct oriel_error *error);
