/*
 * Sorts rows by their words: large ranges by radix on one word after the other, small ones and
 * those that words cannot tell apart by merging.
 */
#include "engine/exec/sort_words.h"

#include <string.h>

#include "kernels/kernels.h"

enum { MERGE_ROWS_MAX = 256, INSERTION_ROWS_MAX = 12 };

struct sort {
    const struct oriel_sort_layout *layout;
    const struct oriel_kernels *kernels;
    const struct oriel_column *columns;
    uint64_t *words; /* of all rows */
    uint64_t *keys, *spare_keys;
    uint32_t *order, *spare_order;
};

static int compare(const struct sort *sort, uint32_t a, uint32_t b) {
    const size_t stride = sort->layout->word_count;
    const struct oriel_sort_row row_a = {sort->words + a * stride, sort->columns, a};
    const struct oriel_sort_row row_b = {sort->words + b * stride, sort->columns, b};
    return oriel_sort_compare(sort->layout, &row_a, &row_b);
}

static void insertion_sort(const struct sort *sort, size_t begin, size_t end) {
    uint32_t *order = sort->order;
    for (size_t i = begin + 1; i < end; i++) {
        const uint32_t row = order[i];
        size_t at = i;
        for (; at > begin && compare(sort, order[at - 1], row) > 0; at--)
            order[at] = order[at - 1];
        order[at] = row;
    }
}

static void merge(const struct sort *sort, size_t begin, size_t middle, size_t end) {
    uint32_t *order = sort->order, *spare = sort->spare_order;
    if (compare(sort, order[middle - 1], order[middle]) <= 0)
        return;
    memcpy(spare + begin, order + begin, (middle - begin) * sizeof *order);
    size_t left = begin, right = middle, at = begin;
    while (left < middle && right < end)
        order[at++] =
            compare(sort, spare[left], order[right]) <= 0 ? spare[left++] : order[right++];
    memcpy(order + at, spare + left, (middle - left) * sizeof *order);
}

static void merge_sort(const struct sort *sort, size_t begin, size_t end) {
    for (size_t at = begin; at < end; at += INSERTION_ROWS_MAX)
        insertion_sort(sort, at, end - at < INSERTION_ROWS_MAX ? end : at + INSERTION_ROWS_MAX);
    for (size_t width = INSERTION_ROWS_MAX; width < end - begin; width *= 2)
        for (size_t at = begin; end - at > width; at += width * 2) {
            const size_t middle = at + width;
            merge(sort, at, middle, end - middle < width ? end : middle + width);
            if (end - at <= width * 2)
                break;
        }
}

/* Whether rows with equal words up to `word`, which is `key`, could differ before the words after
 * it. */
static bool needs_look(const struct oriel_sort_layout *layout, uint32_t word, uint64_t key) {
    for (uint32_t p = 0; p < layout->part_count; p++) {
        const struct oriel_sort_part *part = &layout->parts[p];
        const uint32_t end = part->first_word + part->word_count;
        if (part->form == ORIEL_SORT_NESTED && (end == word + 1 || part->first_word == word + 1))
            return true;
        if (part->form == ORIEL_SORT_STRING && end == word + 1 && oriel_sort_is_cut(part, key))
            return true;
    }
    return false;
}

static void sort_range(const struct sort *sort, size_t begin, size_t end, uint32_t word) {
    const size_t stride = sort->layout->word_count;
    const size_t count = end - begin;
    if (count < 2)
        return;
    if (count <= MERGE_ROWS_MAX || word == stride) {
        merge_sort(sort, begin, end);
        return;
    }
    bool ascending = true;
    for (size_t i = begin; i < end; i++) {
        sort->keys[i] = sort->words[sort->order[i] * stride + word];
        ascending &= i == begin || sort->keys[i - 1] <= sort->keys[i];
    }
    if (!ascending)
        sort->kernels->radix_sort_u64(sort->keys + begin, sort->order + begin, count,
                                      sort->spare_keys + begin, sort->spare_order + begin);
    if (sort->layout->exact && word + 1 == stride)
        return;
    for (size_t run = begin; run < end;) {
        size_t run_end = run + 1;
        while (run_end < end && sort->keys[run_end] == sort->keys[run])
            run_end++;
        const bool look = needs_look(sort->layout, word, sort->keys[run]);
        sort_range(sort, run, run_end, look ? (uint32_t)stride : word + 1);
        run = run_end;
    }
}

size_t oriel_sort_row_bytes(const struct oriel_sort_layout *layout) {
    return (layout->word_count + 2) * sizeof(uint64_t) + sizeof(uint32_t);
}

enum oriel_status oriel_sort_rows(const struct oriel_sort_layout *layout,
                                  const struct oriel_runtime *runtime,
                                  const struct oriel_column *columns, size_t row_count,
                                  uint32_t *order, struct oriel_error *error) {
    struct oriel_memory *memory = runtime->memory;
    const size_t words_bytes = row_count * layout->word_count * sizeof(uint64_t);
    const size_t keys_bytes = row_count * sizeof(uint64_t);
    const size_t order_bytes = row_count * sizeof(uint32_t);
    struct sort sort = {.layout = layout,
                        .kernels = runtime->kernels,
                        .columns = columns,
                        .words = oriel_memory_allocate(memory, words_bytes),
                        .keys = oriel_memory_allocate(memory, keys_bytes),
                        .spare_keys = oriel_memory_allocate(memory, keys_bytes),
                        .order = order,
                        .spare_order = oriel_memory_allocate(memory, order_bytes)};
    enum oriel_status status = ORIEL_OK;
    if (sort.words && sort.keys && sort.spare_keys && sort.spare_order) {
        for (size_t i = 0; i < row_count; i++)
            order[i] = (uint32_t)i;
        oriel_sort_encode(layout, columns, NULL, 0, row_count, sort.words);
        const bool nested_first = layout->part_count && layout->parts[0].word_count == 0;
        sort_range(&sort, 0, row_count, nested_first ? layout->word_count : 0);
    } else {
        status = oriel_error_memory(error);
    }
    oriel_memory_release(memory, sort.words, words_bytes);
    oriel_memory_release(memory, sort.keys, keys_bytes);
    oriel_memory_release(memory, sort.spare_keys, keys_bytes);
    oriel_memory_release(memory, sort.spare_order, order_bytes);
    return status;
}
