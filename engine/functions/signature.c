/*
 * Checking of argument types while a call is bound, and the sentences for those that do not fit.
 */
#include "engine/functions/signature.h"

#include <ctype.h>
#include <stdio.h>

enum { TYPES_TEXT_BYTES = 600, TYPE_TEXT_BYTES = 160 };

static void append(char *out, size_t capacity, const char *text) {
    const size_t length = strlen(out);
    if (length + 1 < capacity)
        snprintf(out + length, capacity - length, "%s", text);
}

static void append_type(char *out, size_t capacity, const struct oriel_type *type) {
    char text[TYPE_TEXT_BYTES];
    append(out, capacity, "<");
    append(out, capacity, oriel_type_print(type, false, text, sizeof text));
    append(out, capacity, ">");
}

/* Writes the call with types for arguments: infix and postfix operators as they are written. */
static void print_call(const struct oriel_binding *binding, char *out, size_t capacity) {
    const char *name = binding->name;
    const struct oriel_type *types = binding->argument_types;
    const bool word = isalpha((unsigned char)name[0]) && !strchr(name, ' ');
    out[0] = '\0';
    if (!word && binding->argument_count == 2) {
        append_type(out, capacity, &types[0]);
        append(out, capacity, " ");
        append(out, capacity, name);
        append(out, capacity, " ");
        append_type(out, capacity, &types[1]);
    } else if (!word && binding->argument_count == 1 && strncmp(name, "IS ", 3) == 0) {
        append_type(out, capacity, &types[0]);
        append(out, capacity, " ");
        append(out, capacity, name);
    } else if (strcmp(name, "NEG") == 0 || strcmp(name, "POS") == 0) {
        append(out, capacity, name[0] == 'N' ? "-" : "+");
        append_type(out, capacity, &types[0]);
    } else {
        append(out, capacity, name);
        append(out, capacity, "(");
        for (uint32_t i = 0; i < binding->argument_count; i++) {
            if (i)
                append(out, capacity, ", ");
            append_type(out, capacity, &types[i]);
        }
        append(out, capacity, ")");
    }
}

enum oriel_status oriel_bind_refuse(const struct oriel_binding *binding, const char *forms,
                                    struct oriel_error *error) {
    char call[TYPES_TEXT_BYTES];
    print_call(binding, call, sizeof call);
    const char *name = binding->name;
    if (strcmp(name, "NEG") == 0)
        name = "-";
    else if (strcmp(name, "POS") == 0)
        name = "+";
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "Cannot apply '%s' to arguments of type '%s'%s%s", name, call,
                          forms ? ". Supported form(s): " : "", forms ? forms : "");
}

enum oriel_status oriel_bind_refuse_count(const struct oriel_binding *binding,
                                          const struct oriel_function *function,
                                          struct oriel_error *error) {
    const unsigned least = function->argument_count_min, most = function->argument_count_max;
    char range[48];
    if (least == most)
        snprintf(range, sizeof range, "%u", least);
    else if (most == ORIEL_ARGUMENTS_ANY)
        snprintf(range, sizeof range, "at least %u", least);
    else
        snprintf(range, sizeof range, "%u to %u", least, most);
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "Invalid number of arguments to function '%s': it takes %s, got %u",
                          binding->name, range, binding->argument_count);
}

bool oriel_bind_nullable(const struct oriel_binding *binding) {
    for (uint32_t i = 0; i < binding->argument_count; i++) {
        if (binding->argument_types[i].nullable)
            return true;
    }
    return false;
}

enum oriel_status oriel_bind_result(struct oriel_binding *binding, struct oriel_type type,
                                    oriel_evaluate *evaluate) {
    binding->result = oriel_type_with_null(type, oriel_bind_nullable(binding));
    binding->evaluate = evaluate;
    return ORIEL_OK;
}

static bool fits(char letter, const struct oriel_type *type, struct oriel_type *cast) {
    const bool unknown = type->id == ORIEL_TYPE_NULL;
    switch (letter) {
    case 's':
    case 'S':
        if (unknown)
            *cast = oriel_type_string();
        return unknown || oriel_type_is_character(type) ||
               (letter == 'S' && oriel_type_is_binary(type));
    case 'i':
    case 'l':
        *cast = oriel_type_make(letter == 'i' ? ORIEL_TYPE_INT : ORIEL_TYPE_BIGINT);
        return unknown || oriel_type_is_integer(type);
    case 'd':
        *cast = oriel_type_make(ORIEL_TYPE_DOUBLE);
        return unknown || oriel_type_is_numeric(type);
    case 'n':
        if (unknown)
            *cast = oriel_type_make(ORIEL_TYPE_INT);
        return unknown || oriel_type_is_numeric(type);
    case 'b':
        if (unknown)
            *cast = oriel_type_make(ORIEL_TYPE_BOOLEAN);
        return unknown || type->id == ORIEL_TYPE_BOOLEAN;
    case 't':
        if (unknown)
            *cast = oriel_type_timestamp(3);
        return unknown || oriel_type_is_timestamp(type);
    case 'D':
        if (unknown)
            *cast = oriel_type_timestamp(3);
        return unknown || oriel_type_is_timestamp(type) || type->id == ORIEL_TYPE_DATE ||
               type->id == ORIEL_TYPE_TIME;
    default: return true;
    }
}

enum oriel_status oriel_bind_arguments(struct oriel_binding *binding, const char *pattern,
                                       const char *forms, struct oriel_error *error) {
    for (uint32_t i = 0; i < binding->argument_count; i++) {
        const struct oriel_type *type = &binding->argument_types[i];
        if (!fits(*pattern, type, &binding->casts[i]))
            return oriel_bind_refuse(binding, forms, error);
        binding->casts[i].nullable = type->nullable;
        if (pattern[1])
            pattern++;
    }
    return ORIEL_OK;
}

void *oriel_bind_state(struct oriel_binding *binding, size_t size_bytes,
                       struct oriel_error *error) {
    void *state = oriel_arena_allocate_zeroed(binding->statement_arena, 1, size_bytes);
    if (!state)
        oriel_error_memory(error);
    binding->state = state;
    return state;
}

bool oriel_bind_constant_text(const struct oriel_binding *binding, uint32_t argument,
                              struct oriel_text *out) {
    if (argument >= binding->argument_count || !binding->constants ||
        !binding->constants[argument] ||
        !oriel_type_is_character(&binding->argument_types[argument]) ||
        oriel_column_is_null(binding->constants[argument], 0))
        return false;
    *out = oriel_string_text(oriel_column_strings(binding->constants[argument]));
    return true;
}
