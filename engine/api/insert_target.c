/*
 * Where the rows of an INSERT go. A path that ends as files of its format do (.csv) is one file:
 * the first INSERT of an engine replaces it, later ones add to it, so that a job gives the same
 * file however often it runs. Any other path is a folder, which gets a file more, as in Flink.
 */
#include "engine/api/insert_target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/api/discard.h"
#include "engine/api/insert_columns.h"
#include "engine/api/insert_folders.h"
#include "engine/api/insert_writer.h"

enum { COPY_BYTES = 1 << 16 };

/* ---- paths ---- */

enum oriel_status oriel_insert_name_part(struct oriel_result *result,
                                         const struct oriel_insert *insert, const char *folder,
                                         const char **out, struct oriel_error *error) {
    *out = oriel_arena_print(&result->arena, "%s/part-%llx-%lx-%04u%s", folder,
                             (unsigned long long)result->runtime.start_ms, (long)getpid(),
                             result->engine->part_count++,
                             oriel_table_format_suffix(insert->options.format));
    return *out ? ORIEL_OK : oriel_error_memory(error);
}

enum oriel_status oriel_insert_choose_path(struct oriel_result *result, struct oriel_insert *insert,
                                           struct oriel_error *error) {
    const char *path = insert->options.path;
    if (strncmp(path, "file://", 7) == 0)
        path += 7;
    else if (strncmp(path, "file:", 5) == 0)
        path += 5;
    else if (strstr(path, "://"))
        return oriel_error_at(error, ORIEL_UNSUPPORTED, insert->statement->name.position,
                              "the path '%s' is on a file system that Oriel does not have", path);
    struct stat facts;
    enum oriel_table_format format;
    const bool exists = stat(path, &facts) == 0;
    const bool has_suffix =
        oriel_table_format_of_path(path, &format) && format == insert->options.format;
    const bool has_folders = insert->folder_column_count && !insert->options.is_replaced;
    const bool is_folder = exists ? S_ISDIR(facts.st_mode) : has_folders || !has_suffix;
    if (has_folders && !is_folder)
        return oriel_error_at(error, ORIEL_IO, insert->statement->name.position,
                              "'%s' is a file, but the table is PARTITIONED BY columns, for which "
                              "it must be a folder",
                              path);
    if (oriel_table_path_is_packed(path) && !(exists && is_folder))
        return oriel_error_at(error, ORIEL_UNSUPPORTED, insert->statement->name.position,
                              "'%s' would be a compressed file, which Oriel reads but does not "
                              "write",
                              path);
    if (!is_folder) {
        insert->path = path;
        return ORIEL_OK;
    }
    insert->folder = path;
    return insert->folder_column_count
               ? ORIEL_OK
               : oriel_insert_name_part(result, insert, path, &insert->path, error);
}

enum oriel_status oriel_insert_make_folder(struct oriel_result *result,
                                           const struct oriel_insert *insert,
                                           struct oriel_error *error) {
    char *path = oriel_arena_copy(&result->arena, insert->folder, strlen(insert->folder));
    if (!path)
        return oriel_error_memory(error);
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        const char mark = *at;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return oriel_error_set(error, ORIEL_IO, "cannot create the folder %s: %s", path,
                                   strerror(errno));
        *at = mark;
        if (!mark)
            return ORIEL_OK;
    }
}

bool oriel_insert_was_written(const struct oriel_engine *engine, const char *path) {
    for (const struct oriel_written_file *file = engine->written; file; file = file->next) {
        if (strcmp(file->path, path) == 0)
            return true;
    }
    return false;
}

enum oriel_status oriel_insert_note_written(struct oriel_engine *engine, const char *path,
                                            struct oriel_error *error) {
    if (oriel_insert_was_written(engine, path))
        return ORIEL_OK;
    const size_t length = strlen(path) + 1;
    const size_t block_bytes = sizeof(struct oriel_written_file) + length;
    struct oriel_written_file *file = oriel_memory_allocate(&engine->memory, block_bytes);
    if (!file)
        return oriel_error_memory(error);
    file->next = engine->written;
    file->block_bytes = block_bytes;
    memcpy(file->path, path, length);
    engine->written = file;
    return ORIEL_OK;
}

void oriel_written_files_free(struct oriel_engine *engine) {
    while (engine->written) {
        struct oriel_written_file *file = engine->written;
        engine->written = file->next;
        oriel_memory_release(&engine->memory, file, file->block_bytes);
    }
}

enum oriel_status oriel_insert_copy_text(const struct oriel_result *result, const char *path,
                                         struct oriel_output_file *file,
                                         struct oriel_error *error) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return oriel_error_set(error, ORIEL_IO, "cannot read %s: %s", path, strerror(errno));
    char *bytes = oriel_memory_allocate(&result->engine->memory, COPY_BYTES);
    enum oriel_status status = bytes ? ORIEL_OK : oriel_error_memory(error);
    char last = '\n';
    while (status == ORIEL_OK) {
        const ssize_t count = read(fd, bytes, COPY_BYTES);
        if (count < 0 && errno != EINTR)
            status = oriel_error_set(error, ORIEL_IO, "cannot read %s: %s", path, strerror(errno));
        if (count == 0)
            break;
        if (count > 0) {
            last = bytes[count - 1];
            status = oriel_output_file_write(file, bytes, (size_t)count, error);
        }
        if (status == ORIEL_OK)
            status = oriel_runtime_check(&result->runtime, error);
    }
    if (status == ORIEL_OK && last != '\n')
        status = oriel_output_file_write(file, "\n", 1, error);
    oriel_memory_release(&result->engine->memory, bytes, COPY_BYTES);
    close(fd);
    return status;
}
