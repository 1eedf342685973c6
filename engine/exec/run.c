/*
 * The last pipeline: every worker claims morsels and makes pieces of their rows, and these are
 * delivered in order. What is made but not delivered is bounded: a worker that is too far ahead
 * waits, and a morsel of very many rows is cut into pieces that are delivered one by one. The
 * calling thread delivers; on threads of an executor, whoever would wait; where any thread may, the
 * worker that made a piece, once its turn has come, or else whoever would wait.
 */
#include "engine/exec/run.h"

#include <pthread.h>

#include "engine/exec/drive.h"
#include "engine/exec/spill.h"
#include "engine/exec/task_pool.h"

enum {
    MORSELS_A_WORKER = 4,       /* morsels under way, for each worker */
    PIECE_ROWS_MAX = 1 << 16,   /* a piece ends with the batch that reaches this */
    WAITING_ROWS_MAX = 5 << 16, /* of one morsel */
    ANY_WORKER = -1,
};

struct piece_link {
    struct piece_link *next;
    void *piece;
    size_t row_count;
    unsigned worker; /* that made it */
};

/* A morsel under way; lies at its number modulo the count of slots. */
struct slot {
    struct piece_link *first, **last; /* pieces that wait for delivery */
    size_t waiting_rows;
    bool complete;
};

struct run {
    const struct oriel_runtime *runtime;
    struct oriel_source *source;
    const struct oriel_piece_maker *maker;
    bool deliver_only;
    bool is_lent; /* the workers are tasks of an executor, each of which may begin when others ended
                   */
    struct oriel_failure failure;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    uint64_t claim_count;  /* claims begun; morsel numbers are below */
    bool input_ended;      /* a claim found nothing */
    uint64_t delivering;   /* the morsel whose pieces come next */
    bool is_delivering;    /* a worker is at it */
    unsigned active_count; /* workers that may still claim */
    uint64_t slot_count;
    struct slot *slots;
};

/* A worker making the pieces of a morsel. */
struct making {
    struct run *run;
    unsigned worker;
    uint64_t number;
    void *piece;
    size_t row_count;
};

/* Delivers what is ready, up to the first piece that worker `maker` did not make; the lock is held
 * on entry and return. Returns whether anything changed or could have: then the lock was free in
 * between. */
static bool deliver_ready(struct run *run, int maker) {
    bool changed = false;
    run->is_delivering = true;
    while (!oriel_failure_before(&run->failure, run->delivering + 1)) {
        struct slot *slot = &run->slots[run->delivering % run->slot_count];
        struct piece_link *link = slot->first;
        if (link && maker != ANY_WORKER && link->worker != (unsigned)maker)
            break;
        if (link) {
            slot->first = link->next;
            if (!slot->first)
                slot->last = &slot->first;
            slot->waiting_rows -= link->row_count;
            const uint64_t number = run->delivering;
            pthread_mutex_unlock(&run->lock);
            struct oriel_error error = {0};
            const enum oriel_status status =
                run->maker->deliver(run->maker->context, link->piece, &error);
            oriel_memory_release(run->runtime->memory, link, sizeof *link);
            if (status != ORIEL_OK)
                oriel_failure_note(&run->failure, number, status, &error);
            pthread_mutex_lock(&run->lock);
        } else if (slot->complete) {
            slot->complete = false;
            run->delivering++;
        } else {
            break;
        }
        changed = true;
        pthread_cond_broadcast(&run->changed);
    }
    run->is_delivering = false;
    return changed;
}

/* Delivers the pieces of a worker that are next. */
static void deliver_own(struct run *run, unsigned worker) {
    if (run->maker->delivers_anywhere && !run->is_delivering)
        deliver_ready(run, (int)worker);
}

/* Waits for a change; who may deliver does so first and waits only if there was nothing to deliver.
 * An executor may begin with worker 0 when all others have ended, so there each delivers. */
static void wait_for_change(struct run *run, unsigned worker) {
    const bool delivers = worker == 0 || run->is_lent || run->maker->delivers_anywhere;
    if (delivers && !run->is_delivering && deliver_ready(run, ANY_WORKER))
        return;
    pthread_cond_wait(&run->changed, &run->lock);
}

static bool has_failed(const struct run *run) {
    return oriel_failure_before(&run->failure, UINT64_MAX);
}

/* Whether a morsel has enough waiting, or memory is short. The morsel whose pieces are next goes on
 * whatever the others hold, so that they come to their turn. */
static bool must_wait(const struct run *run, uint64_t number, const struct slot *slot) {
    return slot->waiting_rows >= WAITING_ROWS_MAX ||
           (number != run->delivering && slot->first && oriel_spill_wanted(run->runtime));
}

/* Hands the piece that is being made over for delivery. */
static enum oriel_status hand_over(struct making *making, struct oriel_error *error) {
    struct run *run = making->run;
    struct piece_link *link = oriel_memory_allocate(run->runtime->memory, sizeof *link);
    if (!link)
        return oriel_error_memory(error);
    *link = (struct piece_link){
        .piece = making->piece, .row_count = making->row_count, .worker = making->worker};
    making->piece = NULL;
    making->row_count = 0;
    pthread_mutex_lock(&run->lock);
    struct slot *slot = &run->slots[making->number % run->slot_count];
    *slot->last = link;
    slot->last = &link->next;
    slot->waiting_rows += link->row_count;
    pthread_cond_broadcast(&run->changed);
    deliver_own(run, making->worker);
    while (must_wait(run, making->number, slot) &&
           !oriel_failure_before(&run->failure, making->number + 1))
        wait_for_change(run, making->worker);
    pthread_mutex_unlock(&run->lock);
    return ORIEL_OK;
}

static enum oriel_status add_batch(void *context, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    struct making *making = context;
    const struct oriel_piece_maker *maker = making->run->maker;
    if (!making->piece)
        ORIEL_TRY(maker->begin(maker->context, making->worker, &making->piece, error));
    ORIEL_TRY(maker->add(maker->context, making->piece, batch, error));
    making->row_count += batch->row_count;
    const bool is_full =
        making->row_count >= PIECE_ROWS_MAX || (maker->is_full && maker->is_full(making->piece));
    return is_full ? hand_over(making, error) : ORIEL_OK;
}

static void make_pieces(struct run *run, unsigned worker, const struct oriel_morsel *morsel) {
    struct making making = {.run = run, .worker = worker, .number = morsel->number};
    struct oriel_error error = {0};
    enum oriel_status status = oriel_drive_morsel(run->runtime, run->source, worker, morsel,
                                                  &run->failure, add_batch, &making, &error);
    if (status == ORIEL_OK && making.piece)
        status = hand_over(&making, &error);
    if (status != ORIEL_OK) {
        oriel_failure_note(&run->failure, morsel->number, status, &error);
        if (making.piece)
            run->maker->drop(run->maker->context, making.piece);
    }
    pthread_mutex_lock(&run->lock);
    run->slots[morsel->number % run->slot_count].complete = true;
    pthread_cond_broadcast(&run->changed);
    deliver_own(run, worker);
    pthread_mutex_unlock(&run->lock);
}

/* Whether too much is under way: no slot is free, or memory is short and something else is left to
 * deliver. */
static bool is_ahead(const struct run *run) {
    return run->claim_count >= run->delivering + run->slot_count ||
           (run->claim_count > run->delivering && oriel_spill_wanted(run->runtime));
}

/* Waits until the worker may claim a morsel; false when there is nothing to claim any more. */
static bool may_claim(struct run *run, unsigned worker) {
    pthread_mutex_lock(&run->lock);
    while (is_ahead(run) && !has_failed(run) && !run->input_ended)
        wait_for_change(run, worker);
    const bool allowed = !has_failed(run) && !run->input_ended;
    run->claim_count += allowed;
    pthread_mutex_unlock(&run->lock);
    return allowed;
}

static void end_input(struct run *run) {
    pthread_mutex_lock(&run->lock);
    run->input_ended = true;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

static void claim_and_make(struct run *run, unsigned worker) {
    while (may_claim(run, worker)) {
        struct oriel_morsel morsel;
        struct oriel_error error = {0};
        enum oriel_status status = oriel_runtime_check(run->runtime, &error);
        if (status == ORIEL_OK)
            status = run->source->operations->claim(run->source, &morsel, &error);
        if (status == ORIEL_DONE) {
            end_input(run);
            break;
        }
        if (status != ORIEL_OK) {
            oriel_failure_note(&run->failure, ORIEL_FAILURE_LAST, status, &error);
            end_input(run);
            break;
        }
        make_pieces(run, worker, &morsel);
    }
}

static enum oriel_status work(void *context, unsigned worker, struct oriel_error *error) {
    struct run *run = context;
    (void)error;
    const bool makes = worker != 0 || !run->deliver_only || oriel_worker_count(run->runtime) == 1;
    if (makes)
        claim_and_make(run, worker);
    pthread_mutex_lock(&run->lock);
    run->active_count--;
    pthread_cond_broadcast(&run->changed);
    while (worker == 0 && run->active_count && !run->is_lent)
        wait_for_change(run, worker);
    pthread_mutex_unlock(&run->lock);
    return ORIEL_OK;
}

static void drop_pieces(struct run *run) {
    for (uint64_t i = 0; i < run->slot_count; i++) {
        struct piece_link *link = run->slots[i].first;
        while (link) {
            struct piece_link *next = link->next;
            run->maker->drop(run->maker->context, link->piece);
            oriel_memory_release(run->runtime->memory, link, sizeof *link);
            link = next;
        }
    }
}

enum oriel_status oriel_run_source(const struct oriel_runtime *runtime, struct oriel_source *source,
                                   bool deliver_only, const struct oriel_piece_maker *maker,
                                   struct oriel_error *error) {
    const unsigned worker_count = oriel_worker_count(runtime);
    const bool is_lent = runtime->pool && oriel_task_pool_executor(runtime->pool);
    struct run run = {.runtime = runtime,
                      .source = source,
                      .maker = maker,
                      .deliver_only = deliver_only && !is_lent,
                      .is_lent = is_lent,
                      .active_count = worker_count,
                      .slot_count = (uint64_t)worker_count * MORSELS_A_WORKER};
    run.slots = oriel_memory_allocate_zeroed(runtime->memory, run.slot_count, sizeof *run.slots);
    if (!run.slots)
        return oriel_error_memory(error);
    for (uint64_t i = 0; i < run.slot_count; i++)
        run.slots[i].last = &run.slots[i].first;
    oriel_failure_init(&run.failure);
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, NULL);
    enum oriel_status status = oriel_run_workers(runtime, work, &run, error);
    pthread_mutex_lock(&run.lock);
    deliver_ready(&run, ANY_WORKER);
    pthread_mutex_unlock(&run.lock);
    if (status == ORIEL_OK)
        status = oriel_failure_result(&run.failure, error);
    drop_pieces(&run);
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    oriel_failure_deinit(&run.failure);
    oriel_memory_release(runtime->memory, run.slots, run.slot_count * sizeof *run.slots);
    return status;
}
