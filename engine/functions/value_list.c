/*
 * Lists of values: chunks that double in size up to a bound, and a tree over those of merged lists.
 * Reading lays the chunks side by side; they mostly come in the order of the input, and only where
 * they do not are the values sorted by place.
 */
#include "engine/functions/value_list.h"

#include <string.h>

#include "engine/functions/value_save.h"
#include "kernels/kernels.h"

enum { CHUNK_ROWS_FIRST = 4, CHUNK_ROWS_LAST = 1024 };

/* Followed by the places, if the list is ordered, and for each column validity words and values. */
struct oriel_list_chunk {
    struct oriel_list_chunk *older;
    uint32_t count;
    uint32_t capacity; /* a multiple of 4 */
};

/* Two lists side by side, or the chunks of one list as they were when it was merged. */
struct oriel_list_node {
    const struct oriel_list_node *left, *right;
    const struct oriel_list_chunk *chunk; /* newest first; NULL: left and right */
    uint32_t newest_count;                /* of the newest chunk, which may have grown since */
    uint32_t depth;
    uint64_t chunk_count;
};

_Static_assert(sizeof(struct oriel_list_chunk) == 16, "what follows is aligned");

static size_t size_of(const struct oriel_list_layout *layout, uint32_t column) {
    return oriel_physical_size(oriel_type_physical(&layout->types[column]));
}

static size_t words_bytes(uint32_t capacity) {
    return (oriel_bits_word_count(capacity) + 1) / 2 * 16;
}

static size_t values_bytes(const struct oriel_list_layout *layout, uint32_t column,
                           uint32_t capacity) {
    return (capacity * size_of(layout, column) + 15) / 16 * 16;
}

/* Where the words of a column begin; with column_count: the size of a chunk. */
static size_t column_offset(const struct oriel_list_layout *layout, uint32_t column,
                            uint32_t capacity) {
    size_t offset = sizeof(struct oriel_list_chunk);
    if (layout->ordered)
        offset += capacity * sizeof(uint64_t);
    for (uint32_t c = 0; c < column; c++)
        offset += words_bytes(capacity) + values_bytes(layout, c, capacity);
    return offset;
}

static uint64_t *places_of(const struct oriel_list_chunk *chunk) {
    return (uint64_t *)(uintptr_t)(chunk + 1);
}

static uint64_t *words_of(const struct oriel_list_layout *layout,
                          const struct oriel_list_chunk *chunk, uint32_t column) {
    return (uint64_t *)((uintptr_t)chunk + column_offset(layout, column, chunk->capacity));
}

static char *values_of(const struct oriel_list_layout *layout, const struct oriel_list_chunk *chunk,
                       uint32_t column) {
    return (char *)words_of(layout, chunk, column) + words_bytes(chunk->capacity);
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
    struct oriel_list_chunk *chunk =
        oriel_arena_allocate(arena, column_offset(layout, layout->column_count, capacity));
    if (!chunk)
        return false;
    *chunk = (struct oriel_list_chunk){.older = list->chunk, .capacity = capacity};
    for (uint32_t c = 0; c < layout->column_count; c++)
        memset(words_of(layout, chunk, c), 0xFF, words_bytes(capacity));
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
        const size_t size = size_of(layout, c);
        char *to = values_of(layout, chunk, c) + chunk->count * size;
        if (oriel_column_is_null(&columns[c], row)) {
            oriel_bits_clear(words_of(layout, chunk, c), chunk->count);
            memset(to, 0, size);
        } else if (!oriel_value_copy(arena, &layout->types[c],
                                     (const char *)columns[c].values + row * size, to)) {
            return false;
        }
    }
    if (layout->ordered)
        places_of(chunk)[chunk->count] = place;
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

/* A chunk that is read: its first `count` rows. */
struct part {
    const struct oriel_list_chunk *chunk;
    uint32_t count;
};

/* Fills parts from the end with the chunks of a node; returns the first. */
static struct part *list_node(const struct oriel_list_node *node,
                              const struct oriel_list_node **stack, struct part *end) {
    size_t waiting = 0;
    for (;;) {
        if (!node->chunk) {
            stack[waiting++] = node->left;
            node = node->right;
            continue;
        }
        uint32_t count = node->newest_count;
        for (const struct oriel_list_chunk *chunk = node->chunk; chunk; chunk = chunk->older) {
            *--end = (struct part){chunk, count};
            count = chunk->older ? chunk->older->count : 0;
        }
        if (!waiting)
            return end;
        node = stack[--waiting];
    }
}

/* All chunks of a list, merged ones first. */
static bool list_parts(const struct oriel_value_list *list, struct oriel_arena *arena,
                       struct part **parts, size_t *part_count) {
    struct oriel_list_node own;
    const struct oriel_list_node *merged = list->merged, *nothing[1];
    as_node(list, &own);
    *part_count = own.chunk_count + (merged ? merged->chunk_count : 0);
    *parts = oriel_arena_allocate_zeroed(arena, *part_count + 1, sizeof **parts);
    if (!*parts)
        return false;
    struct part *end = *parts + *part_count;
    if (own.chunk)
        end = list_node(&own, nothing, end);
    if (!merged)
        return true;
    const struct oriel_list_node **stack =
        oriel_arena_allocate_zeroed(arena, merged->depth + 1u, sizeof *stack);
    if (!stack)
        return false;
    list_node(merged, stack, end);
    return true;
}

/* Lays one column of the parts side by side. */
static bool read_column(const struct oriel_list_layout *layout, uint32_t c,
                        const struct part *parts, size_t part_count, size_t total,
                        struct oriel_arena *arena, struct oriel_column *out) {
    const size_t size = size_of(layout, c);
    char *values = oriel_arena_allocate(arena, total * size);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(total) + 1, sizeof *valid);
    if (!values || !valid)
        return false;
    size_t at = 0, present = 0;
    for (size_t p = 0; p < part_count; p++) {
        const uint64_t *words = words_of(layout, parts[p].chunk, c);
        memcpy(values + at * size, values_of(layout, parts[p].chunk, c), parts[p].count * size);
        for (uint32_t i = 0; i < parts[p].count; i++) {
            const uint64_t bit = (uint64_t)oriel_bits_get(words, i);
            valid[(at + i) / 64] |= bit << ((at + i) % 64);
            present += bit;
        }
        at += parts[p].count;
    }
    *out = (struct oriel_column){
        .type = layout->types[c], .values = values, .valid = present == total ? NULL : valid};
    return true;
}

static bool permute(const uint32_t *order, size_t count, struct oriel_arena *arena,
                    struct oriel_column *column) {
    const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
    char *values = oriel_arena_allocate(arena, count * size);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(count) + 1, sizeof *valid);
    if (!values || !valid)
        return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(values + i * size, (const char *)column->values + order[i] * size, size);
        if (oriel_bits_get(column->valid, order[i]))
            oriel_bits_set(valid, i);
    }
    column->values = values;
    if (column->valid)
        column->valid = valid;
    return true;
}

/* The order of the rows by place; *order is NULL where they are in order already. */
static bool find_order(const struct part *parts, size_t part_count, size_t total,
                       const struct oriel_runtime *runtime, struct oriel_arena *arena,
                       uint32_t **order) {
    uint64_t *places = oriel_arena_allocate(arena, total * sizeof *places);
    *order = NULL;
    if (!places)
        return false;
    size_t at = 0;
    bool sorted = true;
    for (size_t p = 0; p < part_count; p++) {
        memcpy(places + at, places_of(parts[p].chunk), parts[p].count * sizeof *places);
        at += parts[p].count;
    }
    for (size_t i = 1; i < total && sorted; i++)
        sorted = places[i - 1] <= places[i];
    if (sorted)
        return true;
    uint64_t *scratch = oriel_arena_allocate(arena, total * sizeof *scratch);
    uint32_t *scratch_order = oriel_arena_allocate(arena, total * sizeof *scratch_order);
    *order = oriel_arena_allocate(arena, total * sizeof **order);
    if (!scratch || !scratch_order || !*order)
        return false;
    for (size_t i = 0; i < total; i++)
        (*order)[i] = (uint32_t)i;
    runtime->kernels->radix_sort_u64(places, *order, total, scratch, scratch_order);
    return true;
}

enum oriel_status oriel_value_list_read(const struct oriel_list_layout *layout,
                                        const struct oriel_value_list *list,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_arena *arena, struct oriel_column *columns,
                                        struct oriel_error *error) {
    struct part *parts;
    size_t part_count;
    uint32_t *order = NULL;
    const size_t total = list->count;
    if (total > UINT32_MAX - 64)
        return oriel_error_set(error, ORIEL_MEMORY, "more than 2^32 values in one group");
    if (!list_parts(list, arena, &parts, &part_count) ||
        (layout->ordered && !find_order(parts, part_count, total, runtime, arena, &order)))
        return oriel_error_memory(error);
    for (uint32_t c = 0; c < layout->column_count; c++) {
        if (!read_column(layout, c, parts, part_count, total, arena, &columns[c]) ||
            (order && !permute(order, total, arena, &columns[c])))
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}
