/*
 * Arenas: bump allocation in blocks that double in size up to a bound. Those of a large arena are
 * mappings, in huge pages: its memory is touched once, and small pages cost more than the touching.
 */
#include "engine/base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    FIRST_BLOCK_BYTES = 4096,
    LAST_BLOCK_BYTES = 1 << 20,
    LARGE_BLOCK_BYTES = (4 << 20) - ORIEL_BUFFER_PADDING, /* once that is a part of what there is */
    LARGE_PART = 2,
    BLOCK_HEADER_BYTES = 64,
};

struct oriel_arena_block {
    struct oriel_arena_block *older;
    size_t size_bytes; /* with the header */
};

_Static_assert(sizeof(struct oriel_arena_block) <= BLOCK_HEADER_BYTES, "header fits");

void oriel_arena_init(struct oriel_arena *arena, struct oriel_memory *memory) {
    *arena = (struct oriel_arena){.memory = memory, .block_bytes = FIRST_BLOCK_BYTES};
}

static void release_from(struct oriel_arena *arena, struct oriel_arena_block *block) {
    while (block) {
        struct oriel_arena_block *older = block->older;
        arena->total_bytes -= block->size_bytes;
        oriel_memory_release(arena->memory, block, block->size_bytes);
        block = older;
    }
}

void oriel_arena_deinit(struct oriel_arena *arena) {
    if (!arena->memory)
        return;
    release_from(arena, arena->blocks);
    oriel_arena_init(arena, arena->memory);
}

void oriel_arena_reset(struct oriel_arena *arena) {
    struct oriel_arena_block *newest = arena->blocks;
    if (!newest)
        return;
    release_from(arena, newest->older);
    newest->older = NULL;
    arena->next = (char *)newest + BLOCK_HEADER_BYTES;
    arena->left_bytes = newest->size_bytes - BLOCK_HEADER_BYTES;
}

static int add_block(struct oriel_arena *arena, size_t size_bytes) {
    size_t wanted = arena->block_bytes;
    if (arena->total_bytes >= LARGE_PART * (size_t)LARGE_BLOCK_BYTES)
        wanted = LARGE_BLOCK_BYTES;
    if (size_bytes > SIZE_MAX - BLOCK_HEADER_BYTES)
        return 0;
    if (wanted < size_bytes + BLOCK_HEADER_BYTES)
        wanted = size_bytes + BLOCK_HEADER_BYTES;
    struct oriel_arena_block *block = oriel_memory_allocate(arena->memory, wanted);
    if (!block)
        return 0;
    block->older = arena->blocks;
    block->size_bytes = wanted;
    arena->blocks = block;
    arena->total_bytes += wanted;
    arena->next = (char *)block + BLOCK_HEADER_BYTES;
    arena->left_bytes = wanted - BLOCK_HEADER_BYTES;
    if (arena->block_bytes < LAST_BLOCK_BYTES)
        arena->block_bytes *= 2;
    return 1;
}

void *oriel_arena_allocate(struct oriel_arena *arena, size_t size_bytes) {
    if (size_bytes > SIZE_MAX - 15)
        return NULL;
    const size_t rounded = (size_bytes + 15) & ~(size_t)15;
    if ((!arena->blocks || rounded > arena->left_bytes) && !add_block(arena, rounded))
        return NULL;
    void *out = arena->next;
    arena->next += rounded;
    arena->left_bytes -= rounded;
    return out;
}

void *oriel_arena_allocate_zeroed(struct oriel_arena *arena, size_t count, size_t size_bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, size_bytes, &total))
        return NULL;
    void *out = oriel_arena_allocate(arena, total);
    if (out)
        memset(out, 0, total);
    return out;
}

char *oriel_arena_copy(struct oriel_arena *arena, const char *bytes, size_t length) {
    if (length == SIZE_MAX)
        return NULL;
    char *out = oriel_arena_allocate(arena, length + 1);
    if (!out)
        return NULL;
    if (length)
        memcpy(out, bytes, length);
    out[length] = '\0';
    return out;
}

char *oriel_arena_print(struct oriel_arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    char *out = oriel_arena_allocate(arena, (size_t)length + 1);
    if (!out)
        return NULL;
    va_start(arguments, format);
    vsnprintf(out, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return out;
}

const char *oriel_arena_double(struct oriel_arena *arena, const char *text, char mark) {
    size_t count = 0;
    for (const char *at = text; *at; at++)
        count += *at == mark;
    if (!count)
        return text;
    char *out = oriel_arena_allocate(arena, strlen(text) + count + 1);
    if (!out)
        return NULL;
    char *place = out;
    for (const char *at = text; *at; at++) {
        if (*at == mark)
            *place++ = mark;
        *place++ = *at;
    }
    *place = '\0';
    return out;
}
