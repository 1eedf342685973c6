/*
 * A SELECT, in the order in which SQL defines it: FROM, WHERE, GROUP BY, HAVING, OVER, QUALIFY, the
 * select list, DISTINCT, ORDER BY, LIMIT. All is bound first; the nodes are stacked when every
 * column has its place.
 */
#include <string.h>

#include "engine/plan/group.h"

struct select {
    const struct ast_query *query;
    struct bind_rows rows;
    struct bind_group *group;
    struct bind_over *over;
    struct bind_frame frame;
    uint32_t item_count; /* of the select list; more are computed for ORDER BY behind them */
    struct oriel_conditions items;
    const char **names;
    uint32_t sort_count;
    struct oriel_sort_item *sorts;
    struct oriel_expression *having, *qualify;
};

enum oriel_status oriel_bind_one_row(struct binder *b, struct oriel_position position,
                                     struct bind_rows *rows) {
    rows->plan = oriel_plan_make(b->arena, ORIEL_PLAN_VALUES, position, 0);
    if (!rows->plan)
        return oriel_bind_memory(b);
    rows->plan->values.row_count = 1;
    rows->scope = (struct bind_scope){0};
    return ORIEL_OK;
}

static bool is_conjunction(const struct ast_expression *ast) {
    return ast->kind == AST_CALL && strcmp(ast->text, "AND") == 0;
}

/* One pass over the conditions of WHERE: the plain ones, or those with sub-queries. */
static enum oriel_status bind_conditions(struct binder *b, struct bind_rows *rows,
                                         const struct ast_expression *ast, bool sub_queries,
                                         struct oriel_conditions *filters,
                                         struct oriel_conditions *correlated) {
    if (is_conjunction(ast)) {
        for (uint32_t i = 0; i < ast->arguments.count; i++) {
            struct bind_frame frame = {.scope = &rows->scope};
            struct oriel_expression *unused;
            if (ast->arguments.items[i]->kind == AST_NULL) /* alone it may stand, in AND not */
                ORIEL_TRY(oriel_bind_expression(b, &frame, ast->arguments.items[i], &unused));
            ORIEL_TRY(bind_conditions(b, rows, ast->arguments.items[i], sub_queries, filters,
                                      correlated));
        }
        return ORIEL_OK;
    }
    if (oriel_bind_is_subquery_condition(ast))
        return sub_queries ? oriel_bind_subquery_condition(b, rows, ast) : ORIEL_OK;
    if (sub_queries)
        return ORIEL_OK;
    struct bind_frame frame = {
        .scope = &rows->scope, .clause = "WHERE", .rows = rows, .null_is_false = true};
    struct oriel_expression *condition;
    ORIEL_TRY(oriel_bind_condition(b, &frame, ast, &condition));
    if (oriel_expression_has_outer(condition) && !correlated)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, ast->position,
                              "A condition on a column of the enclosing query cannot be run here");
    struct oriel_conditions *const list =
        oriel_expression_has_outer(condition) ? correlated : filters;
    return oriel_conditions_add(list, b->arena, condition) ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_where(struct binder *b, struct bind_rows *rows,
                                   const struct ast_expression *where,
                                   struct oriel_conditions *correlated) {
    if (!where)
        return ORIEL_OK;
    struct oriel_conditions filters = {0};
    ORIEL_TRY(bind_conditions(b, rows, where, false, &filters, correlated));
    rows->plan = oriel_plan_make_filter(b->arena, rows->plan, filters.items, filters.count);
    if (!rows->plan)
        return oriel_bind_memory(b);
    return bind_conditions(b, rows, where, true, &filters, correlated);
}

enum oriel_status oriel_bind_source(struct binder *b, const struct ast_query *query,
                                    const struct bind_scope *outer,
                                    struct oriel_conditions *correlated, struct bind_rows *out) {
    if (query->from)
        ORIEL_TRY(oriel_bind_from(b, query->from, out));
    else
        ORIEL_TRY(oriel_bind_one_row(b, query->position, out));
    out->scope.outer = outer;
    return oriel_bind_where(b, out, query->where, correlated);
}

bool oriel_bind_is_grouped(const struct ast_query *query) {
    bool grouped = query->has_group_by || query->having;
    for (uint32_t i = 0; i < query->items.count; i++)
        grouped |= oriel_bind_has_aggregate(query->items.items[i]->expression);
    return grouped || oriel_bind_has_aggregate(query->qualify);
}

static enum oriel_status add_item(struct binder *b, struct select *s,
                                  struct oriel_expression *expression, const char *name) {
    s->names = oriel_plan_grow(b->arena, s->names, s->items.count, sizeof *s->names);
    s->items.items =
        oriel_plan_grow(b->arena, s->items.items, s->items.count, sizeof *s->items.items);
    if (!s->names || !s->items.items)
        return oriel_bind_memory(b);
    if (!name)
        name = oriel_arena_print(b->arena, "EXPR$%u", s->items.count);
    if (!name)
        return oriel_bind_memory(b);
    s->names[s->items.count] = name;
    s->items.items[s->items.count++] = expression;
    return ORIEL_OK;
}

/* A column that * stands for; in a grouped query it must be a key. */
static enum oriel_status add_star_column(struct binder *b, struct select *s, uint32_t column,
                                         struct oriel_position position) {
    const struct bind_column *const named = &s->rows.scope.columns[column];
    struct oriel_expression *expression = NULL;
    if (s->group) {
        struct ast_identifier part = {position, named->name, true};
        const struct ast_expression ast = {
            .kind = AST_COLUMN, .position = position, .name = {position, 1, &part}};
        bool matched;
        expression = oriel_group_match(b, s->group, &ast, &matched);
        if (!matched)
            return oriel_bind_not_grouped(b, named->name, position);
    } else {
        expression = oriel_expression_column(b->arena, column, named->type, position);
    }
    return expression ? add_item(b, s, expression, named->name) : oriel_bind_memory(b);
}

static enum oriel_status add_table_columns(struct binder *b, struct select *s,
                                           const struct bind_table *table, bool hidden_too,
                                           struct oriel_position position) {
    const struct bind_column *const columns = s->rows.scope.columns;
    for (uint32_t i = table->first; i < table->first + table->count; i++) {
        if (columns[i].hidden && !hidden_too)
            continue;
        for (uint32_t j = table->first; j < i; j++) {
            if (strcmp(columns[i].name, columns[j].name) == 0)
                return oriel_error_at(b->error, ORIEL_INVALID, position, "Column '%s' is ambiguous",
                                      columns[i].name);
        }
        ORIEL_TRY(add_star_column(b, s, i, position));
    }
    return ORIEL_OK;
}

/* row.*: its fields as columns. */
static enum oriel_status add_fields(struct binder *b, struct select *s,
                                    const struct ast_expression *ast,
                                    const struct oriel_type *row) {
    const uint32_t count = ast->name.part_count;
    for (uint32_t i = 0; i < row->field_count; i++) {
        struct ast_expression field = *ast;
        struct oriel_expression *expression;
        field.kind = AST_COLUMN;
        field.name.part_count = count + 1;
        field.name.parts = oriel_arena_allocate(b->arena, (count + 1u) * sizeof *field.name.parts);
        if (!field.name.parts)
            return oriel_bind_memory(b);
        memcpy(field.name.parts, ast->name.parts, count * sizeof *field.name.parts);
        field.name.parts[count] = (struct ast_identifier){ast->position, row->fields[i].name, true};
        ORIEL_TRY(oriel_bind_expression(b, &s->frame, &field, &expression));
        ORIEL_TRY(add_item(b, s, expression, row->fields[i].name));
    }
    return ORIEL_OK;
}

static enum oriel_status add_star(struct binder *b, struct select *s,
                                  const struct ast_expression *ast) {
    const struct bind_scope *const scope = &s->rows.scope;
    if (!ast->name.part_count) {
        if (!scope->table_count)
            return oriel_error_at(b->error, ORIEL_INVALID, ast->position, "SELECT * needs a FROM");
        for (uint32_t t = 0; t < scope->table_count; t++)
            ORIEL_TRY(add_table_columns(b, s, &scope->tables[t], false, ast->position));
        return ORIEL_OK;
    }
    const char *const name = ast->name.parts[ast->name.part_count - 1].text;
    struct oriel_suggestion suggestion = {.name = name};
    for (uint32_t t = 0; t < scope->table_count; t++) {
        if (!scope->tables[t].alias)
            continue;
        if (strcmp(scope->tables[t].alias, name) == 0)
            return add_table_columns(b, s, &scope->tables[t], true, ast->position);
        oriel_suggestion_offer(&suggestion, scope->tables[t].alias);
    }
    uint32_t column, parts;
    if (oriel_scope_find(scope, &ast->name, &column, &parts) == ORIEL_NAME_FOUND) {
        struct oriel_expression *row;
        ORIEL_TRY(oriel_scope_resolve(b, scope, &ast->name, &row));
        if (row->type.id == ORIEL_TYPE_ROW)
            return add_fields(b, s, ast, &row->type);
    }
    char hint[160];
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position, "Table '%s' not found%s", name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

static const char *item_name(const struct ast_select_item *item) {
    if (item->alias)
        return item->alias->text;
    const struct ast_expression *const ast = item->expression;
    return ast->kind == AST_COLUMN ? ast->name.parts[ast->name.part_count - 1].text : NULL;
}

static enum oriel_status bind_items(struct binder *b, struct select *s) {
    s->frame.clause = "SELECT";
    for (uint32_t i = 0; i < s->query->items.count; i++) {
        const struct ast_select_item *const item = s->query->items.items[i];
        if (item->expression->kind == AST_STAR) {
            ORIEL_TRY(add_star(b, s, item->expression));
            continue;
        }
        struct oriel_expression *expression;
        ORIEL_TRY(oriel_bind_expression(b, &s->frame, item->expression, &expression));
        ORIEL_TRY(add_item(b, s, expression, item_name(item)));
    }
    s->item_count = s->items.count;
    return oriel_scope_uniquify(b, s->names, s->item_count);
}

/* The item of the select list that an ORDER BY expression means by number, alias or as a whole. */
static enum oriel_status find_order_item(struct binder *b, struct select *s,
                                         const struct ast_expression *ast, uint32_t *column) {
    if (ast->kind == AST_NUMBER)
        return oriel_bind_ordinal(b, ast, s->item_count, column);
    if (ast->kind == AST_COLUMN && ast->name.part_count == 1) {
        for (uint32_t i = 0; i < s->item_count; i++) {
            if (strcmp(s->names[i], ast->name.parts[0].text) == 0) {
                *column = i;
                return ORIEL_OK;
            }
        }
    }
    struct oriel_expression *expression;
    ORIEL_TRY(oriel_bind_expression(b, &s->frame, ast, &expression));
    for (uint32_t i = 0; i < s->items.count; i++) {
        if (oriel_expression_same(s->items.items[i], expression)) {
            *column = i;
            return ORIEL_OK;
        }
    }
    if (s->query->distinct)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "ORDER BY of a SELECT DISTINCT can only name what is selected");
    *column = s->items.count;
    return add_item(b, s, expression, "$order");
}

static enum oriel_status bind_order(struct binder *b, struct select *s) {
    s->frame.clause = "ORDER BY";
    s->sort_count = s->query->order_by.count;
    s->sorts = oriel_arena_allocate_zeroed(b->arena, (size_t)s->sort_count + 1, sizeof *s->sorts);
    if (!s->sorts)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < s->sort_count; i++) {
        const struct ast_order_item *const item = s->query->order_by.items[i];
        uint32_t column;
        ORIEL_TRY(find_order_item(b, s, item->expression, &column));
        s->sorts[i] = oriel_bind_sort_item(item, column);
    }
    return ORIEL_OK;
}

static enum oriel_status finish_group(struct binder *b, struct bind_group *group,
                                      struct oriel_plan **plan) {
    ORIEL_TRY(oriel_group_finish(b, group, plan));
    return oriel_group_join_values(b, group, plan);
}

/* Puts the nodes on top of each other. */
static enum oriel_status stack(struct binder *b, struct select *s, struct oriel_plan **out) {
    struct oriel_plan *plan = s->rows.plan;
    if (s->group)
        ORIEL_TRY(finish_group(b, s->group, &plan));
    if (s->having)
        plan = oriel_plan_make_filter(b->arena, plan, &s->having, 1);
    if (!plan)
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_over_finish(b, s->over, &plan));
    if (s->qualify)
        plan = oriel_plan_make_filter(b->arena, plan, &s->qualify, 1);
    if (plan)
        plan = oriel_plan_make_project(b->arena, plan, s->items.count, s->items.items, s->names);
    if (plan && s->query->distinct)
        plan = oriel_bind_distinct(b, plan);
    if (plan)
        plan = oriel_plan_make_sort(b->arena, plan, s->sort_count, s->sorts);
    if (plan && s->items.count > s->item_count) {
        uint32_t *const columns =
            oriel_arena_allocate_zeroed(b->arena, (size_t)s->item_count + 1, sizeof *columns);
        for (uint32_t i = 0; columns && i < s->item_count; i++)
            columns[i] = i;
        plan = columns ? oriel_plan_make_columns(b->arena, plan, s->item_count, columns) : NULL;
    }
    *out = plan;
    return plan ? oriel_bind_limit(b, s->query, out) : oriel_bind_memory(b);
}

/* Aliases stand for their items. */
/* Aliases stand for their items. */
static bool has_over(const struct ast_query *query, const struct ast_expression *ast) {
    if (ast->over)
        return true;
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        if (has_over(query, ast->arguments.items[i]))
            return true;
    }
    const bool is_name = ast->kind == AST_COLUMN && ast->name.part_count == 1;
    for (uint32_t i = 0; is_name && i < query->items.count; i++) {
        const struct ast_select_item *const item = query->items.items[i];
        if (item->alias && item->expression &&
            strcmp(item->alias->text, ast->name.parts[0].text) == 0)
            return item->expression->over != NULL;
    }
    return false;
}

static enum oriel_status bind_qualify(struct binder *b, struct select *s) {
    const struct ast_expression *const ast = s->query->qualify;
    s->frame.clause = "QUALIFY";
    s->frame.aliases = s->query;
    ORIEL_TRY(oriel_bind_condition(b, &s->frame, ast, &s->qualify));
    s->frame.aliases = NULL;
    if (!has_over(s->query, ast))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "QUALIFY expression must contain a window function, such as "
                              "ROW_NUMBER() OVER (...); other conditions stand in WHERE");
    return ORIEL_OK;
}

static enum oriel_status bind_select(struct binder *b, const struct ast_query *query,
                                     struct oriel_plan **out) {
    struct select s = {.query = query};
    ORIEL_TRY(oriel_bind_check_columns(b, query->items.count, query->position));
    ORIEL_TRY(oriel_bind_source(b, query, NULL, NULL, &s.rows));
    if (oriel_bind_is_grouped(query))
        ORIEL_TRY(oriel_bind_group(b, query, &s.rows, &s.group));
    s.over = oriel_over_make(b, query);
    if (!s.over)
        return oriel_bind_memory(b);
    s.frame = (struct bind_frame){
        .scope = &s.rows.scope, .group = s.group, .over = s.over, .rows = s.group ? NULL : &s.rows};
    ORIEL_TRY(bind_items(b, &s));
    if (query->having) {
        struct bind_frame frame = {.scope = &s.rows.scope, .group = s.group, .clause = "HAVING"};
        ORIEL_TRY(oriel_bind_condition(b, &frame, query->having, &s.having));
    }
    if (query->qualify)
        ORIEL_TRY(bind_qualify(b, &s));
    ORIEL_TRY(bind_order(b, &s));
    return stack(b, &s, out);
}

static enum oriel_status bind_body(struct binder *b, const struct ast_query *query,
                                   struct oriel_plan **out) {
    switch (query->kind) {
    case AST_QUERY_SELECT: return bind_select(b, query, out);
    case AST_QUERY_VALUES: ORIEL_TRY(oriel_bind_values(b, query, out)); break;
    default: ORIEL_TRY(oriel_bind_set(b, query, out)); break;
    }
    ORIEL_TRY(oriel_bind_order_output(b, query, out));
    return oriel_bind_limit(b, query, out);
}

enum oriel_status oriel_bind_rows(struct binder *b, const struct ast_query *query,
                                  struct oriel_plan **out) {
    if (b->depth >= ORIEL_BIND_DEPTH_MAX)
        return oriel_error_at(b->error, ORIEL_INVALID, query->position,
                              "Queries and views are nested deeper than %d levels",
                              ORIEL_BIND_DEPTH_MAX);
    /* Views of views may multiply; the user can stop that. */
    ORIEL_TRY(oriel_runtime_check(b->runtime, b->error));
    const struct bind_with *const outside = b->with;
    for (uint32_t i = 0; i < query->with.count; i++) {
        struct bind_with *const entry = oriel_arena_allocate(b->arena, sizeof *entry);
        if (!entry)
            return oriel_bind_memory(b);
        *entry = (struct bind_with){query->with.items[i], b->with};
        b->with = entry;
    }
    b->depth++;
    const enum oriel_status status = bind_body(b, query, out);
    b->depth--;
    b->with = outside;
    return status;
}
