/*
 * Conditions sink: through projections, below window functions that they do not concern, into both
 * sides of joins and all sides of unions; a condition on a rank becomes its range.
 */
#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/rewrite.h"

enum { PUSHED_NODES_MAX = 500 };

static enum oriel_status push(struct binder *b, struct oriel_plan **plan,
                              const struct oriel_conditions *conditions);

static bool is_true(const struct oriel_expression *condition) {
    return condition->kind == ORIEL_EXPRESSION_CONSTANT &&
           !oriel_expression_is_null_constant(condition) &&
           *(const int8_t *)condition->constant.values;
}

/* Leaves the conditions here, on top of `plan`. */
static enum oriel_status place(struct binder *b, struct oriel_plan **plan,
                               const struct oriel_conditions *conditions) {
    struct oriel_conditions kept = {0};
    for (uint32_t i = 0; i < conditions->count; i++) {
        if (!is_true(conditions->items[i]) &&
            !oriel_conditions_add(&kept, b->arena, conditions->items[i]))
            return oriel_bind_memory(b);
    }
    *plan = oriel_plan_make_filter(b->arena, *plan, kept.items, kept.count);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status add(struct binder *b, struct oriel_conditions *list,
                             struct oriel_expression *condition) {
    return condition && oriel_conditions_add(list, b->arena, condition) ? ORIEL_OK
                                                                        : oriel_bind_memory(b);
}

/* Marks which columns of `plan` a condition uses. */
static bool *used_columns(struct binder *b, const struct oriel_plan *plan,
                          const struct oriel_expression *condition) {
    bool *const used =
        oriel_arena_allocate_zeroed(b->arena, (size_t)plan->schema.field_count + 1, sizeof *used);
    if (used)
        oriel_expression_mark(condition, used);
    return used;
}

/* A condition that names a large expression often would multiply on its way down. */
static enum oriel_status stays_small(struct binder *b, const struct oriel_plan *project,
                                     const struct oriel_expression *condition, bool *out) {
    const uint32_t count = project->schema.field_count;
    uint32_t *const uses = oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *uses);
    if (!uses)
        return oriel_bind_memory(b);
    oriel_expression_count_uses(condition, uses);
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < count; i++)
        nodes += (uint64_t)uses[i] *
                 oriel_expression_count_nodes(project->project.expressions[i], PUSHED_NODES_MAX);
    *out = nodes < PUSHED_NODES_MAX;
    return ORIEL_OK;
}

static enum oriel_status push_project(struct binder *b, struct oriel_plan **plan,
                                      const struct oriel_conditions *conditions) {
    struct oriel_plan *const project = *plan;
    struct oriel_conditions below = {0}, here = {0};
    for (uint32_t i = 0; i < conditions->count; i++) {
        bool fits = false;
        ORIEL_TRY(stays_small(b, project, conditions->items[i], &fits));
        if (!fits) {
            ORIEL_TRY(add(b, &here, conditions->items[i]));
            continue;
        }
        struct oriel_expression *const moved = oriel_expression_substitute(
            b->arena, conditions->items[i], project->project.expressions);
        if (!moved)
            return oriel_bind_memory(b);
        if (oriel_expression_is_volatile(moved))
            ORIEL_TRY(add(b, &here, conditions->items[i]));
        else
            ORIEL_TRY(add(b, &below, moved));
    }
    ORIEL_TRY(push(b, &project->inputs[0], &below));
    return place(b, plan, &here);
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == value)
            return true;
    }
    return false;
}

/* Whether all used columns are among `columns`. */
static enum oriel_status uses_only(struct binder *b, const struct oriel_plan *plan,
                                   const struct oriel_expression *condition,
                                   const uint32_t *columns, uint32_t count, bool *out) {
    const bool *const used = used_columns(b, plan, condition);
    if (!used)
        return oriel_bind_memory(b);
    *out = !oriel_expression_is_volatile(condition);
    for (uint32_t i = 0; i < plan->schema.field_count; i++)
        *out &= !used[i] || is_listed(columns, count, i);
    return ORIEL_OK;
}

/* Rows that a condition on other columns drops need no window. Sessions are made by all rows of a
 * key, so only whole keys may be dropped before. */
static enum oriel_status push_window(struct binder *b, struct oriel_plan **plan,
                                     const struct oriel_conditions *conditions) {
    struct oriel_plan *const node = *plan;
    const struct oriel_window *const window = &node->window.window;
    const uint32_t own = node->inputs[0]->schema.field_count;
    struct oriel_conditions below = {0}, here = {0};
    for (uint32_t i = 0; i < conditions->count; i++) {
        struct oriel_expression *const condition = conditions->items[i];
        bool sinks =
            oriel_expression_within(condition, 0, own) && !oriel_expression_is_volatile(condition);
        if (window->kind == ORIEL_WINDOW_SESSION)
            ORIEL_TRY(uses_only(b, node, condition, window->keys, window->key_count, &sinks));
        ORIEL_TRY(add(b, sinks ? &below : &here, condition));
    }
    ORIEL_TRY(push(b, &node->inputs[0], &below));
    return place(b, plan, &here);
}

/* A condition on the row itself holds for all of its elements. */
static enum oriel_status push_unnest(struct binder *b, struct oriel_plan **plan,
                                     const struct oriel_conditions *conditions) {
    struct oriel_plan *const input = (*plan)->inputs[0];
    struct oriel_conditions below = {0}, here = {0};
    for (uint32_t i = 0; i < conditions->count; i++) {
        struct oriel_expression *const condition = conditions->items[i];
        const bool sinks = oriel_expression_within(condition, 0, input->schema.field_count) &&
                           !oriel_expression_is_volatile(condition);
        ORIEL_TRY(add(b, sinks ? &below : &here, condition));
    }
    ORIEL_TRY(push(b, &(*plan)->inputs[0], &below));
    return place(b, plan, &here);
}

/* Conditions on keys hold for whole groups. Those on windows stay above, where they do not stand
 * between the aggregation and its window function. */
static enum oriel_status push_aggregate(struct binder *b, struct oriel_plan **plan,
                                        const struct oriel_conditions *conditions) {
    struct oriel_plan *const node = *plan;
    const uint32_t key_count = node->aggregate.key_count;
    struct oriel_conditions below = {0}, here = {0};
    uint32_t *const plain =
        oriel_arena_allocate_zeroed(b->arena, (size_t)key_count + 1, sizeof *plain);
    uint32_t *const map =
        oriel_arena_allocate_zeroed(b->arena, (size_t)node->schema.field_count + 1, sizeof *map);
    if (!plain || !map)
        return oriel_bind_memory(b);
    uint32_t plain_count = 0;
    for (uint32_t k = 0; k < key_count; k++) {
        map[k] = node->aggregate.keys[k].column;
        if (oriel_plan_column_role(node, k) == ORIEL_ROLE_NONE)
            plain[plain_count++] = k;
    }
    for (uint32_t i = 0; i < conditions->count; i++) {
        bool sinks = false;
        if (node->aggregate.set_count == 1 && !node->aggregate.global)
            ORIEL_TRY(uses_only(b, node, conditions->items[i], plain, plain_count, &sinks));
        if (sinks)
            ORIEL_TRY(add(b, &below, oriel_expression_remap(b->arena, conditions->items[i], map)));
        else
            ORIEL_TRY(add(b, &here, conditions->items[i]));
    }
    ORIEL_TRY(push(b, &node->inputs[0], &below));
    return place(b, plan, &here);
}

/* rank <= n and its like, also mirrored; false for anything else. */
static bool take_range(struct oriel_plan *rank, const struct oriel_expression *condition) {
    static const char *const names[] = {"=", "<", "<=", ">", ">="};
    static const char *const mirrored[] = {"=", ">", ">=", "<", "<="};
    if (condition->kind != ORIEL_EXPRESSION_CALL || condition->argument_count != 2)
        return false;
    const uint32_t rank_column = rank->schema.field_count - 1;
    int64_t value;
    const char *name = condition->call->function->name;
    const struct oriel_expression *column = condition->arguments[0];
    const struct oriel_expression *constant = condition->arguments[1];
    const bool swapped = column->kind != ORIEL_EXPRESSION_COLUMN;
    if (swapped) {
        column = condition->arguments[1];
        constant = condition->arguments[0];
    }
    if (column->kind != ORIEL_EXPRESSION_COLUMN || column->column != rank_column ||
        !oriel_expression_integer(constant, &value))
        return false;
    for (size_t i = 0; swapped && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            name = mirrored[i];
            break;
        }
    }
    int64_t low = INT64_MIN, high = INT64_MAX;
    if (strcmp(name, "=") == 0)
        low = high = value;
    else if (strcmp(name, "<") == 0)
        high = value > INT64_MIN ? value - 1 : value;
    else if (strcmp(name, "<=") == 0)
        high = value;
    else if (strcmp(name, ">") == 0 && value < INT64_MAX)
        low = value + 1;
    else if (strcmp(name, ">=") == 0)
        low = value;
    else
        return false;
    if (low > rank->rank.low)
        rank->rank.low = low;
    if (high < rank->rank.high)
        rank->rank.high = high;
    return true;
}

static enum oriel_status push_rank(struct binder *b, struct oriel_plan **plan,
                                   const struct oriel_conditions *conditions) {
    struct oriel_plan *const node = *plan;
    struct oriel_conditions below = {0}, here = {0};
    for (uint32_t i = 0; i < conditions->count; i++) {
        if (take_range(node, conditions->items[i]))
            continue;
        bool sinks;
        ORIEL_TRY(uses_only(b, node, conditions->items[i], node->rank.partition,
                            node->rank.partition_count, &sinks));
        /* Conditions on the window stay where they do not part a rank from its aggregation. */
        ORIEL_TRY(add(b, sinks ? &below : &here, conditions->items[i]));
    }
    ORIEL_TRY(push(b, &node->inputs[0], &below));
    return place(b, plan, &here);
}

static enum oriel_status push_union(struct binder *b, struct oriel_plan **plan,
                                    const struct oriel_conditions *conditions) {
    for (uint32_t i = 0; i < (*plan)->input_count; i++)
        ORIEL_TRY(push(b, &(*plan)->inputs[i], conditions));
    return ORIEL_OK;
}

/* Where conditions go at a join. */
struct join_lists {
    struct oriel_conditions left, right, on, above;
    uint32_t *right_map; /* from join column to right column */
    uint32_t left_count, total;
};

static enum oriel_status add_right(struct binder *b, struct join_lists *lists,
                                   struct oriel_expression *condition) {
    return add(b, &lists->right, oriel_expression_remap(b->arena, condition, lists->right_map));
}

static enum oriel_status sort_where(struct binder *b, enum oriel_join_kind kind,
                                    struct join_lists *lists, struct oriel_expression *condition) {
    if (oriel_expression_is_volatile(condition))
        return add(b, &lists->above, condition);
    if (oriel_expression_within(condition, 0, lists->left_count))
        return add(
            b, kind == ORIEL_JOIN_RIGHT || kind == ORIEL_JOIN_FULL ? &lists->above : &lists->left,
            condition);
    if (kind == ORIEL_JOIN_INNER || kind == ORIEL_JOIN_RIGHT) {
        if (oriel_expression_within(condition, lists->left_count, lists->total))
            return add_right(b, lists, condition);
        if (kind == ORIEL_JOIN_INNER)
            return add(b, &lists->on, condition);
    }
    return add(b, &lists->above, condition);
}

static enum oriel_status sort_on(struct binder *b, const struct oriel_plan *join,
                                 struct join_lists *lists, struct oriel_expression *condition) {
    const enum oriel_join_kind kind = join->join.kind;
    if (join->join.null_aware || oriel_expression_is_volatile(condition))
        return add(b, &lists->on, condition);
    if (oriel_expression_within(condition, 0, lists->left_count)) {
        const bool sinks =
            kind == ORIEL_JOIN_INNER || kind == ORIEL_JOIN_SEMI || kind == ORIEL_JOIN_RIGHT;
        return add(b, sinks ? &lists->left : &lists->on, condition);
    }
    if (oriel_expression_within(condition, lists->left_count, lists->total) &&
        kind != ORIEL_JOIN_RIGHT && kind != ORIEL_JOIN_FULL)
        return add_right(b, lists, condition);
    return add(b, &lists->on, condition);
}

static enum oriel_status push_join(struct binder *b, struct oriel_plan **plan,
                                   const struct oriel_conditions *conditions) {
    struct oriel_plan *const join = *plan;
    struct join_lists lists = {.left_count = join->inputs[0]->schema.field_count};
    lists.total = lists.left_count + join->inputs[1]->schema.field_count;
    lists.right_map =
        oriel_arena_allocate_zeroed(b->arena, (size_t)lists.total + 1, sizeof *lists.right_map);
    if (!lists.right_map)
        return oriel_bind_memory(b);
    for (uint32_t i = lists.left_count; i < lists.total; i++)
        lists.right_map[i] = i - lists.left_count;
    struct oriel_conditions on = {0};
    if (join->join.residual)
        ORIEL_TRY(add(b, &on, join->join.residual));
    for (uint32_t i = 0; i < on.count; i++)
        ORIEL_TRY(sort_on(b, join, &lists, on.items[i]));
    for (uint32_t i = 0; i < conditions->count; i++)
        ORIEL_TRY(sort_where(b, join->join.kind, &lists, conditions->items[i]));
    ORIEL_TRY(push(b, &join->inputs[0], &lists.left));
    ORIEL_TRY(push(b, &join->inputs[1], &lists.right));
    /* Joins of INTERSECT and EXCEPT come with their keys. */
    if (!join->join.key_count)
        ORIEL_TRY(oriel_rewrite_join_keys(b, plan, &lists.on));
    return place(b, plan, &lists.above);
}

static enum oriel_status push(struct binder *b, struct oriel_plan **plan,
                              const struct oriel_conditions *conditions) {
    static const struct oriel_conditions none = {0};
    struct oriel_plan *const node = *plan;
    switch (node->kind) {
    case ORIEL_PLAN_FILTER: {
        struct oriel_conditions all = {0};
        ORIEL_TRY(add(b, &all, node->filter.condition));
        for (uint32_t i = 0; i < conditions->count; i++)
            ORIEL_TRY(add(b, &all, conditions->items[i]));
        *plan = node->inputs[0];
        return push(b, plan, &all);
    }
    case ORIEL_PLAN_PROJECT:
        if (node->project.requires_time) /* of rows that are filtered out too */
            break;
        return push_project(b, plan, conditions);
    case ORIEL_PLAN_WINDOW: return push_window(b, plan, conditions);
    case ORIEL_PLAN_UNNEST: return push_unnest(b, plan, conditions);
    case ORIEL_PLAN_AGGREGATE: return push_aggregate(b, plan, conditions);
    case ORIEL_PLAN_RANK: return push_rank(b, plan, conditions);
    case ORIEL_PLAN_UNION: return push_union(b, plan, conditions);
    case ORIEL_PLAN_JOIN: return push_join(b, plan, conditions);
    case ORIEL_PLAN_SORT:
        if (node->sort.limit == INT64_MAX)
            return push(b, &node->inputs[0], conditions);
        break;
    case ORIEL_PLAN_SCAN:
    case ORIEL_PLAN_VALUES:
    case ORIEL_PLAN_OVER: /* rows that are filtered out still count in the frames of others */
    case ORIEL_PLAN_LIMIT: break;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        ORIEL_TRY(push(b, &node->inputs[i], &none));
    return place(b, plan, conditions);
}

enum oriel_status oriel_rewrite_filters(struct binder *b, struct oriel_plan **plan) {
    static const struct oriel_conditions none = {0};
    return push(b, plan, &none);
}
