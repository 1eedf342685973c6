/* Trees as compact text, so that a test can say in one line what a statement must become. */
#pragma once

#include <stddef.h>

#include "engine/sql/ast.h"

enum { TREE_TEXT_BYTES = 4096 };

struct tree_text {
    char bytes[TREE_TEXT_BYTES];
    size_t length;
};

/* (+ a 1), 'string', INTERVAL '1' DAY, a.b: operators and calls as lists, names as they stand. */
void tree_text_expression(struct tree_text *out, const struct ast_expression *expression);

/* SELECT items FROM ... in the order of the clauses; absent ones are left out. */
void tree_text_query(struct tree_text *out, const struct ast_query *query);

void tree_text_type(struct tree_text *out, const struct ast_type *type);
void tree_text_statement(struct tree_text *out, const struct ast_statement *statement);
