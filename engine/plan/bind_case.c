/*
 * CASE and the functions that are short for it: COALESCE, IFNULL, NULLIF and IF. Branches are cast
 * to one type.
 */
#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/bind.h"

static enum oriel_status no_common_type(struct binder *b, const struct ast_expression *ast,
                                        const struct oriel_type *first,
                                        const struct oriel_type *second) {
    char one[96], other[96];
    return oriel_error_at(
        b->error, ORIEL_INVALID, ast->position, "The branches of %s have no common type: %s and %s",
        ast->kind == AST_CASE ? "CASE" : ast->text, oriel_type_print(first, false, one, sizeof one),
        oriel_type_print(second, false, other, sizeof other));
}

/* The type of all `values`; nullable when one of them is. */
static enum oriel_status unify(struct binder *b, const struct ast_expression *ast,
                               struct oriel_expression *const *values, uint32_t count,
                               uint32_t stride, struct oriel_type *out) {
    bool nullable = false, is_set = false;
    struct oriel_type type = oriel_type_make(ORIEL_TYPE_NULL);
    for (uint32_t i = 0; i < count; i++) {
        struct oriel_type next = values[i * stride]->type;
        next.rowtime = false;
        nullable |= next.nullable;
        if (next.id == ORIEL_TYPE_NULL)
            continue;
        if (!is_set)
            type = next;
        else if (!oriel_type_unify_nested(b->arena, &type, &next, &type))
            return no_common_type(b, ast, &type, &next);
        is_set = true;
    }
    if (!is_set)
        return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                              "%s: nothing tells the type of its NULLs; write CAST(NULL AS INT) or "
                              "another type",
                              ast->kind == AST_CASE
                                  ? "ELSE clause or at least one THEN clause must be non-NULL"
                                  : "Illegal use of 'NULL'");
    type.nullable = nullable;
    *out = type;
    return ORIEL_OK;
}

/* A CASE from when, then, ... [else] with the branches cast to `type`. */
static enum oriel_status make_case(struct binder *b, struct oriel_position position,
                                   struct oriel_expression **arguments, uint32_t count,
                                   struct oriel_type type, struct oriel_expression **out) {
    const bool has_else = count % 2 == 1;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_value = i % 2 == 1 || (has_else && i == count - 1);
        if (is_value)
            ORIEL_TRY(oriel_bind_cast(b, arguments[i], type, &arguments[i]));
    }
    struct oriel_expression *const made = oriel_arena_allocate_zeroed(b->arena, 1, sizeof *made);
    if (!made)
        return oriel_bind_memory(b);
    made->kind = ORIEL_EXPRESSION_CASE;
    made->type = type;
    made->position = position;
    made->arguments = arguments;
    made->argument_count = count;
    made->has_else = has_else;
    *out = made;
    return oriel_bind_finish_form(b, out);
}

static enum oriel_status bind_when(struct binder *b, struct bind_frame *frame,
                                   struct oriel_expression *operand,
                                   const struct ast_expression *when,
                                   struct oriel_expression **out) {
    if (operand) {
        struct oriel_expression *sides[2] = {operand, NULL};
        ORIEL_TRY(oriel_bind_operand(b, frame, when, &sides[1]));
        return oriel_bind_plain_call(b, "=", when->position, sides, 2, NULL, out);
    }
    ORIEL_TRY(oriel_bind_operand(b, frame, when, out));
    if ((*out)->type.id == ORIEL_TYPE_NULL)
        return oriel_bind_cast(b, *out, oriel_type_make(ORIEL_TYPE_BOOLEAN), out);
    if ((*out)->type.id == ORIEL_TYPE_BOOLEAN)
        return ORIEL_OK;
    char type[96];
    return oriel_error_at(b->error, ORIEL_INVALID, when->position,
                          "WHEN must be a condition, but is of type %s",
                          oriel_type_print(&(*out)->type, false, type, sizeof type));
}

enum oriel_status oriel_bind_case(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out) {
    const uint32_t first = ast->has_operand ? 1 : 0;
    const uint32_t count = ast->arguments.count - first;
    struct oriel_expression **const arguments =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *arguments);
    struct oriel_expression **const values =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *values);
    struct oriel_expression *operand = NULL;
    if (!arguments || !values)
        return oriel_bind_memory(b);
    if (ast->has_operand)
        ORIEL_TRY(oriel_bind_operand(b, frame, ast->arguments.items[0], &operand));
    uint32_t value_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_expression *const item = ast->arguments.items[first + i];
        const bool is_value = i % 2 == 1 || (ast->has_else && i == count - 1);
        if (!is_value) {
            ORIEL_TRY(bind_when(b, frame, operand, item, &arguments[i]));
            continue;
        }
        ORIEL_TRY(oriel_bind_operand(b, frame, item, &arguments[i]));
        values[value_count++] = arguments[i];
    }
    struct oriel_type type;
    ORIEL_TRY(unify(b, ast, values, value_count, 1, &type));
    type.nullable |= !ast->has_else;
    return make_case(b, ast->position, arguments, count, type, out);
}

static enum oriel_status check_count(struct binder *b, const struct ast_expression *ast,
                                     uint32_t low, uint32_t high) {
    if (ast->arguments.count >= low && ast->arguments.count <= high)
        return ORIEL_OK;
    return oriel_error_at(b->error, ORIEL_INVALID, ast->position,
                          "Invalid number of arguments to function '%s'", ast->text);
}

/* CASE WHEN a IS NOT NULL THEN a ... ELSE z END. */
static enum oriel_status bind_coalesce(struct binder *b, const struct ast_expression *ast,
                                       struct oriel_expression *const *arguments, uint32_t count,
                                       struct oriel_expression **out) {
    struct oriel_type type;
    ORIEL_TRY(unify(b, ast, arguments, count, 1, &type));
    struct oriel_expression **const parts =
        oriel_arena_allocate_zeroed(b->arena, 2 * (size_t)count, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    uint32_t part_count = 0;
    type.nullable = true;
    for (uint32_t i = 0; i < count; i++) {
        if (oriel_expression_is_null_constant(arguments[i]) && i + 1 < count)
            continue;
        const bool is_last = i + 1 == count || !arguments[i]->type.nullable;
        if (!is_last)
            ORIEL_TRY(oriel_bind_plain_call(b, "IS NOT NULL", ast->position, &arguments[i], 1, NULL,
                                            &parts[part_count++]));
        parts[part_count++] = arguments[i];
        if (is_last) {
            type.nullable = arguments[i]->type.nullable;
            break;
        }
    }
    if (part_count == 1) {
        ORIEL_TRY(oriel_bind_cast(b, parts[0], type, out));
        return oriel_bind_as_computed(b, out);
    }
    return make_case(b, ast->position, parts, part_count, type, out);
}

static enum oriel_status bind_nullif(struct binder *b, const struct ast_expression *ast,
                                     struct oriel_expression *const *arguments,
                                     struct oriel_expression **out) {
    struct oriel_type type;
    ORIEL_TRY(unify(b, ast, arguments, 1, 1, &type));
    type.nullable = true;
    struct oriel_expression **const parts = oriel_arena_allocate_zeroed(b->arena, 3, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    ORIEL_TRY(oriel_bind_plain_call(b, "=", ast->position, arguments, 2, NULL, &parts[0]));
    parts[1] = oriel_expression_constant(b->arena, type, true, ast->position);
    parts[2] = arguments[0];
    if (!parts[1])
        return oriel_bind_memory(b);
    return make_case(b, ast->position, parts, 3, type, out);
}

static enum oriel_status bind_if(struct binder *b, const struct ast_expression *ast,
                                 struct oriel_expression *const *arguments,
                                 struct oriel_expression **out) {
    struct oriel_type type;
    struct oriel_expression **const parts = oriel_arena_allocate_zeroed(b->arena, 3, sizeof *parts);
    if (!parts)
        return oriel_bind_memory(b);
    memcpy(parts, arguments, 3 * sizeof *parts);
    if (parts[0]->type.id == ORIEL_TYPE_NULL)
        ORIEL_TRY(oriel_bind_cast(b, parts[0], oriel_type_make(ORIEL_TYPE_BOOLEAN), &parts[0]));
    if (parts[0]->type.id != ORIEL_TYPE_BOOLEAN) {
        char text[96];
        return oriel_error_at(b->error, ORIEL_INVALID, parts[0]->position,
                              "The first argument of IF must be a condition, but is of type %s",
                              oriel_type_print(&parts[0]->type, false, text, sizeof text));
    }
    ORIEL_TRY(unify(b, ast, arguments + 1, 2, 1, &type));
    type.nullable |= parts[0]->type.nullable;
    return make_case(b, ast->position, parts, 3, type, out);
}

bool oriel_bind_is_conditional(const char *name) {
    return strcmp(name, "COALESCE") == 0 || strcmp(name, "IFNULL") == 0 ||
           strcmp(name, "NULLIF") == 0 || strcmp(name, "IF") == 0;
}

enum oriel_status oriel_bind_conditional(struct binder *b, const struct ast_expression *ast,
                                         struct oriel_expression *const *arguments,
                                         struct oriel_expression **out) {
    const uint32_t count = ast->arguments.count;
    if (strcmp(ast->text, "COALESCE") == 0) {
        ORIEL_TRY(check_count(b, ast, 1, UINT32_MAX));
        return bind_coalesce(b, ast, arguments, count, out);
    }
    if (strcmp(ast->text, "IF") == 0) {
        ORIEL_TRY(check_count(b, ast, 3, 3));
        return bind_if(b, ast, arguments, out);
    }
    ORIEL_TRY(check_count(b, ast, 2, 2));
    if (strcmp(ast->text, "NULLIF") == 0)
        return bind_nullif(b, ast, arguments, out);
    return bind_coalesce(b, ast, arguments, count, out);
}
