/*
 * Tree building: calls of functions, those with a syntax of their own, and the clauses after a
 * call.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/ast_build.h"

struct ast_expression *oriel_ast_call(struct sql_parser *parser, struct sql_location location,
                                      int distinct, struct sql_list *arguments,
                                      struct sql_list *order_by) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_CALL, location);
    if (!out)
        return NULL;
    out->distinct = distinct != 0;
    SQL_TAKE(out->arguments, arguments);
    SQL_TAKE(out->within_order, order_by);
    return out;
}

/* Names of calls that the grammar alone makes, with arguments of a known shape. */
static bool is_grammar_name(const char *name) {
    static const char *const NAMES[] = {
        "NEG",
        "POS",
        "NOT",
        "+",
        "-",
        "*",
        "/",
        "%",
        "||",
        "=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "AND",
        "OR",
        "[]",
        ".",
        "BETWEEN",
        "IN",
        "LIKE",
        "ROW",
        "ARRAY",
        "MAP",
        "CASE",
        "CAST",
        "EXTRACT",
        "SIMILAR TO",
        "OVERLAPS",
        "TRIM",
        "FLOOR",
        "CEIL",
        "CEILING",
        "MULTISET",
        "OVERLAY",
        "POSITION",
        "TIMESTAMPADD",
        "TRY_CAST",
        "TIMESTAMPDIFF",
        "MINUS",
        "JSON_OBJECT",
        "JSON_OBJECTAGG",
        "JSON_ARRAYAGG",
        "JSON_ARRAY",
        "JSON_EXISTS",
        "JSON_VALUE",
        "JSON_QUERY",
    };
    if (strncmp(name, "IS ", 3) == 0)
        return true;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; ++i)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    return false;
}

static struct ast_expression *finish_call(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct ast_expression *call) {
    if (!name)
        return NULL;
    call->text = name;
    call->text_length = (uint32_t)strlen(name);
    call->position = sql_position(location);
    return oriel_ast_measure(parser, call);
}

struct ast_expression *oriel_ast_call_named(struct sql_parser *parser, struct sql_location location,
                                            const struct ast_name *name,
                                            struct ast_expression *call) {
    const char *text = name->parts[0].text;
    for (uint32_t i = 1; text && i < name->part_count; ++i)
        text = oriel_arena_print(parser->arena, "%s.%s", text, name->parts[i].text);
    if (!text)
        return oriel_sql_fail_memory(parser);
    text = oriel_ast_upper(parser, (struct sql_text){text, (uint32_t)strlen(text), false});
    if (text && is_grammar_name(text)) {
        text = oriel_arena_print(parser->arena, "`%s`", text);
        if (!text)
            return oriel_sql_fail_memory(parser);
    }
    return finish_call(parser, location, text, call);
}

struct ast_expression *oriel_ast_call_word(struct sql_parser *parser, struct sql_location location,
                                           struct sql_text word, struct ast_expression *call) {
    return finish_call(parser, location, oriel_ast_upper(parser, word), call);
}

struct ast_expression *oriel_ast_call_tail(struct sql_parser *parser, struct sql_location location,
                                           struct ast_expression *call, struct sql_list *within,
                                           struct ast_expression *filter, int nulls,
                                           struct ast_over *over) {
    if (within && call->within_order.count > 0)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              "%s has an ORDER BY inside its parentheses and in WITHIN GROUP",
                              call->text);
    SQL_TAKE(call->within_order, within);
    call->filter = filter;
    call->call_nulls = (unsigned)nulls;
    call->over = over;
    return oriel_ast_measure(parser, call);
}

struct ast_expression *oriel_ast_function(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct sql_list *arguments) {
    struct ast_expression *out = oriel_ast_call(parser, location, 0, arguments, NULL);
    return out ? finish_call(parser, location, name, out) : NULL;
}

struct ast_expression *oriel_ast_niladic(struct sql_parser *parser, struct sql_location location,
                                         struct sql_text word) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_CALL, location);
    return out ? finish_call(parser, location, oriel_ast_upper(parser, word), out) : NULL;
}

struct ast_expression *oriel_ast_named(struct sql_parser *parser, struct sql_location location,
                                       const struct ast_identifier *name,
                                       struct ast_expression *value) {
    if (!value)
        return NULL;
    struct ast_expression *out = oriel_ast_operator(parser, location, "named", value, NULL, NULL);
    if (!out)
        return NULL;
    out->kind = AST_NAMED;
    out->text = name->text; /* in capitals, as Flink wants them */
    out->text_length = (uint32_t)strlen(name->text);
    return out;
}

struct ast_expression *oriel_ast_descriptor(struct sql_parser *parser, struct sql_location location,
                                            const struct sql_list *columns) {
    struct ast_expression *out = oriel_ast_expression(parser, AST_DESCRIPTOR, location);
    struct sql_list *arguments = oriel_ast_list(parser, NULL);
    if (!out || !arguments)
        return NULL;
    for (uint32_t i = 0; i < columns->count; ++i) {
        const struct ast_name *name = oriel_ast_name(parser, columns->items[i]);
        struct ast_expression *column = name ? oriel_ast_column(parser, name) : NULL;
        if (!column || !oriel_ast_list_add(parser, arguments, column))
            return NULL;
    }
    SQL_TAKE(out->arguments, arguments);
    return oriel_ast_measure(parser, out);
}

/* A unit such as HOUR or SQL_TSI_HOUR as a string in upper case. */
struct ast_expression *oriel_ast_unit_string(struct sql_parser *parser,
                                             struct sql_location location, struct sql_text unit) {
    const char *word = oriel_ast_upper(parser, unit);
    if (!word)
        return NULL;
    return oriel_ast_string(parser, location, strncmp(word, "SQL_TSI_", 8) == 0 ? word + 8 : word);
}

struct ast_expression *oriel_ast_unit_call(struct sql_parser *parser, struct sql_location location,
                                           const char *name, struct sql_location unit_location,
                                           struct sql_text unit, struct ast_expression *a,
                                           struct ast_expression *b) {
    struct ast_expression *word = oriel_ast_unit_string(parser, unit_location, unit);
    return word ? oriel_ast_operator(parser, location, name, word, a, b) : NULL;
}

struct ast_expression *oriel_ast_time_difference(struct sql_parser *parser,
                                                 struct sql_location location,
                                                 const struct ast_expression *difference,
                                                 struct sql_location unit_location,
                                                 struct sql_text unit) {
    if (difference->kind != AST_CALL || strcmp(difference->text, "-") != 0)
        return oriel_sql_fail(parser, ORIEL_INVALID, sql_position(unit_location),
                              "a unit stands behind the difference of two times, as in (a - b) %s",
                              oriel_ast_upper(parser, unit));
    return oriel_ast_unit_call(parser, location, "MINUS", unit_location, unit,
                               difference->arguments.items[0], difference->arguments.items[1]);
}

struct ast_expression *oriel_ast_round_to(struct sql_parser *parser, struct sql_location location,
                                          const char *name, struct ast_expression *value,
                                          struct sql_location unit_location, struct sql_text unit) {
    struct ast_expression *word = oriel_ast_unit_string(parser, unit_location, unit);
    return word ? oriel_ast_operator(parser, location, name, value, word, NULL) : NULL;
}

struct ast_expression *oriel_ast_trim(struct sql_parser *parser, struct sql_location location,
                                      const char *side, struct ast_expression *characters,
                                      struct ast_expression *value) {
    struct ast_expression *where = oriel_ast_string(parser, location, side);
    if (!characters)
        characters = oriel_ast_string(parser, location, " ");
    if (!where || !characters)
        return NULL;
    return oriel_ast_operator(parser, location, "TRIM", where, characters, value);
}

struct ast_expression *oriel_ast_overlay(struct sql_parser *parser, struct sql_location location,
                                         struct ast_expression *value,
                                         struct ast_expression *replacement,
                                         struct ast_expression *from,
                                         struct ast_expression *count) {
    struct sql_list *arguments = oriel_ast_pair(parser, NULL, value, replacement);
    if (!arguments || !oriel_ast_list_add(parser, arguments, from) ||
        (count && !oriel_ast_list_add(parser, arguments, count)))
        return NULL;
    return oriel_ast_function(parser, location, "OVERLAY", arguments);
}

static void set_json_nulls(struct ast_expression *call, int nulls) {
    call->null_on_null = nulls == 1;
    call->absent_on_null = nulls == 2;
}

struct ast_expression *oriel_ast_json_call(struct sql_parser *parser, struct sql_location location,
                                           const char *name, struct sql_list *arguments,
                                           int nulls) {
    struct ast_expression *out = oriel_ast_function(parser, location, name, arguments);
    if (out)
        set_json_nulls(out, nulls);
    return out;
}

struct ast_expression *oriel_ast_json_arrayagg(struct sql_parser *parser,
                                               struct sql_location location,
                                               struct ast_expression *value, int nulls,
                                               struct sql_list *order_by) {
    struct sql_list *arguments = oriel_ast_list(parser, value);
    struct ast_expression *out =
        arguments ? oriel_ast_function(parser, location, "JSON_ARRAYAGG", arguments) : NULL;
    if (!out)
        return NULL;
    SQL_TAKE(out->within_order, order_by);
    set_json_nulls(out, nulls);
    return oriel_ast_measure(parser, out);
}

struct ast_json *oriel_ast_json(struct sql_parser *parser, enum ast_json_behaviour behaviour,
                                struct ast_expression *value) {
    struct ast_json *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->on_empty = behaviour; /* moved to its place by oriel_ast_json_behaviour */
    out->empty_value = value;
    return out;
}

struct ast_json *oriel_ast_json_empty(struct sql_parser *parser,
                                      const struct ast_identifier *word) {
    if (!oriel_text_equal_ignoring_case(oriel_text_of(word->text), ORIEL_TEXT("OBJECT")))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, word->position,
                              "found %s after EMPTY, expected ARRAY, OBJECT or ON", word->text);
    return oriel_ast_json(parser, AST_JSON_EMPTY_OBJECT, NULL);
}

struct ast_json *oriel_ast_json_behaviour(struct sql_parser *parser, struct sql_location location,
                                          struct ast_json *all, struct ast_json *one, int place) {
    struct ast_json *out = all ? all : oriel_ast_json(parser, AST_JSON_UNSET, NULL);
    if (!out)
        return NULL;
    if ((place ? out->on_error : out->on_empty) != AST_JSON_UNSET)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location), "%s stands twice",
                              place ? "ON ERROR" : "ON EMPTY");
    if (place) {
        out->on_error = one->on_empty;
        out->error_value = one->empty_value;
    } else {
        out->on_empty = one->on_empty;
        out->empty_value = one->empty_value;
    }
    return out;
}

/* What each function allows before ON EMPTY and ON ERROR. */
static bool allows(const char *name, enum ast_json_behaviour behaviour, bool on_empty) {
    switch (behaviour) {
    case AST_JSON_UNSET: return true;
    case AST_JSON_ERROR: return !on_empty || strcmp(name, "JSON_EXISTS") != 0;
    case AST_JSON_NULL: return strcmp(name, "JSON_EXISTS") != 0;
    case AST_JSON_DEFAULT: return strcmp(name, "JSON_VALUE") == 0;
    case AST_JSON_TRUE:
    case AST_JSON_FALSE:
    case AST_JSON_UNKNOWN: return !on_empty && strcmp(name, "JSON_EXISTS") == 0;
    case AST_JSON_EMPTY_ARRAY:
    case AST_JSON_EMPTY_OBJECT: return strcmp(name, "JSON_QUERY") == 0;
    }
    return false;
}

struct ast_expression *oriel_ast_json_clauses(struct sql_parser *parser,
                                              struct sql_location location,
                                              struct ast_expression *call, struct ast_type *type,
                                              int wrapper, struct ast_json *json) {
    call->type = type;
    if (!json && wrapper != AST_JSON_WRAPPER_UNSET)
        json = oriel_ast_json(parser, AST_JSON_UNSET, NULL);
    if (!json)
        return parser->status == ORIEL_OK ? oriel_ast_measure(parser, call) : NULL;
    json->wrapper = (unsigned)wrapper;
    if (!allows(call->text, json->on_empty, true) || !allows(call->text, json->on_error, false))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              "this ON EMPTY or ON ERROR does not go with %s", call->text);
    call->json = json;
    return oriel_ast_measure(parser, call);
}
