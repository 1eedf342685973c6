/*
 * Copies the arrays of a table, column by column, into buffers of all rows, which the long arrays
 * then are pieces of.
 */
#include "bench/memory/long_arrays.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAY_ROWS = 1 << 20, SLOTS_FIRST = 1 << 10 };

/* The distinct strings of a column, and a table of their numbers + 1 by hash. */
struct strings {
    int32_t *offsets; /* count + 1 */
    char *bytes;
    size_t count, capacity, byte_capacity;
    uint32_t *slots;
    size_t slot_count;
};

struct long_column {
    struct ArrowSchema schema, dictionary_schema;
    size_t width_bytes;
    char *values; /* of all rows */
    struct strings strings;
    struct ArrowArray dictionary, *arrays;
    const void *dictionary_buffers[3];
    const void *(*buffers)[2]; /* of each array */
};

static void *must(void *block) {
    if (!block) {
        fputs("bench_memory: out of memory\n", stderr);
        exit(1);
    }
    return block;
}

static size_t width_of(const struct ArrowSchema *schema) {
    if (strcmp(schema->format, "u") == 0 || strcmp(schema->format, "i") == 0)
        return sizeof(int32_t);
    if (strcmp(schema->format, "l") == 0 || strncmp(schema->format, "ts", 2) == 0)
        return sizeof(int64_t);
    fprintf(stderr, "bench_memory: column %s has the type %s; try --plain\n", schema->name,
            schema->format);
    exit(1);
}

static uint64_t hash_of(const char *bytes, size_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static size_t length_at(const struct strings *strings, size_t number) {
    return (size_t)(strings->offsets[number + 1] - strings->offsets[number]);
}

/* The slot that has the string, or the empty one where it belongs. */
static size_t find_slot(const struct strings *strings, const char *bytes, size_t length) {
    const size_t mask = strings->slot_count - 1;
    for (size_t at = hash_of(bytes, length) & mask;; at = (at + 1) & mask) {
        const uint32_t number = strings->slots[at];
        if (!number || (length_at(strings, number - 1) == length &&
                        memcmp(strings->bytes + strings->offsets[number - 1], bytes, length) == 0))
            return at;
    }
}

static void grow_strings(struct strings *strings, size_t length) {
    const size_t used = strings->count ? (size_t)strings->offsets[strings->count] : 0;
    if (used + length > strings->byte_capacity) {
        strings->byte_capacity = 2 * (used + length);
        strings->bytes = must(realloc(strings->bytes, strings->byte_capacity));
    }
    if (strings->count < strings->capacity)
        return;
    strings->capacity = strings->capacity ? strings->capacity * 2 : SLOTS_FIRST / 4;
    strings->offsets =
        must(realloc(strings->offsets, (strings->capacity + 1) * sizeof *strings->offsets));
    strings->offsets[0] = 0;
    free(strings->slots);
    strings->slot_count = strings->capacity * 4;
    strings->slots = must(calloc(strings->slot_count, sizeof *strings->slots));
    for (size_t i = 0; i < strings->count; i++)
        strings->slots[find_slot(strings, strings->bytes + strings->offsets[i],
                                 length_at(strings, i))] = (uint32_t)i + 1;
}

static uint32_t number_of(struct strings *strings, const char *bytes, size_t length) {
    grow_strings(strings, length);
    const size_t slot = find_slot(strings, bytes, length);
    if (!strings->slots[slot]) {
        const int32_t begin = strings->offsets[strings->count];
        memcpy(strings->bytes + begin, bytes, length);
        strings->offsets[++strings->count] = begin + (int32_t)length;
        strings->slots[slot] = (uint32_t)strings->count;
    }
    return strings->slots[slot] - 1;
}

static void copy_values(struct long_column *column, const struct ArrowArray *array, size_t first) {
    const size_t count = (size_t)array->length, base = (size_t)array->offset;
    char *out = column->values + first * column->width_bytes;
    if (array->null_count) {
        fprintf(stderr, "bench_memory: column %s has NULLs; try --plain\n", column->schema.name);
        exit(1);
    }
    if (!column->schema.dictionary) {
        memcpy(out, (const char *)array->buffers[1] + base * column->width_bytes,
               count * column->width_bytes);
        return;
    }
    const int32_t *offsets = (const int32_t *)array->buffers[1] + base;
    for (size_t i = 0; i < count; i++)
        ((uint32_t *)(void *)out)[i] =
            number_of(&column->strings, (const char *)array->buffers[2] + offsets[i],
                      (size_t)(offsets[i + 1] - offsets[i]));
}

static void describe(struct long_column *column, const struct ArrowSchema *schema) {
    column->width_bytes = width_of(schema);
    column->schema = *schema;
    column->schema.release = NULL;
    if (strcmp(schema->format, "u") == 0) {
        column->dictionary_schema = (struct ArrowSchema){.format = "u", .name = ""};
        column->schema.format = "i";
        column->schema.dictionary = &column->dictionary_schema;
    }
}

static void cut(struct long_column *column, size_t row_count, size_t array_count) {
    struct strings *strings = &column->strings;
    column->dictionary_buffers[1] = strings->offsets;
    column->dictionary_buffers[2] = strings->bytes;
    column->dictionary = (struct ArrowArray){
        .length = (int64_t)strings->count, .n_buffers = 3, .buffers = column->dictionary_buffers};
    column->arrays = must(calloc(array_count, sizeof *column->arrays));
    column->buffers = must(calloc(array_count, sizeof *column->buffers));
    for (size_t a = 0; a < array_count; a++) {
        const size_t first = a * ARRAY_ROWS, left = row_count - first;
        column->buffers[a][1] = column->values + first * column->width_bytes;
        column->arrays[a] = (struct ArrowArray){
            .length = (int64_t)(left < ARRAY_ROWS ? left : ARRAY_ROWS),
            .n_buffers = 2,
            .buffers = column->buffers[a],
            .dictionary = column->schema.dictionary ? &column->dictionary : NULL,
        };
    }
}

void long_table_make(const struct ArrowSchema *schema, const struct ArrowArray *arrays,
                     size_t array_count, struct long_table *out) {
    const size_t width = (size_t)schema->n_children;
    size_t row_count = 0;
    for (size_t a = 0; a < array_count; a++)
        row_count += (size_t)arrays[a].length;
    *out = (struct long_table){.schema = *schema,
                               .array_count = (row_count + ARRAY_ROWS - 1) / ARRAY_ROWS};
    out->schema.release = NULL;
    out->schema.children = must(calloc(width, sizeof *out->schema.children));
    out->columns = must(calloc(width, sizeof *out->columns));
    out->arrays = must(calloc(out->array_count, sizeof *out->arrays));
    for (size_t c = 0; c < width; c++) {
        struct long_column *column = &out->columns[c];
        describe(column, schema->children[c]);
        out->schema.children[c] = &column->schema;
        column->values = must(malloc(row_count * column->width_bytes));
        size_t first = 0;
        for (size_t a = 0; a < array_count; a++) {
            copy_values(column, arrays[a].children[c], first);
            first += (size_t)arrays[a].length;
        }
        cut(column, row_count, out->array_count);
    }
    for (size_t a = 0; a < out->array_count; a++) {
        static const void *no_validity[1];
        struct ArrowArray *array = &out->arrays[a];
        *array = (struct ArrowArray){.length = out->columns[0].arrays[a].length,
                                     .n_buffers = 1,
                                     .buffers = no_validity,
                                     .n_children = (int64_t)width};
        array->children = must(calloc(width, sizeof *array->children));
        for (size_t c = 0; c < width; c++)
            array->children[c] = &out->columns[c].arrays[a];
    }
}

void long_table_free(struct long_table *table) {
    for (size_t a = 0; a < table->array_count; a++)
        free(table->arrays[a].children);
    for (int64_t c = 0; table->columns && c < table->schema.n_children; c++) {
        struct long_column *column = &table->columns[c];
        free(column->values);
        free(column->arrays);
        free(column->buffers);
        free(column->strings.offsets);
        free(column->strings.bytes);
        free(column->strings.slots);
    }
    free(table->columns);
    free(table->arrays);
    free(table->schema.children);
}
