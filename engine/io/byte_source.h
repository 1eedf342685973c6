/*
 * Where bytes come from: a file read by offset from several threads, a pipe or a compressed file
 * read in order, or a text in memory. Nothing is mapped: a file that is cut or replaced while it is
 * read gives an error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/runtime.h"
#include "engine/io/unpack.h"

struct oriel_arrow_object;

struct oriel_byte_source {
    const char *name;                  /* borrowed; stands in messages */
    int descriptor;                    /* -1: the text or the object */
    struct oriel_arrow_object *object; /* of an object store, or NULL */
    const char *text;                  /* borrowed */
    uint64_t size_bytes; /* when it was opened, packed or not; 0 for what has no size */
    int64_t modified_ns; /* since 1970 */
    bool seekable;    /* read_at may be called; otherwise only read_next, by one thread at a time */
    bool is_unpacked; /* compressed files give the bytes inside */
    bool is_known;    /* the packing is */
    struct oriel_unpacker *unpacker;     /* NULL: of plain bytes */
    struct oriel_memory *memory;         /* for the unpacker */
    uint64_t taken_bytes;                /* of the file itself, by read_next */
    char head[ORIEL_PACKING_HEAD_BYTES]; /* of a pipe: what told the packing */
    size_t head_length, head_at;
};

/* Opens a file, FIFO or device; ORIEL_IO with the reason otherwise, a directory included. Does not
 * wait for the other end of a FIFO. */
enum oriel_status oriel_byte_source_open(struct oriel_byte_source *source, const char *path,
                                         struct oriel_error *error);

/*
 * The same, but a file or pipe that holds compressed bytes (see unpack.h) gives those inside, and
 * is not seekable. ORIEL_UNSUPPORTED for a packing that cannot be read.
 */
enum oriel_status oriel_byte_source_open_unpacked(struct oriel_byte_source *source,
                                                  struct oriel_memory *memory, const char *path,
                                                  struct oriel_error *error);

/* A text in memory; `seekable` chooses how it may be read. */
void oriel_byte_source_open_text(struct oriel_byte_source *source, const char *name,
                                 const char *text, size_t length, bool seekable);
void oriel_byte_source_close(struct oriel_byte_source *source);

/* Reads `length` bytes at `offset`; *got is smaller only at the end. Any thread. */
enum oriel_status oriel_byte_source_read_at(const struct oriel_byte_source *source, uint64_t offset,
                                            char *buffer, size_t length, size_t *got,
                                            struct oriel_error *error);

/* Reads the next up to `length` bytes behind *position, which moves on: at least one, 0 only at the
 * end. Waits for bytes to come, until the statement is cancelled. Compressed bytes that are damaged
 * or end too early are ORIEL_DATA. */
enum oriel_status oriel_byte_source_read_next(struct oriel_byte_source *source,
                                              const struct oriel_runtime *runtime,
                                              uint64_t *position, char *buffer, size_t length,
                                              size_t *got, struct oriel_error *error);

/* ORIEL_IO when the file has another size or time of change than when it was opened. */
enum oriel_status oriel_byte_source_check_unchanged(const struct oriel_byte_source *source,
                                                    struct oriel_error *error);

/* What an errno value says of opening or reading `name`, as an ORIEL_IO error. */
enum oriel_status oriel_byte_source_failed(const char *name, int error_number,
                                           struct oriel_error *error);
