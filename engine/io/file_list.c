/*
 * From a path to files, before anything is opened: folders are listed by name, so the order of rows
 * does not depend on the file system.
 */
#include "engine/io/file_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/io/byte_source.h"

enum { DEPTH_MAX = 64 }; /* of folders in folders; a link to a parent would go on for ever */

struct name_list {
    const char **names;
    size_t count;
    size_t capacity;
};

static enum oriel_status add_file(struct oriel_file_list *list, const char *path,
                                  const struct stat *status, struct oriel_error *error) {
    if (list->file_count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 8;
        struct oriel_file *files = oriel_memory_resize(
            list->memory, list->files, list->capacity * sizeof *files, capacity * sizeof *files);
        if (!files)
            return oriel_error_memory(error);
        list->files = files;
        list->capacity = capacity;
    }
    const uint64_t size_bytes = S_ISREG(status->st_mode) ? (uint64_t)status->st_size : 0;
    list->files[list->file_count++] = (struct oriel_file){path, size_bytes};
    list->total_bytes += size_bytes;
    return ORIEL_OK;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum oriel_status add_name(struct oriel_file_list *list, struct name_list *names,
                                  const char *folder, const char *name, struct oriel_error *error) {
    if (names->count == names->capacity) {
        const size_t capacity = names->capacity ? 2 * names->capacity : 32;
        const char **grown = oriel_memory_resize(
            list->memory, names->names, names->capacity * sizeof *grown, capacity * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        names->names = grown;
        names->capacity = capacity;
    }
    const size_t length = strlen(folder);
    const char *separator = length && folder[length - 1] == '/' ? "" : "/";
    const char *path = oriel_arena_print(&list->arena, "%s%s%s", folder, separator, name);
    if (!path)
        return oriel_error_memory(error);
    names->names[names->count++] = path;
    return ORIEL_OK;
}

static enum oriel_status read_names(struct oriel_file_list *list, const char *folder,
                                    struct name_list *names, struct oriel_error *error) {
    DIR *directory = opendir(folder);
    if (!directory)
        return oriel_byte_source_failed(folder, errno, error);
    enum oriel_status status = ORIEL_OK;
    while (status == ORIEL_OK) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (!entry) {
            if (errno)
                status = oriel_byte_source_failed(folder, errno, error);
            break;
        }
        if (entry->d_name[0] != '.' && entry->d_name[0] != '_')
            status = add_name(list, names, folder, entry->d_name, error);
    }
    closedir(directory);
    return status;
}

static enum oriel_status add_path(struct oriel_file_list *list, const char *path, int depth,
                                  struct oriel_error *error);

static enum oriel_status add_folder(struct oriel_file_list *list, const char *folder, int depth,
                                    struct oriel_error *error) {
    if (depth >= DEPTH_MAX)
        return oriel_error_set(error, ORIEL_IO,
                               "'%s': more than %d folders in each other; is it a loop of links?",
                               folder, DEPTH_MAX);
    struct name_list names = {0};
    enum oriel_status status = read_names(list, folder, &names, error);
    if (status == ORIEL_OK && names.count)
        qsort(names.names, names.count, sizeof *names.names, compare_names);
    for (size_t i = 0; status == ORIEL_OK && i < names.count; i++)
        status = add_path(list, names.names[i], depth + 1, error);
    oriel_memory_release(list->memory, names.names, names.capacity * sizeof *names.names);
    return status;
}

static enum oriel_status add_path(struct oriel_file_list *list, const char *path, int depth,
                                  struct oriel_error *error) {
    struct stat status;
    if (stat(path, &status) != 0)
        return oriel_byte_source_failed(path, errno, error);
    if (S_ISDIR(status.st_mode))
        return add_folder(list, path, depth, error);
    if (S_ISSOCK(status.st_mode))
        return oriel_error_set(error, ORIEL_IO, "'%s' is a socket", path);
    return add_file(list, path, &status, error);
}

/* The path of a `file:` URI; NULL for another scheme. A single letter is no scheme. */
static const char *strip_scheme(const char *path) {
    const size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789+-.");
    if (length < 2 || path[length] != ':')
        return path;
    if (strncmp(path, "file:", 5) == 0)
        return strncmp(path + 5, "///", 3) == 0 ? path + 7 : path + 5;
    return strncmp(path + length, "://", 3) == 0 ? NULL : path;
}

static bool is_hidden_name(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    const char *name = path + begin;
    const size_t name_length = length - begin;
    if (name[0] == '.' && (name_length == 1 || (name_length == 2 && name[1] == '.')))
        return false; /* this folder, or the one above */
    return name[0] == '.' || name[0] == '_';
}

enum oriel_status oriel_file_list_init(struct oriel_file_list *list, struct oriel_memory *memory,
                                       const char *path, struct oriel_error *error) {
    *list = (struct oriel_file_list){.memory = memory};
    const char *local = strip_scheme(path);
    if (!local)
        return oriel_error_set(error, ORIEL_UNSUPPORTED,
                               "only local files can be read yet, not '%s'", path);
    if (*local == '\0')
        return oriel_error_set(error, ORIEL_INVALID, "the path of a table is empty");
    oriel_arena_init(&list->arena, memory);
    list->is_hidden = is_hidden_name(local);
    if (list->is_hidden)
        return access(local, F_OK) == 0 ? ORIEL_OK : oriel_byte_source_failed(local, errno, error);
    const char *copy = oriel_arena_copy(&list->arena, local, strlen(local));
    const enum oriel_status status =
        copy ? add_path(list, copy, 0, error) : oriel_error_memory(error);
    if (status != ORIEL_OK)
        oriel_file_list_deinit(list);
    return status;
}

void oriel_file_list_deinit(struct oriel_file_list *list) {
    oriel_memory_release(list->memory, list->files, list->capacity * sizeof *list->files);
    oriel_arena_deinit(&list->arena);
    list->files = NULL;
    list->file_count = list->capacity = 0;
    list->total_bytes = 0;
}
