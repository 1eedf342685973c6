/*
 * Where a result goes: a file that appears whole or not at all, a descriptor, or the caller's
 * function. Used by one thread at a time.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "engine/base/memory.h"
#include "engine/base/status.h"

struct oriel_output_file;

/* Exactly one of path, write and fd is used, in this order. */
struct oriel_output_target {
    /* A regular file, or none yet: it is written under a temporary name in the same folder and
     * takes its name on commit. Anything else (FIFO, device, /dev/stdout, /dev/fd/N) is written
     * straight. */
    const char *path;
    /* Takes all bytes and returns 0, or returns an errno. */
    int (*write)(void *context, const char *bytes, size_t length);
    void *write_context;
    int fd;    /* stays open; with `write` it only says which file that writes, -1: none */
    bool sync; /* commit waits until the file is on its device */
    const atomic_bool *cancelled; /* looked at when a signal interrupts a call; may be NULL */
};

enum oriel_status oriel_output_file_open(struct oriel_memory *memory,
                                         const struct oriel_output_target *target,
                                         struct oriel_output_file **out, struct oriel_error *error);

/* True when the output replaces or writes the file of that identity. */
bool oriel_output_file_is(const struct oriel_output_file *file, dev_t device, ino_t inode);

/* True when writing never waits for a reader, so that any thread may do it. */
bool oriel_output_file_is_regular(const struct oriel_output_file *file);

/* Appends; small runs are gathered, large ones go out as they are. */
enum oriel_status oriel_output_file_write(struct oriel_output_file *file, const char *bytes,
                                          size_t length, struct oriel_error *error);

/* Writes out what is gathered and lets go of the descriptor and the buffer; nothing more can be
 * written, and `commit` is left to give a regular file its name. */
enum oriel_status oriel_output_file_settle(struct oriel_output_file *file,
                                           struct oriel_error *error);

/* Writes out what is gathered; with a path of a regular file, gives the file its name. */
enum oriel_status oriel_output_file_commit(struct oriel_output_file *file,
                                           struct oriel_error *error);

/* Without a commit before, the temporary file is removed. */
void oriel_output_file_close(struct oriel_output_file **file);

/* The errno of the last call that failed, 0 if none did. */
int oriel_output_file_errno(const struct oriel_output_file *file);
