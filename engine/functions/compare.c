/*
 * Comparison operators. Integers and doubles go to the kernels, everything else through the order
 * of the rows; IS [NOT] DISTINCT FROM treats NULL as a value.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/order.h"
#include "engine/functions/rows.h"
#include "kernels/kernels.h"

/* Bit order + 1 says whether the operator holds for an order -1, 0, 1. */
static unsigned holds(enum oriel_compare compare) {
    switch (compare) {
    case ORIEL_COMPARE_EQ: return 2;
    case ORIEL_COMPARE_NE: return 5;
    case ORIEL_COMPARE_LT: return 1;
    case ORIEL_COMPARE_LE: return 3;
    case ORIEL_COMPARE_GT: return 4;
    default: return 6;
    }
}

static const enum oriel_compare compare_codes[] = {
    ORIEL_COMPARE_EQ, ORIEL_COMPARE_NE, ORIEL_COMPARE_LT,
    ORIEL_COMPARE_LE, ORIEL_COMPARE_GT, ORIEL_COMPARE_GE,
};

static enum oriel_compare compare_of_call(const struct oriel_call *call) {
    return *(const enum oriel_compare *)call->state;
}

static const struct oriel_column *constant_right(const struct oriel_call *call) {
    return call->constants ? call->constants[1] : NULL;
}

static enum oriel_status compare_i32(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    const struct oriel_kernels *kernels = evaluation->runtime->kernels;
    const struct oriel_column *right = constant_right(call);
    if (right)
        kernels->compare_constant_i32(compare_of_call(call), arguments[0].values,
                                      *(const int32_t *)right->values, row_count, out->values);
    else
        kernels->compare_i32(compare_of_call(call), arguments[0].values, arguments[1].values,
                             row_count, out->values);
    return ORIEL_OK;
}

static enum oriel_status compare_i64(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    const struct oriel_kernels *kernels = evaluation->runtime->kernels;
    const struct oriel_column *right = constant_right(call);
    if (right)
        kernels->compare_constant_i64(compare_of_call(call), arguments[0].values,
                                      *(const int64_t *)right->values, row_count, out->values);
    else
        kernels->compare_i64(compare_of_call(call), arguments[0].values, arguments[1].values,
                             row_count, out->values);
    return ORIEL_OK;
}

static enum oriel_status compare_f64(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    const struct oriel_kernels *kernels = evaluation->runtime->kernels;
    const struct oriel_column *right = constant_right(call);
    if (right)
        kernels->compare_constant_f64(compare_of_call(call), arguments[0].values,
                                      *(const double *)right->values, row_count, out->values);
    else
        kernels->compare_f64(compare_of_call(call), arguments[0].values, arguments[1].values,
                             row_count, out->values);
    return ORIEL_OK;
}

/* The orders are written where the result goes: both are one byte a row. */
static enum oriel_status compare_any(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    const unsigned mask = holds(compare_of_call(call));
    int8_t *orders = out->values;
    oriel_order_rows(evaluation, out, &call->argument_types[0], &arguments[0],
                     &call->argument_types[1], &arguments[1], row_count, orders);
    for (size_t row = 0; row < row_count; row++)
        orders[row] = (int8_t)((mask >> ((orders[row] + 1) & 3)) & 1);
    return ORIEL_OK;
}

/* Equality of strings looks at eight bytes first and needs no order. */
static enum oriel_status compare_strings_equal(const struct oriel_call *call,
                                               struct oriel_evaluation *evaluation,
                                               const struct oriel_column *arguments,
                                               size_t row_count, struct oriel_column *out) {
    const struct oriel_string *a = arguments[0].values, *b = arguments[1].values;
    const int wanted = compare_of_call(call) == ORIEL_COMPARE_EQ;
    uint8_t *results = out->values;
    for (size_t row = 0; row < row_count; row++) {
        results[row] = oriel_row_counts(evaluation, out, row) &&
                       oriel_string_equal(&a[row], &b[row]) == wanted;
    }
    return ORIEL_OK;
}

static enum oriel_status distinct(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    const bool wanted = compare_of_call(call) == ORIEL_COMPARE_NE;
    int8_t *orders = out->values;
    const size_t word_count = oriel_bits_word_count(row_count);
    for (size_t word = 0; word < word_count; word++) {
        out->valid[word] = (arguments[0].valid ? arguments[0].valid[word] : ~UINT64_C(0)) &
                           (arguments[1].valid ? arguments[1].valid[word] : ~UINT64_C(0));
    }
    oriel_order_rows(evaluation, out, &call->argument_types[0], &arguments[0],
                     &call->argument_types[1], &arguments[1], row_count, orders);
    for (size_t row = 0; row < row_count; row++) {
        const int null_a = oriel_column_is_null(&arguments[0], row);
        const int null_b = oriel_column_is_null(&arguments[1], row);
        const bool differs = null_a || null_b ? null_a != null_b : orders[row] != 0;
        orders[row] = differs == wanted;
    }
    memset(out->valid, 0xff, word_count * sizeof *out->valid);
    return ORIEL_OK;
}

static oriel_evaluate *choose(const struct oriel_type *type, enum oriel_compare compare,
                              bool has_kernels) {
    const enum oriel_physical physical = oriel_type_physical(type);
    if (physical == ORIEL_PHYSICAL_STRING &&
        (compare == ORIEL_COMPARE_EQ || compare == ORIEL_COMPARE_NE))
        return compare_strings_equal;
    if (has_kernels && physical == ORIEL_PHYSICAL_I32)
        return compare_i32;
    if (has_kernels && physical == ORIEL_PHYSICAL_I64)
        return compare_i64;
    if (has_kernels && physical == ORIEL_PHYSICAL_F64)
        return compare_f64;
    return compare_any;
}

static enum oriel_status bind_compare(struct oriel_binding *binding, enum oriel_compare compare,
                                      bool distinct_from, struct oriel_error *error) {
    const bool equality = compare == ORIEL_COMPARE_EQ || compare == ORIEL_COMPARE_NE;
    const struct oriel_type *types = binding->argument_types;
    if (!equality && !distinct_from && types[0].id == ORIEL_TYPE_ROW)
        return oriel_bind_refuse(binding, "rows in = and <> alone; compare their fields", error);
    if (!oriel_order_casts(&types[0], &types[1], equality, &binding->casts[0], &binding->casts[1]))
        return oriel_bind_refuse(
            binding, "two values of comparable types; CAST one of them to the type of the other",
            error);
    for (size_t i = 0; i < sizeof compare_codes / sizeof compare_codes[0]; i++) {
        if (compare_codes[i] == compare)
            binding->state = &compare_codes[i];
    }
    const bool has_kernels = binding->runtime && binding->runtime->kernels;
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN),
                      distinct_from ? distinct : choose(&binding->casts[0], compare, has_kernels));
    if (distinct_from)
        binding->result.nullable = false;
    return ORIEL_OK;
}

static enum oriel_status bind_eq(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_EQ, false, error);
}

static enum oriel_status bind_ne(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_NE, false, error);
}

static enum oriel_status bind_lt(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_LT, false, error);
}

static enum oriel_status bind_le(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_LE, false, error);
}

static enum oriel_status bind_gt(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_GT, false, error);
}

static enum oriel_status bind_ge(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_GE, false, error);
}

static enum oriel_status bind_distinct(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_NE, true, error);
}

static enum oriel_status bind_not_distinct(struct oriel_binding *binding,
                                           struct oriel_error *error) {
    return bind_compare(binding, ORIEL_COMPARE_EQ, true, error);
}

static const struct oriel_function rows[] = {
    {"<", 2, 2, ORIEL_FUNCTION_STRICT, bind_lt, NULL},
    {"<=", 2, 2, ORIEL_FUNCTION_STRICT, bind_le, NULL},
    {"<>", 2, 2, ORIEL_FUNCTION_STRICT, bind_ne, NULL},
    {"=", 2, 2, ORIEL_FUNCTION_STRICT, bind_eq, NULL},
    {">", 2, 2, ORIEL_FUNCTION_STRICT, bind_gt, NULL},
    {">=", 2, 2, ORIEL_FUNCTION_STRICT, bind_ge, NULL},
    {"IS DISTINCT FROM", 2, 2, 0, bind_distinct, NULL},
    {"IS NOT DISTINCT FROM", 2, 2, 0, bind_not_distinct, NULL},
};

const struct oriel_function_group oriel_functions_compare = {rows, sizeof rows / sizeof rows[0]};
