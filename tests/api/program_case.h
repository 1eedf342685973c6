/* What the tests of the API share: run SQL and collect the text of its results. */
#pragma once

#include <stddef.h>

#include "oriel/oriel.h"

/* Texts that grow; zeroed at the start. */
struct collected {
    char bytes[65536];
    size_t length;
};

/*
 * Runs all statements of `sql` and appends the rows of each, as CSV with a header, to `out`.
 * Returns ORIEL_OK, or the status of the statement that failed, with everything closed.
 */
enum oriel_status program_run(struct oriel_engine *engine, const char *sql, struct collected *out,
                              struct oriel_error *error);

/* Runs `sql`, which must succeed, and compares all its rows. */
void program_check(struct oriel_engine *engine, const char *sql, const char *expected);

/* Runs `sql`, which must fail with `status` and say `words`. */
void program_check_error(struct oriel_engine *engine, const char *sql, enum oriel_status status,
                         const char *words);

/* Runs all of `queries` over the stream, as table t, on two threads with this instruction set
 * (NULL: the best) and batches of so many rows; `out` gets the rows of them all. */
void program_run_over(const char *isa, uint32_t batch_rows, struct ArrowArrayStream *stream,
                      const char *const *queries, size_t query_count, struct collected *out);

/* An engine with default options but two threads. */
struct oriel_engine *program_open(void);

/* Makes a folder with orders.csv and goes there; returns 0. For cmocka's set-up and tear-down. */
int program_enter_folder(void **state);
int program_leave_folder(void **state);

/* CREATE TABLE orders over orders.csv: 4 rows, the shop of the last one NULL. */
extern const char program_orders[];
