/*
 * Every child owns its buffers by itself, so that a consumer may move it out of its parent, as the
 * specification allows.
 */
#include "engine/api/arrow_build.h"

#include <string.h>

#include "engine/io/arrow_type.h"

enum { BUFFERS_MAX = 3, NS_PER_US = 1000 };

struct owned_array {
    struct oriel_memory *memory;
    const void *buffers[BUFFERS_MAX];
    size_t sizes[BUFFERS_MAX];
    struct ArrowArray *children;
    struct ArrowArray **child_pointers;
    uint32_t child_count;
};

static void array_release(struct ArrowArray *array) {
    struct owned_array *own = array->private_data;
    struct oriel_memory *memory = own->memory;
    for (uint32_t i = 0; i < own->child_count; i++) {
        if (own->children[i].release)
            own->children[i].release(&own->children[i]);
    }
    for (int i = 0; i < BUFFERS_MAX; i++) {
        void *buffer = (void *)(uintptr_t)own->buffers[i];
        oriel_memory_release(memory, buffer, own->sizes[i]);
    }
    oriel_memory_release(memory, own->children, own->child_count * sizeof *own->children);
    oriel_memory_release(memory, own->child_pointers,
                         own->child_count * sizeof *own->child_pointers);
    oriel_memory_release(memory, own, sizeof *own);
    array->release = NULL;
}

static struct owned_array *begin_array(struct oriel_memory *memory, struct ArrowArray *out,
                                       size_t length, int64_t buffer_count) {
    struct owned_array *own = oriel_memory_allocate_zeroed(memory, 1, sizeof *own);
    if (!own)
        return NULL;
    own->memory = memory;
    *out = (struct ArrowArray){
        .length = (int64_t)length,
        .n_buffers = buffer_count,
        .buffers = own->buffers,
        .release = array_release,
        .private_data = own,
    };
    return own;
}

static void *add_buffer(struct owned_array *own, int index, size_t size_bytes) {
    void *buffer = oriel_memory_allocate_zeroed(own->memory, 1, size_bytes);
    own->buffers[index] = buffer;
    own->sizes[index] = size_bytes;
    return buffer;
}

/* Copies the validity of the rows; no buffer when none is NULL. */
static bool build_validity(struct owned_array *own, struct ArrowArray *out,
                           const struct oriel_column *column, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++)
        out->null_count += oriel_column_is_null(column, first + i);
    if (!out->null_count)
        return true;
    unsigned char *bits = add_buffer(own, 0, count / 8 + 1);
    for (size_t i = 0; i < count && bits; i++)
        bits[i / 8] |= (unsigned char)(!oriel_column_is_null(column, first + i) << (i % 8));
    return bits != NULL;
}

static bool build_booleans(struct owned_array *own, const struct oriel_column *column, size_t first,
                           size_t count) {
    unsigned char *bits = add_buffer(own, 1, count / 8 + 1);
    for (size_t i = 0; i < count && bits; i++)
        bits[i / 8] |=
            (unsigned char)((((const int8_t *)column->values)[first + i] != 0) << (i % 8));
    return bits != NULL;
}

static bool build_texts(struct owned_array *own, const struct oriel_column *column, size_t first,
                        size_t count) {
    const struct oriel_string *values = oriel_column_strings(column) + first;
    int32_t *offsets = add_buffer(own, 1, (count + 1) * sizeof *offsets);
    if (!offsets)
        return false;
    for (size_t i = 0; i < count; i++) {
        const bool is_null = oriel_column_is_null(column, first + i);
        offsets[i + 1] = offsets[i] + (is_null ? 0 : (int32_t)values[i].length);
    }
    char *bytes = add_buffer(own, 2, (size_t)offsets[count] + 1);
    for (size_t i = 0; i < count && bytes; i++) {
        const size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        if (length)
            memcpy(bytes + offsets[i], oriel_string_bytes(&values[i]), length);
    }
    return bytes != NULL;
}

/* Nanoseconds of 128 bits into 64 bits of the type's unit. */
static enum oriel_status build_wide_times(struct owned_array *own,
                                          const struct oriel_column *column, size_t first,
                                          size_t count, struct oriel_error *error) {
    int64_t *values = add_buffer(own, 1, (count + 1) * sizeof *values);
    if (!values)
        return oriel_error_memory(error);
    const int64_t divisor = column->type.precision <= 6 ? NS_PER_US : 1;
    for (size_t i = 0; i < count; i++) {
        if (oriel_column_is_null(column, first + i))
            continue;
        const __int128 value = ((const oriel_i128 *)column->values)[first + i];
        const __int128 rest = (value % divisor + divisor) % divisor;
        const __int128 scaled = (value - rest) / divisor;
        if (scaled != (int64_t)scaled)
            return oriel_error_set(error, ORIEL_DATA,
                                   "a time is out of the range of Arrow's 64-bit nanoseconds");
        values[i] = (int64_t)scaled;
    }
    return ORIEL_OK;
}

static bool build_values(struct owned_array *own, const struct oriel_column *column, size_t first,
                         size_t count) {
    const size_t size_bytes = oriel_physical_size(oriel_type_physical(&column->type));
    char *values = add_buffer(own, 1, (count + 1) * size_bytes);
    if (values)
        memcpy(values, (const char *)column->values + first * size_bytes, count * size_bytes);
    return values != NULL;
}

static enum oriel_status build_column(struct oriel_memory *memory,
                                      const struct oriel_column *column, size_t first, size_t count,
                                      struct ArrowArray *out, struct oriel_error *error) {
    const enum oriel_physical physical = oriel_type_physical(&column->type);
    const bool is_text = physical == ORIEL_PHYSICAL_STRING;
    const bool is_null_type = column->type.id == ORIEL_TYPE_NULL;
    struct owned_array *own = begin_array(memory, out, count, is_null_type ? 0 : is_text ? 3 : 2);
    if (!own)
        return oriel_error_memory(error);
    if (is_null_type) {
        out->null_count = (int64_t)count;
        return ORIEL_OK;
    }
    bool ok = build_validity(own, out, column, first, count);
    if (ok && column->type.id == ORIEL_TYPE_BOOLEAN)
        ok = build_booleans(own, column, first, count);
    else if (ok && is_text)
        ok = build_texts(own, column, first, count);
    else if (ok && physical == ORIEL_PHYSICAL_I128 && oriel_type_is_timestamp(&column->type))
        return build_wide_times(own, column, first, count, error);
    else if (ok)
        ok = build_values(own, column, first, count);
    return ok ? ORIEL_OK : oriel_error_memory(error);
}

/* Rows from `first` whose strings all have offsets of 32 bits. */
static size_t count_rows(const struct oriel_batch *batch, size_t first) {
    size_t count = batch->row_count - first;
    for (uint32_t c = 0; c < batch->column_count; c++) {
        const struct oriel_column *column = &batch->columns[c];
        if (oriel_type_physical(&column->type) != ORIEL_PHYSICAL_STRING)
            continue;
        size_t bytes = 0;
        for (size_t i = 0; i < count; i++) {
            if (!oriel_column_is_null(column, first + i))
                bytes += oriel_column_strings(column)[first + i].length;
            if (bytes > INT32_MAX)
                count = i;
        }
    }
    return count;
}

enum oriel_status oriel_arrow_array_build(struct oriel_memory *memory,
                                          const struct oriel_batch *batch, size_t first,
                                          size_t *count, struct ArrowArray *out,
                                          struct oriel_error *error) {
    *count = count_rows(batch, first);
    if (!*count)
        return oriel_error_set(error, ORIEL_DATA,
                               "a string of 2 GiB or more does not fit into Arrow's type");
    struct owned_array *own = begin_array(memory, out, *count, 1);
    if (!own)
        return oriel_error_memory(error);
    own->child_count = batch->column_count;
    own->children =
        oriel_memory_allocate_zeroed(memory, batch->column_count, sizeof *own->children);
    own->child_pointers =
        oriel_memory_allocate_zeroed(memory, batch->column_count, sizeof *own->child_pointers);
    enum oriel_status status =
        own->children && own->child_pointers ? ORIEL_OK : oriel_error_memory(error);
    if (!own->children)
        own->child_count = 0;
    for (uint32_t i = 0; i < batch->column_count && status == ORIEL_OK; i++) {
        own->child_pointers[i] = &own->children[i];
        status = build_column(memory, &batch->columns[i], first, *count, &own->children[i], error);
    }
    if (status != ORIEL_OK) {
        out->release(out);
        return status;
    }
    out->n_children = batch->column_count;
    out->children = own->child_pointers;
    return ORIEL_OK;
}

struct owned_schema {
    struct oriel_memory *memory;
    struct ArrowSchema *children;
    struct ArrowSchema **child_pointers;
    uint32_t child_count;
    char *texts; /* format and name, each ended by NUL */
    size_t texts_bytes;
};

static void schema_release(struct ArrowSchema *schema) {
    struct owned_schema *own = schema->private_data;
    struct oriel_memory *memory = own->memory;
    for (uint32_t i = 0; i < own->child_count; i++) {
        if (own->children[i].release)
            own->children[i].release(&own->children[i]);
    }
    oriel_memory_release(memory, own->children, own->child_count * sizeof *own->children);
    oriel_memory_release(memory, own->child_pointers,
                         own->child_count * sizeof *own->child_pointers);
    oriel_memory_release(memory, own->texts, own->texts_bytes);
    oriel_memory_release(memory, own, sizeof *own);
    schema->release = NULL;
}

static struct owned_schema *begin_schema(struct oriel_memory *memory, const char *format,
                                         const char *name, struct ArrowSchema *out) {
    const size_t format_bytes = strlen(format) + 1, name_bytes = strlen(name) + 1;
    struct owned_schema *own = oriel_memory_allocate_zeroed(memory, 1, sizeof *own);
    if (!own)
        return NULL;
    own->memory = memory;
    own->texts_bytes = format_bytes + name_bytes;
    own->texts = oriel_memory_allocate(memory, own->texts_bytes);
    *out = (struct ArrowSchema){.release = schema_release, .private_data = own};
    if (!own->texts) {
        schema_release(out);
        return NULL;
    }
    memcpy(own->texts, format, format_bytes);
    memcpy(own->texts + format_bytes, name, name_bytes);
    out->format = own->texts;
    out->name = own->texts + format_bytes;
    return own;
}

enum oriel_status oriel_arrow_formats_find(struct oriel_arena *arena, struct oriel_schema schema,
                                           const char *zone, const char ***out,
                                           struct oriel_error *error) {
    const char **formats =
        oriel_arena_allocate_zeroed(arena, (size_t)schema.field_count + 1, sizeof *formats);
    if (!formats)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < schema.field_count; i++) {
        bool memory_failed;
        formats[i] = oriel_arrow_type_format(&schema.fields[i].type, zone, arena, &memory_failed);
        if (memory_failed)
            return oriel_error_memory(error);
        if (!formats[i])
            return oriel_error_set(error, ORIEL_UNSUPPORTED,
                                   "column '%s' is nested, which Oriel cannot export to Arrow yet",
                                   schema.fields[i].name);
    }
    *out = formats;
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_schema_build(struct oriel_memory *memory, struct oriel_schema schema,
                                           const char *const *formats, struct ArrowSchema *out,
                                           struct oriel_error *error) {
    struct owned_schema *own = begin_schema(memory, "+s", "", out);
    if (!own)
        return oriel_error_memory(error);
    own->children = oriel_memory_allocate_zeroed(memory, schema.field_count, sizeof *own->children);
    own->child_pointers =
        oriel_memory_allocate_zeroed(memory, schema.field_count, sizeof *own->child_pointers);
    own->child_count = own->children ? schema.field_count : 0;
    bool ok = own->children && own->child_pointers;
    for (uint32_t i = 0; i < schema.field_count && ok; i++) {
        own->child_pointers[i] = &own->children[i];
        ok = begin_schema(memory, formats[i], schema.fields[i].name, &own->children[i]) != NULL;
        if (ok && schema.fields[i].type.nullable)
            own->children[i].flags = ARROW_FLAG_NULLABLE;
    }
    if (!ok) {
        out->release(out);
        return oriel_error_memory(error);
    }
    out->n_children = schema.field_count;
    out->children = own->child_pointers;
    return ORIEL_OK;
}
