/*
 * Before the first row: opens a file, compares its schema with what a table declares, or makes a
 * table's schema from it.
 */
#include "engine/io/arrow_file.h"

#include <string.h>

#include "engine/io/arrow_column.h"
#include "engine/io/arrow_nested.h"
#include "engine/io/byte_source.h"
#include "engine/io/file_list.h"

enum { TYPE_TEXT_BYTES = 128, NAMES_BYTES = 400, NESTED_DEPTH_MAX = 32 };

enum oriel_status oriel_arrow_input_failed(const struct oriel_arrow_input *input,
                                           enum oriel_status status,
                                           const struct oriel_arrow_message *message,
                                           struct oriel_error *error) {
    const char *name = oriel_arrow_format_name(input->format);
    if (status == ORIEL_MEMORY)
        return oriel_error_memory(error);
    if (status == ORIEL_IO)
        return oriel_error_set(error, status, "cannot read '%s': %s", input->path, message->text);
    if (status == ORIEL_UNSUPPORTED)
        return oriel_error_set(error, status,
                               "'%s' uses what this version of Arrow cannot read: "
                               "%s",
                               input->path, message->text);
    return oriel_error_set(error, status, "'%s' is no %s file, or a damaged one: %s", input->path,
                           name, message->text);
}

enum oriel_status oriel_arrow_input_open(struct oriel_memory *memory,
                                         const struct oriel_arrow_shim *shim,
                                         enum oriel_arrow_format format, const char *path,
                                         struct oriel_arrow_input *out, struct oriel_error *error) {
    struct oriel_byte_source bytes;
    *out =
        (struct oriel_arrow_input){.memory = memory, .shim = shim, .format = format, .path = path};
    ORIEL_TRY(oriel_byte_source_open(&bytes, path, error));
    out->size_bytes = bytes.size_bytes;
    out->modified_ns = bytes.modified_ns;
    if (!bytes.seekable) {
        oriel_byte_source_close(&bytes);
        return oriel_error_set(error, ORIEL_DATA,
                               "'%s' is no %s file: it is empty or cannot be read by offset", path,
                               oriel_arrow_format_name(format));
    }
    const struct oriel_arrow_account account = oriel_arrow_account_of(memory);
    struct oriel_arrow_message message = {""};
    const enum oriel_status status =
        bytes.object
            ? shim->object_open_file(bytes.object, format, &account, &out->file, &out->schema,
                                     &message)
            : shim->open(bytes.descriptor, format, &account, &out->file, &out->schema, &message);
    return status == ORIEL_OK ? ORIEL_OK : oriel_arrow_input_failed(out, status, &message, error);
}

void oriel_arrow_input_close(struct oriel_arrow_input *input) {
    if (input->schema.release)
        input->schema.release(&input->schema);
    if (input->file)
        input->shim->close(input->file);
    input->file = NULL;
}

static const char *name_of(const struct ArrowSchema *field) {
    return field->name ? field->name : "";
}

/* The names of the columns, cut where they get long. */
static const char *list_names(const struct oriel_arrow_input *input, char *out, size_t capacity) {
    size_t length = 0;
    out[0] = '\0';
    for (int64_t i = 0; i < input->schema.n_children; i++) {
        const char *name = name_of(input->schema.children[i]);
        const size_t name_length = strlen(name);
        if (length + name_length + 8 > capacity) {
            memcpy(out + length, i ? ", ..." : "...", i ? 6 : 4);
            break;
        }
        if (i) {
            memcpy(out + length, ", ", 2);
            length += 2;
        }
        memcpy(out + length, name, name_length + 1);
        length += name_length;
    }
    return out;
}

static enum oriel_status check_type(const struct oriel_arrow_input *input,
                                    const struct oriel_field *wanted, int field,
                                    struct oriel_error *error) {
    struct oriel_arrow_column column;
    struct oriel_arena arena;
    oriel_arena_init(&arena, input->memory);
    enum oriel_status status =
        oriel_arrow_nested_field_read(input->schema.children[field], &arena, 0, &column, error);
    char declared[TYPE_TEXT_BYTES], found[TYPE_TEXT_BYTES];
    if (status == ORIEL_OK) {
        const struct oriel_type type = column.type.type;
        if (!oriel_arrow_column_fit(&column, &wanted->type))
            status = oriel_error_set(
                error, ORIEL_DATA, "'%s': column '%s' is declared as %s, but the file has %s",
                input->path, wanted->name,
                oriel_type_print(&wanted->type, false, declared, sizeof declared),
                oriel_type_print(&type, false, found, sizeof found));
    } else if (status != ORIEL_MEMORY && error) {
        const struct oriel_error inner = *error;
        oriel_error_set(error, status, "'%s': %s", input->path, inner.message);
    }
    oriel_arena_deinit(&arena);
    return status;
}

enum oriel_status oriel_arrow_input_find(const struct oriel_arrow_input *input,
                                         const struct oriel_field *wanted, int *field,
                                         struct oriel_error *error) {
    int found = -1;
    for (int64_t i = 0; i < input->schema.n_children; i++) {
        if (strcmp(name_of(input->schema.children[i]), wanted->name) != 0)
            continue;
        if (found >= 0)
            return oriel_error_set(error, ORIEL_DATA, "'%s' has two columns called '%s'",
                                   input->path, wanted->name);
        found = (int)i;
    }
    char names[NAMES_BYTES];
    if (found < 0)
        return oriel_error_set(error, ORIEL_DATA, "'%s' has no column '%s'; it has %s", input->path,
                               wanted->name, list_names(input, names, sizeof names));
    *field = found;
    return check_type(input, wanted, found, error);
}

static enum oriel_status infer_type(const struct ArrowSchema *schema, struct oriel_arena *arena,
                                    int depth, struct oriel_type *out, struct oriel_error *error);

static enum oriel_status infer_children(const struct ArrowSchema *schema, struct oriel_arena *arena,
                                        int depth, struct oriel_type *out,
                                        struct oriel_error *error) {
    const uint32_t count = (uint32_t)schema->n_children;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, count + 1, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = name_of(schema->children[i]);
        ORIEL_TRY(infer_type(schema->children[i], arena, depth + 1, &fields[i].type, error));
        fields[i].name = oriel_arena_copy(arena, name, strlen(name));
        if (!fields[i].name)
            return oriel_error_memory(error);
    }
    out->fields = fields;
    out->field_count = count;
    return ORIEL_OK;
}

/* Types of values that are refused when they are read, but stand in DESCRIBE and may be left out.
 */
static enum oriel_status infer_nested(const struct ArrowSchema *schema, struct oriel_arena *arena,
                                      int depth, struct oriel_type *out,
                                      struct oriel_error *error) {
    const bool is_list = schema->n_children == 1;
    switch (schema->format[1]) {
    case 's': *out = oriel_type_make(ORIEL_TYPE_ROW); break;
    case 'm': *out = oriel_type_make(ORIEL_TYPE_MAP); break;
    default: *out = oriel_type_make(ORIEL_TYPE_ARRAY); break;
    }
    const bool is_row = out->id == ORIEL_TYPE_ROW;
    const struct ArrowSchema *entries = schema;
    if (out->id == ORIEL_TYPE_MAP && is_list)
        entries = schema->children[0];
    const bool is_known = is_row || (out->id == ORIEL_TYPE_MAP && entries->n_children == 2) ||
                          (out->id == ORIEL_TYPE_ARRAY && is_list && schema->format[1] != 'u');
    if (depth > NESTED_DEPTH_MAX || !is_known)
        return oriel_error_set(error, ORIEL_UNSUPPORTED,
                               "column '%s' has the Arrow type '%s', which Oriel cannot read",
                               name_of(schema), schema->format);
    ORIEL_TRY(infer_children(entries, arena, depth, out, error));
    for (uint32_t i = 0; i < out->field_count && !is_row; i++)
        ((struct oriel_field *)(uintptr_t)&out->fields[i])->name = NULL;
    return ORIEL_OK;
}

static enum oriel_status infer_type(const struct ArrowSchema *schema, struct oriel_arena *arena,
                                    int depth, struct oriel_type *out, struct oriel_error *error) {
    struct oriel_arrow_column column;
    enum oriel_status status = ORIEL_OK;
    if (schema->format && schema->format[0] == '+') {
        status = infer_nested(schema, arena, depth, out, error);
    } else {
        status = oriel_arrow_field_read(schema, arena, &column, error);
        if (status == ORIEL_OK)
            *out = column.type.type;
    }
    out->nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
    return status;
}

static enum oriel_status infer_fields(const struct oriel_arrow_input *input,
                                      struct oriel_arena *arena, struct oriel_schema *out,
                                      struct oriel_error *error) {
    const struct ArrowSchema *schema = &input->schema;
    if (schema->n_children < 1 || schema->n_children > UINT16_MAX)
        return oriel_error_set(error, ORIEL_DATA, "'%s' has %lld columns", input->path,
                               (long long)schema->n_children);
    struct oriel_type row = oriel_type_make(ORIEL_TYPE_ROW);
    const enum oriel_status status = infer_children(schema, arena, 0, &row, error);
    if (status != ORIEL_OK && status != ORIEL_MEMORY && error) {
        const struct oriel_error inner = *error;
        return oriel_error_set(error, status, "'%s': %s", input->path, inner.message);
    }
    ORIEL_TRY(status);
    for (uint32_t i = 0; i < row.field_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(row.fields[i].name, row.fields[k].name) == 0)
                return oriel_error_set(error, ORIEL_DATA, "'%s' has two columns called '%s'",
                                       input->path, row.fields[i].name);
        }
    }
    *out = (struct oriel_schema){row.field_count, row.fields};
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_infer_schema(const struct oriel_runtime *runtime, const char *path,
                                           enum oriel_arrow_format format,
                                           struct oriel_arena *arena, struct oriel_schema *out,
                                           struct oriel_error *error) {
    const struct oriel_arrow_shim *shim;
    struct oriel_file_list list;
    ORIEL_TRY(oriel_arrow_module_load(format, &shim, error));
    ORIEL_TRY(oriel_file_list_init(&list, runtime->memory, path, error));
    struct oriel_arrow_input input;
    enum oriel_status status = ORIEL_OK;
    if (!list.file_count)
        status = oriel_error_set(error, ORIEL_DATA,
                                 "no file in '%s' to take the columns of the table from", path);
    else
        status = oriel_arrow_input_open(runtime->memory, shim, format, list.files[0].path, &input,
                                        error);
    if (status == ORIEL_OK) {
        status = infer_fields(&input, arena, out, error);
        oriel_arrow_input_close(&input);
    }
    oriel_file_list_deinit(&list);
    return status;
}
