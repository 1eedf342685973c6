/* Hand-built Arrow data for tests: schemas, arrays and streams that count their releases. */
#pragma once

#include <stdatomic.h>

#include "oriel/oriel.h"

enum { ARROW_COLUMNS_MAX = 8, ARROW_ARRAYS_MAX = 4 };

/* A stream over arrays of the test; everything must outlive it. */
struct arrow_case {
    struct ArrowSchema schema;
    struct ArrowSchema columns[ARROW_COLUMNS_MAX];
    struct ArrowSchema *column_pointers[ARROW_COLUMNS_MAX];
    struct ArrowArray arrays[ARROW_ARRAYS_MAX];
    struct ArrowArray children[ARROW_ARRAYS_MAX][ARROW_COLUMNS_MAX];
    struct ArrowArray *child_pointers[ARROW_ARRAYS_MAX][ARROW_COLUMNS_MAX];
    size_t column_count;
    size_t array_count;
    size_t next_array;
    int failing_call; /* get_next fails at this call, counted from 1; 0: never */
    int schema_released, stream_released;
    atomic_int array_released; /* by several threads at a time */
};

/* Adds a column to the schema. */
void arrow_add_column(struct arrow_case *it, const char *name, const char *format, int64_t flags);

/* Adds an array of `length` rows from `offset` on; its columns are filled by arrow_set_column. */
void arrow_add_array(struct arrow_case *it, int64_t length, int64_t offset);

/* Gives column `column` of the last array its buffers, for `length` rows from `offset` on. */
struct ArrowArray *arrow_set_column(struct arrow_case *it, size_t column, int64_t length,
                                    int64_t offset, int64_t null_count, const void **buffers,
                                    int64_t buffer_count);

struct ArrowArrayStream arrow_open(struct arrow_case *it);
