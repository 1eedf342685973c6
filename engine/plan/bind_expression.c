/*
 * Expressions: one function that turns a tree into a typed expression for the place (frame) where
 * it stands. Calls, conditionals, aggregates and OVER have files of their own.
 */
#include "engine/plan/bind.h"

#include <string.h>

#include "engine/functions/function.h"

enum oriel_status oriel_bind_finish_form(struct binder *b, struct oriel_expression **expression) {
    if (oriel_expression_count_nodes(*expression, ORIEL_BIND_NODES_MAX) >= ORIEL_BIND_NODES_MAX)
        return oriel_error_at(b->error, ORIEL_INVALID, (*expression)->position,
                              "The expression is too large: written out it has more than %d parts",
                              ORIEL_BIND_NODES_MAX);
    return oriel_expression_fold(b->runtime, b->arena, expression, b->error);
}

/* Whatever is computed from a time attribute is none, also when the argument itself comes back. */
enum oriel_status oriel_bind_as_computed(struct binder *b, struct oriel_expression **out) {
    if (!(*out)->type.rowtime)
        return ORIEL_OK;
    struct oriel_expression *const copy = oriel_arena_allocate(b->arena, sizeof *copy);
    if (!copy)
        return oriel_bind_memory(b);
    *copy = **out;
    copy->type.rowtime = false;
    *out = copy;
    return ORIEL_OK;
}

enum oriel_status oriel_bind_plain_call(struct binder *b, const char *name,
                                        struct oriel_position position,
                                        struct oriel_expression *const *arguments, uint32_t count,
                                        const struct oriel_type *target,
                                        struct oriel_expression **out) {
    ORIEL_TRY(oriel_expression_call(b->runtime, b->arena, name, position, arguments, count, target,
                                    out, b->error));
    return oriel_bind_as_computed(b, out);
}

enum oriel_status oriel_bind_cast(struct binder *b, struct oriel_expression *expression,
                                  struct oriel_type type, struct oriel_expression **out) {
    if (oriel_type_same(&expression->type, &type)) {
        *out = expression;
        return ORIEL_OK;
    }
    if (oriel_expression_is_null_constant(expression)) {
        *out = oriel_expression_constant(b->arena, type, true, expression->position);
        return *out ? ORIEL_OK : oriel_bind_memory(b);
    }
    return oriel_expression_cast(b->runtime, b->arena, expression, &type, out, b->error);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_type(const struct ast_type *a, const struct ast_type *b) {
    if (!a || !b)
        return a == b;
    if (strcmp(a->name, b->name) != 0 || a->parameter_count != b->parameter_count ||
        a->child_count != b->child_count)
        return false;
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        if (a->parameters[i] != b->parameters[i])
            return false;
    }
    for (uint32_t i = 0; i < a->child_count; i++) {
        if (!same_type(a->children[i], b->children[i]))
            return false;
    }
    return true;
}

static bool same_column(const struct bind_scope *scope, const struct ast_name *a,
                        const struct ast_name *b) {
    uint32_t column_a, column_b, parts_a, parts_b;
    if (oriel_scope_find(scope, a, &column_a, &parts_a) != ORIEL_NAME_FOUND ||
        oriel_scope_find(scope, b, &column_b, &parts_b) != ORIEL_NAME_FOUND)
        return false;
    if (column_a != column_b || a->part_count - parts_a != b->part_count - parts_b)
        return false;
    for (uint32_t i = 0; i < a->part_count - parts_a; i++) {
        if (strcmp(a->parts[parts_a + i].text, b->parts[parts_b + i].text) != 0)
            return false;
    }
    return true;
}

bool oriel_ast_same(const struct bind_scope *scope, const struct ast_expression *a,
                    const struct ast_expression *b) {
    if (a->kind != b->kind || a->arguments.count != b->arguments.count)
        return false;
    if (a->kind == AST_COLUMN)
        return same_column(scope, &a->name, &b->name);
    if (a->query || b->query || a->over || b->over || a->filter || b->filter || a->table ||
        b->table || a->json || b->json)
        return false;
    if (!same_text(a->text, b->text) || a->number != b->number || a->negated != b->negated ||
        a->symmetric != b->symmetric || a->has_operand != b->has_operand ||
        a->has_else != b->has_else || a->distinct != b->distinct || a->star != b->star ||
        a->negative != b->negative || a->unit != b->unit || a->unit_to != b->unit_to ||
        a->unit_precision != b->unit_precision ||
        (a->kind == AST_STRING && a->text_length != b->text_length) ||
        a->call_nulls != b->call_nulls || a->null_on_null != b->null_on_null ||
        a->absent_on_null != b->absent_on_null || !same_type(a->type, b->type))
        return false;
    for (uint32_t i = 0; i < a->arguments.count; i++) {
        if (!oriel_ast_same(scope, a->arguments.items[i], b->arguments.items[i]))
            return false;
    }
    return true;
}

static enum oriel_status bind_cast(struct binder *b, struct bind_frame *frame,
                                   const struct ast_expression *ast,
                                   struct oriel_expression **out) {
    struct oriel_expression *value;
    struct oriel_type type;
    ORIEL_TRY(oriel_bind_operand(b, frame, ast->arguments.items[0], &value));
    ORIEL_TRY(oriel_bind_type(b->arena, ast->type, &type, b->error));
    if (value->type.id == ORIEL_TYPE_NULL) {
        *out = oriel_expression_constant(b->arena, type, true, ast->position);
        return *out ? ORIEL_OK : oriel_bind_memory(b);
    }
    return oriel_bind_plain_call(b, ast->text, ast->position, &value, 1, &type, out);
}

/* The expression that is selected under the name, when no column has it. */
static const struct ast_expression *find_alias(const struct bind_frame *frame,
                                               const struct ast_name *name) {
    uint32_t column, parts;
    if (!frame->aliases || name->part_count != 1 ||
        oriel_scope_find(frame->scope, name, &column, &parts) != ORIEL_NAME_NONE)
        return NULL;
    for (uint32_t i = 0; i < frame->aliases->items.count; i++) {
        const struct ast_select_item *const item = frame->aliases->items.items[i];
        if (item->alias && strcmp(item->alias->text, name->parts[0].text) == 0)
            return item->expression;
    }
    return NULL;
}

static enum oriel_status bind_column(struct binder *b, struct bind_frame *frame,
                                     const struct ast_expression *ast,
                                     struct oriel_expression **out) {
    const struct ast_expression *const selected = find_alias(frame, &ast->name);
    if (selected) {
        struct bind_frame inside = *frame;
        inside.aliases = NULL;
        return oriel_bind_expression(b, &inside, selected, out);
    }
    ORIEL_TRY(oriel_scope_resolve(b, frame->scope, &ast->name, out));
    if (!frame->group)
        return ORIEL_OK;
    /* Keys were tried before; what is left was not grouped. A row of an outer query is constant. */
    if (oriel_expression_has_outer(*out))
        return ORIEL_OK;
    return oriel_bind_not_grouped(b, ast->name.parts[ast->name.part_count - 1].text, ast->position);
}

static enum oriel_status misplaced(struct binder *b, const struct ast_expression *ast) {
    switch (ast->kind) {
    case AST_STAR:
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "'*' can only stand in the SELECT list and in COUNT(*)");
    case AST_NAMED:
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "The named argument '%s' can only stand in a call of a table "
                              "function",
                              ast->text);
    case AST_DESCRIPTOR:
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "DESCRIPTOR can only stand in a call of a table function");
    case AST_TABLE:
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "A table can only be an argument of a table function");
    default:
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position, "DEFAULT cannot stand here");
    }
}

static enum oriel_status dispatch(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out) {
    if (frame->group) {
        bool matched;
        *out = oriel_group_match(b, frame->group, ast, &matched);
        if (matched)
            return *out ? ORIEL_OK : oriel_bind_memory(b);
    }
    switch (ast->kind) {
    case AST_NULL:
    case AST_BOOLEAN:
    case AST_NUMBER:
    case AST_STRING:
    case AST_BINARY:
    case AST_DATE:
    case AST_TIME:
    case AST_TIMESTAMP:
    case AST_INTERVAL: return oriel_bind_literal(b, ast, false, out);
    case AST_COLUMN: return bind_column(b, frame, ast, out);
    case AST_CASE: return oriel_bind_case(b, frame, ast, out);
    case AST_CAST: return bind_cast(b, frame, ast, out);
    case AST_SUBQUERY: return oriel_bind_scalar(b, frame, ast, out);
    case AST_EXISTS:
    case AST_IN_QUERY: return oriel_bind_membership(b, frame, ast, out);
    case AST_CALL:
        if (ast->over)
            return oriel_bind_over(b, frame, ast, out);
        if (oriel_bind_is_aggregate(ast))
            return oriel_bind_aggregate(b, frame, ast, out);
        return oriel_bind_call(b, frame, ast, out);
    default: return misplaced(b, ast);
    }
}

/* Whether a NULL from within means the same as FALSE when it does outside. */
static bool keeps_null_false(const struct ast_expression *ast) {
    return ast->kind == AST_IN_QUERY || ast->kind == AST_EXISTS ||
           (ast->kind == AST_CALL &&
            (strcmp(ast->text, "AND") == 0 || strcmp(ast->text, "OR") == 0));
}

enum oriel_status oriel_bind_refuse_null(struct binder *b, const struct ast_expression *ast) {
    if (ast->kind != AST_NULL || ast->number)
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "Illegal use of 'NULL': nothing tells its type here; write CAST(NULL AS "
                          "INT) or another type");
}

enum oriel_status oriel_bind_expression(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **out) {
    ORIEL_TRY(oriel_bind_refuse_null(b, ast));
    return oriel_bind_operand(b, frame, ast, out);
}

enum oriel_status oriel_bind_operand(struct binder *b, struct bind_frame *frame,
                                     const struct ast_expression *ast,
                                     struct oriel_expression **out) {
    const bool null_is_false = frame->null_is_false;
    frame->null_is_false = null_is_false && keeps_null_false(ast);
    const enum oriel_status status = dispatch(b, frame, ast, out);
    frame->null_is_false = null_is_false;
    return status;
}

enum oriel_status oriel_bind_condition(struct binder *b, struct bind_frame *frame,
                                       const struct ast_expression *ast,
                                       struct oriel_expression **out) {
    ORIEL_TRY(oriel_bind_operand(b, frame, ast, out));
    if ((*out)->type.id == ORIEL_TYPE_NULL)
        return oriel_bind_cast(b, *out, oriel_type_make(ORIEL_TYPE_BOOLEAN), out);
    if ((*out)->type.id == ORIEL_TYPE_BOOLEAN)
        return ORIEL_OK;
    char type[96];
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "%s clause must be a condition, but is of type %s", frame->clause,
                          oriel_type_print(&(*out)->type, false, type, sizeof type));
}
