/*
 * The end of the flow for the blackhole sink and EXPLAIN ANALYZE: pieces hold nothing.
 */
#include "engine/api/discard.h"

#include "engine/api/row_writer.h"

static enum oriel_status begin_piece(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    (void)worker;
    (void)error;
    *out = context;
    return ORIEL_OK;
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct oriel_discard *discard = context;
    (void)piece;
    ORIEL_TRY(oriel_check_required(discard->required, batch, error));
    atomic_fetch_add_explicit(&discard->row_count, batch->row_count, memory_order_relaxed);
    return ORIEL_OK;
}

static enum oriel_status deliver_piece(void *context, void *piece, struct oriel_error *error) {
    (void)context;
    (void)piece;
    (void)error;
    return ORIEL_OK;
}

static void drop_piece(void *context, void *piece) {
    (void)context;
    (void)piece;
}

struct oriel_piece_maker oriel_discard_maker(struct oriel_discard *discard) {
    return (struct oriel_piece_maker){.context = discard,
                                      .begin = begin_piece,
                                      .add = add_to_piece,
                                      .deliver = deliver_piece,
                                      .drop = drop_piece};
}
