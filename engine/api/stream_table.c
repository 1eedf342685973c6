/*
 * A registered stream as a table. Arrays are pulled when a scan asks for them, under one lock, and
 * cut into morsels; a table that is kept remembers them for the next scan.
 */
#include "engine/api/stream_table.h"

#include <pthread.h>
#include <string.h>

#include "engine/io/arrow_column.h"

/* Where morsels meet, parts of sessions and of windows meet that someone must put together; but the
 * first ones are small, for a query that wants few rows. */
enum { MORSEL_ROWS_MAX = 262144, MORSEL_ROWS_RATIO = 8 };

struct stream_block {
    struct ArrowArray array;
    uint64_t first_row;        /* of the stream */
    _Atomic int64_t left_rows; /* not read yet; ONCE frees the block at 0 */
    struct stream_block *next;
};

struct oriel_stream_table {
    struct oriel_memory *memory;
    struct oriel_arena arena;
    struct ArrowArrayStream stream; /* release is NULL once it is at its end */
    enum oriel_stream_use use;
    struct oriel_schema schema;
    struct oriel_arrow_column *columns;
    uint32_t column_count;
    bool was_opened;
    pthread_mutex_t lock; /* guards the stream and the list of blocks */
    struct stream_block *blocks;
    struct stream_block *last;
    uint64_t row_count;
    struct oriel_error failure; /* an array is lost: no scan may pass over it */
    struct oriel_stream_table *next;
};

struct stream_worker {
    struct oriel_column_buffers buffers;
    struct oriel_column *columns; /* of the batch; they borrow the buffers or the array */
    struct oriel_arrow_target *targets;
    struct oriel_arena arena; /* of the batch: nested values */
    int64_t *rows;
    const struct stream_block *block; /* that was read last */
};

struct stream_source {
    struct oriel_source base;
    struct oriel_stream_table *table;
    const struct oriel_runtime *runtime;
    uint32_t column_count;
    uint32_t *columns;
    struct oriel_field *fields;
    struct stream_worker *workers;
    unsigned worker_count;
    uint64_t morsel_count;
    struct stream_block *block; /* the next morsel begins in it; NULL: the next of the stream */
    struct stream_block *done;  /* the last block that was claimed whole */
    int64_t row;
};

static void free_block(struct oriel_stream_table *table, struct stream_block *block) {
    if (block->array.release)
        block->array.release(&block->array);
    oriel_memory_release(table->memory, block, sizeof *block);
}

static void free_table(struct oriel_stream_table *table) {
    while (table->blocks) {
        struct stream_block *block = table->blocks;
        table->blocks = block->next;
        free_block(table, block);
    }
    if (table->stream.release)
        table->stream.release(&table->stream);
    pthread_mutex_destroy(&table->lock);
    oriel_arena_deinit(&table->arena);
    oriel_memory_release(table->memory, table, sizeof *table);
}

static enum oriel_status stream_failed(struct oriel_stream_table *table, int code,
                                       struct oriel_error *error) {
    const char *text =
        table->stream.get_last_error ? table->stream.get_last_error(&table->stream) : NULL;
    return oriel_error_set(error, ORIEL_IO, "the stream failed: %s", text ? text : strerror(code));
}

static enum oriel_status read_schema(struct oriel_stream_table *table, struct oriel_error *error) {
    struct ArrowSchema schema = {0};
    const int code = table->stream.get_schema(&table->stream, &schema);
    if (code)
        return stream_failed(table, code, error);
    const enum oriel_status status = oriel_arrow_schema_read(
        &schema, &table->arena, &table->columns, &table->column_count, error);
    if (schema.release)
        schema.release(&schema);
    ORIEL_TRY(status);
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&table->arena, table->column_count, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < table->column_count; i++) {
        fields[i] = (struct oriel_field){table->columns[i].name, table->columns[i].type.type};
        fields[i].type.nullable = true;
    }
    table->schema = (struct oriel_schema){table->column_count, fields};
    return ORIEL_OK;
}

enum oriel_status oriel_stream_table_make(struct oriel_memory *memory,
                                          struct ArrowArrayStream *stream,
                                          enum oriel_stream_use use,
                                          struct oriel_stream_table **tables,
                                          struct oriel_error *error) {
    struct oriel_stream_table *table = oriel_memory_allocate_zeroed(memory, 1, sizeof *table);
    if (!table) {
        stream->release(stream);
        return oriel_error_memory(error);
    }
    table->memory = memory;
    oriel_arena_init(&table->arena, memory);
    pthread_mutex_init(&table->lock, NULL);
    table->stream = *stream;
    stream->release = NULL;
    table->use = use;
    const enum oriel_status status = read_schema(table, error);
    if (status != ORIEL_OK) {
        free_table(table);
        return status;
    }
    table->next = *tables;
    *tables = table;
    return ORIEL_OK;
}

struct oriel_schema oriel_stream_table_schema(const struct oriel_stream_table *table) {
    return table->schema;
}

void oriel_stream_table_drop(struct oriel_stream_table **tables) {
    struct oriel_stream_table *table = *tables;
    *tables = table->next;
    free_table(table);
}

void oriel_stream_tables_close(struct oriel_stream_table **tables) {
    while (*tables)
        oriel_stream_table_drop(tables);
}

/* Appends the next array of the stream to the list; ORIEL_DONE when there is none. */
static enum oriel_status pull_block(struct oriel_stream_table *table, struct oriel_error *error) {
    if (table->failure.status != ORIEL_OK) {
        if (error)
            *error = table->failure;
        return table->failure.status;
    }
    if (!table->stream.release)
        return ORIEL_DONE;
    struct stream_block *block = oriel_memory_allocate_zeroed(table->memory, 1, sizeof *block);
    if (!block)
        return oriel_error_memory(error);
    const int code = table->stream.get_next(&table->stream, &block->array);
    enum oriel_status status = ORIEL_OK;
    if (code) {
        block->array.release = NULL;
        status = stream_failed(table, code, &table->failure);
    } else if (!block->array.release) {
        table->stream.release(&table->stream);
        table->stream.release = NULL;
        status = ORIEL_DONE;
    } else {
        status = oriel_arrow_array_check(&block->array, table->columns, table->column_count,
                                         &table->failure);
    }
    if (status != ORIEL_OK) {
        free_block(table, block);
        if (status != ORIEL_DONE && error)
            *error = table->failure;
        return status;
    }
    block->first_row = table->row_count;
    block->left_rows = block->array.length;
    table->row_count += (uint64_t)block->array.length;
    if (table->last)
        table->last->next = block;
    else
        table->blocks = block;
    table->last = block;
    return ORIEL_OK;
}

/* Moves to the next block that has rows; without one there is no current block. */
static enum oriel_status next_block(struct stream_source *source, struct oriel_error *error) {
    struct oriel_stream_table *table = source->table;
    source->block = NULL;
    source->row = 0;
    do {
        struct stream_block *next = source->done ? source->done->next : table->blocks;
        if (!next) {
            ORIEL_TRY(pull_block(table, error));
            next = source->done ? source->done->next : table->last;
        }
        source->done = next;
    } while (source->done->array.length == 0);
    source->block = source->done;
    return ORIEL_OK;
}

/* A morsel begins in the block that is its state, and goes on in those that follow. */
static enum oriel_status claim_locked(struct stream_source *source, struct oriel_morsel *morsel,
                                      struct oriel_error *error) {
    if (!source->block)
        ORIEL_TRY(next_block(source, error));
    *morsel = (struct oriel_morsel){
        .number = source->morsel_count++,
        .begin = (uint64_t)source->row,
        .end = (uint64_t)source->row,
        .state = source->block,
    };
    const uint64_t before = source->block->first_row + morsel->begin;
    const uint64_t wanted = before / MORSEL_ROWS_RATIO;
    uint64_t left = wanted < MORSEL_ROWS_MAX ? wanted + 1 : MORSEL_ROWS_MAX;
    for (;;) {
        const uint64_t rest = (uint64_t)(source->block->array.length - source->row);
        const uint64_t count = rest < left ? rest : left;
        morsel->end += count;
        source->row += (int64_t)count;
        left -= count;
        if (count == rest)
            source->block = NULL;
        if (!left)
            return ORIEL_OK;
        if (next_block(source, NULL) != ORIEL_OK) /* for the next claim to meet */
            return ORIEL_OK;
    }
}

static enum oriel_status stream_claim(struct oriel_source *base, struct oriel_morsel *morsel,
                                      struct oriel_error *error) {
    struct stream_source *source = (struct stream_source *)base;
    pthread_mutex_lock(&source->table->lock);
    const enum oriel_status status = claim_locked(source, morsel, error);
    pthread_mutex_unlock(&source->table->lock);
    return status;
}

/* A block of ONCE is gone when its rows are read, and the next may lie where it was. */
static void enter_block(struct stream_source *source, struct stream_worker *worker,
                        const struct stream_block *block) {
    if (worker->block == block)
        return;
    worker->block = block;
    for (uint32_t i = 0; i < source->column_count && source->table->use == ORIEL_STREAM_ONCE; i++)
        oriel_arrow_target_reset(&worker->targets[i]);
}

static enum oriel_status push_rows(struct stream_source *source, struct stream_worker *worker,
                                   struct stream_block *block, size_t first, size_t count,
                                   oriel_push *push, void *context, struct oriel_error *error) {
    oriel_arena_reset(&worker->arena);
    for (uint32_t i = 0; i < source->column_count; i++)
        ORIEL_TRY(oriel_arrow_target_read(&worker->targets[i], &block->array, source->columns[i],
                                          first, count, worker->rows, &worker->columns[i], error));
    const struct oriel_batch batch = {
        .row_count = count,
        .column_count = source->column_count,
        .columns = worker->columns,
        .first_row = block->first_row + first,
    };
    if (source->runtime->progress)
        atomic_fetch_add_explicit(&source->runtime->progress->rows, count, memory_order_relaxed);
    return push(context, &batch, error);
}

/* Releases the buffers of a block whose rows have all been read. The block itself stays in the
 * list, which other claims walk. */
static void leave_block(struct stream_source *source, struct stream_block *block, int64_t count) {
    if (source->table->use != ORIEL_STREAM_ONCE)
        return;
    if (atomic_fetch_sub(&block->left_rows, count) == count) {
        block->array.release(&block->array);
        block->array.release = NULL;
    }
}

/* The rows [begin, end) of a block. */
static enum oriel_status push_block(struct stream_source *source, struct stream_worker *worker,
                                    struct stream_block *block, uint64_t begin, uint64_t end,
                                    oriel_push *push, void *context, struct oriel_error *error) {
    const size_t batch_rows = source->runtime->batch_rows;
    enter_block(source, worker, block);
    for (uint64_t row = begin; row < end; row += batch_rows) {
        const uint64_t left = end - row;
        ORIEL_TRY(oriel_runtime_check(source->runtime, error));
        ORIEL_TRY(push_rows(source, worker, block, (size_t)row,
                            left < batch_rows ? (size_t)left : batch_rows, push, context, error));
    }
    leave_block(source, block, (int64_t)(end - begin));
    return ORIEL_OK;
}

static enum oriel_status stream_read(struct oriel_source *base, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct stream_source *source = (struct stream_source *)base;
    struct stream_block *block = morsel->state;
    uint64_t begin = morsel->begin, left = morsel->end - morsel->begin;
    while (left) {
        const uint64_t rest = (uint64_t)block->array.length - begin;
        const uint64_t count = rest < left ? rest : left;
        struct stream_block *next = count < left ? block->next : NULL;
        ORIEL_TRY(push_block(source, &source->workers[worker], block, begin, begin + count, push,
                             context, error));
        left -= count;
        block = next;
        begin = 0;
    }
    return ORIEL_OK;
}

static enum oriel_status start_worker(struct stream_source *source, struct stream_worker *worker,
                                      struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t batch_rows = source->runtime->batch_rows;
    oriel_arena_init(&worker->arena, memory);
    ORIEL_TRY(oriel_column_buffers_init(&worker->buffers, memory, &source->base.schema, batch_rows,
                                        error));
    worker->rows = oriel_memory_allocate_zeroed(memory, batch_rows, sizeof *worker->rows);
    worker->columns =
        oriel_memory_allocate_zeroed(memory, source->column_count, sizeof *worker->columns);
    worker->targets =
        oriel_memory_allocate_zeroed(memory, source->column_count, sizeof *worker->targets);
    if (!worker->rows || !worker->columns || !worker->targets)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < source->column_count; i++) {
        worker->targets[i] = (struct oriel_arrow_target){
            .kernels = source->runtime->kernels,
            .dictionary = {.memory = memory, .dictionary_count = source->runtime->dictionary_count},
            .column = source->table->columns[source->columns[i]],
            .wanted = source->fields[i].type,
            .arena = &worker->arena,
            .values = worker->buffers.columns[i].values,
            .valid = worker->buffers.columns[i].valid,
        };
        oriel_arrow_target_choose(&worker->targets[i]);
    }
    return ORIEL_OK;
}

static enum oriel_status stream_start(struct oriel_source *base, unsigned worker_count,
                                      struct oriel_error *error) {
    struct stream_source *source = (struct stream_source *)base;
    source->workers = oriel_memory_allocate_zeroed(source->runtime->memory, worker_count,
                                                   sizeof *source->workers);
    if (!source->workers)
        return oriel_error_memory(error);
    source->worker_count = worker_count;
    for (unsigned i = 0; i < worker_count; i++)
        ORIEL_TRY(start_worker(source, &source->workers[i], error));
    return ORIEL_OK;
}

static void stop_worker(struct stream_source *source, struct stream_worker *worker) {
    struct oriel_memory *memory = source->runtime->memory;
    for (uint32_t i = 0; i < source->column_count && worker->targets; i++)
        oriel_arrow_target_deinit(&worker->targets[i]);
    oriel_memory_release(memory, worker->targets, source->column_count * sizeof *worker->targets);
    oriel_memory_release(memory, worker->columns, source->column_count * sizeof *worker->columns);
    oriel_memory_release(memory, worker->rows, source->runtime->batch_rows * sizeof(int64_t));
    if (worker->buffers.memory)
        oriel_column_buffers_deinit(&worker->buffers);
    if (worker->arena.memory)
        oriel_arena_deinit(&worker->arena);
}

static void stream_close(struct oriel_source *base) {
    struct stream_source *source = (struct stream_source *)base;
    struct oriel_memory *memory = source->table->memory;
    for (unsigned i = 0; i < source->worker_count; i++)
        stop_worker(source, &source->workers[i]);
    oriel_memory_release(memory, source->workers, source->worker_count * sizeof *source->workers);
    oriel_memory_release(memory, source->columns, source->column_count * sizeof *source->columns);
    oriel_memory_release(memory, source->fields, source->column_count * sizeof *source->fields);
    oriel_memory_release(memory, source, sizeof *source);
}

static const struct oriel_source_operations stream_operations = {stream_start, stream_claim,
                                                                 stream_read, stream_close};

enum oriel_status oriel_stream_table_open(void *table, const struct oriel_runtime *runtime,
                                          const uint32_t *columns, uint32_t column_count,
                                          struct oriel_source **out, struct oriel_error *error) {
    struct oriel_stream_table *it = table;
    if (it->use == ORIEL_STREAM_ONCE && it->was_opened)
        return oriel_error_set(error, ORIEL_INVALID,
                               "the stream of this table was registered to be read once, and was "
                               "read already");
    struct stream_source *source = oriel_memory_allocate_zeroed(it->memory, 1, sizeof *source);
    if (!source)
        return oriel_error_memory(error);
    source->base.operations = &stream_operations;
    source->table = it;
    source->runtime = runtime;
    source->column_count = column_count;
    source->columns =
        oriel_memory_allocate_zeroed(it->memory, column_count, sizeof *source->columns);
    source->fields = oriel_memory_allocate_zeroed(it->memory, column_count, sizeof *source->fields);
    if (!source->columns || !source->fields) {
        stream_close(&source->base);
        return oriel_error_memory(error);
    }
    for (uint32_t i = 0; i < column_count; i++) {
        source->columns[i] = columns[i];
        source->fields[i] = it->schema.fields[columns[i]];
    }
    source->base.schema = (struct oriel_schema){column_count, source->fields};
    it->was_opened = true;
    *out = &source->base;
    return ORIEL_OK;
}
