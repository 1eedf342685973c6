/*
 * The only file that reads input through the operating system. Interrupted and short reads are
 * continued here; everything above sees whole pieces, an end, or an error that names the file.
 */
#include "engine/io/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/io/object_store.h"

enum {
    READ_MAX_BYTES = 1 << 30, /* of one system call; Linux takes no more than 2 GiB */
    WAIT_MS = 100,            /* for a pipe, between looks at the cancel flag */
};

enum oriel_status oriel_byte_source_failed(const char *name, int error_number,
                                           struct oriel_error *error) {
    switch (error_number) {
    case ENOENT:
    case ENOTDIR: return oriel_error_set(error, ORIEL_IO, "file '%s' does not exist", name);
    case EACCES:
    case EPERM: return oriel_error_set(error, ORIEL_IO, "no permission to read '%s'", name);
    case ELOOP: return oriel_error_set(error, ORIEL_IO, "'%s' is a loop of symbolic links", name);
    case EISDIR: return oriel_error_set(error, ORIEL_IO, "'%s' is a directory", name);
    case EMFILE:
    case ENFILE:
        return oriel_error_set(error, ORIEL_IO, "cannot open '%s': too many open files", name);
    default: {
        char reason[128];
        const char *text = strerror_r(error_number, reason, sizeof reason);
        return oriel_error_set(error, ORIEL_IO, "cannot read '%s': %s", name, text);
    }
    }
}

static int64_t modified_ns(const struct stat *status) {
    return (int64_t)status->st_mtim.tv_sec * 1000000000 + (int64_t)status->st_mtim.tv_nsec;
}

enum oriel_status oriel_byte_source_open(struct oriel_byte_source *source, const char *path,
                                         struct oriel_error *error) {
    *source = (struct oriel_byte_source){.name = path, .descriptor = -1};
    if (oriel_path_is_object(path)) {
        ORIEL_TRY(oriel_object_open(path, &source->object, &source->size_bytes,
                                    &source->modified_ns, error));
        source->seekable = source->size_bytes > 0;
        return ORIEL_OK;
    }
    int descriptor;
    do
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return oriel_byte_source_failed(path, errno, error);
    struct stat status;
    int failure = fstat(descriptor, &status) == 0 ? 0 : errno;
    if (!failure && S_ISDIR(status.st_mode))
        failure = EISDIR;
    if (failure) {
        close(descriptor);
        return oriel_byte_source_failed(path, failure, error);
    }
    source->descriptor = descriptor;
    source->modified_ns = modified_ns(&status);
    /* Files below /proc say that they are empty and are not: those are read in order. */
    source->seekable = S_ISREG(status.st_mode) && status.st_size > 0;
    if (source->seekable) {
        source->size_bytes = (uint64_t)status.st_size;
        (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return ORIEL_OK;
}

/* A regular file tells its packing at once; what is read in order does so with its first bytes. */
static enum oriel_status look_inside(struct oriel_byte_source *source, struct oriel_error *error) {
    size_t length;
    enum oriel_packing packing;
    ORIEL_TRY(
        oriel_byte_source_read_at(source, 0, source->head, sizeof source->head, &length, error));
    (void)oriel_packing_find(source->name, source->head, length, true, &packing);
    ORIEL_TRY(oriel_packing_check(packing, source->name, error));
    source->is_known = true;
    if (packing == ORIEL_PACKING_NONE)
        return ORIEL_OK;
    source->seekable = false;
    return oriel_unpacker_open(source->memory, packing, source->name, &source->unpacker, error);
}

enum oriel_status oriel_byte_source_open_unpacked(struct oriel_byte_source *source,
                                                  struct oriel_memory *memory, const char *path,
                                                  struct oriel_error *error) {
    ORIEL_TRY(oriel_byte_source_open(source, path, error));
    source->memory = memory;
    source->is_unpacked = true;
    const enum oriel_status status = source->seekable ? look_inside(source, error) : ORIEL_OK;
    if (status != ORIEL_OK)
        oriel_byte_source_close(source);
    return status;
}

void oriel_byte_source_open_text(struct oriel_byte_source *source, const char *name,
                                 const char *text, size_t length, bool seekable) {
    *source = (struct oriel_byte_source){
        .name = name,
        .descriptor = -1,
        .text = length ? text : "",
        .size_bytes = length,
        .seekable = seekable && length > 0,
    };
}

void oriel_byte_source_close(struct oriel_byte_source *source) {
    if (source->descriptor >= 0)
        close(source->descriptor);
    oriel_object_close(source->object);
    source->object = NULL;
    oriel_unpacker_close(source->unpacker);
    source->unpacker = NULL;
    source->descriptor = -1;
    source->text = NULL;
}

static size_t copy_text(const struct oriel_byte_source *source, uint64_t offset, char *buffer,
                        size_t length) {
    if (offset >= source->size_bytes)
        return 0;
    const uint64_t left = source->size_bytes - offset;
    const size_t count = left < length ? (size_t)left : length;
    memcpy(buffer, source->text + offset, count);
    return count;
}

enum oriel_status oriel_byte_source_read_at(const struct oriel_byte_source *source, uint64_t offset,
                                            char *buffer, size_t length, size_t *got,
                                            struct oriel_error *error) {
    size_t done = 0;
    *got = 0;
    if (source->text) {
        *got = copy_text(source, offset, buffer, length);
        return ORIEL_OK;
    }
    if (source->object)
        return oriel_object_read(source->object, source->name, offset, buffer, length, got, error);
    while (done < length) {
        const size_t piece = length - done < READ_MAX_BYTES ? length - done : READ_MAX_BYTES;
        const ssize_t count =
            pread(source->descriptor, buffer + done, piece, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return oriel_byte_source_failed(source->name, errno, error);
        if (count == 0)
            break;
        done += (size_t)count;
    }
    *got = done;
    return ORIEL_OK;
}

/* A FIFO that no writer has opened yet would read as if it had ended, so reading waits for poll. */
static enum oriel_status read_when_ready(struct oriel_byte_source *source,
                                         const struct oriel_runtime *runtime, char *buffer,
                                         size_t length, size_t *got, struct oriel_error *error) {
    if (source->object) {
        ORIEL_TRY(oriel_runtime_check(runtime, error));
        ORIEL_TRY(oriel_object_read(source->object, source->name, source->taken_bytes, buffer,
                                    length, got, error));
        source->taken_bytes += *got;
        return ORIEL_OK;
    }
    for (;;) {
        ORIEL_TRY(oriel_runtime_check(runtime, error));
        struct pollfd wanted = {.fd = source->descriptor, .events = POLLIN};
        const int ready = poll(&wanted, 1, WAIT_MS);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        if (ready < 0)
            return oriel_byte_source_failed(source->name, errno, error);
        const ssize_t count = read(source->descriptor, buffer, length);
        if (count >= 0) {
            *got = (size_t)count;
            source->taken_bytes += *got;
            return ORIEL_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return oriel_byte_source_failed(source->name, errno, error);
    }
}

/* The first bytes of a pipe; they are kept, since they cannot be read again. */
static enum oriel_status read_head(struct oriel_byte_source *source,
                                   const struct oriel_runtime *runtime, struct oriel_error *error) {
    enum oriel_packing packing;
    bool at_end = false;
    while (!oriel_packing_find(source->name, source->head, source->head_length, at_end, &packing)) {
        size_t got;
        ORIEL_TRY(read_when_ready(source, runtime, source->head + source->head_length,
                                  sizeof source->head - source->head_length, &got, error));
        source->head_length += got;
        at_end = got == 0;
    }
    source->is_known = true;
    ORIEL_TRY(oriel_packing_check(packing, source->name, error));
    if (packing == ORIEL_PACKING_NONE)
        return ORIEL_OK;
    return oriel_unpacker_open(source->memory, packing, source->name, &source->unpacker, error);
}

/* The bytes of the file itself. */
static enum oriel_status read_raw(struct oriel_byte_source *source,
                                  const struct oriel_runtime *runtime, char *buffer, size_t length,
                                  size_t *got, struct oriel_error *error) {
    const size_t kept = source->head_length - source->head_at;
    if (kept == 0)
        return read_when_ready(source, runtime, buffer, length, got, error);
    *got = kept < length ? kept : length;
    memcpy(buffer, source->head + source->head_at, *got);
    source->head_at += *got;
    return ORIEL_OK;
}

static enum oriel_status read_unpacked(struct oriel_byte_source *source,
                                       const struct oriel_runtime *runtime, char *buffer,
                                       size_t length, size_t *got, struct oriel_error *error) {
    for (;;) {
        size_t room, raw;
        char *to = oriel_unpacker_room(source->unpacker, &room);
        if (to) {
            ORIEL_TRY(read_raw(source, runtime, to, room, &raw, error));
            ORIEL_TRY(oriel_byte_source_check_unchanged(source, error));
            oriel_unpacker_add(source->unpacker, raw);
        }
        const enum oriel_status status =
            oriel_unpacker_next(source->unpacker, buffer, length, got, error);
        if (status != ORIEL_OK || *got > 0)
            return status == ORIEL_DONE ? ORIEL_OK : status;
    }
}

enum oriel_status oriel_byte_source_read_next(struct oriel_byte_source *source,
                                              const struct oriel_runtime *runtime,
                                              uint64_t *position, char *buffer, size_t length,
                                              size_t *got, struct oriel_error *error) {
    const size_t piece = length < READ_MAX_BYTES ? length : READ_MAX_BYTES;
    *got = 0;
    if (source->is_unpacked && !source->is_known)
        ORIEL_TRY(read_head(source, runtime, error));
    if (source->text)
        *got = copy_text(source, *position, buffer, piece);
    else if (source->unpacker)
        ORIEL_TRY(read_unpacked(source, runtime, buffer, piece, got, error));
    else
        ORIEL_TRY(read_raw(source, runtime, buffer, piece, got, error));
    *position += *got;
    return ORIEL_OK;
}

enum oriel_status oriel_byte_source_check_unchanged(const struct oriel_byte_source *source,
                                                    struct oriel_error *error) {
    if (source->text || source->object || source->size_bytes == 0)
        return ORIEL_OK; /* an object is never changed, only replaced */
    struct stat status;
    if (fstat(source->descriptor, &status) != 0)
        return oriel_byte_source_failed(source->name, errno, error);
    if ((uint64_t)status.st_size != source->size_bytes)
        return oriel_error_set(error, ORIEL_IO,
                               "'%s' changed while it was read: it had %llu bytes and now has %llu",
                               source->name, (unsigned long long)source->size_bytes,
                               (unsigned long long)status.st_size);
    if (modified_ns(&status) != source->modified_ns)
        return oriel_error_set(error, ORIEL_IO, "'%s' was written to while it was read",
                               source->name);
    return ORIEL_OK;
}
