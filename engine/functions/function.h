/*
 * The table of scalar functions and operators: one row each. To add a function is to add its row
 * (and its evaluation) in the file of its topic.
 */
#pragma once

#include "engine/functions/expression.h"

enum oriel_function_flags {
    ORIEL_FUNCTION_STRICT = 1,     /* NULL in, NULL out: `out->valid` arrives as the AND of the
                                      arguments' validity, values of null rows are not looked at */
    ORIEL_FUNCTION_VOLATILE = 2,   /* never folded: RAND, UUID */
    ORIEL_FUNCTION_STATEMENT = 4,  /* constant within a statement: CURRENT_TIMESTAMP */
    ORIEL_FUNCTION_UNEXPANDED = 8, /* constant arguments arrive as one row, not as a full column */
    ORIEL_FUNCTION_UNAVAILABLE = 16, /* only there to be refused, whatever its arguments are */
};

enum { ORIEL_ARGUMENTS_ANY = 255 };

/* What bind sees and decides. */
struct oriel_binding {
    const struct oriel_runtime *runtime;
    struct oriel_arena *statement_arena;
    struct oriel_position position;
    const char *name; /* as the user wrote it, upper case */
    uint32_t argument_count;
    const struct oriel_type *argument_types;
    const struct oriel_column *const *constants; /* of arguments that are constant, else NULL */
    const struct oriel_type *target;             /* CAST and TRY_CAST: the type asked for */
    /* results */
    struct oriel_type
        *casts; /* argument i is cast to casts[i] before the call; preset to its type */
    struct oriel_type result; /* nullability too */
    enum oriel_status (*evaluate)(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out);
    const void *state;
};

struct oriel_function {
    const char *name; /* upper case; operators as engine/sql/ast.h names them */
    uint8_t argument_count_min;
    uint8_t argument_count_max;
    unsigned flags;
    /* Checks the argument types, sets casts, result, evaluate and state. ORIEL_INVALID with a
     * message that names function and types when they do not fit. */
    enum oriel_status (*bind)(struct oriel_binding *binding, struct oriel_error *error);
    const struct oriel_function_local *local; /* state of each evaluator; NULL: none */
};

/* What a function needs apart in each evaluator, i.e. in each worker: a pattern's matcher. `open`
 * may leave *local NULL; `evaluate` finds it in evaluation->local. */
struct oriel_function_local {
    enum oriel_status (*open)(const struct oriel_call *call, const struct oriel_runtime *runtime,
                              void **local, struct oriel_error *error);
    void (*close)(const struct oriel_call *call, const struct oriel_runtime *runtime, void *local);
};

/* The function with that name (upper case), or NULL. */
const struct oriel_function *oriel_function_find(const char *name);

/* The name closest to `name`, for "did you mean"; NULL when none is close. */
const char *oriel_function_suggest(const char *name);

/* All of them, in order of name; NULL past the end. */
const struct oriel_function *oriel_function_at(size_t index);

/*
 * Builds the call of the function or operator `name` (upper case) with arguments that are already
 * bound and folded: checks their number, binds, casts arguments where bind asks for it, folds.
 * `target` is the type of CAST and TRY_CAST, else NULL. Operators that are kinds of their own (AND,
 * OR) and those that the binder rewrites (CASE, COALESCE, NULLIF, IF) are not in the table.
 */
enum oriel_status oriel_expression_call(const struct oriel_runtime *runtime,
                                        struct oriel_arena *statement_arena, const char *name,
                                        struct oriel_position position,
                                        struct oriel_expression *const *arguments,
                                        uint32_t argument_count, const struct oriel_type *target,
                                        struct oriel_expression **out, struct oriel_error *error);

/* The expression itself when it has the type (nullability apart), else an implicit cast, folded. */
enum oriel_status oriel_expression_cast(const struct oriel_runtime *runtime,
                                        struct oriel_arena *statement_arena,
                                        struct oriel_expression *expression,
                                        const struct oriel_type *type,
                                        struct oriel_expression **out, struct oriel_error *error);

/* The type that values of both types can be brought to (CASE, UNION, comparison), false if none. */
bool oriel_type_unify(const struct oriel_type *a, const struct oriel_type *b,
                      struct oriel_type *out);

/* The same, also for ARRAY, MAP and ROW whose parts differ: their new fields lie in `arena`. False
 * too when memory runs out. */
bool oriel_type_unify_nested(struct oriel_arena *arena, const struct oriel_type *a,
                             const struct oriel_type *b, struct oriel_type *out);

/* Whether an implicit cast brings `from` to `to` in a comparison, INSERT or UNION. */
bool oriel_type_casts_implicitly(const struct oriel_type *from, const struct oriel_type *to);

/* A numeric type as the DECIMAL that holds all its values; integers only, DECIMAL as it is. */
struct oriel_type oriel_type_as_decimal(const struct oriel_type *type);
