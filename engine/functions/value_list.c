/*
 * Lists of values: chunks that double in size up to a bound, and a tree over those of merged lists.
 */
#include <string.h>

#include "engine/columns/value.h"
#include "engine/functions/value_list_chunk.h"

enum { CHUNK_ROWS_FIRST = 4, CHUNK_ROWS_LAST = 1024 };

static size_t values_bytes(const struct oriel_list_layout *layout, uint32_t column,
                           uint32_t capacity) {
    return (capacity * oriel_list_value_size(layout, column) + 15) / 16 * 16;
}

size_t oriel_list_column_offset(const struct oriel_list_layout *layout, uint32_t column,
                                uint32_t capacity) {
    size_t offset = sizeof(struct oriel_list_chunk);
    if (layout->ordered)
        offset += capacity * sizeof(uint64_t);
    for (uint32_t c = 0; c < column; c++)
        offset += oriel_list_words_bytes(capacity) + values_bytes(layout, c, capacity);
    return offset;
}

/* Room for one more row at the end of the newest chunk. */
static bool make_room(const struct oriel_list_layout *layout, struct oriel_value_list *list,
                      struct oriel_arena *arena) {
    uint32_t capacity = CHUNK_ROWS_FIRST;
    if (list->chunk) {
        if (list->chunk->count < list->chunk->capacity)
            return true;
        capacity = list->chunk->capacity;
        if (capacity < CHUNK_ROWS_LAST)
            capacity *= 2;
    }
    struct oriel_list_chunk *chunk = oriel_arena_allocate(
        arena, oriel_list_column_offset(layout, layout->column_count, capacity));
    if (!chunk)
        return false;
    *chunk = (struct oriel_list_chunk){.older = list->chunk, .capacity = capacity};
    for (uint32_t c = 0; c < layout->column_count; c++)
        memset(oriel_list_words(layout, chunk, c), 0xFF, oriel_list_words_bytes(capacity));
    list->chunk = chunk;
    return true;
}

bool oriel_value_list_add(const struct oriel_list_layout *layout, struct oriel_value_list *list,
                          const struct oriel_column *columns, size_t row, uint64_t place,
                          struct oriel_arena *arena) {
    if (!make_room(layout, list, arena))
        return false;
    struct oriel_list_chunk *chunk = list->chunk;
    for (uint32_t c = 0; c < layout->column_count; c++) {
        const size_t size = oriel_list_value_size(layout, c);
        char *to = oriel_list_values(layout, chunk, c) + chunk->count * size;
        if (oriel_column_is_null(&columns[c], row)) {
            oriel_bits_clear(oriel_list_words(layout, chunk, c), chunk->count);
            memset(to, 0, size);
        } else if (!oriel_value_copy(arena, &layout->types[c],
                                     (const char *)columns[c].values + row * size, to)) {
            return false;
        }
    }
    if (layout->ordered)
        oriel_list_places(chunk)[chunk->count] = place;
    chunk->count++;
    list->count++;
    return true;
}

static const struct oriel_list_node *join(const struct oriel_list_node *left,
                                          const struct oriel_list_node *right,
                                          struct oriel_arena *arena) {
    if (!left || !right)
        return left ? left : right;
    struct oriel_list_node *node = oriel_arena_allocate(arena, sizeof *node);
    if (node)
        *node = (struct oriel_list_node){
            .left = left,
            .right = right,
            .depth = 1 + (left->depth > right->depth ? left->depth : right->depth),
            .chunk_count = left->chunk_count + right->chunk_count,
        };
    return node;
}

/* The list's own chunks as a node. */
static bool as_node(const struct oriel_value_list *list, struct oriel_list_node *node) {
    *node = (struct oriel_list_node){.chunk = list->chunk, .depth = 1};
    for (const struct oriel_list_chunk *chunk = list->chunk; chunk; chunk = chunk->older)
        node->chunk_count++;
    if (list->chunk)
        node->newest_count = list->chunk->count;
    return list->chunk != NULL;
}

bool oriel_value_list_merge(struct oriel_value_list *into, const struct oriel_value_list *from,
                            struct oriel_arena *arena) {
    if (!from->count)
        return true;
    const struct oriel_list_node *merged = join(into->merged, from->merged, arena);
    struct oriel_list_node own;
    if ((into->merged || from->merged) && !merged)
        return false;
    if (as_node(from, &own)) {
        struct oriel_list_node *kept = oriel_arena_allocate(arena, sizeof *kept);
        if (!kept)
            return false;
        *kept = own;
        merged = join(merged, kept, arena);
        if (!merged)
            return false;
    }
    into->merged = merged;
    into->count += from->count;
    return true;
}

/* Recursion takes the flatter side, so that it is as deep as the logarithm of the leaves. */
static void walk_node(const struct oriel_list_node *node, uint64_t first, oriel_list_visit *visit,
                      void *context) {
    while (!node->chunk) {
        const uint64_t right_first = first + node->left->chunk_count;
        if (node->left->depth < node->right->depth) {
            walk_node(node->left, first, visit, context);
            node = node->right;
            first = right_first;
        } else {
            walk_node(node->right, right_first, visit, context);
            node = node->left;
        }
    }
    uint64_t index = first + node->chunk_count;
    uint32_t count = node->newest_count;
    for (const struct oriel_list_chunk *chunk = node->chunk; chunk; chunk = chunk->older) {
        visit(context, --index, chunk, count);
        count = chunk->older ? chunk->older->count : 0;
    }
}

void oriel_list_walk(const struct oriel_value_list *list, oriel_list_visit *visit, void *context) {
    struct oriel_list_node own;
    const uint64_t merged_count = list->merged ? list->merged->chunk_count : 0;
    if (list->merged)
        walk_node(list->merged, 0, visit, context);
    if (as_node(list, &own))
        walk_node(&own, merged_count, visit, context);
}

uint64_t oriel_list_chunk_count(const struct oriel_value_list *list) {
    struct oriel_list_node own;
    as_node(list, &own);
    return own.chunk_count + (list->merged ? list->merged->chunk_count : 0);
}
