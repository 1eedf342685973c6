/*
 * A breaker as a source: to start it is to run its inputs into their sinks; then it is the source
 * that the last sink gives.
 */
#include "engine/exec/drive.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"

struct sink_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    uint32_t input_count;
    struct oriel_source *inputs[ORIEL_SINK_INPUT_MAX];
    struct oriel_sink *sinks[ORIEL_SINK_INPUT_MAX];
    struct oriel_source *result;
};

static enum oriel_status push_sink(void *context, unsigned worker, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    struct oriel_sink *sink = context;
    return sink->operations->push(sink, worker, batch, error);
}

static void close_input(struct sink_source *self, uint32_t i) {
    if (self->inputs[i])
        self->inputs[i]->operations->close(self->inputs[i]);
    self->inputs[i] = NULL;
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct sink_source *self = (struct sink_source *)source;
    for (uint32_t i = 0; i < self->input_count; i++) {
        struct oriel_source *input = self->inputs[i];
        ORIEL_TRY(input->operations->start(input, worker_count, error));
        ORIEL_TRY(oriel_drive(self->runtime, input, push_sink, self->sinks[i], error));
        close_input(self, i);
    }
    struct oriel_sink *last = self->sinks[self->input_count - 1];
    ORIEL_TRY(last->operations->finish(last, &self->result, error));
    if (self->runtime->operation && last->operations->report)
        last->operations->report(last, oriel_profile_report(self->runtime->operation),
                                 ORIEL_REPORT_BYTES);
    return self->result->operations->start(self->result, worker_count, error);
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct sink_source *self = (struct sink_source *)source;
    return self->result->operations->claim(self->result, morsel, error);
}

static enum oriel_status read_result(struct oriel_source *source, unsigned worker,
                                     const struct oriel_morsel *morsel, oriel_push *push,
                                     void *context, struct oriel_error *error) {
    struct sink_source *self = (struct sink_source *)source;
    return self->result->operations->read(self->result, worker, morsel, push, context, error);
}

static void close_sink_source(struct oriel_source *source) {
    struct sink_source *self = (struct sink_source *)source;
    if (self->result)
        self->result->operations->close(self->result);
    for (uint32_t i = 0; i < self->input_count; i++) {
        close_input(self, i);
        self->sinks[i]->operations->close(self->sinks[i]);
    }
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations sink_source_operations = {start, claim, read_result,
                                                                      close_sink_source};

enum oriel_status oriel_sink_source_open(const struct oriel_runtime *runtime,
                                         struct oriel_source *const *inputs,
                                         struct oriel_sink *const *sinks, uint32_t input_count,
                                         struct oriel_schema schema, struct oriel_source **out,
                                         struct oriel_error *error) {
    struct sink_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        for (uint32_t i = 0; i < input_count; i++) {
            inputs[i]->operations->close(inputs[i]);
            sinks[i]->operations->close(sinks[i]);
        }
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&sink_source_operations, schema};
    self->runtime = runtime;
    self->input_count = input_count;
    for (uint32_t i = 0; i < input_count; i++) {
        self->inputs[i] = inputs[i];
        self->sinks[i] = sinks[i];
    }
    *out = &self->source;
    return ORIEL_OK;
}
