/*
 * USING and NATURAL joins: equal columns of both sides become one, which comes first in SELECT *
 * and is what the bare name means; the columns of the sides can still be named with their table.
 */
#include <string.h>

#include "engine/plan/using.h"

/* Columns [first, end) of the scope that a bare name reaches. */
static uint32_t count_matches(const struct bind_scope *scope, uint32_t first, uint32_t end,
                              const char *name, uint32_t *column) {
    uint32_t matches = 0;
    for (uint32_t i = first; i < end; i++) {
        if (scope->columns[i].hidden || strcmp(scope->columns[i].name, name) != 0)
            continue;
        *column = i;
        matches++;
    }
    return matches;
}

static enum oriel_status add_pair(struct binder *b, struct bind_scope *scope, uint32_t left_count,
                                  const char *name, struct oriel_position position,
                                  struct bind_using *using, struct oriel_conditions *conditions) {
    struct using_pair pair = {.name = name};
    for (uint32_t side = 0; side < 2; side++) {
        const uint32_t matches =
            count_matches(scope, side ? left_count : 0, side ? scope->column_count : left_count,
                          name, &pair.sides[side]);
        if (matches != 1)
            return oriel_error_at(b->error, ORIEL_INVALID, position,
                                  "Column '%s' %s on the %s side of the join", name,
                                  matches ? "is ambiguous" : "not found", side ? "right" : "left");
    }
    struct oriel_expression *parts[2], *condition;
    for (uint32_t side = 0; side < 2; side++) {
        parts[side] = oriel_expression_column(b->arena, pair.sides[side],
                                              scope->columns[pair.sides[side]].type, position);
        if (!parts[side])
            return oriel_bind_memory(b);
    }
    ORIEL_TRY(oriel_bind_plain_call(b, "=", position, parts, 2, NULL, &condition));
    using->pairs = oriel_plan_grow(b->arena, using->pairs, using->count, sizeof *using->pairs);
    if (!using->pairs)
        return oriel_bind_memory(b);
    using->pairs[using->count++] = pair;
    scope->columns[pair.sides[0]].hidden = true;
    scope->columns[pair.sides[1]].hidden = true;
    return oriel_conditions_add(conditions, b->arena, condition) ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_using_bind(struct binder *b, const struct ast_from *from,
                                   struct bind_scope *scope, uint32_t left_count,
                                   struct bind_using *using, struct oriel_conditions *conditions) {
    for (uint32_t i = 0; i < from->using_columns.count; i++)
        ORIEL_TRY(add_pair(b, scope, left_count, from->using_columns.items[i]->text,
                           from->using_columns.items[i]->position, using, conditions));
    for (uint32_t i = 0; from->natural && i < left_count; i++) {
        uint32_t unused;
        if (!scope->columns[i].hidden &&
            count_matches(scope, left_count, scope->column_count, scope->columns[i].name, &unused))
            ORIEL_TRY(add_pair(b, scope, left_count, scope->columns[i].name, from->position, using,
                               conditions));
    }
    return ORIEL_OK;
}

/* The value that both sides have: of the side that is always there, or of either one. */
static enum oriel_status merged_value(struct binder *b, const struct oriel_plan *join,
                                      const struct using_pair *pair,
                                      struct oriel_expression **out) {
    struct oriel_expression *sides[2];
    for (uint32_t side = 0; side < 2; side++) {
        sides[side] =
            oriel_expression_column(b->arena, pair->sides[side],
                                    join->schema.fields[pair->sides[side]].type, join->position);
        if (!sides[side])
            return oriel_bind_memory(b);
    }
    *out = sides[join->join.kind == ORIEL_JOIN_RIGHT ? 1 : 0];
    if (join->join.kind != ORIEL_JOIN_FULL)
        return ORIEL_OK;
    const struct ast_expression coalesce = {
        .kind = AST_CALL, .text = "COALESCE", .position = join->position, .arguments.count = 2};
    return oriel_bind_conditional(b, &coalesce, sides, out);
}

/* Room for the merged columns at the end of the scope, in a table without a name that comes first.
 */
static enum oriel_status extend_scope(struct binder *b, const struct bind_using *using,
                                      struct bind_scope *scope) {
    struct bind_column *const columns = oriel_arena_allocate_zeroed(
        b->arena, (size_t)scope->column_count + using->count, sizeof *columns);
    struct bind_table *const tables =
        oriel_arena_allocate_zeroed(b->arena, (size_t)scope->table_count + 1, sizeof *tables);
    if (!columns || !tables)
        return oriel_bind_memory(b);
    memcpy(columns, scope->columns, scope->column_count * sizeof *columns);
    memcpy(tables + 1, scope->tables, scope->table_count * sizeof *tables);
    tables[0] = (struct bind_table){NULL, scope->column_count, using->count};
    scope->columns = columns;
    scope->tables = tables;
    scope->table_count++;
    return ORIEL_OK;
}

enum oriel_status oriel_using_merge(struct binder *b, const struct bind_using *using,
                                    struct bind_rows *rows) {
    if (!using->count)
        return ORIEL_OK;
    struct oriel_expression **const values =
        oriel_arena_allocate_zeroed(b->arena, using->count, sizeof *values);
    if (!values)
        return oriel_bind_memory(b);
    ORIEL_TRY(extend_scope(b, using, &rows->scope));
    for (uint32_t i = 0; i < using->count; i++) {
        ORIEL_TRY(merged_value(b, rows->plan, &using->pairs[i], &values[i]));
        rows->scope.columns[rows->scope.column_count++] =
            (struct bind_column){using->pairs[i].name, values[i]->type, false};
    }
    rows->plan = oriel_plan_make_extension(b->arena, rows->plan, using->count, values);
    return rows->plan ? ORIEL_OK : oriel_bind_memory(b);
}
