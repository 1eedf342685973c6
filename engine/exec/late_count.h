/*
 * Inside exec: counting late rows. Workers make notes of their batches, which are counted in the
 * order of the input.
 */
#pragma once

#include "engine/base/late_report.h"
#include "engine/columns/batch.h"
#include "engine/exec/key_table.h"
#include "engine/exec/late_sessions.h"
#include "engine/plan/plan.h"

/* Of a row without a window: it fires never. And of a row without a watermark. */
#define ORIEL_LATE_NEVER INT64_MAX
#define ORIEL_LATE_NO_WATERMARK INT64_MIN

/* A batch. Lanes of row_count values: the watermarks, then two for each operator: when the first
 * and when the last window of the row fire; for SESSION: the row's time on the wall clock, or
 * NEVER. */
struct oriel_late_note {
    struct oriel_late_note *next;
    size_t block_bytes;
    size_t row_count;
    uint32_t operator_count;
    struct oriel_table *keys; /* one for each operator; empty where there are none */
    const char *file;         /* where the rows stand; NULL: not known */
    const uint32_t *offsets;  /* behind the lanes */
    uint64_t offset_base;
    int64_t lanes[];
};

struct oriel_late_operator {
    const struct oriel_watch *watch;
    struct oriel_schema key_schema;
    struct oriel_key_table keys;
    struct oriel_late_sessions sessions;
    bool has_keys;
    bool has_sessions;
};

struct oriel_late_count {
    const struct oriel_runtime *runtime;
    uint32_t operator_count;
    struct oriel_late_operator *operators;
    bool is_zoned; /* the watermark is an instant, windows are on the wall clock */
    int64_t current_ms;
    int64_t emitted_ms; /* the watermark that operators have seen; INT64_MIN: none */
    int64_t last_ms;
    uint64_t row_number;
    uint32_t *ids;
    size_t id_capacity;
};

void oriel_late_count_init(struct oriel_late_count *count, const struct oriel_runtime *runtime);
void oriel_late_count_deinit(struct oriel_late_count *count);

/* Counts the rows of the next batch of the input. */
enum oriel_status oriel_late_count_add(struct oriel_late_count *count,
                                       const struct oriel_late_note *note,
                                       struct oriel_error *error);
