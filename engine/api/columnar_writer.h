/*
 * Rows of a running query into a Parquet or Arrow file: workers make arrays of their batches, which
 * are encoded in order. The counterpart of row_writer.h.
 */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/io/arrow_output.h"

struct oriel_columnar_writer {
    struct oriel_memory *memory;
    struct oriel_arrow_output *output;
    const char *const *required; /* as in struct oriel_row_writer */
    uint64_t row_count;
};

/* `zone` stands in the types of TIMESTAMP_LTZ. ORIEL_UNSUPPORTED names a nested column. */
enum oriel_status oriel_columnar_writer_init(struct oriel_columnar_writer *writer,
                                             struct oriel_memory *memory,
                                             struct oriel_schema schema, const char *zone,
                                             const struct oriel_arrow_output_options *options,
                                             struct oriel_output_file *file,
                                             struct oriel_error *error);
void oriel_columnar_writer_deinit(struct oriel_columnar_writer *writer);

/* For oriel_execution_run. */
struct oriel_piece_maker oriel_columnar_writer_maker(struct oriel_columnar_writer *writer);

/* Writes one batch on this thread. */
enum oriel_status oriel_columnar_writer_add(struct oriel_columnar_writer *writer,
                                            const struct oriel_batch *batch,
                                            struct oriel_error *error);

/* Writes what stands behind the last row. The file is not committed. */
enum oriel_status oriel_columnar_writer_finish(struct oriel_columnar_writer *writer,
                                               struct oriel_error *error);
