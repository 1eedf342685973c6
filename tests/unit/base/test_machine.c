/*
 * Memory limits of control groups, read from a folder that looks like a machine's.
 */
#include "engine/base/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 512 };

static const char *const folders[] = {
    "/proc",
    "/proc/self",
    "/sys",
    "/sys/fs",
    "/sys/fs/cgroup",
    "/sys/fs/cgroup/a",
    "/sys/fs/cgroup/a/b",
    "/sys/fs/cgroup/memory",
    "/sys/fs/cgroup/memory/c",
};
static const char *const files[] = {
    "/proc/self/cgroup",
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/a/memory.max",
    "/sys/fs/cgroup/a/b/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    "/sys/fs/cgroup/memory/c/memory.limit_in_bytes",
};

static char root[] = "/tmp/oriel-machine-XXXXXX";

static const char *place(const char *path) {
    static char text[PATH_BYTES];
    snprintf(text, sizeof text, "%s%s", root, path);
    return text;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(place(path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_root(void **state) {
    (void)state;
    if (!mkdtemp(root))
        return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (mkdir(place(folders[i]), 0700) != 0)
            return -1;
    }
    return 0;
}

static int clear_files(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(place(files[i]));
    return 0;
}

static int remove_root(void **state) {
    clear_files(state);
    for (size_t i = sizeof folders / sizeof *folders; i--;)
        rmdir(place(folders[i]));
    return rmdir(root);
}

static void test_no_groups(void **state) {
    (void)state;
    const uint64_t built_in = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    assert_int_equal(oriel_machine_memory_bytes(root), built_in);
}

static void test_version_2(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/memory.max", "73400320\n");
    assert_int_equal(oriel_machine_memory_bytes(root), 73400320);
    put("/sys/fs/cgroup/a/b/memory.max", "1048576\n");
    assert_int_equal(oriel_machine_memory_bytes(root), 1048576);
}

static void test_version_2_in_a_container(void **state) {
    (void)state;
    put("/proc/self/cgroup", "0::/not/to/be/seen\n");
    put("/sys/fs/cgroup/memory.max", "2097152\n");
    assert_int_equal(oriel_machine_memory_bytes(root), 2097152);
}

static void test_version_1(void **state) {
    (void)state;
    put("/proc/self/cgroup", "8:pids:/c\n4:memory:/c\n0::/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "4194304\n");
    assert_int_equal(oriel_machine_memory_bytes(root), 4194304);
}

static void test_malformed(void **state) {
    (void)state;
    const uint64_t whole = oriel_machine_memory_bytes(root);
    put("/proc/self/cgroup", "\n::\n0:\nmemory\n0::relative\n0::/a\n");
    put("/sys/fs/cgroup/a/memory.max", "-1\n");
    assert_int_equal(oriel_machine_memory_bytes(root), whole);
}

static void test_cores(void **state) {
    (void)state;
    assert_true(oriel_machine_core_count() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_no_groups, clear_files),
        cmocka_unit_test_teardown(test_version_2, clear_files),
        cmocka_unit_test_teardown(test_version_2_in_a_container, clear_files),
        cmocka_unit_test_teardown(test_version_1, clear_files),
        cmocka_unit_test_teardown(test_malformed, clear_files),
        cmocka_unit_test(test_cores),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
