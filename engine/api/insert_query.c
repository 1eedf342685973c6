/*
 * Casts and missing columns are written into the tree around the query, as SELECT CAST(c0 AS ...)
 * ... FROM (query), so that the binder alone knows how values change type.
 */
#include "engine/api/insert_query.h"

#include <string.h>

#include "engine/functions/function.h"

enum {
    TYPE_TEXT_BYTES = 256,
    NO_COLUMN = -1,
    FIRST_STATIC = -2, /* and below: a value of the PARTITION clause */
};

/* The columns of the table with a value in the PARTITION clause; the others have none yet. */
static uint32_t map_static(const struct ast_statement *insert, struct oriel_schema sink,
                           int32_t *map) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sink.field_count; i++) {
        map[i] = NO_COLUMN;
        for (uint32_t k = 0; k < insert->partition.count; k++) {
            const struct ast_option *item = insert->partition.items[k];
            if (item->value && strcmp(item->key, sink.fields[i].name) == 0)
                map[i] = FIRST_STATIC - (int32_t)k;
        }
        count += map[i] != NO_COLUMN;
    }
    return count;
}

/* For each column of the table the column of the query that fills it. */
static enum oriel_status map_columns(struct oriel_result *result,
                                     const struct ast_statement *insert, struct oriel_schema sink,
                                     uint32_t query_count, int32_t *map,
                                     struct oriel_error *error) {
    (void)result;
    const uint32_t listed = insert->column_names.count;
    const uint32_t static_count = map_static(insert, sink, map);
    const uint32_t wanted = listed ? listed : sink.field_count - static_count;
    if (wanted != query_count)
        return oriel_error_at(
            error, ORIEL_INVALID, insert->position,
            "Column types of query result and sink do not match: the query has %u "
            "columns, the table takes %u",
            query_count, wanted);
    int32_t next = 0;
    for (uint32_t i = 0; i < sink.field_count && !listed; i++) {
        if (map[i] == NO_COLUMN)
            map[i] = next++;
    }
    for (uint32_t k = 0; k < listed; k++) {
        const struct ast_identifier *name = insert->column_names.items[k];
        uint32_t place = 0;
        while (place < sink.field_count && strcmp(sink.fields[place].name, name->text) != 0)
            place++;
        if (place == sink.field_count)
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "Unknown target column '%s'", name->text);
        if (map[place] != NO_COLUMN)
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "Target column '%s' is assigned more than once", name->text);
        map[place] = (int32_t)k;
    }
    return ORIEL_OK;
}

static enum oriel_status check_types(const struct ast_statement *insert, struct oriel_schema sink,
                                     struct oriel_schema query, const int32_t *map, bool *fits,
                                     struct oriel_error *error) {
    *fits = sink.field_count == query.field_count;
    for (uint32_t i = 0; i < sink.field_count; i++) {
        *fits = *fits && map[i] == (int32_t)i;
        if (map[i] < 0)
            continue;
        const struct oriel_type *from = &query.fields[map[i]].type;
        const struct oriel_type *to = &sink.fields[i].type;
        if (oriel_type_same(from, to))
            continue;
        *fits = false;
        char from_text[TYPE_TEXT_BYTES], to_text[TYPE_TEXT_BYTES];
        if (!oriel_type_casts_implicitly(from, to))
            return oriel_error_at(error, ORIEL_INVALID, insert->position,
                                  "Column types of query result and sink do not match: "
                                  "Incompatible types for sink column '%s' at position %u: the "
                                  "query gives %s, the table takes %s",
                                  sink.fields[i].name, i,
                                  oriel_type_print(from, false, from_text, sizeof from_text),
                                  oriel_type_print(to, false, to_text, sizeof to_text));
    }
    return ORIEL_OK;
}

static struct ast_identifier *make_identifier(struct oriel_arena *arena, uint32_t number) {
    struct ast_identifier *identifier = oriel_arena_allocate_zeroed(arena, 1, sizeof *identifier);
    if (identifier) {
        identifier->text = oriel_arena_print(arena, "c%u", number);
        identifier->quoted = true;
    }
    return identifier && identifier->text ? identifier : NULL;
}

/* The column, the value of the PARTITION clause, or NULL, cast to the type of the table's column.
 */
static struct ast_expression *make_cast(struct oriel_arena *arena,
                                        const struct ast_statement *insert,
                                        const struct ast_type *type, int32_t column,
                                        bool needs_cast) {
    const struct oriel_position position = insert->query->position;
    struct ast_expression *value = oriel_arena_allocate_zeroed(arena, 1, sizeof *value);
    struct ast_expression *cast = oriel_arena_allocate_zeroed(arena, 1, sizeof *cast);
    struct ast_type *target = oriel_arena_allocate_zeroed(arena, 1, sizeof *target);
    struct ast_expression **arguments = oriel_arena_allocate(arena, sizeof *arguments);
    if (!value || !cast || !target || !arguments)
        return NULL;
    value->position = position;
    value->kind = AST_NULL;
    if (column <= FIRST_STATIC) {
        const struct ast_option *item = insert->partition.items[FIRST_STATIC - column];
        value->kind = AST_STRING;
        value->position = item->value_position;
        value->text = item->value;
        value->text_length = item->value_length;
    } else if (column != NO_COLUMN) {
        value->kind = AST_COLUMN;
        value->name.position = position;
        value->name.part_count = 1;
        value->name.parts = make_identifier(arena, (uint32_t)column);
        if (!value->name.parts)
            return NULL;
        if (!needs_cast)
            return value;
    }
    *target = *type;
    target->not_null = false;
    *arguments = value;
    cast->kind = AST_CAST;
    cast->position = position;
    cast->text = "CAST";
    cast->text_length = 4;
    cast->arguments.count = 1;
    cast->arguments.items = arguments;
    cast->type = target;
    return cast;
}

/* (query) AS source (c0, c1, ...) */
static struct ast_from *make_from(struct oriel_arena *arena, const struct ast_query *query,
                                  uint32_t column_count, struct oriel_position position) {
    struct ast_from *from = oriel_arena_allocate_zeroed(arena, 1, sizeof *from);
    struct ast_query *copy = oriel_arena_allocate(arena, sizeof *copy);
    struct ast_identifier *alias = oriel_arena_allocate_zeroed(arena, 1, sizeof *alias);
    struct ast_identifier **names = oriel_arena_allocate_zeroed(arena, column_count, sizeof *names);
    if (!from || !copy || !alias || !names)
        return NULL;
    *copy = *query;
    *alias = (struct ast_identifier){position, "source", true};
    from->kind = AST_FROM_QUERY;
    from->position = position;
    from->query = copy;
    from->alias = alias;
    from->column_aliases.count = column_count;
    from->column_aliases.items = names;
    for (uint32_t i = 0; i < column_count; i++) {
        names[i] = make_identifier(arena, i);
        if (!names[i])
            return NULL;
    }
    return from;
}

static struct ast_query *make_query(struct oriel_arena *arena, const struct ast_statement *insert,
                                    const struct ast_type *const *types, struct oriel_schema sink,
                                    struct oriel_schema given, const int32_t *map) {
    struct ast_query *query = oriel_arena_allocate_zeroed(arena, 1, sizeof *query);
    struct ast_select_item **items =
        oriel_arena_allocate_zeroed(arena, sink.field_count, sizeof *items);
    if (!query || !items)
        return NULL;
    query->kind = AST_QUERY_SELECT;
    query->position = insert->query->position;
    query->items.count = sink.field_count;
    query->items.items = items;
    query->from = make_from(arena, insert->query, given.field_count, insert->query->position);
    if (!query->from)
        return NULL;
    for (uint32_t i = 0; i < sink.field_count; i++) {
        items[i] = oriel_arena_allocate_zeroed(arena, 1, sizeof *items[i]);
        if (!items[i])
            return NULL;
        const bool needs_cast =
            map[i] < 0 || !oriel_type_same(&given.fields[map[i]].type, &sink.fields[i].type);
        items[i]->position = insert->query->position;
        items[i]->expression = make_cast(arena, insert, types[i], map[i], needs_cast);
        if (!items[i]->expression)
            return NULL;
    }
    return query;
}

enum oriel_status oriel_insert_bind(struct oriel_result *result, const struct ast_statement *insert,
                                    const struct ast_type *const *types, struct oriel_schema sink,
                                    struct oriel_plan **out, struct oriel_error *error) {
    struct oriel_arena *arena = &result->arena;
    struct oriel_session *session = result->engine->session;
    int32_t *map = oriel_arena_allocate_zeroed(arena, sink.field_count, sizeof *map);
    if (!map)
        return oriel_error_memory(error);
    bool fits;
    ORIEL_TRY(oriel_bind_query(session, &result->runtime, insert->query, arena, out, error));
    const struct oriel_schema given = (*out)->schema;
    ORIEL_TRY(map_columns(result, insert, sink, given.field_count, map, error));
    ORIEL_TRY(check_types(insert, sink, given, map, &fits, error));
    if (fits)
        return ORIEL_OK;
    const struct ast_query *query = make_query(arena, insert, types, sink, given, map);
    if (!query)
        return oriel_error_memory(error);
    return oriel_bind_query(session, &result->runtime, query, arena, out, error);
}
