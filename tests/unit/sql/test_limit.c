/*
 * Text that is large, deep or broken: long chains work, nesting ends with an error that names it,
 * and every allocation may fail without a leak.
 */
#include "tests/unit/sql/parse_case.h"

#include <stdlib.h>

struct text {
    char *bytes;
    size_t length, capacity;
};

static void put(struct text *text, const char *piece) {
    const size_t length = strlen(piece);
    if (text->length + length + 1 > text->capacity) {
        text->capacity = (text->length + length + 1) * 2;
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->length, piece, length + 1);
    text->length += length;
}

/* before, `count` times piece, after */
static struct text repeat(const char *before, const char *piece, size_t count, const char *after) {
    struct text out = {0};
    put(&out, before);
    for (size_t i = 0; i < count; ++i)
        put(&out, piece);
    put(&out, after);
    return out;
}

static enum oriel_status parse(struct text text, struct oriel_error *error) {
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct oriel_script_reader reader;
    struct ast_statement *statement;
    oriel_arena_init(&arena, &memory);
    oriel_script_reader_init(&reader, text.bytes, text.length);
    const enum oriel_status status = oriel_parse_statement(&reader, &arena, &statement, error);
    oriel_arena_deinit(&arena);
    assert_int_equal(memory.used_bytes, 0);
    free(text.bytes);
    return status;
}

static void takes_long_chains(void **state) {
    (void)state;
    static const struct {
        const char *before, *piece, *after;
        size_t count;
    } CASES[] = {
        {"SELECT a FROM t WHERE a = 1", " AND b = 2", "", 100000},
        {"SELECT a FROM t WHERE a = 1", " OR b BETWEEN 1 AND 2", "", 100000},
        {"SELECT 1", ", a + 1 AS x", " FROM t", 50000},
        {"SELECT a IN (1", ", 2", ") FROM t", 100000},
        {"VALUES (1, 'a')", ", (2, 'b')", "", 100000},
        {"SELECT CASE", " WHEN a THEN b", " END", 50000},
        {"SELECT 'a'", "\n'b'", "", 100000},
        {"SELECT 1", " + 1", "", 900},
        {"SELECT 1", " UNION ALL SELECT 1", "", 100000},
        {"SELECT * FROM t", ", t", "", 900},
        {"SELECT f(1)", "[1]", "", 900},
        {"CREATE TABLE t (a INT", ", b STRING NOT NULL", ")", 20000},
    };
    for (size_t i = 0; i < COUNT(CASES); ++i) {
        struct oriel_error error = {0};
        if (parse(repeat(CASES[i].before, CASES[i].piece, CASES[i].count, CASES[i].after),
                  &error) != ORIEL_OK)
            fail_msg("%s%s...: %s", CASES[i].before, CASES[i].piece, error.message);
    }
}

static void refuses_deep_nesting(void **state) {
    (void)state;
    static const struct {
        const char *before, *piece;
    } CASES[] = {
        {"SELECT ", "("},
        {"SELECT ", "f("},
        {"SELECT ", "ARRAY["},
        {"SELECT ", "- "},
        {"SELECT ", "NOT "},
        {"SELECT ", "CASE WHEN "},
        {"SELECT ", "(SELECT "},
        {"SELECT * FROM ", "(SELECT * FROM "},
        {"SELECT 1", " + 1"},
        {"SELECT a", " || b"},
        {"SELECT a", " IS NULL"},
        {"SELECT 1", " UNION SELECT 1"},
        {"SELECT * FROM t", " JOIN t ON a"},
        {"SELECT CAST(a AS ", "ARRAY<"},
        {"SELECT CAST(a AS INT", " ARRAY"},
        {"SELECT a BETWEEN ", "b BETWEEN "},
        {"SELECT a FROM t GROUP BY ", "ROLLUP("},
        {"SELECT a", ".b"},
        {"SELECT f(a)", ".b"},
    };
    for (size_t i = 0; i < COUNT(CASES); ++i) {
        struct oriel_error error = {0};
        const enum oriel_status status =
            parse(repeat(CASES[i].before, CASES[i].piece, 20000, ""), &error);
        if (status != ORIEL_INVALID ||
            (!strstr(error.message, "levels deep") && !strstr(error.message, "parts")))
            fail_msg("%s%s...: %d %s", CASES[i].before, CASES[i].piece, (int)status, error.message);
    }
}

static void allows_nesting_up_to_the_limit(void **state) {
    (void)state;
    struct oriel_error error = {0};
    struct text text = repeat("SELECT ", "(", ORIEL_SQL_DEPTH_MAX, "1");
    for (int i = 0; i < ORIEL_SQL_DEPTH_MAX; ++i)
        put(&text, ")");
    if (parse(text, &error) != ORIEL_OK)
        fail_msg("%s", error.message);
    text = repeat("SELECT * FROM ", "(SELECT * FROM ", ORIEL_SQL_DEPTH_MAX, "t");
    for (int i = 0; i < ORIEL_SQL_DEPTH_MAX; ++i)
        put(&text, ") AS q");
    if (parse(text, &error) != ORIEL_OK)
        fail_msg("%s", error.message);
}

static void refuses_what_is_no_text(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t column;
        const char *says;
    } CASES[] = {
        {"SELECT \xff", 8, 8, "not valid UTF-8"},
        {"SELECT '\xed\x95\x9c\xc0\xaf'", 13, 10, "not valid UTF-8"},
        {"SELECT '\xe2\x82", 10, 9, "not valid UTF-8"},
        {"SELECT '\xed\xa0\x80'", 12, 9, "not valid UTF-8"},
        {"SELECT \0 1", 10, 8, "NUL"},
        {"SELECT `a\0b`", 12, 8, "NUL"},
        {"SELECT \xc2\xa0 1", 11, 8, "U+00A0"},
        {"SELECT \xe2\x80\x98"
         "a\xe2\x80\x99",
         14, 8, "straight quotes"},
        {"SELECT \x01", 8, 8, "control character"},
    };
    for (size_t i = 0; i < COUNT(CASES); ++i) {
        struct oriel_error error = {0};
        struct text text = {malloc(CASES[i].length), CASES[i].length, 0};
        assert_non_null(text.bytes);
        memcpy(text.bytes, CASES[i].bytes, CASES[i].length);
        assert_int_equal(parse(text, &error), ORIEL_SYNTAX);
        if (!strstr(error.message, CASES[i].says) || error.column != CASES[i].column)
            fail_msg("case %zu: %u:%u %s", i, error.line, error.column, error.message);
    }
}

static void keeps_nul_in_strings(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct ast_expression *expression;
    oriel_arena_init(&arena, &memory);
    assert_int_equal(oriel_parse_expression("'a\0b'", 5, &arena, &expression, NULL), ORIEL_OK);
    assert_int_equal(expression->text_length, 3);
    assert_memory_equal(expression->text, "a\0b", 4);
    oriel_arena_deinit(&arena);
}

/* Each allocation fails once, alone; the parse then says so and gives all memory back. */
static void survives_every_failing_allocation(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {
        "CREATE TEMPORARY TABLE t (a INT NOT NULL COMMENT 'x', b AS a + 1, c STRING METADATA FROM "
        "'k'"
        " VIRTUAL, r ROW<x INT, y ARRAY<MAP<STRING, INT>>>, WATERMARK FOR a AS a - INTERVAL '1' "
        "SECOND, PRIMARY KEY (a) NOT ENFORCED) PARTITIONED BY (a) WITH ('k' = 'v') LIKE u "
        "(INCLUDING"
        " ALL)",
        "WITH q (x) AS (SELECT 1) SELECT DISTINCT a, CASE WHEN x THEN U&'\\0041' 'b' END, COUNT(*) "
        "FILTER (WHERE a IN (1, 2)) OVER (PARTITION BY b ORDER BY c ROWS 2 PRECEDING), CAST(a AS "
        "DECIMAL(3, 1)), JSON_VALUE(a, '$' DEFAULT 1 ON ERROR) FROM TUMBLE(DATA => TABLE t "
        "PARTITION "
        "BY (a, b), TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' DAY) AS w (m), (VALUES (1), "
        "(2)) "
        "LEFT JOIN 'x.csv' USING (a) GROUP BY ROLLUP(a, (b, c)) HAVING a AND b AND c AND d AND e "
        "WINDOW w AS (ORDER BY a) ORDER BY a LIMIT 1 OFFSET 2",
        "INSERT INTO t PARTITION (a = 1) (b) SELECT 1 UNION ALL SELECT 2",
        "EXPLAIN ESTIMATED_COST STATEMENT SET BEGIN INSERT INTO a SELECT 1; END",
        "SET a.b = c",
        "SHOW CREATE TABLE a.b",
        "SELECT a FORM t",
        "SELECT ?",
    };
    for (size_t i = 0; i < COUNT(SCRIPTS); ++i) {
        bool failed = true;
        /* A small arena block would ask once for all; blocks of a page are asked for one by one. */
        for (size_t call = 1; failed && call < 2000; ++call) {
            struct oriel_memory memory = {.fail_at_call = call};
            struct oriel_arena arena;
            struct oriel_script_reader reader;
            struct oriel_error error = {0};
            struct ast_statement *statement = NULL;
            oriel_arena_init(&arena, &memory);
            arena.block_bytes = 1;
            oriel_script_reader_init(&reader, SCRIPTS[i], strlen(SCRIPTS[i]));
            const enum oriel_status status =
                oriel_parse_statement(&reader, &arena, &statement, &error);
            failed = memory.call_count >= call;
            if (failed)
                assert_int_equal(status, ORIEL_MEMORY);
            oriel_arena_deinit(&arena);
            assert_int_equal(memory.used_bytes, 0);
        }
        assert_false(failed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_long_chains),
        cmocka_unit_test(refuses_deep_nesting),
        cmocka_unit_test(allows_nesting_up_to_the_limit),
        cmocka_unit_test(refuses_what_is_no_text),
        cmocka_unit_test(keeps_nul_in_strings),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
