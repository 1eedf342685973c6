/*
 * Scripts: where statements begin and end, positions in lines and characters, and what a prompt
 * takes for complete.
 */
#include "tests/unit/sql/parse_case.h"

#include "engine/sql/keywords.h"

static void reads_statement_by_statement(void **state) {
    (void)state;
    static const char SCRIPT[] =
        "\xef\xbb\xbf-- first; comment\n;SELECT ';', `a;b` /* ; */;\n"
        "  SET a.b = c d ; ;\n"
        "BEGIN STATEMENT SET;INSERT INTO t SELECT CASE WHEN a THEN 1 END;\n"
        "END; SELECT '\xed\x95\x9c\xea\xb8\x80', FROM";
    static const struct {
        enum ast_statement_kind kind;
        uint32_t line, column;
        const char *source;
    } EXPECTED[] = {
        {AST_STATEMENT_QUERY, 2, 2, "SELECT ';', `a;b`"},
        {AST_STATEMENT_SET, 3, 3, "SET a.b = c d"},
        {AST_STATEMENT_STATEMENT_SET, 4, 1,
         "BEGIN STATEMENT SET;INSERT INTO t SELECT CASE WHEN a THEN 1 END;\nEND"},
    };
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct oriel_script_reader reader;
    struct oriel_error error = {0};
    struct ast_statement *statement;
    oriel_arena_init(&arena, &memory);
    oriel_script_reader_init(&reader, SCRIPT, sizeof SCRIPT - 1);
    for (size_t i = 0; i < COUNT(EXPECTED); ++i) {
        assert_int_equal(oriel_parse_statement(&reader, &arena, &statement, &error), ORIEL_OK);
        assert_int_equal(statement->kind, EXPECTED[i].kind);
        assert_int_equal(statement->position.line, EXPECTED[i].line);
        assert_int_equal(statement->position.column, EXPECTED[i].column);
        assert_string_equal(statement->source, EXPECTED[i].source);
    }
    /* An error leaves the reader where it is, so it comes again. */
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(oriel_parse_statement(&reader, &arena, &statement, &error), ORIEL_SYNTAX);
        assert_int_equal(error.line, 5);
        assert_int_equal(error.column, 19);
    }
    oriel_arena_deinit(&arena);
}

static void ends_with_done(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {"", " \n\t", ";;", "-- only a comment", "/* ; */ ;"};
    for (size_t i = 0; i < COUNT(SCRIPTS); ++i) {
        struct oriel_memory memory = {0};
        struct oriel_arena arena;
        struct oriel_script_reader reader;
        struct ast_statement *statement;
        oriel_arena_init(&arena, &memory);
        oriel_script_reader_init(&reader, SCRIPTS[i], strlen(SCRIPTS[i]));
        assert_int_equal(oriel_parse_statement(&reader, &arena, &statement, NULL), ORIEL_DONE);
        assert_int_equal(oriel_parse_statement(&reader, &arena, &statement, NULL), ORIEL_DONE);
        oriel_arena_deinit(&arena);
    }
}

static void knows_complete_statements(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool complete;
    } CASES[] = {
        {"SELECT 1;", true},
        {"SELECT 1; SELECT", true},
        {"SELECT 1", false},
        {"SELECT ';", false},
        {"SELECT `;", false},
        {"SELECT 1 -- ;", false},
        {"SELECT 1 /* ; */", false},
        {";", false},
        {"EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1;", false},
        {"EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; END", false},
        {"EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; END;", true},
        {"BEGIN STATEMENT SET; INSERT INTO t SELECT 1;", false},
        {"begin statement set; insert into t select 1; end;", true},
        {"EXPLAIN STATEMENT SET BEGIN INSERT INTO t SELECT 1; END;", true},
        {"EXPLAIN SELECT 1;", true},
    };
    for (size_t i = 0; i < COUNT(CASES); ++i)
        if (oriel_script_is_complete(CASES[i].text, strlen(CASES[i].text)) != CASES[i].complete)
            fail_msg("%s", CASES[i].text);
}

static void keeps_keywords_sorted(void **state) {
    (void)state;
    for (size_t i = 0; oriel_sql_keyword_at(i); ++i) {
        const struct sql_keyword *keyword = oriel_sql_keyword_at(i);
        assert_ptr_equal(oriel_sql_keyword_find(keyword->word, strlen(keyword->word)), keyword);
        if (i > 0)
            assert_true(strcmp(oriel_sql_keyword_at(i - 1)->word, keyword->word) < 0);
    }
}

/* Reserved words of Flink are names only in backticks, all others are names as they stand. */
static void reserves_what_flink_reserves(void **state) {
    (void)state;
    struct tree_text got;
    char sql[160];
    for (size_t i = 0; oriel_sql_keyword_at(i); ++i) {
        const struct sql_keyword *keyword = oriel_sql_keyword_at(i);
        snprintf(sql, sizeof sql, "SELECT x AS %s, %s FROM %s", keyword->word, "a", "t");
        parse_to_text(PARSE_STATEMENT, sql, strlen(sql), &got);
        if ((strncmp(got.bytes, "query: ", 7) != 0) != keyword->reserved)
            fail_msg("%s: %s", sql, got.bytes);
        snprintf(sql, sizeof sql, "SELECT `%s`, t.`%s` AS `%s` FROM `%s`", keyword->word,
                 keyword->word, keyword->word, keyword->word);
        parse_to_text(PARSE_STATEMENT, sql, strlen(sql), &got);
        if (strncmp(got.bytes, "query: ", 7) != 0)
            fail_msg("%s: %s", sql, got.bytes);
        if (keyword->reserved)
            continue;
        snprintf(sql, sizeof sql, "SELECT %s, t.%s, %s.x FROM %s AS %s WHERE %s > 1 ORDER BY %s",
                 keyword->word, keyword->word, keyword->word, keyword->word, keyword->word,
                 keyword->word, keyword->word);
        parse_to_text(PARSE_STATEMENT, sql, strlen(sql), &got);
        if (strncmp(got.bytes, "query: ", 7) != 0)
            fail_msg("%s: %s", sql, got.bytes);
        snprintf(sql, sizeof sql, "CREATE TABLE t (%s INT, b STRING, WATERMARK FOR %s AS %s)",
                 keyword->word, keyword->word, keyword->word);
        parse_to_text(PARSE_STATEMENT, sql, strlen(sql), &got);
        if (strncmp(got.bytes, "create-table ", 13) != 0)
            fail_msg("%s: %s", sql, got.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_statement_by_statement), cmocka_unit_test(ends_with_done),
        cmocka_unit_test(knows_complete_statements),    cmocka_unit_test(keeps_keywords_sorted),
        cmocka_unit_test(reserves_what_flink_reserves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
