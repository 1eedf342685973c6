/*
 * Which type two types meet in (CASE, UNION, comparison), and which casts need not be written.
 */
#include "engine/functions/function.h"

/* DECIMAL digits that hold every value of an integer type. */
static unsigned integer_digits(enum oriel_type_id id) {
    switch (id) {
    case ORIEL_TYPE_TINYINT: return 3;
    case ORIEL_TYPE_SMALLINT: return 5;
    case ORIEL_TYPE_INT: return 10;
    default: return 19;
    }
}

struct oriel_type oriel_type_as_decimal(const struct oriel_type *type) {
    if (type->id == ORIEL_TYPE_DECIMAL)
        return oriel_type_with_null(oriel_type_decimal(type->precision, type->scale),
                                    type->nullable);
    return oriel_type_with_null(oriel_type_decimal(integer_digits(type->id), 0), type->nullable);
}

static struct oriel_type unify_decimals(struct oriel_type a, struct oriel_type b) {
    const unsigned scale = a.scale > b.scale ? a.scale : b.scale;
    const unsigned whole_a = (unsigned)(a.precision - a.scale);
    const unsigned whole_b = (unsigned)(b.precision - b.scale);
    const unsigned whole = whole_a > whole_b ? whole_a : whole_b;
    const unsigned room = ORIEL_DECIMAL_PRECISION_MAX - whole;
    const unsigned kept = scale < room ? scale : room;
    return oriel_type_decimal(whole + kept ? whole + kept : 1, kept);
}

static bool unify_numbers(const struct oriel_type *a, const struct oriel_type *b,
                          struct oriel_type *out) {
    const bool decimal = a->id == ORIEL_TYPE_DECIMAL || b->id == ORIEL_TYPE_DECIMAL;
    const bool approximate_a = a->id == ORIEL_TYPE_FLOAT || a->id == ORIEL_TYPE_DOUBLE;
    const bool approximate_b = b->id == ORIEL_TYPE_FLOAT || b->id == ORIEL_TYPE_DOUBLE;
    if (approximate_a && approximate_b)
        *out = oriel_type_make(a->id); /* of FLOAT and DOUBLE the first decides, as in Flink */
    else if (a->id == ORIEL_TYPE_DOUBLE || b->id == ORIEL_TYPE_DOUBLE)
        *out = oriel_type_make(ORIEL_TYPE_DOUBLE);
    else if (a->id == ORIEL_TYPE_FLOAT || b->id == ORIEL_TYPE_FLOAT)
        *out = oriel_type_make(decimal ? ORIEL_TYPE_DOUBLE : ORIEL_TYPE_FLOAT);
    else if (decimal)
        *out = unify_decimals(oriel_type_as_decimal(a), oriel_type_as_decimal(b));
    else
        *out = oriel_type_make(a->id > b->id ? a->id : b->id);
    return true;
}

static bool unify_texts(const struct oriel_type *a, const struct oriel_type *b,
                        enum oriel_type_id fixed, struct oriel_type *out) {
    const enum oriel_type_id varying =
        fixed == ORIEL_TYPE_CHAR ? ORIEL_TYPE_VARCHAR : ORIEL_TYPE_VARBINARY;
    const bool same = a->id == fixed && b->id == fixed && a->length == b->length;
    *out = oriel_type_make(same ? fixed : varying);
    out->length = a->length > b->length ? a->length : b->length;
    return true;
}

static bool unify(const struct oriel_type *a, const struct oriel_type *b, struct oriel_type *out) {
    if (a->id == ORIEL_TYPE_NULL || b->id == ORIEL_TYPE_NULL) {
        *out = a->id == ORIEL_TYPE_NULL ? *b : *a;
        return true;
    }
    if (oriel_type_same(a, b)) {
        *out = *a;
        out->rowtime = a->rowtime && b->rowtime;
        return true;
    }
    if (oriel_type_is_numeric(a) && oriel_type_is_numeric(b))
        return unify_numbers(a, b, out);
    if (oriel_type_is_character(a) && oriel_type_is_character(b))
        return unify_texts(a, b, ORIEL_TYPE_CHAR, out);
    if (oriel_type_is_binary(a) && oriel_type_is_binary(b))
        return unify_texts(a, b, ORIEL_TYPE_BINARY, out);
    const unsigned precision = a->precision > b->precision ? a->precision : b->precision;
    if (oriel_type_is_timestamp(a) && oriel_type_is_timestamp(b)) {
        const bool local = a->id == ORIEL_TYPE_TIMESTAMP_LTZ || b->id == ORIEL_TYPE_TIMESTAMP_LTZ;
        *out = local ? oriel_type_timestamp_ltz(precision) : oriel_type_timestamp(precision);
        return true;
    }
    if (a->id == ORIEL_TYPE_TIME && b->id == ORIEL_TYPE_TIME) {
        *out = oriel_type_make(ORIEL_TYPE_TIME);
        out->precision = (uint8_t)precision;
        return true;
    }
    if (a->id == b->id && (a->id == ORIEL_TYPE_INTERVAL_DAY || a->id == ORIEL_TYPE_INTERVAL_YEAR)) {
        *out = *a;
        return true;
    }
    return false;
}

bool oriel_type_unify(const struct oriel_type *a, const struct oriel_type *b,
                      struct oriel_type *out) {
    struct oriel_type type; /* `out` may be one of the arguments */
    if (!unify(a, b, &type))
        return false;
    type.nullable = a->nullable || b->nullable;
    *out = type;
    return true;
}

bool oriel_type_unify_nested(struct oriel_arena *arena, const struct oriel_type *a,
                             const struct oriel_type *b, struct oriel_type *out) {
    const bool nested =
        a->id == ORIEL_TYPE_ARRAY || a->id == ORIEL_TYPE_MAP || a->id == ORIEL_TYPE_ROW;
    if (!nested || a->id != b->id || a->field_count != b->field_count)
        return oriel_type_unify(a, b, out);
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(arena, a->field_count + 1, sizeof *fields);
    if (!fields)
        return false;
    for (uint32_t i = 0; i < a->field_count; i++) {
        fields[i].name = a->fields[i].name;
        if (!oriel_type_unify_nested(arena, &a->fields[i].type, &b->fields[i].type,
                                     &fields[i].type))
            return false;
    }
    struct oriel_type type = *a;
    type.fields = fields;
    type.nullable = a->nullable || b->nullable;
    *out = type;
    return true;
}

/* ARRAY, MAP and ROW part by part. */
static bool parts_cast_implicitly(const struct oriel_type *from, const struct oriel_type *to) {
    if (from->id != to->id || from->field_count != to->field_count)
        return false;
    for (uint32_t i = 0; i < to->field_count; i++) {
        if (!oriel_type_casts_implicitly(&from->fields[i].type, &to->fields[i].type))
            return false;
    }
    return true;
}

bool oriel_type_casts_implicitly(const struct oriel_type *from, const struct oriel_type *to) {
    if (from->id == ORIEL_TYPE_NULL || oriel_type_same(from, to))
        return true;
    switch (to->id) {
    case ORIEL_TYPE_SMALLINT:
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_BIGINT: return oriel_type_is_integer(from) && from->id <= to->id;
    case ORIEL_TYPE_FLOAT: return oriel_type_is_numeric(from) && from->id != ORIEL_TYPE_DOUBLE;
    case ORIEL_TYPE_DOUBLE:
    case ORIEL_TYPE_DECIMAL: return oriel_type_is_numeric(from);
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR: return oriel_type_is_character(from);
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return oriel_type_is_binary(from);
    case ORIEL_TYPE_DATE: return from->id == ORIEL_TYPE_DATE || from->id == ORIEL_TYPE_TIMESTAMP;
    case ORIEL_TYPE_TIME: return from->id == ORIEL_TYPE_TIME || from->id == ORIEL_TYPE_TIMESTAMP;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: return oriel_type_is_timestamp(from);
    case ORIEL_TYPE_INTERVAL_DAY:
    case ORIEL_TYPE_INTERVAL_YEAR: return from->id == to->id;
    case ORIEL_TYPE_ARRAY:
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW: return parts_cast_implicitly(from, to);
    default: return false;
    }
}
