/*
 * Order of values: one loop a physical type. Everything that compares (operators, IN, BETWEEN,
 * GREATEST) goes through here or through the kernels that agree with it.
 */
#include "engine/functions/order.h"

#include "engine/base/decimal.h"
#include "engine/functions/rows.h"

static bool is_exact(const struct oriel_type *type) {
    return oriel_type_is_integer(type) || type->id == ORIEL_TYPE_DECIMAL;
}

/* A string meets numbers and times as one of them, and a BOOLEAN as its text. */
static bool text_casts(const struct oriel_type *other, bool equality, struct oriel_type *text,
                       struct oriel_type *cast_other) {
    if (oriel_type_is_numeric(other)) {
        if (equality)
            return false;
        *text = *other;
        return true;
    }
    switch (other->id) {
    case ORIEL_TYPE_DATE:
    case ORIEL_TYPE_TIME:
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: *text = *other; return true;
    case ORIEL_TYPE_BOOLEAN: *cast_other = oriel_type_string(); return true;
    default: return false;
    }
}

bool oriel_order_casts(const struct oriel_type *a, const struct oriel_type *b, bool equality,
                       struct oriel_type *cast_a, struct oriel_type *cast_b) {
    *cast_a = *a;
    *cast_b = *b;
    const bool text_a = oriel_type_is_character(a), text_b = oriel_type_is_character(b);
    bool fits = true;
    if (text_a && text_b) {
        /* any two lengths compare as they are */
    } else if (a->id == ORIEL_TYPE_NULL || b->id == ORIEL_TYPE_NULL) {
        if (a->id == ORIEL_TYPE_NULL)
            *cast_a = b->id == ORIEL_TYPE_NULL ? oriel_type_make(ORIEL_TYPE_INT) : *b;
        *cast_b = b->id == ORIEL_TYPE_NULL ? *cast_a : *b;
    } else if (text_a) {
        fits = text_casts(b, equality, cast_a, cast_b);
    } else if (text_b) {
        fits = text_casts(a, equality, cast_b, cast_a);
    } else if (is_exact(a) && is_exact(b) &&
               (a->id == ORIEL_TYPE_DECIMAL || b->id == ORIEL_TYPE_DECIMAL)) {
        *cast_a = oriel_type_as_decimal(a);
        *cast_b = oriel_type_as_decimal(b);
    } else {
        fits = oriel_type_unify(a, b, cast_a);
        /* Of FLOAT and DOUBLE the first decides for = and <>, as in Flink. */
        if (!equality && cast_a->id == ORIEL_TYPE_FLOAT && b->id == ORIEL_TYPE_DOUBLE)
            cast_a->id = ORIEL_TYPE_DOUBLE;
        *cast_b = *cast_a;
    }
    cast_a->nullable = a->nullable;
    cast_b->nullable = b->nullable;
    return fits;
}

bool oriel_order_unify_arguments(struct oriel_binding *binding) {
    struct oriel_type type = binding->argument_types[0];
    for (uint32_t i = 1; i < binding->argument_count; i++) {
        struct oriel_type other;
        if (oriel_type_unify(&type, &binding->argument_types[i], &other)) {
            type = other;
            continue;
        }
        struct oriel_type cast_a, cast_b;
        if (!oriel_order_casts(&type, &binding->argument_types[i], false, &cast_a, &cast_b))
            return false;
        type = oriel_type_same(&cast_a, &type) ? cast_b : cast_a;
    }
    if (type.id == ORIEL_TYPE_NULL)
        type = oriel_type_make(ORIEL_TYPE_INT);
    for (uint32_t i = 0; i < binding->argument_count; i++)
        binding->casts[i] = oriel_type_with_null(type, binding->argument_types[i].nullable);
    return true;
}

#define ORIEL_ORDER_LIST(X)                                                                        \
    X(i8, int8_t)                                                                                  \
    X(i16, int16_t)                                                                                \
    X(i32, int32_t)                                                                                \
    X(i64, int64_t)                                                                                \
    X(i128, oriel_i128)

#define ORIEL_ORDER_DEFINE(name, type)                                                             \
    static void order_##name(const type *a, const type *b, size_t row_count, int8_t *orders) {     \
        for (size_t row = 0; row < row_count; row++)                                               \
            orders[row] = (int8_t)((a[row] > b[row]) - (a[row] < b[row]));                         \
    }
ORIEL_ORDER_LIST(ORIEL_ORDER_DEFINE)

static void order_f64(const double *a, const double *b, size_t row_count, int8_t *orders) {
    for (size_t row = 0; row < row_count; row++) {
        const int above = (a[row] > b[row]) | ((a[row] != a[row]) & (b[row] == b[row]));
        const int below = (a[row] < b[row]) | ((a[row] == a[row]) & (b[row] != b[row]));
        orders[row] = (int8_t)(above - below);
    }
}

static void order_f32(const float *a, const float *b, size_t row_count, int8_t *orders) {
    for (size_t row = 0; row < row_count; row++) {
        const int above = (a[row] > b[row]) | ((a[row] != a[row]) & (b[row] == b[row]));
        const int below = (a[row] < b[row]) | ((a[row] == a[row]) & (b[row] != b[row]));
        orders[row] = (int8_t)(above - below);
    }
}

/* a * factor against b without losing digits: a product that overflows is further from zero. */
static int8_t order_scaled(oriel_i128 a, oriel_i128 factor, oriel_i128 b) {
    oriel_i128 product;
    if (__builtin_mul_overflow(a, factor, &product))
        return a < 0 ? -1 : 1;
    return (int8_t)((product > b) - (product < b));
}

static void order_decimals(const struct oriel_type *type_a, const oriel_i128 *a,
                           const struct oriel_type *type_b, const oriel_i128 *b, size_t row_count,
                           int8_t *orders) {
    if (type_a->scale == type_b->scale) {
        order_i128(a, b, row_count, orders);
        return;
    }
    const bool widen_a = type_a->scale < type_b->scale;
    const unsigned shift = widen_a ? (unsigned)(type_b->scale - type_a->scale)
                                   : (unsigned)(type_a->scale - type_b->scale);
    const oriel_i128 factor = oriel_decimal_power(shift);
    for (size_t row = 0; row < row_count; row++)
        orders[row] = widen_a ? order_scaled(a[row], factor, b[row])
                              : (int8_t)-order_scaled(b[row], factor, a[row]);
}

static void order_objects(const struct oriel_evaluation *evaluation, const struct oriel_column *out,
                          const struct oriel_column *a, const struct oriel_column *b,
                          size_t row_count, int8_t *orders) {
    const bool strings = oriel_type_physical(&a->type) == ORIEL_PHYSICAL_STRING;
    const struct oriel_string *texts_a = a->values, *texts_b = b->values;
    for (size_t row = 0; row < row_count; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        const int order = strings ? oriel_string_compare(&texts_a[row], &texts_b[row])
                                  : oriel_column_compare(a, row, b, row);
        orders[row] = (int8_t)((order > 0) - (order < 0));
    }
}

void oriel_order_rows(const struct oriel_evaluation *evaluation, const struct oriel_column *out,
                      const struct oriel_type *type_a, const struct oriel_column *a,
                      const struct oriel_type *type_b, const struct oriel_column *b,
                      size_t row_count, int8_t *orders) {
    switch (oriel_type_physical(type_a)) {
    case ORIEL_PHYSICAL_I8: order_i8(a->values, b->values, row_count, orders); break;
    case ORIEL_PHYSICAL_I16: order_i16(a->values, b->values, row_count, orders); break;
    case ORIEL_PHYSICAL_I32: order_i32(a->values, b->values, row_count, orders); break;
    case ORIEL_PHYSICAL_I64: order_i64(a->values, b->values, row_count, orders); break;
    case ORIEL_PHYSICAL_I128:
        if (type_a->id == ORIEL_TYPE_DECIMAL)
            order_decimals(type_a, a->values, type_b, b->values, row_count, orders);
        else
            order_i128(a->values, b->values, row_count, orders);
        break;
    case ORIEL_PHYSICAL_F32: order_f32(a->values, b->values, row_count, orders); break;
    case ORIEL_PHYSICAL_F64: order_f64(a->values, b->values, row_count, orders); break;
    case ORIEL_PHYSICAL_STRING:
    case ORIEL_PHYSICAL_NESTED: order_objects(evaluation, out, a, b, row_count, orders); break;
    }
}
