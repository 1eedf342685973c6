/*
 * Between a table and its source: looks files up once for each scan. Parts of the condition that
 * speak of columns in folder names alone decide over whole files.
 */
#include "engine/api/scan.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "engine/functions/function.h"
#include "engine/io/folder.h"

/* ---- what was read ---- */

void oriel_read_pipes_free(struct oriel_engine *engine) {
    while (engine->pipes) {
        struct oriel_read_pipe *pipe = engine->pipes;
        engine->pipes = pipe->next;
        oriel_memory_release(&engine->memory, pipe, sizeof *pipe);
    }
}

/* What a pipe or terminal has given does not come again, so a second reading would find nothing, or
 * wait for ever. */
static enum oriel_status note_pipe(struct oriel_engine *engine, const char *path,
                                   const struct stat *facts, struct oriel_error *error) {
    const bool is_device = S_ISCHR(facts->st_mode) && facts->st_rdev != makedev(1, 3);
    if (!S_ISFIFO(facts->st_mode) && !is_device)
        return ORIEL_OK; /* device 1, 3 is /dev/null, which is empty each time */
    for (const struct oriel_read_pipe *it = engine->pipes; it; it = it->next) {
        if (it->device == facts->st_dev && it->inode == facts->st_ino)
            return oriel_error_set(error, ORIEL_IO,
                                   "'%s' has been read already: what comes through a pipe comes "
                                   "once; write it to a file to read it again",
                                   path);
    }
    struct oriel_read_pipe *pipe = oriel_memory_allocate(&engine->memory, sizeof *pipe);
    if (!pipe)
        return oriel_error_memory(error);
    *pipe = (struct oriel_read_pipe){facts->st_dev, facts->st_ino, engine->pipes};
    engine->pipes = pipe;
    return ORIEL_OK;
}

enum oriel_status oriel_scan_files_note(struct oriel_result *result,
                                        const struct oriel_file_list *files,
                                        struct oriel_error *error) {
    for (size_t i = 0; i < files->file_count; i++) {
        struct stat facts;
        if (stat(files->files[i].path, &facts) != 0)
            continue; /* the source will say so */
        ORIEL_TRY(note_pipe(result->engine, files->files[i].path, &facts, error));
        struct oriel_input_file *input = oriel_arena_allocate(&result->arena, sizeof *input);
        if (!input)
            return oriel_error_memory(error);
        *input = (struct oriel_input_file){facts.st_dev, facts.st_ino, result->inputs};
        result->inputs = input;
    }
    return ORIEL_OK;
}

/* ---- folders ---- */

static bool lies_in_folder(const struct oriel_file_list *files, const char *name) {
    const size_t length = strlen(name);
    if (!files->file_count)
        return false;
    for (const char *at = files->files[0].path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return true;
    }
    return false;
}

static int32_t column_of(const struct oriel_table_entry *table, const char *name) {
    for (uint32_t i = 0; i < table->schema.field_count; i++) {
        if (strcmp(table->schema.fields[i].name, name) == 0)
            return (int32_t)i;
    }
    return -1;
}

/* The files of a replacement may have the columns of folders in them, or in folders. */
static bool are_in_folders(const struct oriel_result *result, const struct oriel_table_entry *table,
                           const struct oriel_table_options *options) {
    struct oriel_file_list files;
    if (!options->is_replaced)
        return true;
    if (oriel_file_list_init(&files, &result->engine->memory, options->path, NULL) != ORIEL_OK)
        return false;
    const bool found = lies_in_folder(&files, table->statement->partitioned_by.items[0]->text);
    oriel_file_list_deinit(&files);
    return found;
}

enum oriel_status oriel_scan_folders_find(struct oriel_result *result,
                                          const struct oriel_table_entry *table,
                                          const struct oriel_table_options *options,
                                          struct oriel_folder_columns *out,
                                          struct oriel_error *error) {
    struct oriel_arena *arena = &result->arena;
    const uint32_t column_count = table->schema.field_count;
    const uint32_t count = table->statement ? table->statement->partitioned_by.count : 0;
    int32_t *number_of = oriel_arena_allocate(arena, (column_count + 1) * sizeof *number_of);
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, count + 1, sizeof *fields);
    if (!number_of || !fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < column_count; i++)
        number_of[i] = -1;
    *out = (struct oriel_folder_columns){{0, fields}, number_of};
    if (count == 0 || !are_in_folders(result, table, options))
        return ORIEL_OK;
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_identifier *name = table->statement->partitioned_by.items[i];
        const int32_t column = column_of(table, name->text);
        if (column < 0)
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "Partition column '%s' not defined in the table schema",
                                  name->text);
        fields[i] = table->schema.fields[column];
        const enum oriel_physical physical = oriel_type_physical(&fields[i].type);
        if (physical == ORIEL_PHYSICAL_NESTED || oriel_type_is_binary(&fields[i].type))
            return oriel_error_at(error, ORIEL_INVALID, name->position,
                                  "the column '%s' cannot stand in the name of a folder: it is "
                                  "nested or binary",
                                  name->text);
        number_of[column] = (int32_t)i;
    }
    out->schema.field_count = count;
    return ORIEL_OK;
}

/* ---- pruning ---- */

struct pruning {
    struct oriel_result *result;
    const struct oriel_plan *scan;
    const struct oriel_folder_columns *folders;
    struct oriel_file_list *files;
    struct oriel_column *columns; /* of the scan; values for those of folders only */
    bool *keep;                   /* a file each */
};

static int32_t folder_of(const struct pruning *pruning, uint32_t scan_column) {
    return pruning->folders->number_of[pruning->scan->scan.columns[scan_column]];
}

/* Whether an expression looks at folders and at nothing else, and is the same each time. */
static bool is_of_folders(const struct pruning *pruning, const struct oriel_expression *expression,
                          bool *has_column) {
    if (expression->kind == ORIEL_EXPRESSION_COLUMN) {
        *has_column = true;
        return folder_of(pruning, expression->column) >= 0;
    }
    if (expression->kind == ORIEL_EXPRESSION_CALL &&
        (expression->call->function->flags & ORIEL_FUNCTION_VOLATILE))
        return false;
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        if (!is_of_folders(pruning, expression->arguments[i], has_column))
            return false;
    }
    return true;
}

/* Puts the values of files [first, first + count) into the columns. */
static void fill_columns(struct pruning *pruning, size_t first, size_t count) {
    for (uint32_t c = 0; c < pruning->scan->schema.field_count; c++) {
        const int32_t folder = folder_of(pruning, c);
        struct oriel_column *column = &pruning->columns[c];
        if (folder < 0)
            continue;
        const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
        memset(column->valid, 0xFF, oriel_bits_word_count(count) * sizeof(uint64_t));
        for (size_t i = 0; i < count; i++) {
            const void *value = pruning->files->files[first + i].folder_values[folder];
            char *to = (char *)column->values + i * size;
            if (value)
                memcpy(to, value, size);
            else
                oriel_column_set_null(column, i);
        }
    }
}

/* Drops the files for which the condition is not TRUE. One that fails is left to the filter. */
static enum oriel_status apply(struct pruning *pruning, struct oriel_expression *condition,
                               struct oriel_error *error) {
    const struct oriel_runtime *runtime = &pruning->result->runtime;
    struct oriel_evaluator *evaluator = NULL;
    ORIEL_TRY(oriel_evaluator_open(runtime, &condition, 1, &evaluator, error));
    enum oriel_status status = ORIEL_OK;
    for (size_t first = 0; first < pruning->files->file_count; first += runtime->batch_rows) {
        const size_t left = pruning->files->file_count - first;
        const size_t count = left < runtime->batch_rows ? left : runtime->batch_rows;
        const struct oriel_batch batch = {count, pruning->scan->schema.field_count,
                                          pruning->columns, first, NULL};
        const struct oriel_column *outcome;
        fill_columns(pruning, first, count);
        status = oriel_evaluator_run(evaluator, &batch, &outcome, NULL);
        if (status != ORIEL_OK)
            break;
        for (size_t i = 0; i < count; i++)
            pruning->keep[first + i] &=
                !oriel_column_is_null(outcome, i) && ((const uint8_t *)outcome->values)[i];
    }
    oriel_evaluator_close(&evaluator);
    return status == ORIEL_MEMORY ? oriel_error_memory(error) : ORIEL_OK;
}

static enum oriel_status apply_parts(struct pruning *pruning, struct oriel_expression *condition,
                                     struct oriel_error *error) {
    if (condition->kind == ORIEL_EXPRESSION_AND) {
        for (uint32_t i = 0; i < condition->argument_count; i++)
            ORIEL_TRY(apply_parts(pruning, condition->arguments[i], error));
        return ORIEL_OK;
    }
    bool has_column = false;
    const bool is_known = is_of_folders(pruning, condition, &has_column);
    return is_known && has_column ? apply(pruning, condition, error) : ORIEL_OK;
}

static enum oriel_status prune(struct pruning *pruning, struct oriel_expression *condition,
                               struct oriel_error *error) {
    struct oriel_memory *memory = &pruning->result->engine->memory;
    const size_t file_count = pruning->files->file_count;
    const struct oriel_runtime *runtime = &pruning->result->runtime;
    struct oriel_column_buffers buffers;
    pruning->keep = oriel_memory_allocate(memory, file_count);
    if (!pruning->keep)
        return oriel_error_memory(error);
    memset(pruning->keep, true, file_count);
    enum oriel_status status = oriel_column_buffers_init(
        &buffers, memory, &pruning->scan->schema,
        file_count < runtime->batch_rows ? file_count : runtime->batch_rows, error);
    if (status == ORIEL_OK) {
        pruning->columns = buffers.columns;
        status = apply_parts(pruning, condition, error);
        oriel_column_buffers_deinit(&buffers);
    }
    if (status == ORIEL_OK)
        oriel_file_list_keep(pruning->files, pruning->keep);
    oriel_memory_release(memory, pruning->keep, file_count);
    return status;
}

static enum oriel_status read_folders(struct oriel_result *result, const struct oriel_plan *scan,
                                      const struct oriel_scan_options *options,
                                      struct oriel_file_list *files, struct oriel_error *error) {
    const struct oriel_table_entry *table = scan->scan.table;
    const struct oriel_folder_columns *folders = &options->folders;
    const uint32_t count = folders->schema.field_count;
    if (count == 0)
        return ORIEL_OK;
    bool *wanted = oriel_arena_allocate_zeroed(&result->arena, count, sizeof *wanted);
    struct oriel_field *fields = oriel_arena_allocate_zeroed(&result->arena, count, sizeof *fields);
    if (!wanted || !fields)
        return oriel_error_memory(error);
    memcpy(fields, folders->schema.fields, count * sizeof *fields);
    for (uint32_t i = 0; i < scan->schema.field_count; i++) {
        const int32_t folder = folders->number_of[scan->scan.columns[i]];
        if (folder >= 0)
            wanted[folder] = true;
    }
    if (table->rowtime >= 0 && !result->runtime.batch_mode &&
        folders->number_of[table->rowtime] >= 0) {
        wanted[folders->number_of[table->rowtime]] = true;
        fields[folders->number_of[table->rowtime]].type.nullable = false;
    }
    ORIEL_TRY(oriel_folder_read(files, (struct oriel_schema){count, fields}, wanted,
                                options->table.default_partition, error));
    if (!scan->scan.condition || !files->file_count)
        return ORIEL_OK;
    struct pruning pruning = {.result = result, .scan = scan, .folders = folders, .files = files};
    /* Only read. */
    return prune(&pruning, (struct oriel_expression *)(uintptr_t)scan->scan.condition, error);
}

enum oriel_status oriel_scan_files_list(struct oriel_result *result, const struct oriel_plan *scan,
                                        const struct oriel_scan_options *options,
                                        struct oriel_file_list *out, struct oriel_error *error) {
    ORIEL_TRY(oriel_file_list_init(out, &result->engine->memory, options->table.path, error));
    const enum oriel_status status = read_folders(result, scan, options, out, error);
    if (status != ORIEL_OK)
        oriel_file_list_deinit(out);
    return status;
}
