/*
 * GROUP BY: the keys and their sets, and the aggregation that is put together once the rest of the
 * SELECT is bound.
 */
#include "engine/plan/group.h"

#include <string.h>

enum oriel_status oriel_group_compute(struct binder *b, struct bind_group *group,
                                      struct oriel_expression *expression, uint32_t *column) {
    for (uint32_t i = 0; i < group->computed_count; i++) {
        if (oriel_expression_same(group->computed[i], expression)) {
            *column = i;
            return ORIEL_OK;
        }
    }
    group->computed =
        oriel_plan_grow(b->arena, group->computed, group->computed_count, sizeof *group->computed);
    if (!group->computed)
        return oriel_bind_memory(b);
    *column = group->computed_count;
    group->computed[group->computed_count++] = expression;
    return ORIEL_OK;
}

static bool find_key(const struct bind_group *group, const struct ast_expression *ast,
                     uint32_t *key) {
    for (uint32_t i = 0; i < group->key_count; i++) {
        if (oriel_ast_same(&group->input->scope, group->keys[i], ast)) {
            *key = i;
            return true;
        }
    }
    return false;
}

enum oriel_status oriel_group_add_bound_key(struct binder *b, struct bind_group *group,
                                            const struct ast_expression *ast,
                                            struct oriel_expression *expression, uint32_t *key) {
    if (find_key(group, ast, key))
        return ORIEL_OK;
    if (group->key_count == ORIEL_GROUP_KEYS_MAX)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "GROUP BY has more than %d expressions", ORIEL_GROUP_KEYS_MAX);
    group->keys = oriel_plan_grow(b->arena, group->keys, group->key_count, sizeof *group->keys);
    group->key_columns =
        oriel_plan_grow(b->arena, group->key_columns, group->key_count, sizeof *group->key_columns);
    if (!group->keys || !group->key_columns)
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_group_compute(b, group, expression, &group->key_columns[group->key_count]));
    group->keys[group->key_count] = ast;
    *key = group->key_count++;
    return ORIEL_OK;
}

enum oriel_status oriel_group_add_key(struct binder *b, struct bind_group *group,
                                      const struct ast_expression *ast, uint32_t *key) {
    if (find_key(group, ast, key))
        return ORIEL_OK;
    struct bind_frame frame = {.scope = &group->input->scope, .clause = "GROUP BY"};
    struct oriel_expression *expression;
    ORIEL_TRY(oriel_bind_expression(b, &frame, ast, &expression));
    if (expression->type.id == ORIEL_TYPE_NULL)
        ORIEL_TRY(oriel_bind_cast(b, expression, oriel_type_make(ORIEL_TYPE_INT), &expression));
    return oriel_group_add_bound_key(b, group, ast, expression, key);
}

static bool key_is_always_set(const struct bind_group *group, uint32_t key) {
    for (uint32_t s = 0; s < group->set_count; s++) {
        if (!(group->sets[s] >> key & 1))
            return false;
    }
    return true;
}

static enum oriel_window_role key_role(const struct bind_group *group, uint32_t key) {
    const struct oriel_expression *const expression = group->computed[group->key_columns[key]];
    if (expression->kind != ORIEL_EXPRESSION_COLUMN)
        return ORIEL_ROLE_NONE;
    return oriel_plan_column_role(group->input->plan, expression->column);
}

/* A key is NULL where a set leaves it out; a time attribute stays one only where it is the
 * window_time of windows that are keys. */
enum oriel_status oriel_group_set_key_types(struct binder *b, struct bind_group *group) {
    bool has_start = false, has_end = false;
    for (uint32_t k = 0; k < group->key_count; k++) {
        has_start |= key_role(group, k) == ORIEL_ROLE_START;
        has_end |= key_role(group, k) == ORIEL_ROLE_END;
    }
    group->key_types = oriel_arena_allocate_zeroed(b->arena, (size_t)group->key_count + 1,
                                                   sizeof *group->key_types);
    if (!group->key_types)
        return oriel_bind_memory(b);
    for (uint32_t k = 0; k < group->key_count; k++) {
        struct oriel_type *const type = &group->key_types[k];
        *type = group->computed[group->key_columns[k]]->type;
        type->nullable |= !key_is_always_set(group, k);
        type->rowtime &= has_start && has_end && key_role(group, k) == ORIEL_ROLE_TIME;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_group_make(struct binder *b, struct bind_rows *input,
                                   struct oriel_position position, struct bind_group **out) {
    *out = oriel_arena_allocate_zeroed(b->arena, 1, sizeof **out);
    if (!*out)
        return oriel_bind_memory(b);
    (*out)->input = input;
    (*out)->position = position;
    return ORIEL_OK;
}

enum oriel_status oriel_bind_group(struct binder *b, const struct ast_query *query,
                                   struct bind_rows *input, struct bind_group **out) {
    struct bind_group *group;
    ORIEL_TRY(oriel_group_make(
        b, input, query->has_group_by ? query->group_position : query->position, &group));
    ORIEL_TRY(oriel_group_bind_window(b, query, group));
    ORIEL_TRY(oriel_group_bind_sets(b, group, query));
    *out = group;
    return oriel_group_set_key_types(b, group);
}

struct oriel_expression *oriel_group_match(struct binder *b, const struct bind_group *group,
                                           const struct ast_expression *ast, bool *matched) {
    for (uint32_t i = 0; i < group->key_count; i++) {
        if (oriel_ast_same(&group->input->scope, group->keys[i], ast)) {
            *matched = true;
            return oriel_expression_column(b->arena, i, group->key_types[i], ast->position);
        }
    }
    *matched = false;
    return NULL;
}

/* (gid / 2^shift) % 2, since the id has one bit a key, the first key highest. */
static enum oriel_status bind_grouping_bit(struct binder *b, struct bind_group *group, uint32_t key,
                                           struct oriel_position position,
                                           struct oriel_expression **out) {
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_BIGINT);
    type.nullable = false;
    if (key_is_always_set(group, key)) {
        *out = oriel_expression_bigint(b->arena, 0, position);
        return *out ? ORIEL_OK : oriel_bind_memory(b);
    }
    group->references = oriel_plan_grow(b->arena, group->references, group->reference_count,
                                        sizeof *group->references);
    struct oriel_expression *const id = oriel_expression_column(b->arena, 0, type, position);
    struct oriel_expression *const two = oriel_expression_bigint(b->arena, 2, position);
    /* The shift counts keys, all of which are known by now. */
    struct oriel_expression *const power =
        oriel_expression_bigint(b->arena, (int64_t)1 << (group->key_count - 1 - key), position);
    if (!group->references || !id || !two || !power)
        return oriel_bind_memory(b);
    group->references[group->reference_count++] = id;
    struct oriel_expression *part;
    ORIEL_TRY(oriel_bind_plain_call(b, "/", position, (struct oriel_expression *[]){id, power}, 2,
                                    NULL, &part));
    return oriel_bind_plain_call(b, "%", position, (struct oriel_expression *[]){part, two}, 2,
                                 NULL, out);
}

enum oriel_status oriel_bind_grouping(struct binder *b, struct bind_frame *frame,
                                      const struct ast_expression *ast,
                                      struct oriel_expression **out) {
    if (!frame->group || frame->in_aggregate)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "%s can only stand in a query with GROUP BY, outside of aggregates",
                              ast->text);
    const uint32_t count = ast->arguments.count;
    if (count == 0 || count > ORIEL_GROUP_KEYS_MAX)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Invalid number of arguments to function '%s'", ast->text);
    *out = NULL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = 0;
        while (key < frame->group->key_count &&
               !oriel_ast_same(&frame->group->input->scope, frame->group->keys[key],
                               ast->arguments.items[i]))
            key++;
        if (key == frame->group->key_count)
            return oriel_error_at(b->error, ORIEL_INVALID, ast->arguments.items[i]->position,
                                  "Argument to %s must be an expression of GROUP BY", ast->text);
        struct oriel_expression *bit;
        ORIEL_TRY(bind_grouping_bit(b, frame->group, key, ast->position, &bit));
        if (!*out) {
            *out = bit;
            continue;
        }
        struct oriel_expression *const two = oriel_expression_bigint(b->arena, 2, ast->position);
        if (!two)
            return oriel_bind_memory(b);
        ORIEL_TRY(oriel_bind_plain_call(b, "*", ast->position,
                                        (struct oriel_expression *[]){*out, two}, 2, NULL, out));
        ORIEL_TRY(oriel_bind_plain_call(b, "+", ast->position,
                                        (struct oriel_expression *[]){*out, bit}, 2, NULL, out));
    }
    return ORIEL_OK;
}

/* Rows of an aggregation come by window_end, window_start and then the keys as written, if both are
 * keys. */
static bool set_order(struct oriel_arena *arena, struct oriel_plan *plan) {
    const uint32_t count = plan->aggregate.key_count;
    uint32_t *const order = oriel_arena_allocate_zeroed(arena, (size_t)count + 1, sizeof *order);
    if (!order)
        return false;
    uint32_t start = count, end = count, placed = 0;
    for (uint32_t i = count; i-- > 0;) {
        const enum oriel_window_role role = oriel_plan_column_role(plan, i);
        if (role == ORIEL_ROLE_START)
            start = i;
        else if (role == ORIEL_ROLE_END)
            end = i;
    }
    const bool is_windowed = start < count && end < count;
    if (is_windowed) {
        order[placed++] = end;
        order[placed++] = start;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_windowed || (i != start && i != end))
            order[placed++] = i;
    }
    plan->aggregate.order_count = count;
    plan->aggregate.order = order;
    return true;
}

/* The same rule for the time attributes of a SELECT DISTINCT. */
static void clear_rowtimes(struct oriel_plan *plan, struct oriel_field *fields) {
    bool has_start = false, has_end = false;
    for (uint32_t i = 0; i < plan->aggregate.key_count; i++) {
        const enum oriel_window_role role = oriel_plan_column_role(plan, i);
        has_start |= role == ORIEL_ROLE_START;
        has_end |= role == ORIEL_ROLE_END;
    }
    for (uint32_t i = 0; i < plan->aggregate.key_count; i++) {
        if (!has_start || !has_end || oriel_plan_column_role(plan, i) != ORIEL_ROLE_TIME)
            fields[i].type.rowtime = false;
    }
}

static const char **make_names(struct oriel_arena *arena, uint32_t count) {
    const char **const names = oriel_arena_allocate_zeroed(arena, (size_t)count + 1, sizeof *names);
    for (uint32_t i = 0; names && i < count; i++) {
        names[i] = oriel_arena_print(arena, "$f%u", i);
        if (!names[i])
            return NULL;
    }
    return names;
}

static const char *key_name(const struct ast_expression *ast) {
    return ast->kind == AST_COLUMN ? ast->name.parts[ast->name.part_count - 1].text : NULL;
}

static struct oriel_plan *make_aggregate(struct binder *b, struct bind_group *group,
                                         struct oriel_plan *input) {
    struct oriel_plan *const plan =
        oriel_plan_make(b->arena, ORIEL_PLAN_AGGREGATE, group->position, 1);
    const uint32_t total = group->key_count + group->aggregate_count + 1;
    struct oriel_field *const fields = oriel_arena_allocate_zeroed(b->arena, total, sizeof *fields);
    const char **const names = make_names(b->arena, total);
    struct oriel_key *const keys =
        oriel_arena_allocate_zeroed(b->arena, (size_t)group->key_count + 1, sizeof *keys);
    if (!plan || !fields || !names || !keys)
        return NULL;
    for (uint32_t i = 0; i < group->key_count; i++) {
        const char *const name = key_name(group->keys[i]);
        fields[i] = (struct oriel_field){name ? name : names[i], group->key_types[i]};
        keys[i].column = group->key_columns[i];
    }
    for (uint32_t i = 0; i < group->aggregate_count; i++)
        fields[group->key_count + i] =
            (struct oriel_field){names[group->key_count + i], group->aggregates[i].result};
    fields[total - 1] = (struct oriel_field){
        names[total - 1], oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false)};
    plan->inputs[0] = input;
    plan->aggregate.key_count = group->key_count;
    plan->aggregate.keys = keys;
    plan->aggregate.aggregate_count = group->aggregate_count;
    plan->aggregate.aggregates = group->aggregates;
    plan->aggregate.set_count = group->set_count;
    plan->aggregate.sets = group->sets;
    plan->aggregate.grouping_id = group->reference_count > 0;
    plan->aggregate.global = group->key_count == 0 && group->set_count == 1;
    plan->schema = (struct oriel_schema){plan->aggregate.grouping_id ? total : total - 1, fields};
    if (!set_order(b->arena, plan))
        return NULL;
    for (uint32_t i = 0; i < group->reference_count; i++)
        group->references[i]->column = total - 1;
    return plan;
}

enum oriel_status oriel_group_finish(struct binder *b, struct bind_group *group,
                                     struct oriel_plan **out) {
    const char **const names = make_names(b->arena, group->computed_count);
    if (!names)
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_bind_averages(b, group));
    struct oriel_plan *const input = oriel_plan_make_project(
        b->arena, group->input->plan, group->computed_count, group->computed, names);
    *out = input ? make_aggregate(b, group, input) : NULL;
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

struct oriel_plan *oriel_bind_distinct(struct binder *b, struct oriel_plan *input) {
    struct oriel_plan *const plan =
        oriel_plan_make(b->arena, ORIEL_PLAN_AGGREGATE, input->position, 1);
    const uint32_t count = input->schema.field_count;
    struct oriel_field *const fields = oriel_plan_copy_fields(b->arena, input->schema, 0);
    struct oriel_key *const keys =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *keys);
    uint64_t *const sets = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *sets);
    if (!plan || !fields || !keys || !sets)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        keys[i].column = i;
    sets[0] = UINT64_MAX;
    plan->inputs[0] = input;
    plan->schema = (struct oriel_schema){count, fields};
    plan->aggregate.key_count = count;
    plan->aggregate.keys = keys;
    plan->aggregate.set_count = 1;
    plan->aggregate.sets = sets;
    if (!set_order(b->arena, plan))
        return NULL;
    clear_rowtimes(plan, fields);
    return plan;
}

enum oriel_status oriel_bind_not_grouped(struct binder *b, const char *name,
                                         struct oriel_position position) {
    return oriel_error_at(
        b->error, ORIEL_INVALID, position,
        "Expression '%s' is not being grouped; put it into GROUP BY by its name (a "
        "number there is no column), or into an aggregate such as MAX(%s)",
        name, name);
}
