/* Status codes and the error object of every call that can fail. */
#pragma once

#include <stdint.h>

#include "oriel/export.h"

ORIEL_BEGIN_DECLS

/* X(NAME, value, text): values are pinned and never used again for something else. */
#define ORIEL_STATUS_LIST(X)                                                                       \
    X(OK, 0, "ok")                                                                                 \
    X(DONE, 1, "no more")                 /* the end of an iteration, not an error */              \
    X(ARGUMENT, 2, "invalid argument")    /* a call of the API with a wrong argument */            \
    X(SYNTAX, 3, "syntax error")          /* text that is no SQL */                                \
    X(INVALID, 4, "invalid statement")    /* SQL with a mistake: names, types, parameters */       \
    X(UNSUPPORTED, 5, "missing feature")  /* right SQL that this version cannot run yet */         \
    X(DATA, 6, "data error")              /* the input's content */                                \
    X(RUNTIME, 7, "runtime error")        /* an expression failed on a row, e.g. / by zero */      \
    X(IO, 8, "input/output error")        /* the operating system refused or failed */             \
    X(MEMORY, 9, "out of memory")         /* the allocator failed, the limit is reached */         \
    X(CANCELLED, 10, "cancelled")         /* oriel_engine_cancel was called */                     \
    X(INTERNAL, 11, "internal error")     /* a fault of the library */

enum oriel_status {
#define ORIEL_STATUS_ENUM(name, value, text) ORIEL_##name = value,
    ORIEL_STATUS_LIST(ORIEL_STATUS_ENUM)
#undef ORIEL_STATUS_ENUM
};

enum {
    ORIEL_ERROR_MESSAGE_SIZE = 1024,
    ORIEL_ERROR_SOURCE_SIZE = 512,
    ORIEL_ERROR_EXCERPT_SIZE = 256,
};

/*
 * Owned by the caller, filled by the call that fails; all texts end with NUL and are UTF-8.
 * An object full of zeros says "no error". Passing NULL for it is allowed everywhere.
 */
struct oriel_error {
    enum oriel_status status;
    uint32_t line;                           /* 1-based, 0 when there is none */
    uint32_t column;                         /* 1-based, in characters; 0 when there is none */
    uint32_t excerpt_column;                 /* where in `excerpt` the mistake is, 1-based */
    char message[ORIEL_ERROR_MESSAGE_SIZE];  /* a sentence without position */
    char source[ORIEL_ERROR_SOURCE_SIZE];    /* file or script that line and column belong to */
    char excerpt[ORIEL_ERROR_EXCERPT_SIZE];  /* the line of SQL, cut around the mistake */
};

/* The pinned name of a status, such as "data error"; never NULL. */
ORIEL_API const char *oriel_status_text(enum oriel_status status);

ORIEL_END_DECLS
