/*
 * Between the reader and the module. A store lists all that lies below a folder, so patterns are
 * matched here.
 */
#include "engine/io/object_store.h"

#include <stdlib.h>
#include <string.h>

#include "engine/io/arrow_module.h"
#include "engine/io/path_pattern.h"

static const char *const schemes[] = {"s3://", "s3a://", "s3n://", "gs://", "gcs://", "hdfs://"};

bool oriel_path_is_object(const char *path) {
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (strncmp(path, schemes[i], strlen(schemes[i])) == 0)
            return true;
    }
    return false;
}

/* The URI as Arrow has it: s3a and s3n are names of Hadoop for s3. */
static const char *normalize(struct oriel_arena *arena, const char *uri) {
    if (strncmp(uri, "s3a://", 6) == 0 || strncmp(uri, "s3n://", 6) == 0)
        return oriel_arena_print(arena, "s3%s", uri + 3);
    if (strncmp(uri, "gcs://", 6) == 0)
        return oriel_arena_print(arena, "gs%s", uri + 3);
    return oriel_arena_copy(arena, uri, strlen(uri));
}

static enum oriel_status failed(const char *uri, enum oriel_status status,
                                const struct oriel_arrow_message *message,
                                struct oriel_error *error) {
    if (status == ORIEL_MEMORY)
        return oriel_error_memory(error);
    return oriel_error_set(error, status, "cannot read '%s': %s", uri, message->text);
}

static enum oriel_status load(const struct oriel_arrow_shim **shim, const char *uri,
                              struct oriel_error *error) {
    struct oriel_error own = {0};
    const enum oriel_status status = oriel_arrow_module_load(ORIEL_ARROW_PARQUET, shim, &own);
    if (status == ORIEL_OK || status == ORIEL_MEMORY)
        return status;
    return oriel_error_set(error, status,
                           "'%s' is in an object store, which Oriel reaches through Arrow C++: %s",
                           uri, own.message);
}

/* ---- lists ---- */

struct listing {
    struct oriel_file_list *list;
    const char *pattern; /* without options; NULL: all */
    size_t base_length;  /* of the folder that is listed */
};

/* Whether a part behind the folder has a name that is left out. */
static bool is_hidden(const struct listing *listing, const char *uri, size_t length) {
    const size_t base = listing->base_length < length ? listing->base_length : length;
    for (size_t i = base; i < length; i++) {
        const bool begins = i == 0 || uri[i - 1] == '/';
        if (begins && (uri[i] == '.' || uri[i] == '_'))
            return true;
    }
    return false;
}

static int add(void *context, const char *uri, int64_t size_bytes, int64_t modified_ns) {
    struct listing *listing = context;
    (void)modified_ns;
    const size_t length = strcspn(uri, "?");
    if (is_hidden(listing, uri, length) || size_bytes < 0)
        return 0;
    const char *name = oriel_arena_copy(&listing->list->arena, uri, length);
    if (!name)
        return 1;
    if (listing->pattern && !oriel_path_fits(listing->pattern, name))
        return 0;
    const char *copy = oriel_arena_copy(&listing->list->arena, uri, strlen(uri));
    return copy && oriel_file_list_add(listing->list, copy, (uint64_t)size_bytes, NULL) == ORIEL_OK
               ? 0
               : 1;
}

/* The folder above the first part of a pattern that is one, with the options of the URI. */
static const char *base_of(struct oriel_arena *arena, const char *uri, struct listing *listing) {
    const size_t length = strcspn(uri, "?");
    const char *pattern = oriel_arena_copy(arena, uri, length);
    if (!pattern)
        return NULL;
    listing->base_length = length;
    if (!oriel_path_is_pattern(pattern))
        return uri;
    size_t base = strcspn(pattern, "*[{");
    while (base > 0 && pattern[base - 1] != '/')
        base--;
    listing->pattern = pattern;
    listing->base_length = base;
    return oriel_arena_print(arena, "%.*s%s", (int)(base - 1), pattern, uri + length);
}

enum oriel_status oriel_object_list(struct oriel_file_list *list, const char *uri,
                                    struct oriel_error *error) {
    const struct oriel_arrow_shim *shim;
    struct oriel_arrow_message message = {""};
    struct listing listing = {.list = list};
    const char *name = normalize(&list->arena, uri);
    const char *base = name ? base_of(&list->arena, name, &listing) : NULL;
    if (!base)
        return oriel_error_memory(error);
    ORIEL_TRY(load(&shim, uri, error));
    const size_t first = list->file_count;
    const enum oriel_status status = shim->store_list(base, add, &listing, &message);
    if (status != ORIEL_OK)
        return failed(uri, status, &message, error);
    oriel_file_list_sort(list, first);
    if (listing.pattern && list->file_count == first)
        return oriel_error_set(error, ORIEL_IO, "no file matches '%s'", uri);
    return ORIEL_OK;
}

/* ---- files ---- */

enum oriel_status oriel_object_open(const char *uri, struct oriel_arrow_object **out,
                                    uint64_t *size_bytes, int64_t *modified_ns,
                                    struct oriel_error *error) {
    const struct oriel_arrow_shim *shim;
    struct oriel_arrow_message message = {""};
    int64_t size = 0;
    ORIEL_TRY(load(&shim, uri, error));
    const enum oriel_status status = shim->object_open(uri, out, &size, modified_ns, &message);
    if (status != ORIEL_OK)
        return failed(uri, status, &message, error);
    *size_bytes = (uint64_t)size;
    return ORIEL_OK;
}

enum oriel_status oriel_object_read(struct oriel_arrow_object *object, const char *uri,
                                    uint64_t offset, char *buffer, size_t length, size_t *got,
                                    struct oriel_error *error) {
    const struct oriel_arrow_shim *shim;
    struct oriel_arrow_message message = {""};
    ORIEL_TRY(load(&shim, uri, error));
    const enum oriel_status status =
        shim->object_read(object, (int64_t)offset, buffer, length, got, &message);
    return status == ORIEL_OK ? ORIEL_OK : failed(uri, status, &message, error);
}

void oriel_object_close(struct oriel_arrow_object *object) {
    const struct oriel_arrow_shim *shim;
    if (object && oriel_arrow_module_load(ORIEL_ARROW_PARQUET, &shim, NULL) == ORIEL_OK)
        shim->object_close(object);
}
