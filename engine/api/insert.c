/*
 * INSERT INTO a table of files: a path that ends as files of its format do (.csv) is one file,
 * which grows by the rows; any other path is a folder, which gets a file more. Each appears whole
 * or not at all.
 */
#include "engine/api/engine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/api/insert_columns.h"
#include "engine/api/insert_query.h"
#include "engine/api/replacement.h"
#include "engine/api/row_writer.h"
#include "engine/api/table_options.h"
#include "engine/io/file_list.h"

enum { COPY_BYTES = 1 << 16, PATH_EXTRA_BYTES = 64 };

struct insert {
    const struct ast_statement *statement;
    const struct oriel_table_entry *table;
    struct oriel_table_options options;
    struct oriel_schema sink;
    const char *const *required;
    struct oriel_plan *plan;
    const char *folder; /* or NULL */
    const char *path;   /* of the file that is written */
    bool appends;       /* to what `path` holds */
};

static enum oriel_status fill_sink(struct oriel_result *result, struct insert *insert,
                                   struct oriel_error *error) {
    const struct oriel_table_entry *table = insert->table;
    const uint32_t room = table->schema.field_count;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *fields);
    const char **required = oriel_arena_allocate_zeroed(&result->arena, room, sizeof *required);
    if (!fields || !required)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < room; i++) {
        if (table->definitions[i]->kind != AST_COLUMN_PHYSICAL)
            continue;
        const struct oriel_field *field = &table->schema.fields[i];
        if (oriel_type_physical(&field->type) == ORIEL_PHYSICAL_NESTED)
            return oriel_error_at(error, ORIEL_UNSUPPORTED, insert->statement->name.position,
                                  "column '%s' is nested, which Oriel cannot write yet",
                                  field->name);
        required[count] = field->type.nullable ? NULL : field->name;
        fields[count++] = *field;
    }
    insert->sink = (struct oriel_schema){count, fields};
    insert->required = required;
    return ORIEL_OK;
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Decides between file and folder, and names the file. */
static enum oriel_status choose_path(struct oriel_result *result, struct insert *insert,
                                     uint32_t number, struct oriel_error *error) {
    const char *path = insert->options.path;
    if (strncmp(path, "file://", 7) == 0)
        path += 7;
    else if (strncmp(path, "file:", 5) == 0)
        path += 5;
    else if (strstr(path, "://"))
        return oriel_error_at(error, ORIEL_UNSUPPORTED, insert->statement->name.position,
                              "the path '%s' is on a file system that Oriel does not have", path);
    struct stat facts;
    const bool exists = stat(path, &facts) == 0;
    const char *suffix = oriel_table_format_suffix(insert->options.format);
    const bool is_folder = exists ? S_ISDIR(facts.st_mode) : !ends_with(path, suffix);
    if (!is_folder) {
        insert->path = path;
        insert->appends = exists && S_ISREG(facts.st_mode) && !insert->statement->overwrite;
        return ORIEL_OK;
    }
    insert->folder = path;
    insert->path = oriel_arena_print(&result->arena, "%s/part-%llx-%lx-%u%s", path,
                                     (unsigned long long)result->runtime.start_ms, (long)getpid(),
                                     number, suffix);
    return insert->path ? ORIEL_OK : oriel_error_memory(error);
}

static enum oriel_status prepare(struct oriel_result *result, struct insert *insert,
                                 uint32_t number, struct oriel_error *error) {
    const struct ast_statement *statement = insert->statement;
    ORIEL_TRY(oriel_statement_find_table(result, &statement->name, &insert->table, error));
    if (insert->table->kind != ORIEL_TABLE_FILE)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' is no table of files, so rows cannot be inserted into it",
                              insert->table->name);
    if (!insert->table->definitions)
        return oriel_error_at(error, ORIEL_INVALID, statement->name.position,
                              "'%s' declares no columns, so rows cannot be inserted into it",
                              insert->table->name);
    if (statement->partition.count)
        return oriel_error_at(
            error, ORIEL_UNSUPPORTED, statement->position,
            "INSERT ... PARTITION is a statement of Flink that Oriel cannot run yet");
    ORIEL_TRY(oriel_table_options_read(
        &result->arena, insert->table, NULL, 0, statement->name.position, ORIEL_TABLE_OPTIONS_SINK,
        oriel_replacement_path(result->engine, insert->table, ORIEL_TABLE_OPTIONS_SINK),
        &insert->options, error));
    if (insert->options.format == ORIEL_TABLE_JSON)
        return oriel_error_at(error, ORIEL_UNSUPPORTED, statement->name.position,
                              "Oriel cannot insert into tables of JSON files yet");
    ORIEL_TRY(fill_sink(result, insert, error));
    ORIEL_TRY(
        oriel_insert_bind(result, statement, insert->table, insert->sink, &insert->plan, error));
    return choose_path(result, insert, number, error);
}

/* mkdir of the folder and of those above it. */
static enum oriel_status make_folder(struct oriel_result *result, const char *folder,
                                     struct oriel_error *error) {
    char *path = oriel_arena_copy(&result->arena, folder, strlen(folder));
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

static struct oriel_formatter_options format_of(const struct oriel_csv_options *csv) {
    return (struct oriel_formatter_options){
        .format = ORIEL_FORMAT_CSV,
        .csv = {.delimiter = csv->delimiter,
                .quote = csv->quote < 0 ? '\0' : (char)csv->quote,
                .escape = csv->escape < 0 ? '\0' : (char)csv->escape,
                .null_literal = csv->null_literal,
                .quote_empty = csv->quoted_empty_is_string,
                .trim_fraction = true},
    };
}

static enum oriel_status write_rows(struct oriel_result *result, const struct insert *insert,
                                    struct oriel_output_file *file, struct oriel_error *error) {
    struct oriel_memory *memory = &result->engine->memory;
    const struct oriel_formatter_options options = format_of(&insert->options.csv);
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

static enum oriel_status refuse_input(const struct oriel_result *result,
                                      const struct insert *insert,
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

/* Removes the files that OVERWRITE replaces. */
static enum oriel_status remove_old(const struct oriel_file_list *old, struct oriel_error *error) {
    for (size_t i = 0; i < old->file_count; i++) {
        if (unlink(old->files[i].path) != 0 && errno != ENOENT)
            return oriel_error_set(error, ORIEL_IO, "cannot remove %s: %s", old->files[i].path,
                                   strerror(errno));
    }
    return ORIEL_OK;
}

static enum oriel_status write_file(struct oriel_result *result, const struct insert *insert,
                                    struct oriel_error *error) {
    const struct oriel_output_target target = {
        .path = insert->path,
        .fd = -1,
        .sync = result->engine->sync,
        .cancelled = &result->engine->cancelled,
    };
    struct oriel_output_file *file;
    ORIEL_TRY(oriel_output_file_open(&result->engine->memory, &target, &file, error));
    enum oriel_status status = refuse_input(result, insert, file, error);
    const bool is_csv = insert->options.format == ORIEL_TABLE_CSV;
    const struct oriel_insert_columns columns = {
        .sink = insert->sink,
        .required = insert->required,
        .options = &insert->options,
        .appended = insert->appends ? insert->path : NULL,
    };
    if (status == ORIEL_OK && is_csv && insert->appends)
        status = copy_old(result, insert->path, file, error);
    if (status == ORIEL_OK)
        status = is_csv ? write_rows(result, insert, file, error)
                        : oriel_insert_write_columns(result, &columns, file, error);
    if (status == ORIEL_OK)
        status = oriel_output_file_commit(file, error);
    oriel_output_file_close(&file);
    return status;
}

static enum oriel_status run(struct oriel_result *result, const struct insert *insert,
                             struct oriel_error *error) {
    result->inputs = NULL;
    struct oriel_file_list old = {0};
    if (insert->folder) {
        ORIEL_TRY(make_folder(result, insert->folder, error));
        if (insert->statement->overwrite)
            ORIEL_TRY(oriel_file_list_init(&old, &result->engine->memory, insert->folder, error));
    }
    enum oriel_status status = oriel_execution_open(
        insert->plan, &result->runtime, oriel_result_open_scan, result, &result->execution, error);
    if (status == ORIEL_OK)
        status = write_file(result, insert, error);
    if (status == ORIEL_OK)
        status = remove_old(&old, error);
    oriel_execution_close(&result->execution);
    if (old.memory)
        oriel_file_list_deinit(&old);
    return status;
}

enum oriel_status oriel_statement_insert(struct oriel_result *result,
                                         const struct ast_statement *const *inserts,
                                         uint32_t insert_count, struct oriel_error *error) {
    result->kind = ORIEL_RESULT_INSERT;
    struct insert *prepared =
        oriel_arena_allocate_zeroed(&result->arena, insert_count, sizeof *prepared);
    if (!prepared)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < insert_count; i++) {
        prepared[i].statement = inserts[i];
        ORIEL_TRY(prepare(result, &prepared[i], i, error));
    }
    ORIEL_TRY(oriel_engine_start_pool(result->engine, &result->runtime, error));
    for (uint32_t i = 0; i < insert_count; i++)
        ORIEL_TRY(run(result, &prepared[i], error));
    return ORIEL_OK;
}
