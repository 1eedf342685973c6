/*
 * Runs a script through parser, session and binder and writes down what comes out.
 */
#include "tests/unit/plan/plan_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/zone.h"
#include "engine/plan/binder.h"
#include "engine/sql/parser.h"
#include "kernels/kernels.h"

static void print(struct plan_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print(struct plan_text *out, const char *format, ...) {
    char piece[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece)
        abort();
    char *const grown = realloc(out->bytes, out->length + (size_t)length + 1);
    if (!grown)
        abort();
    memcpy(grown + out->length, piece, (size_t)length + 1);
    out->bytes = grown;
    out->length += (size_t)length;
}

static void print_fields(struct plan_text *out, struct oriel_schema schema) {
    print(out, "->");
    for (uint32_t i = 0; i < schema.field_count; i++) {
        char type[512];
        print(out, "%s %s %s", i ? "," : "", schema.fields[i].name,
              oriel_type_print(&schema.fields[i].type, true, type, sizeof type));
    }
    print(out, "\n");
}

static enum oriel_status run_query(struct oriel_session *session,
                                   const struct oriel_runtime *runtime,
                                   const struct ast_query *query, struct oriel_arena *arena,
                                   struct plan_text *out, struct oriel_error *error) {
    struct oriel_plan *plan;
    ORIEL_TRY(oriel_bind_query(session, runtime, query, arena, &plan, error));
    const char *text = oriel_plan_explain(plan, 0, NULL, arena);
    if (!text)
        return oriel_error_memory(error);
    while (*text) { /* line by line: a plan may be longer than a piece */
        const char *const end = strchr(text, '\n');
        print(out, "%.*s\n", (int)(end - text), text);
        text = end + 1;
    }
    print_fields(out, plan->schema);
    return ORIEL_OK;
}

static enum oriel_status run_describe(struct oriel_session *session,
                                      const struct oriel_runtime *runtime,
                                      const struct ast_statement *statement,
                                      struct oriel_arena *arena, struct plan_text *out,
                                      struct oriel_error *error) {
    const struct oriel_table_entry *const table = oriel_session_find(session, &statement->name);
    struct oriel_schema schema;
    if (!table)
        return oriel_error_at(error, ORIEL_INVALID, statement->position, "no such table");
    ORIEL_TRY(oriel_bind_schema(session, runtime, table, arena, &schema, error));
    print_fields(out, schema);
    return ORIEL_OK;
}

static enum oriel_status run_insert(struct oriel_session *session,
                                    const struct oriel_runtime *runtime,
                                    const struct ast_statement *statement,
                                    struct oriel_arena *arena, struct plan_text *out,
                                    struct oriel_error *error) {
    const struct oriel_table_entry *const table = oriel_session_find(session, &statement->name);
    struct oriel_plan *plan;
    if (!table)
        return oriel_error_at(error, ORIEL_INVALID, statement->position, "no such table");
    ORIEL_TRY(oriel_bind_insert(session, runtime, statement, table, arena, &plan, error));
    const char *const text = oriel_plan_explain(plan, 0, NULL, arena);
    if (!text)
        return oriel_error_memory(error);
    print(out, "%s", text);
    print_fields(out, plan->schema);
    return ORIEL_OK;
}

static void show_tables(const struct oriel_session *session, struct plan_text *out) {
    const struct oriel_table_entry *table;
    for (size_t i = 0; (table = oriel_session_table_at(session, NULL, i)) != NULL; i++)
        print(out, "%s%s", i ? ", " : "tables: ", table->name);
    print(out, "\n");
}

static void show_settings(const struct oriel_session *session, struct plan_text *out) {
    const char *key, *value;
    for (size_t i = 0; oriel_session_setting_at(session, i, &key, &value); i++)
        print(out, "%s = %s\n", key, value);
}

static enum oriel_status run_statement(struct oriel_session *session,
                                       const struct oriel_runtime *runtime,
                                       const struct ast_statement *statement,
                                       struct oriel_arena *arena, struct plan_text *out,
                                       struct oriel_error *error) {
    switch (statement->kind) {
    case AST_STATEMENT_QUERY:
        return run_query(session, runtime, statement->query, arena, out, error);
    case AST_STATEMENT_DESCRIBE:
        return run_describe(session, runtime, statement, arena, out, error);
    case AST_STATEMENT_INSERT: return run_insert(session, runtime, statement, arena, out, error);
    case AST_STATEMENT_SHOW: show_tables(session, out); return ORIEL_OK;
    case AST_STATEMENT_SET:
        if (!statement->key) {
            show_settings(session, out);
            return ORIEL_OK;
        }
        return oriel_session_execute(session, runtime, statement, error);
    default: return oriel_session_execute(session, runtime, statement, error);
    }
}

static enum oriel_status run_next(struct oriel_memory *memory, struct oriel_session *session,
                                  struct oriel_script_reader *reader, struct plan_text *out) {
    struct oriel_error error = {0};
    struct oriel_zone *zone = NULL;
    struct oriel_arena arena;
    struct ast_statement *statement;
    oriel_arena_init(&arena, memory);
    enum oriel_status status = oriel_parse_statement(reader, &arena, &statement, &error);
    const bool parsed = status == ORIEL_OK;
    if (parsed)
        status = oriel_zone_open(memory, oriel_session_setting(session, "table.local-time-zone"),
                                 &zone, &error);
    if (status == ORIEL_OK) {
        const char *const mode = oriel_session_setting(session, "execution.runtime-mode");
        const struct oriel_runtime runtime = {
            .memory = memory,
            .kernels = oriel_isa_best(0)->kernels,
            .thread_count = 1,
            .batch_rows = 256,
            .zone = zone,
            .batch_mode = strcmp(mode, "batch") == 0,
        };
        status = run_statement(session, &runtime, statement, &arena, out, &error);
    }
    oriel_zone_close(&zone);
    oriel_arena_deinit(&arena);
    if (status == ORIEL_OK || status == ORIEL_DONE || status == ORIEL_MEMORY)
        return status;
    print(out, "%s %u:%u: %s\n", oriel_status_text(status), error.line, error.column,
          error.message);
    return parsed ? ORIEL_OK : status;
}

enum oriel_status plan_text_make(struct oriel_memory *memory, const char *script, size_t length,
                                 struct plan_text *out) {
    struct oriel_session *session = NULL;
    struct oriel_script_reader reader;
    print(out, "%s", "");
    enum oriel_status status = oriel_session_open(memory, &session, NULL);
    oriel_script_reader_init(&reader, script, length);
    while (status == ORIEL_OK)
        status = run_next(memory, session, &reader, out);
    oriel_session_close(&session);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}
