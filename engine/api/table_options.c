/*
 * Checks connector, format and options when a table is used, not when it is created, as Flink does.
 */
#include "engine/api/table_options.h"

#include <string.h>

#include "engine/io/folder.h"

/* Options of Flink's filesystem connector; those that only tune a running job change nothing here.
 */
static const char *const known_options[] = {
    "auto-compaction",
    "compaction.file-size",
    "connector",
    "format",
    "partition.default-name",
    "partition.time-extractor.class",
    "partition.time-extractor.kind",
    "partition.time-extractor.timestamp-formatter",
    "partition.time-extractor.timestamp-pattern",
    "path",
    "property-version",
    "scan.watermark.alignment.group",
    "scan.watermark.alignment.max-drift",
    "scan.watermark.alignment.update-interval",
    "scan.watermark.emit.strategy",
    "scan.watermark.idle-timeout",
    "sink.parallelism",
    "sink.partition-commit.delay",
    "sink.partition-commit.policy.class",
    "sink.partition-commit.policy.class.parameters",
    "sink.partition-commit.policy.kind",
    "sink.partition-commit.success-file.name",
    "sink.partition-commit.trigger",
    "sink.partition-commit.watermark-time-zone",
    "sink.rolling-policy.check-interval",
    "sink.rolling-policy.file-size",
    "sink.rolling-policy.inactivity-interval",
    "sink.rolling-policy.rollover-interval",
    "sink.shuffle-by-partition.enable",
    "source.monitor-interval",
    "source.path.regex-pattern",
    "source.report-statistics",
};

static const char *const formats_of_flink[] = {"orc", "avro", "raw", "protobuf"};
static const char *const changelog_formats[] = {"debezium-json", "debezium-avro-confluent",
                                                "canal-json", "maxwell-json", "ogg-json"};

/* In the order of enum oriel_table_format; 'arrow' is Oriel's own. */
static const struct table_format {
    const char *name;
    const char *suffixes[3]; /* the first is that of files which Oriel writes */
    bool has_names;
} formats[] = {
    {"csv", {".csv"}, false},
    {"parquet", {".parquet"}, true},
    {"arrow", {".arrow", ".arrows"}, true},
    {"json", {".json", ".jsonl", ".ndjson"}, true},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

bool oriel_table_format_has_names(enum oriel_table_format format) {
    return formats[format].has_names;
}

const char *oriel_table_format_suffix(enum oriel_table_format format) {
    return formats[format].suffixes[0];
}

const char *oriel_table_format_name(enum oriel_table_format format) {
    return formats[format].name;
}

static bool is_listed(const char *const *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], name) == 0)
            return true;
    }
    return false;
}

#define IS_LISTED(list, name) is_listed(list, sizeof list / sizeof *list, name)

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The options with the hints laid over them. */
static enum oriel_status merge(struct oriel_arena *arena, const struct oriel_table_entry *table,
                               const struct ast_option *const *hints, uint32_t hint_count,
                               struct oriel_option **out, uint32_t *out_count,
                               struct oriel_error *error) {
    const size_t room = (size_t)table->option_count + hint_count;
    struct oriel_option *merged = oriel_arena_allocate_zeroed(arena, room, sizeof *merged);
    if (!merged)
        return oriel_error_memory(error);
    uint32_t count = table->option_count;
    if (count)
        memcpy(merged, table->options, count * sizeof *merged);
    for (uint32_t i = 0; i < hint_count; i++) {
        uint32_t place = 0;
        while (place < count && strcmp(merged[place].key, hints[i]->key) != 0)
            place++;
        count += place == count;
        merged[place] =
            (struct oriel_option){hints[i]->key, hints[i]->value, hints[i]->value_position};
    }
    *out = merged;
    *out_count = count;
    return ORIEL_OK;
}

static const struct oriel_option *find(const struct oriel_option *options, uint32_t count,
                                       const char *key) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(options[i].key, key) == 0)
            return &options[i];
    }
    return NULL;
}

static enum oriel_status check_connector(const struct oriel_table_entry *table,
                                         const struct oriel_option *connector,
                                         struct oriel_position use_position,
                                         enum oriel_table_options_use use,
                                         enum oriel_table_connector *kind,
                                         struct oriel_error *error) {
    if (!connector)
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "Table options do not contain an option key 'connector' for "
                              "discovering a connector");
    if (strcmp(connector->value, "filesystem") == 0)
        return ORIEL_OK;
    const bool is_source = use == ORIEL_TABLE_OPTIONS_SOURCE;
    const bool is_print = strcmp(connector->value, "print") == 0;
    if (is_print || strcmp(connector->value, "blackhole") == 0) {
        *kind = is_print ? ORIEL_CONNECTOR_PRINT : ORIEL_CONNECTOR_BLACKHOLE;
        if (!is_source)
            return ORIEL_OK;
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "Connector '%s' can only be used as a sink. It cannot be used as a "
                              "source. To read '%s', name a file: --source %s=FILE",
                              connector->value, table->name, table->name);
    }
    return oriel_error_at(error, ORIEL_INVALID, use_position,
                          "the table '%s' %s the connector '%s', which Oriel does not reach: it "
                          "works on files; name the file to take its place: --%s %s=FILE",
                          table->name, is_source ? "reads from" : "writes to", connector->value,
                          is_source ? "source" : "sink", table->name);
}

/* Whether text[0, length) has more than `end`, and that at its end. */
static bool ends_with(const char *text, size_t length, const char *end) {
    const size_t end_length = strlen(end);
    return length > end_length && memcmp(text + length - end_length, end, end_length) == 0;
}

/* The length of `path` without the options of an object store, s3://bucket/x.csv?region=... */
static size_t name_length(const char *path) {
    return strstr(path, "://") ? strcspn(path, "?") : strlen(path);
}

/* The length of `path` without the suffix of compressed files. */
static size_t plain_length(const char *path) {
    static const char *const packed[] = {".gz", ".gzip", ".zst", ".zstd", ".deflate"};
    const size_t length = name_length(path);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (ends_with(path, length, packed[i]))
            return length - strlen(packed[i]);
    }
    return length;
}

bool oriel_table_path_is_packed(const char *path) {
    return plain_length(path) < name_length(path);
}

/* The format whose suffix `path` has; -1: none. Compressed files have another one behind. */
static int format_of_path(const char *path) {
    const size_t length = plain_length(path);
    for (int i = 0; i < FORMAT_COUNT; i++) {
        for (size_t k = 0; k < 3 && formats[i].suffixes[k]; k++) {
            if (ends_with(path, length, formats[i].suffixes[k]))
                return i;
        }
    }
    return -1;
}

bool oriel_table_format_of_path(const char *path, enum oriel_table_format *out) {
    const int found = format_of_path(path);
    if (found >= 0)
        *out = (enum oriel_table_format)found;
    return found >= 0;
}

static int format_of_name(const char *name) {
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(name, formats[i].name) == 0)
            return i;
    }
    return -1;
}

static enum oriel_status refuse_changelog(const struct oriel_option *option, const char *what,
                                          struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, option->position,
                          "the %s '%s' holds a changelog (rows that insert, update and delete), "
                          "which Oriel cannot read",
                          what, option->value);
}

static enum oriel_status read_format(const struct oriel_option *format,
                                     struct oriel_position use_position,
                                     enum oriel_table_format *out, struct oriel_error *error) {
    if (!format)
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "Could not find required format: the option 'format' is missing");
    const int found = format_of_name(format->value);
    if (found >= 0) {
        *out = (enum oriel_table_format)found;
        return ORIEL_OK;
    }
    if (IS_LISTED(changelog_formats, format->value))
        return refuse_changelog(format, "format", error);
    if (IS_LISTED(formats_of_flink, format->value))
        return oriel_error_at(error, ORIEL_UNSUPPORTED, format->position,
                              "the format '%s' is one of Flink's that Oriel does not have; it has "
                              "'csv', 'json', 'parquet' and 'arrow'",
                              format->value);
    return oriel_error_at(error, ORIEL_INVALID, format->position,
                          "Could not find any factory for identifier '%s': unknown format; 'csv', "
                          "'json', 'parquet' and 'arrow' are there",
                          format->value);
}

/* Keys of the format begin with its name and are not refused, as in Flink. */
static bool is_format_key(const char *key, enum oriel_table_format format) {
    if (starts_with(key, "oriel."))
        key += strlen("oriel.");
    const size_t length = strlen(formats[format].name);
    return strncmp(key, formats[format].name, length) == 0 && key[length] == '.';
}

static enum oriel_status check_keys(const struct oriel_option *options, uint32_t count,
                                    enum oriel_table_format format, struct oriel_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const char *key = options[i].key;
        if (!IS_LISTED(known_options, key) && !is_format_key(key, format))
            return oriel_error_at(error, ORIEL_INVALID, options[i].position,
                                  "the option '%s' is unknown to the connector 'filesystem' with "
                                  "the format '%s'",
                                  key, formats[format].name);
    }
    return ORIEL_OK;
}

/* What would change the rows but is missing must not be passed over. */
static enum oriel_status refuse_missing(const struct oriel_option *options, uint32_t count,
                                        struct oriel_error *error) {
    static const char *const missing[] = {"source.monitor-interval", "source.path.regex-pattern"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        const struct oriel_option *option = find(options, count, missing[i]);
        if (option)
            return oriel_error_at(error, ORIEL_UNSUPPORTED, option->position,
                                  "the option '%s' is one of Flink's that Oriel does not have",
                                  missing[i]);
    }
    return ORIEL_OK;
}

/* The options of the format; those of a Kafka message's value count too. */
static enum oriel_status read_format_options(const struct oriel_option *options, uint32_t count,
                                             struct oriel_position use_position,
                                             struct oriel_table_options *out,
                                             struct oriel_error *error) {
    if (out->format == ORIEL_TABLE_PARQUET)
        out->compression = find(options, count, "parquet.compression");
    else if (out->format == ORIEL_TABLE_ARROW)
        out->compression = find(options, count, "arrow.compression");
    for (uint32_t i = 0; i < count; i++) {
        const struct oriel_option *it = &options[i];
        const char *key = it->key;
        if (starts_with(key, "value."))
            key += strlen("value.");
        if (out->format == ORIEL_TABLE_CSV)
            ORIEL_TRY(oriel_csv_options_set(&out->csv, key, it->value, it->position, error));
        else if (out->format == ORIEL_TABLE_JSON)
            ORIEL_TRY(oriel_json_options_set(&out->json, key, it->value, it->position, error));
    }
    if (out->format == ORIEL_TABLE_JSON)
        return oriel_json_options_finish(&out->json, use_position, error);
    return out->format == ORIEL_TABLE_CSV ? oriel_csv_options_finish(&out->csv, error) : ORIEL_OK;
}

/* A file in the place of a connector: its format is that of its name, else the table's. */
static enum oriel_status read_replacement(const struct oriel_table_entry *table,
                                          const struct oriel_option *options, uint32_t count,
                                          struct oriel_position use_position,
                                          enum oriel_table_options_use use,
                                          struct oriel_table_options *out,
                                          struct oriel_error *error) {
    const struct oriel_option *connector = find(options, count, "connector");
    const struct oriel_option *format = find(options, count, "format");
    if (!format)
        format = find(options, count, "value.format");
    const int of_path = format_of_path(out->path);
    const int of_table = format ? format_of_name(format->value) : -1;
    const bool is_source = use == ORIEL_TABLE_OPTIONS_SOURCE;
    const bool names_rows = of_path >= 0 && of_path != ORIEL_TABLE_JSON;
    if (is_source && connector && starts_with(connector->value, "upsert-"))
        return refuse_changelog(connector, "connector", error);
    if (is_source && format && !names_rows && IS_LISTED(changelog_formats, format->value))
        return refuse_changelog(format, "format", error);
    if (of_path < 0 && of_table < 0)
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "what format '%s' has is unknown: it ends in none of .csv, .json, "
                              ".jsonl, .parquet, .arrow, and the table '%s' %s%s%s",
                              out->path, table->name, format ? "has the format '" : "names none",
                              format ? format->value : "", format ? "'" : "");
    out->format = (enum oriel_table_format)(of_path >= 0 ? of_path : of_table);
    /* A CSV file that stands for other data has its NULLs as Oriel writes them. */
    if (out->format == ORIEL_TABLE_CSV && of_table != ORIEL_TABLE_CSV) {
        out->csv.null_literal = "";
        out->csv.quoted_empty_is_string = true;
    }
    return read_format_options(options, count, use_position, out, error);
}

/* The options of 'print' and 'blackhole'. */
static enum oriel_status read_print(const struct oriel_option *options, uint32_t count,
                                    struct oriel_table_options *out, struct oriel_error *error) {
    static const char *const known[] = {"connector", "print-identifier", "property-version",
                                        "sink.parallelism", "standard-error"};
    const bool is_print = out->kind == ORIEL_CONNECTOR_PRINT;
    out->print_identifier = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *key = options[i].key, *value = options[i].value;
        const bool is_of_print =
            strcmp(key, "print-identifier") == 0 || strcmp(key, "standard-error") == 0;
        if (!starts_with(key, "scan.watermark.") &&
            (!IS_LISTED(known, key) || (is_of_print && !is_print)))
            return oriel_error_at(error, ORIEL_INVALID, options[i].position,
                                  "Unsupported options found for '%s': '%s' is unknown",
                                  is_print ? "print" : "blackhole", key);
        if (strcmp(key, "print-identifier") == 0)
            out->print_identifier = value;
        else if (strcmp(key, "standard-error") == 0)
            out->print_to_error =
                oriel_text_equal_ignoring_case(oriel_text_of(value), ORIEL_TEXT("true"));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_table_options_read(struct oriel_arena *arena,
                                           const struct oriel_table_entry *table,
                                           const struct ast_option *const *hints,
                                           uint32_t hint_count, struct oriel_position use_position,
                                           enum oriel_table_options_use use,
                                           const char *replacement, struct oriel_table_options *out,
                                           struct oriel_error *error) {
    struct oriel_option *options = NULL;
    uint32_t count = 0;
    ORIEL_TRY(merge(arena, table, hints, hint_count, &options, &count, error));
    const struct oriel_option *connector = find(options, count, "connector");
    *out = (struct oriel_table_options){.path = replacement,
                                        .is_replaced = replacement != NULL,
                                        .connector = connector ? connector->value : NULL};
    const struct oriel_option *partition = find(options, count, "partition.default-name");
    out->default_partition = partition ? partition->value : ORIEL_FOLDER_DEFAULT_NAME;
    oriel_csv_options_init(&out->csv);
    oriel_json_options_init(&out->json);
    if (replacement)
        return read_replacement(table, options, count, use_position, use, out, error);
    ORIEL_TRY(check_connector(table, connector, use_position, use, &out->kind, error));
    if (out->kind != ORIEL_CONNECTOR_FILES)
        return read_print(options, count, out, error);
    const struct oriel_option *path = find(options, count, "path");
    if (!path || !path->value[0])
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "One or more required options are missing: the table '%s' has no "
                              "'path'",
                              table->name);
    ORIEL_TRY(read_format(find(options, count, "format"), use_position, &out->format, error));
    ORIEL_TRY(check_keys(options, count, out->format, error));
    if (use == ORIEL_TABLE_OPTIONS_SOURCE)
        ORIEL_TRY(refuse_missing(options, count, error));
    out->path = path->value;
    return read_format_options(options, count, use_position, out, error);
}
