/* Schemas and arrays of the Arrow C data interface from our batches. */
#pragma once

#include "engine/api/arrow_slab.h"
#include "engine/base/arena.h"
#include "engine/columns/batch.h"
#include "oriel/arrow_c.h"

struct oriel_engine;

/* Where memory comes from; an engine that is named lives on until all of it is given back. */
struct oriel_arrow_owner {
    struct oriel_memory *memory;
    struct oriel_engine *engine;   /* or NULL: the owner of the memory sees to it */
    struct oriel_arrow_slab *slab; /* of the buffers, while arrays are built; or NULL */
};

/* A struct schema that owns copies of names and formats; `zone` stands in those of TIMESTAMP_LTZ.
 * Fails only for want of memory. */
enum oriel_status oriel_arrow_schema_build(struct oriel_arrow_owner owner,
                                           struct oriel_schema schema, const char *zone,
                                           struct ArrowSchema *out, struct oriel_error *error);

/*
 * A struct array with the rows from `first` on, as many as 32-bit offsets hold: *count says how
 * many. ORIEL_DATA tells of a value that Arrow's type cannot hold. Every array in it, at any depth,
 * owns its buffers and may be moved out. out->release is NULL when it fails.
 */
enum oriel_status oriel_arrow_array_build(struct oriel_arrow_owner owner,
                                          const struct oriel_batch *batch, size_t first,
                                          size_t *count, struct ArrowArray *out,
                                          struct oriel_error *error);
