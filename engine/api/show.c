/*
 * SHOW: lists of what there is, with the headings that Flink gives them, and their LIKE.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

#include "engine/functions/function.h"

enum { NAME_BYTES = 128 };

static char lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* LIKE with % and _, over bytes; the last % that was met is tried again further on. */
static bool matches(const char *text, const char *pattern, bool ignores_case) {
    const char *again_text = NULL, *again_pattern = NULL;
    while (*text) {
        if (*pattern == '%') {
            again_pattern = ++pattern;
            again_text = text;
        } else if (*pattern && (*pattern == '_' || *pattern == *text ||
                                (ignores_case && lower(*pattern) == lower(*text)))) {
            pattern++;
            text++;
        } else if (again_pattern) {
            pattern = again_pattern;
            text = ++again_text;
        } else {
            return false;
        }
    }
    while (*pattern == '%')
        pattern++;
    return *pattern == '\0';
}

static bool is_wanted(const struct ast_statement *statement, const char *name) {
    if (!statement->key || !statement->value)
        return true;
    const bool is_negated = strncmp(statement->key, "NOT ", 4) == 0;
    const bool ignores_case = strstr(statement->key, "ILIKE") != NULL;
    return matches(name, statement->value, ignores_case) != is_negated;
}

static enum oriel_status add(struct oriel_result *result, const struct ast_statement *statement,
                             const char *name, struct oriel_error *error) {
    return is_wanted(statement, name) ? oriel_listing_add(result, &name, error) : ORIEL_OK;
}

/* SHOW TABLES has the views too, as in Flink. */
static enum oriel_status show_tables(struct oriel_result *result,
                                     const struct ast_statement *statement, bool views_only,
                                     struct oriel_error *error) {
    const struct oriel_session *session = result->engine->session;
    const struct oriel_database *database = NULL;
    const struct oriel_table_entry *table;
    if (statement->name.part_count) {
        database = oriel_session_find_database(session, &statement->name);
        if (!database)
            return oriel_session_no_database(session, &statement->name, statement->name.part_count,
                                             error);
    }
    for (size_t i = 0; (table = oriel_session_table_at(session, database, i)) != NULL; i++) {
        if (!views_only || table->kind == ORIEL_TABLE_VIEW)
            ORIEL_TRY(add(result, statement, table->name, error));
    }
    return ORIEL_OK;
}

static enum oriel_status show_catalogs(struct oriel_result *result,
                                       const struct ast_statement *statement,
                                       struct oriel_error *error) {
    const struct oriel_database *database;
    const char *before = "";
    for (size_t i = 0; (database = oriel_session_database_at(result->engine->session, i)) != NULL;
         i++) {
        if (strcmp(before, database->catalog) != 0)
            ORIEL_TRY(add(result, statement, database->catalog, error));
        before = database->catalog;
    }
    return ORIEL_OK;
}

static enum oriel_status show_databases(struct oriel_result *result,
                                        const struct ast_statement *statement,
                                        struct oriel_error *error) {
    const struct oriel_session *session = result->engine->session;
    const char *catalog = statement->name.part_count ? statement->name.parts[0].text
                                                     : oriel_session_current(session)->catalog;
    const struct oriel_database *database;
    for (size_t i = 0; (database = oriel_session_database_at(session, i)) != NULL; i++) {
        if (strcmp(catalog, database->catalog) == 0)
            ORIEL_TRY(add(result, statement, database->name, error));
    }
    return ORIEL_OK;
}

/* Functions by their names in small letters; operators are left out. */
static enum oriel_status show_functions(struct oriel_result *result,
                                        const struct ast_statement *statement,
                                        struct oriel_error *error) {
    const struct oriel_function *function;
    for (size_t i = 0; (function = oriel_function_at(i)) != NULL; i++) {
        char name[NAME_BYTES];
        size_t length = 0;
        for (; function->name[length] && length < sizeof name - 1; length++)
            name[length] = lower(function->name[length]);
        name[length] = '\0';
        if (name[0] >= 'a' && name[0] <= 'z' && !strchr(name, ' '))
            ORIEL_TRY(add(result, statement, name, error));
    }
    return ORIEL_OK;
}

/* One column. */
static enum oriel_status show_names(struct oriel_result *result,
                                    const struct ast_statement *statement, bool *known,
                                    struct oriel_error *error) {
    static const struct {
        const char *what, *heading;
    } lists[] = {
        {"TABLES", "table name"},         {"VIEWS", "view name"},
        {"CATALOGS", "catalog name"},     {"CURRENT CATALOG", "current catalog name"},
        {"DATABASES", "database name"},   {"CURRENT DATABASE", "current database name"},
        {"FUNCTIONS", "function name"},   {"USER FUNCTIONS", "function name"},
        {"MODULES", "module name"},       {"JARS", "jars"},
        {"PROCEDURES", "procedure name"},
    };
    const char *what = statement->text;
    const char *heading = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(what, lists[i].what) == 0)
            heading = lists[i].heading;
    }
    *known = heading != NULL;
    if (!heading)
        return ORIEL_OK;
    const struct oriel_database *current = oriel_session_current(result->engine->session);
    ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_LISTING, &heading, 1, error));
    if (strcmp(what, "TABLES") == 0 || strcmp(what, "VIEWS") == 0)
        return show_tables(result, statement, what[0] == 'V', error);
    if (strcmp(what, "CATALOGS") == 0)
        return show_catalogs(result, statement, error);
    if (strcmp(what, "DATABASES") == 0)
        return show_databases(result, statement, error);
    if (strcmp(what, "FUNCTIONS") == 0)
        return show_functions(result, statement, error);
    if (strcmp(what, "CURRENT CATALOG") == 0)
        return add(result, statement, current->catalog, error);
    if (strcmp(what, "CURRENT DATABASE") == 0)
        return add(result, statement, current->name, error);
    return strcmp(what, "MODULES") == 0 ? add(result, statement, "core", error) : ORIEL_OK;
}

bool oriel_show_wants(const struct ast_statement *statement, const char *name) {
    return is_wanted(statement, name);
}

enum oriel_status oriel_statement_show(struct oriel_result *result,
                                       const struct ast_statement *statement,
                                       struct oriel_error *error) {
    static const char *const modules[] = {"module name", "used"};
    static const char *const core[] = {"core", "TRUE"};
    static const char *const jobs[] = {"job id", "job name", "status", "start time"};
    const char *what = statement->text;
    bool known = false;
    ORIEL_TRY(show_names(result, statement, &known, error));
    if (known)
        return ORIEL_OK;
    if (strcmp(what, "COLUMNS") == 0)
        return oriel_statement_describe(result, statement, error);
    if (strcmp(what, "CREATE TABLE") == 0 || strcmp(what, "CREATE VIEW") == 0)
        return oriel_statement_show_create(result, statement, error);
    if (strcmp(what, "JOBS") == 0)
        return oriel_listing_begin(result, ORIEL_RESULT_LISTING, jobs, 4, error);
    if (strcmp(what, "FULL MODULES") == 0) {
        ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_LISTING, modules, 2, error));
        return oriel_listing_add(result, core, error);
    }
    return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->position,
                          "SHOW %s is a statement of Flink that Oriel cannot run yet", what);
}
