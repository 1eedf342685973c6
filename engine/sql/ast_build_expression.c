/*
 * Tree building: literals, operators and the other expressions that are no calls of functions.
 */
#include <string.h>

#include "engine/sql/ast_build.h"

struct ast_expression *oriel_ast_expression(struct sql_parser *parser,
                                            enum ast_expression_kind kind,
                                            struct sql_location location) {
    struct ast_expression *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = kind;
    out->position = sql_position(location);
    out->depth = 1;
    out->unit_precision = out->fraction_precision = -1;
    return out;
}

static void raise_to(uint32_t *depth, uint32_t child) {
    if (*depth < child)
        *depth = child;
}

static void raise_to_expression(uint32_t *depth, const struct ast_expression *child) {
    if (child)
        raise_to(depth, child->depth);
}

/* Sets the depth of a node from its children; NULL when that is too deep. */
struct ast_expression *oriel_ast_measure(struct sql_parser *parser, struct ast_expression *node) {
    uint32_t below = 0;
    if (!node)
        return NULL;
    for (uint32_t i = 0; i < node->arguments.count; ++i)
        raise_to_expression(&below, node->arguments.items[i]);
    for (uint32_t i = 0; i < node->within_order.count; ++i)
        raise_to_expression(&below, node->within_order.items[i]->expression);
    for (uint32_t i = 0; i < node->partition_by.count; ++i)
        raise_to_expression(&below, node->partition_by.items[i]);
    for (uint32_t i = 0; i < node->order_by.count; ++i)
        raise_to_expression(&below, node->order_by.items[i]->expression);
    raise_to_expression(&below, node->filter);
    if (node->type)
        raise_to(&below, node->type->depth);
    if (node->query)
        raise_to(&below, node->query->depth);
    if (node->table)
        raise_to(&below, node->table->depth);
    if (node->json) {
        raise_to_expression(&below, node->json->empty_value);
        raise_to_expression(&below, node->json->error_value);
    }
    if (node->over) {
        for (uint32_t i = 0; i < node->over->partition_by.count; ++i)
            raise_to_expression(&below, node->over->partition_by.items[i]);
        for (uint32_t i = 0; i < node->over->order_by.count; ++i)
            raise_to_expression(&below, node->over->order_by.items[i]->expression);
        raise_to_expression(&below, node->over->frame_start.offset);
        raise_to_expression(&below, node->over->frame_end.offset);
    }
    node->depth = below + 1;
    return oriel_ast_check_depth(parser, node->depth, node->position) ? node : NULL;
}

struct ast_expression *oriel_ast_literal(struct sql_parser *parser, enum ast_expression_kind kind,
                                         struct sql_location location, struct sql_text text) {
    struct ast_expression *out = oriel_ast_expression(parser, kind, location);
    if (!out)
        return NULL;
    out->text = oriel_ast_copy(parser, text);
    out->text_length = text.length;
    return out->text ? out : NULL;
}

struct ast_expression *oriel_ast_boolean(struct sql_parser *parser, struct sql_location location,
                                         int number) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_BOOLEAN, location);
    if (out)
        out->number = number;
    return out;
}

struct ast_expression *oriel_ast_string(struct sql_parser *parser, struct sql_location location,
                                        const char *text) {
    return oriel_ast_literal(parser, AST_STRING, location,
                             (struct sql_text){text, (uint32_t)strlen(text), true});
}

struct sql_strings *oriel_ast_strings(struct sql_parser *parser, struct sql_strings *all,
                                      struct sql_location location, struct sql_text one) {
    const char *source = parser->tokens.lexer.source;
    if (all && !memchr(source + all->end, '\n', location.begin - all->end))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              "String literal continued on same line; write '' for a quote inside "
                              "a string, or || between two");
    if (!all)
        all = oriel_ast_allocate(parser, sizeof *all);
    if (!all)
        return NULL;
    all->end = location.end;
    const uint32_t length = all->text.length + one.length;
    if (length + 1 > all->capacity) {
        const uint32_t capacity = (length + 1) * 2;
        char *bytes = oriel_arena_allocate(parser->arena, capacity);
        if (!bytes)
            return oriel_sql_fail_memory(parser);
        if (all->text.length)
            memcpy(bytes, all->bytes, all->text.length);
        all->bytes = bytes;
        all->capacity = capacity;
    }
    memcpy(all->bytes + all->text.length, one.bytes, (size_t)one.length + 1);
    all->text = (struct sql_text){all->bytes, length, true};
    return all;
}

struct ast_expression *oriel_ast_interval(struct sql_parser *parser, struct sql_location location,
                                          int negative, struct sql_text text,
                                          const struct ast_type *units) {
    struct ast_expression *out = oriel_ast_literal(parser, AST_INTERVAL, location, text);
    if (!out)
        return NULL;
    out->negative = negative != 0;
    out->unit = units->unit;
    out->unit_to = units->unit_to;
    out->unit_precision = (int32_t)units->parameters[0];
    out->fraction_precision = (int32_t)units->parameters[1];
    return out;
}

struct ast_expression *oriel_ast_interval_count(struct sql_parser *parser,
                                                struct sql_location location, int negative,
                                                struct ast_expression *count,
                                                struct sql_location unit_location,
                                                struct sql_text unit) {
    struct ast_type *units = oriel_ast_units(parser, unit_location, unit, NULL, NULL, NULL);
    struct ast_expression *one = units ? oriel_ast_interval(parser, location, negative,
                                                            (struct sql_text){"1", 1, true}, units)
                                       : NULL;
    return one ? oriel_ast_operator(parser, location, "*", count, one, NULL) : NULL;
}

struct ast_expression *oriel_ast_column(struct sql_parser *parser, const struct ast_name *name) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_COLUMN, (struct sql_location){0});
    if (!out)
        return NULL;
    out->position = name->position;
    out->name = *name;
    return out;
}

struct ast_expression *oriel_ast_operator(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct ast_expression *a,
                                          struct ast_expression *b, struct ast_expression *c) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_CALL, location);
    struct ast_expression **items =
        oriel_arena_allocate_zeroed(parser->arena, 4, sizeof(struct ast_expression *));
    if (!out || !items)
        return oriel_sql_fail_memory(parser);
    out->text = name;
    out->text_length = (uint32_t)strlen(name);
    out->arguments.items = items;
    items[out->arguments.count++] = a;
    if (b)
        items[out->arguments.count++] = b;
    if (c)
        items[out->arguments.count++] = c;
    return oriel_ast_measure(parser, out);
}

/* Appends to a call that oriel_ast_operator made: its array has room up to the next power of two.
 */
static struct ast_expression *append(struct sql_parser *parser, struct ast_expression *call,
                                     struct ast_expression *item) {
    const uint32_t count = call->arguments.count;
    if (count >= 4 && (count & (count - 1)) == 0) {
        struct ast_expression **items =
            oriel_arena_allocate_zeroed(parser->arena, (size_t)count * 2, sizeof *items);
        if (!items)
            return oriel_sql_fail_memory(parser);
        memcpy(items, call->arguments.items, count * sizeof *items);
        call->arguments.items = items;
    }
    call->arguments.items[call->arguments.count++] = item;
    raise_to(&call->depth, item->depth + 1);
    return oriel_ast_check_depth(parser, call->depth, item->position) ? call : NULL;
}

struct ast_expression *oriel_ast_chain(struct sql_parser *parser, struct sql_location location,
                                       const char *name, struct ast_expression *left,
                                       struct ast_expression *right) {
    if (left->kind == AST_CALL && strcmp(left->text, name) == 0)
        return append(parser, left, right);
    return oriel_ast_operator(parser, location, name, left, right, NULL);
}

struct ast_expression *oriel_ast_between(struct sql_parser *parser, struct sql_location location,
                                         bool negated, int symmetric, struct ast_expression *value,
                                         struct ast_expression *low, struct ast_expression *high) {
    struct ast_expression *out = oriel_ast_operator(parser, location, "BETWEEN", value, low, high);
    if (!out)
        return NULL;
    out->negated = negated;
    out->symmetric = symmetric != 0;
    return out;
}

/* A call whose arguments are `first` and then all of `rest`. */
static struct ast_expression *call_of(struct sql_parser *parser, struct sql_location location,
                                      const char *name, struct ast_expression *first,
                                      const struct sql_list *rest) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_CALL, location);
    struct ast_expression **items =
        oriel_arena_allocate_zeroed(parser->arena, rest->count + (size_t)1, sizeof *items);
    if (!out || !items)
        return oriel_sql_fail_memory(parser);
    out->text = name;
    out->text_length = (uint32_t)strlen(name);
    out->arguments.items = items;
    items[out->arguments.count++] = first;
    for (uint32_t i = 0; i < rest->count; ++i)
        items[out->arguments.count++] = rest->items[i];
    return oriel_ast_measure(parser, out);
}

struct ast_expression *oriel_ast_in(struct sql_parser *parser, struct sql_location location,
                                    bool negated, struct ast_expression *value,
                                    const struct sql_list *items) {
    struct ast_expression *out = call_of(parser, location, "IN", value, items);
    if (out)
        out->negated = negated;
    return out;
}

struct ast_expression *oriel_ast_in_query(struct sql_parser *parser, struct sql_location location,
                                          bool negated, struct ast_expression *value,
                                          struct ast_query *query) {
    struct ast_expression *out = oriel_ast_operator(parser, location, "IN", value, NULL, NULL);
    if (!out)
        return NULL;
    out->kind = AST_IN_QUERY;
    if (value->kind == AST_CALL && strcmp(value->text, "ROW") == 0 && value->arguments.count > 0) {
        out->arguments.count = value->arguments.count;
        out->arguments.items = value->arguments.items;
    }
    out->query = query;
    out->negated = negated;
    return oriel_ast_measure(parser, out);
}

struct ast_expression *oriel_ast_query_expression(struct sql_parser *parser,
                                                  enum ast_expression_kind kind,
                                                  struct sql_location location,
                                                  struct ast_query *query) {
    struct ast_expression *out = oriel_ast_expression(parser, kind, location);
    if (!out)
        return NULL;
    out->query = query;
    return oriel_ast_measure(parser, out);
}

struct ast_expression *oriel_ast_row(struct sql_parser *parser, struct sql_location location,
                                     struct ast_expression *first, const struct sql_list *rest) {
    return call_of(parser, location, "ROW", first, rest);
}

struct ast_expression *oriel_ast_star(struct sql_parser *parser, struct sql_location location,
                                      const struct ast_name *qualifier) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_STAR, location);
    if (out && qualifier)
        out->name = *qualifier;
    return out;
}

struct ast_expression *oriel_ast_item(struct sql_parser *parser, struct sql_location location,
                                      struct ast_expression *value, struct ast_expression *index) {
    return value ? oriel_ast_operator(parser, location, "[]", value, index, NULL) : NULL;
}

struct ast_expression *oriel_ast_field(struct sql_parser *parser, struct sql_location location,
                                       struct ast_expression *value,
                                       const struct ast_identifier *field) {
    struct ast_expression *name = oriel_ast_string(parser, location, field->text);
    if (!name)
        return NULL;
    name->position = field->position;
    return oriel_ast_operator(parser, location, ".", value, name, NULL);
}

struct ast_expression *oriel_ast_cast(struct sql_parser *parser, struct sql_location location,
                                      const char *name, struct ast_expression *value,
                                      struct ast_type *type) {
    struct ast_expression *out = oriel_ast_operator(parser, location, name, value, NULL, NULL);
    if (!out)
        return NULL;
    out->kind = AST_CAST;
    out->type = type;
    return oriel_ast_measure(parser, out);
}

struct ast_expression *oriel_ast_case(struct sql_parser *parser, struct sql_location location,
                                      struct ast_expression *operand, struct sql_list *branches,
                                      struct ast_expression *otherwise) {
    if (otherwise && !oriel_ast_list_add(parser, branches, otherwise))
        return NULL;
    struct ast_expression *out;
    if (operand) {
        out = call_of(parser, location, "CASE", operand, branches);
    } else {
        out = oriel_ast_expression(parser, AST_CASE, location);
        if (!out)
            return NULL;
        out->text = "CASE";
        out->text_length = 4;
        SQL_TAKE(out->arguments, branches);
        out = oriel_ast_measure(parser, out);
    }
    if (!out)
        return NULL;
    out->kind = AST_CASE;
    out->has_operand = operand != NULL;
    out->has_else = otherwise != NULL;
    return out;
}
