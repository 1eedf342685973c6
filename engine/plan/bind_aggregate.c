/*
 * Calls of aggregate functions in a grouped SELECT: arguments and FILTER are bound over the rows
 * that are grouped, the call itself becomes a column of the aggregation.
 */
#include <string.h>

#include "engine/plan/group.h"

bool oriel_bind_is_aggregate(const struct ast_expression *ast) {
    return ast->kind == AST_CALL && !ast->over && oriel_aggregate_find(ast->text) != NULL;
}

bool oriel_bind_has_aggregate(const struct ast_expression *ast) {
    if (!ast)
        return false;
    if (oriel_bind_is_aggregate(ast))
        return true;
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        if (oriel_bind_has_aggregate(ast->arguments.items[i]))
            return true;
    }
    if (ast->over) {
        for (uint32_t i = 0; i < ast->over->partition_by.count; i++) {
            if (oriel_bind_has_aggregate(ast->over->partition_by.items[i]))
                return true;
        }
        for (uint32_t i = 0; i < ast->over->order_by.count; i++) {
            if (oriel_bind_has_aggregate(ast->over->order_by.items[i]->expression))
                return true;
        }
    }
    return false;
}

static enum oriel_status check_place(struct binder *b, const struct bind_frame *frame,
                                     const struct ast_expression *ast) {
    if (frame->in_aggregate)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Aggregate expressions cannot be nested; compute the inner one in a "
                              "sub-query in FROM");
    if (!frame->group)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Aggregate expression is illegal in %s clause%s", frame->clause,
                              strcmp(frame->clause, "WHERE") == 0
                                  ? "; a condition on an aggregate goes into HAVING"
                                  : "");
    if (ast->within_order.count)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Aggregate expression '%s' must not contain a WITHIN GROUP or ORDER "
                              "BY clause: its values come in the order of the input",
                              ast->text);
    if (ast->call_nulls != AST_CALL_NULLS_DEFAULT &&
        !(oriel_aggregate_find(ast->text)->flags & ORIEL_AGGREGATE_TAKES_NULLS_CLAUSE))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Cannot specify IGNORE NULLS or RESPECT NULLS following '%s'",
                              ast->text);
    return ORIEL_OK;
}

/* Binds the arguments over the grouped rows. */
static enum oriel_status bind_arguments(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **arguments) {
    struct bind_frame inside = {.scope = &frame->group->input->scope,
                                .clause = frame->clause,
                                .rows = frame->group->input,
                                .in_aggregate = true};
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        ORIEL_TRY(oriel_bind_expression(b, &inside, ast->arguments.items[i], &arguments[i]));
        if (oriel_expression_has_outer(arguments[i]))
            return oriel_error_at(b->error, ORIEL_UNSUPPORTED, arguments[i]->position,
                                  "An aggregate over a column of the enclosing query cannot be "
                                  "run yet");
    }
    return ORIEL_OK;
}

static enum oriel_aggregate_nulls nulls_of(const struct ast_expression *ast) {
    if (ast->call_nulls == AST_CALL_IGNORE_NULLS || ast->absent_on_null)
        return ORIEL_AGGREGATE_NULLS_IGNORED;
    if (ast->call_nulls == AST_CALL_RESPECT_NULLS || ast->null_on_null)
        return ORIEL_AGGREGATE_NULLS_KEPT;
    return ORIEL_AGGREGATE_NULLS_DEFAULT;
}

/* JSON in JSON is put in as it is where the call that makes it stands right there. */
static bool is_json(const struct ast_expression *ast) {
    return ast->kind == AST_CALL &&
           (strcmp(ast->text, "JSON_OBJECT") == 0 || strcmp(ast->text, "JSON_ARRAY") == 0);
}

/* Chooses the operations, and fills all of `call` but the columns. */
enum oriel_status oriel_bind_aggregate_call(struct binder *b, const struct ast_expression *ast,
                                            struct oriel_expression **arguments, uint32_t count,
                                            struct oriel_aggregate_call *call) {
    struct oriel_type *const types =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *types);
    struct oriel_type *const casts =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *casts);
    const struct oriel_column **const constants =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *constants);
    if (!types || !casts || !constants)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        types[i] = casts[i] = arguments[i]->type;
        if (arguments[i]->kind == ORIEL_EXPRESSION_CONSTANT)
            constants[i] = &arguments[i]->constant;
    }
    struct oriel_aggregate_binding binding = {.runtime = b->runtime,
                                              .statement_arena = b->arena,
                                              .position = ast->position,
                                              .name = ast->text,
                                              .distinct = ast->distinct,
                                              .nulls = nulls_of(ast),
                                              .argument_count = count,
                                              .argument_types = types,
                                              .constants = constants,
                                              .casts = casts};
    if (count)
        binding.last_is_json = is_json(ast->arguments.items[count - 1]);
    call->function = oriel_aggregate_find(ast->text);
    if (count < call->function->argument_count_min ||
        (count > call->function->argument_count_max &&
         call->function->argument_count_max != UINT8_MAX))
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Invalid number of arguments to function '%s'", ast->text);
    ORIEL_TRY(oriel_aggregate_bind(call->function, &binding, b->error));
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(oriel_bind_cast(b, arguments[i], casts[i], &arguments[i]));
    call->position = ast->position;
    call->result = binding.result;
    call->result.rowtime = false;
    call->argument_count = count;
    call->argument_types = casts;
    call->distinct = ast->distinct;
    call->nulls = binding.nulls;
    call->state = binding.state;
    call->state_bytes = binding.state_bytes;
    call->operations = binding.operations;
    return ORIEL_OK;
}

static enum oriel_status bind_filter(struct binder *b, struct bind_frame *frame,
                                     const struct ast_expression *ast, int32_t *column) {
    *column = -1;
    if (!ast->filter)
        return ORIEL_OK;
    struct bind_frame inside = {.scope = &frame->group->input->scope,
                                .clause = "FILTER",
                                .rows = frame->group->input,
                                .in_aggregate = true};
    struct oriel_expression *condition;
    uint32_t place;
    ORIEL_TRY(oriel_bind_condition(b, &inside, ast->filter, &condition));
    ORIEL_TRY(oriel_group_compute(b, frame->group, condition, &place));
    *column = (int32_t)place;
    return ORIEL_OK;
}

static bool same_call(const struct oriel_aggregate_call *a, const struct oriel_aggregate_call *b) {
    if (a->function != b->function || a->argument_count != b->argument_count ||
        a->filter != b->filter || a->distinct != b->distinct || a->nulls != b->nulls)
        return false;
    for (uint32_t i = 0; i < a->argument_count; i++) {
        if (a->arguments[i] != b->arguments[i])
            return false;
    }
    return true;
}

/* Counts are never NULL; others are where a group may have no row for them. */
static void set_nullable(struct oriel_aggregate_call *call, const struct bind_group *group) {
    const unsigned flags = call->function->flags;
    bool may_be_empty = call->filter >= 0, nullable = false;
    for (uint32_t s = 0; s < group->set_count; s++)
        may_be_empty |= group->sets[s] == 0;
    for (uint32_t i = 0; i < call->argument_count; i++)
        nullable |= call->argument_types[i].nullable;
    if (flags & ORIEL_AGGREGATE_NEVER_NULL)
        call->result.nullable = false;
    else if (may_be_empty)
        call->result.nullable = true;
    else if (flags & ORIEL_AGGREGATE_NULL_AS_ARGUMENT)
        call->result.nullable = nullable;
}

enum oriel_status oriel_bind_aggregate(struct binder *b, struct bind_frame *frame,
                                       const struct ast_expression *ast,
                                       struct oriel_expression **out) {
    ORIEL_TRY(check_place(b, frame, ast));
    struct bind_group *const group = frame->group;
    const uint32_t count = ast->star ? 0 : ast->arguments.count;
    if (ast->star && strcmp(ast->text, "COUNT") != 0)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "'*' can only be counted, but stands in %s", ast->text);
    struct oriel_expression **const arguments =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *arguments);
    uint32_t *const columns =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *columns);
    if (!arguments || !columns)
        return oriel_bind_memory(b);
    struct oriel_aggregate_call call = {0};
    if (count)
        ORIEL_TRY(bind_arguments(b, frame, ast, arguments));
    ORIEL_TRY(oriel_bind_aggregate_call(b, ast, arguments, count, &call));
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(oriel_group_compute(b, group, arguments[i], &columns[i]));
    call.arguments = columns;
    ORIEL_TRY(bind_filter(b, frame, ast, &call.filter));
    set_nullable(&call, group);
    uint32_t place = 0;
    while (place < group->aggregate_count && !same_call(&group->aggregates[place], &call))
        place++;
    if (place == group->aggregate_count) {
        group->aggregates = oriel_plan_grow(b->arena, group->aggregates, group->aggregate_count,
                                            sizeof *group->aggregates);
        if (!group->aggregates)
            return oriel_bind_memory(b);
        group->aggregates[group->aggregate_count++] = call;
    }
    *out = oriel_expression_column(b->arena, group->key_count + place,
                                   group->aggregates[place].result, ast->position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

/* A sum or a count that Flink would make of an aggregate. */
struct part {
    const struct oriel_aggregate_call *call;
    bool counts, of_all; /* COUNT(*) */
};

static bool same_part(const struct part *a, const struct part *b) {
    return a->counts == b->counts && a->of_all == b->of_all && a->call->filter == b->call->filter &&
           (a->of_all || (a->call->distinct == b->call->distinct &&
                          a->call->arguments[0] == b->call->arguments[0]));
}

static void add_part(struct part *parts, uint32_t *count, struct part part) {
    for (uint32_t i = 0; i < *count; i++) {
        if (same_part(&parts[i], &part))
            return;
    }
    parts[(*count)++] = part;
}

/* Adds the parts of `call`; false if it stays as it is. */
static bool add_parts(const struct oriel_aggregate_call *call, struct part *parts,
                      uint32_t *count) {
    const char *const name = call->function->name;
    const bool counts = strcmp(name, "COUNT") == 0, sums = strcmp(name, "SUM") == 0;
    if (!counts && !sums && strcmp(name, "AVG") != 0)
        return false;
    const bool never_null = call->argument_count == 0 || !call->argument_types[0].nullable;
    const bool of_all = never_null && !call->distinct;
    if (!counts)
        add_part(parts, count, (struct part){.call = call});
    if (!sums || call->result.nullable)
        add_part(parts, count, (struct part){.call = call, .counts = true, .of_all = of_all});
    return true;
}

static bool is_spread(const struct oriel_aggregate_call *call) {
    return strncmp(call->function->name, "STDDEV", 6) == 0 ||
           strncmp(call->function->name, "VAR", 3) == 0;
}

enum oriel_status oriel_bind_averages(struct binder *b, struct bind_group *group) {
    const size_t most = 2 * (size_t)group->aggregate_count + 1;
    struct part *const parts = oriel_arena_allocate_zeroed(b->arena, most, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    uint32_t part_count = 0, others = 0;
    bool divides = false;
    for (uint32_t i = 0; i < group->aggregate_count; i++) {
        divides |= is_spread(&group->aggregates[i]);
        others += !add_parts(&group->aggregates[i], parts, &part_count);
    }
    divides |= part_count + others < group->aggregate_count;
    for (uint32_t i = 0; i < group->aggregate_count; i++)
        group->aggregates[i].divides_sum =
            divides && strcmp(group->aggregates[i].function->name, "AVG") == 0;
    return ORIEL_OK;
}
