/*
 * Tree building: FROM, joins, table functions and their table arguments, hints.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/ast_build.h"

static struct ast_from *make(struct sql_parser *parser, enum ast_from_kind kind,
                             struct sql_location location) {
    struct ast_from *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = kind;
    out->position = sql_position(location);
    out->depth = 1;
    return out;
}

static struct ast_from *raise_depth(struct sql_parser *parser, struct ast_from *from,
                                    uint32_t child) {
    if (from->depth <= child)
        from->depth = child + 1;
    return oriel_ast_check_depth(parser, from->depth, from->position) ? from : NULL;
}

struct ast_from *oriel_ast_from_table(struct sql_parser *parser, struct sql_location location,
                                      const struct ast_name *name, struct sql_list *hints) {
    struct ast_from *out = make(parser, AST_FROM_TABLE, location);
    if (!out)
        return NULL;
    out->name = *name;
    SQL_TAKE(out->hints, hints);
    return out;
}

struct ast_from *oriel_ast_from_path(struct sql_parser *parser, struct sql_location location,
                                     struct sql_text path) {
    if (path.length == 0 || memchr(path.bytes, 0, path.length))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              path.length ? "a path has no NUL character in it"
                                          : "found an empty string, expected the path of a file");
    struct ast_from *out = make(parser, AST_FROM_PATH, location);
    if (!out)
        return NULL;
    out->path = oriel_ast_copy(parser, path);
    return out->path ? out : NULL;
}

struct ast_from *oriel_ast_from_query(struct sql_parser *parser, struct sql_location location,
                                      struct ast_query *query) {
    struct ast_from *out = make(parser, AST_FROM_QUERY, location);
    if (!out)
        return NULL;
    out->query = query;
    return raise_depth(parser, out, query->depth);
}

static struct ast_from *take_arguments(struct sql_parser *parser, struct ast_from *from,
                                       struct sql_list *arguments) {
    SQL_TAKE(from->arguments, arguments);
    for (uint32_t i = 0; i < from->arguments.count; ++i)
        if (!raise_depth(parser, from, from->arguments.items[i]->depth))
            return NULL;
    return from;
}

static bool is_window_function(const struct ast_name *name) {
    static const char *const NAMES[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
    for (size_t i = 0; name->part_count == 1 && i < sizeof NAMES / sizeof NAMES[0]; ++i)
        if (oriel_text_equal_ignoring_case(oriel_text_of(name->parts[0].text),
                                           oriel_text_of(NAMES[i])))
            return true;
    return false;
}

/* Without names the table comes first; Flink's parser takes it nowhere else. */
static bool is_table_out_of_place(const struct ast_from *from) {
    bool found = false;
    if (from->arguments.count == 0 || from->arguments.items[0]->kind == AST_TABLE)
        return false;
    for (uint32_t i = 0; i < from->arguments.count; ++i) {
        if (from->arguments.items[i]->kind == AST_NAMED)
            return false;
        found |= from->arguments.items[i]->kind == AST_TABLE;
    }
    return found;
}

struct ast_from *oriel_ast_from_function(struct sql_parser *parser, struct sql_location location,
                                         const struct ast_name *name, struct sql_list *arguments) {
    struct ast_from *out = make(parser, AST_FROM_FUNCTION, location);
    if (!out)
        return NULL;
    out->name = *name;
    if (!take_arguments(parser, out, arguments))
        return NULL;
    if (is_window_function(name) && is_table_out_of_place(out))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, out->arguments.items[0]->position,
                              "expected TABLE: the table is the first argument of %s, as in "
                              "%s(TABLE t, DESCRIPTOR(ts), ...)",
                              name->parts[0].text, name->parts[0].text);
    return out;
}

struct ast_from *oriel_ast_from_unnest(struct sql_parser *parser, struct sql_location location,
                                       struct sql_list *arguments, int ordinality) {
    struct ast_from *out = make(parser, AST_FROM_UNNEST, location);
    if (!out)
        return NULL;
    out->with_ordinality = ordinality != 0;
    return take_arguments(parser, out, arguments);
}

void oriel_ast_from_alias(struct ast_from *from, struct ast_identifier *alias,
                          struct sql_list *columns) {
    from->alias = alias;
    SQL_TAKE(from->column_aliases, columns);
}

struct ast_from *oriel_ast_join(struct sql_parser *parser, struct sql_location location, int join,
                                struct ast_from *left, struct ast_from *right) {
    struct ast_from *out = make(parser, AST_FROM_JOIN, location);
    if (!out)
        return NULL;
    out->join = (enum ast_join_kind)join;
    out->left = left;
    out->right = right;
    return raise_depth(parser, out, left->depth > right->depth ? left->depth : right->depth);
}

struct ast_from *oriel_ast_join_on(struct sql_parser *parser, struct ast_from *join,
                                   struct ast_expression *on) {
    join->on = on;
    return raise_depth(parser, join, on->depth);
}

void oriel_ast_join_using(struct ast_from *join, struct sql_list *columns) {
    SQL_TAKE(join->using_columns, columns);
}

struct ast_expression *oriel_ast_table(struct sql_parser *parser, struct sql_location location,
                                       struct ast_from *table) {
    struct ast_expression *out = table ? oriel_ast_expression(parser, AST_TABLE, location) : NULL;
    if (!out)
        return NULL;
    out->table = table;
    return oriel_ast_measure(parser, out);
}

/* (SELECT ...) as an argument of a table function is a table, not a value. */
struct ast_expression *oriel_ast_table_operand(struct sql_parser *parser,
                                               struct ast_expression *expression) {
    if (expression->kind != AST_SUBQUERY)
        return expression;
    struct ast_from *table =
        oriel_ast_from_query(parser, (struct sql_location){0}, expression->query);
    if (!table)
        return NULL;
    table->position = expression->position;
    struct ast_expression *out = oriel_ast_table(parser, (struct sql_location){0}, table);
    if (out)
        out->position = expression->position;
    return out;
}

/* (a, b) are two expressions, anything else is one. */
static struct sql_list *split_row(struct sql_parser *parser, struct ast_expression *expression) {
    struct sql_list *list = oriel_ast_list(parser, NULL);
    if (!list)
        return NULL;
    if (expression->kind != AST_CALL || strcmp(expression->text, "ROW") != 0)
        return oriel_ast_list_add(parser, list, expression);
    for (uint32_t i = 0; i < expression->arguments.count; ++i)
        if (!oriel_ast_list_add(parser, list, expression->arguments.items[i]))
            return NULL;
    return list;
}

struct ast_expression *oriel_ast_table_parts(struct sql_parser *parser,
                                             struct ast_expression *table,
                                             struct ast_expression *partition_by,
                                             struct ast_order_item *order_by) {
    if (!table)
        return NULL;
    if (table->kind != AST_TABLE)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, table->position,
                              "PARTITION BY and ORDER BY follow a table: expected TABLE or a query "
                              "in parentheses");
    if (partition_by) {
        struct sql_list *keys = split_row(parser, partition_by);
        if (!keys)
            return NULL;
        SQL_TAKE(table->partition_by, keys);
    }
    if (order_by) {
        struct sql_list *keys = split_row(parser, order_by->expression);
        struct sql_list *items = oriel_ast_list(parser, NULL);
        for (uint32_t i = 0; keys && items && i < keys->count; ++i) {
            struct ast_order_item *item = oriel_ast_order_item(
                parser, keys->items[i], order_by->descending, (int)order_by->nulls);
            if (!item || !oriel_ast_list_add(parser, items, item))
                return NULL;
        }
        if (!keys || !items)
            return NULL;
        SQL_TAKE(table->order_by, items);
    }
    return oriel_ast_measure(parser, table);
}

/* The options of an OPTIONS hint; NULL for every other hint. */
struct sql_list *oriel_ast_hint(const struct ast_identifier *name, struct sql_list *options) {
    return oriel_text_equal_ignoring_case(oriel_text_of(name->text), ORIEL_TEXT("OPTIONS"))
               ? options
               : NULL;
}

struct ast_option *oriel_ast_option(struct sql_parser *parser, struct sql_location key_location,
                                    struct sql_text key, struct sql_location value_location,
                                    struct sql_text value) {
    if (memchr(key.bytes, 0, key.length))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(key_location),
                              "the name of an option has no NUL character in it");
    struct ast_option *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->position = sql_position(key_location);
    out->value_position = sql_position(value_location);
    out->key = oriel_ast_copy(parser, key);
    out->value = oriel_ast_copy(parser, value);
    out->value_length = value.length;
    return out->key && out->value ? out : NULL;
}
