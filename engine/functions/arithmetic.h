/*
 * Inside engine/functions: the families that an arithmetic operator chooses from.
 */
#pragma once

#include "engine/functions/signature.h"

enum oriel_operator {
    ORIEL_OPERATOR_ADD,
    ORIEL_OPERATOR_SUBTRACT,
    ORIEL_OPERATOR_MULTIPLY,
    ORIEL_OPERATOR_DIVIDE,
    ORIEL_OPERATOR_MODULO,
    ORIEL_OPERATOR_NEGATE,
    ORIEL_OPERATOR_COUNT,
};

/* Integers wrap, FLOAT and DOUBLE follow IEEE 754. The evaluation for arguments that all have the
 * type; NULL where there is none. */
oriel_evaluate *oriel_arithmetic_evaluation(enum oriel_operator operator, enum oriel_type_id type);

/* Two DECIMALs (casts are set) and the result type of Flink's rules. */
enum oriel_status oriel_decimal_bind(struct oriel_binding *binding, enum oriel_operator operator,
                                     struct oriel_error * error);

/* Times and intervals. *done says whether the types are such a pair. */
enum oriel_status oriel_interval_bind(struct oriel_binding *binding, enum oriel_operator operator,
                                      bool * done, struct oriel_error *error);

/* Adds months to days since 1970; the day is clamped to the end of the month. */
int64_t oriel_days_add_months(int64_t days, int64_t months);
