/*
 * Bad rows that a statement passes over instead of ending with an error. Readers add what they find
 * chunk by chunk; it is handed on in the order of the input, whatever the threads: chunks stand in
 * the order in which they were claimed, and a chunk's rows go out once all before it are done.
 *
 * A claimed chunk must be finished before its worker claims another one, because others may wait.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/base/text.h"
#include "oriel/engine.h"

struct oriel_rejects;
struct oriel_reject_chunk;

/* `limit` rows are allowed, UINT64_MAX: any number; the next one ends the statement. `receive` (may
 * be NULL) gets each row, that one too, in order, and returns 0 or an errno. */
enum oriel_status oriel_rejects_open(const struct oriel_runtime *runtime, uint64_t limit,
                                     int (*receive)(void *context,
                                                    const struct oriel_rejected_row *row),
                                     void *context, struct oriel_rejects **out,
                                     struct oriel_error *error);
void oriel_rejects_close(struct oriel_rejects **rejects);

/* A number for a source that will claim chunks. */
uint64_t oriel_rejects_add_source(struct oriel_rejects *rejects);

/* Adds the next chunk of the input, under the lock of a source's claim. `lines_before`: line ends
 * of the file before the chunk; `table` (may be NULL) counts its bad rows; ORIEL_LINES_GO_ON: all
 * those of the chunks before. */
enum { ORIEL_LINES_GO_ON = -1 };
enum oriel_status oriel_reject_chunk_claim(struct oriel_rejects *rejects, uint64_t source,
                                           struct oriel_table_progress *table, int64_t lines_before,
                                           struct oriel_reject_chunk **out,
                                           struct oriel_error *error);

/* No more than `row_count` rows of the chunk can be bad; later chunks need not wait for it then. */
void oriel_reject_chunk_bound(struct oriel_reject_chunk *chunk, uint64_t row_count);

/* How many of the next `wanted` bad rows of the chunk are allowed; waits for the chunks before if
 * it depends on them. ORIEL_DONE when one of those failed. */
enum oriel_status oriel_reject_chunk_allow(struct oriel_reject_chunk *chunk, size_t wanted,
                                           size_t *allowed, struct oriel_error *error);

/* A bad row; texts are copied. `lines` are the line ends of the chunk before the place. */
struct oriel_reject {
    const char *file;
    uint64_t lines;
    const char *column; /* "" where the whole row is at fault */
    const char *reason;
    struct oriel_text raw;
};
enum oriel_status oriel_reject_chunk_add(struct oriel_reject_chunk *chunk,
                                         const struct oriel_reject *reject,
                                         struct oriel_error *error);

/* The error of a row that is one too many, after oriel_reject_chunk_allow: the reason with its file
 * and line. Returns ORIEL_DATA. */
enum oriel_status oriel_reject_chunk_fail(const struct oriel_reject_chunk *chunk,
                                          const struct oriel_reject *reject,
                                          struct oriel_error *error);

enum oriel_reject_outcome {
    ORIEL_REJECT_READ,    /* all of the chunk was read */
    ORIEL_REJECT_STOPPED, /* nobody wants rows any more: rows of the source's later chunks are
                             dropped */
    ORIEL_REJECT_ENDED,   /* failed at a place of the input: likewise */
    ORIEL_REJECT_FAILED,  /* failed elsewhere: its own rows are not handed on either */
};

/* The chunk is done; `lines` line ends are in it. Hands on what can be; an error of that. */
enum oriel_status oriel_reject_chunk_finish(struct oriel_reject_chunk *chunk, uint64_t lines,
                                            enum oriel_reject_outcome outcome,
                                            struct oriel_error *error);
