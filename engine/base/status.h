/* How functions inside the library report failure. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "oriel/error.h"

/* A place in an SQL text: line and column count from 1, column in characters. 0 means unknown. */
struct oriel_position {
    uint32_t line;
    uint32_t column;
};

/* Returns from the calling function with the status of `expression` unless it is ORIEL_OK. */
#define ORIEL_TRY(expression)                                                                      \
    do {                                                                                           \
        const enum oriel_status oriel_try_status = (expression);                                   \
        if (oriel_try_status != ORIEL_OK)                                                          \
            return oriel_try_status;                                                               \
    } while (0)

/*
 * Fills `error` (may be NULL) with a status and a formatted message and returns the status.
 * A message that is too long is cut at a whole character. The position is cleared.
 */
enum oriel_status oriel_error_set(struct oriel_error *error, enum oriel_status status,
                                  const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a position in the SQL text that is being run. */
enum oriel_status oriel_error_at(struct oriel_error *error, enum oriel_status status,
                                 struct oriel_position position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Names the file or script that the position of `error` belongs to. */
void oriel_error_set_source(struct oriel_error *error, const char *source, uint32_t line,
                            uint32_t column);

/* ORIEL_MEMORY with the standing message; for allocations that failed. */
enum oriel_status oriel_error_memory(struct oriel_error *error);
