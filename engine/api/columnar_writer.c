/*
 * A piece is the list of arrays that the batches of one morsel became.
 */
#include "engine/api/columnar_writer.h"

#include <string.h>

#include "engine/api/arrow_build.h"
#include "engine/api/row_writer.h"

struct piece_array {
    struct ArrowArray array;
    struct piece_array *next;
};

struct piece {
    struct piece_array *arrays; /* in order */
    struct piece_array **end;
    uint64_t row_count;
};

enum oriel_status oriel_columnar_writer_init(struct oriel_columnar_writer *writer,
                                             struct oriel_memory *memory,
                                             struct oriel_schema schema, const char *zone,
                                             const struct oriel_arrow_output_options *options,
                                             struct oriel_output_file *file,
                                             struct oriel_error *error) {
    *writer = (struct oriel_columnar_writer){.memory = memory};
    const struct oriel_arrow_owner owner = {memory, NULL};
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
    struct piece *piece = oriel_memory_allocate_zeroed(writer->memory, 1, sizeof *piece);
    if (!piece)
        return oriel_error_memory(error);
    piece->end = &piece->arrays;
    *out = piece;
    return ORIEL_OK;
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct oriel_columnar_writer *writer = context;
    struct piece *it = piece;
    ORIEL_TRY(oriel_check_required(writer->required, batch, error));
    for (size_t row = 0, count = 0; row < batch->row_count; row += count) {
        struct piece_array *made = oriel_memory_allocate_zeroed(writer->memory, 1, sizeof *made);
        if (!made)
            return oriel_error_memory(error);
        const struct oriel_arrow_owner owner = {writer->memory, NULL};
        const enum oriel_status status =
            oriel_arrow_array_build(owner, batch, row, &count, &made->array, error);
        if (status != ORIEL_OK) {
            oriel_memory_release(writer->memory, made, sizeof *made);
            return status;
        }
        *it->end = made;
        it->end = &made->next;
        it->row_count += count;
    }
    return ORIEL_OK;
}

static void drop_piece(void *context, void *piece) {
    struct oriel_columnar_writer *writer = context;
    struct piece *it = piece;
    while (it->arrays) {
        struct piece_array *made = it->arrays;
        it->arrays = made->next;
        if (made->array.release)
            made->array.release(&made->array);
        oriel_memory_release(writer->memory, made, sizeof *made);
    }
    oriel_memory_release(writer->memory, it, sizeof *it);
}

static enum oriel_status deliver_piece(void *context, void *piece, struct oriel_error *error) {
    struct oriel_columnar_writer *writer = context;
    struct piece *it = piece;
    enum oriel_status status = ORIEL_OK;
    for (struct piece_array *made = it->arrays; made && status == ORIEL_OK; made = made->next)
        status = oriel_arrow_output_add(writer->output, &made->array, error);
    writer->row_count += it->row_count;
    drop_piece(writer, it);
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
