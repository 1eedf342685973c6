/*
 * Merges left rows into the right ones. Most neighbours are equal in all bytes of their keys, the
 * others are compared by their sort words. The way along the right rows only goes forward; right
 * rows of one key are remembered as long as left rows have that key.
 */
#include "engine/exec/join_zip.h"

#include <string.h>

enum { WORD_ROWS = 16 };

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
    const uint32_t key_count = zip->plan->join.key_count;
    const size_t size = sizeof(uint64_t);
    zip->key_sizes = oriel_arena_allocate_zeroed(arena, key_count, sizeof *zip->key_sizes);
    zip->left_words.words = oriel_arena_allocate_zeroed(arena, WORD_ROWS * width, size);
    zip->right_words.words = oriel_arena_allocate_zeroed(arena, WORD_ROWS * width, size);
    zip->run_words.words = oriel_arena_allocate_zeroed(arena, width, size);
    if (!zip->key_sizes || !zip->left_words.words || !zip->right_words.words ||
        !zip->run_words.words)
        return oriel_error_memory(error);
    const struct oriel_schema left = zip->plan->inputs[0]->schema;
    for (uint32_t k = 0; k < key_count; k++)
        zip->key_sizes[k] = oriel_physical_size(
            oriel_type_physical(&left.fields[zip->plan->join.left_keys[k]].type));
    return ORIEL_OK;
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
    zip->right_words.end = 0;
}

void oriel_join_zip_begin(struct oriel_join_zip *zip) {
    zip->is_placed = false;
    zip->run_count = 0;
}

/* The words of a row; those of the `count` rows from there on that fit are made with them. */
static inline const uint64_t *words_of(struct oriel_zip_words *block,
                                       const struct oriel_sort_layout *layout,
                                       const struct oriel_column *columns, size_t first, size_t row,
                                       size_t count) {
    if (row < block->begin || row >= block->end) {
        count = count < WORD_ROWS ? count : WORD_ROWS;
        oriel_sort_encode(layout, columns, NULL, first + row, count, block->words);
        block->begin = row;
        block->end = row + count;
    }
    return block->words + (row - block->begin) * layout->word_count;
}

/* Whether there is a next right row. */
static inline bool look(struct oriel_join_zip *zip) {
    const struct oriel_kept_rows *right = zip->right;
    while (zip->segment < right->segment_count && zip->at == right->segments[zip->segment].count)
        place(zip, zip->segment + 1, 0);
    return zip->segment < right->segment_count;
}

static struct oriel_sort_row right_row(struct oriel_join_zip *zip) {
    const struct oriel_kept_segment *segment = &zip->right->segments[zip->segment];
    const struct oriel_column *columns = zip->right->sources[segment->table];
    return (struct oriel_sort_row){words_of(&zip->right_words, &zip->order->right, columns,
                                            segment->begin, zip->at, segment->count - zip->at),
                                   columns, segment->begin + zip->at};
}

/* Whether the keys of two rows are the same bytes, and not NULL: then they are equal. */
static inline bool is_same(const struct oriel_join_zip *zip, const struct oriel_column *right,
                           size_t right_at, size_t left_at) {
    const struct oriel_plan *plan = zip->plan;
    for (uint32_t k = plan->join.key_count; k-- > 0;) {
        const struct oriel_column *a = &right[plan->join.right_keys[k]];
        const struct oriel_column *b = &zip->left[plan->join.left_keys[k]];
        bool same;
        switch (zip->key_sizes[k]) {
        case 1: same = ((uint8_t *)a->values)[right_at] == ((uint8_t *)b->values)[left_at]; break;
        case 2: same = ((uint16_t *)a->values)[right_at] == ((uint16_t *)b->values)[left_at]; break;
        case 4: same = ((uint32_t *)a->values)[right_at] == ((uint32_t *)b->values)[left_at]; break;
        case 8: same = ((uint64_t *)a->values)[right_at] == ((uint64_t *)b->values)[left_at]; break;
        default: same = ((oriel_u128 *)a->values)[right_at] == ((oriel_u128 *)b->values)[left_at];
        }
        if (!same || oriel_column_is_null(a, right_at) || oriel_column_is_null(b, left_at))
            return false;
    }
    return true;
}

/* <0 when the right row is before the left one. */
static int compare(struct oriel_join_zip *zip, const struct oriel_sort_row *right, size_t left_at) {
    const struct oriel_sort_layout *layout = &zip->order->left;
    const struct oriel_sort_row left = {
        words_of(&zip->left_words, layout, zip->left, 0, left_at, zip->left_count - left_at),
        zip->left, left_at};
    return oriel_sort_compare_sides(&zip->order->right, right, layout, &left);
}

/* Whether there is a next right row, and it is the same as a left one. */
static inline bool is_next(struct oriel_join_zip *zip, size_t left_at) {
    if (!look(zip))
        return false;
    const struct oriel_kept_segment *segment = &zip->right->segments[zip->segment];
    return is_same(zip, zip->right->sources[segment->table], segment->begin + zip->at, left_at);
}

/* Compares the next right row, which there is. */
static inline int compare_next(struct oriel_join_zip *zip, size_t left_at) {
    if (is_next(zip, left_at))
        return 0;
    const struct oriel_sort_row row = right_row(zip);
    return compare(zip, &row, left_at);
}

/* Goes to the first right row that is not before a left one. */
static void seek(struct oriel_join_zip *zip, size_t left_at) {
    const struct oriel_kept_rows *right = zip->right;
    size_t low = 0, high = right->segment_count;
    while (low < high) { /* the first segment that begins at or behind it */
        const size_t middle = low + (high - low) / 2;
        place(zip, middle, 0);
        if (!look(zip))
            break;
        if (compare_next(zip, left_at) < 0)
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
        if (compare_next(zip, left_at) < 0)
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
static enum oriel_status find_run(struct oriel_join_zip *zip, size_t left_at,
                                  struct oriel_error *error) {
    zip->run_count = 0;
    zip->run_words.end = 0;
    for (; look(zip); zip->at++) {
        const int order = compare_next(zip, left_at);
        if (order > 0)
            break;
        if (order < 0)
            continue;
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
static bool is_in_run(struct oriel_join_zip *zip, size_t left_at) {
    if (zip->run_count == 0)
        return false;
    const struct oriel_pick *pick = &zip->run[0];
    const struct oriel_column *columns = zip->right->sources[pick->source];
    if (is_same(zip, columns, pick->row, left_at))
        return true;
    const struct oriel_sort_row row = {
        words_of(&zip->run_words, &zip->order->right, columns, pick->row, 0, 1), columns,
        pick->row};
    return compare(zip, &row, left_at) == 0;
}

/* Whether a row has a NULL in a key that NULL never matches. */
static bool never_matches(const struct oriel_join_zip *zip, size_t row) {
    const struct oriel_plan *plan = zip->plan;
    for (uint32_t k = 0; k < plan->join.key_count; k++)
        if (!plan->join.null_matches[k] &&
            oriel_column_is_null(&zip->left[plan->join.left_keys[k]], row))
            return true;
    return false;
}

enum oriel_status oriel_join_zip_push(struct oriel_join_zip *zip, const struct oriel_batch *batch,
                                      struct oriel_join_emit *emit, struct oriel_error *error) {
    zip->left = batch->columns;
    zip->left_count = batch->row_count;
    zip->left_words.end = 0;
    for (size_t i = 0; i < batch->row_count; i++) {
        size_t count = 0;
        if (!never_matches(zip, i)) {
            if (!zip->is_placed)
                seek(zip, i);
            /* what comes next is behind the run */
            if (is_next(zip, i) || !is_in_run(zip, i))
                ORIEL_TRY(find_run(zip, i, error));
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
        const struct oriel_sort_row row = right_row(zip);
        if (count && oriel_sort_compare(&zip->order->right, &first, &row) == 0) {
            count++;
        } else {
            count = 1;
            memcpy(zip->run_words.words, row.words, width * sizeof *row.words);
            first = (struct oriel_sort_row){zip->run_words.words, row.columns, row.row};
        }
        *out = count > *out ? count : *out;
    }
    return ORIEL_OK;
}
