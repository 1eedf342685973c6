/*
 * A CSV text, how it is to be read, and what came out: shared by the unit tests and the fuzz
 * target.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/columns/value_text.h"
#include "engine/io/csv_source.h"

enum { CSV_CASE_COLUMNS_MAX = 16, CSV_CASE_WORKERS_MAX = 4 };

struct csv_case {
    const char *text;
    size_t length;
    struct oriel_csv_options options;
    struct oriel_field fields[CSV_CASE_COLUMNS_MAX];
    uint32_t field_count;
    struct oriel_csv_column columns[CSV_CASE_COLUMNS_MAX];
    uint32_t column_count;
    int32_t rowtime;
    bool passes_over; /* bad rows, up to max_rejects */
    uint64_t max_rejects;
};

/* How a case is read; must make no difference to what comes out. */
struct csv_setup {
    size_t chunk_bytes;
    size_t batch_rows;
    unsigned worker_count;
    bool pipe;
    const char *isa;     /* NULL: the best */
    size_t fail_at_call; /* the allocation that fails, from 1; 0: none */
    size_t limit_bytes;  /* of memory; 0: none */
};

/* Rows in input order, a line each; then the error. */
struct csv_outcome {
    struct oriel_memory memory;
    struct oriel_text_buffer rows;
    struct oriel_text_buffer rejects; /* line, column, raw text: a line each */
    uint64_t row_count;
    enum oriel_status status;
    struct oriel_error error;
    unsigned lenient_notes;
    char note[512];
};

void csv_case_init(struct csv_case *test, const char *text, size_t length);
void csv_case_add(struct csv_case *test, const char *name, struct oriel_type type, bool wanted);

/* Reads the text, or the file `path` if it is not NULL. */
void csv_case_read(const struct csv_case *test, const struct csv_setup *setup, const char *path,
                   struct csv_outcome *outcome);
void csv_outcome_deinit(struct csv_outcome *outcome);

/* Appends a value in the form that csv_case_read gives. */
void csv_case_print(struct oriel_text_buffer *out, const struct oriel_column *column, size_t row);

/* True when rows, status, message and line agree. After an error the rows of later morsels may have
 * come or not, so then only the rows that both have count. */
bool csv_outcome_same(const struct csv_outcome *a, const struct csv_outcome *b);

/* csv_model.c: the same by a simple parser that reads byte by byte and knows nothing of chunks. Of
 * the error only status and line are set, and the start of the message. */
void csv_model_read(const struct csv_case *test, struct csv_outcome *outcome);
