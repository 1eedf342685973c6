/*
 * The module is looked for beside the library or program that this code is in, then where it is
 * installed. Opening it again only counts up, so nothing is remembered here.
 */
#include "engine/io/arrow_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char module_file[] = "oriel_arrow.so";

const char *oriel_arrow_format_name(enum oriel_arrow_format format) {
    return format == ORIEL_ARROW_PARQUET ? "Parquet" : "Arrow";
}

/* Cuts the last part of a path off; false when it has only one. */
static bool cut_last(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

static bool folder_of_code(char *out, size_t capacity) {
    Dl_info info;
    if (!dladdr(module_file, &info) || !info.dli_fname || strlen(info.dli_fname) >= capacity)
        return false;
    memcpy(out, info.dli_fname, strlen(info.dli_fname) + 1);
    return cut_last(out);
}

static bool folder_of_program(char *out, size_t capacity) {
    const ssize_t length = readlink("/proc/self/exe", out, capacity - 1);
    if (length <= 0)
        return false;
    out[length] = '\0';
    return cut_last(out);
}

/* True when the module is in folder/below; `path` then names it. */
static bool is_in(const char *folder, const char *below, char *path, size_t capacity) {
    const int length = snprintf(path, capacity, "%s%s/%s", folder, below, module_file);
    return length > 0 && (size_t)length < capacity && access(path, R_OK) == 0;
}

static bool find_module(char *path, size_t capacity) {
    char folder[PATH_MAX];
    if (folder_of_code(folder, sizeof folder) &&
        (is_in(folder, "", path, capacity) || is_in(folder, "/oriel", path, capacity)))
        return true;
    if (folder_of_program(folder, sizeof folder) &&
        (is_in(folder, "", path, capacity) ||
         is_in(folder, "/../" ORIEL_LIBRARY_FOLDER "/oriel", path, capacity)))
        return true;
    return is_in(ORIEL_ARROW_FOLDER, "", path, capacity);
}

enum oriel_status oriel_arrow_module_load(enum oriel_arrow_format format,
                                          const struct oriel_arrow_shim **out,
                                          struct oriel_error *error) {
    const char *name = oriel_arrow_format_name(format);
    char path[PATH_MAX];
    if (!find_module(path, sizeof path)) {
        if (!ORIEL_ARROW_BUILT)
            return oriel_error_set(error, ORIEL_UNSUPPORTED,
                                   "this build of Oriel reads and writes no %s files: it was made "
                                   "without Arrow C++ (-Darrow)",
                                   name);
        return oriel_error_set(error, ORIEL_IO,
                               "%s files need the module %s, which is neither beside the program "
                               "nor in %s",
                               name, module_file, ORIEL_ARROW_FOLDER);
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const struct oriel_arrow_shim *shim = module ? dlsym(module, ORIEL_ARROW_SHIM_SYMBOL) : NULL;
    if (!shim) {
        const char *reason = dlerror();
        return oriel_error_set(error, ORIEL_IO,
                               "%s files need the module %s, which cannot be "
                               "loaded: %s",
                               name, path, reason ? reason : "no reason given");
    }
    if (shim->version != ORIEL_ARROW_SHIM_VERSION)
        return oriel_error_set(error, ORIEL_IO, "the module %s belongs to another version of Oriel",
                               path);
    *out = shim;
    return ORIEL_OK;
}

static int take(void *context, size_t size_bytes, int anyway) {
    return oriel_memory_take(context, size_bytes, anyway);
}

static void give(void *context, size_t size_bytes) {
    oriel_memory_give(context, size_bytes);
}

struct oriel_arrow_account oriel_arrow_account_of(struct oriel_memory *memory) {
    return (struct oriel_arrow_account){memory, take, give};
}
