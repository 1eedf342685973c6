/*
 * From records to rows: every record must be UTF-8 and have the right number of fields, whether or
 * not its columns are used. While all records are regular, rows are the index itself; the first odd
 * one in a chunk makes the chunk's rows be copied, with missing fields added and others left out.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

static uint32_t fields_of(const struct csv_index *index, uint32_t record) {
    return index->record_ends[record] - csv_first_entry(index, record);
}

static bool all_have(const struct csv_index *index, uint32_t first, uint32_t field_count) {
    const uint32_t step = field_count + (index->separated ? 1 : 0);
    uint32_t odd = 0;
    if (first == 0 && index->record_count)
        odd = fields_of(index, 0) ^ field_count;
    for (uint32_t r = 1; r < index->record_count; r++)
        odd |= (index->record_ends[r] - index->record_ends[r - 1]) ^ step;
    return odd == 0;
}

/* The record whose bytes reach beyond `offset`. */
static uint32_t record_at(const struct csv_index *index, uint32_t first, size_t offset) {
    uint32_t low = first, high = index->record_count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (index->positions[index->record_ends[middle]] > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t first_ill_formed(const struct csv_source *source, const struct csv_worker *worker,
                                 uint32_t first) {
    const struct csv_index *index = &worker->index;
    const struct csv_chunk *chunk = &worker->chunk;
    if (!chunk->has_non_ascii || first >= index->record_count)
        return index->record_count;
    /* Comments between records need not be UTF-8. */
    const bool each = source->options.allow_comments;
    const uint32_t step = each ? 1 : index->record_count - first;
    for (uint32_t r = first; r < index->record_count; r += step) {
        const uint32_t begin = index->positions[csv_first_entry(index, r)] + 1;
        const uint32_t end = index->positions[index->record_ends[r + step - 1]];
        const size_t good =
            source->runtime->kernels->utf8_validate(chunk->text + begin, end - begin);
        if (good < end - begin)
            return each ? r : record_at(index, first, begin + good);
    }
    return index->record_count;
}

void csv_chunk_check(const struct csv_source *source, struct csv_worker *worker) {
    struct csv_chunk *chunk = &worker->chunk;
    chunk->record_limit = first_ill_formed(source, worker, chunk->first_record);
    chunk->is_regular = worker->index.bad_count == 0 && chunk->end_fault == CSV_FAULT_NONE &&
                        all_have(&worker->index, chunk->first_record, source->field_count);
}

struct oriel_text csv_record_text(const struct csv_worker *worker, uint32_t record) {
    const struct csv_index *index = &worker->index;
    const uint32_t begin = index->positions[csv_first_entry(index, record)] + 1;
    uint32_t end = index->positions[index->record_ends[record]];
    if (end > begin && worker->chunk.text[end - 1] == '\r')
        end--;
    return (struct oriel_text){worker->chunk.text + begin, end - begin};
}

/* Whether an escape and this byte are a blank: \n, \r, \t, \0 or a blank itself. */
static bool is_escaped_blank(unsigned char byte) {
    return byte <= ' ' || byte == 'n' || byte == 'r' || byte == 't' || byte == '0';
}

/* Jackson lets one field too many pass if it is blank and the last. */
static bool is_blank_field(const struct csv_source *source, const char *text, uint32_t begin,
                           uint32_t end) {
    int quotes = 0;
    for (uint32_t i = begin; i < end; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte == source->options.quote && quotes < 2 && (quotes == 1 || i == begin))
            quotes++;
        else if (byte == source->options.escape && i + 1 < end &&
                 is_escaped_blank((unsigned char)text[i + 1]))
            i++;
        else if (byte > ' ')
            return false;
    }
    return true;
}

static enum csv_fault fault_of(const struct csv_source *source, const struct csv_worker *worker,
                               uint32_t record, bool is_bad) {
    const struct csv_index *index = &worker->index;
    const uint32_t wanted = source->field_count;
    const uint32_t found = fields_of(index, record);
    if (is_bad)
        return CSV_FAULT_AFTER_QUOTE;
    if (record + 1 == index->record_count && worker->chunk.end_fault != CSV_FAULT_NONE)
        return worker->chunk.end_fault;
    if (found == wanted)
        return CSV_FAULT_NONE;
    if (found < wanted)
        return CSV_FAULT_TOO_FEW;
    const uint32_t *entries = index->positions + csv_first_entry(index, record);
    const bool passes =
        found == wanted + 1 &&
        is_blank_field(source, worker->chunk.text, entries[wanted] + 1, entries[wanted + 1]);
    return passes ? CSV_FAULT_NONE : CSV_FAULT_TOO_MANY;
}

static void copy_row(const struct csv_source *source, struct csv_worker *worker, uint32_t record,
                     size_t row) {
    const struct csv_index *index = &worker->index;
    const uint32_t wanted = source->field_count;
    const uint32_t *entries = index->positions + csv_first_entry(index, record);
    uint32_t *to = worker->row_positions + row * (wanted + 1);
    uint32_t found = fields_of(index, record);
    if (found <= wanted && !index->separated) {
        memcpy(to, entries, (found + 1) * sizeof *to);
        if (to[found] > to[found - 1] + 1 && worker->chunk.text[to[found] - 1] == '\r')
            to[found]--;
    } else {
        found = found < wanted ? found : wanted;
        memcpy(to, entries, (found + 1) * sizeof *to);
    }
    for (uint32_t c = found; c < wanted; c++)
        to[c + 1] = to[c] + 1;
    worker->field_counts[row] = found;
}

static enum oriel_status reserve_rows(struct csv_source *source, struct csv_worker *worker,
                                      struct oriel_error *error) {
    if (worker->row_positions)
        return ORIEL_OK;
    struct oriel_memory *memory = source->runtime->memory;
    const size_t capacity = worker->row_capacity * ((size_t)source->field_count + 1);
    worker->field_counts =
        oriel_memory_allocate(memory, worker->row_capacity * sizeof *worker->field_counts);
    if (!worker->field_counts)
        return oriel_error_memory(error);
    worker->row_positions = oriel_memory_allocate(memory, capacity * sizeof(uint32_t));
    if (!worker->row_positions) {
        oriel_memory_release(memory, worker->field_counts,
                             worker->row_capacity * sizeof *worker->field_counts);
        worker->field_counts = NULL;
        return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

static enum oriel_status copy_rows(struct csv_source *source, struct csv_worker *worker,
                                   uint32_t *next, struct csv_rows *rows,
                                   struct oriel_error *error) {
    const struct csv_index *index = &worker->index;
    ORIEL_TRY(reserve_rows(source, worker, error));
    uint32_t bad = 0;
    while (bad < index->bad_count && index->bad_records[bad] < *next)
        bad++;
    bool has_short = false;
    uint32_t record = *next;
    for (; record < worker->chunk.record_limit && rows->count < worker->row_capacity; record++) {
        const bool is_bad = bad < index->bad_count && index->bad_records[bad] == record;
        bad += is_bad;
        const enum csv_fault fault = fault_of(source, worker, record, is_bad);
        if (fault != CSV_FAULT_NONE && !source->options.ignore_parse_errors) {
            rows->fault = fault;
            rows->fault_record = record;
            break;
        }
        if (fault != CSV_FAULT_NONE && fault != CSV_FAULT_TOO_FEW)
            continue;
        has_short |= fault == CSV_FAULT_TOO_FEW;
        copy_row(source, worker, record, rows->count++);
    }
    *next = record;
    rows->positions = worker->row_positions;
    rows->stride = (size_t)source->field_count + 1;
    rows->field_counts = has_short ? worker->field_counts : NULL;
    return ORIEL_OK;
}

enum oriel_status csv_rows_next(struct csv_source *source, struct csv_worker *worker,
                                uint32_t *next, struct csv_rows *rows, struct oriel_error *error) {
    const struct csv_index *index = &worker->index;
    struct csv_chunk *chunk = &worker->chunk;
    *rows = (struct csv_rows){0};
    if (*next > chunk->record_limit) /* a bad record was passed over */
        chunk->record_limit = first_ill_formed(source, worker, *next);
    if (!chunk->is_regular) {
        ORIEL_TRY(copy_rows(source, worker, next, rows, error));
    } else {
        const size_t left = chunk->record_limit - *next;
        rows->count = left < worker->row_capacity ? left : worker->row_capacity;
        rows->positions = index->positions + csv_first_entry(index, *next);
        rows->stride = (size_t)source->field_count + (index->separated ? 1 : 0);
        rows->trim_cr = !index->separated && chunk->has_cr;
        *next += (uint32_t)rows->count;
    }
    if (rows->fault == CSV_FAULT_NONE && *next == chunk->record_limit &&
        chunk->record_limit < index->record_count) {
        rows->fault = CSV_FAULT_ENCODING;
        rows->fault_record = chunk->record_limit;
    }
    if (rows->fault != CSV_FAULT_NONE)
        *next = rows->fault_record + 1;
    return ORIEL_OK;
}
