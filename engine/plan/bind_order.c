/*
 * ORDER BY, LIMIT, OFFSET and FETCH.
 */
#include <string.h>

#include "engine/base/number_text.h"
#include "engine/plan/bind.h"

struct oriel_sort_item oriel_bind_sort_item(const struct ast_order_item *item, uint32_t column) {
    /* NULL is the lowest value unless the query says where it goes. */
    const bool nulls_first =
        item->nulls == AST_NULLS_FIRST || (item->nulls == AST_NULLS_DEFAULT && !item->descending);
    return (struct oriel_sort_item){column, item->descending, nulls_first};
}

struct oriel_plan *oriel_plan_make_sort(struct oriel_arena *arena, struct oriel_plan *input,
                                        uint32_t item_count, struct oriel_sort_item *items) {
    if (!item_count)
        return input;
    struct oriel_plan *const plan = oriel_plan_make_over(arena, ORIEL_PLAN_SORT, input);
    if (!plan)
        return NULL;
    plan->sort.item_count = item_count;
    plan->sort.items = items;
    plan->sort.limit = INT64_MAX;
    return plan;
}

enum oriel_status oriel_bind_ordinal(struct binder *b, const struct ast_expression *ast,
                                     uint32_t count, uint32_t *column) {
    int64_t number;
    if (oriel_integer_parse(ast->text, strlen(ast->text), 1, count, &number) != ORIEL_INTEGER_OK)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Ordinal out of range: ORDER BY %s, but %u columns are selected",
                              ast->text, count);
    *column = (uint32_t)number - 1;
    return ORIEL_OK;
}

/* ORDER BY of UNION or VALUES: only columns of the result. */
static enum oriel_status bind_output_column(struct binder *b, const struct oriel_plan *plan,
                                            const struct ast_expression *ast, uint32_t *column) {
    if (ast->kind == AST_NUMBER)
        return oriel_bind_ordinal(b, ast, plan->schema.field_count, column);
    if (ast->kind != AST_COLUMN || ast->name.part_count != 1)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "ORDER BY of a set operation can only name columns of its result");
    struct bind_scope scope;
    uint32_t parts;
    ORIEL_TRY(oriel_scope_init(b, &scope, plan, NULL));
    if (oriel_scope_find(&scope, &ast->name, column, &parts) == ORIEL_NAME_FOUND)
        return ORIEL_OK;
    struct oriel_expression *unused;
    return oriel_scope_resolve(b, &scope, &ast->name, &unused); /* for its message */
}

enum oriel_status oriel_bind_order_output(struct binder *b, const struct ast_query *query,
                                          struct oriel_plan **plan) {
    const uint32_t count = query->order_by.count;
    struct oriel_sort_item *const items =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *items);
    if (!items)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t column = 0;
        ORIEL_TRY(bind_output_column(b, *plan, query->order_by.items[i]->expression, &column));
        items[i] = oriel_bind_sort_item(query->order_by.items[i], column);
    }
    *plan = oriel_plan_make_sort(b->arena, *plan, count, items);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status bind_count(struct binder *b, const struct ast_expression *ast,
                                    const char *clause, int64_t *out) {
    if (ast->kind != AST_NUMBER ||
        oriel_integer_parse(ast->text, strlen(ast->text), 0, INT64_MAX, out) != ORIEL_INTEGER_OK)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "%s must be a whole number of rows", clause);
    return ORIEL_OK;
}

enum oriel_status oriel_bind_limit(struct binder *b, const struct ast_query *query,
                                   struct oriel_plan **plan) {
    if (!query->limit && !query->offset)
        return ORIEL_OK;
    struct oriel_plan *const made = oriel_plan_make_over(b->arena, ORIEL_PLAN_LIMIT, *plan);
    if (!made)
        return oriel_bind_memory(b);
    made->limit.limit = INT64_MAX;
    if (query->limit)
        ORIEL_TRY(bind_count(b, query->limit, "LIMIT", &made->limit.limit));
    if (query->offset)
        ORIEL_TRY(bind_count(b, query->offset, "OFFSET", &made->limit.offset));
    *plan = made;
    return ORIEL_OK;
}
