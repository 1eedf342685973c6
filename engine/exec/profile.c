/*
 * The operators of a run in a list, and a clock for each worker. Counters are atomic where several
 * workers add to them.
 */
#include "engine/exec/profile.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "engine/exec/drive.h"

struct oriel_operator_profile {
    const struct oriel_plan *node;
    bool writes;                    /* takes the rows of the root `node` */
    struct oriel_memory memory;     /* the account */
    struct oriel_progress progress; /* what it read */
    struct oriel_runtime runtime;
    _Atomic uint64_t row_count, chunk_count, cpu_ns, spilled_bytes;
    char report[ORIEL_REPORT_BYTES];
    struct oriel_operator_profile *next;
};

/* Of one worker; only its thread looks at it, but for `thread`. */
struct clock {
    _Atomic bool running;
    _Atomic pthread_t thread;
    struct oriel_operator_profile *operation; /* that the time is of */
    uint64_t last_ns;
};

struct oriel_profile {
    struct oriel_arena arena;
    struct oriel_progress *engine_progress;
    struct oriel_operator_profile *first, **last;
    unsigned worker_count;
    struct clock *clocks;
};

static uint64_t thread_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

enum oriel_status oriel_profile_open(const struct oriel_runtime *runtime,
                                     struct oriel_profile **out, struct oriel_error *error) {
    struct oriel_arena arena;
    oriel_arena_init(&arena, runtime->memory);
    struct oriel_profile *profile = oriel_arena_allocate_zeroed(&arena, 1, sizeof *profile);
    const unsigned worker_count = oriel_worker_count(runtime);
    struct clock *clocks = oriel_arena_allocate_zeroed(&arena, worker_count, sizeof *clocks);
    if (!profile || !clocks) {
        oriel_arena_deinit(&arena);
        return oriel_error_memory(error);
    }
    profile->arena = arena;
    profile->engine_progress = runtime->progress;
    profile->last = &profile->first;
    profile->worker_count = worker_count;
    profile->clocks = clocks;
    *out = profile;
    return ORIEL_OK;
}

void oriel_profile_close(struct oriel_profile **profile) {
    if (!*profile)
        return;
    struct oriel_arena arena = (*profile)->arena; /* it lies in its own arena */
    oriel_arena_deinit(&arena);
    *profile = NULL;
}

static struct oriel_operator_profile *find(const struct oriel_profile *profile,
                                           const struct oriel_plan *node, bool writes) {
    struct oriel_operator_profile *it = profile->first;
    while (it && (it->node != node || it->writes != writes))
        it = it->next;
    return it;
}

enum oriel_status oriel_profile_add(const struct oriel_runtime *runtime,
                                    const struct oriel_plan *node, bool writes,
                                    const struct oriel_runtime **out, struct oriel_error *error) {
    struct oriel_profile *profile = runtime->profile;
    struct oriel_operator_profile *operation = find(profile, node, writes);
    if (operation) {
        *out = &operation->runtime;
        return ORIEL_OK;
    }
    operation = oriel_arena_allocate_zeroed(&profile->arena, 1, sizeof *operation);
    if (!operation)
        return oriel_error_memory(error);
    struct oriel_memory *memory = runtime->memory;
    while (memory->parent)
        memory = memory->parent;
    oriel_memory_account_init(&operation->memory, memory);
    operation->node = node;
    operation->writes = writes;
    operation->runtime = *runtime;
    operation->runtime.memory = &operation->memory;
    operation->runtime.progress = &operation->progress;
    operation->runtime.operation = operation;
    *profile->last = operation;
    profile->last = &operation->next;
    *out = &operation->runtime;
    return ORIEL_OK;
}

struct oriel_operator_profile *oriel_profile_switch(struct oriel_profile *profile, unsigned worker,
                                                    struct oriel_operator_profile *operation) {
    struct clock *clock = &profile->clocks[worker];
    struct oriel_operator_profile *before = clock->operation;
    const uint64_t now = thread_ns();
    if (before)
        atomic_fetch_add_explicit(&before->cpu_ns, now - clock->last_ns, memory_order_relaxed);
    clock->operation = operation;
    clock->last_ns = now;
    if (!before) { /* the thread of this worker may be another one than last time */
        atomic_store_explicit(&clock->thread, pthread_self(), memory_order_relaxed);
        atomic_store_explicit(&clock->running, true, memory_order_release);
    }
    return before;
}

/* The number of the worker whose thread this is; worker_count for another thread. */
static unsigned this_worker(const struct oriel_profile *profile) {
    unsigned worker = 0;
    while (worker < profile->worker_count &&
           (!atomic_load_explicit(&profile->clocks[worker].running, memory_order_acquire) ||
            !pthread_equal(atomic_load(&profile->clocks[worker].thread), pthread_self())))
        worker++;
    return worker;
}

void oriel_profile_count(struct oriel_operator_profile *operation, uint64_t row_count) {
    atomic_fetch_add_explicit(&operation->row_count, row_count, memory_order_relaxed);
}

void oriel_profile_spilled(struct oriel_operator_profile *operation, uint64_t byte_count) {
    atomic_fetch_add_explicit(&operation->spilled_bytes, byte_count, memory_order_relaxed);
}

char *oriel_profile_report(struct oriel_operator_profile *operation) {
    return operation->report;
}

bool oriel_profile_figures(const struct oriel_profile *profile, const struct oriel_plan *node,
                           bool writes, struct oriel_operator_figures *out) {
    const struct oriel_operator_profile *it = find(profile, node, writes);
    if (!it)
        return false;
    *out = (struct oriel_operator_figures){
        .row_count = atomic_load(&it->row_count),
        .chunk_count = atomic_load(&it->chunk_count),
        .byte_count = atomic_load(&it->progress.bytes),
        .cpu_ns = atomic_load(&it->cpu_ns),
        .peak_bytes = atomic_load(&it->memory.peak_bytes),
        .spilled_bytes = atomic_load(&it->spilled_bytes),
        .report = it->report,
    };
    return true;
}

uint64_t oriel_profile_cpu_ns(const struct oriel_profile *profile) {
    uint64_t total = 0;
    for (const struct oriel_operator_profile *it = profile->first; it; it = it->next)
        total += atomic_load(&it->cpu_ns);
    return total;
}

/* ---- the wrapped source ---- */

struct profiled_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_source *inner;
    bool counts_claim;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct profiled_source *self = (struct profiled_source *)source;
    struct oriel_profile *profile = self->runtime->profile;
    struct oriel_operator_profile *before =
        oriel_profile_switch(profile, 0, self->runtime->operation);
    const enum oriel_status status =
        self->inner->operations->start(self->inner, worker_count, error);
    oriel_profile_switch(profile, 0, before);
    return status;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct profiled_source *self = (struct profiled_source *)source;
    struct oriel_profile *profile = self->runtime->profile;
    const unsigned worker = self->counts_claim ? this_worker(profile) : profile->worker_count;
    struct oriel_operator_profile *before = NULL;
    if (worker < profile->worker_count)
        before = oriel_profile_switch(profile, worker, self->runtime->operation);
    const enum oriel_status status = self->inner->operations->claim(self->inner, morsel, error);
    if (worker < profile->worker_count)
        oriel_profile_switch(profile, worker, before);
    if (status == ORIEL_OK)
        atomic_fetch_add_explicit(&self->runtime->operation->chunk_count, 1, memory_order_relaxed);
    return status;
}

struct passage {
    const struct oriel_runtime *runtime;
    unsigned worker;
    struct oriel_operator_profile *reader;
    oriel_push *push;
    void *context;
};

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    const struct passage *passage = context;
    struct oriel_operator_profile *operation = passage->runtime->operation;
    atomic_fetch_add_explicit(&operation->row_count, batch->row_count, memory_order_relaxed);
    oriel_profile_switch(passage->runtime->profile, passage->worker, passage->reader);
    const enum oriel_status status = passage->push(passage->context, batch, error);
    oriel_profile_switch(passage->runtime->profile, passage->worker, operation);
    return status;
}

static enum oriel_status read_profiled(struct oriel_source *source, unsigned worker,
                                       const struct oriel_morsel *morsel, oriel_push *push,
                                       void *context, struct oriel_error *error) {
    struct profiled_source *self = (struct profiled_source *)source;
    struct passage passage = {self->runtime, worker, NULL, push, context};
    passage.reader = oriel_profile_switch(self->runtime->profile, worker, self->runtime->operation);
    const enum oriel_status status =
        self->inner->operations->read(self->inner, worker, morsel, pass, &passage, error);
    oriel_profile_switch(self->runtime->profile, worker, passage.reader);
    return status;
}

/* What a scan has read counts for the engine too, once it is done. */
static void close_profiled(struct oriel_source *source) {
    struct profiled_source *self = (struct profiled_source *)source;
    struct oriel_progress *total = self->runtime->profile->engine_progress;
    const struct oriel_progress *own = self->runtime->progress;
    self->inner->operations->close(self->inner);
    if (total) {
        atomic_fetch_add(&total->rows, atomic_load(&own->rows));
        atomic_fetch_add(&total->bytes, atomic_load(&own->bytes));
        atomic_fetch_add(&total->bytes_total, atomic_load(&own->bytes_total));
        atomic_fetch_add(&total->rows_without_time, atomic_load(&own->rows_without_time));
    }
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations profiled_operations = {start, claim, read_profiled,
                                                                   close_profiled};

enum oriel_status oriel_profiled_source_open(const struct oriel_runtime *runtime,
                                             struct oriel_source *inner, bool counts_claim,
                                             struct oriel_source **out, struct oriel_error *error) {
    struct profiled_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        inner->operations->close(inner);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&profiled_operations, inner->schema};
    self->runtime = runtime;
    self->inner = inner;
    self->counts_claim = counts_claim;
    *out = &self->source;
    return ORIEL_OK;
}
