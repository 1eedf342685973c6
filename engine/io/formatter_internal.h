/* What the formats share; only for the files of engine/io that write. */
#pragma once

#include "engine/io/formatter.h"

struct oriel_formatter_operations {
    enum oriel_status (*begin)(const struct oriel_formatter *formatter,
                               struct oriel_format_piece *piece);
    enum oriel_status (*rows)(const struct oriel_formatter *formatter,
                              struct oriel_format_piece *piece, const struct oriel_batch *batch);
    enum oriel_status (*end)(const struct oriel_formatter *formatter,
                             struct oriel_format_piece *piece, uint64_t row_count);
};

/* How the cells of a column are written in CSV and JSON. */
enum oriel_cell_kind {
    ORIEL_CELL_BOOLEAN,
    ORIEL_CELL_INTEGER,
    ORIEL_CELL_TIMESTAMP, /* in ms */
    ORIEL_CELL_STRING,
    ORIEL_CELL_BINARY,
    ORIEL_CELL_NUMBER, /* decimals and floats: by oriel_value_print */
    ORIEL_CELL_TEXT,   /* all others: by oriel_value_print, as a string */
    ORIEL_CELL_NESTED,
};

struct oriel_cell_form {
    enum oriel_cell_kind kind;
    enum oriel_physical physical;
    unsigned precision;
    bool utc;     /* TIMESTAMP_LTZ: Z behind the time */
    size_t width; /* tableau */
};

struct oriel_formatter {
    struct oriel_memory *memory;
    const struct oriel_formatter_operations *operations;
    struct oriel_schema schema;
    struct oriel_formatter_options options;
    struct oriel_cell_form *forms; /* one a column */
    size_t fixed_bytes;            /* bound of a row but for its strings and cells by value_print */
    bool quoted[256];              /* csv: bytes that make a field be quoted */
    bool plain_numbers;            /* csv: no number or time has such a byte */
};

extern const struct oriel_formatter_operations oriel_tableau_format;
extern const struct oriel_formatter_operations oriel_csv_format;
extern const struct oriel_formatter_operations oriel_json_format;
extern const struct oriel_formatter_operations oriel_markdown_format;
extern const struct oriel_formatter_operations oriel_print_format;

enum oriel_cell_kind oriel_cell_kind_of(const struct oriel_type *type);

/* The bound that one cell of fixed size never exceeds, with its quotes and separator. */
enum { ORIEL_CELL_FIXED_BYTES = ORIEL_VALUE_TEXT_BYTES + 20 };

/* Write to `out`, which has ORIEL_CELL_FIXED_BYTES, and return the end. */
char *oriel_cell_integer(char *out, int64_t value);
char *oriel_cell_timestamp(char *out, struct oriel_cell_cache *cache, int64_t ms,
                           unsigned precision, bool trim_fraction);

/* A value of any type of fixed size as Flink's formats write it: times without zeros at the end of
 * the fraction, decimals stripped, or with all digits when `plain`. Returns the length. */
size_t oriel_cell_as_flink(const struct oriel_column *column, size_t row, bool plain, char *out);

/* The value of an integer column. */
int64_t oriel_cell_integer_value(const struct oriel_column *column, enum oriel_physical physical,
                                 size_t row);

/* Base64 of `length` bytes: (length + 2) / 3 * 4 characters. */
char *oriel_cell_base64(char *out, const char *bytes, size_t length);

/* Width of a column in the tableau of a query. */
size_t oriel_tableau_type_width(const struct oriel_type *type, size_t max_column_width);
