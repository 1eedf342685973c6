/*
 * An arena: blocks that are given back all at once. Named after its lifetime where it is passed
 * (statement_arena, batch_arena). Not thread-safe.
 */
#pragma once

#include <stddef.h>

#include "engine/base/memory.h"

struct oriel_arena_block;

struct oriel_arena {
    struct oriel_memory *memory;
    struct oriel_arena_block *blocks; /* newest first */
    char *next;
    size_t left_bytes;
    size_t block_bytes; /* size of the next block */
    size_t total_bytes; /* of all blocks */
};

void oriel_arena_init(struct oriel_arena *arena, struct oriel_memory *memory);

/* Gives all memory back; the arena can be used again. */
void oriel_arena_deinit(struct oriel_arena *arena);

/* Forgets everything allocated but keeps the largest block for reuse. */
void oriel_arena_reset(struct oriel_arena *arena);

/* `size_bytes` bytes aligned to 16, undefined content; NULL when memory runs out. */
void *oriel_arena_allocate(struct oriel_arena *arena, size_t size_bytes);

/* The same, zeroed, with the product checked. */
void *oriel_arena_allocate_zeroed(struct oriel_arena *arena, size_t count, size_t size_bytes);

/* A copy of `length` bytes followed by NUL. */
char *oriel_arena_copy(struct oriel_arena *arena, const char *bytes, size_t length);

/* printf into the arena; NULL when memory runs out. */
char *oriel_arena_print(struct oriel_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `text` with each `mark` doubled, as SQL has it inside quotes; `text` itself where there is none.
 * NULL when memory runs out. */
const char *oriel_arena_double(struct oriel_arena *arena, const char *text, char mark);
