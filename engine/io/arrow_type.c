/*
 * The format strings of the Arrow C data interface.
 */
#include "engine/io/arrow_type.h"

#include <stdlib.h>
#include <string.h>

static struct oriel_arrow_type make(enum oriel_arrow_layout layout, uint32_t width_bytes,
                                    struct oriel_type type) {
    return (struct oriel_arrow_type){
        .layout = layout, .width_bytes = width_bytes, .type = type, .multiply = 1, .divide = 1};
}

static struct oriel_arrow_type scaled(uint32_t width_bytes, struct oriel_type type,
                                      int64_t multiply, int64_t divide) {
    struct oriel_arrow_type out = make(ORIEL_ARROW_SIGNED, width_bytes, type);
    out.multiply = multiply;
    out.divide = divide;
    return out;
}

static struct oriel_type binary_type(int32_t length) {
    struct oriel_type type =
        oriel_type_make(length == ORIEL_LENGTH_MAX ? ORIEL_TYPE_VARBINARY : ORIEL_TYPE_BINARY);
    type.length = length;
    return type;
}

static struct oriel_arrow_type text(enum oriel_arrow_layout layout) {
    struct oriel_arrow_type out = make(layout, 0, oriel_type_string());
    out.is_text = true;
    return out;
}

static bool read_letter(char letter, struct oriel_arrow_type *out) {
    switch (letter) {
    case 'n': /* nothing but NULLs; a table column needs a type that has values */
        *out = make(ORIEL_ARROW_NULL, 0, oriel_type_string());
        return true;
    case 'b': *out = make(ORIEL_ARROW_BOOLEAN, 0, oriel_type_make(ORIEL_TYPE_BOOLEAN)); return true;
    case 'c': *out = make(ORIEL_ARROW_SIGNED, 1, oriel_type_make(ORIEL_TYPE_TINYINT)); return true;
    case 's': *out = make(ORIEL_ARROW_SIGNED, 2, oriel_type_make(ORIEL_TYPE_SMALLINT)); return true;
    case 'i': *out = make(ORIEL_ARROW_SIGNED, 4, oriel_type_make(ORIEL_TYPE_INT)); return true;
    case 'l': *out = make(ORIEL_ARROW_SIGNED, 8, oriel_type_make(ORIEL_TYPE_BIGINT)); return true;
    case 'C':
        *out = make(ORIEL_ARROW_UNSIGNED, 1, oriel_type_make(ORIEL_TYPE_SMALLINT));
        return true;
    case 'S': *out = make(ORIEL_ARROW_UNSIGNED, 2, oriel_type_make(ORIEL_TYPE_INT)); return true;
    case 'I': *out = make(ORIEL_ARROW_UNSIGNED, 4, oriel_type_make(ORIEL_TYPE_BIGINT)); return true;
    case 'L': *out = make(ORIEL_ARROW_UNSIGNED, 8, oriel_type_decimal(20, 0)); return true;
    case 'e':
        *out = make(ORIEL_ARROW_HALF_FLOAT, 2, oriel_type_make(ORIEL_TYPE_FLOAT));
        return true;
    case 'f': *out = make(ORIEL_ARROW_FLOAT, 4, oriel_type_make(ORIEL_TYPE_FLOAT)); return true;
    case 'g': *out = make(ORIEL_ARROW_FLOAT, 8, oriel_type_make(ORIEL_TYPE_DOUBLE)); return true;
    case 'z': *out = make(ORIEL_ARROW_OFFSETS_32, 0, binary_type(ORIEL_LENGTH_MAX)); return true;
    case 'Z': *out = make(ORIEL_ARROW_OFFSETS_64, 0, binary_type(ORIEL_LENGTH_MAX)); return true;
    case 'u': *out = text(ORIEL_ARROW_OFFSETS_32); return true;
    case 'U': *out = text(ORIEL_ARROW_OFFSETS_64); return true;
    default: return false;
    }
}

/* d:precision,scale[,bits] */
static bool read_decimal(const char *format, struct oriel_arrow_type *out) {
    char *end;
    const long precision = strtol(format + 2, &end, 10);
    if (*end != ',')
        return false;
    const long scale = strtol(end + 1, &end, 10);
    long bits = 128;
    if (*end == ',')
        bits = strtol(end + 1, &end, 10);
    if (*end || precision < 1 || precision > ORIEL_DECIMAL_PRECISION_MAX || scale < 0 ||
        scale > precision || (bits != 32 && bits != 64 && bits != 128 && bits != 256))
        return false;
    *out = make(ORIEL_ARROW_DECIMAL, (uint32_t)bits / 8,
                oriel_type_decimal((unsigned)precision, (unsigned)scale));
    return true;
}

/* ts{s,m,u,n}:zone */
static bool read_timestamp(const char *format, struct oriel_arrow_type *out) {
    static const struct {
        char unit;
        uint8_t precision;
        int64_t multiply;
    } units[] = {{'s', 0, 1000}, {'m', 3, 1}, {'u', 6, 1000}, {'n', 9, 1}};
    if (format[2] == '\0' || format[3] != ':')
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (units[i].unit == format[2]) {
            *out = scaled(8,
                          format[4] ? oriel_type_timestamp_ltz(units[i].precision)
                                    : oriel_type_timestamp(units[i].precision),
                          units[i].multiply, 1);
            return true;
        }
    }
    return false;
}

static struct oriel_type time_type(uint8_t precision) {
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_TIME);
    type.precision = precision;
    return type;
}

static bool read_time(const char *format, struct oriel_arrow_type *out) {
    const struct {
        const char *format;
        struct oriel_arrow_type type;
    } types[] = {
        {"tdD", scaled(4, oriel_type_make(ORIEL_TYPE_DATE), 1, 1)},
        {"tdm", scaled(8, oriel_type_make(ORIEL_TYPE_DATE), 1, 86400000)},
        {"tts", scaled(4, time_type(0), 1000, 1)},
        {"ttm", scaled(4, time_type(3), 1, 1)},
        {"ttu", scaled(8, time_type(3), 1, 1000)},
        {"ttn", scaled(8, time_type(3), 1, 1000000)},
        {"tDs", scaled(8, oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), 1000, 1)},
        {"tDm", scaled(8, oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), 1, 1)},
        {"tDu", scaled(8, oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), 1, 1000)},
        {"tDn", scaled(8, oriel_type_make(ORIEL_TYPE_INTERVAL_DAY), 1, 1000000)},
        {"tiM", scaled(4, oriel_type_make(ORIEL_TYPE_INTERVAL_YEAR), 1, 1)},
    };
    if (strncmp(format, "ts", 2) == 0)
        return read_timestamp(format, out);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(format, types[i].format) == 0) {
            *out = types[i].type;
            return true;
        }
    }
    return false;
}

bool oriel_arrow_type_read(const char *format, struct oriel_arrow_type *out) {
    if (!format || !format[0])
        return false;
    if (!format[1])
        return read_letter(format[0], out);
    if (strcmp(format, "vu") == 0) {
        *out = text(ORIEL_ARROW_VIEWS);
        return true;
    }
    if (strcmp(format, "vz") == 0) {
        *out = make(ORIEL_ARROW_VIEWS, 0, binary_type(ORIEL_LENGTH_MAX));
        return true;
    }
    if (strncmp(format, "w:", 2) == 0) {
        char *end;
        const long width = strtol(format + 2, &end, 10);
        if (*end || end == format + 2 || width < 1 || width >= ORIEL_LENGTH_MAX)
            return false;
        *out = make(ORIEL_ARROW_FIXED, (uint32_t)width, binary_type((int32_t)width));
        return true;
    }
    if (strncmp(format, "d:", 2) == 0)
        return read_decimal(format, out);
    return format[0] == 't' && read_time(format, out);
}

const char *oriel_arrow_nested_name(const char *format) {
    static const char *const names[][2] = {
        {"+l", "list"},
        {"+L", "large list"},
        {"+vl", "list view"},
        {"+vL", "large list view"},
        {"+w", "fixed-size list"},
        {"+s", "struct"},
        {"+m", "map"},
        {"+r", "run-end encoded"},
        {"+u", "union"},
    };
    for (size_t i = 0; format && i < sizeof names / sizeof *names; i++) {
        if (strncmp(format, names[i][0], strlen(names[i][0])) == 0)
            return names[i][1];
    }
    return NULL;
}

static const char *format_timestamp(const struct oriel_type *type, const char *zone,
                                    struct oriel_arena *arena) {
    const char unit = type->precision <= 3 ? 'm' : type->precision <= 6 ? 'u' : 'n';
    return oriel_arena_print(arena, "ts%c:%s", unit,
                             type->id == ORIEL_TYPE_TIMESTAMP_LTZ ? zone : "");
}

const char *oriel_arrow_type_format(const struct oriel_type *type, const char *zone,
                                    struct oriel_arena *arena, bool *memory_failed) {
    static const struct {
        enum oriel_type_id id;
        const char *format;
    } formats[] = {
        {ORIEL_TYPE_NULL, "n"},
        {ORIEL_TYPE_BOOLEAN, "b"},
        {ORIEL_TYPE_TINYINT, "c"},
        {ORIEL_TYPE_SMALLINT, "s"},
        {ORIEL_TYPE_INT, "i"},
        {ORIEL_TYPE_BIGINT, "l"},
        {ORIEL_TYPE_FLOAT, "f"},
        {ORIEL_TYPE_DOUBLE, "g"},
        {ORIEL_TYPE_CHAR, "u"},
        {ORIEL_TYPE_VARCHAR, "u"},
        {ORIEL_TYPE_BINARY, "z"},
        {ORIEL_TYPE_VARBINARY, "z"},
        {ORIEL_TYPE_DATE, "tdD"},
        {ORIEL_TYPE_TIME, "ttm"},
        {ORIEL_TYPE_INTERVAL_DAY, "tDm"},
        {ORIEL_TYPE_INTERVAL_YEAR, "tiM"},
    };
    *memory_failed = false;
    const char *format = NULL;
    if (type->id == ORIEL_TYPE_DECIMAL)
        format = oriel_arena_print(arena, "d:%u,%u", type->precision, type->scale);
    else if (oriel_type_is_timestamp(type))
        format = format_timestamp(type, zone, arena);
    for (size_t i = 0; i < sizeof formats / sizeof *formats && !format; i++) {
        if (formats[i].id == type->id)
            return formats[i].format;
    }
    const bool is_flat = type->id == ORIEL_TYPE_DECIMAL || oriel_type_is_timestamp(type);
    *memory_failed = is_flat && !format;
    return format;
}
