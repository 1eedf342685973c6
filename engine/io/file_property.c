/*
 * The readers of all formats fill such columns here, a batch at a time.
 */
#include "engine/io/file_property.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct oriel_field oriel_file_property_field(const struct oriel_csv_request *request,
                                             const struct oriel_csv_column *column) {
    struct oriel_field field = {"file.path", oriel_type_string()};
    switch (column->kind) {
    case ORIEL_CSV_FOLDER: return request->folders.fields[column->field];
    case ORIEL_CSV_FILE_NAME: field.name = "file.name"; break;
    case ORIEL_CSV_FILE_SIZE:
        field = (struct oriel_field){"file.size", oriel_type_make(ORIEL_TYPE_BIGINT)};
        break;
    case ORIEL_CSV_FILE_MODIFIED:
        field = (struct oriel_field){"file.modification-time", oriel_type_timestamp_ltz(3)};
        break;
    case ORIEL_CSV_FIELD:
    case ORIEL_CSV_FILE_PATH: break;
    }
    field.type.nullable = false;
    return field;
}

enum oriel_status oriel_file_properties_init(struct oriel_file_properties *properties,
                                             const struct oriel_file *file,
                                             struct oriel_arena *arena, struct oriel_error *error) {
    char resolved[PATH_MAX];
    const char *path = file->path;
    if (strstr(path, "://")) /* the options of an object store are no part of its name */
        path = oriel_arena_copy(arena, path, strcspn(path, "?"));
    else if (realpath(path, resolved))
        path = oriel_arena_copy(arena, resolved, strlen(resolved));
    if (!path)
        return oriel_error_memory(error);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    *properties = (struct oriel_file_properties){
        .path = oriel_string_make(path, strlen(path)),
        .name = oriel_string_make(name, strlen(name)),
        .folder_values = file->folder_values,
    };
    return ORIEL_OK;
}

bool oriel_file_properties_fill(const struct oriel_file_properties *properties,
                                const struct oriel_csv_column *column, size_t value_bytes,
                                void *values, uint64_t *valid, size_t count) {
    const void *value = &properties->path;
    switch (column->kind) {
    case ORIEL_CSV_FOLDER: value = properties->folder_values[column->field]; break;
    case ORIEL_CSV_FILE_NAME: value = &properties->name; break;
    case ORIEL_CSV_FILE_SIZE: value = &properties->size_bytes; break;
    case ORIEL_CSV_FILE_MODIFIED: value = &properties->modified_ms; break;
    case ORIEL_CSV_FIELD:
    case ORIEL_CSV_FILE_PATH: break;
    }
    if (!value) {
        memset(values, 0, count * value_bytes);
        for (size_t i = 0; i < count; i++)
            oriel_bits_clear(valid, i);
        return true;
    }
    for (size_t i = 0; i < count; i++)
        memcpy((char *)values + i * value_bytes, value, value_bytes);
    return false;
}
