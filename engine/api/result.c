/*
 * Results as the program sees them: what columns there are, and batches one after the other.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

#include "engine/io/display_width.h"

enum { TYPE_TEXT_BYTES = 1024 };

_Static_assert((int)ORIEL_LAYOUT_I8 == (int)ORIEL_PHYSICAL_I8 &&
                   (int)ORIEL_LAYOUT_I128 == (int)ORIEL_PHYSICAL_I128 &&
                   (int)ORIEL_LAYOUT_NESTED == (int)ORIEL_PHYSICAL_NESTED,
               "layouts are the physical types");
_Static_assert(sizeof(struct oriel_string_value) == sizeof(struct oriel_string),
               "string values are shown as they are");

enum oriel_result_kind oriel_result_kind(const struct oriel_result *result) {
    return result->kind;
}

uint32_t oriel_result_column_count(const struct oriel_result *result) {
    return result->schema.field_count;
}

uint64_t oriel_result_row_count(const struct oriel_result *result) {
    return result->row_count;
}

const char *oriel_string_value_bytes(const struct oriel_string_value *value) {
    return value->length <= ORIEL_STRING_INLINE_BYTES
               ? (const char *)value + offsetof(struct oriel_string_value, prefix)
               : value->tail.bytes;
}

size_t oriel_display_width(const char *text, size_t length) {
    return oriel_terminal_width(text, length);
}

enum oriel_status oriel_result_column(const struct oriel_result *result, uint32_t index,
                                      struct oriel_result_column_info *out,
                                      struct oriel_error *error) {
    if (!out || index >= result->schema.field_count)
        return oriel_error_set(error, ORIEL_ARGUMENT, "there is no column %u", index);
    const struct oriel_field *field = &result->schema.fields[index];
    const struct oriel_type *type = &field->type;
    char text[TYPE_TEXT_BYTES];
    oriel_type_print(type, true, text, sizeof text);
    /* The arena is the only part of a result that reading its description changes. */
    struct oriel_arena *arena = &((struct oriel_result *)(uintptr_t)result)->arena;
    const char *copy = oriel_arena_copy(arena, text, strlen(text));
    if (!copy)
        return oriel_error_memory(error);
    const bool has_precision = type->id == ORIEL_TYPE_DECIMAL || type->id == ORIEL_TYPE_TIME ||
                               oriel_type_is_timestamp(type);
    *out = (struct oriel_result_column_info){
        .name = field->name,
        .type = copy,
        .layout = (enum oriel_layout)oriel_type_physical(type),
        .precision = has_precision ? type->precision : 0,
        .scale = type->id == ORIEL_TYPE_DECIMAL ? type->scale : 0,
    };
    return ORIEL_OK;
}

/* The next batch of a query or a listing. */
static enum oriel_status next_batch(struct oriel_result *result, const struct oriel_batch **batch,
                                    struct oriel_error *error) {
    if (result->execution)
        return oriel_execution_next(result->execution, batch, error);
    if (!result->has_listing || result->row_count || !result->listing.row_count)
        return ORIEL_DONE;
    result->listing_batch = (struct oriel_batch){
        .row_count = result->listing.row_count,
        .column_count = result->schema.field_count,
        .columns = result->listing.columns,
    };
    *batch = &result->listing_batch;
    return ORIEL_OK;
}

enum oriel_status oriel_result_pull(struct oriel_result *result, const struct oriel_batch **batch,
                                    struct oriel_error *error) {
    if (result->use == ORIEL_RESULT_FAILED)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the result has failed before");
    result->use = ORIEL_RESULT_USED;
    enum oriel_status status;
    do {
        status = next_batch(result, batch, error);
    } while (status == ORIEL_OK && (*batch)->row_count == 0);
    if (status == ORIEL_OK) {
        result->row_count += (*batch)->row_count;
    } else if (status != ORIEL_DONE) {
        result->use = ORIEL_RESULT_FAILED;
        return oriel_engine_place_error(result->engine, status, error);
    }
    return status;
}

enum oriel_status oriel_result_pull_piece(struct oriel_result *result,
                                          const struct oriel_piece_maker *maker, void **piece,
                                          struct oriel_error *error) {
    if (result->use == ORIEL_RESULT_FAILED)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the result has failed before");
    result->use = ORIEL_RESULT_USED;
    const enum oriel_status status =
        oriel_execution_next_piece(result->execution, maker, piece, error);
    if (status == ORIEL_OK || status == ORIEL_DONE)
        return status;
    result->use = ORIEL_RESULT_FAILED;
    return oriel_engine_place_error(result->engine, status, error);
}

enum oriel_status oriel_result_next(struct oriel_result *result,
                                    const struct oriel_result_batch **out,
                                    struct oriel_error *error) {
    if (!result || !out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "result and out must not be NULL");
    const uint32_t count = result->schema.field_count;
    if (!result->view_columns) {
        result->view_columns =
            oriel_arena_allocate_zeroed(&result->arena, count, sizeof *result->view_columns);
        if (!result->view_columns)
            return oriel_error_memory(error);
    }
    const struct oriel_batch *batch;
    ORIEL_TRY(oriel_result_pull(result, &batch, error));
    for (uint32_t i = 0; i < count; i++)
        result->view_columns[i] =
            (struct oriel_result_values){batch->columns[i].values, batch->columns[i].valid};
    result->view = (struct oriel_result_batch){batch->row_count, count, result->view_columns};
    *out = &result->view;
    return ORIEL_OK;
}
