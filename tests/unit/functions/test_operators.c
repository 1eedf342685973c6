/*
 * Comparison, logic and arithmetic: types and values that Flink gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_arithmetic(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"+", "INT|1;INT|1", "INT NOT NULL", "2"},
        {"+", "TINYINT|1;INT|1", "INT NOT NULL", "2"},
        {"+", "TINYINT|127;TINYINT|1", "TINYINT NOT NULL", "-128"},
        {"/", "TINYINT|1;SMALLINT|2", "SMALLINT NOT NULL", "0"},
        {"+", "FLOAT|1;INT|1", "FLOAT NOT NULL", "2.0"},
        {"+", "FLOAT|1;DECIMAL(3,1)|1.5", "DOUBLE NOT NULL", "2.5"},
        {"*", "FLOAT|1;DOUBLE|2", "FLOAT NOT NULL", "2.0"},
        {"/", "FLOAT|1;DOUBLE|3", "FLOAT NOT NULL", "0.33333334"},
        {"/", "DOUBLE|1;FLOAT|3", "DOUBLE NOT NULL", "0.3333333333333333"},
        {"+", "DECIMAL(2,1)|1.5;DOUBLE|1", "DOUBLE NOT NULL", "2.5"},
        {"%", "TINYINT|5;BIGINT|3", "BIGINT NOT NULL", "2"},
        {"%", "BIGINT|5;TINYINT|3", "TINYINT NOT NULL", "2"},
        {"%", "DECIMAL(2,1)|5.5;INT|2", "DECIMAL(2, 1) NOT NULL", "1.5"},
        {"%", "INT|5;DECIMAL(2,1)|2.5", "DECIMAL(2, 1) NOT NULL", "0.0"},
        {"MOD", "INT|-7;INT|3", "INT NOT NULL", "-1"},
        {"/", "INT|-7;INT|2", "INT NOT NULL", "-3"},
        {"/", "INT|-2147483648;INT|-1", "INT NOT NULL", "-2147483648"},
        {"%", "INT|-2147483648;INT|-1", "INT NOT NULL", "0"},
        {"/", "INT|1;INT|0", NULL, "!/ by zero"},
        {"%", "INT|1;INT|0", NULL, "!/ by zero"},
        {"/", "DECIMAL(2,1)|1.5;INT|0", NULL, "!Division by zero"},
        {"/", "DOUBLE|1;INT|0", "DOUBLE NOT NULL", "Infinity"},
        {"/", "INT|NULL;INT|0", "INT", "<NULL>"},
        {"NEG", "TINYINT|1", "TINYINT NOT NULL", "-1"},
        {"NEG", "DECIMAL(2,1)|1.5", "DECIMAL(2, 1) NOT NULL", "-1.5"},
        {"+", "DECIMAL(10,2)|1;DECIMAL(8,4)|1", "DECIMAL(13, 4) NOT NULL", "2.0000"},
        {"*", "DECIMAL(10,2)|1;DECIMAL(8,4)|3", "DECIMAL(19, 6) NOT NULL", "3.000000"},
        {"/", "DECIMAL(10,2)|1;DECIMAL(8,4)|3", "DECIMAL(23, 11) NOT NULL", "0.33333333333"},
        {"*", "DECIMAL(38,10)|1;DECIMAL(38,10)|3", "DECIMAL(38, 6) NOT NULL", "3.000000"},
        {"/", "DECIMAL(38,10)|1;DECIMAL(38,10)|3", "DECIMAL(38, 6) NOT NULL", "0.333333"},
        {"%", "DECIMAL(10,2)|5;DECIMAL(8,4)|3", "DECIMAL(8, 4) NOT NULL", "2.0000"},
        {"*", "BIGINT|1;DECIMAL(2,1)|1.5", "DECIMAL(22, 1) NOT NULL", "1.5"},
        {"/", "BIGINT|1;DECIMAL(2,1)|3.0", "DECIMAL(26, 6) NOT NULL", "0.333333"},
        {"+",
         "DECIMAL(38,10)|9999999999999999999999999999.9999999995;"
         "DECIMAL(38,10)|9999999999999999999999999999.0000000000",
         "DECIMAL(38, 9) NOT NULL", "19999999999999999999999999999.000000000"},
        {"+",
         "DECIMAL(38,0)|99999999999999999999999999999999999999;DECIMAL(38,0)|"
         "99999999999999999999999999999999999999",
         "DECIMAL(38, 0) NOT NULL", "<NULL>"},
        {"+", "STRING|a;INT|1", NULL, "!Cannot apply '+' to arguments of type '<STRING> + <INT>'"},
        {"NEG", "STRING|a", NULL, "!Cannot apply '-' to arguments of type '-<STRING>'"},
        {"%", "DOUBLE|1;INT|1", NULL, "!Cannot apply '%' to arguments"},
        {"+", "INT|1;STRING|a", NULL, "!Cannot apply"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_intervals(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"+", "DATE|2024-01-01;INTERVAL_DAY|86400000", "DATE NOT NULL", "2024-01-02"},
        {"+", "DATE|2024-01-01;INTERVAL_DAY|3600000", "DATE NOT NULL", "2024-01-01"},
        {"-", "DATE|2024-01-01;INTERVAL_DAY|90000000", "DATE NOT NULL", "2023-12-31"},
        {"+", "DATE|2024-01-31;INTERVAL_YEAR|1", "DATE NOT NULL", "2024-02-29"},
        {"-", "DATE|2024-01-31;INTERVAL_YEAR|12", "DATE NOT NULL", "2023-01-31"},
        {"+", "INTERVAL_DAY|86400000;INTERVAL_DAY|7200000", NULL, "+1 02:00:00.000"},
        {"+", "INTERVAL_YEAR|1;INTERVAL_YEAR|24", NULL, "+2-01"},
        {"+", "INTERVAL_YEAR|1;INTERVAL_DAY|24", NULL, "!Cannot apply '+'"},
        {"*", "INTERVAL_DAY|86400000;INT|2", NULL, "+2 00:00:00.000"},
        {"*", "INT|3;INTERVAL_YEAR|5", NULL, "+1-03"},
        {"NEG", "INTERVAL_DAY|86400000", NULL, "-1 00:00:00.000"},
        {"+", "TIME(0)|23:00:00;INTERVAL_DAY|7200000", "TIME(0) NOT NULL", "01:00:00"},
        {"-", "TIME(0)|01:00:00;INTERVAL_DAY|7200000", "TIME(0) NOT NULL", "23:00:00"},
        {"+", "TIME(0)|23:00:00;INTERVAL_DAY|86400000", "TIME(0) NOT NULL", "23:00:00"},
        {"+", "TIMESTAMP(6)|2024-01-31 00:00:00.123456;INTERVAL_DAY|1234", "TIMESTAMP(6) NOT NULL",
         "2024-01-31 00:00:01.357456"},
        {"+", "INTERVAL_DAY|600000;TIMESTAMP(3)|1969-12-31 23:59:59.999", "TIMESTAMP(3) NOT NULL",
         "1970-01-01 00:09:59.999"},
        {"-", "TIMESTAMP(0)|2023-03-31 12:00:00;INTERVAL_YEAR|1", "TIMESTAMP(0) NOT NULL",
         "2023-02-28 12:00:00"},
        {"+", "TIMESTAMP(9)|1969-12-31 23:59:59.999999999;INTERVAL_YEAR|2", "TIMESTAMP(9) NOT NULL",
         "1970-02-28 23:59:59.999999999"},
        {"-", "DATE|2024-01-31;DATE|2024-01-01", NULL, "!Cannot apply '-'"},
        {"+", "DATE|2024-01-31;INT|1", NULL, "!Cannot apply '+'"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_comparison(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"=", "INT|1;DECIMAL(2,1)|1.0", "BOOLEAN NOT NULL", "TRUE"},
        {"<", "DECIMAL(38,0)|99999999999999999999999999999999999999;DECIMAL(38,38)|0.1",
         "BOOLEAN NOT NULL", "FALSE"},
        {">", "DECIMAL(38,38)|-0.1;DECIMAL(38,0)|-99999999999999999999999999999999999999",
         "BOOLEAN NOT NULL", "TRUE"},
        {"=", "FLOAT|1.1;DOUBLE|1.1", "BOOLEAN NOT NULL", "TRUE"},
        {"=", "BIGINT|9007199254740993;DOUBLE|9007199254740992", "BOOLEAN NOT NULL", "TRUE"},
        {"=", "DOUBLE|NaN;DOUBLE|NaN", "BOOLEAN NOT NULL", "TRUE"},
        {">", "DOUBLE|NaN;DOUBLE|Infinity", "BOOLEAN NOT NULL", "TRUE"},
        {"=", "DOUBLE|-0.0;DOUBLE|0.0", "BOOLEAN NOT NULL", "TRUE"},
        {">", "STRING|10;INT|9", "BOOLEAN NOT NULL", "TRUE"},
        {">", "STRING|a;INT|1", NULL, "!For input string: 'a'. Invalid character found."},
        {"=", "STRING|5;INT|5", NULL, "!'<STRING> = <INT>'"},
        {"=", "BOOLEAN|TRUE;INT|1", NULL, "!'<BOOLEAN> = <INT>'"},
        {"=", "DATE|2024-01-01;STRING|2024-01-01", "BOOLEAN NOT NULL", "TRUE"},
        {"<", "TIMESTAMP(0)|2024-01-01 00:00:00;STRING|2024-01-02 00:00:00", "BOOLEAN NOT NULL",
         "TRUE"},
        {"<", "DATE|2024-01-01;TIMESTAMP(0)|2024-01-01 00:00:01", NULL, "!Cannot apply '<'"},
        {"=", "TIMESTAMP(3)|2024-01-01 00:00:00.123;TIMESTAMP(6)|2024-01-01 00:00:00.123000",
         "BOOLEAN NOT NULL", "TRUE"},
        {"<", "TIMESTAMP(3)|2024-01-01 00:00:00.123;TIMESTAMP(9)|2024-01-01 00:00:00.123000001",
         "BOOLEAN NOT NULL", "TRUE"},
        {"=", "STRING|a;STRING|a ", "BOOLEAN NOT NULL", "FALSE"},
        {"<>", "STRING|a long text of its own;STRING|a long text of its owN", "BOOLEAN NOT NULL",
         "TRUE"},
        {"<", "STRING|ab;STRING|abc", "BOOLEAN NOT NULL", "TRUE"},
        {"<", "STRING|\xef\xbc\xa1;STRING|\xf0\x9f\x98\x80", "BOOLEAN NOT NULL", "TRUE"},
        {">", "BOOLEAN|TRUE;BOOLEAN|FALSE", "BOOLEAN NOT NULL", "TRUE"},
        {"=", "STRING|true;BOOLEAN|TRUE", "BOOLEAN NOT NULL", "FALSE"},
        {"=", "INT|NULL;INT|1", "BOOLEAN", "<NULL>"},
        {"IS DISTINCT FROM", "INT|1;INT|NULL", "BOOLEAN NOT NULL", "TRUE"},
        {"IS DISTINCT FROM", "INT|NULL;INT|NULL", "BOOLEAN NOT NULL", "FALSE"},
        {"IS NOT DISTINCT FROM", "STRING|abc;STRING|abc", "BOOLEAN NOT NULL", "TRUE"},
        {"BETWEEN", "STRING|5;INT|1;INT|10", "BOOLEAN NOT NULL", "TRUE"},
        {"BETWEEN", "INT|5;INT|NULL;INT|4", "BOOLEAN", "FALSE"},
        {"BETWEEN", "INT|5;INT|NULL;INT|6", "BOOLEAN", "<NULL>"},
        {"BETWEEN SYMMETRIC", "INT|1;INT|3;INT|0", "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "INT|1;INT|1;DECIMAL(2,1)|2.0", "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "INT|1;STRING|1;STRING|2", "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "INT|3;INT|1;INT|NULL", "BOOLEAN", "<NULL>"},
        {"IN", "INT|1;INT|1;INT|NULL", "BOOLEAN", "TRUE"},
        {"IN", "STRING|b;STRING|a;STRING|c", "BOOLEAN NOT NULL", "FALSE"},
        {"IN", "INT|3;=INT|1;=INT|3;=INT|NULL", "BOOLEAN", "TRUE"},
        {"IN", "INT|4;=INT|1;=INT|3;=INT|NULL", "BOOLEAN", "<NULL>"},
        {"IN", "INT|4;=INT|1;=INT|3", "BOOLEAN NOT NULL", "FALSE"},
        {"IN", "INT|NULL;=INT|1;=INT|3", "BOOLEAN", "<NULL>"},
        {"IN", "INT|4;=INT|1;INT|4", "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "INT|4;=INT|4;INT|NULL", "BOOLEAN", "TRUE"},
        {"IN", "=INT|4;=INT|5;INT|4", "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "STRING|more than twelve bytes;=STRING|x;=STRING|more than twelve bytes",
         "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "STRING|y;=STRING|x;=STRING|z", "BOOLEAN NOT NULL", "FALSE"},
        {"IN", "DECIMAL(4,2)|1.50;=DECIMAL(2,1)|1.5;=INT|2", "BOOLEAN NOT NULL", "TRUE"},
        {"IN", "DOUBLE|NaN;=DOUBLE|1;=DOUBLE|NaN", "BOOLEAN NOT NULL", "TRUE"},
        {"GREATEST", "INT|1;DECIMAL(2,1)|2.5", "DECIMAL(11, 1) NOT NULL", "2.5"},
        {"GREATEST", "CHAR(1)|a;CHAR(2)|bc", "VARCHAR(2) NOT NULL", "bc"},
        {"LEAST", "DATE|2024-01-01;DATE|2023-01-01", "DATE NOT NULL", "2023-01-01"},
        {"GREATEST", "INT|1;INT|NULL", "INT", "<NULL>"},
        {"GREATEST", "INT|1;STRING|a", NULL, "!Cannot apply 'GREATEST'"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_logic(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"NOT", "BOOLEAN|TRUE", "BOOLEAN NOT NULL", "FALSE"},
        {"NOT", "BOOLEAN|NULL", "BOOLEAN", "<NULL>"},
        {"NOT", "INT|1", NULL, "!Cannot apply 'NOT' to arguments of type 'NOT(<INT>)'"},
        {"IS NULL", "INT|1", "BOOLEAN NOT NULL", "FALSE"},
        {"IS NULL", "INT|NULL", "BOOLEAN NOT NULL", "TRUE"},
        {"IS NOT NULL", "STRING|", "BOOLEAN NOT NULL", "TRUE"},
        {"IS TRUE", "BOOLEAN|NULL", "BOOLEAN NOT NULL", "FALSE"},
        {"IS NOT TRUE", "BOOLEAN|NULL", "BOOLEAN NOT NULL", "TRUE"},
        {"IS FALSE", "BOOLEAN|FALSE", "BOOLEAN NOT NULL", "TRUE"},
        {"IS NOT FALSE", "BOOLEAN|NULL", "BOOLEAN NOT NULL", "TRUE"},
        {"IS UNKNOWN", "BOOLEAN|NULL", "BOOLEAN NOT NULL", "TRUE"},
        {"IS NOT UNKNOWN", "BOOLEAN|NULL", "BOOLEAN NOT NULL", "FALSE"},
        {"IS TRUE", "INT|1", NULL, "!'<INT> IS TRUE'"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_logic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
