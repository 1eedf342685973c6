/*
 * One worker's reading: arrays of a part, cut into batches whose columns are brought to the types
 * of the table.
 */
#include "engine/io/arrow_reader.h"

#include <string.h>

#include "engine/io/arrow_nested.h"

static void close_reader(struct arrow_source *source, struct arrow_worker *worker) {
    if (worker->reader)
        source->shim->reader_close(worker->reader);
    worker->reader = NULL;
    if (worker->file)
        arrow_file_release(source, worker->file);
    worker->file = NULL;
}

/* The buffers that a schema of the wanted columns, then the needed ones, asks for. */
static enum oriel_status make_buffers(struct arrow_source *source, struct arrow_worker *worker,
                                      struct oriel_error *error) {
    const uint32_t wanted = source->request.column_count, needed = source->needed_count;
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&worker->arena, (size_t)wanted + needed + 1, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    /* Wanted columns of the file borrow the buffers of the needed ones. */
    uint32_t count = 0;
    for (uint32_t i = 0; i < needed; i++)
        fields[count++] = source->needed_schema.fields[i];
    for (uint32_t i = 0; i < wanted; i++) {
        if (source->needed_of[i] < 0)
            fields[count++] = source->base.schema.fields[i];
    }
    const struct oriel_schema schema = {count, fields};
    ORIEL_TRY(oriel_column_buffers_init(&worker->buffers, source->runtime->memory, &schema,
                                        source->runtime->batch_rows, error));
    worker->is_ready = true;
    return ORIEL_OK;
}

enum oriel_status arrow_worker_init(struct arrow_source *source, struct arrow_worker *worker,
                                    struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t needed = (size_t)source->needed_count + 1;
    oriel_arena_init(&worker->arena, memory);
    oriel_arena_init(&worker->batch_arena, memory);
    worker->targets = oriel_memory_allocate_zeroed(memory, needed, sizeof *worker->targets);
    worker->children = oriel_memory_allocate_zeroed(memory, needed, sizeof *worker->children);
    worker->needed = oriel_memory_allocate_zeroed(memory, needed, sizeof *worker->needed);
    worker->wanted = oriel_memory_allocate_zeroed(memory, (size_t)source->request.column_count + 1,
                                                  sizeof *worker->wanted);
    worker->rows =
        oriel_memory_allocate_zeroed(memory, source->runtime->batch_rows, sizeof *worker->rows);
    if (!worker->targets || !worker->children || !worker->needed || !worker->wanted ||
        !worker->rows)
        return oriel_error_memory(error);
    ORIEL_TRY(make_buffers(source, worker, error));
    for (uint32_t i = 0; i < source->needed_count; i++)
        worker->targets[i] = (struct oriel_arrow_target){
            .kernels = source->runtime->kernels,
            .dictionary = {.memory = memory, .dictionary_count = source->runtime->dictionary_count},
            .wanted = source->needed_schema.fields[i].type,
            .arena = &worker->batch_arena,
            .values = worker->buffers.columns[i].values,
            .valid = worker->buffers.columns[i].valid,
        };
    return ORIEL_OK;
}

void arrow_worker_deinit(struct arrow_source *source, struct arrow_worker *worker) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t needed = (size_t)source->needed_count + 1;
    close_reader(source, worker);
    for (uint32_t i = 0; i < source->needed_count && worker->is_ready; i++)
        oriel_arrow_target_deinit(&worker->targets[i]);
    if (worker->is_ready)
        oriel_column_buffers_deinit(&worker->buffers);
    oriel_memory_release(memory, worker->targets, needed * sizeof *worker->targets);
    oriel_memory_release(memory, worker->children, needed * sizeof *worker->children);
    oriel_memory_release(memory, worker->needed, needed * sizeof *worker->needed);
    oriel_memory_release(memory, worker->wanted,
                         ((size_t)source->request.column_count + 1) * sizeof *worker->wanted);
    oriel_memory_release(memory, worker->rows, source->runtime->batch_rows * sizeof *worker->rows);
    oriel_arena_deinit(&worker->arena);
    oriel_arena_deinit(&worker->batch_arena);
}

/* Adds to an error of a value where it stands. */
static enum oriel_status place_error(const struct arrow_file *file, int64_t file_row,
                                     enum oriel_status status, struct oriel_error *error) {
    if (status != ORIEL_DATA || !error)
        return status;
    const struct oriel_error inner = *error;
    if (file_row < 0)
        return oriel_error_set(error, status, "'%s': %s", file->input.path, inner.message);
    return oriel_error_set(error, status, "'%s', row %lld: %s", file->input.path,
                           (long long)file_row + 1, inner.message);
}

/* Reads the schema of a part: which child each needed column is, and how it is read. */
static enum oriel_status read_schema(struct arrow_source *source, struct arrow_worker *worker,
                                     const struct arrow_file *file,
                                     const struct ArrowSchema *schema, struct oriel_error *error) {
    if (schema->n_children != file->field_count)
        return oriel_error_set(error, ORIEL_INTERNAL, "'%s' gave %lld columns, not %d",
                               file->input.path, (long long)schema->n_children, file->field_count);
    for (uint32_t i = 0; i < source->needed_count; i++) {
        struct oriel_arrow_target *target = &worker->targets[i];
        uint32_t child = 0;
        while (file->fields[child] != file->needed[i])
            child++;
        worker->children[i] = child;
        ORIEL_TRY(oriel_arrow_nested_field_read(schema->children[child], &worker->arena, 0,
                                                &target->column, error));
        if (!oriel_arrow_column_fit(&target->column, &target->wanted))
            return oriel_error_set(error, ORIEL_DATA, "'%s': column '%s' has another type inside",
                                   file->input.path, target->column.name);
        oriel_arrow_target_choose(target);
    }
    return ORIEL_OK;
}

/* Reads rows of an array into the columns and finds the first NULL that may not be. */
static enum oriel_status read_rows(struct arrow_source *source, struct arrow_worker *worker,
                                   const struct ArrowArray *array, size_t first, size_t count,
                                   struct oriel_error *error) {
    oriel_arena_reset(&worker->batch_arena);
    for (uint32_t i = 0; i < source->needed_count; i++)
        ORIEL_TRY(oriel_arrow_target_read(&worker->targets[i], array, worker->children[i], first,
                                          count, worker->rows, &worker->needed[i], error));
    for (uint32_t i = 0; i < source->needed_count; i++) {
        const struct oriel_column *column = &worker->needed[i];
        for (size_t row = 0; column->valid && source->needed[i].forbids_null && row < count;
             row++) {
            if (!oriel_column_is_null(column, row))
                continue;
            if (source->needed[i].is_rowtime)
                return oriel_error_set(error, ORIEL_DATA,
                                       "RowTime field should not be null, please convert it to a "
                                       "non-null long value.");
            return oriel_error_set(error, ORIEL_DATA,
                                   "Column '%s' is NOT NULL, however, a null value is being "
                                   "written into it.",
                                   source->needed_schema.fields[i].name);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status push_rows(struct arrow_source *source, struct arrow_worker *worker,
                                   const struct arrow_file *file, size_t count, uint64_t first_row,
                                   oriel_push *push, void *context, struct oriel_error *error) {
    uint32_t property = source->needed_count;
    for (uint32_t i = 0; i < source->request.column_count; i++) {
        if (source->needed_of[i] >= 0) {
            worker->wanted[i] = worker->needed[source->needed_of[i]];
            continue;
        }
        worker->wanted[i] = worker->buffers.columns[property++];
        struct oriel_column *column = &worker->wanted[i];
        const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
        if (!oriel_file_properties_fill(&file->properties, &source->request.columns[i], size,
                                        column->values, column->valid, count))
            column->valid = NULL;
    }
    const struct oriel_batch batch = {
        .row_count = count,
        .column_count = source->request.column_count,
        .columns = worker->wanted,
        .first_row = first_row,
    };
    oriel_runtime_count_rows(source->runtime, source->request.table, count);
    return push(context, &batch, error);
}

/* Where an array stands. */
struct place {
    const struct arrow_file *file;
    uint64_t first_row;
    int64_t file_row;
};

/* Finds the row that failed and pushes those before it, so that what comes before an error does
 * not depend on the size of batches. */
static enum oriel_status push_until_failure(struct arrow_source *source,
                                            struct arrow_worker *worker,
                                            const struct ArrowArray *array, size_t first,
                                            size_t count, struct place place, oriel_push *push,
                                            void *context, struct oriel_error *error) {
    for (size_t i = 0; i < count; i++) {
        const enum oriel_status status = read_rows(source, worker, array, first + i, 1, error);
        if (status != ORIEL_OK)
            return place_error(place.file,
                               place.file_row < 0 ? -1 : place.file_row + (int64_t)(first + i),
                               status, error);
        ORIEL_TRY(push_rows(source, worker, place.file, 1, place.first_row + first + i, push,
                            context, error));
    }
    return oriel_error_set(error, ORIEL_INTERNAL, "'%s' failed in a batch and not in its rows",
                           place.file->input.path);
}

static enum oriel_status push_array(struct arrow_source *source, struct arrow_worker *worker,
                                    const struct ArrowArray *array, size_t begin, size_t end,
                                    struct place place, oriel_push *push, void *context,
                                    struct oriel_error *error) {
    const size_t batch_rows = source->runtime->batch_rows;
    for (size_t first = begin; first < end; first += batch_rows) {
        const size_t count = end - first < batch_rows ? end - first : batch_rows;
        ORIEL_TRY(oriel_runtime_check(source->runtime, error));
        const enum oriel_status status = read_rows(source, worker, array, first, count, error);
        if (status == ORIEL_DATA)
            return push_until_failure(source, worker, array, first, count, place, push, context,
                                      error);
        ORIEL_TRY(status);
        ORIEL_TRY(push_rows(source, worker, place.file, count, place.first_row + first, push,
                            context, error));
    }
    return ORIEL_OK;
}

static enum oriel_status check_array(struct arrow_source *source, struct arrow_worker *worker,
                                     const struct arrow_file *file, const struct ArrowArray *array,
                                     struct oriel_error *error) {
    if (array->n_children != file->field_count)
        return oriel_error_set(error, ORIEL_DATA, "'%s': an array has %lld columns, not %d",
                               file->input.path, (long long)array->n_children, file->field_count);
    for (uint32_t i = 0; i < source->needed_count; i++)
        ORIEL_TRY(place_error(
            file, -1,
            oriel_arrow_column_check(array, worker->children[i], &worker->targets[i].column, error),
            error));
    return ORIEL_OK;
}

/* Rows of Parquet that nothing is read of. */
static enum oriel_status push_counted(struct arrow_source *source, struct arrow_worker *worker,
                                      const struct arrow_claim *claim, oriel_push *push,
                                      void *context, struct oriel_error *error) {
    const int64_t batch_rows = (int64_t)source->runtime->batch_rows;
    for (int64_t row = claim->begin; row < claim->end; row += batch_rows) {
        const int64_t count = claim->end - row < batch_rows ? claim->end - row : batch_rows;
        ORIEL_TRY(oriel_runtime_check(source->runtime, error));
        ORIEL_TRY(push_rows(source, worker, claim->file, (size_t)count,
                            claim->first_row + (uint64_t)row, push, context, error));
    }
    return ORIEL_OK;
}

static enum oriel_status open_reader(struct arrow_source *source, struct arrow_worker *worker,
                                     struct arrow_file *file, struct oriel_error *error) {
    if (worker->file == file && worker->reader)
        return ORIEL_OK;
    close_reader(source, worker);
    const struct oriel_arrow_read_options options = {
        .fields = file->fields,
        .field_count = file->field_count,
        .batch_rows = ARROW_ARRAY_ROWS,
        .int96_unit = source->int96_unit,
    };
    struct oriel_arrow_message message = {""};
    const enum oriel_status status =
        source->shim->reader_open(file->input.file, &options, &worker->reader, &message);
    if (status != ORIEL_OK)
        return oriel_arrow_input_failed(&file->input, status, &message, error);
    arrow_file_keep(source, file);
    worker->file = file;
    return ORIEL_OK;
}

/* All arrays of a part. The one before is kept until the next is read; see oriel_arrow_target_read.
 */
static enum oriel_status push_part(struct arrow_source *source, struct arrow_worker *worker,
                                   const struct arrow_claim *claim, struct ArrowArray *held,
                                   oriel_push *push, void *context, struct oriel_error *error) {
    const struct arrow_file *file = claim->file;
    struct place place = {file, claim->first_row, claim->file_row};
    int64_t row_count = 0;
    for (;;) {
        struct ArrowArray array = {0};
        struct oriel_arrow_message message = {""};
        enum oriel_status status = source->shim->reader_next(worker->reader, &array, &message);
        if (status == ORIEL_DONE)
            break;
        if (status != ORIEL_OK)
            return oriel_arrow_input_failed(&file->input, status, &message, error);
        status = check_array(source, worker, file, &array, error);
        if (status == ORIEL_OK)
            status = push_array(source, worker, &array, 0, (size_t)array.length, place, push,
                                context, error);
        if (held->release)
            held->release(held);
        *held = array;
        ORIEL_TRY(status);
        place.first_row += (uint64_t)array.length;
        place.file_row += place.file_row < 0 ? 0 : array.length;
        row_count += array.length;
    }
    if (claim->end >= 0 && row_count != claim->end)
        return oriel_error_set(
            error, ORIEL_DATA, "'%s' is damaged: row group %lld has %lld rows, not %lld",
            file->input.path, (long long)claim->part, (long long)row_count, (long long)claim->end);
    return ORIEL_OK;
}

static enum oriel_status read_part(struct arrow_source *source, struct arrow_worker *worker,
                                   const struct arrow_claim *claim, oriel_push *push, void *context,
                                   struct oriel_error *error) {
    struct oriel_arrow_message message = {""};
    struct ArrowSchema schema = {0};
    ORIEL_TRY(open_reader(source, worker, claim->file, error));
    enum oriel_status status =
        source->shim->reader_begin(worker->reader, claim->part, &schema, &message);
    if (status != ORIEL_OK)
        return oriel_arrow_input_failed(&claim->file->input, status, &message, error);
    status = read_schema(source, worker, claim->file, &schema, error);
    if (schema.release)
        schema.release(&schema);
    struct ArrowArray held = {0};
    if (status == ORIEL_OK)
        status = push_part(source, worker, claim, &held, push, context, error);
    if (held.release)
        held.release(&held);
    return status;
}

static enum oriel_status read_block(struct arrow_source *source, struct arrow_worker *worker,
                                    const struct arrow_claim *claim, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    struct arrow_file *file = claim->file;
    const struct ArrowArray *array = &claim->block->array;
    const struct place place = {file, claim->first_row - (uint64_t)claim->begin,
                                claim->file_row - claim->begin};
    ORIEL_TRY(read_schema(source, worker, file, &file->stream_schema, error));
    ORIEL_TRY(check_array(source, worker, file, array, error));
    return push_array(source, worker, array, (size_t)claim->begin, (size_t)claim->end, place, push,
                      context, error);
}

enum oriel_status arrow_worker_read(struct arrow_source *source, struct arrow_worker *worker,
                                    const struct arrow_claim *claim, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    oriel_arena_reset(&worker->arena);
    if (!source->needed_count && !claim->block && claim->end >= 0)
        return push_counted(source, worker, claim, push, context, error);
    return claim->block ? read_block(source, worker, claim, push, context, error)
                        : read_part(source, worker, claim, push, context, error);
}
