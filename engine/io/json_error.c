/*
 * Messages about a line of JSON, with its number, counted when it is needed.
 */
#include <stdio.h>
#include <string.h>

#include "engine/io/json_reader.h"

enum { SHOWN_BYTES = 80, COUNT_BYTES = 64 * 1024 };

static enum oriel_status count_file_lines(const struct json_source *source,
                                          const struct oriel_byte_source *bytes, uint64_t length,
                                          uint64_t *lines, struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    char *buffer = oriel_memory_allocate(memory, COUNT_BYTES);
    if (!buffer)
        return oriel_error_memory(error);
    enum oriel_status status = ORIEL_OK;
    *lines = 0;
    for (uint64_t at = 0; status == ORIEL_OK && at < length;) {
        const size_t piece = length - at < COUNT_BYTES ? (size_t)(length - at) : COUNT_BYTES;
        size_t got = 0;
        status = oriel_runtime_check(source->runtime, error);
        if (status == ORIEL_OK)
            status = oriel_byte_source_read_at(bytes, at, buffer, piece, &got, error);
        if (got == 0)
            break;
        *lines += csv_count_byte(buffer, got, '\n');
        at += got;
    }
    oriel_memory_release(memory, buffer, COUNT_BYTES);
    return status;
}

static enum oriel_status line_of(const struct json_source *source, const struct json_chunk *chunk,
                                 const char *place, uint32_t *line, struct oriel_error *error) {
    const size_t offset = (size_t)(place - chunk->text);
    uint64_t before = 0;
    if (chunk->is_block)
        before = chunk->lines_before + csv_count_byte(chunk->text, offset, '\n');
    else
        ORIEL_TRY(count_file_lines(source, &chunk->file->bytes, chunk->file_offset + offset,
                                   &before, error));
    *line = before < UINT32_MAX - 1 ? (uint32_t)before + 1 : UINT32_MAX;
    return ORIEL_OK;
}

static size_t count_characters(const char *begin, const char *end) {
    size_t count = 0;
    for (const char *at = begin; at < end; at++)
        count += ((unsigned char)*at & 0xC0) != 0x80;
    return count;
}

static void report_broken(struct oriel_text line, const struct json_cursor *cursor,
                          struct oriel_error *error) {
    char found[SHOWN_BYTES];
    const size_t left = (size_t)(cursor->end - cursor->at);
    const size_t column = count_characters(line.bytes, cursor->at) + 1;
    if (left == 0)
        oriel_error_set(error, ORIEL_DATA,
                        "broken JSON: the line ends at column %zu, where %s should stand", column,
                        cursor->expected);
    else
        oriel_error_set(error, ORIEL_DATA,
                        "broken JSON: found %s at column %zu, where %s should stand",
                        csv_escape_text(cursor->at, left < 16 ? left : 16, found, sizeof found),
                        column, cursor->expected);
}

/* The form that a value of the type has. */
static const char *form_of(const struct json_source *source, const struct oriel_type *type) {
    const bool has_zone = type->id == ORIEL_TYPE_TIMESTAMP_LTZ;
    switch (type->id) {
    case ORIEL_TYPE_DATE: return "; the form is \"yyyy-MM-dd\"";
    case ORIEL_TYPE_TIME: return "; the form is \"HH:mm:ss[.fraction]\"";
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        if (source->options.iso_timestamps)
            return has_zone ? "; the form is \"yyyy-MM-ddTHH:mm:ss[.fraction]Z\""
                            : "; the form is \"yyyy-MM-ddTHH:mm:ss[.fraction]\"";
        return has_zone ? "; the form is \"yyyy-MM-dd HH:mm:ss[.fraction]Z\" (with "
                          "'json.timestamp-format.standard' = 'ISO-8601' a T stands between)"
                        : "; the form is \"yyyy-MM-dd HH:mm:ss[.fraction]\" (with "
                          "'json.timestamp-format.standard' = 'ISO-8601' a T stands between)";
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY: return "; a string of Base64 is wanted";
    default: return "";
    }
}

static void report_value(const struct json_source *source, const struct json_plan *plan,
                         struct oriel_text shown, struct oriel_error *error) {
    char text[SHOWN_BYTES], name[SHOWN_BYTES], type[SHOWN_BYTES];
    csv_escape_text(shown.bytes ? shown.bytes : "", shown.length, text, sizeof text);
    csv_escape_text(plan->name, plan->name_length, name, sizeof name);
    oriel_error_set(error, ORIEL_DATA,
                    "Fail to deserialize at field: %s. The value '%s' is no %s%s", name, text,
                    oriel_type_print(&plan->type, false, type, sizeof type),
                    form_of(source, &plan->type));
}

enum oriel_status json_fault_describe(struct json_source *source, enum json_fault fault,
                                      const struct json_plan *plan, struct oriel_text line,
                                      const struct json_cursor *cursor, struct oriel_text shown,
                                      struct oriel_error *error) {
    char name[SHOWN_BYTES] = "";
    if (plan)
        csv_escape_text(plan->name, plan->name_length, name, sizeof name);
    switch (fault) {
    case JSON_FAULT_NONE: return ORIEL_OK;
    case JSON_FAULT_BROKEN: report_broken(line, cursor, error); break;
    case JSON_FAULT_NO_OBJECT:
        oriel_error_set(error, ORIEL_DATA,
                        "No content to map: each line must be an object, {\"name\": value, ...}, "
                        "or an array of objects");
        break;
    case JSON_FAULT_ENCODING:
        oriel_error_set(error, ORIEL_DATA, "Invalid UTF-8: byte 0x%02x; the file must be UTF-8",
                        (unsigned char)*cursor->at);
        break;
    case JSON_FAULT_VALUE: report_value(source, plan, shown, error); break;
    case JSON_FAULT_MISSING:
        oriel_error_set(error, ORIEL_DATA,
                        "Some field is missing in the JSON data: there is no '%s', and "
                        "'json.fail-on-missing-field' is set",
                        name);
        break;
    case JSON_FAULT_ROWTIME:
        oriel_error_set(error, ORIEL_DATA,
                        "RowTime field should not be null, please convert it to a non-null long "
                        "value. Here '%s' has none",
                        name);
        break;
    case JSON_FAULT_NOT_NULL:
        oriel_error_set(error, ORIEL_DATA,
                        "Column '%s' is NOT NULL, however, a null value is being written into it. "
                        "You can set job configuration 'table.exec.sink.not-null-enforcer'='DROP' "
                        "to suppress this exception and drop such records silently.",
                        name);
        break;
    }
    return ORIEL_DATA;
}

enum oriel_status json_fault_report(struct json_source *source, const struct json_worker *worker,
                                    enum json_fault fault, const struct json_plan *plan,
                                    struct oriel_text line, const struct json_cursor *cursor,
                                    struct oriel_text shown, struct oriel_error *error) {
    const struct json_chunk *chunk = &worker->chunk;
    uint32_t number;
    atomic_store(&source->failed, true);
    if (json_fault_describe(source, fault, plan, line, cursor, shown, error) == ORIEL_OK)
        return ORIEL_OK;
    ORIEL_TRY(line_of(source, chunk, line.bytes, &number, error));
    oriel_error_set_source(error, chunk->file->path, number, 0);
    return ORIEL_DATA;
}

void json_lenient_add(struct json_source *source, const struct json_chunk *chunk, const char *line,
                      struct oriel_text shown) {
    struct json_lenient *lenient = &source->lenient;
    const uint64_t offset = chunk->file_offset + (uint64_t)(line - chunk->text);
    pthread_mutex_lock(&lenient->mutex);
    if (lenient->count++ == 0 || chunk->number < lenient->number ||
        (chunk->number == lenient->number && offset < lenient->offset)) {
        lenient->number = chunk->number;
        lenient->offset = offset;
        lenient->file = chunk->file;
        lenient->line = 0;
        if (chunk->is_block)
            lenient->line = chunk->lines_before +
                            csv_count_byte(chunk->text, (size_t)(line - chunk->text), '\n') + 1;
        csv_escape_text(shown.bytes ? shown.bytes : "", shown.length, lenient->text,
                        sizeof lenient->text);
    }
    pthread_mutex_unlock(&lenient->mutex);
}

void json_lenient_note(struct json_source *source) {
    struct json_lenient *lenient = &source->lenient;
    uint64_t before = 0;
    if (lenient->count == 0 || atomic_load(&source->failed))
        return; /* how far other workers came before an error is chance */
    if (lenient->line == 0) {
        struct oriel_byte_source bytes = {.descriptor = -1};
        if (oriel_byte_source_open(&bytes, lenient->file->path, NULL) == ORIEL_OK &&
            count_file_lines(source, &bytes, lenient->offset, &before, NULL) == ORIEL_OK)
            lenient->line = before + 1;
        oriel_byte_source_close(&bytes);
    }
    oriel_runtime_note(source->runtime,
                       "%llu dates or times that do not exist were read by Flink's lenient rule; "
                       "the first is '%s' in %s:%llu",
                       (unsigned long long)lenient->count, lenient->text, lenient->file->path,
                       (unsigned long long)lenient->line);
}
