/*
 * The two things that every layer does with a runtime: look whether to stop, and leave a remark.
 */
#include "engine/base/runtime.h"

#include <stdarg.h>
#include <stdio.h>

enum { NOTE_BYTES = 1024 };

enum oriel_status oriel_runtime_check(const struct oriel_runtime *runtime,
                                      struct oriel_error *error) {
    if (runtime->cancelled && atomic_load_explicit(runtime->cancelled, memory_order_relaxed))
        return oriel_error_set(error, ORIEL_CANCELLED, "the statement was cancelled");
    return ORIEL_OK;
}

void oriel_runtime_count_rows(const struct oriel_runtime *runtime,
                              struct oriel_table_progress *table, uint64_t row_count) {
    if (runtime->progress)
        atomic_fetch_add_explicit(&runtime->progress->rows, row_count, memory_order_relaxed);
    if (table)
        atomic_fetch_add_explicit(&table->rows, row_count, memory_order_relaxed);
}

void oriel_runtime_note(const struct oriel_runtime *runtime, const char *format, ...) {
    if (!runtime->note)
        return;
    char text[NOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    runtime->note(runtime->note_context, text);
}
