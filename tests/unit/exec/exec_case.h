/*
 * What the tests of exec share: rows of one fixed shape with a plain model of them, runtimes of
 * every kind, and plans run to text.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/exec/exec.h"
#include "engine/exec/table_source.h"
#include "engine/exec/task_pool.h"

enum { CASE_INT, CASE_TEXT, CASE_TIME, CASE_LONG, CASE_DOUBLE, CASE_FLAG, CASE_COLUMNS };

/* One row: INT, STRING, TIMESTAMP(3), BIGINT, DOUBLE, BOOLEAN. */
struct case_row {
    bool null[CASE_COLUMNS];
    int32_t number;
    char text[40];
    int64_t time_ms;
    int64_t wide;
    double real;
    bool flag;
};

struct case_rows {
    size_t count;
    struct case_row *rows;
};

extern const struct oriel_schema case_schema;

/* A generator of its own, so that cases are the same everywhere. */
struct case_random {
    uint64_t state;
};
uint64_t case_next(struct case_random *random);
uint64_t case_below(struct case_random *random, uint64_t bound);

struct case_shape {
    size_t row_count;
    unsigned key_count;    /* distinct numbers and texts */
    int64_t time_span_ms;  /* times lie in [-span / 2, span / 2) */
    unsigned null_percent; /* of every column but the time */
    unsigned null_time_percent;
    bool sorted; /* by time */
};
struct case_rows case_make_rows(struct case_random *random, const struct case_shape *shape);
void case_free_rows(struct case_rows *rows);

/* How a plan is run. */
struct case_setting {
    unsigned thread_count;
    size_t batch_rows;
    size_t limit_bytes;
    size_t morsel_rows;
    bool pull;
    size_t fail_after; /* the n-th allocation of the execution fails; 0: none */
};
extern const struct case_setting case_settings[];
extern const size_t case_setting_count;

struct case_engine {
    struct oriel_memory memory;
    struct oriel_runtime runtime;
    struct oriel_progress progress;
    atomic_bool cancelled;
};
void case_engine_open(struct case_engine *engine, const struct case_setting *setting);
void case_engine_close(struct case_engine *engine); /* asserts that nothing leaked */

void case_make_table(struct oriel_memory *memory, const struct case_rows *rows,
                     struct oriel_table *table);

/* A SCAN of the rows with that number. */
struct oriel_plan case_scan(uintptr_t number);

/* Lines of text that grow. */
struct case_text {
    char *bytes;
    size_t length, capacity;
};
void case_print(struct case_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void case_print_cell(struct case_text *text, const struct case_row *row, int column);
void case_print_row(struct case_text *text, const struct case_row *row); /* without line end */

/* Runs the plan over the inputs and returns the rows as lines; on failure the status with `error`.
 */
enum oriel_status case_run(const struct oriel_plan *plan, const struct case_rows *const *inputs,
                           const struct case_setting *setting, struct case_text *out,
                           struct oriel_error *error);

/* Whether the last run asked for fewer allocations than fail_after. */
extern bool case_outlived_failure;

/* Runs it in every setting and compares with `expected`. */
void case_check(const struct oriel_plan *plan, const struct case_rows *const *inputs,
                const struct case_text *expected);

/* The order of a column: NULL lowest, NaN largest. */
int case_compare(const struct case_row *a, const struct case_row *b, int column);
