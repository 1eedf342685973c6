/*
 * SQL types as Flink has them, and how their values lie in memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oriel_arena;

enum oriel_type_id {
    ORIEL_TYPE_NULL, /* of the literal NULL alone */
    ORIEL_TYPE_BOOLEAN,
    ORIEL_TYPE_TINYINT,
    ORIEL_TYPE_SMALLINT,
    ORIEL_TYPE_INT,
    ORIEL_TYPE_BIGINT,
    ORIEL_TYPE_FLOAT,
    ORIEL_TYPE_DOUBLE,
    ORIEL_TYPE_DECIMAL,   /* precision 1..38, scale 0..precision */
    ORIEL_TYPE_CHAR,      /* length in characters */
    ORIEL_TYPE_VARCHAR,   /* length in characters; ORIEL_LENGTH_MAX is STRING */
    ORIEL_TYPE_BINARY,    /* length in bytes */
    ORIEL_TYPE_VARBINARY, /* length in bytes; ORIEL_LENGTH_MAX is BYTES */
    ORIEL_TYPE_DATE,
    ORIEL_TYPE_TIME,          /* precision 0..9, values in milliseconds */
    ORIEL_TYPE_TIMESTAMP,     /* precision 0..9, wall clock */
    ORIEL_TYPE_TIMESTAMP_LTZ, /* precision 0..9, instant */
    ORIEL_TYPE_INTERVAL_DAY,  /* DAY TO SECOND family */
    ORIEL_TYPE_INTERVAL_YEAR, /* YEAR TO MONTH family */
    ORIEL_TYPE_ARRAY,         /* children[0]: element */
    ORIEL_TYPE_MAP,           /* children[0], children[1]: key and value; MULTISET is MAP to INT */
    ORIEL_TYPE_ROW,           /* children: fields */
};

enum { ORIEL_LENGTH_MAX = INT32_MAX, ORIEL_DECIMAL_PRECISION_MAX = 38 };

/* How a value lies in a column. */
enum oriel_physical {
    ORIEL_PHYSICAL_I8,     /* BOOLEAN as 0 and 1, TINYINT; NULL */
    ORIEL_PHYSICAL_I16,    /* SMALLINT */
    ORIEL_PHYSICAL_I32,    /* INT; DATE in days since 1970; TIME in ms; INTERVAL_YEAR in months */
    ORIEL_PHYSICAL_I64,    /* BIGINT; TIMESTAMP(0..3) and _LTZ(0..3) in ms since 1970;
                              INTERVAL_DAY in ms */
    ORIEL_PHYSICAL_I128,   /* DECIMAL unscaled; TIMESTAMP(4..9) and _LTZ(4..9) in ns since 1970 */
    ORIEL_PHYSICAL_F32,    /* FLOAT */
    ORIEL_PHYSICAL_F64,    /* DOUBLE */
    ORIEL_PHYSICAL_STRING, /* CHAR, VARCHAR, BINARY, VARBINARY: struct oriel_string */
    ORIEL_PHYSICAL_NESTED, /* ARRAY, MAP, ROW: const struct oriel_nested * */
};

typedef __int128 oriel_i128;
typedef unsigned __int128 oriel_u128;

struct oriel_field;

/* A type by value; `fields` is borrowed from the arena of whoever made the type. */
struct oriel_type {
    enum oriel_type_id id;
    bool nullable;
    bool rowtime;      /* a time attribute: the type prints as `TIMESTAMP(3) *ROWTIME*` */
    bool multiset;     /* of a MAP that COLLECT made */
    uint8_t precision; /* DECIMAL, TIME, TIMESTAMP */
    uint8_t scale;     /* DECIMAL */
    int32_t length;    /* CHAR, VARCHAR, BINARY, VARBINARY */
    uint32_t field_count;
    const struct oriel_field *fields; /* ARRAY 1, MAP 2, ROW n */
};

struct oriel_field {
    const char *name; /* NULL for ARRAY and MAP */
    struct oriel_type type;
};

/* Columns of a table, a query or a batch; borrowed like `fields`. */
struct oriel_schema {
    uint32_t field_count;
    const struct oriel_field *fields;
};

/* A nested value: `count` elements (ARRAY), 2 * count (MAP: key, value, ...) or fields (ROW). Each
 * is the physical value in a slot of 16 bytes; `valid` has a bit a slot, NULL when none is null. */
struct oriel_nested {
    uint32_t count;
    const uint64_t *valid;
    const oriel_u128 *slots;
};

/* A type without parameters, nullable. */
struct oriel_type oriel_type_make(enum oriel_type_id id);
struct oriel_type oriel_type_decimal(unsigned precision, unsigned scale);
struct oriel_type oriel_type_string(void); /* VARCHAR(ORIEL_LENGTH_MAX) */
struct oriel_type oriel_type_timestamp(unsigned precision);
struct oriel_type oriel_type_timestamp_ltz(unsigned precision);

/* The same type with another nullability. */
struct oriel_type oriel_type_with_null(struct oriel_type type, bool nullable);

enum oriel_physical oriel_type_physical(const struct oriel_type *type);

/* Bytes of one value: 1, 2, 4, 8 or 16. */
size_t oriel_physical_size(enum oriel_physical physical);

/* Same id and parameters; nullability and rowtime do not count. */
bool oriel_type_same(const struct oriel_type *a, const struct oriel_type *b);

bool oriel_type_is_integer(const struct oriel_type *type);   /* TINYINT .. BIGINT */
bool oriel_type_is_numeric(const struct oriel_type *type);   /* TINYINT .. DECIMAL */
bool oriel_type_is_character(const struct oriel_type *type); /* CHAR, VARCHAR */
bool oriel_type_is_binary(const struct oriel_type *type);    /* BINARY, VARBINARY */
bool oriel_type_is_timestamp(const struct oriel_type *type); /* TIMESTAMP, TIMESTAMP_LTZ */

/*
 * Writes the type as Flink prints it, e.g. `DECIMAL(10, 2)`, `TIMESTAMP(3) *ROWTIME*`, `STRING`,
 * without NOT NULL unless `with_null`. Cut at `capacity`; always ends with NUL. Returns `out`.
 */
const char *oriel_type_print(const struct oriel_type *type, bool with_null, char *out,
                             size_t capacity);
