/*
 * Checks connector, format and options when a table is used, not when it is created, as Flink does.
 */
#include "engine/api/table_options.h"

#include <string.h>

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

static const char *const connectors_of_flink[] = {
    "blackhole", "datagen", "print",           "kafka",   "upsert-kafka", "jdbc",
    "hive",      "mongodb", "elasticsearch-7", "kinesis", "hbase-2.2"};
static const char *const formats_of_flink[] = {"json",     "orc",           "avro",      "raw",
                                               "protobuf", "debezium-json", "canal-json"};
/* In the order of enum oriel_table_format; 'arrow' is Oriel's own. */
static const char *const formats[] = {"csv", "parquet", "arrow"};

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

static enum oriel_status check_connector(const struct oriel_option *connector,
                                         struct oriel_position use_position,
                                         struct oriel_error *error) {
    if (!connector)
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "Table options do not contain an option key 'connector' for "
                              "discovering a connector");
    if (strcmp(connector->value, "filesystem") == 0)
        return ORIEL_OK;
    if (IS_LISTED(connectors_of_flink, connector->value))
        return oriel_error_at(error, ORIEL_UNSUPPORTED, connector->position,
                              "the connector '%s' is one of Flink's that Oriel does not have; it "
                              "has 'filesystem'",
                              connector->value);
    return oriel_error_at(error, ORIEL_INVALID, connector->position,
                          "Could not find any factory for identifier '%s': unknown connector; "
                          "'filesystem' is there",
                          connector->value);
}

static enum oriel_status read_format(const struct oriel_option *format,
                                     struct oriel_position use_position,
                                     enum oriel_table_format *out, struct oriel_error *error) {
    if (!format)
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "Could not find required format: the option 'format' is missing");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(format->value, formats[i]) == 0) {
            *out = (enum oriel_table_format)i;
            return ORIEL_OK;
        }
    }
    if (IS_LISTED(formats_of_flink, format->value))
        return oriel_error_at(error, ORIEL_UNSUPPORTED, format->position,
                              "the format '%s' is one of Flink's that Oriel does not have; it has "
                              "'csv', 'parquet' and 'arrow'",
                              format->value);
    return oriel_error_at(error, ORIEL_INVALID, format->position,
                          "Could not find any factory for identifier '%s': unknown format; 'csv', "
                          "'parquet' and 'arrow' are there",
                          format->value);
}

/* Keys of the format begin with its name and are not refused, as in Flink. */
static bool is_format_key(const char *key, enum oriel_table_format format) {
    if (starts_with(key, "oriel."))
        key += strlen("oriel.");
    const size_t length = strlen(formats[format]);
    return strncmp(key, formats[format], length) == 0 && key[length] == '.';
}

static enum oriel_status check_keys(const struct oriel_option *options, uint32_t count,
                                    enum oriel_table_format format, struct oriel_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const char *key = options[i].key;
        if (!IS_LISTED(known_options, key) && !is_format_key(key, format))
            return oriel_error_at(error, ORIEL_INVALID, options[i].position,
                                  "the option '%s' is unknown to the connector 'filesystem' with "
                                  "the format '%s'",
                                  key, formats[format]);
    }
    return ORIEL_OK;
}

/* What would change the rows but is missing must not be passed over. */
static enum oriel_status refuse_missing(const struct oriel_table_entry *table,
                                        const struct oriel_option *options, uint32_t count,
                                        struct oriel_position use_position,
                                        struct oriel_error *error) {
    static const char *const missing[] = {"source.monitor-interval", "source.path.regex-pattern"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        const struct oriel_option *option = find(options, count, missing[i]);
        if (option)
            return oriel_error_at(error, ORIEL_UNSUPPORTED, option->position,
                                  "the option '%s' is one of Flink's that Oriel does not have",
                                  missing[i]);
    }
    if (table->statement && table->statement->partitioned_by.count)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, use_position,
                              "tables that are PARTITIONED BY columns, as '%s', cannot be read or "
                              "written yet",
                              table->name);
    return ORIEL_OK;
}

enum oriel_status oriel_table_options_read(
    struct oriel_arena *arena, const struct oriel_table_entry *table,
    const struct ast_option *const *hints, uint32_t hint_count, struct oriel_position use_position,
    enum oriel_table_options_use use, struct oriel_table_options *out, struct oriel_error *error) {
    struct oriel_option *options = NULL;
    uint32_t count = 0;
    ORIEL_TRY(merge(arena, table, hints, hint_count, &options, &count, error));
    ORIEL_TRY(check_connector(find(options, count, "connector"), use_position, error));
    const struct oriel_option *path = find(options, count, "path");
    if (!path || !path->value[0])
        return oriel_error_at(error, ORIEL_INVALID, use_position,
                              "One or more required options are missing: the table '%s' has no "
                              "'path'",
                              table->name);
    ORIEL_TRY(read_format(find(options, count, "format"), use_position, &out->format, error));
    ORIEL_TRY(check_keys(options, count, out->format, error));
    if (use == ORIEL_TABLE_OPTIONS_SOURCE)
        ORIEL_TRY(refuse_missing(table, options, count, use_position, error));
    else if (table->statement && table->statement->partitioned_by.count)
        return refuse_missing(table, NULL, 0, use_position, error);
    out->path = path->value;
    oriel_csv_options_init(&out->csv);
    if (out->format != ORIEL_TABLE_CSV)
        return ORIEL_OK;
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(oriel_csv_options_set(&out->csv, options[i].key, options[i].value,
                                        options[i].position, error));
    return oriel_csv_options_finish(&out->csv, error);
}
