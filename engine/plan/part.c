/*
 * Finds the aggregation of a query that can run in parts.
 */
#include "engine/plan/part.h"

#include "engine/plan/plan_node.h"

static enum oriel_status refuse(const struct oriel_plan *plan, const char *what,
                                struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, plan->position,
                          "a query with %s cannot be run in parts", what);
}

/* What of a node needs all rows at once; NULL when it takes them one by one. */
static const char *blocking_name(const struct oriel_plan *plan) {
    switch (plan->kind) {
    case ORIEL_PLAN_RANK: return "a rank below its aggregation";
    case ORIEL_PLAN_SORT: return "ORDER BY below its aggregation";
    case ORIEL_PLAN_LIMIT: return "LIMIT below its aggregation";
    case ORIEL_PLAN_JOIN: return "a join";
    case ORIEL_PLAN_OVER: return "OVER below its aggregation";
    case ORIEL_PLAN_UNION: return "a UNION";
    case ORIEL_PLAN_WINDOW:
        return plan->window.window.kind == ORIEL_WINDOW_SESSION
                   ? "sessions whose rows are looked at one by one"
                   : NULL;
    default: return NULL;
    }
}

enum oriel_status oriel_part_find(struct oriel_plan *plan, struct oriel_plan **out,
                                  struct oriel_error *error) {
    *out = NULL;
    for (struct oriel_plan *node = plan;; node = node->inputs[0]) {
        if (node->input_count > 1)
            return refuse(node, blocking_name(node), error);
        if (node->kind == ORIEL_PLAN_AGGREGATE)
            *out = node;
        if (!node->input_count)
            break;
    }
    if (!*out)
        return refuse(plan, "no aggregation", error);
    for (const struct oriel_plan *node = (*out)->inputs[0];; node = node->inputs[0]) {
        const char *name = blocking_name(node);
        if (name)
            return refuse(node, name, error);
        if (!node->input_count)
            return ORIEL_OK;
    }
}

enum oriel_status oriel_part_schema(const struct oriel_plan *plan, struct oriel_arena *arena,
                                    struct oriel_schema *out, struct oriel_error *error) {
    const struct oriel_schema input = plan->inputs[0]->schema;
    const uint32_t room = plan->aggregate.key_count + plan->aggregate.aggregate_count + 3;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, room, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t k = 0; k < plan->aggregate.key_count; k++) {
        if (plan->aggregate.keys[k].kind == ORIEL_KEY_COLUMN)
            fields[count++] = input.fields[plan->aggregate.keys[k].column];
    }
    if (plan->aggregate.set_count > 1)
        fields[count++] = (struct oriel_field){"grouping set", oriel_type_make(ORIEL_TYPE_INT)};
    fields[count++] = (struct oriel_field){"time", oriel_type_make(ORIEL_TYPE_BIGINT)};
    fields[count++] = (struct oriel_field){"last time", oriel_type_make(ORIEL_TYPE_BIGINT)};
    for (uint32_t a = 0; a < plan->aggregate.aggregate_count; a++) {
        const struct oriel_aggregate_call *call = &plan->aggregate.aggregates[a];
        fields[count].name = oriel_arena_print(arena, "%u %s", a, call->function->name);
        fields[count].type = oriel_type_make(ORIEL_TYPE_VARBINARY);
        fields[count].type.length = ORIEL_LENGTH_MAX;
        if (!fields[count++].name)
            return oriel_error_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) {
        fields[i].type.nullable = true;
        fields[i].type.rowtime = false;
    }
    *out = (struct oriel_schema){count, fields};
    return ORIEL_OK;
}
