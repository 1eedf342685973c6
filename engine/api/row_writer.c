/*
 * Pieces are recycled, so a long result is formatted in a few buffers that stay in the cache.
 */
#include "engine/api/row_writer.h"

#include <string.h>

enum { FULL_BYTES = 128 << 10 }; /* with the batch that reaches it, half of a second-level cache */

void oriel_row_writer_init(struct oriel_row_writer *writer, struct oriel_memory *memory,
                           const struct oriel_formatter *formatter, struct oriel_output_file *file,
                           uint32_t column_count) {
    *writer = (struct oriel_row_writer){
        .memory = memory, .formatter = formatter, .file = file, .column_count = column_count};
    pthread_mutex_init(&writer->lock, NULL);
}

void oriel_row_writer_deinit(struct oriel_row_writer *writer) {
    while (writer->free_pieces) {
        struct oriel_written_piece *piece = writer->free_pieces;
        writer->free_pieces = piece->next;
        oriel_format_piece_deinit(&piece->format);
        oriel_memory_release(writer->memory, piece, sizeof *piece);
    }
    pthread_mutex_destroy(&writer->lock);
}

static void give_back(struct oriel_row_writer *writer, struct oriel_written_piece *piece) {
    oriel_format_piece_clear(&piece->format);
    pthread_mutex_lock(&writer->lock);
    piece->next = writer->free_pieces;
    writer->free_pieces = piece;
    pthread_mutex_unlock(&writer->lock);
}

/* The last piece that the worker made: its buffer is in that worker's cache, and costs dearly in
 * another's. */
static struct oriel_written_piece *take_free(struct oriel_row_writer *writer, unsigned worker) {
    pthread_mutex_lock(&writer->lock);
    struct oriel_written_piece **place = &writer->free_pieces;
    while (*place && (*place)->worker != worker)
        place = &(*place)->next;
    struct oriel_written_piece *piece = *place;
    if (piece)
        *place = piece->next;
    pthread_mutex_unlock(&writer->lock);
    return piece;
}

static enum oriel_status begin_piece(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    struct oriel_row_writer *writer = context;
    struct oriel_written_piece *piece = take_free(writer, worker);
    if (!piece) {
        piece = oriel_memory_allocate_zeroed(writer->memory, 1, sizeof *piece);
        if (!piece)
            return oriel_error_memory(error);
        piece->worker = worker;
        const enum oriel_status status =
            oriel_format_piece_init(&piece->format, writer->memory, writer->column_count, error);
        if (status != ORIEL_OK) {
            oriel_format_piece_deinit(&piece->format);
            oriel_memory_release(writer->memory, piece, sizeof *piece);
            return status;
        }
    }
    *out = piece;
    return ORIEL_OK;
}

enum oriel_status oriel_check_required(const char *const *required, const struct oriel_batch *batch,
                                       struct oriel_error *error) {
    size_t first = batch->row_count; /* the first row at fault */
    const char *name = NULL;
    for (uint32_t c = 0; required && c < batch->column_count; c++) {
        if (!required[c] || !batch->columns[c].valid)
            continue;
        size_t row = 0;
        while (row < first && !oriel_column_is_null(&batch->columns[c], row))
            row++;
        if (row < first) {
            first = row;
            name = required[c];
        }
    }
    if (!name)
        return ORIEL_OK;
    return oriel_error_set(
        error, ORIEL_RUNTIME,
        "Column '%s' is NOT NULL, however, a null value is being written into it", name);
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct oriel_row_writer *writer = context;
    ORIEL_TRY(oriel_check_required(writer->required, batch, error));
    struct oriel_written_piece *it = piece;
    return oriel_formatter_rows(writer->formatter, &it->format, batch, error);
}

static bool is_full(const void *piece) {
    return ((const struct oriel_written_piece *)piece)->format.text.length >= FULL_BYTES;
}

static enum oriel_status write_text(struct oriel_row_writer *writer,
                                    struct oriel_format_piece *piece, struct oriel_error *error) {
    if (writer->escape_controls)
        ORIEL_TRY(oriel_format_escape_controls(piece, error));
    if (writer->lead && piece->text.length) {
        ORIEL_TRY(oriel_output_file_write(writer->file, writer->lead, strlen(writer->lead), error));
        writer->lead = NULL;
    }
    return oriel_output_file_write(writer->file, piece->text.bytes, piece->text.length, error);
}

/* Writes what stands before the first row, in a piece of its own. */
static enum oriel_status begin_output(struct oriel_row_writer *writer, struct oriel_error *error) {
    void *piece = NULL;
    ORIEL_TRY(begin_piece(writer, 0, &piece, error));
    struct oriel_format_piece *format = &((struct oriel_written_piece *)piece)->format;
    enum oriel_status status = oriel_formatter_begin(writer->formatter, format, error);
    if (status == ORIEL_OK)
        status = write_text(writer, format, error);
    give_back(writer, piece);
    writer->has_begun = true;
    return status;
}

static enum oriel_status deliver_piece(void *context, void *piece, struct oriel_error *error) {
    struct oriel_row_writer *writer = context;
    struct oriel_written_piece *it = piece;
    enum oriel_status status = ORIEL_OK;
    if (it->format.row_count && !writer->has_begun)
        status = begin_output(writer, error);
    if (status == ORIEL_OK)
        status = write_text(writer, &it->format, error);
    writer->row_count += it->format.row_count;
    give_back(writer, it);
    return status;
}

static void drop_piece(void *context, void *piece) {
    give_back(context, piece);
}

struct oriel_piece_maker oriel_row_writer_maker(struct oriel_row_writer *writer) {
    return (struct oriel_piece_maker){
        .context = writer,
        .delivers_anywhere = oriel_output_file_is_regular(writer->file),
        .is_full = is_full,
        .begin = begin_piece,
        .add = add_to_piece,
        .deliver = deliver_piece,
        .drop = drop_piece,
    };
}

enum oriel_status oriel_row_writer_add(struct oriel_row_writer *writer,
                                       const struct oriel_batch *batch, struct oriel_error *error) {
    void *piece = NULL;
    ORIEL_TRY(begin_piece(writer, 0, &piece, error));
    const enum oriel_status status = add_to_piece(writer, piece, batch, error);
    if (status != ORIEL_OK) {
        drop_piece(writer, piece);
        return status;
    }
    return deliver_piece(writer, piece, error);
}

enum oriel_status oriel_row_writer_finish(struct oriel_row_writer *writer,
                                          struct oriel_error *error) {
    void *piece = NULL;
    if (!writer->has_begun && !oriel_formatter_is_tableau(writer->formatter))
        ORIEL_TRY(begin_output(writer, error));
    ORIEL_TRY(begin_piece(writer, 0, &piece, error));
    struct oriel_format_piece *format = &((struct oriel_written_piece *)piece)->format;
    enum oriel_status status =
        oriel_formatter_end(writer->formatter, format, writer->row_count, error);
    if (status == ORIEL_OK)
        status = write_text(writer, format, error);
    give_back(writer, piece);
    return status;
}
