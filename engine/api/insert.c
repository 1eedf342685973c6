/*
 * INSERT and statement sets: which columns are written, of which plan. All INSERTs of a set are
 * checked before they run.
 */
#include "engine/api/engine_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/api/insert_folders.h"
#include "engine/api/insert_query.h"
#include "engine/api/insert_target.h"
#include "engine/api/replacement.h"
#include "engine/api/window_range.h"
#include "engine/io/file_list.h"

/* Metadata columns are written too where a file stands for the connector that would take them. */
static enum oriel_status is_written(const struct oriel_insert *insert,
                                    const struct ast_column_definition *definition, bool *out,
                                    struct oriel_error *error) {
    *out = definition->kind == AST_COLUMN_PHYSICAL;
    if (definition->kind != AST_COLUMN_METADATA || definition->is_virtual)
        return ORIEL_OK;
    if (!insert->options.is_replaced)
        return oriel_error_at(error, ORIEL_INVALID, definition->name.position,
                              "Table '%s' declares persistable metadata columns, but its connector "
                              "cannot write them. If the column '%s' should not be persisted, it "
                              "can be declared with the VIRTUAL keyword.",
                              insert->table->name, definition->name.text);
    *out = true;
    return ORIEL_OK;
}

static bool takes_nested(const struct oriel_insert *insert) {
    return insert->options.kind != ORIEL_CONNECTOR_FILES ||
           insert->options.format != ORIEL_TABLE_CSV;
}

static enum oriel_status fill_sink(struct oriel_result *result, struct oriel_insert *insert,
                                   struct oriel_error *error) {
    const struct oriel_table_entry *table = insert->table;
    const uint32_t room = table->schema.field_count;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *fields);
    const char **required = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *required);
    const struct ast_type **types =
        oriel_arena_allocate_zeroed(&result->arena, room, sizeof *types);
    if (!fields || !required || !types)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < room; i++) {
        const struct oriel_field *field = &table->schema.fields[i];
        bool is_column;
        ORIEL_TRY(is_written(insert, table->definitions[i], &is_column, error));
        if (!is_column)
            continue;
        if (oriel_type_physical(&field->type) == ORIEL_PHYSICAL_NESTED && !takes_nested(insert))
            return oriel_error_at(error, ORIEL_UNSUPPORTED, insert->statement->name.position,
                                  "column '%s' is nested, which Oriel cannot write yet but as JSON",
                                  field->name);
        types[count] = table->definitions[i]->type;
        required[count] = field->type.nullable ? NULL : field->name;
        fields[count++] = *field;
    }
    insert->sink = (struct oriel_schema){count, fields};
    insert->required = required;
    insert->types = types;
    return ORIEL_OK;
}

static enum oriel_status check_table(const struct oriel_result *result,
                                     const struct oriel_insert *insert, struct oriel_error *error) {
    const struct ast_statement *statement = insert->statement;
    if (insert->table->kind != ORIEL_TABLE_FILE)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is no table of files, so rows cannot be inserted into it",
                              insert->table->name);
    if (!insert->table->definitions)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' declares no columns, so rows cannot be inserted into it",
                              insert->table->name);
    (void)result;
    return ORIEL_OK;
}

static enum oriel_status prepare(struct oriel_result *result, struct oriel_insert *insert,
                                 struct oriel_error *error) {
    const struct ast_statement *statement = insert->statement;
    if (!insert->table)
        ORIEL_TRY(oriel_statement_find_table(result, &statement->name, &insert->table, error));
    ORIEL_TRY(check_table(result, insert, error));
    ORIEL_TRY(oriel_table_options_read(
        &result->arena, insert->table, (const struct ast_option *const *)statement->options.items,
        statement->options.count, statement->name.position, ORIEL_TABLE_OPTIONS_SINK,
        oriel_replacement_path(result->engine, insert->table, ORIEL_TABLE_OPTIONS_SINK),
        &insert->options, error));
    if (insert->options.kind == ORIEL_CONNECTOR_PRINT && !result->engine->print)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "the table '%s' prints its rows, but the program that runs this "
                              "engine has no place for them (the option 'print')",
                              insert->table->name);
    ORIEL_TRY(fill_sink(result, insert, error));
    ORIEL_TRY(oriel_insert_find_folders(result, insert, error));
    ORIEL_TRY(
        oriel_insert_bind(result, statement, insert->types, insert->sink, &insert->plan, error));
    oriel_note_window_range(result, insert->plan);
    if (insert->options.kind != ORIEL_CONNECTOR_FILES)
        return ORIEL_OK;
    ORIEL_TRY(oriel_insert_choose_path(result, insert, error));
    return insert->folder && insert->folder_column_count
               ? oriel_insert_sort_folders(result, insert, error)
               : ORIEL_OK;
}

enum oriel_status oriel_insert_remove_files(const struct oriel_file_list *old,
                                            struct oriel_error *error) {
    for (size_t i = 0; i < old->file_count; i++) {
        if (unlink(old->files[i].path) != 0 && errno != ENOENT)
            return oriel_error_set(error, ORIEL_IO, "cannot remove %s: %s", old->files[i].path,
                                   strerror(errno));
    }
    return ORIEL_OK;
}

/* The INSERTs of a statement: itself, or those of a set. */
static enum oriel_status list_inserts(const struct ast_statement *const *statement,
                                      const struct ast_statement *const **out, uint32_t *count,
                                      struct oriel_error *error) {
    if ((*statement)->kind == AST_STATEMENT_INSERT) {
        *out = statement;
        *count = 1;
        return ORIEL_OK;
    }
    *out = (const struct ast_statement *const *)(*statement)->statements.items;
    *count = (*statement)->statements.count;
    for (uint32_t i = 0; i < *count; i++) {
        if ((*out)[i]->kind != AST_STATEMENT_INSERT)
            return oriel_error_at(error, ORIEL_INVALID, (*out)[i]->position,
                                  "only INSERT may stand in a STATEMENT SET");
    }
    return ORIEL_OK;
}

enum oriel_status oriel_inserts_prepare(struct oriel_result *result,
                                        const struct ast_statement *statement,
                                        const struct oriel_table_entry *table,
                                        struct oriel_inserts *out, struct oriel_error *error) {
    const struct ast_statement *const *statements;
    *out = (struct oriel_inserts){0};
    ORIEL_TRY(list_inserts(&statement, &statements, &out->count, error));
    out->items = oriel_arena_allocate_zeroed(&result->arena, out->count, sizeof *out->items);
    if (!out->items)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < out->count; i++) {
        out->items[i].statement = statements[i];
        out->items[i].table = table;
        ORIEL_TRY(prepare(result, &out->items[i], error));
    }
    return oriel_inserts_plan(result, out, error);
}

enum oriel_status oriel_statement_insert(struct oriel_result *result,
                                         const struct ast_statement *statement,
                                         struct oriel_error *error) {
    struct oriel_inserts inserts;
    result->kind = ORIEL_RESULT_INSERT;
    ORIEL_TRY(oriel_inserts_prepare(result, statement, NULL, &inserts, error));
    ORIEL_TRY(oriel_engine_start_pool(result->engine, &result->runtime, error));
    return oriel_inserts_run(result, &inserts, error);
}
