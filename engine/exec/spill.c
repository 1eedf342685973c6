/*
 * The temporary file and the streams of bytes inside it. Space in the file is handed out by an
 * atomic counter, so that writers of different streams need no lock.
 */
#include "engine/exec/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/exec/profile.h"

enum { BUFFER_BYTES = 8 << 10, FIRST_EXTENT_COUNT = 8 };

struct oriel_spill {
    struct oriel_memory *memory;
    const char *folder;
    struct oriel_operator_profile *operation; /* that writes, or NULL */
    int file;
    _Atomic uint64_t end;
};

struct oriel_spill_extent {
    uint64_t offset;
    uint64_t size_bytes;
};

bool oriel_spill_wanted(const struct oriel_runtime *runtime) {
    const size_t limit = runtime->memory->limit_bytes;
    return limit && oriel_memory_available(runtime->memory) < limit / 4;
}

static enum oriel_status io_error(const struct oriel_spill *spill, const char *action, int number,
                                  struct oriel_error *error) {
    char text[128];
    return oriel_error_set(error, ORIEL_IO, "cannot %s a temporary file in '%s': %s", action,
                           spill->folder, strerror_r(number, text, sizeof text));
}

static int open_unnamed(const char *folder, struct oriel_memory *memory) {
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
        return file;
    /* a file system or kernel without O_TMPFILE */
    static const char name[] = "/oriel-XXXXXX";
    const size_t size = strlen(folder) + sizeof name;
    char *path = oriel_memory_allocate(memory, size);
    if (!path) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(path, folder, strlen(folder));
    memcpy(path + strlen(folder), name, sizeof name);
    const int named = mkostemp(path, O_CLOEXEC);
    const int number = errno;
    if (named >= 0)
        unlink(path);
    oriel_memory_release(memory, path, size);
    errno = number;
    return named;
}

enum oriel_status oriel_spill_open(const struct oriel_runtime *runtime, struct oriel_spill **out,
                                   struct oriel_error *error) {
    struct oriel_spill *spill = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *spill);
    if (!spill)
        return oriel_error_memory(error);
    spill->memory = runtime->memory;
    spill->operation = runtime->operation;
    spill->folder = runtime->temp_dir ? runtime->temp_dir : ".";
    spill->file = open_unnamed(spill->folder, spill->memory);
    if (spill->file < 0) {
        const enum oriel_status status = io_error(spill, "make", errno, error);
        oriel_memory_release(spill->memory, spill, sizeof *spill);
        return status;
    }
    *out = spill;
    return ORIEL_OK;
}

void oriel_spill_close(struct oriel_spill **spill) {
    if (!*spill)
        return;
    close((*spill)->file);
    if ((*spill)->operation)
        oriel_profile_spilled((*spill)->operation, atomic_load(&(*spill)->end));
    oriel_memory_release((*spill)->memory, *spill, sizeof **spill);
    *spill = NULL;
}

void oriel_spill_stream_init(struct oriel_spill_stream *stream, struct oriel_spill *spill) {
    *stream = (struct oriel_spill_stream){.spill = spill};
}

static void release_buffer(struct oriel_spill_stream *stream) {
    oriel_memory_release(stream->spill->memory, stream->buffer, BUFFER_BYTES);
    stream->buffer = NULL;
}

void oriel_spill_stream_deinit(struct oriel_spill_stream *stream) {
    if (!stream->spill)
        return;
    release_buffer(stream);
    oriel_memory_release(stream->spill->memory, stream->extents,
                         stream->extent_capacity * sizeof *stream->extents);
    *stream = (struct oriel_spill_stream){0};
}

static enum oriel_status write_at(const struct oriel_spill *spill, const char *bytes,
                                  size_t size_bytes, uint64_t offset, struct oriel_error *error) {
    while (size_bytes) {
        const ssize_t written = pwrite(spill->file, bytes, size_bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return io_error(spill, "write", written < 0 ? errno : ENOSPC, error);
        bytes += written;
        size_bytes -= (size_t)written;
        offset += (uint64_t)written;
    }
    return ORIEL_OK;
}

/* Writes bytes as an extent of the stream. */
static enum oriel_status write_extent(struct oriel_spill_stream *stream, const void *bytes,
                                      size_t size_bytes, struct oriel_error *error) {
    struct oriel_spill *spill = stream->spill;
    if (stream->extent_count == stream->extent_capacity) {
        const size_t capacity =
            stream->extent_capacity ? stream->extent_capacity * 2 : FIRST_EXTENT_COUNT;
        struct oriel_spill_extent *extents = oriel_memory_resize(
            spill->memory, stream->extents, stream->extent_capacity * sizeof *extents,
            capacity * sizeof *extents);
        if (!extents)
            return oriel_error_memory(error);
        stream->extents = extents;
        stream->extent_capacity = capacity;
    }
    const uint64_t offset =
        atomic_fetch_add_explicit(&spill->end, size_bytes, memory_order_relaxed);
    ORIEL_TRY(write_at(spill, bytes, size_bytes, offset, error));
    struct oriel_spill_extent *last =
        stream->extent_count ? &stream->extents[stream->extent_count - 1] : NULL;
    if (last && last->offset + last->size_bytes == offset)
        last->size_bytes += size_bytes;
    else
        stream->extents[stream->extent_count++] = (struct oriel_spill_extent){offset, size_bytes};
    return ORIEL_OK;
}

enum oriel_status oriel_spill_append(struct oriel_spill_stream *stream, const void *bytes,
                                     size_t size_bytes, struct oriel_error *error) {
    if (size_bytes == 0)
        return ORIEL_OK;
    if (stream->buffered_bytes + size_bytes > BUFFER_BYTES && stream->buffered_bytes) {
        ORIEL_TRY(write_extent(stream, stream->buffer, stream->buffered_bytes, error));
        stream->buffered_bytes = 0;
    }
    stream->size_bytes += size_bytes;
    if (size_bytes >= BUFFER_BYTES)
        return write_extent(stream, bytes, size_bytes, error);
    if (!stream->buffer)
        stream->buffer = oriel_memory_allocate(stream->spill->memory, BUFFER_BYTES);
    if (!stream->buffer)
        return oriel_error_memory(error);
    memcpy(stream->buffer + stream->buffered_bytes, bytes, size_bytes);
    stream->buffered_bytes += size_bytes;
    return ORIEL_OK;
}

enum oriel_status oriel_spill_flush(struct oriel_spill_stream *stream, struct oriel_error *error) {
    if (stream->buffered_bytes)
        ORIEL_TRY(write_extent(stream, stream->buffer, stream->buffered_bytes, error));
    stream->buffered_bytes = 0;
    release_buffer(stream);
    return ORIEL_OK;
}

struct oriel_spill_mark oriel_spill_mark(const struct oriel_spill_stream *stream) {
    const size_t count = stream->extent_count;
    return (struct oriel_spill_mark){count, count ? stream->extents[count - 1].size_bytes : 0,
                                     stream->size_bytes};
}

void oriel_spill_rewind(struct oriel_spill_stream *stream, struct oriel_spill_mark mark) {
    stream->extent_count = mark.extent_count;
    if (mark.extent_count)
        stream->extents[mark.extent_count - 1].size_bytes = mark.last_extent_bytes;
    stream->size_bytes = mark.size_bytes;
    stream->buffered_bytes = 0;
    release_buffer(stream);
}

void oriel_spill_reader_init(struct oriel_spill_reader *reader,
                             const struct oriel_spill_stream *stream) {
    *reader = (struct oriel_spill_reader){.stream = stream, .left_bytes = stream->size_bytes};
}

void oriel_spill_reader_deinit(struct oriel_spill_reader *reader) {
    if (!reader->stream)
        return;
    oriel_memory_release(reader->stream->spill->memory, reader->buffer, BUFFER_BYTES);
    *reader = (struct oriel_spill_reader){0};
}

/* Reads the next bytes of the file that belong to the stream, at most `capacity`. */
static enum oriel_status read_piece(struct oriel_spill_reader *reader, char *out, size_t capacity,
                                    size_t *size_bytes, struct oriel_error *error) {
    const struct oriel_spill *spill = reader->stream->spill;
    const struct oriel_spill_extent *extent = &reader->stream->extents[reader->extent];
    const uint64_t left = extent->size_bytes - reader->extent_offset;
    const size_t wanted = left < capacity ? (size_t)left : capacity;
    ssize_t got;
    do
        got = pread(spill->file, out, wanted, (off_t)(extent->offset + reader->extent_offset));
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return io_error(spill, "read", got < 0 ? errno : EIO, error);
    reader->extent_offset += (uint64_t)got;
    if (reader->extent_offset == extent->size_bytes) {
        reader->extent++;
        reader->extent_offset = 0;
    }
    *size_bytes = (size_t)got;
    return ORIEL_OK;
}

enum oriel_status oriel_spill_read(struct oriel_spill_reader *reader, void *out, size_t size_bytes,
                                   struct oriel_error *error) {
    char *to = out;
    if (size_bytes > reader->left_bytes)
        return oriel_error_set(error, ORIEL_INTERNAL, "a temporary file ended too early");
    reader->left_bytes -= size_bytes;
    while (size_bytes) {
        size_t count = reader->buffer_end - reader->buffer_at;
        if (count == 0 && size_bytes >= BUFFER_BYTES) {
            ORIEL_TRY(read_piece(reader, to, size_bytes, &count, error));
        } else if (count == 0) {
            if (!reader->buffer)
                reader->buffer = oriel_memory_allocate(reader->stream->spill->memory, BUFFER_BYTES);
            if (!reader->buffer)
                return oriel_error_memory(error);
            ORIEL_TRY(read_piece(reader, reader->buffer, BUFFER_BYTES, &reader->buffer_end, error));
            reader->buffer_at = 0;
            continue;
        } else {
            count = count < size_bytes ? count : size_bytes;
            memcpy(to, reader->buffer + reader->buffer_at, count);
            reader->buffer_at += count;
        }
        to += count;
        size_bytes -= count;
    }
    return ORIEL_OK;
}
