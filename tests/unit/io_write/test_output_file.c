/*
 * Output files: whole or not at all, straight to what is no regular file, and errors.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dirent.h>

#include <cmocka.h>

#include "engine/io/output_file.h"

static struct oriel_memory memory;
static char folder[64];
static char path[128];

static int make_folder(void **state) {
    (void)state;
    memcpy(folder, "/tmp/oriel-test-XXXXXX", sizeof "/tmp/oriel-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/out.csv", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static size_t count_files(void) {
    size_t count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(listing);
    return count;
}

static void check_content(const char *expected) {
    char bytes[64] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes - 1, file), strlen(expected));
    fclose(file);
    assert_string_equal(bytes, expected);
}

static void put(const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static struct oriel_output_file *open_target(const struct oriel_output_target *target) {
    struct oriel_output_file *file;
    struct oriel_error error = {0};
    assert_int_equal(oriel_output_file_open(&memory, target, &file, &error), ORIEL_OK);
    return file;
}

static void appears_on_commit(void **state) {
    (void)state;
    const struct oriel_output_target target = {.path = path, .fd = -1, .sync = true};
    struct oriel_output_file *file = open_target(&target);
    assert_int_equal(oriel_output_file_write(file, "abc", 3, NULL), ORIEL_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(count_files(), 1);
    assert_int_equal(oriel_output_file_commit(file, NULL), ORIEL_OK);
    oriel_output_file_close(&file);
    check_content("abc");
    assert_int_equal(count_files(), 1);
    assert_int_equal(memory.used_bytes, 0);
}

static void leaves_the_file_without_commit(void **state) {
    (void)state;
    put("before");
    const struct oriel_output_target target = {.path = path, .fd = -1};
    struct oriel_output_file *file = open_target(&target);
    assert_int_equal(oriel_output_file_write(file, "abc", 3, NULL), ORIEL_OK);
    oriel_output_file_close(&file);
    check_content("before");
    assert_int_equal(count_files(), 1);
}

static void keeps_mode_and_link(void **state) {
    (void)state;
    char link[160];
    struct stat facts;
    put("before");
    assert_int_equal(chmod(path, 0640), 0);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("out.csv", link), 0);
    const struct oriel_output_target target = {.path = link, .fd = -1};
    struct oriel_output_file *file = open_target(&target);
    assert_int_equal(oriel_output_file_write(file, "new", 3, NULL), ORIEL_OK);
    assert_int_equal(stat(path, &facts), 0);
    assert_true(oriel_output_file_is(file, facts.st_dev, facts.st_ino));
    assert_int_equal(oriel_output_file_commit(file, NULL), ORIEL_OK);
    oriel_output_file_close(&file);
    check_content("new");
    assert_int_equal(lstat(link, &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0640);
    unlink(link);
}

static void refuses(const char *target_path, const char *words) {
    struct oriel_output_file *file;
    struct oriel_error error = {0};
    const struct oriel_output_target target = {.path = target_path, .fd = -1};
    assert_int_equal(oriel_output_file_open(&memory, &target, &file, &error), ORIEL_IO);
    assert_null(file);
    assert_non_null(strstr(error.message, words));
    assert_non_null(strstr(error.message, target_path));
    assert_int_equal(memory.used_bytes, 0);
}

static void refuses_bad_paths(void **state) {
    (void)state;
    char loop[160], missing[160];
    refuses(folder, "Is a directory");
    snprintf(missing, sizeof missing, "%s/none/out.csv", folder);
    refuses(missing, "No such file");
    snprintf(loop, sizeof loop, "%s/loop", folder);
    assert_int_equal(symlink("loop", loop), 0);
    refuses(loop, "symbolic links");
    unlink(loop);
}

static void reports_a_full_device(void **state) {
    (void)state;
    struct oriel_error error = {0};
    const struct oriel_output_target target = {.path = "/dev/full", .fd = -1};
    struct oriel_output_file *file = open_target(&target);
    assert_int_equal(oriel_output_file_write(file, "abc", 3, &error), ORIEL_OK);
    assert_int_equal(oriel_output_file_commit(file, &error), ORIEL_IO);
    assert_int_equal(oriel_output_file_errno(file), ENOSPC);
    assert_non_null(strstr(error.message, "No space left"));
    oriel_output_file_close(&file);
}

static int fail_with_epipe(void *context, const char *bytes, size_t length) {
    (void)bytes;
    *(size_t *)context += length;
    return EPIPE;
}

static void forwards_to_a_function(void **state) {
    (void)state;
    size_t seen = 0;
    const struct oriel_output_target target = {
        .write = fail_with_epipe, .write_context = &seen, .fd = -1};
    struct oriel_output_file *file = open_target(&target);
    const size_t large = 1 << 20;
    char *bytes = calloc(1, large);
    assert_int_equal(oriel_output_file_write(file, "abc", 3, NULL), ORIEL_OK);
    assert_int_equal(seen, 0);
    assert_int_equal(oriel_output_file_write(file, bytes, large, NULL), ORIEL_IO);
    assert_int_equal(seen, 3);
    assert_int_equal(oriel_output_file_errno(file), EPIPE);
    free(bytes);
    oriel_output_file_close(&file);
}

struct stream {
    size_t length;
    size_t wrong_count; /* bytes that do not follow the one before */
};

static int follow(void *context, const char *bytes, size_t length) {
    struct stream *stream = context;
    for (size_t i = 0; i < length; i++)
        stream->wrong_count += bytes[i] != (char)((stream->length + i) % 251);
    stream->length += length;
    return 0;
}

/* Short pieces are gathered and long ones go straight out: whatever the sizes, bytes stay in
 * order. */
static void keeps_the_order(void **state) {
    (void)state;
    static const size_t lengths[] = {3, 600000, 5, 1, 524287, 524288, 100000, 1048576, 7, 900000};
    struct stream stream = {0};
    const struct oriel_output_target target = {.write = follow, .write_context = &stream, .fd = -1};
    struct oriel_output_file *file = open_target(&target);
    const size_t most = 1 << 20;
    char *bytes = malloc(most);
    size_t total = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t k = 0; k < lengths[i]; k++)
            bytes[k] = (char)((total + k) % 251);
        assert_int_equal(oriel_output_file_write(file, bytes, lengths[i], NULL), ORIEL_OK);
        total += lengths[i];
    }
    assert_int_equal(oriel_output_file_commit(file, NULL), ORIEL_OK);
    assert_int_equal(stream.length, total);
    assert_int_equal(stream.wrong_count, 0);
    free(bytes);
    oriel_output_file_close(&file);
}

int main(void) {
#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(appears_on_commit),          WITH_FOLDER(leaves_the_file_without_commit),
        WITH_FOLDER(keeps_mode_and_link),        WITH_FOLDER(refuses_bad_paths),
        cmocka_unit_test(reports_a_full_device), cmocka_unit_test(forwards_to_a_function),
        cmocka_unit_test(keeps_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
