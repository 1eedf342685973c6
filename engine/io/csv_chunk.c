/*
 * From a piece of a file to the records that begin in it. Reads the piece and a little more, finds
 * the separators by the fastest kernel that is exact for these bytes, tells the next chunk how this
 * one ends, and follows the last record to its end behind the piece.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

enum {
    SLACK_BYTES = 4096,     /* read past a piece at once, where most last records end */
    GROWTH_BYTES = 1 << 20, /* by at least so much a buffer grows for a long record */
    KEEP_FACTOR = 8,        /* a buffer this many times too large is given back */
};
static const uint64_t TEXT_MAX_BYTES = UINT32_MAX - (UINT32_C(1) << 20);

static enum oriel_status reserve_buffer(struct csv_source *source, struct csv_worker *worker,
                                        size_t length, struct oriel_error *error) {
    /* Missing fields of short rows lie behind the text, a byte each. */
    const size_t size = length + source->field_count;
    if (size <= worker->buffer_capacity)
        return ORIEL_OK;
    char *grown =
        oriel_memory_resize(source->runtime->memory, worker->buffer, worker->buffer_capacity, size);
    if (!grown)
        return oriel_error_memory(error);
    worker->buffer = grown;
    worker->buffer_capacity = size;
    return ORIEL_OK;
}

static void drop_oversized_buffer(struct csv_source *source, struct csv_worker *worker,
                                  size_t length) {
    if (worker->buffer_capacity / KEEP_FACTOR <= length + SLACK_BYTES)
        return;
    oriel_memory_release(source->runtime->memory, worker->buffer, worker->buffer_capacity);
    worker->buffer = NULL;
    worker->buffer_capacity = 0;
}

/* Reads `length` bytes, fewer only at the end that the file had when it was opened. */
static enum oriel_status read_piece(const struct csv_file *file, uint64_t offset, char *to,
                                    size_t length, size_t *got, struct oriel_error *error) {
    ORIEL_TRY(oriel_byte_source_read_at(&file->bytes, offset, to, length, got, error));
    ORIEL_TRY(oriel_byte_source_check_unchanged(&file->bytes, error));
    const uint64_t left = file->bytes.size_bytes - offset;
    if (*got < length && *got < left)
        return oriel_error_set(error, ORIEL_IO, "'%s' ended while it was read", file->path);
    if (*got > left)
        *got = (size_t)left;
    return ORIEL_OK;
}

static uint8_t or_bytes(const char *text, size_t from, size_t to) {
    uint8_t all = 0;
    for (size_t i = from; i < to; i++)
        all |= (uint8_t)text[i];
    return all;
}

static bool reaches_end(const struct csv_chunk *chunk) {
    return chunk->file->bytes.size_bytes <= chunk->file_offset + chunk->length;
}

/* A '\r' that is no part of a "\r\n" at the end of a record: exact only byte by byte. */
static bool has_lone_cr(const struct csv_worker *worker, size_t length, bool at_end) {
    const struct csv_index *index = &worker->index;
    const char *text = worker->chunk.text;
    const size_t count = csv_count_byte(text, length, '\r');
    size_t paired = !at_end && text[length - 1] == '\r' && text[length] == '\n';
    for (uint32_t r = 0; r < index->record_count; r++) {
        const uint32_t end = index->positions[index->record_ends[r]];
        paired += end > 0 && text[end - 1] == '\r';
    }
    return count != paired;
}

static enum csv_state state_after_byte(const struct csv_source *source, char byte) {
    if (byte == '\n')
        return CSV_RECORD_START;
    return byte == source->options.delimiter ? CSV_FIELD_START : CSV_UNQUOTED;
}

static enum oriel_csv_state to_kernel_state(enum csv_state state) {
    switch (state) {
    case CSV_RECORD_START:
    case CSV_FIELD_START: return ORIEL_CSV_FIELD_START;
    case CSV_QUOTED: return ORIEL_CSV_QUOTED;
    case CSV_QUOTE_SEEN: return ORIEL_CSV_QUOTE_SEEN;
    default: return ORIEL_CSV_UNQUOTED;
    }
}

static enum csv_state from_kernel_state(enum oriel_csv_state state, char last_byte) {
    switch (state) {
    case ORIEL_CSV_FIELD_START: return last_byte == '\n' ? CSV_RECORD_START : CSV_FIELD_START;
    case ORIEL_CSV_QUOTED: return CSV_QUOTED;
    case ORIEL_CSV_QUOTE_SEEN: return CSV_QUOTE_SEEN;
    case ORIEL_CSV_UNQUOTED: break;
    }
    return CSV_UNQUOTED;
}

/* Takes over what a kernel wrote behind entry 0. */
static void adopt_kernel_index(struct csv_worker *worker, const struct oriel_csv_index *found) {
    struct csv_index *index = &worker->index;
    index->separated = false;
    index->position_count = found->position_count + 1;
    index->record_count = found->record_count;
    for (uint32_t r = 0; r < index->record_count; r++)
        index->record_ends[r]++;
    index->positions[0] = UINT32_MAX;
    worker->chunk.has_non_ascii = found->has_non_ascii;
    worker->chunk.has_cr = found->has_cr;
}

static void clear_index(struct csv_index *index) {
    index->position_count = 0;
    index->record_count = 0;
    index->bad_count = 0;
    index->separated = false;
}

/* What is known of the piece of a chunk. */
struct piece {
    size_t length;
    bool at_end;          /* nothing follows it */
    enum csv_state start; /* valid once waited for */
    enum csv_state end;
    bool orphan; /* no record has begun in it */
};

static enum oriel_status index_exact(struct csv_source *source, struct csv_worker *worker,
                                     struct piece *piece, struct oriel_error *error) {
    clear_index(&worker->index);
    worker->index.separated = true;
    worker->chunk.first_record = 0;
    worker->chunk.has_non_ascii = or_bytes(worker->chunk.text, 0, piece->length) >= 0x80;
    struct csv_scanner scanner = {
        .options = &source->options,
        .memory = source->runtime->memory,
        .index = &worker->index,
        .state = piece->start,
        .orphan = piece->start != CSV_RECORD_START && piece->start != CSV_COMMENT,
    };
    size_t stop;
    ORIEL_TRY(csv_scan_exact(&scanner, worker->chunk.text, 0, piece->length, piece->at_end, false,
                             &stop, error));
    piece->end = scanner.state;
    piece->orphan = scanner.orphan;
    worker->scanner = scanner;
    return ORIEL_OK;
}

static enum oriel_status wait_start(struct csv_source *source, const struct csv_worker *worker,
                                    struct piece *piece, struct oriel_error *error) {
    return csv_chain_wait(&source->chain, worker->chunk.number, source->runtime, &piece->start,
                          error);
}

static void publish_end(struct csv_source *source, const struct csv_worker *worker,
                        const struct piece *piece) {
    csv_chain_publish(&source->chain, worker->chunk.number, CSV_END_STATE, piece->end);
}

/* With a kernel: the start state is known, entry 0 and the first record follow from it. */
static void settle_kernel_index(struct csv_worker *worker, struct piece *piece) {
    const bool starts = piece->start == CSV_RECORD_START;
    worker->chunk.first_record = starts ? 0 : 1;
    piece->orphan = !starts && worker->index.record_count == 0;
}

static enum oriel_status index_quoted(struct csv_source *source, struct csv_worker *worker,
                                      struct piece *piece, struct oriel_error *error) {
    const char *text = worker->chunk.text;
    struct oriel_csv_index found;
    ORIEL_TRY(wait_start(source, worker, piece, error));
    source->runtime->kernels->csv_index_quoted(
        text, piece->length, source->options.delimiter, (char)source->options.quote,
        to_kernel_state(piece->start), worker->index.positions + 1, worker->index.record_ends,
        &found);
    adopt_kernel_index(worker, &found);
    worker->expects_quotes = found.has_quote;
    if (found.bad_offset != UINT32_MAX ||
        (found.has_cr && has_lone_cr(worker, piece->length, piece->at_end))) {
        ORIEL_TRY(index_exact(source, worker, piece, error));
    } else {
        piece->end = from_kernel_state(found.state, text[piece->length - 1]);
        settle_kernel_index(worker, piece);
    }
    publish_end(source, worker, piece);
    return ORIEL_OK;
}

static enum oriel_status index_piece(struct csv_source *source, struct csv_worker *worker,
                                     struct piece *piece, struct oriel_error *error) {
    const char *text = worker->chunk.text;
    clear_index(&worker->index);
    ORIEL_TRY(csv_index_reserve(&worker->index, source->runtime->memory, piece->length + 65,
                                piece->length + 9, error));
    if (source->exact) {
        ORIEL_TRY(wait_start(source, worker, piece, error));
        ORIEL_TRY(index_exact(source, worker, piece, error));
        publish_end(source, worker, piece);
        return ORIEL_OK;
    }
    if (worker->expects_quotes)
        return index_quoted(source, worker, piece, error);
    struct oriel_csv_index found;
    source->runtime->kernels->csv_index(text, piece->length, source->options.delimiter,
                                        source->options.quote, worker->index.positions + 1,
                                        worker->index.record_ends, &found);
    if (found.has_quote)
        return index_quoted(source, worker, piece, error);
    adopt_kernel_index(worker, &found);
    if (found.has_cr && has_lone_cr(worker, piece->length, piece->at_end)) {
        ORIEL_TRY(wait_start(source, worker, piece, error));
        ORIEL_TRY(index_exact(source, worker, piece, error));
        publish_end(source, worker, piece);
        return ORIEL_OK;
    }
    piece->end = state_after_byte(source, text[piece->length - 1]);
    csv_chain_publish(&source->chain, worker->chunk.number, CSV_END_PASS, piece->end);
    ORIEL_TRY(wait_start(source, worker, piece, error));
    if (piece->start == CSV_QUOTED) {
        clear_index(&worker->index);
        piece->end = CSV_QUOTED;
        piece->orphan = true;
        return ORIEL_OK;
    }
    settle_kernel_index(worker, piece);
    return ORIEL_OK;
}

/* Brings more of the file into the buffer. */
static enum oriel_status read_more(struct csv_source *source, struct csv_worker *worker,
                                   struct oriel_error *error) {
    struct csv_chunk *chunk = &worker->chunk;
    const size_t lead = (size_t)(chunk->text - worker->buffer);
    size_t more = chunk->length / 2 > GROWTH_BYTES ? chunk->length / 2 : GROWTH_BYTES;
    const uint64_t left = chunk->file->bytes.size_bytes - (chunk->file_offset + chunk->length);
    if (more > left)
        more = (size_t)left;
    if (chunk->length + more + source->field_count > TEXT_MAX_BYTES)
        return oriel_error_set(error, ORIEL_DATA,
                               "a record is longer than 4 GB; is a quote not closed?");
    ORIEL_TRY(oriel_runtime_check(source->runtime, error));
    ORIEL_TRY(reserve_buffer(source, worker, lead + chunk->length + more, error));
    chunk->text = worker->buffer + lead;
    size_t got;
    ORIEL_TRY(read_piece(chunk->file, chunk->file_offset + chunk->length,
                         chunk->text + chunk->length, more, &got, error));
    chunk->length += got;
    return ORIEL_OK;
}

static enum csv_fault fault_at_end(enum csv_state state) {
    if (state == CSV_QUOTED)
        return CSV_FAULT_UNCLOSED;
    if (state == CSV_ESCAPE_QUOTED || state == CSV_ESCAPE_UNQUOTED)
        return CSV_FAULT_ESCAPE_AT_END;
    return CSV_FAULT_NONE;
}

/* Follows the record that is open at the end of the piece to its end. */
static enum oriel_status read_tail(struct csv_source *source, struct csv_worker *worker,
                                   const struct piece *piece, struct oriel_error *error) {
    struct csv_chunk *chunk = &worker->chunk;
    struct csv_scanner scanner = worker->scanner;
    if (!worker->index.separated)
        scanner = (struct csv_scanner){
            .options = &source->options,
            .memory = source->runtime->memory,
            .index = &worker->index,
            .state = piece->end,
        };
    const uint32_t records = worker->index.record_count;
    size_t at = piece->length;
    while (worker->index.record_count == records) {
        const bool at_end = piece->at_end || reaches_end(chunk);
        const size_t to = at_end ? chunk->length : chunk->length - 1;
        ORIEL_TRY(csv_scan_exact(&scanner, chunk->text, at, to, at_end, true, &at, error));
        if (worker->index.record_count > records)
            break;
        if (at_end) {
            chunk->end_fault = fault_at_end(scanner.state);
            ORIEL_TRY(csv_scan_finish(&scanner, chunk->length, error));
        } else {
            ORIEL_TRY(read_more(source, worker, error));
        }
    }
    chunk->has_non_ascii |= or_bytes(chunk->text, piece->length, at) >= 0x80;
    chunk->has_cr |=
        at > piece->length && memchr(chunk->text + piece->length, '\r', at - piece->length) != NULL;
    return ORIEL_OK;
}

static enum oriel_status index_chunk(struct csv_source *source, struct csv_worker *worker,
                                     struct piece *piece, struct oriel_error *error) {
    if (piece->length == 0) { /* a file of nothing but a byte order mark */
        clear_index(&worker->index);
        csv_chain_publish(&source->chain, worker->chunk.number, CSV_END_STATE, CSV_RECORD_START);
        return ORIEL_OK;
    }
    ORIEL_TRY(index_piece(source, worker, piece, error));
    if (piece->orphan || piece->end == CSV_RECORD_START || piece->end == CSV_COMMENT)
        return ORIEL_OK;
    return read_tail(source, worker, piece, error);
}

static void skip_byte_order_mark(struct csv_chunk *chunk) {
    if (chunk->file_offset == 0 && chunk->length >= 3 &&
        memcmp(chunk->text, "\xEF\xBB\xBF", 3) == 0) {
        chunk->text += 3;
        chunk->length -= 3;
        chunk->file_offset = 3;
    }
}

enum oriel_status csv_chunk_load(struct csv_source *source, struct csv_worker *worker,
                                 struct csv_file *file, uint64_t number, uint64_t begin,
                                 uint64_t end, struct oriel_error *error) {
    const size_t length = (size_t)(end - begin);
    struct csv_chunk *chunk = &worker->chunk;
    *chunk = (struct csv_chunk){.file = file, .number = number, .file_offset = begin};
    drop_oversized_buffer(source, worker, length);
    ORIEL_TRY(reserve_buffer(source, worker, length + SLACK_BYTES, error));
    ORIEL_TRY(read_piece(file, begin, worker->buffer, length + SLACK_BYTES, &chunk->length, error));
    chunk->text = worker->buffer;
    skip_byte_order_mark(chunk);
    struct piece piece = {.length = (size_t)(end - chunk->file_offset)};
    chunk->own_length = piece.length;
    piece.at_end = reaches_end(chunk) && piece.length == chunk->length;
    ORIEL_TRY(index_chunk(source, worker, &piece, error));
    return source->options.header && begin == 0 ? csv_header_take(source, worker, error) : ORIEL_OK;
}

enum oriel_status csv_chunk_load_block(struct csv_source *source, struct csv_worker *worker,
                                       uint64_t number, const struct oriel_block *block,
                                       struct oriel_error *error) {
    struct csv_chunk *chunk = &worker->chunk;
    *chunk = (struct csv_chunk){
        .file = block->file,
        .number = number,
        .text = block->bytes,
        .length = block->length,
        .own_length = block->length,
        .lines_before = block->lines_before,
        .is_block = true,
    };
    struct piece piece = {.length = block->length, .at_end = true};
    ORIEL_TRY(index_chunk(source, worker, &piece, error));
    const bool is_first = block->lines_before == 0;
    return source->options.header && is_first ? csv_header_take(source, worker, error) : ORIEL_OK;
}
