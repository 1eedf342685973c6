/*
 * What the grammar's actions call to make the tree. Every builder gives NULL (or false) when memory
 * runs out or the tree is wrong, after it has set parser->status; NULL inputs where a node is
 * required give NULL. `location` is that of the whole construct.
 */
#pragma once

#include "engine/sql/parse_state.h"

/* A list while it grows; its array becomes that of an AST_LIST. */
struct sql_list {
    uint32_t count, capacity;
    void **items;
};

/* Strings side by side while they become one. */
struct sql_strings {
    struct sql_text text;
    char *bytes;
    uint32_t capacity;
    uint32_t end; /* of the last one in the source */
};

/* ORDER BY, LIMIT and OFFSET after a query. */
struct sql_query_tail {
    struct sql_list *order_by; /* NULL: none */
    struct ast_expression *limit, *offset;
};

/* One element of a CREATE TABLE's list. */
struct sql_element {
    enum { SQL_ELEMENT_COLUMN, SQL_ELEMENT_NAME, SQL_ELEMENT_WATERMARK, SQL_ELEMENT_KEY } kind;
    struct oriel_position position;
    struct ast_column_definition *column;
    struct ast_identifier *name;
    struct ast_watermark *watermark;
    struct sql_list *key;
    bool enforced;
};

/* Moves a sql_list (NULL: nothing) into an AST_LIST. */
#define SQL_TAKE(target, list)                                                                     \
    do {                                                                                           \
        if (list) {                                                                                \
            (target).count = (list)->count;                                                        \
            (target).items = (void *)(list)->items;                                                \
        }                                                                                          \
    } while (0)

/* Lists and texts: ast_build.c */
void *oriel_ast_allocate(struct sql_parser *parser, size_t size_bytes);
const char *oriel_ast_upper(struct sql_parser *parser, struct sql_text text);
const char *oriel_ast_copy(struct sql_parser *parser, struct sql_text text);
const char *oriel_ast_slice(struct sql_parser *parser, struct sql_location location);
struct sql_text oriel_ast_source_text(struct sql_parser *parser, struct sql_location location);
void *oriel_ast_unsupported(struct sql_parser *parser, struct sql_location location,
                            const char *what);
bool oriel_ast_check_depth(struct sql_parser *parser, uint32_t depth,
                           struct oriel_position position);
bool oriel_ast_whole_number(struct sql_parser *parser, struct sql_location location,
                            struct sql_text text, int64_t *out);
struct sql_list *oriel_ast_list(struct sql_parser *parser, void *first);
struct sql_list *oriel_ast_list_add(struct sql_parser *parser, struct sql_list *list, void *item);
struct sql_list *oriel_ast_pair(struct sql_parser *parser, struct sql_list *list, void *first,
                                void *second);
struct ast_identifier *oriel_ast_identifier(struct sql_parser *parser, struct sql_location location,
                                            struct sql_text text);
struct ast_name *oriel_ast_name(struct sql_parser *parser, struct ast_identifier *first);
struct ast_name *oriel_ast_name_add(struct sql_parser *parser, struct ast_name *name,
                                    struct ast_identifier *part);

/* Expressions: ast_build_expression.c */
struct ast_expression *oriel_ast_expression(struct sql_parser *parser,
                                            enum ast_expression_kind kind,
                                            struct sql_location location);
struct ast_expression *oriel_ast_measure(struct sql_parser *parser, struct ast_expression *node);
struct ast_expression *oriel_ast_literal(struct sql_parser *parser, enum ast_expression_kind kind,
                                         struct sql_location location, struct sql_text text);
struct ast_expression *oriel_ast_boolean(struct sql_parser *parser, struct sql_location location,
                                         int number);
struct ast_expression *oriel_ast_string(struct sql_parser *parser, struct sql_location location,
                                        const char *text);
struct sql_strings *oriel_ast_strings(struct sql_parser *parser, struct sql_strings *all,
                                      struct sql_location location, struct sql_text one);
struct ast_expression *oriel_ast_interval(struct sql_parser *parser, struct sql_location location,
                                          int negative, struct sql_text text,
                                          const struct ast_type *units);
/* INTERVAL count MINUTE: count times an interval of one unit. */
struct ast_expression *oriel_ast_interval_count(struct sql_parser *parser,
                                                struct sql_location location, int negative,
                                                struct ast_expression *count,
                                                struct sql_location unit_location,
                                                struct sql_text unit);
struct ast_expression *oriel_ast_column(struct sql_parser *parser, const struct ast_name *name);
struct ast_expression *oriel_ast_star(struct sql_parser *parser, struct sql_location location,
                                      const struct ast_name *qualifier);
struct ast_expression *oriel_ast_operator(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct ast_expression *a,
                                          struct ast_expression *b, struct ast_expression *c);
struct ast_expression *oriel_ast_chain(struct sql_parser *parser, struct sql_location location,
                                       const char *name, struct ast_expression *left,
                                       struct ast_expression *right);
struct ast_expression *oriel_ast_between(struct sql_parser *parser, struct sql_location location,
                                         bool negated, int symmetric, struct ast_expression *value,
                                         struct ast_expression *low, struct ast_expression *high);
struct ast_expression *oriel_ast_in(struct sql_parser *parser, struct sql_location location,
                                    bool negated, struct ast_expression *value,
                                    const struct sql_list *items);
struct ast_expression *oriel_ast_in_query(struct sql_parser *parser, struct sql_location location,
                                          bool negated, struct ast_expression *value,
                                          struct ast_query *query);
/* value > ANY (1, 2, 3), and the same with ALL and with a query; SOME is ANY. */
struct ast_expression *oriel_ast_quantified_list(struct sql_parser *parser,
                                                 struct sql_location location,
                                                 struct ast_expression *value,
                                                 const char *comparison, int is_all,
                                                 const struct sql_list *items);
struct ast_expression *oriel_ast_quantified_query(struct sql_parser *parser,
                                                  struct sql_location location,
                                                  struct ast_expression *value,
                                                  const char *comparison, int is_all,
                                                  struct ast_query *query);
struct ast_expression *oriel_ast_query_expression(struct sql_parser *parser,
                                                  enum ast_expression_kind kind,
                                                  struct sql_location location,
                                                  struct ast_query *query);
struct ast_expression *oriel_ast_row(struct sql_parser *parser, struct sql_location location,
                                     struct ast_expression *first, const struct sql_list *rest);
struct ast_expression *oriel_ast_item(struct sql_parser *parser, struct sql_location location,
                                      struct ast_expression *value, struct ast_expression *index);
struct ast_expression *oriel_ast_field(struct sql_parser *parser, struct sql_location location,
                                       struct ast_expression *value,
                                       const struct ast_identifier *field);
struct ast_expression *oriel_ast_cast(struct sql_parser *parser, struct sql_location location,
                                      const char *name, struct ast_expression *value,
                                      struct ast_type *type);
struct ast_expression *oriel_ast_case(struct sql_parser *parser, struct sql_location location,
                                      struct ast_expression *operand, struct sql_list *branches,
                                      struct ast_expression *otherwise);

/* Calls: ast_build_call.c */
struct ast_expression *oriel_ast_call(struct sql_parser *parser, struct sql_location location,
                                      int distinct, struct sql_list *arguments,
                                      struct sql_list *order_by);
struct ast_expression *oriel_ast_call_named(struct sql_parser *parser, struct sql_location location,
                                            const struct ast_name *name,
                                            struct ast_expression *call);
struct ast_expression *oriel_ast_call_word(struct sql_parser *parser, struct sql_location location,
                                           struct sql_text word, struct ast_expression *call);
struct ast_expression *oriel_ast_call_tail(struct sql_parser *parser, struct sql_location location,
                                           struct ast_expression *call, struct sql_list *within,
                                           struct ast_expression *filter, int nulls,
                                           struct ast_over *over);
struct ast_expression *oriel_ast_function(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct sql_list *arguments);
struct ast_expression *oriel_ast_niladic(struct sql_parser *parser, struct sql_location location,
                                         struct sql_text word);
struct ast_expression *oriel_ast_named(struct sql_parser *parser, struct sql_location location,
                                       const struct ast_identifier *name,
                                       struct ast_expression *value);
struct ast_expression *oriel_ast_descriptor(struct sql_parser *parser, struct sql_location location,
                                            const struct sql_list *columns);
struct ast_expression *oriel_ast_unit_string(struct sql_parser *parser,
                                             struct sql_location location, struct sql_text unit);
struct ast_expression *oriel_ast_unit_call(struct sql_parser *parser, struct sql_location location,
                                           const char *name, struct sql_location unit_location,
                                           struct sql_text unit, struct ast_expression *a,
                                           struct ast_expression *b);
/* (a - b) MINUTE: "MINUS" of the unit and two times. Fails the parse for anything but a
 * difference. */
struct ast_expression *oriel_ast_time_difference(struct sql_parser *parser,
                                                 struct sql_location location,
                                                 const struct ast_expression *difference,
                                                 struct sql_location unit_location,
                                                 struct sql_text unit);
struct ast_expression *oriel_ast_round_to(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct ast_expression *value,
                                          struct sql_location unit_location, struct sql_text unit);
struct ast_expression *oriel_ast_trim(struct sql_parser *parser, struct sql_location location,
                                      const char *side, struct ast_expression *characters,
                                      struct ast_expression *value);
struct ast_expression *oriel_ast_overlay(struct sql_parser *parser, struct sql_location location,
                                         struct ast_expression *value,
                                         struct ast_expression *replacement,
                                         struct ast_expression *from, struct ast_expression *count);
struct ast_expression *oriel_ast_json_call(struct sql_parser *parser, struct sql_location location,
                                           const char *name, struct sql_list *arguments, int nulls);
struct ast_expression *oriel_ast_json_arrayagg(struct sql_parser *parser,
                                               struct sql_location location,
                                               struct ast_expression *value, int nulls,
                                               struct sql_list *order_by);
struct ast_json *oriel_ast_json(struct sql_parser *parser, enum ast_json_behaviour behaviour,
                                struct ast_expression *value);
struct ast_json *oriel_ast_json_empty(struct sql_parser *parser, const struct ast_identifier *word);
struct ast_json *oriel_ast_json_behaviour(struct sql_parser *parser, struct sql_location location,
                                          struct ast_json *all, struct ast_json *one, int place);
struct ast_expression *oriel_ast_json_clauses(struct sql_parser *parser,
                                              struct sql_location location,
                                              struct ast_expression *call, struct ast_type *type,
                                              int wrapper, struct ast_json *json);

/* Types: ast_build_type.c */
struct ast_type *oriel_ast_type(struct sql_parser *parser, struct sql_location location,
                                struct sql_text word, const struct sql_text *first,
                                const struct sql_text *second);
struct ast_type *oriel_ast_type_named(struct sql_parser *parser, struct sql_location location,
                                      const char *name, const struct sql_text *length);
struct ast_type *oriel_ast_type_time(struct sql_parser *parser, struct sql_location location,
                                     const char *name, const struct sql_text *precision, int zone);
struct ast_type *oriel_ast_type_user(struct sql_parser *parser, const struct ast_name *name);
struct ast_type *oriel_ast_collection(struct sql_parser *parser, struct sql_location location,
                                      const char *name, struct ast_type *first,
                                      struct ast_type *second);
struct ast_type *oriel_ast_row_type(struct sql_parser *parser, struct sql_location location,
                                    const struct sql_list *fields);
struct ast_type *oriel_ast_units(struct sql_parser *parser, struct sql_location location,
                                 struct sql_text unit, const struct sql_text *precision,
                                 const struct sql_text *unit_to, const struct sql_text *fraction);

/* Queries: ast_build_query.c */
struct sql_query_tail *oriel_ast_tail(struct sql_parser *parser, struct sql_list *order_by,
                                      struct ast_expression *limit, struct ast_expression *offset);
struct ast_query *oriel_ast_query_finish(struct sql_parser *parser, struct sql_location location,
                                         struct ast_query *body, struct sql_list *with,
                                         const struct sql_query_tail *tail);
struct ast_query *oriel_ast_values(struct sql_parser *parser, struct sql_location location,
                                   struct sql_list *rows);
struct sql_list *oriel_ast_row_list(struct sql_parser *parser, struct sql_list *rows,
                                    struct ast_expression *row);
struct ast_query *oriel_ast_table_query(struct sql_parser *parser, struct sql_location location,
                                        struct ast_name *name);
struct ast_query *oriel_ast_set_operation(struct sql_parser *parser, struct sql_location location,
                                          enum ast_query_kind kind, int all, struct ast_query *left,
                                          struct ast_query *right);
struct ast_with *oriel_ast_with(struct sql_parser *parser, struct ast_identifier *name,
                                struct sql_list *columns, struct ast_query *query);
void oriel_ast_with_recursive(const struct sql_list *items);
struct ast_query *oriel_ast_select(struct sql_parser *parser, struct sql_location location,
                                   int distinct, struct sql_list *items);
struct ast_query *oriel_ast_select_finish(struct sql_parser *parser, struct ast_query *select);
struct ast_query *oriel_ast_select_clauses(struct sql_parser *parser, struct ast_query *select,
                                           struct sql_location group_location,
                                           struct sql_list *groups, struct sql_list *windows);
struct ast_select_item *oriel_ast_select_item(struct sql_parser *parser,
                                              struct sql_location location,
                                              struct ast_expression *expression,
                                              struct ast_identifier *alias);
struct ast_grouping *oriel_ast_grouping_of(struct sql_parser *parser, struct sql_location location,
                                           struct ast_expression *expression);
struct ast_grouping *oriel_ast_grouping(struct sql_parser *parser, struct sql_location location,
                                        enum ast_grouping_kind kind, struct sql_list *children);
struct ast_order_item *oriel_ast_order_item(struct sql_parser *parser,
                                            struct ast_expression *expression, int descending,
                                            int nulls);
struct ast_named_window *oriel_ast_named_window(struct sql_parser *parser,
                                                const struct ast_identifier *name,
                                                struct ast_over *over);
struct ast_over *oriel_ast_over(struct sql_parser *parser, struct sql_location location,
                                const struct ast_identifier *reference,
                                struct sql_list *partition_by, struct sql_list *order_by);
struct ast_over *oriel_ast_window(struct sql_parser *parser, struct sql_location location,
                                  const struct ast_identifier *reference,
                                  struct sql_list *partition_by, struct sql_list *order_by,
                                  const struct ast_over *frame);
struct ast_over *oriel_ast_frame(struct sql_parser *parser, struct sql_location location, int unit,
                                 const struct ast_frame_bound *start,
                                 const struct ast_frame_bound *end);
struct ast_frame_bound *oriel_ast_bound(struct sql_parser *parser, int kind,
                                        struct ast_expression *offset);

/* FROM: ast_build_from.c */
struct ast_from *oriel_ast_from_table(struct sql_parser *parser, struct sql_location location,
                                      const struct ast_name *name, struct sql_list *hints);
struct ast_from *oriel_ast_from_path(struct sql_parser *parser, struct sql_location location,
                                     struct sql_text path);
struct ast_from *oriel_ast_from_query(struct sql_parser *parser, struct sql_location location,
                                      struct ast_query *query);
struct ast_from *oriel_ast_from_function(struct sql_parser *parser, struct sql_location location,
                                         const struct ast_name *name, struct sql_list *arguments);
struct ast_from *oriel_ast_from_unnest(struct sql_parser *parser, struct sql_location location,
                                       struct sql_list *arguments, int ordinality);
void oriel_ast_from_alias(struct ast_from *from, struct ast_identifier *alias,
                          struct sql_list *columns);
struct ast_from *oriel_ast_join(struct sql_parser *parser, struct sql_location location, int join,
                                struct ast_from *left, struct ast_from *right);
struct ast_from *oriel_ast_join_on(struct sql_parser *parser, struct ast_from *join,
                                   struct ast_expression *on);
void oriel_ast_join_using(struct ast_from *join, struct sql_list *columns);
struct ast_expression *oriel_ast_table(struct sql_parser *parser, struct sql_location location,
                                       struct ast_from *table);
struct ast_expression *oriel_ast_table_operand(struct sql_parser *parser,
                                               struct ast_expression *expression);
struct ast_expression *oriel_ast_table_parts(struct sql_parser *parser,
                                             struct ast_expression *table,
                                             struct ast_expression *partition_by,
                                             struct ast_order_item *order_by);
struct sql_list *oriel_ast_hint(const struct ast_identifier *name, struct sql_list *options);
struct ast_option *oriel_ast_option(struct sql_parser *parser, struct sql_location key_location,
                                    struct sql_text key, struct sql_location value_location,
                                    struct sql_text value);

/* Statements: ast_build_statement.c */
struct ast_statement *oriel_ast_statement(struct sql_parser *parser, enum ast_statement_kind kind,
                                          struct sql_location location);
struct ast_statement *oriel_ast_query_statement(struct sql_parser *parser,
                                                struct sql_location location,
                                                struct ast_query *query);
struct ast_statement *oriel_ast_insert(struct sql_parser *parser, struct sql_location location,
                                       int overwrite, const struct ast_name *name,
                                       struct sql_list *hints, struct sql_list *partition);
struct ast_statement *oriel_ast_insert_query(struct sql_parser *parser,
                                             struct ast_statement *insert,
                                             struct sql_location location, struct sql_list *columns,
                                             struct ast_query *query);
struct ast_option *oriel_ast_partition(struct sql_parser *parser, const struct ast_identifier *name,
                                       struct sql_location location,
                                       const struct ast_expression *value);
struct ast_statement *oriel_ast_explain(struct sql_parser *parser, struct sql_location location,
                                        const struct sql_list *words, bool plan_for,
                                        struct ast_statement *inner);
struct ast_statement *oriel_ast_statement_set(struct sql_parser *parser,
                                              struct sql_location location,
                                              struct sql_list *statements);
struct ast_statement *oriel_ast_create(struct sql_parser *parser, struct sql_location location,
                                       int or_replace, int temporary);
struct ast_statement *oriel_ast_create_view(struct sql_parser *parser, struct sql_location location,
                                            struct ast_statement *view, int if_not_exists,
                                            const struct ast_name *name, struct sql_list *columns);
struct ast_statement *oriel_ast_view_query(struct sql_parser *parser, struct ast_statement *view,
                                           struct sql_location query_location,
                                           struct ast_query *query);

/* CREATE TABLE: ast_build_table.c */
struct ast_statement *oriel_ast_create_table(struct sql_parser *parser,
                                             struct sql_location location,
                                             struct ast_statement *table, int if_not_exists,
                                             const struct ast_name *name,
                                             const struct sql_list *elements);
void oriel_ast_table_clauses(struct ast_statement *table, struct sql_list *partitioned_by,
                             struct sql_list *options);
void oriel_ast_table_like(struct ast_statement *table, struct ast_name *source,
                          struct sql_list *options);
struct ast_statement *oriel_ast_table_as(struct sql_parser *parser, struct sql_location location,
                                         struct ast_statement *table,
                                         struct sql_location query_location,
                                         struct ast_query *query);
struct sql_list *oriel_ast_like_option(struct sql_parser *parser, struct sql_location location,
                                       struct sql_list *list, struct sql_text word,
                                       struct sql_text feature);
struct sql_element *oriel_ast_element_column(struct sql_parser *parser,
                                             struct sql_location location,
                                             struct ast_column_definition *column);
struct sql_element *oriel_ast_element_name(struct sql_parser *parser, struct ast_identifier *name);
struct sql_element *oriel_ast_element_watermark(struct sql_parser *parser,
                                                struct sql_location location,
                                                const struct ast_name *column,
                                                struct sql_location expression_location,
                                                struct ast_expression *expression);
struct sql_element *oriel_ast_element_key(struct sql_parser *parser, struct sql_location location,
                                          struct sql_list *columns, int enforced);
/* ALTER: ast_build_alter.c */
struct ast_statement *oriel_ast_alter(struct sql_parser *parser, struct sql_location location,
                                      int alter);
struct ast_statement *oriel_ast_alter_names(struct sql_parser *parser, struct sql_location location,
                                            int alter, struct sql_list *names);
struct ast_statement *oriel_ast_alter_elements(struct sql_parser *parser,
                                               struct sql_location location, int alter,
                                               struct sql_list *elements);
struct ast_statement *oriel_ast_alter_options(struct sql_parser *parser,
                                              struct sql_location location, int alter,
                                              struct sql_list *options);
void oriel_ast_alter_name(struct ast_statement *alter, const char *object, int if_exists,
                          const struct ast_name *name);

struct ast_column_definition *oriel_ast_column_physical(struct sql_parser *parser,
                                                        const struct ast_identifier *name,
                                                        struct ast_type *type);
struct ast_column_definition *oriel_ast_column_key(struct sql_parser *parser,
                                                   struct sql_location location,
                                                   struct ast_column_definition *column,
                                                   int enforced);
struct ast_column_definition *oriel_ast_column_computed(struct sql_parser *parser,
                                                        const struct ast_identifier *name,
                                                        struct ast_expression *expression);
struct ast_column_definition *oriel_ast_column_metadata(struct sql_parser *parser,
                                                        const struct ast_identifier *name,
                                                        struct ast_type *type, const char *key,
                                                        bool is_virtual);
