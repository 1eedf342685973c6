/*
 * What is said about bad input: Flink's sentence, the column, the text, the file and the line.
 * Lines are counted here, from the start of the file, and only once something is wrong.
 */
#include <stdio.h>
#include <string.h>

#include "engine/base/number_text.h"
#include "engine/io/csv_reader.h"

enum {
    SHOWN_BYTES = 120, /* of an offending text */
    ESCAPED_BYTES = 4 * SHOWN_BYTES + 8,
    NAME_BYTES = 256,
    COUNT_BYTES = 1 << 18, /* read at once when lines are counted */
};

/* Bytes of the well-formed character at `text`, 0 if there is none. Escapes need no more rigour. */
static size_t character_bytes(const char *text, size_t length) {
    const unsigned char lead = (unsigned char)text[0];
    const size_t need = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
    if (need > length)
        return 0;
    for (size_t i = 1; i < need; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
    }
    return need;
}

const char *csv_escape_text(const char *text, size_t length, char *out, size_t capacity) {
    static const char letters[] = "nrt";
    static const char controls[] = "\n\r\t";
    const size_t shown = length < SHOWN_BYTES ? length : SHOWN_BYTES;
    size_t count = 0;
    size_t at = 0;
    while (at < shown && count + 8 < capacity) {
        const unsigned char byte = (unsigned char)text[at];
        const size_t bytes = character_bytes(text + at, length - at);
        const bool is_c1 = bytes == 2 && byte == 0xC2 && (unsigned char)text[at + 1] < 0xA0;
        const char *control = byte ? strchr(controls, byte) : NULL;
        if (control) {
            out[count++] = '\\';
            out[count++] = letters[control - controls];
        } else if (bytes == 0 || byte < ' ' || byte == 0x7F || is_c1) {
            count += (size_t)snprintf(out + count, capacity - count, "\\x%02x", byte);
            if (is_c1)
                count += (size_t)snprintf(out + count, capacity - count, "\\x%02x",
                                          (unsigned char)text[at + 1]);
        } else {
            memcpy(out + count, text + at, bytes);
            count += bytes;
        }
        at += bytes ? bytes : 1;
    }
    snprintf(out + count, capacity - count, "%s", at < length ? "..." : "");
    return out;
}

size_t csv_count_byte(const char *text, size_t length, char byte) {
    enum { STEP = 240 }; /* a count of so many fits a byte, so that compilers use byte lanes */
    size_t count = 0;
    for (size_t at = 0; at < length; at += STEP) {
        const size_t step = length - at < STEP ? length - at : STEP;
        uint8_t found = 0;
        for (size_t i = 0; i < step; i++)
            found = (uint8_t)(found + (text[at + i] == byte));
        count += found;
    }
    return count;
}

uint64_t csv_count_lines(const char *text, size_t length, char behind) {
    const size_t newlines = csv_count_byte(text, length, '\n');
    if (!memchr(text, '\r', length))
        return newlines;
    size_t lone = 0;
    for (size_t i = 0; i + 1 < length; i++)
        lone += text[i] == '\r' && text[i + 1] != '\n';
    return newlines + lone + (text[length - 1] == '\r' && behind != '\n');
}

static enum oriel_status count_file_lines(const struct csv_source *source,
                                          const struct csv_file *file, uint64_t length,
                                          uint64_t *lines, struct oriel_error *error) {
    struct oriel_memory *memory = source->runtime->memory;
    char *buffer = oriel_memory_allocate(memory, COUNT_BYTES);
    if (!buffer)
        return oriel_error_memory(error);
    enum oriel_status status = ORIEL_OK;
    uint64_t count = 0;
    for (uint64_t at = 0; status == ORIEL_OK && at < length;) {
        const uint64_t left = length - at;
        const size_t piece = left < COUNT_BYTES - 1 ? (size_t)left : COUNT_BYTES - 1;
        size_t got = 0;
        status = oriel_runtime_check(source->runtime, error);
        if (status == ORIEL_OK)
            status = oriel_byte_source_read_at(&file->bytes, at, buffer, piece + 1, &got, error);
        if (got == 0)
            break;
        const size_t used = got < piece ? got : piece;
        count += csv_count_lines(buffer, used, used < got ? buffer[used] : '\0');
        at += used;
    }
    oriel_memory_release(memory, buffer, COUNT_BYTES);
    *lines = count;
    return status;
}

enum oriel_status csv_line_of(const struct csv_source *source, const struct csv_chunk *chunk,
                              uint64_t text_offset, uint32_t *line, struct oriel_error *error) {
    uint64_t before = 0;
    if (chunk->is_block)
        before = chunk->lines_before +
                 csv_count_lines(chunk->text, (size_t)text_offset,
                                 text_offset < chunk->length ? chunk->text[text_offset] : '\0');
    else
        ORIEL_TRY(count_file_lines(source, chunk->file, chunk->file_offset + text_offset, &before,
                                   error));
    *line = before < UINT32_MAX - 1 ? (uint32_t)before + 1 : UINT32_MAX;
    return ORIEL_OK;
}

void csv_lenient_add(struct csv_source *source, const struct csv_chunk *chunk, uint32_t offset,
                     const char *text, size_t length) {
    struct csv_lenient *lenient = &source->lenient;
    const uint64_t place = chunk->file_offset + offset;
    pthread_mutex_lock(&lenient->mutex);
    const bool is_first = lenient->count == 0 || chunk->number < lenient->number ||
                          (chunk->number == lenient->number && place < lenient->offset);
    lenient->count++;
    if (is_first) {
        lenient->number = chunk->number;
        lenient->offset = place;
        lenient->file = chunk->file;
        lenient->line = 0;
        if (chunk->is_block)
            lenient->line = chunk->lines_before + csv_count_lines(chunk->text, offset, '\0') + 1;
        csv_escape_text(text, length, lenient->text, sizeof lenient->text);
    }
    pthread_mutex_unlock(&lenient->mutex);
}

void csv_lenient_note(struct csv_source *source) {
    struct csv_lenient *lenient = &source->lenient;
    if (lenient->count == 0 || source->chain.failed)
        return; /* how far other workers came before an error is chance */
    if (lenient->line == 0) {
        struct csv_file *file = source->files + (lenient->file - source->files);
        uint64_t before = 0;
        const bool reopened =
            file->bytes.text || oriel_byte_source_open(&file->bytes, file->path, NULL) == ORIEL_OK;
        if (reopened && count_file_lines(source, file, lenient->offset, &before, NULL) == ORIEL_OK)
            lenient->line = before + 1;
        if (!file->bytes.text)
            oriel_byte_source_close(&file->bytes);
    }
    oriel_runtime_note(source->runtime,
                       "%llu dates or times that do not exist were read by Flink's lenient rule; "
                       "the first is '%s' in %s:%llu",
                       (unsigned long long)lenient->count, lenient->text, lenient->file->path,
                       (unsigned long long)lenient->line);
}

static size_t count_characters(struct oriel_text text) {
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += ((unsigned char)text.bytes[i] & 0xC0) != 0x80;
    return count;
}

static struct oriel_text content_of(const struct csv_source *source, struct csv_worker *worker,
                                    const uint32_t *entry) {
    const char *text = worker->chunk.text + (uint32_t)(entry[0] + 1);
    const size_t length = entry[1] - (uint32_t)(entry[0] + 1);
    struct oriel_text content = {text, length};
    bool quoted;
    if (csv_value_content(source, &worker->arena, text, length, &content, &quoted) != CSV_VALUE_OK)
        content = (struct oriel_text){text, length};
    if (!quoted && content.length && content.bytes[content.length - 1] == '\r')
        content.length--;
    return content;
}

/* Adds to a message how the type came about. */
static enum oriel_status add_guess(const struct csv_source *source, struct oriel_error *error) {
    if (!source->options.is_guessed || !error)
        return ORIEL_DATA;
    const size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length,
             "; the first rows gave the column this type: declare it with CREATE TABLE");
    return ORIEL_DATA;
}

static enum oriel_status report_value(const struct csv_source *source, struct csv_worker *worker,
                                      const uint32_t *positions, const struct csv_column_plan *plan,
                                      struct oriel_error *error) {
    char shown[ESCAPED_BYTES], name[NAME_BYTES], type[128];
    const struct oriel_text content = content_of(source, worker, positions + plan->field);
    csv_escape_text(content.bytes, content.length, shown, sizeof shown);
    csv_escape_text(plan->name, strlen(plan->name), name, sizeof name);
    oriel_type_print(&plan->type, false, type, sizeof type);
    int64_t ignored;
    switch (plan->type.id) {
    case ORIEL_TYPE_TIMESTAMP:
    case ORIEL_TYPE_TIMESTAMP_LTZ:
        return oriel_error_set(error, ORIEL_DATA,
                               "column '%s' %s: Text '%s' could not be parsed; the form is "
                               "yyyy-MM-dd HH:mm:ss[.fraction]%s",
                               name, type, shown,
                               plan->type.id == ORIEL_TYPE_TIMESTAMP ? "" : " with a Z at the end");
    case ORIEL_TYPE_DATE:
    case ORIEL_TYPE_TIME:
        return oriel_error_set(
            error, ORIEL_DATA, "column '%s' %s: Text '%s' could not be parsed; the form is %s",
            name, type, shown,
            plan->type.id == ORIEL_TYPE_DATE ? "yyyy-MM-dd" : "HH:mm:ss[.fraction]");
    case ORIEL_TYPE_BINARY:
    case ORIEL_TYPE_VARBINARY:
        return oriel_error_set(error, ORIEL_DATA, "column '%s' %s: \"%s\" is broken Base64", name,
                               type, shown);
    case ORIEL_TYPE_TINYINT:
    case ORIEL_TYPE_SMALLINT:
        if (oriel_integer_parse(content.bytes, content.length, INT32_MIN, INT32_MAX, &ignored) ==
            ORIEL_INTEGER_OK)
            return oriel_error_set(error, ORIEL_DATA,
                                   "column '%s' %s: Value out of range. Value:\"%s\" Radix:10",
                                   name, type, shown);
        break;
    default: break;
    }
    return oriel_error_set(error, ORIEL_DATA, "column '%s' %s: For input string: \"%s\"", name,
                           type, shown);
}

/* Where text after a closing quote stands in the record; its end when there is none. */
static uint32_t find_bad_byte(const struct csv_source *source, const struct csv_chunk *chunk,
                              uint32_t begin, uint32_t end) {
    struct csv_scanner scanner = {.options = &source->options};
    size_t at = begin;
    while (at < end && !scanner.bad) {
        if (csv_scan_exact(&scanner, chunk->text, at, at + 1, at + 1 == end, false, &at, NULL) !=
            ORIEL_OK)
            break;
    }
    return (uint32_t)(scanner.bad ? at - 1 : begin);
}

static uint8_t bad_encoding_byte(const struct csv_source *source, const struct csv_chunk *chunk,
                                 uint32_t begin, uint32_t end, uint32_t *place) {
    const size_t good = source->runtime->kernels->utf8_validate(chunk->text + begin, end - begin);
    *place = begin + (uint32_t)good;
    return (uint8_t)chunk->text[*place];
}

enum oriel_status csv_fault_describe(const struct csv_source *source, struct csv_worker *worker,
                                     enum csv_fault fault, const uint32_t *positions,
                                     uint32_t field_count, const struct csv_column_plan *plan,
                                     uint32_t *out_place, struct oriel_error *error) {
    const struct csv_chunk *chunk = &worker->chunk;
    const uint32_t begin = positions[0] + 1;
    uint32_t end = positions[field_count];
    if (end > begin && chunk->text[end - 1] == '\r')
        end--; /* of the line end: there or not, by the kind of index */
    uint32_t place = fault == CSV_FAULT_VALUE ? positions[plan->field] + 1 : begin;
    char shown[ESCAPED_BYTES];
    struct oriel_error *e = error;
    switch (fault) {
    case CSV_FAULT_NONE: return ORIEL_OK;
    case CSV_FAULT_ENCODING: {
        const unsigned byte = bad_encoding_byte(source, chunk, begin, end, &place);
        oriel_error_set(e, ORIEL_DATA, "Invalid UTF-8: byte 0x%02x; the file must be UTF-8", byte);
        break;
    }
    case CSV_FAULT_AFTER_QUOTE:
        place = find_bad_byte(source, chunk, begin, end);
        csv_escape_text(chunk->text + place, end - place, shown, 24);
        oriel_error_set(
            e, ORIEL_DATA,
            "Unexpected character after a closing quote (code %u): expected '%c' or the "
            "end of the line, found %s",
            (unsigned char)chunk->text[place], source->options.delimiter, shown);
        break;
    case CSV_FAULT_UNCLOSED:
        place = positions[field_count - 1] + 1;
        csv_escape_text(chunk->text + place, end - place < 40 ? end - place : 40, shown,
                        sizeof shown);
        oriel_error_set(e, ORIEL_DATA, "Missing closing quote for value: %s", shown);
        break;
    case CSV_FAULT_ESCAPE_AT_END:
        place = positions[field_count - 1] + 1;
        oriel_error_set(e, ORIEL_DATA, "Unexpected end of the file in an escaped character");
        break;
    case CSV_FAULT_TOO_MANY: {
        const struct oriel_text extra = content_of(source, worker, positions + source->field_count);
        csv_escape_text(extra.bytes, extra.length, shown, sizeof shown);
        oriel_error_set(e, ORIEL_DATA,
                        "Too many entries: expected at most %u (value #%u (%zu chars) \"%s\")",
                        source->field_count, source->field_count, count_characters(extra), shown);
        break;
    }
    case CSV_FAULT_TOO_FEW:
        oriel_error_set(e, ORIEL_DATA, "Row length mismatch. %u fields expected but was %u.",
                        source->field_count, field_count);
        break;
    case CSV_FAULT_VALUE:
        report_value(source, worker, positions, plan, e);
        add_guess(source, e);
        break;
    case CSV_FAULT_ROWTIME:
        oriel_error_set(e, ORIEL_DATA,
                        "RowTime field should not be null, please convert it to a non-null long "
                        "value. Column '%s' is empty here; rows without time are left out with "
                        "--rejects, or in batch mode",
                        plan ? plan->name : "");
        break;
    case CSV_FAULT_NOT_NULL:
        csv_escape_text(plan->name, strlen(plan->name), shown, sizeof shown);
        oriel_error_set(e, ORIEL_DATA,
                        "Column '%s' is NOT NULL, however, a null value is being written into it. "
                        "You can set job configuration 'table.exec.sink.not-null-enforcer'='DROP' "
                        "to suppress this exception and drop such records silently.",
                        shown);
        break;
    }
    *out_place = place;
    return ORIEL_DATA;
}

enum oriel_status csv_fault_report(const struct csv_source *source, struct csv_worker *worker,
                                   enum csv_fault fault, const uint32_t *positions,
                                   uint32_t field_count, const struct csv_column_plan *plan,
                                   struct oriel_error *error) {
    uint32_t place = 0, line;
    const enum oriel_status status =
        csv_fault_describe(source, worker, fault, positions, field_count, plan, &place, error);
    if (status == ORIEL_OK)
        return status;
    ORIEL_TRY(csv_line_of(source, &worker->chunk, place, &line, error));
    oriel_error_set_source(error, worker->chunk.file->path, line, 0);
    return ORIEL_DATA;
}
