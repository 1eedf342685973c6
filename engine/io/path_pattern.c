/*
 * Walks down the folders that a pattern can match, part by part.
 */
#include "engine/io/path_pattern.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/io/byte_source.h"

enum {
    DEPTH_MAX = 64, /* of folders for one `**`, and of braces */
    PART_BYTES = 1100,
    PATTERN_BYTES = 4200,
};

enum oriel_status oriel_path_set_add(struct oriel_path_set *set, const char *path,
                                     struct oriel_error *error) {
    if (!path)
        return oriel_error_memory(error);
    if (set->count == set->capacity) {
        const size_t capacity = set->capacity ? 2 * set->capacity : 16;
        const char **grown = oriel_memory_resize(
            set->memory, set->paths, set->capacity * sizeof *grown, capacity * sizeof *grown);
        if (!grown)
            return oriel_error_memory(error);
        set->paths = grown;
        set->capacity = capacity;
    }
    set->paths[set->count++] = path;
    return ORIEL_OK;
}

void oriel_path_set_deinit(struct oriel_path_set *set) {
    oriel_memory_release(set->memory, set->paths, set->capacity * sizeof *set->paths);
    set->paths = NULL;
    set->count = set->capacity = 0;
}

bool oriel_path_is_pattern(const char *path) {
    return strpbrk(path, "*?[{") != NULL;
}

enum oriel_status oriel_path_split(const char *path, struct oriel_path_set *out,
                                   struct oriel_error *error) {
    unsigned depth = 0;
    const char *begin = path;
    for (const char *at = path;; at++) {
        if (*at == '{')
            depth++;
        else if (*at == '}' && depth > 0)
            depth--;
        if (*at && (depth > 0 || (*at != ',' && *at != ';')))
            continue;
        while (*begin == ' ')
            begin++;
        size_t length = (size_t)(at - begin);
        while (length > 0 && begin[length - 1] == ' ')
            length--;
        if (length > 0)
            ORIEL_TRY(oriel_path_set_add(out, oriel_arena_copy(out->arena, begin, length), error));
        if (!*at)
            return ORIEL_OK;
        begin = at + 1;
    }
}

/* The length of the first part of a pattern, up to its '/'. */
static size_t part_length(const char *pattern) {
    return strcspn(pattern, "/");
}

static bool is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static enum oriel_status match(struct oriel_path_set *out, const char *folder, const char *pattern,
                               int depth, struct oriel_error *error);

/* Goes on below `path`, or takes it when nothing of the pattern is left. */
static enum oriel_status descend(struct oriel_path_set *out, const char *path, const char *rest,
                                 int depth, struct oriel_error *error) {
    while (*rest == '/')
        rest++;
    if (*rest)
        return is_folder(path) ? match(out, path, rest, depth, error) : ORIEL_OK;
    struct stat facts;
    return stat(path, &facts) == 0 ? oriel_path_set_add(out, path, error) : ORIEL_OK;
}

static const char *join(struct oriel_arena *arena, const char *folder, const char *name) {
    const size_t length = strlen(folder);
    const char *separator = length == 0 || folder[length - 1] == '/' ? "" : "/";
    return oriel_arena_print(arena, "%s%s%s", folder, separator, name);
}

/* Looks at each name in `folder`; `part` is NULL for `**`, which then goes on in each folder. */
static enum oriel_status match_names(struct oriel_path_set *out, const char *folder,
                                     const char *part, const char *pattern, const char *rest,
                                     int depth, struct oriel_error *error) {
    DIR *directory = opendir(*folder ? folder : ".");
    if (!directory)
        return errno == EACCES ? oriel_byte_source_failed(folder, errno, error) : ORIEL_OK;
    enum oriel_status status = ORIEL_OK;
    const struct dirent *entry;
    while (status == ORIEL_OK && (entry = readdir(directory)) != NULL) {
        const char *name = entry->d_name;
        const bool is_hidden = name[0] == '.' || name[0] == '_';
        if (is_hidden && (!part || part[0] != name[0]))
            continue;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (part && fnmatch(part, name, 0) != 0)
            continue;
        const char *path = join(out->arena, folder, name);
        if (!path)
            status = oriel_error_memory(error);
        else if (part)
            status = descend(out, path, rest, depth, error);
        else if (is_folder(path))
            status = match(out, path, pattern, depth + 1, error);
    }
    closedir(directory);
    return status;
}

static enum oriel_status match(struct oriel_path_set *out, const char *folder, const char *pattern,
                               int depth, struct oriel_error *error) {
    const size_t length = part_length(pattern);
    const char *rest = pattern + length;
    if (depth > DEPTH_MAX)
        return oriel_error_set(error, ORIEL_IO,
                               "'%s': more than %d folders in each other; is it a loop of links?",
                               folder, DEPTH_MAX);
    if (length == 2 && memcmp(pattern, "**", 2) == 0) {
        while (*rest == '/')
            rest++;
        ORIEL_TRY(match(out, folder, *rest ? rest : "*", depth, error));
        return match_names(out, folder, NULL, pattern, rest, depth, error);
    }
    const char *part = oriel_arena_copy(out->arena, pattern, length);
    if (!part)
        return oriel_error_memory(error);
    if (oriel_path_is_pattern(part))
        return match_names(out, folder, part, pattern, rest, depth, error);
    const char *path = join(out->arena, folder, part);
    return path ? descend(out, path, rest, depth, error) : oriel_error_memory(error);
}

/* Where the brace that opens at `text` closes; NULL: nowhere. */
static const char *closing_brace(const char *text) {
    unsigned depth = 0;
    for (; *text; text++) {
        if (*text == '{')
            depth++;
        else if (*text == '}' && --depth == 0)
            return text;
    }
    return NULL;
}

/* Writes out the first braces, and those in what comes of it. */
static enum oriel_status expand(struct oriel_path_set *out, const char *pattern, int depth,
                                struct oriel_error *error) {
    const char *open = strchr(pattern, '{');
    const char *close = open ? closing_brace(open) : NULL;
    if (!close || depth > DEPTH_MAX)
        return match(out, *pattern == '/' ? "/" : "", pattern + strspn(pattern, "/"), 0, error);
    unsigned inner = 0;
    const char *begin = open + 1;
    for (const char *at = begin; at <= close; at++) {
        inner += *at == '{';
        if (*at == '}' && at < close)
            inner--;
        if (at < close && (*at != ',' || inner > 0))
            continue;
        const char *one = oriel_arena_print(out->arena, "%.*s%.*s%s", (int)(open - pattern),
                                            pattern, (int)(at - begin), begin, close + 1);
        if (!one)
            return oriel_error_memory(error);
        ORIEL_TRY(expand(out, one, depth + 1, error));
        begin = at + 1;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_path_match(const char *pattern, struct oriel_path_set *out,
                                   struct oriel_error *error) {
    return expand(out, pattern, 0, error);
}

/* Matches the parts of `path` against those of a pattern without braces. */
static bool fits_parts(const char *pattern, const char *path, int depth) {
    const size_t length = part_length(pattern), name_length = part_length(path);
    const bool is_last = !pattern[length], ends = !path[name_length];
    char part[PART_BYTES], name[PART_BYTES];
    if (length >= sizeof part || name_length >= sizeof name || depth > DEPTH_MAX)
        return false;
    if (length == 2 && memcmp(pattern, "**", 2) == 0) {
        if (is_last || fits_parts(pattern + length + 1, path, depth + 1))
            return true;
        return !ends && fits_parts(pattern, path + name_length + 1, depth + 1);
    }
    snprintf(part, sizeof part, "%.*s", (int)length, pattern);
    snprintf(name, sizeof name, "%.*s", (int)name_length, path);
    if (fnmatch(part, name, 0) != 0)
        return false;
    if (is_last || ends)
        return is_last; /* a folder that matches is read with all that is in it */
    return fits_parts(pattern + length + 1, path + name_length + 1, depth + 1);
}

bool oriel_path_fits(const char *pattern, const char *path) {
    const char *open = strchr(pattern, '{');
    const char *close = open ? closing_brace(open) : NULL;
    char one[PATTERN_BYTES];
    if (!close)
        return fits_parts(pattern, path, 0);
    unsigned inner = 0;
    const char *begin = open + 1;
    for (const char *at = begin; at <= close; at++) {
        inner += *at == '{';
        if (*at == '}' && at < close)
            inner--;
        if (at < close && (*at != ',' || inner > 0))
            continue;
        const int length = snprintf(one, sizeof one, "%.*s%.*s%s", (int)(open - pattern), pattern,
                                    (int)(at - begin), begin, close + 1);
        if (length > 0 && (size_t)length < sizeof one && oriel_path_fits(one, path))
            return true;
        begin = at + 1;
    }
    return false;
}
