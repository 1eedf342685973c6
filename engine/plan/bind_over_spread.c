/*
 * VAR and STDDEV of integers with OVER: as in Flink they are computed of SUM and COUNT in the type
 * of the argument, where every quotient is cut and sums wrap around.
 */
#include <string.h>

#include "engine/functions/function.h"
#include "engine/plan/over.h"

static const struct spread {
    const char *name;
    bool is_sample, is_root;
} spreads[] = {
    {"VAR_POP", false, false},   {"VAR_SAMP", true, false},   {"VARIANCE", true, false},
    {"STDDEV_POP", false, true}, {"STDDEV_SAMP", true, true}, {"STDDEV", true, true},
};

static const struct spread *find_spread(const struct ast_expression *ast) {
    for (size_t i = 0; i < sizeof spreads / sizeof spreads[0]; i++) {
        if (strcmp(spreads[i].name, ast->text) == 0 && ast->arguments.count == 1 && !ast->distinct)
            return &spreads[i];
    }
    return NULL;
}

/* `name` of `argument` over the window of `ast`. */
static enum oriel_status bind_part(struct binder *b, struct bind_frame *frame,
                                   const struct ast_expression *ast, const char *name,
                                   struct ast_expression *argument, struct oriel_expression **out) {
    struct ast_expression part = *ast;
    part.text = name;
    part.text_length = (uint32_t)strlen(name);
    part.arguments.count = 1;
    part.arguments.items = &argument;
    return oriel_bind_expression(b, frame, &part, out);
}

static enum oriel_status combine(struct binder *b, const char *name, struct oriel_expression *x,
                                 struct oriel_expression *y, struct oriel_type type,
                                 struct oriel_expression **out) {
    struct oriel_expression *const sides[] = {x, y};
    ORIEL_TRY(oriel_bind_plain_call(b, name, x->position, sides, 2, NULL, out));
    return oriel_bind_cast(b, *out, oriel_type_with_null(type, true), out);
}

/* (squares - sum * sum / count) / (count or count - 1) */
static enum oriel_status make_variance(struct binder *b, bool is_sample, struct oriel_type type,
                                       struct oriel_expression *squares,
                                       struct oriel_expression *sum, struct oriel_expression *count,
                                       struct oriel_expression **out) {
    const struct oriel_type bigint = oriel_type_make(ORIEL_TYPE_BIGINT);
    struct oriel_expression *mean, *difference, *parts[2] = {count, NULL};
    ORIEL_TRY(combine(b, "*", sum, sum, type, &mean));
    ORIEL_TRY(combine(b, "/", mean, count, type, &mean));
    ORIEL_TRY(combine(b, "-", squares, mean, type, &difference));
    if (is_sample) {
        const struct ast_expression nullif = {
            .kind = AST_CALL, .text = "NULLIF", .position = sum->position, .arguments.count = 2};
        struct oriel_expression *const one = oriel_expression_bigint(b->arena, 1, sum->position);
        parts[1] = oriel_expression_bigint(b->arena, 0, sum->position);
        if (!one || !parts[1])
            return oriel_bind_memory(b);
        ORIEL_TRY(combine(b, "-", count, one, bigint, &parts[0]));
        ORIEL_TRY(oriel_bind_conditional(b, &nullif, parts, &parts[0]));
    }
    return combine(b, "/", difference, parts[0], type, out);
}

static enum oriel_status make_root(struct binder *b, struct oriel_type type,
                                   struct oriel_expression **value) {
    struct oriel_expression *const half = oriel_expression_constant(
        b->arena, oriel_type_make(ORIEL_TYPE_DOUBLE), false, (*value)->position);
    if (!half)
        return oriel_bind_memory(b);
    *(double *)half->constant.values = 0.5;
    ORIEL_TRY(oriel_bind_cast(
        b, *value, oriel_type_with_null(oriel_type_make(ORIEL_TYPE_DOUBLE), true), value));
    return combine(b, "POWER", *value, half, type, value);
}

enum oriel_status oriel_bind_over_spread(struct binder *b, struct bind_frame *frame,
                                         const struct ast_expression *ast, bool *done,
                                         struct oriel_expression **out) {
    const struct spread *const spread = find_spread(ast);
    struct oriel_expression *value, *squares, *sum, *count;
    struct bind_frame inside = *frame;
    inside.over = NULL;
    inside.clause = "OVER";
    *done = false;
    if (!spread)
        return ORIEL_OK;
    struct ast_expression *const argument = ast->arguments.items[0];
    ORIEL_TRY(oriel_bind_expression(b, &inside, argument, &value));
    if (!oriel_type_is_integer(&value->type))
        return ORIEL_OK;
    *done = true;
    struct ast_expression *sides[] = {argument, argument};
    struct ast_expression square = {.kind = AST_CALL,
                                    .text = "*",
                                    .text_length = 1,
                                    .position = argument->position,
                                    .arguments = {2, sides}};
    ORIEL_TRY(bind_part(b, frame, ast, "SUM", &square, &squares));
    ORIEL_TRY(bind_part(b, frame, ast, "SUM", argument, &sum));
    ORIEL_TRY(bind_part(b, frame, ast, "COUNT", argument, &count));
    const struct oriel_type type = oriel_type_make(value->type.id);
    ORIEL_TRY(make_variance(b, spread->is_sample, type, squares, sum, count, out));
    return spread->is_root ? make_root(b, type, out) : ORIEL_OK;
}
