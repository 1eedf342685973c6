/*
 * The arithmetic operators: which family and which result type an operator has for its arguments.
 */
#include "engine/functions/arithmetic.h"
#include "engine/functions/function_table.h"
#include "engine/functions/rows.h"

static const char *forms_of(enum oriel_operator operator) {
    switch (operator) {
    case ORIEL_OPERATOR_ADD:
        return "'<NUMERIC> + <NUMERIC>', '<INTERVAL> + <INTERVAL>', '<DATETIME> + <INTERVAL>', "
               "'<INTERVAL> + <DATETIME>'";
    case ORIEL_OPERATOR_SUBTRACT:
        return "'<NUMERIC> - <NUMERIC>', '<INTERVAL> - <INTERVAL>', '<DATETIME> - <INTERVAL>'";
    case ORIEL_OPERATOR_MULTIPLY:
        return "'<NUMERIC> * <NUMERIC>', '<INTERVAL> * <INTEGER>', '<INTEGER> * <INTERVAL>'";
    case ORIEL_OPERATOR_DIVIDE: return "'<NUMERIC> / <NUMERIC>'";
    case ORIEL_OPERATOR_MODULO: return "'<EXACT_NUMERIC> % <EXACT_NUMERIC>'";
    default: return "'-<NUMERIC>', '-<INTERVAL>'";
    }
}

/* NULL is a number of the other argument's type. */
static void replace_nulls(struct oriel_binding *binding) {
    const struct oriel_type *types = binding->argument_types;
    const uint32_t count = binding->argument_count;
    for (uint32_t i = 0; i < count; i++) {
        if (types[i].id != ORIEL_TYPE_NULL)
            continue;
        const struct oriel_type *other = &types[count - 1 - i];
        binding->casts[i] = oriel_type_is_numeric(other) ? oriel_type_with_null(*other, true)
                                                         : oriel_type_make(ORIEL_TYPE_INT);
    }
}

/* BIGINT % BIGINT written as the divisor's type, where it always fits. */
static enum oriel_status modulo_mixed(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    const int64_t *a = arguments[0].values, *b = arguments[1].values;
    const size_t value_bytes = oriel_physical_size(oriel_type_physical(&call->result));
    char *to = out->values;
    for (size_t row = 0; row < row_count; row++) {
        if (b[row] == 0 && oriel_row_counts(evaluation, out, row))
            return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                                  "/ by zero; NULLIF(x, 0) as the divisor gives NULL instead");
        const int64_t rest = b[row] == 0 || b[row] == -1 ? 0 : a[row] % b[row];
        memcpy(to + row * value_bytes, &rest, value_bytes); /* little-endian: the low bytes */
    }
    return ORIEL_OK;
}

/* The remainder of integers has the divisor's type. */
static enum oriel_status bind_modulo_mixed(struct oriel_binding *binding, struct oriel_type type) {
    for (uint32_t i = 0; i < 2; i++)
        binding->casts[i] =
            oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), binding->casts[i].nullable);
    return oriel_bind_result(binding, type, modulo_mixed);
}

static enum oriel_status bind_numbers(struct oriel_binding *binding, enum oriel_operator operator,
                                      struct oriel_error * error) {
    struct oriel_type *casts = binding->casts;
    const bool unary = operator== ORIEL_OPERATOR_NEGATE;
    const struct oriel_type a = casts[0], b = unary ? casts[0] : casts[1];
    struct oriel_type type;
    oriel_type_unify(&a, &b, &type);
    if (type.id == ORIEL_TYPE_DECIMAL) {
        casts[0] = oriel_type_as_decimal(&a);
        if (!unary)
            casts[1] = oriel_type_as_decimal(&b);
        return oriel_decimal_bind(binding, operator, error);
    }
    oriel_evaluate *evaluate = oriel_arithmetic_evaluation(operator, type.id);
    if (!evaluate)
        return oriel_bind_refuse(binding, forms_of(operator), error);
    casts[0] = oriel_type_with_null(type, a.nullable);
    if (!unary)
        casts[1] = oriel_type_with_null(type, b.nullable);
    if (operator== ORIEL_OPERATOR_MODULO && type.id != b.id)
        return bind_modulo_mixed(binding, b);
    return oriel_bind_result(binding, type, evaluate);
}

static enum oriel_status bind_operator(struct oriel_binding *binding, enum oriel_operator operator,
                                       struct oriel_error * error) {
    bool done;
    ORIEL_TRY(oriel_interval_bind(binding, operator, & done, error));
    if (done)
        return ORIEL_OK;
    replace_nulls(binding);
    for (uint32_t i = 0; i < binding->argument_count; i++) {
        if (!oriel_type_is_numeric(&binding->casts[i]))
            return oriel_bind_refuse(binding, forms_of(operator), error);
    }
    return bind_numbers(binding, operator, error);
}

static enum oriel_status bind_add(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_operator(binding, ORIEL_OPERATOR_ADD, error);
}

static enum oriel_status bind_subtract(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_operator(binding, ORIEL_OPERATOR_SUBTRACT, error);
}

static enum oriel_status bind_multiply(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_operator(binding, ORIEL_OPERATOR_MULTIPLY, error);
}

static enum oriel_status bind_divide(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_operator(binding, ORIEL_OPERATOR_DIVIDE, error);
}

static enum oriel_status bind_modulo(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_operator(binding, ORIEL_OPERATOR_MODULO, error);
}

static enum oriel_status bind_negate(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_operator(binding, ORIEL_OPERATOR_NEGATE, error);
}

static enum oriel_status copy(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                              const struct oriel_column *arguments, size_t row_count,
                              struct oriel_column *out) {
    (void)evaluation;
    memcpy(out->values, arguments[0].values,
           row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    return ORIEL_OK;
}

static enum oriel_status bind_plus(struct oriel_binding *binding, struct oriel_error *error) {
    const struct oriel_type *type = &binding->argument_types[0];
    if (type->id != ORIEL_TYPE_INTERVAL_DAY && type->id != ORIEL_TYPE_INTERVAL_YEAR)
        ORIEL_TRY(oriel_bind_arguments(binding, "n", "'+<NUMERIC>', '+<INTERVAL>'", error));
    return oriel_bind_result(binding, binding->casts[0], copy);
}

static const struct oriel_function rows[] = {
    {"%", 2, 2, ORIEL_FUNCTION_STRICT, bind_modulo, NULL},
    {"*", 2, 2, ORIEL_FUNCTION_STRICT, bind_multiply, NULL},
    {"+", 2, 2, ORIEL_FUNCTION_STRICT, bind_add, NULL},
    {"-", 2, 2, ORIEL_FUNCTION_STRICT, bind_subtract, NULL},
    {"/", 2, 2, ORIEL_FUNCTION_STRICT, bind_divide, NULL},
    {"MOD", 2, 2, ORIEL_FUNCTION_STRICT, bind_modulo, NULL},
    {"NEG", 1, 1, ORIEL_FUNCTION_STRICT, bind_negate, NULL},
    {"POS", 1, 1, ORIEL_FUNCTION_STRICT, bind_plus, NULL},
};

const struct oriel_function_group oriel_functions_arithmetic = {rows, sizeof rows / sizeof rows[0]};
