/*
 * Tree building: CREATE TABLE. The grammar hands over the elements of the list as they stand; here
 * they are sorted into columns, watermark and key, and what cannot stand together is refused.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/ast_build.h"

static struct sql_element *make(struct sql_parser *parser, int kind,
                                struct oriel_position position) {
    struct sql_element *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = (unsigned)kind;
    out->position = position;
    return out;
}

struct sql_element *oriel_ast_element_column(struct sql_parser *parser,
                                             struct sql_location location,
                                             struct ast_column_definition *column) {
    struct sql_element *out = make(parser, SQL_ELEMENT_COLUMN, sql_position(location));
    if (out)
        out->column = column;
    return out;
}

struct sql_element *oriel_ast_element_name(struct sql_parser *parser, struct ast_identifier *name) {
    struct sql_element *out = make(parser, SQL_ELEMENT_NAME, name->position);
    if (out)
        out->name = name;
    return out;
}

struct sql_element *oriel_ast_element_watermark(struct sql_parser *parser,
                                                struct sql_location location,
                                                const struct ast_name *column,
                                                struct sql_location expression_location,
                                                struct ast_expression *expression) {
    struct sql_element *out = make(parser, SQL_ELEMENT_WATERMARK, sql_position(location));
    struct ast_watermark *watermark = oriel_ast_allocate(parser, sizeof *watermark);
    if (!out || !watermark)
        return NULL;
    watermark->position = sql_position(location);
    watermark->column = *column;
    watermark->expression = expression;
    watermark->expression_text = oriel_ast_slice(parser, expression_location);
    out->watermark = watermark;
    return watermark->expression_text ? out : NULL;
}

static bool is_not_enforced(struct sql_parser *parser, struct sql_location location, int enforced) {
    if (enforced == 2)
        return true;
    oriel_sql_fail(parser, ORIEL_INVALID, sql_position(location),
                   "Flink doesn't support ENFORCED mode for PRIMARY KEY constraint: the data is "
                   "not checked, write PRIMARY KEY ... NOT ENFORCED");
    return false;
}

struct sql_element *oriel_ast_element_key(struct sql_parser *parser, struct sql_location location,
                                          struct sql_list *columns, int enforced) {
    struct sql_element *out = make(parser, SQL_ELEMENT_KEY, sql_position(location));
    if (!out || !is_not_enforced(parser, location, enforced))
        return NULL;
    out->key = columns;
    return out;
}

static struct ast_column_definition *make_column(struct sql_parser *parser,
                                                 enum ast_column_kind kind,
                                                 const struct ast_identifier *name) {
    struct ast_column_definition *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->kind = kind;
    out->name = *name;
    return out;
}

struct ast_column_definition *oriel_ast_column_physical(struct sql_parser *parser,
                                                        const struct ast_identifier *name,
                                                        struct ast_type *type) {
    struct ast_column_definition *out = make_column(parser, AST_COLUMN_PHYSICAL, name);
    if (out)
        out->type = type;
    return out;
}

struct ast_column_definition *oriel_ast_column_key(struct sql_parser *parser,
                                                   struct sql_location location,
                                                   struct ast_column_definition *column,
                                                   int enforced) {
    column->primary_key = true;
    return is_not_enforced(parser, location, enforced) ? column : NULL;
}

struct ast_column_definition *oriel_ast_column_computed(struct sql_parser *parser,
                                                        const struct ast_identifier *name,
                                                        struct ast_expression *expression) {
    struct ast_column_definition *out = make_column(parser, AST_COLUMN_COMPUTED, name);
    if (out)
        out->expression = expression;
    return out;
}

struct ast_column_definition *oriel_ast_column_metadata(struct sql_parser *parser,
                                                        const struct ast_identifier *name,
                                                        struct ast_type *type, const char *key,
                                                        bool is_virtual) {
    struct ast_column_definition *out = make_column(parser, AST_COLUMN_METADATA, name);
    if (!out)
        return NULL;
    out->type = type;
    out->metadata_key = key;
    out->is_virtual = is_virtual;
    return out;
}

/* The elements of a CREATE TABLE on their way into the statement. */
struct elements {
    struct sql_list *columns, *names;
};

static bool add_key(struct sql_parser *parser, struct ast_statement *table,
                    struct oriel_position position, struct sql_list *columns) {
    if (table->has_primary_key) {
        oriel_sql_fail(parser, ORIEL_INVALID, position,
                       "a table has only one primary key, this is the second");
        return false;
    }
    table->has_primary_key = true;
    SQL_TAKE(table->primary_key, columns);
    return true;
}

static bool add_element(struct sql_parser *parser, struct ast_statement *table,
                        struct elements *elements, const struct sql_element *element) {
    switch (element->kind) {
    case SQL_ELEMENT_COLUMN:
        if (!oriel_ast_list_add(parser, elements->columns, element->column))
            return false;
        if (element->column->primary_key) {
            struct sql_list *key = oriel_ast_list(parser, &element->column->name);
            return key && add_key(parser, table, element->position, key);
        }
        return true;
    case SQL_ELEMENT_NAME:
        return oriel_ast_list_add(parser, elements->names, element->name) != NULL;
    case SQL_ELEMENT_WATERMARK:
        table->watermark_count++;
        if (!table->watermark)
            table->watermark = element->watermark;
        else
            oriel_sql_fail(parser, ORIEL_INVALID, element->position,
                           "Multiple WATERMARK statements is not supported yet: a table has one "
                           "time column");
        return parser->status == ORIEL_OK;
    case SQL_ELEMENT_KEY: return add_key(parser, table, element->position, element->key);
    }
    return false;
}

struct ast_statement *oriel_ast_create_table(struct sql_parser *parser,
                                             struct sql_location location,
                                             struct ast_statement *table, int if_not_exists,
                                             const struct ast_name *name,
                                             const struct sql_list *list) {
    struct elements elements = {oriel_ast_list(parser, NULL), oriel_ast_list(parser, NULL)};
    if (!elements.columns || !elements.names)
        return NULL;
    table->if_not_exists = if_not_exists != 0;
    table->name = *name;
    for (uint32_t i = 0; list && i < list->count; ++i)
        if (!add_element(parser, table, &elements, list->items[i]))
            return NULL;
    if (elements.names->count > 0 && elements.names->count < list->count) {
        const struct ast_identifier *first = elements.names->items[0];
        return oriel_sql_fail(parser, ORIEL_SYNTAX, first->position, "the column %s has no type",
                              first->text);
    }
    SQL_TAKE(table->columns, elements.columns);
    SQL_TAKE(table->column_names, elements.names);
    table->source = oriel_ast_slice(parser, location);
    return table->source ? table : NULL;
}

void oriel_ast_table_clauses(struct ast_statement *table, struct sql_list *partitioned_by,
                             struct sql_list *options) {
    SQL_TAKE(table->partitioned_by, partitioned_by);
    SQL_TAKE(table->options, options);
}

void oriel_ast_table_like(struct ast_statement *table, struct ast_name *source,
                          struct sql_list *options) {
    table->like = source;
    SQL_TAKE(table->like_options, options);
}

struct ast_statement *oriel_ast_table_as(struct sql_parser *parser, struct sql_location location,
                                         struct ast_statement *table,
                                         struct sql_location query_location,
                                         struct ast_query *query) {
    table->query = query;
    table->query_text = oriel_ast_slice(parser, query_location);
    table->source = oriel_ast_slice(parser, location);
    return table->query_text && table->source ? table : NULL;
}

struct sql_list *oriel_ast_like_option(struct sql_parser *parser, struct sql_location location,
                                       struct sql_list *list, struct sql_text word,
                                       struct sql_text feature) {
    static const char *const FEATURES[] = {"ALL",      "CONSTRAINTS", "DISTRIBUTION", "GENERATED",
                                           "METADATA", "OPTIONS",     "PARTITIONS",   "WATERMARKS"};
    const char *how = oriel_ast_upper(parser, word);
    const char *what = oriel_ast_upper(parser, feature);
    if (!how || !what)
        return NULL;
    bool known = false;
    for (size_t i = 0; i < sizeof FEATURES / sizeof FEATURES[0]; ++i)
        known |= strcmp(what, FEATURES[i]) == 0;
    if (!known)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              "found %s, expected ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, "
                              "METADATA, OPTIONS, PARTITIONS or WATERMARKS",
                              what);
    const char *text = oriel_arena_print(parser->arena, "%s %s", how, what);
    if (!text)
        return oriel_sql_fail_memory(parser);
    struct ast_identifier *option = oriel_ast_identifier(
        parser, location, (struct sql_text){text, (uint32_t)strlen(text), false});
    return option ? oriel_ast_list_add(parser, list, option) : NULL;
}
