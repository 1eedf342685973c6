/*
 * A piece of a file: the lines that begin in it, each an object whose wanted members become the
 * values of one row. Members mostly come in the same order, so each name is first compared with the
 * one that stood at its place in the row before.
 */
#include <string.h>

#include "engine/io/json_reader.h"

enum { READ_BEHIND_BYTES = 64 * 1024, BUFFER_PADDING_BYTES = 64, NO_PLAN = -1 };

/* What is wrong with a row, and where. */
struct row_fault {
    enum json_fault fault;
    const struct json_plan *plan;
    struct oriel_text shown;
};

/* ---- workers ---- */

static enum oriel_status allocate_column(struct json_source *source, struct json_worker *worker,
                                         uint32_t number, struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t rows = source->runtime->batch_rows;
    const struct json_plan *plan = &source->plans[number];
    worker->columns[number].type = plan->type;
    worker->columns[number].values = oriel_memory_allocate_zeroed(memory, rows, plan->value_size);
    worker->valid[number] =
        oriel_memory_allocate_zeroed(memory, oriel_bits_word_count(rows), sizeof(uint64_t));
    if (!worker->columns[number].values || !worker->valid[number])
        return oriel_error_memory(error);
    return ORIEL_OK;
}

enum oriel_status json_worker_prepare(struct json_source *source, struct json_worker *worker,
                                      struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t plans = source->plan_count;
    if (worker->is_ready)
        return ORIEL_OK;
    worker->is_ready = true; /* deinit frees what there is */
    oriel_arena_init(&worker->arena, memory);
    worker->columns = oriel_memory_allocate_zeroed(memory, plans, sizeof *worker->columns);
    worker->valid = oriel_memory_allocate_zeroed(memory, plans, sizeof *worker->valid);
    worker->seen = oriel_memory_allocate_zeroed(memory, plans, sizeof *worker->seen);
    worker->order = oriel_memory_allocate_zeroed(memory, plans, sizeof *worker->order);
    worker->out =
        oriel_memory_allocate_zeroed(memory, source->request.column_count, sizeof *worker->out);
    worker->row_offsets =
        oriel_memory_allocate(memory, source->runtime->batch_rows * sizeof *worker->row_offsets);
    if (!worker->row_offsets || !worker->columns || !worker->valid || !worker->seen ||
        !worker->order || !worker->out)
        return oriel_error_memory(error);
    for (uint32_t p = 0; p < source->plan_count; p++)
        ORIEL_TRY(allocate_column(source, worker, p, error));
    return ORIEL_OK;
}

void json_worker_deinit(struct json_source *source, struct json_worker *worker) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t rows = source->runtime->batch_rows, plans = source->plan_count;
    if (!worker->is_ready)
        return;
    for (uint32_t p = 0; worker->columns && worker->valid && p < plans; p++) {
        oriel_memory_release(memory, worker->columns[p].values, rows * source->plans[p].value_size);
        oriel_memory_release(memory, worker->valid[p],
                             oriel_bits_word_count(rows) * sizeof(uint64_t));
    }
    oriel_memory_release(memory, worker->columns, plans * sizeof *worker->columns);
    oriel_memory_release(memory, worker->valid, plans * sizeof *worker->valid);
    oriel_memory_release(memory, worker->row_offsets, rows * sizeof *worker->row_offsets);
    oriel_memory_release(memory, worker->seen, plans * sizeof *worker->seen);
    oriel_memory_release(memory, worker->order, plans * sizeof *worker->order);
    oriel_memory_release(memory, worker->out, source->request.column_count * sizeof *worker->out);
    oriel_memory_release(memory, worker->buffer, worker->capacity);
    oriel_arena_deinit(&worker->arena);
    *worker = (struct json_worker){0};
}

/* ---- loading ---- */

static enum oriel_status reserve(struct json_source *source, struct json_worker *worker,
                                 size_t length, struct oriel_error *error) {
    if (length + BUFFER_PADDING_BYTES <= worker->capacity)
        return ORIEL_OK;
    const size_t capacity = length + length / 2 + BUFFER_PADDING_BYTES;
    char *grown =
        oriel_memory_resize(source->runtime->memory, worker->buffer, worker->capacity, capacity);
    if (!grown)
        return oriel_error_memory(error);
    worker->buffer = grown;
    worker->capacity = capacity;
    return ORIEL_OK;
}

/* Reads on until the last line that begins before `end` is whole. */
static enum oriel_status read_whole_lines(struct json_source *source, struct json_worker *worker,
                                          struct json_file *file, uint64_t from, uint64_t end,
                                          struct oriel_error *error) {
    size_t wanted = (size_t)(end - from), length = 0;
    for (;;) {
        size_t got = 0;
        ORIEL_TRY(reserve(source, worker, wanted, error));
        ORIEL_TRY(oriel_byte_source_read_at(&file->bytes, from + length, worker->buffer + length,
                                            wanted - length, &got, error));
        const size_t before = length;
        length += got;
        const size_t last = (size_t)(end - from) - 1; /* a newline here ends the last line */
        const size_t search = before > last ? before : last;
        const bool is_whole =
            length > search && memchr(worker->buffer + search, '\n', length - search);
        if (is_whole || length < wanted)
            break;
        wanted += READ_BEHIND_BYTES + wanted / 4;
    }
    worker->chunk.length = length;
    if (length < end - from)
        return oriel_byte_source_check_unchanged(&file->bytes, error);
    return ORIEL_OK;
}

enum oriel_status json_chunk_load(struct json_source *source, struct json_worker *worker,
                                  struct json_file *file, uint64_t begin, uint64_t end,
                                  struct oriel_error *error) {
    struct json_chunk *chunk = &worker->chunk;
    const uint64_t from = begin > 0 ? begin - 1 : 0;
    ORIEL_TRY(read_whole_lines(source, worker, file, from, end, error));
    chunk->file = file;
    chunk->is_block = false;
    chunk->text = worker->buffer;
    chunk->file_offset = from;
    chunk->lead = (size_t)(begin - from);
    chunk->begin = 0;
    chunk->limit = (size_t)(end - from);
    if (begin > 0) {
        const char *newline = chunk->length ? memchr(chunk->text, '\n', chunk->length) : NULL;
        chunk->begin = newline ? (size_t)(newline - chunk->text) + 1 : chunk->length;
    } else if (chunk->length >= 3 && memcmp(chunk->text, "\xEF\xBB\xBF", 3) == 0) {
        chunk->begin = 3;
    }
    return ORIEL_OK;
}

/* ---- rows ---- */

static bool has_name(const struct json_plan *plan, struct oriel_text name) {
    return plan->column.kind == ORIEL_CSV_FIELD && plan->name_length == name.length &&
           memcmp(plan->name, name.bytes, name.length) == 0;
}

static int64_t find_plan(const struct json_source *source, struct json_worker *worker,
                         uint32_t place, struct oriel_text name) {
    if (place < source->plan_count && has_name(&source->plans[worker->order[place]], name))
        return worker->order[place];
    for (uint32_t p = 0; p < source->plan_count; p++) {
        if (!has_name(&source->plans[p], name))
            continue;
        if (place < source->plan_count)
            worker->order[place] = p;
        return p;
    }
    return NO_PLAN;
}

static void set_null(struct json_source *source, struct json_worker *worker, uint32_t p) {
    const size_t size = source->plans[p].value_size;
    memset((char *)worker->columns[p].values + worker->row_count * size, 0, size);
    oriel_bits_clear(worker->valid[p], worker->row_count);
    worker->columns[p].valid = worker->valid[p];
}

static enum csv_value_result read_member(struct json_source *source, struct json_worker *worker,
                                         struct json_cursor *cursor, uint32_t p,
                                         struct row_fault *fault, const char *line) {
    const struct json_plan *plan = &source->plans[p];
    struct oriel_text shown = {NULL, 0};
    char *value = (char *)worker->columns[p].values + worker->row_count * plan->value_size;
    enum csv_value_result result =
        json_value_read(&source->options, cursor, &plan->type, 1, value, &shown);
    if (result == CSV_VALUE_MEMORY || json_is_broken(cursor))
        return result;
    worker->seen[p] = worker->row_number;
    if (result == CSV_VALUE_LENIENT)
        json_lenient_add(source, &worker->chunk, line, shown);
    if (result == CSV_VALUE_BAD && !source->options.ignore_parse_errors &&
        fault->fault == JSON_FAULT_NONE)
        *fault = (struct row_fault){JSON_FAULT_VALUE, plan, shown};
    if (result == CSV_VALUE_BAD || result == CSV_VALUE_NULL)
        set_null(source, worker, p);
    else
        oriel_bits_set(worker->valid[p], worker->row_count);
    return CSV_VALUE_OK;
}

/* What is still to check once all members were read. */
static void finish_row(struct json_source *source, struct json_worker *worker,
                       struct row_fault *fault) {
    for (uint32_t p = 0; p < source->plan_count; p++) {
        const struct json_plan *plan = &source->plans[p];
        if (plan->column.kind != ORIEL_CSV_FIELD)
            continue;
        const bool is_missing = worker->seen[p] != worker->row_number;
        if (is_missing)
            set_null(source, worker, p);
        if (fault->fault != JSON_FAULT_NONE)
            continue;
        if (is_missing && source->options.fail_on_missing_field)
            *fault = (struct row_fault){JSON_FAULT_MISSING, plan, {NULL, 0}};
        else if (oriel_bits_get(worker->valid[p], worker->row_count))
            continue;
        else if (plan->rowtime)
            *fault = (struct row_fault){JSON_FAULT_ROWTIME, plan, {NULL, 0}};
        else if (!plan->type.nullable)
            *fault = (struct row_fault){JSON_FAULT_NOT_NULL, plan, {NULL, 0}};
    }
}

/* An object whose brace was read. A broken one leaves no row. */
static enum oriel_status read_object(struct json_source *source, struct json_worker *worker,
                                     struct json_cursor *cursor, struct row_fault *fault,
                                     const char *line, struct oriel_error *error) {
    struct oriel_text name;
    worker->row_number++;
    for (uint32_t place = 0; json_next_name(cursor, place == 0, &name); place++) {
        const int64_t p = find_plan(source, worker, place, name);
        if (p == NO_PLAN || worker->seen[p] == worker->row_number) {
            json_skip(cursor, json_read_token(cursor).kind, 1);
        } else if (read_member(source, worker, cursor, (uint32_t)p, fault, line) ==
                   CSV_VALUE_MEMORY) {
            return oriel_error_memory(error);
        }
        if (json_is_broken(cursor))
            break;
    }
    if (cursor->out_of_memory)
        return oriel_error_memory(error);
    if (cursor->expected) {
        if (fault->fault == JSON_FAULT_NONE)
            fault->fault = JSON_FAULT_BROKEN;
        return ORIEL_OK;
    }
    finish_row(source, worker, fault);
    return ORIEL_OK;
}

/* ---- batches ---- */

static void begin_batch(struct json_source *source, struct json_worker *worker) {
    oriel_arena_reset(&worker->arena);
    worker->row_count = 0;
    for (uint32_t p = 0; p < source->plan_count; p++)
        worker->columns[p].valid = NULL;
}

static void fill_property(struct json_worker *worker, uint32_t number, const struct json_plan *plan,
                          size_t count) {
    struct oriel_column *column = &worker->columns[number];
    if (oriel_file_properties_fill(&worker->chunk.file->properties, &plan->column, plan->value_size,
                                   column->values, worker->valid[number], count))
        column->valid = worker->valid[number];
}

static enum oriel_status push_batch(struct json_source *source, struct json_worker *worker,
                                    oriel_push *push, void *context, struct oriel_error *error) {
    const size_t count = worker->row_count;
    if (count == 0)
        return ORIEL_OK;
    for (uint32_t p = 0; p < source->plan_count; p++) {
        const struct json_plan *plan = &source->plans[p];
        if (plan->column.kind != ORIEL_CSV_FIELD)
            fill_property(worker, p, plan, count);
        if (plan->output >= 0)
            worker->out[plan->output] = worker->columns[p];
    }
    const struct oriel_place place = {worker->chunk.file->path, worker->chunk.file_offset,
                                      worker->row_offsets, 1};
    const struct oriel_batch batch = {
        .row_count = count,
        .column_count = source->request.column_count,
        .columns = worker->out,
        .first_row = (worker->chunk.number << 32) + worker->rows_pushed,
        .place = worker->chunk.is_block ? NULL : &place,
    };
    if (worker->rejects.muted) {
        begin_batch(source, worker);
        return oriel_runtime_check(source->runtime, error);
    }
    worker->rows_pushed += count;
    oriel_runtime_count_rows(source->runtime, source->request.table, count);
    const enum oriel_status status = push(context, &batch, error);
    if (status == ORIEL_DONE && worker->rejects.chunk)
        worker->rejects.muted = true; /* the chunk's bad rows are found all the same */
    else if (status != ORIEL_OK)
        return status;
    begin_batch(source, worker);
    return oriel_runtime_check(source->runtime, error);
}

/* Where the rows of a chunk go. */
struct target {
    oriel_push *push;
    void *context;
};

/* A row at fault: passed over, or the error of the input after the rows before it. */
static enum oriel_status take_fault(struct json_source *source, struct json_worker *worker,
                                    const struct row_fault *fault, struct oriel_text line,
                                    const char *begin, const struct json_cursor *cursor,
                                    const struct target *target, struct oriel_error *error) {
    struct oriel_error failure = {0};
    enum oriel_status status;
    if (worker->rejects.chunk) {
        struct oriel_error described = {0};
        json_fault_describe(source, fault->fault, fault->plan, line, cursor, fault->shown,
                            &described);
        while (*begin == ' ' || *begin == '\t')
            begin++;
        const char *end = cursor->expected || !cursor->end ? line.bytes + line.length : cursor->at;
        status = json_reject_row(worker, &described, fault->plan, line.bytes,
                                 (struct oriel_text){begin, (size_t)(end - begin)}, &failure);
        if (status == ORIEL_OK)
            return status;
    } else {
        status = json_fault_report(source, worker, fault->fault, fault->plan, line, cursor,
                                   fault->shown, &failure);
    }
    ORIEL_TRY(push_batch(source, worker, target->push, target->context, error));
    if (error)
        *error = failure;
    return status;
}

/* The rows of a line: an object, or an array of them. What stands behind is not looked at, as in
 * Flink. */
static enum oriel_status read_line(struct json_source *source, struct json_worker *worker,
                                   struct oriel_text line, const struct target *target,
                                   struct oriel_error *error) {
    struct json_cursor cursor = {
        .at = line.bytes, .end = line.bytes + line.length, .arena = &worker->arena};
    struct json_token token = json_read_token(&cursor);
    const bool is_array = token.kind == JSON_ARRAY;
    bool is_first = true;
    if (cursor.out_of_memory)
        return oriel_error_memory(error);
    do {
        struct row_fault fault = {0};
        const char *begin = line.bytes;
        if (is_array) {
            if (!json_next_element(&cursor, is_first) && !cursor.expected)
                return ORIEL_OK;
            begin = cursor.at;
            token = json_read_token(&cursor);
        }
        if (cursor.expected)
            fault.fault = JSON_FAULT_BROKEN;
        else if (token.kind != JSON_OBJECT)
            fault.fault = JSON_FAULT_NO_OBJECT;
        else
            ORIEL_TRY(read_object(source, worker, &cursor, &fault, line.bytes, error));
        is_first = false;
        const bool has_no_row =
            fault.fault == JSON_FAULT_BROKEN || fault.fault == JSON_FAULT_NO_OBJECT;
        if (has_no_row && source->options.ignore_parse_errors)
            return ORIEL_OK;
        if (fault.fault != JSON_FAULT_NONE) {
            if (fault.fault == JSON_FAULT_NO_OBJECT && is_array)
                json_skip(&cursor, token.kind, 1);
            ORIEL_TRY(take_fault(source, worker, &fault, line, begin, &cursor, target, error));
            if (cursor.expected)
                return ORIEL_OK;
            continue;
        }
        worker->row_offsets[worker->row_count] = (uint32_t)(line.bytes - worker->chunk.text) - 1;
        if (++worker->row_count == source->runtime->batch_rows)
            ORIEL_TRY(push_batch(source, worker, target->push, target->context, error));
    } while (is_array);
    return ORIEL_OK;
}

static enum oriel_status report_encoding(struct json_source *source, struct json_worker *worker,
                                         struct oriel_text line, const struct target *target,
                                         struct oriel_error *error) {
    const struct json_cursor cursor = {.at = worker->chunk.text + worker->chunk.bad_at};
    const struct row_fault fault = {.fault = JSON_FAULT_ENCODING};
    return take_fault(source, worker, &fault, line, line.bytes, &cursor, target, error);
}

static void find_bad_byte(struct json_source *source, struct json_chunk *chunk, size_t from) {
    chunk->bad_at =
        from + source->runtime->kernels->utf8_validate(chunk->text + from, chunk->length - from);
}

struct oriel_text json_chunk_own(const struct json_chunk *chunk) {
    const size_t begin = chunk->lead;
    const size_t end = chunk->limit < chunk->length ? chunk->limit : chunk->length;
    return (struct oriel_text){chunk->text + begin, end > begin ? end - begin : 0};
}

enum oriel_status json_chunk_read(struct json_source *source, struct json_worker *worker,
                                  oriel_push *push, void *context, struct oriel_error *error) {
    struct json_chunk *chunk = &worker->chunk;
    const struct target target = {push, context};
    const size_t checked = chunk->begin < chunk->limit ? chunk->length - chunk->begin : 0;
    worker->rows_pushed = 0;
    begin_batch(source, worker);
    chunk->bad_at = chunk->length;
    if (checked)
        find_bad_byte(source, chunk, chunk->begin);
    for (size_t at = chunk->begin; at < chunk->limit && at < chunk->length;) {
        const char *newline = memchr(chunk->text + at, '\n', chunk->length - at);
        const size_t end = newline ? (size_t)(newline - chunk->text) : chunk->length;
        struct oriel_text line = {chunk->text + at, end - at};
        if (line.length && line.bytes[line.length - 1] == '\r')
            line.length--;
        if (chunk->bad_at < end) {
            ORIEL_TRY(report_encoding(source, worker, line, &target, error));
            find_bad_byte(source, chunk, end);
        } else if (line.length)
            ORIEL_TRY(read_line(source, worker, line, &target, error));
        at = end + 1;
    }
    return push_batch(source, worker, push, context, error);
}
