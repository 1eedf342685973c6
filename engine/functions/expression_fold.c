/*
 * Folding: calls of constants become constants while a statement is bound.
 */
#include "engine/columns/value.h"
#include "engine/functions/function.h"

enum { FOLD_ROWS = 64 };

/* Evaluates an expression without columns and turns it into the constant of the result. */
static enum oriel_status evaluate_constant(const struct oriel_runtime *runtime,
                                           struct oriel_arena *statement_arena,
                                           struct oriel_expression **expression,
                                           struct oriel_error *error) {
    struct oriel_runtime one_row = *runtime;
    one_row.batch_rows = FOLD_ROWS;
    struct oriel_evaluator *evaluator;
    ORIEL_TRY(oriel_evaluator_open(&one_row, expression, 1, &evaluator, error));
    const struct oriel_batch batch = {.row_count = 1};
    const struct oriel_column *result;
    enum oriel_status status = oriel_evaluator_run(evaluator, &batch, &result, error);
    struct oriel_expression *constant =
        oriel_arena_allocate_zeroed(statement_arena, 1, sizeof *constant);
    void *value = oriel_arena_allocate_zeroed(statement_arena, 1, sizeof(oriel_u128));
    uint64_t *valid = oriel_arena_allocate_zeroed(statement_arena, 1, sizeof *valid);
    if (status == ORIEL_OK && (!constant || !value || !valid))
        status = oriel_error_memory(error);
    if (status == ORIEL_OK) {
        const bool is_null = oriel_column_is_null(result, 0);
        *valid = !is_null;
        if (!is_null &&
            !oriel_value_copy(statement_arena, &(*expression)->type, result->values, value))
            status = oriel_error_memory(error);
        *constant = (struct oriel_expression){
            .kind = ORIEL_EXPRESSION_CONSTANT,
            .type = (*expression)->type,
            .position = (*expression)->position,
            .constant = {.type = (*expression)->type, .values = value, .valid = valid}};
    }
    oriel_evaluator_close(&evaluator);
    if (status == ORIEL_OK)
        *expression = constant;
    return status;
}

/* A call that fails on its constants stays a call: it fails when a row reaches it, and only then.
 */
static enum oriel_status fold(const struct oriel_runtime *runtime,
                              struct oriel_arena *statement_arena,
                              struct oriel_expression **expression_pointer,
                              struct oriel_error *error) {
    struct oriel_expression *expression = *expression_pointer;
    if (expression->kind == ORIEL_EXPRESSION_COLUMN ||
        expression->kind == ORIEL_EXPRESSION_CONSTANT)
        return ORIEL_OK;
    bool constant = true;
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        ORIEL_TRY(fold(runtime, statement_arena, &expression->arguments[i], error));
        if (expression->arguments[i]->kind != ORIEL_EXPRESSION_CONSTANT)
            constant = false;
    }
    if (!constant || (expression->kind == ORIEL_EXPRESSION_CALL &&
                      (expression->call->function->flags & ORIEL_FUNCTION_VOLATILE)))
        return ORIEL_OK;
    struct oriel_error failure = {.status = ORIEL_OK};
    const enum oriel_status status =
        evaluate_constant(runtime, statement_arena, expression_pointer, &failure);
    if (status == ORIEL_OK || status == ORIEL_RUNTIME || status == ORIEL_INVALID)
        return ORIEL_OK;
    if (error)
        *error = failure;
    return status;
}

enum oriel_status oriel_expression_fold(const struct oriel_runtime *runtime,
                                        struct oriel_arena *statement_arena,
                                        struct oriel_expression **expression,
                                        struct oriel_error *error) {
    return fold(runtime, statement_arena, expression, error);
}
