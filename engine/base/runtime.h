/*
 * What a running statement may use: memory, kernels, threads, limits, and the ways to hear from it.
 * The engine makes one for each statement; io and exec borrow it. Read-only but for the atomics.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/base/strategy.h"

struct oriel_kernels;
struct oriel_zone;
struct oriel_task_pool;
struct oriel_rejects;
struct oriel_late_report;
struct oriel_profile;
struct oriel_operator_profile;

/* How far the reading has come; workers add, anyone reads. */
struct oriel_progress {
    _Atomic uint64_t rows;
    _Atomic uint64_t bytes;
    _Atomic uint64_t bytes_total;       /* 0: unknown */
    _Atomic uint64_t rows_without_time; /* dropped for a NULL row time in batch mode */
    _Atomic uint64_t rows_rejected;     /* bad rows of files, passed over */
    _Atomic uint64_t windows;           /* of results by windows; counted when asked for */
};

/* The same of one table that a statement reads. */
struct oriel_table_progress {
    _Atomic uint64_t rows;
    _Atomic uint64_t rows_rejected;
};

struct oriel_runtime {
    struct oriel_memory *memory;
    const struct oriel_kernels *kernels;
    struct oriel_task_pool *pool; /* exec's */
    unsigned thread_count;        /* workers are numbered 0 .. thread_count - 1 */
    size_t batch_rows;
    const char *temp_dir;
    const struct oriel_zone *zone;                 /* table.local-time-zone */
    bool batch_mode;                               /* execution.runtime-mode */
    enum oriel_strategy forced[ORIEL_TOPIC_COUNT]; /* by settings; AUTO: none */
    int64_t start_ms;                              /* CURRENT_TIMESTAMP of the statement */
    bool has_window_range;        /* only windows that end in (after, until], on the wall clock; */
    int64_t window_ends_after_ms; /* INT64_MIN: no bound */
    int64_t window_ends_until_ms; /* INT64_MAX: no bound */
    const atomic_bool *cancelled;
    struct oriel_progress *progress;
    _Atomic uint64_t
        *dictionary_count; /* numbers given to dictionaries; what reads Arrow needs it */
    bool counts_windows;
    struct oriel_late_report *late; /* NULL: late rows are not counted */
    struct oriel_rejects *rejects;  /* io's; NULL: the first bad row of a file is an error */
    /* A remark for the user, one line without its end; may be called by any thread. */
    void (*note)(void *context, const char *text);
    void *note_context;
    /* EXPLAIN ANALYZE: exec's figures of the run, and of the operator whose runtime this is. */
    struct oriel_profile *profile;            /* NULL: none are kept */
    struct oriel_operator_profile *operation; /* NULL: none */
};

/* ORIEL_CANCELLED with its message once the caller has asked to stop; call it once a batch. */
enum oriel_status oriel_runtime_check(const struct oriel_runtime *runtime,
                                      struct oriel_error *error);

/* Adds rows that were read; `table` may be NULL. */
void oriel_runtime_count_rows(const struct oriel_runtime *runtime,
                              struct oriel_table_progress *table, uint64_t row_count);

/* Sends a formatted remark; silently dropped without a receiver. */
void oriel_runtime_note(const struct oriel_runtime *runtime, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
