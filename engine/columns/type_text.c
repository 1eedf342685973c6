/*
 * Types as Flink prints them in DESCRIBE and in its messages.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/columns/type.h"

/* A text of bounded size, always ended by NUL. */
struct sink {
    char *bytes;
    size_t capacity;
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) add(struct sink *sink, const char *format, ...) {
    if (sink->length >= sink->capacity)
        return;
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(sink->bytes + sink->length, sink->capacity - sink->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        sink->length += (size_t)length;
}

static const char *plain_name(enum oriel_type_id id) {
    switch (id) {
    case ORIEL_TYPE_NULL: return "NULL";
    case ORIEL_TYPE_BOOLEAN: return "BOOLEAN";
    case ORIEL_TYPE_TINYINT: return "TINYINT";
    case ORIEL_TYPE_SMALLINT: return "SMALLINT";
    case ORIEL_TYPE_INT: return "INT";
    case ORIEL_TYPE_BIGINT: return "BIGINT";
    case ORIEL_TYPE_FLOAT: return "FLOAT";
    case ORIEL_TYPE_DOUBLE: return "DOUBLE";
    case ORIEL_TYPE_DECIMAL: return "DECIMAL";
    case ORIEL_TYPE_CHAR: return "CHAR";
    case ORIEL_TYPE_VARCHAR: return "VARCHAR";
    case ORIEL_TYPE_BINARY: return "BINARY";
    case ORIEL_TYPE_VARBINARY: return "VARBINARY";
    case ORIEL_TYPE_DATE: return "DATE";
    case ORIEL_TYPE_TIME: return "TIME";
    case ORIEL_TYPE_TIMESTAMP: return "TIMESTAMP";
    case ORIEL_TYPE_TIMESTAMP_LTZ: return "TIMESTAMP_LTZ";
    case ORIEL_TYPE_INTERVAL_DAY: /* Flink keeps one kind for each family */
        return "INTERVAL SECOND(3)";
    case ORIEL_TYPE_INTERVAL_YEAR: return "INTERVAL MONTH";
    case ORIEL_TYPE_ARRAY: return "ARRAY";
    case ORIEL_TYPE_MAP: return "MAP";
    case ORIEL_TYPE_ROW: return "ROW";
    }
    return "";
}

static void add_type(struct sink *sink, const struct oriel_type *type, bool with_null);

/* Children always say whether they are NOT NULL. */
static void add_children(struct sink *sink, const struct oriel_type *type) {
    if (type->id == ORIEL_TYPE_MAP && type->multiset) {
        add(sink, "MULTISET<");
        add_type(sink, &type->fields[0].type, true);
        add(sink, ">");
        return;
    }
    add(sink, "%s<", plain_name(type->id));
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (i)
            add(sink, ", ");
        if (type->id == ORIEL_TYPE_ROW) {
            add(sink, "`");
            for (const char *c = type->fields[i].name; c && *c; c++)
                add(sink, *c == '`' ? "``" : "%c", *c);
            add(sink, "` ");
        }
        add_type(sink, &type->fields[i].type, true);
    }
    add(sink, ">");
}

static void add_type(struct sink *sink, const struct oriel_type *type, bool with_null) {
    switch (type->id) {
    case ORIEL_TYPE_DECIMAL: add(sink, "DECIMAL(%u, %u)", type->precision, type->scale); break;
    case ORIEL_TYPE_TIME:
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        add(sink, "%s(%u)", plain_name(type->id), type->precision);
        break;
    case ORIEL_TYPE_CHAR:
    case ORIEL_TYPE_VARCHAR:
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY:
        if (type->id == ORIEL_TYPE_VARCHAR && type->length == ORIEL_LENGTH_MAX)
            add(sink, "STRING");
        else if (type->id == ORIEL_TYPE_VARBINARY && type->length == ORIEL_LENGTH_MAX)
            add(sink, "BYTES");
        else
            add(sink, "%s(%d)", plain_name(type->id), (int)type->length);
        break;
    case ORIEL_TYPE_ARRAY:
    case ORIEL_TYPE_MAP:
    case ORIEL_TYPE_ROW: add_children(sink, type); break;
    default: add(sink, "%s", plain_name(type->id)); break;
    }
    if (with_null && !type->nullable)
        add(sink, " NOT NULL");
    if (type->rowtime)
        add(sink, " *ROWTIME*");
}

const char *oriel_type_print(const struct oriel_type *type, bool with_null, char *out,
                             size_t capacity) {
    struct sink sink = {.bytes = out, .capacity = capacity};
    if (capacity)
        out[0] = '\0';
    add_type(&sink, type, with_null);
    return out;
}
