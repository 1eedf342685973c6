/*
 * Building of calls from bound arguments: the one place where bind is called, arguments are cast as
 * it asks, and the call is folded.
 */
#include "engine/functions/signature.h"

static enum oriel_status fill_call(struct oriel_arena *statement_arena,
                                   const struct oriel_binding *binding,
                                   const struct oriel_function *function,
                                   struct oriel_expression **arguments,
                                   struct oriel_expression **out, struct oriel_error *error) {
    const uint32_t count = binding->argument_count;
    struct oriel_call *call = oriel_arena_allocate_zeroed(statement_arena, 1, sizeof *call);
    struct oriel_expression *expression =
        oriel_arena_allocate_zeroed(statement_arena, 1, sizeof *expression);
    const struct oriel_column **constants =
        oriel_arena_allocate_zeroed(statement_arena, count + 1, sizeof *constants);
    if (!call || !expression || !constants)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        if (arguments[i]->kind == ORIEL_EXPRESSION_CONSTANT)
            constants[i] = &arguments[i]->constant;
    }
    *call = (struct oriel_call){.function = function,
                                .position = binding->position,
                                .result = binding->result,
                                .argument_count = count,
                                .argument_types = binding->casts,
                                .constants = constants,
                                .evaluate = binding->evaluate,
                                .state = binding->state};
    *expression = (struct oriel_expression){.kind = ORIEL_EXPRESSION_CALL,
                                            .type = binding->result,
                                            .position = binding->position,
                                            .call = call,
                                            .argument_count = count,
                                            .arguments = arguments};
    *out = expression;
    return ORIEL_OK;
}

enum oriel_status oriel_expression_call(const struct oriel_runtime *runtime,
                                        struct oriel_arena *statement_arena, const char *name,
                                        struct oriel_position position,
                                        struct oriel_expression *const *arguments,
                                        uint32_t argument_count, const struct oriel_type *target,
                                        struct oriel_expression **out, struct oriel_error *error) {
    const struct oriel_function *function = oriel_function_find(name);
    if (!function)
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "No match found for function signature %s", name);
    struct oriel_type *types =
        oriel_arena_allocate_zeroed(statement_arena, argument_count + 1, sizeof *types);
    struct oriel_type *casts =
        oriel_arena_allocate_zeroed(statement_arena, argument_count + 1, sizeof *casts);
    const struct oriel_column **constants =
        oriel_arena_allocate_zeroed(statement_arena, argument_count + 1, sizeof *constants);
    struct oriel_expression **parts =
        oriel_arena_allocate_zeroed(statement_arena, argument_count + 1, sizeof(void *));
    if (!types || !casts || !constants || !parts)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < argument_count; i++) {
        parts[i] = arguments[i];
        types[i] = casts[i] = arguments[i]->type;
        if (arguments[i]->kind == ORIEL_EXPRESSION_CONSTANT)
            constants[i] = &arguments[i]->constant;
    }
    struct oriel_binding binding = {.runtime = runtime,
                                    .statement_arena = statement_arena,
                                    .position = position,
                                    .name = name,
                                    .argument_count = argument_count,
                                    .argument_types = types,
                                    .constants = constants,
                                    .target = target,
                                    .casts = casts};
    if (argument_count < function->argument_count_min ||
        (function->argument_count_max != ORIEL_ARGUMENTS_ANY &&
         argument_count > function->argument_count_max))
        return oriel_bind_refuse_count(&binding, function, error);
    ORIEL_TRY(function->bind(&binding, error));
    for (uint32_t i = 0; i < argument_count; i++)
        ORIEL_TRY(
            oriel_expression_cast(runtime, statement_arena, parts[i], &casts[i], &parts[i], error));
    ORIEL_TRY(fill_call(statement_arena, &binding, function, parts, out, error));
    return oriel_expression_fold(runtime, statement_arena, out, error);
}

enum oriel_status oriel_expression_cast(const struct oriel_runtime *runtime,
                                        struct oriel_arena *statement_arena,
                                        struct oriel_expression *expression,
                                        const struct oriel_type *type,
                                        struct oriel_expression **out, struct oriel_error *error) {
    if (oriel_type_same(&expression->type, type)) {
        *out = expression;
        return ORIEL_OK;
    }
    struct oriel_expression *const arguments[] = {expression};
    return oriel_expression_call(runtime, statement_arena, "CAST", expression->position, arguments,
                                 1, type, out, error);
}
