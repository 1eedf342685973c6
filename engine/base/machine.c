/*
 * Asks the operating system for cores and memory. A container's memory is that of its control
 * group: /proc/self/cgroup names the group, and each folder from there up to the mount may hold a
 * limit. Where the group's own folder cannot be seen, as inside most containers, the mount is it.
 */
#include "engine/base/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

unsigned oriel_machine_core_count(void) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return (unsigned)CPU_COUNT(&allowed);
    return 1;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* A file with one number; "max" and what is no file are no limit. */
static uint64_t read_limit(const char *path) {
    char text[32];
    uint64_t value = UINT64_MAX;
    FILE *file = fopen(path, "re");
    if (!file)
        return value;
    if (fgets(text, sizeof text, file) && text[0] >= '0' && text[0] <= '9')
        value = strtoull(text, NULL, 10);
    fclose(file);
    return value;
}

/* The limits of a group and of all above it: `group` begins with '/' and is shortened. */
static uint64_t read_limits(const char *root, const char *mount, char *group, const char *name) {
    uint64_t limit = UINT64_MAX;
    for (char *end = group + strlen(group);; end = strrchr(group, '/')) {
        char path[PATH_BYTES];
        *end = '\0';
        const int length = snprintf(path, sizeof path, "%s%s%s/%s", root, mount, group, name);
        if (length > 0 && (size_t)length < sizeof path)
            limit = least(limit, read_limit(path));
        if (end == group)
            return limit;
    }
}

/* A line is NUMBER:CONTROLLERS:PATH; version 2 has no controllers there. */
static uint64_t read_group(const char *root, char *line) {
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group || group[1] != '/')
        return UINT64_MAX;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (controllers[1] == '\0')
        return read_limits(root, "/sys/fs/cgroup", group, "memory.max");
    if (strcmp(controllers, ":memory") == 0)
        return read_limits(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    return UINT64_MAX;
}

uint64_t oriel_machine_memory_bytes(const char *root) {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t bytes =
        pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
    char text[PATH_BYTES];
    const int length = snprintf(text, sizeof text, "%s/proc/self/cgroup", root);
    FILE *file = length > 0 && (size_t)length < sizeof text ? fopen(text, "re") : NULL;
    while (file && fgets(text, sizeof text, file))
        bytes = least(bytes, read_group(root, text));
    if (file)
        fclose(file);
    return bytes;
}
