/*
 * Keeps rows in tables of bounded size, and remembers what part of the input each stretch of rows
 * is. Tables are large where memory is plenty: large blocks grow without a copy and have few page
 * faults. Where it is short they are small, so that growing one needs little.
 */
#include "engine/exec/kept_rows.h"

#include <stdlib.h>

#include "engine/exec/gather.h"

enum { TABLE_ROWS_MIN = 1 << 16, TABLE_ROWS_MAX = 1 << 26, TABLES_A_LIMIT = 32 };

/* Rows of a table that takes its share of the limit. */
static size_t table_rows(const struct oriel_memory *memory, struct oriel_schema schema) {
    size_t row_bytes = 1;
    for (uint32_t i = 0; i < schema.field_count; i++)
        row_bytes += oriel_physical_size(oriel_type_physical(&schema.fields[i].type));
    const size_t rows = memory->limit_bytes / TABLES_A_LIMIT / row_bytes;
    if (rows < TABLE_ROWS_MIN && memory->limit_bytes)
        return TABLE_ROWS_MIN;
    return memory->limit_bytes && rows < TABLE_ROWS_MAX ? rows : TABLE_ROWS_MAX;
}

enum oriel_status oriel_kept_rows_init(struct oriel_kept_rows *rows,
                                       const struct oriel_runtime *runtime,
                                       struct oriel_schema schema, struct oriel_error *error) {
    *rows = (struct oriel_kept_rows){.runtime = runtime,
                                     .schema = schema,
                                     .worker_count = oriel_worker_count(runtime),
                                     .table_rows_max = table_rows(runtime->memory, schema)};
    rows->workers =
        oriel_memory_allocate_zeroed(runtime->memory, rows->worker_count, sizeof *rows->workers);
    return rows->workers ? ORIEL_OK : oriel_error_memory(error);
}

static void forget(struct oriel_kept_rows *rows, struct oriel_kept_worker *worker) {
    struct oriel_memory *memory = rows->runtime->memory;
    for (uint32_t t = 0; t < worker->table_count; t++)
        oriel_table_deinit(&worker->tables[t]);
    oriel_memory_release(memory, worker->tables, worker->table_capacity * sizeof *worker->tables);
    oriel_memory_release(memory, worker->segments,
                         worker->segment_capacity * sizeof *worker->segments);
    *worker = (struct oriel_kept_worker){0};
}

void oriel_kept_rows_deinit(struct oriel_kept_rows *rows) {
    if (!rows->runtime)
        return;
    struct oriel_memory *memory = rows->runtime->memory;
    for (unsigned w = 0; rows->workers && w < rows->worker_count; w++)
        forget(rows, &rows->workers[w]);
    oriel_memory_release(memory, rows->workers, rows->worker_count * sizeof *rows->workers);
    oriel_memory_release(memory, rows->sources,
                         ((size_t)rows->source_count + 1) * sizeof *rows->sources);
    oriel_memory_release(memory, rows->segments, rows->segment_count * sizeof *rows->segments);
    *rows = (struct oriel_kept_rows){0};
}

/* Room for one more item; the list may move. */
static bool make_room(struct oriel_memory *memory, void **items, size_t count, size_t *capacity,
                      size_t size) {
    if (count < *capacity)
        return true;
    const size_t wanted = *capacity ? *capacity * 2 : 16;
    void *grown = oriel_memory_resize(memory, *items, *capacity * size, wanted * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

/* The table that the next rows go to. */
static struct oriel_table *open_table(struct oriel_kept_rows *rows,
                                      struct oriel_kept_worker *worker, size_t count) {
    struct oriel_memory *memory = rows->runtime->memory;
    struct oriel_table *last =
        worker->table_count ? &worker->tables[worker->table_count - 1] : NULL;
    if (last && last->row_count + count <= rows->table_rows_max)
        return last;
    void *items = worker->tables;
    size_t capacity = worker->table_capacity;
    if (!make_room(memory, &items, worker->table_count, &capacity, sizeof *worker->tables))
        return NULL;
    worker->tables = items;
    worker->table_capacity = (uint32_t)capacity;
    last = &worker->tables[worker->table_count++];
    oriel_table_init(last, memory, rows->schema);
    return last;
}

enum oriel_status oriel_kept_rows_add(struct oriel_kept_rows *rows, unsigned worker_number,
                                      const struct oriel_batch *batch, struct oriel_error *error) {
    struct oriel_kept_worker *worker = &rows->workers[worker_number];
    if (batch->row_count == 0)
        return ORIEL_OK;
    struct oriel_table *table = open_table(rows, worker, batch->row_count);
    void *items = worker->segments;
    if (!table || !make_room(rows->runtime->memory, &items, worker->segment_count,
                             &worker->segment_capacity, sizeof *worker->segments))
        return oriel_error_memory(error);
    worker->segments = items;
    const uint32_t begin = (uint32_t)table->row_count;
    ORIEL_TRY(oriel_table_append(table, batch, NULL, 0, batch->row_count, error));
    struct oriel_kept_segment *last =
        worker->segment_count ? &worker->segments[worker->segment_count - 1] : NULL;
    if (last && begin && last->first_row + last->count == batch->first_row)
        last->count += (uint32_t)batch->row_count;
    else
        worker->segments[worker->segment_count++] = (struct oriel_kept_segment){
            batch->first_row, worker->table_count - 1, begin, (uint32_t)batch->row_count};
    return ORIEL_OK;
}

static enum oriel_status push_segment(struct oriel_kept_rows *rows,
                                      const struct oriel_kept_worker *worker,
                                      const struct oriel_kept_segment *segment, unsigned number,
                                      struct oriel_column *columns, uint64_t *words,
                                      oriel_worker_push *push, void *context,
                                      struct oriel_error *error) {
    const uint32_t column_count = rows->schema.field_count;
    const struct oriel_table *table = &worker->tables[segment->table];
    const size_t step = oriel_slice_rows(rows->runtime->batch_rows);
    for (size_t at = 0; at < segment->count;) {
        const size_t row = segment->begin + at;
        const size_t bound = row % 64 ? 64 - row % 64 : step;
        const size_t wanted = bound < step ? bound : step;
        const size_t count = segment->count - at < wanted ? segment->count - at : wanted;
        oriel_slice_columns(table->columns, column_count, row, count, words, columns);
        const struct oriel_batch batch = {.row_count = count,
                                          .column_count = column_count,
                                          .columns = columns,
                                          .first_row = segment->first_row + at};
        ORIEL_TRY(push(context, number, &batch, error));
        at += count;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_kept_rows_move(struct oriel_kept_rows *rows, unsigned worker_number,
                                       oriel_worker_push *push, void *context,
                                       struct oriel_error *error) {
    struct oriel_kept_worker *worker = &rows->workers[worker_number];
    struct oriel_arena arena;
    oriel_arena_init(&arena, rows->runtime->memory);
    const uint32_t column_count = rows->schema.field_count;
    struct oriel_column *columns =
        oriel_arena_allocate_zeroed(&arena, column_count, sizeof *columns);
    uint64_t *words = oriel_arena_allocate_zeroed(&arena, column_count, sizeof *words);
    enum oriel_status status = columns && words ? ORIEL_OK : oriel_error_memory(error);
    for (size_t i = 0; i < worker->segment_count && status == ORIEL_OK; i++) {
        const struct oriel_kept_segment *segment = &worker->segments[i];
        if (i && segment->table != worker->segments[i - 1].table)
            oriel_table_deinit(&worker->tables[worker->segments[i - 1].table]);
        status = push_segment(rows, worker, segment, worker_number, columns, words, push, context,
                              error);
    }
    oriel_arena_deinit(&arena);
    if (status == ORIEL_OK)
        forget(rows, worker);
    return status;
}

static int by_place(const void *x, const void *y) {
    const struct oriel_kept_segment *a = x, *b = y;
    return (a->first_row > b->first_row) - (a->first_row < b->first_row);
}

enum oriel_status oriel_kept_rows_seal(struct oriel_kept_rows *rows, struct oriel_error *error) {
    struct oriel_memory *memory = rows->runtime->memory;
    size_t segment_count = 0;
    uint32_t table_count = 0;
    for (unsigned w = 0; w < rows->worker_count; w++) {
        segment_count += rows->workers[w].segment_count;
        table_count += rows->workers[w].table_count;
    }
    rows->sources =
        oriel_memory_allocate(memory, ((size_t)table_count + 1) * sizeof *rows->sources);
    if (!rows->sources)
        return oriel_error_memory(error);
    rows->source_count = table_count;
    rows->segments = oriel_memory_allocate(memory, segment_count * sizeof *rows->segments);
    if (!rows->segments)
        return oriel_error_memory(error);
    rows->segment_count = segment_count;
    size_t at = 0;
    uint32_t first_table = 0;
    for (unsigned w = 0; w < rows->worker_count; w++) {
        const struct oriel_kept_worker *worker = &rows->workers[w];
        for (size_t i = 0; i < worker->segment_count; i++) {
            rows->segments[at] = worker->segments[i];
            rows->segments[at++].table += first_table;
        }
        for (uint32_t t = 0; t < worker->table_count; t++)
            rows->sources[first_table++] = worker->tables[t].columns;
    }
    qsort(rows->segments, segment_count, sizeof *rows->segments, by_place);
    return ORIEL_OK;
}
