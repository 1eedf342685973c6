/*
 * Patterns of paths, the values in names of folders, and what the first rows of a file tell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/io/column_guess.h"
#include "engine/io/folder.h"
#include "engine/io/path_pattern.h"

static void patterns(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *path;
        bool fits;
    } cases[] = {
        {"a/*.csv", "a/x.csv", true},
        {"a/*.csv", "a/b/x.csv", false},
        {"a/**/*.csv", "a/x.csv", true},
        {"a/**/*.csv", "a/b/c/x.csv", true},
        {"a/**", "a/b/c/x.csv", true},
        {"**/x", "x", true},
        {"a/b*", "a/bc/d/e", true}, /* a folder that matches is read with all that is in it */
        {"a/b", "a", false},
        {"a/{b,c}/x", "a/c/x", true},
        {"a/{b,c}/x", "a/d/x", false},
        {"a/{b,{c,d}e}/x", "a/de/x", true},
        {"a/[0-9]?", "a/1x", true},
        {"a/[0-9]?", "a/x1", false},
        {"a/{b", "a/{b", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (oriel_path_fits(cases[i].pattern, cases[i].path) != cases[i].fits)
            fail_msg("%s over %s", cases[i].pattern, cases[i].path);
    }
}

static void lists(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    struct oriel_arena arena;
    struct oriel_error error = {0};
    oriel_arena_init(&arena, &memory);
    struct oriel_path_set set = {.memory = &memory, .arena = &arena};
    assert_int_equal(oriel_path_split("a,{b,c}/x; d ,,e", &set, &error), ORIEL_OK);
    static const char *const wanted[] = {"a", "{b,c}/x", "d", "e"};
    assert_int_equal(set.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(set.paths[i], wanted[i]);
    oriel_path_set_deinit(&set);
    oriel_arena_deinit(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

static void folders(void **state) {
    (void)state;
    struct oriel_memory memory = {0};
    struct oriel_error error = {0};
    const struct oriel_field fields[] = {{"dt", oriel_type_string()},
                                         {"n", oriel_type_make(ORIEL_TYPE_INT)}};
    const struct oriel_schema schema = {2, fields};
    static const bool both[] = {true, true}, none[] = {false, false};
    struct oriel_file files[] = {{.path = "x/dt=a%2Fb/n=7/f"}, {.path = "dt=q/dt=r/n=-1/n=2/f"}};
    struct oriel_file_list list = {.memory = &memory, .files = files, .file_count = 2};
    oriel_arena_init(&list.arena, &memory);
    assert_int_equal(oriel_folder_read(&list, schema, both, "none", &error), ORIEL_OK);
    assert_true(oriel_text_equal(oriel_string_text(files[0].folder_values[0]), ORIEL_TEXT("a/b")));
    assert_int_equal(*(const int32_t *)files[0].folder_values[1], 7);
    assert_true(oriel_text_equal(oriel_string_text(files[1].folder_values[0]), ORIEL_TEXT("r")));
    assert_int_equal(*(const int32_t *)files[1].folder_values[1], -1);
    files[0].path = "dt=none/n=none/f";
    list.file_count = 1;
    assert_int_equal(oriel_folder_read(&list, schema, both, "none", &error), ORIEL_OK);
    assert_null(files[0].folder_values[0]);
    assert_null(files[0].folder_values[1]);
    files[0].path = "dt=x/n=y/f";
    assert_int_equal(oriel_folder_read(&list, schema, none, "none", &error), ORIEL_OK);
    assert_int_equal(oriel_folder_read(&list, schema, both, "none", &error), ORIEL_DATA);
    assert_non_null(strstr(error.message, "column 'n' INT: For input string: \"y\""));
    static const char *const wrong[] = {"f", "dt=x/f", "n=1/dt=x/f", "dt=x/y/n=1/f", "dt=x/n=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        files[0].path = wrong[i];
        assert_int_equal(oriel_folder_read(&list, schema, both, "none", &error), ORIEL_DATA);
        assert_non_null(strstr(error.message, "is not in folders dt=.../n=.../"));
    }
    oriel_arena_deinit(&list.arena);
    assert_int_equal(memory.used_bytes, 0);
}

static void guesses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum oriel_guess guess;
    } cases[] = {
        {"1", ORIEL_GUESS_BIGINT},
        {"-9223372036854775808", ORIEL_GUESS_BIGINT},
        {"9223372036854775808", ORIEL_GUESS_DOUBLE},
        {"007", ORIEL_GUESS_STRING},
        {"0", ORIEL_GUESS_BIGINT},
        {"0.5", ORIEL_GUESS_DOUBLE},
        {"1e5", ORIEL_GUESS_DOUBLE},
        {"1d", ORIEL_GUESS_STRING},
        {"-", ORIEL_GUESS_STRING},
        {"", ORIEL_GUESS_STRING},
        {"NaN", ORIEL_GUESS_STRING},
        {"True", ORIEL_GUESS_BOOLEAN},
        {"yes", ORIEL_GUESS_STRING},
        {"2024-02-29", ORIEL_GUESS_DATE},
        {"2024-1-1", ORIEL_GUESS_STRING},
        {"2024-02-29 00:00:00", ORIEL_GUESS_TIMESTAMP},
        {"2024-02-29 00:00:00.25Z", ORIEL_GUESS_TIMESTAMP_LTZ},
        {"2024-02-29T00:00:00", ORIEL_GUESS_STRING},
        {"2024-13-01 00:00:00", ORIEL_GUESS_STRING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (oriel_guess_text(oriel_text_of(cases[i].text)).guess != cases[i].guess)
            fail_msg("%s", cases[i].text);
    }
    const struct oriel_column_guess number = {ORIEL_GUESS_BIGINT, 0};
    const struct oriel_column_guess real = {ORIEL_GUESS_DOUBLE, 0};
    const struct oriel_column_guess date = {ORIEL_GUESS_DATE, 0};
    const struct oriel_column_guess time = {ORIEL_GUESS_TIMESTAMP, 6};
    assert_int_equal(oriel_guess_widen(number, real).guess, ORIEL_GUESS_DOUBLE);
    assert_int_equal(oriel_guess_widen(real, number).guess, ORIEL_GUESS_DOUBLE);
    assert_int_equal(oriel_guess_widen(number, date).guess, ORIEL_GUESS_STRING);
    assert_int_equal(oriel_guess_type(time).precision, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(lists),
        cmocka_unit_test(folders),
        cmocka_unit_test(guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
