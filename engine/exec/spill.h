/*
 * Temporary space for what memory cannot hold. A spill is one unnamed file (mode 0600) in the
 * runtime's temporary folder; any number of streams lie in it, each a sequence of bytes that is
 * written once and then read from its start, as often as wanted.
 *
 * A stream belongs to one thread at a time; streams of one spill may be used by several threads.
 * Failing writes and reads are ORIEL_IO and name the folder.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"

struct oriel_spill;

/* Makes the file. */
enum oriel_status oriel_spill_open(const struct oriel_runtime *runtime, struct oriel_spill **out,
                                   struct oriel_error *error);
void oriel_spill_close(struct oriel_spill **spill);

/* Whether a sink should write rows out: less than a quarter of the memory limit is left. */
bool oriel_spill_wanted(const struct oriel_runtime *runtime);

struct oriel_spill_extent;

/* All zero (but `spill`) when nothing was written. */
struct oriel_spill_stream {
    struct oriel_spill *spill;
    struct oriel_spill_extent *extents; /* where its pieces lie in the file */
    size_t extent_count, extent_capacity;
    char *buffer; /* not yet written; allocated with the first append, given back by flush */
    size_t buffered_bytes;
    uint64_t size_bytes;
};

void oriel_spill_stream_init(struct oriel_spill_stream *stream, struct oriel_spill *spill);
void oriel_spill_stream_deinit(struct oriel_spill_stream *stream);

enum oriel_status oriel_spill_append(struct oriel_spill_stream *stream, const void *bytes,
                                     size_t size_bytes, struct oriel_error *error);

/* Writes the buffer out and gives it back; needed before reading. Appending may go on. */
enum oriel_status oriel_spill_flush(struct oriel_spill_stream *stream, struct oriel_error *error);

/* A place to go back to: taken when the buffer is written out. */
struct oriel_spill_mark {
    size_t extent_count;
    uint64_t last_extent_bytes;
    uint64_t size_bytes;
};
struct oriel_spill_mark oriel_spill_mark(const struct oriel_spill_stream *stream);

/* Takes back what was appended since. */
void oriel_spill_rewind(struct oriel_spill_stream *stream, struct oriel_spill_mark mark);

/* A place in a stream. Several readers of a stream may read at the same time. */
struct oriel_spill_reader {
    const struct oriel_spill_stream *stream;
    size_t extent;
    uint64_t extent_offset;
    char *buffer;
    size_t buffer_at, buffer_end;
    uint64_t left_bytes;
};

void oriel_spill_reader_init(struct oriel_spill_reader *reader,
                             const struct oriel_spill_stream *stream);
void oriel_spill_reader_deinit(struct oriel_spill_reader *reader);

/* Exactly `size_bytes` bytes; left_bytes says how many there are. */
enum oriel_status oriel_spill_read(struct oriel_spill_reader *reader, void *out, size_t size_bytes,
                                   struct oriel_error *error);

/* Appends rows [first, first + count) of the columns, or those that `rows` names: strings and
 * nested values in full. At most UINT32_MAX rows. */
enum oriel_status oriel_spill_append_rows(struct oriel_spill_stream *stream,
                                          const struct oriel_column *columns, uint32_t column_count,
                                          const uint32_t *rows, size_t first, size_t count,
                                          struct oriel_error *error);

/* Appends the rows of one oriel_spill_append_rows to `table`, whose schema is theirs; ORIEL_DONE at
 * the end of the stream. */
enum oriel_status oriel_spill_read_rows(struct oriel_spill_reader *reader,
                                        struct oriel_table *table, struct oriel_error *error);
