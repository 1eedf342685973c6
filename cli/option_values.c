/*
 * Values of options: strict, so that a slip of the pen is an error and not a surprise.
 */
#include "cli/option_values.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/options.h"

bool option_read_number(const char *text, uint64_t low, uint64_t high, uint64_t *out) {
    uint64_t value = 0;
    if (!text[0])
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return value >= low && value <= high;
}

static bool read_unit(const char *text, uint64_t *out) {
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {
        {"", 1},
        {"B", 1},
        {"KB", 1000},
        {"MB", 1000000},
        {"GB", 1000000000},
        {"TB", UINT64_C(1000000000000)},
        {"KiB", UINT64_C(1) << 10},
        {"MiB", UINT64_C(1) << 20},
        {"GiB", UINT64_C(1) << 30},
        {"TiB", UINT64_C(1) << 40},
    };
    while (*text == ' ')
        text++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(units[i].name, text) == 0) {
            *out = units[i].bytes;
            return true;
        }
    }
    return false;
}

bool option_read_size(const char *text, uint64_t *out) {
    /* Digits up to 18 and a scale, so that 1.5GiB is exact. */
    unsigned __int128 value = 0, scale = 1;
    int digit_count = 0;
    bool has_point = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !has_point); text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        if (++digit_count > 18)
            return false;
        value = value * 10 + (unsigned)(*text - '0');
        scale *= has_point ? 10 : 1;
    }
    uint64_t unit;
    if (!digit_count || !read_unit(text, &unit))
        return false;
    const unsigned __int128 bytes = value * unit / scale;
    *out = (uint64_t)bytes;
    return bytes > 0 && bytes <= INT64_MAX;
}

int option_read_format(const char *text) {
    static const char *const names[] = {
        [ORIEL_FORMAT_TABLEAU] = "tableau", [ORIEL_FORMAT_CSV] = "csv",
        [ORIEL_FORMAT_JSON] = "json",       [ORIEL_FORMAT_MARKDOWN] = "markdown",
        [ORIEL_FORMAT_PARQUET] = "parquet", [ORIEL_FORMAT_ARROW] = "arrow",
    };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(names[i], text) == 0)
            return i;
    }
    return FORMAT_UNSET;
}

int option_path_is_packed(const char *path) {
    static const char *const ends[] = {".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end_length = strlen(ends[i]);
        if (length > end_length && strcasecmp(path + length - end_length, ends[i]) == 0)
            return 1;
    }
    return 0;
}

int option_format_of_path(const char *path) {
    static const struct {
        const char *end;
        int format;
    } ends[] = {
        {".csv", ORIEL_FORMAT_CSV},         {".json", ORIEL_FORMAT_JSON},
        {".jsonl", ORIEL_FORMAT_JSON},      {".ndjson", ORIEL_FORMAT_JSON},
        {".md", ORIEL_FORMAT_MARKDOWN},     {".markdown", ORIEL_FORMAT_MARKDOWN},
        {".parquet", ORIEL_FORMAT_PARQUET}, {".arrow", ORIEL_FORMAT_ARROW},
    };
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end_length = strlen(ends[i].end);
        if (length > end_length && strcasecmp(path + length - end_length, ends[i].end) == 0)
            return ends[i].format;
    }
    return ORIEL_FORMAT_TABLEAU;
}

bool option_format_is_binary(int format) {
    return format == ORIEL_FORMAT_PARQUET || format == ORIEL_FORMAT_ARROW;
}

bool option_is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}
