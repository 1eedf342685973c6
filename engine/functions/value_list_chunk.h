/*
 * Inside lists of values: chunks, the tree over those of merged lists, and walking them.
 */
#pragma once

#include "engine/functions/value_list.h"

/* Followed by the places, if the list is ordered, and for each column validity words and values. */
struct oriel_list_chunk {
    struct oriel_list_chunk *older;
    uint32_t count;
    uint32_t capacity; /* a multiple of 4 */
};

_Static_assert(sizeof(struct oriel_list_chunk) == 16, "what follows is aligned");

/* Two lists side by side, or the chunks of one list as they were when it was merged. */
struct oriel_list_node {
    const struct oriel_list_node *left, *right;
    const struct oriel_list_chunk *chunk; /* newest first; NULL: left and right */
    uint32_t newest_count;                /* of the newest chunk, which may have grown since */
    uint32_t depth;
    uint64_t chunk_count;
};

/* Where the words of a column begin; with column_count: the size of a chunk. */
size_t oriel_list_column_offset(const struct oriel_list_layout *layout, uint32_t column,
                                uint32_t capacity);

static inline size_t oriel_list_value_size(const struct oriel_list_layout *layout,
                                           uint32_t column) {
    return oriel_physical_size(oriel_type_physical(&layout->types[column]));
}

static inline size_t oriel_list_words_bytes(uint32_t capacity) {
    return (oriel_bits_word_count(capacity) + 1) / 2 * 16;
}

static inline uint64_t *oriel_list_places(const struct oriel_list_chunk *chunk) {
    return (uint64_t *)(uintptr_t)(chunk + 1);
}

static inline uint64_t *oriel_list_words(const struct oriel_list_layout *layout,
                                         const struct oriel_list_chunk *chunk, uint32_t column) {
    return (uint64_t *)((uintptr_t)chunk +
                        oriel_list_column_offset(layout, column, chunk->capacity));
}

static inline char *oriel_list_values(const struct oriel_list_layout *layout,
                                      const struct oriel_list_chunk *chunk, uint32_t column) {
    return (char *)oriel_list_words(layout, chunk, column) +
           oriel_list_words_bytes(chunk->capacity);
}

/* Called for the first `count` rows of chunk number `index` of a list. */
typedef void oriel_list_visit(void *context, uint64_t index, const struct oriel_list_chunk *chunk,
                              uint32_t count);

/* Visits every chunk once, in any order. */
void oriel_list_walk(const struct oriel_value_list *list, oriel_list_visit *visit, void *context);

uint64_t oriel_list_chunk_count(const struct oriel_value_list *list);
