/*
 * The parts of the CSV reader and what they hand to each other; only for the csv_*.c of this
 * folder.
 *
 *   csv_source   claims pieces of files, runs the workers' reads
 *   csv_chain    what chunks tell their successors: quote states, failures
 *   csv_scan     bytes -> separators
 *   csv_chunk    a piece of a file -> the records that begin in it
 *   csv_record   records -> rows with the right number of fields
 *   csv_decode   fields -> columns; csv_value: one field of any form
 *   csv_reject   bad rows that are passed over
 *   csv_error    messages, line numbers
 */
#pragma once

#include <pthread.h>

#include "engine/base/arena.h"
#include "engine/io/block_reader.h"
#include "engine/io/byte_source.h"
#include "engine/io/csv_source.h"
#include "engine/io/file_property.h"
#include "engine/io/rejects.h"
#include "kernels/kernels.h"

/* ---- scan ---------------------------------------------------------------------------------- */

/* Where in a record a byte lies. The kernels know fewer states, see csv_scan.c. */
enum csv_state {
    CSV_RECORD_START, /* no byte of a record was seen since the last one ended */
    CSV_FIELD_START,
    CSV_UNQUOTED,
    CSV_QUOTED,
    CSV_QUOTE_SEEN,  /* just after a quote inside quotes */
    CSV_AFTER_QUOTE, /* blanks after the closing quote */
    CSV_ESCAPE_UNQUOTED,
    CSV_ESCAPE_QUOTED,
    CSV_COMMENT,
};

/*
 * The separators of a stretch of records, as offsets into a text of less than 4 GiB. Field c of
 * record r is text[p[c] + 1 .. p[c + 1]) with p = positions + the first entry of the record, + 1
 * modulo 2^32. shared     an entry a separator; entry 0 stands before record 0, and the entry that
 * ends a record stands before the next. '\r' before the '\n' that ends a record is part of the
 * field. separated  each record has an entry of its own before its first field.
 */
struct csv_index {
    uint32_t *positions;
    size_t position_capacity;
    uint32_t position_count;
    uint32_t *record_ends; /* the entry that ends the record */
    size_t record_capacity;
    uint32_t record_count;
    bool separated;
    uint32_t *bad_records; /* with text after a closing quote, ascending */
    size_t bad_capacity;
    uint32_t bad_count;
};

static inline uint32_t csv_first_entry(const struct csv_index *index, uint32_t record) {
    return record == 0 ? 0 : index->record_ends[record - 1] + (index->separated ? 1 : 0);
}

enum oriel_status csv_index_reserve(struct csv_index *index, struct oriel_memory *memory,
                                    size_t positions, size_t records, struct oriel_error *error);
void csv_index_deinit(struct csv_index *index, struct oriel_memory *memory);

/* The exact scanner: one byte after the other, all options. */
struct csv_scanner {
    const struct oriel_csv_options *options;
    struct oriel_memory *memory;
    struct csv_index *index; /* NULL: only states are followed */
    enum csv_state state;
    bool orphan;   /* the bytes belong to a record that began before the text: not indexed */
    bool bad;      /* the open record has text after a closing quote */
    bool after_cr; /* the byte before was the '\r' of a "\r\n" */
    size_t cut;    /* offset behind the last byte after which no record was open */
};

/*
 * Scans text[from, to); text[to] may be looked at unless `at_end`. Stops behind the first record
 * that ends when `one_record`. Gives in *stop where it stopped. The index has no more than
 * UINT32_MAX - 1 bytes of text to describe.
 */
enum oriel_status csv_scan_exact(struct csv_scanner *scanner, const char *text, size_t from,
                                 size_t to, bool at_end, bool one_record, size_t *stop,
                                 struct oriel_error *error);

/* Ends an open record at the end of the input. */
enum oriel_status csv_scan_finish(struct csv_scanner *scanner, size_t length,
                                  struct oriel_error *error);

/* The options need the exact scanner throughout. */
bool csv_options_exact(const struct oriel_csv_options *options);

/* ---- chain --------------------------------------------------------------------------------- */

struct csv_chain {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct oriel_memory *memory;
    struct csv_link *links; /* of all morsels so far */
    size_t capacity;
    uint64_t claimed_count;
    uint64_t resolved; /* links[0 .. resolved] know their start state */
    uint64_t finished; /* links[0 .. finished) are done */
    bool failed;
    uint64_t failed_number;
    struct oriel_error failure;
};

enum csv_end_kind {
    CSV_END_STATE, /* known exactly */
    CSV_END_PASS,  /* no quote in the chunk: inside stays inside, else the given state */
};

enum oriel_status csv_chain_init(struct csv_chain *chain, struct oriel_memory *memory,
                                 struct oriel_error *error);
void csv_chain_deinit(struct csv_chain *chain);

/* Adds the next link. `first`: of a file, so it starts with a record. */
enum oriel_status csv_chain_add(struct csv_chain *chain, bool first, uint64_t *number,
                                struct oriel_error *error);

/* Says how chunk `number` ends; only the first call for a chunk counts. */
void csv_chain_publish(struct csv_chain *chain, uint64_t number, enum csv_end_kind kind,
                       enum csv_state state);

/* Waits for the state in which chunk `number` starts. ORIEL_DONE when an earlier chunk failed. */
enum oriel_status csv_chain_wait(struct csv_chain *chain, uint64_t number,
                                 const struct oriel_runtime *runtime, enum csv_state *state,
                                 struct oriel_error *error);

/* True once a chunk before `number` has failed, so that work on `number` is useless. */
bool csv_chain_overtaken(struct csv_chain *chain, uint64_t number);

/* Chunk `number` is done, well or not. */
void csv_chain_finish(struct csv_chain *chain, uint64_t number);

/*
 * Chunk `number` failed with *error (ORIEL_DONE: gave up because an earlier one did). Waits until
 * all earlier chunks are done, then returns the failure of the earliest, also in *error.
 */
enum oriel_status csv_chain_fail(struct csv_chain *chain, uint64_t number, enum oriel_status status,
                                 const struct oriel_runtime *runtime, struct oriel_error *error);

/* ---- columns ------------------------------------------------------------------------------- */

/* How the fields of a column become values. */
enum csv_decoder {
    CSV_DECODE_EACH, /* no kernel: field by field */
    CSV_DECODE_I32,
    CSV_DECODE_NARROW, /* TINYINT, SMALLINT: through 32 bits */
    CSV_DECODE_I64,
    CSV_DECODE_TIMESTAMP,
    CSV_DECODE_STRING,
    CSV_DECODE_FILE, /* a property of the file */
};

struct csv_column_plan {
    enum csv_decoder decoder;
    enum oriel_csv_column_kind kind;
    uint32_t field;
    int32_t output; /* column of the batch; -1: only checked */
    bool rowtime;
    bool plain_null; /* the null literal has a form that the kernel would read as a value */
    size_t value_size;
    struct oriel_type type;
    const char *name;
};

/* ---- source, files, workers ----------------------------------------------------------------- */

struct csv_file {
    struct oriel_byte_source bytes;
    const char *path;
    struct oriel_file_properties properties;
    uint64_t chunks_left; /* claimed or to be claimed; the file is closed at 0 */
    bool is_open;
};

enum csv_fault {
    CSV_FAULT_NONE,
    CSV_FAULT_ENCODING,
    CSV_FAULT_AFTER_QUOTE,
    CSV_FAULT_UNCLOSED,
    CSV_FAULT_ESCAPE_AT_END,
    CSV_FAULT_TOO_MANY,
    CSV_FAULT_TOO_FEW,
    CSV_FAULT_VALUE,
    CSV_FAULT_ROWTIME,
    CSV_FAULT_NOT_NULL,
};

/* The records that begin in one piece of a file. */
struct csv_chunk {
    struct csv_file *file;
    uint64_t number;
    char *text; /* borrowed from the worker or a block */
    size_t length;
    size_t own_length;        /* what is behind it belongs to the next piece */
    uint64_t file_offset;     /* of text[0] */
    uint64_t lines_before;    /* a pipe: of text[0] */
    uint32_t first_record;    /* in the index */
    enum csv_fault end_fault; /* of the last record, with which the input ended */
    bool is_block;
    bool is_regular;       /* every record has the right number of fields, none a fault */
    uint32_t record_limit; /* the first record that is no UTF-8, or record_count */
    bool has_non_ascii;
    bool has_cr;
};

/* Rows to decode: field c of row i as in an index, first entries `stride` apart. */
struct csv_rows {
    const uint32_t *positions;
    size_t stride;
    size_t count;
    const uint32_t *field_counts; /* NULL: all rows have all fields; else how many they have */
    bool trim_cr;                 /* '\r' may stand at the end of the last field */
    /* what ends the stretch after these rows */
    enum csv_fault fault;
    uint32_t fault_record;
};

/* What is wrong with a row, in the first column that has a fault. */
struct csv_row_fault {
    enum csv_fault fault;
    const struct csv_column_plan *plan;
};

/* Bad rows of a worker's chunk; all zero while the first is an error. */
struct csv_reject_state {
    struct oriel_reject_chunk *chunk;
    struct csv_row_fault *faults; /* of the rows of the batch, row_capacity */
    size_t fault_count;           /* rows that have one */
    uint32_t *kept;               /* of rows that are left: the first entry of each */
    uint64_t lines;               /* line ends in text[0 .. line_offset) */
    size_t line_offset;
    bool muted; /* nobody wants rows any more */
};

struct csv_worker {
    char *buffer;
    size_t buffer_capacity;
    struct csv_index index;
    struct csv_scanner scanner; /* of an index that is separated, to go on with */
    struct csv_chunk chunk;
    struct oriel_column *columns; /* one for each plan */
    uint64_t **valid;             /* words of each */
    struct oriel_column *out;     /* of the batch */
    size_t row_capacity;
    uint64_t *slow;
    uint32_t *pairs;         /* positions of one column: start - 1, end */
    int32_t *wide;           /* values of a NARROW column */
    uint32_t *row_positions; /* rows of irregular records */
    size_t row_position_capacity;
    uint32_t *field_counts;
    struct oriel_arena arena; /* of the batch: unescaped strings, nested values */
    uint64_t rows_pushed;     /* of the morsel */
    struct csv_reject_state rejects;
    bool overtaken;      /* gave up, because an earlier chunk failed */
    bool expects_quotes; /* the chunk before had quotes, so only the slower kernel is tried */
    bool is_ready;
};

struct csv_lenient {
    pthread_mutex_t mutex;
    uint64_t count;
    uint64_t number; /* of the first: morsel, place */
    uint64_t offset; /* in the file, or in the block */
    uint64_t line;   /* 0: not counted yet */
    const struct csv_file *file;
    char text[64];
};

struct csv_source {
    struct oriel_source base;
    const struct oriel_runtime *runtime;
    struct oriel_csv_options options;
    struct oriel_csv_request request;
    struct oriel_arena arena;
    struct oriel_file_list list;
    struct csv_file *files;
    size_t file_count;
    uint32_t plan_count;
    struct csv_column_plan *plans;
    uint32_t field_count;
    bool exact;

    struct csv_chain chain;
    bool has_locks;
    pthread_mutex_t claim_mutex;
    bool claims_ended;
    struct oriel_error claim_failure;
    size_t file_index;
    uint64_t next_offset;             /* in that file */
    struct oriel_block_reader blocks; /* of a pipe */

    unsigned worker_count;
    struct csv_worker *workers;
    struct csv_lenient lenient;
    uint64_t reject_source; /* its number among the sources with bad rows */
};

extern const struct oriel_source_operations csv_source_operations;

/* csv_pipe.c: the next block of a pipe, or NULL at its end. */
enum oriel_status csv_pipe_next(struct csv_source *source, struct csv_file *file,
                                struct oriel_block **out, struct oriel_error *error);

/* csv_chunk.c: reads and indexes the piece [begin, end) of a file, or a block. */
enum oriel_status csv_chunk_load(struct csv_source *source, struct csv_worker *worker,
                                 struct csv_file *file, uint64_t number, uint64_t begin,
                                 uint64_t end, struct oriel_error *error);
enum oriel_status csv_chunk_load_block(struct csv_source *source, struct csv_worker *worker,
                                       uint64_t number, const struct oriel_block *block,
                                       struct oriel_error *error);

/* csv_header.c: checks the first record of a file, whose first piece was loaded, and passes it
 * over. */
enum oriel_status csv_header_take(struct csv_source *source, struct csv_worker *worker,
                                  struct oriel_error *error);

/* csv_record.c: the next rows of the chunk from record *next on, at most the batch size. */
enum oriel_status csv_rows_next(struct csv_source *source, struct csv_worker *worker,
                                uint32_t *next, struct csv_rows *rows, struct oriel_error *error);

/* Looks at all records of a loaded chunk; before csv_rows_next. */
void csv_chunk_check(const struct csv_source *source, struct csv_worker *worker);

/* Text of record `record` as it stands, without its line end. */
struct oriel_text csv_record_text(const struct csv_worker *worker, uint32_t record);

/* csv_decode.c: buffers; all columns of some rows into a batch, pushed. */
enum oriel_status csv_worker_prepare(struct csv_source *source, struct csv_worker *worker,
                                     struct oriel_error *error);
void csv_worker_deinit(struct csv_source *source, struct csv_worker *worker);
enum oriel_status csv_decode_push(struct csv_source *source, struct csv_worker *worker,
                                  struct csv_rows *rows, oriel_push *push, void *context,
                                  struct oriel_error *error);

/* How a field became a value. */
enum csv_value_result {
    CSV_VALUE_OK,
    CSV_VALUE_LENIENT,
    CSV_VALUE_NULL,
    CSV_VALUE_BAD,
    CSV_VALUE_MEMORY,
};

/* Decodes a field as it stands in the file (quotes, escapes and all) into *out. */
enum csv_value_result csv_value_decode(const struct csv_source *source, struct oriel_arena *arena,
                                       const struct csv_column_plan *plan, const char *text,
                                       size_t length, void *out);

/* The content of a field: without quotes and escapes, in the arena if it has to be changed. */
enum csv_value_result csv_value_content(const struct csv_source *source, struct oriel_arena *arena,
                                        const char *text, size_t length, struct oriel_text *out,
                                        bool *quoted);

/* A content as a value of `type`; no null literal. */
enum csv_value_result csv_value_parse(const struct oriel_type *type, struct oriel_arena *arena,
                                      struct oriel_text text, void *out);

bool csv_is_null_literal(const struct oriel_csv_options *options, struct oriel_text text,
                         bool quoted);

/* csv_nested.c: a content as ARRAY or ROW. */
enum csv_value_result csv_value_nested(const struct csv_source *source, struct oriel_arena *arena,
                                       const struct oriel_type *type, struct oriel_text text,
                                       void *out);

/* csv_base64.c: MIME without line feeds, as Jackson reads it; blanks between groups of four. */
bool csv_base64_decode(struct oriel_text text, char *out, size_t *length);

/* csv_error.c: the message of a fault in the record of `field_count` fields whose first entry is at
 * `positions`, with its file and line. Returns ORIEL_DATA. */
enum oriel_status csv_fault_report(const struct csv_source *source, struct csv_worker *worker,
                                   enum csv_fault fault, const uint32_t *positions,
                                   uint32_t field_count, const struct csv_column_plan *plan,
                                   struct oriel_error *error);

/* The same without file and line; `place` is the offset in the chunk's text to count them to. */
enum oriel_status csv_fault_describe(const struct csv_source *source, struct csv_worker *worker,
                                     enum csv_fault fault, const uint32_t *positions,
                                     uint32_t field_count, const struct csv_column_plan *plan,
                                     uint32_t *place, struct oriel_error *error);

/* csv_reject.c: whether bad rows are passed over, and what comes with it. */
static inline bool csv_passes_over(const struct csv_worker *worker) {
    return worker->rejects.chunk != NULL;
}

/* Claims a chunk of the list of bad rows for a morsel; `lines_before` as there. */
enum oriel_status csv_reject_claim(struct csv_source *source, int64_t lines_before,
                                   struct oriel_morsel *morsel, struct oriel_error *error);
enum oriel_status csv_reject_prepare(struct csv_source *source, struct csv_worker *worker,
                                     struct oriel_error *error);
void csv_reject_deinit(struct csv_source *source, struct csv_worker *worker);

/* A chunk is about to be loaded; is loaded; is done with `status`. */
void csv_reject_begin(struct csv_worker *worker, const struct oriel_morsel *morsel);
void csv_reject_loaded(struct csv_worker *worker);
enum oriel_status csv_reject_finish(struct csv_worker *worker, const struct oriel_morsel *morsel,
                                    enum oriel_status status, struct oriel_error *error);

/* Notes a fault of a row of the batch, unless it has one. */
void csv_reject_mark(struct csv_worker *worker, size_t row, const struct csv_column_plan *plan,
                     enum csv_fault fault);

/* Takes the marked ones out of the columns of the batch. *kept rows are left; when one row is too
 * many, those before it, and the error of the row is *failure (ORIEL_DATA), else ORIEL_OK. */
enum oriel_status csv_reject_rows(struct csv_source *source, struct csv_worker *worker,
                                  const struct csv_rows *rows, size_t *kept,
                                  struct oriel_error *failure, struct oriel_error *error);

/* A record that is no row. Returns its error when it cannot be passed over. */
enum oriel_status csv_reject_record(struct csv_source *source, struct csv_worker *worker,
                                    enum csv_fault fault, uint32_t record,
                                    struct oriel_error *error);

/* Line of a byte of the chunk, or of a file, counted from its start. */
enum oriel_status csv_line_of(const struct csv_source *source, const struct csv_chunk *chunk,
                              uint64_t text_offset, uint32_t *line, struct oriel_error *error);

/* Bytes of a text that are `byte`. */
size_t csv_count_byte(const char *text, size_t length, char byte);

/* Line ends in a text: '\n' and '\r' alone; `behind` is the byte behind it. */
uint64_t csv_count_lines(const char *text, size_t length, char behind);

/* Remembers a value that was read by the lenient rule. */
void csv_lenient_add(struct csv_source *source, const struct csv_chunk *chunk, uint32_t offset,
                     const char *text, size_t length);

/* Says how many values were, and where the first is. */
void csv_lenient_note(struct csv_source *source);

/* Copies a text for a message: cut, control characters escaped. */
const char *csv_escape_text(const char *text, size_t length, char *out, size_t capacity);
