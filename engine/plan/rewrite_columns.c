/*
 * Unused columns are left out, from the root down: every node is told which of its columns are
 * needed, says where they are now, and may keep others that it needs itself. Projections that only
 * pick columns dissolve. A scan so reads, and a sort carries, only what counts.
 */
#include <string.h>

#include "engine/plan/rewrite.h"

static const uint32_t gone = UINT32_MAX;

/* `need` has a flag for each field of the plan; *map says where each needed field is afterwards. */
static enum oriel_status narrow(struct binder *b, struct oriel_plan **plan, const bool *need,
                                uint32_t **map);

static bool *make_flags(struct binder *b, uint32_t count) {
    return oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof(bool));
}

static uint32_t *make_map(struct binder *b, uint32_t count) {
    uint32_t *const map = oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *map);
    for (uint32_t i = 0; map && i < count; i++)
        map[i] = gone;
    return map;
}

static uint32_t *moved_list(struct binder *b, const uint32_t *columns, uint32_t count,
                            const uint32_t *map) {
    uint32_t *const out = oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *out);
    for (uint32_t i = 0; out && i < count; i++)
        out[i] = map[columns[i]];
    return out;
}

static struct oriel_sort_item *moved_items(struct binder *b, const struct oriel_sort_item *items,
                                           uint32_t count, const uint32_t *map) {
    struct oriel_sort_item *const out =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *out);
    for (uint32_t i = 0; out && i < count; i++) {
        out[i] = items[i];
        out[i].column = map[items[i].column];
    }
    return out;
}

static enum oriel_status narrow_scan(struct binder *b, struct oriel_plan *node,
                                     const bool *needed_above, uint32_t **map) {
    const uint32_t count = node->schema.field_count;
    bool *const need = make_flags(b, count);
    struct oriel_field *const fields =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *fields);
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *columns);
    *map = make_map(b, count);
    if (!need || !fields || !columns || !*map)
        return oriel_bind_memory(b);
    memcpy(need, needed_above, count * sizeof *need);
    if (node->scan.watermark)
        oriel_expression_mark(node->scan.watermark, need);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!need[i])
            continue;
        (*map)[i] = kept;
        fields[kept] = node->schema.fields[i];
        columns[kept++] = node->scan.columns[i];
    }
    node->schema = (struct oriel_schema){kept, fields};
    node->scan.columns = columns;
    if (!node->scan.watermark)
        return ORIEL_OK;
    node->scan.watermark = oriel_expression_remap(b->arena, node->scan.watermark, *map);
    return node->scan.watermark ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status narrow_values(struct binder *b, struct oriel_plan *node, uint32_t **map) {
    *map = make_map(b, node->schema.field_count);
    for (uint32_t i = 0; *map && i < node->schema.field_count; i++)
        (*map)[i] = i;
    return *map ? ORIEL_OK : oriel_bind_memory(b);
}

/* FILTER, SORT and LIMIT: the columns of the input, those of their own use too. */
static enum oriel_status narrow_over(struct binder *b, struct oriel_plan *node, const bool *need,
                                     uint32_t **map) {
    const uint32_t count = node->schema.field_count;
    bool *const wanted = make_flags(b, count);
    if (!wanted)
        return oriel_bind_memory(b);
    memcpy(wanted, need, count * sizeof *wanted);
    if (node->kind == ORIEL_PLAN_FILTER)
        oriel_expression_mark(node->filter.condition, wanted);
    if (node->kind == ORIEL_PLAN_SORT) {
        for (uint32_t i = 0; i < node->sort.item_count; i++)
            wanted[node->sort.items[i].column] = true;
    }
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, map));
    node->schema = node->inputs[0]->schema;
    if (node->kind == ORIEL_PLAN_FILTER) {
        node->filter.condition = oriel_expression_remap(b->arena, node->filter.condition, *map);
        return node->filter.condition ? ORIEL_OK : oriel_bind_memory(b);
    }
    if (node->kind == ORIEL_PLAN_SORT) {
        node->sort.items = moved_items(b, node->sort.items, node->sort.item_count, *map);
        return node->sort.items ? ORIEL_OK : oriel_bind_memory(b);
    }
    return ORIEL_OK;
}

static enum oriel_status narrow_project(struct binder *b, struct oriel_plan **plan,
                                        const bool *needed_above, uint32_t **map) {
    struct oriel_plan *const node = *plan;
    const uint32_t count = node->schema.field_count;
    const bool requires_time = node->project.requires_time;
    const uint32_t time_column = node->project.time_column;
    bool *const need = make_flags(b, count);
    bool *const wanted = make_flags(b, node->inputs[0]->schema.field_count);
    struct oriel_expression **const kept_expressions =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *kept_expressions);
    const char **const names =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *names);
    uint32_t *below;
    *map = make_map(b, count);
    if (!need || !wanted || !kept_expressions || !names || !*map)
        return oriel_bind_memory(b);
    bool picks_only = !requires_time;
    for (uint32_t i = 0; i < count; i++) {
        need[i] = needed_above[i] || (requires_time && i == time_column);
        if (!need[i])
            continue;
        oriel_expression_mark(node->project.expressions[i], wanted);
        picks_only &= node->project.expressions[i]->kind == ORIEL_EXPRESSION_COLUMN;
    }
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &below));
    if (picks_only) {
        for (uint32_t i = 0; i < count; i++) {
            if (need[i])
                (*map)[i] = below[node->project.expressions[i]->column];
        }
        *plan = node->inputs[0];
        return ORIEL_OK;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!need[i])
            continue;
        kept_expressions[kept] =
            oriel_expression_remap(b->arena, node->project.expressions[i], below);
        if (!kept_expressions[kept])
            return oriel_bind_memory(b);
        names[kept] = node->schema.fields[i].name;
        (*map)[i] = kept++;
    }
    *plan = oriel_plan_make_project(b->arena, node->inputs[0], kept, kept_expressions, names);
    if (!*plan)
        return oriel_bind_memory(b);
    (*plan)->project.requires_time = requires_time;
    (*plan)->project.time_column = requires_time ? (*map)[time_column] : 0;
    return ORIEL_OK;
}

static enum oriel_status narrow_window(struct binder *b, struct oriel_plan *node, const bool *need,
                                       uint32_t **map) {
    struct oriel_window *const window = &node->window.window;
    const uint32_t own = node->inputs[0]->schema.field_count;
    bool *const wanted = make_flags(b, own);
    uint32_t *below;
    *map = make_map(b, own + 3);
    if (!wanted || !*map)
        return oriel_bind_memory(b);
    memcpy(wanted, need, own * sizeof *wanted);
    wanted[window->time_column] = true;
    for (uint32_t i = 0; i < window->key_count; i++)
        wanted[window->keys[i]] = true;
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &below));
    const uint32_t left = node->inputs[0]->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, node->inputs[0]->schema, 3);
    window->time_column = below[window->time_column];
    window->keys = moved_list(b, window->keys, window->key_count, below);
    if (!fields || !window->keys)
        return oriel_bind_memory(b);
    memcpy(fields + left, node->schema.fields + own, 3 * sizeof *fields);
    for (uint32_t i = 0; i < own + 3; i++)
        (*map)[i] = i < own ? below[i] : left + (i - own);
    node->schema = (struct oriel_schema){left + 3, fields};
    return ORIEL_OK;
}

static enum oriel_status narrow_unnest(struct binder *b, struct oriel_plan *node, const bool *need,
                                       uint32_t **map) {
    const uint32_t own = node->inputs[0]->schema.field_count;
    const uint32_t extra = node->schema.field_count - own;
    bool *const wanted = make_flags(b, own);
    uint32_t *below;
    *map = make_map(b, own + extra);
    if (!wanted || !*map)
        return oriel_bind_memory(b);
    memcpy(wanted, need, own * sizeof *wanted);
    wanted[node->unnest.column] = true;
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &below));
    const uint32_t left = node->inputs[0]->schema.field_count;
    struct oriel_field *const fields =
        oriel_plan_copy_fields(b->arena, node->inputs[0]->schema, extra);
    if (!fields)
        return oriel_bind_memory(b);
    memcpy(fields + left, node->schema.fields + own, extra * sizeof *fields);
    for (uint32_t i = 0; i < own + extra; i++)
        (*map)[i] = i < own ? below[i] : left + (i - own);
    node->unnest.column = below[node->unnest.column];
    node->schema = (struct oriel_schema){left + extra, fields};
    return ORIEL_OK;
}

static void mark_aggregate(const struct oriel_plan *node, const bool *need, bool *wanted) {
    for (uint32_t k = 0; k < node->aggregate.key_count; k++) {
        if (node->aggregate.keys[k].kind == ORIEL_KEY_COLUMN)
            wanted[node->aggregate.keys[k].column] = true;
    }
    for (uint32_t i = 0; i < node->aggregate.aggregate_count; i++) {
        const struct oriel_aggregate_call *const call = &node->aggregate.aggregates[i];
        if (!need[node->aggregate.key_count + i])
            continue;
        for (uint32_t a = 0; a < call->argument_count; a++)
            wanted[call->arguments[a]] = true;
        if (call->filter >= 0)
            wanted[call->filter] = true;
    }
    const struct oriel_window *const window = node->aggregate.window;
    if (!window)
        return;
    wanted[window->time_column] = true;
    for (uint32_t i = 0; i < window->key_count; i++)
        wanted[window->keys[i]] = true;
}

/* Keeps the keys, the needed aggregates and the grouping id. */
static enum oriel_status keep_aggregates(struct binder *b, struct oriel_plan *node,
                                         const bool *need, const uint32_t *below, uint32_t *map) {
    const uint32_t key_count = node->aggregate.key_count;
    const uint32_t count = node->aggregate.aggregate_count;
    struct oriel_aggregate_call *const calls =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *calls);
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, node->schema, 0);
    if (!calls || !fields)
        return oriel_bind_memory(b);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < key_count; k++)
        map[k] = k;
    for (uint32_t i = 0; i < count; i++) {
        if (!need[key_count + i])
            continue;
        calls[kept] = node->aggregate.aggregates[i];
        calls[kept].arguments =
            moved_list(b, calls[kept].arguments, calls[kept].argument_count, below);
        if (!calls[kept].arguments)
            return oriel_bind_memory(b);
        if (calls[kept].filter >= 0)
            calls[kept].filter = (int32_t)below[calls[kept].filter];
        fields[key_count + kept] = node->schema.fields[key_count + i];
        map[key_count + i] = key_count + kept++;
    }
    if (node->aggregate.grouping_id) {
        fields[key_count + kept] = node->schema.fields[key_count + count];
        map[key_count + count] = key_count + kept;
    }
    node->aggregate.aggregates = calls;
    node->aggregate.aggregate_count = kept;
    node->schema =
        (struct oriel_schema){key_count + kept + (node->aggregate.grouping_id ? 1 : 0), fields};
    return ORIEL_OK;
}

static enum oriel_status narrow_aggregate(struct binder *b, struct oriel_plan *node,
                                          const bool *need, uint32_t **map) {
    bool *const wanted = make_flags(b, node->inputs[0]->schema.field_count);
    struct oriel_key *const keys =
        oriel_arena_allocate_zeroed(b->arena, (size_t)node->aggregate.key_count + 1, sizeof *keys);
    uint32_t *below;
    *map = make_map(b, node->schema.field_count);
    if (!wanted || !keys || !*map)
        return oriel_bind_memory(b);
    mark_aggregate(node, need, wanted);
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &below));
    for (uint32_t k = 0; k < node->aggregate.key_count; k++) {
        keys[k] = node->aggregate.keys[k];
        if (keys[k].kind == ORIEL_KEY_COLUMN)
            keys[k].column = below[keys[k].column];
    }
    node->aggregate.keys = keys;
    if (node->aggregate.window) {
        struct oriel_window *const window = oriel_arena_allocate(b->arena, sizeof *window);
        if (!window)
            return oriel_bind_memory(b);
        *window = *node->aggregate.window;
        window->time_column = below[window->time_column];
        window->keys = moved_list(b, window->keys, window->key_count, below);
        if (!window->keys)
            return oriel_bind_memory(b);
        node->aggregate.window = window;
    }
    return keep_aggregates(b, node, need, below, *map);
}

static enum oriel_status narrow_rank(struct binder *b, struct oriel_plan *node, const bool *need,
                                     uint32_t **map) {
    const uint32_t own = node->inputs[0]->schema.field_count;
    bool *const wanted = make_flags(b, own);
    uint32_t *below;
    *map = make_map(b, own + 1);
    if (!wanted || !*map)
        return oriel_bind_memory(b);
    memcpy(wanted, need, own * sizeof *wanted);
    for (uint32_t i = 0; i < node->rank.partition_count; i++)
        wanted[node->rank.partition[i]] = true;
    for (uint32_t i = 0; i < node->rank.item_count; i++)
        wanted[node->rank.items[i].column] = true;
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &below));
    const uint32_t left = node->inputs[0]->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, node->inputs[0]->schema, 1);
    node->rank.partition = moved_list(b, node->rank.partition, node->rank.partition_count, below);
    node->rank.order = moved_list(b, node->rank.order, node->rank.order_count, below);
    node->rank.items = moved_items(b, node->rank.items, node->rank.item_count, below);
    if (!fields || !node->rank.partition || !node->rank.order || !node->rank.items)
        return oriel_bind_memory(b);
    fields[left] = node->schema.fields[own];
    for (uint32_t i = 0; i < own; i++)
        (*map)[i] = below[i];
    (*map)[own] = left;
    node->schema = (struct oriel_schema){left + 1, fields};
    return ORIEL_OK;
}

static enum oriel_status narrow_frames(struct binder *b, struct oriel_plan *node, const bool *need,
                                       uint32_t **map) {
    const uint32_t own = node->inputs[0]->schema.field_count;
    /* Made with one call; a node is never changed after this pass. */
    struct oriel_over_call *const call = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *call);
    bool *const wanted = make_flags(b, own);
    uint32_t *below;
    *map = make_map(b, own + 1);
    if (!wanted || !*map || !call)
        return oriel_bind_memory(b);
    *call = node->over.calls[0];
    memcpy(wanted, need, own * sizeof *wanted);
    for (uint32_t i = 0; i < node->over.partition_count; i++)
        wanted[node->over.partition[i]] = true;
    for (uint32_t i = 0; i < node->over.item_count; i++)
        wanted[node->over.items[i].column] = true;
    for (uint32_t i = 0; i < call->aggregate.argument_count; i++)
        wanted[call->aggregate.arguments[i]] = true;
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &below));
    const uint32_t left = node->inputs[0]->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, node->inputs[0]->schema, 1);
    node->over.partition = moved_list(b, node->over.partition, node->over.partition_count, below);
    node->over.items = moved_items(b, node->over.items, node->over.item_count, below);
    call->aggregate.arguments =
        moved_list(b, call->aggregate.arguments, call->aggregate.argument_count, below);
    if (!fields || !node->over.partition || !node->over.items || !call->aggregate.arguments)
        return oriel_bind_memory(b);
    node->over.calls = call;
    fields[left] = node->schema.fields[own];
    for (uint32_t i = 0; i < own; i++)
        (*map)[i] = below[i];
    (*map)[own] = left;
    node->schema = (struct oriel_schema){left + 1, fields};
    return ORIEL_OK;
}

/* The fields of a narrowed join: those of both sides, with the nullability that the join gave them.
 */
static enum oriel_status set_join_fields(struct binder *b, struct oriel_plan *node, bool is_semi,
                                         const uint32_t *map) {
    const struct oriel_schema left = node->inputs[0]->schema, right = node->inputs[1]->schema;
    struct oriel_field *const fields =
        oriel_plan_copy_fields(b->arena, left, is_semi ? 0 : right.field_count);
    if (!fields)
        return oriel_bind_memory(b);
    uint32_t total = left.field_count;
    if (!is_semi && right.field_count) {
        memcpy(fields + total, right.fields, right.field_count * sizeof *fields);
        total += right.field_count;
    }
    for (uint32_t i = 0; i < node->schema.field_count; i++) {
        if (map[i] != gone && map[i] < total)
            fields[map[i]].type.nullable |= node->schema.fields[i].type.nullable;
    }
    node->schema = (struct oriel_schema){total, fields};
    return ORIEL_OK;
}

static enum oriel_status narrow_join(struct binder *b, struct oriel_plan *node, const bool *need,
                                     uint32_t **map) {
    const bool is_semi = node->join.kind == ORIEL_JOIN_SEMI || node->join.kind == ORIEL_JOIN_ANTI;
    const uint32_t left_count = node->inputs[0]->schema.field_count;
    const uint32_t total = left_count + node->inputs[1]->schema.field_count;
    bool *const wanted = make_flags(b, total);
    uint32_t *left_map, *right_map;
    *map = make_map(b, total);
    if (!wanted || !*map)
        return oriel_bind_memory(b);
    memcpy(wanted, need, (is_semi ? left_count : total) * sizeof *wanted);
    for (uint32_t i = 0; i < node->join.key_count; i++) {
        wanted[node->join.left_keys[i]] = true;
        wanted[left_count + node->join.right_keys[i]] = true;
    }
    if (node->join.residual)
        oriel_expression_mark(node->join.residual, wanted);
    ORIEL_TRY(narrow(b, &node->inputs[0], wanted, &left_map));
    ORIEL_TRY(narrow(b, &node->inputs[1], wanted + left_count, &right_map));
    const uint32_t new_left = node->inputs[0]->schema.field_count;
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t place = i < left_count ? left_map[i] : right_map[i - left_count];
        (*map)[i] = i < left_count || place == gone ? place : place + new_left;
    }
    node->join.left_keys = moved_list(b, node->join.left_keys, node->join.key_count, left_map);
    node->join.right_keys = moved_list(b, node->join.right_keys, node->join.key_count, right_map);
    if (!node->join.left_keys || !node->join.right_keys)
        return oriel_bind_memory(b);
    if (node->join.residual) {
        node->join.residual = oriel_expression_remap(b->arena, node->join.residual, *map);
        if (!node->join.residual)
            return oriel_bind_memory(b);
    }
    return set_join_fields(b, node, is_semi, *map);
}

/* Exactly the needed columns, in order. */
static enum oriel_status pick(struct binder *b, struct oriel_plan **plan, const bool *need,
                              uint32_t count, const uint32_t *map) {
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *columns);
    if (!columns)
        return oriel_bind_memory(b);
    uint32_t kept = 0;
    bool is_same = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!need[i])
            continue;
        is_same &= map[i] == kept;
        columns[kept++] = map[i];
    }
    if (is_same && (*plan)->schema.field_count == kept)
        return ORIEL_OK;
    *plan = oriel_plan_make_columns(b->arena, *plan, kept, columns);
    return *plan ? ORIEL_OK : oriel_bind_memory(b);
}

static enum oriel_status narrow_union(struct binder *b, struct oriel_plan *node, const bool *need,
                                      uint32_t **map) {
    const uint32_t count = node->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, node->schema, 0);
    *map = make_map(b, count);
    if (!fields || !*map)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t *below;
        ORIEL_TRY(narrow(b, &node->inputs[i], need, &below));
        ORIEL_TRY(pick(b, &node->inputs[i], need, count, below));
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!need[i])
            continue;
        fields[kept] = node->schema.fields[i];
        (*map)[i] = kept++;
    }
    node->schema = (struct oriel_schema){kept, fields};
    return ORIEL_OK;
}

static enum oriel_status narrow(struct binder *b, struct oriel_plan **plan, const bool *need,
                                uint32_t **map) {
    switch ((*plan)->kind) {
    case ORIEL_PLAN_SCAN: return narrow_scan(b, *plan, need, map);
    case ORIEL_PLAN_VALUES: return narrow_values(b, *plan, map);
    case ORIEL_PLAN_FILTER:
    case ORIEL_PLAN_SORT:
    case ORIEL_PLAN_LIMIT: return narrow_over(b, *plan, need, map);
    case ORIEL_PLAN_PROJECT: return narrow_project(b, plan, need, map);
    case ORIEL_PLAN_WINDOW: return narrow_window(b, *plan, need, map);
    case ORIEL_PLAN_AGGREGATE: return narrow_aggregate(b, *plan, need, map);
    case ORIEL_PLAN_RANK: return narrow_rank(b, *plan, need, map);
    case ORIEL_PLAN_OVER: return narrow_frames(b, *plan, need, map);
    case ORIEL_PLAN_JOIN: return narrow_join(b, *plan, need, map);
    case ORIEL_PLAN_UNION: return narrow_union(b, *plan, need, map);
    case ORIEL_PLAN_UNNEST: return narrow_unnest(b, *plan, need, map);
    }
    return oriel_error_set(b->error, ORIEL_INTERNAL, "plan node of kind %d", (int)(*plan)->kind);
}

enum oriel_status oriel_rewrite_columns(struct binder *b, struct oriel_plan **plan) {
    const struct oriel_schema wanted = (*plan)->schema;
    bool *const need = make_flags(b, wanted.field_count);
    uint32_t *map;
    if (!need)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < wanted.field_count; i++)
        need[i] = true;
    ORIEL_TRY(narrow(b, plan, need, &map));
    ORIEL_TRY(pick(b, plan, need, wanted.field_count, map));
    (*plan)->schema = wanted;
    return ORIEL_OK;
}
