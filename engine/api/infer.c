/*
 * Tables without declared columns: FROM 'file', and CREATE TABLE with nothing but options. Their
 * columns are those of the file.
 */
#include "engine/api/infer.h"

#include <string.h>

#include "engine/api/table_options.h"
#include "engine/io/arrow_file.h"
#include "engine/io/csv_sniff.h"
#include "engine/io/file_list.h"
#include "engine/io/json_infer.h"

enum { PATH_OPTIONS = 3 }; /* connector, path, format */

enum oriel_status oriel_engine_find_format(struct oriel_memory *memory, const char *path,
                                           enum oriel_table_format *out,
                                           struct oriel_error *error) {
    if (oriel_table_format_of_path(path, out))
        return ORIEL_OK;
    struct oriel_file_list list;
    ORIEL_TRY(oriel_file_list_init(&list, memory, path, error));
    const bool found = list.file_count && oriel_table_format_of_path(list.files[0].path, out);
    oriel_file_list_deinit(&list);
    return found ? ORIEL_OK
                 : oriel_error_set(error, ORIEL_INVALID,
                                   "what format '%s' has is unknown: it ends in none of .csv, "
                                   ".json, .jsonl, .parquet and .arrow; declare a table over it "
                                   "with CREATE TABLE",
                                   path);
}

/* The options that CREATE TABLE would have. */
static enum oriel_status complete_options(struct oriel_memory *memory,
                                          struct oriel_table_entry *table,
                                          struct oriel_arena *arena, struct oriel_error *error) {
    struct oriel_option *options =
        oriel_arena_allocate_zeroed(arena, PATH_OPTIONS, sizeof *options);
    if (!options)
        return oriel_error_memory(error);
    const struct oriel_option path = table->options[0];
    enum oriel_table_format format = ORIEL_TABLE_CSV;
    ORIEL_TRY(oriel_engine_find_format(memory, path.value, &format, error));
    options[0] = (struct oriel_option){"connector", "filesystem", path.position};
    options[1] = path;
    options[2] = (struct oriel_option){"format", oriel_table_format_name(format), path.position};
    table->options = options;
    table->option_count = PATH_OPTIONS;
    return ORIEL_OK;
}

/* Adds an option that was found out, so that the table is read as it was looked at. */
static enum oriel_status add_option(struct oriel_table_entry *table, struct oriel_arena *arena,
                                    const char *key, const char *value,
                                    struct oriel_position position, struct oriel_error *error) {
    const uint32_t count = table->option_count;
    struct oriel_option *options =
        oriel_arena_allocate_zeroed(arena, (size_t)count + 1, sizeof *options);
    if (!options)
        return oriel_error_memory(error);
    if (count)
        memcpy(options, table->options, count * sizeof *options);
    options[count] = (struct oriel_option){key, value, position};
    table->options = options;
    table->option_count = count + 1;
    return ORIEL_OK;
}

static bool has_option(const struct oriel_table_entry *table, const char *key) {
    for (uint32_t i = 0; i < table->option_count; i++) {
        if (strcmp(table->options[i].key, key) == 0)
            return true;
    }
    return false;
}

/* Empty fields are NULL where nothing else is said, since nobody chose types for them. */
static enum oriel_status infer_csv(const struct oriel_runtime *runtime,
                                   struct oriel_table_entry *table, const char *path,
                                   struct oriel_csv_options *csv, struct oriel_arena *arena,
                                   struct oriel_position position, struct oriel_error *error) {
    static const char *const delimiters[][2] = {{",", ","}, {"\t", "\\t"}, {";", ";"}, {"|", "|"}};
    const bool is_path = !table->statement;
    const bool has_null = has_option(table, "csv.null-literal");
    if (!has_null) {
        csv->null_literal = "";
        csv->quoted_empty_is_string = true;
    }
    ORIEL_TRY(oriel_csv_infer(runtime, path,
                              is_path             ? ORIEL_CSV_SNIFF_DELIMITER
                              : csv->header_given ? ORIEL_CSV_SNIFF_TYPES
                                                  : ORIEL_CSV_SNIFF_HEADER,
                              csv, arena, &table->schema, error));
    if (!has_null)
        ORIEL_TRY(add_option(table, arena, "csv.null-literal", "", position, error));
    if (!has_null && !has_option(table, "oriel.csv.quoted-empty"))
        ORIEL_TRY(add_option(table, arena, "oriel.csv.quoted-empty", "string", position, error));
    if (!csv->header_given)
        ORIEL_TRY(add_option(table, arena, "oriel.csv.header", csv->header ? "true" : "false",
                             position, error));
    for (size_t i = 1; is_path && i < sizeof delimiters / sizeof *delimiters; i++) {
        if (csv->delimiter == delimiters[i][0][0])
            ORIEL_TRY(
                add_option(table, arena, "csv.field-delimiter", delimiters[i][1], position, error));
    }
    return ORIEL_OK;
}

static enum oriel_status infer_json(const struct oriel_runtime *runtime,
                                    struct oriel_table_entry *table, const char *path,
                                    struct oriel_json_options *json, struct oriel_arena *arena,
                                    struct oriel_position position, struct oriel_error *error) {
    static const char form[] = "json.timestamp-format.standard";
    const bool is_chosen = has_option(table, form);
    ORIEL_TRY(oriel_json_infer(runtime, path, !is_chosen, json, arena, &table->schema, error));
    if (!is_chosen && json->iso_timestamps)
        return add_option(table, arena, form, "ISO-8601", position, error);
    return ORIEL_OK;
}

/* Text formats are guessed from their first file. */
static enum oriel_status infer_text(const struct oriel_runtime *runtime,
                                    struct oriel_table_entry *table,
                                    struct oriel_table_options *options, struct oriel_arena *arena,
                                    struct oriel_position position, struct oriel_error *error) {
    struct oriel_file_list files;
    ORIEL_TRY(oriel_file_list_init(&files, runtime->memory, options->path, error));
    enum oriel_status status;
    if (!files.file_count)
        status =
            oriel_error_set(error, ORIEL_DATA,
                            "no file in '%s' to take the columns of the table from", options->path);
    else if (options->format == ORIEL_TABLE_CSV)
        status =
            infer_csv(runtime, table, files.files[0].path, &options->csv, arena, position, error);
    else
        status =
            infer_json(runtime, table, files.files[0].path, &options->json, arena, position, error);
    oriel_file_list_deinit(&files);
    return status;
}

static enum oriel_status infer(struct oriel_engine *engine, const struct oriel_runtime *runtime,
                               struct oriel_table_entry *table, struct oriel_arena *arena,
                               struct oriel_position position, struct oriel_error *error) {
    if (!table->statement)
        ORIEL_TRY(complete_options(&engine->memory, table, arena, error));
    struct oriel_table_options options;
    ORIEL_TRY(oriel_table_options_read(arena, table, NULL, 0, position, ORIEL_TABLE_OPTIONS_SOURCE,
                                       NULL, &options, error));
    if (options.format == ORIEL_TABLE_PARQUET)
        return oriel_arrow_infer_schema(runtime, options.path, ORIEL_ARROW_PARQUET, arena,
                                        &table->schema, error);
    if (options.format == ORIEL_TABLE_ARROW)
        return oriel_arrow_infer_schema(runtime, options.path, ORIEL_ARROW_IPC, arena,
                                        &table->schema, error);
    return infer_text(runtime, table, &options, arena, position, error);
}

enum oriel_status oriel_engine_infer_table(void *context, const struct oriel_runtime *runtime,
                                           struct oriel_table_entry *table,
                                           struct oriel_arena *arena,
                                           struct oriel_position position,
                                           struct oriel_error *error) {
    const enum oriel_status status = infer(context, runtime, table, arena, position, error);
    if (status != ORIEL_OK && error && !error->line) {
        error->line = position.line;
        error->column = position.column;
    }
    return status;
}
