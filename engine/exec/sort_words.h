/*
 * Sort keys as words: each row becomes some 64-bit words whose order as unsigned numbers, one after
 * the other, is the order of the sort items. Numbers are told apart by their words alone; of
 * strings the words hold the first 15 bytes, and only longer ones with equal words need a look at
 * the rest.
 */
#pragma once

#include "engine/columns/batch.h"
#include "engine/plan/plan.h"

enum oriel_sort_form {
    ORIEL_SORT_NARROW, /* up to 4 bytes: one word with the NULL flag */
    ORIEL_SORT_64,
    ORIEL_SORT_128,
    ORIEL_SORT_STRING, /* two words: 15 bytes, then the length, 16 for all that are longer */
    ORIEL_SORT_NESTED, /* no word: always compared in full */
};

struct oriel_sort_part {
    struct oriel_sort_item item;
    enum oriel_sort_form form;
    bool flag;           /* a word before the value says whether it is NULL */
    uint32_t first_word; /* its words are [first_word, first_word + word_count) */
    uint32_t word_count;
};

struct oriel_sort_layout {
    uint32_t part_count;
    uint32_t word_count; /* of a row; at least 1 */
    bool exact;          /* rows with equal words are always equal */
    struct oriel_sort_part *parts;
};

/* Lays out the items over columns of `schema`; the parts are in `arena`. */
enum oriel_status oriel_sort_layout_make(struct oriel_sort_layout *layout,
                                         struct oriel_arena *arena, struct oriel_schema schema,
                                         const struct oriel_sort_item *items, uint32_t item_count,
                                         struct oriel_error *error);

/* The layout of the first `part_count` items alone; it borrows from `layout`. */
struct oriel_sort_layout oriel_sort_layout_prefix(const struct oriel_sort_layout *layout,
                                                  uint32_t part_count);

/* Writes the words of `count` rows (those that `rows` names, or first, first + 1, ...): word k of
 * the i-th at words[i * word_count + k]. */
void oriel_sort_encode(const struct oriel_sort_layout *layout, const struct oriel_column *columns,
                       const uint32_t *rows, size_t first, size_t count, uint64_t *words);

enum { ORIEL_SORT_LONG_STRING = 16 };

/* Whether the last word of a string says that the string goes on. */
static inline bool oriel_sort_is_cut(const struct oriel_sort_part *part, uint64_t last_word) {
    return ((part->item.descending ? ~last_word : last_word) & 0xFF) == ORIEL_SORT_LONG_STRING;
}

/* A row with its words. */
struct oriel_sort_row {
    const uint64_t *words;
    const struct oriel_column *columns;
    size_t row;
};

/* <0, 0, >0 */
int oriel_sort_compare(const struct oriel_sort_layout *layout, const struct oriel_sort_row *a,
                       const struct oriel_sort_row *b);

/* The same of rows of different columns: the layouts differ in nothing but those. */
int oriel_sort_compare_sides(const struct oriel_sort_layout *layout, const struct oriel_sort_row *a,
                             const struct oriel_sort_layout *other, const struct oriel_sort_row *b);

/* Writes the numbers 0 .. row_count - 1 to `order` so that the rows ascend; equal rows keep their
 * order. */
enum oriel_status oriel_sort_rows(const struct oriel_sort_layout *layout,
                                  const struct oriel_runtime *runtime,
                                  const struct oriel_column *columns, size_t row_count,
                                  uint32_t *order, struct oriel_error *error);

/* Bytes that oriel_sort_rows needs for a row. */
size_t oriel_sort_row_bytes(const struct oriel_sort_layout *layout);
