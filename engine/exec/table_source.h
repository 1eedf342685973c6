/*
 * Rows in memory as a source, and rows that are made one piece after the other as a source.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/source.h"

/* A source over the rows of `table`, in morsels of about `morsel_rows` rows (0: some batches). The
 * table must outlive the source; with `owned` it was allocated as one block of runtime->memory, and
 * the source deinits and releases it when it is closed (not when this call fails). */
enum oriel_status oriel_table_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_table *table, bool owned, size_t morsel_rows,
                                          struct oriel_source **out, struct oriel_error *error);

/* Makes rows in order; called by one thread at a time. */
struct oriel_generator;
struct oriel_generator_operations {
    /* Appends about row_count rows, the next ones, to an empty table; none: the end. */
    enum oriel_status (*next)(struct oriel_generator *generator, struct oriel_table *table,
                              size_t row_count, struct oriel_error *error);
    void (*close)(struct oriel_generator *generator);
};
struct oriel_generator {
    const struct oriel_generator_operations *operations;
};

/* A source of the rows that `generator` makes: each claim makes a morsel. Takes the generator over;
 * closes it when this call fails too. */
enum oriel_status oriel_generator_source_open(const struct oriel_runtime *runtime,
                                              struct oriel_generator *generator,
                                              struct oriel_schema schema, struct oriel_source **out,
                                              struct oriel_error *error);

/* Pushes the rows of a table, whose row 0 is `first_row` of the input, in batches. Only the first
 * `column_count` columns are handed on. */
enum oriel_status oriel_table_push(const struct oriel_runtime *runtime,
                                   const struct oriel_table *table, uint32_t column_count,
                                   size_t begin, size_t end, uint64_t first_row, oriel_push *push,
                                   void *context, struct oriel_error *error);
