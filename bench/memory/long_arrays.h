/*
 * A table in the form that whoever keeps it in memory would choose: long arrays, with strings as
 * codes of one dictionary a column.
 */
#pragma once

#include <oriel/oriel.h>
#include <stddef.h>

struct long_column;

struct long_table {
    struct ArrowSchema schema; /* of the arrays; borrows the names of the one they came with */
    struct ArrowArray *arrays;
    size_t array_count;
    struct long_column *columns;
};

/* Copies arrays of numbers, times and strings without NULLs. Exits with a message when memory runs
 * out or a column is of another type. */
void long_table_make(const struct ArrowSchema *schema, const struct ArrowArray *arrays,
                     size_t array_count, struct long_table *out);
void long_table_free(struct long_table *table);
