/*
 * Functions of one or two DOUBLEs: roots, logarithms, powers, angles. Domains are not checked: what
 * has no value is NaN or infinite, as in Java.
 */
#include <math.h>

#include "engine/functions/function_table.h"
#include "engine/functions/rows.h"
#include "engine/functions/signature.h"

typedef double unary_function(double value);

struct unary_row {
    const char *name;
    unary_function *function;
};

static double cot(double value) {
    return 1.0 / tan(value);
}

/* Java's toDegrees and toRadians multiply by a constant. */
static double degrees(double value) {
    return value * 57.29577951308232;
}

static double radians(double value) {
    return value * 0.017453292519943295;
}

static const struct unary_row unary_rows[] = {
    {"ACOS", acos}, {"ASIN", asin},       {"ATAN", atan},       {"COS", cos},   {"COSH", cosh},
    {"COT", cot},   {"EXP", exp},         {"LN", log},          {"LOG", log},   {"LOG10", log10},
    {"LOG2", log2}, {"SIN", sin},         {"SINH", sinh},       {"SQRT", sqrt}, {"TAN", tan},
    {"TANH", tanh}, {"DEGREES", degrees}, {"RADIANS", radians},
};

static enum oriel_status unary(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    (void)evaluation;
    unary_function *function = ((const struct unary_row *)call->state)->function;
    const double *from = arguments[0].values;
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = function(from[row]);
    return ORIEL_OK;
}

static enum oriel_status bind_unary(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "d", "a number", error));
    for (size_t i = 0; i < sizeof unary_rows / sizeof unary_rows[0]; i++) {
        if (strcmp(unary_rows[i].name, binding->name) == 0)
            binding->state = &unary_rows[i];
    }
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_DOUBLE), unary);
}

static enum oriel_status power(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    (void)call, (void)evaluation;
    const double *base = arguments[0].values, *exponent = arguments[1].values;
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++) {
        /* Java: NaN where C says 1 for a base of 1 and for the exponent NaN */
        const bool undefined =
            exponent[row] != exponent[row] || (fabs(base[row]) == 1.0 && isinf(exponent[row]));
        to[row] = undefined ? NAN : pow(base[row], exponent[row]);
    }
    return ORIEL_OK;
}

static enum oriel_status log_base(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    (void)call, (void)evaluation;
    const double *base = arguments[0].values, *value = arguments[1].values;
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = log(value[row]) / log(base[row]);
    return ORIEL_OK;
}

static enum oriel_status arc_tangent(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    (void)call, (void)evaluation;
    const double *y = arguments[0].values, *x = arguments[1].values;
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = atan2(y[row], x[row]);
    return ORIEL_OK;
}

static enum oriel_status bind_two(struct oriel_binding *binding, oriel_evaluate *evaluate,
                                  struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "d", "two numbers", error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_DOUBLE), evaluate);
}

static enum oriel_status bind_power(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_two(binding, power, error);
}

/* LOG(x) is the natural one, LOG(base, x) to a base. */
static enum oriel_status bind_log(struct oriel_binding *binding, struct oriel_error *error) {
    return binding->argument_count == 1 ? bind_unary(binding, error)
                                        : bind_two(binding, log_base, error);
}

static enum oriel_status bind_atan2(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_two(binding, arc_tangent, error);
}

static const double constant_pi = 3.141592653589793, constant_e = 2.718281828459045;

static enum oriel_status constant(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    (void)evaluation, (void)arguments;
    double *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = *(const double *)call->state;
    return ORIEL_OK;
}

static enum oriel_status bind_pi(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    binding->state = &constant_pi;
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_DOUBLE), constant);
}

static enum oriel_status bind_e(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    binding->state = &constant_e;
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_DOUBLE), constant);
}

static const struct oriel_function rows[] = {
    {"ACOS", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"ASIN", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"ATAN", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"ATAN2", 2, 2, ORIEL_FUNCTION_STRICT, bind_atan2, NULL},
    {"COS", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"COSH", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"COT", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"DEGREES", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"E", 0, 0, ORIEL_FUNCTION_STRICT, bind_e, NULL},
    {"EXP", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"LN", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"LOG", 1, 2, ORIEL_FUNCTION_STRICT, bind_log, NULL},
    {"LOG10", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"LOG2", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"PI", 0, 0, ORIEL_FUNCTION_STRICT, bind_pi, NULL},
    {"POWER", 2, 2, ORIEL_FUNCTION_STRICT, bind_power, NULL},
    {"RADIANS", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"SIN", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"SINH", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"SQRT", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"TAN", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
    {"TANH", 1, 1, ORIEL_FUNCTION_STRICT, bind_unary, NULL},
};

const struct oriel_function_group oriel_functions_math = {rows, sizeof rows / sizeof rows[0]};
