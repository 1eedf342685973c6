/*
 * DESCRIBE, with the columns that Flink gives it.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

enum { TYPE_TEXT_BYTES = 1024 };

static enum oriel_status describe_key(struct oriel_result *result,
                                      const struct oriel_table_entry *table, const char **out,
                                      struct oriel_error *error) {
    const char *key = "PRI(";
    for (uint32_t i = 0; i < table->primary_key_count && key; i++)
        key = oriel_arena_print(&result->arena, "%s%s%s", key, i ? ", " : "",
                                table->schema.fields[table->primary_key[i]].name);
    *out = key ? oriel_arena_print(&result->arena, "%s)", key) : NULL;
    return *out ? ORIEL_OK : oriel_error_memory(error);
}

static bool is_in_key(const struct oriel_table_entry *table, uint32_t column) {
    for (uint32_t i = 0; i < table->primary_key_count; i++) {
        if (table->primary_key[i] == column)
            return true;
    }
    return false;
}

static enum oriel_status describe_computed(struct oriel_result *result,
                                           const struct ast_column_definition *definition,
                                           const char **out, struct oriel_error *error) {
    const char *text = oriel_ast_print_expression(definition->expression, &result->arena);
    *out = text ? oriel_arena_print(&result->arena, "AS %s", text) : NULL;
    return *out ? ORIEL_OK : oriel_error_memory(error);
}

/* Appends name, type, null, key, extras, watermark [, comment] of a column. */
static enum oriel_status describe_column(struct oriel_result *result,
                                         const struct oriel_table_entry *table,
                                         const struct oriel_schema *schema, uint32_t index,
                                         const char *key, struct oriel_error *error) {
    const struct oriel_field *field = &schema->fields[index];
    struct oriel_type type = field->type;
    if (result->runtime.batch_mode)
        type.rowtime = false;
    const struct ast_column_definition *definition =
        table->definitions ? table->definitions[index] : NULL;
    char type_text[TYPE_TEXT_BYTES];
    oriel_type_print(&type, false, type_text, sizeof type_text);
    const char *cells[7] = {field->name, type_text, type.nullable ? "TRUE" : "FALSE"};
    if (is_in_key(table, index))
        cells[3] = key;
    if (definition && definition->kind == AST_COLUMN_METADATA) {
        cells[4] = oriel_column_print_metadata(&result->arena, definition);
        if (!cells[4])
            return oriel_error_memory(error);
    }
    if (definition && definition->kind == AST_COLUMN_COMPUTED)
        ORIEL_TRY(describe_computed(result, definition, &cells[4], error));
    if (table->watermark && table->rowtime == (int32_t)index) {
        cells[5] = oriel_ast_print_expression(table->watermark->expression, &result->arena);
        if (!cells[5])
            return oriel_error_memory(error);
    }
    cells[6] = definition ? definition->comment : NULL;
    return oriel_listing_add(result, cells, error);
}

enum oriel_status oriel_statement_describe(struct oriel_result *result,
                                           const struct ast_statement *statement,
                                           struct oriel_error *error) {
    const struct oriel_table_entry *table;
    struct oriel_schema schema;
    ORIEL_TRY(oriel_statement_find_table(result, &statement->name, &table, error));
    ORIEL_TRY(oriel_bind_schema(result->engine->session, &result->runtime, table, &result->arena,
                                &schema, error));
    bool has_comment = false;
    for (uint32_t i = 0; table->definitions && i < schema.field_count; i++)
        has_comment = has_comment || table->definitions[i]->comment;
    static const char *const names[] = {"name",   "type",      "null",   "key",
                                        "extras", "watermark", "comment"};
    ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_LISTING, names, has_comment ? 7 : 6, error));
    const char *key = NULL;
    if (table->primary_key_count)
        ORIEL_TRY(describe_key(result, table, &key, error));
    for (uint32_t i = 0; i < schema.field_count; i++) {
        if (statement->kind == AST_STATEMENT_SHOW &&
            !oriel_show_wants(statement, schema.fields[i].name))
            continue;
        ORIEL_TRY(describe_column(result, table, &schema, i, key, error));
    }
    return ORIEL_OK;
}
