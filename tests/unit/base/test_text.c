/*
 * Strings in their 16-byte form, bitmaps, and error messages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/bits.h"
#include "engine/base/status.h"
#include "engine/base/text.h"

/* All pairs of prefixes and near misses, against memcmp. */
static void compares_strings(void **state) {
    (void)state;
    enum { LENGTH = 20 };
    char a_bytes[LENGTH], b_bytes[LENGTH];
    for (size_t a_length = 0; a_length <= LENGTH; a_length++) {
        for (size_t b_length = 0; b_length <= LENGTH; b_length++) {
            for (size_t changed = 0; changed <= LENGTH; changed++) {
                memset(a_bytes, 'm', LENGTH);
                memset(b_bytes, 'm', LENGTH);
                if (changed < LENGTH)
                    b_bytes[changed] = changed % 2 ? '\x01' : (char)0xC3;
                const struct oriel_string a = oriel_string_make(a_bytes, a_length);
                const struct oriel_string b = oriel_string_make(b_bytes, b_length);
                const size_t shorter = a_length < b_length ? a_length : b_length;
                int order = memcmp(a_bytes, b_bytes, shorter);
                if (!order)
                    order = (a_length > b_length) - (a_length < b_length);
                const int got = oriel_string_compare(&a, &b);
                assert_int_equal((got > 0) - (got < 0), (order > 0) - (order < 0));
                assert_int_equal(oriel_string_equal(&a, &b), order == 0);
                assert_memory_equal(oriel_string_bytes(&a), a_bytes, a_length);
                assert_int_equal(oriel_string_text(&b).length, b_length);
            }
        }
    }
}

static void ignores_ascii_case(void **state) {
    (void)state;
    assert_true(oriel_text_equal_ignoring_case(ORIEL_TEXT("Tumble"), ORIEL_TEXT("tUMBLE")));
    assert_false(oriel_text_equal_ignoring_case(ORIEL_TEXT("a"), ORIEL_TEXT("ab")));
    assert_false(oriel_text_equal_ignoring_case(ORIEL_TEXT("[@"), ORIEL_TEXT("{`")));
    assert_true(oriel_text_equal(ORIEL_TEXT("a"), oriel_text_of("a")));
    assert_false(oriel_text_equal(ORIEL_TEXT("a"), ORIEL_TEXT("A")));
    assert_true(oriel_text_equal((struct oriel_text){NULL, 0}, ORIEL_TEXT("")));
}

static void holds_bits(void **state) {
    (void)state;
    uint64_t words[3] = {0};
    assert_int_equal(oriel_bits_word_count(0), 0);
    assert_int_equal(oriel_bits_word_count(64), 1);
    assert_int_equal(oriel_bits_word_count(65), 2);
    for (size_t i = 0; i < 192; i += 5)
        oriel_bits_set(words, i);
    oriel_bits_clear(words, 10);
    for (size_t i = 0; i < 192; i++)
        assert_int_equal(oriel_bits_get(words, i), i % 5 == 0 && i != 10);
    assert_true(oriel_bits_get(NULL, 77));
    assert_true(oriel_bits_low(0) == 0 && oriel_bits_low(1) == 1);
    assert_true(oriel_bits_low(63) == UINT64_MAX >> 1 && oriel_bits_low(64) == UINT64_MAX);
}

static enum oriel_status fails(struct oriel_error *error) {
    ORIEL_TRY(ORIEL_OK);
    ORIEL_TRY(oriel_error_at(error, ORIEL_SYNTAX, (struct oriel_position){3, 7}, "bad %s", "word"));
    return ORIEL_OK;
}

static void fills_errors(void **state) {
    (void)state;
    struct oriel_error error = {0};
    assert_int_equal(fails(&error), ORIEL_SYNTAX);
    assert_int_equal(error.status, ORIEL_SYNTAX);
    assert_string_equal(error.message, "bad word");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 7);
    assert_int_equal(fails(NULL), ORIEL_SYNTAX);
    oriel_error_set_source(&error, "file.csv", 9, 2);
    assert_string_equal(error.source, "file.csv");
    assert_int_equal(error.line, 9);
    assert_int_equal(oriel_error_memory(&error), ORIEL_MEMORY);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.source, "");
    assert_string_equal(oriel_status_text(ORIEL_DATA), "data error");
}

/* A message that is too long ends with a whole character, wherever the cut falls. */
static void cuts_whole_characters(void **state) {
    (void)state;
    static const char *const characters[] = {"x", "\xC3\xA9", "\xED\x95\x9C", "\xF0\x9F\x98\x80"};
    for (size_t c = 0; c < 4; c++) {
        const size_t width = strlen(characters[c]);
        for (size_t offset = 0; offset < 8; offset++) {
            char text[3 * ORIEL_ERROR_MESSAGE_SIZE];
            size_t length = offset;
            memset(text, '-', offset);
            for (; length + width < sizeof text; length += width)
                memcpy(text + length, characters[c], width);
            text[length] = '\0';
            struct oriel_error error = {0};
            oriel_error_set(&error, ORIEL_DATA, "%s", text);
            const size_t kept = strlen(error.message);
            assert_true(kept + width >= ORIEL_ERROR_MESSAGE_SIZE);
            assert_int_equal((kept - offset) % width, 0);
            assert_memory_equal(error.message, text, kept);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_strings),
        cmocka_unit_test(ignores_ascii_case),
        cmocka_unit_test(holds_bits),
        cmocka_unit_test(fills_errors),
        cmocka_unit_test(cuts_whole_characters),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
