/*
 * The engine: owns the allocator, the session and the threads, and lends them to one statement at a
 * time.
 */
#include "engine/api/engine_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/api/infer.h"
#include "engine/api/replacement.h"
#include "engine/api/stream_table.h"
#include "engine/base/machine.h"
#include "oriel/version.h"

enum { MEMORY_PERCENT = 70 }; /* of what there is, when no limit is asked for */
enum { THREADS_MAX = 1024 };

#define TEXT_OF_NUMBER(number) #number
#define TEXT_OF(macro) TEXT_OF_NUMBER(macro)

const char *oriel_version(void) {
    return TEXT_OF(ORIEL_VERSION_MAJOR) "." TEXT_OF(ORIEL_VERSION_MINOR) "." TEXT_OF(
        ORIEL_VERSION_PATCH);
}

const char *oriel_engine_isa_at(size_t index) {
    const unsigned features = oriel_cpu_features();
    const struct oriel_isa *isa;
    for (size_t i = 0; (isa = oriel_isa_at(i)) != NULL; i++) {
        if ((isa->required & ~features) == 0 && index-- == 0)
            return isa->name;
    }
    return NULL;
}

/* With UINT64_MAX, or where nothing is known of the machine: no limit, which is 0. */
static size_t choose_limit(uint64_t wanted_bytes) {
    if (!wanted_bytes) {
        const uint64_t whole = oriel_machine_memory_bytes("");
        wanted_bytes = whole == UINT64_MAX ? whole : whole / 100 * MEMORY_PERCENT;
    }
    return wanted_bytes >= SIZE_MAX ? 0 : (size_t)wanted_bytes;
}

/* Copies the known part of the options; fails when an unknown tail is not zero. */
static enum oriel_status read_options(const struct oriel_engine_options *given,
                                      struct oriel_engine_options *options,
                                      struct oriel_error *error) {
    *options = (struct oriel_engine_options)ORIEL_ENGINE_OPTIONS_INIT;
    if (!given)
        return ORIEL_OK;
    if (given->struct_size < sizeof given->struct_size)
        return oriel_error_set(error, ORIEL_ARGUMENT, "struct_size of the options is not set");
    const size_t known =
        given->struct_size < sizeof *options ? given->struct_size : sizeof *options;
    memcpy(options, given, known);
    const char *bytes = (const char *)given;
    for (size_t i = known; i < given->struct_size; i++) {
        if (bytes[i])
            return oriel_error_set(error, ORIEL_ARGUMENT,
                                   "the options have fields that this version does not know");
    }
    if (options->batch_rows > ORIEL_BATCH_ROWS_MAX)
        return oriel_error_set(error, ORIEL_ARGUMENT, "batch_rows must be 1 to %d, but is %u",
                               ORIEL_BATCH_ROWS_MAX, options->batch_rows);
    if (options->execute && options->thread_count > THREADS_MAX)
        return oriel_error_set(error, ORIEL_ARGUMENT, "thread_count must be 1 to %d, but is %u",
                               THREADS_MAX, options->thread_count);
    if (!options->allocate != !options->release)
        return oriel_error_set(error, ORIEL_ARGUMENT,
                               "allocate and release must be given together");
    return ORIEL_OK;
}

static enum oriel_status choose_isa(const char *name, const struct oriel_isa **out,
                                    struct oriel_error *error) {
    const unsigned features = oriel_cpu_features();
    if (!name) {
        *out = oriel_isa_best(features);
        return ORIEL_OK;
    }
    *out = oriel_isa_by_name(name);
    if (!*out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "unknown instruction set '%s'", name);
    if ((*out)->required & ~features)
        return oriel_error_set(error, ORIEL_ARGUMENT,
                               "this machine cannot run the instruction set '%s'", name);
    return ORIEL_OK;
}

static enum oriel_status fill_engine(struct oriel_engine *engine,
                                     const struct oriel_engine_options *options,
                                     struct oriel_error *error) {
    engine->core_count = oriel_machine_core_count();
    if (options->execute && options->thread_count)
        engine->core_count = options->thread_count; /* whose threads are not ours */
    engine->thread_count =
        options->thread_count < engine->core_count ? options->thread_count : engine->core_count;
    engine->executor = (struct oriel_executor){options->execute, options->executor_context};
    engine->batch_rows = options->batch_rows ? options->batch_rows : ORIEL_BATCH_ROWS_DEFAULT;
    engine->sync = options->sync != 0;
    engine->note = options->note;
    engine->note_context = options->note_context;
    engine->verbose = options->verbose != 0;
    engine->max_rejects = options->max_rejects;
    engine->counts_windows = options->count_windows != 0;
    engine->late_report = options->late_report != 0;
    engine->reject = options->reject;
    engine->reject_context = options->reject_context;
    engine->print = options->print;
    engine->print_context = options->print_context;
    ORIEL_TRY(choose_isa(options->isa, &engine->isa, error));
    const char *temp_dir = options->temp_dir ? options->temp_dir : "/tmp";
    engine->temp_dir_bytes = strlen(temp_dir) + 1;
    engine->temp_dir = oriel_memory_allocate(&engine->memory, engine->temp_dir_bytes);
    if (!engine->temp_dir)
        return oriel_error_memory(error);
    memcpy(engine->temp_dir, temp_dir, engine->temp_dir_bytes);
    ORIEL_TRY(oriel_session_open(&engine->memory, &engine->session, error));
    oriel_session_set_inference(engine->session, oriel_engine_infer_table, engine);
    return ORIEL_OK;
}

enum oriel_status oriel_engine_open(const struct oriel_engine_options *options,
                                    struct oriel_engine **out, struct oriel_error *error) {
    if (!out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "out must not be NULL");
    *out = NULL;
    struct oriel_engine_options known;
    ORIEL_TRY(read_options(options, &known, error));
    struct oriel_memory memory = {.allocate = known.allocate,
                                  .release = known.release,
                                  .context = known.allocator_context,
                                  .limit_bytes = choose_limit(known.memory_limit_bytes)};
    struct oriel_engine *engine = oriel_memory_allocate_zeroed(&memory, 1, sizeof *engine);
    if (!engine)
        return oriel_error_memory(error);
    engine->memory.limit_bytes = memory.limit_bytes;
    engine->memory.allocate = memory.allocate;
    engine->memory.release = memory.release;
    engine->memory.context = memory.context;
    atomic_store(&engine->memory.used_bytes, atomic_load(&memory.used_bytes));
    atomic_store(&engine->user_count, 1);
    atomic_store(&engine->loan_count, 1);
    const enum oriel_status status = fill_engine(engine, &known, error);
    if (status != ORIEL_OK) {
        oriel_engine_close(&engine);
        return status;
    }
    *out = engine;
    return ORIEL_OK;
}

void oriel_engine_lend(struct oriel_engine *engine) {
    atomic_fetch_add(&engine->loan_count, 1);
}

void oriel_engine_return(struct oriel_engine *engine) {
    if (atomic_fetch_sub(&engine->loan_count, 1) != 1)
        return;
    /* The allocator lies in the block that it gives back. */
    struct oriel_memory memory = {.allocate = engine->memory.allocate,
                                  .release = engine->memory.release,
                                  .context = engine->memory.context};
    atomic_store(&memory.used_bytes, atomic_load(&engine->memory.used_bytes));
    oriel_memory_release(&memory, engine, sizeof *engine);
}

void oriel_engine_keep(struct oriel_engine *engine) {
    atomic_fetch_add(&engine->user_count, 1);
}

void oriel_engine_leave(struct oriel_engine *engine) {
    if (atomic_fetch_sub(&engine->user_count, 1) != 1)
        return;
    oriel_task_pool_close(&engine->pool);
    oriel_session_close(&engine->session);
    oriel_zone_close(&engine->zone);
    oriel_stream_tables_close(&engine->streams);
    oriel_replacements_free(engine);
    oriel_written_files_free(engine);
    oriel_read_pipes_free(engine);
    while (engine->texts)
        oriel_script_text_free(engine, engine->texts);
    oriel_memory_release(&engine->memory, engine->temp_dir, engine->temp_dir_bytes);
    oriel_engine_return(engine);
}

void oriel_engine_close(struct oriel_engine **engine) {
    struct oriel_engine *it = engine ? *engine : NULL;
    if (!it)
        return;
    *engine = NULL;
    oriel_engine_leave(it);
}

const char *oriel_engine_isa(const struct oriel_engine *engine) {
    return engine->isa->name;
}

/* Threads by the option, else by the setting, else all cores. */
static unsigned wanted_threads(const struct oriel_engine *engine) {
    if (engine->thread_count)
        return engine->thread_count;
    const char *setting = oriel_session_setting(engine->session, "parallelism.default");
    const long number = setting ? strtol(setting, NULL, 10) : 0;
    if (number < 1 || (unsigned long)number > engine->core_count)
        return engine->core_count;
    return (unsigned)number;
}

uint32_t oriel_engine_thread_count(const struct oriel_engine *engine) {
    return wanted_threads(engine);
}

void oriel_engine_cancel(struct oriel_engine *engine) {
    atomic_store_explicit(&engine->cancelled, true, memory_order_relaxed);
}

void oriel_engine_resume(struct oriel_engine *engine) {
    atomic_store_explicit(&engine->cancelled, false, memory_order_relaxed);
}

void oriel_engine_progress(const struct oriel_engine *engine, struct oriel_engine_progress *out) {
    out->row_count = atomic_load_explicit(&engine->progress.rows, memory_order_relaxed);
    out->byte_count = atomic_load_explicit(&engine->progress.bytes, memory_order_relaxed);
    out->byte_total = atomic_load_explicit(&engine->progress.bytes_total, memory_order_relaxed);
    out->rows_without_time =
        atomic_load_explicit(&engine->progress.rows_without_time, memory_order_relaxed);
    out->window_count = atomic_load_explicit(&engine->progress.windows, memory_order_relaxed);
    out->rows_rejected =
        atomic_load_explicit(&engine->progress.rows_rejected, memory_order_relaxed);
    out->peak_memory_bytes = atomic_load_explicit(&engine->memory.peak_bytes, memory_order_relaxed);
}

static enum oriel_status open_zone(struct oriel_engine *engine, struct oriel_error *error) {
    const char *name = oriel_session_setting(engine->session, "table.local-time-zone");
    if (!name)
        name = "UTC";
    if (engine->zone && strcmp(oriel_zone_name(engine->zone), name) == 0)
        return ORIEL_OK;
    oriel_zone_close(&engine->zone);
    return oriel_zone_open(&engine->memory, name, &engine->zone, error);
}

enum oriel_status oriel_engine_start(struct oriel_engine *engine, struct oriel_runtime *runtime,
                                     struct oriel_error *error) {
    ORIEL_TRY(open_zone(engine, error));
    atomic_store(&engine->progress.rows, 0);
    atomic_store(&engine->progress.bytes, 0);
    atomic_store(&engine->progress.bytes_total, 0);
    atomic_store(&engine->progress.rows_without_time, 0);
    atomic_store(&engine->progress.rows_rejected, 0);
    atomic_store(&engine->progress.windows, 0);
    struct timespec clock;
    clock_gettime(CLOCK_REALTIME, &clock);
    const char *mode = oriel_session_setting(engine->session, "execution.runtime-mode");
    *runtime = (struct oriel_runtime){
        .memory = &engine->memory,
        .kernels = engine->isa->kernels,
        .thread_count = 1,
        .batch_rows = engine->batch_rows,
        .temp_dir = engine->temp_dir,
        .zone = engine->zone,
        .batch_mode =
            mode && oriel_text_equal_ignoring_case(oriel_text_of(mode), ORIEL_TEXT("batch")),
        .start_ms = (int64_t)clock.tv_sec * 1000 + clock.tv_nsec / 1000000,
        .has_window_range = engine->has_window_range,
        .window_ends_after_ms = engine->window_ends_after_ms,
        .window_ends_until_ms = engine->window_ends_until_ms,
        .cancelled = &engine->cancelled,
        .progress = &engine->progress,
        .dictionary_count = &engine->dictionary_count,
        .note = engine->note,
        .note_context = engine->note_context,
    };
    for (unsigned t = 0; t < ORIEL_TOPIC_COUNT; t++) {
        const enum oriel_strategy_topic topic = (enum oriel_strategy_topic)t;
        const char *forced = oriel_session_setting(engine->session, oriel_strategy_key(topic));
        if (forced)
            oriel_strategy_parse(topic, oriel_text_of(forced), &runtime->forced[t]);
    }
    return ORIEL_OK;
}

enum oriel_status oriel_engine_start_pool(struct oriel_engine *engine,
                                          struct oriel_runtime *runtime,
                                          struct oriel_error *error) {
    const unsigned wanted = wanted_threads(engine);
    if (engine->pool && engine->pool_threads != wanted)
        oriel_task_pool_close(&engine->pool);
    if (!engine->pool) {
        /* New threads inherit the mask: signals are left to the threads of the program. */
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        const enum oriel_status status =
            oriel_task_pool_open(&engine->memory, wanted, &engine->executor, &engine->pool, error);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        ORIEL_TRY(status);
        engine->pool_threads = wanted;
    }
    runtime->pool = engine->pool;
    runtime->thread_count = oriel_task_pool_worker_count(engine->pool);
    return ORIEL_OK;
}
