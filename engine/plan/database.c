/*
 * Catalogs and databases: names that tables are found under. They hold what this session puts into
 * them and nothing else; a catalog of Flink's that has tables of its own is empty here.
 */
#include "engine/plan/database.h"

#include <string.h>

#include "engine/plan/bind.h"

static const char *const default_catalog = "default_catalog";
static const char *const default_database = "default_database";

static struct oriel_database *find(const struct oriel_session *session, const char *catalog,
                                   const char *name) {
    for (struct oriel_database *it = session->databases; it; it = it->next) {
        if (!it->is_dropped && strcmp(it->catalog, catalog) == 0 &&
            (!name || strcmp(it->name, name) == 0))
            return it;
    }
    return NULL;
}

/* Before the first that comes later by catalog and name. */
static enum oriel_status add(struct oriel_session *session, const char *catalog, const char *name,
                             struct oriel_database **out, struct oriel_error *error) {
    const size_t catalog_bytes = strlen(catalog) + 1, name_bytes = strlen(name) + 1;
    const size_t block_bytes = sizeof(struct oriel_database) + catalog_bytes + name_bytes;
    struct oriel_database *const made = oriel_memory_allocate(session->memory, block_bytes);
    if (!made)
        return oriel_error_memory(error);
    char *const texts = (char *)(made + 1);
    memcpy(texts, catalog, catalog_bytes);
    memcpy(texts + catalog_bytes, name, name_bytes);
    struct oriel_database **place = &session->databases;
    while (*place &&
           (strcmp((*place)->catalog, catalog) < 0 ||
            (strcmp((*place)->catalog, catalog) == 0 && strcmp((*place)->name, name) < 0)))
        place = &(*place)->next;
    *made = (struct oriel_database){*place, texts, texts + catalog_bytes, block_bytes, false};
    *place = made;
    *out = made;
    return ORIEL_OK;
}

enum oriel_status oriel_databases_open(struct oriel_session *session, struct oriel_error *error) {
    struct oriel_database *made;
    ORIEL_TRY(add(session, default_catalog, default_database, &made, error));
    session->current = made;
    return ORIEL_OK;
}

void oriel_databases_close(struct oriel_session *session) {
    while (session->databases) {
        struct oriel_database *const it = session->databases;
        session->databases = it->next;
        oriel_memory_release(session->memory, it, it->block_bytes);
    }
}

const struct oriel_database *oriel_session_database(const struct oriel_session *session,
                                                    const struct ast_name *name) {
    if (name->part_count == 1)
        return session->current;
    if (name->part_count == 2)
        return find(session, session->current->catalog, name->parts[0].text);
    return name->part_count == 3 ? find(session, name->parts[0].text, name->parts[1].text) : NULL;
}

const struct oriel_database *oriel_session_current(const struct oriel_session *session) {
    return session->current;
}

const struct oriel_database *oriel_session_set_current(struct oriel_session *session,
                                                       const struct oriel_database *database) {
    const struct oriel_database *const before = session->current;
    session->current = database;
    return before;
}

const struct oriel_database *oriel_session_database_at(const struct oriel_session *session,
                                                       size_t index) {
    for (const struct oriel_database *it = session->databases; it; it = it->next) {
        if (!it->is_dropped && index-- == 0)
            return it;
    }
    return NULL;
}

const struct oriel_database *oriel_session_find_database(const struct oriel_session *session,
                                                         const struct ast_name *name) {
    if (name->part_count == 1)
        return find(session, session->current->catalog, name->parts[0].text);
    return name->part_count == 2 ? find(session, name->parts[0].text, name->parts[1].text) : NULL;
}

static enum oriel_status no_catalog(const struct oriel_session *session,
                                    const struct ast_identifier *name, struct oriel_error *error) {
    char hint[160];
    struct oriel_suggestion suggestion = {.name = name->text};
    for (const struct oriel_database *it = session->databases; it; it = it->next)
        oriel_suggestion_offer(&suggestion, it->catalog);
    return oriel_error_at(error, ORIEL_INVALID, name->position,
                          "A catalog with name [%s] does not exist%s", name->text,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

enum oriel_status oriel_session_no_database(const struct oriel_session *session,
                                            const struct ast_name *name, uint32_t parts,
                                            struct oriel_error *error) {
    const struct ast_identifier *const last = &name->parts[parts - 1];
    const char *const catalog = parts > 1 ? name->parts[parts - 2].text : session->current->catalog;
    if (!find(session, catalog, NULL))
        return no_catalog(session, &name->parts[parts - 2], error);
    char hint[160];
    struct oriel_suggestion suggestion = {.name = last->text};
    for (const struct oriel_database *it = session->databases; it; it = it->next) {
        if (strcmp(it->catalog, catalog) == 0 && !it->is_dropped)
            oriel_suggestion_offer(&suggestion, it->name);
    }
    return oriel_error_at(error, ORIEL_INVALID, last->position,
                          "A database with name [%s] does not exist in the catalog: [%s]%s",
                          last->text, catalog,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

enum oriel_status oriel_database_create(struct oriel_session *session,
                                        const struct ast_statement *statement,
                                        struct oriel_error *error) {
    const struct ast_name *const name = &statement->name;
    const bool is_catalog = strcmp(statement->text, "CREATE CATALOG") == 0;
    const char *const last = name->parts[name->part_count - 1].text;
    const char *const catalog = is_catalog             ? last
                                : name->part_count > 1 ? name->parts[0].text
                                                       : session->current->catalog;
    const char *const database = !is_catalog        ? last
                                 : statement->value ? statement->value
                                                    : "default";
    struct oriel_database *made;
    if (!is_catalog && !find(session, catalog, NULL))
        return no_catalog(session, &name->parts[0], error);
    if (!find(session, catalog, is_catalog ? NULL : database))
        return add(session, catalog, database, &made, error);
    if (statement->if_not_exists)
        return ORIEL_OK;
    if (is_catalog)
        return oriel_error_at(error, ORIEL_INVALID, name->position, "Catalog %s already exists.",
                              last);
    return oriel_error_at(error, ORIEL_INVALID, name->position,
                          "Database %s already exists in Catalog %s.", database, catalog);
}

static bool is_empty(const struct oriel_session *session, const struct oriel_database *database) {
    for (const struct oriel_table_entry *it = session->tables; it; it = it->next) {
        if (it->database == database)
            return false;
    }
    return true;
}

static enum oriel_status drop_database(struct oriel_session *session,
                                       const struct ast_statement *statement,
                                       struct oriel_error *error) {
    const struct ast_name *const name = &statement->name;
    struct oriel_database *const it =
        (struct oriel_database *)(uintptr_t)oriel_session_find_database(session, name);
    if (!it)
        return statement->if_exists
                   ? ORIEL_OK
                   : oriel_session_no_database(session, name, name->part_count, error);
    if (it == session->current)
        return oriel_error_at(error, ORIEL_INVALID, name->position,
                              "Cannot drop a database which is currently in use.");
    if (!is_empty(session, it) && !statement->cascade)
        return oriel_error_at(error, ORIEL_INVALID, name->position,
                              "Database %s in catalog %s is not empty.", it->name, it->catalog);
    oriel_session_remove_tables(session, it);
    it->is_dropped = true;
    return ORIEL_OK;
}

static enum oriel_status drop_catalog(struct oriel_session *session,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error) {
    const struct ast_identifier *const name = &statement->name.parts[0];
    if (statement->name.part_count > 1 || !find(session, name->text, NULL))
        return statement->if_exists ? ORIEL_OK : no_catalog(session, name, error);
    if (strcmp(session->current->catalog, name->text) == 0)
        return oriel_error_at(error, ORIEL_INVALID, name->position,
                              "Cannot drop a catalog which is currently in use.");
    for (struct oriel_database *it = session->databases; it; it = it->next) {
        if (strcmp(it->catalog, name->text) != 0)
            continue;
        oriel_session_remove_tables(session, it);
        it->is_dropped = true;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_database_drop(struct oriel_session *session,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error) {
    return strcmp(statement->object, "CATALOG") == 0 ? drop_catalog(session, statement, error)
                                                     : drop_database(session, statement, error);
}

enum oriel_status oriel_database_use(struct oriel_session *session,
                                     const struct ast_statement *statement,
                                     struct oriel_error *error) {
    const struct ast_name *const name = &statement->name;
    struct oriel_database *found;
    if (statement->text) { /* USE CATALOG */
        found = name->part_count == 1 ? find(session, name->parts[0].text, NULL) : NULL;
        if (found && strcmp(found->catalog, default_catalog) == 0)
            found = find(session, default_catalog, default_database);
        if (!found)
            return no_catalog(session, &name->parts[0], error);
    } else {
        found = (struct oriel_database *)(uintptr_t)oriel_session_find_database(session, name);
        if (!found)
            return oriel_session_no_database(session, name, name->part_count, error);
    }
    session->current = found;
    return ORIEL_OK;
}
