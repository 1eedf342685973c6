/*
 * Calls of scalar functions and operators: most go to the function table as they are; AND and OR
 * keep their own kinds, BETWEEN, IN and comparisons of rows are written out.
 */
#include <string.h>

#include "engine/functions/aggregate.h"
#include "engine/functions/function.h"
#include "engine/plan/over.h"
#include "engine/plan/session.h"

static bool is_named(const struct ast_expression *ast, const char *name) {
    return strcmp(ast->text, name) == 0;
}

/* Whether the call tells the type of a literal NULL that is its argument `i`: by its other
 * arguments, or it asks for none. */
static bool takes_null(const struct ast_expression *ast, uint32_t i) {
    static const char *const names[] = {
        "=", "<>", "<", "<=", ">", ">=", "IS NULL", "IS NOT NULL", "IS DISTINCT FROM",
        "IS NOT DISTINCT FROM", "IN", "BETWEEN", "COALESCE", "IFNULL", "NULLIF", "TYPEOF", "ARRAY",
        /* those whose arguments have declared types */
        "ELT", "ENDSWITH", "JSON_QUOTE", "JSON_STRING", "JSON_UNQUOTE", "PRINTF", "REGEXP_COUNT",
        "REGEXP_EXTRACT_ALL", "REGEXP_INSTR", "REGEXP_SUBSTR", "SPLIT", "STARTSWITH", "UNHEX",
        "URL_DECODE", "URL_ENCODE"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (is_named(ast, names[n]))
            return true;
    }
    return strncmp(ast->text, "ARRAY_", 6) == 0 || (is_named(ast, "MAP") && i % 2 == 1);
}

static enum oriel_status bind_arguments(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression ***out) {
    const uint32_t count = ast->arguments.count;
    struct oriel_expression **const arguments =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *arguments);
    if (!arguments)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(takes_null(ast, i)
                      ? oriel_bind_operand(b, frame, ast->arguments.items[i], &arguments[i])
                      : oriel_bind_expression(b, frame, ast->arguments.items[i], &arguments[i]));
    *out = arguments;
    return ORIEL_OK;
}

static enum oriel_status negate(struct binder *b, bool negated, struct oriel_expression **out) {
    if (!negated)
        return ORIEL_OK;
    return oriel_bind_plain_call(b, "NOT", (*out)->position, out, 1, NULL, out);
}

/* AND, OR: NULL literals become BOOLEAN; constants fold. */
static enum oriel_status bind_logic(struct binder *b, struct bind_frame *frame,
                                    const struct ast_expression *ast,
                                    struct oriel_expression **out) {
    struct oriel_expression **arguments = NULL;
    ORIEL_TRY(bind_arguments(b, frame, ast, &arguments));
    for (uint32_t i = 0; i < ast->arguments.count; i++) {
        if (arguments[i]->type.id == ORIEL_TYPE_NULL)
            ORIEL_TRY(oriel_bind_cast(b, arguments[i], oriel_type_make(ORIEL_TYPE_BOOLEAN),
                                      &arguments[i]));
        if (arguments[i]->type.id != ORIEL_TYPE_BOOLEAN) {
            char type[96];
            return oriel_error_at(b->error, ORIEL_INVALID, arguments[i]->position,
                                  "Cannot apply '%s' to an argument of type %s; a condition is "
                                  "wanted",
                                  ast->text,
                                  oriel_type_print(&arguments[i]->type, false, type, sizeof type));
        }
    }
    *out = oriel_expression_logic(b->arena,
                                  is_named(ast, "AND") ? ORIEL_EXPRESSION_AND : ORIEL_EXPRESSION_OR,
                                  arguments, ast->arguments.count, ast->position);
    if (!*out)
        return oriel_bind_memory(b);
    return oriel_bind_finish_form(b, out);
}

static enum oriel_status bind_all_of(struct binder *b, enum oriel_expression_kind kind,
                                     struct oriel_expression *const *arguments, uint32_t count,
                                     struct oriel_position position,
                                     struct oriel_expression **out) {
    *out = count == 1 ? arguments[0]
                      : oriel_expression_logic(b->arena, kind, arguments, count, position);
    if (!*out)
        return oriel_bind_memory(b);
    return oriel_bind_finish_form(b, out);
}

/* value >= low AND value <= high, or the other way round too for SYMMETRIC. */
static enum oriel_status bind_between(struct binder *b, struct bind_frame *frame,
                                      const struct ast_expression *ast,
                                      struct oriel_expression **out) {
    struct oriel_expression **arguments = NULL;
    ORIEL_TRY(bind_arguments(b, frame, ast, &arguments));
    struct oriel_expression *either[2];
    const uint32_t ways = ast->symmetric ? 2 : 1;
    for (uint32_t way = 0; way < ways; way++) {
        struct oriel_expression *parts[2];
        struct oriel_expression *const low[] = {arguments[0], arguments[1 + way]};
        struct oriel_expression *const high[] = {arguments[0], arguments[2 - way]};
        ORIEL_TRY(oriel_bind_plain_call(b, ">=", ast->position, low, 2, NULL, &parts[0]));
        ORIEL_TRY(oriel_bind_plain_call(b, "<=", ast->position, high, 2, NULL, &parts[1]));
        ORIEL_TRY(bind_all_of(b, ORIEL_EXPRESSION_AND, parts, 2, ast->position, &either[way]));
    }
    ORIEL_TRY(bind_all_of(b, ORIEL_EXPRESSION_OR, either, ways, ast->position, out));
    return negate(b, ast->negated, out);
}

/* Equality of two trees; rows are compared field by field. */
static enum oriel_status bind_equal(struct binder *b, struct bind_frame *frame,
                                    const struct ast_expression *left,
                                    const struct ast_expression *right,
                                    struct oriel_position position, struct oriel_expression **out) {
    const bool row_left = left->kind == AST_CALL && is_named(left, "ROW");
    const bool row_right = right->kind == AST_CALL && is_named(right, "ROW");
    if (!row_left || !row_right) {
        struct oriel_expression *sides[2];
        ORIEL_TRY(oriel_bind_operand(b, frame, left, &sides[0]));
        ORIEL_TRY(oriel_bind_operand(b, frame, right, &sides[1]));
        return oriel_bind_plain_call(b, "=", position, sides, 2, NULL, out);
    }
    const uint32_t count = left->arguments.count;
    if (count != right->arguments.count || !count)
        return oriel_error_at(b->error, ORIEL_INVALID, position,
                              "Unequal number of fields in compared rows: %u and %u", count,
                              right->arguments.count);
    struct oriel_expression **const parts =
        oriel_arena_allocate_zeroed(b->arena, count, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(bind_equal(b, frame, left->arguments.items[i], right->arguments.items[i],
                             position, &parts[i]));
    return bind_all_of(b, ORIEL_EXPRESSION_AND, parts, count, position, out);
}

enum { IN_FEW = 256, IN_ITEMS = 64 };

/* An IN over many items that are computed would keep the values of all at once: it becomes an OR of
 * INs over some of them. */
static enum oriel_status bind_long_in(struct binder *b, struct oriel_position position,
                                      struct oriel_expression *const *arguments, uint32_t count,
                                      struct oriel_expression **out) {
    struct oriel_expression **const parts =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count / IN_ITEMS + 1, sizeof *parts);
    uint32_t part_count = 0;
    if (!parts)
        return oriel_bind_memory(b);
    for (uint32_t first = 1; first < count; first += IN_ITEMS) {
        struct oriel_expression *items[IN_ITEMS + 1] = {arguments[0]};
        uint32_t item_count = 1;
        for (uint32_t i = first; i < count && i < first + IN_ITEMS; i++)
            items[item_count++] = arguments[i];
        ORIEL_TRY(oriel_bind_plain_call(b, "IN", position, items, item_count, NULL,
                                        &parts[part_count++]));
    }
    *out = oriel_expression_logic(b->arena, ORIEL_EXPRESSION_OR, parts, part_count, position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

static bool is_long_in(struct oriel_expression *const *arguments, uint32_t count) {
    bool is_constant = true;
    for (uint32_t i = 1; i < count; i++)
        is_constant &= arguments[i]->kind == ORIEL_EXPRESSION_CONSTANT;
    return count > IN_FEW && !is_constant && !oriel_expression_is_volatile(arguments[0]);
}

/* The function IN of the table, or an OR of equalities where rows are compared. */
static enum oriel_status bind_in(struct binder *b, struct bind_frame *frame,
                                 const struct ast_expression *ast, struct oriel_expression **out) {
    const struct ast_expression *const value = ast->arguments.items[0];
    const bool is_row = value->kind == AST_CALL && is_named(value, "ROW");
    if (!is_row && oriel_function_find("IN")) {
        struct oriel_expression **arguments = NULL;
        ORIEL_TRY(bind_arguments(b, frame, ast, &arguments));
        if (is_long_in(arguments, ast->arguments.count)) {
            ORIEL_TRY(bind_long_in(b, ast->position, arguments, ast->arguments.count, out));
            return negate(b, ast->negated, out);
        }
        ORIEL_TRY(oriel_bind_plain_call(b, "IN", ast->position, arguments, ast->arguments.count,
                                        NULL, out));
        return negate(b, ast->negated, out);
    }
    const uint32_t count = ast->arguments.count - 1;
    struct oriel_expression **const parts =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(
            bind_equal(b, frame, value, ast->arguments.items[i + 1], ast->position, &parts[i]));
    ORIEL_TRY(bind_all_of(b, ORIEL_EXPRESSION_OR, parts, count, ast->position, out));
    return negate(b, ast->negated, out);
}

/* -9223372036854775808 is one literal, since its positive part does not fit. */
static bool is_negative_number(const struct ast_expression *ast) {
    return is_named(ast, "NEG") && ast->arguments.count == 1 &&
           ast->arguments.items[0]->kind == AST_NUMBER;
}

static bool is_row_comparison(const struct ast_expression *ast) {
    if (!is_named(ast, "=") && !is_named(ast, "<>"))
        return false;
    const struct ast_expression *const left = ast->arguments.items[0];
    const struct ast_expression *const right = ast->arguments.items[1];
    return left->kind == AST_CALL && is_named(left, "ROW") && right->kind == AST_CALL &&
           is_named(right, "ROW");
}

static enum oriel_status check_plain(struct binder *b, const struct ast_expression *ast) {
    if (ast->distinct || ast->star || ast->filter || ast->within_order.count)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "%s is no aggregate function, so %s cannot be used with it",
                              ast->text,
                              ast->distinct ? "DISTINCT"
                              : ast->star   ? "*"
                              : ast->filter ? "FILTER"
                                            : "WITHIN GROUP");
    return ORIEL_OK;
}

/* Said before the arguments are looked at, since a slip in an aggregate's name makes them wrong
 * too. */
static enum oriel_status unknown_function(struct binder *b, const struct ast_expression *ast) {
    char hint[160];
    if (oriel_bind_is_window_auxiliary(ast->text))
        return oriel_error_at(
            b->error, ORIEL_INVALID, ast->position,
            "Call to auxiliary group function '%s' must have matching call to its "
            "group function in GROUP BY clause",
            ast->text);
    enum oriel_over_function over;
    if (oriel_over_find_function(ast->text, &over) || is_named(ast, "ROW_NUMBER") ||
        is_named(ast, "RANK") || is_named(ast, "DENSE_RANK"))
        return oriel_error_at(
            b->error, ORIEL_INVALID, ast->position,
            "OVER clause is necessary for window functions: %s(...) OVER ([PARTITION "
            "BY ...] ORDER BY ...)",
            ast->text);
    struct oriel_suggestion suggestion = {.name = ast->text};
    const struct oriel_function *function;
    const struct oriel_aggregate *aggregate;
    for (size_t i = 0; (function = oriel_function_at(i)) != NULL; i++)
        oriel_suggestion_offer(&suggestion, function->name);
    for (size_t i = 0; (aggregate = oriel_aggregate_at(i)) != NULL; i++)
        oriel_suggestion_offer(&suggestion, aggregate->name);
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "No match found for function signature %s%s", ast->text,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

/* (start, end) OVERLAPS (start, interval): an interval counts from its start. */
static enum oriel_status bind_overlaps(struct binder *b, struct bind_frame *frame,
                                       const struct ast_expression *ast,
                                       struct oriel_expression **out) {
    struct oriel_expression *bounds[4];
    for (uint32_t i = 0; i < 2; i++) {
        const struct ast_expression *const period = ast->arguments.items[i];
        struct oriel_expression **const start = &bounds[2 * i], **const end = &bounds[2 * i + 1];
        if (period->kind != AST_CALL || !is_named(period, "ROW") || period->arguments.count != 2)
            return oriel_error_at(b->error, ORIEL_INVALID, period->position,
                                  "OVERLAPS takes two periods, each (start, end) or (start, "
                                  "interval)");
        ORIEL_TRY(oriel_bind_expression(b, frame, period->arguments.items[0], start));
        ORIEL_TRY(oriel_bind_expression(b, frame, period->arguments.items[1], end));
        if ((*end)->type.id == ORIEL_TYPE_INTERVAL_DAY ||
            (*end)->type.id == ORIEL_TYPE_INTERVAL_YEAR)
            ORIEL_TRY(
                oriel_bind_plain_call(b, "+", period->position, bounds + 2 * i, 2, NULL, end));
    }
    return oriel_bind_plain_call(b, "OVERLAPS", ast->position, bounds, 4, NULL, out);
}

/* Calls that are the same for all rows: the database in use; which of equal grouping sets it is,
 * and since equal ones are one, always 0. */
static enum oriel_status bind_constant(struct binder *b, const struct bind_frame *frame,
                                       const struct ast_expression *ast,
                                       struct oriel_expression **out) {
    if (ast->arguments.count || ast->star)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "Invalid number of arguments to function '%s'", ast->text);
    if (is_named(ast, "GROUP_ID")) {
        if (!frame->group)
            return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                                  "GROUP_ID operator may only occur in an aggregate query");
        *out = oriel_expression_bigint(b->arena, 0, ast->position);
        return *out ? ORIEL_OK : oriel_bind_memory(b);
    }
    const char *const name = oriel_session_current(b->session)->name;
    *out = oriel_bind_string(b, name, strlen(name), ast->position);
    if (!*out)
        return oriel_bind_memory(b);
    return oriel_bind_cast(b, *out, oriel_type_with_null(oriel_type_string(), false), out);
}

enum oriel_status oriel_bind_call(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out) {
    if (is_negative_number(ast))
        return oriel_bind_literal(b, ast->arguments.items[0], true, out);
    if (is_named(ast, "AND") || is_named(ast, "OR"))
        return bind_logic(b, frame, ast, out);
    if (is_named(ast, "BETWEEN"))
        return bind_between(b, frame, ast, out);
    if (is_named(ast, "IN"))
        return bind_in(b, frame, ast, out);
    if (is_named(ast, "OVERLAPS") && ast->arguments.count == 2)
        return bind_overlaps(b, frame, ast, out);
    if (is_named(ast, "GROUPING") || is_named(ast, "GROUPING_ID"))
        return oriel_bind_grouping(b, frame, ast, out);
    if (is_row_comparison(ast)) {
        ORIEL_TRY(bind_equal(b, frame, ast->arguments.items[0], ast->arguments.items[1],
                             ast->position, out));
        return negate(b, is_named(ast, "<>"), out);
    }
    if (is_named(ast, "CURRENT_DATABASE") || is_named(ast, "GROUP_ID"))
        return bind_constant(b, frame, ast, out);
    const struct oriel_function *const function = oriel_function_find(ast->text);
    if (!function && !oriel_bind_is_conditional(ast->text))
        return unknown_function(b, ast);
    if (function && function->flags & ORIEL_FUNCTION_UNAVAILABLE)
        return oriel_bind_plain_call(b, ast->text, ast->position, NULL, 0, NULL, out);
    ORIEL_TRY(check_plain(b, ast));
    if (oriel_bind_is_json(ast->text))
        return oriel_bind_json(b, frame, ast, out);
    struct oriel_expression **arguments = NULL;
    ORIEL_TRY(bind_arguments(b, frame, ast, &arguments));
    if (oriel_bind_is_conditional(ast->text))
        return oriel_bind_conditional(b, ast, arguments, out);
    ORIEL_TRY(oriel_bind_plain_call(b, ast->text, ast->position, arguments, ast->arguments.count,
                                    NULL, out));
    return negate(b, ast->negated, out);
}
