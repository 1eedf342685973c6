/*
 * VALUES and the set operations: the columns of all sides are brought to common types and carry the
 * names of the first. INTERSECT and EXCEPT are joins of the distinct rows.
 */
#include "engine/functions/function.h"
#include "engine/plan/bind.h"

static enum oriel_status unify_column(struct binder *b, struct oriel_position position,
                                      uint32_t column, struct oriel_type next,
                                      struct oriel_type *type) {
    const bool nullable = type->nullable || next.nullable;
    const bool rowtime = type->rowtime && next.rowtime;
    const struct oriel_type before = *type;
    if (type->id == ORIEL_TYPE_NULL) {
        *type = next;
    } else if (next.id != ORIEL_TYPE_NULL && !oriel_type_unify(&before, &next, type)) {
        char one[96], other[96];
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "Type mismatch in column %u: %s and %s have no common type",
                              column + 1, oriel_type_print(&before, false, one, sizeof one),
                              oriel_type_print(&next, false, other, sizeof other));
    }
    type->nullable = nullable;
    type->rowtime = rowtime;
    return ORIEL_OK;
}

static struct oriel_type *unified_cells(struct binder *b, struct oriel_expression *const *cells,
                                        uint32_t row_count, uint32_t width,
                                        enum oriel_status *status) {
    struct oriel_type *const types =
        oriel_arena_allocate_zeroed(b->arena, (size_t)width + 1, sizeof *types);
    if (!types) {
        *status = oriel_bind_memory(b);
        return NULL;
    }
    for (uint32_t c = 0; c < width; c++) {
        types[c] = cells[c]->type;
        for (uint32_t r = 1; r < row_count; r++) {
            struct oriel_expression *const cell = cells[(size_t)r * width + c];
            *status = unify_column(b, cell->position, c, cell->type, &types[c]);
            if (*status != ORIEL_OK)
                return NULL;
        }
        types[c].rowtime = false;
    }
    *status = ORIEL_OK;
    return types;
}

/* Rows that are not all constant: a UNION ALL of projections over one row without columns. */
static enum oriel_status make_row_union(struct binder *b, struct oriel_plan *values,
                                        struct oriel_plan **out) {
    const uint32_t row_count = values->values.row_count, width = values->schema.field_count;
    const char **const names = oriel_arena_allocate_zeroed(b->arena, width + 1, sizeof *names);
    struct oriel_plan *const plan =
        oriel_plan_make(b->arena, ORIEL_PLAN_UNION, values->position, row_count);
    if (!names || !plan)
        return oriel_bind_memory(b);
    for (uint32_t c = 0; c < width; c++)
        names[c] = values->schema.fields[c].name;
    for (uint32_t r = 0; r < row_count; r++) {
        struct oriel_plan *const one =
            oriel_plan_make(b->arena, ORIEL_PLAN_VALUES, values->position, 0);
        if (!one)
            return oriel_bind_memory(b);
        one->values.row_count = 1;
        plan->inputs[r] = oriel_plan_make_project(b->arena, one, width,
                                                  values->values.cells + (size_t)r * width, names);
        if (!plan->inputs[r])
            return oriel_bind_memory(b);
    }
    plan->schema = values->schema;
    *out = plan;
    return ORIEL_OK;
}

static enum oriel_status bind_cells(struct binder *b, const struct ast_query *query, uint32_t width,
                                    struct oriel_expression **cells) {
    struct bind_scope empty = {0};
    struct bind_frame frame = {.scope = &empty, .clause = "VALUES"};
    for (uint32_t r = 0; r < query->rows.count; r++) {
        const struct ast_expression *const row = query->rows.items[r];
        if (row->arguments.count != width)
            return oriel_error_at(b->error, ORIEL_INVALID, row->position,
                                  "Values passed to VALUES operator must have compatible types: "
                                  "row %u has %u columns, row 1 has %u",
                                  r + 1, row->arguments.count, width);
        for (uint32_t c = 0; c < width; c++)
            ORIEL_TRY(oriel_bind_expression(b, &frame, row->arguments.items[c],
                                            &cells[(size_t)r * width + c]));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_bind_values(struct binder *b, const struct ast_query *query,
                                    struct oriel_plan **out) {
    const uint32_t row_count = query->rows.count;
    const uint32_t width = query->rows.items[0]->arguments.count;
    struct oriel_plan *const plan =
        oriel_plan_make(b->arena, ORIEL_PLAN_VALUES, query->position, 0);
    struct oriel_expression **const cells =
        oriel_arena_allocate_zeroed(b->arena, (size_t)row_count * width + 1, sizeof *cells);
    struct oriel_field *const fields =
        oriel_arena_allocate_zeroed(b->arena, (size_t)width + 1, sizeof *fields);
    if (!plan || !cells || !fields)
        return oriel_bind_memory(b);
    ORIEL_TRY(bind_cells(b, query, width, cells));
    enum oriel_status status;
    const struct oriel_type *const types = unified_cells(b, cells, row_count, width, &status);
    if (!types)
        return status;
    bool is_constant = true;
    for (size_t i = 0; i < (size_t)row_count * width; i++) {
        ORIEL_TRY(oriel_bind_cast(b, cells[i], types[i % width], &cells[i]));
        is_constant &= cells[i]->kind == ORIEL_EXPRESSION_CONSTANT;
    }
    for (uint32_t c = 0; c < width; c++) {
        fields[c].name = oriel_arena_print(b->arena, "EXPR$%u", c);
        fields[c].type = types[c];
        if (!fields[c].name)
            return oriel_bind_memory(b);
    }
    plan->schema = (struct oriel_schema){width, fields};
    plan->values.row_count = row_count;
    plan->values.cells = cells;
    *out = plan;
    return is_constant ? ORIEL_OK : make_row_union(b, plan, out);
}

/* The branches of a chain of UNION ALL, left to right. */
struct branch_list {
    uint32_t count;
    struct oriel_plan **items;
};

static bool is_plain_union(const struct ast_query *query) {
    return query->kind == AST_QUERY_UNION && query->all && !query->with.count &&
           !query->order_by.count && !query->limit && !query->offset;
}

static enum oriel_status add_branches(struct binder *b, const struct ast_query *query,
                                      struct branch_list *list);

static enum oriel_status add_branch(struct binder *b, const struct ast_query *query, bool flatten,
                                    struct branch_list *list) {
    if (flatten && is_plain_union(query))
        return add_branches(b, query, list);
    struct oriel_plan *plan;
    ORIEL_TRY(oriel_bind_rows(b, query, &plan));
    list->items = oriel_plan_grow(b->arena, list->items, list->count, sizeof *list->items);
    if (!list->items)
        return oriel_bind_memory(b);
    if (list->count && list->items[0]->schema.field_count != plan->schema.field_count)
        return oriel_error_at(b->error, ORIEL_INVALID, query->position,
                              "Column count mismatch in the set operation: %u and %u",
                              list->items[0]->schema.field_count, plan->schema.field_count);
    list->items[list->count++] = plan;
    return ORIEL_OK;
}

static enum oriel_status add_branches(struct binder *b, const struct ast_query *query,
                                      struct branch_list *list) {
    const bool is_union = query->kind == AST_QUERY_UNION;
    ORIEL_TRY(add_branch(b, query->left, is_union, list));
    ORIEL_TRY(add_branch(b, query->right, is_union, list));
    for (uint32_t i = 0; i < query->rest.count; i++)
        ORIEL_TRY(add_branch(b, query->rest.items[i], true, list));
    return ORIEL_OK;
}

/* Casts the columns of `plan` to the fields wanted. */
static enum oriel_status conform(struct binder *b, const struct oriel_field *fields,
                                 struct oriel_plan **plan) {
    const uint32_t count = (*plan)->schema.field_count;
    struct oriel_expression **const expressions =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *expressions);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *names);
    if (!expressions || !names)
        return oriel_bind_memory(b);
    bool is_same = true;
    for (uint32_t i = 0; i < count; i++) {
        const struct oriel_type type = (*plan)->schema.fields[i].type;
        struct oriel_expression *const column =
            oriel_expression_column(b->arena, i, type, (*plan)->position);
        if (!column)
            return oriel_bind_memory(b);
        is_same &= oriel_type_same(&type, &fields[i].type);
        ORIEL_TRY(oriel_bind_cast(b, column, fields[i].type, &expressions[i]));
        names[i] = fields[i].name;
    }
    if (is_same)
        return ORIEL_OK;
    *plan = oriel_plan_make_project(b->arena, *plan, count, expressions, names);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

/* Brings all branches to the same columns. */
static enum oriel_status unify_branches(struct binder *b, const struct ast_query *query,
                                        struct branch_list *list, struct oriel_schema *schema) {
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, list->items[0]->schema, 0);
    if (!fields)
        return oriel_bind_memory(b);
    const uint32_t width = list->items[0]->schema.field_count;
    for (uint32_t c = 0; c < width; c++) {
        for (uint32_t i = 1; i < list->count; i++)
            ORIEL_TRY(unify_column(b, query->position, c, list->items[i]->schema.fields[c].type,
                                   &fields[c].type));
    }
    for (uint32_t i = 0; i < list->count; i++)
        ORIEL_TRY(conform(b, fields, &list->items[i]));
    *schema = (struct oriel_schema){width, fields};
    return ORIEL_OK;
}

/* The rows with a number behind, counted among equal rows. */
static struct oriel_plan *number_rows(struct binder *b, struct oriel_plan *input) {
    const uint32_t width = input->schema.field_count;
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_RANK, input->position, 1);
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, input->schema, 1);
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)width + 1, sizeof *columns);
    if (!plan || !fields || !columns)
        return NULL;
    for (uint32_t c = 0; c < width; c++)
        columns[c] = c;
    fields[width] = (struct oriel_field){
        "$rank", oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false)};
    plan->inputs[0] = input;
    plan->schema = (struct oriel_schema){width + 1, fields};
    plan->rank.function = ORIEL_RANK_ROW_NUMBER;
    plan->rank.partition_count = width;
    plan->rank.partition = columns;
    plan->rank.low = 1;
    plan->rank.high = INT64_MAX;
    plan->rank.order_count = width;
    plan->rank.order = columns;
    return plan;
}

/* Rows of the left side that are (INTERSECT) or are not (EXCEPT) on the right, once each; with ALL
 * the n-th of equal rows meets the n-th of the other side. */
static enum oriel_status make_set_join(struct binder *b, const struct ast_query *query,
                                       struct oriel_plan *left, struct oriel_plan *right,
                                       struct oriel_plan **out) {
    const uint32_t own = left->schema.field_count, width = own + (query->all ? 1 : 0);
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_JOIN, query->position, 2);
    uint32_t *const keys = oriel_arena_allocate_zeroed(b->arena, (size_t)width + 1, sizeof *keys);
    bool *const matches = oriel_arena_allocate_zeroed(b->arena, (size_t)width + 1, sizeof *matches);
    left = query->all ? number_rows(b, left) : oriel_bind_distinct(b, left);
    if (query->all)
        right = number_rows(b, right);
    if (!plan || !keys || !matches || !left || !right)
        return oriel_bind_memory(b);
    for (uint32_t c = 0; c < width; c++) {
        keys[c] = c;
        matches[c] = true;
    }
    plan->inputs[0] = left;
    plan->inputs[1] = right;
    plan->schema = left->schema;
    plan->join.kind = query->kind == AST_QUERY_INTERSECT ? ORIEL_JOIN_SEMI : ORIEL_JOIN_ANTI;
    plan->join.key_count = width;
    plan->join.left_keys = keys;
    plan->join.right_keys = keys;
    plan->join.null_matches = matches;
    *out = query->all ? oriel_plan_make_columns(b->arena, plan, own, keys) : plan;
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

enum oriel_status oriel_bind_set(struct binder *b, const struct ast_query *query,
                                 struct oriel_plan **out) {
    const bool is_union = query->kind == AST_QUERY_UNION;
    struct branch_list list = {0};
    struct oriel_schema schema;
    ORIEL_TRY(add_branches(b, query, &list));
    ORIEL_TRY(unify_branches(b, query, &list, &schema));
    if (!is_union)
        return make_set_join(b, query, list.items[0], list.items[1], out);
    struct oriel_plan *const plan =
        oriel_plan_make(b->arena, ORIEL_PLAN_UNION, query->position, list.count);
    if (!plan)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < list.count; i++)
        plan->inputs[i] = list.items[i];
    plan->schema = schema;
    *out = query->all ? plan : oriel_bind_distinct(b, plan);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}
