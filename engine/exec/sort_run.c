/*
 * Makes sorted runs and moves them to a temporary file.
 */
#include "engine/exec/sort_run.h"

enum { MERGE_BLOCKS = 4 };

/* Replaces the table of a run by one of its first rows when most of the others are not wanted. The
 * run is right, too, when there is no memory for that. */
static void compact(struct oriel_sort_run *run, size_t old_count) {
    if (run->row_count > old_count / 2)
        return;
    struct oriel_table kept;
    oriel_table_init(&kept, run->table.memory, run->table.schema);
    const struct oriel_batch batch = {.row_count = old_count,
                                      .column_count = run->table.schema.field_count,
                                      .columns = run->table.columns};
    if (oriel_table_append(&kept, &batch, run->order, 0, run->row_count, NULL) != ORIEL_OK) {
        oriel_table_deinit(&kept);
        return;
    }
    oriel_table_deinit(&run->table);
    run->table = kept;
    for (size_t i = 0; i < run->row_count; i++)
        run->order[i] = (uint32_t)i;
}

enum oriel_status oriel_sort_run_make(const struct oriel_sort_layout *layout,
                                      const struct oriel_runtime *runtime,
                                      struct oriel_table *table, uint64_t limit,
                                      struct oriel_sort_run **out, struct oriel_error *error) {
    struct oriel_memory *memory = runtime->memory;
    const size_t count = table->row_count;
    struct oriel_sort_run *run = oriel_memory_allocate_zeroed(memory, 1, sizeof *run);
    if (!run)
        return oriel_error_memory(error);
    oriel_table_init(&run->table, memory, table->schema);
    enum oriel_status status = ORIEL_OK;
    uint32_t *order = oriel_memory_allocate(memory, count * sizeof *order);
    if (!order)
        status = oriel_error_memory(error);
    else
        status = oriel_sort_rows(layout, runtime, table->columns, count, order, error);
    if (status != ORIEL_OK) {
        oriel_memory_release(memory, order, count * sizeof *order);
        oriel_memory_release(memory, run, sizeof *run);
        return status;
    }
    run->row_count = limit < count ? (size_t)limit : count;
    if (run->row_count < count) {
        uint32_t *shorter = oriel_memory_resize(memory, order, count * sizeof *order,
                                                run->row_count * sizeof *order);
        if (!shorter) {
            oriel_memory_release(memory, order, count * sizeof *order);
            oriel_memory_release(memory, run, sizeof *run);
            return oriel_error_memory(error);
        }
        order = shorter;
    }
    run->order = order;
    run->table = *table;
    oriel_table_init(table, memory, run->table.schema);
    *out = run;
    /* a run that is not made smaller is right, too */
    if (run->row_count < count)
        compact(run, count);
    return ORIEL_OK;
}

static enum oriel_status write_run(struct oriel_sort_run *run, size_t block_rows,
                                   struct oriel_error *error) {
    for (size_t at = 0; at < run->row_count; at += block_rows) {
        const size_t left = run->row_count - at;
        ORIEL_TRY(oriel_spill_append_rows(&run->stream, run->table.columns,
                                          run->table.schema.field_count, run->order + at, 0,
                                          left < block_rows ? left : block_rows, error));
    }
    return oriel_spill_flush(&run->stream, error);
}

enum oriel_status oriel_sort_run_spill(struct oriel_sort_run *run, struct oriel_spill *spill,
                                       size_t block_rows, struct oriel_error *error) {
    struct oriel_memory *memory = run->table.memory;
    oriel_spill_stream_init(&run->stream, spill);
    const enum oriel_status status = write_run(run, block_rows, error);
    if (status != ORIEL_OK) {
        oriel_spill_stream_deinit(&run->stream);
        return status;
    }
    oriel_table_deinit(&run->table);
    oriel_memory_release(memory, run->order, run->row_count * sizeof *run->order);
    run->order = NULL;
    return ORIEL_OK;
}

void oriel_sort_run_free(struct oriel_sort_run *run, struct oriel_memory *memory) {
    oriel_table_deinit(&run->table);
    oriel_memory_release(memory, run->order, run->order ? run->row_count * sizeof *run->order : 0);
    oriel_spill_stream_deinit(&run->stream);
    oriel_memory_release(memory, run, sizeof *run);
}

/* Writes the merged rows to the stream of `run`. */
static enum oriel_status write_merged(struct oriel_sort_merge *merge, struct oriel_sort_run *run,
                                      size_t block_rows, struct oriel_error *error) {
    struct oriel_table *table = &run->table;
    do {
        oriel_table_clear(table);
        ORIEL_TRY(oriel_sort_merge_next(merge, table, block_rows * MERGE_BLOCKS, error));
        run->row_count += table->row_count;
        for (size_t at = 0; at < table->row_count; at += block_rows) {
            const size_t left = table->row_count - at;
            ORIEL_TRY(oriel_spill_append_rows(&run->stream, table->columns,
                                              table->schema.field_count, NULL, at,
                                              left < block_rows ? left : block_rows, error));
        }
    } while (table->row_count);
    return oriel_spill_flush(&run->stream, error);
}

enum oriel_status oriel_sort_run_merge(const struct oriel_sort_layout *layout,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_sort_run *runs, uint64_t limit,
                                       struct oriel_spill *spill, size_t block_rows,
                                       struct oriel_sort_run **out, struct oriel_error *error) {
    const struct oriel_schema schema = runs->table.schema;
    struct oriel_sort_merge *merge;
    struct oriel_sort_run *run = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *run);
    if (!run)
        return oriel_error_memory(error);
    run->level = runs->level + 1;
    oriel_table_init(&run->table, runtime->memory, schema);
    oriel_spill_stream_init(&run->stream, spill);
    enum oriel_status status =
        oriel_sort_merge_open(layout, runtime, schema, runs, limit, &merge, error);
    if (status == ORIEL_OK) {
        status = write_merged(merge, run, block_rows, error);
        oriel_sort_merge_close(&merge);
    }
    oriel_table_deinit(&run->table);
    if (status != ORIEL_OK)
        oriel_sort_run_free(run, runtime->memory);
    else
        *out = run;
    return status;
}
