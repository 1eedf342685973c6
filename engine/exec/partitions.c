/*
 * Partitions: each worker has a table for each of them, and a stream once it has written rows out.
 */
#include "engine/exec/partitions.h"

#include "engine/exec/drive.h"
#include "kernels/kernels.h"

enum { PARTITION_BITS = 5, PARTITION_BITS_LIMITED = 6, SPILL_ROWS = 1024, RELIEF_ROUNDS = 4 };

struct oriel_partition_worker {
    pthread_mutex_t lock; /* others spill its rows when they are short of memory */
    bool is_open;
    uint32_t *offsets; /* partition_count + 1 */
    uint32_t *rows;    /* batch_rows */
    struct oriel_table *tables;
    struct oriel_spill_stream *streams;
};

static size_t worker_bytes(const struct oriel_partitions *partitions) {
    return partitions->worker_count * sizeof *partitions->workers;
}

static enum oriel_status init_worker(struct oriel_partitions *partitions,
                                     struct oriel_partition_worker *worker,
                                     struct oriel_error *error) {
    struct oriel_memory *memory = partitions->runtime->memory;
    const uint32_t count = partitions->partition_count;
    pthread_mutex_init(&worker->lock, NULL);
    worker->is_open = true;
    worker->offsets = oriel_memory_allocate(memory, ((size_t)count + 1) * sizeof *worker->offsets);
    worker->rows =
        oriel_memory_allocate(memory, partitions->runtime->batch_rows * sizeof *worker->rows);
    worker->tables = oriel_memory_allocate_zeroed(memory, count, sizeof *worker->tables);
    worker->streams = oriel_memory_allocate_zeroed(memory, count, sizeof *worker->streams);
    for (uint32_t p = 0; worker->tables && p < count; p++)
        oriel_table_init(&worker->tables[p], memory, partitions->schema);
    return worker->offsets && worker->rows && worker->tables && worker->streams
               ? ORIEL_OK
               : oriel_error_memory(error);
}

static void deinit_worker(struct oriel_partitions *partitions,
                          struct oriel_partition_worker *worker) {
    struct oriel_memory *memory = partitions->runtime->memory;
    const uint32_t count = partitions->partition_count;
    if (!worker->is_open)
        return;
    pthread_mutex_destroy(&worker->lock);
    for (uint32_t p = 0; worker->tables && p < count; p++)
        oriel_table_deinit(&worker->tables[p]);
    for (uint32_t p = 0; worker->streams && p < count; p++)
        oriel_spill_stream_deinit(&worker->streams[p]);
    oriel_memory_release(memory, worker->offsets, ((size_t)count + 1) * sizeof *worker->offsets);
    oriel_memory_release(memory, worker->rows,
                         partitions->runtime->batch_rows * sizeof *worker->rows);
    oriel_memory_release(memory, worker->tables, count * sizeof *worker->tables);
    oriel_memory_release(memory, worker->streams, count * sizeof *worker->streams);
}

enum oriel_status oriel_partitions_init(struct oriel_partitions *partitions,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_schema schema, struct oriel_error *error) {
    const unsigned bits = runtime->memory->limit_bytes ? PARTITION_BITS_LIMITED : PARTITION_BITS;
    *partitions = (struct oriel_partitions){.runtime = runtime,
                                            .schema = schema,
                                            .bits = bits,
                                            .partition_count = UINT32_C(1) << bits,
                                            .worker_count = oriel_worker_count(runtime)};
    pthread_mutex_init(&partitions->lock, NULL);
    partitions->workers = oriel_memory_allocate_zeroed(runtime->memory, partitions->worker_count,
                                                       sizeof *partitions->workers);
    enum oriel_status status = partitions->workers ? ORIEL_OK : oriel_error_memory(error);
    for (unsigned w = 0; w < partitions->worker_count && status == ORIEL_OK; w++)
        status = init_worker(partitions, &partitions->workers[w], error);
    if (status != ORIEL_OK)
        oriel_partitions_deinit(partitions);
    return status;
}

void oriel_partitions_deinit(struct oriel_partitions *partitions) {
    if (!partitions->runtime)
        return;
    for (unsigned w = 0; partitions->workers && w < partitions->worker_count; w++)
        deinit_worker(partitions, &partitions->workers[w]);
    oriel_memory_release(partitions->runtime->memory, partitions->workers,
                         worker_bytes(partitions));
    oriel_spill_close(&partitions->spill);
    pthread_mutex_destroy(&partitions->lock);
    *partitions = (struct oriel_partitions){0};
}

static enum oriel_status get_spill(struct oriel_partitions *partitions, struct oriel_spill **out,
                                   struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    pthread_mutex_lock(&partitions->lock);
    if (!partitions->spill)
        status = oriel_spill_open(partitions->runtime, &partitions->spill, error);
    *out = partitions->spill;
    pthread_mutex_unlock(&partitions->lock);
    return status;
}

static enum oriel_status write_table(const struct oriel_table *table,
                                     struct oriel_spill_stream *stream, struct oriel_error *error) {
    for (size_t at = 0; at < table->row_count; at += SPILL_ROWS) {
        const size_t left = table->row_count - at;
        ORIEL_TRY(oriel_spill_append_rows(stream, table->columns, table->schema.field_count, NULL,
                                          at, left < SPILL_ROWS ? left : SPILL_ROWS, error));
    }
    return oriel_spill_flush(stream, error);
}

/* Writes a table out whole, or leaves it as it was. */
static enum oriel_status spill_table(struct oriel_table *table, struct oriel_spill_stream *stream,
                                     struct oriel_error *error) {
    const struct oriel_spill_mark mark = oriel_spill_mark(stream);
    const enum oriel_status status = write_table(table, stream, error);
    if (status == ORIEL_OK)
        oriel_table_deinit(table);
    else
        oriel_spill_rewind(stream, mark);
    return status;
}

static enum oriel_status spill_tables(struct oriel_partitions *partitions,
                                      struct oriel_partition_worker *worker,
                                      struct oriel_error *error) {
    struct oriel_spill *spill;
    ORIEL_TRY(get_spill(partitions, &spill, error));
    for (uint32_t p = 0; p < partitions->partition_count; p++) {
        if (worker->tables[p].row_count == 0)
            continue;
        if (!worker->streams[p].spill)
            oriel_spill_stream_init(&worker->streams[p], spill);
        ORIEL_TRY(spill_table(&worker->tables[p], &worker->streams[p], error));
    }
    return ORIEL_OK;
}

static enum oriel_status spill_worker(struct oriel_partitions *partitions,
                                      struct oriel_partition_worker *worker,
                                      struct oriel_error *error) {
    oriel_memory_borrow(partitions->runtime->memory);
    const enum oriel_status status = spill_tables(partitions, worker, error);
    oriel_memory_repay(partitions->runtime->memory);
    return status;
}

static enum oriel_status spill_all(struct oriel_partitions *partitions, struct oriel_error *error) {
    enum oriel_status status = ORIEL_OK;
    for (unsigned w = 0; w < partitions->worker_count && status == ORIEL_OK; w++) {
        struct oriel_partition_worker *worker = &partitions->workers[w];
        pthread_mutex_lock(&worker->lock);
        status = spill_worker(partitions, worker, error);
        pthread_mutex_unlock(&worker->lock);
    }
    return status;
}

enum oriel_status oriel_partitions_relieve(struct oriel_partitions *partitions,
                                           struct oriel_error *error) {
    if (partitions->peer)
        ORIEL_TRY(spill_all(partitions->peer, error));
    return spill_all(partitions, error);
}

/* Adds the rows of partitions from *next on; it then is the first whose rows are not in. */
static enum oriel_status add_parts(struct oriel_partitions *partitions,
                                   struct oriel_partition_worker *worker,
                                   const struct oriel_batch *batch, uint32_t *next,
                                   struct oriel_error *error) {
    for (; *next < partitions->partition_count; ++*next) {
        const uint32_t p = *next;
        const size_t first = worker->offsets[p];
        const size_t count = worker->offsets[p + 1] - first;
        if (count == 0)
            continue;
        enum oriel_status status =
            oriel_table_append(&worker->tables[p], batch, worker->rows, first, count, error);
        if (status == ORIEL_MEMORY && partitions->runtime->memory->limit_bytes) {
            ORIEL_TRY(spill_worker(partitions, worker, error));
            status =
                oriel_table_append(&worker->tables[p], batch, worker->rows, first, count, error);
        }
        ORIEL_TRY(status);
    }
    return oriel_spill_wanted(partitions->runtime) ? spill_worker(partitions, worker, error)
                                                   : ORIEL_OK;
}

enum oriel_status oriel_partitions_add(struct oriel_partitions *partitions, unsigned worker_number,
                                       const struct oriel_batch *batch, const uint64_t *hashes,
                                       struct oriel_error *error) {
    struct oriel_partition_worker *worker = &partitions->workers[worker_number];
    const struct oriel_runtime *runtime = partitions->runtime;
    uint32_t next = 0;
    runtime->kernels->partition_u64(hashes, batch->row_count, partitions->bits, worker->offsets,
                                    worker->rows);
    for (unsigned round = 0;; round++) {
        pthread_mutex_lock(&worker->lock);
        const enum oriel_status status = add_parts(partitions, worker, batch, &next, error);
        pthread_mutex_unlock(&worker->lock);
        if (status != ORIEL_MEMORY || !runtime->memory->limit_bytes || round == RELIEF_ROUNDS)
            return status;
        ORIEL_TRY(oriel_partitions_relieve(partitions, error)); /* what the others hold, too */
    }
}

static enum oriel_status load_stream(struct oriel_spill_stream *stream, struct oriel_table *table,
                                     struct oriel_error *error) {
    struct oriel_spill_reader reader;
    oriel_spill_reader_init(&reader, stream);
    enum oriel_status status;
    do
        status = oriel_spill_read_rows(&reader, table, error);
    while (status == ORIEL_OK);
    oriel_spill_reader_deinit(&reader);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

enum oriel_status oriel_partitions_load(struct oriel_partitions *partitions, uint32_t partition,
                                        struct oriel_table *table, struct oriel_error *error) {
    for (unsigned w = 0; w < partitions->worker_count; w++) {
        struct oriel_table *rows = &partitions->workers[w].tables[partition];
        struct oriel_spill_stream *stream = &partitions->workers[w].streams[partition];
        if (stream->spill)
            ORIEL_TRY(load_stream(stream, table, error));
        if (table->row_count == 0 && rows->row_count) {
            /* the first one need not be copied */
            oriel_table_deinit(table);
            *table = *rows;
            oriel_table_init(rows, table->memory, table->schema);
            continue;
        }
        const struct oriel_batch batch = {.row_count = rows->row_count,
                                          .column_count = partitions->schema.field_count,
                                          .columns = rows->columns};
        if (rows->row_count)
            ORIEL_TRY(oriel_table_append(table, &batch, NULL, 0, rows->row_count, error));
        oriel_table_deinit(rows);
    }
    return ORIEL_OK;
}

static size_t row_bytes(struct oriel_schema schema) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema.field_count; i++)
        bytes += oriel_physical_size(oriel_type_physical(&schema.fields[i].type));
    return bytes;
}

uint64_t oriel_partitions_bytes(const struct oriel_partitions *partitions, uint32_t partition) {
    uint64_t bytes = 0;
    for (unsigned w = 0; w < partitions->worker_count; w++) {
        const struct oriel_table *table = &partitions->workers[w].tables[partition];
        bytes += partitions->workers[w].streams[partition].size_bytes + table->arena.total_bytes +
                 table->row_count * row_bytes(partitions->schema);
    }
    return bytes;
}

enum oriel_status oriel_partition_read(struct oriel_partition_reader *reader,
                                       struct oriel_table *table, size_t size_bytes,
                                       struct oriel_error *error) {
    const struct oriel_partitions *partitions = reader->partitions;
    const size_t width = row_bytes(partitions->schema);
    while (reader->worker < partitions->worker_count &&
           table->row_count * width + table->arena.total_bytes < size_bytes) {
        const struct oriel_spill_stream *stream =
            &partitions->workers[reader->worker].streams[reader->partition];
        if (!reader->reader.stream && stream->spill)
            oriel_spill_reader_init(&reader->reader, stream);
        const enum oriel_status status =
            stream->spill ? oriel_spill_read_rows(&reader->reader, table, error) : ORIEL_DONE;
        if (status == ORIEL_OK)
            continue;
        if (status != ORIEL_DONE)
            return status;
        oriel_spill_reader_deinit(&reader->reader);
        reader->reader = (struct oriel_spill_reader){0};
        reader->worker++;
    }
    return table->row_count ? ORIEL_OK : ORIEL_DONE;
}

void oriel_partition_reader_deinit(struct oriel_partition_reader *reader) {
    oriel_spill_reader_deinit(&reader->reader);
    *reader = (struct oriel_partition_reader){0};
}

/* The walk over all partitions. */
struct walk {
    struct oriel_partitions *partitions;
    oriel_partition_work *work;
    void *context;
    bool alone; /* worker 0 does everything */
    _Atomic uint32_t next;
    struct oriel_failure failure;
};

static enum oriel_status walk_partitions(void *context, unsigned worker,
                                         struct oriel_error *unused) {
    struct walk *walk = context;
    (void)unused;
    if (walk->alone && worker != 0)
        return ORIEL_OK;
    while (!oriel_failure_before(&walk->failure, UINT64_MAX)) {
        const uint32_t partition = atomic_fetch_add_explicit(&walk->next, 1, memory_order_relaxed);
        if (partition >= walk->partitions->partition_count)
            break;
        struct oriel_error error = {0};
        enum oriel_status status = oriel_runtime_check(walk->partitions->runtime, &error);
        if (status == ORIEL_OK)
            status = walk->work(walk->context, worker, partition, &error);
        if (status != ORIEL_OK)
            oriel_failure_note(&walk->failure, partition, status, &error);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_partitions_each(struct oriel_partitions *partitions,
                                        oriel_partition_work *work, void *context,
                                        struct oriel_error *error) {
    struct walk walk = {.partitions = partitions,
                        .work = work,
                        .context = context,
                        .alone = partitions->spill != NULL};
    oriel_failure_init(&walk.failure);
    enum oriel_status status =
        oriel_run_workers(partitions->runtime, walk_partitions, &walk, error);
    if (status == ORIEL_OK)
        status = oriel_failure_result(&walk.failure, error);
    oriel_failure_deinit(&walk.failure);
    return status;
}
