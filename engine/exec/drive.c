/*
 * The loop of every worker: claim a morsel, read it, push its batches on. Used to fill sinks; the
 * loop that delivers results is in run.c.
 */
#include "engine/exec/drive.h"

#include "engine/exec/profile.h"

void oriel_failure_init(struct oriel_failure *failure) {
    pthread_mutex_init(&failure->lock, NULL);
    atomic_init(&failure->lowest, UINT64_MAX);
    failure->status = ORIEL_OK;
}

void oriel_failure_deinit(struct oriel_failure *failure) {
    pthread_mutex_destroy(&failure->lock);
}

void oriel_failure_note(struct oriel_failure *failure, uint64_t morsel, enum oriel_status status,
                        const struct oriel_error *error) {
    pthread_mutex_lock(&failure->lock);
    if (morsel < atomic_load_explicit(&failure->lowest, memory_order_relaxed)) {
        failure->status = status;
        failure->error = *error;
        atomic_store_explicit(&failure->lowest, morsel, memory_order_relaxed);
    }
    pthread_mutex_unlock(&failure->lock);
}

enum oriel_status oriel_failure_result(const struct oriel_failure *failure,
                                       struct oriel_error *error) {
    if (atomic_load_explicit(&failure->lowest, memory_order_relaxed) == UINT64_MAX)
        return ORIEL_OK;
    if (error)
        *error = failure->error;
    return failure->status;
}

unsigned oriel_worker_count(const struct oriel_runtime *runtime) {
    return runtime->pool ? oriel_task_pool_worker_count(runtime->pool) : 1;
}

struct profiled_work {
    const struct oriel_runtime *runtime;
    oriel_task *work;
    void *context;
};

static enum oriel_status work_profiled(void *context, unsigned worker, struct oriel_error *error) {
    const struct profiled_work *profiled = context;
    const struct oriel_runtime *runtime = profiled->runtime;
    struct oriel_operator_profile *before =
        oriel_profile_switch(runtime->profile, worker, runtime->operation);
    const enum oriel_status status = profiled->work(profiled->context, worker, error);
    oriel_profile_switch(runtime->profile, worker, before);
    return status;
}

enum oriel_status oriel_run_workers(const struct oriel_runtime *runtime, oriel_task *work,
                                    void *context, struct oriel_error *error) {
    struct profiled_work profiled = {runtime, work, context};
    if (runtime->operation) {
        work = work_profiled;
        context = &profiled;
    }
    return runtime->pool ? oriel_task_pool_run(runtime->pool, work, context, error)
                         : work(context, 0, error);
}

/* One morsel on its way. */
struct passage {
    const struct oriel_runtime *runtime;
    const struct oriel_failure *failure;
    uint64_t number;
    oriel_push *push;
    void *context;
};

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    const struct passage *passage = context;
    ORIEL_TRY(oriel_runtime_check(passage->runtime, error));
    /* a failure of this morsel is one of its delivery */
    if (oriel_failure_before(passage->failure, passage->number + 1))
        return oriel_error_set(error, ORIEL_CANCELLED, "an earlier part of the input failed");
    return passage->push(passage->context, batch, error);
}

enum oriel_status oriel_drive_morsel(const struct oriel_runtime *runtime,
                                     struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel,
                                     const struct oriel_failure *failure, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct passage passage = {runtime, failure, morsel->number, push, context};
    const enum oriel_status status =
        source->operations->read(source, worker, morsel, pass, &passage, error);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

struct drive {
    const struct oriel_runtime *runtime;
    struct oriel_source *source;
    oriel_worker_push *push;
    void *context;
    struct oriel_failure failure;
};

struct worker_end {
    const struct drive *drive;
    unsigned worker;
};

static enum oriel_status push_on(void *context, const struct oriel_batch *batch,
                                 struct oriel_error *error) {
    const struct worker_end *end = context;
    return end->drive->push(end->drive->context, end->worker, batch, error);
}

static enum oriel_status work(void *context, unsigned worker, struct oriel_error *unused) {
    struct drive *drive = context;
    struct worker_end end = {drive, worker};
    struct oriel_error error = {0};
    (void)unused;
    while (!oriel_failure_before(&drive->failure, UINT64_MAX)) {
        struct oriel_morsel morsel;
        enum oriel_status status = oriel_runtime_check(drive->runtime, &error);
        if (status == ORIEL_OK)
            status = drive->source->operations->claim(drive->source, &morsel, &error);
        if (status == ORIEL_DONE)
            break;
        if (status != ORIEL_OK) {
            oriel_failure_note(&drive->failure, ORIEL_FAILURE_LAST, status, &error);
            break;
        }
        status = oriel_drive_morsel(drive->runtime, drive->source, worker, &morsel, &drive->failure,
                                    push_on, &end, &error);
        if (status != ORIEL_OK)
            oriel_failure_note(&drive->failure, morsel.number, status, &error);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_drive(const struct oriel_runtime *runtime, struct oriel_source *source,
                              oriel_worker_push *push, void *context, struct oriel_error *error) {
    struct drive drive = {.runtime = runtime, .source = source, .push = push, .context = context};
    oriel_failure_init(&drive.failure);
    enum oriel_status status = oriel_run_workers(runtime, work, &drive, error);
    if (status == ORIEL_OK)
        status = oriel_failure_result(&drive.failure, error);
    oriel_failure_deinit(&drive.failure);
    return status;
}
