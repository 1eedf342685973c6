/*
 * Gathers rows of Top-N: each column from where the layout says that its values lie.
 */
#include "engine/exec/top_rows.h"

static enum oriel_status open_parts(struct oriel_top_rows *rows, struct oriel_error *error) {
    const struct oriel_top_layout *layout = rows->layout;
    struct oriel_memory *memory = rows->runtime->memory;
    struct oriel_arena *arena = &rows->arena;
    const size_t capacity = rows->runtime->batch_rows;
    rows->picks = oriel_arena_allocate_zeroed(arena, capacity, sizeof *rows->picks);
    rows->key_rows = oriel_arena_allocate_zeroed(arena, capacity, sizeof *rows->key_rows);
    rows->ends = oriel_arena_allocate_zeroed(arena, capacity, sizeof *rows->ends);
    rows->starts = oriel_arena_allocate_zeroed(arena, capacity, sizeof *rows->starts);
    rows->columns =
        oriel_arena_allocate_zeroed(arena, layout->rows.field_count, sizeof *rows->columns);
    rows->key_columns =
        oriel_arena_allocate_zeroed(arena, layout->key_count, sizeof *rows->key_columns);
    if (!rows->picks || !rows->key_rows || !rows->ends || !rows->starts || !rows->columns ||
        !rows->key_columns)
        return oriel_error_memory(error);
    ORIEL_TRY(
        oriel_column_buffers_init(&rows->store_buffers, memory, &layout->store, capacity, error));
    return oriel_column_buffers_init(&rows->key_buffers, memory, &layout->key_schema, capacity,
                                     error);
}

enum oriel_status oriel_top_rows_init(struct oriel_top_rows *rows,
                                      const struct oriel_runtime *runtime,
                                      const struct oriel_top_layout *layout,
                                      struct oriel_error *error) {
    *rows = (struct oriel_top_rows){.runtime = runtime, .layout = layout};
    oriel_arena_init(&rows->arena, runtime->memory);
    const enum oriel_status status = open_parts(rows, error);
    if (status != ORIEL_OK)
        oriel_top_rows_deinit(rows);
    return status;
}

void oriel_top_rows_deinit(struct oriel_top_rows *rows) {
    if (!rows->runtime)
        return;
    oriel_column_buffers_deinit(&rows->store_buffers);
    oriel_column_buffers_deinit(&rows->key_buffers);
    oriel_arena_deinit(&rows->arena);
    *rows = (struct oriel_top_rows){0};
}

void oriel_top_rows_gather(struct oriel_top_rows *rows, const struct oriel_column *const *stores,
                           uint32_t store_count, const struct oriel_column *keys) {
    const struct oriel_top_layout *layout = rows->layout;
    oriel_gather_rows(rows->runtime->kernels, keys, layout->key_count, rows->key_rows, rows->count,
                      &rows->key_buffers, rows->key_columns);
    for (uint32_t c = 0; c < layout->rows.field_count; c++) {
        const struct oriel_top_column *place = &layout->columns[c];
        const struct oriel_type *type = &layout->rows.fields[c].type;
        switch (place->place) {
        case ORIEL_TOP_STORED:
            oriel_gather_picks(stores, store_count, place->index, rows->picks, rows->count,
                               &rows->store_buffers.columns[place->index], &rows->columns[c]);
            break;
        case ORIEL_TOP_KEY: rows->columns[c] = rows->key_columns[place->index]; break;
        case ORIEL_TOP_END:
            rows->columns[c] = (struct oriel_column){.type = *type, .values = rows->ends};
            break;
        case ORIEL_TOP_START:
            rows->columns[c] = (struct oriel_column){.type = *type, .values = rows->starts};
            break;
        }
    }
}
