/*
 * bench_memory TABLES.sql QUERY.sql --table NAME=FILE ... : times a query over tables in memory.
 * The tables, created by TABLES.sql, are read from their files once into Arrow arrays: long ones
 * with strings as codes of a dictionary, with --plain the short ones that a query gives. Each run
 * then opens an engine, gives it the arrays as streams, and keeps the result as Arrow arrays.
 * Prints the seconds from opening the engine to the last array, those of all processors together,
 * and the number of rows, one run a line.
 */
#include <oriel/oriel.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/memory/long_arrays.h"

enum { TABLES_MAX = 4 };

struct arrays {
    struct ArrowArray *items;
    size_t count, capacity;
};

struct table {
    const char *name, *path;
    struct ArrowSchema schema;
    struct arrays arrays;
    struct long_table long_table;
    const struct ArrowSchema *lent_schema;
    const struct ArrowArray *lent_arrays;
    size_t lent_count;
};

struct job {
    char *tables_text, *query_text;
    const char *isa;
    uint32_t thread_count, run_count;
    bool plain;
    struct table tables[TABLES_MAX];
    size_t table_count;
};

/* A stream that lends the arrays of a table. */
struct lender {
    const struct table *table;
    size_t next;
};

static void fail(const char *what, const struct oriel_error *error) {
    fprintf(stderr, "bench_memory: %s: %s\n", what, error ? error->message : "out of memory");
    exit(1);
}

static void check(enum oriel_status status, const char *what, const struct oriel_error *error) {
    if (status != ORIEL_OK)
        fail(what, error);
}

static void *must(void *block) {
    if (!block)
        fail("memory", NULL);
    return block;
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    char *text = must(calloc(1, 1 << 16));
    const size_t length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void lent_array_release(struct ArrowArray *array) {
    array->release = NULL;
}
static void lent_schema_release(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static int lender_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    *out = *((const struct lender *)stream->private_data)->table->lent_schema;
    out->release = lent_schema_release;
    return 0;
}

static int lender_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct lender *lender = stream->private_data;
    memset(out, 0, sizeof *out);
    if (lender->next < lender->table->lent_count) {
        *out = lender->table->lent_arrays[lender->next++];
        out->release = lent_array_release;
    }
    return 0;
}

static const char *lender_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return NULL;
}

static void lender_release(struct ArrowArrayStream *stream) {
    free(stream->private_data);
    stream->release = NULL;
}

static void lend(const struct table *table, struct ArrowArrayStream *out) {
    struct lender *lender = must(malloc(sizeof *lender));
    *lender = (struct lender){table, 0};
    *out =
        (struct ArrowArrayStream){lender_schema, lender_next, lender_error, lender_release, lender};
}

static void arrays_add(struct arrays *arrays, const struct ArrowArray *array) {
    if (arrays->count == arrays->capacity) {
        arrays->capacity = arrays->capacity ? arrays->capacity * 2 : 64;
        arrays->items = must(realloc(arrays->items, arrays->capacity * sizeof *arrays->items));
    }
    arrays->items[arrays->count++] = *array;
}

static void arrays_close(struct arrays *arrays) {
    for (size_t i = 0; i < arrays->count; i++) {
        if (arrays->items[i].release)
            arrays->items[i].release(&arrays->items[i]);
    }
    free(arrays->items);
    *arrays = (struct arrays){0};
}

/* Reads a result to its end; -> rows. */
static uint64_t keep(struct ArrowArrayStream *stream, struct arrays *out) {
    uint64_t row_count = 0;
    for (;;) {
        struct ArrowArray array = {0};
        if (stream->get_next(stream, &array) != 0) {
            fprintf(stderr, "bench_memory: %s\n", stream->get_last_error(stream));
            exit(1);
        }
        if (!array.release)
            return row_count;
        row_count += (uint64_t)array.length;
        arrays_add(out, &array);
    }
}

static struct oriel_engine *open_engine(const struct job *job) {
    struct oriel_engine_options options = ORIEL_ENGINE_OPTIONS_INIT;
    options.thread_count = job->thread_count;
    options.isa = job->isa;
    struct oriel_engine *engine = NULL;
    struct oriel_error error = {0};
    check(oriel_engine_open(&options, &engine, &error), "open", &error);
    return engine;
}

/* Runs a script; the rows of its last query go to `stream` when that is not NULL. */
static struct oriel_script *run_script(struct oriel_engine *engine, const char *text,
                                       struct ArrowArrayStream *stream) {
    struct oriel_script *script = NULL;
    struct oriel_error error = {0};
    check(oriel_script_open(engine, text, strlen(text), "script", &script, &error), "script",
          &error);
    for (;;) {
        struct oriel_result *result = NULL;
        const enum oriel_status status = oriel_script_next(script, &result, &error);
        if (status == ORIEL_DONE)
            return script;
        check(status, "statement", &error);
        if (stream && oriel_result_kind(result) == ORIEL_RESULT_ROWS) {
            check(oriel_result_export_arrow(&result, stream, &error), "export", &error);
            return script;
        }
        oriel_result_close(&result);
    }
}

static void load(const struct job *job, struct table *table) {
    struct oriel_engine *engine = open_engine(job);
    struct oriel_error error = {0};
    check(oriel_engine_set_source(engine, table->name, table->path, &error), "source", &error);
    struct oriel_script *tables = run_script(engine, job->tables_text, NULL);
    oriel_script_close(&tables);
    char text[256];
    struct ArrowArrayStream stream = {0};
    snprintf(text, sizeof text, "SELECT * FROM %s", table->name);
    struct oriel_script *script = run_script(engine, text, &stream);
    if (stream.get_schema(&stream, &table->schema) != 0)
        fail(table->name, NULL);
    keep(&stream, &table->arrays);
    stream.release(&stream);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
    table->lent_schema = &table->schema;
    table->lent_arrays = table->arrays.items;
    table->lent_count = table->arrays.count;
    if (job->plain)
        return;
    long_table_make(&table->schema, table->arrays.items, table->arrays.count, &table->long_table);
    arrays_close(&table->arrays);
    table->lent_schema = &table->long_table.schema;
    table->lent_arrays = table->long_table.arrays;
    table->lent_count = table->long_table.array_count;
}

static void run_once(const struct job *job) {
    const double began = now(CLOCK_MONOTONIC), processors_began = now(CLOCK_PROCESS_CPUTIME_ID);
    struct oriel_engine *engine = open_engine(job);
    struct oriel_error error = {0};
    for (size_t i = 0; i < job->table_count; i++) {
        struct ArrowArrayStream stream;
        lend(&job->tables[i], &stream);
        check(oriel_engine_register_stream(engine, job->tables[i].name, &stream, ORIEL_STREAM_KEEP,
                                           &error),
              job->tables[i].name, &error);
    }
    struct ArrowArrayStream result = {0};
    struct arrays rows = {0};
    struct oriel_script *script = run_script(engine, job->query_text, &result);
    const uint64_t row_count = keep(&result, &rows);
    printf("%.4f %.4f %llu\n", now(CLOCK_MONOTONIC) - began,
           now(CLOCK_PROCESS_CPUTIME_ID) - processors_began, (unsigned long long)row_count);
    fflush(stdout);
    arrays_close(&rows);
    result.release(&result);
    oriel_script_close(&script);
    oriel_engine_close(&engine);
}

static void usage(void) {
    fputs("usage: bench_memory TABLES.sql QUERY.sql --table NAME=FILE ... [--threads N] [--runs N] "
          "[--isa NAME] [--plain]\n",
          stderr);
    exit(2);
}

int main(int count, char **words) {
    struct job job = {.run_count = 1};
    if (count < 3)
        usage();
    job.tables_text = read_text(words[1]);
    job.query_text = read_text(words[2]);
    for (int i = 3; i < count; i++) {
        const char *option = words[i];
        if (strcmp(option, "--plain") == 0) {
            job.plain = true;
            continue;
        }
        if (++i == count)
            usage();
        char *value = words[i], *equals = strchr(value, '=');
        if (strcmp(option, "--threads") == 0) {
            job.thread_count = (uint32_t)strtoul(value, NULL, 10);
        } else if (strcmp(option, "--runs") == 0) {
            job.run_count = (uint32_t)strtoul(value, NULL, 10);
        } else if (strcmp(option, "--isa") == 0) {
            job.isa = value;
        } else if (strcmp(option, "--table") == 0 && equals && job.table_count < TABLES_MAX) {
            *equals = '\0';
            job.tables[job.table_count++] = (struct table){.name = value, .path = equals + 1};
        } else {
            usage();
        }
    }
    if (!job.table_count)
        usage();
    for (size_t i = 0; i < job.table_count; i++)
        load(&job, &job.tables[i]);
    for (uint32_t i = 0; i < job.run_count; i++)
        run_once(&job);
    for (size_t i = 0; i < job.table_count; i++) {
        long_table_free(&job.tables[i].long_table);
        arrays_close(&job.tables[i].arrays);
        job.tables[i].schema.release(&job.tables[i].schema);
    }
    free(job.tables_text);
    free(job.query_text);
    return 0;
}
