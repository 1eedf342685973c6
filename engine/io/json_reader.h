/*
 * The parts of the JSON reader and what they hand to each other; only for the json_*.c of this
 * folder.
 *
 *   json_source  claims pieces of files, runs the workers' reads
 *   json_chunk   a piece of a file -> the lines that begin in it -> rows
 *   json_value   a value -> a column's value
 *   json_text    tokens
 *   json_reject  bad rows that are passed over
 *   json_error   messages, line numbers
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "engine/base/arena.h"
#include "engine/io/block_reader.h"
#include "engine/io/byte_source.h"
#include "engine/io/csv_reader.h"
#include "engine/io/file_property.h"
#include "engine/io/json_source.h"

/* ---- text ---------------------------------------------------------------------------------- */

enum json_kind {
    JSON_BROKEN, /* no JSON: cursor->expected says what should stand at cursor->at */
    JSON_NULL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_OBJECT, /* the cursor is behind the opening brace */
    JSON_ARRAY,
};

/* Where in a text the reading is. */
struct json_cursor {
    const char *at;
    const char *end;
    const char *expected; /* of a text that is broken, or NULL */
    struct oriel_arena *arena;
    bool out_of_memory;
};

struct json_token {
    enum json_kind kind;
    struct oriel_text text; /* NUMBER as written; STRING without escapes */
};

/* Reads a scalar, or the opening of an object or array. */
struct json_token json_read_token(struct json_cursor *cursor);

/* The next name of an object, with its colon; false at the end of the object, behind its brace, and
 * where the text is broken. `is_first`: no comma is wanted. */
bool json_next_name(struct json_cursor *cursor, bool is_first, struct oriel_text *name);

/* Whether another element of an array comes; false at its end, behind the bracket, or broken. */
bool json_next_element(struct json_cursor *cursor, bool is_first);

/* Skips what is left of a value whose token was read; `depth` levels are open around it. */
bool json_skip(struct json_cursor *cursor, enum json_kind kind, unsigned depth);

/* The text of an object or array whose opening was read, from its opening on, without blanks. */
bool json_compact(struct json_cursor *cursor, enum json_kind kind, struct oriel_text *out);

static inline bool json_is_broken(const struct json_cursor *cursor) {
    return cursor->expected || cursor->out_of_memory;
}

/* ---- values -------------------------------------------------------------------------------- */

/* Reads the value at the cursor as `type` into *out. CSV_VALUE_BAD: the value does not fit, and was
 * skipped, *shown being what it is; when the cursor is broken the result means nothing. */
enum csv_value_result json_value_read(const struct oriel_json_options *options,
                                      struct json_cursor *cursor, const struct oriel_type *type,
                                      unsigned depth, void *out, struct oriel_text *shown);

/* ---- source, files, workers ----------------------------------------------------------------- */

struct json_plan {
    struct oriel_csv_column column;
    int32_t output; /* column of the batch; -1: only checked */
    bool rowtime;
    size_t value_size;
    struct oriel_type type;
    const char *name;
    size_t name_length;
};

struct json_file {
    struct oriel_byte_source bytes;
    const char *path;
    struct oriel_file_properties properties;
    uint64_t chunks_left; /* claimed or to be claimed; the file is closed at 0 */
    bool is_open;
};

struct json_chunk {
    struct json_file *file;
    uint64_t number;
    const char *text;
    size_t length;
    size_t lead;           /* bytes before the piece: a range is read from the byte before it on */
    size_t begin;          /* of the first line that begins here */
    size_t limit;          /* lines that begin here or later belong to others */
    size_t bad_at;         /* the first byte that is no UTF-8, or length */
    uint64_t file_offset;  /* of text[0]; a file */
    uint64_t lines_before; /* a block: of text[0] */
    bool is_block;
};

/* Bad rows of a worker's chunk; all zero while the first is an error. */
struct json_reject_state {
    struct oriel_reject_chunk *chunk;
    uint64_t lines; /* line ends in the chunk's own text before line_at */
    const char *line_at;
    bool muted;     /* nobody wants rows any more */
    bool overtaken; /* gave up, because an earlier chunk failed */
};

struct json_worker {
    char *buffer;
    size_t capacity;
    struct json_chunk chunk;
    struct oriel_column *columns; /* one for each plan */
    uint64_t **valid;
    struct oriel_column *out; /* of the batch */
    uint64_t *seen;           /* for each plan the number of the last row that has it */
    uint32_t *order;          /* for place i among the names of a row the plan it had before */
    uint32_t *row_offsets;    /* of the batch: where the line of a row begins, - 1 */
    uint64_t row_number;
    size_t row_count;
    uint64_t rows_pushed;
    struct json_reject_state rejects;
    struct oriel_arena arena; /* of the batch */
    bool is_ready;
};

struct json_lenient {
    pthread_mutex_t mutex;
    uint64_t count;
    uint64_t number; /* of the first: morsel */
    uint64_t offset; /* in the file, or in the block */
    uint64_t line;   /* 0: not counted yet */
    struct json_file *file;
    char text[64];
};

struct json_source {
    struct oriel_source base;
    const struct oriel_runtime *runtime;
    struct oriel_json_options options;
    struct oriel_csv_request request;
    struct oriel_arena arena;
    struct oriel_file_list list;
    struct json_file *files;
    size_t file_count;
    uint32_t plan_count;
    struct json_plan *plans;
    unsigned worker_count;
    struct json_worker *workers;
    struct json_lenient lenient;
    atomic_bool failed;
    uint64_t reject_source; /* its number among the sources with bad rows */

    pthread_mutex_t lock; /* guards all below and chunks_left */
    size_t file_index;
    uint64_t next_offset;
    uint64_t claim_count;
    struct oriel_block_reader blocks; /* of a pipe */
};

/* json_pipe.c: the next block of a pipe, or NULL at its end. */
enum oriel_status json_pipe_next(struct json_source *source, struct json_file *file,
                                 struct oriel_block **out, struct oriel_error *error);

/* json_chunk.c */
enum oriel_status json_worker_prepare(struct json_source *source, struct json_worker *worker,
                                      struct oriel_error *error);
void json_worker_deinit(struct json_source *source, struct json_worker *worker);
enum oriel_status json_chunk_load(struct json_source *source, struct json_worker *worker,
                                  struct json_file *file, uint64_t begin, uint64_t end,
                                  struct oriel_error *error);
enum oriel_status json_chunk_read(struct json_source *source, struct json_worker *worker,
                                  oriel_push *push, void *context, struct oriel_error *error);

/* The first byte of the loaded chunk that belongs to it, and how many do. */
struct oriel_text json_chunk_own(const struct json_chunk *chunk);

/* json_error.c: what is wrong with a line. */
enum json_fault {
    JSON_FAULT_NONE,
    JSON_FAULT_BROKEN, /* at cursor->at, unless that is NULL: nothing but blanks */
    JSON_FAULT_NO_OBJECT,
    JSON_FAULT_ENCODING,
    JSON_FAULT_VALUE,
    JSON_FAULT_MISSING,
    JSON_FAULT_NOT_NULL,
    JSON_FAULT_ROWTIME,
};

/* Fills the error of a fault in the line at `line`; returns ORIEL_DATA. */
enum oriel_status json_fault_report(struct json_source *source, const struct json_worker *worker,
                                    enum json_fault fault, const struct json_plan *plan,
                                    struct oriel_text line, const struct json_cursor *cursor,
                                    struct oriel_text shown, struct oriel_error *error);

/* The same without file and line. */
enum oriel_status json_fault_describe(struct json_source *source, enum json_fault fault,
                                      const struct json_plan *plan, struct oriel_text line,
                                      const struct json_cursor *cursor, struct oriel_text shown,
                                      struct oriel_error *error);

/* json_reject.c: takes a chunk of the list of bad rows for a morsel. */
enum oriel_status json_reject_claim(struct json_source *source, const struct json_file *file,
                                    struct oriel_morsel *morsel, struct oriel_error *error);

/* A chunk is about to be read; is done with `status`. */
void json_reject_begin(struct json_worker *worker, const struct oriel_morsel *morsel);
enum oriel_status json_reject_finish(struct json_worker *worker, const struct oriel_morsel *morsel,
                                     enum oriel_status status, struct oriel_error *error);

/* Passes over a row at fault, `raw` in the line at `line`. Its error, ORIEL_DATA, when it is one
 * too many; ORIEL_DONE when no rows are wanted any more. */
enum oriel_status json_reject_row(struct json_worker *worker, const struct oriel_error *described,
                                  const struct json_plan *plan, const char *line,
                                  struct oriel_text raw, struct oriel_error *error);

/* Remembers a value that was read by the lenient rule; says at the end how many were. */
void json_lenient_add(struct json_source *source, const struct json_chunk *chunk, const char *line,
                      struct oriel_text shown);
void json_lenient_note(struct json_source *source);
