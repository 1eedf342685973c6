/*
 * The binder's doors: a query, the schema of a table, an INSERT.
 */
#include "engine/plan/binder.h"

#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/bind.h"

/* A column that is declared NOT NULL but was computed to NULL, e.g. a cast that does not fit. */
static enum oriel_status check_constants(struct binder *b, const struct oriel_plan *plan) {
    if (plan->kind != ORIEL_PLAN_PROJECT)
        return ORIEL_OK;
    for (uint32_t i = 0; i < plan->schema.field_count; i++) {
        const struct oriel_expression *const expression = plan->project.expressions[i];
        if (!plan->schema.fields[i].type.nullable && oriel_expression_is_null_constant(expression))
            return oriel_error_at(b->error, ORIEL_RUNTIME, expression->position,
                                  "Column '%s' is NOT NULL, however, a null value is being written "
                                  "into it: the value does not fit its type",
                                  plan->schema.fields[i].name);
    }
    return ORIEL_OK;
}

/* Time attributes are marked in streaming mode only. */
static enum oriel_status finish_types(struct binder *b, struct oriel_plan *plan) {
    if (!b->runtime->batch_mode)
        return ORIEL_OK;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, plan->schema, 0);
    if (!fields)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < plan->schema.field_count; i++)
        fields[i].type.rowtime = false;
    plan->schema.fields = fields;
    return ORIEL_OK;
}

static enum oriel_status finish(struct binder *b, struct oriel_plan **plan) {
    ORIEL_TRY(oriel_restrict_windows(b, plan));
    ORIEL_TRY(oriel_plan_rewrite(b, plan));
    ORIEL_TRY(oriel_watch_late(b, *plan));
    ORIEL_TRY(check_constants(b, *plan));
    return finish_types(b, *plan);
}

enum oriel_status oriel_bind_query(struct oriel_session *session,
                                   const struct oriel_runtime *runtime,
                                   const struct ast_query *query,
                                   struct oriel_arena *statement_arena, struct oriel_plan **out,
                                   struct oriel_error *error) {
    struct binder b = {
        .session = session, .runtime = runtime, .arena = statement_arena, .error = error};
    ORIEL_TRY(oriel_bind_rows(&b, query, out));
    return finish(&b, out);
}

enum oriel_status oriel_bind_schema(struct oriel_session *session,
                                    const struct oriel_runtime *runtime,
                                    const struct oriel_table_entry *table,
                                    struct oriel_arena *statement_arena, struct oriel_schema *out,
                                    struct oriel_error *error) {
    struct binder b = {
        .session = session, .runtime = runtime, .arena = statement_arena, .error = error};
    if (table->kind != ORIEL_TABLE_VIEW) {
        *out = table->schema;
        return ORIEL_OK;
    }
    struct oriel_plan *plan;
    const struct oriel_database *const in_use = oriel_session_set_current(session, table->made_in);
    const enum oriel_status status = oriel_bind_rows(&b, table->query, &plan);
    oriel_session_set_current(session, in_use);
    ORIEL_TRY(status);
    struct oriel_field *const fields = oriel_plan_copy_fields(b.arena, plan->schema, 0);
    if (!fields)
        return oriel_bind_memory(&b);
    for (uint32_t i = 0; i < plan->schema.field_count && i < table->schema.field_count; i++)
        fields[i].name = table->schema.fields[i].name;
    *out = (struct oriel_schema){plan->schema.field_count, fields};
    return ORIEL_OK;
}

/* The columns that an INSERT writes: those of the file. */
static bool is_written(const struct oriel_table_entry *table, uint32_t field) {
    return !table->definitions || table->definitions[field]->kind == AST_COLUMN_PHYSICAL;
}

static enum oriel_status unknown_target(struct binder *b, const struct oriel_table_entry *table,
                                        const struct ast_identifier *name) {
    char hint[160];
    struct oriel_suggestion suggestion = {.name = name->text};
    for (uint32_t i = 0; i < table->schema.field_count; i++) {
        if (is_written(table, i))
            oriel_suggestion_offer(&suggestion, table->schema.fields[i].name);
    }
    return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                          "Unknown target column '%s' of '%s'%s", name->text, table->name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* sources[field] is the column of the query for a field of the table, or -1. */
static enum oriel_status map_named(struct binder *b, const struct ast_statement *statement,
                                   const struct oriel_table_entry *table, int32_t *sources) {
    for (uint32_t i = 0; i < statement->column_names.count; i++) {
        const struct ast_identifier *const name = statement->column_names.items[i];
        uint32_t field = 0;
        while (field < table->schema.field_count &&
               (!is_written(table, field) ||
                strcmp(table->schema.fields[field].name, name->text) != 0))
            field++;
        if (field == table->schema.field_count)
            return unknown_target(b, table, name);
        if (sources[field] >= 0)
            return oriel_error_at(b->error, ORIEL_INVALID, name->position,
                                  "Target column '%s' is assigned more than once", name->text);
        sources[field] = (int32_t)i;
    }
    return ORIEL_OK;
}

static enum oriel_status map_columns(struct binder *b, const struct ast_statement *statement,
                                     const struct oriel_table_entry *table, uint32_t query_count,
                                     int32_t *sources) {
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < table->schema.field_count; i++) {
        sources[i] = -1;
        wanted += is_written(table, i);
    }
    if (statement->column_names.count) {
        wanted = statement->column_names.count;
        ORIEL_TRY(map_named(b, statement, table, sources));
    } else {
        int32_t next = 0;
        for (uint32_t i = 0; i < table->schema.field_count; i++) {
            if (is_written(table, i))
                sources[i] = next++;
        }
    }
    if (wanted != query_count)
        return oriel_error_at(b->error, ORIEL_INVALID, statement->position,
                              "Column types of query result and sink for '%s' do not match: the "
                              "query has %u columns, the table takes %u",
                              table->name, query_count, wanted);
    return ORIEL_OK;
}

static enum oriel_status bind_target(struct binder *b, const struct ast_statement *statement,
                                     const struct oriel_table_entry *table,
                                     const struct oriel_plan *plan, uint32_t field, int32_t source,
                                     struct oriel_expression **out) {
    struct oriel_type wanted = table->schema.fields[field].type;
    wanted.rowtime = false;
    if (source < 0) {
        if (!wanted.nullable)
            return oriel_error_at(b->error, ORIEL_INVALID, statement->position,
                                  "Column '%s' has no default value and does not allow NULLs",
                                  table->schema.fields[field].name);
        *out = oriel_expression_constant(b->arena, wanted, true, statement->position);
        return *out ? ORIEL_OK : oriel_bind_memory(b);
    }
    const struct oriel_field *const given = &plan->schema.fields[source];
    *out = oriel_expression_column(b->arena, (uint32_t)source, given->type, plan->position);
    if (!*out)
        return oriel_bind_memory(b);
    if (given->type.id != ORIEL_TYPE_NULL && !oriel_type_casts_implicitly(&given->type, &wanted)) {
        char one[96], other[96];
        return oriel_error_at(b->error, ORIEL_INVALID, statement->position,
                              "Column types of query result and sink for '%s' do not match: column "
                              "'%s' is %s, the query gives %s",
                              table->name, table->schema.fields[field].name,
                              oriel_type_print(&wanted, false, one, sizeof one),
                              oriel_type_print(&given->type, false, other, sizeof other));
    }
    return oriel_bind_cast(b, *out, wanted, out);
}

enum oriel_status oriel_bind_insert(struct oriel_session *session,
                                    const struct oriel_runtime *runtime,
                                    const struct ast_statement *statement,
                                    const struct oriel_table_entry *table,
                                    struct oriel_arena *statement_arena, struct oriel_plan **out,
                                    struct oriel_error *error) {
    struct binder b = {
        .session = session, .runtime = runtime, .arena = statement_arena, .error = error};
    if (table->kind != ORIEL_TABLE_FILE)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is no table that can be written", table->name);
    if (statement->partition.count)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->partition.items[0]->position,
                              "INSERT with PARTITION cannot be run yet");
    struct oriel_plan *plan;
    ORIEL_TRY(oriel_bind_rows(&b, statement->query, &plan));
    const uint32_t count = table->schema.field_count;
    int32_t *const sources =
        oriel_arena_allocate_zeroed(statement_arena, (size_t)count + 1, sizeof *sources);
    struct oriel_expression **const expressions =
        oriel_arena_allocate_zeroed(statement_arena, (size_t)count + 1, sizeof *expressions);
    const char **const names =
        oriel_arena_allocate_zeroed(statement_arena, (size_t)count + 1, sizeof *names);
    if (!sources || !expressions || !names)
        return oriel_error_memory(error);
    ORIEL_TRY(map_columns(&b, statement, table, plan->schema.field_count, sources));
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_written(table, i))
            continue;
        names[written] = table->schema.fields[i].name;
        ORIEL_TRY(bind_target(&b, statement, table, plan, i, sources[i], &expressions[written++]));
    }
    *out = oriel_plan_make_project(statement_arena, plan, written, expressions, names);
    return *out ? finish(&b, out) : oriel_error_memory(error);
}
