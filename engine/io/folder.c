/*
 * Between the names of folders and values. What Flink writes for a DATE and a TIME, the number that
 * stands for it inside Flink, Flink itself cannot read; here they are written as CSV has them.
 */
#include "engine/io/folder.h"

#include <string.h>

#include "engine/io/csv_reader.h"

enum { VALUE_BYTES_MAX = 16, TYPE_TEXT_BYTES = 128 };

static const char hex_digits[] = "0123456789ABCDEF";

/* ---- reading ---- */

static int hex_value(char digit) {
    const char lower = (char)(digit | 0x20);
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Undoes %2F; what is no such number stays. */
static char *unescape(struct oriel_arena *arena, struct oriel_text text, size_t *length) {
    char *out = oriel_arena_allocate(arena, text.length + 1);
    if (!out)
        return NULL;
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++) {
        const bool is_escape = text.bytes[i] == '%' && i + 2 < text.length &&
                               hex_value(text.bytes[i + 1]) >= 0 &&
                               hex_value(text.bytes[i + 2]) >= 0;
        out[count++] =
            is_escape ? (char)(hex_value(text.bytes[i + 1]) * 16 + hex_value(text.bytes[i + 2]))
                      : text.bytes[i];
        i += is_escape ? 2 : 0;
    }
    *length = count;
    return out;
}

/* The value of `name`=value in a part of a path; false when the part is no such folder. */
static bool value_in_part(struct oriel_text part, const char *name, struct oriel_arena *arena,
                          struct oriel_text *out, struct oriel_error *error,
                          enum oriel_status *status) {
    const char *equals = memchr(part.bytes, '=', part.length);
    if (!equals)
        return false;
    size_t length;
    const char *found =
        unescape(arena, (struct oriel_text){part.bytes, (size_t)(equals - part.bytes)}, &length);
    if (!found) {
        *status = oriel_error_memory(error);
        return false;
    }
    if (length != strlen(name) || memcmp(found, name, length) != 0)
        return false;
    *out = (struct oriel_text){equals + 1, part.length - (size_t)(equals + 1 - part.bytes)};
    return true;
}

/* The raw values of all columns, from folders that follow each other in `path`. */
static enum oriel_status find_folders(const char *path, struct oriel_schema columns,
                                      struct oriel_arena *arena, struct oriel_text *values,
                                      struct oriel_error *error) {
    uint32_t found = 0;
    enum oriel_status status = ORIEL_OK;
    for (const char *at = path; found < columns.field_count;) {
        const char *slash = strchr(at, '/');
        if (!slash)
            break; /* the name of the file itself */
        const struct oriel_text part = {at, (size_t)(slash - at)};
        const char *name = columns.fields[found].name;
        if (value_in_part(part, name, arena, &values[found], error, &status))
            found++;
        else if (found > 0 &&
                 value_in_part(part, columns.fields[0].name, arena, &values[0], error, &status))
            found = 1;
        else
            found = 0;
        ORIEL_TRY(status);
        at = slash + 1;
    }
    if (found == columns.field_count)
        return ORIEL_OK;
    struct oriel_text_buffer wanted;
    oriel_text_buffer_init(&wanted, arena->memory);
    for (uint32_t i = 0; i < columns.field_count && status == ORIEL_OK; i++) {
        status = oriel_text_buffer_append(&wanted, columns.fields[i].name,
                                          strlen(columns.fields[i].name));
        if (status == ORIEL_OK)
            status = oriel_text_buffer_append(&wanted, "=.../", 5);
    }
    if (status == ORIEL_OK)
        status = oriel_error_set(error, ORIEL_DATA,
                                 "'%s' is not in folders %.*s, by whose columns the table is "
                                 "PARTITIONED",
                                 path, (int)wanted.length, wanted.bytes);
    else
        status = oriel_error_memory(error);
    oriel_text_buffer_deinit(&wanted);
    return status;
}

/* Timestamps stand there with a T, and where seconds are 0 without them. */
static enum csv_value_result parse_value(const struct oriel_type *type, struct oriel_arena *arena,
                                         char *text, size_t length, void *out) {
    char shown[64];
    if (oriel_type_is_timestamp(type) && length >= 16 && length < sizeof shown - 8) {
        const bool has_zone = text[length - 1] == 'Z';
        length -= has_zone;
        memcpy(shown, text, length);
        shown[10] = shown[10] == 'T' ? ' ' : shown[10];
        if (length == 16) {
            memcpy(shown + length, ":00", 3);
            length += 3;
        }
        if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ || has_zone)
            shown[length++] = 'Z';
        text = shown;
    }
    return csv_value_parse(type, arena, (struct oriel_text){text, length}, out);
}

static enum oriel_status read_value(const struct oriel_file_list *files, const char *path,
                                    const struct oriel_field *column, struct oriel_text raw,
                                    const char *default_name, const void **out,
                                    struct oriel_error *error) {
    struct oriel_arena *arena = &((struct oriel_file_list *)(uintptr_t)files)->arena;
    *out = NULL;
    if (raw.length == strlen(default_name) && memcmp(raw.bytes, default_name, raw.length) == 0) {
        if (column->type.nullable)
            return ORIEL_OK;
        return oriel_error_set(error, ORIEL_DATA,
                               "'%s': Column '%s' is NOT NULL, however, its folder stands for NULL",
                               path, column->name);
    }
    size_t length;
    char *text = unescape(arena, raw, &length);
    void *value = oriel_arena_allocate_zeroed(arena, 1, VALUE_BYTES_MAX);
    if (!text || !value)
        return oriel_error_memory(error);
    const enum csv_value_result result = parse_value(&column->type, arena, text, length, value);
    if (result == CSV_VALUE_MEMORY)
        return oriel_error_memory(error);
    if (result == CSV_VALUE_BAD) {
        char type[TYPE_TEXT_BYTES];
        return oriel_error_set(
            error, ORIEL_DATA, "'%s': the folder of column '%s' %s: For input string: \"%.*s\"",
            path, column->name, oriel_type_print(&column->type, false, type, sizeof type),
            (int)length, text);
    }
    *out = value;
    return ORIEL_OK;
}

enum oriel_status oriel_folder_read(struct oriel_file_list *files, struct oriel_schema columns,
                                    const bool *wanted, const char *default_name,
                                    struct oriel_error *error) {
    const uint32_t count = columns.field_count;
    struct oriel_text *raw = oriel_arena_allocate_zeroed(&files->arena, count, sizeof *raw);
    if (!raw)
        return oriel_error_memory(error);
    for (size_t f = 0; f < files->file_count; f++) {
        struct oriel_file *file = &files->files[f];
        ORIEL_TRY(find_folders(file->path, columns, &files->arena, raw, error));
        const void **values = oriel_arena_allocate_zeroed(&files->arena, count, sizeof *values);
        if (!values)
            return oriel_error_memory(error);
        for (uint32_t i = 0; i < count; i++) {
            if (wanted[i])
                ORIEL_TRY(read_value(files, file->path, &columns.fields[i], raw[i], default_name,
                                     &values[i], error));
        }
        file->folder_values = values;
    }
    return ORIEL_OK;
}

/* ---- writing ---- */

/* The characters that Flink and Hive write as numbers. */
static bool must_escape(unsigned char byte) {
    return byte < 0x20 || byte == 0x7f || strchr("\"#%'*/:=?\\{[]^", byte) != NULL;
}

static enum oriel_status append_escaped(struct oriel_text_buffer *out, const char *bytes,
                                        size_t length) {
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        const char escaped[3] = {'%', hex_digits[byte >> 4], hex_digits[byte & 15]};
        ORIEL_TRY(must_escape(byte) ? oriel_text_buffer_append(out, escaped, 3)
                                    : oriel_text_buffer_append(out, &bytes[i], 1));
    }
    return ORIEL_OK;
}

/* As Flink writes it: true, 2026-03-01T09:00:00.000. */
static size_t adapt(const struct oriel_type *type, char *text, size_t length) {
    if (type->id == ORIEL_TYPE_BOOLEAN) {
        for (size_t i = 0; i < length; i++)
            text[i] = (char)(text[i] | 0x20);
    } else if (oriel_type_is_timestamp(type)) {
        char *blank = memchr(text, ' ', length);
        if (blank)
            *blank = 'T';
        if (type->id == ORIEL_TYPE_TIMESTAMP_LTZ)
            text[length++] = 'Z';
    }
    return length;
}

static enum oriel_status append_value(struct oriel_text_buffer *out,
                                      const struct oriel_column *value, size_t row,
                                      const char *default_name) {
    const bool is_null = oriel_column_is_null(value, row);
    if (oriel_type_is_character(&value->type)) {
        const struct oriel_string *string = &oriel_column_strings(value)[row];
        if (!is_null && string->length > 0)
            return append_escaped(out, oriel_string_bytes(string), string->length);
    } else if (!is_null) {
        char text[ORIEL_VALUE_TEXT_BYTES + 1];
        const size_t size = oriel_physical_size(oriel_type_physical(&value->type));
        const char *bytes = (const char *)value->values + row * size;
        const size_t length = oriel_value_print_fixed(&value->type, bytes, NULL, text);
        return append_escaped(out, text, adapt(&value->type, text, length));
    }
    return oriel_text_buffer_append(out, default_name, strlen(default_name));
}

enum oriel_status oriel_folder_print(struct oriel_text_buffer *out, const char *name,
                                     const struct oriel_column *value, size_t row,
                                     const char *default_name, struct oriel_error *error) {
    enum oriel_status status = append_escaped(out, name, strlen(name));
    if (status == ORIEL_OK)
        status = oriel_text_buffer_append(out, "=", 1);
    if (status == ORIEL_OK)
        status = append_value(out, value, row, default_name);
    return status == ORIEL_OK ? ORIEL_OK : oriel_error_memory(error);
}
