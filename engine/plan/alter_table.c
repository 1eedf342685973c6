/*
 * ALTER TABLE and ALTER VIEW: the change is made in the tree of the CREATE statement, from which
 * the table is then defined anew, so that what would be wrong there is wrong here.
 */
#include <string.h>

#include "engine/plan/table_entry.h"

struct alteration {
    struct oriel_arena *arena;
    const struct ast_statement *alter;
    struct ast_statement *table;
    struct oriel_error *error;
};

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static uint32_t find_column(const struct ast_statement *table, const char *name) {
    uint32_t i = 0;
    while (i < table->columns.count && !same(table->columns.items[i]->name.text, name))
        i++;
    return i;
}

static enum oriel_status no_column(const struct alteration *a, const struct ast_identifier *name) {
    return oriel_error_at(a->error, ORIEL_INVALID, name->position,
                          "The column '%s' does not exist in the base table", name->text);
}

static bool uses(const struct ast_expression *ast, const char *column) {
    if (!ast)
        return false;
    if (ast->kind == AST_COLUMN && same(ast->name.parts[0].text, column))
        return true;
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        if (uses(ast->arguments.items[i], column))
            return true;
    }
    return false;
}

/* A column that others depend on keeps its name and its place. */
static enum oriel_status check_unused(const struct alteration *a,
                                      const struct ast_identifier *name) {
    const struct ast_statement *const table = a->table;
    const struct ast_watermark *const watermark = table->watermark;
    for (uint32_t i = 0; i < table->columns.count; i++) {
        const struct ast_column_definition *const column = table->columns.items[i];
        if (column->kind == AST_COLUMN_COMPUTED && uses(column->expression, name->text))
            return oriel_error_at(a->error, ORIEL_INVALID, name->position,
                                  "The column '%s' is referenced by computed column '%s'",
                                  name->text, column->name.text);
    }
    if (watermark && (same(watermark->column.parts[0].text, name->text) ||
                      uses(watermark->expression, name->text)))
        return oriel_error_at(a->error, ORIEL_INVALID, name->position,
                              "The column '%s' is referenced by watermark expression; DROP "
                              "WATERMARK first",
                              name->text);
    for (uint32_t i = 0; i < table->partitioned_by.count; i++) {
        if (same(table->partitioned_by.items[i]->text, name->text))
            return oriel_error_at(a->error, ORIEL_INVALID, name->position,
                                  "The column '%s' is used as the partition keys", name->text);
    }
    return ORIEL_OK;
}

static bool is_key(const struct ast_statement *table, const char *name) {
    for (uint32_t i = 0; i < table->primary_key.count; i++) {
        if (same(table->primary_key.items[i]->text, name))
            return true;
    }
    return false;
}

static enum oriel_status rename_column(const struct alteration *a) {
    struct ast_identifier *const name = a->alter->column_names.items[0];
    const struct ast_name *const path = a->alter->old_column;
    const struct ast_identifier *const old = &path->parts[0];
    const uint32_t place = find_column(a->table, old->text);
    if (path->part_count > 1)
        return oriel_error_at(a->error, ORIEL_UNSUPPORTED, path->position,
                              "A field of the column '%s' cannot be renamed, only the column",
                              old->text);
    if (place == a->table->columns.count)
        return no_column(a, old);
    if (find_column(a->table, name->text) < a->table->columns.count)
        return oriel_error_at(a->error, ORIEL_INVALID, name->position,
                              "The column '%s' already existed in table schema", name->text);
    ORIEL_TRY(check_unused(a, old));
    for (uint32_t i = 0; i < a->table->primary_key.count; i++) {
        if (same(a->table->primary_key.items[i]->text, old->text))
            a->table->primary_key.items[i] = name;
    }
    a->table->columns.items[place]->name = *name;
    return ORIEL_OK;
}

static void take_out(struct ast_statement *table, uint32_t place) {
    struct ast_column_definition **const items = table->columns.items;
    table->columns.count--;
    memmove(items + place, items + place + 1, (table->columns.count - place) * sizeof *items);
}

static enum oriel_status drop_columns(const struct alteration *a) {
    for (uint32_t i = 0; i < a->alter->column_names.count; i++) {
        const struct ast_identifier *const name = a->alter->column_names.items[i];
        const uint32_t place = find_column(a->table, name->text);
        if (place == a->table->columns.count)
            return no_column(a, name);
        take_out(a->table, place);
        ORIEL_TRY(check_unused(a, name));
        if (is_key(a->table, name->text))
            return oriel_error_at(a->error, ORIEL_INVALID, name->position,
                                  "The column '%s' is used as the primary key", name->text);
    }
    if (!a->table->columns.count)
        return oriel_error_at(a->error, ORIEL_INVALID, a->alter->position,
                              "A table must keep at least one column");
    return ORIEL_OK;
}

/* Puts the column where it says, else at `otherwise`. There is room for it. */
static enum oriel_status put_column(const struct alteration *a,
                                    struct ast_column_definition *column, uint32_t otherwise) {
    struct ast_statement *const table = a->table;
    uint32_t place = column->is_first ? 0 : otherwise;
    if (column->after) {
        place = find_column(table, column->after->text) + 1;
        if (place > table->columns.count)
            return oriel_error_at(a->error, ORIEL_INVALID, column->after->position,
                                  "Referenced column '%s' by 'AFTER' does not exist in the table",
                                  column->after->text);
    }
    struct ast_column_definition **const items = table->columns.items;
    memmove(items + place + 1, items + place, (table->columns.count - place) * sizeof *items);
    items[place] = column;
    table->columns.count++;
    return ORIEL_OK;
}

static enum oriel_status add_columns(const struct alteration *a) {
    struct ast_statement *const table = a->table;
    const uint32_t count = table->columns.count, added = a->alter->columns.count;
    struct ast_column_definition **const items =
        oriel_arena_allocate_zeroed(a->arena, (size_t)count + added + 1, sizeof *items);
    if (!items)
        return oriel_error_memory(a->error);
    if (count)
        memcpy(items, table->columns.items, count * sizeof *items);
    table->columns.items = items;
    for (uint32_t i = 0; i < added; i++) {
        struct ast_column_definition *const column = a->alter->columns.items[i];
        if (find_column(table, column->name.text) < table->columns.count)
            return oriel_error_at(a->error, ORIEL_INVALID, column->name.position,
                                  "Try to add a column '%s' which already exists in the table",
                                  column->name.text);
        ORIEL_TRY(put_column(a, column, table->columns.count));
    }
    return ORIEL_OK;
}

static enum oriel_status modify_columns(const struct alteration *a) {
    for (uint32_t i = 0; i < a->alter->columns.count; i++) {
        struct ast_column_definition *const column = a->alter->columns.items[i];
        const uint32_t place = find_column(a->table, column->name.text);
        if (place == a->table->columns.count)
            return oriel_error_at(a->error, ORIEL_INVALID, column->name.position,
                                  "Try to modify a column '%s' which does not exist in the table",
                                  column->name.text);
        if (!column->comment)
            column->comment = a->table->columns.items[place]->comment;
        take_out(a->table, place);
        ORIEL_TRY(put_column(a, column, place));
    }
    return ORIEL_OK;
}

static enum oriel_status set_watermark(const struct alteration *a) {
    const bool is_modified = a->alter->alter == AST_ALTER_MODIFY;
    if (!a->alter->watermark)
        return ORIEL_OK;
    if (a->table->watermark && !is_modified)
        return oriel_error_at(a->error, ORIEL_INVALID, a->alter->watermark->position,
                              "The base table has already defined the watermark strategy; you "
                              "might want to drop it before adding a new one, or to MODIFY it");
    if (!a->table->watermark && is_modified)
        return oriel_error_at(a->error, ORIEL_INVALID, a->alter->watermark->position,
                              "The base table does not define any watermark; you might want to ADD "
                              "a new one");
    a->table->watermark = a->alter->watermark;
    a->table->watermark_count = 1;
    return ORIEL_OK;
}

static enum oriel_status set_key(const struct alteration *a) {
    const bool is_modified = a->alter->alter == AST_ALTER_MODIFY;
    const struct ast_statement *const table = a->table;
    if (!a->alter->primary_key.count)
        return ORIEL_OK;
    if ((table->primary_key.count != 0) != is_modified)
        return oriel_error_at(
            a->error, ORIEL_INVALID, a->alter->position,
            is_modified ? "The base table does not define any primary key; you might want "
                          "to ADD a new one"
                        : "The base table has already defined the primary key; you might "
                          "want to drop it before adding a new one");
    a->table->primary_key.count = a->alter->primary_key.count;
    a->table->primary_key.items = a->alter->primary_key.items;
    a->table->has_primary_key = true;
    return ORIEL_OK;
}

static enum oriel_status drop_key(const struct alteration *a) {
    if (!a->table->primary_key.count)
        return oriel_error_at(a->error, ORIEL_INVALID, a->alter->position,
                              "The base table does not define any primary key");
    for (uint32_t i = 0; i < a->table->columns.count; i++) {
        struct ast_column_definition *const column = a->table->columns.items[i];
        column->primary_key = false;
        if (is_key(a->table, column->name.text) && column->type)
            column->type->not_null = true; /* stays, as in Flink */
    }
    a->table->primary_key.count = 0;
    a->table->has_primary_key = false;
    return ORIEL_OK;
}

static uint32_t find_option(const struct ast_statement *table, const char *key) {
    uint32_t i = 0;
    while (i < table->options.count && !same(table->options.items[i]->key, key))
        i++;
    return i;
}

static enum oriel_status set_options(const struct alteration *a) {
    struct ast_statement *const table = a->table;
    const uint32_t count = table->options.count, added = a->alter->options.count;
    struct ast_option **const items =
        oriel_arena_allocate_zeroed(a->arena, (size_t)count + added + 1, sizeof *items);
    if (!items)
        return oriel_error_memory(a->error);
    if (count)
        memcpy(items, table->options.items, count * sizeof *items);
    table->options.items = items;
    for (uint32_t i = 0; i < added; i++) {
        const uint32_t place = find_option(table, a->alter->options.items[i]->key);
        items[place] = a->alter->options.items[i];
        table->options.count += place == table->options.count;
    }
    return ORIEL_OK;
}

static enum oriel_status reset_options(const struct alteration *a) {
    struct ast_statement *const table = a->table;
    for (uint32_t i = 0; i < a->alter->options.count; i++) {
        const struct ast_option *const option = a->alter->options.items[i];
        const uint32_t place = find_option(table, option->key);
        if (same(option->key, "connector"))
            return oriel_error_at(a->error, ORIEL_INVALID, option->position,
                                  "ALTER TABLE RESET does not support changing 'connector'");
        if (place == table->options.count)
            continue;
        table->options.count--;
        memmove(table->options.items + place, table->options.items + place + 1,
                (table->options.count - place) * sizeof(struct ast_option *));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_table_merge_alter(struct oriel_arena *arena,
                                          const struct ast_statement *alter,
                                          struct ast_statement *table, struct oriel_error *error) {
    const struct alteration a = {arena, alter, table, error};
    switch (alter->alter) {
    case AST_ALTER_RENAME:
        table->name.parts = &alter->new_name->parts[alter->new_name->part_count - 1];
        table->name.part_count = 1;
        return ORIEL_OK;
    case AST_ALTER_RENAME_COLUMN: return rename_column(&a);
    case AST_ALTER_ADD:
        ORIEL_TRY(add_columns(&a));
        ORIEL_TRY(set_watermark(&a));
        return set_key(&a);
    case AST_ALTER_MODIFY:
        ORIEL_TRY(modify_columns(&a));
        ORIEL_TRY(set_watermark(&a));
        return set_key(&a);
    case AST_ALTER_DROP: return drop_columns(&a);
    case AST_ALTER_DROP_KEY: return drop_key(&a);
    case AST_ALTER_DROP_WATERMARK:
        if (!table->watermark)
            return oriel_error_at(error, ORIEL_INVALID, alter->position,
                                  "The base table does not define any watermark strategy");
        table->watermark = NULL;
        table->watermark_count = 0;
        return ORIEL_OK;
    case AST_ALTER_SET: return set_options(&a);
    case AST_ALTER_RESET: return reset_options(&a);
    case AST_ALTER_QUERY:
        table->query = alter->query;
        table->query_text = alter->query_text;
        table->column_names.count = 0;
        return ORIEL_OK;
    }
    return oriel_error_set(error, ORIEL_INTERNAL, "ALTER of kind %d", (int)alter->alter);
}
