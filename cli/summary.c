/*
 * Adds up what statements did and reports it at the end of the run, also after an error.
 */
#include "cli/summary.h"

#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/progress.h"

void summary_begin(struct summary *summary, int is_wanted) {
    *summary = (struct summary){.is_wanted = is_wanted, .begin = progress_clock()};
}

/* The total of the table, made when it is new; NULL without memory. */
static struct table_total *find_table(struct summary *summary, const char *name) {
    for (size_t i = 0; i < summary->table_count; i++) {
        if (strcmp(summary->tables[i].name, name) == 0)
            return &summary->tables[i];
    }
    struct table_total *grown =
        realloc(summary->tables, (summary->table_count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        summary->tables = grown;
    if (!grown || !copy) {
        free(copy);
        return NULL;
    }
    grown[summary->table_count] = (struct table_total){.name = copy};
    return &grown[summary->table_count++];
}

void summary_add(struct summary *summary, const struct oriel_engine *engine,
                 const struct oriel_result *result) {
    struct oriel_engine_progress now;
    struct oriel_table_count table;
    if (!summary->is_wanted || !result)
        return;
    const enum oriel_result_kind kind = oriel_result_kind(result);
    oriel_engine_progress(engine, &now);
    summary->rows += now.row_count;
    summary->rejected += now.rows_rejected;
    summary->without_time += now.rows_without_time;
    summary->windows += now.window_count;
    if (kind == ORIEL_RESULT_ROWS || kind == ORIEL_RESULT_INSERT)
        summary->written += oriel_result_row_count(result);
    for (uint32_t i = 0; oriel_result_table(result, i, &table, NULL) == ORIEL_OK; i++) {
        struct table_total *total = find_table(summary, table.table);
        if (!total)
            continue;
        total->rows += table.row_count;
        total->rejected += table.rejected_count;
    }
}

void summary_report(struct summary *summary, const struct oriel_engine *engine) {
    struct oriel_engine_progress now;
    oriel_engine_progress(engine, &now);
    for (size_t i = 0; i < summary->table_count; i++) {
        const struct table_total *table = &summary->tables[i];
        message_line("summary: table %s: %llu rows read, %llu rejected", table->name, table->rows,
                     table->rejected);
        free(table->name);
    }
    free(summary->tables);
    if (summary->is_wanted)
        message_line("summary: %llu rows read, %llu rejected, %llu without time, %llu written, "
                     "%llu windows, %.3f s, peak memory %.1f MB",
                     summary->rows, summary->rejected, summary->without_time, summary->written,
                     summary->windows, progress_clock() - summary->begin,
                     (double)now.peak_memory_bytes / 1e6);
    *summary = (struct summary){0};
}
