/*
 * UNION ALL: hands out the morsels of one input after the other under rising numbers. Positions get
 * the number of the input in their upper bits.
 */
#include <pthread.h>

#include "engine/exec/pipeline.h"

struct union_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    pthread_mutex_t lock;
    uint32_t input_count;
    uint32_t current; /* the input that morsels come from */
    uint64_t next_number;
    unsigned position_bits;
    struct oriel_source **inputs;
    _Atomic uint64_t *first_numbers; /* of each input; UINT64_MAX: not reached */
};

static size_t arrays_bytes(uint32_t input_count) {
    return input_count * (sizeof(struct oriel_source *) + sizeof(_Atomic uint64_t));
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct union_source *self = (struct union_source *)source;
    for (uint32_t i = 0; i < self->input_count; i++)
        ORIEL_TRY(self->inputs[i]->operations->start(self->inputs[i], worker_count, error));
    return ORIEL_OK;
}

static enum oriel_status claim_next(struct union_source *self, struct oriel_morsel *morsel,
                                    struct oriel_error *error) {
    for (; self->current < self->input_count; self->current++) {
        struct oriel_source *input = self->inputs[self->current];
        _Atomic uint64_t *first = &self->first_numbers[self->current];
        if (atomic_load_explicit(first, memory_order_relaxed) == UINT64_MAX)
            atomic_store_explicit(first, self->next_number, memory_order_relaxed);
        const enum oriel_status status = input->operations->claim(input, morsel, error);
        if (status == ORIEL_DONE)
            continue;
        if (status == ORIEL_OK)
            morsel->number = self->next_number++;
        return status;
    }
    return ORIEL_DONE;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct union_source *self = (struct union_source *)source;
    pthread_mutex_lock(&self->lock);
    const enum oriel_status status = claim_next(self, morsel, error);
    pthread_mutex_unlock(&self->lock);
    return status;
}

enum oriel_status oriel_union_move(const struct oriel_batch *batch, uint64_t offset, uint64_t bound,
                                   struct oriel_batch *out, struct oriel_error *error) {
    if (batch->first_row > bound - batch->row_count)
        return oriel_error_set(error, ORIEL_RUNTIME, "UNION ALL: an input has too many rows");
    *out = *batch;
    out->first_row += offset;
    return ORIEL_OK;
}

struct passage {
    uint64_t offset;
    uint64_t bound;
    oriel_push *push;
    void *context;
};

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    const struct passage *passage = context;
    struct oriel_batch moved;
    ORIEL_TRY(oriel_union_move(batch, passage->offset, passage->bound, &moved, error));
    return passage->push(passage->context, &moved, error);
}

static enum oriel_status read_union(struct oriel_source *source, unsigned worker,
                                    const struct oriel_morsel *morsel, oriel_push *push,
                                    void *context, struct oriel_error *error) {
    struct union_source *self = (struct union_source *)source;
    uint32_t i = self->input_count - 1;
    while (atomic_load_explicit(&self->first_numbers[i], memory_order_relaxed) > morsel->number)
        i--;
    struct oriel_morsel inner = *morsel;
    inner.number -= atomic_load_explicit(&self->first_numbers[i], memory_order_relaxed);
    struct passage passage = {(uint64_t)i << self->position_bits,
                              UINT64_C(1) << self->position_bits, push, context};
    struct oriel_source *input = self->inputs[i];
    return input->operations->read(input, worker, &inner, pass, &passage, error);
}

static void close_union(struct oriel_source *source) {
    struct union_source *self = (struct union_source *)source;
    for (uint32_t i = 0; i < self->input_count; i++)
        self->inputs[i]->operations->close(self->inputs[i]);
    oriel_memory_release(self->runtime->memory, self->inputs, arrays_bytes(self->input_count));
    pthread_mutex_destroy(&self->lock);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations union_operations = {start, claim, read_union,
                                                                close_union};

enum oriel_status oriel_union_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_source *const *inputs, uint32_t input_count,
                                          unsigned position_bits, struct oriel_schema schema,
                                          struct oriel_source **out, struct oriel_error *error) {
    struct union_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    struct oriel_source **arrays =
        oriel_memory_allocate(runtime->memory, arrays_bytes(input_count));
    if (!self || !arrays) {
        for (uint32_t i = 0; i < input_count; i++)
            inputs[i]->operations->close(inputs[i]);
        oriel_memory_release(runtime->memory, arrays, arrays_bytes(input_count));
        oriel_memory_release(runtime->memory, self, sizeof *self);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&union_operations, schema};
    self->runtime = runtime;
    pthread_mutex_init(&self->lock, NULL);
    self->input_count = input_count;
    self->position_bits = position_bits;
    self->inputs = arrays;
    self->first_numbers = (_Atomic uint64_t *)(arrays + input_count);
    for (uint32_t i = 0; i < input_count; i++) {
        self->inputs[i] = inputs[i];
        atomic_init(&self->first_numbers[i], UINT64_MAX);
    }
    *out = &self->source;
    return ORIEL_OK;
}
