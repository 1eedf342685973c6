/*
 * Bad rows that are passed over: a row with a bad value is marked while columns are decoded and
 * taken out of the batch, a record that is no row is left out before. Both go to the list of bad
 * rows (rejects.h), which says when there are too many.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

enum oriel_status csv_reject_claim(struct csv_source *source, int64_t lines_before,
                                   struct oriel_morsel *morsel, struct oriel_error *error) {
    struct oriel_rejects *rejects = source->runtime->rejects;
    struct oriel_reject_chunk *chunk = NULL;
    if (rejects)
        ORIEL_TRY(oriel_reject_chunk_claim(rejects, source->reject_source, source->request.table,
                                           lines_before, &chunk, error));
    morsel->rejects = chunk;
    return ORIEL_OK;
}

enum oriel_status csv_reject_prepare(struct csv_source *source, struct csv_worker *worker,
                                     struct oriel_error *error) {
    if (!source->runtime->rejects)
        return ORIEL_OK;
    worker->rejects.faults = oriel_memory_allocate_zeroed(
        source->runtime->memory, worker->row_capacity, sizeof *worker->rejects.faults);
    worker->rejects.kept = oriel_memory_allocate(
        source->runtime->memory, worker->row_capacity * sizeof *worker->rejects.kept);
    return worker->rejects.faults && worker->rejects.kept ? ORIEL_OK : oriel_error_memory(error);
}

void csv_reject_deinit(struct csv_source *source, struct csv_worker *worker) {
    oriel_memory_release(source->runtime->memory, worker->rejects.kept,
                         worker->row_capacity * sizeof *worker->rejects.kept);
    oriel_memory_release(source->runtime->memory, worker->rejects.faults,
                         worker->row_capacity * sizeof *worker->rejects.faults);
}

void csv_reject_begin(struct csv_worker *worker, const struct oriel_morsel *morsel) {
    struct csv_reject_state *state = &worker->rejects;
    *state = (struct csv_reject_state){
        .chunk = morsel->rejects, .faults = state->faults, .kept = state->kept};
    if (state->faults)
        memset(state->faults, 0, worker->row_capacity * sizeof *state->faults);
}

void csv_reject_loaded(struct csv_worker *worker) {
    const uint32_t first = worker->chunk.first_record, count = worker->index.record_count;
    if (csv_passes_over(worker))
        oriel_reject_chunk_bound(worker->rejects.chunk, first < count ? count - first : 0);
}

static enum oriel_reject_outcome outcome_of(enum oriel_status status) {
    switch (status) {
    case ORIEL_OK: return ORIEL_REJECT_READ;
    case ORIEL_DONE: return ORIEL_REJECT_STOPPED;
    case ORIEL_DATA: return ORIEL_REJECT_ENDED;
    default: return ORIEL_REJECT_FAILED;
    }
}

enum oriel_status csv_reject_finish(struct csv_worker *worker, const struct oriel_morsel *morsel,
                                    enum oriel_status status, struct oriel_error *error) {
    const struct csv_chunk *chunk = &worker->chunk;
    const size_t length = chunk->own_length;
    struct oriel_error failure = {0};
    uint64_t lines = 0;
    if ((status == ORIEL_OK || status == ORIEL_DONE) && length && !worker->overtaken)
        lines = csv_count_lines(chunk->text, length,
                                length < chunk->length ? chunk->text[length] : '\0');
    const enum oriel_status finished = oriel_reject_chunk_finish(
        morsel->rejects, lines, worker->overtaken ? ORIEL_REJECT_FAILED : outcome_of(status),
        &failure);
    worker->rejects.chunk = NULL;
    if (finished == ORIEL_OK || (status != ORIEL_OK && status != ORIEL_DONE))
        return status;
    *error = failure;
    worker->overtaken = false;
    return finished;
}

void csv_reject_mark(struct csv_worker *worker, size_t row, const struct csv_column_plan *plan,
                     enum csv_fault fault) {
    struct csv_row_fault *to = &worker->rejects.faults[row];
    if (to->fault != CSV_FAULT_NONE)
        return;
    *to = (struct csv_row_fault){fault, plan};
    worker->rejects.fault_count++;
}

/* Line ends of the chunk before `place`; places come in order. */
static uint64_t lines_to(struct csv_worker *worker, uint32_t place) {
    struct csv_reject_state *state = &worker->rejects;
    const struct csv_chunk *chunk = &worker->chunk;
    if (place > state->line_offset) {
        state->lines +=
            csv_count_lines(chunk->text + state->line_offset, place - state->line_offset,
                            place < chunk->length ? chunk->text[place] : '\0');
        state->line_offset = place;
    }
    return state->lines;
}

/* A row at fault: one of those allowed, or the one that is too many. */
static enum oriel_status add(struct csv_source *source, struct csv_worker *worker,
                             const struct csv_row_fault *fault, const uint32_t *positions,
                             uint32_t field_count, bool allowed, struct oriel_error *failure,
                             struct oriel_error *error) {
    struct oriel_error described = {0};
    uint32_t place = 0;
    csv_fault_describe(source, worker, fault->fault, positions, field_count, fault->plan, &place,
                       &described);
    const uint32_t begin = positions[0] + 1;
    uint32_t end = positions[field_count];
    while (end > begin &&
           (worker->chunk.text[end - 1] == '\r' || worker->chunk.text[end - 1] == '\n'))
        end--;
    const struct oriel_reject reject = {
        .file = worker->chunk.file->path,
        .lines = lines_to(worker, place),
        .column = fault->plan ? fault->plan->name : "",
        .reason = described.message,
        .raw = {worker->chunk.text + begin, end - begin},
    };
    ORIEL_TRY(oriel_reject_chunk_add(worker->rejects.chunk, &reject, error));
    if (!allowed)
        oriel_reject_chunk_fail(worker->rejects.chunk, &reject, failure);
    return ORIEL_OK;
}

/* As oriel_reject_chunk_allow; rows that nobody wants are no reason to fail. */
static enum oriel_status allow(struct csv_worker *worker, size_t wanted, size_t *allowed,
                               struct oriel_error *error) {
    const enum oriel_status status =
        oriel_reject_chunk_allow(worker->rejects.chunk, wanted, allowed, error);
    worker->overtaken = status == ORIEL_DONE;
    return status;
}

/* Moves the rows without a fault, of those before `end`, together; returns how many there are. */
static size_t take_out(const struct csv_source *source, struct csv_worker *worker,
                       const struct csv_rows *rows, size_t end) {
    size_t kept = 0;
    for (size_t row = 0; row < end; row++) {
        if (worker->rejects.faults[row].fault == CSV_FAULT_NONE)
            worker->rejects.kept[kept++] = rows->positions[row * rows->stride];
    }
    for (uint32_t p = 0; p < source->plan_count; p++) {
        const size_t size = source->plans[p].value_size;
        struct oriel_column *column = &worker->columns[p];
        char *values = column->values;
        uint64_t *valid = column->valid ? worker->valid[p] : NULL;
        bool has_null = false;
        kept = 0;
        for (size_t row = 0; row < end; row++) {
            if (worker->rejects.faults[row].fault != CSV_FAULT_NONE)
                continue;
            memmove(values + kept * size, values + row * size, size);
            if (valid && oriel_bits_get(valid, row)) {
                oriel_bits_set(valid, kept);
            } else if (valid) {
                oriel_bits_clear(valid, kept);
                has_null = true;
            }
            kept++;
        }
        column->valid = has_null ? valid : NULL;
        if (source->plans[p].output >= 0)
            worker->out[source->plans[p].output] = *column;
    }
    return kept;
}

enum oriel_status csv_reject_rows(struct csv_source *source, struct csv_worker *worker,
                                  const struct csv_rows *rows, size_t *kept,
                                  struct oriel_error *failure, struct oriel_error *error) {
    struct csv_reject_state *state = &worker->rejects;
    size_t allowed, end = rows->count, count = 0;
    ORIEL_TRY(allow(worker, state->fault_count, &allowed, error));
    for (size_t row = 0; row < end; row++) {
        const struct csv_row_fault *fault = &state->faults[row];
        if (fault->fault == CSV_FAULT_NONE)
            continue;
        if (count == allowed)
            end = row;
        if (count == allowed && state->muted)
            break;
        const uint32_t fields = rows->field_counts ? rows->field_counts[row] : source->field_count;
        ORIEL_TRY(add(source, worker, fault, rows->positions + row * rows->stride, fields,
                      count < allowed, failure, error));
        count++;
    }
    *kept = take_out(source, worker, rows, end);
    memset(state->faults, 0, rows->count * sizeof *state->faults);
    state->fault_count = 0;
    return ORIEL_OK;
}

/* A quote that is never closed takes all that follows it: a row may be passed over that is the last
 * line, but not one that lost lines. */
static bool is_followed(const struct csv_worker *worker, enum csv_fault fault, uint32_t record) {
    const struct oriel_text text = csv_record_text(worker, record);
    if (fault != CSV_FAULT_UNCLOSED && fault != CSV_FAULT_ESCAPE_AT_END)
        return false;
    const size_t length =
        text.length && text.bytes[text.length - 1] == '\n' ? text.length - 1 : text.length;
    return memchr(text.bytes, '\n', length) != NULL;
}

enum oriel_status csv_reject_record(struct csv_source *source, struct csv_worker *worker,
                                    enum csv_fault fault, uint32_t record,
                                    struct oriel_error *error) {
    const uint32_t first = csv_first_entry(&worker->index, record);
    const uint32_t *positions = worker->index.positions + first;
    const uint32_t field_count = worker->index.record_ends[record] - first;
    if (is_followed(worker, fault, record))
        return csv_fault_report(source, worker, fault, positions, field_count, NULL, error);
    const struct csv_row_fault row_fault = {fault, NULL};
    struct oriel_error failure = {0};
    size_t allowed;
    ORIEL_TRY(allow(worker, 1, &allowed, error));
    if (!allowed && worker->rejects.muted)
        return ORIEL_OK;
    ORIEL_TRY(
        add(source, worker, &row_fault, positions, field_count, allowed == 1, &failure, error));
    if (allowed == 1)
        return ORIEL_OK;
    if (error)
        *error = failure;
    return failure.status;
}
