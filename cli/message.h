/* What goes to standard error: errors with their line, notes. Control characters are escaped. */
#pragma once

#include "oriel/oriel.h"

/* `file:line:column: error: message`, the line, and a caret below the mistake. */
void message_error(const struct oriel_error *error);

/* `oriel: error: ...` for what the program itself finds. */
void message_problem(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* `note: ...`; for oriel_engine_options, so the context is not used. Any thread. */
void message_note(void *context, const char *text);

/* A line as it is, e.g. of --timing. */
void message_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
