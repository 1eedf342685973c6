/*
 * The end of the flow: bytes of the writers go to a file. A regular file is written beside its
 * place and renamed, so that a reader sees the old content or the new, never a part.
 */
#include "engine/io/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    GATHER_BYTES = 256 << 10,
    LONG_BYTES = 64 << 10, /* runs that are not gathered */
    NAME_ATTEMPTS = 100,
    WRITE_BYTES_MAX = 1 << 30,      /* of one call of write(2) */
    SMALL_FILE_BYTES = 4 << 20,     /* nothing is allocated ahead of these */
    ALLOCATED_BYTES_MAX = 64 << 20, /* ahead */
};

struct oriel_output_file {
    struct oriel_memory *memory;
    struct oriel_output_target target;
    const char *shown_name; /* for messages */
    int fd;
    bool owns_fd;
    bool is_regular;
    bool has_identity;
    dev_t device;
    ino_t inode;
    int last_errno;
    char *final_path; /* of a regular file, links resolved */
    char *temporary_path;
    size_t temporary_bytes;
    size_t final_bytes;
    char *gathered;
    size_t gathered_length;
    bool allocates_ahead;
    uint64_t written_bytes;
    uint64_t allocated_bytes;
};

static enum oriel_status fail(struct oriel_output_file *file, int code, const char *action,
                              struct oriel_error *error) {
    file->last_errno = code;
    return oriel_error_set(error, ORIEL_IO, "cannot %s %s: %s", action, file->shown_name,
                           strerror(code));
}

static bool is_cancelled(const struct oriel_output_file *file) {
    return file->target.cancelled &&
           atomic_load_explicit(file->target.cancelled, memory_order_relaxed);
}

static void set_identity(struct oriel_output_file *file, const struct stat *facts) {
    file->has_identity = true;
    file->is_regular = S_ISREG(facts->st_mode);
    file->device = facts->st_dev;
    file->inode = facts->st_ino;
}

/* The descriptor that /dev/stdout, /dev/stderr, /dev/fd/N or /proc/self/fd/N stands for, or -1. */
static int named_descriptor(const char *path) {
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && path[length]) {
            char *end;
            const unsigned long number = strtoul(path + length, &end, 10);
            return *end || number > 1048576 ? -1 : (int)number;
        }
    }
    return -1;
}

static enum oriel_status open_straight(struct oriel_output_file *file, struct oriel_error *error) {
    const int named = named_descriptor(file->target.path);
    do {
        file->fd = named >= 0 ? fcntl(named, F_DUPFD_CLOEXEC, 3)
                              : open(file->target.path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } while (file->fd < 0 && errno == EINTR && !is_cancelled(file));
    if (file->fd < 0 && errno == EINTR)
        return oriel_error_set(error, ORIEL_CANCELLED, "cancelled");
    if (file->fd < 0)
        return fail(file, errno, "open", error);
    file->owns_fd = true;
    struct stat facts;
    if (fstat(file->fd, &facts) == 0)
        set_identity(file, &facts);
    return ORIEL_OK;
}

/* Creates FOLDER/.NAME.PID-COUNT.tmp. */
static enum oriel_status create_temporary(struct oriel_output_file *file,
                                          struct oriel_error *error) {
    const char *slash = strrchr(file->final_path, '/');
    const size_t folder_length = slash ? (size_t)(slash - file->final_path) + 1 : 0;
    const char *name = file->final_path + folder_length;
    file->temporary_bytes = strlen(file->final_path) + 64;
    file->temporary_path = oriel_memory_allocate(file->memory, file->temporary_bytes);
    if (!file->temporary_path)
        return oriel_error_memory(error);
    for (unsigned attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        snprintf(file->temporary_path, file->temporary_bytes, "%.*s.%.180s.%ld-%u.tmp",
                 (int)folder_length, file->final_path, name, (long)getpid(), attempt);
        file->fd = open(file->temporary_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0) {
            file->owns_fd = true;
            file->is_regular = true;
            return ORIEL_OK;
        }
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    const int code = errno;
    oriel_memory_release(file->memory, file->temporary_path, file->temporary_bytes);
    file->temporary_path = NULL;
    return fail(file, code, "create", error);
}

/* Keeps the path of the file that will be replaced, links resolved if it exists. */
static enum oriel_status keep_final_path(struct oriel_output_file *file, bool exists,
                                         struct oriel_error *error) {
    char resolved[PATH_MAX];
    const char *path = file->target.path;
    if (exists) {
        path = realpath(path, resolved);
        if (!path)
            return fail(file, errno, "write", error);
    }
    file->final_bytes = strlen(path) + 1;
    file->final_path = oriel_memory_allocate(file->memory, file->final_bytes);
    if (!file->final_path)
        return oriel_error_memory(error);
    memcpy(file->final_path, path, file->final_bytes);
    return ORIEL_OK;
}

static enum oriel_status open_path(struct oriel_output_file *file, struct oriel_error *error) {
    const char *path = file->target.path;
    struct stat facts;
    const bool exists = stat(path, &facts) == 0;
    if (!exists && errno != ENOENT)
        return fail(file, errno, "write", error);
    if (exists && S_ISDIR(facts.st_mode))
        return fail(file, EISDIR, "write", error);
    if (named_descriptor(path) >= 0 || (exists && !S_ISREG(facts.st_mode)))
        return open_straight(file, error);
    if (exists && access(path, W_OK) != 0)
        return fail(file, errno, "write", error);
    if (exists)
        set_identity(file, &facts);
    ORIEL_TRY(keep_final_path(file, exists, error));
    ORIEL_TRY(create_temporary(file, error));
    /* A file system that looks after files that are replaced without fsync does so only where it
     * chooses the blocks late. */
    file->allocates_ahead = !exists;
    if (exists && fchmod(file->fd, facts.st_mode & 07777) != 0)
        return fail(file, errno, "set the mode of", error);
    return ORIEL_OK;
}

enum oriel_status oriel_output_file_open(struct oriel_memory *memory,
                                         const struct oriel_output_target *target,
                                         struct oriel_output_file **out,
                                         struct oriel_error *error) {
    *out = NULL;
    struct oriel_output_file *file = oriel_memory_allocate_zeroed(memory, 1, sizeof *file);
    if (!file)
        return oriel_error_memory(error);
    file->memory = memory;
    file->target = *target;
    file->fd = -1;
    file->shown_name = target->path ? target->path : "standard output";
    file->gathered = oriel_memory_allocate(memory, GATHER_BYTES);
    enum oriel_status status = file->gathered ? ORIEL_OK : oriel_error_memory(error);
    if (status == ORIEL_OK && target->path) {
        status = open_path(file, error);
    } else if (status == ORIEL_OK && target->fd >= 0) {
        struct stat facts;
        file->fd = target->fd;
        if (fstat(target->fd, &facts) == 0)
            set_identity(file, &facts);
    }
    if (status != ORIEL_OK) {
        oriel_output_file_close(&file);
        return status;
    }
    *out = file;
    return ORIEL_OK;
}

bool oriel_output_file_is(const struct oriel_output_file *file, dev_t device, ino_t inode) {
    return file->has_identity && file->device == device && file->inode == inode;
}

bool oriel_output_file_is_regular(const struct oriel_output_file *file) {
    return file->is_regular && (file->target.path || !file->target.write);
}

int oriel_output_file_errno(const struct oriel_output_file *file) {
    return file->last_errno;
}

/* Asks for the blocks of what comes: one by one they cost as much as the writing. */
static void allocate_ahead(struct oriel_output_file *file, size_t length) {
    const uint64_t end = file->written_bytes + length;
    if (!file->allocates_ahead || end <= SMALL_FILE_BYTES || end <= file->allocated_bytes)
        return;
    const uint64_t more = end < ALLOCATED_BYTES_MAX ? end : ALLOCATED_BYTES_MAX;
    file->allocates_ahead = fallocate(file->fd, FALLOC_FL_KEEP_SIZE, (off_t)file->written_bytes,
                                      (off_t)(length + more)) == 0;
    if (file->allocates_ahead)
        file->allocated_bytes = end + more;
}

/* write(2) until all is out; waits where a descriptor does not block. */
static enum oriel_status write_descriptor(struct oriel_output_file *file, const char *bytes,
                                          size_t length, struct oriel_error *error) {
    allocate_ahead(file, length);
    file->written_bytes += length;
    while (length > 0) {
        const size_t part = length < WRITE_BYTES_MAX ? length : WRITE_BYTES_MAX;
        const ssize_t written = write(file->fd, bytes, part);
        if (written >= 0) {
            bytes += written;
            length -= (size_t)written;
            if (length && is_cancelled(file)) /* a signal cut the writing short */
                return oriel_error_set(error, ORIEL_CANCELLED, "cancelled");
        } else if (errno == EINTR) {
            if (is_cancelled(file))
                return oriel_error_set(error, ORIEL_CANCELLED, "cancelled");
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd ready = {.fd = file->fd, .events = POLLOUT};
            if (poll(&ready, 1, -1) < 0 && errno == EINTR && is_cancelled(file))
                return oriel_error_set(error, ORIEL_CANCELLED, "cancelled");
        } else {
            return fail(file, errno, "write", error);
        }
    }
    return ORIEL_OK;
}

static enum oriel_status write_out(struct oriel_output_file *file, const char *bytes, size_t length,
                                   struct oriel_error *error) {
    if (!length)
        return ORIEL_OK;
    if (file->target.path || !file->target.write)
        return write_descriptor(file, bytes, length, error);
    const int code = file->target.write(file->target.write_context, bytes, length);
    if (code == EINTR)
        return oriel_error_set(error, ORIEL_CANCELLED, "cancelled");
    return code ? fail(file, code, "write", error) : ORIEL_OK;
}

static enum oriel_status flush(struct oriel_output_file *file, struct oriel_error *error) {
    const size_t length = file->gathered_length;
    file->gathered_length = 0;
    return write_out(file, file->gathered, length, error);
}

enum oriel_status oriel_output_file_write(struct oriel_output_file *file, const char *bytes,
                                          size_t length, struct oriel_error *error) {
    const bool is_long = length >= LONG_BYTES;
    if (is_long || length > GATHER_BYTES - file->gathered_length)
        ORIEL_TRY(flush(file, error));
    if (is_long)
        return write_out(file, bytes, length, error);
    if (length)
        memcpy(file->gathered + file->gathered_length, bytes, length);
    file->gathered_length += length;
    return ORIEL_OK;
}

/* The rename is on the device once the folder is. */
static enum oriel_status sync_folder(struct oriel_output_file *file, struct oriel_error *error) {
    char folder[PATH_MAX];
    const char *slash = strrchr(file->final_path, '/');
    const size_t length = slash ? (size_t)(slash - file->final_path) : 0;
    snprintf(folder, sizeof folder, "%.*s", (int)length, file->final_path);
    const int fd = open(slash ? (length ? folder : "/") : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail(file, errno, "sync the folder of", error);
    const int code = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    return code ? fail(file, code, "sync the folder of", error) : ORIEL_OK;
}

enum oriel_status oriel_output_file_settle(struct oriel_output_file *file,
                                           struct oriel_error *error) {
    if (!file->gathered)
        return ORIEL_OK;
    ORIEL_TRY(flush(file, error));
    if (file->allocated_bytes > file->written_bytes && /* gives back the rest */
        ftruncate(file->fd, (off_t)file->written_bytes) != 0)
        return fail(file, errno, "write", error);
    /* EINVAL, EROFS: a pipe or a terminal, which have nothing to sync. */
    if (file->target.sync && file->fd >= 0 && fsync(file->fd) != 0 && errno != EINVAL &&
        errno != EROFS)
        return fail(file, errno, "sync", error);
    if (file->owns_fd) {
        const int fd = file->fd;
        file->fd = -1;
        file->owns_fd = false;
        if (close(fd) != 0 && errno != EINTR)
            return fail(file, errno, "write", error);
    }
    oriel_memory_release(file->memory, file->gathered, GATHER_BYTES);
    file->gathered = NULL;
    return ORIEL_OK;
}

enum oriel_status oriel_output_file_commit(struct oriel_output_file *file,
                                           struct oriel_error *error) {
    ORIEL_TRY(oriel_output_file_settle(file, error));
    if (!file->temporary_path)
        return ORIEL_OK;
    if (rename(file->temporary_path, file->final_path) != 0)
        return fail(file, errno, "write", error);
    oriel_memory_release(file->memory, file->temporary_path, file->temporary_bytes);
    file->temporary_path = NULL;
    return file->target.sync ? sync_folder(file, error) : ORIEL_OK;
}

void oriel_output_file_close(struct oriel_output_file **file) {
    struct oriel_output_file *it = *file;
    if (!it)
        return;
    if (it->owns_fd)
        close(it->fd);
    if (it->temporary_path)
        unlink(it->temporary_path);
    oriel_memory_release(it->memory, it->temporary_path, it->temporary_bytes);
    oriel_memory_release(it->memory, it->final_path, it->final_bytes);
    if (it->gathered)
        oriel_memory_release(it->memory, it->gathered, GATHER_BYTES);
    oriel_memory_release(it->memory, it, sizeof *it);
    *file = NULL;
}
