/*
 * Rows come sorted by the columns of the folders, so one file is open at a time. Finished ones wait
 * under temporary names until the last is written.
 */
#include "engine/api/insert_folders.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/api/insert_writer.h"
#include "engine/io/file_list.h"
#include "engine/io/folder.h"
#include "engine/plan/bind.h"

/* A folder that was made for the statement. */
struct made_folder {
    const char *path;
    struct made_folder *before;
};

/* A file that is written; all in the arena of the result. */
struct folder_file {
    const char *path;
    struct oriel_output_file *output;
    struct oriel_file_list old; /* that OVERWRITE removes */
    struct folder_file *before;
};

struct oriel_folder_writer {
    struct oriel_result *result;
    const struct oriel_insert *insert;
    bool committed;
    struct oriel_schema schema;   /* of the files */
    const uint32_t *kept;         /* its columns in the sink */
    struct oriel_column *columns; /* of a batch of the files */
    struct oriel_table keys;      /* one row: the folder of the open file */
    struct oriel_table rows;      /* of a part of a batch */
    struct oriel_text_buffer name;
    struct made_folder *folders;
    struct folder_file *files;
    struct oriel_insert_writer open; /* of the last file */
    bool is_open;
};

/* ---- which columns ---- */

static int32_t column_of(struct oriel_schema schema, const char *name) {
    for (uint32_t i = 0; i < schema.field_count; i++) {
        if (strcmp(schema.fields[i].name, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

static bool is_key(const struct oriel_insert *insert, const char *name) {
    for (uint32_t i = 0; i < insert->folder_column_count; i++) {
        if (strcmp(insert->sink.fields[insert->folder_columns[i]].name, name) == 0)
            return true;
    }
    return false;
}

enum oriel_status oriel_insert_find_folders(struct oriel_result *result,
                                            struct oriel_insert *insert,
                                            struct oriel_error *error) {
    const struct ast_statement *table = insert->table->statement;
    const uint32_t count = table ? table->partitioned_by.count : 0;
    uint32_t *columns = oriel_arena_allocate_zeroed(&result->arena, count + 1, sizeof *columns);
    if (!columns)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_identifier *name = table->partitioned_by.items[i];
        const int32_t column = column_of(insert->sink, name->text);
        if (column < 0)
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "Partition column '%s' not defined in the table schema",
                                  name->text);
        const struct oriel_type *type = &insert->sink.fields[column].type;
        if (oriel_type_physical(type) == ORIEL_PHYSICAL_NESTED || oriel_type_is_binary(type))
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "the column '%s' cannot stand in the name of a folder: it is "
                                  "nested or binary",
                                  name->text);
        columns[i] = (uint32_t)column;
    }
    insert->folder_columns = columns;
    insert->folder_column_count = count;
    if (count && count == insert->sink.field_count)
        return oriel_error_at(
            error, ORIEL_INVALID, insert->statement->name.position,
            "the table '%s' is PARTITIONED BY all its columns, so its files would "
            "have none",
            insert->table->name);
    for (uint32_t i = 0; i < insert->statement->partition.count; i++) {
        const struct ast_option *item = insert->statement->partition.items[i];
        if (!is_key(insert, item->key))
            return oriel_error_at(error, ORIEL_INVALID, item->position,
                                  "Static partition column '%s' should be in the partition keys "
                                  "list of the table '%s'",
                                  item->key, insert->table->name);
    }
    return ORIEL_OK;
}

static bool is_static(const struct ast_statement *insert, const char *name) {
    for (uint32_t i = 0; i < insert->partition.count; i++) {
        const struct ast_option *item = insert->partition.items[i];
        if (item->value && strcmp(item->key, name) == 0)
            return true;
    }
    return false;
}

enum oriel_status oriel_insert_sort_folders(struct oriel_result *result,
                                            struct oriel_insert *insert,
                                            struct oriel_error *error) {
    struct oriel_sort_item *items = oriel_arena_allocate_zeroed(
        &result->arena, (size_t)insert->folder_column_count + 1, sizeof *items);
    if (!items)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < insert->folder_column_count; i++) {
        const uint32_t column = insert->folder_columns[i];
        if (!is_static(insert->statement, insert->sink.fields[column].name))
            items[count++] = (struct oriel_sort_item){.column = column, .nulls_first = true};
    }
    insert->plan = oriel_plan_make_sort(&result->arena, insert->plan, count, items);
    return insert->plan ? ORIEL_OK : oriel_error_memory(error);
}

/* ---- folders and files ---- */

static enum oriel_status make_folders(struct oriel_folder_writer *writer, const char *folder,
                                      struct oriel_error *error) {
    struct oriel_arena *arena = &writer->result->arena;
    for (const char *at = folder + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        struct made_folder *made = oriel_arena_allocate(arena, sizeof *made);
        const char *path = oriel_arena_copy(arena, folder, (size_t)(at - folder));
        if (!made || !path)
            return oriel_error_memory(error);
        if (mkdir(path, 0777) == 0) {
            *made = (struct made_folder){path, writer->folders};
            writer->folders = made;
        } else if (errno != EEXIST) {
            return oriel_error_set(error, ORIEL_IO, "cannot create the folder %s: %s", path,
                                   strerror(errno));
        }
        if (!*at)
            return ORIEL_OK;
    }
}

/* The folder of the row that `writer->keys` holds. */
static enum oriel_status name_folder(struct oriel_folder_writer *writer, const char **out,
                                     struct oriel_error *error) {
    const struct oriel_insert *insert = writer->insert;
    writer->name.length = 0;
    for (uint32_t i = 0; i < insert->folder_column_count; i++) {
        if (i > 0 && oriel_text_buffer_append(&writer->name, "/", 1) != ORIEL_OK)
            return oriel_error_memory(error);
        ORIEL_TRY(oriel_folder_print(&writer->name,
                                     insert->sink.fields[insert->folder_columns[i]].name,
                                     &writer->keys.columns[insert->folder_columns[i]], 0,
                                     insert->options.default_partition, error));
    }
    *out = oriel_arena_print(&writer->result->arena, "%s/%.*s", insert->folder,
                             (int)writer->name.length, writer->name.bytes);
    return *out ? ORIEL_OK : oriel_error_memory(error);
}

static enum oriel_status finish_file(struct oriel_folder_writer *writer,
                                     struct oriel_error *error) {
    if (!writer->is_open)
        return ORIEL_OK;
    enum oriel_status status = oriel_insert_writer_finish(&writer->open, error);
    writer->is_open = false;
    oriel_insert_writer_deinit(&writer->open);
    if (status == ORIEL_OK)
        status = oriel_output_file_settle(writer->files->output, error);
    return status;
}

static enum oriel_status begin_file(struct oriel_folder_writer *writer, struct oriel_error *error) {
    struct oriel_engine *engine = writer->result->engine;
    const char *folder;
    ORIEL_TRY(name_folder(writer, &folder, error));
    struct folder_file *file = oriel_arena_allocate_zeroed(&writer->result->arena, 1, sizeof *file);
    if (!file)
        return oriel_error_memory(error);
    file->before = writer->files;
    writer->files = file;
    ORIEL_TRY(oriel_insert_name_part(writer->result, writer->insert, folder, &file->path, error));
    ORIEL_TRY(make_folders(writer, folder, error));
    if (writer->insert->statement->overwrite)
        ORIEL_TRY(oriel_file_list_init(&file->old, &engine->memory, folder, error));
    const struct oriel_output_target target = {
        .path = file->path, .fd = -1, .sync = engine->sync, .cancelled = &engine->cancelled};
    ORIEL_TRY(oriel_output_file_open(&engine->memory, &target, &file->output, error));
    ORIEL_TRY(oriel_insert_writer_init(&writer->open, writer->result, &writer->insert->options,
                                       writer->schema, file->output, false, error));
    writer->is_open = true;
    return ORIEL_OK;
}

/* ---- rows ---- */

static bool is_of_open_file(const struct oriel_folder_writer *writer,
                            const struct oriel_batch *batch, size_t row) {
    const struct oriel_insert *insert = writer->insert;
    for (uint32_t i = 0; i < insert->folder_column_count; i++) {
        const uint32_t column = insert->folder_columns[i];
        if (oriel_column_compare(&batch->columns[column], row, &writer->keys.columns[column], 0))
            return false;
    }
    return true;
}

/* Rows [first, end) of `batch`, all of the open file. */
static enum oriel_status add_rows(struct oriel_folder_writer *writer,
                                  const struct oriel_batch *batch, size_t first, size_t end,
                                  struct oriel_error *error) {
    const struct oriel_column *from = batch->columns;
    if (first > 0 || end < batch->row_count) {
        oriel_table_clear(&writer->rows);
        ORIEL_TRY(oriel_table_append(&writer->rows, batch, NULL, first, end - first, error));
        from = writer->rows.columns;
    }
    for (uint32_t i = 0; i < writer->schema.field_count; i++)
        writer->columns[i] = from[writer->kept[i]];
    const struct oriel_batch part = {.row_count = end - first,
                                     .column_count = writer->schema.field_count,
                                     .columns = writer->columns};
    return oriel_insert_writer_add(&writer->open, &part, error);
}

static enum oriel_status add_batch(struct oriel_folder_writer *writer,
                                   const struct oriel_batch *batch, struct oriel_error *error) {
    ORIEL_TRY(oriel_check_required(writer->insert->required, batch, error));
    for (size_t first = 0, end; first < batch->row_count; first = end) {
        if (!writer->is_open || !is_of_open_file(writer, batch, first)) {
            ORIEL_TRY(finish_file(writer, error));
            oriel_table_clear(&writer->keys);
            ORIEL_TRY(oriel_table_append(&writer->keys, batch, NULL, first, 1, error));
            ORIEL_TRY(begin_file(writer, error));
        }
        end = batch->row_count;
        if (!is_of_open_file(writer, batch, end - 1)) { /* sorted: the same ones stand together */
            end = first + 1;
            while (is_of_open_file(writer, batch, end))
                end++;
        }
        ORIEL_TRY(add_rows(writer, batch, first, end, error));
    }
    writer->result->row_count += batch->row_count;
    return ORIEL_OK;
}

static enum oriel_status write_all(struct oriel_folder_writer *writer,
                                   struct oriel_execution *execution, struct oriel_error *error) {
    for (;;) {
        const struct oriel_batch *batch;
        const enum oriel_status status = oriel_execution_next(execution, &batch, error);
        if (status == ORIEL_DONE)
            return finish_file(writer, error);
        ORIEL_TRY(status);
        ORIEL_TRY(add_batch(writer, batch, error));
    }
}

enum oriel_status oriel_insert_folders_commit(struct oriel_folder_writer *writer,
                                              struct oriel_error *error) {
    for (struct folder_file *file = writer->files; file; file = file->before)
        ORIEL_TRY(oriel_output_file_commit(file->output, error));
    for (struct folder_file *file = writer->files; file; file = file->before)
        ORIEL_TRY(oriel_insert_remove_files(&file->old, error));
    writer->committed = true;
    return ORIEL_OK;
}

static enum oriel_status choose_columns(struct oriel_folder_writer *writer,
                                        struct oriel_error *error) {
    const struct oriel_insert *insert = writer->insert;
    struct oriel_arena *arena = &writer->result->arena;
    const uint32_t room = insert->sink.field_count;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, room, sizeof *fields);
    uint32_t *kept = oriel_arena_allocate_zeroed(arena, room, sizeof *kept);
    writer->columns = oriel_arena_allocate_zeroed(arena, room, sizeof *writer->columns);
    if (!fields || !kept || !writer->columns)
        return oriel_error_memory(error);
    uint32_t count = 0;
    for (uint32_t i = 0; i < room; i++) {
        if (is_key(insert, insert->sink.fields[i].name))
            continue;
        fields[count] = insert->sink.fields[i];
        kept[count++] = i;
    }
    writer->schema = (struct oriel_schema){count, fields};
    writer->kept = kept;
    return ORIEL_OK;
}

void oriel_insert_folders_close(struct oriel_folder_writer **writer_pointer) {
    struct oriel_folder_writer *writer = *writer_pointer;
    if (!writer)
        return;
    *writer_pointer = NULL;
    if (writer->is_open)
        oriel_insert_writer_deinit(&writer->open);
    for (struct folder_file *file = writer->files; file; file = file->before) {
        oriel_output_file_close(&file->output);
        if (file->old.memory)
            oriel_file_list_deinit(&file->old);
    }
    for (struct made_folder *made = writer->folders; made && !writer->committed;
         made = made->before)
        (void)rmdir(made->path); /* stays where another one has written into it */
    oriel_table_deinit(&writer->keys);
    oriel_table_deinit(&writer->rows);
    oriel_text_buffer_deinit(&writer->name);
}

enum oriel_status oriel_insert_folders_write(struct oriel_result *result,
                                             const struct oriel_insert *insert,
                                             struct oriel_execution *execution,
                                             struct oriel_folder_writer **out,
                                             struct oriel_error *error) {
    struct oriel_memory *memory = &result->engine->memory;
    struct oriel_folder_writer *writer =
        oriel_arena_allocate_zeroed(&result->arena, 1, sizeof *writer);
    if (!writer)
        return oriel_error_memory(error);
    writer->result = result;
    writer->insert = insert;
    oriel_table_init(&writer->keys, memory, insert->sink);
    oriel_table_init(&writer->rows, memory, insert->sink);
    oriel_text_buffer_init(&writer->name, memory);
    *out = writer;
    ORIEL_TRY(choose_columns(writer, error));
    return write_all(writer, execution, error);
}
