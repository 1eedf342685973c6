/*
 * Cuts sorted runs by splitters: rows picked at even distances from all runs are sorted, and every
 * so many of them one is the first row of a piece. Since rows are totally ordered, each piece is a
 * range of every run.
 */
#include "engine/exec/sort_pieces.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_ROWS = 1 << 15, SAMPLES_A_PIECE = 8 };

struct sample {
    struct oriel_sort_row row;
    const struct oriel_sort_layout *layout;
};

struct pieces {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    const struct oriel_sort_layout *layout;
    struct oriel_sort_layout prefix; /* the parts that keep rows together */
    struct oriel_arena arena;
    struct oriel_sort_run *runs;
    uint32_t run_count;
    uint64_t limit;
    size_t piece_count;
    size_t *begins; /* piece p of run r begins at row begins[p * run_count + r] */
    uint64_t *first_rows;
    _Atomic uint64_t next_piece;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    (void)source;
    (void)worker_count;
    (void)error;
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct pieces *self = (struct pieces *)source;
    (void)error;
    const uint64_t number = atomic_fetch_add_explicit(&self->next_piece, 1, memory_order_relaxed);
    if (number >= self->piece_count || self->first_rows[number] >= self->limit)
        return ORIEL_DONE;
    *morsel = (struct oriel_morsel){.number = number, .begin = number, .end = number + 1};
    return ORIEL_OK;
}

static enum oriel_status read_piece(struct oriel_source *source, unsigned worker,
                                    const struct oriel_morsel *morsel, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    struct pieces *self = (struct pieces *)source;
    struct oriel_memory *memory = self->runtime->memory;
    const size_t *begins = self->begins + morsel->begin * self->run_count;
    const uint64_t first_row = self->first_rows[morsel->begin];
    struct oriel_sort_merge *merge;
    (void)worker;
    struct oriel_sort_run *views =
        oriel_memory_allocate_zeroed(memory, self->run_count, sizeof *views);
    if (!views)
        return oriel_error_memory(error);
    struct oriel_sort_run *list = NULL, **last = &list;
    uint32_t r = 0;
    for (const struct oriel_sort_run *run = self->runs; run; run = run->next, r++) {
        const size_t begin = begins[r], end = begins[self->run_count + r];
        views[r] = (struct oriel_sort_run){
            .row_count = end - begin, .table = run->table, .order = run->order + begin};
        if (begin == end)
            continue;
        *last = &views[r];
        last = &views[r].next;
    }
    enum oriel_status status =
        oriel_sort_merge_open(self->layout, self->runtime, self->source.schema, list,
                              self->limit - first_row, &merge, error);
    if (status == ORIEL_OK) {
        status = oriel_sort_merge_push(merge, first_row, push, context, error);
        oriel_sort_merge_close(&merge);
    }
    oriel_memory_release(memory, views, self->run_count * sizeof *views);
    return status;
}

static void close_pieces(struct oriel_source *source) {
    struct pieces *self = (struct pieces *)source;
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations pieces_operations = {start, claim, read_piece,
                                                                 close_pieces};

static int by_words(const void *x, const void *y) {
    const struct sample *a = x, *b = y;
    return oriel_sort_compare(a->layout, &a->row, &b->row);
}

/* Picks rows of all runs and sorts them. */
static enum oriel_status take_samples(struct pieces *self, uint64_t row_count, struct sample **out,
                                      size_t *out_count, struct oriel_error *error) {
    const size_t step = PIECE_ROWS / SAMPLES_A_PIECE;
    const size_t room = (size_t)(row_count / step) + self->run_count;
    const uint32_t width = self->prefix.word_count;
    struct sample *samples = oriel_arena_allocate_zeroed(&self->arena, room, sizeof *samples);
    uint64_t *words = oriel_arena_allocate_zeroed(&self->arena, room * width, sizeof *words);
    if (!samples || !words)
        return oriel_error_memory(error);
    size_t count = 0;
    for (const struct oriel_sort_run *run = self->runs; run; run = run->next)
        for (size_t at = step / 2; at < run->row_count; at += step) {
            uint64_t *own = words + count * width;
            oriel_sort_encode(&self->prefix, run->table.columns, &run->order[at], 0, 1, own);
            samples[count++] =
                (struct sample){{own, run->table.columns, run->order[at]}, &self->prefix};
        }
    if (count)
        qsort(samples, count, sizeof *samples, by_words);
    *out = samples;
    *out_count = count;
    return ORIEL_OK;
}

/* The first row of a run that is not before the splitter. */
static size_t seek(const struct pieces *self, const struct oriel_sort_run *run, size_t low,
                   const struct oriel_sort_row *splitter, uint64_t *words) {
    size_t high = run->row_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        oriel_sort_encode(&self->prefix, run->table.columns, &run->order[middle], 0, 1, words);
        const struct oriel_sort_row row = {words, run->table.columns, run->order[middle]};
        if (oriel_sort_compare(&self->prefix, &row, splitter) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the piece that begins with the splitter (NULL: the end of all rows). */
static void cut(struct pieces *self, const struct oriel_sort_row *splitter, uint64_t *words) {
    const size_t *before = self->begins + (self->piece_count - 1) * self->run_count;
    size_t *begins = self->begins + self->piece_count * self->run_count;
    uint64_t first_row = 0;
    uint32_t r = 0;
    for (const struct oriel_sort_run *run = self->runs; run; run = run->next, r++) {
        begins[r] = splitter ? seek(self, run, before[r], splitter, words) : run->row_count;
        first_row += begins[r];
    }
    self->first_rows[self->piece_count++] = first_row;
}

static enum oriel_status cut_all(struct pieces *self, struct oriel_error *error) {
    uint64_t row_count = 0;
    for (const struct oriel_sort_run *run = self->runs; run; run = run->next) {
        self->run_count++;
        row_count += run->row_count;
    }
    struct sample *samples = NULL;
    size_t count = 0;
    ORIEL_TRY(take_samples(self, row_count, &samples, &count, error));
    const size_t room = count / SAMPLES_A_PIECE + 2;
    self->begins =
        oriel_arena_allocate_zeroed(&self->arena, room * self->run_count, sizeof *self->begins);
    self->first_rows = oriel_arena_allocate_zeroed(&self->arena, room, sizeof *self->first_rows);
    uint64_t *words =
        oriel_arena_allocate_zeroed(&self->arena, self->prefix.word_count, sizeof *words);
    if (!self->begins || !self->first_rows || !words)
        return oriel_error_memory(error);
    self->piece_count = 1;
    const struct sample *last = NULL;
    for (size_t i = SAMPLES_A_PIECE; i < count; i += SAMPLES_A_PIECE) {
        if (last && by_words(last, &samples[i]) == 0)
            continue;
        last = &samples[i];
        cut(self, &last->row, words);
    }
    cut(self, NULL, words);
    self->piece_count--; /* the end is no piece */
    return ORIEL_OK;
}

enum oriel_status oriel_sort_pieces_open(const struct oriel_sort_layout *layout,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_schema visible, struct oriel_sort_run *runs,
                                         uint64_t limit, uint32_t whole_parts,
                                         struct oriel_source **out, struct oriel_error *error) {
    struct pieces *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->source = (struct oriel_source){&pieces_operations, visible};
    self->runtime = runtime;
    self->layout = layout;
    self->prefix = oriel_sort_layout_prefix(layout, whole_parts ? whole_parts : layout->part_count);
    self->runs = runs;
    self->limit = limit;
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = cut_all(self, error);
    if (status != ORIEL_OK) {
        close_pieces(&self->source);
        return status;
    }
    *out = &self->source;
    return ORIEL_OK;
}
