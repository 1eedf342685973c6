/*
 * From a type as written to a type of the engine, with Flink's limits for lengths and precisions.
 */
#include <string.h>

#include "engine/plan/bind.h"

enum parameter_rule { TAKES_NONE, TAKES_LENGTH, TAKES_PRECISION, TAKES_DECIMAL };

struct type_word {
    const char *name;
    enum oriel_type_id id;
    enum parameter_rule rule;
    int32_t preset; /* length or precision when none is written */
    uint32_t child_count;
};

static const struct type_word words[] = {
    {"BOOLEAN", ORIEL_TYPE_BOOLEAN, TAKES_NONE, 0, 0},
    {"TINYINT", ORIEL_TYPE_TINYINT, TAKES_NONE, 0, 0},
    {"SMALLINT", ORIEL_TYPE_SMALLINT, TAKES_NONE, 0, 0},
    {"INT", ORIEL_TYPE_INT, TAKES_NONE, 0, 0},
    {"INTEGER", ORIEL_TYPE_INT, TAKES_NONE, 0, 0},
    {"BIGINT", ORIEL_TYPE_BIGINT, TAKES_NONE, 0, 0},
    {"FLOAT", ORIEL_TYPE_FLOAT, TAKES_NONE, 0, 0},
    {"DOUBLE", ORIEL_TYPE_DOUBLE, TAKES_NONE, 0, 0},
    {"DOUBLE PRECISION", ORIEL_TYPE_DOUBLE, TAKES_NONE, 0, 0},
    {"DECIMAL", ORIEL_TYPE_DECIMAL, TAKES_DECIMAL, 10, 0},
    {"DEC", ORIEL_TYPE_DECIMAL, TAKES_DECIMAL, 10, 0},
    {"NUMERIC", ORIEL_TYPE_DECIMAL, TAKES_DECIMAL, 10, 0},
    {"CHAR", ORIEL_TYPE_CHAR, TAKES_LENGTH, 1, 0},
    {"CHARACTER", ORIEL_TYPE_CHAR, TAKES_LENGTH, 1, 0},
    {"VARCHAR", ORIEL_TYPE_VARCHAR, TAKES_LENGTH, ORIEL_LENGTH_MAX, 0},
    {"CHARACTER VARYING", ORIEL_TYPE_VARCHAR, TAKES_LENGTH, ORIEL_LENGTH_MAX, 0},
    {"CHAR VARYING", ORIEL_TYPE_VARCHAR, TAKES_LENGTH, ORIEL_LENGTH_MAX, 0},
    {"STRING", ORIEL_TYPE_VARCHAR, TAKES_NONE, ORIEL_LENGTH_MAX, 0},
    {"BINARY", ORIEL_TYPE_BINARY, TAKES_LENGTH, 1, 0},
    {"VARBINARY", ORIEL_TYPE_VARBINARY, TAKES_LENGTH, ORIEL_LENGTH_MAX, 0},
    {"BINARY VARYING", ORIEL_TYPE_VARBINARY, TAKES_LENGTH, ORIEL_LENGTH_MAX, 0},
    {"BYTES", ORIEL_TYPE_VARBINARY, TAKES_NONE, ORIEL_LENGTH_MAX, 0},
    {"DATE", ORIEL_TYPE_DATE, TAKES_NONE, 0, 0},
    {"TIME", ORIEL_TYPE_TIME, TAKES_PRECISION, 0, 0},
    {"TIME WITHOUT TIME ZONE", ORIEL_TYPE_TIME, TAKES_PRECISION, 0, 0},
    {"TIMESTAMP", ORIEL_TYPE_TIMESTAMP, TAKES_PRECISION, 6, 0},
    {"TIMESTAMP WITHOUT TIME ZONE", ORIEL_TYPE_TIMESTAMP, TAKES_PRECISION, 6, 0},
    {"TIMESTAMP_LTZ", ORIEL_TYPE_TIMESTAMP_LTZ, TAKES_PRECISION, 6, 0},
    {"TIMESTAMP WITH LOCAL TIME ZONE", ORIEL_TYPE_TIMESTAMP_LTZ, TAKES_PRECISION, 6, 0},
    {"ARRAY", ORIEL_TYPE_ARRAY, TAKES_NONE, 0, 1},
    {"MULTISET", ORIEL_TYPE_MAP, TAKES_NONE, 0, 1},
    {"MAP", ORIEL_TYPE_MAP, TAKES_NONE, 0, 2},
    {"ROW", ORIEL_TYPE_ROW, TAKES_NONE, 0, 0},
};

static const struct type_word *find_word(const char *name) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].name, name) == 0)
            return &words[i];
    }
    return NULL;
}

static enum oriel_status unknown_type(const struct ast_type *ast, struct oriel_error *error) {
    char hint[160];
    if (strncmp(ast->name, "INTERVAL ", 9) == 0)
        return oriel_error_at(error, ORIEL_INVALID, ast->position,
                              "%s is no type of a column or a CAST; n * INTERVAL '1' %.6s is the "
                              "interval of n",
                              ast->name, ast->name + 9);
    struct oriel_suggestion suggestion = {.name = ast->name};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        oriel_suggestion_offer(&suggestion, words[i].name);
    return oriel_error_at(error, ORIEL_INVALID, ast->position, "Unknown type '%s'%s", ast->name,
                          oriel_suggestion_text(&suggestion, hint, sizeof hint));
}

static enum oriel_status check_range(const struct ast_type *ast, const char *what, int64_t value,
                                     int64_t low, int64_t high, struct oriel_error *error) {
    if (value >= low && value <= high)
        return ORIEL_OK;
    return oriel_error_at(error, ORIEL_INVALID, ast->position,
                          "%s %lld of %s must be between %lld and %lld", what, (long long)value,
                          ast->name, (long long)low, (long long)high);
}

static enum oriel_status set_parameters(const struct ast_type *ast, const struct type_word *word,
                                        struct oriel_type *out, struct oriel_error *error) {
    const uint32_t most = word->rule == TAKES_NONE ? 0 : word->rule == TAKES_DECIMAL ? 2 : 1;
    if (ast->parameter_count > most)
        return oriel_error_at(error, ORIEL_INVALID, ast->position,
                              "Type %s takes at most %u parameters, but has %u", ast->name, most,
                              ast->parameter_count);
    const int64_t first = ast->parameter_count ? ast->parameters[0] : word->preset;
    switch (word->rule) {
    case TAKES_NONE: out->length = word->preset; return ORIEL_OK;
    case TAKES_LENGTH:
        ORIEL_TRY(check_range(ast, "The length", first, 1, ORIEL_LENGTH_MAX, error));
        out->length = (int32_t)first;
        return ORIEL_OK;
    case TAKES_PRECISION:
        ORIEL_TRY(check_range(ast, "The precision", first, 0, 9, error));
        out->precision = (uint8_t)first;
        return ORIEL_OK;
    case TAKES_DECIMAL: {
        const int64_t scale = ast->parameter_count > 1 ? ast->parameters[1] : 0;
        ORIEL_TRY(check_range(ast, "The precision", first, 1, ORIEL_DECIMAL_PRECISION_MAX, error));
        ORIEL_TRY(check_range(ast, "The scale", scale, 0, first, error));
        out->precision = (uint8_t)first;
        out->scale = (uint8_t)scale;
        return ORIEL_OK;
    }
    }
    return ORIEL_OK;
}

static enum oriel_status set_children(struct oriel_arena *arena, const struct ast_type *ast,
                                      const struct type_word *word, struct oriel_type *out,
                                      struct oriel_error *error) {
    const bool is_multiset = strcmp(word->name, "MULTISET") == 0;
    const uint32_t wanted = word->id == ORIEL_TYPE_ROW ? ast->child_count : word->child_count;
    if (ast->child_count != wanted)
        return oriel_error_at(error, ORIEL_INVALID, ast->position,
                              "Type %s takes %u element types, but has %u", ast->name, wanted,
                              ast->child_count);
    const uint32_t count = is_multiset ? 2 : ast->child_count;
    if (!count)
        return ORIEL_OK;
    struct oriel_field *const fields = oriel_arena_allocate_zeroed(arena, count, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < ast->child_count; i++) {
        ORIEL_TRY(oriel_bind_type(arena, ast->children[i], &fields[i].type, error));
        if (word->id == ORIEL_TYPE_ROW) {
            fields[i].name =
                oriel_arena_copy(arena, ast->child_names[i], strlen(ast->child_names[i]));
            if (!fields[i].name)
                return oriel_error_memory(error);
        }
    }
    if (is_multiset) {
        fields[1].type = oriel_type_with_null(oriel_type_make(ORIEL_TYPE_INT), false);
        out->multiset = true;
    }
    out->field_count = count;
    out->fields = fields;
    return ORIEL_OK;
}

enum oriel_status oriel_bind_type(struct oriel_arena *arena, const struct ast_type *ast,
                                  struct oriel_type *out, struct oriel_error *error) {
    const struct type_word *const word = find_word(ast->name);
    if (!word)
        return unknown_type(ast, error);
    *out = oriel_type_make(word->id);
    out->nullable = !ast->not_null;
    ORIEL_TRY(set_parameters(ast, word, out, error));
    return set_children(arena, ast, word, out, error);
}
