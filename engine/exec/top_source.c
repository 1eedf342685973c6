/*
 * The rows of Top-N and deduplication in order: a morsel is some windows, or a range of ranks of a
 * large one. Groups of equal keys of several workers meet here, and the best of their rows are
 * counted.
 */
#include <stdlib.h>

#include "engine/columns/source.h"
#include "engine/exec/row_key.h"
#include "engine/exec/top_pieces.h"
#include "engine/exec/top_rows.h"

enum { SMALL_ENTRIES = 16 };

/* A kept row of a group that is being ranked. */
struct candidate {
    struct oriel_top_entry entry;
    uint32_t filter;
};

/* Where one filter's groups of a window stand. */
struct cursor {
    const struct oriel_top_ranked *at, *end;
    uint32_t rank; /* of the group there; UINT32_MAX at the end */
};

struct reader {
    struct oriel_top_rows rows;
    int64_t *ranks;
    struct cursor *cursors;
    struct oriel_top_list *lists; /* of a window that is not large */
    struct oriel_top_room room;
    struct candidate *candidates;
    size_t candidate_count, candidate_capacity;
    uint64_t first_row;
    oriel_push *push;
    void *context;
};

struct top_source {
    struct oriel_source source;
    const struct oriel_top_merge *merge;
    struct oriel_arena arena;
    const struct oriel_column **stores; /* by filter */
    struct oriel_top_piece *pieces;
    uint64_t piece_count;
    unsigned reader_count;
    struct reader *readers;
    _Atomic uint64_t next_piece;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct top_source *self = (struct top_source *)source;
    const struct oriel_top_merge *merge = self->merge;
    const size_t rows = merge->runtime->batch_rows;
    self->readers = oriel_arena_allocate_zeroed(&self->arena, worker_count, sizeof *self->readers);
    if (!self->readers)
        return oriel_error_memory(error);
    for (unsigned w = 0; w < worker_count; w++) {
        struct reader *reader = &self->readers[w];
        ORIEL_TRY(oriel_top_rows_init(&reader->rows, merge->runtime, merge->layout, error));
        self->reader_count = w + 1;
        reader->ranks = oriel_arena_allocate_zeroed(&self->arena, rows, sizeof *reader->ranks);
        reader->cursors =
            oriel_arena_allocate_zeroed(&self->arena, merge->filter_count, sizeof *reader->cursors);
        reader->lists =
            oriel_arena_allocate_zeroed(&self->arena, merge->filter_count, sizeof *reader->lists);
        if (!reader->ranks || !reader->cursors || !reader->lists)
            return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct top_source *self = (struct top_source *)source;
    (void)error;
    const uint64_t number = atomic_fetch_add_explicit(&self->next_piece, 1, memory_order_relaxed);
    if (number >= self->piece_count)
        return ORIEL_DONE;
    *morsel = (struct oriel_morsel){.number = number, .begin = number, .end = number + 1};
    return ORIEL_OK;
}

static enum oriel_status flush(const struct top_source *self, struct reader *reader,
                               struct oriel_error *error) {
    struct oriel_top_rows *rows = &reader->rows;
    const struct oriel_top_merge *merge = self->merge;
    const uint32_t inputs = merge->layout->rows.field_count - 1;
    if (rows->count == 0)
        return ORIEL_OK;
    for (size_t i = 0; i < rows->count; i++)
        rows->key_rows[i] = merge->key_of_rank[rows->key_rows[i]];
    oriel_top_rows_gather(rows, self->stores, merge->filter_count, merge->keys->keys.columns);
    rows->columns[inputs] = (struct oriel_column){.type = self->source.schema.fields[inputs].type,
                                                  .values = reader->ranks};
    const struct oriel_batch batch = {.row_count = rows->count,
                                      .column_count = inputs + 1,
                                      .columns = rows->columns,
                                      .first_row = reader->first_row};
    reader->first_row += rows->count;
    rows->count = 0;
    return reader->push(reader->context, &batch, error);
}

/* A row of the result. */
static inline enum oriel_status put(const struct top_source *self, struct reader *reader,
                                    uint32_t filter, uint64_t row, uint32_t window, uint32_t rank,
                                    int64_t number, struct oriel_error *error) {
    struct oriel_top_rows *rows = &reader->rows;
    const size_t at = rows->count++;
    rows->picks[at] = (struct oriel_pick){filter, (uint32_t)row};
    rows->key_rows[at] = rank;
    rows->ends[at] = self->merge->ends[window];
    rows->starts[at] = self->merge->starts[window];
    reader->ranks[at] = number;
    return rows->count == self->merge->runtime->batch_rows ? flush(self, reader, error) : ORIEL_OK;
}

/* The order of the ranking. */
static int compare(const struct top_source *self, const struct candidate *a,
                   const struct candidate *b) {
    const struct oriel_top_layout *layout = self->merge->layout;
    if (a->entry.word != b->entry.word)
        return a->entry.word < b->entry.word ? -1 : 1;
    if (!oriel_top_is_equal(layout, a->entry.word)) {
        const int order =
            oriel_row_key_order(self->stores[a->filter], a->entry.row, self->stores[b->filter],
                                b->entry.row, layout->store_items, layout->item_count);
        if (order)
            return order;
    }
    const int order =
        (a->entry.position > b->entry.position) - (a->entry.position < b->entry.position);
    return layout->plan->rank.last_of_equals ? -order : order;
}

static int by_rank(const void *a, const void *b, void *context) {
    return compare(context, a, b);
}

/* The one row of a group. */
static struct candidate single_candidate(const struct top_source *self, unsigned filter,
                                         uint32_t group) {
    const uint32_t last = self->merge->layout->store.field_count - 1;
    const int64_t *positions = self->stores[filter][last].values;
    return (struct candidate){
        {self->merge->filters[filter]->best_words[group], positions[group], group}, filter};
}

/* The best row of the groups that stand at `rank`. */
static enum oriel_status put_single(struct top_source *self, struct reader *reader, uint32_t window,
                                    uint32_t rank, unsigned first, struct oriel_error *error) {
    const struct oriel_top_merge *merge = self->merge;
    uint32_t filter = first;
    uint64_t row = reader->cursors[first].at->group;
    for (unsigned f = first + 1; f < merge->filter_count; f++) {
        if (reader->cursors[f].rank != rank)
            continue;
        const uint32_t other = reader->cursors[f].at->group;
        const struct candidate best = single_candidate(self, filter, (uint32_t)row);
        const struct candidate challenger = single_candidate(self, f, other);
        if (compare(self, &challenger, &best) < 0) {
            filter = f;
            row = other;
        }
    }
    return put(self, reader, filter, row, window, rank, 1, error);
}

static enum oriel_status add_candidates(const struct top_source *self, struct reader *reader,
                                        unsigned filter, const struct oriel_top_heap *heap,
                                        struct oriel_error *error) {
    struct oriel_memory *memory = self->merge->runtime->memory;
    const size_t needed = reader->candidate_count + heap->count;
    if (needed > reader->candidate_capacity) {
        const size_t capacity = needed + needed / 2;
        struct candidate *grown = oriel_memory_resize(memory, reader->candidates,
                                                      reader->candidate_capacity * sizeof *grown,
                                                      capacity * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        reader->candidates = grown;
        reader->candidate_capacity = capacity;
    }
    for (uint32_t i = 0; i < heap->count; i++)
        reader->candidates[reader->candidate_count++] =
            (struct candidate){heap->entries[i], filter};
    return ORIEL_OK;
}

static void sort_candidates(struct top_source *self, struct reader *reader) {
    struct candidate *candidates = reader->candidates;
    const size_t count = reader->candidate_count;
    if (count > SMALL_ENTRIES) {
        qsort_r(candidates, count, sizeof *candidates, by_rank, self);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const struct candidate moved = candidates[i];
        size_t at = i;
        for (; at > 0 && compare(self, &candidates[at - 1], &moved) > 0; at--)
            candidates[at] = candidates[at - 1];
        candidates[at] = moved;
    }
}

/* The first rows of the groups that stand at `rank`. */
static enum oriel_status put_heaps(struct top_source *self, struct reader *reader, uint32_t window,
                                   uint32_t rank, struct oriel_error *error) {
    const struct oriel_top_merge *merge = self->merge;
    const struct oriel_plan *plan = merge->layout->plan;
    reader->candidate_count = 0;
    for (unsigned f = 0; f < merge->filter_count; f++)
        if (reader->cursors[f].rank == rank)
            ORIEL_TRY(add_candidates(
                self, reader, f, &merge->filters[f]->heaps[reader->cursors[f].at->group], error));
    sort_candidates(self, reader);
    for (size_t i = 0; i < reader->candidate_count && (int64_t)i < plan->rank.high; i++)
        if ((int64_t)i + 1 >= plan->rank.low)
            ORIEL_TRY(put(self, reader, reader->candidates[i].filter,
                          reader->candidates[i].entry.row, window, rank, (int64_t)i + 1, error));
    return ORIEL_OK;
}

static void look(struct cursor *cursor) {
    cursor->rank = cursor->at < cursor->end ? cursor->at->rank : UINT32_MAX;
}

/* The first group of a list whose rank is not below `rank`. */
static const struct oriel_top_ranked *seek(const struct oriel_top_list *list, uint32_t rank) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->groups[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return list->groups + low;
}

/* Sets the cursor of a filter to its groups of a window. */
static enum oriel_status place_cursor(const struct top_source *self, struct reader *reader,
                                      unsigned filter, uint32_t window,
                                      const struct oriel_top_piece *piece,
                                      struct oriel_error *error) {
    const struct oriel_top_merge *merge = self->merge;
    const struct oriel_top_list *list = &merge->large_lists[filter][window];
    if (oriel_top_group_count(merge, window) < ORIEL_TOP_LARGE_WINDOW) {
        list = &reader->lists[filter];
        ORIEL_TRY(oriel_top_list_make(merge, &reader->room, filter, window, &reader->lists[filter],
                                      error));
    }
    struct cursor *cursor = &reader->cursors[filter];
    *cursor = (struct cursor){0};
    if (list->count)
        *cursor = (struct cursor){seek(list, piece->rank_begin), seek(list, piece->rank_end), 0};
    look(cursor);
    return ORIEL_OK;
}

static enum oriel_status read_window(struct top_source *self, struct reader *reader,
                                     uint32_t window, const struct oriel_top_piece *piece,
                                     struct oriel_error *error) {
    const struct oriel_top_merge *merge = self->merge;
    struct cursor *cursors = reader->cursors;
    const bool single = merge->filters[0]->single;
    for (unsigned f = 0; f < merge->filter_count; f++)
        ORIEL_TRY(place_cursor(self, reader, f, window, piece, error));
    for (;;) {
        unsigned first = 0;
        for (unsigned f = 1; f < merge->filter_count; f++)
            if (cursors[f].rank < cursors[first].rank)
                first = f;
        const uint32_t rank = cursors[first].rank;
        if (rank == UINT32_MAX)
            return ORIEL_OK;
        ORIEL_TRY(single ? put_single(self, reader, window, rank, first, error)
                         : put_heaps(self, reader, window, rank, error));
        for (unsigned f = first; f < merge->filter_count; f++) {
            if (cursors[f].rank != rank)
                continue;
            cursors[f].at++;
            look(&cursors[f]);
        }
    }
}

static enum oriel_status read_piece(struct oriel_source *source, unsigned worker,
                                    const struct oriel_morsel *morsel, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    struct top_source *self = (struct top_source *)source;
    struct reader *reader = &self->readers[worker];
    const struct oriel_top_piece *piece = &self->pieces[morsel->begin];
    reader->push = push;
    reader->context = context;
    reader->first_row = piece->first_row;
    reader->rows.count = 0;
    for (uint32_t window = piece->window_begin; window < piece->window_end; window++)
        ORIEL_TRY(read_window(self, reader, window, piece, error));
    return flush(self, reader, error);
}

static void close_top(struct oriel_source *source) {
    struct top_source *self = (struct top_source *)source;
    struct oriel_memory *memory = self->merge->runtime->memory;
    for (unsigned w = 0; w < self->reader_count; w++) {
        struct reader *reader = &self->readers[w];
        oriel_top_rows_deinit(&reader->rows);
        oriel_top_room_deinit(self->merge, &reader->room);
        for (unsigned f = 0; reader->lists && f < self->merge->filter_count; f++)
            oriel_top_list_deinit(self->merge, &reader->lists[f]);
        oriel_memory_release(memory, reader->candidates,
                             reader->candidate_capacity * sizeof *reader->candidates);
    }
    oriel_memory_release(memory, self->pieces, self->piece_count * sizeof *self->pieces);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(memory, self, sizeof *self);
}

static const struct oriel_source_operations top_operations = {start, claim, read_piece, close_top};

static enum oriel_status open_parts(struct top_source *self, struct oriel_error *error) {
    const struct oriel_top_merge *merge = self->merge;
    self->stores =
        oriel_arena_allocate_zeroed(&self->arena, merge->filter_count, sizeof *self->stores);
    if (!self->stores)
        return oriel_error_memory(error);
    for (unsigned f = 0; f < merge->filter_count; f++)
        self->stores[f] = merge->filters[f]->store.columns;
    return oriel_top_cut(merge, &self->pieces, &self->piece_count, error);
}

enum oriel_status oriel_top_source_open(const struct oriel_top_merge *merge,
                                        struct oriel_source **out, struct oriel_error *error) {
    struct oriel_memory *memory = merge->runtime->memory;
    struct top_source *self = oriel_memory_allocate_zeroed(memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    self->source = (struct oriel_source){&top_operations, merge->layout->plan->schema};
    self->merge = merge;
    oriel_arena_init(&self->arena, memory);
    const enum oriel_status status = open_parts(self, error);
    if (status != ORIEL_OK) {
        close_top(&self->source);
        return status;
    }
    *out = &self->source;
    return ORIEL_OK;
}
