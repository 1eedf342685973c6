/*
 * Results: rows as borrowed batches, as an Arrow stream, or as text. One of the three ways is used
 * for a result, and each gives the rows once.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oriel/arrow_c.h"
#include "oriel/error.h"
#include "oriel/export.h"

ORIEL_BEGIN_DECLS

struct oriel_result;

enum oriel_result_kind {
    ORIEL_RESULT_DONE,    /* CREATE, DROP, SET, USE: nothing to show */
    ORIEL_RESULT_ROWS,    /* a query */
    ORIEL_RESULT_LISTING, /* DESCRIBE, SHOW: rows that describe something */
    ORIEL_RESULT_TEXT,    /* EXPLAIN, SHOW CREATE TABLE: one row, one column with a text of lines */
    ORIEL_RESULT_INSERT,  /* INSERT: no rows, oriel_result_row_count says how many were written */
};

ORIEL_API enum oriel_result_kind oriel_result_kind(const struct oriel_result *result);

/* How the values of a column lie in memory. NULLs have a value too, of no meaning. */
enum oriel_layout {
    ORIEL_LAYOUT_I8,   /* BOOLEAN as 0 and 1, TINYINT */
    ORIEL_LAYOUT_I16,  /* SMALLINT */
    ORIEL_LAYOUT_I32,  /* INT; DATE as days since 1970-01-01; TIME in ms; INTERVAL YEAR in months */
    ORIEL_LAYOUT_I64,  /* BIGINT; TIMESTAMP and TIMESTAMP_LTZ of precision 0 to 3 in ms since
                          1970-01-01 00:00 (wall clock; UTC); INTERVAL DAY in ms */
    ORIEL_LAYOUT_I128, /* two's complement, 16 bytes, native order: DECIMAL unscaled; TIMESTAMP and
                          TIMESTAMP_LTZ of precision 4 to 9 in ns since 1970-01-01 00:00 */
    ORIEL_LAYOUT_F32,  /* FLOAT */
    ORIEL_LAYOUT_F64,  /* DOUBLE */
    ORIEL_LAYOUT_STRING, /* CHAR, VARCHAR (UTF-8), BINARY, VARBINARY: struct oriel_string_value */
    ORIEL_LAYOUT_NESTED, /* ARRAY, MAP, ROW: no view of the values; write the result as text */
};

struct oriel_result_column_info {
    const char *name;
    const char *type; /* as Flink writes it, e.g. "TIMESTAMP(3) NOT NULL" */
    enum oriel_layout layout;
    uint32_t precision; /* DECIMAL, TIME, TIMESTAMP, TIMESTAMP_LTZ; else 0 */
    uint32_t scale;     /* DECIMAL; else 0 */
};

/* Number of columns; 0 for DONE and INSERT. */
ORIEL_API uint32_t oriel_result_column_count(const struct oriel_result *result);

/* Describes column `index`; the texts live as long as the result. ORIEL_ARGUMENT past the end. */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_result_column(const struct oriel_result *result,
                                                               uint32_t index,
                                                               struct oriel_result_column_info *out,
                                                               struct oriel_error *error);

/* 16 bytes: up to 12 bytes lie inside, the first 4 of them in `prefix`, the others in `rest`; a
 * longer text lies at `bytes`, and `prefix` repeats its first 4. */
struct oriel_string_value {
    uint32_t length;
    char prefix[4];
    union {
        char rest[8];
        const char *bytes;
    } tail;
};

/* The bytes of a value, not ended by NUL; short ones lie inside `*value`. */
ORIEL_API const char *oriel_string_value_bytes(const struct oriel_string_value *value);

struct oriel_result_values {
    const void *values; /* row_count values of the column's layout, aligned to 64 bytes */
    const uint64_t
        *validity; /* bit i % 64 of word i / 64 is set when row i is not NULL; NULL: no NULLs */
};

struct oriel_result_batch {
    size_t row_count;
    uint32_t column_count;
    const struct oriel_result_values *columns;
};

/*
 * The next rows, ORIEL_DONE behind the last. *out and all it points to are borrowed until the next
 * call with this result. Not to be called again after an error.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_result_next(struct oriel_result *result,
                                                             const struct oriel_result_batch **out,
                                                             struct oriel_error *error);

/*
 * Moves the rows into an Arrow stream, which takes the result over: *result becomes NULL, and the
 * stream must be released before its script is closed or goes on. Closing the engine waits for that
 * release; schemas and arrays may outlive both and may be released by any thread.
 * Types: BOOLEAN b, TINYINT c, SMALLINT s, INT i, BIGINT l, FLOAT f, DOUBLE g, DECIMAL d:p,s,
 * strings u, bytes z, DATE tdD, TIME ttm, TIMESTAMP tsm, tsu (precision 4 to 6) or tsn,
 * TIMESTAMP_LTZ the same with the session's zone, INTERVAL DAY tDm, INTERVAL YEAR tiM, ARRAY +l,
 * MAP and MULTISET +m, ROW +s. A precision of 7 to 9 outside the years 1677 to 2262 and a NULL key
 * of a MAP are errors of get_next. ORIEL_ARGUMENT when the result has no rows; it then stays as it
 * was.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_result_export_arrow(struct oriel_result **result,
                                                                     struct ArrowArrayStream *out,
                                                                     struct oriel_error *error);

/* All that the last failing call of such a stream has to say; status ORIEL_OK when none failed. The
 * stream must be one of oriel_result_export_arrow and not released. */
ORIEL_API void oriel_stream_error(const struct ArrowArrayStream *stream, struct oriel_error *out);

enum oriel_format {
    ORIEL_FORMAT_TABLEAU,  /* as Flink prints; TEXT results as they are */
    ORIEL_FORMAT_CSV,      /* RFC 4180 with LF; NULL is an empty field, an empty string "" */
    ORIEL_FORMAT_JSON,     /* one object a line */
    ORIEL_FORMAT_MARKDOWN, /* a pipe table */
    ORIEL_FORMAT_PARQUET, /* where the build has Arrow C++; types as in oriel_result_export_arrow */
    ORIEL_FORMAT_ARROW,   /* the file form of Arrow IPC, likewise */
};

enum oriel_header { ORIEL_HEADER_YES, ORIEL_HEADER_NO };
enum oriel_controls { ORIEL_CONTROLS_RAW, ORIEL_CONTROLS_ESCAPED };
enum oriel_sync { ORIEL_SYNC_NO, ORIEL_SYNC_YES };

/* Begin with ORIEL_OUTPUT_INIT; give one of path, write and fd. */
struct oriel_output {
    size_t struct_size; /* sizeof(struct oriel_output) */
    enum oriel_format format;
    enum oriel_header header; /* csv: the line of column names */
    enum oriel_controls
        controls;         /* csv, markdown: show control characters as \xNN, for terminals */
    enum oriel_sync sync; /* wait until the file is on its device */
    const char
        *path; /* a file that appears whole or not at all; a FIFO or device is written straight */
    /* Takes all bytes and returns 0, or returns an errno; EINTR means cancelled. */
    int (*write)(void *context, const char *bytes, size_t length);
    void *write_context;
    int fd;           /* an open descriptor; with `write`, the one it writes, -1 if none */
    const char *lead; /* text before the first byte of the result; NULL: none */
    int system_error; /* result: the errno that stopped the writing, else 0 */
};

#define ORIEL_OUTPUT_INIT                                                                          \
    {                                                                                              \
        sizeof(struct oriel_output), ORIEL_FORMAT_TABLEAU, ORIEL_HEADER_YES, ORIEL_CONTROLS_RAW,   \
            ORIEL_SYNC_NO, 0, 0, 0, -1, 0, 0                                                       \
    }

/*
 * Writes all rows. An output that is also an input of the query is refused (ORIEL_INVALID). On any
 * error a file at `path` is as it was before; what went to a descriptor or function stays there.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_result_write(struct oriel_result *result,
                                                              struct oriel_output *output,
                                                              struct oriel_error *error);

/* Rows handed out or written so far; of an INSERT, rows inserted. */
ORIEL_API uint64_t oriel_result_row_count(const struct oriel_result *result);

/* What the statement has read so far of a table of files; once for each time that it reads it. */
struct oriel_table_count {
    const char *table;
    uint64_t row_count;      /* rows read */
    uint64_t rejected_count; /* bad rows that were passed over */
};

/* Table `index`, in the order of the statement; the name lives as long as the result. ORIEL_DONE
 * past the last. */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_result_table(const struct oriel_result *result,
                                                              uint32_t index,
                                                              struct oriel_table_count *out,
                                                              struct oriel_error *error);

/*
 * How many rows a streaming job would have dropped as late at one window operator, with the
 * watermark of the table; Oriel drops none.
 */
struct oriel_late_rows {
    const char *table;
    const char *window; /* e.g. "TUMBLE(ts, size 600000 ms)" */
    const char *source; /* the script and the place of the window in it */
    uint32_t line, column;
    uint64_t row_count;     /* rows that reached the window */
    uint64_t dropped_count; /* late for all of their windows: they would be dropped */
    uint64_t part_count;    /* late for some of their windows only, and missing there */
    uint64_t missing_count; /* rows missing, summed over all windows */
    uint64_t first_row;     /* of the table, from 1 on: the first row missing somewhere; 0: none */
    const char *first_file; /* and where it stands; NULL: not known */
    uint64_t first_line;    /* 0: not known */
};

/*
 * Entry `index` of the statement's report; complete once all rows of the result were read. With the
 * option `late_report` there is one for each window operator that takes rows from a table with a
 * watermark: window aggregates, Top-N, deduplication and joins over windows, and SESSION. Texts
 * live as long as the result. ORIEL_DONE past the last.
 */
ORIEL_API ORIEL_MUST_USE enum oriel_status oriel_result_late(const struct oriel_result *result,
                                                             uint32_t index,
                                                             struct oriel_late_rows *out,
                                                             struct oriel_error *error);

/* Frees the result and sets *result to NULL. */
ORIEL_API void oriel_result_close(struct oriel_result **result);

/* Columns that a UTF-8 text takes on a terminal; for carets under an excerpt. */
ORIEL_API size_t oriel_display_width(const char *text, size_t length);

ORIEL_END_DECLS
