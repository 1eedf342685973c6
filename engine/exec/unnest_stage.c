/*
 * UNNEST: each row goes on once for each element of its collection, in batches that never grow.
 * Strings and nested values keep pointing into the collection.
 */
#include <string.h>

#include "engine/exec/gather.h"
#include "engine/exec/pipeline.h"

struct unnest_stage {
    struct oriel_stage stage;
    const struct oriel_runtime *runtime;
    const struct oriel_plan *plan;
    uint32_t input_count;   /* columns of the input */
    uint32_t element_count; /* columns of an element, without its number */
    bool is_row;            /* elements are ROWs, whose fields are the columns */
    bool is_map, is_multiset;
    struct oriel_arena arena;
    struct oriel_column_buffers buffers; /* of all output columns */
    struct oriel_column *columns;        /* of the output */
    uint32_t *rows;
    size_t filled;
    uint64_t emitted; /* rows of this input batch that went on */
};

static enum oriel_status flush(struct unnest_stage *self, const struct oriel_batch *batch,
                               struct oriel_error *error) {
    const size_t row_count = self->filled;
    uint64_t first_row;
    if (row_count == 0)
        return ORIEL_OK;
    ORIEL_TRY(oriel_runtime_check(self->runtime, error));
    if (__builtin_mul_overflow(batch->first_row, UINT64_C(1) << ORIEL_UNNEST_POSITION_BITS,
                               &first_row) ||
        self->emitted + row_count > (uint64_t)batch->row_count << ORIEL_UNNEST_POSITION_BITS)
        return oriel_error_set(error, ORIEL_RUNTIME, "UNNEST makes too many rows");
    oriel_gather_rows(self->runtime->kernels, batch->columns, self->input_count, self->rows,
                      row_count, &self->buffers, self->columns);
    const struct oriel_batch out = {.row_count = row_count,
                                    .column_count = self->plan->schema.field_count,
                                    .columns = self->columns,
                                    .first_row = first_row + self->emitted};
    self->filled = 0;
    self->emitted += row_count;
    return self->stage.next(self->stage.next_context, &out, error);
}

static void put(struct oriel_column *column, size_t at, const struct oriel_nested *nested,
                size_t slot) {
    const size_t size = oriel_physical_size(oriel_type_physical(&column->type));
    if (!nested || !oriel_bits_get(nested->valid, slot)) {
        oriel_column_set_null(column, at);
        return;
    }
    oriel_bits_set(column->valid, at);
    memcpy((char *)column->values + at * size, &nested->slots[slot], size);
}

/* One output row: the element's columns are the slots of `nested` from `slot` on, NULL without it;
 * number 0 is none. */
static enum oriel_status emit(struct unnest_stage *self, const struct oriel_batch *batch,
                              uint32_t row, const struct oriel_nested *nested, size_t slot,
                              uint32_t number, struct oriel_error *error) {
    struct oriel_column *const elements = self->columns + self->input_count;
    const size_t at = self->filled;
    self->rows[at] = row;
    for (uint32_t i = 0; i < self->element_count; i++)
        put(&elements[i], at, nested, slot + i);
    if (self->plan->unnest.ordinality && number) {
        oriel_bits_set(elements[self->element_count].valid, at);
        ((int32_t *)elements[self->element_count].values)[at] = (int32_t)number;
    } else if (self->plan->unnest.ordinality) {
        oriel_column_set_null(&elements[self->element_count], at);
    }
    self->filled++;
    return self->filled == self->runtime->batch_rows ? flush(self, batch, error) : ORIEL_OK;
}

/* All elements of one row. */
static enum oriel_status expand(struct unnest_stage *self, const struct oriel_batch *batch,
                                uint32_t row, const struct oriel_nested *nested,
                                struct oriel_error *error) {
    const uint32_t step = self->is_map || self->is_multiset ? 2 : 1;
    uint32_t number = 0;
    for (uint32_t i = 0; nested && i < nested->count; i++) {
        const size_t slot = (size_t)i * step;
        const struct oriel_nested *from = nested;
        size_t first = slot;
        int32_t times = 1;
        if (self->is_multiset)
            memcpy(&times, &nested->slots[slot + 1], sizeof times);
        if (self->is_row) {
            if (!oriel_bits_get(nested->valid, slot))
                continue;
            memcpy(&from, &nested->slots[slot], sizeof from);
            first = 0;
        }
        for (; times > 0; times--)
            ORIEL_TRY(emit(self, batch, row, from, first, ++number, error));
    }
    if (number == 0 && self->plan->unnest.outer)
        return emit(self, batch, row, NULL, 0, 0, error);
    return ORIEL_OK;
}

static enum oriel_status push_unnest(struct oriel_stage *stage, const struct oriel_batch *batch,
                                     struct oriel_error *error) {
    struct unnest_stage *self = (struct unnest_stage *)stage;
    const struct oriel_column *collection = &batch->columns[self->plan->unnest.column];
    self->emitted = 0;
    for (size_t row = 0; row < batch->row_count; row++) {
        const struct oriel_nested *nested =
            oriel_column_is_null(collection, row)
                ? NULL
                : ((const struct oriel_nested *const *)collection->values)[row];
        ORIEL_TRY(expand(self, batch, (uint32_t)row, nested, error));
    }
    return flush(self, batch, error);
}

static void close_unnest(struct oriel_stage *stage) {
    struct unnest_stage *self = (struct unnest_stage *)stage;
    oriel_column_buffers_deinit(&self->buffers);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_stage_operations unnest_operations = {push_unnest, close_unnest};

static enum oriel_status open_parts(struct unnest_stage *self, struct oriel_error *error) {
    const struct oriel_schema *schema = &self->plan->schema;
    const size_t capacity = self->runtime->batch_rows;
    ORIEL_TRY(
        oriel_column_buffers_init(&self->buffers, self->runtime->memory, schema, capacity, error));
    self->columns =
        oriel_arena_allocate_zeroed(&self->arena, schema->field_count, sizeof *self->columns);
    self->rows = oriel_arena_allocate_zeroed(&self->arena, capacity, sizeof *self->rows);
    if (!self->columns || !self->rows)
        return oriel_error_memory(error);
    memcpy(self->columns, self->buffers.columns, schema->field_count * sizeof *self->columns);
    return ORIEL_OK;
}

enum oriel_status oriel_unnest_open(const struct oriel_plan *plan,
                                    const struct oriel_runtime *runtime, struct oriel_stage **out,
                                    struct oriel_error *error) {
    struct unnest_stage *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return oriel_error_memory(error);
    const struct oriel_schema input = plan->inputs[0]->schema;
    const struct oriel_type *collection = &input.fields[plan->unnest.column].type;
    self->stage.operations = &unnest_operations;
    self->runtime = runtime;
    self->plan = plan;
    self->input_count = input.field_count;
    self->element_count = plan->schema.field_count - input.field_count - plan->unnest.ordinality;
    self->is_multiset = collection->id == ORIEL_TYPE_MAP && collection->multiset;
    self->is_map = collection->id == ORIEL_TYPE_MAP && !collection->multiset;
    self->is_row = !self->is_map && collection->fields[0].type.id == ORIEL_TYPE_ROW;
    oriel_arena_init(&self->arena, runtime->memory);
    const enum oriel_status status = open_parts(self, error);
    if (status != ORIEL_OK) {
        close_unnest(&self->stage);
        return status;
    }
    *out = &self->stage;
    return ORIEL_OK;
}
