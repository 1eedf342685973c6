/*
 * What GROUP BY lists: expressions, GROUPING SETS, ROLLUP and CUBE, brought to keys and to sets of
 * them, a bit a key.
 */
#include "engine/plan/group.h"

/* A list of sets while it is made. */
struct set_list {
    uint32_t count;
    uint64_t *items;
};

static enum oriel_status add_set(struct binder *b, struct set_list *list, uint64_t set,
                                 struct oriel_position position) {
    if (list->count == ORIEL_GROUP_SETS_MAX)
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "GROUP BY has more than %d grouping sets", ORIEL_GROUP_SETS_MAX);
    list->items = oriel_plan_grow(b->arena, list->items, list->count, sizeof *list->items);
    if (!list->items)
        return oriel_bind_memory(b);
    list->items[list->count++] = set;
    return ORIEL_OK;
}

/* A group window function stands for its start, end and time. */
static enum oriel_status add_window_keys(struct binder *b, struct bind_group *group,
                                         uint64_t *set) {
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t column = group->window_columns[i];
        uint32_t key;
        struct oriel_expression *const expression = oriel_expression_column(
            b->arena, column, group->input->plan->schema.fields[column].type,
            group->window_call->position);
        if (!expression)
            return oriel_bind_memory(b);
        ORIEL_TRY(oriel_group_add_bound_key(b, group, group->window_keys[i], expression, &key));
        *set |= (uint64_t)1 << key;
    }
    return ORIEL_OK;
}

static enum oriel_status bind_item_set(struct binder *b, struct bind_group *group,
                                       const struct ast_grouping *grouping, uint64_t *set) {
    *set = 0;
    for (uint32_t i = 0; i < grouping->items.count; i++) {
        uint32_t key = 0;
        if (grouping->items.items[i] == group->window_call) {
            ORIEL_TRY(add_window_keys(b, group, set));
            continue;
        }
        ORIEL_TRY(oriel_group_add_key(b, group, grouping->items.items[i], &key));
        *set |= (uint64_t)1 << key;
    }
    return ORIEL_OK;
}

static enum oriel_status bind_grouping_sets(struct binder *b, struct bind_group *group,
                                            const struct ast_grouping *grouping,
                                            struct set_list *out);

/* (a, b) -> {ab, a, {}} and CUBE -> all subsets, of groups that may hold several expressions. */
static enum oriel_status bind_rollup_or_cube(struct binder *b, struct bind_group *group,
                                             const struct ast_grouping *grouping,
                                             struct set_list *out) {
    const uint32_t count = grouping->children.count;
    if (grouping->kind == AST_GROUPING_CUBE && count > 12)
        return oriel_error_at(b->error, ORIEL_INVALID, grouping->position,
                              "CUBE of %u expressions has more than %d grouping sets", count,
                              ORIEL_GROUP_SETS_MAX);
    uint64_t *const parts = oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(bind_item_set(b, group, grouping->children.items[i], &parts[i]));
    const uint32_t set_count =
        grouping->kind == AST_GROUPING_CUBE ? (uint32_t)1 << count : count + 1;
    for (uint32_t s = 0; s < set_count; s++) {
        uint64_t set = 0;
        for (uint32_t i = 0; i < count; i++) {
            const bool takes_part =
                grouping->kind == AST_GROUPING_CUBE ? !(s >> (count - 1 - i) & 1) : i < count - s;
            if (takes_part)
                set |= parts[i];
        }
        ORIEL_TRY(add_set(b, out, set, grouping->position));
    }
    return ORIEL_OK;
}

static enum oriel_status bind_grouping_sets(struct binder *b, struct bind_group *group,
                                            const struct ast_grouping *grouping,
                                            struct set_list *out) {
    if (grouping->kind == AST_GROUPING_EXPRESSION) {
        uint64_t set;
        ORIEL_TRY(bind_item_set(b, group, grouping, &set));
        return add_set(b, out, set, grouping->position);
    }
    if (grouping->kind != AST_GROUPING_SETS)
        return bind_rollup_or_cube(b, group, grouping, out);
    for (uint32_t i = 0; i < grouping->children.count; i++)
        ORIEL_TRY(bind_grouping_sets(b, group, grouping->children.items[i], out));
    return ORIEL_OK;
}

/* GROUP BY x, ROLLUP (a, b): every set of one with every set of the other. */
enum oriel_status oriel_group_bind_sets(struct binder *b, struct bind_group *group,
                                        const struct ast_query *query) {
    struct set_list all = {0};
    ORIEL_TRY(add_set(b, &all, 0, group->position));
    for (uint32_t i = 0; i < query->group_by.count; i++) {
        struct set_list next = {0}, product = {0};
        ORIEL_TRY(bind_grouping_sets(b, group, query->group_by.items[i], &next));
        for (uint32_t x = 0; x < all.count; x++) {
            for (uint32_t y = 0; y < next.count; y++)
                ORIEL_TRY(add_set(b, &product, all.items[x] | next.items[y], group->position));
        }
        all = product;
    }
    group->set_count = all.count;
    group->sets = all.items;
    return ORIEL_OK;
}
