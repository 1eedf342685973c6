/*
 * CREATE TABLE: columns, computed columns, the watermark and the primary key, checked as Flink does
 * when the statement runs. Options are only kept: they are checked where the table is used.
 */
#include <string.h>

#include "engine/plan/table_entry.h"

static enum oriel_status check_duplicates(struct binder *b, const struct ast_statement *statement) {
    for (uint32_t i = 0; i < statement->columns.count; i++) {
        const struct ast_identifier *const name = &statement->columns.items[i]->name;
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(statement->columns.items[j]->name.text, name->text) == 0)
                return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                                      "A column named '%s' already exists in the table",
                                      name->text);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status define_columns(struct binder *b, struct oriel_table_entry *entry,
                                        struct oriel_field *fields) {
    const struct ast_statement *const statement = entry->statement;
    for (uint32_t i = 0; i < statement->columns.count; i++) {
        const struct ast_column_definition *const column = statement->columns.items[i];
        fields[i].name = column->name.text;
        if (column->kind == AST_COLUMN_COMPUTED)
            continue;
        ORIEL_TRY(oriel_bind_type(&entry->arena, column->type, &fields[i].type, b->error));
        entry->physical_count += column->kind == AST_COLUMN_PHYSICAL;
    }
    return ORIEL_OK;
}

/* Columns of the file, which computed ones may use. */
static enum oriel_status make_stored_scope(struct binder *b, const struct oriel_table_entry *entry,
                                           struct oriel_field *fields, struct bind_scope *scope) {
    const struct ast_statement *const statement = entry->statement;
    struct oriel_plan stored = {.kind = ORIEL_PLAN_SCAN};
    struct oriel_field *const kept =
        oriel_arena_allocate_zeroed(b->arena, (size_t)statement->columns.count + 1, sizeof *kept);
    if (!kept)
        return oriel_bind_memory(b);
    uint32_t count = 0;
    for (uint32_t i = 0; i < statement->columns.count; i++) {
        if (statement->columns.items[i]->kind != AST_COLUMN_COMPUTED)
            kept[count++] = fields[i];
    }
    stored.schema = (struct oriel_schema){count, kept};
    return oriel_scope_init(b, scope, &stored, entry->name);
}

static enum oriel_status define_computed(struct binder *b, struct oriel_table_entry *entry,
                                         struct oriel_field *fields) {
    const struct ast_statement *const statement = entry->statement;
    struct bind_scope scope;
    ORIEL_TRY(make_stored_scope(b, entry, fields, &scope));
    struct bind_frame frame = {.scope = &scope, .clause = "computed column"};
    for (uint32_t i = 0; i < statement->columns.count; i++) {
        const struct ast_column_definition *const column = statement->columns.items[i];
        if (column->kind != AST_COLUMN_COMPUTED)
            continue;
        struct oriel_expression *value;
        struct oriel_schema copy;
        ORIEL_TRY(oriel_bind_expression(b, &frame, column->expression, &value));
        const struct oriel_field field = {fields[i].name, value->type};
        ORIEL_TRY(oriel_table_copy_schema(&entry->arena, (struct oriel_schema){1, &field}, &copy,
                                          b->error));
        fields[i].type = copy.fields[0].type;
    }
    return ORIEL_OK;
}

/* `columns` are those of the table, declared or found in its file. */
static int32_t find_column(struct oriel_schema columns, const char *name) {
    for (uint32_t i = 0; i < columns.field_count; i++) {
        if (strcmp(columns.fields[i].name, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

static enum oriel_status unknown_column(struct binder *b, struct oriel_schema columns,
                                        struct oriel_position position, const char *what,
                                        const char *name) {
    char hint[160];
    struct oriel_suggestion suggestion = {.name = name};
    for (uint32_t i = 0; i < columns.field_count; i++)
        oriel_suggestion_offer(&suggestion, columns.fields[i].name);
    return oriel_error_at(b->error, ORIEL_INVALID, position,
                          "The %s '%s' is not defined in the table schema%s", what, name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* The expression must give a time, over any column of the table. */
static enum oriel_status check_watermark_expression(struct binder *b,
                                                    const struct oriel_table_entry *entry,
                                                    struct oriel_field *fields, uint32_t count) {
    struct oriel_plan all = {
        .kind = ORIEL_PLAN_SCAN,
        .schema = {count, fields},
    };
    struct bind_scope scope;
    struct oriel_expression *value;
    ORIEL_TRY(oriel_scope_init(b, &scope, &all, entry->name));
    struct bind_frame frame = {.scope = &scope, .clause = "WATERMARK"};
    ORIEL_TRY(oriel_bind_expression(b, &frame, entry->watermark->expression, &value));
    char type[96];
    if (oriel_type_is_timestamp(&value->type))
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, entry->watermark->expression->position,
                          "Invalid data type of expression for watermark definition. It must be "
                          "TIMESTAMP or TIMESTAMP_LTZ, but is %s",
                          oriel_type_print(&value->type, false, type, sizeof type));
}

static enum oriel_status define_watermark(struct binder *b, struct oriel_table_entry *entry,
                                          struct oriel_field *fields, uint32_t count) {
    const struct oriel_schema columns = {count, fields};
    const struct ast_statement *const statement = entry->statement;
    const struct ast_watermark *const watermark = statement->watermark;
    if (!watermark)
        return ORIEL_OK;
    if (statement->watermark_count > 1)
        return oriel_error_at(b->error, ORIEL_INVALID, watermark->position,
                              "A table can have one WATERMARK, but '%s' has %u", entry->name,
                              statement->watermark_count);
    const char *const name = watermark->column.parts[0].text;
    const int32_t column = find_column(columns, name);
    if (column < 0 || watermark->column.part_count > 1)
        return unknown_column(b, columns, watermark->column.position,
                              "rowtime attribute field of the watermark", name);
    struct oriel_type *const type = &fields[column].type;
    char text[96];
    if (!oriel_type_is_timestamp(type) || type->precision > 3)
        return oriel_error_at(
            b->error, ORIEL_INVALID, watermark->column.position,
            "Invalid data type of time field for watermark definition. The field "
            "must be of type TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported "
            "precision 'p' is from 0 to 3, but the time field type is %s; declare "
            "the column with precision 3",
            oriel_type_print(type, false, text, sizeof text));
    entry->watermark = watermark;
    ORIEL_TRY(check_watermark_expression(b, entry, fields, count));
    type->precision = 3;
    type->rowtime = true;
    entry->rowtime = column;
    return ORIEL_OK;
}

static enum oriel_status add_key_column(struct binder *b, struct oriel_table_entry *entry,
                                        struct oriel_field *fields, uint32_t *key,
                                        const struct ast_identifier *name) {
    const struct ast_statement *const statement = entry->statement;
    const struct oriel_schema columns = {statement->columns.count, fields};
    const int32_t column = find_column(columns, name->text);
    if (column < 0)
        return unknown_column(b, columns, name->position, "primary key column", name->text);
    if (statement->columns.items[column]->kind != AST_COLUMN_PHYSICAL)
        return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                              "The primary key column '%s' is computed, but must be a column of "
                              "the file",
                              name->text);
    for (uint32_t i = 0; i < entry->primary_key_count; i++) {
        if (key[i] == (uint32_t)column)
            return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                                  "The primary key names '%s' twice", name->text);
    }
    fields[column].type.nullable = false;
    key[entry->primary_key_count++] = (uint32_t)column;
    return ORIEL_OK;
}

static enum oriel_status define_primary_key(struct binder *b, struct oriel_table_entry *entry,
                                            struct oriel_field *fields) {
    const struct ast_statement *const statement = entry->statement;
    uint32_t *const key = oriel_arena_allocate_zeroed(
        &entry->arena, (size_t)statement->columns.count + statement->primary_key.count + 1,
        sizeof *key);
    if (!key)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < statement->primary_key.count; i++)
        ORIEL_TRY(add_key_column(b, entry, fields, key, statement->primary_key.items[i]));
    for (uint32_t i = 0; i < statement->columns.count; i++) {
        if (statement->columns.items[i]->primary_key && !statement->primary_key.count)
            ORIEL_TRY(add_key_column(b, entry, fields, key, &statement->columns.items[i]->name));
    }
    if (entry->primary_key_count && statement->primary_key_enforced)
        return oriel_error_at(b->error, ORIEL_INVALID, statement->position,
                              "The PRIMARY KEY of '%s' must be declared NOT ENFORCED: the files "
                              "belong to the user, nobody guards their keys",
                              entry->name);
    entry->primary_key = key;
    return ORIEL_OK;
}

static enum oriel_status define_options(struct binder *b, struct oriel_table_entry *entry) {
    const struct ast_statement *const statement = entry->statement;
    struct oriel_option *const options = oriel_arena_allocate_zeroed(
        &entry->arena, (size_t)statement->options.count + 1, sizeof *options);
    if (!options)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < statement->options.count; i++) {
        const struct ast_option *const option = statement->options.items[i];
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(options[j].key, option->key) == 0)
                return oriel_error_at(b->error, ORIEL_INVALID, option->position,
                                      "The option '%s' is given twice", option->key);
        }
        options[i] = (struct oriel_option){option->key, option->value, option->value_position};
    }
    entry->option_count = statement->options.count;
    entry->options = options;
    return ORIEL_OK;
}

static enum oriel_status check_partition_columns(struct binder *b,
                                                 const struct oriel_table_entry *entry,
                                                 const struct oriel_field *fields) {
    const struct ast_statement *const statement = entry->statement;
    const struct oriel_schema columns = {statement->columns.count, fields};
    for (uint32_t i = 0; i < statement->partitioned_by.count; i++) {
        const struct ast_identifier *const name = statement->partitioned_by.items[i];
        const int32_t column = find_column(columns, name->text);
        if (column < 0)
            return unknown_column(b, columns, name->position, "partition column", name->text);
        if (statement->columns.items[column]->kind != AST_COLUMN_PHYSICAL)
            return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                                  "Invalid partition key '%s'. A partition key must reference a "
                                  "physical column in the schema",
                                  name->text);
    }
    return ORIEL_OK;
}

/* A table whose columns are those of its file; a watermark may be declared over them. */
static enum oriel_status define_found(struct binder *b, struct oriel_table_entry *entry) {
    const struct ast_statement *const statement = entry->statement;
    if (statement->partitioned_by.count || statement->primary_key.count)
        return oriel_error_at(b->error, ORIEL_INVALID, statement->position,
                              "PARTITIONED BY and PRIMARY KEY need declared columns, and '%s' "
                              "declares none",
                              entry->name);
    ORIEL_TRY(define_options(b, entry));
    ORIEL_TRY(oriel_table_infer(b, entry, &entry->arena, statement->name.position));
    if (!statement->watermark)
        return ORIEL_OK;
    struct oriel_field *const fields = oriel_plan_copy_fields(&entry->arena, entry->schema, 0);
    if (!fields)
        return oriel_bind_memory(b);
    entry->schema.fields = fields;
    const int32_t column = find_column(entry->schema, statement->watermark->column.parts[0].text);
    /* Nobody chose its precision; finer digits are cut as where TIMESTAMP(3) is declared. */
    if (column >= 0 && oriel_type_is_timestamp(&fields[column].type) &&
        fields[column].type.precision > 3)
        fields[column].type.precision = 3;
    return define_watermark(b, entry, fields, entry->schema.field_count);
}

enum oriel_status oriel_table_define(struct binder *b, struct oriel_table_entry *entry) {
    const struct ast_statement *const statement = entry->statement;
    if (!statement->columns.count)
        return define_found(b, entry);
    ORIEL_TRY(oriel_bind_check_columns(b, statement->columns.count, statement->name.position));
    struct oriel_field *const fields =
        oriel_arena_allocate_zeroed(&entry->arena, statement->columns.count, sizeof *fields);
    if (!fields)
        return oriel_bind_memory(b);
    entry->kind = ORIEL_TABLE_FILE;
    entry->definitions = (const struct ast_column_definition *const *)statement->columns.items;
    ORIEL_TRY(check_duplicates(b, statement));
    ORIEL_TRY(define_columns(b, entry, fields));
    ORIEL_TRY(define_computed(b, entry, fields));
    ORIEL_TRY(define_watermark(b, entry, fields, statement->columns.count));
    ORIEL_TRY(define_primary_key(b, entry, fields));
    ORIEL_TRY(check_partition_columns(b, entry, fields));
    entry->schema = (struct oriel_schema){statement->columns.count, fields};
    return define_options(b, entry);
}
