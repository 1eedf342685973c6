/* Schemas and arrays of the Arrow C data interface from our batches. */
#pragma once

#include "engine/base/arena.h"
#include "engine/columns/batch.h"
#include "oriel/arrow_c.h"

/* The format string of each field, in `arena`; `zone` stands in those of TIMESTAMP_LTZ.
 * ORIEL_UNSUPPORTED names a nested column. */
enum oriel_status oriel_arrow_formats_find(struct oriel_arena *arena, struct oriel_schema schema,
                                           const char *zone, const char ***out,
                                           struct oriel_error *error);

/* A struct schema that owns copies of names and formats. */
enum oriel_status oriel_arrow_schema_build(struct oriel_memory *memory, struct oriel_schema schema,
                                           const char *const *formats, struct ArrowSchema *out,
                                           struct oriel_error *error);

/*
 * A struct array with the rows from `first` on, as many as 32-bit offsets hold: *count says how
 * many. ORIEL_DATA names a column with a value that Arrow's type cannot hold. Arrays stay valid
 * until they are released, which must happen before `memory` goes.
 */
enum oriel_status oriel_arrow_array_build(struct oriel_memory *memory,
                                          const struct oriel_batch *batch, size_t first,
                                          size_t *count, struct ArrowArray *out,
                                          struct oriel_error *error);
