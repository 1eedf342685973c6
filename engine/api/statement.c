/*
 * One statement: queries are bound and made ready to run, definitions and settings go to the
 * session, the rest becomes a listing or an insert. What is missing is refused by its name.
 */
#include "engine/api/engine_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/api/passed_over.h"
#include "engine/api/window_range.h"
#include "engine/plan/share_scans.h"

enum { COLUMN_WIDTH_DEFAULT = 30 };

static enum oriel_status run_other(struct oriel_result *result,
                                   const struct ast_statement *statement,
                                   struct oriel_error *error) {
    const char *text = statement->text ? statement->text : "";
    if (oriel_statement_is_passed_over(statement))
        return ORIEL_OK;
    if (strcmp(text, "CREATE CATALOG") == 0 || strcmp(text, "CREATE DATABASE") == 0)
        return oriel_session_execute(result->engine->session, &result->runtime, statement, error);
    if (strcmp(text, "CREATE FUNCTION") == 0)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->position,
                              "CREATE FUNCTION: functions in Java, Scala or Python cannot be run; "
                              "SHOW FUNCTIONS lists those that can");
    return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->position,
                          "%s is a statement of Flink that Oriel cannot run yet",
                          statement->text ? statement->text : "this");
}

static enum oriel_status list_settings(struct oriel_result *result, struct oriel_error *error) {
    static const char *const names[] = {"key", "value"};
    ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_LISTING, names, 2, error));
    const char *cells[2];
    for (size_t i = 0; oriel_session_setting_at(result->engine->session, i, &cells[0], &cells[1]);
         i++)
        ORIEL_TRY(oriel_listing_add(result, cells, error));
    return ORIEL_OK;
}

enum oriel_status oriel_statement_run(struct oriel_result *result,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error) {
    struct oriel_engine *engine = result->engine;
    const char *width = oriel_session_setting(engine->session, "table.display.max-column-width");
    const long number = width ? strtol(width, NULL, 10) : 0;
    result->max_column_width = number > 0 ? (size_t)number : COLUMN_WIDTH_DEFAULT;
    if (result->part && statement->kind != AST_STATEMENT_QUERY)
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "only a query can be run in parts");
    oriel_note_passed_over(result, statement);
    switch (statement->kind) {
    case AST_STATEMENT_QUERY: return oriel_statement_open_query(result, statement->query, error);
    case AST_STATEMENT_INSERT:
    case AST_STATEMENT_STATEMENT_SET: return oriel_statement_insert(result, statement, error);
    case AST_STATEMENT_DESCRIBE: return oriel_statement_describe(result, statement, error);
    case AST_STATEMENT_SHOW: return oriel_statement_show(result, statement, error);
    case AST_STATEMENT_EXPLAIN: return oriel_statement_explain(result, statement, error);
    case AST_STATEMENT_SET:
        if (!statement->key)
            return list_settings(result, error);
        return oriel_session_execute(engine->session, &result->runtime, statement, error);
    case AST_STATEMENT_CREATE_TABLE:
        if (statement->query)
            return oriel_statement_create_as(result, statement, error);
        return oriel_session_execute(engine->session, &result->runtime, statement, error);
    case AST_STATEMENT_CREATE_VIEW:
    case AST_STATEMENT_ALTER:
    case AST_STATEMENT_DROP:
    case AST_STATEMENT_RESET:
    case AST_STATEMENT_USE:
        return oriel_session_execute(engine->session, &result->runtime, statement, error);
    case AST_STATEMENT_OTHER: return run_other(result, statement, error);
    }
    return oriel_error_set(error, ORIEL_INTERNAL, "statement of kind %d", (int)statement->kind);
}

enum oriel_status oriel_statement_open_query(struct oriel_result *result,
                                             const struct ast_query *query,
                                             struct oriel_error *error) {
    struct oriel_engine *engine = result->engine;
    result->kind = ORIEL_RESULT_ROWS;
    ORIEL_TRY(oriel_engine_start_pool(engine, &result->runtime, error));
    ORIEL_TRY(oriel_bind_query(engine->session, &result->runtime, query, &result->arena,
                               &result->plan, error));
    if (result->part)
        ORIEL_TRY(oriel_statement_make_part(result, error));
    oriel_note_window_range(result, result->plan);
    ORIEL_TRY(oriel_plans_share_scans(&result->plan, 1, NULL, result->runtime.rejects != NULL,
                                      &result->arena, error));
    result->schema = result->plan->schema;
    return oriel_execution_open(result->plan, &result->runtime, oriel_result_open_scan, result,
                                &result->execution, error);
}

enum oriel_status oriel_statement_find_table(const struct oriel_result *result,
                                             const struct ast_name *name,
                                             const struct oriel_table_entry **out,
                                             struct oriel_error *error) {
    *out = oriel_session_find(result->engine->session, name);
    if (*out)
        return ORIEL_OK;
    char shown[256] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < name->part_count && length < sizeof shown - 1; i++) {
        const int added = snprintf(shown + length, sizeof shown - length, "%s%s", i ? "." : "",
                                   name->parts[i].text);
        length += added > 0 ? (size_t)added : 0;
    }
    return oriel_error_at(error, ORIEL_INVALID, name->position, "Table or view '%s' not found",
                          shown);
}
