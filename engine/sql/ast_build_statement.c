/*
 * Tree building: statements other than CREATE TABLE.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/ast_build.h"

struct ast_statement *oriel_ast_statement(struct sql_parser *parser, enum ast_statement_kind kind,
                                          struct sql_location location) {
    struct ast_statement *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = kind;
    out->position = sql_position(location);
    out->source = oriel_ast_slice(parser, location);
    return out->source ? out : NULL;
}

struct ast_statement *oriel_ast_query_statement(struct sql_parser *parser,
                                                struct sql_location location,
                                                struct ast_query *query) {
    struct ast_statement *out = oriel_ast_statement(parser, AST_STATEMENT_QUERY, location);
    if (out)
        out->query = query;
    return out;
}

struct ast_statement *oriel_ast_insert(struct sql_parser *parser, struct sql_location location,
                                       int overwrite, const struct ast_name *name,
                                       struct sql_list *hints, struct sql_list *partition) {
    struct ast_statement *out = oriel_ast_statement(parser, AST_STATEMENT_INSERT, location);
    if (!out)
        return NULL;
    out->overwrite = overwrite != 0;
    out->name = *name;
    SQL_TAKE(out->options, hints);
    SQL_TAKE(out->partition, partition);
    return out;
}

struct ast_statement *oriel_ast_insert_query(struct sql_parser *parser,
                                             struct ast_statement *insert,
                                             struct sql_location location, struct sql_list *columns,
                                             struct ast_query *query) {
    SQL_TAKE(insert->column_names, columns);
    insert->query = query;
    insert->source = oriel_ast_slice(parser, location);
    return insert->source ? insert : NULL;
}

struct ast_option *oriel_ast_partition(struct sql_parser *parser, const struct ast_identifier *name,
                                       struct sql_location location,
                                       const struct ast_expression *value) {
    struct ast_option *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->position = name->position;
    out->value_position = sql_position(location);
    out->key = name->text;
    if (value) {
        out->value = value->text;
        out->value_length = value->text_length;
        if (value->kind == AST_BOOLEAN)
            out->value = value->number ? "true" : "false";
        if (!out->value)
            return oriel_sql_fail(parser, ORIEL_SYNTAX, out->value_position,
                                  "found NULL, expected the value of the partition %s", name->text);
        if (value->kind == AST_BOOLEAN)
            out->value_length = (uint32_t)strlen(out->value);
    }
    return out;
}

static bool is_word(const struct ast_identifier *word, const char *upper) {
    return oriel_text_equal_ignoring_case(oriel_text_of(word->text), oriel_text_of(upper));
}

static bool add_explain_word(struct sql_parser *parser, struct ast_statement *explain,
                             const struct ast_identifier *word) {
    static const char *const DETAILS[] = {"ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN",
                                          "PLAN_ADVICE", "ANALYZE"};
    for (size_t i = 0; i < sizeof DETAILS / sizeof DETAILS[0]; ++i) {
        if (!is_word(word, DETAILS[i]))
            continue;
        if (explain->text && strstr(explain->text, DETAILS[i])) {
            oriel_sql_fail(parser, ORIEL_SYNTAX, word->position, "%s stands twice", DETAILS[i]);
            return false;
        }
        explain->analyze |= strcmp(DETAILS[i], "ANALYZE") == 0;
        explain->text = explain->text
                            ? oriel_arena_print(parser->arena, "%s, %s", explain->text, DETAILS[i])
                            : DETAILS[i];
        if (!explain->text)
            oriel_sql_fail_memory(parser);
        return explain->text != NULL;
    }
    oriel_sql_fail(parser, ORIEL_SYNTAX, word->position,
                   "found %s, expected PLAN FOR, ANALYZE, ESTIMATED_COST, CHANGELOG_MODE, "
                   "JSON_EXECUTION_PLAN, PLAN_ADVICE or a query",
                   word->text);
    return false;
}

struct ast_statement *oriel_ast_explain(struct sql_parser *parser, struct sql_location location,
                                        const struct sql_list *words, bool plan_for,
                                        struct ast_statement *inner) {
    struct ast_statement *out = oriel_ast_statement(parser, AST_STATEMENT_EXPLAIN, location);
    if (!out)
        return NULL;
    out->inner = inner;
    if (plan_for) {
        if (!words)
            return NULL;
        const struct ast_identifier *word = words->items[0];
        if (!is_word(word, "PLAN"))
            return oriel_sql_fail(parser, ORIEL_SYNTAX, word->position,
                                  "found %s FOR, expected PLAN FOR", word->text);
        out->text = "PLAN FOR";
        return out;
    }
    for (uint32_t i = 0; words && i < words->count; ++i)
        if (!add_explain_word(parser, out, words->items[i]))
            return NULL;
    return out;
}

struct ast_statement *oriel_ast_statement_set(struct sql_parser *parser,
                                              struct sql_location location,
                                              struct sql_list *statements) {
    struct ast_statement *out = oriel_ast_statement(parser, AST_STATEMENT_STATEMENT_SET, location);
    if (out)
        SQL_TAKE(out->statements, statements);
    return out;
}

struct ast_statement *oriel_ast_create(struct sql_parser *parser, struct sql_location location,
                                       int or_replace, int temporary) {
    struct ast_statement *out = oriel_ast_statement(parser, AST_STATEMENT_CREATE_TABLE, location);
    if (!out)
        return NULL;
    out->or_replace = or_replace != 0;
    out->temporary = temporary != 0;
    return out;
}

struct ast_statement *oriel_ast_create_view(struct sql_parser *parser, struct sql_location location,
                                            struct ast_statement *view, int if_not_exists,
                                            const struct ast_name *name, struct sql_list *columns) {
    view->kind = AST_STATEMENT_CREATE_VIEW;
    view->if_not_exists = if_not_exists != 0;
    view->name = *name;
    SQL_TAKE(view->column_names, columns);
    view->source = oriel_ast_slice(parser, location);
    return view->source ? view : NULL;
}

struct ast_statement *oriel_ast_view_query(struct sql_parser *parser, struct ast_statement *view,
                                           struct sql_location query_location,
                                           struct ast_query *query) {
    view->query = query;
    view->query_text = oriel_ast_slice(parser, query_location);
    return view->query_text ? view : NULL;
}
