/*
 * FROM: tables become scans with their computed columns on top, views and WITH queries are bound
 * where they are named, and every item gets the scope under which the rest of the query sees it.
 */
#include "engine/plan/bind.h"

#include <string.h>

#include "engine/plan/table_entry.h"

static enum oriel_status unknown_table(struct binder *b, const struct ast_name *name) {
    const char *const last = name->parts[name->part_count - 1].text;
    if (!oriel_session_database(b->session, name))
        return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                              "Object '%s' not found: there is no database '%s' (see SHOW "
                              "DATABASES)",
                              last, name->parts[name->part_count - 2].text);
    if (b->recursive && strcmp(b->recursive->name->text, last) == 0)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, name->position,
                              "WITH RECURSIVE: '%s' reads itself, which cannot be run (nor does "
                              "Flink run it)",
                              last);
    struct oriel_suggestion suggestion = {.name = last};
    for (size_t i = 0;; i++) {
        const struct oriel_table_entry *const entry =
            oriel_session_table_at(b->session, oriel_session_database(b->session, name), i);
        if (!entry)
            break;
        oriel_suggestion_offer(&suggestion, entry->name);
    }
    for (const struct bind_with *with = b->with; with; with = with->next)
        oriel_suggestion_offer(&suggestion, with->with->name->text);
    char hint[160];
    return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                          "Object '%s' not found: there is no such table or view%s", last,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* The columns that the file or stream has: all fields but computed ones. */
static struct oriel_plan *make_scan(struct binder *b, const struct oriel_table_entry *entry,
                                    struct oriel_position position) {
    const uint32_t count = entry->schema.field_count;
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_SCAN, position, 0);
    struct oriel_field *const fields =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *fields);
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *columns);
    if (!plan || !fields || !columns)
        return NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (oriel_table_is_computed(entry, i))
            continue;
        columns[kept] = i;
        fields[kept] = entry->schema.fields[i];
        oriel_table_is_file_property(entry, i, &fields[kept++].type);
    }
    plan->schema = (struct oriel_schema){kept, fields};
    plan->scan.table = entry;
    plan->scan.columns = columns;
    return plan;
}

/* Columns that are more than a column of the scan. */
static bool has_computed_columns(const struct oriel_table_entry *entry) {
    struct oriel_type ignored;
    for (uint32_t i = 0; i < entry->schema.field_count; i++) {
        if (oriel_table_is_computed(entry, i) || oriel_table_is_file_property(entry, i, &ignored))
            return true;
    }
    return false;
}

/* The declared columns over the scanned ones. */
static enum oriel_status add_computed_columns(struct binder *b,
                                              const struct oriel_table_entry *entry,
                                              struct oriel_plan **plan) {
    const uint32_t count = entry->schema.field_count;
    if (!has_computed_columns(entry))
        return ORIEL_OK;
    struct bind_scope scope;
    ORIEL_TRY(oriel_scope_init(b, &scope, *plan, entry->name));
    struct bind_frame frame = {.scope = &scope, .clause = "computed column"};
    struct oriel_expression **const expressions =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *expressions);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *names);
    if (!expressions || !names)
        return oriel_bind_memory(b);
    uint32_t scanned = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct oriel_field *const field = &entry->schema.fields[i];
        names[i] = field->name;
        struct oriel_type stored = field->type;
        const bool is_property = oriel_table_is_file_property(entry, i, &stored);
        if (!oriel_table_is_computed(entry, i)) {
            expressions[i] =
                oriel_expression_column(b->arena, scanned++, stored, (*plan)->position);
            if (!expressions[i])
                return oriel_bind_memory(b);
            if (!is_property)
                continue;
        } else {
            ORIEL_TRY(oriel_bind_expression(b, &frame, entry->definitions[i]->expression,
                                            &expressions[i]));
        }
        ORIEL_TRY(oriel_bind_cast(b, expressions[i], field->type, &expressions[i]));
        struct oriel_expression *const copy = oriel_arena_allocate(b->arena, sizeof *copy);
        if (!copy)
            return oriel_bind_memory(b);
        *copy = *expressions[i];
        copy->type.rowtime = field->type.rowtime;
        copy->type.nullable = field->type.nullable;
        expressions[i] = copy;
    }
    *plan = oriel_plan_make_project(b->arena, *plan, count, expressions, names);
    if (!*plan)
        return oriel_bind_memory(b);
    if (!b->runtime->batch_mode && entry->rowtime >= 0 &&
        oriel_table_is_computed(entry, (uint32_t)entry->rowtime)) {
        (*plan)->project.requires_time = true;
        (*plan)->project.time_column = (uint32_t)entry->rowtime;
    }
    return ORIEL_OK;
}

/* Queries that name others twice, which name others twice, are written out again and again. */
static enum oriel_status count_table(struct binder *b, struct oriel_position position) {
    if (b->table_count++ < ORIEL_BIND_TABLES_MAX)
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, position,
                          "The query is too large: with its views and WITH queries written out it "
                          "has more than %d tables",
                          ORIEL_BIND_TABLES_MAX);
}

static enum oriel_status bind_table(struct binder *b, const struct oriel_table_entry *entry,
                                    const struct ast_from *from, struct oriel_plan **out) {
    ORIEL_TRY(count_table(b, from->position));
    *out = make_scan(b, entry, from->position);
    if (!*out)
        return oriel_bind_memory(b);
    (*out)->scan.hints = (const struct ast_option *const *)from->hints.items;
    (*out)->scan.hint_count = from->hints.count;
    struct oriel_plan *const scan = *out;
    ORIEL_TRY(add_computed_columns(b, entry, out));
    return oriel_bind_watermark(b, entry, scan, *out);
}

enum oriel_status oriel_bind_check_columns(struct binder *b, uint32_t count,
                                           struct oriel_position position) {
    if (count <= ORIEL_BIND_COLUMNS_MAX)
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, position,
                          "%u columns are too many; the most is %d", count, ORIEL_BIND_COLUMNS_MAX);
}

/* A query under a name: its columns may be renamed. */
static enum oriel_status bind_named_query(struct binder *b, const struct ast_query *query,
                                          struct oriel_position position, uint32_t name_count,
                                          struct ast_identifier *const *names, const char *alias,
                                          struct bind_rows *out) {
    ORIEL_TRY(count_table(b, position));
    ORIEL_TRY(oriel_bind_rows(b, query, &out->plan));
    ORIEL_TRY(oriel_scope_init(b, &out->scope, out->plan, alias));
    return oriel_scope_rename(b, &out->scope, position, name_count, names);
}

static enum oriel_status bind_with_query(struct binder *b, const struct bind_with *entry,
                                         const struct ast_from *from, struct bind_rows *out) {
    const struct bind_with *const outside = b->with;
    const struct ast_with *const recursive = b->recursive;
    b->with = entry->next;
    b->recursive = entry->with->recursive ? entry->with : NULL;
    const enum oriel_status status =
        bind_named_query(b, entry->with->query, from->position, entry->with->columns.count,
                         entry->with->columns.items, entry->with->name->text, out);
    b->with = outside;
    b->recursive = recursive;
    return status;
}

static enum oriel_status bind_view(struct binder *b, const struct oriel_table_entry *entry,
                                   struct bind_rows *out) {
    const struct bind_with *const outside = b->with;
    const struct oriel_database *const in_use =
        oriel_session_set_current(b->session, entry->made_in);
    b->with = NULL;
    const enum oriel_status status = bind_named_query(
        b, entry->query, entry->statement->position, entry->statement->column_names.count,
        entry->statement->column_names.items, entry->name, out);
    b->with = outside;
    oriel_session_set_current(b->session, in_use);
    return status;
}

static enum oriel_status bind_table_name(struct binder *b, const struct ast_from *from,
                                         struct bind_rows *out) {
    if (from->name.part_count == 1) {
        for (const struct bind_with *with = b->with; with; with = with->next) {
            if (strcmp(with->with->name->text, from->name.parts[0].text) == 0)
                return bind_with_query(b, with, from, out);
        }
    }
    const struct oriel_table_entry *const entry = oriel_session_find(b->session, &from->name);
    if (!entry)
        return unknown_table(b, &from->name);
    if (entry->kind == ORIEL_TABLE_VIEW) {
        if (from->hints.count)
            return oriel_error_at(b->error, ORIEL_INVALID, from->position,
                                  "View '%s' cannot be enriched with options by a hint",
                                  entry->name);
        return bind_view(b, entry, out);
    }
    ORIEL_TRY(bind_table(b, entry, from, &out->plan));
    return oriel_scope_init(b, &out->scope, out->plan, entry->name);
}

static enum oriel_status bind_path(struct binder *b, const struct ast_from *from,
                                   struct bind_rows *out) {
    const struct oriel_table_entry *entry = NULL;
    ORIEL_TRY(oriel_table_of_path(b, from, &entry));
    ORIEL_TRY(bind_table(b, entry, from, &out->plan));
    return oriel_scope_init(b, &out->scope, out->plan, entry->name);
}

static enum oriel_status bind_item(struct binder *b, const struct ast_from *from,
                                   struct bind_rows *out) {
    switch (from->kind) {
    case AST_FROM_TABLE: return bind_table_name(b, from, out);
    case AST_FROM_QUERY:
        ORIEL_TRY(oriel_bind_rows(b, from->query, &out->plan));
        return oriel_scope_init(b, &out->scope, out->plan, NULL);
    case AST_FROM_FUNCTION: return oriel_bind_window(b, from, out);
    case AST_FROM_JOIN: return oriel_bind_join(b, from, out);
    case AST_FROM_PATH: return bind_path(b, from, out);
    case AST_FROM_UNNEST: {
        struct bind_rows nothing;
        ORIEL_TRY(oriel_bind_one_row(b, from->position, &nothing));
        return oriel_bind_unnest(b, from, &nothing, false, out);
    }
    }
    return oriel_error_set(b->error, ORIEL_INTERNAL, "FROM item of kind %d", (int)from->kind);
}

enum oriel_status oriel_bind_from(struct binder *b, const struct ast_from *from,
                                  struct bind_rows *out) {
    ORIEL_TRY(bind_item(b, from, out));
    if (!from->alias || from->kind == AST_FROM_UNNEST)
        return ORIEL_OK;
    if (out->scope.table_count != 1)
        return oriel_error_at(b->error, ORIEL_INVALID, from->alias->position,
                              "A join cannot have the alias '%s'", from->alias->text);
    out->scope.tables[0].alias = from->alias->text;
    return oriel_scope_rename(b, &out->scope, from->alias->position, from->column_aliases.count,
                              from->column_aliases.items);
}
