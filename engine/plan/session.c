/*
 * The session: tables and views in order of name, and the statements that make and drop them.
 * Settings are in setting.c.
 */
#include "engine/plan/session_internal.h"

#include <string.h>

#include "engine/plan/database.h"
#include "engine/plan/table_entry.h"

enum oriel_status oriel_session_open(struct oriel_memory *memory, struct oriel_session **out,
                                     struct oriel_error *error) {
    struct oriel_session *const session = oriel_memory_allocate_zeroed(memory, 1, sizeof *session);
    if (!session)
        return oriel_error_memory(error);
    session->memory = memory;
    const enum oriel_status status = oriel_databases_open(session, error);
    if (status != ORIEL_OK) {
        oriel_memory_release(memory, session, sizeof *session);
        return status;
    }
    *out = session;
    return ORIEL_OK;
}

void oriel_session_close(struct oriel_session **session) {
    struct oriel_session *const it = *session;
    if (!it)
        return;
    while (it->tables) {
        struct oriel_table_entry *const entry = it->tables;
        it->tables = entry->next;
        oriel_table_entry_free(it->memory, entry);
    }
    oriel_setting_clear(it);
    oriel_databases_close(it);
    oriel_memory_release(it->memory, it, sizeof *it);
    *session = NULL;
}

/* The place of the first entry that does not come before `name`; temporary ones come first. */
static struct oriel_table_entry **find_place(struct oriel_session *session, const char *name) {
    struct oriel_table_entry **place = &session->tables;
    while (*place && strcmp((*place)->name, name) < 0)
        place = &(*place)->next;
    return place;
}

const struct oriel_table_entry *oriel_session_find(const struct oriel_session *session,
                                                   const struct ast_name *name) {
    const struct oriel_database *const database = oriel_session_database(session, name);
    const char *const last = name->parts[name->part_count - 1].text;
    const struct oriel_table_entry *entry = session->tables;
    while (entry && (strcmp(entry->name, last) < 0 ||
                     (strcmp(entry->name, last) == 0 && entry->database != database)))
        entry = entry->next;
    return database && entry && strcmp(entry->name, last) == 0 ? entry : NULL;
}

const struct oriel_table_entry *oriel_session_table_at(const struct oriel_session *session,
                                                       const struct oriel_database *database,
                                                       size_t index) {
    const struct oriel_table_entry *before = NULL;
    for (const struct oriel_table_entry *entry = session->tables; entry; entry = entry->next) {
        if (entry->database != (database ? database : session->current))
            continue;
        const bool is_shadowed = before && strcmp(before->name, entry->name) == 0;
        before = entry;
        if (!is_shadowed && index-- == 0)
            return entry;
    }
    return NULL;
}

/* The entry with that name and temporariness. */
static struct oriel_table_entry **find_exact(struct oriel_session *session,
                                             const struct oriel_database *database,
                                             const char *name, bool temporary) {
    struct oriel_table_entry **place = find_place(session, name);
    while (*place && strcmp((*place)->name, name) == 0) {
        if ((*place)->database == database && (*place)->temporary == temporary)
            return place;
        place = &(*place)->next;
    }
    return NULL;
}

static void insert(struct oriel_session *session, struct oriel_table_entry *entry) {
    struct oriel_table_entry **place = find_place(session, entry->name);
    while (*place && strcmp((*place)->name, entry->name) == 0 && !entry->temporary)
        place = &(*place)->next;
    entry->next = *place;
    *place = entry;
}

static void remove_at(struct oriel_session *session, struct oriel_table_entry **place) {
    struct oriel_table_entry *const entry = *place;
    *place = entry->next;
    oriel_table_entry_free(session->memory, entry);
}

void oriel_session_remove_tables(struct oriel_session *session,
                                 const struct oriel_database *database) {
    struct oriel_table_entry **place = &session->tables;
    while (*place) {
        if ((*place)->database == database)
            remove_at(session, place);
        else
            place = &(*place)->next;
    }
}

/* The table that CREATE TABLE ... LIKE names; NULL without LIKE. */
static enum oriel_status find_base(struct oriel_session *session,
                                   const struct ast_statement *statement,
                                   const struct oriel_table_entry **out,
                                   struct oriel_error *error) {
    if (!statement->like)
        return ORIEL_OK;
    const char *const name = statement->like->parts[statement->like->part_count - 1].text;
    *out = oriel_session_find(session, statement->like);
    if (*out && (*out)->kind == ORIEL_TABLE_FILE)
        return ORIEL_OK;
    if (*out)
        return oriel_error_at(error, ORIEL_INVALID, statement->like->position,
                              "Source table '%s' of the LIKE clause is no table that CREATE TABLE "
                              "made",
                              name);
    char hint[160];
    struct oriel_suggestion suggestion = {.name = name};
    for (const struct oriel_table_entry *entry = session->tables; entry; entry = entry->next)
        oriel_suggestion_offer(&suggestion, entry->name);
    return oriel_error_at(error, ORIEL_INVALID, statement->like->position,
                          "Source table '%s' of the LIKE clause not found%s", name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* `altered` is the entry that an ALTER statement changes; NULL for CREATE. */
static enum oriel_status define(struct oriel_session *session, const struct oriel_runtime *runtime,
                                const struct ast_statement *statement,
                                const struct oriel_table_entry *altered,
                                struct oriel_table_entry *entry, struct oriel_error *error) {
    struct oriel_arena arena;
    oriel_arena_init(&arena, session->memory);
    struct binder b = {.session = session, .runtime = runtime, .arena = &arena, .error = error};
    const struct oriel_table_entry *base = altered;
    enum oriel_status status = find_base(session, statement, &base, error);
    if (status == ORIEL_OK)
        status = oriel_table_adopt(entry, statement, base, error);
    if (status == ORIEL_OK)
        status = entry->statement->kind == AST_STATEMENT_CREATE_VIEW
                     ? oriel_view_define(&b, entry)
                     : oriel_table_define(&b, entry);
    oriel_arena_deinit(&arena);
    return status;
}

/* Of a table OR REPLACE only tells what is there when rows are written into it. */
static bool replaces(const struct ast_statement *statement) {
    return statement->or_replace &&
           (statement->kind == AST_STATEMENT_CREATE_VIEW || statement->query);
}

/* Finds what has the name already, which is an error unless the statement says what then. */
static enum oriel_status find_old(struct oriel_session *session,
                                  const struct ast_statement *statement,
                                  const struct oriel_database **database,
                                  struct oriel_table_entry **out, struct oriel_error *error) {
    const char *const name = statement->name.parts[statement->name.part_count - 1].text;
    *database = oriel_session_database(session, &statement->name);
    if (!*database)
        return oriel_session_no_database(session, &statement->name, statement->name.part_count - 1,
                                         error);
    struct oriel_table_entry **const place =
        find_exact(session, *database, name, statement->temporary);
    *out = place ? *place : NULL;
    if (!*out || replaces(statement) || statement->if_not_exists)
        return ORIEL_OK;
    return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                          "Table (or view) '%s' already exists; DROP it before, or write %s", name,
                          statement->or_replace ? "AS SELECT, without which OR REPLACE replaces "
                                                  "nothing"
                                                : "IF NOT EXISTS");
}

static struct oriel_table_entry *make_entry(struct oriel_session *session,
                                            const struct oriel_database *database) {
    struct oriel_table_entry *const entry = oriel_table_entry_make(session->memory);
    if (entry) {
        entry->database = database;
        entry->made_in = session->current;
    }
    return entry;
}

void oriel_session_discard(struct oriel_session *session, struct oriel_table_entry *entry) {
    oriel_table_entry_free(session->memory, entry);
}

void oriel_session_put(struct oriel_session *session, struct oriel_table_entry *entry) {
    struct oriel_table_entry **const old =
        find_exact(session, entry->database, entry->name, entry->temporary);
    if (old)
        remove_at(session, old);
    insert(session, entry);
}

static enum oriel_status create(struct oriel_session *session, const struct oriel_runtime *runtime,
                                const struct ast_statement *statement, struct oriel_error *error) {
    const struct oriel_database *database;
    struct oriel_table_entry *old;
    ORIEL_TRY(find_old(session, statement, &database, &old, error));
    if (old && !replaces(statement))
        return ORIEL_OK;
    struct oriel_table_entry *const entry = make_entry(session, database);
    if (!entry)
        return oriel_error_memory(error);
    const enum oriel_status status = define(session, runtime, statement, NULL, entry, error);
    if (status == ORIEL_OK)
        oriel_session_put(session, entry);
    else
        oriel_session_discard(session, entry);
    return status;
}

static enum oriel_status check_as(const struct ast_statement *statement,
                                  struct oriel_error *error) {
    const char *const head = statement->or_replace ? "CREATE OR REPLACE TABLE" : "CREATE TABLE";
    if (statement->temporary)
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "%s ... AS SELECT makes no temporary table: leave out TEMPORARY",
                              head);
    if (statement->or_replace && statement->if_not_exists)
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "%s ... AS SELECT takes no IF NOT EXISTS", head);
    return ORIEL_OK;
}

static enum oriel_status define_as(struct binder *b, const struct ast_statement *statement,
                                   struct oriel_made_table *made) {
    struct oriel_statement_text text;
    ORIEL_TRY(oriel_table_print_query(b, statement, &made->columns, &text));
    const struct oriel_table_entry query = {.text_count = 1, .texts = &text};
    ORIEL_TRY(oriel_table_adopt(made->entry, statement, &query, b->error));
    ORIEL_TRY(oriel_table_define(b, made->entry));
    return oriel_table_check_query(b, made->entry, made->columns);
}

enum oriel_status oriel_session_make_as(struct oriel_session *session,
                                        const struct oriel_runtime *runtime,
                                        const struct ast_statement *statement,
                                        struct oriel_arena *arena, struct oriel_made_table *out,
                                        struct oriel_error *error) {
    struct binder b = {.session = session, .runtime = runtime, .arena = arena, .error = error};
    const struct oriel_database *database;
    *out = (struct oriel_made_table){0};
    ORIEL_TRY(check_as(statement, error));
    ORIEL_TRY(find_old(session, statement, &database, &out->entry, error));
    out->exists = out->entry && statement->if_not_exists;
    if (out->exists)
        return ORIEL_OK;
    if (out->entry && out->entry->kind == ORIEL_TABLE_VIEW)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is a view, which CREATE TABLE does not replace; DROP it before",
                              out->entry->name);
    out->entry = make_entry(session, database);
    if (!out->entry)
        return oriel_error_memory(error);
    const enum oriel_status status = define_as(&b, statement, out);
    if (status != ORIEL_OK)
        oriel_session_discard(session, out->entry);
    return status;
}

static enum oriel_status check_altered(const struct ast_statement *statement,
                                       const struct oriel_table_entry *entry,
                                       struct oriel_error *error) {
    const bool is_view = strcmp(statement->object, "VIEW") == 0;
    if (!entry->statement)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is no table that CREATE TABLE made, so it cannot be altered",
                              entry->name);
    if ((entry->kind == ORIEL_TABLE_VIEW) != is_view)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is a %s; alter it with ALTER %s", entry->name,
                              is_view ? "table" : "view", is_view ? "TABLE" : "VIEW");
    return ORIEL_OK;
}

static enum oriel_status check_new_name(struct oriel_session *session,
                                        const struct ast_statement *statement,
                                        const struct oriel_table_entry *entry,
                                        struct oriel_error *error) {
    const struct ast_name *const name = statement->new_name;
    if (!name)
        return ORIEL_OK;
    const char *const last = name->parts[name->part_count - 1].text;
    if (name->part_count > 1 && oriel_session_database(session, name) != entry->database)
        return oriel_error_at(error, ORIEL_INVALID, name->position,
                              "A table stays in its database: '%s' is in another one", last);
    if (find_exact(session, entry->database, last, entry->temporary))
        return oriel_error_at(error, ORIEL_INVALID, name->position,
                              "Table (or view) '%s' already exists", last);
    return ORIEL_OK;
}

/* Defines the table anew with the change made, and puts it in the place of the old one. */
static enum oriel_status alter(struct oriel_session *session, const struct oriel_runtime *runtime,
                               const struct ast_statement *statement, struct oriel_error *error) {
    const struct oriel_table_entry *const old = oriel_session_find(session, &statement->name);
    if (!old && statement->if_exists)
        return ORIEL_OK;
    if (!old)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "%s '%s' doesn't exist",
                              strcmp(statement->object, "VIEW") == 0 ? "View" : "Table",
                              statement->name.parts[statement->name.part_count - 1].text);
    ORIEL_TRY(check_altered(statement, old, error));
    ORIEL_TRY(check_new_name(session, statement, old, error));
    struct oriel_table_entry *const entry = oriel_table_entry_make(session->memory);
    if (!entry)
        return oriel_error_memory(error);
    entry->database = old->database;
    entry->made_in = old->made_in;
    const enum oriel_status status = define(session, runtime, statement, old, entry, error);
    if (status != ORIEL_OK) {
        oriel_table_entry_free(session->memory, entry);
        return status;
    }
    remove_at(session, find_exact(session, old->database, old->name, old->temporary));
    insert(session, entry);
    return ORIEL_OK;
}

static enum oriel_status drop(struct oriel_session *session, const struct ast_statement *statement,
                              struct oriel_error *error) {
    const bool is_view = strcmp(statement->object, "VIEW") == 0;
    if (strcmp(statement->object, "CATALOG") == 0 || strcmp(statement->object, "DATABASE") == 0)
        return oriel_database_drop(session, statement, error);
    if (!is_view && strcmp(statement->object, "TABLE") != 0)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->position,
                              "DROP %s cannot be run; there are only tables and views",
                              statement->object);
    const char *const name = statement->name.parts[statement->name.part_count - 1].text;
    const struct oriel_database *const database = oriel_session_database(session, &statement->name);
    struct oriel_table_entry **const place =
        database ? find_exact(session, database, name, statement->temporary) : NULL;
    if (place && ((*place)->kind == ORIEL_TABLE_VIEW) == is_view) {
        remove_at(session, place);
        return ORIEL_OK;
    }
    if (statement->if_exists && !place)
        return ORIEL_OK;
    if (place)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is a %s; drop it with DROP %s", name,
                              is_view ? "table" : "view", is_view ? "TABLE" : "VIEW");
    char hint[160];
    struct oriel_suggestion suggestion = {.name = name};
    for (const struct oriel_table_entry *entry = session->tables; entry; entry = entry->next)
        oriel_suggestion_offer(&suggestion, entry->name);
    return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                          "%s%s '%s' does not exist%s", statement->temporary ? "Temporary " : "",
                          is_view ? "View" : "Table", name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

static enum oriel_status cannot_run(const struct ast_statement *statement,
                                    struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->position, "%s cannot be run yet",
                          statement->text ? statement->text : "This statement");
}

enum oriel_status oriel_session_execute(struct oriel_session *session,
                                        const struct oriel_runtime *runtime,
                                        const struct ast_statement *statement,
                                        struct oriel_error *error) {
    switch (statement->kind) {
    case AST_STATEMENT_CREATE_TABLE:
    case AST_STATEMENT_CREATE_VIEW: return create(session, runtime, statement, error);
    case AST_STATEMENT_ALTER: return alter(session, runtime, statement, error);
    case AST_STATEMENT_DROP: return drop(session, statement, error);
    case AST_STATEMENT_SET: return oriel_setting_set(session, statement, error);
    case AST_STATEMENT_RESET: return oriel_setting_reset(session, statement, error);
    case AST_STATEMENT_USE: return oriel_database_use(session, statement, error);
    case AST_STATEMENT_OTHER:
        if (strcmp(statement->text, "CREATE CATALOG") == 0 ||
            strcmp(statement->text, "CREATE DATABASE") == 0)
            return oriel_database_create(session, statement, error);
        return cannot_run(statement, error);
    default: return cannot_run(statement, error);
    }
}

void oriel_session_set_inference(struct oriel_session *session, oriel_infer_table *infer,
                                 void *context) {
    session->infer = infer;
    session->infer_context = context;
}

enum oriel_status oriel_session_register_stream(struct oriel_session *session, const char *name,
                                                struct oriel_schema schema, void *stream,
                                                struct oriel_error *error) {
    if (find_exact(session, session->current, name, true))
        return oriel_error_set(error, ORIEL_INVALID, "Table (or view) '%s' already exists", name);
    struct oriel_table_entry *const entry = oriel_table_entry_make(session->memory);
    if (!entry)
        return oriel_error_memory(error);
    entry->kind = ORIEL_TABLE_STREAM;
    entry->database = session->current;
    entry->temporary = true;
    entry->physical_count = schema.field_count;
    entry->stream = stream;
    entry->name = oriel_arena_copy(&entry->arena, name, strlen(name));
    const enum oriel_status status =
        entry->name ? oriel_table_copy_schema(&entry->arena, schema, &entry->schema, error)
                    : oriel_error_memory(error);
    if (status != ORIEL_OK) {
        oriel_table_entry_free(session->memory, entry);
        return status;
    }
    insert(session, entry);
    return ORIEL_OK;
}
