/*
 * Which row group or record batch comes next: files are opened in turn under the lock of the
 * source, their columns found, and row groups without wanted times passed over.
 */
#include <string.h>

#include "engine/io/arrow_reader.h"

void arrow_file_keep(struct arrow_source *source, struct arrow_file *file) {
    pthread_mutex_lock(&source->lock);
    file->reference_count++;
    pthread_mutex_unlock(&source->lock);
}

static void free_file(struct arrow_source *source, struct arrow_file *file) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t count = (size_t)source->needed_count + 1;
    if (file->stream_schema.release)
        file->stream_schema.release(&file->stream_schema);
    oriel_arrow_input_close(&file->input);
    oriel_memory_release(memory, file->needed, count * sizeof *file->needed);
    oriel_memory_release(memory, file->fields, count * sizeof *file->fields);
    oriel_memory_release(memory, file, sizeof *file);
}

static void release_locked(struct arrow_source *source, struct arrow_file *file) {
    if (--file->reference_count)
        return;
    struct arrow_file **link = &source->files;
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
    free_file(source, file);
}

void arrow_file_release(struct arrow_source *source, struct arrow_file *file) {
    pthread_mutex_lock(&source->lock);
    release_locked(source, file);
    pthread_mutex_unlock(&source->lock);
}

static void free_block(struct arrow_source *source, struct arrow_block *block) {
    if (block->array.release)
        block->array.release(&block->array);
    oriel_memory_release(source->runtime->memory, block, sizeof *block);
}

static void free_claim(struct arrow_source *source, struct arrow_claim *claim) {
    struct arrow_block *block = claim->block;
    if (block) {
        block->left_rows -= claim->end - claim->begin;
        if (!block->left_rows)
            free_block(source, block);
    }
    *(claim->before ? &claim->before->next : &source->claims) = claim->next;
    if (claim->next)
        claim->next->before = claim->before;
    release_locked(source, claim->file);
    oriel_memory_release(source->runtime->memory, claim, sizeof *claim);
}

void arrow_claim_release(struct arrow_source *source, struct arrow_claim *claim) {
    struct oriel_progress *progress = source->runtime->progress;
    if (progress)
        atomic_fetch_add_explicit(&progress->bytes, claim->progress_bytes, memory_order_relaxed);
    pthread_mutex_lock(&source->lock);
    free_claim(source, claim);
    pthread_mutex_unlock(&source->lock);
}

static void leave_file(struct arrow_source *source) {
    if (source->block && source->block_row < source->block->array.length) {
        source->block->left_rows -= source->block->array.length - source->block_row;
        if (!source->block->left_rows)
            free_block(source, source->block);
    }
    source->block = NULL;
    if (source->stream)
        source->shim->reader_close(source->stream);
    source->stream = NULL;
    if (source->file)
        release_locked(source, source->file);
    source->file = NULL;
}

void arrow_claims_close(struct arrow_source *source) {
    leave_file(source);
    while (source->claims)
        free_claim(source, source->claims);
}

/* Notes the fields to read, ascending and once each. */
static void sort_fields(struct arrow_file *file, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int at = file->field_count;
        while (at > 0 && file->fields[at - 1] > file->needed[i])
            at--;
        if (at > 0 && file->fields[at - 1] == file->needed[i])
            continue;
        for (int k = file->field_count++; k > at; k--)
            file->fields[k] = file->fields[k - 1];
        file->fields[at] = file->needed[i];
    }
}

static enum oriel_status find_fields(struct arrow_source *source, struct arrow_file *file,
                                     struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t count = (size_t)source->needed_count + 1;
    file->needed = oriel_memory_allocate_zeroed(memory, count, sizeof *file->needed);
    file->fields = oriel_memory_allocate_zeroed(memory, count, sizeof *file->fields);
    if (!file->needed || !file->fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < source->needed_count; i++)
        ORIEL_TRY(oriel_arrow_input_find(&file->input, &source->needed_schema.fields[i],
                                         &file->needed[i], error));
    sort_fields(file, source->needed_count);
    if (!file->field_count)
        file->field_count = file->input.schema.n_children > 0; /* a column to count rows by */
    return ORIEL_OK;
}

/* Goes to the next part. All have one schema, of which the first is kept: workers read it without
 * the lock. */
static enum oriel_status begin_part(struct arrow_source *source, struct oriel_error *error) {
    struct arrow_file *file = source->file;
    struct oriel_arrow_message message = {""};
    struct ArrowSchema schema = {0};
    const enum oriel_status status =
        source->shim->reader_begin(source->stream, source->part++, &schema, &message);
    if (status != ORIEL_OK)
        return oriel_arrow_input_failed(&file->input, status, &message, error);
    if (!file->stream_schema.release)
        file->stream_schema = schema;
    else
        schema.release(&schema);
    return ORIEL_OK;
}

/* A stream has no parts, and few batches of an Arrow file may be large ones: both are read here and
 * cut into blocks. */
static enum oriel_status open_stream(struct arrow_source *source, struct oriel_error *error) {
    struct arrow_file *file = source->file;
    const bool is_few = source->format == ORIEL_ARROW_IPC && source->part_count > 0 &&
                        source->part_count < ARROW_FEW_BATCHES;
    if ((source->part_count >= 0 && !is_few) || !file->field_count)
        return ORIEL_OK;
    const struct oriel_arrow_read_options options = {.fields = file->fields,
                                                     .field_count = file->field_count};
    struct oriel_arrow_message message = {""};
    const enum oriel_status status =
        source->shim->reader_open(file->input.file, &options, &source->stream, &message);
    if (status != ORIEL_OK)
        return oriel_arrow_input_failed(&file->input, status, &message, error);
    return begin_part(source, error);
}

static enum oriel_status open_file(struct arrow_source *source, struct oriel_error *error) {
    const struct oriel_file *listed = &source->list.files[source->next_file++];
    struct arrow_file *file =
        oriel_memory_allocate_zeroed(source->runtime->memory, 1, sizeof *file);
    if (!file)
        return oriel_error_memory(error);
    enum oriel_status status = oriel_arrow_input_open(
        source->runtime->memory, source->shim, source->format, listed->path, &file->input, error);
    if (status == ORIEL_OK) {
        status = oriel_file_properties_init(&file->properties, listed, &source->arena, error);
        if (status != ORIEL_OK)
            oriel_arrow_input_close(&file->input);
    }
    if (status != ORIEL_OK) {
        oriel_memory_release(source->runtime->memory, file, sizeof *file);
        return status;
    }
    file->properties.size_bytes = (int64_t)file->input.size_bytes;
    file->properties.modified_ms = file->input.modified_ns / 1000000;
    file->reference_count = 1;
    file->next = source->files;
    source->files = source->file = file;
    source->part = 0;
    source->file_row = 0;
    source->part_count = source->shim->part_count(file->input.file);
    ORIEL_TRY(find_fields(source, file, error));
    return open_stream(source, error);
}

static enum oriel_status add_claim(struct arrow_source *source, struct arrow_claim claim,
                                   struct arrow_claim **out, struct oriel_error *error) {
    struct arrow_claim *made = oriel_memory_allocate(source->runtime->memory, sizeof *made);
    if (!made)
        return oriel_error_memory(error);
    *made = claim;
    made->file = source->file;
    made->file->reference_count++;
    made->next = source->claims;
    if (made->next)
        made->next->before = made;
    source->claims = made;
    *out = made;
    return ORIEL_OK;
}

/* Milliseconds of a value in the unit of the file's column; false when they are out of range. */
static bool is_outside(const struct arrow_source *source, const struct arrow_file *file,
                       const struct oriel_arrow_range *range, int field) {
    const char *format = file->input.schema.children[field]->format;
    const int64_t per_second = format[2] == 's'   ? 1
                               : format[2] == 'm' ? 1000
                               : format[2] == 'u' ? 1000000
                                                  : 1000000000;
    const __int128 low = (__int128)source->bounds.low_ms * per_second;
    const __int128 high = ((__int128)source->bounds.high_ms + 1) * per_second;
    return (__int128)range->high * 1000 < low || (__int128)range->low * 1000 >= high;
}

/* True when the statistics of the part say that it has no wanted row. A NULL time may be an error
 * of the input, so parts with NULLs are read. */
static bool can_skip(const struct arrow_source *source, int64_t part) {
    const struct arrow_file *file = source->file;
    struct oriel_arrow_range range;
    for (uint32_t i = 0; i < source->needed_count; i++) {
        if ((int32_t)source->needed[i].field != source->bounds.field)
            continue;
        const int field = file->needed[i];
        const char *format = file->input.schema.children[field]->format;
        return strncmp(format, "ts", 2) == 0 &&
               source->shim->part_range(file->input.file, part, field, &range) &&
               range.null_count == 0 && is_outside(source, file, &range, field);
    }
    return false;
}

/* The rows of a part become one morsel; those of Parquet are read little by little. */
static void note_piece(const struct arrow_source *source, uint64_t row_count) {
    uint64_t row_bytes = 0;
    for (uint32_t i = 0; source->format == ORIEL_ARROW_IPC && i < source->needed_count; i++)
        row_bytes +=
            oriel_physical_size(oriel_type_physical(&source->needed_schema.fields[i].type));
    oriel_memory_note_piece(source->runtime->memory, row_count, row_count * row_bytes);
}

/* The next part of a file with known parts; *out stays NULL at its end. */
static enum oriel_status claim_part(struct arrow_source *source, struct arrow_claim **out,
                                    struct oriel_error *error) {
    enum { UNKNOWN_ROWS_SHIFT = 32 }; /* no array has so many rows */
    while (source->part < source->part_count && !*out) {
        const struct oriel_arrow_input *input = &source->file->input;
        const uint64_t count = (uint64_t)source->part_count, part = (uint64_t)source->part;
        const int64_t rows = source->shim->part_rows(input->file, source->part);
        struct arrow_claim claim = {
            .part = source->part++,
            .end = rows,
            .first_row = source->row_count,
            .file_row = rows < 0 ? -1 : source->file_row,
            .progress_bytes = (uint64_t)((unsigned __int128)input->size_bytes * (part + 1) / count -
                                         (unsigned __int128)input->size_bytes * part / count),
        };
        source->row_count += rows < 0 ? UINT64_C(1) << UNKNOWN_ROWS_SHIFT : (uint64_t)rows;
        source->file_row += rows < 0 ? 0 : rows;
        if (rows > 0)
            note_piece(source, (uint64_t)rows);
        if (rows == 0 || (source->bounds.field >= 0 && can_skip(source, claim.part)))
            continue;
        ORIEL_TRY(add_claim(source, claim, out, error));
    }
    return ORIEL_OK;
}

static enum oriel_status next_block(struct arrow_source *source, struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    struct arrow_block *block = oriel_memory_allocate_zeroed(memory, 1, sizeof *block);
    if (!block)
        return oriel_error_memory(error);
    struct oriel_arrow_message message = {""};
    const enum oriel_status status =
        source->shim->reader_next(source->stream, &block->array, &message);
    if (status != ORIEL_OK) {
        oriel_memory_release(memory, block, sizeof *block);
        return status == ORIEL_DONE
                   ? status
                   : oriel_arrow_input_failed(&source->file->input, status, &message, error);
    }
    source->block = block;
    source->block_row = 0;
    block->left_rows = block->array.length;
    if (!block->array.length) {
        free_block(source, block);
        source->block = NULL;
    }
    return ORIEL_OK;
}

/* The next rows of a file that is read in order; *out stays NULL at its end. */
static enum oriel_status claim_block(struct arrow_source *source, struct arrow_claim **out,
                                     struct oriel_error *error) {
    while (!source->block) {
        const enum oriel_status status = next_block(source, error);
        if (status == ORIEL_DONE && source->part >= source->part_count)
            return ORIEL_OK;
        ORIEL_TRY(status == ORIEL_DONE ? begin_part(source, error) : status);
    }
    struct arrow_block *block = source->block;
    const int64_t left = block->array.length - source->block_row;
    const int64_t count = left < ARROW_BLOCK_ROWS ? left : ARROW_BLOCK_ROWS;
    const struct arrow_claim claim = {
        .block = block,
        .begin = source->block_row,
        .end = source->block_row + count,
        .first_row = source->row_count,
        .file_row = source->file_row,
    };
    ORIEL_TRY(add_claim(source, claim, out, error));
    source->row_count += (uint64_t)count;
    source->file_row += count;
    source->block_row += count;
    if (count == left)
        source->block = NULL; /* its claims have it */
    return ORIEL_OK;
}

enum oriel_status arrow_claim_next(struct arrow_source *source, struct arrow_claim **out,
                                   struct oriel_error *error) {
    *out = NULL;
    for (;;) {
        if (source->file) {
            ORIEL_TRY(source->stream ? claim_block(source, out, error)
                                     : claim_part(source, out, error));
            if (*out)
                return ORIEL_OK;
            leave_file(source);
        }
        if (source->next_file == source->list.file_count)
            return ORIEL_DONE;
        ORIEL_TRY(oriel_runtime_check(source->runtime, error));
        ORIEL_TRY(open_file(source, error));
    }
}
