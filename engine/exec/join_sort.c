/*
 * Finds the matching rows of one partition by sorting both sides by the keys and going along them:
 * the strategy 'sort'. Rows of one key are paired with each other.
 */
#include "engine/exec/join_pairs.h"
#include "engine/exec/join_zip.h"

/* One side in the order of its keys. */
struct sorted {
    const struct oriel_table *table;
    struct oriel_sort_layout layout;
    uint32_t *order;
    uint64_t *words; /* of the rows in order */
};

static struct oriel_sort_row row_at(const struct sorted *side, size_t i) {
    return (struct oriel_sort_row){side->words + i * side->layout.word_count, side->table->columns,
                                   side->order[i]};
}

static enum oriel_status sort(struct sorted *side, const struct oriel_runtime *runtime,
                              struct oriel_arena *arena, struct oriel_error *error) {
    const size_t count = side->table->row_count;
    side->order = oriel_arena_allocate_zeroed(arena, count, sizeof *side->order);
    side->words =
        oriel_arena_allocate_zeroed(arena, count * side->layout.word_count, sizeof *side->words);
    if (!side->order || !side->words)
        return oriel_error_memory(error);
    if (count == 0)
        return ORIEL_OK;
    ORIEL_TRY(
        oriel_sort_rows(&side->layout, runtime, side->table->columns, count, side->order, error));
    oriel_sort_encode(&side->layout, side->table->columns, side->order, 0, count, side->words);
    return ORIEL_OK;
}

/* The end of the rows that are equal to row `begin`. */
static size_t run_end(const struct sorted *side, size_t begin) {
    const struct oriel_sort_row first = row_at(side, begin);
    size_t end = begin + 1;
    for (; end < side->table->row_count; end++) {
        const struct oriel_sort_row row = row_at(side, end);
        if (oriel_sort_compare(&side->layout, &first, &row))
            break;
    }
    return end;
}

/* Whether the rows of a key never match, as it has a NULL. */
static bool never_match(const struct oriel_plan *plan, const struct sorted *left, size_t i) {
    for (uint32_t k = 0; k < plan->join.key_count; k++)
        if (!plan->join.null_matches[k] &&
            oriel_column_is_null(&left->table->columns[plan->join.left_keys[k]], left->order[i]))
            return true;
    return false;
}

static enum oriel_status pair(struct oriel_join_part *part, const struct sorted *left,
                              size_t left_begin, size_t left_end, const struct sorted *right,
                              size_t right_begin, size_t right_end, struct oriel_error *error) {
    const bool needs_pairs = oriel_join_needs_pairs(part->room->layout);
    for (size_t l = left_begin; l < left_end; l++) {
        if (!needs_pairs)
            part->left_matched[left->order[l]] = 1;
        for (size_t r = right_begin; needs_pairs && r < right_end; r++)
            ORIEL_TRY(oriel_join_add_pair(part, left->order[l], right->order[r], error));
    }
    return ORIEL_OK;
}

static enum oriel_status merge(struct oriel_join_part *part, const struct sorted *left,
                               const struct sorted *right, struct oriel_error *error) {
    const struct oriel_plan *plan = part->room->layout->plan;
    size_t l = 0, r = 0;
    while (l < left->table->row_count && r < right->table->row_count) {
        const struct oriel_sort_row a = row_at(left, l), b = row_at(right, r);
        const int order = oriel_sort_compare_sides(&left->layout, &a, &right->layout, &b);
        const size_t left_end = order <= 0 ? run_end(left, l) : l;
        const size_t right_end = order >= 0 ? run_end(right, r) : r;
        ORIEL_TRY(oriel_runtime_check(part->room->layout->runtime, error));
        if (order == 0 && !never_match(plan, left, l))
            ORIEL_TRY(pair(part, left, l, left_end, right, r, right_end, error));
        l = left_end;
        r = right_end;
    }
    return oriel_join_flush_pairs(part, error);
}

enum oriel_status oriel_join_match_sorted(struct oriel_join_part *part, struct oriel_error *error) {
    const struct oriel_join_layout *layout = part->room->layout;
    struct sorted left = {.table = &part->left}, right = {.table = &part->right};
    struct oriel_arena arena;
    oriel_arena_init(&arena, layout->runtime->memory);
    enum oriel_status status =
        oriel_join_key_layouts(layout->plan, NULL, &arena, &left.layout, &right.layout, error);
    if (status == ORIEL_OK)
        status = sort(&left, layout->runtime, &arena, error);
    if (status == ORIEL_OK)
        status = sort(&right, layout->runtime, &arena, error);
    if (status == ORIEL_OK)
        status = merge(part, &left, &right, error);
    oriel_arena_deinit(&arena);
    return status;
}
