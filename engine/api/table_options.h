/*
 * The options of a table over files, checked as Flink's filesystem connector checks them.
 */
#pragma once

#include "engine/base/arena.h"
#include "engine/io/csv_source.h"
#include "engine/io/json_source.h"
#include "engine/plan/catalog.h"

enum oriel_table_connector {
    ORIEL_CONNECTOR_FILES,
    ORIEL_CONNECTOR_PRINT, /* sinks only */
    ORIEL_CONNECTOR_BLACKHOLE,
};

enum oriel_table_options_use { ORIEL_TABLE_OPTIONS_SOURCE, ORIEL_TABLE_OPTIONS_SINK };

enum oriel_table_format {
    ORIEL_TABLE_CSV,
    ORIEL_TABLE_PARQUET,
    ORIEL_TABLE_ARROW,
    ORIEL_TABLE_JSON,
};

struct oriel_table_options {
    const char *path; /* as written, without a file: scheme */
    enum oriel_table_format format;
    bool is_replaced;      /* `path` stands in the place of the table's connector */
    const char *connector; /* as written, NULL: none; for messages */
    enum oriel_table_connector kind;
    const char *print_identifier; /* PRINT: "" without one */
    bool print_to_error;
    const char *default_partition;          /* the name of the folder of NULLs */
    const struct oriel_option *compression; /* of parquet or arrow; NULL: the default */
    struct oriel_csv_options csv;
    struct oriel_json_options json;
};

/* Whether files of the format have the names of their columns. */
bool oriel_table_format_has_names(enum oriel_table_format format);

/* The suffix of such files, e.g. ".csv", and the value of the option 'format'. */
const char *oriel_table_format_suffix(enum oriel_table_format format);
const char *oriel_table_format_name(enum oriel_table_format format);

/* Whether a path ends as compressed files do: .gz, .zst and the like. */
bool oriel_table_path_is_packed(const char *path);

/* The format that the suffix of a path tells, .csv or .csv.gz; false when it tells none. */
bool oriel_table_format_of_path(const char *path, enum oriel_table_format *out);

/*
 * Reads the options of `table`; a hint beats the option of the same key. With `replacement` (may be
 * NULL) that path is used in the place of the connector, whose options are not looked at. Texts are
 * borrowed from the table and `replacement` or lie in `arena`. ORIEL_INVALID names the option that
 * is wrong or lacks, at its position or at `use_position`; ORIEL_UNSUPPORTED names a connector,
 * format or option of Flink that is missing.
 */
enum oriel_status oriel_table_options_read(struct oriel_arena *arena,
                                           const struct oriel_table_entry *table,
                                           const struct ast_option *const *hints,
                                           uint32_t hint_count, struct oriel_position use_position,
                                           enum oriel_table_options_use use,
                                           const char *replacement, struct oriel_table_options *out,
                                           struct oriel_error *error);
