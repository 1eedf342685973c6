/*
 * A sub-query as a value: its one row is joined to every row of the query around it; no row gives
 * NULL.
 */
#include "engine/plan/bind.h"

#include <string.h>

/* What the form of a plan says of its rows. */
struct row_bounds {
    bool at_most_one, at_least_one;
};

static struct row_bounds row_bounds(const struct oriel_plan *plan) {
    struct row_bounds below = {false, false};
    switch (plan->kind) {
    case ORIEL_PLAN_AGGREGATE:
        return (struct row_bounds){plan->aggregate.global, plan->aggregate.global};
    case ORIEL_PLAN_VALUES:
        return (struct row_bounds){plan->values.row_count <= 1, plan->values.row_count >= 1};
    case ORIEL_PLAN_PROJECT:
    case ORIEL_PLAN_SORT: return row_bounds(plan->inputs[0]);
    case ORIEL_PLAN_FILTER:
        below.at_most_one = row_bounds(plan->inputs[0]).at_most_one;
        return below;
    case ORIEL_PLAN_LIMIT:
        below.at_most_one = plan->limit.limit <= 1 || row_bounds(plan->inputs[0]).at_most_one;
        return below;
    default: return below;
    }
}

static enum oriel_status join_value(struct binder *b, struct bind_rows *rows,
                                    struct oriel_plan *value, bool at_least_one) {
    struct oriel_plan *const plan = oriel_plan_make(b->arena, ORIEL_PLAN_JOIN, value->position, 2);
    const uint32_t left_count = rows->plan->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, rows->plan->schema, 1);
    if (!plan || !fields)
        return oriel_bind_memory(b);
    fields[left_count] = value->schema.fields[0];
    fields[left_count].type.nullable |= !at_least_one;
    fields[left_count].type.rowtime = false;
    plan->inputs[0] = rows->plan;
    plan->inputs[1] = value;
    plan->schema = (struct oriel_schema){left_count + 1, fields};
    plan->join.kind = at_least_one ? ORIEL_JOIN_INNER : ORIEL_JOIN_LEFT;
    rows->plan = plan;
    return ORIEL_OK;
}

enum oriel_status oriel_bind_scalar(struct binder *b, struct bind_frame *frame,
                                    const struct ast_expression *ast,
                                    struct oriel_expression **out) {
    struct oriel_plan *value;
    const struct bind_scope *const enclosing = b->enclosing;
    b->enclosing = frame->scope;
    const enum oriel_status status = oriel_bind_rows(b, ast->query, &value);
    b->enclosing = enclosing;
    if (status != ORIEL_OK)
        return status;
    if (value->schema.field_count != 1)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "A sub-query as a value must have one column, but has %u",
                              value->schema.field_count);
    if (!frame->rows)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, ast->position,
                              "A sub-query as a value can so far stand in WHERE and in a SELECT "
                              "without GROUP BY, not here in %s",
                              frame->clause);
    const struct row_bounds bounds = row_bounds(value);
    if (!bounds.at_most_one)
        return oriel_error_at(b->error, ORIEL_UNSUPPORTED, ast->position,
                              "A sub-query as a value can so far be run only where its form says "
                              "that it has one row: an aggregate without GROUP BY, or LIMIT 1");
    const uint32_t column = frame->rows->plan->schema.field_count;
    ORIEL_TRY(join_value(b, frame->rows, value, bounds.at_least_one));
    *out = oriel_expression_column(b->arena, column, frame->rows->plan->schema.fields[column].type,
                                   ast->position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}
