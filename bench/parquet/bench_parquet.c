/*
 * bench_parquet FILE [--threads N] [--rounds N] COLUMN TYPE ...: what reading columns of a Parquet
 * file into batches costs above what Arrow alone costs. In each round, in turn:
 *
 *   arrow   N threads, each with a reader of its own on every N-th row group, take all arrays, with
 *           dictionary codes where the file has them, and let them go
 *   oriel   N threads take all batches from the source that queries read
 *
 * Prints the seconds of each round, of the clock and of all processors together, then the ratios of
 * the least of each. The sums of the first INT or BIGINT column must agree.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/io/arrow_module.h"
#include "engine/io/arrow_source.h"
#include "kernels/kernels.h"

enum { COLUMNS_MAX = 16, THREADS_MAX = 64, BATCH_ROWS = 4096, ARRAY_ROWS = 65536 };

struct job {
    const char *path;
    unsigned thread_count;
    unsigned round_count;
    struct oriel_field fields[COLUMNS_MAX];
    uint32_t column_count;
    int32_t summed; /* column whose values are added up, or -1 */
    struct oriel_memory memory;
    const struct oriel_arrow_shim *shim;
};

struct worker {
    struct job *job;
    struct oriel_source *source;
    unsigned number;
    pthread_t thread;
    uint64_t row_count;
    uint64_t sum;
};

struct cost {
    double clock_s;
    double processor_s;
};

static void fail(const char *what, const char *why) {
    fprintf(stderr, "bench_parquet: %s: %s\n", what, why);
    exit(1);
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t sum_of(const struct oriel_type *type, const void *values, size_t from,
                       size_t count) {
    uint64_t sum = 0;
    for (size_t i = from; i < from + count; i++)
        sum += type->id == ORIEL_TYPE_INT ? (uint64_t)((const int32_t *)values)[i]
                                          : (uint64_t)((const int64_t *)values)[i];
    return sum;
}

/* ---- Arrow alone ---- */

static int find_field(const struct ArrowSchema *schema, const char *name) {
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (strcmp(schema->children[i]->name, name) == 0)
            return (int)i;
    }
    fail(name, "no such column");
    return -1;
}

static int compare_ints(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void take_part(struct worker *worker, struct oriel_arrow_reader *reader, int64_t part,
                      int summed) {
    struct oriel_arrow_message message = {""};
    struct ArrowSchema schema = {0};
    if (worker->job->shim->reader_begin(reader, part, &schema, &message) != ORIEL_OK)
        fail(worker->job->path, message.text);
    for (;;) {
        struct ArrowArray array = {0};
        const enum oriel_status status = worker->job->shim->reader_next(reader, &array, &message);
        if (status == ORIEL_DONE)
            break;
        if (status != ORIEL_OK)
            fail(worker->job->path, message.text);
        worker->row_count += (uint64_t)array.length;
        if (summed >= 0) {
            const struct ArrowArray *child = array.children[summed];
            worker->sum += sum_of(&worker->job->fields[worker->job->summed].type, child->buffers[1],
                                  (size_t)child->offset, (size_t)child->length);
        }
        array.release(&array);
    }
    schema.release(&schema);
}

static void *run_arrow(void *context) {
    struct worker *worker = context;
    struct job *job = worker->job;
    const struct oriel_arrow_account account = oriel_arrow_account_of(&job->memory);
    struct oriel_arrow_message message = {""};
    struct oriel_arrow_file *file;
    struct oriel_arrow_reader *reader;
    struct ArrowSchema schema;
    const int descriptor = open(job->path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || job->shim->open(descriptor, ORIEL_ARROW_PARQUET, &account, &file, &schema,
                                          &message) != ORIEL_OK)
        fail(job->path, descriptor < 0 ? "cannot be opened" : message.text);
    int fields[COLUMNS_MAX];
    for (uint32_t i = 0; i < job->column_count; i++)
        fields[i] = find_field(&schema, job->fields[i].name);
    qsort(fields, job->column_count, sizeof *fields, compare_ints);
    int summed = -1;
    for (int i = 0; i < (int)job->column_count && job->summed >= 0; i++) {
        if (fields[i] == find_field(&schema, job->fields[job->summed].name))
            summed = i;
    }
    const struct oriel_arrow_read_options options = {
        .fields = fields, .field_count = (int)job->column_count, .batch_rows = ARRAY_ROWS};
    if (job->shim->reader_open(file, &options, &reader, &message) != ORIEL_OK)
        fail(job->path, message.text);
    for (int64_t part = worker->number; part < job->shim->part_count(file);
         part += job->thread_count)
        take_part(worker, reader, part, summed);
    job->shim->reader_close(reader);
    schema.release(&schema);
    job->shim->close(file);
    return NULL;
}

/* ---- the source of queries ---- */

static enum oriel_status see(void *context, const struct oriel_batch *batch,
                             struct oriel_error *error) {
    struct worker *worker = context;
    (void)error;
    worker->row_count += batch->row_count;
    if (worker->job->summed >= 0) {
        const struct oriel_column *column = &batch->columns[worker->job->summed];
        worker->sum += sum_of(&column->type, column->values, 0, batch->row_count);
    }
    return ORIEL_OK;
}

static void *run_source(void *context) {
    struct worker *worker = context;
    const struct oriel_source_operations *operations = worker->source->operations;
    struct oriel_error error = {0};
    for (;;) {
        struct oriel_morsel morsel;
        enum oriel_status status = operations->claim(worker->source, &morsel, &error);
        if (status == ORIEL_DONE)
            return NULL;
        if (status == ORIEL_OK)
            status = operations->read(worker->source, worker->number, &morsel, see, worker, &error);
        if (status != ORIEL_OK)
            fail(worker->job->path, error.message);
    }
}

static struct oriel_source *open_source(struct job *job, const struct oriel_runtime *runtime,
                                        const struct oriel_csv_request *request) {
    struct oriel_error error = {0};
    struct oriel_file_list files;
    struct oriel_source *source;
    if (oriel_file_list_init(&files, &job->memory, job->path, &error) != ORIEL_OK ||
        oriel_arrow_source_open(runtime, &files, ORIEL_ARROW_PARQUET, request, NULL, &source,
                                &error) != ORIEL_OK ||
        source->operations->start(source, job->thread_count, &error) != ORIEL_OK)
        fail(job->path, error.message);
    return source;
}

/* ---- rounds ---- */

static struct cost run(struct job *job, bool is_arrow, uint64_t *rows, uint64_t *sum) {
    struct oriel_csv_column columns[COLUMNS_MAX];
    for (uint32_t i = 0; i < job->column_count; i++)
        columns[i] = (struct oriel_csv_column){ORIEL_CSV_FIELD, i};
    const struct oriel_csv_request request = {.fields = {job->column_count, job->fields},
                                              .column_count = job->column_count,
                                              .columns = columns,
                                              .rowtime = -1};
    _Atomic uint64_t dictionary_count = 0;
    const struct oriel_runtime runtime = {.memory = &job->memory,
                                          .dictionary_count = &dictionary_count,
                                          .kernels = oriel_isa_best(oriel_cpu_features())->kernels,
                                          .thread_count = job->thread_count,
                                          .batch_rows = BATCH_ROWS};
    const double clock = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    struct oriel_source *source = is_arrow ? NULL : open_source(job, &runtime, &request);
    struct worker workers[THREADS_MAX];
    for (unsigned i = 0; i < job->thread_count; i++) {
        workers[i] = (struct worker){.job = job, .source = source, .number = i};
        if (pthread_create(&workers[i].thread, NULL, is_arrow ? run_arrow : run_source,
                           &workers[i]) != 0)
            fail("threads", "cannot be made");
    }
    *rows = *sum = 0;
    for (unsigned i = 0; i < job->thread_count; i++) {
        pthread_join(workers[i].thread, NULL);
        *rows += workers[i].row_count;
        *sum += workers[i].sum;
    }
    if (source)
        source->operations->close(source);
    return (struct cost){seconds(CLOCK_MONOTONIC) - clock,
                         seconds(CLOCK_PROCESS_CPUTIME_ID) - processor};
}

static void compare(struct job *job) {
    struct cost least[2] = {{1e9, 1e9}, {1e9, 1e9}};
    uint64_t rows[2] = {0}, sums[2] = {0};
    for (unsigned round = 0; round < job->round_count; round++) {
        for (int i = 0; i < 2; i++) {
            const struct cost cost = run(job, i == 0, &rows[i], &sums[i]);
            printf("%-6s %.3f s, %.3f s of processors\n", i == 0 ? "arrow" : "oriel", cost.clock_s,
                   cost.processor_s);
            if (cost.clock_s < least[i].clock_s)
                least[i].clock_s = cost.clock_s;
            if (cost.processor_s < least[i].processor_s)
                least[i].processor_s = cost.processor_s;
        }
        if (rows[0] != rows[1] || sums[0] != sums[1])
            fail(job->path, "the rows or their sums differ");
    }
    printf("%llu rows, %u threads: oriel / arrow %.2f by the clock, %.2f by processors\n",
           (unsigned long long)rows[0], job->thread_count, least[1].clock_s / least[0].clock_s,
           least[1].processor_s / least[0].processor_s);
}

static struct oriel_type read_type(const char *text) {
    static const struct {
        const char *name;
        enum oriel_type_id id;
    } types[] = {{"INT", ORIEL_TYPE_INT},
                 {"BIGINT", ORIEL_TYPE_BIGINT},
                 {"DOUBLE", ORIEL_TYPE_DOUBLE},
                 {"DATE", ORIEL_TYPE_DATE}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, text) == 0)
            return oriel_type_make(types[i].id);
    }
    if (strcmp(text, "TIMESTAMP") == 0)
        return oriel_type_timestamp(3);
    if (strcmp(text, "STRING") != 0)
        fail(text, "no type of this program: INT, BIGINT, DOUBLE, DATE, TIMESTAMP, STRING");
    return oriel_type_string();
}

int main(int argument_count, char **arguments) {
    struct job job = {.thread_count = 2, .round_count = 5, .summed = -1};
    for (int i = 1; i < argument_count; i++) {
        const bool has_value = i + 1 < argument_count;
        if (has_value && strcmp(arguments[i], "--threads") == 0) {
            job.thread_count = (unsigned)strtoul(arguments[++i], NULL, 10);
        } else if (has_value && strcmp(arguments[i], "--rounds") == 0) {
            job.round_count = (unsigned)strtoul(arguments[++i], NULL, 10);
        } else if (!job.path) {
            job.path = arguments[i];
        } else if (has_value && job.column_count < COLUMNS_MAX) {
            const struct oriel_type type = read_type(arguments[i + 1]);
            if (job.summed < 0 && (type.id == ORIEL_TYPE_INT || type.id == ORIEL_TYPE_BIGINT))
                job.summed = (int32_t)job.column_count;
            job.fields[job.column_count++] = (struct oriel_field){arguments[i++], type};
        }
    }
    struct oriel_error error = {0};
    if (!job.path || !job.column_count || job.thread_count < 1 || job.thread_count > THREADS_MAX)
        fail("usage", "bench_parquet FILE [--threads N] [--rounds N] COLUMN TYPE ...");
    if (oriel_arrow_module_load(ORIEL_ARROW_PARQUET, &job.shim, &error) != ORIEL_OK)
        fail("Arrow", error.message);
    compare(&job);
    return 0;
}
