/*
 * Calls of JSON functions: what their clauses say goes to the function as constant words among the
 * arguments, as engine/functions/json_query.c and json_build.c describe them.
 */
#include <string.h>

#include "engine/plan/bind.h"

static const char *const names[] = {"JSON_EXISTS", "JSON_VALUE", "JSON_QUERY", "JSON_OBJECT",
                                    "JSON_ARRAY"};

bool oriel_bind_is_json(const char *name) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static const char *behaviour_word(enum ast_json_behaviour behaviour) {
    switch (behaviour) {
    case AST_JSON_NULL: return "NULL";
    case AST_JSON_ERROR: return "ERROR";
    case AST_JSON_DEFAULT: return "DEFAULT";
    case AST_JSON_TRUE: return "TRUE";
    case AST_JSON_FALSE: return "FALSE";
    case AST_JSON_UNKNOWN: return "UNKNOWN";
    case AST_JSON_EMPTY_ARRAY: return "EMPTY ARRAY";
    case AST_JSON_EMPTY_OBJECT: return "EMPTY OBJECT";
    default: return "";
    }
}

static const char *wrapper_word(const struct ast_json *json) {
    return json->wrapper == AST_JSON_CONDITIONAL_WRAPPER     ? "CONDITIONAL"
           : json->wrapper == AST_JSON_UNCONDITIONAL_WRAPPER ? "UNCONDITIONAL"
                                                             : "WITHOUT";
}

static enum oriel_status put_word(struct binder *b, const struct ast_expression *ast,
                                  const char *word, struct oriel_expression **out) {
    *out = oriel_bind_string(b, word, strlen(word), ast->position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

/* The value after DEFAULT, else NULL. */
static enum oriel_status put_default(struct binder *b, struct bind_frame *frame,
                                     const struct ast_expression *ast,
                                     const struct ast_expression *value,
                                     struct oriel_expression **out) {
    if (value)
        return oriel_bind_expression(b, frame, value, out);
    *out =
        oriel_expression_constant(b->arena, oriel_type_make(ORIEL_TYPE_NULL), true, ast->position);
    return *out ? ORIEL_OK : oriel_bind_memory(b);
}

/* VARCHAR without a length is STRING here. */
static enum oriel_status bind_returning(struct binder *b, const struct ast_type *ast,
                                        struct oriel_type *out) {
    ORIEL_TRY(oriel_bind_type(b->arena, ast, out, b->error));
    if (out->id == ORIEL_TYPE_VARCHAR && ast->parameter_count == 0)
        *out = oriel_type_string();
    return ORIEL_OK;
}

/* JSON_EXISTS, JSON_VALUE, JSON_QUERY. */
static enum oriel_status bind_path_call(struct binder *b, struct bind_frame *frame,
                                        const struct ast_expression *ast,
                                        struct oriel_expression **out) {
    static const struct ast_json none;
    const struct ast_json *const json = ast->json ? ast->json : &none;
    const char *const on_empty = behaviour_word(json->on_empty);
    const char *const on_error = behaviour_word(json->on_error);
    struct oriel_expression *arguments[6];
    struct oriel_type type;
    uint32_t count = 2;
    for (uint32_t i = 0; i < 2; i++)
        ORIEL_TRY(oriel_bind_expression(b, frame, ast->arguments.items[i], &arguments[i]));
    if (ast->type)
        ORIEL_TRY(bind_returning(b, ast->type, &type));
    if (strcmp(ast->text, "JSON_QUERY") == 0) {
        ORIEL_TRY(put_word(b, ast, wrapper_word(json), &arguments[count++]));
        ORIEL_TRY(put_word(b, ast, on_empty, &arguments[count++]));
    } else if (strcmp(ast->text, "JSON_VALUE") == 0) {
        ORIEL_TRY(put_word(b, ast, on_empty, &arguments[count++]));
        ORIEL_TRY(put_default(b, frame, ast, json->empty_value, &arguments[count++]));
    }
    ORIEL_TRY(put_word(b, ast, on_error, &arguments[count++]));
    if (strcmp(ast->text, "JSON_VALUE") == 0)
        ORIEL_TRY(put_default(b, frame, ast, json->error_value, &arguments[count++]));
    return oriel_bind_plain_call(b, ast->text, ast->position, arguments, count,
                                 ast->type ? &type : NULL, out);
}

static char letter_of(const struct ast_expression *value) {
    /* A CAST that changes nothing does not hide the call. */
    while (value->kind == AST_CAST && strcmp(value->type->name, "STRING") == 0)
        value = value->arguments.items[0];
    if (value->kind != AST_CALL)
        return 'v';
    if (strcmp(value->text, "JSON_OBJECT") == 0 || strcmp(value->text, "JSON_ARRAY") == 0)
        return 'r';
    return strcmp(value->text, "JSON") == 0 && value->arguments.count == 1 ? 'j' : 'v';
}

/* JSON_OBJECT keeps NULLs unless told otherwise, JSON_ARRAY leaves them out. */
static enum oriel_status bind_build_call(struct binder *b, struct bind_frame *frame,
                                         const struct ast_expression *ast,
                                         struct oriel_expression **out) {
    const uint32_t count = ast->arguments.count;
    const bool object = strcmp(ast->text, "JSON_OBJECT") == 0;
    struct oriel_expression **const arguments =
        oriel_arena_allocate_zeroed(b->arena, (size_t)count + 1, sizeof *arguments);
    char *const letters = oriel_arena_allocate_zeroed(b->arena, (size_t)count + 2, 1);
    if (!arguments || !letters)
        return oriel_bind_memory(b);
    size_t length = 0;
    letters[length++] = (object ? ast->absent_on_null : !ast->null_on_null) ? 'A' : 'N';
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_expression *value = ast->arguments.items[i];
        if (!object || i % 2) {
            const char letter = letter_of(value);
            letters[length++] = letter;
            if (letter == 'j')
                value = value->arguments.items[0];
        }
        ORIEL_TRY(oriel_bind_expression(b, frame, value, &arguments[i + 1]));
    }
    ORIEL_TRY(put_word(b, ast, letters, &arguments[0]));
    return oriel_bind_plain_call(b, ast->text, ast->position, arguments, count + 1, NULL, out);
}

enum oriel_status oriel_bind_json(struct binder *b, struct bind_frame *frame,
                                  const struct ast_expression *ast, struct oriel_expression **out) {
    return strcmp(ast->text, "JSON_OBJECT") == 0 || strcmp(ast->text, "JSON_ARRAY") == 0
               ? bind_build_call(b, frame, ast, out)
               : bind_path_call(b, frame, ast, out);
}
