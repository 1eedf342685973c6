/*
 * From a table of the catalog to a source of rows: reads the options of CREATE TABLE, and of a
 * hint, as Flink's factories do.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

#include "engine/api/replacement.h"
#include "engine/api/scan.h"
#include "engine/api/scan_header.h"
#include "engine/api/stream_table.h"
#include "engine/io/arrow_source.h"
#include "engine/io/csv_source.h"
#include "engine/io/json_source.h"
#include "engine/plan/table_entry.h"

static const char *metadata_key(const struct ast_column_definition *definition) {
    return definition->metadata_key ? definition->metadata_key : definition->name.text;
}

/* Whether a column of the table is a column of the file: metadata of a connector whose place a file
 * has taken is found by name, where files have names. */
static bool is_in_file(const struct oriel_table_entry *table,
                       const struct oriel_table_options *options, uint32_t column) {
    const struct ast_column_definition *definition =
        table->definitions ? table->definitions[column] : NULL;
    if (!definition || definition->kind == AST_COLUMN_PHYSICAL)
        return true;
    enum oriel_csv_column_kind ignored;
    return definition->kind == AST_COLUMN_METADATA && options->is_replaced &&
           oriel_table_format_has_names(options->format) &&
           !oriel_csv_metadata_kind(metadata_key(definition), &ignored);
}

static enum oriel_status refuse_metadata(const struct ast_column_definition *definition,
                                         const struct oriel_table_options *options,
                                         struct oriel_error *error) {
    const char *key = metadata_key(definition), *name = definition->name.text;
    if (!options->is_replaced)
        return oriel_error_at(error, ORIEL_INVALID, definition->name.position,
                              "Invalid metadata key '%s' in column '%s': the filesystem "
                              "connector has file.path, file.name, file.size and "
                              "file.modification-time",
                              key, name);
    return oriel_error_at(
        error, ORIEL_INVALID, definition->name.position,
        "column '%s' is the metadata '%s' of the connector '%s', which a CSV file "
        "does not have; give a JSON or Parquet file with a column of that name",
        name, key, options->connector ? options->connector : "");
}

/* The keys of all metadata columns must be known, used or not. */
static enum oriel_status check_metadata(const struct oriel_table_entry *table,
                                        const struct oriel_table_options *options, uint32_t column,
                                        struct oriel_error *error) {
    enum oriel_csv_column_kind ignored;
    const struct ast_column_definition *definition =
        table->definitions ? table->definitions[column] : NULL;
    if (!definition || definition->kind != AST_COLUMN_METADATA ||
        oriel_csv_metadata_kind(metadata_key(definition), &ignored))
        return ORIEL_OK;
    return refuse_metadata(definition, options, error);
}

/* Where the columns of a table stand. */
struct placement {
    const struct oriel_table_entry *table;
    const struct oriel_table_options *options;
    const struct oriel_folder_columns *folders;
    struct oriel_csv_header header;
    int32_t *field_of; /* for each column its field in a record, or -1 */
};

static enum oriel_status wanted_column(const struct placement *place, uint32_t column,
                                       struct oriel_csv_column *out, struct oriel_error *error) {
    const struct oriel_table_entry *table = place->table;
    *out = (struct oriel_csv_column){.kind = ORIEL_CSV_FIELD};
    if (place->field_of[column] >= 0) {
        out->field = (uint32_t)place->field_of[column];
        return ORIEL_OK;
    }
    if (place->folders->number_of[column] >= 0) {
        *out = (struct oriel_csv_column){ORIEL_CSV_FOLDER,
                                         (uint32_t)place->folders->number_of[column]};
        return ORIEL_OK;
    }
    const struct ast_column_definition *definition =
        table->definitions ? table->definitions[column] : NULL;
    if (!definition || definition->kind == AST_COLUMN_PHYSICAL) {
        const struct oriel_position nowhere = {0};
        return oriel_scan_header_lacks(&place->header, place->options,
                                       table->schema.fields[column].name,
                                       definition ? definition->name.position : nowhere, error);
    }
    if (!oriel_csv_metadata_kind(metadata_key(definition), &out->kind))
        return refuse_metadata(definition, place->options, error);
    return ORIEL_OK;
}

/* Fields of a record: those of the header, else the columns of the file as declared. */
static enum oriel_status place_fields(struct oriel_result *result, struct placement *place,
                                      struct oriel_table_options *options, struct oriel_schema *out,
                                      struct oriel_error *error) {
    const struct oriel_schema schema = place->table->schema;
    const char **names =
        oriel_arena_allocate_zeroed(&result->arena, schema.field_count, sizeof *names);
    if (!names)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema.field_count; i++) {
        if (place->folders->number_of[i] < 0 && is_in_file(place->table, options, i))
            names[i] = schema.fields[i].name;
    }
    ORIEL_TRY(
        oriel_scan_header_find(result, options, names, schema.field_count, &place->header, error));
    const bool has_header = place->header.count > 0;
    const uint32_t room = has_header ? place->header.count : schema.field_count;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < place->header.count; i++)
        fields[count++] = (struct oriel_field){place->header.names[i], oriel_type_string()};
    for (uint32_t i = 0; i < schema.field_count; i++) {
        place->field_of[i] = -1;
        if (!names[i])
            continue;
        place->field_of[i] =
            has_header ? oriel_scan_header_place(&place->header, names[i]) : (int32_t)count++;
        if (place->field_of[i] >= 0)
            fields[place->field_of[i]] = schema.fields[i];
    }
    *out = (struct oriel_schema){count, fields};
    return ORIEL_OK;
}

/* Remembers that the statement reads the table; NULL without memory. */
static struct oriel_input_table *note_table(struct oriel_result *result,
                                            const struct oriel_table_entry *table) {
    struct oriel_input_table *input = oriel_arena_allocate_zeroed(&result->arena, 1, sizeof *input);
    struct oriel_input_table **last = &result->tables;
    while (*last)
        last = &(*last)->next;
    if (input)
        input->name = table->name;
    *last = input;
    return input;
}

static enum oriel_status fill_request(struct oriel_result *result, const struct oriel_plan *scan,
                                      struct oriel_table_options *options,
                                      const struct oriel_folder_columns *folders,
                                      struct oriel_csv_request *request,
                                      struct oriel_error *error) {
    const struct oriel_table_entry *table = scan->scan.table;
    const uint32_t room = table->schema.field_count;
    struct placement place = {.table = table, .options = options, .folders = folders};
    place.field_of = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *place.field_of);
    struct oriel_csv_column *columns =
        oriel_arena_allocate_zeroed(&result->arena, scan->schema.field_count, sizeof *columns);
    if (!place.field_of || !columns)
        return oriel_error_memory(error);
    struct oriel_schema fields;
    ORIEL_TRY(place_fields(result, &place, options, &fields, error));
    for (uint32_t i = 0; i < room && !options->is_replaced; i++)
        ORIEL_TRY(check_metadata(table, options, i, error));
    for (uint32_t i = 0; i < scan->schema.field_count; i++)
        ORIEL_TRY(wanted_column(&place, scan->scan.columns[i], &columns[i], error));
    const bool needs_time = table->rowtime >= 0 && !result->runtime.batch_mode;
    struct oriel_input_table *input = note_table(result, table);
    if (!input)
        return oriel_error_memory(error);
    struct oriel_csv_column time;
    if (needs_time && !oriel_table_is_computed(table, (uint32_t)table->rowtime))
        ORIEL_TRY(wanted_column(&place, (uint32_t)table->rowtime, &time, error));
    options->csv.is_guessed = !table->definitions;
    *request = (struct oriel_csv_request){
        .table = &input->progress,
        .fields = fields,
        .column_count = scan->schema.field_count,
        .columns = columns,
        .rowtime = needs_time ? place.field_of[table->rowtime] : -1,
        .folders = folders->schema,
    };
    return ORIEL_OK;
}

enum oriel_status oriel_scan_read_options(struct oriel_result *result,
                                          const struct oriel_plan *scan,
                                          struct oriel_scan_options *out,
                                          struct oriel_error *error) {
    const struct oriel_table_entry *table = scan->scan.table;
    const char *replacement =
        oriel_replacement_path(result->engine, table, ORIEL_TABLE_OPTIONS_SOURCE);
    ORIEL_TRY(oriel_table_options_read(
        &result->arena, table, scan->scan.hints, scan->scan.hint_count, scan->position,
        ORIEL_TABLE_OPTIONS_SOURCE, replacement, &out->table, error));
    ORIEL_TRY(oriel_scan_folders_find(result, table, &out->table, &out->folders, error));
    ORIEL_TRY(fill_request(result, scan, &out->table, &out->folders, &out->request, error));
    out->bounds = oriel_scan_bounds_find(scan, out->request.columns, out->request.rowtime);
    return ORIEL_OK;
}

/* Takes the files over. */
static enum oriel_status open_source(const struct oriel_runtime *runtime,
                                     const struct oriel_scan_options *options,
                                     struct oriel_file_list *files, struct oriel_source **out,
                                     struct oriel_error *error) {
    const struct oriel_table_options *table = &options->table;
    if (table->format == ORIEL_TABLE_CSV)
        return oriel_csv_source_open(runtime, files, &table->csv, &options->request, out, error);
    if (table->format == ORIEL_TABLE_JSON)
        return oriel_json_source_open(runtime, files, &table->json, &options->request, out, error);
    return oriel_arrow_source_open(runtime, files,
                                   table->format == ORIEL_TABLE_PARQUET ? ORIEL_ARROW_PARQUET
                                                                        : ORIEL_ARROW_IPC,
                                   &options->request, &options->bounds, out, error);
}

static enum oriel_status open_files(struct oriel_result *result, const struct oriel_plan *scan,
                                    const struct oriel_runtime *runtime, struct oriel_source **out,
                                    struct oriel_error *error) {
    struct oriel_scan_options *options = oriel_arena_allocate(&result->arena, sizeof *options);
    if (!options)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_scan_read_options(result, scan, options, error));
    struct oriel_file_list files;
    ORIEL_TRY(oriel_scan_files_list(result, scan, options, &files, error));
    if (files.is_hidden)
        oriel_runtime_note(runtime,
                           "'%s' is not read: like Flink, Oriel leaves out names that begin with "
                           "'.' or '_'",
                           options->table.path);
    const enum oriel_status status = oriel_scan_files_note(result, &files, error);
    if (status == ORIEL_OK)
        return open_source(runtime, options, &files, out, error);
    oriel_file_list_deinit(&files);
    return status;
}

enum oriel_status oriel_result_open_scan(void *context, const struct oriel_plan *scan,
                                         const struct oriel_runtime *runtime,
                                         struct oriel_source **out, struct oriel_error *error) {
    struct oriel_result *result = context;
    const struct oriel_table_entry *table = scan->scan.table;
    if (table->kind == ORIEL_TABLE_STREAM)
        return oriel_stream_table_open(table->stream, runtime, scan->scan.columns,
                                       scan->schema.field_count, out, error);
    const enum oriel_status status = open_files(result, scan, runtime, out, error);
    /* A file that cannot be opened is found where the table is used. */
    if (status == ORIEL_IO && error && !error->line) {
        error->line = scan->position.line;
        error->column = scan->position.column;
    }
    return status;
}
