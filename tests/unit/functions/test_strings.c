/*
 * Functions of strings: types and values that Flink gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_slices(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"SUBSTRING", "CHAR(5)|hello;INT|0", "VARCHAR(5)", "hello"},
        {"SUBSTRING", "CHAR(5)|hello;INT|0;INT|2", "VARCHAR(5)", "he"},
        {"SUBSTRING", "CHAR(5)|hello;INT|-3;INT|2", "VARCHAR(5)", "ll"},
        {"SUBSTRING", "CHAR(5)|hello;INT|-10;INT|2", "VARCHAR(5)", ""},
        {"SUBSTRING", "CHAR(5)|hello;INT|10", "VARCHAR(5)", ""},
        {"SUBSTRING", "CHAR(5)|hello;INT|2;INT|0", "VARCHAR(5)", ""},
        {"SUBSTRING", "CHAR(5)|hello;INT|2;INT|-1", "VARCHAR(5)", "<NULL>"},
        {"SUBSTRING", "INT|12345;INT|2", NULL, "!Cannot apply 'SUBSTRING' to arguments of type"},
        {"SUBSTRING", "CHAR(5)|hello;CHAR(1)|2", NULL,
         "!Cannot apply 'SUBSTRING' to arguments of type"},
        {"SUBSTRING", "VARCHAR(10)|abc;INT|1", "VARCHAR(10)", "abc"},
        {"SUBSTR", "CHAR(5)|hello;INT|2;INT|3", "VARCHAR(5)", "ell"},
        {"SUBSTR", "CHAR(5)|hello;INT|-3", "VARCHAR(5)", "llo"},
        {"LEFT", "CHAR(5)|hello;INT|2", "VARCHAR(5)", "he"},
        {"LEFT", "CHAR(5)|hello;INT|-1", "VARCHAR(5)", ""},
        {"LEFT", "CHAR(5)|hello;INT|10", "VARCHAR(5)", "hello"},
        {"LEFT", "CHAR(2)|\360\237\230\200b;INT|1", NULL, "\360\237\230\200"},
        {"RIGHT", "CHAR(5)|hello;INT|2", "VARCHAR(5)", "lo"},
        {"RIGHT", "CHAR(5)|hello;INT|0", "VARCHAR(5)", ""},
        {"SPLIT_INDEX", "CHAR(5)|a,b,c;CHAR(1)|,;INT|1", "STRING", "b"},
        {"SPLIT_INDEX", "CHAR(5)|a,b,c;CHAR(1)|,;INT|5", "STRING", "<NULL>"},
        {"SPLIT_INDEX", "CHAR(5)|a,b,c;CHAR(1)|,;INT|-1", "STRING", "<NULL>"},
        {"SPLIT_INDEX", "CHAR(4)|a,,c;CHAR(1)|,;INT|1", "STRING", ""},
        {"SPLIT_INDEX", "CHAR(3)|a,b;INT|44;INT|1", "STRING", "b"},
        {"SPLIT_INDEX", "STRING|;CHAR(1)|,;INT|0", "STRING", "<NULL>"},
        {"SPLIT_INDEX", "CHAR(3)|abc;STRING|;INT|0", "STRING", "abc"},
        {"TRIM", "CHAR(7)|  a b  ", "VARCHAR(7) NOT NULL", "a b"},
        {"TRIM", "CHAR(3)|abc", "VARCHAR(3) NOT NULL", "abc"},
        {"TRIM", "CHAR(7)|  a b  ", "VARCHAR(7) NOT NULL", "a b"},
        {"TRIM", "'LEADING';STRING| ;CHAR(4)|  a ", "VARCHAR(4) NOT NULL", "a "},
        {"TRIM", "'TRAILING';STRING|x;CHAR(3)|axx", "VARCHAR(3) NOT NULL", "a"},
        {"TRIM", "'BOTH';STRING|xy;STRING|xyaxbyx", "STRING NOT NULL", "axb"},
        {"LTRIM", "CHAR(4)|  a ", "VARCHAR(4) NOT NULL", "a "},
        {"LTRIM", "CHAR(4)|xyax;CHAR(2)|xy", "VARCHAR(4) NOT NULL", "ax"},
        {"RTRIM", "CHAR(4)|  a ", "VARCHAR(4) NOT NULL", "  a"},
        {"RTRIM", "CHAR(4)|axyx;CHAR(2)|xy", "VARCHAR(4) NOT NULL", "a"},
        {"BTRIM", "CHAR(4)|  a ", "STRING NOT NULL", "a"},
        {"BTRIM", "CHAR(3)|xax;CHAR(1)|x", "STRING NOT NULL", "a"},
        {"LPAD", "CHAR(2)|hi;INT|5;CHAR(2)|xy", "STRING NOT NULL", "xyxhi"},
        {"LPAD", "CHAR(2)|hi;INT|1;CHAR(2)|xy", "STRING NOT NULL", "h"},
        {"LPAD", "CHAR(2)|hi;INT|-1;CHAR(2)|xy", NULL, "<NULL>"},
        {"LPAD", "CHAR(2)|hi;INT|5;STRING|", NULL, "<NULL>"},
        {"LPAD", "CHAR(2)|hi;INT|2;STRING|", NULL, "<NULL>"},
        {"LPAD", "CHAR(1)|\355\225\234;INT|3;CHAR(1)|\352\270\200", "STRING NOT NULL",
         "\352\270\200\352\270\200\355\225\234"},
        {"RPAD", "CHAR(2)|hi;INT|5;CHAR(2)|xy", "STRING NOT NULL", "hixyx"},
        {"RPAD", "CHAR(2)|hi;INT|5", NULL, "!Invalid number of arguments"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_searches(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"CHAR_LENGTH", "CHAR(3)|abc", "INT NOT NULL", "3"},
        {"CHAR_LENGTH", "INT|5", NULL, "!Cannot apply 'CHAR_LENGTH' to arguments of type"},
        {"CHARACTER_LENGTH", "CHAR(3)|abc", "INT NOT NULL", "3"},
        {"POSITION", "STRING|l;STRING|hello;INT|4", "INT NOT NULL", "4"},
        {"LOCATE", "CHAR(1)|l;CHAR(5)|hello", "INT NOT NULL", "3"},
        {"LOCATE", "CHAR(1)|l;CHAR(5)|hello;INT|4", "INT NOT NULL", "4"},
        {"LOCATE", "STRING|;CHAR(5)|hello", "INT NOT NULL", "1"},
        {"LOCATE", "CHAR(1)|x;CHAR(5)|hello;INT|0", "INT NOT NULL", "0"},
        {"LOCATE", "CHAR(1)|h;CHAR(5)|hello;INT|0", "INT NOT NULL", "1"},
        {"LOCATE", "CHAR(1)|h;CHAR(5)|hello;INT|-1", "INT NOT NULL", "1"},
        {"INSTR", "CHAR(5)|hello;CHAR(1)|l", "INT NOT NULL", "3"},
        {"INSTR", "CHAR(5)|hello;CHAR(1)|l;INT|1;INT|2", "INT NOT NULL", "4"},
        {"INSTR", "CHAR(5)|hello;STRING|", "INT NOT NULL", "1"},
        {"INSTR", "CHAR(2)|\360\237\230\200b;CHAR(1)|b", "INT NOT NULL", "2"},
        {"INSTR", "STRING|hello;STRING|l;INT|-1;INT|2", "INT NOT NULL", "3"},
        {"ASCII", "CHAR(3)|abc", "INT NOT NULL", "97"},
        {"ASCII", "STRING|", "INT NOT NULL", "0"},
        {"ASCII", "CHAR(1)|\303\251", "INT NOT NULL", "-61"},
        {"ASCII", "CHAR(1)|\355\225\234", "INT NOT NULL", "-19"},
        {"STARTSWITH", "CHAR(5)|hello;CHAR(2)|he", "BOOLEAN NOT NULL", "TRUE"},
        {"STARTSWITH", "CHAR(5)|hello;STRING|", "BOOLEAN NOT NULL", "TRUE"},
        {"ENDSWITH", "CHAR(5)|hello;CHAR(2)|lo", "BOOLEAN NOT NULL", "TRUE"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_building(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"UPPER", "INT|5", NULL, "!Cannot apply 'UPPER' to arguments of type"},
        {"UPPER", "CHAR(6)|stra\303\237e", "CHAR(6) NOT NULL", "STRASS"},
        {"UPPER", "CHAR(1)|\357\254\201", "CHAR(1) NOT NULL", "F"},
        {"UPPER", "CHAR(3)|abc", "CHAR(3) NOT NULL", "ABC"},
        {"UPPER", "VARCHAR(10)|abc", "VARCHAR(10) NOT NULL", "ABC"},
        {"UPPER", "STRING|stra\303\237e", "STRING NOT NULL", "STRASSE"},
        {"UPPER", "STRING|\357\254\201", "STRING NOT NULL", "FI"},
        {"LOWER", "CHAR(1)|\304\260", "CHAR(1) NOT NULL", "i"},
        {"LOWER", "STRING|ABC xyz 123 a longer text", "STRING NOT NULL",
         "abc xyz 123 a longer text"},
        {"INITCAP", "CHAR(23)|hELLO wORLD-foo 1abc \303\251a", "CHAR(23) NOT NULL",
         "Hello World-Foo 1abc \303\251A"},
        {"INITCAP", "CHAR(2)|\303\200\303\211", "CHAR(2) NOT NULL", "\303\200\303\211"},
        {"REPEAT", "CHAR(2)|ab;INT|3", "STRING NOT NULL", "ababab"},
        {"REPEAT", "CHAR(2)|ab;INT|0", "STRING NOT NULL", ""},
        {"REPEAT", "CHAR(2)|ab;INT|-1", "STRING NOT NULL", ""},
        {"REVERSE", "CHAR(3)|abc", "STRING", "cba"},
        {"REVERSE", "CHAR(3)|a\360\237\230\200b", "STRING", "b\360\237\230\200a"},
        {"REPLACE", "CHAR(5)|hello;CHAR(1)|l;CHAR(2)|LL", "STRING NOT NULL", "heLLLLo"},
        {"REPLACE", "CHAR(5)|hello;STRING|;CHAR(1)|x", "STRING NOT NULL", "xhxexlxlxox"},
        {"REPLACE", "VARCHAR(10)|abc;CHAR(1)|a;CHAR(1)|b", "STRING NOT NULL", "bbc"},
        {"CHR", "INT|65", "STRING", "A"},
        {"CHR", "INT|353", "STRING", "a"},
        {"CHR", "INT|233", "STRING", "\303\251"},
        {"CHR", "INT|-1", "STRING", ""},
        {"CONCAT", "CHAR(1)|a;INT|1", NULL, "!Cannot apply 'CONCAT' to arguments of type"},
        {"CONCAT", "", NULL, "!Invalid number of arguments"},
        {"CONCAT", "STRING|a;STRING|NULL", "STRING", "<NULL>"},
        {"CONCAT_WS", "STRING|NULL;CHAR(1)|a", "STRING", "<NULL>"},
        {"CONCAT_WS", "CHAR(1)|,;CHAR(1)|a;INT|1", NULL,
         "!Cannot apply 'CONCAT_WS' to arguments of type"},
        {"CONCAT_WS", "STRING|,;STRING|a;STRING|NULL;STRING|b", "STRING NOT NULL", "a,b"},
        {"||", "CHAR(1)|a;CHAR(2)|bc", "CHAR(3) NOT NULL", "abc"},
        {"||", "CHAR(1)|a;INT|1", NULL, "!Cannot apply '||' to arguments of type"},
        {"||", "INT|1;INT|2", NULL, "!Cannot apply '||' to arguments of type"},
        {"||", "CHAR(1)|a;STRING|x", "STRING NOT NULL", "ax"},
        {"TRANSLATE", "CHAR(5)|hello;CHAR(2)|el;CHAR(2)|ip", "STRING NOT NULL", "hippo"},
        {"TO_BASE64", "CHAR(5)|hello", "STRING NOT NULL", "aGVsbG8="},
        {"FROM_BASE64", "CHAR(8)|aGVsbG8=", "STRING NOT NULL", "hello"},
        {"FROM_BASE64", "CHAR(3)|%%%", NULL, "!no base64"},
        {"FROM_BASE64", "STRING|/w==", "STRING NOT NULL", "\357\277\275"},
        {"HEX", "INT|255", "STRING NOT NULL", "FF"},
        {"HEX", "CHAR(3)|abc", "STRING NOT NULL", "616263"},
        {"HEX", "INT|-1", "STRING NOT NULL", "FFFFFFFFFFFFFFFF"},
        {"UNHEX", "CHAR(6)|616263", "BYTES", "x'616263'"},
        {"UNHEX", "CHAR(2)|zz", "BYTES", "<NULL>"},
        {"UNHEX", "STRING|abc", "BYTES", "x'0abc'"},
        {"BIN", "INT|5", "STRING NOT NULL", "101"},
        {"BIN", "INT|-1", "STRING NOT NULL",
         "1111111111111111111111111111111111111111111111111111111111111111"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_patterns(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"LIKE", "CHAR(5)|hello;CHAR(3)|h%o", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "CHAR(5)|hello;CHAR(5)|h_llo", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "CHAR(5)|hello;CHAR(2)|H%", "BOOLEAN NOT NULL", "FALSE"},
        {"LIKE", "CHAR(3)|a\\b;CHAR(3)|a\\b", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "CHAR(3)|a%b;CHAR(4)|a\\%b", "BOOLEAN NOT NULL", "FALSE"},
        {"LIKE", "CHAR(3)|a%b;CHAR(4)|a!%b;CHAR(1)|!", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "CHAR(2)|ab;CHAR(3)|a!b;CHAR(1)|!", NULL, "!Invalid escape sequence 'a!b', 1"},
        {"LIKE", "CHAR(2)|ab;CHAR(2)|a!;CHAR(1)|!", NULL, "!Invalid escape sequence 'a!', 1"},
        {"LIKE", "CHAR(2)|ab;CHAR(2)|ab;CHAR(2)|xx", NULL, "!Invalid escape character 'xx'"},
        {"LIKE", "CHAR(2)|\355\225\234\352\270\200;CHAR(2)|\355\225\234_", "BOOLEAN NOT NULL",
         "TRUE"},
        {"LIKE", "CHAR(2)|\360\237\230\200a;CHAR(2)|_a", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "CHAR(2)|\360\237\230\200a;CHAR(3)|__a", "BOOLEAN NOT NULL", "FALSE"},
        {"LIKE", "CHAR(3)|a.c;CHAR(3)|a.c", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "CHAR(3)|abc;CHAR(3)|a.c", "BOOLEAN NOT NULL", "FALSE"},
        {"LIKE", "STRING|a long text with words;STRING|%with%words", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "STRING|aaab;STRING|%aab", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "STRING|abcabd;STRING|a%b_", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "STRING|;STRING|%", "BOOLEAN NOT NULL", "TRUE"},
        {"LIKE", "STRING|;STRING|_", "BOOLEAN NOT NULL", "FALSE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(7)|a(b|c)*", "BOOLEAN NOT NULL", "TRUE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(3)|a.c", "BOOLEAN NOT NULL", "TRUE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(3)|a_c", "BOOLEAN NOT NULL", "TRUE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(6)|[a-c]+", "BOOLEAN NOT NULL", "TRUE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(2)|a%", "BOOLEAN NOT NULL", "TRUE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(1)|b", "BOOLEAN NOT NULL", "FALSE"},
        {"SIMILAR TO", "CHAR(2)|a%;CHAR(3)|a!%;CHAR(1)|!", "BOOLEAN NOT NULL", "TRUE"},
        {"SIMILAR TO", "CHAR(3)|abc;CHAR(1)|(", NULL, "!Invalid regular expression"},
        {"SIMILAR TO", "STRING|abc;STRING|[[:ALPHA:]]+", "BOOLEAN NOT NULL", "TRUE"},
        {"REGEXP", "CHAR(3)|abc;CHAR(1)|b", "BOOLEAN NOT NULL", "TRUE"},
        {"REGEXP", "CHAR(3)|abc;CHAR(1)|(", "BOOLEAN NOT NULL", "FALSE"},
        {"REGEXP_EXTRACT", "CHAR(9)|foothebar;CHAR(13)|foo(.*?)(bar);INT|2", "STRING", "bar"},
        {"REGEXP_EXTRACT", "CHAR(9)|foothebar;CHAR(13)|foo(.*?)(bar)", "STRING", "foothebar"},
        {"REGEXP_EXTRACT", "CHAR(9)|foothebar;CHAR(13)|foo(.*?)(bar);INT|5", "STRING", "<NULL>"},
        {"REGEXP_EXTRACT", "CHAR(9)|foothebar;CHAR(7)|xx(.*?);INT|1", "STRING", "<NULL>"},
        {"REGEXP_EXTRACT", "CHAR(9)|foothebar;CHAR(1)|(;INT|1", "STRING", "<NULL>"},
        {"REGEXP_EXTRACT",
         "STRING|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!;STRING|(a|aa)+$;INT|0", "STRING",
         "!takes too long"},
        {"REGEXP_REPLACE", "CHAR(6)|foobar;CHAR(5)|oo|ar;STRING|", "STRING NOT NULL", "fb"},
        {"REGEXP_REPLACE", "CHAR(6)|foobar;CHAR(4)|(o+);CHAR(4)|<$1>", "STRING NOT NULL",
         "f<$1>bar"},
        {"REGEXP_REPLACE", "CHAR(6)|foobar;CHAR(1)|(;CHAR(1)|x", NULL, "<NULL>"},
        {"REGEXP_COUNT", "CHAR(9)|foobarfoo;CHAR(3)|foo", "INT", "2"},
        {"REGEXP_INSTR", "CHAR(9)|foobarfoo;CHAR(3)|bar", "INT", "4"},
        {"REGEXP_SUBSTR", "CHAR(9)|foobarfoo;CHAR(3)|b.r", "STRING", "bar"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_searches),
        cmocka_unit_test(test_building),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
