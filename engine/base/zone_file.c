/*
 * Reading time zone files (TZif, RFC 8536): the block of 64-bit times, then the rule at the end.
 */
#include "engine/base/zone_file.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/civil.h"
#include "engine/base/zone_rule.h"

enum {
    FILE_BYTES_MAX = 1 << 18,
    PATH_BYTES = 160,
    HEADER_BYTES = 44,
    TYPE_BYTES = 6,
    YEAR_FIRST = 1970, /* of the rule when the file has no times */
};

/* What a header counts. */
struct counts {
    uint32_t utc, standard, leap, times, types, letters;
};

struct bytes {
    const unsigned char *at;
    size_t left;
};

static uint64_t big_endian(const unsigned char *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static bool skip(struct bytes *bytes, uint64_t count) {
    if (count > bytes->left)
        return false;
    bytes->at += count;
    bytes->left -= count;
    return true;
}

static bool read_header(struct bytes *bytes, struct counts *out) {
    const unsigned char *const at = bytes->at;
    if (bytes->left < HEADER_BYTES || memcmp(at, "TZif", 4) != 0 || at[4] < '2')
        return false;
    uint32_t *const fields[] = {&out->utc,   &out->standard, &out->leap,
                                &out->times, &out->types,    &out->letters};
    for (unsigned i = 0; i < 6; i++)
        *fields[i] = (uint32_t)big_endian(at + 20 + 4 * i, 4);
    return skip(bytes, HEADER_BYTES);
}

/* Bytes of a block after its header. */
static uint64_t block_bytes(const struct counts *counts, unsigned time_bytes) {
    return (uint64_t)counts->times * (time_bytes + 1) + (uint64_t)counts->types * TYPE_BYTES +
           counts->letters + (uint64_t)counts->leap * (time_bytes + 4) + counts->standard +
           counts->utc;
}

static void add(struct oriel_zone_changes *changes, int64_t instant_s, int32_t offset_s) {
    const int32_t offset_ms = offset_s * 1000;
    if (changes->count == changes->capacity || changes->offset_ms[changes->count] == offset_ms)
        return;
    changes->instant_ms[changes->count++] = instant_s * 1000;
    changes->offset_ms[changes->count] = offset_ms;
}

/* The times of a file. False for a file that contradicts itself. */
static bool add_times(const struct bytes *block, const struct counts *counts,
                      struct oriel_zone_changes *changes, int64_t *last_s) {
    enum { SECONDS_BITS = 40, OFFSET_MAX_S = 26 * 3600 };
    const unsigned char *const types = block->at + (size_t)counts->times * 8;
    const unsigned char *const offsets = types + counts->times;
    for (uint32_t i = 0; i < counts->types; i++) {
        const int32_t offset_s = (int32_t)big_endian(offsets + TYPE_BYTES * (size_t)i, 4);
        if (offset_s > OFFSET_MAX_S || offset_s < -OFFSET_MAX_S)
            return false;
    }
    changes->offset_ms[0] = (int32_t)big_endian(offsets, 4) * 1000;
    *last_s = INT64_MIN;
    for (uint32_t i = 0; i < counts->times; i++) {
        const int64_t instant_s = (int64_t)big_endian(block->at + 8 * (size_t)i, 8);
        if (types[i] >= counts->types || instant_s <= *last_s)
            return false;
        *last_s = instant_s;
        /* A time before all calendars stands for ever. */
        const int32_t offset_s = (int32_t)big_endian(offsets + TYPE_BYTES * (size_t)types[i], 4);
        if (instant_s < -((int64_t)1 << SECONDS_BITS))
            changes->offset_ms[0] = offset_s * 1000;
        else if (instant_s < (int64_t)1 << SECONDS_BITS)
            add(changes, instant_s, offset_s);
    }
    return true;
}

/* What the rule says after the last time of the file. */
static void add_years(const struct oriel_zone_rule *rule, int64_t last_s, int32_t year_last,
                      struct oriel_zone_changes *changes) {
    int32_t year = YEAR_FIRST;
    if (!rule->has_summer)
        return;
    if (last_s > 0)
        year = oriel_civil_from_days(last_s / 86400).year;
    for (; year <= year_last; year++) {
        int64_t instants[2] = {oriel_zone_day_in(&rule->begin, year) - rule->standard_s,
                               oriel_zone_day_in(&rule->end, year) - rule->summer_s};
        const unsigned first = instants[1] < instants[0];
        for (unsigned i = 0; i < 2; i++) {
            const unsigned which = i ^ first;
            if (instants[which] > last_s)
                add(changes, instants[which], which ? rule->standard_s : rule->summer_s);
        }
    }
}

static enum oriel_status fill(struct bytes file, int32_t year_last, struct oriel_zone_changes *out,
                              bool *found, struct oriel_error *error) {
    struct counts counts;
    struct oriel_zone_rule rule;
    if (!read_header(&file, &counts) || !skip(&file, block_bytes(&counts, 4)) ||
        !read_header(&file, &counts) || block_bytes(&counts, 8) > file.left || !counts.types)
        return ORIEL_OK;
    const struct bytes block = file;
    skip(&file, block_bytes(&counts, 8));
    const unsigned char *const end =
        file.left > 1 && *file.at == '\n' ? memchr(file.at + 1, '\n', file.left - 1) : NULL;
    if (!end ||
        !oriel_zone_rule_parse((const char *)file.at + 1, (size_t)(end - file.at - 1), &rule))
        return ORIEL_OK;
    const size_t capacity = (size_t)counts.times + 2 * (size_t)(year_last - YEAR_FIRST + 1);
    out->capacity = capacity;
    out->instant_ms = oriel_memory_allocate(out->memory, capacity * sizeof *out->instant_ms);
    out->offset_ms = oriel_memory_allocate(out->memory, (capacity + 1) * sizeof *out->offset_ms);
    if (!out->instant_ms || !out->offset_ms)
        return oriel_error_memory(error);
    int64_t last_s;
    *found = add_times(&block, &counts, out, &last_s);
    if (*found)
        add_years(&rule, last_s, year_last, out);
    return ORIEL_OK;
}

enum oriel_status oriel_zone_file_read(struct oriel_memory *memory, const char *folder,
                                       const char *name, int32_t year_last,
                                       struct oriel_zone_changes *out, bool *found,
                                       struct oriel_error *error) {
    char path[PATH_BYTES];
    *out = (struct oriel_zone_changes){.memory = memory};
    *found = false;
    const int length = snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "rbe") : NULL;
    if (!file)
        return ORIEL_OK;
    unsigned char *bytes = oriel_memory_allocate(memory, FILE_BYTES_MAX);
    if (!bytes) {
        fclose(file);
        return oriel_error_memory(error);
    }
    const size_t size_bytes = fread(bytes, 1, FILE_BYTES_MAX, file);
    fclose(file);
    const enum oriel_status status =
        fill((struct bytes){bytes, size_bytes}, year_last, out, found, error);
    oriel_memory_release(memory, bytes, FILE_BYTES_MAX);
    if (!*found)
        oriel_zone_changes_release(out);
    return status;
}

void oriel_zone_changes_release(struct oriel_zone_changes *changes) {
    if (changes->instant_ms)
        oriel_memory_release(changes->memory, changes->instant_ms,
                             changes->capacity * sizeof *changes->instant_ms);
    if (changes->offset_ms)
        oriel_memory_release(changes->memory, changes->offset_ms,
                             (changes->capacity + 1) * sizeof *changes->offset_ms);
    *changes = (struct oriel_zone_changes){.memory = changes->memory};
}
