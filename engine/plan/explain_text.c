/*
 * Expressions and lists as text for EXPLAIN.
 */
#include "engine/plan/explain_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/functions/function.h"

enum { EXPLAIN_PIECE_BYTES = 512 };

static void append(struct explain *e, const char *bytes, size_t length) {
    if (!e->failed && oriel_text_buffer_append(&e->text, bytes, length) != ORIEL_OK)
        e->failed = true;
}

void oriel_explain_print(struct explain *e, const char *format, ...) {
    char piece[EXPLAIN_PIECE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length > 0)
        append(e, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

const char *oriel_explain_name(const struct oriel_schema *schema, uint32_t column) {
    const bool is_known = column < schema->field_count && schema->fields[column].name;
    return is_known ? schema->fields[column].name : "?";
}

void oriel_explain_columns(struct explain *e, const struct oriel_schema *schema,
                           const uint32_t *columns, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        oriel_explain_print(e, "%s%s", i ? ", " : "", oriel_explain_name(schema, columns[i]));
}

void oriel_explain_items(struct explain *e, const struct oriel_schema *schema,
                         const struct oriel_sort_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        oriel_explain_print(e, "%s%s%s", i ? ", " : "", oriel_explain_name(schema, items[i].column),
                            items[i].descending ? " DESC" : "");
        if (items[i].nulls_first == items[i].descending)
            oriel_explain_print(e, " NULLS %s", items[i].nulls_first ? "FIRST" : "LAST");
    }
}

static void print_constant(struct explain *e, const struct oriel_expression *expression) {
    const bool is_text = oriel_type_is_character(&expression->constant.type);
    if (oriel_column_is_null(&expression->constant, 0)) {
        oriel_explain_print(e, "NULL");
        return;
    }
    if (is_text)
        oriel_explain_print(e, "'");
    struct oriel_column shown = expression->constant;
    if (shown.type.id == ORIEL_TYPE_TIMESTAMP_LTZ)
        shown.type.id = ORIEL_TYPE_TIMESTAMP; /* there is no zone here: instants are shown in UTC */
    if (!e->failed && oriel_value_print(&e->text, &shown, 0, NULL) != ORIEL_OK)
        e->failed = true;
    if (is_text)
        oriel_explain_print(e, "'");
}

static void print_list(struct explain *e, const struct oriel_schema *schema,
                       const struct oriel_expression *expression, const char *separator) {
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        oriel_explain_print(e, "%s", i ? separator : "");
        oriel_explain_expression(e, schema, expression->arguments[i]);
    }
}

static bool is_operator(const char *name) {
    return !(name[0] >= 'A' && name[0] <= 'Z') || strncmp(name, "IS ", 3) == 0;
}

static void print_call(struct explain *e, const struct oriel_schema *schema,
                       const struct oriel_expression *expression) {
    const char *const name = expression->call->function->name;
    char type[96];
    if (strcmp(name, "CAST") == 0 || strcmp(name, "TRY_CAST") == 0) {
        oriel_explain_print(e, "%s(", name);
        print_list(e, schema, expression, ", ");
        oriel_explain_print(e, " AS %s)",
                            oriel_type_print(&expression->type, false, type, sizeof type));
    } else if (is_operator(name) && expression->argument_count == 2) {
        oriel_explain_print(e, "(");
        oriel_explain_expression(e, schema, expression->arguments[0]);
        oriel_explain_print(e, " %s ", name);
        oriel_explain_expression(e, schema, expression->arguments[1]);
        oriel_explain_print(e, ")");
    } else {
        oriel_explain_print(e, "%s(", name);
        print_list(e, schema, expression, ", ");
        oriel_explain_print(e, ")");
    }
}

void oriel_explain_expression(struct explain *e, const struct oriel_schema *schema,
                              const struct oriel_expression *expression) {
    switch (expression->kind) {
    case ORIEL_EXPRESSION_COLUMN:
        oriel_explain_print(e, "%s", oriel_explain_name(schema, expression->column));
        return;
    case ORIEL_EXPRESSION_CONSTANT: print_constant(e, expression); return;
    case ORIEL_EXPRESSION_CALL: print_call(e, schema, expression); return;
    case ORIEL_EXPRESSION_AND:
    case ORIEL_EXPRESSION_OR:
        oriel_explain_print(e, "(");
        print_list(e, schema, expression,
                   expression->kind == ORIEL_EXPRESSION_AND ? " AND " : " OR ");
        oriel_explain_print(e, ")");
        return;
    case ORIEL_EXPRESSION_CASE:
        oriel_explain_print(e, "CASE(");
        print_list(e, schema, expression, ", ");
        oriel_explain_print(e, ")");
        return;
    }
}
