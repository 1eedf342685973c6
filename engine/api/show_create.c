/*
 * SHOW CREATE TABLE and SHOW CREATE VIEW: a definition as Flink prints it back.
 */
#include "engine/api/engine_internal.h"

#include <stdio.h>
#include <string.h>

enum { TYPE_TEXT_BYTES = 1024 };

const char *oriel_column_print_metadata(struct oriel_arena *arena,
                                        const struct ast_column_definition *definition) {
    const char *end = definition->is_virtual ? " VIRTUAL" : "";
    if (!definition->metadata_key)
        return oriel_arena_print(arena, "METADATA%s", end);
    const char *key = oriel_arena_double(arena, definition->metadata_key, '\'');
    return key ? oriel_arena_print(arena, "METADATA FROM '%s'%s", key, end) : NULL;
}

/* Flink prints STRING and BYTES with their lengths here. */
static const char *print_type(const struct oriel_type *type, char *out, size_t capacity) {
    const bool is_long = type->length == ORIEL_LENGTH_MAX &&
                         (type->id == ORIEL_TYPE_VARCHAR || type->id == ORIEL_TYPE_VARBINARY);
    if (!is_long)
        return oriel_type_print(type, true, out, capacity);
    snprintf(out, capacity, "%s(%d)%s", type->id == ORIEL_TYPE_VARCHAR ? "VARCHAR" : "VARBINARY",
             ORIEL_LENGTH_MAX, type->nullable ? "" : " NOT NULL");
    return out;
}

static const char *print_column(struct oriel_arena *arena, const struct oriel_table_entry *table,
                                uint32_t index) {
    static const struct ast_column_definition undeclared = {.kind = AST_COLUMN_PHYSICAL};
    const struct ast_column_definition *definition =
        table->definitions ? table->definitions[index] : &undeclared;
    const char *name = oriel_arena_double(arena, table->schema.fields[index].name, '`');
    const char *comment = "", *what = NULL;
    char type_text[TYPE_TEXT_BYTES];
    if (definition->comment) {
        comment = oriel_arena_double(arena, definition->comment, '\'');
        comment = comment ? oriel_arena_print(arena, " COMMENT '%s'", comment) : NULL;
    }
    if (definition->kind == AST_COLUMN_COMPUTED) {
        what = oriel_ast_print_expression(definition->expression, arena);
        what = what ? oriel_arena_print(arena, "AS %s", what) : NULL;
    } else {
        struct oriel_type type = table->schema.fields[index].type;
        type.rowtime = false;
        what = print_type(&type, type_text, sizeof type_text);
        if (definition->kind == AST_COLUMN_METADATA) {
            const char *metadata = oriel_column_print_metadata(arena, definition);
            what = metadata ? oriel_arena_print(arena, "%s %s", what, metadata) : NULL;
        }
    }
    return name && comment && what ? oriel_arena_print(arena, "`%s` %s%s", name, what, comment)
                                   : NULL;
}

/* Appends ", `name`" or the first name to a list. */
static const char *add_name(struct oriel_arena *arena, const char *list, const char *name) {
    name = oriel_arena_double(arena, name, '`');
    return name ? oriel_arena_print(arena, "%s%s`%s`", list, list[0] ? ", " : "", name) : NULL;
}

static const char *print_key(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *columns = "", *name = "PK";
    for (uint32_t i = 0; i < table->primary_key_count && columns && name; i++) {
        const char *column = table->schema.fields[table->primary_key[i]].name;
        columns = add_name(arena, columns, column);
        name = oriel_arena_print(arena, "%s_%s", name, column);
    }
    return columns && name
               ? oriel_arena_print(arena, ",\n  CONSTRAINT `%s` PRIMARY KEY (%s) NOT ENFORCED",
                                   name, columns)
               : NULL;
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
        const char *name =
            oriel_arena_double(arena, table->schema.fields[table->rowtime].name, '`');
        text = value && name
                   ? oriel_arena_print(arena, "%s,\n  WATERMARK FOR `%s` AS %s", text, name, value)
                   : NULL;
    }
    if (text && table->primary_key_count) {
        const char *key = print_key(arena, table);
        text = key ? oriel_arena_print(arena, "%s%s", text, key) : NULL;
    }
    return text;
}

/* COMMENT and PARTITIONED BY. */
static const char *print_clauses(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *text = "", *columns = "";
    if (table->statement->comment) {
        text = oriel_arena_double(arena, table->statement->comment, '\'');
        text = text ? oriel_arena_print(arena, "COMMENT '%s'\n", text) : NULL;
    }
    for (uint32_t i = 0; i < table->statement->partitioned_by.count && columns; i++)
        columns = add_name(arena, columns, table->statement->partitioned_by.items[i]->text);
    if (!text || !columns || !columns[0])
        return columns ? text : NULL;
    return oriel_arena_print(arena, "%sPARTITIONED BY (%s)\n", text, columns);
}

static const struct oriel_option *option_behind(const struct oriel_table_entry *table,
                                                const char *key) {
    const struct oriel_option *next = NULL;
    for (uint32_t i = 0; i < table->option_count; i++) {
        const struct oriel_option *option = &table->options[i];
        if ((!key || strcmp(option->key, key) > 0) && (!next || strcmp(option->key, next->key) < 0))
            next = option;
    }
    return next;
}

/* In the order of the keys. */
static const char *print_options(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *text = "";
    const struct oriel_option *option = NULL;
    while (text && (option = option_behind(table, option ? option->key : NULL)) != NULL) {
        const char *key = oriel_arena_double(arena, option->key, '\'');
        const char *value = oriel_arena_double(arena, option->value, '\'');
        text = key && value ? oriel_arena_print(arena, "%s%s  '%s' = '%s'", text,
                                                text[0] ? ",\n" : "", key, value)
                            : NULL;
    }
    return text && text[0] ? oriel_arena_print(arena, "WITH (\n%s\n)\n", text) : text;
}

static const char *print_name(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *catalog = oriel_arena_double(arena, table->database->catalog, '`');
    const char *database = oriel_arena_double(arena, table->database->name, '`');
    const char *name = oriel_arena_double(arena, table->name, '`');
    return catalog && database && name
               ? oriel_arena_print(arena, "`%s`.`%s`.`%s`", catalog, database, name)
               : NULL;
}

static const char *print_table(struct oriel_arena *arena, const struct oriel_table_entry *table) {
    const char *elements = print_elements(arena, table);
    const char *clauses = print_clauses(arena, table);
    const char *options = print_options(arena, table);
    const char *name = print_name(arena, table);
    if (!elements || !clauses || !options || !name)
        return NULL;
    return oriel_arena_print(arena, "CREATE %sTABLE %s (\n%s\n)\n%s%s",
                             table->temporary ? "TEMPORARY " : "", name, elements, clauses,
                             options);
}

static const char *print_view(struct oriel_arena *arena, const struct oriel_table_entry *view) {
    const char *name = print_name(arena, view);
    return name ? oriel_arena_print(arena, "CREATE %sVIEW %s AS\n%s\n",
                                    view->temporary ? "TEMPORARY " : "", name,
                                    view->statement->query_text)
                : NULL;
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
    const char *text =
        wants_view ? print_view(&result->arena, table) : print_table(&result->arena, table);
    if (!text)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_TEXT, &heading, 1, error));
    return oriel_listing_add(result, &text, error);
}
