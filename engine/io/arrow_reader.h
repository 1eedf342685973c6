/*
 * Inside the reading of Parquet and Arrow files: the source, its files, and what each worker has.
 */
#pragma once

#include <pthread.h>

#include "engine/io/arrow_column.h"
#include "engine/io/arrow_file.h"
#include "engine/io/arrow_source.h"
#include "engine/io/file_property.h"

enum {
    ARROW_ARRAY_ROWS = 65536, /* that Arrow decodes at once */
    ARROW_BLOCK_ROWS = 65536, /* of a morsel of a stream */
    ARROW_FEW_BATCHES = 8,    /* fewer than so many may be too large for a morsel each */
};

/* An open file. References: the source while it claims from it, its morsels, workers' readers. */
struct arrow_file {
    struct oriel_arrow_input input;
    struct ArrowSchema stream_schema; /* of the arrays, when they are read in order */
    struct oriel_file_properties properties;
    int *needed; /* field of the file for each needed column of the source */
    int *fields; /* the same, ascending and once each */
    int field_count;
    unsigned reference_count;
    struct arrow_file *next; /* in the list of open files */
};

/* An array of a file that can only be read in order, shared by its morsels. */
struct arrow_block {
    struct ArrowArray array;
    int64_t left_rows;
};

/* What a morsel stands for. */
struct arrow_claim {
    struct arrow_file *file;
    int64_t part;
    struct arrow_block *block; /* or NULL */
    int64_t begin, end;        /* rows of the block */
    uint64_t first_row;        /* of all the input */
    int64_t file_row;          /* of its first row in the file; -1: unknown */
    uint64_t progress_bytes;
    struct arrow_claim *next; /* in the list of open claims */
    struct arrow_claim *before;
};

/* A column of the table that is read: wanted, or looked at for NULLs only. */
struct arrow_needed {
    uint32_t field; /* of the request */
    bool is_rowtime;
    bool forbids_null;
};

/* A reader of one worker. */
struct arrow_worker {
    struct arrow_file *file; /* of `reader` */
    struct oriel_arrow_reader *reader;
    struct oriel_column_buffers buffers; /* of the wanted columns, then the needed ones */
    struct oriel_arrow_target *targets;  /* one for each needed column */
    uint32_t *children;                  /* child of the arrays for each needed column */
    struct oriel_column *needed;
    struct oriel_column *wanted; /* of the batch */
    int64_t *rows;
    struct oriel_arena arena;       /* of the part: names of columns */
    struct oriel_arena batch_arena; /* nested values */
    bool is_ready;
};

struct arrow_source {
    struct oriel_source base;
    const struct oriel_runtime *runtime;
    const struct oriel_arrow_shim *shim;
    enum oriel_arrow_format format;
    struct oriel_csv_request request;
    struct oriel_arrow_bounds bounds;
    struct oriel_arena arena;
    struct oriel_schema needed_schema;
    struct arrow_needed *needed;
    uint32_t needed_count;
    int32_t *needed_of; /* for each wanted column the needed one, -1 for a property of the file */
    enum oriel_arrow_unit int96_unit;
    struct arrow_worker *workers;
    unsigned worker_count;

    pthread_mutex_t lock; /* guards all below */
    struct oriel_file_list list;
    size_t next_file;
    struct arrow_file *file; /* that is being claimed from */
    int64_t part, part_count;
    int64_t file_row;
    struct oriel_arrow_reader *stream; /* reads a file in order: a stream, or few batches */
    struct arrow_block *block;
    int64_t block_row;
    uint64_t row_count; /* claimed so far */
    uint64_t claim_count;
    struct oriel_error failure; /* of a claim: all later ones fail as well */
    struct arrow_file *files;
    struct arrow_claim *claims;
};

/* Gives the next claim; ORIEL_DONE behind the last. */
enum oriel_status arrow_claim_next(struct arrow_source *source, struct arrow_claim **out,
                                   struct oriel_error *error);
/* Gives a claim back. */
void arrow_claim_release(struct arrow_source *source, struct arrow_claim *claim);
void arrow_file_release(struct arrow_source *source, struct arrow_file *file);
void arrow_file_keep(struct arrow_source *source, struct arrow_file *file);
/* Frees what is left of files and claims. */
void arrow_claims_close(struct arrow_source *source);

/* Pushes the rows of a claim. */
enum oriel_status arrow_worker_read(struct arrow_source *source, struct arrow_worker *worker,
                                    const struct arrow_claim *claim, oriel_push *push,
                                    void *context, struct oriel_error *error);
enum oriel_status arrow_worker_init(struct arrow_source *source, struct arrow_worker *worker,
                                    struct oriel_error *error);
void arrow_worker_deinit(struct arrow_source *source, struct arrow_worker *worker);
