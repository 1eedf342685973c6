/*
 * From a table of the catalog to a source of rows: reads the options of CREATE TABLE, and of a
 * hint, as Flink's factories do.
 */
#include "engine/api/engine_internal.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "engine/api/replacement.h"
#include "engine/api/scan.h"
#include "engine/api/stream_table.h"
#include "engine/io/arrow_source.h"
#include "engine/io/csv_source.h"
#include "engine/io/file_list.h"
#include "engine/io/json_source.h"

void oriel_read_pipes_free(struct oriel_engine *engine) {
    while (engine->pipes) {
        struct oriel_read_pipe *pipe = engine->pipes;
        engine->pipes = pipe->next;
        oriel_memory_release(&engine->memory, pipe, sizeof *pipe);
    }
}

/* What a pipe or terminal has given does not come again, so a second reading would find nothing, or
 * wait for ever. */
static enum oriel_status note_pipe(struct oriel_engine *engine, const char *path,
                                   const struct stat *facts, struct oriel_error *error) {
    const bool is_device = S_ISCHR(facts->st_mode) && facts->st_rdev != makedev(1, 3);
    if (!S_ISFIFO(facts->st_mode) && !is_device)
        return ORIEL_OK; /* device 1, 3 is /dev/null, which is empty each time */
    for (const struct oriel_read_pipe *it = engine->pipes; it; it = it->next) {
        if (it->device == facts->st_dev && it->inode == facts->st_ino)
            return oriel_error_set(error, ORIEL_IO,
                                   "'%s' has been read already: what comes through a pipe comes "
                                   "once; write it to a file to read it again",
                                   path);
    }
    struct oriel_read_pipe *pipe = oriel_memory_allocate(&engine->memory, sizeof *pipe);
    if (!pipe)
        return oriel_error_memory(error);
    *pipe = (struct oriel_read_pipe){facts->st_dev, facts->st_ino, engine->pipes};
    engine->pipes = pipe;
    return ORIEL_OK;
}

/* Remembers which files a statement reads, so that it does not write over them. */
static enum oriel_status note_inputs(struct oriel_result *result, const char *path,
                                     struct oriel_error *error) {
    struct oriel_file_list list;
    ORIEL_TRY(oriel_file_list_init(&list, &result->engine->memory, path, error));
    enum oriel_status status = ORIEL_OK;
    for (size_t i = 0; i < list.file_count && status == ORIEL_OK; i++) {
        struct stat facts;
        if (stat(list.files[i].path, &facts) != 0)
            continue; /* the source will say so */
        status = note_pipe(result->engine, list.files[i].path, &facts, error);
        if (status != ORIEL_OK)
            break;
        struct oriel_input_file *input = oriel_arena_allocate(&result->arena, sizeof *input);
        if (!input) {
            status = oriel_error_memory(error);
            break;
        }
        *input = (struct oriel_input_file){facts.st_dev, facts.st_ino, result->inputs};
        result->inputs = input;
    }
    oriel_file_list_deinit(&list);
    return status;
}

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

static enum oriel_status wanted_column(const struct oriel_table_entry *table,
                                       const struct oriel_table_options *options,
                                       const int32_t *field_of, uint32_t column,
                                       struct oriel_csv_column *out, struct oriel_error *error) {
    *out = (struct oriel_csv_column){.kind = ORIEL_CSV_FIELD};
    if (field_of[column] >= 0) {
        out->field = (uint32_t)field_of[column];
        return ORIEL_OK;
    }
    const struct ast_column_definition *definition = table->definitions[column];
    if (definition->kind != AST_COLUMN_METADATA)
        return oriel_error_set(error, ORIEL_INTERNAL, "column '%s' is not in the file",
                               table->schema.fields[column].name);
    if (!oriel_csv_metadata_kind(metadata_key(definition), &out->kind))
        return refuse_metadata(definition, options, error);
    return ORIEL_OK;
}

static enum oriel_status fill_request(struct oriel_result *result, const struct oriel_plan *scan,
                                      const struct oriel_table_options *options,
                                      struct oriel_csv_request *request,
                                      struct oriel_error *error) {
    const struct oriel_table_entry *table = scan->scan.table;
    const uint32_t room = table->schema.field_count;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *fields);
    int32_t *field_of = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *field_of);
    struct oriel_csv_column *columns =
        oriel_arena_allocate_zeroed(&result->arena, scan->schema.field_count, sizeof *columns);
    if (!fields || !field_of || !columns)
        return oriel_error_memory(error);
    uint32_t field_count = 0;
    for (uint32_t i = 0; i < room; i++) {
        field_of[i] = is_in_file(table, options, i) ? (int32_t)field_count : -1;
        if (field_of[i] >= 0)
            fields[field_count++] = table->schema.fields[i];
    }
    for (uint32_t i = 0; i < room && !options->is_replaced; i++)
        ORIEL_TRY(check_metadata(table, options, i, error));
    for (uint32_t i = 0; i < scan->schema.field_count; i++)
        ORIEL_TRY(
            wanted_column(table, options, field_of, scan->scan.columns[i], &columns[i], error));
    const bool needs_time = table->rowtime >= 0 && !result->runtime.batch_mode;
    *request = (struct oriel_csv_request){
        .fields = {field_count, fields},
        .column_count = scan->schema.field_count,
        .columns = columns,
        .rowtime = needs_time ? field_of[table->rowtime] : -1,
    };
    return ORIEL_OK;
}

enum oriel_status oriel_scan_read_options(struct oriel_result *result,
                                          const struct oriel_plan *scan,
                                          struct oriel_scan_options *out,
                                          struct oriel_error *error) {
    const char *replacement =
        oriel_replacement_path(result->engine, scan->scan.table, ORIEL_TABLE_OPTIONS_SOURCE);
    ORIEL_TRY(oriel_table_options_read(
        &result->arena, scan->scan.table, scan->scan.hints, scan->scan.hint_count, scan->position,
        ORIEL_TABLE_OPTIONS_SOURCE, replacement, &out->table, error));
    ORIEL_TRY(fill_request(result, scan, &out->table, &out->request, error));
    out->bounds = oriel_scan_bounds_find(scan, out->request.columns, out->request.rowtime);
    return ORIEL_OK;
}

static enum oriel_status open_file(struct oriel_result *result, const struct oriel_plan *scan,
                                   const struct oriel_runtime *runtime, struct oriel_source **out,
                                   struct oriel_error *error) {
    struct oriel_scan_options *options = oriel_arena_allocate(&result->arena, sizeof *options);
    if (!options)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_scan_read_options(result, scan, options, error));
    const struct oriel_table_options *table = &options->table;
    const bool is_parquet = table->format == ORIEL_TABLE_PARQUET;
    enum oriel_status status = note_inputs(result, table->path, error);
    if (status == ORIEL_OK && table->format == ORIEL_TABLE_CSV)
        status =
            oriel_csv_source_open(runtime, table->path, &table->csv, &options->request, out, error);
    else if (status == ORIEL_OK && table->format == ORIEL_TABLE_JSON)
        status = oriel_json_source_open(runtime, table->path, &table->json, &options->request, out,
                                        error);
    else if (status == ORIEL_OK)
        status = oriel_arrow_source_open(runtime, table->path,
                                         is_parquet ? ORIEL_ARROW_PARQUET : ORIEL_ARROW_IPC,
                                         &options->request, &options->bounds, out, error);
    /* A file that cannot be opened is found where the table is used. */
    if (status == ORIEL_IO && error && !error->line) {
        error->line = scan->position.line;
        error->column = scan->position.column;
    }
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
    return open_file(result, scan, runtime, out, error);
}
