/*
 * Results that describe something: rows of strings made when the statement runs.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

enum oriel_status oriel_listing_begin(struct oriel_result *result, enum oriel_result_kind kind,
                                      const char *const *names, uint32_t name_count,
                                      struct oriel_error *error) {
    struct oriel_field *fields =
        oriel_arena_allocate_zeroed(&result->arena, name_count, sizeof *fields);
    if (!fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < name_count; i++)
        fields[i] = (struct oriel_field){names[i], oriel_type_string()};
    result->kind = kind;
    result->schema = (struct oriel_schema){name_count, fields};
    oriel_table_init(&result->listing, &result->engine->memory, result->schema);
    result->has_listing = true;
    return ORIEL_OK;
}

enum oriel_status oriel_listing_add(struct oriel_result *result, const char *const *cells,
                                    struct oriel_error *error) {
    const uint32_t count = result->schema.field_count;
    struct oriel_column *columns =
        oriel_arena_allocate_zeroed(&result->arena, count, sizeof *columns);
    struct oriel_string *values =
        oriel_arena_allocate_zeroed(&result->arena, count, sizeof *values);
    uint64_t *valid = oriel_arena_allocate_zeroed(&result->arena, count, sizeof *valid);
    if (!columns || !values || !valid)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        valid[i] = cells[i] ? 1 : 0;
        values[i] =
            cells[i] ? oriel_string_make(cells[i], strlen(cells[i])) : oriel_string_make("", 0);
        columns[i] = (struct oriel_column){
            .type = result->schema.fields[i].type, .values = &values[i], .valid = &valid[i]};
    }
    const struct oriel_batch batch = {.row_count = 1, .column_count = count, .columns = columns};
    return oriel_table_append(&result->listing, &batch, NULL, 0, 1, error);
}
