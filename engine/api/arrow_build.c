/*
 * Every child owns its buffers by itself, so that a consumer may move it out of its parent, as the
 * specification allows.
 */
#include "engine/api/arrow_build.h"

#include <string.h>

#include "engine/api/engine_internal.h"
#include "engine/api/nested_part.h"

enum { BUFFERS_MAX = 3, NS_PER_US = 1000 };

struct owned_array {
    struct oriel_arrow_owner owner;
    const void *buffers[BUFFERS_MAX];
    struct oriel_arrow_block *blocks[BUFFERS_MAX]; /* they lie in; or NULL: blocks of their own */
    size_t sizes[BUFFERS_MAX];
    struct ArrowArray *children;
    struct ArrowArray **child_pointers;
    uint32_t child_count;
};

static void array_release(struct ArrowArray *array) {
    struct owned_array *own = array->private_data;
    const struct oriel_arrow_owner owner = own->owner;
    struct oriel_memory *memory = owner.memory;
    for (uint32_t i = 0; i < own->child_count; i++) {
        if (own->children[i].release)
            own->children[i].release(&own->children[i]);
    }
    for (int i = 0; i < BUFFERS_MAX; i++) {
        void *buffer = (void *)(uintptr_t)own->buffers[i];
        if (own->blocks[i])
            oriel_arrow_block_leave(own->blocks[i]);
        else
            oriel_memory_release(memory, buffer, own->sizes[i]);
    }
    oriel_memory_release(memory, own->children, own->child_count * sizeof *own->children);
    oriel_memory_release(memory, own->child_pointers,
                         own->child_count * sizeof *own->child_pointers);
    oriel_memory_release(memory, own, sizeof *own);
    array->release = NULL;
    if (owner.engine)
        oriel_engine_return(owner.engine);
}

/* An array with room for its children; *out can be released, also when it fails. */
static struct owned_array *begin_array(struct oriel_arrow_owner owner, struct ArrowArray *out,
                                       size_t length, int64_t buffer_count, uint32_t child_count) {
    struct owned_array *own = oriel_memory_allocate_zeroed(owner.memory, 1, sizeof *own);
    if (!own)
        return NULL;
    own->owner = owner;
    if (owner.engine)
        oriel_engine_lend(owner.engine);
    *out = (struct ArrowArray){
        .length = (int64_t)length,
        .n_buffers = buffer_count,
        .buffers = own->buffers,
        .release = array_release,
        .private_data = own,
    };
    if (!child_count)
        return own;
    own->children = oriel_memory_allocate_zeroed(owner.memory, child_count, sizeof *own->children);
    if (!own->children)
        return NULL;
    own->child_pointers =
        oriel_memory_allocate_zeroed(owner.memory, child_count, sizeof *own->child_pointers);
    if (!own->child_pointers) {
        oriel_memory_release(owner.memory, own->children, child_count * sizeof *own->children);
        own->children = NULL;
        return NULL;
    }
    own->child_count = child_count;
    for (uint32_t i = 0; i < child_count; i++)
        own->child_pointers[i] = &own->children[i];
    out->n_children = child_count;
    out->children = own->child_pointers;
    return own;
}

/* Room for `size_bytes` that are written next, and zeros behind them. */
static void *add_buffer(struct owned_array *own, int index, size_t size_bytes) {
    char *buffer = NULL;
    if (own->owner.slab)
        buffer = oriel_arrow_slab_take(own->owner.slab, own->owner.memory, size_bytes,
                                       &own->blocks[index]);
    if (!buffer)
        buffer = oriel_memory_allocate(own->owner.memory, size_bytes);
    if (buffer)
        memset(buffer + size_bytes, 0, ORIEL_BUFFER_PADDING);
    own->buffers[index] = buffer;
    own->sizes[index] = size_bytes;
    return buffer;
}

static void *add_zeros(struct owned_array *own, int index, size_t size_bytes) {
    void *buffer = add_buffer(own, index, size_bytes);
    return buffer ? memset(buffer, 0, size_bytes) : NULL;
}

/* The validity of 64 rows from `row` on, of which `count` are asked for. */
static uint64_t valid_word(const uint64_t *valid, size_t row, size_t count) {
    const size_t shift = row % 64;
    uint64_t word = valid[row / 64] >> shift;
    if (shift && count > 64 - shift)
        word |= valid[row / 64 + 1] << (64 - shift);
    return word & oriel_bits_low(count);
}

/* Copies the validity of the rows; no buffer when none is NULL. */
static bool build_validity(struct owned_array *own, struct ArrowArray *out,
                           const struct oriel_column *column, size_t first, size_t count) {
    size_t valid_count = 0;
    if (!column->valid)
        return true;
    for (size_t i = 0; i < count; i += 64)
        valid_count += (size_t)__builtin_popcountll(
            valid_word(column->valid, first + i, count - i < 64 ? count - i : 64));
    if (valid_count == count)
        return true;
    out->null_count = (int64_t)(count - valid_count);
    uint64_t *words = add_buffer(own, 0, oriel_bits_word_count(count) * sizeof *words);
    for (size_t i = 0; i < count && words; i += 64)
        words[i / 64] = valid_word(column->valid, first + i, count - i < 64 ? count - i : 64);
    return words != NULL;
}

static bool build_booleans(struct owned_array *own, const struct oriel_column *column, size_t first,
                           size_t count) {
    unsigned char *bits = add_zeros(own, 1, count / 8 + 1);
    for (size_t i = 0; i < count && bits; i++)
        bits[i / 8] |=
            (unsigned char)((((const int8_t *)column->values)[first + i] != 0) << (i % 8));
    return bits != NULL;
}

/* Copies the bytes of texts to where their offsets say. Most lie inside their values and are copied
 * whole, their padding under what follows. */
static void copy_texts(const struct oriel_string *values, const int32_t *offsets, size_t count,
                       char *bytes) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        if (length > ORIEL_STRING_INLINE_BYTES)
            memcpy(bytes + offsets[i], values[i].bytes, length);
        else if (length)
            memcpy(bytes + offsets[i], (const char *)&values[i] + sizeof(uint32_t),
                   ORIEL_STRING_INLINE_BYTES);
    }
    memset(bytes + offsets[count], 0, ORIEL_STRING_INLINE_BYTES);
}

static enum oriel_status build_texts(struct owned_array *own, const struct oriel_column *column,
                                     size_t first, size_t count, struct oriel_error *error) {
    const struct oriel_string *values = oriel_column_strings(column) + first;
    int32_t *offsets = add_buffer(own, 1, (count + 1) * sizeof *offsets);
    if (!offsets)
        return oriel_error_memory(error);
    offsets[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_null = oriel_column_is_null(column, first + i);
        const int64_t end = (int64_t)offsets[i] + (is_null ? 0 : values[i].length);
        if (end > INT32_MAX) /* of nested values: other rows are cut before */
            return oriel_error_set(error, ORIEL_DATA,
                                   "nested strings of 2 GiB or more do not fit into Arrow's type");
        offsets[i + 1] = (int32_t)end;
    }
    char *bytes = add_buffer(own, 2, (size_t)offsets[count] + ORIEL_STRING_INLINE_BYTES);
    if (!bytes)
        return oriel_error_memory(error);
    copy_texts(values, offsets, count, bytes);
    return ORIEL_OK;
}

/* Nanoseconds of 128 bits into 64 bits of the type's unit. */
static enum oriel_status build_wide_times(struct owned_array *own,
                                          const struct oriel_column *column, size_t first,
                                          size_t count, struct oriel_error *error) {
    int64_t *values = add_zeros(own, 1, (count + 1) * sizeof *values);
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
    char *values = add_buffer(own, 1, count * size_bytes);
    if (values && count)
        memcpy(values, (const char *)column->values + first * size_bytes, count * size_bytes);
    return values != NULL;
}

static enum oriel_status build_column(struct oriel_arrow_owner owner,
                                      const struct oriel_column *column, size_t first, size_t count,
                                      struct ArrowArray *out, struct oriel_error *error);

/* Builds the array of a part of nested values, whose column is only lent for that. */
static enum oriel_status build_part(struct oriel_arrow_owner owner,
                                    const struct oriel_nested_part *part, struct ArrowArray *out,
                                    struct oriel_error *error) {
    struct oriel_column column;
    ORIEL_TRY(oriel_nested_part_gather(owner.memory, part, &column, error));
    const enum oriel_status status = build_column(owner, &column, 0, part->count, out, error);
    oriel_nested_part_release(owner.memory, part, &column);
    return status;
}

/* The entries of maps: a struct of keys and values. */
static enum oriel_status build_entries(struct oriel_arrow_owner owner,
                                       struct oriel_nested_part part, struct ArrowArray *out,
                                       struct oriel_error *error) {
    if (!begin_array(owner, out, part.count, 1, 2))
        return oriel_error_memory(error);
    ORIEL_TRY(build_part(owner, &part, out->children[0], error));
    if (out->children[0]->null_count)
        return oriel_error_set(error, ORIEL_DATA,
                               "a MAP has a NULL key, which Arrow's cannot have");
    part.slot = 1;
    return build_part(owner, &part, out->children[1], error);
}

static enum oriel_status build_nested(struct oriel_arrow_owner owner,
                                      const struct oriel_column *column, size_t first, size_t count,
                                      struct ArrowArray *out, struct oriel_error *error) {
    const bool is_row = column->type.id == ORIEL_TYPE_ROW;
    const uint32_t part_count = is_row ? column->type.field_count : 1;
    struct owned_array *own = begin_array(owner, out, count, is_row ? 1 : 2, part_count);
    if (!own || !build_validity(own, out, column, first, count))
        return oriel_error_memory(error);
    struct oriel_nested_part part = {.column = column, .first = first, .rows = count};
    if (is_row) {
        part.count = count;
        for (; part.slot < part_count; part.slot++)
            ORIEL_TRY(build_part(owner, &part, out->children[part.slot], error));
        return ORIEL_OK;
    }
    int32_t *offsets = add_zeros(own, 1, (count + 1) * sizeof *offsets);
    if (!offsets)
        return oriel_error_memory(error);
    if (!oriel_nested_offsets(column, first, count, offsets))
        return oriel_error_set(error, ORIEL_DATA,
                               "a batch with more than 2^31 elements does not fit into Arrow's "
                               "lists");
    part.count = (size_t)offsets[count];
    return column->type.id == ORIEL_TYPE_MAP ? build_entries(owner, part, out->children[0], error)
                                             : build_part(owner, &part, out->children[0], error);
}

static enum oriel_status build_column(struct oriel_arrow_owner owner,
                                      const struct oriel_column *column, size_t first, size_t count,
                                      struct ArrowArray *out, struct oriel_error *error) {
    const enum oriel_physical physical = oriel_type_physical(&column->type);
    const bool is_text = physical == ORIEL_PHYSICAL_STRING;
    const bool is_null_type = column->type.id == ORIEL_TYPE_NULL;
    if (physical == ORIEL_PHYSICAL_NESTED)
        return build_nested(owner, column, first, count, out, error);
    struct owned_array *own = begin_array(owner, out, count, is_null_type ? 0 : is_text ? 3 : 2, 0);
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
        return build_texts(own, column, first, count, error);
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

enum oriel_status oriel_arrow_array_build(struct oriel_arrow_owner owner,
                                          const struct oriel_batch *batch, size_t first,
                                          size_t *count, struct ArrowArray *out,
                                          struct oriel_error *error) {
    *out = (struct ArrowArray){0};
    *count = count_rows(batch, first);
    if (!*count)
        return oriel_error_set(error, ORIEL_DATA,
                               "a string of 2 GiB or more does not fit into Arrow's type");
    enum oriel_status status = begin_array(owner, out, *count, 1, batch->column_count)
                                   ? ORIEL_OK
                                   : oriel_error_memory(error);
    for (uint32_t i = 0; i < batch->column_count && status == ORIEL_OK; i++)
        status = build_column(owner, &batch->columns[i], first, *count, out->children[i], error);
    if (status != ORIEL_OK && out->release)
        out->release(out);
    return status;
}
