/*
 * Digests, charsets, URLs, splitting: types and values that Flink gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/functions/call_case.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_digests(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"MD5", "STRING|abc", "CHAR(32) NOT NULL", "900150983cd24fb0d6963f7d28e17f72"},
        {"MD5", "STRING|", NULL, "d41d8cd98f00b204e9800998ecf8427e"},
        {"MD5", "BYTES|\n", NULL, "68b329da9893e34099c7d8ad5cb9c940"},
        {"MD5", "INT|5", NULL, "!Cannot apply 'MD5'"},
        {"SHA1", "STRING|abc", "CHAR(40) NOT NULL", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"SHA224", "STRING|abc", "CHAR(56) NOT NULL",
         "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
        {"SHA256", "STRING|abc", "CHAR(64) NOT NULL",
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"SHA384", "STRING|abc", "CHAR(96) NOT NULL",
         "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca13"
         "4"
         "c825a7"},
        {"SHA512", "STRING|abc", "CHAR(128) NOT NULL",
         "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a"
         "3"
         "feebbd454d4423643ce80e2a9ac94fa54ca49f"},
        {"SHA2", "STRING|abc;INT|224", "VARCHAR(128) NOT NULL",
         "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
        {"SHA2", "STRING|abc;INT|0", NULL, "!must be 224, 256, 384 or 512, got 0"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_charsets(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"ENCODE", "STRING|abc;STRING|utf-8", "BYTES NOT NULL", "x'616263'"},
        {"ENCODE", "STRING|a\303\251;STRING|ISO-8859-1", NULL, "x'61e9'"},
        {"ENCODE", "STRING|a\342\202\254;STRING|US-ASCII", NULL, "x'613f'"},
        {"ENCODE", "STRING|a\303\251;STRING|UTF-16", NULL, "x'feff006100e9'"},
        {"ENCODE", "STRING|a\303\251;STRING|UTF-16LE", NULL, "x'6100e900'"},
        {"ENCODE", "STRING|a\303\251;STRING|UTF-16BE", NULL, "x'006100e9'"},
        {"ENCODE", "STRING|\360\237\230\200;STRING|UTF-16BE", NULL, "x'd83dde00'"},
        {"ENCODE", "STRING|a;STRING|bogus", NULL, "!unknown charset 'bogus'"},
        {"DECODE", "BYTES|abc;STRING|UTF-8", "STRING NOT NULL", "abc"},
        {"DECODE", "BYTES|a\351;STRING|ISO-8859-1", NULL, "a\303\251"},
        {"DECODE", "BYTES|a\351;STRING|UTF-8", NULL, "a\357\277\275"},
        {"DECODE", "BYTES|a\351;STRING|US-ASCII", NULL, "a\357\277\275"},
        {"DECODE", "BYTES|\376\377ab;STRING|UTF-16", NULL, "\346\205\242"},
        {"DECODE", "BYTES|\377\376ba;STRING|UTF-16", NULL, "\346\205\242"},
        {"DECODE", "BYTES|baa;STRING|UTF-16LE", NULL, "\346\205\242\357\277\275"},
        {"DECODE", "STRING|a;STRING|UTF-8", NULL, "!Cannot apply 'DECODE'"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

#define URL "STRING|http://user@facebook.com:80/path/p1.php?query=1&b=2#ref;"

static void test_urls(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"PARSE_URL", URL "STRING|HOST", "STRING", "facebook.com"},
        {"PARSE_URL", URL "STRING|PATH", NULL, "/path/p1.php"},
        {"PARSE_URL", URL "STRING|QUERY", NULL, "query=1&b=2"},
        {"PARSE_URL", URL "STRING|REF", NULL, "ref"},
        {"PARSE_URL", URL "STRING|PROTOCOL", NULL, "http"},
        {"PARSE_URL", URL "STRING|AUTHORITY", NULL, "user@facebook.com:80"},
        {"PARSE_URL", URL "STRING|FILE", NULL, "/path/p1.php?query=1&b=2"},
        {"PARSE_URL", URL "STRING|USERINFO", NULL, "user"},
        {"PARSE_URL", URL "STRING|QUERY;STRING|b", NULL, "2"},
        {"PARSE_URL", URL "STRING|QUERY;STRING|z", NULL, "<NULL>"},
        {"PARSE_URL", URL "STRING|PATH;STRING|b", NULL, "<NULL>"},
        {"PARSE_URL", URL "STRING|host", NULL, "<NULL>"},
        {"PARSE_URL", "STRING|http://x.com;STRING|PATH", NULL, ""},
        {"PARSE_URL", "STRING|http://x.com;STRING|QUERY", NULL, "<NULL>"},
        {"PARSE_URL", "STRING|nonsense;STRING|HOST", NULL, "<NULL>"},
        {"PARSE_URL", "STRING|foo://x.com/a;STRING|HOST", NULL, "<NULL>"},
        {"PARSE_URL", "STRING|ftp://x.com/a?b;STRING|FILE", NULL, "/a?b"},
        {"PARSE_URL", "STRING|https://x.com/?a=1&a=2&=3&b;STRING|QUERY;STRING|a", NULL, "1"},
        {"PARSE_URL", "STRING|https://[::1]:80/a;STRING|HOST", NULL, "[::1]"},
        {"PARSE_URL", "STRING|https://x.com:99999/a;STRING|HOST", NULL, "x.com"},
        {"PARSE_URL", "STRING|https://x.com:zz/a;STRING|HOST", NULL, "<NULL>"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_splitting(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"SPLIT", "STRING|a,b,c;STRING|,", "ARRAY<STRING> NOT NULL", "[a, b, c]"},
        {"SPLIT", "STRING|abc;STRING|", NULL, "[a, b, c]"},
        {"SPLIT", "STRING|;STRING|,", NULL, "[]"},
        {"STR_TO_MAP", "STRING|a=1,a=2,b", "MAP<STRING, STRING>", "{a=2, b=NULL}"},
        {"STR_TO_MAP", "STRING|", NULL, "{}"},
        {"STR_TO_MAP", "STRING|a=1=2,,c=,,", NULL, "{a=1=2, =NULL, c=}"},
        {"STR_TO_MAP", "STRING|a1b1;STRING|[0-9];STRING|x", NULL, "{a=NULL, b=NULL}"},
        {"STR_TO_MAP", "STRING|a:1/b:2;STRING|/;STRING|:", NULL, "{a=1, b=2}"},
        {"STR_TO_MAP", "STRING|a;STRING|(;STRING|:", NULL, "!'(' is no regular expression"},
        {"REGEXP_EXTRACT_ALL", "STRING|100-200,300-400;STRING|(\\d+)-(\\d+)", "ARRAY<STRING>",
         "[100, 300]"},
        {"REGEXP_EXTRACT_ALL", "STRING|100-200,300-400;STRING|(\\d+)-(\\d+);INT|2", NULL,
         "[200, 400]"},
        {"REGEXP_EXTRACT_ALL", "STRING|100-200,300-400;STRING|\\d+;INT|0", NULL,
         "[100, 200, 300, 400]"},
        {"REGEXP_EXTRACT_ALL", "STRING|100-200;STRING|\\d+", NULL, "<NULL>"},
        {"REGEXP_EXTRACT_ALL", "STRING|abc;STRING|z;INT|0", NULL, "[]"},
        {"REGEXP_EXTRACT_ALL", "STRING|abc;STRING|(;INT|0", NULL, "<NULL>"},
        {"REGEXP_EXTRACT_ALL", "STRING|abc;STRING|b;INT|-1", NULL, "<NULL>"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_overlaps(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"OVERLAPS", "DATE|2024-01-03;DATE|2024-01-01;DATE|2024-01-02;DATE|2024-01-02",
         "BOOLEAN NOT NULL", "TRUE"},
        {"OVERLAPS", "DATE|2024-01-01;DATE|2024-01-02;DATE|2024-01-02;DATE|2024-01-04", NULL,
         "TRUE"},
        {"OVERLAPS", "DATE|2024-01-01;DATE|2024-01-02;DATE|2024-01-03;DATE|2024-01-04", NULL,
         "FALSE"},
        {"OVERLAPS", "DATE|2024-01-01;DATE|NULL;DATE|2024-01-03;DATE|2024-01-04", "BOOLEAN",
         "FALSE"},
        {"OVERLAPS", "DATE|2024-01-05;DATE|NULL;DATE|2024-01-03;DATE|2024-01-04", "BOOLEAN",
         "<NULL>"},
    };
    call_cases_check(cases, COUNT(cases), "UTC");
}

static void test_failing_allocations(void **state) {
    (void)state;
    static const struct call_case cases[] = {
        {"SHA2", "STRING|abc;INT|512", NULL, NULL},
        {"ENCODE", "STRING|a text that is longer than twelve bytes;STRING|UTF-16", NULL, NULL},
        {"DECODE", "BYTES|a text that is longer than twelve bytes;STRING|UTF-16", NULL, NULL},
        {"PARSE_URL", URL "STRING|FILE", NULL, NULL},
        {"SPLIT", "STRING|a,b,c;STRING|,", NULL, NULL},
        {"STR_TO_MAP", "STRING|a:1/b:2;STRING|/;STRING|:", NULL, NULL},
        {"REGEXP_EXTRACT_ALL", "STRING|100-200,300-400;STRING|(\\d+)-(\\d+)", NULL, NULL},
    };
    call_cases_fail(cases, COUNT(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digests),  cmocka_unit_test(test_charsets),
        cmocka_unit_test(test_urls),     cmocka_unit_test(test_splitting),
        cmocka_unit_test(test_overlaps), cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
