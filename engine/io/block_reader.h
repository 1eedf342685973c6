/*
 * Input that can only be read in order: a FIFO, a terminal, /dev/stdin, a compressed file. Whoever
 * claims a morsel reads on, cuts behind the last whole record and keeps the rest for the next
 * block.
 */
#pragma once

#include "engine/io/byte_source.h"

/* Whole records. */
struct oriel_block {
    char *bytes; /* with padding_bytes of room behind `length` */
    size_t capacity;
    size_t length;
    uint64_t taken_bytes;  /* of the file, packed or not */
    uint64_t lines_before; /* lines of the input before the first byte */
    void *file;            /* the caller's */
    struct oriel_block *next;
};

/* What a format says of its records. */
struct oriel_block_format {
    void *context;
    /* Sets *cut behind the last whole record; 0: there is none yet. When a block grows it is asked
     * again; `is_end` says that nothing follows. May fail on what is no record. */
    enum oriel_status (*find_cut)(void *context, const struct oriel_block *block, bool is_end,
                                  size_t *cut, struct oriel_error *error);
    /* Lines that end in the bytes; `next` is the byte behind them, 0 at the end. */
    uint64_t (*count_lines)(const char *bytes, size_t length, char next);
};

/* Zeros but for the first three. */
struct oriel_block_reader {
    const struct oriel_runtime *runtime;
    size_t block_bytes; /* to read at once */
    size_t padding_bytes;
    struct oriel_block *free_blocks;
    /* of the file that is being read */
    uint64_t read_offset;
    char *carry; /* bytes behind the last whole record */
    size_t carry_length, carry_capacity;
    uint64_t lines;
    bool has_ended;
};

void oriel_block_reader_deinit(struct oriel_block_reader *reader);

/* Goes to the begin of the next file. */
void oriel_block_reader_begin(struct oriel_block_reader *reader);

/* The next block, or NULL at the end of the file. A byte order mark is taken off. */
enum oriel_status oriel_block_reader_next(struct oriel_block_reader *reader,
                                          struct oriel_byte_source *bytes,
                                          const struct oriel_block_format *format,
                                          struct oriel_block **out, struct oriel_error *error);

/* Takes a block back. */
void oriel_block_reader_free(struct oriel_block_reader *reader, struct oriel_block *block);
