/*
 * One JSON value of any form, as Flink's converters read it: numbers and booleans also from
 * strings, strings from any value, times from strings alone.
 */
#include <string.h>

#include "engine/base/number_text.h"
#include "engine/io/json_reader.h"

enum { ISO_TEXT_BYTES = 48, DATE_LENGTH = 10, MINUTES_LENGTH = 16, SECONDS_LENGTH = 8 };

static bool is_blank(char byte) {
    return (unsigned char)byte <= ' ';
}

static struct oriel_text trim(struct oriel_text text) {
    while (text.length && is_blank(text.bytes[0])) {
        text.bytes++;
        text.length--;
    }
    while (text.length && is_blank(text.bytes[text.length - 1]))
        text.length--;
    return text;
}

/* A number with a fraction or exponent as an integer: cut, as Java's cast does, if it is in range.
 */
static enum csv_value_result read_cut(const struct oriel_type *type, struct oriel_text text,
                                      void *out) {
    double value;
    if (!oriel_double_parse(text.bytes, text.length, &value) || !(value > -9.3e18) ||
        !(value < 9.3e18))
        return CSV_VALUE_BAD;
    if (!(value >= -0x1p63) || !(value < 0x1p63))
        return CSV_VALUE_BAD;
    char digits[ORIEL_NUMBER_TEXT_BYTES];
    const size_t length = oriel_integer_print((int64_t)value, digits);
    return csv_value_parse(type, NULL, (struct oriel_text){digits, length}, out);
}

static bool has_fraction(struct oriel_text text) {
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == '.' || text.bytes[i] == 'e' || text.bytes[i] == 'E')
            return true;
    }
    return false;
}

/* yyyy-MM-ddTHH:mm[:ss[.fraction]] in the form of SQL. */
static bool from_iso(struct oriel_text text, bool has_zone, char out[ISO_TEXT_BYTES],
                     struct oriel_text *sql) {
    const size_t zone = has_zone ? 1 : 0;
    if (text.length < MINUTES_LENGTH + zone || text.length + 3 > ISO_TEXT_BYTES ||
        text.bytes[DATE_LENGTH] != 'T' || (has_zone && text.bytes[text.length - 1] != 'Z'))
        return false;
    size_t length = text.length - zone;
    memcpy(out, text.bytes, length);
    out[DATE_LENGTH] = ' ';
    if (length == MINUTES_LENGTH) {
        memcpy(out + length, ":00", 3);
        length += 3;
    }
    if (has_zone)
        out[length++] = 'Z';
    *sql = (struct oriel_text){out, length};
    return true;
}

static enum csv_value_result read_time(const struct oriel_json_options *options,
                                       const struct oriel_type *type, struct oriel_text text,
                                       void *out) {
    char buffer[ISO_TEXT_BYTES];
    if (text.length == 0 || is_blank(text.bytes[0]) || is_blank(text.bytes[text.length - 1]))
        return CSV_VALUE_BAD;
    if (oriel_type_is_timestamp(type) && options->iso_timestamps &&
        !from_iso(text, type->id == ORIEL_TYPE_TIMESTAMP_LTZ, buffer, &text))
        return CSV_VALUE_BAD;
    if (type->id == ORIEL_TYPE_TIME && text.length < SECONDS_LENGTH)
        return CSV_VALUE_BAD;
    const enum csv_value_result result = csv_value_parse(type, NULL, text, out);
    if (type->id == ORIEL_TYPE_DATE && (result == CSV_VALUE_LENIENT || text.length != DATE_LENGTH))
        return CSV_VALUE_BAD;
    return result;
}

static enum csv_value_result read_scalar(const struct oriel_json_options *options,
                                         const struct json_cursor *cursor,
                                         const struct oriel_type *type, struct json_token token,
                                         void *out) {
    const bool is_word = token.kind == JSON_TRUE || token.kind == JSON_FALSE;
    switch (type->id) {
    case ORIEL_TYPE_TINYINT:
    case ORIEL_TYPE_SMALLINT:
    case ORIEL_TYPE_INT:
    case ORIEL_TYPE_BIGINT:
        if (token.kind == JSON_NUMBER && has_fraction(token.text))
            return read_cut(type, token.text, out);
        return is_word ? CSV_VALUE_BAD : csv_value_parse(type, NULL, token.text, out);
    case ORIEL_TYPE_FLOAT:
    case ORIEL_TYPE_DOUBLE:
    case ORIEL_TYPE_DECIMAL:
        return is_word ? CSV_VALUE_BAD : csv_value_parse(type, NULL, trim(token.text), out);
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY:
    case ORIEL_TYPE_BOOLEAN:
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR:
        if (oriel_type_is_binary(type) && token.kind != JSON_STRING)
            return CSV_VALUE_BAD;
        return csv_value_parse(type, cursor->arena, token.text, out);
    default:
        return token.kind == JSON_STRING ? read_time(options, type, token.text, out)
                                         : CSV_VALUE_BAD;
    }
}

/* Slots of a nested value while they are read; they grow as elements come. */
struct slots {
    uint32_t count, capacity;
    oriel_u128 *values;
    uint64_t *valid;
    bool has_null;
    bool lenient;
};

static bool reserve(struct json_cursor *cursor, struct slots *slots, uint32_t count) {
    if (count <= slots->capacity)
        return true;
    const uint32_t capacity = count < 4 ? 4 : count < UINT32_MAX / 2 ? 2 * count : count;
    oriel_u128 *values = oriel_arena_allocate_zeroed(cursor->arena, capacity, sizeof *values);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(cursor->arena, oriel_bits_word_count(capacity), sizeof *valid);
    if (!values || !valid) {
        cursor->out_of_memory = true;
        return false;
    }
    if (slots->count) {
        memcpy(values, slots->values, slots->count * sizeof *values);
        memcpy(valid, slots->valid, oriel_bits_word_count(slots->count) * sizeof *valid);
    }
    slots->values = values;
    slots->valid = valid;
    slots->capacity = capacity;
    return true;
}

static enum csv_value_result read_slot(const struct oriel_json_options *options,
                                       struct json_cursor *cursor, const struct oriel_type *type,
                                       unsigned depth, struct slots *slots, uint32_t slot,
                                       struct oriel_text *shown) {
    const enum csv_value_result result =
        json_value_read(options, cursor, type, depth, &slots->values[slot], shown);
    if (result == CSV_VALUE_MEMORY || json_is_broken(cursor))
        return result;
    if (result == CSV_VALUE_LENIENT)
        slots->lenient = true;
    if (result == CSV_VALUE_OK || result == CSV_VALUE_LENIENT) {
        oriel_bits_set(slots->valid, slot);
    } else if (result == CSV_VALUE_NULL || options->ignore_parse_errors) {
        slots->values[slot] = 0;
        slots->has_null = true;
    } else {
        return result;
    }
    return CSV_VALUE_OK;
}

static int64_t find_field(const struct oriel_type *type, struct oriel_text name) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const char *field = type->fields[i].name;
        if (strlen(field) == name.length && memcmp(field, name.bytes, name.length) == 0)
            return i;
    }
    return -1;
}

static enum csv_value_result read_row(const struct oriel_json_options *options,
                                      struct json_cursor *cursor, const struct oriel_type *type,
                                      unsigned depth, struct slots *slots,
                                      struct oriel_text *shown) {
    struct oriel_text name;
    enum csv_value_result result = CSV_VALUE_OK;
    if (!reserve(cursor, slots, type->field_count + 1))
        return CSV_VALUE_MEMORY;
    slots->count = type->field_count;
    for (bool is_first = true; json_next_name(cursor, is_first, &name); is_first = false) {
        const int64_t field = find_field(type, name);
        if (field < 0 || oriel_bits_get(slots->valid, (size_t)field)) {
            if (!json_skip(cursor, json_read_token(cursor).kind, depth))
                return CSV_VALUE_BAD;
            continue;
        }
        const enum csv_value_result own = read_slot(options, cursor, &type->fields[field].type,
                                                    depth, slots, (uint32_t)field, shown);
        result = result == CSV_VALUE_OK ? own : result;
        if (json_is_broken(cursor))
            return CSV_VALUE_BAD;
    }
    for (uint32_t i = 0; i < slots->count; i++)
        slots->has_null |= !oriel_bits_get(slots->valid, i);
    return result;
}

/* The elements of an array, or the names and values of a map. */
static enum csv_value_result read_elements(const struct oriel_json_options *options,
                                           struct json_cursor *cursor,
                                           const struct oriel_type *type, unsigned depth,
                                           struct slots *slots, struct oriel_text *shown) {
    const bool is_map = type->id == ORIEL_TYPE_MAP;
    const struct oriel_type *element = &type->fields[is_map ? 1 : 0].type;
    struct oriel_text name;
    enum csv_value_result result = CSV_VALUE_OK;
    for (bool is_first = true;
         is_map ? json_next_name(cursor, is_first, &name) : json_next_element(cursor, is_first);
         is_first = false) {
        if (slots->count > UINT32_MAX / 2 - 2 || !reserve(cursor, slots, slots->count + 2))
            return CSV_VALUE_MEMORY;
        if (is_map) {
            const struct oriel_string key = oriel_string_make(name.bytes, name.length);
            memcpy(&slots->values[slots->count], &key, sizeof key);
            oriel_bits_set(slots->valid, slots->count++);
        }
        const enum csv_value_result own =
            read_slot(options, cursor, element, depth, slots, slots->count++, shown);
        result = result == CSV_VALUE_OK ? own : result;
        if (json_is_broken(cursor))
            return CSV_VALUE_BAD;
    }
    return result;
}

static enum csv_value_result read_nested(const struct oriel_json_options *options,
                                         struct json_cursor *cursor, const struct oriel_type *type,
                                         unsigned depth, void *out, struct oriel_text *shown) {
    struct slots slots = {0};
    if (!reserve(cursor, &slots, 1))
        return CSV_VALUE_MEMORY;
    enum csv_value_result result =
        type->id == ORIEL_TYPE_ROW ? read_row(options, cursor, type, depth + 1, &slots, shown)
                                   : read_elements(options, cursor, type, depth + 1, &slots, shown);
    if (result != CSV_VALUE_OK)
        return result;
    struct oriel_nested *nested = oriel_arena_allocate(cursor->arena, sizeof *nested);
    if (!nested) {
        cursor->out_of_memory = true;
        return CSV_VALUE_MEMORY;
    }
    *nested = (struct oriel_nested){
        .count = type->id == ORIEL_TYPE_MAP ? slots.count / 2 : slots.count,
        .valid = slots.has_null ? slots.valid : NULL,
        .slots = slots.values,
    };
    memcpy(out, &nested, sizeof nested);
    return slots.lenient ? CSV_VALUE_LENIENT : CSV_VALUE_OK;
}

enum csv_value_result json_value_read(const struct oriel_json_options *options,
                                      struct json_cursor *cursor, const struct oriel_type *type,
                                      unsigned depth, void *out, struct oriel_text *shown) {
    struct json_token token = json_read_token(cursor);
    const char *begin = cursor->at - 1;
    const bool is_nested = token.kind == JSON_OBJECT || token.kind == JSON_ARRAY;
    if (token.kind == JSON_BROKEN)
        return CSV_VALUE_BAD;
    if (token.kind == JSON_NULL)
        return CSV_VALUE_NULL;
    const enum json_kind wanted = type->id == ORIEL_TYPE_ARRAY ? JSON_ARRAY : JSON_OBJECT;
    if (oriel_type_physical(type) == ORIEL_PHYSICAL_NESTED && token.kind == wanted)
        return read_nested(options, cursor, type, depth, out, shown);
    if (is_nested && oriel_type_is_character(type)) {
        if (!json_compact(cursor, token.kind, &token.text))
            return cursor->out_of_memory ? CSV_VALUE_MEMORY : CSV_VALUE_BAD;
        token.kind = JSON_STRING;
    } else if (is_nested) {
        if (json_skip(cursor, token.kind, depth))
            *shown = (struct oriel_text){begin, (size_t)(cursor->at - begin)};
        return CSV_VALUE_BAD;
    }
    const enum csv_value_result result = oriel_type_physical(type) == ORIEL_PHYSICAL_NESTED
                                             ? CSV_VALUE_BAD
                                             : read_scalar(options, cursor, type, token, out);
    if (result == CSV_VALUE_BAD || result == CSV_VALUE_LENIENT)
        *shown = token.text;
    return result;
}
