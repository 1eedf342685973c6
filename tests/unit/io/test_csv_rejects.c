/*
 * Bad rows that are passed over: which, in what order, and where it ends, for every way of cutting
 * the input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/io/csv_case.h"

static const struct csv_setup setups[] = {
    {1 << 16, 4096, 1, false, NULL, 0, 0}, {16, 64, 1, false, NULL, 0, 0},
    {16, 1, 3, false, NULL, 0, 0},         {64, 64, 4, false, NULL, 0, 0},
    {100, 3, 2, true, NULL, 0, 0},         {4096, 7, 2, false, "reference", 0, 0},
};

static void init(struct csv_case *test, const char *text, size_t length, uint64_t max_rejects) {
    csv_case_init(test, text, length);
    csv_case_add(test, "id", oriel_type_make(ORIEL_TYPE_INT), true);
    csv_case_add(test, "k", oriel_type_string(), true);
    csv_case_add(test, "n", oriel_type_make(ORIEL_TYPE_BIGINT), true);
    test->passes_over = true;
    test->max_rejects = max_rejects;
}

static void check(const struct csv_case *test, const char *rows, const char *rejects,
                  const char *message, uint32_t line) {
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
        struct csv_outcome got;
        csv_case_read(test, &setups[i], NULL, &got);
        assert_int_equal(got.status, message ? ORIEL_DATA : ORIEL_DONE);
        if (oriel_text_buffer_append(&got.rows, "", 1) != ORIEL_OK ||
            oriel_text_buffer_append(&got.rejects, "", 1) != ORIEL_OK)
            fail();
        assert_string_equal(got.rejects.bytes, rejects);
        if (message)
            assert_non_null(strstr(got.error.message, message));
        else
            assert_string_equal(got.rows.bytes, rows);
        assert_int_equal(got.error.line, line);
        csv_outcome_deinit(&got);
    }
}

static void check_text(const char *text, uint64_t max_rejects, const char *rows,
                       const char *rejects, const char *message, uint32_t line) {
    struct csv_case test;
    init(&test, text, strlen(text), max_rejects);
    check(&test, rows, rejects, message, line);
}

static void all_kinds_are_passed_over(void **state) {
    (void)state;
    check_text("1,a,1\nx,b,y\n3,c\n4,d,4,e\n5,\"e\"f,5\n6,\"g\nh\",z\n7,\xff,7\n8,\"i\nj\",8\n"
               "9,\"k\"\"\",9\n10,l,99999999999999999999\n",
               UINT64_MAX, "1|'1:a'|1|\n8|'3:i\nj'|8|\n9|'2:k\"'|9|\n",
               "2 id: x,b,y\n3 : 3,c\n4 : 4,d,4,e\n5 : 5,\"e\"f,5\n7 n: 6,\"g\nh\",z\n"
               "8 : 7,\xff,7\n12 n: 10,l,99999999999999999999\n",
               NULL, 0);
}

static void a_limit_ends_the_input(void **state) {
    (void)state;
    const char *text = "1,a,1\r\nx,b,1\r\n2,b,2\r\n3,c\r\n4,d,4\r\ny,e,5\r\n6,f,6\r\n";
    check_text(text, 3, "1|'1:a'|1|\n2|'1:b'|2|\n4|'1:d'|4|\n6|'1:f'|6|\n",
               "2 id: x,b,1\n4 : 3,c\n6 id: y,e,5\n", NULL, 0);
    check_text(text, 2, NULL, "2 id: x,b,1\n4 : 3,c\n6 id: y,e,5\n", "(bad row 3; 2 are allowed)",
               6);
    check_text(text, 1, NULL, "2 id: x,b,1\n4 : 3,c\n", "Row length mismatch", 4);
    check_text(text, 0, NULL, "2 id: x,b,1\n", "For input string: \"x\"", 2);
}

static void an_open_quote_must_not_take_lines(void **state) {
    (void)state;
    check_text("1,a,1\n2,\"b,2", UINT64_MAX, "1|'1:a'|1|\n", "2 : 2,\"b,2\n", NULL, 0);
    check_text("1,a,1\n2,\"b,2\n", UINT64_MAX, "1|'1:a'|1|\n", "2 : 2,\"b,2\n", NULL, 0);
    check_text("1,a,1\nx,a,1\n2,\"b,2\n3,c,3\n", UINT64_MAX, NULL, "2 id: x,a,1\n",
               "Missing closing quote", 3);
}

static void a_row_time_must_be_there(void **state) {
    (void)state;
    struct csv_case test;
    const char *text = "1,a,1\n2,b,\n3,c,3\n";
    init(&test, text, strlen(text), 5);
    test.options.null_literal = "";
    test.rowtime = 2;
    check(&test, "1|'1:a'|1|\n3|'1:c'|3|\n", "2 n: 2,b,\n", NULL, 0);
}

/* Many rows of which some are bad; what must come out is written beside them. */
static void random_rows(void **state) {
    (void)state;
    enum { ROWS = 2000, BYTES = ROWS * 64 };
    char *text = malloc(BYTES), *rows = malloc(BYTES), *rejects = malloc(BYTES);
    unsigned seed = 7;
    for (int round = 0; round < 12; round++) {
        size_t length = 0, rows_length = 0, rejects_length = 0;
        unsigned line = 1;
        const unsigned often = round % 3 == 0 ? 2 : round % 3 == 1 ? 9 : 300;
        rows[0] = rejects[0] = '\0';
        for (int i = 0; i < ROWS; i++) {
            seed = seed * 1664525 + 1013904223;
            const unsigned kind = (seed >> 8) % often == 0 ? (seed >> 20) % 4 : 4;
            char row[64];
            const char *column = kind == 0 ? "id" : kind == 1 ? "n" : "";
            snprintf(row, sizeof row,
                     kind == 0   ? "x%d,key,1"
                     : kind == 1 ? "%d,key,none"
                     : kind == 2 ? "%d,key"
                     : kind == 3 ? "%d,k\xc3,7"
                                 : "%d,schl\xc3\xbcssel,7",
                     i);
            length += (size_t)snprintf(text + length, BYTES - length, "%s\n", row);
            if (kind == 4)
                rows_length += (size_t)snprintf(rows + rows_length, BYTES - rows_length,
                                                "%d|'10:schl\xc3\xbcssel'|7|\n", i);
            else
                rejects_length += (size_t)snprintf(rejects + rejects_length, BYTES - rejects_length,
                                                   "%u %s: %s\n", line, column, row);
            line++;
        }
        struct csv_case test;
        init(&test, text, length, UINT64_MAX);
        check(&test, rows, rejects, NULL, 0);
    }
    free(text);
    free(rows);
    free(rejects);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_passed_over),
        cmocka_unit_test(a_limit_ends_the_input),
        cmocka_unit_test(an_open_quote_must_not_take_lines),
        cmocka_unit_test(a_row_time_must_be_there),
        cmocka_unit_test(random_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
