/*
 * Names of columns at some place of a query: finding them, with or without a table's name before
 * them, and telling what is wrong when they are not found.
 */
#include <stdio.h>
#include <string.h>

#include "engine/plan/bind.h"

/* The column `name` among columns [first, first + count), when it is there exactly once. */
static enum oriel_name_result find_in(const struct bind_scope *scope, uint32_t first,
                                      uint32_t count, bool hidden_too, const char *name,
                                      uint32_t *column) {
    enum oriel_name_result result = ORIEL_NAME_NONE;
    for (uint32_t i = first; i < first + count; i++) {
        if (scope->columns[i].hidden && !hidden_too)
            continue;
        if (strcmp(scope->columns[i].name, name) != 0)
            continue;
        if (result == ORIEL_NAME_FOUND)
            return ORIEL_NAME_AMBIGUOUS;
        *column = i;
        result = ORIEL_NAME_FOUND;
    }
    return result;
}

static const struct bind_table *find_table(const struct bind_scope *scope, const char *name) {
    for (uint32_t t = 0; t < scope->table_count; t++) {
        if (scope->tables[t].alias && strcmp(scope->tables[t].alias, name) == 0)
            return &scope->tables[t];
    }
    return NULL;
}

/* How many leading parts name the catalog and database. */
static uint32_t qualifier_parts(const struct ast_name *name) {
    if (name->part_count >= 4 && strcmp(name->parts[0].text, "default_catalog") == 0 &&
        strcmp(name->parts[1].text, "default_database") == 0)
        return 2;
    if (name->part_count >= 3 && strcmp(name->parts[0].text, "default_database") == 0)
        return 1;
    return 0;
}

enum oriel_name_result oriel_scope_find(const struct bind_scope *scope, const struct ast_name *name,
                                        uint32_t *column, uint32_t *part_count) {
    const uint32_t first = qualifier_parts(name);
    if (name->part_count >= first + 2) {
        const struct bind_table *const table = find_table(scope, name->parts[first].text);
        if (table) {
            *part_count = first + 2;
            return find_in(scope, table->first, table->count, true, name->parts[first + 1].text,
                           column);
        }
    }
    if (first)
        return ORIEL_NAME_NONE;
    *part_count = 1;
    return find_in(scope, 0, scope->column_count, false, name->parts[0].text, column);
}

static enum oriel_status not_found(struct binder *b, const struct bind_scope *scope,
                                   const struct ast_name *name) {
    char hint[160];
    const uint32_t first = qualifier_parts(name);
    if (name->part_count >= first + 2) {
        const char *const table_name = name->parts[first].text;
        const struct bind_table *const table = find_table(scope, table_name);
        const char *const wanted = name->parts[first + 1].text;
        struct oriel_suggestion suggestion = {.name = table ? wanted : table_name};
        if (table) {
            for (uint32_t i = table->first; i < table->first + table->count; i++)
                oriel_suggestion_offer(&suggestion, scope->columns[i].name);
            oriel_suggestion_text(&suggestion, hint, sizeof hint);
            return oriel_error_at(b->error, ORIEL_INVALID, name->parts[first + 1].position,
                                  "Column '%s' not found in table '%s'%s", wanted, table_name,
                                  hint);
        }
        for (uint32_t t = 0; t < scope->table_count; t++) {
            if (scope->tables[t].alias)
                oriel_suggestion_offer(&suggestion, scope->tables[t].alias);
        }
        oriel_suggestion_text(&suggestion, hint, sizeof hint);
        return oriel_error_at(b->error, ORIEL_INVALID, name->position, "Table '%s' not found%s",
                              table_name, hint);
    }
    struct oriel_suggestion suggestion = {.name = name->parts[0].text};
    for (uint32_t i = 0; i < scope->column_count; i++)
        oriel_suggestion_offer(&suggestion, scope->columns[i].name);
    oriel_suggestion_text(&suggestion, hint, sizeof hint);
    return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                          "Column '%.200s' not found in any table%s", name->parts[0].text, hint);
}

/* Goes into the fields of a ROW for the parts of the name that are left. */
static enum oriel_status bind_fields(struct binder *b, const struct ast_name *name, uint32_t part,
                                     struct oriel_expression **out) {
    for (; part < name->part_count; part++) {
        struct oriel_expression *const field = oriel_bind_string(
            b, name->parts[part].text, strlen(name->parts[part].text), name->parts[part].position);
        if (!field)
            return oriel_bind_memory(b);
        if ((*out)->type.id != ORIEL_TYPE_ROW)
            return oriel_error_at(b->error, ORIEL_INVALID, name->parts[part].position,
                                  "Column '%s' has no fields, so '.%s' cannot follow it",
                                  name->parts[part - 1].text, name->parts[part].text);
        ORIEL_TRY(oriel_bind_plain_call(b, ".", name->parts[part].position,
                                        (struct oriel_expression *[]){*out, field}, 2, NULL, out));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_scope_resolve(struct binder *b, const struct bind_scope *scope,
                                      const struct ast_name *name, struct oriel_expression **out) {
    uint32_t outer = 0;
    for (const struct bind_scope *at = scope; at; at = at->outer, outer++) {
        uint32_t column, parts;
        const enum oriel_name_result result = oriel_scope_find(at, name, &column, &parts);
        if (result == ORIEL_NAME_AMBIGUOUS)
            return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                                  "Column '%s' is ambiguous", name->parts[parts - 1].text);
        if (result == ORIEL_NAME_NONE)
            continue;
        if (outer > 1)
            return oriel_error_at(b->error, ORIEL_UNSUPPORTED, name->position,
                                  "Column '%s' of a query two levels up cannot be used here",
                                  name->parts[parts - 1].text);
        *out = oriel_expression_column(b->arena, outer ? column | ORIEL_COLUMN_OUTER : column,
                                       at->columns[column].type, name->position);
        if (!*out)
            return oriel_bind_memory(b);
        return bind_fields(b, name, parts, out);
    }
    uint32_t column, parts;
    if (b->enclosing && oriel_scope_find(b->enclosing, name, &column, &parts) == ORIEL_NAME_FOUND)
        return oriel_error_at(
            b->error, ORIEL_UNSUPPORTED, name->position,
            "Column '%s' is of the enclosing query: a sub-query as a value cannot "
            "depend on the outer row yet",
            name->parts[parts - 1].text);
    return not_found(b, scope, name);
}

enum oriel_status oriel_scope_init(struct binder *b, struct bind_scope *scope,
                                   const struct oriel_plan *plan, const char *alias) {
    const uint32_t count = plan->schema.field_count;
    *scope = (struct bind_scope){.column_count = count, .table_count = 1};
    scope->columns = oriel_arena_allocate_zeroed(b->arena, count + 1, sizeof *scope->columns);
    scope->tables = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *scope->tables);
    if (!scope->columns || !scope->tables)
        return oriel_bind_memory(b);
    scope->tables[0] = (struct bind_table){alias, 0, count};
    for (uint32_t i = 0; i < count; i++) {
        scope->columns[i].name = plan->schema.fields[i].name;
        scope->columns[i].type = plan->schema.fields[i].type;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_scope_join(struct binder *b, const struct bind_scope *left,
                                   const struct bind_scope *right, struct bind_scope *out) {
    *out = (struct bind_scope){.outer = left->outer};
    out->column_count = left->column_count + right->column_count;
    out->table_count = left->table_count + right->table_count;
    out->columns =
        oriel_arena_allocate_zeroed(b->arena, out->column_count + 1, sizeof *out->columns);
    out->tables = oriel_arena_allocate_zeroed(b->arena, out->table_count, sizeof *out->tables);
    if (!out->columns || !out->tables)
        return oriel_bind_memory(b);
    if (left->column_count) /* SELECT without FROM has none */
        memcpy(out->columns, left->columns, left->column_count * sizeof *out->columns);
    memcpy(out->columns + left->column_count, right->columns,
           right->column_count * sizeof *out->columns);
    if (left->table_count)
        memcpy(out->tables, left->tables, left->table_count * sizeof *out->tables);
    memcpy(out->tables + left->table_count, right->tables,
           right->table_count * sizeof *out->tables);
    for (uint32_t t = left->table_count; t < out->table_count; t++)
        out->tables[t].first += left->column_count;
    return ORIEL_OK;
}

enum oriel_status oriel_scope_rename(struct binder *b, struct bind_scope *scope,
                                     struct oriel_position position, uint32_t name_count,
                                     struct ast_identifier *const *names) {
    if (!name_count)
        return ORIEL_OK;
    if (name_count != scope->column_count)
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "%u column names are given for %u columns", name_count,
                              scope->column_count);
    for (uint32_t i = 0; i < name_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(names[i]->text, names[j]->text) == 0)
                return oriel_error_at(b->error, ORIEL_INVALID, names[i]->position,
                                      "Duplicate name '%s' in column alias list", names[i]->text);
        }
        scope->columns[i].name = names[i]->text;
    }
    return ORIEL_OK;
}

static bool is_taken(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

enum oriel_status oriel_scope_uniquify(struct binder *b, const char **names, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        const char *const original = names[i];
        for (uint32_t n = 0; is_taken(names, i, names[i]); n++) {
            names[i] = oriel_arena_print(b->arena, "%s%u", original, n);
            if (!names[i])
                return oriel_bind_memory(b);
        }
    }
    return ORIEL_OK;
}
