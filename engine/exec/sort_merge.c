/*
 * Merges sorted runs through a heap of cursors. A cursor looks at some rows of its run at a time,
 * with their words; picked rows are gathered column by column when enough have come together, or
 * when a cursor is about to read over its rows.
 */
#include "engine/exec/sort_run.h"

#include "engine/exec/gather.h"

enum { CURSOR_ROWS = 128, PICK_COUNT_MAX = 1024, CHECK_ROWS = 1 << 14 };

struct cursor {
    struct oriel_sort_run *run;
    const struct oriel_column *columns;
    const uint32_t *order;         /* of the rows in view; NULL: as they lie */
    size_t begin, end;             /* rows [begin, end) of `order` are left */
    size_t words_begin, words_end; /* those with words */
    uint64_t *words;
    struct oriel_spill_reader reader;
    struct oriel_table table; /* rows read from a file */
};

struct oriel_sort_merge {
    const struct oriel_sort_layout *layout;
    const struct oriel_runtime *runtime;
    struct oriel_schema schema;
    uint64_t left;         /* rows still wanted */
    uint32_t run_count;    /* capacity of cursors and heap */
    uint32_t cursor_count; /* cursors opened */
    struct cursor *cursors;
    uint32_t *heap; /* cursors with rows, the one with the least row first */
    uint32_t heap_count;
    size_t pick_max;
    struct oriel_pick *picks; /* rows that come next in the output, by cursor */
    size_t pick_count;
    struct oriel_column_buffers buffers;
    struct oriel_column *columns;        /* views of the buffers */
    const struct oriel_column **sources; /* the columns of each cursor */
    /* where rows go, instead of to a table */
    oriel_push *push;
    void *context;
    uint64_t next_row;
};

static struct oriel_sort_row row_of(const struct cursor *cursor, size_t stride) {
    return (struct oriel_sort_row){cursor->words + (cursor->begin - cursor->words_begin) * stride,
                                   cursor->columns,
                                   cursor->order ? cursor->order[cursor->begin] : cursor->begin};
}

static int compare(const struct oriel_sort_merge *merge, uint32_t a, uint32_t b) {
    const size_t stride = merge->layout->word_count;
    const struct oriel_sort_row row_a = row_of(&merge->cursors[a], stride);
    const struct oriel_sort_row row_b = row_of(&merge->cursors[b], stride);
    const int order = oriel_sort_compare(merge->layout, &row_a, &row_b);
    return order ? order : (a > b) - (a < b);
}

static void sift_down(struct oriel_sort_merge *merge, uint32_t at) {
    uint32_t *heap = merge->heap;
    const uint32_t moved = heap[at];
    for (;;) {
        uint32_t child = at * 2 + 1;
        if (child >= merge->heap_count)
            break;
        if (child + 1 < merge->heap_count && compare(merge, heap[child + 1], heap[child]) < 0)
            child++;
        if (compare(merge, moved, heap[child]) <= 0)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void encode(const struct oriel_sort_merge *merge, struct cursor *cursor) {
    const size_t left = cursor->end - cursor->begin;
    const size_t count = left < CURSOR_ROWS ? left : CURSOR_ROWS;
    cursor->words_begin = cursor->begin;
    cursor->words_end = cursor->begin + count;
    oriel_sort_encode(merge->layout, cursor->columns,
                      cursor->order ? cursor->order + cursor->begin : NULL, cursor->begin, count,
                      cursor->words);
}

/* Brings rows into view; none are left when begin == end afterwards. */
static enum oriel_status refill(const struct oriel_sort_merge *merge, struct cursor *cursor,
                                struct oriel_error *error) {
    if (cursor->begin == cursor->end && cursor->run->stream.spill) {
        oriel_table_clear(&cursor->table);
        const enum oriel_status status =
            oriel_spill_read_rows(&cursor->reader, &cursor->table, error);
        if (status != ORIEL_OK && status != ORIEL_DONE)
            return status;
        cursor->columns = cursor->table.columns;
        cursor->begin = 0;
        cursor->end = cursor->table.row_count;
    }
    if (cursor->begin < cursor->end)
        encode(merge, cursor);
    return ORIEL_OK;
}

static enum oriel_status open_cursor(struct oriel_sort_merge *merge, struct cursor *cursor,
                                     struct oriel_sort_run *run, struct oriel_error *error) {
    struct oriel_memory *memory = merge->runtime->memory;
    cursor->run = run;
    oriel_table_init(&cursor->table, memory, run->table.schema);
    cursor->words = oriel_memory_allocate(memory, CURSOR_ROWS * merge->layout->word_count *
                                                      sizeof *cursor->words);
    if (!cursor->words)
        return oriel_error_memory(error);
    if (run->stream.spill) {
        oriel_spill_reader_init(&cursor->reader, &run->stream);
    } else {
        cursor->columns = run->table.columns;
        cursor->order = run->order;
        cursor->end = run->row_count;
    }
    return refill(merge, cursor, error);
}

static enum oriel_status open_cursors(struct oriel_sort_merge *merge, struct oriel_sort_run *runs,
                                      struct oriel_error *error) {
    for (struct oriel_sort_run *run = runs; run; run = run->next) {
        struct cursor *cursor = &merge->cursors[merge->cursor_count++];
        ORIEL_TRY(open_cursor(merge, cursor, run, error));
        if (cursor->begin < cursor->end)
            merge->heap[merge->heap_count++] = merge->cursor_count - 1;
    }
    for (uint32_t i = merge->heap_count / 2; i-- > 0;)
        sift_down(merge, i);
    return ORIEL_OK;
}

static uint32_t count_runs(const struct oriel_sort_run *runs) {
    uint32_t count = 0;
    for (; runs; runs = runs->next)
        count++;
    return count;
}

enum oriel_status oriel_sort_merge_open(const struct oriel_sort_layout *layout,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_schema schema, struct oriel_sort_run *runs,
                                        uint64_t limit, struct oriel_sort_merge **out,
                                        struct oriel_error *error) {
    struct oriel_memory *memory = runtime->memory;
    const uint32_t count = count_runs(runs);
    struct oriel_sort_merge *merge = oriel_memory_allocate_zeroed(memory, 1, sizeof *merge);
    if (!merge)
        return oriel_error_memory(error);
    *merge = (struct oriel_sort_merge){
        .layout = layout, .runtime = runtime, .schema = schema, .left = limit, .run_count = count};
    merge->pick_max = runtime->batch_rows < PICK_COUNT_MAX ? runtime->batch_rows : PICK_COUNT_MAX;
    merge->cursors = oriel_memory_allocate_zeroed(memory, count, sizeof *merge->cursors);
    merge->heap = oriel_memory_allocate(memory, count * sizeof *merge->heap);
    merge->picks = oriel_memory_allocate(memory, PICK_COUNT_MAX * sizeof *merge->picks);
    merge->columns = oriel_memory_allocate(memory, schema.field_count * sizeof *merge->columns);
    merge->sources = oriel_memory_allocate(memory, count * sizeof *merge->sources);
    enum oriel_status status =
        oriel_column_buffers_init(&merge->buffers, memory, &schema, PICK_COUNT_MAX, error);
    if (status == ORIEL_OK &&
        (!merge->cursors || !merge->heap || !merge->picks || !merge->columns || !merge->sources))
        status = oriel_error_memory(error);
    if (status == ORIEL_OK)
        status = open_cursors(merge, runs, error);
    *out = merge;
    if (status != ORIEL_OK)
        oriel_sort_merge_close(out);
    return status;
}

void oriel_sort_merge_close(struct oriel_sort_merge **pointer) {
    struct oriel_sort_merge *merge = *pointer;
    if (!merge)
        return;
    *pointer = NULL;
    struct oriel_memory *memory = merge->runtime->memory;
    for (uint32_t i = 0; i < merge->cursor_count; i++) {
        struct cursor *cursor = &merge->cursors[i];
        oriel_memory_release(memory, cursor->words,
                             CURSOR_ROWS * merge->layout->word_count * sizeof *cursor->words);
        oriel_spill_reader_deinit(&cursor->reader);
        oriel_table_deinit(&cursor->table);
    }
    oriel_memory_release(memory, merge->cursors, merge->run_count * sizeof *merge->cursors);
    oriel_memory_release(memory, merge->heap, merge->run_count * sizeof *merge->heap);
    oriel_memory_release(memory, merge->picks, PICK_COUNT_MAX * sizeof *merge->picks);
    oriel_memory_release(memory, merge->columns,
                         merge->schema.field_count * sizeof *merge->columns);
    oriel_memory_release(memory, merge->sources, merge->run_count * sizeof *merge->sources);
    oriel_column_buffers_deinit(&merge->buffers);
    oriel_memory_release(memory, merge, sizeof *merge);
}

/* Moves the picked rows to `table`. */
static enum oriel_status flush(struct oriel_sort_merge *merge, struct oriel_table *table,
                               struct oriel_error *error) {
    if (merge->pick_count == 0)
        return ORIEL_OK;
    for (uint32_t i = 0; i < merge->cursor_count; i++)
        merge->sources[i] = merge->cursors[i].columns;
    for (uint32_t c = 0; c < merge->schema.field_count; c++)
        oriel_gather_picks(merge->sources, merge->cursor_count, c, merge->picks, merge->pick_count,
                           &merge->buffers.columns[c], &merge->columns[c]);
    const struct oriel_batch batch = {.row_count = merge->pick_count,
                                      .column_count = merge->schema.field_count,
                                      .columns = merge->columns,
                                      .first_row = merge->next_row};
    merge->pick_count = 0;
    merge->next_row += batch.row_count;
    if (merge->push)
        return merge->push(merge->context, &batch, error);
    return oriel_table_append(table, &batch, NULL, 0, batch.row_count, error);
}

/* Moves the first cursor on by a row and mends the heap. */
static enum oriel_status advance(struct oriel_sort_merge *merge, struct oriel_table *table,
                                 struct oriel_error *error) {
    struct cursor *cursor = &merge->cursors[merge->heap[0]];
    cursor->begin++;
    if (cursor->begin == cursor->words_end) {
        if (cursor->begin == cursor->end && cursor->run->stream.spill)
            ORIEL_TRY(flush(merge, table, error)); /* its rows are about to go */
        ORIEL_TRY(refill(merge, cursor, error));
        if (cursor->begin == cursor->end)
            merge->heap[0] = merge->heap[--merge->heap_count];
    }
    if (merge->heap_count)
        sift_down(merge, 0);
    return ORIEL_OK;
}

enum oriel_status oriel_sort_merge_next(struct oriel_sort_merge *merge, struct oriel_table *table,
                                        size_t row_count, struct oriel_error *error) {
    ORIEL_TRY(oriel_runtime_check(merge->runtime, error));
    if (row_count > merge->left)
        row_count = (size_t)merge->left;
    merge->left -= row_count;
    for (size_t i = 0; i < row_count && merge->heap_count; i++) {
        const struct cursor *cursor = &merge->cursors[merge->heap[0]];
        merge->picks[merge->pick_count++] = (struct oriel_pick){
            merge->heap[0], cursor->order ? cursor->order[cursor->begin] : (uint32_t)cursor->begin};
        if (merge->pick_count == merge->pick_max)
            ORIEL_TRY(flush(merge, table, error));
        ORIEL_TRY(advance(merge, table, error));
    }
    return flush(merge, table, error);
}

enum oriel_status oriel_sort_merge_push(struct oriel_sort_merge *merge, uint64_t first_row,
                                        oriel_push *push, void *context,
                                        struct oriel_error *error) {
    merge->push = push;
    merge->context = context;
    merge->next_row = first_row;
    while (merge->heap_count && merge->left)
        ORIEL_TRY(oriel_sort_merge_next(merge, NULL, CHECK_ROWS, error));
    return ORIEL_OK;
}
