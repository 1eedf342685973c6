/*
 * What single fields and records become: answers of Flink 2.3.0, asked one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/io/csv_case.h"

static const struct csv_setup plain = {1 << 20, 4096, 1, false, NULL, 0, 0};

static void check(const struct csv_case *test, const char *rows, const char *message,
                  uint32_t line) {
    struct csv_outcome got;
    csv_case_read(test, &plain, NULL, &got);
    if (oriel_text_buffer_append(&got.rows, "", 1) != ORIEL_OK)
        fail();
    if (message) {
        assert_int_equal(got.status, ORIEL_DATA);
        if (!strstr(got.error.message, message))
            assert_string_equal(got.error.message, message);
        assert_int_equal(got.error.line, line);
        assert_string_equal(got.error.source, "text");
    } else if (got.status != ORIEL_DONE) {
        assert_string_equal(got.error.message, "");
    }
    assert_string_equal(got.rows.bytes, rows);
    csv_outcome_deinit(&got);
}

struct value {
    struct oriel_type type;
    const char *text;
    const char *row; /* NULL: an error with this part of a message */
    const char *message;
};

static void check_values(const struct value *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct csv_case test;
        char text[512];
        snprintf(text, sizeof text, "1,%s\n", values[i].text);
        csv_case_init(&test, text, strlen(text));
        csv_case_add(&test, "id", oriel_type_make(ORIEL_TYPE_INT), false);
        csv_case_add(&test, "v", values[i].type, true);
        char row[256];
        snprintf(row, sizeof row, "%s|\n", values[i].row ? values[i].row : "");
        check(&test, values[i].row ? row : "", values[i].message, 1);
        if (!values[i].row) {
            test.options.ignore_parse_errors = true;
            check(&test, "NULL|\n", NULL, 0);
        }
    }
}

static void numbers(void **state) {
    (void)state;
    const struct oriel_type tinyint = oriel_type_make(ORIEL_TYPE_TINYINT);
    const struct oriel_type smallint = oriel_type_make(ORIEL_TYPE_SMALLINT);
    const struct oriel_type integer = oriel_type_make(ORIEL_TYPE_INT);
    const struct oriel_type bigint = oriel_type_make(ORIEL_TYPE_BIGINT);
    const struct oriel_type real = oriel_type_make(ORIEL_TYPE_FLOAT);
    const struct oriel_type dbl = oriel_type_make(ORIEL_TYPE_DOUBLE);
    const struct oriel_type decimal = oriel_type_decimal(10, 2);
    const struct value values[] = {
        {integer, "+5", "5", NULL},
        {integer, "007", "7", NULL},
        {integer, "-0", "0", NULL},
        {integer, "\t5\t", "5", NULL},
        {integer, "\" 12 \"", "12", NULL},
        {integer, "-2147483648", "-2147483648", NULL},
        {integer, "2147483648", NULL, "For input string: \"2147483648\""},
        {integer, "ten", NULL, "column 'v' INT: For input string: \"ten\""},
        {integer, "", NULL, "For input string: \"\""},
        {integer, "1_000", NULL, "For input string: \"1_000\""},
        {integer, "a\x01\x1b[31m", NULL, "For input string: \"a\\x01\\x1b[31m\""},
        {bigint, "9223372036854775807", "9223372036854775807", NULL},
        {bigint, "9223372036854775808", NULL, "For input string: \"9223372036854775808\""},
        {bigint, "1.0", NULL, "For input string: \"1.0\""},
        {tinyint, "127", "127", NULL},
        {tinyint, "-128", "-128", NULL},
        {tinyint, "128", NULL, "Value out of range. Value:\"128\" Radix:10"},
        {smallint, "-32769", NULL, "Value out of range. Value:\"-32769\" Radix:10"},
        {smallint, "32767", "32767", NULL},
        {dbl, "NaN", "NaN", NULL},
        {dbl, "-Infinity", "-Infinity", NULL},
        {dbl, " 1d ", "1.0", NULL},
        {dbl, ".5", "0.5", NULL},
        {dbl, "0x1p3", "8.0", NULL},
        {dbl, "1e999", "Infinity", NULL},
        {dbl, "nan", NULL, "For input string: \"nan\""},
        {real, "123456789.123", "1.23456792E8", NULL},
        {decimal, "1.005", "1.01", NULL},
        {decimal, "1e2", "100.00", NULL},
        {decimal, "123456789.1", "NULL", NULL},
        {decimal, "\" 1.5 \"", NULL, "For input string: \" 1.5 \""},
        {decimal, "", NULL, "For input string: \"\""},
    };
    check_values(values, sizeof values / sizeof *values);
}

static void times_and_the_rest(void **state) {
    (void)state;
    const struct oriel_type ts0 = oriel_type_timestamp(0), ts3 = oriel_type_timestamp(3),
                            ts9 = oriel_type_timestamp(9), ltz = oriel_type_timestamp_ltz(3);
    const struct oriel_type date = oriel_type_make(ORIEL_TYPE_DATE);
    const struct oriel_type boolean = oriel_type_make(ORIEL_TYPE_BOOLEAN);
    const struct oriel_type string = oriel_type_string();
    struct oriel_type time = oriel_type_make(ORIEL_TYPE_TIME);
    time.precision = 3;
    struct oriel_type bytes = oriel_type_make(ORIEL_TYPE_VARBINARY);
    bytes.length = ORIEL_LENGTH_MAX;
    const struct value values[] = {
        {ts3, " 2024-03-01 00:00:01.5 ", "2024-03-01 00:00:01.500", NULL},
        {ts9, "2024-03-01 00:00:01.123456789", "2024-03-01 00:00:01.123456789", NULL},
        {ts9, "1969-12-31 23:59:59.123456789", "1969-12-31 23:59:59.123456789", NULL},
        {ts0, "2024-01-01 00:00:00.999", "2024-01-01 00:00:00", NULL},
        {ts3, "2023-02-29 10:00:00", "2023-02-28 10:00:00.000", NULL},
        {ts3, "2024-01-01 24:00:00", "2024-01-02 00:00:00.000", NULL},
        {ts3, "2024-03-01", NULL, "Text '2024-03-01' could not be parsed"},
        {ts3, "2024-03-01 00:01", NULL, "Text '2024-03-01 00:01' could not be parsed"},
        {ts3, "2024-03-01 00:00:01Z", NULL, "Text '2024-03-01 00:00:01Z' could not be parsed"},
        {ts3, "2024-13-01 00:00:02", NULL, "could not be parsed"},
        {ts3, "", NULL, "Text '' could not be parsed"},
        {ltz, " 2024-01-01 00:00:00Z ", "1704067200000ms", NULL},
        {ltz, "2024-03-01 00:00:01", NULL, "with a Z at the end"},
        {ltz, "2024-03-01 00:00:01+09:00", NULL, "could not be parsed"},
        {date, "2024-2-29", "2024-02-29", NULL},
        {date, "2023-02-29", "2023-03-01", NULL},
        {date, " 2024-01-01", NULL,
         "Text ' 2024-01-01' could not be parsed; the form is yyyy-MM-dd"},
        {time, "12:34", "12:34:00.0", NULL},
        {time, "12:34:56.789123", "12:34:56.789", NULL},
        {time, "24:00:00", NULL, "could not be parsed"},
        {boolean, " TrUe ", "TRUE", NULL},
        {boolean, "yes", "FALSE", NULL},
        {boolean, "", "FALSE", NULL},
        {string, "", "'0:'", NULL},
        {string, " a ", "'3: a '", NULL},
        {string, "a\"b", "'3:a\"b'", NULL},
        {string, " \"b\"", "'4: \"b\"'", NULL},
        {string, "\"b\"  ", "'1:b'", NULL},
        {string, "\"say \"\"hi\"\"\"", "'8:say \"hi\"'", NULL},
        {string, "\"a long one, with a comma\"", "'24:a long one, with a comma'", NULL},
        {string, "\"\"\"\"\"\"", "'2:\"\"'", NULL},
        {bytes, " YQ== YWJj ", "'4:aabc'", NULL},
        {bytes, "YQ", NULL, "broken Base64"},
        {bytes, "Y-_j", NULL, "broken Base64"},
        {bytes, "", "'0:'", NULL},
    };
    check_values(values, sizeof values / sizeof *values);
}

static void two_columns(struct csv_case *test, const char *text, size_t length) {
    csv_case_init(test, text, length);
    csv_case_add(test, "id", oriel_type_make(ORIEL_TYPE_INT), true);
    csv_case_add(test, "k", oriel_type_string(), true);
}

#define TWO(test, text) two_columns(test, text, sizeof(text) - 1)

static void records(void **state) {
    (void)state;
    struct csv_case test;
    TWO(&test, "\xEF\xBB\xBF\"1\",a\r\n2,\"b\nb\"\n3,c");
    check(&test, "1|'1:a'|\n2|'3:b\nb'|\n3|'1:c'|\n", NULL, 0);
    TWO(&test, "1,a\r2,b\r\r\n3,c\r\n"); /* a lone CR ends a record, so there is an empty one */
    check(&test, "1|'1:a'|\n2|'1:b'|\n", "Row length mismatch. 2 fields expected but was 1.", 3);
    test.options.ignore_parse_errors = true;
    check(&test, "1|'1:a'|\n2|'1:b'|\nNULL|NULL|\n3|'1:c'|\n", NULL, 0);
    TWO(&test, "1,a\n2,\"b\"x\n3,c\n");
    check(&test, "1|'1:a'|\n", "Unexpected character after a closing quote (code 120)", 2);
    test.options.ignore_parse_errors = true;
    check(&test, "1|'1:a'|\n3|'1:c'|\n", NULL, 0);
    TWO(&test, "1,a\n2,\"b\n3,c\n");
    check(&test, "1|'1:a'|\n", "Missing closing quote for value: \"b\\n3,c\\n", 2);
    test.options.ignore_parse_errors = true;
    check(&test, "1|'1:a'|\n", NULL, 0);
    TWO(&test, "1,a,\n2,b,\"\"\n3,c, \n4,d,,\n");
    check(&test, "1|'1:a'|\n2|'1:b'|\n3|'1:c'|\n",
          "Too many entries: expected at most 2 (value #2 (0 chars) \"\")", 4);
    TWO(&test, "1,a,\"x \"\"y\"\"\",z\n");
    check(&test, "", "Too many entries: expected at most 2 (value #2 (5 chars) \"x \"y\"\")", 1);
    TWO(&test, "1,a,b,c\n2,b\n3,x,\"y\nz\",w\n4\n");
    test.options.ignore_parse_errors = true;
    check(&test, "2|'1:b'|\n4|NULL|\n", NULL, 0);
    TWO(&test, "1,a\0b\n");
    struct csv_outcome got;
    csv_case_read(&test, &plain, NULL, &got);
    assert_int_equal(got.rows.length, sizeof "1|'3:a\0b'|\n" - 1);
    assert_memory_equal(got.rows.bytes, "1|'3:a\0b'|\n", got.rows.length);
    csv_outcome_deinit(&got);
    TWO(&test, "1,a\n2,\xC3x\n3,c\n");
    check(&test, "1|'1:a'|\n", "Invalid UTF-8: byte 0xc3", 2);
    TWO(&test, "");
    check(&test, "", NULL, 0);
    TWO(&test, "\n");
    check(&test, "", "Row length mismatch. 2 fields expected but was 1.", 1);
}

static void options(void **state) {
    (void)state;
    struct csv_case test;
    TWO(&test, "1,a\\nb\n2,c\\\nd\n3,\\\"e\"\n4,\"f\\\"g\\t\\,h\\x\"\n5,\\,\n1\\2,\\\\\n");
    test.options.escape = '\\';
    check(&test, "1|'3:a\nb'|\n2|'3:c\nd'|\n3|'3:\"e\"'|\n4|'7:f\"g\t,hx'|\n5|'1:,'|\n12|'1:\\'|\n",
          NULL, 0);
    TWO(&test, "1,a\n2,b\\");
    test.options.escape = '\\';
    check(&test, "1|'1:a'|\n", "Unexpected end of the file in an escaped character", 2);
    TWO(&test, "#x\r\n  # y\n1,a\n\n   \n 2,b\n#\"z\n3,\"q\n#r\"\n4,#\n  \"5\",e\n#last");
    test.options.allow_comments = true;
    check(&test, "1|'1:a'|\n2|'1:b'|\n3|'4:q\n#r'|\n4|'1:#'|\n5|'1:e'|\n", NULL, 0);
    TWO(&test, "NULL,NULL\n2,\"NULL\"\n3,null\n4, NULL\n");
    test.options.null_literal = "NULL";
    test.options.null_literal_length = 4;
    check(&test, "NULL|NULL|\n2|NULL|\n3|'4:null'|\n4|'5: NULL'|\n", NULL, 0);
    TWO(&test, "5,5\n6,\"5\"\n");
    test.options.null_literal = "5";
    test.options.null_literal_length = 1;
    check(&test, "NULL|NULL|\n6|NULL|\n", NULL, 0);
    TWO(&test, ",\n\"\",\"\"\n");
    test.options.null_literal = "";
    check(&test, "NULL|NULL|\nNULL|NULL|\n", NULL, 0);
    TWO(&test, "1,\n2,\"\"\n");
    test.options.null_literal = "";
    test.options.quoted_empty_is_string = true;
    check(&test, "1|NULL|\n2|'0:'|\n", NULL, 0);
    TWO(&test, "1,\"a\n2,\"b\"\n");
    test.options.quote = -1;
    check(&test, "1|'2:\"a'|\n2|'3:\"b\"'|\n", NULL, 0);
    TWO(&test, "1\"a\n\"2\"\"b\n");
    test.options.delimiter = '"';
    check(&test, "1|'1:a'|\n", "Missing closing quote", 2);
}

static void unused_columns_not_null_and_rowtime(void **state) {
    (void)state;
    static const char text[] = "1,a,2024-01-01 00:00:00\nx,b,\n";
    struct csv_case test;
    csv_case_init(&test, text, sizeof text - 1);
    csv_case_add(&test, "id", oriel_type_make(ORIEL_TYPE_INT), false);
    csv_case_add(&test, "k", oriel_type_string(), true);
    csv_case_add(&test, "ts", oriel_type_timestamp(3), false);
    check(&test, "'1:a'|\n'1:b'|\n", NULL, 0);
    test.rowtime = 2;
    check(&test, "'1:a'|\n", "Text '' could not be parsed", 2);
    test.options.null_literal = "";
    check(&test, "'1:a'|\n",
          "RowTime field should not be null, please convert it to a non-null long value.", 2);
    test.rowtime = -1;
    test.columns[0].field = 2;
    test.fields[2].type.nullable = false;
    check(&test, "2024-01-01 00:00:00.000|\n",
          "Column 'ts' is NOT NULL, however, a null value is being written into it.", 2);
}

static void arrays_and_rows(void **state) {
    (void)state;
    struct csv_case test;
    static const char text[] = "1;2,a;;\"b,\n,,5;y\n3;x,\"p;q\",6;\n";
    const struct oriel_field numbers = {NULL, oriel_type_make(ORIEL_TYPE_INT)};
    const struct oriel_field strings = {NULL, oriel_type_string()};
    const struct oriel_field parts[] = {{"x", oriel_type_make(ORIEL_TYPE_INT)},
                                        {"y", oriel_type_string()}};
    struct oriel_type array = oriel_type_make(ORIEL_TYPE_ARRAY);
    array.field_count = 1;
    array.fields = &numbers;
    struct oriel_type row = oriel_type_make(ORIEL_TYPE_ROW);
    row.field_count = 2;
    row.fields = parts;
    csv_case_init(&test, text, sizeof text - 1);
    csv_case_add(&test, "a", array, true);
    array.fields = &strings;
    csv_case_add(&test, "b", array, true);
    csv_case_add(&test, "r", row, true);
    check(&test, "[1, 2]|[a, , \"b]|NULL|\n[]|[]|(5, y)|\n",
          "column 'a' ARRAY<INT>: For input string: \"3;x\"", 3);
    test.options.ignore_parse_errors = true;
    test.options.null_literal = "";
    check(&test, "[1, 2]|[a, NULL, \"b]|NULL|\n[]|[]|(5, y)|\n[3, NULL]|[p, q]|(6, NULL)|\n", NULL,
          0);
}

static void options_are_checked(void **state) {
    (void)state;
    static const struct {
        const char *key, *value, *message;
    } cases[] = {
        {"csv.field-delimiter", ";;",
         "Option 'csv.field-delimiter' must be a string with single character, but was: ;;"},
        {"csv.field-delimiter", "", "must be a string with single character, but was: "},
        {"csv.quote-character", "ab", "Option 'csv.quote-character' must be a string with single"},
        {"csv.allow-comments", "maybe", "must be true or false, but was: maybe"},
        {"csv.field-delimiter", "\xEA\xB0\x80", "takes only ASCII characters"},
        {"csv.field-delimiter", "\\n", "must not be a line break"},
        {"csv.no-such-option", "x", NULL},
        {"csv.field-delimiter", "\\t", NULL},
        {"csv.field-delimiter", "\\u0001", NULL},
        {"csv.field-delimiter", "\\", NULL},
        {"csv.array-element-delimiter", "\xEA\xB0\x80", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct oriel_csv_options csv;
        struct oriel_error error = {0};
        const struct oriel_position position = {3, 7};
        oriel_csv_options_init(&csv);
        const enum oriel_status status =
            oriel_csv_options_set(&csv, cases[i].key, cases[i].value, position, &error);
        assert_int_equal(status != ORIEL_OK, cases[i].message != NULL);
        if (cases[i].message) {
            assert_non_null(strstr(error.message, cases[i].message));
            assert_int_equal(error.line, 3);
        }
        if (strcmp(cases[i].value, "\\t") == 0)
            assert_int_equal(csv.delimiter, '\t');
        if (strcmp(cases[i].value, "\\u0001") == 0)
            assert_int_equal(csv.delimiter, 1);
    }
    struct oriel_csv_options csv;
    struct oriel_error error;
    oriel_csv_options_init(&csv);
    const struct oriel_position none = {0};
    assert_int_equal(oriel_csv_options_set(&csv, "csv.quote-character", "'", none, &error), 0);
    assert_int_equal(
        oriel_csv_options_set(&csv, "csv.disable-quote-character", "true", none, &error), 0);
    assert_int_equal(oriel_csv_options_finish(&csv, &error), ORIEL_INVALID);
}

static void lenient_dates_are_noted_once(void **state) {
    (void)state;
    static const char text[] =
        "1,2023-02-28 00:00:00\n\"2\",2023-02-29 00:00:00\n3,2023-04-31 00:00:00\n";
    static const struct csv_setup setups[] = {
        {16, 64, 2, false, NULL, 0, 0},
        {16, 64, 1, true, NULL, 0, 0},
    };
    for (size_t i = 0; i < 2; i++) {
        struct csv_case test;
        csv_case_init(&test, text, sizeof text - 1);
        csv_case_add(&test, "id", oriel_type_make(ORIEL_TYPE_INT), true);
        csv_case_add(&test, "ts", oriel_type_timestamp(3), true);
        struct csv_outcome got;
        csv_case_read(&test, &setups[i], NULL, &got);
        assert_int_equal(got.row_count, 3);
        assert_int_equal(got.lenient_notes, 1);
        assert_string_equal(got.note, "2 dates or times that do not exist were read by Flink's "
                                      "lenient rule; the first is '2023-02-29 00:00:00' in text:2");
        csv_outcome_deinit(&got);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(times_and_the_rest),
        cmocka_unit_test(records),
        cmocka_unit_test(options),
        cmocka_unit_test(unused_columns_not_null_and_rowtime),
        cmocka_unit_test(arrays_and_rows),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(lenient_dates_are_noted_once),
    };
    return cmocka_run_group_tests_name("io csv fields", tests, NULL, NULL);
}
