/*
 * JSON_EXISTS, JSON_VALUE and JSON_QUERY: a path into a JSON text. What their clauses say arrives
 * as constant words among the arguments:
 *   JSON_EXISTS(json, path [, on error])
 *   JSON_VALUE(json, path [, on empty, value, on error, value]), RETURNING is the target
 *   JSON_QUERY(json, path [, wrapper, on empty, on error]), RETURNING is the target
 * An outcome is empty only in lax mode; in strict mode, the default, a missing value is an error.
 */
#include "engine/base/number_text.h"
#include "engine/functions/function_table.h"
#include "engine/functions/json_path.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

enum which { WHICH_EXISTS, WHICH_VALUE, WHICH_QUERY };

enum behaviour {
    BEHAVIOUR_NULL,
    BEHAVIOUR_ERROR,
    BEHAVIOUR_DEFAULT,
    BEHAVIOUR_TRUE,
    BEHAVIOUR_FALSE,
    BEHAVIOUR_UNKNOWN,
    BEHAVIOUR_EMPTY_ARRAY,
    BEHAVIOUR_EMPTY_OBJECT,
};

static const char *const behaviour_names[] = {
    "NULL", "ERROR", "DEFAULT", "TRUE", "FALSE", "UNKNOWN", "EMPTY ARRAY", "EMPTY OBJECT",
};

enum wrapper { WRAPPER_WITHOUT, WRAPPER_CONDITIONAL, WRAPPER_UNCONDITIONAL };

static const char *const wrapper_names[] = {"WITHOUT", "CONDITIONAL", "UNCONDITIONAL"};

struct json_state {
    enum which which;
    enum behaviour on_empty, on_error;
    enum wrapper wrapper;
    bool has_path; /* the path is constant */
    struct oriel_json_path path;
};

/* What a row came to: a node, nothing (both NULL), or an error. */
struct outcome {
    bool lax;
    const struct oriel_json *node;
    const char *problem;
    struct oriel_text shown; /* what the problem is about */
};

struct row_scope {
    const struct oriel_call *call;
    struct oriel_evaluation *evaluation;
    const struct oriel_column *arguments;
    struct oriel_text_buffer text;
};

static enum oriel_status find(const struct row_scope *scope, size_t row, struct outcome *out) {
    const struct json_state *state = scope->call->state;
    struct oriel_arena *arena = scope->evaluation->batch_arena;
    struct oriel_error *error = scope->evaluation->error;
    const struct oriel_text text = oriel_text_at(&scope->arguments[0], row);
    const struct oriel_text path_text = oriel_text_at(&scope->arguments[1], row);
    struct oriel_json_path path = state->path;
    if (!state->has_path)
        ORIEL_TRY(oriel_json_path_read(arena, path_text, &path, error));
    if (path.unsupported)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, scope->call->position,
                              "%s is not supported in a JSON path: '%.*s'", path.unsupported,
                              (int)(path_text.length < 100 ? path_text.length : 100),
                              path_text.bytes);
    *out = (struct outcome){.lax = path.lax};
    struct oriel_json *root;
    size_t end;
    ORIEL_TRY(oriel_json_read(arena, text, &root, &end, error));
    if (!root) {
        if (!path.lax) {
            out->problem = "the text is no JSON";
            out->shown = (struct oriel_text){text.bytes, text.length < 100 ? text.length : 100};
        }
        return ORIEL_OK;
    }
    out->shown = path_text;
    if (!path.good) {
        out->problem = "this is no JSON path";
        return ORIEL_OK;
    }
    ORIEL_TRY(oriel_json_path_find(arena, &path, root, &out->node, error));
    if (!out->node && !path.lax)
        out->problem = "No results for path";
    return ORIEL_OK;
}

static enum oriel_status fail(const struct row_scope *scope, const char *problem,
                              struct oriel_text shown) {
    return oriel_error_at(scope->evaluation->error, ORIEL_RUNTIME, scope->call->position,
                          "%s: %s: '%.*s'", scope->call->function->name, problem,
                          (int)(shown.length < 200 ? shown.length : 200), shown.bytes);
}

static const char null_problem[] =
    "Strict jsonpath mode requires a non empty returned value, but is null, at";

static enum oriel_status exists_row(struct row_scope *scope, size_t row, struct oriel_column *out) {
    const struct json_state *state = scope->call->state;
    struct outcome outcome;
    ORIEL_TRY(find(scope, row, &outcome));
    bool result = outcome.node && outcome.node->kind != ORIEL_JSON_NULL;
    if (outcome.node && !result && !outcome.lax)
        outcome.problem = null_problem;
    if (outcome.problem) {
        if (state->on_error == BEHAVIOUR_ERROR)
            return fail(scope, outcome.problem, outcome.shown);
        if (state->on_error == BEHAVIOUR_UNKNOWN) {
            oriel_column_set_null(out, row);
            return ORIEL_OK;
        }
        result = state->on_error == BEHAVIOUR_TRUE;
    }
    ((uint8_t *)out->values)[row] = result;
    return ORIEL_OK;
}

/* Takes over what stands after DEFAULT. */
static void copy_default(const struct row_scope *scope, uint32_t argument, size_t row,
                         struct oriel_column *out) {
    const struct oriel_column *from = &scope->arguments[argument];
    const size_t size = oriel_physical_size(oriel_type_physical(&scope->call->result));
    if (oriel_column_is_null(from, row))
        oriel_column_set_null(out, row);
    else
        memcpy((char *)out->values + row * size, (const char *)from->values + row * size, size);
}

/* VARCHAR(n) cuts. */
static enum oriel_status put_text(struct row_scope *scope, struct oriel_text text, size_t row,
                                  struct oriel_column *out) {
    const int32_t length = scope->call->result.length;
    if (length < ORIEL_LENGTH_MAX)
        text.length = oriel_utf8_offset(text.bytes, text.length, (size_t)length);
    return oriel_text_set(scope->call, scope->evaluation, out, row, text.bytes, text.length);
}

/* A scalar as text: strings without quotes. */
static enum oriel_status scalar_text(struct row_scope *scope, const struct oriel_json *node,
                                     struct oriel_text *out) {
    if (node->kind == ORIEL_JSON_STRING) {
        *out = node->text;
        return ORIEL_OK;
    }
    scope->text.length = 0;
    if (oriel_json_append_tree(scope->evaluation->batch_arena, &scope->text, node) != ORIEL_OK)
        return oriel_error_memory(scope->evaluation->error);
    *out = (struct oriel_text){scope->text.bytes, scope->text.length};
    return ORIEL_OK;
}

static bool is_fraction(struct oriel_text number) {
    return memchr(number.bytes, '.', number.length) || memchr(number.bytes, 'e', number.length) ||
           memchr(number.bytes, 'E', number.length);
}

/* The value has to be of the kind asked for: nothing is converted, as in Flink. */
static enum oriel_status put_value(struct row_scope *scope, const struct oriel_json *node,
                                   size_t row, struct oriel_column *out) {
    const enum oriel_type_id id = scope->call->result.id;
    struct oriel_text text = {"", 0};
    int64_t whole;
    if (oriel_type_is_character(&scope->call->result)) {
        ORIEL_TRY(scalar_text(scope, node, &text));
        return put_text(scope, text, row, out);
    }
    if (id == ORIEL_TYPE_BOOLEAN &&
        (node->kind == ORIEL_JSON_TRUE || node->kind == ORIEL_JSON_FALSE)) {
        ((uint8_t *)out->values)[row] = node->kind == ORIEL_JSON_TRUE;
        return ORIEL_OK;
    }
    const bool number = node->kind == ORIEL_JSON_NUMBER;
    if (id == ORIEL_TYPE_INT && number &&
        oriel_integer_parse(node->text.bytes, node->text.length, INT32_MIN, INT32_MAX, &whole) ==
            ORIEL_INTEGER_OK) {
        oriel_i32_set(out, row, (int32_t)whole);
        return ORIEL_OK;
    }
    if (id == ORIEL_TYPE_DOUBLE && number && is_fraction(node->text) &&
        oriel_double_parse(node->text.bytes, node->text.length, (double *)out->values + row))
        return ORIEL_OK;
    ORIEL_TRY(scalar_text(scope, node, &text));
    return fail(scope,
                id == ORIEL_TYPE_INT       ? "RETURNING INTEGER takes whole numbers of an INTEGER, "
                                             "the value is"
                : id == ORIEL_TYPE_BOOLEAN ? "RETURNING BOOLEAN takes true and false, the value is"
                                           : "RETURNING DOUBLE takes numbers with a fraction or an "
                                             "exponent, the value is",
                text);
}

static enum oriel_status value_row(struct row_scope *scope, size_t row, struct oriel_column *out) {
    const struct json_state *state = scope->call->state;
    struct outcome outcome;
    ORIEL_TRY(find(scope, row, &outcome));
    const struct oriel_json *node = outcome.node;
    if (!outcome.problem) {
        const bool scalar = node && node->kind != ORIEL_JSON_NULL && oriel_json_is_scalar(node);
        if (scalar)
            return put_value(scope, node, row, out);
        if (!outcome.lax)
            outcome.problem = node->kind == ORIEL_JSON_NULL
                                  ? null_problem
                                  : "Strict jsonpath mode requires scalar value, and there is none "
                                    "at";
    }
    const enum behaviour behaviour = outcome.problem ? state->on_error : state->on_empty;
    if (behaviour == BEHAVIOUR_ERROR)
        return fail(scope,
                    outcome.problem ? outcome.problem
                                    : "Empty result of JSON_VALUE function is not allowed, at",
                    outcome.shown);
    if (behaviour == BEHAVIOUR_DEFAULT)
        copy_default(scope, outcome.problem ? 5 : 3, row, out);
    else
        oriel_column_set_null(out, row);
    return ORIEL_OK;
}

/* ARRAY<STRING> of the elements. */
static enum oriel_status put_strings(struct row_scope *scope, const struct oriel_json *node,
                                     size_t row, struct oriel_column *out) {
    struct oriel_arena *arena = scope->evaluation->batch_arena;
    const uint32_t count = node ? node->count : 0;
    struct oriel_nested *nested = oriel_arena_allocate(arena, sizeof *nested);
    oriel_u128 *slots = oriel_arena_allocate_zeroed(arena, (size_t)count + 1, sizeof *slots);
    uint64_t *valid =
        oriel_arena_allocate_zeroed(arena, oriel_bits_word_count(count) + 1, sizeof *valid);
    if (!nested || !slots || !valid)
        return oriel_error_memory(scope->evaluation->error);
    size_t i = 0;
    for (const struct oriel_json *child = node ? node->first : NULL; child;
         child = child->next, i++) {
        struct oriel_text text = {"", 0};
        if (child->kind == ORIEL_JSON_NULL)
            continue;
        oriel_bits_set(valid, i);
        ORIEL_TRY(scalar_text(scope, child, &text));
        char *const bytes = oriel_arena_copy(arena, text.bytes, text.length);
        if (!bytes)
            return oriel_error_memory(scope->evaluation->error);
        const struct oriel_string string = oriel_string_make(bytes, text.length);
        memcpy(&slots[i], &string, sizeof string);
    }
    *nested = (struct oriel_nested){.count = count, .valid = valid, .slots = slots};
    ((const struct oriel_nested **)out->values)[row] = nested;
    return ORIEL_OK;
}

static enum oriel_status put_tree(struct row_scope *scope, const struct oriel_json *node,
                                  bool wrapped, size_t row, struct oriel_column *out) {
    struct oriel_json wrapper = {.kind = ORIEL_JSON_ARRAY, .count = 1};
    struct oriel_json single = *node;
    if (wrapped) {
        single.next = NULL;
        wrapper.first = &single;
        node = &wrapper;
    }
    if (scope->call->result.id == ORIEL_TYPE_ARRAY)
        return put_strings(scope, node, row, out);
    struct oriel_text text = {"", 0};
    ORIEL_TRY(scalar_text(scope, node, &text));
    return put_text(scope, text, row, out);
}

static enum oriel_status query_row(struct row_scope *scope, size_t row, struct oriel_column *out) {
    const struct json_state *state = scope->call->state;
    const bool array = scope->call->result.id == ORIEL_TYPE_ARRAY;
    struct outcome outcome;
    ORIEL_TRY(find(scope, row, &outcome));
    const struct oriel_json *node = outcome.node;
    if (!outcome.problem) {
        const bool some = node && node->kind != ORIEL_JSON_NULL;
        const bool wrapped =
            some && (state->wrapper == WRAPPER_UNCONDITIONAL ||
                     (state->wrapper == WRAPPER_CONDITIONAL && node->kind != ORIEL_JSON_ARRAY));
        if (some && (wrapped || !oriel_json_is_scalar(node))) {
            if (!array || wrapped || node->kind == ORIEL_JSON_ARRAY)
                return put_tree(scope, node, wrapped, row, out);
            outcome.problem = "RETURNING ARRAY requires an array, and there is none at";
        } else if (!outcome.lax) {
            outcome.problem = some ? "Strict jsonpath mode requires array or object value, and "
                                     "there is none at"
                                   : null_problem;
        }
    }
    const enum behaviour behaviour = outcome.problem ? state->on_error : state->on_empty;
    if (behaviour == BEHAVIOUR_ERROR)
        return fail(scope,
                    outcome.problem ? outcome.problem
                                    : "Empty result of JSON_QUERY function is not allowed, at",
                    outcome.shown);
    if (behaviour == BEHAVIOUR_NULL)
        oriel_column_set_null(out, row);
    else if (array)
        return put_strings(scope, NULL, row, out);
    else
        return put_text(scope,
                        behaviour == BEHAVIOUR_EMPTY_ARRAY ? ORIEL_TEXT("[]") : ORIEL_TEXT("{}"),
                        row, out);
    return ORIEL_OK;
}

static enum oriel_status evaluate(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row_count,
                                  struct oriel_column *out) {
    static enum oriel_status (*const rows[])(struct row_scope *, size_t, struct oriel_column *) = {
        exists_row, value_row, query_row};
    const struct json_state *state = call->state;
    struct row_scope scope = {.call = call, .evaluation = evaluation, .arguments = arguments};
    enum oriel_status status = ORIEL_OK;
    memset(out->values, 0, row_count * oriel_physical_size(oriel_type_physical(&call->result)));
    oriel_text_buffer_init(&scope.text, evaluation->runtime->memory);
    for (size_t row = 0; row < row_count && status == ORIEL_OK; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        if (oriel_column_is_null(&arguments[0], row) || oriel_column_is_null(&arguments[1], row))
            oriel_column_set_null(out, row);
        else
            status = rows[state->which](&scope, row, out);
    }
    oriel_text_buffer_deinit(&scope.text);
    return status;
}

/* The place of a constant word among `names`. */
static unsigned word_of(const struct oriel_binding *binding, uint32_t argument,
                        const char *const *names, unsigned count, unsigned unset) {
    struct oriel_text word;
    if (!oriel_bind_constant_text(binding, argument, &word))
        return unset;
    for (unsigned i = 0; i < count; i++) {
        if (strlen(names[i]) == word.length && memcmp(names[i], word.bytes, word.length) == 0)
            return i;
    }
    return unset;
}

static enum behaviour behaviour_of(const struct oriel_binding *binding, uint32_t argument,
                                   enum behaviour unset) {
    return (enum behaviour)word_of(binding, argument, behaviour_names,
                                   sizeof behaviour_names / sizeof behaviour_names[0], unset);
}

static enum oriel_status prepare(struct oriel_binding *binding, enum which which,
                                 struct json_state **out, struct oriel_error *error) {
    for (uint32_t i = 0; i < 2; i++) {
        const struct oriel_type *type = &binding->argument_types[i];
        if (type->id == ORIEL_TYPE_NULL)
            binding->casts[i] = oriel_type_string();
        else if (!oriel_type_is_character(type))
            return oriel_bind_refuse(binding, "a JSON text and a path, both STRING", error);
    }
    struct json_state *const state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    state->which = which;
    struct oriel_text path;
    if (oriel_bind_constant_text(binding, 1, &path)) {
        char *copy = oriel_arena_copy(binding->statement_arena, path.bytes, path.length);
        if (!copy)
            return oriel_error_memory(error);
        ORIEL_TRY(oriel_json_path_read(
            binding->statement_arena, (struct oriel_text){copy, path.length}, &state->path, error));
        if (state->path.unsupported)
            return oriel_error_at(error, ORIEL_UNSUPPORTED, binding->position,
                                  "%s is not supported in a JSON path: '%.100s'",
                                  state->path.unsupported, copy);
        state->has_path = true;
    }
    *out = state;
    binding->evaluate = evaluate;
    return ORIEL_OK;
}

static enum oriel_status bind_exists(struct oriel_binding *binding, struct oriel_error *error) {
    struct json_state *state;
    ORIEL_TRY(prepare(binding, WHICH_EXISTS, &state, error));
    state->on_error = behaviour_of(binding, 2, BEHAVIOUR_FALSE);
    binding->result = oriel_type_make(ORIEL_TYPE_BOOLEAN);
    return ORIEL_OK;
}

static enum oriel_status bind_value(struct oriel_binding *binding, struct oriel_error *error) {
    struct json_state *state;
    ORIEL_TRY(prepare(binding, WHICH_VALUE, &state, error));
    state->on_empty = behaviour_of(binding, 2, BEHAVIOUR_NULL);
    state->on_error = behaviour_of(binding, 4, BEHAVIOUR_NULL);
    binding->result = binding->target ? *binding->target : oriel_type_string();
    binding->result.nullable = true;
    const enum oriel_type_id id = binding->result.id;
    if (id != ORIEL_TYPE_VARCHAR && id != ORIEL_TYPE_INT && id != ORIEL_TYPE_DOUBLE &&
        id != ORIEL_TYPE_BOOLEAN) {
        char type[96];
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "RETURNING in JSON_VALUE takes STRING, VARCHAR(n), BOOLEAN, INTEGER "
                              "or DOUBLE, got %s; a CAST around JSON_VALUE gives other types",
                              oriel_type_print(&binding->result, false, type, sizeof type));
    }
    for (uint32_t i = 3; i < binding->argument_count; i += 2) {
        const struct oriel_type *type = &binding->argument_types[i];
        const bool fits = id == ORIEL_TYPE_VARCHAR   ? true
                          : id == ORIEL_TYPE_BOOLEAN ? type->id == ORIEL_TYPE_BOOLEAN
                                                     : oriel_type_is_numeric(type);
        if (!fits && type->id != ORIEL_TYPE_NULL)
            return oriel_error_at(error, ORIEL_INVALID, binding->position,
                                  "The DEFAULT of JSON_VALUE must be of the type that it returns");
        binding->casts[i] = oriel_type_with_null(binding->result, type->nullable);
    }
    return ORIEL_OK;
}

static enum oriel_status bind_query(struct oriel_binding *binding, struct oriel_error *error) {
    struct json_state *state;
    ORIEL_TRY(prepare(binding, WHICH_QUERY, &state, error));
    state->wrapper = (enum wrapper)word_of(binding, 2, wrapper_names, 3, WRAPPER_WITHOUT);
    state->on_empty = behaviour_of(binding, 3, BEHAVIOUR_NULL);
    state->on_error = behaviour_of(binding, 4, BEHAVIOUR_NULL);
    binding->result = binding->target ? *binding->target : oriel_type_string();
    binding->result.nullable = true;
    const bool array = binding->result.id == ORIEL_TYPE_ARRAY &&
                       binding->result.fields[0].type.id == ORIEL_TYPE_VARCHAR;
    if (binding->result.id != ORIEL_TYPE_VARCHAR && !array) {
        char type[96];
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "RETURNING in JSON_QUERY takes STRING, VARCHAR(n) or ARRAY<STRING>, "
                              "got %s",
                              oriel_type_print(&binding->result, false, type, sizeof type));
    }
    if (array &&
        (state->on_empty == BEHAVIOUR_EMPTY_OBJECT || state->on_error == BEHAVIOUR_EMPTY_OBJECT))
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "JSON_QUERY RETURNING ARRAY cannot give EMPTY OBJECT; use EMPTY "
                              "ARRAY");
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"JSON_EXISTS", 2, 3, 0, bind_exists, NULL},
    {"JSON_QUERY", 2, 5, 0, bind_query, NULL},
    {"JSON_VALUE", 2, 6, 0, bind_value, NULL},
};

const struct oriel_function_group oriel_functions_json_query = {rows, sizeof rows / sizeof rows[0]};
