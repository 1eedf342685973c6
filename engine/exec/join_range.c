/*
 * Searches the right rows of a key: they are sorted by what the first range says about them. Other
 * ranges can be searched as well if their values ascend in that order, as ts - INTERVAL '1' HOUR
 * does along ts.
 */
#include "engine/exec/join_range.h"

#include <string.h>

#include "engine/exec/gather.h"
#include "kernels/kernels.h"

static uint64_t value_at(const struct oriel_column *column, size_t row) {
    const int64_t value = oriel_type_physical(&column->type) == ORIEL_PHYSICAL_I32
                              ? ((const int32_t *)column->values)[row]
                              : ((const int64_t *)column->values)[row];
    return (uint64_t)value ^ (UINT64_C(1) << 63);
}

/* Evaluates the sides of the ranges; false when a row has no value. */
static enum oriel_status evaluate(struct oriel_evaluator *evaluator,
                                  const struct oriel_batch *batch,
                                  const struct oriel_column **values, bool *have_values,
                                  struct oriel_error *error) {
    struct oriel_error of_a_row = {0};
    const enum oriel_status status = oriel_evaluator_run(evaluator, batch, values, &of_a_row);
    *have_values = status == ORIEL_OK;
    if (status == ORIEL_OK || status == ORIEL_RUNTIME || status == ORIEL_DATA)
        return ORIEL_OK;
    if (error)
        *error = of_a_row;
    return status;
}

/* Writes values[r][i] of all right rows, and to search->rows those that have all of them. */
static enum oriel_status look_at_rows(struct oriel_range_search *search, struct oriel_arena *arena,
                                      const struct oriel_table *right, uint64_t *const *values,
                                      bool *have_values, struct oriel_error *error) {
    const struct oriel_join_layout *layout = search->room->layout;
    const uint32_t range_count = layout->ranges.count, field_count = layout->right.field_count;
    const size_t step = oriel_slice_rows(layout->runtime->batch_rows);
    uint64_t *words = oriel_arena_allocate_zeroed(arena, field_count, sizeof *words);
    struct oriel_column *slice = oriel_arena_allocate_zeroed(arena, field_count, sizeof *slice);
    if (!words || !slice)
        return oriel_error_memory(error);
    for (size_t first = 0; first < right->row_count; first += step) {
        const size_t rest = right->row_count - first;
        const struct oriel_batch batch = {
            .row_count = rest < step ? rest : step, .column_count = field_count, .columns = slice};
        const struct oriel_column *columns;
        oriel_slice_columns(right->columns, field_count, first, batch.row_count, words, slice);
        ORIEL_TRY(evaluate(search->room->right_bounds, &batch, &columns, have_values, error));
        if (!*have_values)
            return ORIEL_OK;
        for (size_t i = 0; i < batch.row_count; i++) {
            bool is_whole = true;
            for (uint32_t r = 0; r < range_count; r++) {
                is_whole &= !oriel_column_is_null(&columns[r], i);
                values[r][first + i] = value_at(&columns[r], i);
            }
            search->rows[search->row_count] = (uint32_t)(first + i);
            search->row_count += is_whole;
        }
    }
    return ORIEL_OK;
}

static bool ascend(const uint64_t *values, size_t begin, size_t end) {
    for (size_t i = begin + 1; i < end; i++)
        if (values[i - 1] > values[i])
            return false;
    return true;
}

static void take_values(const struct oriel_range_search *search, const uint64_t *by_row,
                        uint64_t *out) {
    for (size_t i = 0; i < search->row_count; i++)
        out[i] = by_row[search->rows[i]];
}

/* Puts the rows of each key together, in the order that they have. */
static void group_rows(struct oriel_range_search *search, const uint32_t *ids, uint32_t key_count,
                       uint32_t *spare) {
    uint32_t *begins = search->begins;
    for (size_t i = 0; i < search->row_count; i++)
        begins[ids[search->rows[i]] + 1]++;
    for (uint32_t key = 0; key < key_count; key++)
        begins[key + 1] += begins[key];
    memcpy(spare, search->rows, search->row_count * sizeof *spare);
    for (size_t i = 0; i < search->row_count; i++)
        search->rows[begins[ids[spare[i]]]++] = spare[i];
    memmove(begins + 1, begins, key_count * sizeof *begins);
    begins[0] = 0;
}

enum oriel_status oriel_range_search_init(struct oriel_range_search *search,
                                          const struct oriel_join_room *room,
                                          struct oriel_arena *arena,
                                          const struct oriel_table *right, const uint32_t *ids,
                                          uint32_t key_count, struct oriel_error *error) {
    const size_t count = right->row_count;
    const uint32_t range_count = room->layout->ranges.count;
    uint64_t *by_row[ORIEL_JOIN_RANGES_MAX];
    bool have_values = true, have_room = true;
    *search = (struct oriel_range_search){.room = room};
    for (uint32_t r = 0; r < range_count; r++) {
        by_row[r] = oriel_arena_allocate_zeroed(arena, count, sizeof(uint64_t));
        search->values[r] = oriel_arena_allocate_zeroed(arena, count, sizeof(uint64_t));
        have_room &= by_row[r] && search->values[r];
    }
    uint64_t *spare = oriel_arena_allocate_zeroed(arena, count, sizeof *spare);
    uint32_t *spare_rows = oriel_arena_allocate_zeroed(arena, count, sizeof *spare_rows);
    search->rows = oriel_arena_allocate_zeroed(arena, count, sizeof *search->rows);
    search->begins =
        oriel_arena_allocate_zeroed(arena, (size_t)key_count + 1, sizeof *search->begins);
    if (!have_room || !spare || !spare_rows || !search->rows || !search->begins)
        return oriel_error_memory(error);
    ORIEL_TRY(look_at_rows(search, arena, right, by_row, &have_values, error));
    if (!have_values) {
        search->rows = NULL;
        return ORIEL_OK;
    }
    take_values(search, by_row[0], search->values[0]);
    if (!ascend(search->values[0], 0, search->row_count))
        room->layout->runtime->kernels->radix_sort_u64(search->values[0], search->rows,
                                                       search->row_count, spare, spare_rows);
    group_rows(search, ids, key_count, spare_rows);
    for (uint32_t r = 0; r < range_count; r++) {
        take_values(search, by_row[r], search->values[r]);
        for (uint32_t key = 0; key < key_count && search->values[r]; key++)
            if (!ascend(search->values[r], search->begins[key], search->begins[key + 1]))
                search->values[r] = NULL;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_range_search_begin(struct oriel_range_search *search,
                                           const struct oriel_batch *left,
                                           struct oriel_error *error) {
    return evaluate(search->room->left_bounds, left, &search->left, &search->has_left, error);
}

/* The first place in [begin, end) whose value is above `value`, or, unless `above`, equal to it. */
static size_t find_place(const uint64_t *values, size_t begin, size_t end, uint64_t value,
                         bool above) {
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (above ? values[middle] <= value : values[middle] < value)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

void oriel_range_search_find(const struct oriel_range_search *search, uint32_t key, size_t i,
                             size_t *begin, size_t *end) {
    const struct oriel_join_ranges *ranges = &search->room->layout->ranges;
    *begin = search->begins[key];
    *end = search->begins[key + 1];
    for (uint32_t r = 0; search->has_left && r < ranges->count; r++) {
        const struct oriel_join_range *range = &ranges->items[r];
        if (oriel_column_is_null(&search->left[r], i))
            *end = *begin;
        if (!search->values[r])
            continue;
        const uint64_t value = value_at(&search->left[r], i);
        if (range->is_upper)
            *end = find_place(search->values[r], *begin, *end, value, !range->is_strict);
        else
            *begin = find_place(search->values[r], *begin, *end, value, range->is_strict);
    }
}
