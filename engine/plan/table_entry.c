/*
 * Entries of the catalog: each lies in an arena of its own into which its statement is parsed once
 * more, so that it outlives the script that made it.
 */
#include "engine/plan/table_entry.h"

#include <string.h>

#include "engine/plan/session_internal.h"
#include "engine/sql/parser.h"

struct oriel_table_entry *oriel_table_entry_make(struct oriel_memory *memory) {
    struct oriel_table_entry *const entry = oriel_memory_allocate_zeroed(memory, 1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->rowtime = -1;
    oriel_arena_init(&entry->arena, memory);
    return entry;
}

void oriel_table_entry_free(struct oriel_memory *memory, struct oriel_table_entry *entry) {
    if (!entry)
        return;
    oriel_arena_deinit(&entry->arena);
    oriel_memory_release(memory, entry, sizeof *entry);
}

static enum oriel_status copy_type(struct oriel_arena *arena, struct oriel_type *type,
                                   struct oriel_error *error) {
    struct oriel_schema children;
    ORIEL_TRY(oriel_table_copy_schema(arena, (struct oriel_schema){type->field_count, type->fields},
                                      &children, error));
    type->fields = children.fields;
    return ORIEL_OK;
}

enum oriel_status oriel_table_copy_schema(struct oriel_arena *arena, struct oriel_schema schema,
                                          struct oriel_schema *out, struct oriel_error *error) {
    *out = (struct oriel_schema){0, NULL};
    if (!schema.field_count)
        return ORIEL_OK;
    struct oriel_field *const fields = oriel_plan_copy_fields(arena, schema, 0);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema.field_count; i++) {
        ORIEL_TRY(copy_type(arena, &fields[i].type, error));
        if (!fields[i].name)
            continue;
        fields[i].name = oriel_arena_copy(arena, fields[i].name, strlen(fields[i].name));
        if (!fields[i].name)
            return oriel_error_memory(error);
    }
    *out = (struct oriel_schema){schema.field_count, fields};
    return ORIEL_OK;
}

static enum oriel_status parse_again(struct oriel_table_entry *entry,
                                     struct oriel_statement_text *text, struct ast_statement **out,
                                     struct oriel_error *error) {
    struct oriel_script_reader reader;
    const size_t length = strlen(text->text);
    text->text = oriel_arena_copy(&entry->arena, text->text, length);
    if (!text->text)
        return oriel_error_memory(error);
    oriel_script_reader_init(&reader, text->text, length);
    reader.position = text->position;
    return oriel_parse_statement(&reader, &entry->arena, out, error);
}

enum oriel_status oriel_table_adopt(struct oriel_table_entry *entry,
                                    const struct ast_statement *statement,
                                    const struct oriel_table_entry *base,
                                    struct oriel_error *error) {
    const uint32_t base_count = base ? base->text_count : 0;
    struct oriel_statement_text *const texts =
        oriel_arena_allocate_zeroed(&entry->arena, (size_t)base_count + 1, sizeof *texts);
    if (!texts)
        return oriel_error_memory(error);
    if (base_count)
        memcpy(texts, base->texts, base_count * sizeof *texts);
    texts[base_count] = (struct oriel_statement_text){statement->source, statement->position};
    struct ast_statement *merged = NULL;
    for (uint32_t i = 0; i <= base_count; i++) {
        struct ast_statement *next;
        ORIEL_TRY(parse_again(entry, &texts[i], &next, error));
        if (merged && next->kind == AST_STATEMENT_ALTER) {
            ORIEL_TRY(oriel_table_merge_alter(&entry->arena, next, merged, error));
            continue;
        }
        if (merged && next->query)
            ORIEL_TRY(oriel_table_merge_query(&entry->arena, merged, next, error));
        else if (merged)
            ORIEL_TRY(oriel_table_merge_like(&entry->arena, merged, next, error));
        merged = next;
    }
    entry->text_count = base_count + 1;
    entry->texts = texts;
    entry->statement = merged;
    entry->name = merged->name.parts[merged->name.part_count - 1].text;
    entry->temporary = merged->temporary;
    entry->query = merged->query;
    return ORIEL_OK;
}

enum oriel_status oriel_table_infer(struct binder *b, struct oriel_table_entry *entry,
                                    struct oriel_arena *arena, struct oriel_position position) {
    entry->kind = ORIEL_TABLE_FILE;
    if (!b->session->infer)
        return oriel_error_at(b->error, ORIEL_INVALID, position, "Table '%s' has no columns",
                              entry->name);
    ORIEL_TRY(
        b->session->infer(b->session->infer_context, b->runtime, entry, arena, position, b->error));
    entry->physical_count = entry->schema.field_count;
    return ORIEL_OK;
}

/* The name of the file without its folder and ending. */
static const char *name_of_path(struct oriel_arena *arena, const char *path) {
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    const char *const dot = strchr(name + (name[0] == '.'), '.');
    return oriel_arena_copy(arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

enum oriel_status oriel_table_of_path(struct binder *b, const struct ast_from *from,
                                      const struct oriel_table_entry **out) {
    struct oriel_table_entry *const entry = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *entry);
    struct oriel_option *const options = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *options);
    if (!entry || !options)
        return oriel_bind_memory(b);
    options[0] = (struct oriel_option){"path", from->path, from->position};
    entry->name = name_of_path(b->arena, from->path);
    entry->rowtime = -1;
    entry->temporary = true;
    entry->option_count = 1;
    entry->options = options;
    if (!entry->name)
        return oriel_bind_memory(b);
    *out = entry;
    return oriel_table_infer(b, entry, b->arena, from->position);
}

bool oriel_table_is_computed(const struct oriel_table_entry *entry, uint32_t field) {
    return entry->definitions && entry->definitions[field]->kind == AST_COLUMN_COMPUTED;
}

/* What can be asked of a file. */
static const struct file_property {
    const char *key;
    enum oriel_type_id type;
} file_properties[] = {
    {"file.path", ORIEL_TYPE_VARCHAR},
    {"file.name", ORIEL_TYPE_VARCHAR},
    {"file.size", ORIEL_TYPE_BIGINT},
    {"file.modification-time", ORIEL_TYPE_TIMESTAMP_LTZ},
};

static const struct file_property *find_property(const struct ast_column_definition *definition) {
    const char *const key =
        definition->metadata_key ? definition->metadata_key : definition->name.text;
    for (size_t i = 0; i < sizeof file_properties / sizeof file_properties[0]; i++) {
        if (strcmp(file_properties[i].key, key) == 0)
            return &file_properties[i];
    }
    return NULL;
}

bool oriel_table_is_file_property(const struct oriel_table_entry *entry, uint32_t field,
                                  struct oriel_type *type) {
    if (!entry->definitions || entry->definitions[field]->kind != AST_COLUMN_METADATA)
        return false;
    const struct file_property *const property = find_property(entry->definitions[field]);
    if (!property)
        return false;
    *type = property->type == ORIEL_TYPE_VARCHAR         ? oriel_type_string()
            : property->type == ORIEL_TYPE_TIMESTAMP_LTZ ? oriel_type_timestamp_ltz(3)
                                                         : oriel_type_make(property->type);
    type->nullable = false;
    return true;
}

enum oriel_status oriel_view_define(struct binder *b, struct oriel_table_entry *entry) {
    const struct ast_statement *const statement = entry->statement;
    struct oriel_plan *plan;
    struct bind_scope scope;
    entry->kind = ORIEL_TABLE_VIEW;
    ORIEL_TRY(oriel_bind_rows(b, entry->query, &plan));
    ORIEL_TRY(oriel_scope_init(b, &scope, plan, entry->name));
    ORIEL_TRY(oriel_scope_rename(b, &scope, statement->position, statement->column_names.count,
                                 statement->column_names.items));
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, plan->schema, 0);
    if (!fields)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < plan->schema.field_count; i++)
        fields[i].name = scope.columns[i].name;
    return oriel_table_copy_schema(&entry->arena,
                                   (struct oriel_schema){plan->schema.field_count, fields},
                                   &entry->schema, b->error);
}
