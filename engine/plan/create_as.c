/*
 * CREATE TABLE ... AS query: the columns of the query become a CREATE TABLE of their own, which is
 * merged with the one that was written, as the base of LIKE is.
 */
#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/table_entry.h"

enum { TYPE_TEXT_BYTES = 4096 };

/* Columns of one name get numbers: v, v0, v1. */
static enum oriel_status tell_apart(struct binder *b, struct oriel_field *fields, uint32_t count) {
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *names);
    if (!names)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++)
        names[i] = fields[i].name;
    ORIEL_TRY(oriel_scope_uniquify(b, names, count));
    for (uint32_t i = 0; i < count; i++)
        fields[i].name = names[i];
    return ORIEL_OK;
}

/* A time attribute is an ordinary column of the new table, also within collections. */
static struct oriel_field *copy_without_rowtimes(struct oriel_arena *arena,
                                                 struct oriel_schema schema) {
    struct oriel_field *const fields = oriel_plan_copy_fields(arena, schema, 0);
    for (uint32_t i = 0; fields && i < schema.field_count; i++) {
        struct oriel_type *const type = &fields[i].type;
        type->rowtime = false;
        if (!type->field_count)
            continue;
        type->fields =
            copy_without_rowtimes(arena, (struct oriel_schema){type->field_count, type->fields});
        if (!type->fields)
            return NULL;
    }
    return fields;
}

static enum oriel_status print_column(struct binder *b, const struct ast_statement *statement,
                                      const struct oriel_field *field, const char **list) {
    char text[TYPE_TEXT_BYTES];
    const enum oriel_type_id id = field->type.id;
    const bool is_empty = id == ORIEL_TYPE_CHAR && field->type.length == 0; /* of '' */
    oriel_type_print(&field->type, true, text, sizeof text);
    if (is_empty || id == ORIEL_TYPE_NULL || id == ORIEL_TYPE_INTERVAL_DAY ||
        id == ORIEL_TYPE_INTERVAL_YEAR)
        return oriel_error_at(b->error, ORIEL_INVALID, statement->query->position,
                              "The column '%s' of the query has the type %s, which no table can "
                              "have; CAST it",
                              field->name, text);
    if (strlen(text) + 1 == sizeof text)
        return oriel_error_at(b->error, ORIEL_INVALID, statement->query->position,
                              "The type of the column '%s' is longer than %d characters",
                              field->name, TYPE_TEXT_BYTES);
    const char *const name = oriel_arena_double(b->arena, field->name, '`');
    *list = name ? oriel_arena_print(b->arena, "%s%s`%s` %s", *list, **list ? ", " : "", name, text)
                 : NULL;
    return *list ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_table_print_query(struct binder *b, const struct ast_statement *statement,
                                          struct oriel_schema *columns,
                                          struct oriel_statement_text *out) {
    struct oriel_plan *plan;
    ORIEL_TRY(oriel_bind_rows(b, statement->query, &plan));
    const uint32_t count = plan->schema.field_count;
    struct oriel_field *const fields = copy_without_rowtimes(b->arena, plan->schema);
    if (!fields)
        return oriel_bind_memory(b);
    ORIEL_TRY(tell_apart(b, fields, count));
    const char *list = "";
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(print_column(b, statement, &fields[i], &list));
    const char *const text =
        oriel_arena_print(b->arena, "CREATE TABLE columns_of_query (%s)", list);
    if (!text)
        return oriel_bind_memory(b);
    *columns = (struct oriel_schema){count, fields};
    *out = (struct oriel_statement_text){text, statement->query->position};
    return ORIEL_OK;
}

static uint32_t find(const struct ast_statement *statement, const char *name) {
    uint32_t place = 0;
    while (place < statement->columns.count &&
           strcmp(statement->columns.items[place]->name.text, name) != 0)
        place++;
    return place;
}

/* CREATE TABLE r (b, a) AS SELECT a, b: the columns of the query in another order. */
static enum oriel_status take_by_name(const struct ast_statement *query,
                                      const struct ast_statement *table,
                                      struct ast_column_definition **merged,
                                      struct oriel_error *error) {
    if (table->column_names.count != query->columns.count)
        return oriel_error_at(error, ORIEL_INVALID, table->column_names.items[0]->position,
                              "The number of columns in the column list must match the number of "
                              "columns in the source schema: the list has %u, the query gives %u",
                              table->column_names.count, query->columns.count);
    for (uint32_t i = 0; i < table->column_names.count; i++) {
        const struct ast_identifier *const name = table->column_names.items[i];
        const uint32_t place = find(query, name->text);
        if (place == query->columns.count)
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "Column '%s' not found in the source schema", name->text);
        merged[i] = query->columns.items[place];
        merged[i]->name.position = name->position;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_table_merge_query(struct oriel_arena *arena,
                                          const struct ast_statement *query,
                                          struct ast_statement *table, struct oriel_error *error) {
    struct ast_column_definition **const merged = oriel_arena_allocate_zeroed(
        arena, (size_t)query->columns.count + table->columns.count + 1, sizeof *merged);
    if (!merged)
        return oriel_error_memory(error);
    uint32_t count = 0;
    if (table->column_names.count) {
        ORIEL_TRY(take_by_name(query, table, merged, error));
        count = query->columns.count;
    } else {
        for (uint32_t i = 0; i < table->columns.count; i++) {
            struct ast_column_definition *const column = table->columns.items[i];
            const uint32_t place = find(query, column->name.text);
            if (place == query->columns.count || column->kind != AST_COLUMN_PHYSICAL)
                merged[count++] = column;
            else
                query->columns.items[place] = column;
        }
        for (uint32_t i = 0; i < query->columns.count; i++)
            merged[count++] = query->columns.items[i];
    }
    table->columns.count = count;
    table->columns.items = merged;
    table->query = NULL;
    return ORIEL_OK;
}

enum oriel_status oriel_table_check_query(struct binder *b, const struct oriel_table_entry *entry,
                                          struct oriel_schema columns) {
    for (uint32_t i = 0; i < entry->schema.field_count; i++) {
        const struct oriel_field *const field = &entry->schema.fields[i];
        uint32_t from = 0;
        while (from < columns.field_count && strcmp(columns.fields[from].name, field->name) != 0)
            from++;
        if (from == columns.field_count || entry->definitions[i]->kind != AST_COLUMN_PHYSICAL)
            continue;
        const struct oriel_type *const type = &columns.fields[from].type;
        if (oriel_type_casts_implicitly(type, &field->type) &&
            (field->type.nullable || !type->nullable))
            continue;
        char given[160], wanted[160];
        return oriel_error_at(b->error, ORIEL_INVALID, entry->definitions[i]->name.position,
                              "Incompatible types for sink column '%s' at position %u. The source "
                              "column has type '%s', while the target column has type '%s'",
                              field->name, i + 1, oriel_type_print(type, true, given, sizeof given),
                              oriel_type_print(&field->type, true, wanted, sizeof wanted));
    }
    return ORIEL_OK;
}
