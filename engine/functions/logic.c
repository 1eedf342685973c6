/*
 * NOT, the tests of NULL, and the tests of truth values. AND and OR are kinds of expressions of
 * their own (expression_logic.c).
 */
#include "engine/functions/function_table.h"
#include "engine/functions/rows.h"
#include "engine/functions/signature.h"

static enum oriel_status negate(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                const struct oriel_column *arguments, size_t row_count,
                                struct oriel_column *out) {
    (void)call, (void)evaluation;
    const uint8_t *from = arguments[0].values;
    uint8_t *to = out->values;
    for (size_t row = 0; row < row_count; row++)
        to[row] = from[row] ^ 1;
    return ORIEL_OK;
}

static enum oriel_status bind_not(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "b", "'NOT <BOOLEAN>'", error));
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), negate);
}

static void nullness(const struct oriel_column *argument, size_t row_count, uint64_t flip,
                     struct oriel_column *out) {
    for (size_t word = 0; word < oriel_bits_word_count(row_count); word++) {
        const uint64_t valid = argument->valid ? argument->valid[word] : ~UINT64_C(0);
        oriel_block_of_bits(valid ^ flip, (uint8_t *)out->values + 64 * word);
    }
}

static enum oriel_status is_null(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row_count,
                                 struct oriel_column *out) {
    (void)call, (void)evaluation;
    nullness(&arguments[0], row_count, ~UINT64_C(0), out);
    return ORIEL_OK;
}

static enum oriel_status is_not_null(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    (void)call, (void)evaluation;
    nullness(&arguments[0], row_count, 0, out);
    return ORIEL_OK;
}

static enum oriel_status bind_null_test(struct oriel_binding *binding, oriel_evaluate *evaluate) {
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), evaluate);
    binding->result.nullable = false;
    return ORIEL_OK;
}

static enum oriel_status bind_is_null(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    return bind_null_test(binding, is_null);
}

static enum oriel_status bind_is_not_null(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    (void)error;
    return bind_null_test(binding, is_not_null);
}

/* What a test answers for false, true and NULL: bits 0, 1, 2. */
enum {
    TEST_FALSE = 1,
    TEST_TRUE = 2,
    TEST_UNKNOWN = 4,
};

static const uint8_t tests[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static enum oriel_status truth(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    (void)evaluation;
    const unsigned test = *(const uint8_t *)call->state;
    const uint64_t if_true = test & TEST_TRUE ? ~UINT64_C(0) : 0;
    const uint64_t if_false = test & TEST_FALSE ? ~UINT64_C(0) : 0;
    const uint64_t if_unknown = test & TEST_UNKNOWN ? ~UINT64_C(0) : 0;
    for (size_t word = 0; word < oriel_bits_word_count(row_count); word++) {
        const uint64_t valid = arguments[0].valid ? arguments[0].valid[word] : ~UINT64_C(0);
        const uint64_t value =
            oriel_bits_of_block((const uint8_t *)arguments[0].values + 64 * word);
        oriel_block_of_bits((valid & value & if_true) | (valid & ~value & if_false) |
                                (~valid & if_unknown),
                            (uint8_t *)out->values + 64 * word);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_test(struct oriel_binding *binding, unsigned test,
                                   struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "b", "a BOOLEAN", error));
    binding->state = &tests[test];
    oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BOOLEAN), truth);
    binding->result.nullable = false;
    return ORIEL_OK;
}

static enum oriel_status bind_is_true(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_test(binding, TEST_TRUE, error);
}

static enum oriel_status bind_is_not_true(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    return bind_test(binding, TEST_FALSE | TEST_UNKNOWN, error);
}

static enum oriel_status bind_is_false(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_test(binding, TEST_FALSE, error);
}

static enum oriel_status bind_is_not_false(struct oriel_binding *binding,
                                           struct oriel_error *error) {
    return bind_test(binding, TEST_TRUE | TEST_UNKNOWN, error);
}

static enum oriel_status bind_is_unknown(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_test(binding, TEST_UNKNOWN, error);
}

static enum oriel_status bind_is_not_unknown(struct oriel_binding *binding,
                                             struct oriel_error *error) {
    return bind_test(binding, TEST_TRUE | TEST_FALSE, error);
}

static const struct oriel_function rows[] = {
    {"IS FALSE", 1, 1, 0, bind_is_false, NULL},
    {"IS NOT FALSE", 1, 1, 0, bind_is_not_false, NULL},
    {"IS NOT NULL", 1, 1, 0, bind_is_not_null, NULL},
    {"IS NOT TRUE", 1, 1, 0, bind_is_not_true, NULL},
    {"IS NOT UNKNOWN", 1, 1, 0, bind_is_not_unknown, NULL},
    {"IS NULL", 1, 1, 0, bind_is_null, NULL},
    {"IS TRUE", 1, 1, 0, bind_is_true, NULL},
    {"IS UNKNOWN", 1, 1, 0, bind_is_unknown, NULL},
    {"NOT", 1, 1, ORIEL_FUNCTION_STRICT, bind_not, NULL},
};

const struct oriel_function_group oriel_functions_logic = {rows, sizeof rows / sizeof rows[0]};
