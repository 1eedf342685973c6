/*
 * Merges left rows into the right ones by their sort words. The way along the right rows only goes
 * forward; right rows of one key are remembered as long as left rows have that key.
 */
#include "engine/exec/join_zip.h"

#include <string.h>

enum { WORD_ROWS = 256 };

static enum oriel_status make_layout(struct oriel_sort_layout *layout, struct oriel_arena *arena,
                                     const uint32_t *keys, uint32_t key_count,
                                     struct oriel_schema schema, const uint32_t *columns,
                                     struct oriel_schema other, const uint32_t *other_columns,
                                     struct oriel_error *error) {
    struct oriel_sort_item *items = oriel_arena_allocate_zeroed(arena, key_count, sizeof *items);
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(arena, schema.field_count, sizeof *fields);
    if (!items || !fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema.field_count; i++)
        fields[i] = schema.fields[i];
    for (uint32_t i = 0; i < key_count; i++) {
        const uint32_t key = keys ? keys[i] : i;
        items[i] = (struct oriel_sort_item){.column = columns[key], .nulls_first = true};
        /* the same words on both sides */
        fields[columns[key]].type.nullable |= other.fields[other_columns[key]].type.nullable;
    }
    return oriel_sort_layout_make(layout, arena, (struct oriel_schema){schema.field_count, fields},
                                  items, key_count, error);
}

enum oriel_status oriel_join_key_layouts(const struct oriel_plan *plan, const uint32_t *keys,
                                         struct oriel_arena *arena, struct oriel_sort_layout *left,
                                         struct oriel_sort_layout *right,
                                         struct oriel_error *error) {
    const struct oriel_schema left_rows = plan->inputs[0]->schema;
    const struct oriel_schema right_rows = plan->inputs[1]->schema;
    const uint32_t count = plan->join.key_count;
    ORIEL_TRY(make_layout(left, arena, keys, count, left_rows, plan->join.left_keys, right_rows,
                          plan->join.right_keys, error));
    return make_layout(right, arena, keys, count, right_rows, plan->join.right_keys, left_rows,
                       plan->join.left_keys, error);
}

enum oriel_status oriel_join_zip_order(const struct oriel_plan *plan, struct oriel_arena *arena,
                                       struct oriel_zip_order *out, struct oriel_error *error) {
    *out = (struct oriel_zip_order){0};
    ORIEL_TRY(oriel_plan_find_join_order(plan, arena, &out->order, error));
    return out->order.key_count ? oriel_join_key_layouts(plan, out->order.keys, arena, &out->left,
                                                         &out->right, error)
                                : ORIEL_OK;
}

static enum oriel_status make_room(struct oriel_join_zip *zip, struct oriel_error *error) {
    struct oriel_arena *arena = &zip->arena;
    const size_t width = zip->order->left.word_count;
    zip->left_words =
        oriel_arena_allocate_zeroed(arena, zip->runtime->batch_rows * width, sizeof(uint64_t));
    zip->words = oriel_arena_allocate_zeroed(arena, WORD_ROWS * width, sizeof(uint64_t));
    zip->run_words = oriel_arena_allocate_zeroed(arena, width, sizeof(uint64_t));
    return zip->left_words && zip->words && zip->run_words ? ORIEL_OK : oriel_error_memory(error);
}

enum oriel_status oriel_join_zip_init(struct oriel_join_zip *zip, const struct oriel_plan *plan,
                                      const struct oriel_runtime *runtime,
                                      const struct oriel_zip_order *order,
                                      const struct oriel_kept_rows *right,
                                      struct oriel_error *error) {
    *zip =
        (struct oriel_join_zip){.plan = plan, .runtime = runtime, .order = order, .right = right};
    oriel_arena_init(&zip->arena, runtime->memory);
    const enum oriel_status status = make_room(zip, error);
    if (status != ORIEL_OK)
        oriel_join_zip_deinit(zip);
    return status;
}

void oriel_join_zip_deinit(struct oriel_join_zip *zip) {
    if (!zip->runtime)
        return;
    oriel_memory_release(zip->runtime->memory, zip->run, zip->run_capacity * sizeof *zip->run);
    oriel_arena_deinit(&zip->arena);
    *zip = (struct oriel_join_zip){0};
}

static void place(struct oriel_join_zip *zip, size_t segment, size_t at) {
    zip->segment = segment;
    zip->at = at;
    zip->words_begin = zip->words_end = 0;
}

void oriel_join_zip_begin(struct oriel_join_zip *zip) {
    zip->is_placed = false;
    zip->run_count = 0;
}

/* Whether there is a next right row; its words are then there. */
static inline bool look(struct oriel_join_zip *zip) {
    if (zip->at < zip->words_end)
        return true;
    const struct oriel_kept_rows *right = zip->right;
    while (zip->segment < right->segment_count && zip->at == right->segments[zip->segment].count)
        place(zip, zip->segment + 1, 0);
    if (zip->segment == right->segment_count)
        return false;
    const struct oriel_kept_segment *segment = &right->segments[zip->segment];
    const size_t left = segment->count - zip->at;
    const size_t count = left < WORD_ROWS ? left : WORD_ROWS;
    oriel_sort_encode(&zip->order->right, right->sources[segment->table], NULL,
                      segment->begin + zip->at, count, zip->words);
    zip->words_begin = zip->at;
    zip->words_end = zip->at + count;
    return true;
}

static struct oriel_sort_row next_row(const struct oriel_join_zip *zip) {
    const struct oriel_kept_segment *segment = &zip->right->segments[zip->segment];
    return (struct oriel_sort_row){zip->words +
                                       (zip->at - zip->words_begin) * zip->order->right.word_count,
                                   zip->right->sources[segment->table], segment->begin + zip->at};
}

/* <0 when the right row is before the left one. */
static inline int compare(const struct oriel_join_zip *zip, const struct oriel_sort_row *right,
                          const struct oriel_sort_row *left) {
    return oriel_sort_compare_sides(&zip->order->right, right, &zip->order->left, left);
}

/* Goes to the first right row that is not before a left one. */
static void seek(struct oriel_join_zip *zip, const struct oriel_sort_row *left) {
    const struct oriel_kept_rows *right = zip->right;
    size_t low = 0, high = right->segment_count;
    while (low < high) { /* the first segment that begins at or behind it */
        const size_t middle = low + (high - low) / 2;
        place(zip, middle, 0);
        if (!look(zip))
            break;
        const struct oriel_sort_row row = next_row(zip);
        if (compare(zip, &row, left) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const size_t segment = low ? low - 1 : 0;
    size_t begin = 0, end = right->segment_count ? right->segments[segment].count : 0;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        place(zip, segment, middle);
        if (!look(zip))
            break;
        const struct oriel_sort_row row = next_row(zip);
        if (compare(zip, &row, left) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    place(zip, segment, begin);
    zip->is_placed = true;
}

static bool add_to_run(struct oriel_join_zip *zip) {
    if (zip->run_count == zip->run_capacity) {
        const size_t capacity = zip->run_capacity ? zip->run_capacity * 2 : 16;
        struct oriel_pick *run =
            oriel_memory_resize(zip->runtime->memory, zip->run, zip->run_capacity * sizeof *run,
                                capacity * sizeof *run);
        if (!run)
            return false;
        zip->run = run;
        zip->run_capacity = capacity;
    }
    const struct oriel_kept_segment *segment = &zip->right->segments[zip->segment];
    zip->run[zip->run_count++] =
        (struct oriel_pick){segment->table, segment->begin + (uint32_t)zip->at};
    return true;
}

/* Collects the right rows that are equal to a left row, behind those that are before it. */
static enum oriel_status find_run(struct oriel_join_zip *zip, const struct oriel_sort_row *left,
                                  struct oriel_error *error) {
    zip->run_count = 0;
    for (; look(zip); zip->at++) {
        const struct oriel_sort_row row = next_row(zip);
        const int order = compare(zip, &row, left);
        if (order > 0)
            break;
        if (order < 0)
            continue;
        if (zip->run_count == 0)
            memcpy(zip->run_words, row.words, zip->order->right.word_count * sizeof(uint64_t));
        if (!add_to_run(zip))
            return oriel_error_memory(error);
        if (zip->order->order.right_is_unique) {
            zip->at++;
            break;
        }
    }
    return ORIEL_OK;
}

/* Whether the left row has the key of the run. */
static bool is_in_run(const struct oriel_join_zip *zip, const struct oriel_sort_row *left) {
    if (zip->run_count == 0)
        return false;
    const struct oriel_pick *pick = &zip->run[0];
    const struct oriel_sort_row row = {zip->run_words, zip->right->sources[pick->source],
                                       pick->row};
    return compare(zip, &row, left) == 0;
}

/* Whether a row has a NULL in a key that NULL never matches. */
static bool never_matches(const struct oriel_join_zip *zip, const struct oriel_batch *batch,
                          size_t row) {
    const struct oriel_plan *plan = zip->plan;
    for (uint32_t k = 0; k < plan->join.key_count; k++)
        if (!plan->join.null_matches[k] &&
            oriel_column_is_null(&batch->columns[plan->join.left_keys[k]], row))
            return true;
    return false;
}

enum oriel_status oriel_join_zip_push(struct oriel_join_zip *zip, const struct oriel_batch *batch,
                                      struct oriel_join_emit *emit, struct oriel_error *error) {
    const size_t width = zip->order->left.word_count;
    oriel_sort_encode(&zip->order->left, batch->columns, NULL, 0, batch->row_count,
                      zip->left_words);
    for (size_t i = 0; i < batch->row_count; i++) {
        const struct oriel_sort_row left = {zip->left_words + i * width, batch->columns, i};
        size_t count = 0;
        if (!never_matches(zip, batch, i)) {
            if (!zip->is_placed)
                seek(zip, &left);
            if (!is_in_run(zip, &left))
                ORIEL_TRY(find_run(zip, &left, error));
            count = zip->run_count;
        }
        ORIEL_TRY(oriel_join_emit_row(emit, (uint32_t)i, zip->run, count, error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_join_zip_longest(struct oriel_join_zip *zip, uint64_t *out,
                                         struct oriel_error *error) {
    const size_t width = zip->order->right.word_count;
    struct oriel_sort_row first = {0};
    uint64_t count = 0;
    *out = 1;
    if (zip->order->order.right_is_unique)
        return ORIEL_OK;
    place(zip, 0, 0);
    for (uint64_t i = 0; look(zip); zip->at++, i++) {
        if (i % (1 << 16) == 0)
            ORIEL_TRY(oriel_runtime_check(zip->runtime, error));
        const struct oriel_sort_row row = next_row(zip);
        if (count && oriel_sort_compare(&zip->order->right, &first, &row) == 0) {
            count++;
        } else {
            count = 1;
            memcpy(zip->run_words, row.words, width * sizeof *zip->run_words);
            first = (struct oriel_sort_row){zip->run_words, row.columns, row.row};
        }
        *out = count > *out ? count : *out;
    }
    return ORIEL_OK;
}
