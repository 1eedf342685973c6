/*
 * Reads and checks what comes through the Arrow C data interface: the schema once, each array once,
 * and its values on their way into columns.
 */
#include "engine/io/arrow_import.h"

#include <string.h>

#include "engine/io/arrow_nested.h"
#include "engine/io/arrow_values.h"

static enum oriel_status refuse_type(const char *name, const char *format,
                                     struct oriel_error *error) {
    const char *nested = oriel_arrow_nested_name(format);
    if (nested)
        return oriel_error_set(error, ORIEL_UNSUPPORTED,
                               "column '%s' is nested (%s), which Oriel cannot read yet", name,
                               nested);
    return oriel_error_set(error, ORIEL_UNSUPPORTED,
                           "column '%s' has the Arrow type '%s', which Oriel cannot read", name,
                           format ? format : "");
}

enum oriel_status oriel_arrow_field_read(const struct ArrowSchema *schema,
                                         struct oriel_arena *arena, struct oriel_arrow_column *out,
                                         struct oriel_error *error) {
    const char *name = schema->name ? schema->name : "";
    *out = (struct oriel_arrow_column){.name = oriel_arena_copy(arena, name, strlen(name))};
    if (!out->name)
        return oriel_error_memory(error);
    const struct ArrowSchema *values = schema->dictionary ? schema->dictionary : schema;
    if (!oriel_arrow_type_read(values->format, &out->type))
        return refuse_type(name, values->format, error);
    out->has_dictionary = schema->dictionary != NULL;
    if (!out->has_dictionary) {
        out->type.type.nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
        return ORIEL_OK;
    }
    const bool is_index = oriel_arrow_type_read(schema->format, &out->indices) &&
                          (out->indices.layout == ORIEL_ARROW_SIGNED ||
                           out->indices.layout == ORIEL_ARROW_UNSIGNED) &&
                          schema->format[0] != 't';
    if (!is_index)
        return oriel_error_set(error, ORIEL_DATA,
                               "the dictionary indices of column '%s' are no "
                               "integers",
                               name);
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_schema_read(const struct ArrowSchema *schema,
                                          struct oriel_arena *arena,
                                          struct oriel_arrow_column **out, uint32_t *out_count,
                                          struct oriel_error *error) {
    if (!schema->format || strcmp(schema->format, "+s") != 0)
        return oriel_error_set(error, ORIEL_DATA, "the stream's schema is no struct of columns");
    if (schema->n_children < 1 || schema->n_children > UINT16_MAX || !schema->children)
        return oriel_error_set(error, ORIEL_DATA, "the stream has %lld columns",
                               (long long)schema->n_children);
    const uint32_t count = (uint32_t)schema->n_children;
    struct oriel_arrow_column *columns = oriel_arena_allocate_zeroed(arena, count, sizeof *columns);
    if (!columns)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        if (!schema->children[i])
            return oriel_error_set(error, ORIEL_DATA, "column %u of the stream is missing", i);
        ORIEL_TRY(oriel_arrow_nested_field_read(schema->children[i], arena, 0, &columns[i], error));
    }
    *out = columns;
    *out_count = count;
    return ORIEL_OK;
}

static int64_t buffers_of(enum oriel_arrow_layout layout) {
    switch (layout) {
    case ORIEL_ARROW_OFFSETS_32:
    case ORIEL_ARROW_OFFSETS_64:
    case ORIEL_ARROW_VIEWS: return 3;
    case ORIEL_ARROW_STRUCT:
    case ORIEL_ARROW_LIST_FIXED: return 1;
    default: return 2;
    }
}

/* Sizes that cannot overflow, all buffers there, a validity where there are nulls. */
enum oriel_status oriel_arrow_buffers_check(const struct ArrowArray *array,
                                            const struct oriel_arrow_type *type, const char *name,
                                            struct oriel_error *error) {
    const int64_t limit = INT64_MAX / 64;
    if (array->length < 0 || array->offset < 0 || array->length > limit || array->offset > limit)
        return oriel_error_set(error, ORIEL_DATA, "column '%s': bad length or offset of an array",
                               name);
    if (type->layout == ORIEL_ARROW_NULL)
        return ORIEL_OK;
    const int64_t wanted = buffers_of(type->layout);
    const bool enough =
        type->layout == ORIEL_ARROW_VIEWS ? array->n_buffers >= wanted : array->n_buffers == wanted;
    if (!enough || !array->buffers)
        return oriel_error_set(error, ORIEL_DATA,
                               "column '%s': an array has %lld buffers, not %lld", name,
                               (long long)array->n_buffers, (long long)wanted);
    if (wanted > 1 && array->length > 0 && !array->buffers[1])
        return oriel_error_set(error, ORIEL_DATA, "column '%s': an array has no values", name);
    if (array->null_count > 0 && !array->buffers[0])
        return oriel_error_set(error, ORIEL_DATA,
                               "column '%s': an array has NULLs but no validity bitmap", name);
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_column_check(const struct ArrowArray *parent, uint32_t index,
                                           const struct oriel_arrow_column *column,
                                           struct oriel_error *error) {
    const struct ArrowArray *child = parent->children[index];
    if (!child)
        return oriel_error_set(error, ORIEL_DATA, "column '%s': its array is missing",
                               column->name);
    ORIEL_TRY(oriel_arrow_buffers_check(
        child, column->has_dictionary ? &column->indices : &column->type, column->name, error));
    if (child->length < parent->length + parent->offset)
        return oriel_error_set(error, ORIEL_DATA, "column '%s': an array has %lld rows, not %lld",
                               column->name, (long long)child->length,
                               (long long)(parent->length + parent->offset));
    if (column->child_count)
        return oriel_arrow_nested_check(child, column, error);
    if (!column->has_dictionary)
        return ORIEL_OK;
    if (!child->dictionary)
        return oriel_error_set(error, ORIEL_DATA, "column '%s': its dictionary is missing",
                               column->name);
    return oriel_arrow_buffers_check(child->dictionary, &column->type, column->name, error);
}

enum oriel_status oriel_arrow_array_check(const struct ArrowArray *array,
                                          const struct oriel_arrow_column *columns,
                                          uint32_t column_count, struct oriel_error *error) {
    const int64_t limit = INT64_MAX / 128;
    if (array->length < 0 || array->offset < 0 || array->length > limit || array->offset > limit)
        return oriel_error_set(error, ORIEL_DATA, "an array of the stream has a bad length");
    if (array->n_children != (int64_t)column_count || !array->children)
        return oriel_error_set(error, ORIEL_DATA, "an array of the stream has %lld columns, not %u",
                               (long long)array->n_children, column_count);
    if (array->null_count > 0)
        return oriel_error_set(error, ORIEL_DATA, "an array of the stream has NULL rows");
    for (uint32_t i = 0; i < column_count; i++)
        ORIEL_TRY(oriel_arrow_column_check(array, i, &columns[i], error));
    return ORIEL_OK;
}

static bool bit_at(const void *bits, int64_t index) {
    return ((const unsigned char *)bits)[index / 8] >> (index % 8) & 1;
}

static bool is_valid_row(const struct ArrowArray *array, int64_t row) {
    return array->n_buffers < 1 || !array->buffers[0] || array->null_count == 0 ||
           bit_at(array->buffers[0], row);
}

enum oriel_status oriel_arrow_rows_find(const struct ArrowArray *array,
                                        const struct oriel_arrow_column *column, int64_t *rows,
                                        size_t count, struct oriel_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i] >= 0 && !is_valid_row(array, rows[i]))
            rows[i] = -1;
    }
    if (!column->has_dictionary)
        return ORIEL_OK;
    const struct ArrowArray *dictionary = array->dictionary;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        const int64_t index = oriel_arrow_integer(&column->indices, array->buffers[1], rows[i]);
        if (index < 0 || index >= dictionary->length)
            return oriel_error_set(error, ORIEL_DATA, "column '%s': dictionary index %lld of %lld",
                                   column->name, (long long)index, (long long)dictionary->length);
        const int64_t row = index + dictionary->offset;
        rows[i] = is_valid_row(dictionary, row) ? row : -1;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_column_read(const struct ArrowArray *array, uint32_t index,
                                          const struct oriel_arrow_column *column, size_t first,
                                          size_t count, int64_t *rows, struct oriel_arena *arena,
                                          struct oriel_column *out, struct oriel_error *error) {
    const struct ArrowArray *child = array->children[index];
    const int64_t base = array->offset + child->offset + (int64_t)first;
    const bool all_null = column->type.layout == ORIEL_ARROW_NULL;
    for (size_t i = 0; i < count; i++)
        rows[i] = all_null ? -1 : base + (int64_t)i;
    if (!all_null)
        ORIEL_TRY(oriel_arrow_rows_find(child, column, rows, count, error));
    memset(out->valid, 0xff, oriel_bits_word_count(count) * sizeof *out->valid);
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            oriel_column_set_null(out, i);
    }
    if (all_null)
        return ORIEL_OK;
    if (column->child_count)
        return oriel_arrow_nested_read(child, column, rows, count, arena, out, error);
    const struct ArrowArray *values = column->has_dictionary ? child->dictionary : child;
    return oriel_arrow_values_read(&column->type, values, column->name, rows, count, out, error);
}
