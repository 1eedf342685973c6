/*
 * Tree building, the common part: memory, texts, lists and names. Everything lies in the arena of
 * the statement; a list doubles its array, so the tree never holds more than twice what it needs.
 */
#include "engine/sql/ast_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *oriel_sql_fail(struct sql_parser *parser, enum oriel_status status,
                     struct oriel_position position, const char *format, ...) {
    char message[ORIEL_ERROR_MESSAGE_SIZE];
    if (parser->status != ORIEL_OK)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    parser->status = oriel_error_at(parser->error, status, position, "%s", message);
    return NULL;
}

void *oriel_sql_fail_memory(struct sql_parser *parser) {
    if (parser->status == ORIEL_OK)
        parser->status = oriel_error_memory(parser->error);
    return NULL;
}

void *oriel_ast_unsupported(struct sql_parser *parser, struct sql_location location,
                            const char *what) {
    return oriel_sql_fail(parser, ORIEL_UNSUPPORTED, sql_position(location),
                          "%s is not supported by this version", what);
}

bool oriel_ast_check_depth(struct sql_parser *parser, uint32_t depth,
                           struct oriel_position position) {
    if (depth <= ORIEL_SQL_TREE_MAX)
        return true;
    oriel_sql_fail(parser, ORIEL_INVALID, position,
                   "the statement is nested more than %d levels deep: a chain of operators counts "
                   "one level a link (AND and OR do not)",
                   ORIEL_SQL_TREE_MAX);
    return false;
}

void *oriel_ast_allocate(struct sql_parser *parser, size_t size_bytes) {
    void *out = oriel_arena_allocate_zeroed(parser->arena, 1, size_bytes);
    return out ? out : oriel_sql_fail_memory(parser);
}

const char *oriel_ast_copy(struct sql_parser *parser, struct sql_text text) {
    const char *out = oriel_arena_copy(parser->arena, text.bytes, text.length);
    return out ? out : oriel_sql_fail_memory(parser);
}

const char *oriel_ast_upper(struct sql_parser *parser, struct sql_text text) {
    char *out = oriel_arena_copy(parser->arena, text.bytes, text.length);
    if (!out)
        return oriel_sql_fail_memory(parser);
    for (uint32_t i = 0; i < text.length; ++i)
        if (out[i] >= 'a' && out[i] <= 'z')
            out[i] = (char)(out[i] - 'a' + 'A');
    return out;
}

struct sql_text oriel_ast_source_text(struct sql_parser *parser, struct sql_location location) {
    return (struct sql_text){parser->source + location.begin, location.end - location.begin, false};
}

const char *oriel_ast_slice(struct sql_parser *parser, struct sql_location location) {
    return oriel_ast_copy(parser, oriel_ast_source_text(parser, location));
}

bool oriel_ast_whole_number(struct sql_parser *parser, struct sql_location location,
                            struct sql_text text, int64_t *out) {
    int64_t value = 0;
    for (uint32_t i = 0; i < text.length; ++i) {
        const char c = text.bytes[i];
        if (c < '0' || c > '9' || value > INT32_MAX) {
            oriel_sql_fail(parser, ORIEL_SYNTAX, sql_position(location),
                           "found %.*s, expected a small whole number",
                           (int)(text.length > 40 ? 40 : text.length), text.bytes);
            return false;
        }
        value = value * 10 + (c - '0');
    }
    *out = value;
    return true;
}

struct sql_list *oriel_ast_list(struct sql_parser *parser, void *first) {
    struct sql_list *list = oriel_ast_allocate(parser, sizeof *list);
    return list && first ? oriel_ast_list_add(parser, list, first) : list;
}

struct sql_list *oriel_ast_list_add(struct sql_parser *parser, struct sql_list *list, void *item) {
    if (!list)
        return oriel_ast_list(parser, item);
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
        void **items = oriel_arena_allocate_zeroed(parser->arena, capacity, sizeof *items);
        if (!items)
            return oriel_sql_fail_memory(parser);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return list;
}

struct sql_list *oriel_ast_pair(struct sql_parser *parser, struct sql_list *list, void *first,
                                void *second) {
    list = oriel_ast_list_add(parser, list, first);
    return list ? oriel_ast_list_add(parser, list, second) : NULL;
}

struct ast_identifier *oriel_ast_identifier(struct sql_parser *parser, struct sql_location location,
                                            struct sql_text text) {
    struct ast_identifier *out = oriel_ast_allocate(parser, sizeof *out);
    if (!out)
        return NULL;
    out->position = sql_position(location);
    out->quoted = text.quoted;
    out->text = oriel_ast_copy(parser, text);
    return out->text ? out : NULL;
}

struct ast_name *oriel_ast_name(struct sql_parser *parser, struct ast_identifier *first) {
    struct ast_name *name = oriel_ast_allocate(parser, sizeof *name);
    if (!name)
        return NULL;
    name->position = first->position;
    name->part_count = 1;
    name->parts = first;
    return name;
}

struct ast_name *oriel_ast_name_add(struct sql_parser *parser, struct ast_name *name,
                                    struct ast_identifier *part) {
    struct ast_identifier *parts =
        oriel_arena_allocate_zeroed(parser->arena, name->part_count + (size_t)1, sizeof *parts);
    if (!parts)
        return oriel_sql_fail_memory(parser);
    if (name->part_count >= ORIEL_SQL_DEPTH_MAX)
        return oriel_sql_fail(parser, ORIEL_INVALID, part->position,
                              "a name has more than %d parts", ORIEL_SQL_DEPTH_MAX);
    memcpy(parts, name->parts, name->part_count * sizeof *parts);
    parts[name->part_count++] = *part;
    name->parts = parts;
    return name;
}
