/*
 * The targets of INSERT behind one face: a file of text or columns, folders by columns, print,
 * blackhole.
 */
#include "engine/api/insert_output.h"

#include <sys/stat.h>

#include "engine/api/insert_columns.h"
#include "engine/api/insert_folders.h"

static int print_output(void *context, const char *bytes, size_t length) {
    const struct oriel_engine *engine = context;
    return engine->print(engine->print_context, 0, bytes, length);
}

static int print_error(void *context, const char *bytes, size_t length) {
    const struct oriel_engine *engine = context;
    return engine->print(engine->print_context, 1, bytes, length);
}

static bool writes_folders(const struct oriel_insert *insert) {
    return insert->folder && insert->folder_column_count;
}

bool oriel_insert_takes_rows_as_they_come(const struct oriel_insert *insert) {
    struct stat facts;
    if (insert->options.kind == ORIEL_CONNECTOR_BLACKHOLE)
        return true;
    if (insert->options.kind == ORIEL_CONNECTOR_PRINT || writes_folders(insert))
        return false;
    return stat(insert->path, &facts) != 0 || S_ISREG(facts.st_mode);
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

static bool appends(const struct oriel_result *result, const struct oriel_insert *insert) {
    struct stat facts;
    return insert->path && !insert->folder && !insert->statement->overwrite &&
           oriel_insert_was_written(result->engine, insert->path) &&
           stat(insert->path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static enum oriel_status open_writer(struct oriel_result *result,
                                     struct oriel_insert_output *output,
                                     struct oriel_error *error) {
    const struct oriel_insert *insert = output->insert;
    struct oriel_insert_writer *writer = &output->writer;
    const enum oriel_table_format format = insert->options.format;
    const bool is_text = format == ORIEL_TABLE_CSV || format == ORIEL_TABLE_JSON;
    const bool is_old = appends(result, insert);
    if (is_text && is_old)
        ORIEL_TRY(oriel_insert_copy_text(result, insert->path, output->file, error));
    ORIEL_TRY(oriel_insert_writer_init(writer, result, &insert->options, insert->sink, output->file,
                                       is_old, error));
    output->has_writer = true;
    if (is_text) {
        writer->rows.required = insert->required;
        output->maker = oriel_row_writer_maker(&writer->rows);
        return ORIEL_OK;
    }
    if (is_old)
        ORIEL_TRY(oriel_insert_copy_columns(result, insert->path, &insert->options, insert->sink,
                                            &writer->columns, error));
    output->old_count = writer->columns.row_count;
    writer->columns.required = insert->required;
    output->maker = oriel_columnar_writer_maker(&writer->columns);
    return ORIEL_OK;
}

static enum oriel_status open_file(struct oriel_result *result, struct oriel_insert_output *output,
                                   struct oriel_error *error) {
    struct oriel_engine *engine = result->engine;
    const struct oriel_insert *insert = output->insert;
    struct oriel_output_target target = {.fd = -1, .cancelled = &engine->cancelled};
    if (insert->options.kind == ORIEL_CONNECTOR_PRINT) {
        target.write = insert->options.print_to_error ? print_error : print_output;
        target.write_context = engine;
    } else {
        target.path = insert->path;
        target.sync = engine->sync;
    }
    ORIEL_TRY(oriel_output_file_open(&engine->memory, &target, &output->file, error));
    if (target.path)
        ORIEL_TRY(refuse_input(result, insert, output->file, error));
    return open_writer(result, output, error);
}

enum oriel_status oriel_insert_output_open(struct oriel_result *result,
                                           struct oriel_insert_output *output,
                                           struct oriel_error *error) {
    const struct oriel_insert *insert = output->insert;
    if (insert->options.kind == ORIEL_CONNECTOR_BLACKHOLE) {
        output->discard.required = insert->required;
        output->maker = oriel_discard_maker(&output->discard);
        return ORIEL_OK;
    }
    if (writes_folders(insert))
        return ORIEL_OK;
    if (insert->folder)
        ORIEL_TRY(oriel_insert_make_folder(result, insert, error));
    if (insert->folder && insert->statement->overwrite)
        ORIEL_TRY(
            oriel_file_list_init(&output->old, &result->engine->memory, insert->folder, error));
    return open_file(result, output, error);
}

enum oriel_status oriel_insert_output_run(struct oriel_result *result,
                                          struct oriel_insert_output *output,
                                          struct oriel_error *error) {
    if (writes_folders(output->insert))
        return oriel_insert_folders_write(result, output->insert, output->execution,
                                          &output->folders, error);
    return oriel_execution_run(output->execution, &output->maker, error);
}

enum oriel_status oriel_insert_output_finish(struct oriel_result *result,
                                             struct oriel_insert_output *output,
                                             struct oriel_error *error) {
    const struct oriel_insert_writer *writer = &output->writer;
    result->row_count += atomic_load(&output->discard.row_count);
    if (!output->has_writer)
        return ORIEL_OK;
    ORIEL_TRY(oriel_insert_writer_finish(&output->writer, error));
    result->row_count +=
        writer->is_text ? writer->rows.row_count : writer->columns.row_count - output->old_count;
    oriel_insert_writer_deinit(&output->writer);
    output->has_writer = false;
    return oriel_output_file_settle(output->file, error);
}

enum oriel_status oriel_insert_output_commit(struct oriel_result *result,
                                             struct oriel_insert_output *output,
                                             struct oriel_error *error) {
    const struct oriel_insert *insert = output->insert;
    if (output->folders)
        return oriel_insert_folders_commit(output->folders, error);
    if (!output->file)
        return ORIEL_OK;
    ORIEL_TRY(oriel_output_file_commit(output->file, error));
    ORIEL_TRY(oriel_insert_remove_files(&output->old, error));
    return insert->path && !insert->folder
               ? oriel_insert_note_written(result->engine, insert->path, error)
               : ORIEL_OK;
}

void oriel_insert_output_close(struct oriel_insert_output *output) {
    oriel_execution_close(&output->execution);
    if (output->has_writer)
        oriel_insert_writer_deinit(&output->writer);
    output->has_writer = false;
    oriel_output_file_close(&output->file);
    oriel_insert_folders_close(&output->folders);
    if (output->old.memory)
        oriel_file_list_deinit(&output->old);
    output->old.memory = NULL;
}
