/*
 * Functions of numbers: types and values that Flink gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_rounding(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"ABS", "BIGINT|-5", "BIGINT NOT NULL", "5"},
        {"CEIL", "DECIMAL(2,1)|1.2", "DECIMAL(2, 0) NOT NULL", "2"},
        {"CEIL", "DECIMAL(2,1)|-1.2", "DECIMAL(2, 0) NOT NULL", "-1"},
        {"CEIL", "FLOAT|1.2", "FLOAT NOT NULL", "2.0"},
        {"CEILING", "DECIMAL(10,3)|123.456", "DECIMAL(10, 0) NOT NULL", "124"},
        {"FLOOR", "DECIMAL(10,3)|-123.456", "DECIMAL(10, 0) NOT NULL", "-124"},
        {"FLOOR", "TINYINT|5", "TINYINT NOT NULL", "5"},
        {"FLOOR", "CHAR(1)|a", NULL, "!Cannot apply 'FLOOR' to arguments of type"},
        {"ROUND", "DECIMAL(2,1)|2.5", "DECIMAL(2, 0) NOT NULL", "3"},
        {"ROUND", "DECIMAL(3,2)|-7.77", "DECIMAL(2, 0) NOT NULL", "-8"},
        {"ROUND", "DECIMAL(4,3)|2.345;=INT|2", "DECIMAL(4, 2) NOT NULL", "2.35"},
        {"ROUND", "INT|12345;INT|-2", "INT NOT NULL", "12300"},
        {"ROUND", "INT|12355;INT|-1", "INT NOT NULL", "12360"},
        {"ROUND", "TINYINT|127;INT|-1", "TINYINT NOT NULL", "-126"},
        {"ROUND", "INT|2147483647;INT|-1", "INT NOT NULL", "-2147483646"},
        {"ROUND", "DOUBLE|2.345;INT|2", "DOUBLE NOT NULL", "2.35"},
        {"ROUND", "DOUBLE|1.005;INT|2", "DOUBLE NOT NULL", "1.01"},
        {"ROUND", "DOUBLE|2.5", "DOUBLE NOT NULL", "3.0"},
        {"ROUND", "DOUBLE|-2.5", "DOUBLE NOT NULL", "-3.0"},
        {"ROUND", "DOUBLE|1e300;INT|2", "DOUBLE NOT NULL", "1.0E300"},
        {"ROUND", "FLOAT|2.345;INT|2", "FLOAT NOT NULL", "2.35"},
        {"ROUND", "DECIMAL(10,3)|123.456;=INT|1", "DECIMAL(9, 1) NOT NULL", "123.5"},
        {"ROUND", "DECIMAL(10,3)|123.456;=INT|5", "DECIMAL(10, 3) NOT NULL", "123.456"},
        {"ROUND", "DECIMAL(10,3)|123.456;=INT|-1", "DECIMAL(8, 0) NOT NULL", "120"},
        {"ROUND", "DECIMAL(6,3)|999.999;=INT|1", "DECIMAL(5, 1) NOT NULL", "1000.0"},
        {"ROUND", "CHAR(1)|a", NULL, "!Cannot apply 'ROUND' to arguments of type"},
        {"TRUNCATE", "DECIMAL(4,3)|2.345;=INT|2", "DECIMAL(4, 2) NOT NULL", "2.34"},
        {"TRUNCATE", "DOUBLE|2.345;INT|2", "DOUBLE NOT NULL", "2.34"},
        {"TRUNCATE", "DOUBLE|-2.345;INT|2", "DOUBLE NOT NULL", "-2.34"},
        {"TRUNCATE", "INT|12345;INT|-2", "INT NOT NULL", "12300"},
        {"TRUNCATE", "DECIMAL(10,3)|123.456;=INT|1", "DECIMAL(9, 1) NOT NULL", "123.4"},
        {"TRUNCATE", "DECIMAL(10,3)|123.456", "DECIMAL(8, 0) NOT NULL", "123"},
        {"TRUNCATE", "FLOAT|2.345;INT|2", "FLOAT NOT NULL", "2.34"},
        {"TRUNCATE", "DECIMAL(5,3)|42.324;=INT|-1", "DECIMAL(3, 0) NOT NULL", "40"},
        {"TRUNCATE", "BIGINT|5;INT|1", "BIGINT NOT NULL", "5"},
        {"SIGN", "INT|-5", "INT NOT NULL", "-1"},
        {"SIGN", "DECIMAL(2,1)|-5.5", "DECIMAL(2, 1) NOT NULL", "-1.0"},
        {"SIGN", "DOUBLE|-5", "DOUBLE NOT NULL", "-1.0"},
        {"SIGN", "FLOAT|5", "FLOAT NOT NULL", "1.0"},
        {"FLOOR", "BIGINT|1", "BIGINT NOT NULL", "1"},
        {"ROUND", "INT|5;INT|NULL", "INT", "<NULL>"},
        {"ROUND", "DOUBLE|-0.5", NULL, "-1.0"},
        {"ROUND", "DOUBLE|0.5;INT|-1", NULL, "0.0"},
        {"ROUND", "DOUBLE|15;INT|-1", NULL, "20.0"},
        {"ROUND", "DOUBLE|-14.99;INT|-1", NULL, "-10.0"},
        {"ROUND", "DOUBLE|NaN;INT|2", NULL, "NaN"},
        {"ROUND", "DOUBLE|12345678.125;INT|2", NULL, "1.234567813E7"},
        {"TRUNCATE", "DOUBLE|12345678.129;INT|2", NULL, "1.234567812E7"},
        {"TRUNCATE", "DOUBLE|0.07;INT|2", NULL, "0.07"},
        {"TRUNCATE", "DOUBLE|-199;INT|-2", NULL, "-100.0"},
        {"ROUND", "BIGINT|9223372036854775807;INT|-1", NULL, "-9223372036854775806"},
        {"ROUND", "DECIMAL(5,2)|999.99;INT|NULL", NULL, "<NULL>"},
        {"ABS", "INTERVAL_DAY|-86400000", NULL, "+1 00:00:00.000"},
        {"FLOOR", "DOUBLE|-2.5", NULL, "-3.0"},
        {"ABS", "BIGINT|-9223372036854775808", NULL, "-9223372036854775808"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_functions(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"POWER", "INT|2;INT|3", "DOUBLE NOT NULL", "8.0"},
        {"POWER", "DECIMAL(2,1)|2.5;INT|2", "DOUBLE NOT NULL", "6.25"},
        {"POWER", "FLOAT|2;INT|2", "DOUBLE NOT NULL", "4.0"},
        {"POWER", "INT|0;INT|-1", "DOUBLE NOT NULL", "Infinity"},
        {"SQRT", "INT|2", "DOUBLE NOT NULL", "1.4142135623730951"},
        {"SQRT", "INT|-1", "DOUBLE NOT NULL", "NaN"},
        {"SQRT", "DECIMAL(3,2)|2.25", "DOUBLE NOT NULL", "1.5"},
        {"EXP", "INT|1", "DOUBLE NOT NULL", "2.718281828459045"},
        {"LN", "INT|0", "DOUBLE NOT NULL", "-Infinity"},
        {"LN", "INT|-1", "DOUBLE NOT NULL", "NaN"},
        {"LN", "INT|2", "DOUBLE NOT NULL", "0.6931471805599453"},
        {"LOG", "INT|10", "DOUBLE NOT NULL", "2.302585092994046"},
        {"LOG", "INT|2;INT|8", "DOUBLE NOT NULL", "3.0"},
        {"LOG10", "INT|1000", "DOUBLE NOT NULL", "3.0"},
        {"LOG2", "INT|8", "DOUBLE NOT NULL", "3.0"},
        {"LOG2", "INT|-1", "DOUBLE NOT NULL", "NaN"},
        {"SIN", "INT|1", "DOUBLE NOT NULL", "0.8414709848078965"},
        {"COS", "INT|1", "DOUBLE NOT NULL", "0.5403023058681398"},
        {"TAN", "INT|1", "DOUBLE NOT NULL", "1.5574077246549023"},
        {"COT", "INT|1", "DOUBLE NOT NULL", "0.6420926159343306"},
        {"ASIN", "INT|1", "DOUBLE NOT NULL", "1.5707963267948966"},
        {"ACOS", "INT|2", "DOUBLE NOT NULL", "NaN"},
        {"ATAN", "INT|1", "DOUBLE NOT NULL", "0.7853981633974483"},
        {"ATAN2", "INT|1;INT|2", "DOUBLE NOT NULL", "0.4636476090008061"},
        {"SINH", "INT|1", "DOUBLE NOT NULL", "1.1752011936438014"},
        {"TANH", "INT|1", "DOUBLE NOT NULL", "0.7615941559557649"},
        {"DEGREES", "INT|1", "DOUBLE NOT NULL", "57.29577951308232"},
        {"RADIANS", "INT|180", "DOUBLE NOT NULL", "3.141592653589793"},
        {"PI", "", "DOUBLE NOT NULL", "3.141592653589793"},
        {"E", "", "DOUBLE NOT NULL", "2.718281828459045"},
        {"MOD", "INT|7;INT|3", "INT NOT NULL", "1"},
        {"MOD", "TINYINT|7;TINYINT|3", "TINYINT NOT NULL", "1"},
        {"POWER", "CHAR(1)|2;INT|3", NULL, "!Cannot apply 'POWER' to arguments of type"},
        {"EXP", "CHAR(1)|1", NULL, "!Cannot apply 'EXP' to arguments of type"},
        {"SIN", "CHAR(1)|a", NULL, "!Cannot apply 'SIN' to arguments of type"},
        {"SQRT", "DECIMAL(10,2)|4", "DOUBLE NOT NULL", "2.0"},
        {"LN", "DECIMAL(10,2)|4", "DOUBLE NOT NULL", "1.3862943611198906"},
        {"LOG10", "BIGINT|1000", "DOUBLE NOT NULL", "3.0"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
