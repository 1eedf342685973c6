/*
 * Reads the first megabyte and finds its records with the exact scanner. What a column is called
 * and holds is then a question of texts; the readers check every row of what was found here.
 */
#include "engine/io/csv_sniff.h"

#include <string.h>

#include "engine/io/column_guess.h"
#include "engine/io/csv_reader.h"

enum {
    SAMPLE_BYTES = 1 << 20,
    SAMPLE_MAX_BYTES = 1 << 28, /* for one record */
    NAME_BYTES = 96,
};

struct sample {
    const struct oriel_runtime *runtime;
    struct csv_source source; /* for the functions that look at options */
    char *bytes;
    size_t capacity;
    size_t length;
    bool is_whole; /* the file ended */
    struct csv_index index;
};

/* ---- bytes and records ---- */

static enum oriel_status read_bytes(struct sample *sample, struct oriel_byte_source *bytes,
                                    size_t wanted, struct oriel_error *error) {
    if (wanted > sample->capacity) {
        char *grown =
            oriel_memory_resize(sample->runtime->memory, sample->bytes, sample->capacity, wanted);
        if (!grown)
            return oriel_error_memory(error);
        sample->bytes = grown;
        sample->capacity = wanted;
    }
    uint64_t position = sample->length;
    while (sample->length < wanted && !sample->is_whole) {
        size_t got;
        char *to = sample->bytes + sample->length;
        const size_t room = wanted - sample->length;
        if (bytes->seekable)
            ORIEL_TRY(oriel_byte_source_read_at(bytes, sample->length, to, room, &got, error));
        else
            ORIEL_TRY(oriel_byte_source_read_next(bytes, sample->runtime, &position, to, room, &got,
                                                  error));
        sample->length += got;
        sample->is_whole = got == 0;
    }
    return ORIEL_OK;
}

static enum oriel_status find_records(struct sample *sample, struct oriel_error *error) {
    csv_index_deinit(&sample->index, sample->runtime->memory);
    sample->index.separated = true;
    struct csv_scanner scanner = {
        .options = &sample->source.options,
        .memory = sample->runtime->memory,
        .index = &sample->index,
    };
    const size_t mark =
        sample->length >= 3 && memcmp(sample->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    size_t stop;
    if (sample->length == 0)
        return ORIEL_OK;
    ORIEL_TRY(csv_scan_exact(&scanner, sample->bytes, mark,
                             sample->is_whole ? sample->length : sample->length - 1,
                             sample->is_whole, false, &stop, error));
    return sample->is_whole ? csv_scan_finish(&scanner, sample->length, error) : ORIEL_OK;
}

static enum oriel_status take_records(struct sample *sample, struct oriel_byte_source *bytes,
                                      struct oriel_error *error) {
    for (size_t wanted = SAMPLE_BYTES;; wanted *= 4) {
        ORIEL_TRY(read_bytes(sample, bytes, wanted, error));
        ORIEL_TRY(find_records(sample, error));
        if (sample->index.record_count || sample->is_whole)
            return ORIEL_OK;
        if (wanted >= SAMPLE_MAX_BYTES)
            return oriel_error_set(error, ORIEL_DATA,
                                   "'%s': the first record is longer than %d MB; is a quote not "
                                   "closed?",
                                   bytes->name, SAMPLE_MAX_BYTES >> 20);
    }
}

/* *can_seek: the file can be read again, else nothing was read. */
static enum oriel_status sample_open(struct sample *sample, const struct oriel_runtime *runtime,
                                     const char *path, const struct oriel_csv_options *options,
                                     bool *can_seek, struct oriel_error *error) {
    *sample = (struct sample){.runtime = runtime, .source = {.options = *options}};
    struct oriel_byte_source bytes;
    ORIEL_TRY(oriel_byte_source_open_unpacked(&bytes, runtime->memory, path, error));
    *can_seek = bytes.seekable || bytes.unpacker || bytes.size_bytes > 0;
    const enum oriel_status status = *can_seek ? take_records(sample, &bytes, error) : ORIEL_OK;
    oriel_byte_source_close(&bytes);
    return status;
}

static void sample_close(struct sample *sample) {
    csv_index_deinit(&sample->index, sample->runtime->memory);
    oriel_memory_release(sample->runtime->memory, sample->bytes, sample->capacity);
}

static uint32_t field_count(const struct sample *sample, uint32_t record) {
    return sample->index.record_ends[record] - csv_first_entry(&sample->index, record);
}

static enum oriel_status field_of(const struct sample *sample, struct oriel_arena *arena,
                                  uint32_t record, uint32_t field, struct oriel_text *out,
                                  bool *is_null, struct oriel_error *error) {
    const uint32_t *entry =
        sample->index.positions + csv_first_entry(&sample->index, record) + field;
    const uint32_t begin = entry[0] + 1;
    bool quoted = false;
    *is_null = false;
    if (csv_value_content(&sample->source, arena, sample->bytes + begin, entry[1] - begin, out,
                          &quoted) != CSV_VALUE_OK)
        return oriel_error_memory(error);
    *is_null = csv_is_null_literal(&sample->source.options, *out, quoted);
    return ORIEL_OK;
}

/* ---- columns ---- */

/* Guesses the columns from records [first, ...). */
static enum oriel_status guess_columns(const struct sample *sample, struct oriel_arena *arena,
                                       uint32_t first, uint32_t count,
                                       struct oriel_column_guess *columns,
                                       struct oriel_error *error) {
    const uint32_t records = sample->index.record_count;
    const uint32_t limit = first + ORIEL_CSV_SNIFFED_ROWS;
    memset(columns, 0, count * sizeof *columns);
    for (uint32_t r = first; r < records && r < limit; r++) {
        const uint32_t fields = field_count(sample, r);
        for (uint32_t f = 0; f < fields && f < count; f++) {
            struct oriel_text text;
            bool is_null;
            if (columns[f].guess == ORIEL_GUESS_STRING)
                continue;
            ORIEL_TRY(field_of(sample, arena, r, f, &text, &is_null, error));
            if (f + 1 == fields && text.length && text.bytes[text.length - 1] == '\r')
                text.length--;
            if (!is_null)
                columns[f] = oriel_guess_widen(columns[f], oriel_guess_text(text));
        }
    }
    return ORIEL_OK;
}

/* ---- header ---- */

static enum oriel_status read_names(const struct sample *sample, const char *path,
                                    struct oriel_arena *arena, struct oriel_csv_header *out,
                                    struct oriel_error *error) {
    const uint32_t count = field_count(sample, 0);
    const char **names = oriel_arena_allocate_zeroed(arena, count, sizeof *names);
    if (!names)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        struct oriel_text text;
        bool is_null;
        ORIEL_TRY(field_of(sample, arena, 0, i, &text, &is_null, error));
        if (i + 1 == count && text.length && text.bytes[text.length - 1] == '\r')
            text.length--;
        names[i] = text.length && !memchr(text.bytes, '\0', text.length)
                       ? oriel_arena_copy(arena, text.bytes, text.length)
                       : oriel_arena_print(arena, "f%u", i);
        if (!names[i])
            return oriel_error_memory(error);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(names[i], names[k]) == 0)
                return oriel_error_set(error, ORIEL_DATA,
                                       "the header of '%s' has two columns called '%.*s'", path,
                                       NAME_BYTES, names[i]);
        }
    }
    *out = (struct oriel_csv_header){count, names};
    return ORIEL_OK;
}

static bool is_word(struct oriel_text text) {
    const unsigned char first = (unsigned char)text.bytes[0];
    const unsigned char lower = first | 0x20;
    return (lower >= 'a' && lower <= 'z') || first == '_' || first >= 0x80;
}

/*
 * Whether the first record is a header: words that differ from each other, over values of other
 * types or, where all is text, over texts that are never the same.
 */
static enum oriel_status find_header(const struct sample *sample, struct oriel_arena *arena,
                                     const struct oriel_column_guess *columns, uint32_t count,
                                     bool *is_header, struct oriel_error *error) {
    bool has_values = false;
    *is_header = false;
    for (uint32_t f = 0; f < count; f++) {
        struct oriel_text name;
        bool is_null;
        ORIEL_TRY(field_of(sample, arena, 0, f, &name, &is_null, error));
        if (is_null || name.length == 0 || !is_word(name) ||
            oriel_guess_text(name).guess != ORIEL_GUESS_STRING)
            return ORIEL_OK;
        for (uint32_t k = 0; k < f; k++) {
            struct oriel_text other;
            ORIEL_TRY(field_of(sample, arena, 0, k, &other, &is_null, error));
            if (oriel_text_equal(name, other))
                return ORIEL_OK;
        }
        has_values |=
            columns[f].guess != ORIEL_GUESS_STRING && columns[f].guess != ORIEL_GUESS_NOTHING;
        const uint32_t limit = sample->index.record_count < ORIEL_CSV_SNIFFED_ROWS
                                   ? sample->index.record_count
                                   : ORIEL_CSV_SNIFFED_ROWS;
        for (uint32_t r = 1; r < limit && columns[f].guess == ORIEL_GUESS_STRING; r++) {
            struct oriel_text value;
            if (field_count(sample, r) <= f)
                continue;
            ORIEL_TRY(field_of(sample, arena, r, f, &value, &is_null, error));
            if (oriel_text_equal(name, value))
                return ORIEL_OK;
        }
    }
    *is_header = has_values || sample->index.record_count > 1 || count > 1;
    return ORIEL_OK;
}

/* ---- delimiter ---- */

/* The delimiter that cuts the first records into most fields, all into as many. */
static enum oriel_status find_delimiter(struct sample *sample, struct oriel_csv_options *options,
                                        struct oriel_error *error) {
    static const char candidates[] = {',', '\t', ';', '|'};
    uint32_t best_count = 1;
    char best = options->delimiter;
    for (size_t i = 0; i < sizeof candidates; i++) {
        sample->source.options.delimiter = candidates[i];
        ORIEL_TRY(find_records(sample, error));
        const uint32_t records = sample->index.record_count < 20 ? sample->index.record_count : 20;
        bool is_same = records > 0;
        for (uint32_t r = 1; r < records; r++)
            is_same &= field_count(sample, r) == field_count(sample, 0);
        if (is_same && field_count(sample, 0) > best_count) {
            best_count = field_count(sample, 0);
            best = candidates[i];
        }
    }
    sample->source.options.delimiter = options->delimiter = best;
    return find_records(sample, error);
}

/* ---- what callers ask ---- */

enum oriel_status oriel_csv_read_header(const struct oriel_runtime *runtime, const char *path,
                                        const struct oriel_csv_options *options,
                                        struct oriel_arena *arena, struct oriel_csv_header *out,
                                        struct oriel_error *error) {
    struct sample sample;
    bool can_seek;
    *out = (struct oriel_csv_header){0};
    enum oriel_status status = sample_open(&sample, runtime, path, options, &can_seek, error);
    if (status == ORIEL_OK && can_seek && sample.index.record_count)
        status = read_names(&sample, path, arena, out, error);
    sample_close(&sample);
    return status;
}

static enum oriel_status infer(struct sample *sample, const char *path,
                               enum oriel_csv_sniffing sniffing, struct oriel_csv_options *options,
                               struct oriel_arena *arena, struct oriel_arena *scratch,
                               struct oriel_schema *out, struct oriel_error *error) {
    if (sniffing == ORIEL_CSV_SNIFF_DELIMITER)
        ORIEL_TRY(find_delimiter(sample, options, error));
    if (!sample->index.record_count)
        return oriel_error_set(error, ORIEL_DATA,
                               "'%s' has no row to take the columns of the table from", path);
    const uint32_t count = field_count(sample, 0);
    struct oriel_column_guess *columns =
        oriel_arena_allocate_zeroed(scratch, count, sizeof *columns);
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, count, sizeof *fields);
    if (!columns || !fields)
        return oriel_error_memory(error);
    const bool is_told = sniffing == ORIEL_CSV_SNIFF_TYPES;
    ORIEL_TRY(guess_columns(sample, scratch, !is_told || options->header, count, columns, error));
    if (!is_told) {
        ORIEL_TRY(find_header(sample, scratch, columns, count, &options->header, error));
        if (!options->header)
            ORIEL_TRY(guess_columns(sample, scratch, 0, count, columns, error));
    }
    struct oriel_csv_header header = {0};
    if (options->header)
        ORIEL_TRY(read_names(sample, path, arena, &header, error));
    for (uint32_t i = 0; i < count; i++) {
        fields[i].type = oriel_guess_type(columns[i]);
        fields[i].name = options->header ? header.names[i] : oriel_arena_print(arena, "f%u", i);
        if (!fields[i].name)
            return oriel_error_memory(error);
    }
    *out = (struct oriel_schema){count, fields};
    return ORIEL_OK;
}

enum oriel_status oriel_csv_infer(const struct oriel_runtime *runtime, const char *path,
                                  enum oriel_csv_sniffing sniffing,
                                  struct oriel_csv_options *options, struct oriel_arena *arena,
                                  struct oriel_schema *out, struct oriel_error *error) {
    struct sample sample;
    struct oriel_arena scratch;
    bool can_seek;
    oriel_arena_init(&scratch, runtime->memory);
    enum oriel_status status = sample_open(&sample, runtime, path, options, &can_seek, error);
    if (status == ORIEL_OK && !can_seek)
        status = oriel_error_set(
            error, ORIEL_DATA,
            "'%s' is empty, or can be read only once, so that its columns are unknown: "
            "declare them with CREATE TABLE",
            path);
    if (status == ORIEL_OK)
        status = infer(&sample, path, sniffing, options, arena, &scratch, out, error);
    sample_close(&sample);
    oriel_arena_deinit(&scratch);
    return status;
}
