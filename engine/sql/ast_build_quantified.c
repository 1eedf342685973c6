/*
 * Tree building: comparisons with ANY, SOME and ALL, written out as what they mean. With a list
 * they are a chain of comparisons; with a query they compare with its least or greatest value, and
 * look at its counts for no rows and for NULLs.
 */
#include <string.h>

#include "engine/sql/ast_build.h"

static const char *opposite(const char *comparison) {
    static const char *const PAIRS[][2] = {{"=", "<>"}, {"<", ">="}, {">", "<="}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; ++i)
        for (size_t side = 0; side < 2; ++side)
            if (strcmp(comparison, PAIRS[i][side]) == 0)
                return PAIRS[i][1 - side];
    return comparison;
}

struct ast_expression *oriel_ast_quantified_list(struct sql_parser *parser,
                                                 struct sql_location location,
                                                 struct ast_expression *value,
                                                 const char *comparison, int is_all,
                                                 const struct sql_list *items) {
    struct ast_expression *out = NULL;
    for (uint32_t i = 0; i < items->count; ++i) {
        struct ast_expression *next =
            oriel_ast_operator(parser, location, comparison, value, items->items[i], NULL);
        if (next && out)
            next = oriel_ast_chain(parser, location, is_all ? "AND" : "OR", out, next);
        if (!next)
            return NULL;
        out = next;
    }
    return out;
}

/* A query of one value a row while it is taken apart. */
struct quantified {
    struct sql_parser *parser;
    struct sql_location location;
    struct ast_query *query;
    struct ast_expression *item; /* the value, if the query is rows and conditions alone */
};

/* A value that is computed without functions, which might be aggregates. */
static bool is_plain(const struct ast_expression *item) {
    static const char OPERATORS[] = "+-*/%|";
    if (item->kind != AST_CALL)
        return item->kind == AST_COLUMN || (item->kind >= AST_BOOLEAN && item->kind <= AST_TIME);
    if (!strchr(OPERATORS, item->text[0]))
        return false;
    for (uint32_t i = 0; i < item->arguments.count; ++i)
        if (!is_plain(item->arguments.items[i]))
            return false;
    return true;
}

static struct ast_expression *find_item(const struct ast_query *query) {
    const bool is_plain_select =
        query->kind == AST_QUERY_SELECT && query->from && !query->with.count && !query->distinct &&
        !query->has_group_by && !query->having && !query->qualify && !query->windows.count &&
        !query->order_by.count && !query->limit && !query->offset && query->items.count == 1;
    return is_plain_select && is_plain(query->items.items[0]->expression)
               ? query->items.items[0]->expression
               : NULL;
}

static struct ast_from *make_from(const struct quantified *quantified) {
    struct ast_identifier *names[2];
    static const char *const TEXTS[2] = {"$values", "$value"};
    for (size_t i = 0; i < 2; ++i) {
        names[i] =
            oriel_ast_identifier(quantified->parser, quantified->location,
                                 (struct sql_text){TEXTS[i], (uint32_t)strlen(TEXTS[i]), true});
        if (!names[i])
            return NULL;
    }
    struct ast_from *from =
        oriel_ast_from_query(quantified->parser, quantified->location, quantified->query);
    struct sql_list *columns = oriel_ast_list(quantified->parser, names[1]);
    if (!from || !columns)
        return NULL;
    from->alias = names[0];
    SQL_TAKE(from->column_aliases, columns);
    return from;
}

static struct ast_expression *make_value(const struct quantified *quantified) {
    struct ast_identifier *name =
        oriel_ast_identifier(quantified->parser, quantified->location,
                             (struct sql_text){"$value", (uint32_t)strlen("$value"), true});
    struct ast_name *path = name ? oriel_ast_name(quantified->parser, name) : NULL;
    return path ? oriel_ast_column(quantified->parser, path) : NULL;
}

/* (SELECT function(value) FROM the rows); COUNT of all rows with `star`. */
static struct ast_expression *aggregate(const struct quantified *quantified, const char *function,
                                        bool star) {
    struct sql_parser *parser = quantified->parser;
    struct ast_query *query = oriel_arena_allocate(parser->arena, sizeof *query);
    struct ast_expression *value = star               ? NULL
                                   : quantified->item ? quantified->item
                                                      : make_value(quantified);
    struct sql_list *arguments = oriel_ast_list(parser, value);
    if (!query || !arguments || (!star && !value))
        return query && arguments ? NULL : oriel_sql_fail_memory(parser);
    struct ast_expression *call =
        oriel_ast_function(parser, quantified->location, function, arguments);
    struct ast_select_item *item =
        call ? oriel_ast_select_item(parser, quantified->location, call, NULL) : NULL;
    struct sql_list *items = item ? oriel_ast_list(parser, item) : NULL;
    if (!items)
        return NULL;
    call->star = star;
    if (quantified->item) {
        *query = *quantified->query;
    } else {
        *query = (struct ast_query){.kind = AST_QUERY_SELECT,
                                    .position = quantified->query->position,
                                    .from = make_from(quantified)};
        if (!query->from)
            return NULL;
    }
    SQL_TAKE(query->items, items);
    query = oriel_ast_select_finish(parser, query);
    return query ? oriel_ast_query_expression(parser, AST_SUBQUERY, quantified->location, query)
                 : NULL;
}

static struct ast_expression *compare(const struct quantified *quantified, const char *comparison,
                                      struct ast_expression *a, struct ast_expression *b) {
    return a && b ? oriel_ast_operator(quantified->parser, quantified->location, comparison, a, b,
                                       NULL)
                  : NULL;
}

static struct ast_expression *join(const struct quantified *quantified, const char *word,
                                   struct ast_expression *a, struct ast_expression *b) {
    return a && b ? oriel_ast_operator(quantified->parser, quantified->location, word, a, b, NULL)
                  : NULL;
}

/* Whether the comparison holds for a value that is there: the one that holds most easily. */
static struct ast_expression *compare_extremes(const struct quantified *quantified,
                                               struct ast_expression *value,
                                               const char *comparison) {
    const bool is_less = comparison[0] == '<' && comparison[1] != '>';
    const bool is_greater = comparison[0] == '>';
    struct ast_expression *with_least = NULL, *with_greatest = NULL;
    if (!is_less)
        with_least = compare(quantified, comparison, value, aggregate(quantified, "MIN", false));
    if (!is_greater)
        with_greatest = compare(quantified, comparison, value, aggregate(quantified, "MAX", false));
    if (is_less || is_greater)
        return is_less ? with_greatest : with_least;
    return join(quantified, "OR", with_least, with_greatest);
}

/* rows <> 0 AND (it holds for the extremes OR (rows > values AND UNKNOWN)) */
static struct ast_expression *make_any(const struct quantified *quantified,
                                       struct ast_expression *value, const char *comparison) {
    struct sql_parser *parser = quantified->parser;
    struct ast_expression *unknown = oriel_ast_expression(parser, AST_NULL, quantified->location);
    struct ast_expression *zero = oriel_ast_literal(parser, AST_NUMBER, quantified->location,
                                                    (struct sql_text){"0", 1, false});
    if (!unknown || !zero)
        return NULL;
    unknown->number = 1;
    struct ast_expression *has_nulls =
        compare(quantified, ">", aggregate(quantified, "COUNT", true),
                aggregate(quantified, "COUNT", false));
    return join(quantified, "AND",
                compare(quantified, "<>", aggregate(quantified, "COUNT", true), zero),
                join(quantified, "OR", compare_extremes(quantified, value, comparison),
                     join(quantified, "AND", has_nulls, unknown)));
}

struct ast_expression *oriel_ast_quantified_query(struct sql_parser *parser,
                                                  struct sql_location location,
                                                  struct ast_expression *value,
                                                  const char *comparison, int is_all,
                                                  struct ast_query *query) {
    if (strcmp(comparison, is_all ? "<>" : "=") == 0)
        return oriel_ast_in_query(parser, location, is_all, value, query);
    const struct quantified quantified = {parser, location, query, find_item(query)};
    struct ast_expression *any =
        make_any(&quantified, value, is_all ? opposite(comparison) : comparison);
    return any && is_all ? oriel_ast_operator(parser, location, "NOT", any, NULL, NULL) : any;
}
