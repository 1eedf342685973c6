/*
 * SHOW CREATE TABLE and SHOW CREATE VIEW: a definition as Flink prints it back.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

enum { TYPE_TEXT_BYTES = 1024 };

/* Doubles `mark` inside names and texts, so that they can be read back. */
static const char *doubled(struct oriel_arena *arena, const char *text, char mark) {
    size_t count = 0;
    for (const char *at = text; *at; at++)
        count += *at == mark;
    if (!count)
        return text;
    char *out = oriel_arena_allocate(arena, strlen(text) + count + 1);
    if (!out)
        return NULL;
    char *place = out;
    for (const char *at = text; *at; at++) {
        if (*at == mark)
            *place++ = mark;
        *place++ = *at;
    }
    *place = '\0';
    return out;
}

static const char *print_column(struct oriel_arena *arena, const struct oriel_table_entry *table,
                                uint32_t index) {
    const struct ast_column_definition *definition = table->definitions[index];
    const char *name = doubled(arena, definition->name.text, '`');
    if (!name)
        return NULL;
    if (definition->kind == AST_COLUMN_COMPUTED) {
        const char *text = oriel_ast_print_expression(definition->expression, arena);
        return text ? oriel_arena_print(arena, "`%s` AS %s", name, text) : NULL;
    }
    struct oriel_type type = table->schema.fields[index].type;
    char type_text[TYPE_TEXT_BYTES];
    type.rowtime = false;
    oriel_type_print(&type, true, type_text, sizeof type_text);
    return oriel_arena_print(arena, "`%s` %s", name, type_text);
}

/* The list between the parentheses, one element a line. */
static const char *print_elements(struct oriel_arena *arena,
                                  const struct oriel_table_entry *table) {
    const char *text = "";
    for (uint32_t i = 0; i < table->schema.field_count && text; i++) {
        const char *column = print_column(arena, table, i);
        text = column ? oriel_arena_print(arena, "%s%s  %s", text, i ? ",\n" : "", column) : NULL;
    }
    if (text && table->watermark) {
        const char *value = oriel_ast_print_expression(table->watermark->expression, arena);
        const char *name = table->schema.fields[table->rowtime].name;
        text = value
                   ? oriel_arena_print(arena, "%s,\n  WATERMARK FOR `%s` AS %s", text, name, value)
                   : NULL;
    }
    for (uint32_t i = 0; i < table->primary_key_count && text; i++)
        text = oriel_arena_print(arena, "%s%s`%s`%s", text,
                                 i ? ", " : ",\n  CONSTRAINT `PK` PRIMARY KEY (",
                                 table->schema.fields[table->primary_key[i]].name,
                                 i + 1 == table->primary_key_count ? ") NOT ENFORCED" : "");
    return text;
}

static const char *print_options(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *text = "";
    for (uint32_t i = 0; i < table->option_count && text; i++) {
        const char *value = doubled(arena, table->options[i].value, '\'');
        text = value ? oriel_arena_print(arena, "%s%s  '%s' = '%s'", text, i ? ",\n" : "",
                                         table->options[i].key, value)
                     : NULL;
    }
    return text;
}

static const char *print_table(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *elements = print_elements(arena, table);
    const char *options = elements ? print_options(arena, table) : NULL;
    if (!options)
        return NULL;
    return oriel_arena_print(arena,
                             "CREATE %sTABLE `default_catalog`.`default_database`.`%s` (\n%s\n) "
                             "WITH (\n%s\n)\n",
                             table->temporary ? "TEMPORARY " : "", table->name, elements, options);
}

enum oriel_status oriel_statement_show_create(struct oriel_result *result,
                                              const struct ast_statement *statement,
                                              struct oriel_error *error) {
    static const char *const heading = "result";
    const bool wants_view = strcmp(statement->text, "CREATE VIEW") == 0;
    const struct oriel_table_entry *table;
    ORIEL_TRY(oriel_statement_find_table(result, &statement->name, &table, error));
    if ((table->kind == ORIEL_TABLE_VIEW) != wants_view)
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "SHOW CREATE %s is for %ss, but '%s' is a %s",
                              wants_view ? "VIEW" : "TABLE", wants_view ? "view" : "table",
                              table->name, wants_view ? "table" : "view");
    if (table->kind == ORIEL_TABLE_STREAM)
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "'%s' was registered by the program and has no CREATE TABLE",
                              table->name);
    const char *text;
    if (wants_view)
        text = oriel_arena_print(
            &result->arena, "CREATE %sVIEW `default_catalog`.`default_database`.`%s` AS\n%s\n",
            table->temporary ? "TEMPORARY " : "", table->name, table->statement->query_text);
    else
        text = print_table(&result->arena, table);
    if (!text)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_TEXT, &heading, 1, error));
    return oriel_listing_add(result, &text, error);
}
