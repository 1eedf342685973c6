/*
 * CREATE TABLE ... AS query: an INSERT into the table that the session makes of the query's
 * columns. The table appears when its rows are written, so the one that it replaces can be read.
 */
#include "engine/api/create_as.h"

/* INSERT INTO table (columns of the query) query. A table that was there takes them by place. */
static struct ast_statement *make_insert(struct oriel_arena *arena,
                                         const struct ast_statement *statement,
                                         struct oriel_schema columns) {
    const uint32_t count = columns.field_count;
    struct ast_statement *insert = oriel_arena_allocate_zeroed(arena, 1, sizeof *insert);
    struct ast_identifier *names = oriel_arena_allocate_zeroed(arena, count + 1, sizeof *names);
    struct ast_identifier **list = oriel_arena_allocate_zeroed(arena, count + 1, sizeof *list);
    if (!insert || !names || !list)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        names[i] = (struct ast_identifier){statement->position, columns.fields[i].name, true};
        list[i] = &names[i];
    }
    insert->kind = AST_STATEMENT_INSERT;
    insert->position = statement->position;
    insert->name = statement->name;
    insert->query = statement->query;
    insert->column_names.count = count;
    insert->column_names.items = list;
    return insert;
}

static enum oriel_status prepare_insert(struct oriel_result *result,
                                        const struct ast_statement *statement,
                                        struct oriel_create_as *create, struct oriel_error *error) {
    const struct ast_statement *insert =
        make_insert(&result->arena, statement, create->made.columns);
    if (!insert)
        return oriel_error_memory(error);
    return oriel_inserts_prepare(result, insert, create->made.entry, &create->inserts, error);
}

enum oriel_status oriel_create_as_prepare(struct oriel_result *result,
                                          const struct ast_statement *statement,
                                          struct oriel_create_as *out, struct oriel_error *error) {
    ORIEL_TRY(oriel_session_make_as(result->engine->session, &result->runtime, statement,
                                    &result->arena, &out->made, error));
    const enum oriel_status status = prepare_insert(result, statement, out, error);
    if (status != ORIEL_OK)
        oriel_create_as_close(result, out, false);
    return status;
}

void oriel_create_as_close(struct oriel_result *result, const struct oriel_create_as *create,
                           bool is_written) {
    if (create->made.exists)
        return;
    if (is_written)
        oriel_session_put(result->engine->session, create->made.entry);
    else
        oriel_session_discard(result->engine->session, create->made.entry);
}

static enum oriel_status run(struct oriel_result *result, const struct oriel_inserts *inserts,
                             struct oriel_error *error) {
    ORIEL_TRY(oriel_engine_start_pool(result->engine, &result->runtime, error));
    return oriel_inserts_run(result, inserts, error);
}

enum oriel_status oriel_statement_create_as(struct oriel_result *result,
                                            const struct ast_statement *statement,
                                            struct oriel_error *error) {
    struct oriel_create_as create;
    result->kind = ORIEL_RESULT_INSERT;
    ORIEL_TRY(oriel_create_as_prepare(result, statement, &create, error));
    const enum oriel_status status = run(result, &create.inserts, error);
    oriel_create_as_close(result, &create, status == ORIEL_OK);
    return status;
}
