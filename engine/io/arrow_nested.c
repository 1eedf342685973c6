/*
 * The parts of all nested values of a batch are read as one column each, and then dealt out to the
 * values, whose slots lie one behind the other.
 */
#include "engine/io/arrow_nested.h"

#include <stdlib.h>
#include <string.h>

#include "engine/io/arrow_values.h"

static bool read_layout(const struct ArrowSchema *schema, struct oriel_arrow_type *out) {
    const char *format = schema->format;
    *out = (struct oriel_arrow_type){.layout = ORIEL_ARROW_LIST_32, .multiply = 1, .divide = 1};
    out->type = oriel_type_make(ORIEL_TYPE_ARRAY);
    if (strcmp(format, "+L") == 0) {
        out->layout = ORIEL_ARROW_LIST_64;
    } else if (strcmp(format, "+s") == 0) {
        out->layout = ORIEL_ARROW_STRUCT;
        out->type = oriel_type_make(ORIEL_TYPE_ROW);
    } else if (strcmp(format, "+m") == 0) {
        out->type = oriel_type_make(ORIEL_TYPE_MAP);
    } else if (strncmp(format, "+w:", 3) == 0) {
        char *end;
        const long width = strtol(format + 3, &end, 10);
        out->layout = ORIEL_ARROW_LIST_FIXED;
        out->width_bytes = (uint32_t)width;
        return *end == '\0' && end != format + 3 && width >= 0 && width < INT32_MAX;
    } else {
        return strcmp(format, "+l") == 0;
    }
    return true;
}

static enum oriel_status refuse(const struct ArrowSchema *schema, struct oriel_error *error) {
    return oriel_error_set(error, ORIEL_DATA, "column '%s': its children do not fit its type '%s'",
                           schema->name ? schema->name : "", schema->format);
}

static enum oriel_status read_children(const struct ArrowSchema *schema, struct oriel_arena *arena,
                                       unsigned depth, struct oriel_arrow_column *out,
                                       struct oriel_error *error) {
    const bool is_row = out->type.type.id == ORIEL_TYPE_ROW;
    const uint32_t count = (uint32_t)schema->n_children;
    struct oriel_field *fields = oriel_arena_allocate_zeroed(arena, count, sizeof *fields);
    out->children = oriel_arena_allocate_zeroed(arena, count, sizeof *out->children);
    if (!fields || !out->children)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct ArrowSchema *child = schema->children[i];
        if (!child || !child->format)
            return refuse(schema, error);
        ORIEL_TRY(oriel_arrow_nested_field_read(child, arena, depth + 1, &out->children[i], error));
        fields[i].type = oriel_type_with_null(out->children[i].type.type,
                                              (child->flags & ARROW_FLAG_NULLABLE) != 0);
        fields[i].name = is_row ? out->children[i].name : NULL;
        out->children[i].name = out->name; /* what errors name */
    }
    out->child_count = count;
    out->type.type.fields = fields;
    out->type.type.field_count = count;
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_nested_field_read(const struct ArrowSchema *schema,
                                                struct oriel_arena *arena, unsigned depth,
                                                struct oriel_arrow_column *out,
                                                struct oriel_error *error) {
    struct oriel_arrow_type type;
    const bool is_nested = schema->format && schema->format[0] == '+' && !schema->dictionary &&
                           read_layout(schema, &type) && depth < ORIEL_ARROW_DEPTH_MAX;
    if (!is_nested) /* flat, or refused there by name */
        return oriel_arrow_field_read(schema, arena, out, error);
    const char *name = schema->name ? schema->name : "";
    *out = (struct oriel_arrow_column){.type = type};
    out->type.type.nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
    out->name = oriel_arena_copy(arena, name, strlen(name));
    if (!out->name)
        return oriel_error_memory(error);
    const bool is_map = type.type.id == ORIEL_TYPE_MAP, is_row = type.type.id == ORIEL_TYPE_ROW;
    const bool has_children = schema->n_children > 0 && schema->n_children <= UINT16_MAX &&
                              schema->children && schema->children[0];
    if (!has_children || (!is_row && schema->n_children != 1))
        return refuse(schema, error);
    const struct ArrowSchema *parts = is_map ? schema->children[0] : schema;
    if (is_map && (parts->n_children != 2 || !parts->children))
        return refuse(schema, error);
    return read_children(parts, arena, depth, out, error);
}

static enum oriel_status refuse_array(const struct oriel_arrow_column *column,
                                      struct oriel_error *error) {
    return oriel_error_set(error, ORIEL_DATA, "column '%s': a nested array has the wrong children",
                           column->name);
}

/* The array whose children are the parts: of a map its entries. */
static const struct ArrowArray *array_of_parts(const struct ArrowArray *array,
                                               const struct oriel_arrow_column *column) {
    return column->type.type.id == ORIEL_TYPE_MAP ? array->children[0] : array;
}

enum oriel_status oriel_arrow_nested_check(const struct ArrowArray *array,
                                           const struct oriel_arrow_column *column,
                                           struct oriel_error *error) {
    const bool is_map = column->type.type.id == ORIEL_TYPE_MAP;
    if (is_map && (array->n_children != 1 || !array->children || !array->children[0] ||
                   array->children[0]->length < 0 || array->children[0]->offset < 0 ||
                   array->children[0]->length > INT64_MAX / 64 ||
                   array->children[0]->offset > INT64_MAX / 64))
        return refuse_array(column, error);
    const struct ArrowArray *parts = array_of_parts(array, column);
    if (parts->n_children != column->child_count || !parts->children)
        return refuse_array(column, error);
    for (uint32_t i = 0; i < column->child_count; i++) {
        const struct oriel_arrow_column *child = &column->children[i];
        if (!parts->children[i])
            return refuse_array(column, error);
        ORIEL_TRY(oriel_arrow_buffers_check(parts->children[i],
                                            child->has_dictionary ? &child->indices : &child->type,
                                            column->name, error));
        if (child->has_dictionary && !parts->children[i]->dictionary)
            return refuse_array(column, error);
        if (child->has_dictionary)
            ORIEL_TRY(oriel_arrow_buffers_check(parts->children[i]->dictionary, &child->type,
                                                column->name, error));
        if (child->child_count)
            ORIEL_TRY(oriel_arrow_nested_check(parts->children[i], child, error));
    }
    return ORIEL_OK;
}

/* Elements of the list at `row`; false when its offsets are wrong. */
static bool find_elements(const struct ArrowArray *array, const struct oriel_arrow_column *column,
                          int64_t row, int64_t *begin, int64_t *end) {
    const struct oriel_arrow_type *type = &column->type;
    if (type->layout == ORIEL_ARROW_LIST_FIXED) {
        *begin = row * type->width_bytes;
        *end = *begin + type->width_bytes;
    } else {
        const bool is_wide = type->layout == ORIEL_ARROW_LIST_64;
        *begin = oriel_arrow_offset(array->buffers[1], is_wide, row);
        *end = oriel_arrow_offset(array->buffers[1], is_wide, row + 1);
    }
    return *begin >= 0 && *end >= *begin && *end <= array->children[0]->length &&
           *end - *begin <= INT32_MAX;
}

/* A column of `count` values in `arena`, read from the places `rows`, which are changed. */
static enum oriel_status read_part(const struct ArrowArray *array,
                                   const struct oriel_arrow_column *column, int64_t *rows,
                                   size_t count, struct oriel_arena *arena,
                                   struct oriel_column *out, struct oriel_error *error) {
    const struct oriel_type *type = column->wanted ? column->wanted : &column->type.type;
    const size_t word_count = oriel_bits_word_count(count + 1);
    *out = (struct oriel_column){.type = *type};
    out->values = oriel_arena_allocate_zeroed(arena, count + 1,
                                              oriel_physical_size(oriel_type_physical(type)));
    out->valid = oriel_arena_allocate(arena, word_count * sizeof *out->valid);
    if (!out->values || !out->valid)
        return oriel_error_memory(error);
    memset(out->valid, 0xff, word_count * sizeof *out->valid);
    const bool all_null = column->type.layout == ORIEL_ARROW_NULL;
    if (!all_null)
        ORIEL_TRY(oriel_arrow_rows_find(array, column, rows, count, error));
    for (size_t i = 0; i < count; i++) {
        if (all_null || rows[i] < 0)
            oriel_column_set_null(out, i);
    }
    if (all_null)
        return ORIEL_OK;
    if (column->child_count)
        return oriel_arrow_nested_read(array, column, rows, count, arena, out, error);
    return oriel_arrow_values_read(&column->type,
                                   column->has_dictionary ? array->dictionary : array, column->name,
                                   rows, count, out, error);
}

/* A value with room for its slots. */
static struct oriel_nested *make_value(struct oriel_arena *arena, size_t slot_count) {
    struct oriel_nested *value = oriel_arena_allocate_zeroed(arena, 1, sizeof *value);
    if (value)
        value->slots = oriel_arena_allocate_zeroed(arena, slot_count + 1, sizeof *value->slots);
    return value && value->slots ? value : NULL;
}

/* Copies row `row` of a part to slot `slot`, or makes that NULL. */
static bool fill_slot(struct oriel_arena *arena, struct oriel_nested *value, size_t slot_count,
                      size_t slot, const struct oriel_column *part, size_t row) {
    const size_t size = oriel_physical_size(oriel_type_physical(&part->type));
    if (!oriel_column_is_null(part, row)) {
        memcpy((void *)(uintptr_t)&value->slots[slot], (const char *)part->values + row * size,
               size);
        return true;
    }
    if (!value->valid) {
        const size_t bytes = oriel_bits_word_count(slot_count) * sizeof(uint64_t);
        uint64_t *words = oriel_arena_allocate(arena, bytes);
        if (!words)
            return false;
        memset(words, 0xff, bytes);
        value->valid = words;
    }
    ((uint64_t *)(uintptr_t)value->valid)[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    return true;
}

/* Places of the parts of rows, to be changed by reading one of them. */
static int64_t *copy_places(struct oriel_arena *arena, const int64_t *places, size_t count,
                            int64_t offset) {
    int64_t *copy = oriel_arena_allocate(arena, (count + 1) * sizeof *copy);
    for (size_t i = 0; i < count && copy; i++)
        copy[i] = places[i] < 0 ? -1 : places[i] + offset;
    return copy;
}

static enum oriel_status read_parts(const struct ArrowArray *parts,
                                    const struct oriel_arrow_column *column, const int64_t *places,
                                    size_t count, struct oriel_arena *arena,
                                    struct oriel_column **out, struct oriel_error *error) {
    *out = oriel_arena_allocate_zeroed(arena, column->child_count, sizeof **out);
    if (!*out)
        return oriel_error_memory(error);
    for (uint32_t k = 0; k < column->child_count; k++) {
        const struct ArrowArray *child = parts->children[k];
        for (size_t i = 0; i < count; i++) {
            if (places[i] >= child->length)
                return refuse_array(column, error);
        }
        int64_t *rows = copy_places(arena, places, count, child->offset);
        if (!rows)
            return oriel_error_memory(error);
        ORIEL_TRY(read_part(child, &column->children[k], rows, count, arena, &(*out)[k], error));
    }
    return ORIEL_OK;
}

static enum oriel_status read_structs(const struct ArrowArray *array,
                                      const struct oriel_arrow_column *column, const int64_t *rows,
                                      size_t count, struct oriel_arena *arena,
                                      struct oriel_column *out, struct oriel_error *error) {
    struct oriel_column *parts;
    ORIEL_TRY(read_parts(array, column, rows, count, arena, &parts, error));
    const struct oriel_nested **values = out->values;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        struct oriel_nested *value = make_value(arena, column->child_count);
        bool ok = value != NULL;
        for (uint32_t k = 0; k < column->child_count && ok; k++)
            ok = fill_slot(arena, value, column->child_count, k, &parts[k], i);
        if (!ok)
            return oriel_error_memory(error);
        value->count = column->child_count;
        values[i] = value;
    }
    return ORIEL_OK;
}

/* The places of the elements of all lists, one behind the other. */
static enum oriel_status find_places(const struct ArrowArray *array,
                                     const struct oriel_arrow_column *column, const int64_t *rows,
                                     size_t count, int64_t first, struct oriel_arena *arena,
                                     int64_t **out, size_t *total, struct oriel_error *error) {
    int64_t begin = 0, end = 0;
    size_t at = 0;
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        if (!find_elements(array, column, rows[i], &begin, &end))
            return oriel_error_set(error, ORIEL_DATA, "column '%s': bad offsets at row %lld",
                                   column->name, (long long)rows[i]);
        *total += (size_t)(end - begin);
    }
    int64_t *places = oriel_arena_allocate(arena, (*total + 1) * sizeof *places);
    if (!places)
        return oriel_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (rows[i] < 0)
            continue;
        find_elements(array, column, rows[i], &begin, &end);
        for (int64_t k = begin; k < end; k++)
            places[at++] = first + k;
    }
    *out = places;
    return ORIEL_OK;
}

static enum oriel_status read_lists(const struct ArrowArray *array,
                                    const struct oriel_arrow_column *column, const int64_t *rows,
                                    size_t count, struct oriel_arena *arena,
                                    struct oriel_column *out, struct oriel_error *error) {
    const struct ArrowArray *parts_array = array_of_parts(array, column);
    const bool is_map = parts_array != array;
    int64_t *places = NULL;
    size_t total = 0, at = 0;
    ORIEL_TRY(find_places(array, column, rows, count, is_map ? parts_array->offset : 0, arena,
                          &places, &total, error));
    struct oriel_column *parts;
    ORIEL_TRY(read_parts(parts_array, column, places, total, arena, &parts, error));
    const struct oriel_nested **values = out->values;
    for (size_t i = 0; i < count; i++) {
        int64_t begin, end;
        if (rows[i] < 0)
            continue;
        find_elements(array, column, rows[i], &begin, &end);
        const size_t elements = (size_t)(end - begin), slots = elements * column->child_count;
        struct oriel_nested *value = make_value(arena, slots);
        bool ok = value != NULL;
        for (size_t k = 0; k < slots && ok; k++)
            ok = fill_slot(arena, value, slots, k, &parts[k % column->child_count],
                           at + k / column->child_count);
        if (!ok)
            return oriel_error_memory(error);
        at += elements;
        value->count = (uint32_t)elements;
        values[i] = value;
    }
    return ORIEL_OK;
}

enum oriel_status oriel_arrow_nested_read(const struct ArrowArray *array,
                                          const struct oriel_arrow_column *column,
                                          const int64_t *rows, size_t count,
                                          struct oriel_arena *arena, struct oriel_column *out,
                                          struct oriel_error *error) {
    return column->type.layout == ORIEL_ARROW_STRUCT
               ? read_structs(array, column, rows, count, arena, out, error)
               : read_lists(array, column, rows, count, arena, out, error);
}
