/*
 * Bound expressions: names resolved, types known, casts written out. The binder makes them, the
 * evaluator runs them batch by batch. Read-only after binding; state lives in the evaluator.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"

struct oriel_function;
struct oriel_call;
struct oriel_evaluation;

enum oriel_expression_kind {
    ORIEL_EXPRESSION_COLUMN,
    ORIEL_EXPRESSION_CONSTANT,
    ORIEL_EXPRESSION_CALL, /* a function of the table, arguments all evaluated */
    ORIEL_EXPRESSION_AND,  /* two or more; later ones see only rows that may still be true */
    ORIEL_EXPRESSION_OR,
    ORIEL_EXPRESSION_CASE, /* when, then, when, then ... [else]: only the rows that reach a branch
                            */
};

struct oriel_expression {
    enum oriel_expression_kind kind;
    struct oriel_type type;
    struct oriel_position position;
    uint32_t column;               /* COLUMN: in the input batch */
    struct oriel_column constant;  /* CONSTANT: one row; `valid` says whether it is NULL */
    const struct oriel_call *call; /* CALL */
    uint32_t argument_count;
    struct oriel_expression **arguments;
    bool has_else; /* CASE */
};

/* A function chosen for argument types. Lives in the statement arena. */
struct oriel_call {
    const struct oriel_function *function;
    struct oriel_position position;
    struct oriel_type result;
    uint32_t argument_count;
    const struct oriel_type *argument_types;
    const struct oriel_column *const *constants; /* argument i's value (one row) or NULL */
    enum oriel_status (*evaluate)(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out);
    const void *state; /* what bind prepared: a factor, a compiled pattern */
};

/* The surroundings of one evaluation. */
struct oriel_evaluation {
    const struct oriel_runtime *runtime;
    struct oriel_arena *batch_arena; /* for strings and nested values; reset by the owner */
    const uint64_t *active;          /* rows whose errors count; NULL: all. A function that can fail
                                        on a value must not fail for other rows */
    uint64_t first_row;              /* of the batch */
    void *local;                     /* of the call: what function->local->open made */
    struct oriel_error *error;
};

/* An evaluator for a list of expressions over batches of one schema; one a worker. */
struct oriel_evaluator;

enum oriel_status oriel_evaluator_open(const struct oriel_runtime *runtime,
                                       struct oriel_expression *const *expressions,
                                       uint32_t expression_count, struct oriel_evaluator **out,
                                       struct oriel_error *error);
void oriel_evaluator_close(struct oriel_evaluator **evaluator);

/*
 * Evaluates all expressions over `batch` (at most runtime->batch_rows rows). (*columns)[i] holds
 * the value of expression i: either borrowed from the batch (a column reference) or owned by the
 * evaluator; valid until the next call.
 */
enum oriel_status oriel_evaluator_run(struct oriel_evaluator *evaluator,
                                      const struct oriel_batch *batch,
                                      const struct oriel_column **columns,
                                      struct oriel_error *error);

/* Replaces calls whose arguments are all constant by their value, except functions that are not
 * deterministic and calls that fail, which do so when a row reaches them. Fails for want of memory.
 */
enum oriel_status oriel_expression_fold(const struct oriel_runtime *runtime,
                                        struct oriel_arena *statement_arena,
                                        struct oriel_expression **expression,
                                        struct oriel_error *error);
