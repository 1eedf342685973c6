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

static bool was_written(const struct oriel_engine *engine, const char *path) {
    for (const struct oriel_written_file *file = engine->written; file; file = file->next) {
        if (strcmp(file->path, path) == 0)
            return true;
    }
    return false;
}

static enum oriel_status note_written(struct oriel_engine *engine, const char *path,
                                      struct oriel_error *error) {
    if (was_written(engine, path))
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

/* Copies what a file holds, so that the new rows stand behind it. */
static enum oriel_status copy_old(const struct oriel_result *result, const char *path,
                                  struct oriel_output_file *file, struct oriel_error *error) {
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

/* ---- rows ---- */

static enum oriel_status write_rows(struct oriel_result *result, const struct oriel_insert *insert,
                                    bool appends, struct oriel_output_file *file,
                                    struct oriel_error *error) {
    struct oriel_memory *memory = &result->engine->memory;
    struct oriel_formatter_options options = oriel_insert_format(&insert->options);
    options.header &= !appends;
    struct oriel_formatter *formatter;
    ORIEL_TRY(oriel_formatter_open(memory, insert->sink, &options, &formatter, error));
    struct oriel_row_writer writer;
    oriel_row_writer_init(&writer, memory, formatter, file, insert->sink.field_count);
    writer.required = insert->required;
    const struct oriel_piece_maker maker = oriel_row_writer_maker(&writer);
    enum oriel_status status = oriel_execution_run(result->execution, &maker, error);
    if (status == ORIEL_OK)
        status = oriel_row_writer_finish(&writer, error);
    result->row_count += writer.row_count;
    oriel_row_writer_deinit(&writer);
    oriel_formatter_close(&formatter);
    return status;
}

/* Blackhole: rows are computed and counted. */
static enum oriel_status discard_rows(struct oriel_result *result,
                                      const struct oriel_insert *insert,
                                      struct oriel_error *error) {
    struct oriel_discard discard = {.required = insert->required};
    const struct oriel_piece_maker maker = oriel_discard_maker(&discard);
    const enum oriel_status status = oriel_execution_run(result->execution, &maker, error);
    result->row_count += atomic_load(&discard.row_count);
    return status;
}

/* ---- targets ---- */

static int print_output(void *context, const char *bytes, size_t length) {
    const struct oriel_engine *engine = context;
    return engine->print(engine->print_context, 0, bytes, length);
}

static int print_error(void *context, const char *bytes, size_t length) {
    const struct oriel_engine *engine = context;
    return engine->print(engine->print_context, 1, bytes, length);
}

static enum oriel_status refuse_input(const struct oriel_result *result,
                                      const struct oriel_insert *insert,
                                      const struct oriel_output_file *file,
                                      struct oriel_error *error) {
    for (const struct oriel_input_file *input = result->inputs; input; input = input->next) {
        if (oriel_output_file_is(file, input->device, input->inode))
            return oriel_error_at(error, ORIEL_INVALID, insert->statement->name.position,
                                  "%s is also an input of the statement; write to another file",
                                  insert->path);
    }
    return ORIEL_OK;
}

static bool is_regular(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static enum oriel_status fill_file(struct oriel_result *result, const struct oriel_insert *insert,
                                   struct oriel_output_file *file, struct oriel_error *error) {
    const enum oriel_table_format format = insert->options.format;
    const bool is_text = format == ORIEL_TABLE_CSV || format == ORIEL_TABLE_JSON;
    const bool appends = !insert->folder && !insert->statement->overwrite &&
                         was_written(result->engine, insert->path) && is_regular(insert->path);
    ORIEL_TRY(refuse_input(result, insert, file, error));
    if (is_text && appends)
        ORIEL_TRY(copy_old(result, insert->path, file, error));
    if (is_text)
        return write_rows(result, insert, appends, file, error);
    const struct oriel_insert_columns columns = {
        .sink = insert->sink,
        .required = insert->required,
        .options = &insert->options,
        .appended = appends ? insert->path : NULL,
    };
    return oriel_insert_write_columns(result, &columns, file, error);
}

static enum oriel_status write_file(struct oriel_result *result, const struct oriel_insert *insert,
                                    const struct oriel_output_target *target,
                                    struct oriel_error *error) {
    struct oriel_output_file *file;
    ORIEL_TRY(oriel_output_file_open(&result->engine->memory, target, &file, error));
    enum oriel_status status = target->path ? fill_file(result, insert, file, error)
                                            : write_rows(result, insert, false, file, error);
    if (status == ORIEL_OK)
        status = oriel_output_file_commit(file, error);
    oriel_output_file_close(&file);
    return status;
}

enum oriel_status oriel_insert_write(struct oriel_result *result, const struct oriel_insert *insert,
                                     struct oriel_error *error) {
    struct oriel_engine *engine = result->engine;
    struct oriel_output_target target = {.fd = -1, .cancelled = &engine->cancelled};
    if (insert->options.kind == ORIEL_CONNECTOR_BLACKHOLE)
        return discard_rows(result, insert, error);
    if (insert->options.kind == ORIEL_CONNECTOR_PRINT) {
        target.write = insert->options.print_to_error ? print_error : print_output;
        target.write_context = engine;
        return write_file(result, insert, &target, error);
    }
    if (insert->folder && insert->folder_column_count)
        return oriel_insert_write_folders(result, insert, error);
    target.path = insert->path;
    target.sync = engine->sync;
    ORIEL_TRY(write_file(result, insert, &target, error));
    return insert->folder ? ORIEL_OK : note_written(engine, insert->path, error);
}
