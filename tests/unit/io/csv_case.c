/*
 * Reads a CSV case with a number of workers on plain threads and puts their rows in order.
 */
#include "tests/unit/io/csv_case.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/io/rejects.h"
#include "kernels/kernels.h"

struct row {
    uint64_t place;
    size_t begin;
    size_t end;
    const struct worker *worker;
};

struct worker {
    struct oriel_source *source;
    unsigned number;
    pthread_t thread;
    struct oriel_memory memory;
    struct oriel_text_buffer text;
    struct row *rows;
    size_t row_count;
    size_t row_capacity;
    size_t batch_rows;
    uint64_t last_morsel;
    uint64_t last_place;
    bool has_place;
    enum oriel_status status;
    struct oriel_error error;
};

static void fail(const char *what) {
    fprintf(stderr, "csv_case: %s\n", what);
    abort();
}

void csv_case_init(struct csv_case *test, const char *text, size_t length) {
    *test = (struct csv_case){.text = text, .length = length, .rowtime = -1};
    oriel_csv_options_init(&test->options);
}

void csv_case_add(struct csv_case *test, const char *name, struct oriel_type type, bool wanted) {
    if (wanted)
        test->columns[test->column_count++] =
            (struct oriel_csv_column){ORIEL_CSV_FIELD, test->field_count};
    test->fields[test->field_count++] = (struct oriel_field){name, type};
}

static void print(struct oriel_text_buffer *out, const char *format, long long number) {
    char text[64];
    const int length = snprintf(text, sizeof text, format, number);
    if (oriel_text_buffer_append(out, text, (size_t)length) != ORIEL_OK)
        fail("memory");
}

void csv_case_print(struct oriel_text_buffer *out, const struct oriel_column *column, size_t row) {
    if (oriel_column_is_null(column, row)) {
        print(out, "NULL|", 0);
    } else if (column->type.id == ORIEL_TYPE_TIMESTAMP_LTZ && column->type.precision <= 3) {
        print(out, "%lldms|", ((const int64_t *)column->values)[row]);
    } else if (oriel_type_physical(&column->type) == ORIEL_PHYSICAL_STRING) {
        const struct oriel_string *value = &oriel_column_strings(column)[row];
        print(out, "'%lld:", (long long)value->length);
        if (oriel_text_buffer_append(out, oriel_string_bytes(value), value->length) != ORIEL_OK)
            fail("memory");
        print(out, "'|", 0);
    } else {
        if (oriel_value_print(out, column, row, NULL) != ORIEL_OK)
            fail("memory");
        print(out, "|", 0);
    }
}

static void add_row(struct worker *worker, const struct oriel_batch *batch, size_t row) {
    if (worker->row_count == worker->row_capacity) {
        worker->row_capacity = worker->row_capacity ? 2 * worker->row_capacity : 64;
        worker->rows = realloc(worker->rows, worker->row_capacity * sizeof *worker->rows);
        if (!worker->rows)
            fail("memory");
    }
    struct row *to = &worker->rows[worker->row_count++];
    *to = (struct row){batch->first_row + row, worker->text.length, 0, worker};
    for (uint32_t c = 0; c < batch->column_count; c++)
        csv_case_print(&worker->text, &batch->columns[c], row);
    print(&worker->text, "\n", 0);
    to->end = worker->text.length;
}

static enum oriel_status collect(void *context, const struct oriel_batch *batch,
                                 struct oriel_error *error) {
    struct worker *worker = context;
    (void)error;
    if (batch->row_count == 0 || batch->row_count > worker->batch_rows)
        fail("a batch of a wrong size");
    if (worker->has_place && batch->first_row <= worker->last_place)
        fail("rows out of order within a worker");
    worker->has_place = true;
    worker->last_place = batch->first_row + batch->row_count - 1;
    for (size_t i = 0; i < batch->row_count; i++)
        add_row(worker, batch, i);
    return ORIEL_OK;
}

static void *run(void *context) {
    struct worker *worker = context;
    const struct oriel_source_operations *operations = worker->source->operations;
    while (worker->status == ORIEL_OK) {
        struct oriel_morsel morsel;
        worker->status = operations->claim(worker->source, &morsel, &worker->error);
        worker->last_morsel = morsel.number;
        if (worker->status == ORIEL_OK)
            worker->status = operations->read(worker->source, worker->number, &morsel, collect,
                                              worker, &worker->error);
    }
    return NULL;
}

static int compare_rows(const void *a, const void *b) {
    const uint64_t x = ((const struct row *)a)->place, y = ((const struct row *)b)->place;
    return (x > y) - (x < y);
}

static void join_rows(struct worker *workers, unsigned count, struct csv_outcome *outcome) {
    size_t total = 0;
    for (unsigned i = 0; i < count; i++)
        total += workers[i].row_count;
    struct row *all = malloc((total + 1) * sizeof *all);
    if (!all)
        fail("memory");
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        if (workers[i].row_count)
            memcpy(all + at, workers[i].rows, workers[i].row_count * sizeof *all);
        at += workers[i].row_count;
    }
    qsort(all, total, sizeof *all, compare_rows);
    for (size_t i = 0; i < total; i++) {
        if (i && all[i].place == all[i - 1].place)
            fail("two rows at one place");
        if (oriel_text_buffer_append(&outcome->rows, all[i].worker->text.bytes + all[i].begin,
                                     all[i].end - all[i].begin) != ORIEL_OK)
            fail("memory");
    }
    outcome->row_count = total;
    free(all);
}

static void note(void *context, const char *text) {
    struct csv_outcome *outcome = context;
    outcome->lenient_notes++;
    snprintf(outcome->note, sizeof outcome->note, "%s", text);
}

static void run_workers(struct oriel_source *source, const struct csv_setup *setup,
                        struct csv_outcome *outcome) {
    struct worker workers[CSV_CASE_WORKERS_MAX] = {0};
    for (unsigned i = 0; i < setup->worker_count; i++) {
        workers[i].source = source;
        workers[i].number = i;
        workers[i].batch_rows = setup->batch_rows;
        oriel_text_buffer_init(&workers[i].text, &workers[i].memory);
        if (i > 0 && pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0)
            fail("no thread");
    }
    run(&workers[0]);
    outcome->status = ORIEL_DONE;
    for (unsigned i = 0; i < setup->worker_count; i++) {
        if (i > 0)
            pthread_join(workers[i].thread, NULL);
        if (workers[i].status == ORIEL_DONE)
            continue;
        if (outcome->status != ORIEL_DONE &&
            strcmp(outcome->error.message, workers[i].error.message) != 0)
            fail("workers report different errors");
        outcome->status = workers[i].status;
        outcome->error = workers[i].error;
    }
    join_rows(workers, setup->worker_count, outcome);
    for (unsigned i = 0; i < setup->worker_count; i++) {
        free(workers[i].rows);
        oriel_text_buffer_deinit(&workers[i].text);
    }
}

static int keep_reject(void *context, const struct oriel_rejected_row *row) {
    struct csv_outcome *outcome = context;
    char lead[128];
    snprintf(lead, sizeof lead, "%llu %s: ", (unsigned long long)row->line, row->column);
    if (oriel_text_buffer_append(&outcome->rejects, lead, strlen(lead)) != ORIEL_OK ||
        oriel_text_buffer_append(&outcome->rejects, row->raw, row->raw_length) != ORIEL_OK ||
        oriel_text_buffer_append(&outcome->rejects, "\n", 1) != ORIEL_OK)
        fail("memory");
    return 0;
}

void csv_case_read(const struct csv_case *test, const struct csv_setup *setup, const char *path,
                   struct csv_outcome *outcome) {
    *outcome = (struct csv_outcome){0};
    oriel_text_buffer_init(&outcome->rows, &outcome->memory);
    oriel_text_buffer_init(&outcome->rejects, &outcome->memory);
    const struct oriel_isa *isa =
        setup->isa ? oriel_isa_by_name(setup->isa) : oriel_isa_best(oriel_cpu_features());
    struct oriel_memory memory = {.fail_at_call = setup->fail_at_call,
                                  .limit_bytes = setup->limit_bytes};
    struct oriel_runtime runtime = {
        .memory = &memory,
        .kernels = isa->kernels,
        .thread_count = setup->worker_count,
        .batch_rows = setup->batch_rows,
        .note = note,
        .note_context = outcome,
    };
    struct oriel_csv_options options = test->options;
    options.chunk_bytes = setup->chunk_bytes;
    const struct oriel_csv_request request = {
        .fields = {test->field_count, test->fields},
        .column_count = test->column_count,
        .columns = test->columns,
        .rowtime = test->rowtime,
    };
    struct oriel_source *source = NULL;
    if (test->passes_over)
        outcome->status = oriel_rejects_open(&runtime, test->max_rejects, keep_reject, outcome,
                                             &runtime.rejects, &outcome->error);
    if (outcome->status != ORIEL_OK)
        return;
    struct oriel_file_list files;
    if (path) {
        outcome->status = oriel_file_list_init(&files, &memory, path, &outcome->error);
        if (outcome->status == ORIEL_OK)
            outcome->status = oriel_csv_source_open(&runtime, &files, &options, &request, &source,
                                                    &outcome->error);
    } else
        outcome->status =
            oriel_csv_text_source_open(&runtime, "text", test->text, test->length, !setup->pipe,
                                       &options, &request, &source, &outcome->error);
    if (outcome->status == ORIEL_OK)
        outcome->status = source->operations->start(source, setup->worker_count, &outcome->error);
    if (outcome->status == ORIEL_OK)
        run_workers(source, setup, outcome);
    if (source)
        source->operations->close(source);
    oriel_rejects_close(&runtime.rejects);
    if (memory.used_bytes != 0)
        fail("memory is left behind");
}

void csv_outcome_deinit(struct csv_outcome *outcome) {
    outcome->rows.memory = &outcome->memory; /* it may have been moved */
    oriel_text_buffer_deinit(&outcome->rows);
    outcome->rejects.memory = &outcome->memory;
    oriel_text_buffer_deinit(&outcome->rejects);
}

bool csv_outcome_same(const struct csv_outcome *a, const struct csv_outcome *b) {
    const size_t shorter = a->rows.length < b->rows.length ? a->rows.length : b->rows.length;
    return a->status == b->status &&
           (a->rows.length == b->rows.length || a->status != ORIEL_DONE) &&
           (shorter == 0 || memcmp(a->rows.bytes, b->rows.bytes, shorter) == 0) &&
           strcmp(a->error.message, b->error.message) == 0 && a->error.line == b->error.line &&
           strcmp(a->note, b->note) == 0;
}
