/*
 * What a result knows besides its rows, entry by entry: the tables that were read, the report on
 * late rows.
 */
#include "engine/api/engine_internal.h"
#include "engine/io/file_line.h"

enum oriel_status oriel_result_late(const struct oriel_result *result, uint32_t index,
                                    struct oriel_late_rows *out, struct oriel_error *error) {
    if (!result || !out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "result and out must not be NULL");
    const struct oriel_late_window *entry = result->late.first;
    while (entry && (!entry->is_counted || index-- > 0))
        entry = entry->next;
    if (!entry)
        return ORIEL_DONE;
    *out = (struct oriel_late_rows){
        .table = entry->table,
        .window = entry->window,
        .column = entry->position.column,
        .row_count = entry->row_count,
        .dropped_count = entry->dropped_count,
        .part_count = entry->part_count,
        .missing_count = entry->missing_count,
        .first_row = entry->first_row,
        .first_file = entry->first_file[0] ? entry->first_file : NULL,
    };
    oriel_engine_find_script(result->engine, entry->position, &out->source, &out->line);
    if (!out->first_file)
        return ORIEL_OK;
    return oriel_file_line_of(&result->runtime, entry->first_file, entry->first_offset,
                              &out->first_line, error);
}

enum oriel_status oriel_result_table(const struct oriel_result *result, uint32_t index,
                                     struct oriel_table_count *out, struct oriel_error *error) {
    if (!result || !out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "result and out must not be NULL");
    const struct oriel_input_table *table = result->tables;
    while (table && index-- > 0)
        table = table->next;
    if (!table)
        return ORIEL_DONE;
    *out = (struct oriel_table_count){
        .table = table->name,
        .row_count = atomic_load_explicit(&table->progress.rows, memory_order_relaxed),
        .rejected_count =
            atomic_load_explicit(&table->progress.rows_rejected, memory_order_relaxed),
    };
    return ORIEL_OK;
}
