/*
 * Widths as Flink's tableau counts them, and as a terminal shows them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/io/display_width.h"

static const struct {
    const char *text;
    size_t tableau, terminal;
} cases[] = {
    {"", 0, 0},
    {"plain", 5, 5},
    {"na\xc3\xafve", 5, 5},
    {"\xce\xa9\xce\xbc", 2, 2},
    {"e\xcc\x81", 2, 1},                /* a combining mark */
    {"\xed\x95\x9c\xea\xb8\x80", 4, 4}, /* Hangul */
    {"\xef\xbc\xa6", 2, 2},             /* full-width F */
    {"\xef\xbd\xb6", 1, 1},             /* half-width Katakana */
    {"\xf0\x9f\x98\x80", 3, 2},         /* an emoji: two UTF-16 units, wide */
    {"\xf0\x9d\x92\x9c", 2, 1},         /* a narrow letter outside the BMP */
    {"\xff", 1, 1},                     /* no UTF-8 */
    {"a\xe2\x82", 3, 3},                /* cut in the midst */
};

static void measures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t length = strlen(cases[i].text);
        assert_int_equal(oriel_tableau_width(cases[i].text, length), cases[i].tableau);
        assert_int_equal(oriel_terminal_width(cases[i].text, length), cases[i].terminal);
    }
}

static void cuts_whole_characters(void **state) {
    (void)state;
    size_t used;
    assert_int_equal(oriel_tableau_prefix("abcdef", 6, 4, &used), 4);
    assert_int_equal(used, 4);
    assert_int_equal(oriel_tableau_prefix("ab", 2, 4, &used), 2);
    assert_int_equal(used, 2);
    const char *wide = "a\xed\x95\x9c\xea\xb8\x80";
    assert_int_equal(oriel_tableau_prefix(wide, 7, 4, &used), 4);
    assert_int_equal(used, 3);
    assert_int_equal(oriel_tableau_prefix(wide, 7, 0, &used), 0);
    assert_int_equal(used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures),
        cmocka_unit_test(cuts_whole_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
