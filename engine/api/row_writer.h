/*
 * Rows of a running query into a file: formats morsels on all workers, writes them in order. Where
 * exec, which computes, and io, which formats, meet.
 */
#pragma once

#include <pthread.h>

#include "engine/exec/exec.h"
#include "engine/io/formatter.h"
#include "engine/io/output_file.h"

struct oriel_written_piece {
    struct oriel_format_piece format;
    unsigned worker;                  /* that fills it, now and later */
    struct oriel_written_piece *next; /* in the list of free pieces */
};

struct oriel_row_writer {
    struct oriel_memory *memory;
    const struct oriel_formatter *formatter;
    struct oriel_output_file *file;
    uint32_t column_count;
    bool escape_controls;
    const char *lead; /* text before the first byte, or NULL */
    const char *const
        *required; /* names of columns that may not be NULL, NULL for others; or NULL */
    bool has_begun;
    uint64_t row_count;
    pthread_mutex_t lock; /* guards free_pieces */
    struct oriel_written_piece *free_pieces;
};

/* Fact 55 of tests/flink/README.md: no NULL in a column whose name stands in `required`, an entry a
 * column, which may be NULL as a whole. */
enum oriel_status oriel_check_required(const char *const *required, const struct oriel_batch *batch,
                                       struct oriel_error *error);

void oriel_row_writer_init(struct oriel_row_writer *writer, struct oriel_memory *memory,
                           const struct oriel_formatter *formatter, struct oriel_output_file *file,
                           uint32_t column_count);
void oriel_row_writer_deinit(struct oriel_row_writer *writer);

/* For oriel_execution_run. */
struct oriel_piece_maker oriel_row_writer_maker(struct oriel_row_writer *writer);

/* Formats and writes one batch on this thread. */
enum oriel_status oriel_row_writer_add(struct oriel_row_writer *writer,
                                       const struct oriel_batch *batch, struct oriel_error *error);

/* Writes what stands behind the last row. The file is not committed. */
enum oriel_status oriel_row_writer_finish(struct oriel_row_writer *writer,
                                          struct oriel_error *error);
