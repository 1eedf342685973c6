/*
 * Trees of ALTER TABLE and ALTER VIEW: what is changed, in the fields that CREATE uses.
 */
#include "engine/sql/ast_build.h"

struct ast_statement *oriel_ast_alter(struct sql_parser *parser, struct sql_location location,
                                      int alter) {
    struct ast_statement *out = oriel_ast_statement(parser, AST_STATEMENT_ALTER, location);
    if (out)
        out->alter = (enum ast_alter)alter;
    return out;
}

struct ast_statement *oriel_ast_alter_names(struct sql_parser *parser, struct sql_location location,
                                            int alter, struct sql_list *names) {
    struct ast_statement *out = names ? oriel_ast_alter(parser, location, alter) : NULL;
    if (out)
        SQL_TAKE(out->column_names, names);
    return out;
}

struct ast_statement *oriel_ast_alter_elements(struct sql_parser *parser,
                                               struct sql_location location, int alter,
                                               struct sql_list *elements) {
    static const struct ast_name none;
    struct ast_statement *out = oriel_ast_alter(parser, location, alter);
    if (!out || !oriel_ast_create_table(parser, location, out, 0, &none, elements))
        return NULL;
    if (out->column_names.count)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, out->column_names.items[0]->position,
                              "the column %s has no type", out->column_names.items[0]->text);
    return out;
}

struct ast_statement *oriel_ast_alter_options(struct sql_parser *parser,
                                              struct sql_location location, int alter,
                                              struct sql_list *options) {
    struct ast_statement *out = oriel_ast_alter(parser, location, alter);
    if (out)
        SQL_TAKE(out->options, options);
    return out;
}

void oriel_ast_alter_name(struct ast_statement *alter, const char *object, int if_exists,
                          const struct ast_name *name) {
    alter->object = object;
    alter->if_exists = if_exists != 0;
    alter->name = *name;
}
