/*
 * Reads the first lines with the tokens of the reader; it reports lines that are broken when it
 * comes to them.
 */
#include "engine/io/json_infer.h"

#include <string.h>

#include "engine/io/column_guess.h"
#include "engine/io/json_reader.h"

enum { SAMPLE_BYTES = 1 << 20, SAMPLE_MAX_BYTES = 1 << 28, COLUMNS_MAX = 4096 };

struct json_guess {
    const char *name;
    size_t name_length;
    struct oriel_column_guess value;
};

struct json_sample {
    const struct oriel_runtime *runtime;
    struct oriel_arena *arena;
    char *bytes;
    size_t capacity;
    size_t length;
    struct json_guess *columns;
    uint32_t column_count;
    uint32_t column_capacity;
    bool has_iso, has_sql; /* timestamps with a T, with a blank */
};

static enum oriel_status read_bytes(struct json_sample *sample, struct oriel_byte_source *bytes,
                                    struct oriel_error *error) {
    uint64_t position = 0;
    bool at_end = false;
    for (size_t wanted = SAMPLE_BYTES;; wanted *= 4) {
        char *grown =
            oriel_memory_resize(sample->runtime->memory, sample->bytes, sample->capacity, wanted);
        if (!grown)
            return oriel_error_memory(error);
        sample->bytes = grown;
        sample->capacity = wanted;
        while (sample->length < wanted && !at_end) {
            size_t got;
            char *to = sample->bytes + sample->length;
            const size_t room = wanted - sample->length;
            if (bytes->seekable)
                ORIEL_TRY(oriel_byte_source_read_at(bytes, sample->length, to, room, &got, error));
            else
                ORIEL_TRY(oriel_byte_source_read_next(bytes, sample->runtime, &position, to, room,
                                                      &got, error));
            sample->length += got;
            at_end = got == 0;
        }
        const char *newline = sample->length ? memrchr(sample->bytes, '\n', sample->length) : NULL;
        if (at_end)
            return ORIEL_OK;
        if (newline) {
            sample->length = (size_t)(newline - sample->bytes);
            return ORIEL_OK;
        }
        if (wanted >= SAMPLE_MAX_BYTES)
            return oriel_error_set(error, ORIEL_DATA, "'%s': the first line is longer than %d MB",
                                   bytes->name, SAMPLE_MAX_BYTES >> 20);
    }
}

/* The column called `name`, made when it is new; NULL without memory. */
static struct json_guess *column_called(struct json_sample *sample, struct oriel_text name,
                                        uint32_t expected) {
    if (expected < sample->column_count && sample->columns[expected].name_length == name.length &&
        memcmp(sample->columns[expected].name, name.bytes, name.length) == 0)
        return &sample->columns[expected];
    for (uint32_t i = 0; i < sample->column_count; i++) {
        struct json_guess *column = &sample->columns[i];
        if (column->name_length == name.length &&
            memcmp(column->name, name.bytes, name.length) == 0)
            return column;
    }
    if (sample->column_count == sample->column_capacity) {
        const uint32_t capacity = sample->column_capacity ? 2 * sample->column_capacity : 32;
        struct json_guess *grown =
            oriel_memory_resize(sample->runtime->memory, sample->columns,
                                sample->column_capacity * sizeof *grown, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        sample->columns = grown;
        sample->column_capacity = capacity;
    }
    struct json_guess *column = &sample->columns[sample->column_count];
    *column = (struct json_guess){oriel_arena_copy(sample->arena, name.bytes, name.length),
                                  name.length,
                                  {ORIEL_GUESS_NOTHING, 0}};
    if (!column->name)
        return NULL;
    sample->column_count++;
    return column;
}

/* Strings that look like times may be columns of times; those that look like numbers are texts. */
static struct oriel_column_guess guess_string(struct json_sample *sample, struct oriel_text text) {
    char copy[40];
    if (text.length >= sizeof copy || text.length < 10)
        return (struct oriel_column_guess){ORIEL_GUESS_STRING, 0};
    memcpy(copy, text.bytes, text.length);
    const bool has_mark = text.length > 10 && copy[10] == 'T';
    if (has_mark)
        copy[10] = ' ';
    const struct oriel_column_guess found =
        oriel_guess_text((struct oriel_text){copy, text.length});
    const bool is_time =
        found.guess == ORIEL_GUESS_TIMESTAMP || found.guess == ORIEL_GUESS_TIMESTAMP_LTZ;
    sample->has_iso |= is_time && has_mark;
    sample->has_sql |= is_time && !has_mark;
    return is_time || found.guess == ORIEL_GUESS_DATE
               ? found
               : (struct oriel_column_guess){ORIEL_GUESS_STRING, 0};
}

static struct oriel_column_guess guess_value(struct json_sample *sample,
                                             const struct json_token *token) {
    switch (token->kind) {
    case JSON_NULL: return (struct oriel_column_guess){ORIEL_GUESS_NOTHING, 0};
    case JSON_TRUE:
    case JSON_FALSE: return (struct oriel_column_guess){ORIEL_GUESS_BOOLEAN, 0};
    case JSON_NUMBER: {
        const struct oriel_column_guess found = oriel_guess_text(token->text);
        return found.guess == ORIEL_GUESS_BIGINT
                   ? found
                   : (struct oriel_column_guess){ORIEL_GUESS_DOUBLE, 0};
    }
    case JSON_STRING: return guess_string(sample, token->text);
    case JSON_OBJECT:
    case JSON_ARRAY:
    case JSON_BROKEN: break;
    }
    return (struct oriel_column_guess){ORIEL_GUESS_STRING, 0};
}

static enum oriel_status guess_line(struct json_sample *sample, const char *line, const char *end,
                                    struct oriel_arena *scratch, struct oriel_error *error) {
    struct json_cursor cursor = {.at = line, .end = end, .arena = scratch};
    struct json_token token = json_read_token(&cursor);
    struct oriel_text name;
    if (token.kind != JSON_OBJECT)
        return cursor.out_of_memory ? oriel_error_memory(error) : ORIEL_OK;
    for (uint32_t place = 0; json_next_name(&cursor, place == 0, &name); place++) {
        if (sample->column_count >= COLUMNS_MAX)
            return ORIEL_OK;
        struct json_guess *column = column_called(sample, name, place);
        if (!column)
            return oriel_error_memory(error);
        token = json_read_token(&cursor);
        if (json_is_broken(&cursor))
            break;
        const struct oriel_column_guess found = guess_value(sample, &token);
        if (found.guess != ORIEL_GUESS_NOTHING)
            column->value = oriel_guess_widen(column->value, found);
        if ((token.kind == JSON_OBJECT || token.kind == JSON_ARRAY) &&
            !json_skip(&cursor, token.kind, 1))
            break;
    }
    return cursor.out_of_memory ? oriel_error_memory(error) : ORIEL_OK;
}

static enum oriel_status guess_lines(struct json_sample *sample, struct oriel_error *error) {
    struct oriel_arena scratch;
    enum oriel_status status = ORIEL_OK;
    oriel_arena_init(&scratch, sample->runtime->memory);
    const char *end = sample->bytes + sample->length;
    const char *line = sample->bytes;
    if (sample->length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0)
        line += 3;
    while (line < end && status == ORIEL_OK) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline ? newline : end;
        oriel_arena_reset(&scratch);
        status = guess_line(sample, line, stop, &scratch, error);
        line = stop + 1;
    }
    oriel_arena_deinit(&scratch);
    return status;
}

static enum oriel_status make_schema(const struct json_sample *sample, const char *path,
                                     bool may_choose_form, struct oriel_json_options *options,
                                     struct oriel_schema *out, struct oriel_error *error) {
    if (!sample->column_count)
        return oriel_error_set(error, ORIEL_DATA,
                               "'%s' has no object to take the columns of the table from", path);
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(sample->arena, sample->column_count, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    if (may_choose_form && sample->has_iso && !sample->has_sql)
        options->iso_timestamps = true;
    const bool has_other_form = options->iso_timestamps ? sample->has_sql : sample->has_iso;
    for (uint32_t i = 0; i < sample->column_count; i++) {
        fields[i] = (struct oriel_field){sample->columns[i].name,
                                         oriel_guess_type(sample->columns[i].value)};
        if (has_other_form && oriel_type_is_timestamp(&fields[i].type))
            fields[i].type = oriel_type_string();
    }
    *out = (struct oriel_schema){sample->column_count, fields};
    return ORIEL_OK;
}

enum oriel_status oriel_json_infer(const struct oriel_runtime *runtime, const char *path,
                                   bool may_choose_form, struct oriel_json_options *options,
                                   struct oriel_arena *arena, struct oriel_schema *out,
                                   struct oriel_error *error) {
    struct json_sample sample = {.runtime = runtime, .arena = arena};
    struct oriel_byte_source bytes;
    ORIEL_TRY(oriel_byte_source_open_unpacked(&bytes, runtime->memory, path, error));
    enum oriel_status status;
    if (!bytes.seekable && !bytes.unpacker && bytes.size_bytes == 0)
        status = oriel_error_set(
            error, ORIEL_DATA,
            "'%s' is empty, or can be read only once, so that its columns are unknown: "
            "declare them with CREATE TABLE",
            path);
    else
        status = read_bytes(&sample, &bytes, error);
    oriel_byte_source_close(&bytes);
    if (status == ORIEL_OK)
        status = guess_lines(&sample, error);
    if (status == ORIEL_OK)
        status = make_schema(&sample, path, may_choose_form, options, out, error);
    oriel_memory_release(runtime->memory, sample.bytes, sample.capacity);
    oriel_memory_release(runtime->memory, sample.columns,
                         sample.column_capacity * sizeof *sample.columns);
    return status;
}
