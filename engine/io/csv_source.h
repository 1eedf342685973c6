/*
 * CSV files as a source of batches, read by several workers at once: Flink's csv format (facts 49
 * to 55 and rulings 6, 9 and 12 of tests/flink/README.md).
 *
 * A claimed morsel must be read before its worker claims another one, because later morsels wait
 * for what earlier ones learn about quotes. Errors are the same for any number of workers: the
 * first one in the order of the input is reported, all rows before it have been pushed.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/source.h"
#include "engine/io/file_list.h"

/* Of a morsel; of large files more, as neighbouring rows then meet in one worker, whose windows,
 * sessions and keys need less merging. */
enum { ORIEL_CSV_CHUNK_BYTES = 256 * 1024, ORIEL_CSV_CHUNK_BYTES_LARGE = 4096 * 1024 };

/* Options of the format; texts are borrowed. */
struct oriel_csv_options {
    char delimiter;
    int quote;                /* -1: none */
    int escape;               /* -1: none */
    const char *null_literal; /* NULL: none */
    size_t null_literal_length;
    bool ignore_parse_errors; /* bad fields are NULL, rows with too many fields are left out */
    bool allow_comments;
    const char *array_delimiter; /* one character, ";" */
    size_t array_delimiter_length;
    bool quoted_empty_is_string; /* "" is an empty string even where the null literal is empty */
    bool quote_given, quote_disabled;
    bool header;             /* the first record of each file names its columns and is no row */
    bool header_given;       /* the option was set */
    const char *header_path; /* the file whose header the fields are, or NULL: as declared */
    bool is_guessed;         /* the types of the fields were guessed from the first rows */
    size_t chunk_bytes;      /* of a morsel; tests make it small */
};

void oriel_csv_options_init(struct oriel_csv_options *options);

/*
 * Takes one option of a table, `csv.*` or `oriel.csv.*`; other keys and unknown names are ignored,
 * as Flink does. ORIEL_INVALID with `position` for a value that cannot be. `finish` checks how the
 * options go together and is called after the last.
 */
enum oriel_status oriel_csv_options_set(struct oriel_csv_options *options, const char *key,
                                        const char *value, struct oriel_position position,
                                        struct oriel_error *error);
enum oriel_status oriel_csv_options_finish(struct oriel_csv_options *options,
                                           struct oriel_error *error);

enum oriel_csv_column_kind {
    ORIEL_CSV_FIELD,         /* field number `field` of each record */
    ORIEL_CSV_FILE_PATH,     /* STRING */
    ORIEL_CSV_FILE_NAME,     /* STRING */
    ORIEL_CSV_FILE_SIZE,     /* BIGINT */
    ORIEL_CSV_FILE_MODIFIED, /* TIMESTAMP_LTZ(3) */
    ORIEL_CSV_FOLDER,        /* column number `field` of the folders, see folder.h */
};

/* A column that the source gives. */
struct oriel_csv_column {
    enum oriel_csv_column_kind kind;
    uint32_t field;
};

/* The kind of a metadata key such as "file.path"; false when there is none of that name. */
bool oriel_csv_metadata_kind(const char *key, enum oriel_csv_column_kind *kind);

/* What to read. All is borrowed until the source is closed. */
struct oriel_csv_request {
    struct oriel_schema fields; /* of a record: the physical columns of the table, in order */
    uint32_t column_count;      /* wanted, in the order of the batches */
    const struct oriel_csv_column *columns;
    struct oriel_table_progress *table; /* what is read, or NULL */
    int32_t rowtime; /* field whose value may not be bad or NULL, wanted or not; -1: none */
    struct oriel_schema folders; /* columns that the folders of the files carry */
};

/* Opens a source over files, which are opened as they are read. Takes the list over, also when it
 * fails. */
enum oriel_status oriel_csv_source_open(const struct oriel_runtime *runtime,
                                        struct oriel_file_list *files,
                                        const struct oriel_csv_options *options,
                                        const struct oriel_csv_request *request,
                                        struct oriel_source **out, struct oriel_error *error);

/* The same over a text in memory called `name`; `seekable` false reads it as a pipe is read. */
enum oriel_status oriel_csv_text_source_open(const struct oriel_runtime *runtime, const char *name,
                                             const char *text, size_t length, bool seekable,
                                             const struct oriel_csv_options *options,
                                             const struct oriel_csv_request *request,
                                             struct oriel_source **out, struct oriel_error *error);
