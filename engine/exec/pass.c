/*
 * The fan-out: every batch of the source goes to one taker after the other, each of which sees its
 * own columns and has its own chain of stages. With results among the takers, the pieces of all of
 * them make one piece of the run.
 */
#include "engine/exec/pass.h"

#include "engine/exec/drive.h"
#include "engine/exec/profile.h"
#include "engine/exec/run.h"

struct taker {
    struct taker *next;
    struct oriel_feed feed;
    const struct oriel_piece_maker *maker;
    uint32_t number;
    uint32_t piece_number; /* among takers with a maker */
    struct oriel_chain chain;
    struct oriel_column **views; /* of each worker: its columns of the batch */
};

struct oriel_pass {
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    struct oriel_source *source; /* NULL once read */
    struct taker *first, **last;
    uint32_t taker_count, maker_count;
    bool has_run;
    enum oriel_status status; /* of the run */
    struct oriel_error error;
};

enum oriel_status oriel_pass_open(const struct oriel_runtime *runtime, struct oriel_source *source,
                                  struct oriel_pass **out, struct oriel_error *error) {
    struct oriel_pass *pass = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *pass);
    if (!pass) {
        source->operations->close(source);
        return oriel_error_memory(error);
    }
    oriel_arena_init(&pass->arena, runtime->memory);
    pass->runtime = runtime;
    pass->source = source;
    pass->last = &pass->first;
    *out = pass;
    return ORIEL_OK;
}

static void close_reading(struct oriel_pass *pass) {
    for (struct taker *it = pass->first; it; it = it->next)
        oriel_chain_deinit(&it->chain);
    if (pass->source)
        pass->source->operations->close(pass->source);
    pass->source = NULL;
    pass->first = NULL;
}

void oriel_pass_close(struct oriel_pass **pass) {
    struct oriel_pass *it = *pass;
    if (!it)
        return;
    *pass = NULL;
    close_reading(it);
    oriel_arena_deinit(&it->arena);
    oriel_memory_release(it->runtime->memory, it, sizeof *it);
}

enum oriel_status oriel_pass_add(struct oriel_pass *pass, const struct oriel_feed *feed,
                                 uint32_t *number, struct oriel_error *error) {
    struct taker *taker = oriel_arena_allocate_zeroed(&pass->arena, 1, sizeof *taker);
    if (!taker)
        return oriel_error_memory(error);
    ORIEL_TRY(oriel_chain_init(&taker->chain, pass->runtime, feed->steps, feed->step_count, error));
    taker->feed = *feed;
    taker->number = *number = pass->taker_count++;
    *pass->last = taker;
    pass->last = &taker->next;
    return ORIEL_OK;
}

void oriel_pass_set_maker(struct oriel_pass *pass, uint32_t number,
                          const struct oriel_piece_maker *maker) {
    struct taker *taker = pass->first;
    while (taker && taker->number != number)
        taker = taker->next;
    if (!taker)
        return;
    taker->maker = maker;
    taker->piece_number = pass->maker_count++;
}

/* ---- one batch ---- */

/* A batch on its way to all takers. */
struct fan {
    struct oriel_pass *pass;
    unsigned worker;
    void **pieces; /* of this morsel, by piece_number; NULL where none was begun */
};

/* The end of a chain. */
struct arrival {
    const struct fan *fan;
    const struct taker *taker;
};

static enum oriel_status arrive(void *context, const struct oriel_batch *batch,
                                struct oriel_error *error) {
    const struct arrival *arrival = context;
    const struct fan *fan = arrival->fan;
    struct oriel_sink *sink = arrival->taker->feed.sink;
    if (sink)
        return sink->operations->push(sink, fan->worker, batch, error);
    const struct oriel_piece_maker *maker = arrival->taker->maker;
    void **piece = &fan->pieces[arrival->taker->piece_number];
    if (!*piece)
        ORIEL_TRY(maker->begin(maker->context, fan->worker, piece, error));
    return maker->add(maker->context, *piece, batch, error);
}

static enum oriel_status push_taker(const struct fan *fan, struct taker *taker,
                                    const struct oriel_batch *batch, struct oriel_error *error) {
    const struct oriel_plan *scan = taker->feed.scan;
    struct oriel_column *view = taker->views[fan->worker];
    for (uint32_t i = 0; i < scan->schema.field_count; i++)
        view[i] = batch->columns[scan->scan.shared_columns[i]];
    const struct oriel_batch own = {.row_count = batch->row_count,
                                    .column_count = scan->schema.field_count,
                                    .columns = view,
                                    .first_row = batch->first_row};
    struct arrival arrival = {fan, taker};
    struct oriel_profile *profile = fan->pass->runtime->profile;
    struct oriel_operator_profile *before = NULL;
    if (profile) {
        oriel_profile_count(taker->feed.scan_runtime->operation, own.row_count);
        before = oriel_profile_switch(profile, fan->worker, taker->feed.taker_runtime->operation);
    }
    const enum oriel_status status =
        oriel_chain_push(&taker->chain, fan->worker, &own, arrive, &arrival, error);
    if (profile)
        oriel_profile_switch(profile, fan->worker, before);
    return status;
}

static enum oriel_status push_takers(void *context, const struct oriel_batch *batch,
                                     struct oriel_error *error) {
    const struct fan *fan = context;
    for (struct taker *it = fan->pass->first; it; it = it->next)
        ORIEL_TRY(push_taker(fan, it, batch, error));
    return ORIEL_OK;
}

/* The error of the first row at fault counts, whichever taker it is. */
static enum oriel_status push_fan(struct fan *fan, const struct oriel_batch *batch,
                                  struct oriel_error *error) {
    const enum oriel_status status = push_takers(fan, batch, error);
    if (status == ORIEL_OK)
        return ORIEL_OK;
    return oriel_push_rows(fan->pass->runtime, batch, status, true, push_takers, fan, error);
}

static enum oriel_status push_all(void *context, unsigned worker, const struct oriel_batch *batch,
                                  struct oriel_error *error) {
    struct fan fan = {.pass = context, .worker = worker};
    return push_fan(&fan, batch, error);
}

/* ---- pieces of several results ---- */

struct pieces {
    struct fan fan;
    void *items[]; /* maker_count */
};

static size_t pieces_bytes(const struct oriel_pass *pass) {
    return sizeof(struct pieces) + pass->maker_count * sizeof(void *);
}

static enum oriel_status begin_pieces(void *context, unsigned worker, void **out,
                                      struct oriel_error *error) {
    struct oriel_pass *pass = context;
    struct pieces *pieces =
        oriel_memory_allocate_zeroed(pass->runtime->memory, 1, pieces_bytes(pass));
    if (!pieces)
        return oriel_error_memory(error);
    pieces->fan = (struct fan){pass, worker, pieces->items};
    *out = pieces;
    return ORIEL_OK;
}

static enum oriel_status add_pieces(void *context, void *piece, const struct oriel_batch *batch,
                                    struct oriel_error *error) {
    struct pieces *pieces = piece;
    (void)context;
    return push_fan(&pieces->fan, batch, error);
}

static void drop_pieces(void *context, void *piece) {
    struct oriel_pass *pass = context;
    struct pieces *pieces = piece;
    for (struct taker *it = pass->first; it; it = it->next) {
        if (it->maker && pieces->items[it->piece_number])
            it->maker->drop(it->maker->context, pieces->items[it->piece_number]);
    }
    oriel_memory_release(pass->runtime->memory, pieces, pieces_bytes(pass));
}

static enum oriel_status deliver_pieces(void *context, void *piece, struct oriel_error *error) {
    struct oriel_pass *pass = context;
    struct pieces *pieces = piece;
    enum oriel_status status = ORIEL_OK;
    for (struct taker *it = pass->first; it && status == ORIEL_OK; it = it->next) {
        if (!it->maker || !pieces->items[it->piece_number])
            continue;
        void *item = pieces->items[it->piece_number];
        pieces->items[it->piece_number] = NULL;
        status = it->maker->deliver(it->maker->context, item, error);
    }
    drop_pieces(pass, pieces);
    return status;
}

/* ---- the run ---- */

static enum oriel_status start_takers(struct oriel_pass *pass, unsigned worker_count,
                                      struct oriel_error *error) {
    for (struct taker *it = pass->first; it; it = it->next) {
        it->views = oriel_arena_allocate_zeroed(&pass->arena, worker_count, sizeof *it->views);
        if (!it->views)
            return oriel_error_memory(error);
        for (unsigned w = 0; w < worker_count; w++) {
            it->views[w] = oriel_arena_allocate_zeroed(
                &pass->arena, it->feed.scan->schema.field_count, sizeof **it->views);
            if (!it->views[w])
                return oriel_error_memory(error);
        }
        ORIEL_TRY(oriel_chain_start(&it->chain, worker_count, error));
    }
    return ORIEL_OK;
}

static enum oriel_status run(struct oriel_pass *pass, struct oriel_error *error) {
    const unsigned worker_count = oriel_worker_count(pass->runtime);
    const struct oriel_piece_maker maker = {.context = pass,
                                            .begin = begin_pieces,
                                            .add = add_pieces,
                                            .deliver = deliver_pieces,
                                            .drop = drop_pieces};
    ORIEL_TRY(pass->source->operations->start(pass->source, worker_count, error));
    ORIEL_TRY(start_takers(pass, worker_count, error));
    return pass->maker_count ? oriel_run_source(pass->runtime, pass->source, false, &maker, error)
                             : oriel_drive(pass->runtime, pass->source, push_all, pass, error);
}

enum oriel_status oriel_pass_run(struct oriel_pass *pass, struct oriel_error *error) {
    if (!pass->has_run) {
        pass->has_run = true;
        pass->status = run(pass, &pass->error);
        close_reading(pass);
    }
    if (pass->status != ORIEL_OK && error)
        *error = pass->error;
    return pass->status;
}
