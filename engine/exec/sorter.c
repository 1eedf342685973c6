/*
 * The sorter: collects runs of all workers, keeps them in memory or in a file, and merges them.
 * When only few rows are wanted each worker keeps just the best of its own.
 */
#include "engine/exec/sorter.h"

#include <pthread.h>

#include "engine/exec/drive.h"
#include "engine/exec/sort_pieces.h"

enum {
    RUN_BYTES_MAX = 32 << 20,
    RUN_ROWS_MIN = 256,
    RUN_ROWS_MAX = 1 << 18,
    KEEP_ROWS_MAX = 1 << 16, /* limits up to this are kept as one table a worker */
    MERGE_FAN_MAX = 64,
    BLOCK_BYTES = 8 << 10, /* of fixed size that a file gives at once */
    BLOCK_ROWS_MIN = 16,
    BLOCK_ROWS_MAX = 1024,
    CURSOR_BYTES = 16 << 10, /* of a run that is merged, beside its rows */
    RELIEF_ROUNDS = 4,       /* tries after all workers' rows went to the file */
};

/* What one worker has. */
struct collector {
    pthread_mutex_t lock;     /* others spill its rows when they are short of memory */
    struct oriel_table table; /* the run being collected */
    struct oriel_sort_run *memory_runs;
    struct oriel_sort_run *file_runs;
    uint32_t file_run_count;
    uint64_t *bound; /* first words of the limit-th row so far */
    bool has_bound;
    uint32_t *kept; /* rows of a batch below the bound */
    size_t kept_capacity;
};

struct oriel_sorter {
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_schema schema;
    uint32_t visible_count;
    uint64_t limit;
    struct oriel_sort_layout layout;
    size_t run_rows;
    size_t run_bytes;
    size_t block_rows;  /* rows that a file gives at once */
    uint32_t merge_fan; /* runs in the file that a worker merges at once */
    unsigned worker_count;
    struct collector *collectors;
    pthread_mutex_t lock; /* of spill */
    struct oriel_spill *spill;
    struct oriel_sort_run *merged_runs; /* all of them, once finished */
};

static size_t row_bytes(struct oriel_schema schema) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema.field_count; i++)
        bytes += oriel_physical_size(oriel_type_physical(&schema.fields[i].type));
    return bytes;
}

/* How much one run may take, with what sorting it needs, and how many files are read at once. */
static void size_runs(struct oriel_sorter *sorter) {
    const size_t limit = sorter->runtime->memory->limit_bytes;
    size_t bytes = RUN_BYTES_MAX;
    if (limit && limit / (16 * sorter->worker_count) < bytes)
        bytes = limit / (16 * sorter->worker_count);
    const size_t rows = bytes / (row_bytes(sorter->schema) + oriel_sort_row_bytes(&sorter->layout));
    const size_t row = row_bytes(sorter->schema) + 1;
    const size_t block = BLOCK_BYTES / row;
    sorter->block_rows = block < BLOCK_ROWS_MIN   ? BLOCK_ROWS_MIN
                         : block > BLOCK_ROWS_MAX ? BLOCK_ROWS_MAX
                                                  : block;
    const size_t cursor_bytes = CURSOR_BYTES + 3 * sorter->block_rows * row;
    size_t fan = MERGE_FAN_MAX;
    if (limit && limit / (8 * sorter->worker_count) / cursor_bytes < fan)
        fan = limit / (8 * sorter->worker_count) / cursor_bytes;
    sorter->merge_fan = fan < 2 ? 2 : (uint32_t)fan;
    sorter->run_bytes = bytes;
    sorter->run_rows = rows < RUN_ROWS_MIN   ? RUN_ROWS_MIN
                       : rows > RUN_ROWS_MAX ? RUN_ROWS_MAX
                                             : rows;
}

static enum oriel_status open_parts(struct oriel_sorter *sorter, struct oriel_schema schema,
                                    const struct oriel_sort_item *items, uint32_t item_count,
                                    struct oriel_error *error) {
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&sorter->arena, schema.field_count, sizeof *fields);
    sorter->collectors = oriel_arena_allocate_zeroed(&sorter->arena, sorter->worker_count,
                                                     sizeof *sorter->collectors);
    if (!fields || !sorter->collectors)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema.field_count; i++)
        fields[i] = schema.fields[i];
    sorter->schema = (struct oriel_schema){schema.field_count, fields};
    for (unsigned w = 0; w < sorter->worker_count; w++) {
        oriel_table_init(&sorter->collectors[w].table, sorter->runtime->memory, sorter->schema);
        pthread_mutex_init(&sorter->collectors[w].lock, NULL);
    }
    ORIEL_TRY(oriel_sort_layout_make(&sorter->layout, &sorter->arena, sorter->schema, items,
                                     item_count, error));
    for (unsigned w = 0; w < sorter->worker_count; w++) {
        sorter->collectors[w].bound = oriel_arena_allocate_zeroed(
            &sorter->arena, sorter->layout.word_count, sizeof(uint64_t));
        if (!sorter->collectors[w].bound)
            return oriel_error_memory(error);
    }
    size_runs(sorter);
    return ORIEL_OK;
}

enum oriel_status oriel_sorter_open(const struct oriel_runtime *runtime, struct oriel_schema schema,
                                    uint32_t visible_count, const struct oriel_sort_item *items,
                                    uint32_t item_count, int64_t limit, struct oriel_sorter **out,
                                    struct oriel_error *error) {
    struct oriel_sorter *sorter = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *sorter);
    if (!sorter)
        return oriel_error_memory(error);
    sorter->runtime = runtime;
    sorter->visible_count = visible_count;
    sorter->limit = limit == INT64_MAX ? UINT64_MAX : limit > 0 ? (uint64_t)limit : 0;
    sorter->worker_count = oriel_worker_count(runtime);
    oriel_arena_init(&sorter->arena, runtime->memory);
    pthread_mutex_init(&sorter->lock, NULL);
    const enum oriel_status status = open_parts(sorter, schema, items, item_count, error);
    *out = sorter;
    if (status != ORIEL_OK)
        oriel_sorter_close(out);
    return status;
}

static void free_runs(struct oriel_sort_run *runs, struct oriel_memory *memory) {
    while (runs) {
        struct oriel_sort_run *next = runs->next;
        oriel_sort_run_free(runs, memory);
        runs = next;
    }
}

void oriel_sorter_close(struct oriel_sorter **pointer) {
    struct oriel_sorter *sorter = *pointer;
    if (!sorter)
        return;
    *pointer = NULL;
    struct oriel_memory *memory = sorter->runtime->memory;
    for (unsigned w = 0; sorter->collectors && w < sorter->worker_count; w++) {
        struct collector *collector = &sorter->collectors[w];
        if (collector->table.memory) {
            oriel_table_deinit(&collector->table);
            pthread_mutex_destroy(&collector->lock);
        }
        free_runs(collector->memory_runs, memory);
        free_runs(collector->file_runs, memory);
        oriel_memory_release(memory, collector->kept,
                             collector->kept_capacity * sizeof *collector->kept);
    }
    free_runs(sorter->merged_runs, memory);
    oriel_spill_close(&sorter->spill);
    oriel_arena_deinit(&sorter->arena);
    pthread_mutex_destroy(&sorter->lock);
    oriel_memory_release(memory, sorter, sizeof *sorter);
}

static enum oriel_status get_spill(struct oriel_sorter *sorter, struct oriel_spill **out,
                                   struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&sorter->lock);
    if (!sorter->spill)
        status = oriel_spill_open(sorter->runtime, &sorter->spill, error);
    *out = sorter->spill;
    pthread_mutex_unlock(&sorter->lock);
    return status;
}

static void add_run(struct oriel_sort_run **runs, struct oriel_sort_run *run) {
    run->next = *runs;
    *runs = run;
}

/* Replaces the newest `count` runs in the file by one. */
static enum oriel_status merge_newest(struct oriel_sorter *sorter, struct collector *collector,
                                      uint32_t count, struct oriel_error *error) {
    struct oriel_sort_run *last = collector->file_runs, *merged;
    for (uint32_t i = 1; i < count; i++)
        last = last->next;
    struct oriel_sort_run *rest = last->next;
    last->next = NULL;
    const enum oriel_status status =
        oriel_sort_run_merge(&sorter->layout, sorter->runtime, collector->file_runs, sorter->limit,
                             sorter->spill, sorter->block_rows, &merged, error);
    if (status != ORIEL_OK) {
        last->next = rest;
        return status;
    }
    free_runs(collector->file_runs, sorter->runtime->memory);
    collector->file_runs = rest;
    add_run(&collector->file_runs, merged);
    collector->file_run_count -= count - 1;
    return ORIEL_OK;
}

/* Merges whenever merge_fan runs have come through the same number of merges. */
static enum oriel_status merge_levels(struct oriel_sorter *sorter, struct collector *collector,
                                      struct oriel_error *error) {
    for (;;) {
        uint32_t count = 0;
        for (const struct oriel_sort_run *run = collector->file_runs;
             run && run->level == collector->file_runs->level; run = run->next)
            count++;
        if (count < sorter->merge_fan)
            return ORIEL_OK;
        ORIEL_TRY(merge_newest(sorter, collector, count, error));
    }
}

/* Writes the worker's runs in memory to the file. */
static enum oriel_status spill_runs(struct oriel_sorter *sorter, struct collector *collector,
                                    struct oriel_error *error) {
    struct oriel_spill *spill;
    if (!collector->memory_runs)
        return ORIEL_OK;
    ORIEL_TRY(get_spill(sorter, &spill, error));
    while (collector->memory_runs) {
        struct oriel_sort_run *run = collector->memory_runs;
        ORIEL_TRY(oriel_sort_run_spill(run, spill, sorter->block_rows, error));
        collector->memory_runs = run->next;
        add_run(&collector->file_runs, run);
        collector->file_run_count++;
        ORIEL_TRY(merge_levels(sorter, collector, error));
    }
    return ORIEL_OK;
}

/* Sorts what a worker has collected into a run. */
static enum oriel_status seal(struct oriel_sorter *sorter, struct collector *collector,
                              struct oriel_error *error) {
    struct oriel_sort_run *run;
    if (collector->table.row_count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_sort_run_make(&sorter->layout, sorter->runtime, &collector->table,
                                  sorter->limit, &run, error));
    add_run(&collector->memory_runs, run);
    return ORIEL_OK;
}

/* With a small limit: keeps only the best rows, as the beginning of the next run, and remembers the
 * words of the last one. */
static enum oriel_status keep_best(struct oriel_sorter *sorter, struct collector *collector,
                                   struct oriel_error *error) {
    struct oriel_sort_run *run;
    ORIEL_TRY(oriel_sort_run_make(&sorter->layout, sorter->runtime, &collector->table,
                                  sorter->limit, &run, error));
    if (run->row_count == sorter->limit) {
        oriel_sort_encode(&sorter->layout, run->table.columns, run->order + run->row_count - 1, 0,
                          1, collector->bound);
        collector->has_bound = true;
    }
    const struct oriel_batch batch = {.row_count = run->table.row_count,
                                      .column_count = sorter->schema.field_count,
                                      .columns = run->table.columns};
    const enum oriel_status status =
        oriel_table_append(&collector->table, &batch, run->order, 0, run->row_count, error);
    if (status == ORIEL_OK)
        oriel_sort_run_free(run, sorter->runtime->memory);
    else
        add_run(&collector->memory_runs, run); /* no row is lost */
    return status;
}

static bool keeps_best(const struct oriel_sorter *sorter) {
    return sorter->limit <= KEEP_ROWS_MAX && sorter->limit <= sorter->run_rows / 4;
}

static bool room_for(struct collector *collector, size_t count, struct oriel_memory *memory) {
    if (count <= collector->kept_capacity)
        return true;
    uint32_t *kept = oriel_memory_allocate(memory, count * sizeof *kept);
    if (!kept)
        return false;
    oriel_memory_release(memory, collector->kept,
                         collector->kept_capacity * sizeof *collector->kept);
    collector->kept = kept;
    collector->kept_capacity = count;
    return true;
}

/* Drops rows whose words are above the bound. */
static enum oriel_status select_below(const struct oriel_sorter *sorter,
                                      struct collector *collector, const struct oriel_batch *batch,
                                      const uint32_t **rows, size_t *count,
                                      struct oriel_error *error) {
    const uint32_t word_count = sorter->layout.word_count;
    uint64_t words[256];
    const size_t step = word_count <= 256 ? 256 / word_count : 0;
    if (step == 0)
        return ORIEL_OK;
    if (!room_for(collector, *count, sorter->runtime->memory))
        return oriel_error_memory(error);
    size_t kept = 0;
    for (size_t at = 0; at < *count; at += step) {
        const size_t now = *count - at < step ? *count - at : step;
        oriel_sort_encode(&sorter->layout, batch->columns, *rows ? *rows + at : NULL, at, now,
                          words);
        for (size_t i = 0; i < now; i++) {
            collector->kept[kept] = *rows ? (*rows)[at + i] : (uint32_t)(at + i);
            kept += words[i * word_count] <= collector->bound[0];
        }
    }
    *rows = collector->kept;
    *count = kept;
    return ORIEL_OK;
}

/* Writes all rows of a worker to the file. */
static enum oriel_status give_back(struct oriel_sorter *sorter, struct collector *collector,
                                   struct oriel_error *error) {
    oriel_memory_borrow(sorter->runtime->memory);
    enum oriel_status status = seal(sorter, collector, error);
    if (status == ORIEL_OK)
        status = spill_runs(sorter, collector, error);
    oriel_memory_repay(sorter->runtime->memory);
    return status;
}

enum oriel_status oriel_sorter_relieve(struct oriel_sorter *sorter, struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    for (unsigned w = 0; w < sorter->worker_count && status == ORIEL_OK; w++) {
        struct collector *collector = &sorter->collectors[w];
        pthread_mutex_lock(&collector->lock);
        status = give_back(sorter, collector, error);
        pthread_mutex_unlock(&collector->lock);
    }
    return status;
}

static enum oriel_status append(struct oriel_sorter *sorter, struct collector *collector,
                                const struct oriel_batch *batch, const uint32_t *rows, size_t first,
                                size_t count, struct oriel_error *error) {
    struct oriel_table *table = &collector->table;
    enum oriel_status status = oriel_table_append(table, batch, rows, first, count, error);
    if (status != ORIEL_MEMORY || !sorter->runtime->memory->limit_bytes)
        return status;
    ORIEL_TRY(give_back(sorter, collector, error));
    return oriel_table_append(table, batch, rows, first, count, error);
}

/* Adds rows from the *done-th on, and counts those that are in. */
static enum oriel_status add_rows(struct oriel_sorter *sorter, struct collector *collector,
                                  const struct oriel_batch *batch, const uint32_t *rows,
                                  size_t count, size_t *done, struct oriel_error *error) {
    const bool best = keeps_best(sorter);
    while (*done < count) {
        const size_t room = sorter->run_rows - collector->table.row_count;
        const size_t now = count - *done < room ? count - *done : room;
        ORIEL_TRY(append(sorter, collector, batch, rows, *done, now, error));
        *done += now;
        const bool full = collector->table.row_count >= sorter->run_rows ||
                          collector->table.arena.total_bytes > sorter->run_bytes;
        if (full && best)
            ORIEL_TRY(keep_best(sorter, collector, error));
        else if (oriel_spill_wanted(sorter->runtime) &&
                 (full || collector->table.row_count >= sorter->run_rows / 2 ||
                  collector->memory_runs))
            ORIEL_TRY(give_back(sorter, collector, error));
        else if (full)
            ORIEL_TRY(seal(sorter, collector, error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_sorter_add(struct oriel_sorter *sorter, unsigned worker,
                                   const struct oriel_batch *batch, const uint32_t *rows,
                                   size_t count, struct oriel_error *error) {
    struct collector *collector = &sorter->collectors[worker];
    const bool limited = sorter->runtime->memory->limit_bytes != 0;
    size_t done = 0;
    if (sorter->limit == 0)
        return ORIEL_OK;
    for (unsigned round = 0;; round++) {
        pthread_mutex_lock(&collector->lock);
        enum oriel_status status = ORIEL_OK;
        if (round == 0 && collector->has_bound)
            status = select_below(sorter, collector, batch, &rows, &count, error);
        if (status == ORIEL_OK)
            status = add_rows(sorter, collector, batch, rows, count, &done, error);
        pthread_mutex_unlock(&collector->lock);
        if (status != ORIEL_MEMORY || !limited || round == RELIEF_ROUNDS)
            return status;
        ORIEL_TRY(oriel_sorter_relieve(sorter, error)); /* what the others hold, too */
    }
}

static enum oriel_status seal_worker(void *context, unsigned worker, struct oriel_error *error) {
    struct oriel_sorter *sorter = context;
    struct collector *collector = &sorter->collectors[worker];
    oriel_memory_borrow(sorter->runtime->memory);
    const enum oriel_status status = seal(sorter, collector, error);
    oriel_memory_repay(sorter->runtime->memory);
    ORIEL_TRY(status);
    /* half of the memory is left for what is done with the rows */
    const struct oriel_memory *memory = sorter->runtime->memory;
    const bool large =
        memory->limit_bytes && oriel_memory_available(memory) < memory->limit_bytes / 2;
    return large ? give_back(sorter, collector, error) : ORIEL_OK;
}

/* The merge as a generator. */
struct sorted_rows {
    struct oriel_generator generator;
    struct oriel_sort_merge *merge;
    struct oriel_memory *memory;
};

static enum oriel_status next_rows(struct oriel_generator *generator, struct oriel_table *table,
                                   size_t row_count, struct oriel_error *error) {
    return oriel_sort_merge_next(((struct sorted_rows *)generator)->merge, table, row_count, error);
}

static void close_rows(struct oriel_generator *generator) {
    struct sorted_rows *self = (struct sorted_rows *)generator;
    oriel_sort_merge_close(&self->merge);
    oriel_memory_release(self->memory, self, sizeof *self);
}

static const struct oriel_generator_operations sorted_operations = {next_rows, close_rows};

static void move_runs(struct oriel_sort_run **to, struct oriel_sort_run **from) {
    while (*from) {
        struct oriel_sort_run *run = *from;
        *from = run->next;
        add_run(to, run);
    }
}

enum oriel_status oriel_sorter_finish_whole(struct oriel_sorter *sorter, uint32_t whole_items,
                                            struct oriel_source **source,
                                            struct oriel_sort_merge **merge,
                                            struct oriel_error *error) {
    const struct oriel_runtime *runtime = sorter->runtime;
    const struct oriel_schema visible = {sorter->visible_count, sorter->schema.fields};
    bool in_memory = true;
    *source = NULL;
    ORIEL_TRY(oriel_run_workers(runtime, seal_worker, sorter, error));
    for (unsigned w = 0; w < sorter->worker_count; w++) {
        struct collector *collector = &sorter->collectors[w];
        in_memory &= !collector->file_runs;
        while (collector->file_run_count > sorter->merge_fan)
            ORIEL_TRY(merge_newest(sorter, collector, sorter->merge_fan, error));
        move_runs(&sorter->merged_runs, &collector->memory_runs);
        move_runs(&sorter->merged_runs, &collector->file_runs);
    }
    return in_memory
               ? oriel_sort_pieces_open(&sorter->layout, runtime, visible, sorter->merged_runs,
                                        sorter->limit, whole_items, source, error)
               : oriel_sort_merge_open(&sorter->layout, runtime, visible, sorter->merged_runs,
                                       sorter->limit, merge, error);
}

enum oriel_status oriel_sorter_finish(struct oriel_sorter *sorter, struct oriel_source **out,
                                      struct oriel_error *error) {
    const struct oriel_runtime *runtime = sorter->runtime;
    struct oriel_sort_merge *merge;
    ORIEL_TRY(oriel_sorter_finish_whole(sorter, 0, out, &merge, error));
    if (*out)
        return ORIEL_OK;
    struct sorted_rows *rows = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *rows);
    if (!rows) {
        oriel_sort_merge_close(&merge);
        return oriel_error_memory(error);
    }
    rows->generator.operations = &sorted_operations;
    rows->memory = runtime->memory;
    rows->merge = merge;
    return oriel_generator_source_open(
        runtime, &rows->generator,
        (struct oriel_schema){sorter->visible_count, sorter->schema.fields}, out, error);
}
