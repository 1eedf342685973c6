/*
 * Appends the position column to batches on their way into breakers.
 */
#include "engine/exec/positioned.h"

#include <string.h>

#include "engine/base/assertion.h"
#include "engine/exec/drive.h"

struct oriel_type oriel_position_type(void) {
    return oriel_type_with_null(oriel_type_make(ORIEL_TYPE_BIGINT), false);
}

enum oriel_status oriel_schema_extend(struct oriel_arena *arena, struct oriel_schema input,
                                      uint32_t extra, struct oriel_field **fields,
                                      struct oriel_error *error) {
    *fields =
        oriel_arena_allocate_zeroed(arena, (size_t)input.field_count + extra, sizeof **fields);
    if (!*fields)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < input.field_count; i++)
        (*fields)[i] = input.fields[i];
    return ORIEL_OK;
}

enum oriel_status oriel_positioned_init(struct oriel_positioned *positioned,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_schema input, struct oriel_error *error) {
    const unsigned worker_count = oriel_worker_count(runtime);
    const uint32_t field_count = input.field_count + 1;
    struct oriel_arena *arena = &positioned->arena;
    struct oriel_field *fields;
    *positioned =
        (struct oriel_positioned){.memory = runtime->memory, .batch_rows = runtime->batch_rows};
    oriel_arena_init(arena, runtime->memory);
    enum oriel_status status = oriel_schema_extend(arena, input, 1, &fields, error);
    positioned->columns = oriel_arena_allocate_zeroed(arena, worker_count, sizeof(void *));
    if (status == ORIEL_OK && !positioned->columns)
        status = oriel_error_memory(error);
    for (unsigned w = 0; w < worker_count && status == ORIEL_OK; w++) {
        struct oriel_column *columns =
            oriel_arena_allocate_zeroed(arena, field_count, sizeof *columns);
        int64_t *positions =
            oriel_arena_allocate_zeroed(arena, runtime->batch_rows, sizeof *positions);
        if (!columns || !positions) {
            status = oriel_error_memory(error);
            break;
        }
        columns[input.field_count] =
            (struct oriel_column){.type = oriel_position_type(), .values = positions};
        positioned->columns[w] = columns;
    }
    if (status != ORIEL_OK) {
        oriel_positioned_deinit(positioned);
        return status;
    }
    fields[input.field_count] = (struct oriel_field){"position", oriel_position_type()};
    positioned->schema = (struct oriel_schema){field_count, fields};
    return ORIEL_OK;
}

void oriel_positioned_deinit(struct oriel_positioned *positioned) {
    if (positioned->memory)
        oriel_arena_deinit(&positioned->arena);
    *positioned = (struct oriel_positioned){0};
}

struct oriel_batch oriel_positioned_batch(const struct oriel_positioned *positioned,
                                          unsigned worker, const struct oriel_batch *batch) {
    struct oriel_column *columns = positioned->columns[worker];
    ORIEL_ASSERT(batch->row_count <= positioned->batch_rows);
    memcpy(columns, batch->columns, batch->column_count * sizeof *columns);
    int64_t *positions = columns[batch->column_count].values;
    for (size_t i = 0; i < batch->row_count; i++)
        positions[i] = (int64_t)(batch->first_row + i);
    struct oriel_batch out = *batch;
    out.column_count++;
    out.columns = columns;
    return out;
}
