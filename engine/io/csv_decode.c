/*
 * From rows to a batch: each wanted column by its kernel, the fields that a kernel leaves by the
 * slow path, then the checks for NULL. The first fault in row order cuts the batch; the rows before
 * it are pushed.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

/* The fields of one column: positions[i * stride] + 1 .. positions[i * stride + 1]. */
struct fields {
    const char *text;
    const uint32_t *positions;
    size_t stride;
    size_t count;
};

/* A column of the batch while it is made. */
struct target {
    const struct csv_column_plan *plan;
    char *values;
    uint64_t *valid;
    bool has_null;
    size_t good; /* rows before the first bad one */
    enum csv_fault fault;
};

static enum oriel_status allocate_column(struct csv_source *source, struct csv_worker *worker,
                                         uint32_t number, struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    const struct csv_column_plan *plan = &source->plans[number];
    const size_t words = oriel_bits_word_count(worker->row_capacity);
    struct oriel_column *column = &worker->columns[number];
    column->type = plan->type;
    column->values = oriel_memory_allocate_zeroed(memory, worker->row_capacity, plan->value_size);
    worker->valid[number] = oriel_memory_allocate_zeroed(memory, words, sizeof(uint64_t));
    if (!column->values || !worker->valid[number])
        return oriel_error_memory(error);
    return ORIEL_OK;
}

enum oriel_status csv_worker_prepare(struct csv_source *source, struct csv_worker *worker,
                                     struct oriel_error *error) {
    if (worker->is_ready)
        return ORIEL_OK;
    struct oriel_memory *memory = source->runtime->memory;
    const size_t rows = worker->row_capacity;
    const size_t plans = source->plan_count;
    if (!worker->arena.memory)
        oriel_arena_init(&worker->arena, memory);
    worker->columns = oriel_memory_allocate_zeroed(memory, plans, sizeof *worker->columns);
    worker->valid = oriel_memory_allocate_zeroed(memory, plans, sizeof *worker->valid);
    worker->out =
        oriel_memory_allocate_zeroed(memory, source->request.column_count, sizeof *worker->out);
    worker->slow = oriel_memory_allocate(memory, oriel_bits_word_count(rows) * sizeof(uint64_t));
    worker->pairs = oriel_memory_allocate(memory, 2 * rows * sizeof *worker->pairs);
    worker->wide = oriel_memory_allocate(memory, rows * sizeof *worker->wide);
    worker->is_ready = true; /* deinit frees what there is */
    ORIEL_TRY(csv_reject_prepare(source, worker, error));
    if (!worker->columns || !worker->valid || !worker->out || !worker->slow || !worker->pairs ||
        !worker->wide)
        return oriel_error_memory(error);
    for (uint32_t p = 0; p < source->plan_count; p++)
        ORIEL_TRY(allocate_column(source, worker, p, error));
    return ORIEL_OK;
}

void csv_worker_deinit(struct csv_source *source, struct csv_worker *worker) {
    struct oriel_memory *memory = source->runtime->memory;
    const size_t rows = worker->row_capacity;
    const size_t words = oriel_bits_word_count(rows) * sizeof(uint64_t);
    oriel_memory_release(memory, worker->buffer, worker->buffer_capacity);
    csv_index_deinit(&worker->index, memory);
    for (uint32_t p = 0; worker->columns && worker->valid && p < source->plan_count; p++) {
        oriel_memory_release(memory, worker->columns[p].values, rows * source->plans[p].value_size);
        oriel_memory_release(memory, worker->valid[p], words);
    }
    oriel_memory_release(memory, worker->columns, source->plan_count * sizeof *worker->columns);
    oriel_memory_release(memory, worker->valid, source->plan_count * sizeof *worker->valid);
    oriel_memory_release(memory, worker->out, source->request.column_count * sizeof *worker->out);
    oriel_memory_release(memory, worker->slow, words);
    oriel_memory_release(memory, worker->pairs, 2 * rows * sizeof *worker->pairs);
    oriel_memory_release(memory, worker->wide, rows * sizeof *worker->wide);
    oriel_memory_release(memory, worker->row_positions,
                         rows * ((size_t)source->field_count + 1) * sizeof(uint32_t));
    oriel_memory_release(memory, worker->field_counts, rows * sizeof *worker->field_counts);
    csv_reject_deinit(source, worker);
    oriel_arena_deinit(&worker->arena);
    *worker = (struct csv_worker){0};
}

static void set_null(struct target *target, size_t row) {
    oriel_bits_clear(target->valid, row);
    memset(target->values + row * target->plan->value_size, 0, target->plan->value_size);
    target->has_null = true;
}

static void narrow(struct csv_worker *worker, struct target *target, size_t count) {
    const bool is_byte = target->plan->type.id == ORIEL_TYPE_TINYINT;
    const int32_t low = is_byte ? INT8_MIN : INT16_MIN;
    const int32_t high = is_byte ? INT8_MAX : INT16_MAX;
    for (size_t i = 0; i < count; i++) {
        const int32_t value = worker->wide[i];
        if (value < low || value > high)
            oriel_bits_set(worker->slow, i);
        else if (is_byte)
            ((int8_t *)target->values)[i] = (int8_t)value;
        else
            ((int16_t *)(void *)target->values)[i] = (int16_t)value;
    }
}

/* The kernel of the column; afterwards the slow words say which rows are left to do. */
static void run_kernel(const struct csv_source *source, struct csv_worker *worker,
                       struct target *target, const struct fields *f) {
    const struct oriel_kernels *kernels = source->runtime->kernels;
    void *values = target->values;
    switch (target->plan->decoder) {
    case CSV_DECODE_I32:
        kernels->csv_i32(f->text, f->positions, f->stride, f->count, values, worker->slow);
        break;
    case CSV_DECODE_NARROW:
        kernels->csv_i32(f->text, f->positions, f->stride, f->count, worker->wide, worker->slow);
        narrow(worker, target, f->count);
        break;
    case CSV_DECODE_I64:
        kernels->csv_i64(f->text, f->positions, f->stride, f->count, values, worker->slow);
        break;
    case CSV_DECODE_TIMESTAMP:
        kernels->csv_timestamp_ms(f->text, f->positions, f->stride, f->count,
                                  target->plan->type.id == ORIEL_TYPE_TIMESTAMP_LTZ
                                      ? ORIEL_CSV_ZONE_Z
                                      : ORIEL_CSV_ZONE_NONE,
                                  values, worker->slow);
        break;
    case CSV_DECODE_STRING:
        kernels->csv_string(f->text, f->positions, f->stride, f->count, source->options.quote,
                            values, worker->slow);
        break;
    case CSV_DECODE_EACH:
    case CSV_DECODE_FILE: break;
    }
    if (target->plan->decoder == CSV_DECODE_EACH || target->plan->plain_null)
        memset(worker->slow, 0xFF, oriel_bits_word_count(f->count) * sizeof(uint64_t));
}

/* Quoted strings without quotes inside go through the kernel once more, between their quotes. */
static void reread_quoted_strings(const struct csv_source *source, struct csv_worker *worker,
                                  struct target *target, const struct fields *f) {
    const int quote = source->options.quote;
    for (size_t word = 0; word < oriel_bits_word_count(f->count); word++) {
        uint64_t done = 0;
        size_t count = 0;
        uint8_t rows[64];
        for (uint64_t left = worker->slow[word]; left; left &= left - 1) {
            const size_t bit = (size_t)__builtin_ctzll(left);
            const size_t row = word * 64 + bit;
            const uint32_t begin = f->positions[row * f->stride] + 1;
            const uint32_t end = f->positions[row * f->stride + 1];
            if (end - begin < 2 || f->text[end - 1] != quote ||
                memchr(f->text + begin + 1, quote, end - begin - 2))
                continue;
            worker->pairs[2 * count] = begin;
            worker->pairs[2 * count + 1] = end - 1;
            rows[count++] = (uint8_t)bit;
            done |= UINT64_C(1) << bit;
        }
        if (count == 0)
            continue;
        struct oriel_kernel_string strings[64];
        uint64_t ignored[1];
        source->runtime->kernels->csv_string(f->text, worker->pairs, 2, count, -1, strings,
                                             ignored);
        for (size_t i = 0; i < count; i++)
            ((struct oriel_kernel_string *)(void *)target->values)[word * 64 + rows[i]] =
                strings[i];
        worker->slow[word] &= ~done;
    }
}

/* Strings that are the null literal as they stand. */
static void find_null_strings(const struct csv_source *source, const struct csv_worker *worker,
                              struct target *target, size_t count) {
    const struct oriel_string literal =
        oriel_string_make(source->options.null_literal, source->options.null_literal_length);
    const struct oriel_string *values = (const void *)target->values;
    for (size_t i = 0; i < count; i++) {
        if (oriel_string_equal(&values[i], &literal) && !oriel_bits_get(worker->slow, i))
            set_null(target, i);
    }
}

static void null_missing(const struct csv_worker *worker, const struct csv_rows *rows,
                         struct target *target) {
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->field_counts[i] <= target->plan->field) {
            set_null(target, i);
            oriel_bits_clear(worker->slow, i);
        }
    }
}

/* Decodes the rows that the kernel left, up to the first bad one. */
static enum oriel_status run_slow_path(struct csv_source *source, struct csv_worker *worker,
                                       struct target *target, const struct fields *f,
                                       struct oriel_error *error) {
    const size_t size = target->plan->value_size;
    for (size_t word = 0; word < oriel_bits_word_count(f->count); word++) {
        for (uint64_t left = worker->slow[word]; left; left &= left - 1) {
            const size_t row = word * 64 + (size_t)__builtin_ctzll(left);
            if (row >= f->count)
                break;
            const uint32_t begin = f->positions[row * f->stride] + 1;
            const uint32_t end = f->positions[row * f->stride + 1];
            const enum csv_value_result result =
                csv_value_decode(source, &worker->arena, target->plan, f->text + begin, end - begin,
                                 target->values + row * size);
            if (result == CSV_VALUE_MEMORY)
                return oriel_error_memory(error);
            if (result == CSV_VALUE_NULL)
                set_null(target, row);
            if (result == CSV_VALUE_LENIENT)
                csv_lenient_add(source, &worker->chunk, begin, f->text + begin, end - begin);
            if (result == CSV_VALUE_BAD && csv_passes_over(worker)) {
                csv_reject_mark(worker, row, target->plan, CSV_FAULT_VALUE);
            } else if (result == CSV_VALUE_BAD) {
                target->good = row;
                target->fault = CSV_FAULT_VALUE;
                return ORIEL_OK;
            }
        }
    }
    return ORIEL_OK;
}

static void check_nulls(struct csv_worker *worker, struct target *target) {
    const bool forbidden = target->plan->rowtime || !target->plan->type.nullable;
    if (!target->has_null || !forbidden)
        return;
    for (size_t i = 0; i < target->good; i++) {
        if (oriel_bits_get(target->valid, i))
            continue;
        const enum csv_fault fault = target->plan->rowtime ? CSV_FAULT_ROWTIME : CSV_FAULT_NOT_NULL;
        if (csv_passes_over(worker)) {
            csv_reject_mark(worker, i, target->plan, fault);
        } else {
            target->good = i;
            target->fault = fault;
        }
    }
}

/* Ends of the last column without the '\r' of the line end. */
static void trim_line_ends(struct csv_worker *worker, struct fields *f) {
    for (size_t i = 0; i < f->count; i++) {
        const uint32_t before = f->positions[i * f->stride];
        uint32_t end = f->positions[i * f->stride + 1];
        if (end > before + 1 && f->text[end - 1] == '\r')
            end--;
        worker->pairs[2 * i] = before;
        worker->pairs[2 * i + 1] = end;
    }
    f->positions = worker->pairs;
    f->stride = 2;
}

static enum oriel_status decode_column(struct csv_source *source, struct csv_worker *worker,
                                       const struct csv_rows *rows, struct target *target,
                                       struct oriel_error *error) {
    const struct csv_column_plan *plan = target->plan;
    memset(target->valid, 0xFF, oriel_bits_word_count(rows->count) * sizeof(uint64_t));
    if (plan->decoder == CSV_DECODE_FILE) {
        const struct oriel_csv_column column = {plan->kind, plan->field};
        target->has_null |=
            oriel_file_properties_fill(&worker->chunk.file->properties, &column, plan->value_size,
                                       target->values, target->valid, rows->count);
        return ORIEL_OK;
    }
    struct fields fields = {worker->chunk.text, rows->positions + plan->field, rows->stride,
                            rows->count};
    if (rows->trim_cr && plan->field + 1 == source->field_count)
        trim_line_ends(worker, &fields);
    run_kernel(source, worker, target, &fields);
    const bool keeps_quoted_empty =
        source->options.null_literal && source->options.quoted_empty_is_string;
    if (plan->decoder == CSV_DECODE_STRING && !keeps_quoted_empty &&
        fields.positions != worker->pairs)
        reread_quoted_strings(source, worker, target, &fields);
    if (plan->decoder == CSV_DECODE_STRING && source->options.null_literal)
        find_null_strings(source, worker, target, rows->count);
    if (rows->field_counts)
        null_missing(worker, rows, target);
    ORIEL_TRY(run_slow_path(source, worker, target, &fields, error));
    check_nulls(worker, target);
    return ORIEL_OK;
}

static enum oriel_status push_rows(struct csv_source *source, struct csv_worker *worker,
                                   size_t count, const uint32_t *offsets, size_t stride,
                                   oriel_push *push, void *context, struct oriel_error *error) {
    const struct oriel_place place = {worker->chunk.file->path, worker->chunk.file_offset, offsets,
                                      stride};
    const struct oriel_batch batch = {
        .row_count = count,
        .column_count = source->request.column_count,
        .columns = worker->out,
        .first_row = (worker->chunk.number << 32) + worker->rows_pushed,
        .place = worker->chunk.is_block ? NULL : &place,
    };
    if (worker->rejects.muted)
        return ORIEL_OK;
    worker->rows_pushed += count;
    oriel_runtime_count_rows(source->runtime, source->request.table, count);
    const enum oriel_status status = push(context, &batch, error);
    if (status != ORIEL_DONE || !csv_passes_over(worker))
        return status;
    worker->rejects.muted = true; /* the chunk's bad rows are found all the same */
    return ORIEL_OK;
}

/* Passes over the bad rows of the batch, then over the record behind it, and pushes the others. */
static enum oriel_status push_good(struct csv_source *source, struct csv_worker *worker,
                                   struct csv_rows *rows, oriel_push *push, void *context,
                                   struct oriel_error *error) {
    struct oriel_error failure = {0};
    size_t kept = rows->count;
    const bool is_thinned = worker->rejects.fault_count > 0;
    if (is_thinned)
        ORIEL_TRY(csv_reject_rows(source, worker, rows, &kept, &failure, error));
    if (kept > 0)
        ORIEL_TRY(push_rows(source, worker, kept,
                            is_thinned ? worker->rejects.kept : rows->positions,
                            is_thinned ? 1 : rows->stride, push, context, error));
    if (failure.status != ORIEL_OK) {
        if (error)
            *error = failure;
        return failure.status;
    }
    if (rows->fault == CSV_FAULT_NONE)
        return ORIEL_OK;
    return csv_reject_record(source, worker, rows->fault, rows->fault_record, error);
}

enum oriel_status csv_decode_push(struct csv_source *source, struct csv_worker *worker,
                                  struct csv_rows *rows, oriel_push *push, void *context,
                                  struct oriel_error *error) {
    size_t good = rows->count;
    enum csv_fault fault = rows->fault;
    const struct csv_column_plan *fault_plan = NULL;
    oriel_arena_reset(&worker->arena);
    for (uint32_t p = 0; p < source->plan_count && good > 0; p++) {
        const struct csv_column_plan *plan = &source->plans[p];
        struct target target = {.plan = plan,
                                .values = worker->columns[p].values,
                                .valid = worker->valid[p],
                                .good = rows->count};
        ORIEL_TRY(decode_column(source, worker, rows, &target, error));
        worker->columns[p].valid = target.has_null ? target.valid : NULL;
        if (plan->output >= 0)
            worker->out[plan->output] = worker->columns[p];
        if (target.good < good) {
            good = target.good;
            fault = target.fault;
            fault_plan = plan;
        }
    }
    if (csv_passes_over(worker))
        return push_good(source, worker, rows, push, context, error);
    if (good > 0)
        ORIEL_TRY(
            push_rows(source, worker, good, rows->positions, rows->stride, push, context, error));
    if (fault == CSV_FAULT_NONE)
        return ORIEL_OK;
    if (fault_plan)
        return csv_fault_report(source, worker, fault, rows->positions + good * rows->stride,
                                source->field_count, fault_plan, error);
    const uint32_t first = csv_first_entry(&worker->index, rows->fault_record);
    return csv_fault_report(source, worker, fault, worker->index.positions + first,
                            worker->index.record_ends[rows->fault_record] - first, NULL, error);
}
