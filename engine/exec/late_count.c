/*
 * Late rows as Flink has them (facts 26 of tests/flink/README.md): the watermark goes out behind a
 * row when it has advanced by more than 200 ms; a row is late for a window that has fired by then.
 */
#include "engine/exec/late_count.h"

#include <stdio.h>

#include "engine/base/zone.h"

enum { EMIT_AFTER_MS = 200 };

void oriel_late_count_init(struct oriel_late_count *count, const struct oriel_runtime *runtime) {
    /* Watermarks start from 0: before 1970 none goes out. */
    *count = (struct oriel_late_count){.runtime = runtime, .emitted_ms = INT64_MIN};
}

void oriel_late_count_deinit(struct oriel_late_count *count) {
    for (uint32_t o = 0; o < count->operator_count; o++) {
        struct oriel_late_operator *state = &count->operators[o];
        if (state->has_keys)
            oriel_key_table_deinit(&state->keys);
        if (state->has_sessions)
            oriel_late_sessions_deinit(&state->sessions);
    }
    oriel_memory_release(count->runtime->memory, count->ids,
                         count->id_capacity * sizeof *count->ids);
}

/* A row that is missing in `missing` windows, in all of them if `dropped`. */
static void add_late(const struct oriel_late_count *count, const struct oriel_late_note *note,
                     struct oriel_late_window *report, size_t row, bool dropped, uint64_t missing) {
    if (dropped)
        report->dropped_count++;
    else
        report->part_count++;
    report->missing_count += missing;
    if (report->first_row)
        return;
    report->first_row = count->row_number + row + 1;
    if (!note->file)
        return;
    snprintf(report->first_file, sizeof report->first_file, "%s", note->file);
    report->first_offset = note->offset_base + (uint32_t)(note->offsets[row] + 1);
}

static int64_t step_of(const struct oriel_window *window) {
    return window->kind == ORIEL_WINDOW_TUMBLE ? 1 : window->slide_ms;
}

static void count_row(const struct oriel_late_count *count, const struct oriel_late_note *note,
                      const struct oriel_late_operator *state, size_t row, int64_t first_ms,
                      int64_t last_ms) {
    struct oriel_late_window *report = state->watch->report;
    if (first_ms == ORIEL_LATE_NEVER)
        return;
    report->row_count++;
    if (first_ms > count->emitted_ms)
        return;
    const bool dropped = last_ms <= count->emitted_ms;
    const int64_t until_ms = dropped ? last_ms : count->emitted_ms;
    add_late(count, note, report, row, dropped,
             (uint64_t)((until_ms - first_ms) / step_of(state->watch->window)) + 1);
}

static enum oriel_status count_session(const struct oriel_late_count *count,
                                       const struct oriel_late_note *note,
                                       struct oriel_late_operator *state, size_t row,
                                       int64_t time_ms, struct oriel_error *error) {
    const uint32_t key = state->has_keys ? count->ids[row] : 0;
    int64_t fired_ms = count->emitted_ms;
    bool dropped;
    if (time_ms == ORIEL_LATE_NEVER)
        return ORIEL_OK;
    if (fired_ms != INT64_MIN)
        fired_ms =
            (count->is_zoned ? oriel_zone_to_local(count->runtime->zone, fired_ms) : fired_ms) + 1;
    state->watch->report->row_count++;
    ORIEL_TRY(oriel_late_sessions_add(&state->sessions, key, time_ms, state->watch->window->size_ms,
                                      fired_ms, &dropped, error));
    if (dropped)
        add_late(count, note, state->watch->report, row, true, 1);
    return ORIEL_OK;
}

static enum oriel_status map_keys(struct oriel_late_count *count,
                                  const struct oriel_late_note *note, uint32_t number,
                                  struct oriel_error *error) {
    struct oriel_memory *memory = count->runtime->memory;
    if (note->row_count > count->id_capacity) {
        uint32_t *grown =
            oriel_memory_resize(memory, count->ids, count->id_capacity * sizeof *grown,
                                note->row_count * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        count->ids = grown;
        count->id_capacity = note->row_count;
    }
    return oriel_key_table_map(&count->operators[number].keys, note->keys[number].columns,
                               note->row_count, count->ids, error);
}

static void advance(struct oriel_late_count *count, int64_t watermark_ms) {
    if (watermark_ms > count->current_ms)
        count->current_ms = watermark_ms;
    if (count->current_ms - count->last_ms > EMIT_AFTER_MS)
        count->last_ms = count->emitted_ms = count->current_ms;
}

enum oriel_status oriel_late_count_add(struct oriel_late_count *count,
                                       const struct oriel_late_note *note,
                                       struct oriel_error *error) {
    const struct oriel_late_count before = *count;
    for (uint32_t o = 0; o < count->operator_count; o++) {
        struct oriel_late_operator *state = &count->operators[o];
        const int64_t *first = note->lanes + (1 + 2 * (size_t)o) * note->row_count;
        const int64_t *last = first + note->row_count;
        if (state->has_keys)
            ORIEL_TRY(map_keys(count, note, o, error));
        count->current_ms = before.current_ms;
        count->emitted_ms = before.emitted_ms;
        count->last_ms = before.last_ms;
        for (size_t row = 0; row < note->row_count; row++) {
            if (state->has_sessions)
                ORIEL_TRY(count_session(count, note, state, row, first[row], error));
            else
                count_row(count, note, state, row, first[row], last[row]);
            advance(count, note->lanes[row]);
        }
    }
    count->row_number += note->row_count;
    return ORIEL_OK;
}
