/*
 * Workers make the arrays, the thread that delivers hands them to the encoder.
 */
#include "engine/api/columnar_writer.h"

#include "engine/api/arrow_piece.h"
#include "engine/api/row_writer.h"

enum oriel_status oriel_columnar_writer_init(struct oriel_columnar_writer *writer,
                                             struct oriel_memory *memory,
                                             struct oriel_schema schema, const char *zone,
                                             const struct oriel_arrow_output_options *options,
                                             struct oriel_output_file *file,
                                             struct oriel_error *error) {
    *writer = (struct oriel_columnar_writer){.memory = memory};
    const struct oriel_arrow_owner owner = {.memory = memory};
    struct ArrowSchema built;
    ORIEL_TRY(oriel_arrow_schema_build(owner, schema, zone, &built, error));
    return oriel_arrow_output_open(memory, options, &built, file, &writer->output, error);
}

void oriel_columnar_writer_deinit(struct oriel_columnar_writer *writer) {
    oriel_arrow_output_close(&writer->output);
}

static enum oriel_status begin_piece(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    (void)worker;
    struct oriel_columnar_writer *writer = context;
    struct oriel_arrow_piece *piece;
    ORIEL_TRY(oriel_arrow_piece_open(writer->memory, NULL, &piece, error));
    *out = piece;
    return ORIEL_OK;
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct oriel_columnar_writer *writer = context;
    ORIEL_TRY(oriel_check_required(writer->required, batch, error));
    return oriel_arrow_piece_add(piece, NULL, batch, error);
}

static void drop_piece(void *context, void *piece) {
    struct oriel_arrow_piece *it = piece;
    (void)context;
    oriel_arrow_piece_close(&it);
}

static enum oriel_status deliver_piece(void *context, void *piece, struct oriel_error *error) {
    struct oriel_columnar_writer *writer = context;
    struct ArrowArray array;
    enum oriel_status status = ORIEL_OK;
    while (status == ORIEL_OK && oriel_arrow_piece_take(piece, &array)) {
        writer->row_count += (uint64_t)array.length;
        status = oriel_arrow_output_add(writer->output, &array, error);
        if (array.release)
            array.release(&array);
    }
    drop_piece(writer, piece);
    return status;
}

struct oriel_piece_maker oriel_columnar_writer_maker(struct oriel_columnar_writer *writer) {
    return (struct oriel_piece_maker){.context = writer,
                                      .begin = begin_piece,
                                      .add = add_to_piece,
                                      .deliver = deliver_piece,
                                      .drop = drop_piece};
}

enum oriel_status oriel_columnar_writer_add(struct oriel_columnar_writer *writer,
                                            const struct oriel_batch *batch,
                                            struct oriel_error *error) {
    void *piece = NULL;
    ORIEL_TRY(begin_piece(writer, 0, &piece, error));
    const enum oriel_status status = add_to_piece(writer, piece, batch, error);
    if (status != ORIEL_OK) {
        drop_piece(writer, piece);
        return status;
    }
    return deliver_piece(writer, piece, error);
}

enum oriel_status oriel_columnar_writer_finish(struct oriel_columnar_writer *writer,
                                               struct oriel_error *error) {
    return oriel_arrow_output_finish(writer->output, error);
}
