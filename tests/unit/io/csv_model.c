/*
 * The specification in its simplest form: one loop over the characters, one record at a time,
 * values by the parsers of engine/base. What the parallel reader gives must be this.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/decimal.h"
#include "engine/base/number_text.h"
#include "tests/unit/io/csv_case.h"

enum { FIELDS_MAX = 64 };

struct field {
    char *bytes; /* content */
    size_t length;
    bool quoted;
    size_t begin; /* in the text */
};

struct model {
    const struct csv_case *test;
    const char *text;
    size_t length;
    size_t at;
    struct field fields[FIELDS_MAX];
    size_t field_count; /* may exceed FIELDS_MAX: more are counted only */
    bool text_after_quote, unclosed, escape_at_end;
    size_t bad_at;
    bool has_bad_at;
    struct csv_outcome *outcome;
    unsigned lenient_count;
};

static bool more(const struct model *m) {
    return m->at < m->length;
}

static int peek(const struct model *m) {
    return more(m) ? (unsigned char)m->text[m->at] : -1;
}

static bool is_line_end(int c) {
    return c == '\n' || c == '\r';
}

static void skip_line_end(struct model *m) {
    if (peek(m) == '\r') {
        m->at++;
        if (peek(m) == '\n')
            m->at++;
    } else {
        m->at++;
    }
}

static void put(struct field *field, int c) {
    field->bytes[field->length++] = (char)c;
}

/* Behind the escape character. */
static void read_escaped(struct model *m, struct field *field) {
    const int c = peek(m);
    if (c < 0) {
        m->escape_at_end = true;
        return;
    }
    m->at++;
    put(field, c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c == '0' ? 0 : c);
}

static void read_unquoted(struct model *m, struct field *field) {
    const struct oriel_csv_options *o = &m->test->options;
    while (more(m)) {
        const int c = peek(m);
        if (c == (unsigned char)o->delimiter || is_line_end(c))
            return;
        m->at++;
        if (c == o->escape)
            read_escaped(m, field);
        else
            put(field, c);
    }
}

static void read_quoted(struct model *m, struct field *field) {
    const struct oriel_csv_options *o = &m->test->options;
    field->quoted = true;
    m->at++;
    for (;;) {
        const int c = peek(m);
        if (c < 0) {
            m->unclosed = true;
            return;
        }
        m->at++;
        if (c == o->quote) {
            if (peek(m) != o->quote)
                break;
            m->at++;
            put(field, c);
        } else if (c == o->escape) {
            read_escaped(m, field);
            if (m->escape_at_end)
                return;
        } else {
            put(field, c);
        }
    }
    while (more(m)) {
        const int c = peek(m);
        if (c == (unsigned char)o->delimiter || is_line_end(c))
            return;
        if (c > ' ') {
            if (!m->has_bad_at)
                m->bad_at = m->at;
            m->has_bad_at = true;
            m->text_after_quote = true;
            m->at++;
            struct field rest = {.bytes = malloc(m->length + 1)};
            read_unquoted(m, &rest); /* its end is all that counts */
            free(rest.bytes);
            return;
        }
        m->at++;
    }
}

static void read_field(struct model *m) {
    struct field field = {.bytes = malloc(m->length + 1), .begin = m->at};
    if (!field.bytes)
        abort();
    if (m->test->options.quote >= 0 && peek(m) == m->test->options.quote)
        read_quoted(m, &field);
    else
        read_unquoted(m, &field);
    if (m->field_count < FIELDS_MAX)
        m->fields[m->field_count] = field;
    else
        free(field.bytes);
    m->field_count++;
}

static void forget_fields(struct model *m) {
    for (size_t i = 0; i < m->field_count && i < FIELDS_MAX; i++)
        free(m->fields[i].bytes);
    m->field_count = 0;
    m->text_after_quote = m->unclosed = m->escape_at_end = m->has_bad_at = false;
}

/* Up to, not over, the line end. */
static void read_record(struct model *m) {
    for (;;) {
        read_field(m);
        if (!more(m) || is_line_end(peek(m)))
            return;
        m->at++; /* the delimiter */
        if (m->unclosed || m->escape_at_end)
            return;
    }
}

static void skip_comments(struct model *m) {
    while (more(m)) {
        if (peek(m) == '#') {
            while (more(m) && !is_line_end(peek(m)))
                m->at++;
            if (more(m))
                skip_line_end(m);
        } else if (peek(m) == ' ' || is_line_end(peek(m))) {
            m->at++;
        } else {
            return;
        }
    }
}

static size_t well_formed(const unsigned char *s, size_t length) {
    size_t i = 0;
    while (i < length) {
        const unsigned char a = s[i];
        const size_t n = a < 0x80   ? 1
                         : a < 0xC2 ? 0
                         : a < 0xE0 ? 2
                         : a < 0xF0 ? 3
                         : a < 0xF5 ? 4
                                    : 0;
        if (n == 0 || i + n > length)
            return i;
        for (size_t k = 1; k < n; k++) {
            if ((s[i + k] & 0xC0) != 0x80)
                return i;
        }
        if ((a == 0xE0 && s[i + 1] < 0xA0) || (a == 0xED && s[i + 1] > 0x9F) ||
            (a == 0xF0 && s[i + 1] < 0x90) || (a == 0xF4 && s[i + 1] > 0x8F))
            return i;
        i += n;
    }
    return length;
}

static uint32_t line_at(const struct model *m, size_t at) {
    uint32_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += m->text[i] == '\n' ||
                (m->text[i] == '\r' && !(i + 1 < m->length && m->text[i + 1] == '\n'));
    return line;
}

static bool set_fault(struct model *m, const char *message, size_t at) {
    m->outcome->status = ORIEL_DATA;
    snprintf(m->outcome->error.message, sizeof m->outcome->error.message, "%s", message);
    m->outcome->error.line = line_at(m, at);
    return false;
}

static void trim(const char **text, size_t *length) {
    while (*length && (unsigned char)**text <= ' ') {
        (*text)++;
        (*length)--;
    }
    while (*length && (unsigned char)(*text)[*length - 1] <= ' ')
        (*length)--;
}

static bool is_null_literal(const struct oriel_csv_options *o, const char *text, size_t length,
                            bool quoted) {
    if (!o->null_literal || strlen(o->null_literal) != length ||
        memcmp(o->null_literal, text, length) != 0)
        return false;
    return !(length == 0 && quoted && o->quoted_empty_is_string);
}

/* 0 value, 1 NULL, 2 bad. */
static int convert(struct model *m, const struct oriel_type *type, const char *text, size_t length,
                   oriel_u128 *slot) {
    int64_t number = 0;
    int32_t small = 0;
    enum oriel_parse_result parsed;
    memset(slot, 0, sizeof *slot);
    if (type->id != ORIEL_TYPE_VARCHAR && type->id != ORIEL_TYPE_DECIMAL &&
        type->id != ORIEL_TYPE_DATE)
        trim(&text, &length);
    switch (type->id) {
    case ORIEL_TYPE_BOOLEAN:
        *(int8_t *)slot = length == 4 && strncasecmp(text, "true", 4) == 0;
        return 0;
    case ORIEL_TYPE_SMALLINT:
        if (oriel_integer_parse(text, length, INT16_MIN, INT16_MAX, &number) != ORIEL_INTEGER_OK)
            return 2;
        *(int16_t *)slot = (int16_t)number;
        return 0;
    case ORIEL_TYPE_INT:
        if (oriel_integer_parse(text, length, INT32_MIN, INT32_MAX, &number) != ORIEL_INTEGER_OK)
            return 2;
        *(int32_t *)slot = (int32_t)number;
        return 0;
    case ORIEL_TYPE_BIGINT:
        if (oriel_integer_parse(text, length, INT64_MIN, INT64_MAX, &number) != ORIEL_INTEGER_OK)
            return 2;
        *(int64_t *)slot = number;
        return 0;
    case ORIEL_TYPE_DOUBLE: return oriel_double_parse(text, length, (double *)slot) ? 0 : 2;
    case ORIEL_TYPE_DECIMAL: {
        const int result =
            oriel_decimal_parse(text, length, type->precision, type->scale, (oriel_i128 *)slot);
        return result == 0 ? 0 : result == 2 ? 1 : 2;
    }
    case ORIEL_TYPE_DATE:
        parsed = oriel_date_parse(text, length, (int32_t *)slot);
        m->lenient_count += parsed == ORIEL_PARSE_LENIENT;
        return parsed == ORIEL_PARSE_BAD ? 2 : 0;
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ && (length == 0 || text[--length] != 'Z'))
            return 2;
        parsed = oriel_timestamp_parse(text, length, &number, &small);
        m->lenient_count += parsed == ORIEL_PARSE_LENIENT;
        if (type->precision > 3)
            *(oriel_i128 *)slot = (oriel_i128)number * 1000000 + small;
        else
            *(int64_t *)slot = number;
        return parsed == ORIEL_PARSE_BAD ? 2 : 0;
    default: {
        const struct oriel_string value = oriel_string_make(text, length);
        memcpy(slot, &value, sizeof value);
        return 0;
    }
    }
}

/* One column of the record; false when it is a fault. */
static bool decode(struct model *m, uint32_t number, oriel_u128 *slot, bool *null) {
    const struct csv_case *test = m->test;
    const struct oriel_field *definition = &test->fields[number];
    const size_t place = m->fields[0].begin;
    *null = number >= m->field_count;
    if (!*null) {
        const struct field *field = &m->fields[number];
        *null = is_null_literal(&test->options, field->bytes, field->length, field->quoted);
        if (!*null) {
            const int result = convert(m, &definition->type, field->bytes, field->length, slot);
            if (result == 2 && !test->options.ignore_parse_errors)
                return set_fault(m, "column '", field->begin);
            *null = result != 0;
        }
    }
    if (*null && (int32_t)number == test->rowtime)
        return set_fault(m, "RowTime field should not be null", place);
    if (*null && !definition->type.nullable)
        return set_fault(m, "Column '", place);
    return true;
}

/* Prints the wanted columns of the record; false when one has a fault. */
static bool give_row(struct model *m) {
    const struct csv_case *test = m->test;
    oriel_u128 slots[CSV_CASE_COLUMNS_MAX] = {0};
    bool nulls[CSV_CASE_COLUMNS_MAX] = {0};
    for (uint32_t f = 0; f < test->field_count; f++) {
        bool used = (int32_t)f == test->rowtime;
        for (uint32_t c = 0; c < test->column_count; c++)
            used |= test->columns[c].field == f;
        if (used && !decode(m, f, &slots[f], &nulls[f]))
            return false;
    }
    for (uint32_t c = 0; c < test->column_count; c++) {
        const uint32_t f = test->columns[c].field;
        const uint64_t valid = !nulls[f];
        uint64_t words = valid;
        const struct oriel_column column = {
            .type = test->fields[f].type, .values = &slots[f], .valid = &words};
        csv_case_print(&m->outcome->rows, &column, 0);
    }
    if (oriel_text_buffer_append(&m->outcome->rows, "\n", 1) != ORIEL_OK)
        abort();
    m->outcome->row_count++;
    return true;
}

static bool is_blank(const struct field *field) {
    for (size_t i = 0; i < field->length; i++) {
        if ((unsigned char)field->bytes[i] > ' ')
            return false;
    }
    return true;
}

/* False when reading ends with a fault. */
static bool take_record(struct model *m, size_t begin) {
    const bool ignore = m->test->options.ignore_parse_errors;
    const size_t wanted = m->test->field_count;
    const size_t good = well_formed((const unsigned char *)m->text + begin, m->at - begin);
    if (good < m->at - begin)
        return set_fault(m, "Invalid UTF-8", begin + good);
    const size_t last =
        m->fields[(m->field_count < FIELDS_MAX ? m->field_count : FIELDS_MAX) - 1].begin;
    if (m->text_after_quote)
        return ignore || set_fault(m, "Unexpected character", m->bad_at);
    if (m->unclosed)
        return ignore || set_fault(m, "Missing closing quote", last);
    if (m->escape_at_end)
        return ignore || set_fault(m, "Unexpected end of the file", last);
    if (m->field_count > wanted && !(m->field_count == wanted + 1 && is_blank(&m->fields[wanted])))
        return ignore || set_fault(m, "Too many entries", begin);
    if (m->field_count < wanted && !ignore)
        return set_fault(m, "Row length mismatch", begin);
    return give_row(m);
}

void csv_model_read(const struct csv_case *test, struct csv_outcome *outcome) {
    *outcome = (struct csv_outcome){.status = ORIEL_DONE};
    oriel_text_buffer_init(&outcome->rows, &outcome->memory);
    struct model m = {.test = test, .text = test->text, .length = test->length, .outcome = outcome};
    if (m.length >= 3 && memcmp(m.text, "\xEF\xBB\xBF", 3) == 0)
        m.at = 3;
    for (;;) {
        if (test->options.allow_comments)
            skip_comments(&m);
        if (!more(&m))
            break;
        const size_t begin = m.at;
        read_record(&m);
        const bool go_on = take_record(&m, begin);
        forget_fields(&m);
        if (!go_on)
            break;
        if (more(&m))
            skip_line_end(&m);
    }
    outcome->lenient_notes = m.lenient_count;
}
