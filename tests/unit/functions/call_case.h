/*
 * Cases of one call each: "SUBSTRING", "STRING|hello;INT|2" -> "VARCHAR ...", "ello". Arguments are
 * written as type|text, joined by semicolons; NULL as the text is a null, and an argument of one
 * word in quotes, like 'DAY', or a type behind a =, is a constant even where the call runs over
 * columns.
 */
#pragma once

#include "engine/base/memory.h"
#include "engine/columns/value_text.h"
#include "engine/functions/function.h"

struct call_case {
    const char *name;
    const char *arguments;
    const char *type;   /* of the result as printed, " NOT NULL" included; NULL: not checked */
    const char *result; /* as a tableau shows it; "!text" for an error that contains the text */
};

struct call_bench {
    struct oriel_memory memory;
    struct oriel_runtime runtime;
    struct oriel_arena arena;
    struct oriel_zone *zone;
    char zone_name[64];
    size_t failing_call; /* of a case of columns, counted from its binding on; 0: none */
};

void call_bench_open(struct call_bench *bench, const char *zone);
void call_bench_close(struct call_bench *bench);

/* Runs a case twice: with constants, which fold, and over a column of value, NULL, value. Fails the
 * test with the case's text if an answer differs. */
void call_case_check(struct call_bench *bench, const struct call_case *test);

/* Runs each case again and again, each time with another allocation that fails: ORIEL_MEMORY and
 * nothing leaked, until none fails any more. */
void call_cases_fail(const struct call_case *tests, size_t count);

void call_cases_check(const struct call_case *tests, size_t count, const char *zone);

/* A type from its SQL form: INT, DECIMAL(10,2), VARCHAR(3), TIMESTAMP(3), TIMESTAMP_LTZ(3) ... */
struct oriel_type type_of_text(const char *text);

/* A constant of the type; the text "NULL" gives NULL. */
struct oriel_expression *constant_of_text(struct call_bench *bench, const char *type,
                                          const char *text);

struct oriel_expression *column_of(struct call_bench *bench, uint32_t column,
                                   struct oriel_type type);
