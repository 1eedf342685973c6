/*
 * Memory of Arrow arrays in large blocks: a buffer each of its own faults in every small page of it
 * anew. A block goes when its last buffer and the slab have given it back.
 */
#pragma once

#include "engine/base/memory.h"

struct oriel_arrow_block;

/* Where the next buffers come from; used by one thread at a time. Zero it before use. */
struct oriel_arrow_slab {
    struct oriel_arrow_block *block; /* NULL before the first buffer */
};

/* Room at a multiple of 64 bytes, not cleared, in *block, which may be any block of the slab; NULL
 * when the size does not suit or memory lacks: then take it elsewhere. */
void *oriel_arrow_slab_take(struct oriel_arrow_slab *slab, struct oriel_memory *memory,
                            size_t size_bytes, struct oriel_arrow_block **block);

/* Gives a buffer back; any thread. */
void oriel_arrow_block_leave(struct oriel_arrow_block *block);

/* Lets go of the block in use. */
void oriel_arrow_slab_close(struct oriel_arrow_slab *slab);
