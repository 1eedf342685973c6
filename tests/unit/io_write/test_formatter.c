/*
 * Rows in the four formats, every type, and the edges of each format.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/zone.h"
#include "engine/io/formatter.h"

enum { COLUMNS_MAX = 16 };

static struct oriel_memory memory;

/* A table of two rows: one with values, one of NULLs. */
struct two_rows {
    struct oriel_field fields[COLUMNS_MAX];
    struct oriel_column columns[COLUMNS_MAX];
    uint64_t valid;
    uint32_t count;
};

static void add(struct two_rows *rows, const char *name, struct oriel_type type, void *values) {
    rows->valid = 1;
    rows->fields[rows->count] = (struct oriel_field){name, type};
    rows->columns[rows->count++] =
        (struct oriel_column){.type = type, .values = values, .valid = &rows->valid};
}

static const struct oriel_formatter_options csv_options = {
    .format = ORIEL_FORMAT_CSV,
    .header = true,
    .csv = {.delimiter = ',', .quote = '"', .quote_empty = true},
};

/* Formats `row_count` rows of the table and compares all of the text. */
static void check(const struct two_rows *rows, size_t row_count,
                  const struct oriel_formatter_options *options, const char *expected) {
    const struct oriel_schema schema = {rows->count, rows->fields};
    const struct oriel_batch batch = {row_count, rows->count, rows->columns, 0, NULL};
    struct oriel_formatter *formatter;
    struct oriel_format_piece piece;
    assert_int_equal(oriel_formatter_open(&memory, schema, options, &formatter, NULL), ORIEL_OK);
    assert_int_equal(oriel_format_piece_init(&piece, &memory, rows->count, NULL), ORIEL_OK);
    assert_int_equal(oriel_formatter_measure(formatter, &batch, NULL), ORIEL_OK);
    if (row_count || !oriel_formatter_is_tableau(formatter))
        assert_int_equal(oriel_formatter_begin(formatter, &piece, NULL), ORIEL_OK);
    assert_int_equal(oriel_formatter_rows(formatter, &piece, &batch, NULL), ORIEL_OK);
    assert_int_equal(oriel_formatter_end(formatter, &piece, row_count, NULL), ORIEL_OK);
    assert_int_equal(oriel_text_buffer_append(&piece.text, "", 1), ORIEL_OK);
    assert_string_equal(piece.text.bytes, expected);
    oriel_format_piece_deinit(&piece);
    oriel_formatter_close(&formatter);
    assert_int_equal(memory.used_bytes, 0);
}

static struct oriel_string text(const char *bytes) {
    return oriel_string_make(bytes, strlen(bytes));
}

static void fill_numbers(struct two_rows *rows) {
    static int8_t booleans[2] = {1}, tiny[2] = {-128};
    static int16_t small[2] = {-32768};
    static int32_t integers[2] = {INT32_MIN};
    static int64_t longs[2] = {INT64_MIN};
    static double doubles[2] = {1e7};
    static oriel_i128 decimals[2] = {-50};
    add(rows, "b", oriel_type_make(ORIEL_TYPE_BOOLEAN), booleans);
    add(rows, "t", oriel_type_make(ORIEL_TYPE_TINYINT), tiny);
    add(rows, "s", oriel_type_make(ORIEL_TYPE_SMALLINT), small);
    add(rows, "i", oriel_type_make(ORIEL_TYPE_INT), integers);
    add(rows, "l", oriel_type_make(ORIEL_TYPE_BIGINT), longs);
    add(rows, "d", oriel_type_make(ORIEL_TYPE_DOUBLE), doubles);
    add(rows, "n", oriel_type_decimal(10, 2), decimals);
}

static void writes_numbers(void **state) {
    (void)state;
    struct two_rows rows = {0};
    fill_numbers(&rows);
    check(&rows, 2, &csv_options,
          "b,t,s,i,l,d,n\n"
          "true,-128,-32768,-2147483648,-9223372036854775808,1.0E7,-0.50\n"
          ",,,,,,\n");
    const struct oriel_formatter_options json = {.format = ORIEL_FORMAT_JSON};
    check(&rows, 2, &json,
          "{\"b\":true,\"t\":-128,\"s\":-32768,\"i\":-2147483648,\"l\":-9223372036854775808,"
          "\"d\":1.0E7,\"n\":-0.50}\n"
          "{\"b\":null,\"t\":null,\"s\":null,\"i\":null,\"l\":null,\"d\":null,\"n\":null}\n");
}

static void writes_times(void **state) {
    (void)state;
    static int64_t seconds[2] = {-1}, millis[2] = {1704067200000}, instants[2] = {1704067200120};
    static oriel_i128 nanos[2] = {(oriel_i128)1704067200000000001};
    static int32_t dates[2] = {-719162}, times[2] = {3723000};
    struct two_rows rows = {0};
    add(&rows, "s", oriel_type_timestamp(0), seconds);
    add(&rows, "m", oriel_type_timestamp(3), millis);
    add(&rows, "z", oriel_type_timestamp_ltz(3), instants);
    add(&rows, "n", oriel_type_timestamp(9), nanos);
    add(&rows, "d", oriel_type_make(ORIEL_TYPE_DATE), dates);
    add(&rows, "t", oriel_type_make(ORIEL_TYPE_TIME), times);
    check(&rows, 1, &csv_options,
          "s,m,z,n,d,t\n"
          "1969-12-31 23:59:59,2024-01-01 00:00:00.000,2024-01-01 00:00:00.120Z,"
          "2024-01-01 00:00:00.000000001,0001-01-01,01:02:03\n");
    struct oriel_formatter_options trimmed = csv_options;
    trimmed.header = false;
    trimmed.csv.as_flink = true;
    check(&rows, 1, &trimmed,
          "\"1969-12-31 23:59:59\",\"2024-01-01 00:00:00\",\"2024-01-01 00:00:00.12Z\","
          "\"2024-01-01 00:00:00.000000001\",0001-01-01,01:02:03\n");
}

/* Every count of digits: powers of ten, their neighbours, and digits that all differ. */
static void writes_every_length(void **state) {
    (void)state;
    enum { PLACES = 19, FORMS = 5 };
    static int64_t values[PLACES * FORMS * 2];
    char expected[sizeof values / sizeof *values * 21 + 1];
    size_t count = 0, length = 0;
    int64_t power = 1, rising = 1;
    for (int i = 0; i < PLACES; i++) {
        const int64_t forms[FORMS] = {power - 1, power, power + 1, 9 * (power / 10), rising};
        for (int k = 0; k < FORMS; k++) {
            values[count++] = forms[k];
            values[count++] = -forms[k];
        }
        power = i + 1 < PLACES ? power * 10 : power;
        rising = i < 17 ? rising * 10 + (i + 2) % 10 : rising;
    }
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%lld\n",
                                   (long long)values[i]);
    struct two_rows rows = {0};
    add(&rows, "v", oriel_type_make(ORIEL_TYPE_BIGINT), values);
    rows.columns[0].valid = NULL;
    struct oriel_formatter_options plain = csv_options;
    plain.header = false;
    check(&rows, count, &plain, expected);
}

/* Strings are looked at as a batch: one that is empty, long, NULL or has a comma changes none of
 * the others. */
static void tells_plain_batches(void **state) {
    (void)state;
    static const char *const changes[] = {"plain", "", "longer than 12 bytes", "a,b"};
    static const char *const shown[] = {"plain", "\"\"", "longer than 12 bytes", "\"a,b\""};
    for (int i = 0; i < 5; i++) {
        struct oriel_string values[4] = {text("ten bytes!"), text("twelve bytes"), text("\xc3\xa4"),
                                         text(i < 4 ? changes[i] : "")};
        uint64_t valid[1] = {i < 4 ? 15 : 7};
        char expected[128];
        snprintf(expected, sizeof expected, "ten bytes!\ntwelve bytes\n\xc3\xa4\n%s\n",
                 i < 4 ? shown[i] : "");
        struct two_rows rows = {0};
        add(&rows, "v", oriel_type_make(ORIEL_TYPE_VARCHAR), values);
        rows.columns[0].valid = valid;
        struct oriel_formatter_options plain = csv_options;
        plain.header = false;
        check(&rows, 4, &plain, expected);
        plain.csv.escape = '\\';
        plain.csv.quote = 0;
        snprintf(expected, sizeof expected, "ten bytes!\ntwelve bytes\n\xc3\xa4\n%s\n",
                 i < 4 ? changes[i] : "");
        check(&rows, 4, &plain, expected);
    }
}

static void keeps_times_apart(void **state) {
    (void)state;
    static int64_t times[8] = {-62135596800000, 253402300799999, 253402300800000, 0, 0, 0, 0,
                               86399999};
    struct two_rows rows = {0};
    add(&rows, "t", oriel_type_timestamp(3), times);
    rows.columns[0].valid = NULL;
    struct oriel_formatter_options plain = csv_options;
    plain.header = false;
    check(&rows, 8, &plain,
          "0001-01-01 00:00:00.000\n9999-12-31 23:59:59.999\n0000-01-01 00:00:00.000\n"
          "1970-01-01 00:00:00.000\n1970-01-01 00:00:00.000\n"
          "1970-01-01 00:00:00.000\n1970-01-01 00:00:00.000\n1970-01-01 23:59:59.999\n");
}

static void quotes_what_needs_it(void **state) {
    (void)state;
    struct oriel_string values[8] = {text("a,b"),
                                     text("say \"hi\""),
                                     text(""),
                                     text("two\nlines"),
                                     text("cr\r"),
                                     text(" blank "),
                                     text("plain text longer than twelve"),
                                     text("x;y")};
    struct two_rows rows = {0};
    add(&rows, "a \"name\"", oriel_type_string(), values);
    rows.columns[0].valid = NULL;
    check(&rows, 8, &csv_options,
          "\"a \"\"name\"\"\"\n\"a,b\"\n\"say \"\"hi\"\"\"\n\"\"\n\"two\nlines\"\n\"cr\r\"\n"
          " blank \nplain text longer than twelve\nx;y\n");
    struct oriel_formatter_options other = {
        .format = ORIEL_FORMAT_CSV,
        .csv = {.delimiter = ';', .quote = '\'', .escape = '\\', .null_literal = "n/a"}};
    uint64_t valid = 0xfe;
    rows.columns[0].valid = &valid;
    check(&rows, 8, &other,
          "n/a\nsay \"hi\"\n\n'two\nlines'\n'cr\r'\n blank \nplain text longer than twelve\n"
          "'x;y'\n");
}

static void quotes_numbers_with_odd_delimiters(void **state) {
    (void)state;
    static int64_t numbers[1] = {-5}, times[1] = {0};
    struct two_rows rows = {0};
    add(&rows, "n", oriel_type_make(ORIEL_TYPE_BIGINT), numbers);
    add(&rows, "t", oriel_type_timestamp(0), times);
    const struct oriel_formatter_options options = {.format = ORIEL_FORMAT_CSV,
                                                    .csv = {.delimiter = '-', .quote = '"'}};
    check(&rows, 1, &options, "\"-5\"-\"1970-01-01 00:00:00\"\n");
}

static void writes_strings_of_json(void **state) {
    (void)state;
    struct oriel_string values[3] = {text("q\" b\\ n\n t\t e\x1b d\x7f c\xc2\x85 \xc3\xa9"),
                                     text(""), text("a longer text than twelve")};
    struct oriel_string bytes[3] = {oriel_string_make("\x0a\xff", 2), oriel_string_make("abc", 3),
                                    oriel_string_make("", 0)};
    double doubles[3] = {NAN, INFINITY, -INFINITY};
    struct two_rows rows = {0};
    add(&rows, "s", oriel_type_string(), values);
    add(&rows, "b", oriel_type_make(ORIEL_TYPE_VARBINARY), bytes);
    add(&rows, "d", oriel_type_make(ORIEL_TYPE_DOUBLE), doubles);
    for (int i = 0; i < 3; i++)
        rows.columns[i].valid = NULL;
    const struct oriel_formatter_options json = {.format = ORIEL_FORMAT_JSON};
    check(&rows, 3, &json,
          "{\"s\":\"q\\\" b\\\\ n\\n t\\t e\\u001b d\\u007f c\\u0085 \xc3\xa9\",\"b\":\"Cv8=\","
          "\"d\":\"NaN\"}\n"
          "{\"s\":\"\",\"b\":\"YWJj\",\"d\":\"Infinity\"}\n"
          "{\"s\":\"a longer text than twelve\",\"b\":\"\",\"d\":\"-Infinity\"}\n");
}

static void writes_nested_json(void **state) {
    (void)state;
    const struct oriel_field element[] = {{NULL, oriel_type_make(ORIEL_TYPE_INT)}};
    const struct oriel_field pair[] = {{NULL, oriel_type_string()},
                                       {NULL, oriel_type_make(ORIEL_TYPE_BOOLEAN)}};
    struct oriel_type array = oriel_type_make(ORIEL_TYPE_ARRAY);
    struct oriel_type map = oriel_type_make(ORIEL_TYPE_MAP);
    array.field_count = 1;
    array.fields = element;
    map.field_count = 2;
    map.fields = pair;
    const uint64_t second_null = 1;
    const oriel_u128 numbers[2] = {7, 0};
    const struct oriel_nested list = {2, &second_null, numbers};
    oriel_u128 slots[2] = {0, 1};
    const struct oriel_string key = text("k");
    memcpy(&slots[0], &key, sizeof key);
    const struct oriel_nested entries = {1, NULL, slots};
    const struct oriel_nested *lists[1] = {&list}, *maps[1] = {&entries};
    struct two_rows rows = {0};
    add(&rows, "a", array, lists);
    add(&rows, "m", map, maps);
    const struct oriel_formatter_options json = {.format = ORIEL_FORMAT_JSON};
    check(&rows, 1, &json, "{\"a\":[7,null],\"m\":{\"k\":true}}\n");
    check(&rows, 1, &csv_options, "a,m\n\"[7, NULL]\",{k=TRUE}\n");
}

static void writes_tableau(void **state) {
    (void)state;
    int32_t numbers[2] = {7};
    struct oriel_string values[2] = {text("abcdefghijklmnopqrstuvwxyz0123456789")};
    struct two_rows rows = {0};
    add(&rows, "n", oriel_type_make(ORIEL_TYPE_INT), numbers);
    add(&rows, "s", oriel_type_string(), values);
    struct oriel_formatter_options options = {.format = ORIEL_FORMAT_TABLEAU, .op_column = true};
    check(&rows, 2, &options,
          "+----+-------------+--------------------------------+\n"
          "| op |           n |                              s |\n"
          "+----+-------------+--------------------------------+\n"
          "| +I |           7 | abcdefghijklmnopqrstuvwxyz0... |\n"
          "| +I |      <NULL> |                         <NULL> |\n"
          "+----+-------------+--------------------------------+\n"
          "2 rows in set\n");
    check(&rows, 0, &options, "Empty set\n");
    options = (struct oriel_formatter_options){.format = ORIEL_FORMAT_TABLEAU, .fit_content = true};
    check(&rows, 1, &options,
          "+---+--------------------------------------+\n"
          "| n |                                    s |\n"
          "+---+--------------------------------------+\n"
          "| 7 | abcdefghijklmnopqrstuvwxyz0123456789 |\n"
          "+---+--------------------------------------+\n"
          "1 row in set\n");
}

static void cuts_wide_characters(void **state) {
    (void)state;
    struct oriel_string values[1] = {
        text("\xed\x95\x9c\xea\xb8\x80\xed\x95\x9c\xea\xb8\x80\xed\x95\x9c")};
    struct two_rows rows = {0};
    add(&rows, "k", oriel_type_string(), values);
    const struct oriel_formatter_options options = {.format = ORIEL_FORMAT_TABLEAU,
                                                    .max_column_width = 8};
    check(&rows, 1, &options,
          "+----------+\n"
          "|        k |\n"
          "+----------+\n"
          "|  \xed\x95\x9c\xea\xb8\x80... |\n"
          "+----------+\n"
          "1 row in set\n");
}

static void writes_markdown(void **state) {
    (void)state;
    int32_t numbers[2] = {7};
    struct oriel_string values[2] = {text("a|b\nc*")};
    struct two_rows rows = {0};
    add(&rows, "n", oriel_type_make(ORIEL_TYPE_INT), numbers);
    add(&rows, "s", oriel_type_string(), values);
    const struct oriel_formatter_options options = {.format = ORIEL_FORMAT_MARKDOWN};
    check(&rows, 2, &options,
          "| n | s |\n| ---: | --- |\n| 7 | a\\|b<br>c\\* |\n| NULL | NULL |\n");
}

static void escapes_controls(void **state) {
    (void)state;
    struct oriel_format_piece piece;
    assert_int_equal(oriel_format_piece_init(&piece, &memory, 1, NULL), ORIEL_OK);
    const char raw[] = "a\x1b[2Jb\tc\nd\x7f\xc2\x9b\xc2\xa0";
    assert_int_equal(oriel_text_buffer_append(&piece.text, raw, sizeof raw - 1), ORIEL_OK);
    assert_int_equal(oriel_format_escape_controls(&piece, NULL), ORIEL_OK);
    assert_int_equal(oriel_text_buffer_append(&piece.text, "", 1), ORIEL_OK);
    assert_string_equal(piece.text.bytes, "a\\x1b[2Jb\tc\nd\\x7f\\x9b\xc2\xa0");
    oriel_format_piece_deinit(&piece);
}

/* Every allocation fails once; all of them are given back. */
static void survives_failing_allocations(void **state) {
    (void)state;
    struct two_rows rows = {0};
    fill_numbers(&rows);
    const struct oriel_schema schema = {rows.count, rows.fields};
    const struct oriel_batch batch = {2, rows.count, rows.columns, 0, NULL};
    enum oriel_status status = ORIEL_MEMORY;
    for (size_t failing = 1; status == ORIEL_MEMORY; failing++) {
        struct oriel_memory limited = {.fail_at_call = failing};
        struct oriel_formatter *formatter = NULL;
        struct oriel_format_piece piece = {0};
        status = oriel_formatter_open(&limited, schema, &csv_options, &formatter, NULL);
        if (status == ORIEL_OK) {
            status = oriel_format_piece_init(&piece, &limited, rows.count, NULL);
            if (status == ORIEL_OK)
                status = oriel_formatter_rows(formatter, &piece, &batch, NULL);
            oriel_format_piece_deinit(&piece);
        }
        oriel_formatter_close(&formatter);
        assert_int_equal(limited.used_bytes, 0);
        assert_true(failing < 100);
    }
    assert_int_equal(status, ORIEL_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_numbers),
        cmocka_unit_test(writes_times),
        cmocka_unit_test(keeps_times_apart),
        cmocka_unit_test(writes_every_length),
        cmocka_unit_test(tells_plain_batches),
        cmocka_unit_test(quotes_what_needs_it),
        cmocka_unit_test(quotes_numbers_with_odd_delimiters),
        cmocka_unit_test(writes_strings_of_json),
        cmocka_unit_test(writes_nested_json),
        cmocka_unit_test(writes_tableau),
        cmocka_unit_test(cuts_wide_characters),
        cmocka_unit_test(writes_markdown),
        cmocka_unit_test(escapes_controls),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
