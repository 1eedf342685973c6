/*
 * Tree building: data types and the units of intervals.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/ast_build.h"

static struct ast_type *make(struct sql_parser *parser, struct sql_location location,
                             const char *name) {
    struct ast_type *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out || !name)
        return NULL;
    out->position = sql_position(location);
    out->name = name;
    out->depth = 1;
    return out;
}

static bool add_parameter(struct sql_parser *parser, struct sql_location location,
                          struct ast_type *type, const struct sql_text *number) {
    return !number || oriel_ast_whole_number(parser, location, *number,
                                             &type->parameters[type->parameter_count++]);
}

struct ast_type *oriel_ast_type(struct sql_parser *parser, struct sql_location location,
                                struct sql_text word, const struct sql_text *first,
                                const struct sql_text *second) {
    const char *name = oriel_ast_upper(parser, word);
    struct ast_type *out = make(parser, location, name);
    if (!out)
        return NULL;
    if (strcmp(name, "INTEGER") == 0)
        out->name = "INT";
    else if (strcmp(name, "DEC") == 0 || strcmp(name, "NUMERIC") == 0)
        out->name = "DECIMAL";
    else if (strcmp(name, "REAL") == 0)
        out->name = "FLOAT";
    static const char *const PLAIN[] = {"BIGINT", "BOOLEAN",  "BYTES",  "FLOAT",
                                        "INT",    "SMALLINT", "STRING", "TINYINT"};
    for (size_t i = 0; first && i < sizeof PLAIN / sizeof PLAIN[0]; ++i)
        if (strcmp(out->name, PLAIN[i]) == 0)
            return oriel_sql_fail(parser, ORIEL_SYNTAX, out->position,
                                  "the type %s takes no parentheses", name);
    if (second && strcmp(out->name, "DECIMAL") != 0)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, out->position,
                              "the type %s takes one number in parentheses", name);
    return add_parameter(parser, location, out, first) &&
                   add_parameter(parser, location, out, second)
               ? out
               : NULL;
}

struct ast_type *oriel_ast_type_named(struct sql_parser *parser, struct sql_location location,
                                      const char *name, const struct sql_text *length) {
    struct ast_type *out = make(parser, location, name);
    return out && add_parameter(parser, location, out, length) ? out : NULL;
}

struct ast_type *oriel_ast_type_time(struct sql_parser *parser, struct sql_location location,
                                     const char *name, const struct sql_text *precision, int zone) {
    static const char *const SUFFIXES[] = {"", " WITH TIME ZONE", " WITH LOCAL TIME ZONE"};
    const char *full = oriel_arena_print(parser->arena, "%s%s", name, SUFFIXES[zone]);
    if (!full)
        return oriel_sql_fail_memory(parser);
    return oriel_ast_type_named(parser, location, full, precision);
}

struct ast_type *oriel_ast_type_user(struct sql_parser *parser, const struct ast_name *name) {
    const char *text = name->parts[0].text;
    for (uint32_t i = 1; text && i < name->part_count; ++i)
        text = oriel_arena_print(parser->arena, "%s.%s", text, name->parts[i].text);
    if (!text)
        return oriel_sql_fail_memory(parser);
    text = oriel_ast_upper(parser, (struct sql_text){text, (uint32_t)strlen(text), false});
    struct ast_type *out = make(parser, (struct sql_location){0}, text);
    if (out)
        out->position = name->position;
    return out;
}

static struct ast_type *measure(struct sql_parser *parser, struct ast_type *type) {
    for (uint32_t i = 0; i < type->child_count; ++i)
        if (type->depth <= type->children[i]->depth)
            type->depth = type->children[i]->depth + 1;
    return oriel_ast_check_depth(parser, type->depth, type->position) ? type : NULL;
}

struct ast_type *oriel_ast_collection(struct sql_parser *parser, struct sql_location location,
                                      const char *name, struct ast_type *first,
                                      struct ast_type *second) {
    struct ast_type *out = make(parser, location, name);
    struct ast_type **children = oriel_ast_allocate(parser, 2 * sizeof *children);
    if (!out || !children)
        return NULL;
    children[0] = first;
    children[1] = second;
    out->children = children;
    out->child_count = second ? 2 : 1;
    return measure(parser, out);
}

struct ast_type *oriel_ast_row_type(struct sql_parser *parser, struct sql_location location,
                                    const struct sql_list *fields) {
    struct ast_type *out = make(parser, location, "ROW");
    const uint32_t count = fields ? fields->count / 2 : 0;
    if (!out || count == 0)
        return out;
    out->children = oriel_ast_allocate(parser, count * sizeof *out->children);
    out->child_names = oriel_ast_allocate(parser, count * sizeof *out->child_names);
    if (!out->children || !out->child_names)
        return NULL;
    for (uint32_t i = 0; i < count; ++i) {
        const struct ast_identifier *name = fields->items[2 * i];
        out->child_names[i] = name->text;
        out->children[i] = fields->items[2 * i + 1];
    }
    out->child_count = count;
    return measure(parser, out);
}

static const char *const UNIT_NAMES[] = {
    [AST_UNIT_NONE] = "",       [AST_UNIT_YEAR] = "YEAR",     [AST_UNIT_QUARTER] = "QUARTER",
    [AST_UNIT_MONTH] = "MONTH", [AST_UNIT_WEEK] = "WEEK",     [AST_UNIT_DAY] = "DAY",
    [AST_UNIT_HOUR] = "HOUR",   [AST_UNIT_MINUTE] = "MINUTE", [AST_UNIT_SECOND] = "SECOND",
};

/* The unit that a word names, singular or plural. */
static enum ast_interval_unit unit_of(struct sql_text word) {
    for (unsigned unit = AST_UNIT_YEAR; unit <= AST_UNIT_SECOND; ++unit) {
        const size_t length = strlen(UNIT_NAMES[unit]);
        if (word.length != length && word.length != length + 1)
            continue;
        if (oriel_text_equal_ignoring_case((struct oriel_text){word.bytes, length},
                                           (struct oriel_text){UNIT_NAMES[unit], length}))
            return (enum ast_interval_unit)unit;
    }
    return AST_UNIT_NONE;
}

static bool is_range(enum ast_interval_unit from, enum ast_interval_unit to) {
    if (from == AST_UNIT_YEAR)
        return to == AST_UNIT_MONTH;
    return from >= AST_UNIT_DAY && to > from;
}

struct ast_type *oriel_ast_units(struct sql_parser *parser, struct sql_location location,
                                 struct sql_text unit, const struct sql_text *precision,
                                 const struct sql_text *unit_to, const struct sql_text *fraction) {
    const enum ast_interval_unit from = unit_of(unit);
    const enum ast_interval_unit to = unit_to ? unit_of(*unit_to) : AST_UNIT_NONE;
    if (unit_to && !is_range(from, to))
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              "%s TO %s is no interval", UNIT_NAMES[from], UNIT_NAMES[to]);
    if (fraction && (to ? to : from) != AST_UNIT_SECOND)
        return oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                              "only SECOND has a fraction");
    const char *name = oriel_arena_print(parser->arena, "INTERVAL %s%s%s", UNIT_NAMES[from],
                                         to ? " TO " : "", UNIT_NAMES[to]);
    if (!name)
        return oriel_sql_fail_memory(parser);
    struct ast_type *out = make(parser, location, name);
    if (!out)
        return NULL;
    out->unit = from;
    out->unit_to = to;
    out->parameter_count = 2;
    out->parameters[0] = out->parameters[1] = -1;
    if ((precision && !oriel_ast_whole_number(parser, location, *precision, &out->parameters[0])) ||
        (fraction && !oriel_ast_whole_number(parser, location, *fraction, &out->parameters[1])))
        return NULL;
    return out;
}
