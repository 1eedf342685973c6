/*
 * Error objects: filled where a failure is detected, forwarded unchanged by everyone else.
 */
#include "engine/base/status.h"

#include <stdio.h>
#include <string.h>

const char *oriel_status_text(enum oriel_status status) {
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case ORIEL_##name:                                                                             \
        return text;
        ORIEL_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

/* Drops the bytes of a character that was cut in two at the end of `text`. */
static void trim_partial_character(char *text) {
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    const unsigned char lead = (unsigned char)text[start - 1];
    const size_t need = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (lead >= 0xC0 && length - (start - 1) < need)
        text[start - 1] = '\0';
}

static void fill(struct oriel_error *error, enum oriel_status status, const char *format,
                 va_list arguments) {
    error->status = status;
    error->line = 0;
    error->column = 0;
    error->excerpt_column = 0;
    error->source[0] = '\0';
    error->excerpt[0] = '\0';
    vsnprintf(error->message, sizeof error->message, format, arguments);
    trim_partial_character(error->message);
}

enum oriel_status oriel_error_set(struct oriel_error *error, enum oriel_status status,
                                  const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, format, arguments);
        va_end(arguments);
    }
    return status;
}

enum oriel_status oriel_error_at(struct oriel_error *error, enum oriel_status status,
                                 struct oriel_position position, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, format, arguments);
        va_end(arguments);
        error->line = position.line;
        error->column = position.column;
    }
    return status;
}

void oriel_error_set_source(struct oriel_error *error, const char *source, uint32_t line,
                            uint32_t column) {
    if (!error)
        return;
    snprintf(error->source, sizeof error->source, "%s", source);
    trim_partial_character(error->source);
    error->line = line;
    error->column = column;
}

enum oriel_status oriel_error_memory(struct oriel_error *error) {
    return oriel_error_set(error, ORIEL_MEMORY,
                           "out of memory: the memory limit is reached or the system has no more");
}
