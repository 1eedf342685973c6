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
#include "engine/io/object_store.h"
#include "engine/io/path_pattern.h"

enum { DEPTH_MAX = 64 }; /* of folders in folders; a link to a parent would go on for ever */

enum oriel_status oriel_file_list_add(struct oriel_file_list *list, const char *path,
                                      uint64_t size_bytes, struct oriel_error *error) {
    if (list->file_count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 8;
        struct oriel_file *files = oriel_memory_resize(
            list->memory, list->files, list->capacity * sizeof *files, capacity * sizeof *files);
        if (!files)
            return oriel_error_memory(error);
        list->files = files;
        list->capacity = capacity;
    }
    list->files[list->file_count++] = (struct oriel_file){path, size_bytes, NULL};
    list->total_bytes += size_bytes;
    return ORIEL_OK;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum oriel_status add_name(struct oriel_file_list *list, struct oriel_path_set *names,
                                  const char *folder, const char *name, struct oriel_error *error) {
    const size_t length = strlen(folder);
    const char *separator = length && folder[length - 1] == '/' ? "" : "/";
    return oriel_path_set_add(
        names, oriel_arena_print(&list->arena, "%s%s%s", folder, separator, name), error);
}

static enum oriel_status read_names(struct oriel_file_list *list, const char *folder,
                                    struct oriel_path_set *names, struct oriel_error *error) {
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
    struct oriel_path_set names = {.memory = list->memory, .arena = &list->arena};
    enum oriel_status status = read_names(list, folder, &names, error);
    if (status == ORIEL_OK && names.count)
        qsort(names.paths, names.count, sizeof *names.paths, compare_names);
    for (size_t i = 0; status == ORIEL_OK && i < names.count; i++)
        status = add_path(list, names.paths[i], depth + 1, error);
    oriel_path_set_deinit(&names);
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
    const uint64_t size_bytes = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return oriel_file_list_add(list, path, size_bytes, error);
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

static int compare_files(const void *a, const void *b) {
    return strcmp(((const struct oriel_file *)a)->path, ((const struct oriel_file *)b)->path);
}

/* A folder and what is in it may both have matched. */
void oriel_file_list_sort(struct oriel_file_list *list, size_t first) {
    if (list->file_count == first)
        return;
    qsort(list->files + first, list->file_count - first, sizeof *list->files, compare_files);
    size_t kept = first + 1;
    for (size_t i = kept; i < list->file_count; i++) {
        if (compare_files(&list->files[i], &list->files[kept - 1]) != 0)
            list->files[kept++] = list->files[i];
        else
            list->total_bytes -= list->files[i].size_bytes;
    }
    list->file_count = kept;
}

static enum oriel_status add_pattern(struct oriel_file_list *list, const char *pattern,
                                     struct oriel_error *error) {
    const size_t first = list->file_count;
    struct oriel_path_set found = {.memory = list->memory, .arena = &list->arena};
    enum oriel_status status = oriel_path_match(pattern, &found, error);
    for (size_t i = 0; i < found.count && status == ORIEL_OK; i++)
        status = add_path(list, found.paths[i], 0, error);
    oriel_path_set_deinit(&found);
    ORIEL_TRY(status);
    oriel_file_list_sort(list, first);
    if (list->file_count == first)
        return oriel_error_set(error, ORIEL_IO, "no file matches '%s'", pattern);
    return ORIEL_OK;
}

static enum oriel_status add_object(struct oriel_file_list *list, const char *path,
                                    struct oriel_error *error) {
    if (oriel_path_is_object(path))
        return oriel_object_list(list, path, error);
    return oriel_error_set(error, ORIEL_UNSUPPORTED,
                           "'%s' is on a file system that Oriel does not have: it reads local "
                           "files, s3://, gs:// and hdfs://",
                           path);
}

static enum oriel_status add_piece(struct oriel_file_list *list, const char *path,
                                   struct oriel_error *error) {
    struct stat status;
    const char *local = strip_scheme(path);
    if (!local)
        return add_object(list, path, error);
    if (oriel_path_is_pattern(local) && stat(local, &status) != 0)
        return add_pattern(list, local, error);
    return add_path(list, local, 0, error);
}

/* Rows that count twice are hardly meant. */
static enum oriel_status refuse_doubles(struct oriel_file_list *list, const char *path,
                                        struct oriel_error *error) {
    struct oriel_path_set sorted = {.memory = list->memory, .arena = &list->arena};
    enum oriel_status status = ORIEL_OK;
    for (size_t i = 0; i < list->file_count && status == ORIEL_OK; i++)
        status = oriel_path_set_add(&sorted, list->files[i].path, error);
    if (status == ORIEL_OK && sorted.count)
        qsort(sorted.paths, sorted.count, sizeof *sorted.paths, compare_names);
    for (size_t i = 1; i < sorted.count && status == ORIEL_OK; i++) {
        if (strcmp(sorted.paths[i], sorted.paths[i - 1]) == 0)
            status = oriel_error_set(error, ORIEL_INVALID, "the file '%s' is named twice by '%s'",
                                     sorted.paths[i], path);
    }
    oriel_path_set_deinit(&sorted);
    return status;
}

static enum oriel_status add_all(struct oriel_file_list *list, const char *path,
                                 struct oriel_error *error) {
    struct oriel_path_set pieces = {.memory = list->memory, .arena = &list->arena};
    enum oriel_status status = oriel_path_split(path, &pieces, error);
    for (size_t i = 0; i < pieces.count && status == ORIEL_OK; i++)
        status = add_piece(list, pieces.paths[i], error);
    const bool is_several = pieces.count > 1;
    oriel_path_set_deinit(&pieces);
    ORIEL_TRY(status);
    return is_several ? refuse_doubles(list, path, error) : ORIEL_OK;
}

enum oriel_status oriel_file_list_init(struct oriel_file_list *list, struct oriel_memory *memory,
                                       const char *path, struct oriel_error *error) {
    *list = (struct oriel_file_list){.memory = memory};
    const char *local = strip_scheme(path);
    if (!local) {
        oriel_arena_init(&list->arena, memory);
        const enum oriel_status listed = add_all(list, path, error);
        if (listed != ORIEL_OK)
            oriel_file_list_deinit(list);
        return listed;
    }
    if (*local == '\0')
        return oriel_error_set(error, ORIEL_INVALID, "the path of a table is empty");
    oriel_arena_init(&list->arena, memory);
    struct stat facts;
    const bool is_there = stat(local, &facts) == 0;
    enum oriel_status status = ORIEL_OK;
    if (!is_there && (oriel_path_is_pattern(local) || strpbrk(local, ",;"))) {
        status = add_all(list, path, error);
    } else {
        list->is_hidden = is_hidden_name(local);
        if (list->is_hidden)
            return is_there ? ORIEL_OK : oriel_byte_source_failed(local, errno, error);
        const char *copy = oriel_arena_copy(&list->arena, local, strlen(local));
        status = copy ? add_path(list, copy, 0, error) : oriel_error_memory(error);
    }
    if (status != ORIEL_OK)
        oriel_file_list_deinit(list);
    return status;
}

void oriel_file_list_keep(struct oriel_file_list *list, const bool *keep) {
    size_t kept = 0;
    for (size_t i = 0; i < list->file_count; i++) {
        if (keep[i])
            list->files[kept++] = list->files[i];
        else
            list->total_bytes -= list->files[i].size_bytes;
    }
    list->file_count = kept;
}

void oriel_file_list_deinit(struct oriel_file_list *list) {
    oriel_memory_release(list->memory, list->files, list->capacity * sizeof *list->files);
    oriel_arena_deinit(&list->arena);
    list->files = NULL;
    list->file_count = list->capacity = 0;
    list->total_bytes = 0;
}
