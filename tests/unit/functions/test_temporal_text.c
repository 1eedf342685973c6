/*
 * Times as text and back: types and values that Flink gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_formatting(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 12:34:56.789;CHAR(10)|yyyy/MM/dd", "STRING",
         "2024/02/29"},
        {"DATE_FORMAT", "CHAR(19)|2024-02-29 12:34:56;CHAR(10)|yyyy/MM/dd", "STRING", "2024/02/29"},
        {"DATE_FORMAT", "CHAR(3)|bad;CHAR(10)|yyyy/MM/dd", "STRING", "<NULL>"},
        {"DATE_FORMAT", "DATE|2024-02-29;CHAR(10)|yyyy/MM/dd", NULL,
         "!Cannot apply 'DATE_FORMAT' to arguments of type"},
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 12:34:56.789;CHAR(11)|bad pattern", NULL,
         "!Unknown pattern letter: b"},
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(25)|EEEE, MMMM d, uuuu h:mm a",
         "STRING", "Thursday, February 29, 2024 3:34 PM"},
        {"DATE_FORMAT",
         "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(28)|yyyy-MM-dd'T'HH:mm:ss.SSSSSS", "STRING",
         "2024-02-29T15:34:56.789000"},
        {"DATE_FORMAT",
         "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(31)|DDD D k K n A N e c w W Q q G u", "STRING",
         "060 60 15 3 789000000 56096789 56096789000000 5 5 9 5 1 1 AD 2024"},
        {"DATE_FORMAT",
         "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(39)|L LL LLL LLLL QQQ QQQQ GGGG EEEEE MMMMM",
         "STRING", "2 02 Feb February Q1 1st quarter Anno Domini T F"},
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(19)|yyy yyyyy y uu S SS",
         "STRING", "2024 02024 2024 24 7 78"},
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(12)|VV z Z x X O", NULL,
         "!needs a time with a zone"},
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 15:34:56.789;STRING|", "STRING", ""},
        {"DATE_FORMAT", "TIMESTAMP(3)|2024-02-29 15:34:56.789;CHAR(7)|YYYY-ww", "STRING",
         "2024-09"},
        {"DATE_FORMAT", "TIMESTAMP(6)|2024-02-29 15:34:56.789123;CHAR(9)|SSSSSSSSS", "STRING",
         "789123000"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_parsing(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"TO_DATE", "CHAR(10)|2024-02-29", "DATE", "2024-02-29"},
        {"TO_DATE", "CHAR(10)|2024-02-30", "DATE", "<NULL>"},
        {"TO_DATE", "CHAR(8)|2024-2-9", "DATE", "2024-02-09"},
        {"TO_DATE", "CHAR(3)|bad", "DATE", "<NULL>"},
        {"TO_DATE", "CHAR(10)|29/02/2024;CHAR(10)|dd/MM/yyyy", "DATE", "2024-02-29"},
        {"TO_DATE", "CHAR(19)|2024-02-29 12:00:00", "DATE", "2024-02-29"},
        {"TO_TIMESTAMP", "CHAR(10)|2024-02-29", "TIMESTAMP(3)", "2024-02-29 00:00:00.000"},
        {"TO_TIMESTAMP", "CHAR(16)|2024-02-29 12:34", "TIMESTAMP(3)", "<NULL>"},
        {"TO_TIMESTAMP", "CHAR(19)|2024-02-29T12:34:56", "TIMESTAMP(3)", "<NULL>"},
        {"TO_TIMESTAMP", "CHAR(29)|2024-02-29 12:34:56.123456789", "TIMESTAMP(3)",
         "2024-02-29 12:34:56.123"},
        {"TO_TIMESTAMP", "CHAR(24)|2024-02-29 12:34:56.1234", "TIMESTAMP(3)",
         "2024-02-29 12:34:56.123"},
        {"TO_TIMESTAMP", "CHAR(26)|2024-02-29 12:34:56.123456;CHAR(26)|yyyy-MM-dd HH:mm:ss.SSSSSS",
         "TIMESTAMP(3)", "2024-02-29 12:34:56.123"},
        {"TO_TIMESTAMP", "CHAR(19)|2024-02-30 12:34:56", "TIMESTAMP(3)", "2024-02-29 12:34:56.000"},
        {"TO_TIMESTAMP", "CHAR(19)|2024-02-30 12:34:56;CHAR(19)|yyyy-MM-dd HH:mm:ss",
         "TIMESTAMP(3)", "2024-02-29 12:34:56.000"},
        {"TO_TIMESTAMP", "CHAR(14)|2024-2-3 4:5:6;CHAR(14)|yyyy-M-d H:m:s", "TIMESTAMP(3)",
         "2024-02-03 04:05:06.000"},
        {"TO_TIMESTAMP", "CHAR(10)|3 Feb 2024;CHAR(10)|d MMM yyyy", "TIMESTAMP(3)",
         "2024-02-03 00:00:00.000"},
        {"TO_TIMESTAMP", "CHAR(19)|2024-02-29 03:04 PM;CHAR(18)|yyyy-MM-dd hh:mm a", "TIMESTAMP(3)",
         "2024-02-29 15:04:00.000"},
        {"TO_TIMESTAMP", "CHAR(10)|2024-02-29;CHAR(3)|bad", "TIMESTAMP(3)", "<NULL>"},
        {"TO_TIMESTAMP", "INT|5", NULL, "!Cannot apply 'TO_TIMESTAMP' to arguments of type"},
        {"TO_TIMESTAMP_LTZ", "INT|1700000000", "TIMESTAMP_LTZ(3)", "1970-01-20 16:13:20.000"},
        {"TO_TIMESTAMP_LTZ", "INT|1700000000;=INT|0", "TIMESTAMP_LTZ(3)",
         "2023-11-14 22:13:20.000"},
        {"TO_TIMESTAMP_LTZ", "BIGINT|1700000000123;=INT|3", "TIMESTAMP_LTZ(3)",
         "2023-11-14 22:13:20.123"},
        {"TO_TIMESTAMP_LTZ", "DECIMAL(2,1)|1.5;=INT|0", "TIMESTAMP_LTZ(3)",
         "1970-01-01 00:00:01.000"},
        {"TO_TIMESTAMP_LTZ", "DOUBLE|1700000000.5;=INT|0", "TIMESTAMP_LTZ(3)",
         "2023-11-14 22:13:20.500"},
        {"TO_TIMESTAMP_LTZ", "INT|1;=INT|6", "TIMESTAMP_LTZ(6)", "1970-01-01 00:00:00.000001"},
        {"TO_TIMESTAMP_LTZ", "INT|1;=INT|2", "TIMESTAMP_LTZ(3)", "1970-01-01 00:00:00.010"},
        {"TO_TIMESTAMP_LTZ", "CHAR(19)|2024-02-29 12:34:56", "TIMESTAMP_LTZ(3)",
         "2024-02-29 12:34:56.000"},
        {"TO_TIMESTAMP_LTZ", "CHAR(10)|2024/02/29;CHAR(10)|yyyy/MM/dd", "TIMESTAMP_LTZ(3)",
         "2024-02-29 00:00:00.000"},
        {"TO_TIMESTAMP_LTZ",
         "CHAR(19)|2024-02-29 12:34:56;CHAR(19)|yyyy-MM-dd HH:mm:ss;CHAR(16)|America/New_York",
         "TIMESTAMP_LTZ(3)", "2024-02-29 17:34:56.000"},
        {"TO_TIMESTAMP_LTZ", "CHAR(20)|2024-02-29T12:34:56Z", NULL, "<NULL>"},
        {"FROM_UNIXTIME", "INT|1700000000", "STRING", "2023-11-14 22:13:20"},
        {"FROM_UNIXTIME", "INT|1700000000;CHAR(10)|yyyy/MM/dd", "STRING", "2023/11/14"},
        {"FROM_UNIXTIME", "CHAR(1)|5", NULL, "!Cannot apply 'FROM_UNIXTIME' to arguments of type"},
        {"UNIX_TIMESTAMP", "CHAR(19)|2024-02-29 12:34:56", "BIGINT NOT NULL", "1709210096"},
        {"UNIX_TIMESTAMP", "CHAR(10)|2024/02/29;CHAR(10)|yyyy/MM/dd", "BIGINT NOT NULL",
         "1709164800"},
        {"UNIX_TIMESTAMP", "CHAR(3)|bad", "BIGINT NOT NULL", "-9223372036854775808"},
        {"CONVERT_TZ", "CHAR(19)|1970-01-01 00:00:00;CHAR(3)|UTC;CHAR(19)|America/Los_Angeles",
         "STRING", "1969-12-31 16:00:00"},
        {"CONVERT_TZ", "CHAR(3)|bad;CHAR(3)|UTC;CHAR(19)|America/Los_Angeles", "STRING", "<NULL>"},
        {"CONVERT_TZ", "CHAR(19)|1970-01-01 00:00:00;CHAR(3)|UTC;CHAR(9)|Mars/Base", "STRING",
         "1970-01-01 00:00:00"},
        {"TO_TIMESTAMP", "STRING|NULL", "TIMESTAMP(3)", "<NULL>"},
        {"TO_TIMESTAMP", "STRING|2024060112;STRING|yyyyMMddHH", NULL, "2024-06-01 12:00:00.000"},
        {"TO_TIMESTAMP", "STRING|12:30 AM 1/2/24;STRING|h:mm a d/M/yy", NULL,
         "2024-02-01 00:30:00.000"},
        {"TO_TIMESTAMP", "STRING|2024-13-01;STRING|yyyy-MM-dd", NULL, "<NULL>"},
        {"TO_TIMESTAMP", "STRING|2024-01-01x;STRING|yyyy-MM-dd", NULL, "<NULL>"},
        {"TO_TIMESTAMP", "STRING|2024-01-01T01:02:03.5;STRING|yyyy-MM-dd'T'HH:mm:ss.S", NULL,
         "2024-01-01 01:02:03.500"},
        {"TO_TIMESTAMP", "STRING|2024-060;STRING|yyyy-DDD", NULL, "2024-02-29 00:00:00.000"},
        {"TO_TIMESTAMP_LTZ", "BIGINT|-1;=INT|9", "TIMESTAMP_LTZ(9)",
         "1969-12-31 23:59:59.999999999"},
        {"TO_TIMESTAMP_LTZ", "BIGINT|9223372036854775807;=INT|0", NULL, "<NULL>"},
        {"TO_TIMESTAMP_LTZ", "BIGINT|1;=INT|10", NULL, "!precision must be 0 to 9"},
        {"CURRENT_TIMESTAMP", "", "TIMESTAMP_LTZ(3) NOT NULL", "2024-02-29 12:34:56.789"},
        {"CURRENT_DATE", "", "DATE NOT NULL", "2024-02-29"},
        {"CURRENT_TIME", "", "TIME(0) NOT NULL", "12:34:56"},
        {"LOCALTIME", "", "TIME(0) NOT NULL", "12:34:56"},
        {"LOCALTIMESTAMP", "", "TIMESTAMP(3) NOT NULL", "2024-02-29 12:34:56.789"},
        {"NOW", "", "TIMESTAMP_LTZ(3) NOT NULL", "2024-02-29 12:34:56.789"},
        {"UNIX_TIMESTAMP", "", "BIGINT NOT NULL", "1709210096"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_zones(void **state) {
    (void)state;
    static const struct call_case new_york[] = {
        {"CAST", "TIMESTAMP(3)|2024-03-10 02:30:00", "TIMESTAMP_LTZ(3)", "2024-03-10 03:30:00.000"},
        {"CAST", "TIMESTAMP_LTZ(3)|2024-03-10 22:30:00", "TIME(0)", "22:30:00"},
        {"CAST", "TIMESTAMP_LTZ(3)|2024-03-10 22:30:00", "DATE", "2024-03-10"},
        {"CAST", "DATE|2024-03-10", "TIMESTAMP_LTZ(3)", "2024-03-10 00:00:00.000"},
        {"CAST", "TIMESTAMP_LTZ(6)|2024-02-29 12:34:56.123456", "STRING",
         "2024-02-29 12:34:56.123456"},
        {"FLOOR", "TIMESTAMP_LTZ(3)|2024-02-29 12:34:56.789;'DAY'", "TIMESTAMP_LTZ(3) NOT NULL",
         "2024-02-29 00:00:00.000"},
        {"EXTRACT", "'HOUR';TIMESTAMP_LTZ(3)|2024-02-29 12:34:56.789", "BIGINT NOT NULL", "12"},
        {"EXTRACT", "'EPOCH';TIMESTAMP_LTZ(3)|2024-02-29 12:34:56.789", "BIGINT NOT NULL",
         "1709210096"},
        {"=", "TIMESTAMP(3)|2024-02-29 12:00:00;TIMESTAMP_LTZ(3)|2024-02-29 12:00:00", NULL,
         "TRUE"},
    };
    static const struct call_case seoul[] = {
        {"FROM_UNIXTIME", "INT|0", "STRING", "1970-01-01 09:00:00"},
        {"UNIX_TIMESTAMP", "STRING|2024-02-29 12:34:56", "BIGINT NOT NULL", "1709177696"},
        {"CURRENT_DATE", "", NULL, "2024-02-29"},
        {"LOCALTIMESTAMP", "", NULL, "2024-02-29 21:34:56.789"},
        {"DATE_FORMAT", "TIMESTAMP_LTZ(3)|2024-02-29 12:34:56;STRING|HH", NULL, "12"},
    };
    call_cases_check(new_york, COUNT(new_york), "America/New_York");
    call_cases_check(seoul, COUNT(seoul), "Asia/Seoul");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formatting),
        cmocka_unit_test(test_parsing),
        cmocka_unit_test(test_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
