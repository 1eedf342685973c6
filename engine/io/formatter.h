/*
 * Rows to text: tableau, CSV, JSON, Markdown. A formatter is read-only once it is open, so several
 * workers may format pieces of one result at the same time; what they put together in order,
 * between `begin` and `end`, is the file.
 */
#pragma once

#include "engine/columns/value_text.h"
#include "oriel/result.h"

enum { ORIEL_CELL_CACHE_BYTES = 40 };

/* How CSV is written; zero bytes stand for none. */
struct oriel_csv_form {
    char delimiter;           /* ',' */
    char quote;               /* '"'; 0: never quote */
    char escape;              /* before a quote or itself inside quotes; 0: quotes are doubled */
    const char *null_literal; /* "" */
    bool quote_empty; /* an empty string is "" with its quotes, so that it differs from NULL */
    bool as_flink; /* times without zeros at the end of the fraction, decimals as BigDecimal prints
                      them without zeros at the end, more texts quoted than need be */
};

/* How JSON is written. */
struct oriel_json_form {
    bool as_flink; /* times and decimals likewise, only those characters escaped that must be */
    bool iso_timestamps; /* as_flink: a T between date and time */
    bool plain_decimals; /* as_flink: with all digits and no exponent */
    bool skip_nulls;
};

struct oriel_formatter_options {
    enum oriel_format format;
    const struct oriel_zone
        *zone;               /* TIMESTAMP_LTZ in tableau and markdown; csv, json: UTC with Z */
    bool header;             /* csv: the line of names */
    bool op_column;          /* tableau: the column of row kinds, all +I */
    bool fit_content;        /* tableau: columns as wide as their content, NULL as blanks */
    size_t max_column_width; /* tableau: of types without a width of their own; 0: 30 */
    struct oriel_csv_form csv;
    struct oriel_json_form json;
    const char *print_identifier; /* not NULL: lines of a print table in the place of `format` */
};

/* Remembers the last time that was written, which mostly repeats, and facts of the batch in work.
 */
struct oriel_cell_cache {
    bool has_null;      /* csv, of the batch */
    bool plain_strings; /* csv: all are inside their values and need no quotes */
    bool filled;        /* ms, length */
    bool text_filled;
    bool day_filled;
    uint8_t length;
    int64_t ms;
    int64_t day;
    char day_text[16]; /* with a blank */
    char text[ORIEL_CELL_CACHE_BYTES];
};

/* A run of formatted rows; made by one thread. */
struct oriel_format_piece {
    struct oriel_text_buffer text;
    struct oriel_text_buffer cell;   /* of the cell in work */
    struct oriel_cell_cache *caches; /* one a column */
    uint32_t column_count;
    uint64_t row_count;
};

enum oriel_status oriel_format_piece_init(struct oriel_format_piece *piece,
                                          struct oriel_memory *memory, uint32_t column_count,
                                          struct oriel_error *error);
void oriel_format_piece_deinit(struct oriel_format_piece *piece);

/* Empties a piece for the next run of rows; buffers stay. */
void oriel_format_piece_clear(struct oriel_format_piece *piece);

struct oriel_formatter;

/* `schema` and the texts of `options` must outlive the formatter. */
enum oriel_status oriel_formatter_open(struct oriel_memory *memory, struct oriel_schema schema,
                                       const struct oriel_formatter_options *options,
                                       struct oriel_formatter **out, struct oriel_error *error);
void oriel_formatter_close(struct oriel_formatter **formatter);

/* With fit_content: sees all rows before `begin`. */
enum oriel_status oriel_formatter_measure(struct oriel_formatter *formatter,
                                          const struct oriel_batch *batch,
                                          struct oriel_error *error);

/* What stands before the first row. A tableau has it only if there is a row. */
enum oriel_status oriel_formatter_begin(const struct oriel_formatter *formatter,
                                        struct oriel_format_piece *piece,
                                        struct oriel_error *error);

/* True when nothing but "Empty set" is written for no rows. */
bool oriel_formatter_is_tableau(const struct oriel_formatter *formatter);

/* Appends all rows of a batch; safe on different pieces at the same time. */
enum oriel_status oriel_formatter_rows(const struct oriel_formatter *formatter,
                                       struct oriel_format_piece *piece,
                                       const struct oriel_batch *batch, struct oriel_error *error);

/* What stands behind the last of `row_count` rows; `begin` was called unless it is a tableau of 0.
 */
enum oriel_status oriel_formatter_end(const struct oriel_formatter *formatter,
                                      struct oriel_format_piece *piece, uint64_t row_count,
                                      struct oriel_error *error);

/* Shows control characters but newlines and tabs as \xNN; for terminals. */
enum oriel_status oriel_format_escape_controls(struct oriel_format_piece *piece,
                                               struct oriel_error *error);
