/*
 * The arrays wait in a list, in the order of their rows.
 */
#include "engine/api/arrow_piece.h"

struct link {
    struct ArrowArray array;
    struct link *next;
};

struct oriel_arrow_piece {
    struct oriel_memory *memory;
    struct oriel_arrow_slab *slab;
    struct link *first, **last;
};

enum oriel_status oriel_arrow_piece_open(struct oriel_memory *memory, struct oriel_arrow_slab *slab,
                                         struct oriel_arrow_piece **out,
                                         struct oriel_error *error) {
    struct oriel_arrow_piece *piece = oriel_memory_allocate(memory, sizeof *piece);
    if (!piece)
        return oriel_error_memory(error);
    *piece = (struct oriel_arrow_piece){.memory = memory, .slab = slab, .last = &piece->first};
    *out = piece;
    return ORIEL_OK;
}

bool oriel_arrow_piece_take(struct oriel_arrow_piece *piece, struct ArrowArray *out) {
    struct link *link = piece->first;
    if (!link)
        return false;
    piece->first = link->next;
    if (!piece->first)
        piece->last = &piece->first;
    *out = link->array;
    oriel_memory_release(piece->memory, link, sizeof *link);
    return true;
}

void oriel_arrow_piece_close(struct oriel_arrow_piece **piece) {
    struct oriel_arrow_piece *it = *piece;
    struct ArrowArray array;
    if (!it)
        return;
    *piece = NULL;
    while (oriel_arrow_piece_take(it, &array))
        array.release(&array);
    oriel_memory_release(it->memory, it, sizeof *it);
}

enum oriel_status oriel_arrow_piece_add(struct oriel_arrow_piece *piece,
                                        struct oriel_engine *engine,
                                        const struct oriel_batch *batch,
                                        struct oriel_error *error) {
    const struct oriel_arrow_owner owner = {piece->memory, engine, piece->slab};
    for (size_t row = 0, count = 0; row < batch->row_count; row += count) {
        struct link *link = oriel_memory_allocate(piece->memory, sizeof *link);
        if (!link)
            return oriel_error_memory(error);
        const enum oriel_status status =
            oriel_arrow_array_build(owner, batch, row, &count, &link->array, error);
        if (status != ORIEL_OK) {
            oriel_memory_release(piece->memory, link, sizeof *link);
            return status;
        }
        link->next = NULL;
        *piece->last = link;
        piece->last = &link->next;
    }
    return ORIEL_OK;
}
