/*
 * Expressions printed as Flink's catalog prints them, and that what is printed parses to the same
 * tree again.
 */
#include "tests/unit/sql/parse_case.h"

static void prints_as_flink_does(void **state) {
    (void)state;
    static const struct parse_case CASES[] = {
        {"bidtime - INTERVAL '1' SECOND", "`bidtime` - INTERVAL '1' SECOND"},
        {"(a+b)*c-d-(e-f)", "(`a` + `b`) * `c` - `d` - (`e` - `f`)"},
        {"a and (b or c) and not d", "`a` AND (`b` OR `c`) AND NOT `d`"},
        {"upper(a) || 'it''s'", "UPPER(`a`) || 'it''s'"},
        {"cast(a as decimal(10,2))", "CAST(`a` AS DECIMAL(10, 2))"},
        {"case when a is null then 1 else - 2 end", "CASE WHEN `a` IS NULL THEN 1 ELSE - 2 END"},
        {"a not between 1 and 2", "`a` NOT BETWEEN ASYMMETRIC 1 AND 2"},
        {"to_timestamp(t.`x``y`, 'yyyy')", "TO_TIMESTAMP(`t`.`x``y`, 'yyyy')"},
        {"interval -'1 2' day(3) to hour", "INTERVAL -'1 2' DAY(3) TO HOUR"},
        {"extract(year from ts)", "EXTRACT(YEAR FROM `ts`)"},
        {"floor(ts to hour)", "FLOOR(`ts` TO HOUR)"},
        {"m['k'].f", "`m`['k'].`f`"},
        {"proctime()", "PROCTIME()"},
        {"current_timestamp", "CURRENT_TIMESTAMP"},
        {"count(distinct a)", "COUNT(DISTINCT `a`)"},
        {"(a = b) = c and (a = (b = c))", "`a` = `b` = `c` AND `a` = (`b` = `c`)"},
    };
    for (size_t i = 0; i < COUNT(CASES); ++i) {
        struct oriel_memory memory = {0};
        struct oriel_arena arena;
        struct ast_expression *expression;
        struct tree_text first = {.length = 0}, again = {.length = 0};
        oriel_arena_init(&arena, &memory);
        assert_int_equal(
            oriel_parse_expression(CASES[i].sql, strlen(CASES[i].sql), &arena, &expression, NULL),
            ORIEL_OK);
        const char *printed = oriel_ast_print_expression(expression, &arena);
        assert_string_equal(printed, CASES[i].expected);
        tree_text_expression(&first, expression);
        assert_int_equal(
            oriel_parse_expression(printed, strlen(printed), &arena, &expression, NULL), ORIEL_OK);
        tree_text_expression(&again, expression);
        char *quote;
        while ((quote = strchr(first.bytes, '`')))
            memmove(quote, quote + 1, strlen(quote));
        while ((quote = strchr(again.bytes, '`')))
            memmove(quote, quote + 1, strlen(quote));
        assert_string_equal(first.bytes, again.bytes);
        oriel_arena_deinit(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(prints_as_flink_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
