/*
 * Expressions back to text in the form of Flink's catalog, for DESCRIBE and SHOW CREATE: names in
 * backticks, blanks around operators, parentheses only where the tree needs them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/sql/ast.h"
#include "engine/sql/parser.h"

struct printer {
    struct oriel_arena *arena;
    char *bytes;
    size_t length, capacity;
    bool failed;
};

static void put(struct printer *printer, const char *bytes, size_t length) {
    if (printer->failed)
        return;
    if (length >= printer->capacity - printer->length) {
        const size_t capacity = (printer->capacity + length) * 2 + 64;
        char *grown = oriel_arena_allocate(printer->arena, capacity);
        if (!grown) {
            printer->failed = true;
            return;
        }
        if (printer->length)
            memcpy(grown, printer->bytes, printer->length);
        printer->bytes = grown;
        printer->capacity = capacity;
    }
    if (length)
        memcpy(printer->bytes + printer->length, bytes, length);
    printer->length += length;
}

static void put_text(struct printer *printer, const char *text) {
    put(printer, text, strlen(text));
}

/* `bytes` between quotes, a quote inside doubled. */
static void put_quoted(struct printer *printer, char quote, const char *bytes, size_t length) {
    put(printer, &quote, 1);
    for (size_t i = 0; i < length; ++i) {
        if (bytes[i] == quote)
            put(printer, &quote, 1);
        put(printer, bytes + i, 1);
    }
    put(printer, &quote, 1);
}

static void put_name(struct printer *printer, const struct ast_name *name) {
    for (uint32_t i = 0; i < name->part_count; ++i) {
        if (i > 0)
            put_text(printer, ".");
        put_quoted(printer, '`', name->parts[i].text, strlen(name->parts[i].text));
    }
}

static void put_number(struct printer *printer, int64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    put_text(printer, text);
}

static void put_type(struct printer *printer, const struct ast_type *type) {
    put_text(printer, type->name);
    if (type->child_count > 0) {
        put_text(printer, "<");
        for (uint32_t i = 0; i < type->child_count; ++i) {
            if (i > 0)
                put_text(printer, ", ");
            if (type->child_names) {
                put_quoted(printer, '`', type->child_names[i], strlen(type->child_names[i]));
                put_text(printer, " ");
            }
            put_type(printer, type->children[i]);
        }
        put_text(printer, ">");
    } else if (type->parameter_count > 0 && type->unit == AST_UNIT_NONE) {
        put_text(printer, "(");
        put_number(printer, type->parameters[0]);
        if (type->parameter_count > 1) {
            put_text(printer, ", ");
            put_number(printer, type->parameters[1]);
        }
        put_text(printer, ")");
    }
    if (type->not_null)
        put_text(printer, " NOT NULL");
}

static void put_interval(struct printer *printer, const struct ast_expression *interval) {
    static const char *const UNITS[] = {"",    "YEAR", "QUARTER", "MONTH", "WEEK",
                                        "DAY", "HOUR", "MINUTE",  "SECOND"};
    put_text(printer, interval->negative ? "INTERVAL -" : "INTERVAL ");
    put_quoted(printer, '\'', interval->text, interval->text_length);
    put_text(printer, " ");
    put_text(printer, UNITS[interval->unit]);
    if (interval->unit_precision >= 0) {
        put_text(printer, "(");
        put_number(printer, interval->unit_precision);
        if (interval->unit_to == AST_UNIT_NONE && interval->fraction_precision >= 0) {
            put_text(printer, ", ");
            put_number(printer, interval->fraction_precision);
        }
        put_text(printer, ")");
    }
    if (interval->unit_to != AST_UNIT_NONE) {
        put_text(printer, " TO ");
        put_text(printer, UNITS[interval->unit_to]);
        if (interval->fraction_precision >= 0) {
            put_text(printer, "(");
            put_number(printer, interval->fraction_precision);
            put_text(printer, ")");
        }
    }
}

struct binding {
    const char *name;
    int strength;
    enum { INFIX, PREFIX, POSTFIX } place;
    const char *shown; /* NULL: the name */
};

static const struct binding BINDINGS[] = {
    {"OR", 22, INFIX, NULL},
    {"AND", 24, INFIX, NULL},
    {"NOT", 26, PREFIX, "NOT "},
    {"IS NULL", 28, POSTFIX, NULL},
    {"IS NOT NULL", 28, POSTFIX, NULL},
    {"IS TRUE", 28, POSTFIX, NULL},
    {"IS NOT TRUE", 28, POSTFIX, NULL},
    {"IS FALSE", 28, POSTFIX, NULL},
    {"IS NOT FALSE", 28, POSTFIX, NULL},
    {"IS UNKNOWN", 28, POSTFIX, NULL},
    {"IS NOT UNKNOWN", 28, POSTFIX, NULL},
    {"IS JSON", 28, POSTFIX, NULL},
    {"IS NOT JSON", 28, POSTFIX, NULL},
    {"IS DISTINCT FROM", 28, INFIX, NULL},
    {"IS NOT DISTINCT FROM", 28, INFIX, NULL},
    {"=", 30, INFIX, NULL},
    {"<>", 30, INFIX, NULL},
    {"<", 30, INFIX, NULL},
    {"<=", 30, INFIX, NULL},
    {">", 30, INFIX, NULL},
    {">=", 30, INFIX, NULL},
    {"OVERLAPS", 32, INFIX, NULL},
    {"+", 40, INFIX, NULL},
    {"-", 40, INFIX, NULL},
    {"*", 60, INFIX, NULL},
    {"/", 60, INFIX, NULL},
    {"%", 60, INFIX, NULL},
    {"||", 60, INFIX, NULL},
    {"NEG", 80, PREFIX, "- "},
    {"POS", 80, PREFIX, "+ "},
};

enum { COMPARISON_LIKE_STRENGTH = 32, TIGHTEST = 100 };

static const struct binding *find_binding(const struct ast_expression *call) {
    for (size_t i = 0; i < sizeof BINDINGS / sizeof BINDINGS[0]; ++i)
        if (strcmp(call->text, BINDINGS[i].name) == 0)
            return &BINDINGS[i];
    return NULL;
}

static bool is_between_like(const struct ast_expression *call) {
    return strcmp(call->text, "BETWEEN") == 0 || strcmp(call->text, "IN") == 0 ||
           strcmp(call->text, "LIKE") == 0 || strcmp(call->text, "SIMILAR TO") == 0;
}

static int strength_of(const struct ast_expression *expression) {
    if (expression->kind == AST_IN_QUERY)
        return COMPARISON_LIKE_STRENGTH;
    if (expression->kind != AST_CALL)
        return TIGHTEST;
    if (is_between_like(expression))
        return COMPARISON_LIKE_STRENGTH;
    const struct binding *binding = find_binding(expression);
    return binding ? binding->strength : TIGHTEST;
}

static void put_expression(struct printer *printer, const struct ast_expression *expression);

/* An operand that must bind at least as tightly as `strength`, else it gets parentheses. */
static void put_operand(struct printer *printer, const struct ast_expression *operand,
                        int strength) {
    const bool loose = strength_of(operand) < strength;
    if (loose)
        put_text(printer, "(");
    put_expression(printer, operand);
    if (loose)
        put_text(printer, ")");
}

static void put_arguments(struct printer *printer, const struct ast_expression *call,
                          uint32_t first, const char *separator) {
    for (uint32_t i = first; i < call->arguments.count; ++i) {
        if (i > first)
            put_text(printer, separator);
        put_expression(printer, call->arguments.items[i]);
    }
}

static void put_operator(struct printer *printer, const struct ast_expression *call,
                         const struct binding *binding) {
    const char *shown = binding->shown ? binding->shown : binding->name;
    if (binding->place == PREFIX) {
        put_text(printer, shown);
        put_operand(printer, call->arguments.items[0], binding->strength);
    } else if (binding->place == POSTFIX) {
        put_operand(printer, call->arguments.items[0], binding->strength);
        put_text(printer, " ");
        put_text(printer, shown);
        if (call->arguments.count > 1) {
            put_text(printer, " ");
            put_text(printer, call->arguments.items[1]->text);
        }
    } else {
        for (uint32_t i = 0; i < call->arguments.count; ++i) {
            if (i > 0) {
                put_text(printer, " ");
                put_text(printer, shown);
                put_text(printer, " ");
            }
            put_operand(printer, call->arguments.items[i], binding->strength + (i > 0));
        }
    }
}

static void put_between_like(struct printer *printer, const struct ast_expression *call) {
    const int inside = COMPARISON_LIKE_STRENGTH + 1;
    put_operand(printer, call->arguments.items[0], inside);
    put_text(printer, call->negated ? " NOT " : " ");
    put_text(printer, call->text);
    if (strcmp(call->text, "BETWEEN") == 0) {
        put_text(printer, call->symmetric ? " SYMMETRIC " : " ASYMMETRIC ");
        put_operand(printer, call->arguments.items[1], inside);
        put_text(printer, " AND ");
        put_operand(printer, call->arguments.items[2], inside);
    } else if (strcmp(call->text, "IN") == 0) {
        put_text(printer, " (");
        put_arguments(printer, call, 1, ", ");
        put_text(printer, ")");
    } else {
        put_text(printer, " ");
        put_operand(printer, call->arguments.items[1], inside);
        if (call->arguments.count > 2) {
            put_text(printer, " ESCAPE ");
            put_operand(printer, call->arguments.items[2], inside);
        }
    }
}

/* Calls with words between their arguments: the words before each of them, in order. */
struct worded_call {
    const char *name;
    uint32_t least;         /* fewer arguments are printed with commas */
    int word_argument;      /* printed without quotes; -1: none */
    const char *between[4]; /* before argument 1, 2, ... */
};

static const struct worded_call WORDED_CALLS[] = {
    {"EXTRACT", 2, 0, {" FROM "}},
    {"FLOOR", 2, 1, {" TO "}},
    {"CEIL", 2, 1, {" TO "}},
    {"TRIM", 3, 0, {" ", " FROM "}},
    {"SUBSTRING", 2, -1, {" FROM ", " FOR "}},
    {"POSITION", 2, -1, {" IN "}},
    {"OVERLAY", 3, -1, {" PLACING ", " FROM ", " FOR "}},
    {"TIMESTAMPADD", 3, 0, {", ", ", "}},
    {"TIMESTAMPDIFF", 3, 0, {", ", ", "}},
};

static const struct worded_call *find_worded_call(const struct ast_expression *call) {
    for (size_t i = 0; i < sizeof WORDED_CALLS / sizeof WORDED_CALLS[0]; ++i)
        if (strcmp(call->text, WORDED_CALLS[i].name) == 0)
            return call->arguments.count >= WORDED_CALLS[i].least && call->arguments.count <= 4
                       ? &WORDED_CALLS[i]
                       : NULL;
    return NULL;
}

static void put_worded_call(struct printer *printer, const struct ast_expression *call,
                            const struct worded_call *form) {
    put_text(printer, call->text);
    put_text(printer, "(");
    for (uint32_t i = 0; i < call->arguments.count; ++i) {
        if (i > 0)
            put_text(printer, form->between[i - 1] ? form->between[i - 1] : ", ");
        if ((int)i == form->word_argument && call->arguments.items[i]->kind == AST_STRING)
            put_text(printer, call->arguments.items[i]->text);
        else
            put_expression(printer, call->arguments.items[i]);
    }
    put_text(printer, ")");
}

static void put_plain_call(struct printer *printer, const struct ast_expression *call) {
    static const char *const NILADICS[] = {"CURRENT_", "LOCALTIME", "USER", "SESSION_USER",
                                           "SYSTEM_USER"};
    put_text(printer, call->text);
    for (size_t i = 0; call->arguments.count == 0 && i < sizeof NILADICS / sizeof NILADICS[0]; ++i)
        if (strncmp(call->text, NILADICS[i], strlen(NILADICS[i])) == 0 &&
            strcmp(call->text, "CURRENT_WATERMARK") != 0 &&
            strcmp(call->text, "CURRENT_ROW_TIMESTAMP") != 0)
            return;
    put_text(printer, "(");
    if (call->distinct)
        put_text(printer, "DISTINCT ");
    if (call->star)
        put_text(printer, "*");
    put_arguments(printer, call, 0, ", ");
    put_text(printer, ")");
}

/* (a - b) MINUTE */
static void put_time_difference(struct printer *printer, const struct ast_expression *call) {
    put_text(printer, "(");
    put_operand(printer, call->arguments.items[1], 40);
    put_text(printer, " - ");
    put_operand(printer, call->arguments.items[2], 41);
    put_text(printer, ") ");
    put_text(printer, call->arguments.items[0]->text);
}

static void put_call(struct printer *printer, const struct ast_expression *call) {
    const struct binding *binding = find_binding(call);
    const struct worded_call *worded = find_worded_call(call);
    if (binding) {
        put_operator(printer, call, binding);
    } else if (strcmp(call->text, "MINUS") == 0) {
        put_time_difference(printer, call);
    } else if (is_between_like(call)) {
        put_between_like(printer, call);
    } else if (strcmp(call->text, "[]") == 0) {
        put_operand(printer, call->arguments.items[0], TIGHTEST);
        put_text(printer, "[");
        put_expression(printer, call->arguments.items[1]);
        put_text(printer, "]");
    } else if (strcmp(call->text, ".") == 0) {
        put_operand(printer, call->arguments.items[0], TIGHTEST);
        put_text(printer, ".");
        put_quoted(printer, '`', call->arguments.items[1]->text,
                   call->arguments.items[1]->text_length);
    } else if (strcmp(call->text, "ARRAY") == 0 || strcmp(call->text, "MAP") == 0 ||
               strcmp(call->text, "MULTISET") == 0) {
        put_text(printer, call->text);
        put_text(printer, "[");
        put_arguments(printer, call, 0, ", ");
        put_text(printer, "]");
    } else if (worded) {
        put_worded_call(printer, call, worded);
    } else {
        put_plain_call(printer, call);
    }
}

static void put_case(struct printer *printer, const struct ast_expression *expression) {
    uint32_t at = 0;
    put_text(printer, "CASE");
    if (expression->has_operand) {
        put_text(printer, " ");
        put_expression(printer, expression->arguments.items[at++]);
    }
    for (; at + 1 < expression->arguments.count; at += 2) {
        put_text(printer, " WHEN ");
        put_expression(printer, expression->arguments.items[at]);
        put_text(printer, " THEN ");
        put_expression(printer, expression->arguments.items[at + 1]);
    }
    if (expression->has_else) {
        put_text(printer, " ELSE ");
        put_expression(printer, expression->arguments.items[at]);
    }
    put_text(printer, " END");
}

static void put_in_query(struct printer *printer, const struct ast_expression *expression) {
    if (expression->arguments.count > 1)
        put_text(printer, "(");
    put_arguments(printer, expression, 0, ", ");
    if (expression->arguments.count > 1)
        put_text(printer, ")");
    put_text(printer, expression->negated ? " NOT IN (...)" : " IN (...)");
}

static void put_literal(struct printer *printer, const struct ast_expression *expression) {
    const char *prefix = expression->kind == AST_BINARY ? "X"
                         : expression->kind == AST_DATE ? "DATE "
                         : expression->kind == AST_TIME ? "TIME "
                         : expression->kind == AST_TIMESTAMP
                             ? expression->number ? "TIMESTAMP WITH LOCAL TIME ZONE " : "TIMESTAMP "
                             : "";
    put_text(printer, prefix);
    put_quoted(printer, '\'', expression->text, expression->text_length);
}

static void put_expression(struct printer *printer, const struct ast_expression *expression) {
    switch (expression->kind) {
    case AST_NULL: put_text(printer, "NULL"); break;
    case AST_BOOLEAN: put_text(printer, expression->number ? "TRUE" : "FALSE"); break;
    case AST_NUMBER: put_text(printer, expression->text); break;
    case AST_STRING:
    case AST_BINARY:
    case AST_DATE:
    case AST_TIME:
    case AST_TIMESTAMP: put_literal(printer, expression); break;
    case AST_INTERVAL: put_interval(printer, expression); break;
    case AST_COLUMN: put_name(printer, &expression->name); break;
    case AST_STAR:
        put_name(printer, &expression->name);
        put_text(printer, expression->name.part_count ? ".*" : "*");
        break;
    case AST_CALL: put_call(printer, expression); break;
    case AST_CASE: put_case(printer, expression); break;
    case AST_CAST:
        put_text(printer, expression->text);
        put_text(printer, "(");
        put_expression(printer, expression->arguments.items[0]);
        put_text(printer, " AS ");
        put_type(printer, expression->type);
        put_text(printer, ")");
        break;
    case AST_SUBQUERY: put_text(printer, "(SELECT ...)"); break;
    case AST_EXISTS: put_text(printer, "EXISTS (...)"); break;
    case AST_IN_QUERY: put_in_query(printer, expression); break;
    case AST_NAMED:
        put_text(printer, expression->text);
        put_text(printer, " => ");
        put_expression(printer, expression->arguments.items[0]);
        break;
    case AST_DESCRIPTOR:
        put_text(printer, "DESCRIPTOR(");
        put_arguments(printer, expression, 0, ", ");
        put_text(printer, ")");
        break;
    case AST_TABLE:
        put_text(printer, "TABLE ");
        put_name(printer, &expression->table->name);
        break;
    case AST_DEFAULT: put_text(printer, "DEFAULT"); break;
    }
}

const char *oriel_ast_print_expression(const struct ast_expression *expression,
                                       struct oriel_arena *arena) {
    struct printer printer = {.arena = arena};
    put_expression(&printer, expression);
    put(&printer, "", 1);
    return printer.failed ? NULL : printer.bytes;
}
