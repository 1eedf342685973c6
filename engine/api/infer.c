/*
 * Tables without declared columns: FROM 'file', and CREATE TABLE with nothing but options. Their
 * columns are those of the file.
 */
#include "engine/api/infer.h"

#include <string.h>

#include "engine/api/table_options.h"
#include "engine/io/arrow_file.h"
#include "engine/io/file_list.h"

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
    return oriel_error_set(error, ORIEL_INVALID,
                           "Table '%s' has no columns: those of the format '%s' must be declared "
                           "with CREATE TABLE",
                           table->name, oriel_table_format_name(options.format));
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
