/*
 * A run of rows as Arrow arrays, made by a worker: what pieces of a result are for those who write
 * or hand out arrays.
 */
#pragma once

#include "engine/api/arrow_build.h"

struct oriel_arrow_piece;

/* Buffers come from `slab` of the worker, if it is not NULL. */
enum oriel_status oriel_arrow_piece_open(struct oriel_memory *memory, struct oriel_arrow_slab *slab,
                                         struct oriel_arrow_piece **out, struct oriel_error *error);
/* Also drops the arrays that were not taken. */
void oriel_arrow_piece_close(struct oriel_arrow_piece **piece);

/* Appends arrays of all rows of a batch; `engine` as in struct oriel_arrow_owner. */
enum oriel_status oriel_arrow_piece_add(struct oriel_arrow_piece *piece,
                                        struct oriel_engine *engine,
                                        const struct oriel_batch *batch, struct oriel_error *error);

/* Moves the next array out; false when there is none. */
bool oriel_arrow_piece_take(struct oriel_arrow_piece *piece, struct ArrowArray *out);
