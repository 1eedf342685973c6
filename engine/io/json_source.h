/*
 * JSON lines as a source of batches, read by several workers at once: Flink's json format, an
 * object a line; an array of objects is several rows. Numbers are taken as they are written, so
 * that no digit is lost. Errors are the same for any number of workers: the first one in the order
 * of the input is reported, all rows before it have been pushed.
 */
#pragma once

#include "engine/io/csv_source.h"

enum { ORIEL_JSON_CHUNK_BYTES = 512 * 1024, ORIEL_JSON_NESTING_MAX = 1000 };

struct oriel_json_options {
    bool ignore_parse_errors; /* bad fields are NULL, lines that are no JSON are left out */
    bool fail_on_missing_field;
    bool iso_timestamps; /* 2024-01-02T03:04:05 */
    bool plain_decimals; /* of a sink, as skip_nulls */
    bool skip_nulls;
    size_t chunk_bytes; /* of a morsel; tests make it small */
};

void oriel_json_options_init(struct oriel_json_options *options);

/* Takes one option of a table, `json.*`; other keys and unknown names are ignored, as Flink does.
 * ORIEL_INVALID with `position` for a value that cannot be. `finish` checks how the options go
 * together and is called after the last. */
enum oriel_status oriel_json_options_set(struct oriel_json_options *options, const char *key,
                                         const char *value, struct oriel_position position,
                                         struct oriel_error *error);
enum oriel_status oriel_json_options_finish(const struct oriel_json_options *options,
                                            struct oriel_position position,
                                            struct oriel_error *error);

/*
 * Opens the file or folder `path`. The files are looked up now and opened as they are read. Fields
 * of the request are found by name; it is borrowed until the source is closed.
 */
enum oriel_status oriel_json_source_open(const struct oriel_runtime *runtime,
                                         struct oriel_file_list *files,
                                         const struct oriel_json_options *options,
                                         const struct oriel_csv_request *request,
                                         struct oriel_source **out, struct oriel_error *error);
