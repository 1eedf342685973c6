/*
 * Each script of the folder gives the plans of its .plan file, and when any one allocation fails
 * the failure is reported and nothing leaks. `--write FOLDER` writes the .plan files anew: read the
 * difference before you keep it.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/plan/plan_text.h"

enum { CASES_MAX = 200, PATH_BYTES = 1024, ALLOCATIONS_MAX = 20000 };

static char *read_file(const char *path, size_t *length) {
    FILE *const file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *bytes = NULL;
    *length = 0;
    for (size_t got = 1; got > 0; *length += got) {
        bytes = realloc(bytes, *length + 4096 + 1);
        if (!bytes)
            abort();
        got = fread(bytes + *length, 1, 4096, file);
    }
    fclose(file);
    bytes[*length] = '\0';
    return bytes;
}

/* NAME.sql to NAME.plan. */
static void plan_path(const char *script_path, char *out) {
    snprintf(out, PATH_BYTES, "%.*s.plan", (int)(strlen(script_path) - 4), script_path);
}

static void make_text(const char *path, struct plan_text *out) {
    struct oriel_memory memory = {0};
    size_t length = 0;
    char *const script = read_file(path, &length);
    assert_non_null(script);
    plan_text_make(&memory, script, length, out);
    assert_int_equal(memory.used_bytes, 0);
    free(script);
}

static void test_plan(void **state) {
    char path[PATH_BYTES];
    struct plan_text text = {0};
    size_t length = 0;
    make_text(*state, &text);
    plan_path(*state, path);
    char *const wanted = read_file(path, &length);
    assert_non_null(wanted);
    assert_string_equal(text.bytes, wanted);
    free(wanted);
    free(text.bytes);
}

static void test_allocations(void **state) {
    size_t length = 0;
    char *const script = read_file(*state, &length);
    assert_non_null(script);
    for (size_t call = 1; call < ALLOCATIONS_MAX; call++) {
        struct oriel_memory memory = {.fail_at_call = call};
        struct plan_text text = {0};
        const enum oriel_status status = plan_text_make(&memory, script, length, &text);
        free(text.bytes);
        assert_int_equal(memory.used_bytes, 0);
        if (memory.call_count < call)
            break;
        assert_int_equal(status, ORIEL_MEMORY);
    }
    free(script);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t list_scripts(const char *folder, char **paths) {
    DIR *const listing = opendir(folder);
    size_t count = 0;
    if (!listing)
        return 0;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".sql") != 0 || count == CASES_MAX)
            continue;
        paths[count] = malloc(PATH_BYTES);
        if (!paths[count])
            abort();
        snprintf(paths[count++], PATH_BYTES, "%s/%s", folder, entry->d_name);
    }
    closedir(listing);
    qsort(paths, count, sizeof *paths, compare_paths);
    return count;
}

static void write_plan(const char *script_path) {
    char path[PATH_BYTES];
    struct plan_text text = {0};
    make_text(script_path, &text);
    plan_path(script_path, path);
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(text.bytes, 1, text.length, file) != text.length || fclose(file) != 0)
        abort();
    free(text.bytes);
}

int main(int argc, char **argv) {
    static struct CMUnitTest tests[2 * CASES_MAX];
    static char *paths[CASES_MAX];
    const int writes = argc == 3 && strcmp(argv[1], "--write") == 0;
    if (argc != 2 && !writes) {
        fprintf(stderr, "usage: %s [--write] FOLDER\n", argv[0]);
        return 2;
    }
    const size_t count = list_scripts(argv[argc - 1], paths);
    for (size_t i = 0; i < count; i++) {
        if (writes)
            write_plan(paths[i]);
        tests[2 * i] = (struct CMUnitTest){paths[i], test_plan, NULL, NULL, paths[i]};
        tests[2 * i + 1] = (struct CMUnitTest){paths[i], test_allocations, NULL, NULL, paths[i]};
    }
    const int failed =
        count ? _cmocka_run_group_tests("plan cases", tests, 2 * count, NULL, NULL) : 1;
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    return failed;
}
