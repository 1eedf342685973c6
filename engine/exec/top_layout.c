/*
 * Lays out Top-N: partition columns that tell the window or are keys leave the store, and order
 * items that a partition has only one value of fall away.
 */
#include "engine/exec/top_layout.h"

#include "engine/plan/plan_node.h"

static bool is_window_bound(const struct oriel_plan *input, uint32_t column,
                            enum oriel_window_role role) {
    const struct oriel_type *type = &input->schema.fields[column].type;
    return oriel_plan_column_role(input, column) == role && !type->nullable &&
           oriel_type_physical(type) == ORIEL_PHYSICAL_I64;
}

/* Whether equal keys are the same bytes, so that one stands for all: not 0.0 and -0.0. */
static bool is_one_value(const struct oriel_type *type) {
    switch (oriel_type_physical(type)) {
    case ORIEL_PHYSICAL_F32:
    case ORIEL_PHYSICAL_F64:
    case ORIEL_PHYSICAL_NESTED: return false;
    default: return true;
    }
}

static enum oriel_status lay_out_keys(struct oriel_top_layout *layout, struct oriel_arena *arena,
                                      struct oriel_top_column *columns, struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan, *input = plan->inputs[0];
    const uint32_t *order = plan->rank.order;
    const uint32_t count = plan->rank.order_count;
    layout->has_windows = count >= 2 && is_window_bound(input, order[0], ORIEL_ROLE_END) &&
                          is_window_bound(input, order[1], ORIEL_ROLE_START);
    const uint32_t first = layout->has_windows ? 2 : 0;
    if (layout->has_windows) {
        layout->end_column = order[0];
        layout->start_column = order[1];
        columns[order[0]].place = ORIEL_TOP_END;
        columns[order[1]].place = ORIEL_TOP_START;
    }
    const size_t size = count - first;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, size, sizeof *fields);
    struct oriel_sort_item *items = oriel_arena_allocate_zeroed(arena, size, sizeof *items);
    if (!fields || !items)
        return oriel_error_memory(error);
    layout->key_count = count - first;
    layout->keys = order + first;
    for (uint32_t k = 0; k < layout->key_count; k++) {
        const uint32_t column = layout->keys[k];
        fields[k] = layout->rows.fields[column];
        items[k] = (struct oriel_sort_item){.column = k, .nulls_first = true};
        if (is_one_value(&fields[k].type))
            columns[column] = (struct oriel_top_column){ORIEL_TOP_KEY, k};
    }
    layout->key_schema = (struct oriel_schema){layout->key_count, fields};
    layout->key_items = items;
    return ORIEL_OK;
}

static enum oriel_status lay_out_store(struct oriel_top_layout *layout, struct oriel_arena *arena,
                                       struct oriel_top_column *columns,
                                       struct oriel_error *error) {
    const uint32_t count = layout->rows.field_count;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, count, sizeof *fields);
    uint32_t *stored = oriel_arena_allocate_zeroed(arena, count, sizeof *stored);
    if (!fields || !stored)
        return oriel_error_memory(error);
    uint32_t field_count = 0;
    for (uint32_t c = 0; c < count; c++) {
        if (columns[c].place != ORIEL_TOP_STORED)
            continue;
        columns[c].index = field_count;
        stored[field_count] = c;
        fields[field_count++] = layout->rows.fields[c];
    }
    layout->store = (struct oriel_schema){field_count, fields};
    layout->stored = stored;
    return ORIEL_OK;
}

static bool is_partition_column(const struct oriel_plan *plan, uint32_t column) {
    for (uint32_t k = 0; k < plan->rank.partition_count; k++)
        if (plan->rank.partition[k] == column)
            return true;
    return false;
}

static enum oriel_status lay_out_items(struct oriel_top_layout *layout, struct oriel_arena *arena,
                                       struct oriel_error *error) {
    const struct oriel_plan *plan = layout->plan;
    const uint32_t count = plan->rank.item_count;
    struct oriel_sort_item *items = oriel_arena_allocate_zeroed(arena, count, sizeof *items);
    struct oriel_sort_item *store_items = oriel_arena_allocate_zeroed(arena, count, sizeof *items);
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(arena, layout->rows.field_count, sizeof *fields);
    if (!items || !store_items || !fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct oriel_sort_item *item = &plan->rank.items[i];
        if (is_partition_column(plan, item->column))
            continue;
        items[layout->item_count] = store_items[layout->item_count] = *item;
        store_items[layout->item_count++].column = layout->columns[item->column].index;
    }
    layout->items = items;
    layout->store_items = store_items;
    for (uint32_t c = 0; c < layout->rows.field_count; c++) {
        fields[c] = layout->rows.fields[c];
        fields[c].type.nullable = false;
    }
    const struct oriel_schema rows = {layout->rows.field_count, fields};
    struct oriel_sort_layout *first = &layout->first_item;
    ORIEL_TRY(oriel_sort_layout_make(first, arena, rows, items, layout->item_count ? 1 : 0, error));
    layout->first_is_narrow = layout->item_count == 0 || first->parts[0].form == ORIEL_SORT_NARROW;
    layout->first_decides = layout->item_count == 0 ||
                            (layout->item_count == 1 && first->exact && first->word_count == 1);
    return ORIEL_OK;
}

enum oriel_status oriel_top_layout_make(struct oriel_top_layout *layout, struct oriel_arena *arena,
                                        const struct oriel_plan *plan, struct oriel_schema rows,
                                        struct oriel_error *error) {
    *layout = (struct oriel_top_layout){.plan = plan, .rows = rows};
    struct oriel_top_column *columns =
        oriel_arena_allocate_zeroed(arena, rows.field_count, sizeof *columns);
    if (!columns)
        return oriel_error_memory(error);
    layout->columns = columns;
    ORIEL_TRY(lay_out_keys(layout, arena, columns, error));
    ORIEL_TRY(lay_out_store(layout, arena, columns, error));
    return lay_out_items(layout, arena, error);
}

void oriel_top_encode(const struct oriel_top_layout *layout, const struct oriel_batch *batch,
                      uint64_t *words) {
    const struct oriel_sort_layout *first = &layout->first_item;
    const size_t stride = first->word_count;
    oriel_sort_encode(first, batch->columns, NULL, 0, batch->row_count, words);
    if (stride > 1)
        for (size_t i = 0; i < batch->row_count; i++)
            words[i] = words[i * stride];
    if (layout->first_is_narrow)
        return;
    const struct oriel_sort_item *item = &layout->items[0];
    const uint64_t *valid = batch->columns[item->column].valid;
    for (size_t i = 0; valid && i < batch->row_count; i++)
        if (!oriel_bits_get(valid, i))
            words[i] = item->nulls_first ? 0 : UINT64_MAX;
}
