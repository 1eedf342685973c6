/* What the tests of the parser share: one text in, its tree or its error as text out. */
#pragma once

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/sql/parser.h"
#include "tests/unit/sql/tree_text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct parse_case {
    const char *sql;
    const char *expected;
};

enum parse_what { PARSE_STATEMENT, PARSE_EXPRESSION };

/* The tree of `sql`, or "LINE:COLUMN message" of the error, in `out`. */
static inline void parse_to_text(enum parse_what what, const char *sql, size_t length,
                                 struct tree_text *out) {
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct oriel_error error = {0};
    struct ast_statement *statement = NULL;
    struct ast_expression *expression = NULL;
    struct oriel_script_reader reader;
    oriel_arena_init(&arena, &memory);
    oriel_script_reader_init(&reader, sql, length);
    *out = (struct tree_text){.length = 0};
    const enum oriel_status status =
        what == PARSE_STATEMENT ? oriel_parse_statement(&reader, &arena, &statement, &error)
                                : oriel_parse_expression(sql, length, &arena, &expression, &error);
    if (status != ORIEL_OK)
        snprintf(out->bytes, sizeof out->bytes, "%u:%u %s", error.line, error.column,
                 error.message);
    else if (what == PARSE_STATEMENT)
        tree_text_statement(out, statement);
    else
        tree_text_expression(out, expression);
    oriel_arena_deinit(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

static inline void check_cases(enum parse_what what, const struct parse_case *cases, size_t count) {
    struct tree_text got;
    for (size_t i = 0; i < count; ++i) {
        parse_to_text(what, cases[i].sql, strlen(cases[i].sql), &got);
        if (strcmp(got.bytes, cases[i].expected) != 0)
            fail_msg("%s\n  gives    %s\n  expected %s", cases[i].sql, got.bytes,
                     cases[i].expected);
    }
}
