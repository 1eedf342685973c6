/*
 * A block begins with its count of users and is filled from there; blocks grow from one to the
 * next, so that a short result takes little.
 */
#include "engine/api/arrow_slab.h"

#include <stdatomic.h>
#include <stdbool.h>

enum {
    HEADER_BYTES = 64,
    FIRST_BYTES = 32 << 10,
    GROWTH = 4,
    LAST_BYTES = (4 << 20) - ORIEL_BUFFER_PADDING, /* of huge pages */
    PART_MAX = 8, /* a buffer is no larger than this part of a last block */
};

struct oriel_arrow_block {
    struct oriel_memory *memory;
    size_t size_bytes;
    size_t used_bytes;
    atomic_uint user_count;
};

_Static_assert(sizeof(struct oriel_arrow_block) <= HEADER_BYTES, "header fits");

void oriel_arrow_block_leave(struct oriel_arrow_block *block) {
    if (atomic_fetch_sub_explicit(&block->user_count, 1, memory_order_acq_rel) == 1)
        oriel_memory_release(block->memory, block, block->size_bytes);
}

void oriel_arrow_slab_close(struct oriel_arrow_slab *slab) {
    if (slab->block)
        oriel_arrow_block_leave(slab->block);
    slab->block = NULL;
}

static struct oriel_arrow_block *open_block(struct oriel_memory *memory, size_t size_bytes) {
    struct oriel_arrow_block *block = oriel_memory_allocate(memory, size_bytes);
    if (!block)
        return NULL;
    block->memory = memory;
    block->size_bytes = size_bytes;
    block->used_bytes = HEADER_BYTES;
    atomic_init(&block->user_count, 1);
    return block;
}

/* Replaces the block by one with room for `rounded` bytes. */
static bool grow(struct oriel_arrow_slab *slab, struct oriel_memory *memory, size_t rounded) {
    size_t size = slab->block ? slab->block->size_bytes * GROWTH : FIRST_BYTES;
    while (size < rounded + HEADER_BYTES)
        size *= GROWTH;
    struct oriel_arrow_block *block = open_block(memory, size < LAST_BYTES ? size : LAST_BYTES);
    if (!block)
        return false;
    oriel_arrow_slab_close(slab);
    slab->block = block;
    return true;
}

void *oriel_arrow_slab_take(struct oriel_arrow_slab *slab, struct oriel_memory *memory,
                            size_t size_bytes, struct oriel_arrow_block **block) {
    if (size_bytes > LAST_BYTES / PART_MAX)
        return NULL;
    const size_t rounded = (size_bytes + ORIEL_BUFFER_PADDING + 63) & ~(size_t)63;
    if (!slab->block || slab->block->size_bytes - slab->block->used_bytes < rounded) {
        if (!grow(slab, memory, rounded))
            return NULL;
    }
    struct oriel_arrow_block *from = slab->block;
    char *out = (char *)from + from->used_bytes;
    from->used_bytes += rounded;
    atomic_fetch_add_explicit(&from->user_count, 1, memory_order_relaxed);
    *block = from;
    return out;
}
