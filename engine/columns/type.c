/*
 * Types: making them, comparing them, and how their values lie in a column.
 */
#include "engine/columns/type.h"

enum { PRECISION_DEFAULT_TIMESTAMP = 6, PRECISION_DEFAULT_DECIMAL = 10, PRECISION_MS = 3 };

struct oriel_type oriel_type_make(enum oriel_type_id id) {
    struct oriel_type type = {.id = id, .nullable = true};
    switch (id) {
    case ORIEL_TYPE_DECIMAL: type.precision = PRECISION_DEFAULT_DECIMAL; break;
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_BINARY: type.length = 1; break;
    case ORIEL_TYPE_VARCHAR:
    case ORIEL_TYPE_VARBINARY: type.length = ORIEL_LENGTH_MAX; break;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ: type.precision = PRECISION_DEFAULT_TIMESTAMP; break;
    default: break;
    }
    return type;
}

struct oriel_type oriel_type_decimal(unsigned precision, unsigned scale) {
    return (struct oriel_type){.id = ORIEL_TYPE_DECIMAL,
                               .nullable = true,
                               .precision = (uint8_t)precision,
                               .scale = (uint8_t)scale};
}

struct oriel_type oriel_type_string(void) {
    return oriel_type_make(ORIEL_TYPE_VARCHAR);
}

struct oriel_type oriel_type_timestamp(unsigned precision) {
    return (struct oriel_type){
        .id = ORIEL_TYPE_TIMESTAMP, .nullable = true, .precision = (uint8_t)precision};
}

struct oriel_type oriel_type_timestamp_ltz(unsigned precision) {
    return (struct oriel_type){
        .id = ORIEL_TYPE_TIMESTAMP_LTZ, .nullable = true, .precision = (uint8_t)precision};
}

struct oriel_type oriel_type_with_null(struct oriel_type type, bool nullable) {
    type.nullable = nullable;
    return type;
}

enum oriel_physical oriel_type_physical(const struct oriel_type *type) {
    switch (type->id) {
    case ORIEL_TYPE_NULL:
    case ORIEL_TYPE_BOOLEAN:
    case ORIEL_TYPE_TINYINT: return ORIEL_PHYSICAL_I8;
    case ORIEL_TYPE_SMALLINT: return ORIEL_PHYSICAL_I16;
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_DATE:
    case ORIEL_TYPE_TIME:
    case ORIEL_TYPE_INTERVAL_YEAR: return ORIEL_PHYSICAL_I32;
    case ORIEL_TYPE_BIGINT:
    case ORIEL_TYPE_INTERVAL_DAY: return ORIEL_PHYSICAL_I64;
    case ORIEL_TYPE_FLOAT: return ORIEL_PHYSICAL_F32;
    case ORIEL_TYPE_DOUBLE: return ORIEL_PHYSICAL_F64;
    case ORIEL_TYPE_DECIMAL: return ORIEL_PHYSICAL_I128;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        return type->precision <= PRECISION_MS ? ORIEL_PHYSICAL_I64 : ORIEL_PHYSICAL_I128;
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR:
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return ORIEL_PHYSICAL_STRING;
    case ORIEL_TYPE_ARRAY:
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW: return ORIEL_PHYSICAL_NESTED;
    }
    return ORIEL_PHYSICAL_I8;
}

size_t oriel_physical_size(enum oriel_physical physical) {
    switch (physical) {
    case ORIEL_PHYSICAL_I8: return 1;
    case ORIEL_PHYSICAL_I16: return 2;
    case ORIEL_PHYSICAL_I32:
    case ORIEL_PHYSICAL_F32: return 4;
    case ORIEL_PHYSICAL_I64:
    case ORIEL_PHYSICAL_F64:
    case ORIEL_PHYSICAL_NESTED: return 8;
    case ORIEL_PHYSICAL_I128:
    case ORIEL_PHYSICAL_STRING: return 16;
    }
    return 0;
}

/* Field names of a ROW do not count, as in Flink. */
bool oriel_type_same(const struct oriel_type *a, const struct oriel_type *b) {
    if (a->id != b->id || a->multiset != b->multiset || a->precision != b->precision ||
        a->scale != b->scale || a->length != b->length || a->field_count != b->field_count)
        return false;
    for (uint32_t i = 0; i < a->field_count; i++) {
        if (!oriel_type_same(&a->fields[i].type, &b->fields[i].type))
            return false;
    }
    return true;
}

bool oriel_type_is_integer(const struct oriel_type *type) {
    return type->id >= ORIEL_TYPE_TINYINT && type->id <= ORIEL_TYPE_BIGINT;
}

bool oriel_type_is_numeric(const struct oriel_type *type) {
    return type->id >= ORIEL_TYPE_TINYINT && type->id <= ORIEL_TYPE_DECIMAL;
}

bool oriel_type_is_character(const struct oriel_type *type) {
    return type->id == ORIEL_TYPE_CHAR || type->id == ORIEL_TYPE_VARCHAR;
}

bool oriel_type_is_binary(const struct oriel_type *type) {
    return type->id == ORIEL_TYPE_BINARY || type->id == ORIEL_TYPE_VARBINARY;
}

bool oriel_type_is_timestamp(const struct oriel_type *type) {
    return type->id == ORIEL_TYPE_TIMESTAMP || type->id == ORIEL_TYPE_TIMESTAMP_LTZ;
}
