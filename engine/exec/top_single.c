/*
 * Deduplication: the one best row of each group. The rows of a batch are compared first, and only
 * those that are the best of their group at its end are copied, over the one that was there.
 */
#include "engine/exec/row_key.h"
#include "engine/exec/top_filter.h"

enum { GARBAGE_BYTES = 4 << 20 }; /* of strings, before the store is put together again */

/* Whether a row comes before the best one of its group so far, whose first word is the same. */
static bool is_before_equal(const struct oriel_top_filter *filter, uint32_t row, uint32_t group) {
    const struct oriel_top_layout *layout = filter->layout;
    const uint32_t best = filter->best_rows[group];
    const struct oriel_column *columns = best ? filter->columns : filter->store.columns;
    const size_t at = best ? best - 1 : group;
    if (!oriel_top_is_equal(layout, filter->words[row])) {
        const int order = oriel_row_key_order(filter->columns, row, columns, at,
                                              layout->store_items, layout->item_count);
        if (order)
            return order < 0;
    }
    const uint32_t last = layout->store.field_count - 1;
    const int64_t position = ((const int64_t *)filter->columns[last].values)[row];
    const int64_t other = ((const int64_t *)columns[last].values)[at];
    return layout->plan->rank.last_of_equals ? position > other : position < other;
}

/* Strings and nested values that were replaced take room in the arena of the store. */
static enum oriel_status drop_garbage(struct oriel_top_filter *filter, struct oriel_error *error) {
    return filter->store.arena.total_bytes > 2 * filter->store_kept_bytes + GARBAGE_BYTES
               ? oriel_top_filter_compact(filter, NULL, filter->store.row_count, error)
               : ORIEL_OK;
}

enum oriel_status oriel_top_single_push(struct oriel_top_filter *filter,
                                        const struct oriel_batch *batch,
                                        struct oriel_error *error) {
    const uint32_t *ids = filter->ids;
    uint64_t *best_words = filter->best_words;
    uint32_t *best_rows = filter->best_rows;
    const uint32_t stored = (uint32_t)filter->store.row_count;
    const uint32_t fresh = filter->groups.group_count - stored;
    for (uint32_t i = 0; i < fresh; i++)
        best_words[stored + i] = UINT64_MAX;
    size_t touched = 0;
    for (uint32_t row = 0; row < batch->row_count; row++) {
        const uint32_t group = ids[row];
        const uint64_t word = filter->words[row];
        if (word > best_words[group])
            continue;
        if (word == best_words[group] && (group < stored || best_rows[group]) &&
            !is_before_equal(filter, row, group))
            continue;
        filter->touched[touched] = group;
        touched += group < stored && best_rows[group] == 0;
        best_words[group] = word;
        best_rows[group] = row + 1;
    }
    filter->pending_count = fresh + touched;
    for (uint32_t i = 0; i < fresh; i++) {
        filter->pending[i] = best_rows[stored + i] - 1;
        best_rows[stored + i] = 0;
    }
    for (size_t i = 0; i < touched; i++) {
        const uint32_t group = filter->touched[i];
        filter->pending[fresh + i] = best_rows[group] - 1;
        best_rows[group] = 0;
    }
    ORIEL_TRY(oriel_top_filter_store(filter, batch->row_count, error));
    oriel_table_replace(&filter->store, filter->touched, touched);
    return drop_garbage(filter, error);
}
