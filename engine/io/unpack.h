/*
 * Compressed input: what packs a file is told by its first bytes, and the bytes inside come in
 * order. Several members or frames in one file are one text, as gzip and zstd have it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/memory.h"
#include "engine/base/status.h"

enum oriel_packing {
    ORIEL_PACKING_NONE,
    ORIEL_PACKING_GZIP,
    ORIEL_PACKING_ZSTD,
    ORIEL_PACKING_ZLIB, /* Flink's .deflate; its bytes could be text, so the name must say it */
    ORIEL_PACKING_BZIP2,
    ORIEL_PACKING_XZ,
};

enum { ORIEL_PACKING_HEAD_BYTES = 10 }; /* that always decide */

/*
 * Tells the packing of a file from its first `length` bytes; false while more bytes are needed and
 * `at_end` does not say that there are none.
 */
bool oriel_packing_find(const char *name, const char *head, size_t length, bool at_end,
                        enum oriel_packing *out);

/* ORIEL_UNSUPPORTED with the name of the packing, for those that cannot be unpacked. */
enum oriel_status oriel_packing_check(enum oriel_packing packing, const char *name,
                                      struct oriel_error *error);

struct oriel_unpacker;

/* `name` is borrowed and stands in messages. Of GZIP, ZSTD and ZLIB. */
enum oriel_status oriel_unpacker_open(struct oriel_memory *memory, enum oriel_packing packing,
                                      const char *name, struct oriel_unpacker **out,
                                      struct oriel_error *error);
void oriel_unpacker_close(struct oriel_unpacker *unpacker); /* NULL is allowed */

/* Where the next bytes of the file go and how many; NULL while some are left to unpack. */
char *oriel_unpacker_room(struct oriel_unpacker *unpacker, size_t *length);

/* Says how many bytes were put there, 0 at the end of the file. */
void oriel_unpacker_add(struct oriel_unpacker *unpacker, size_t length);

/*
 * Unpacks into `buffer`; *got may be 0 while more bytes of the file are needed. ORIEL_DONE at the
 * end. ORIEL_DATA names the file and the byte in it where it is damaged or ends too early.
 */
enum oriel_status oriel_unpacker_next(struct oriel_unpacker *unpacker, char *buffer, size_t length,
                                      size_t *got, struct oriel_error *error);
