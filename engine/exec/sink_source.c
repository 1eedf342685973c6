/*
 * A breaker as a source: to start it is to run its inputs into their sinks; then it is the source
 * that the last sink gives.
 */
#include "engine/exec/drive.h"
#include "engine/exec/pipeline.h"
#include "engine/exec/profile.h"

/* Rows on their way into a sink. */
struct entry {
    struct oriel_source *source; /* NULL: none, or read */
    struct oriel_pass *pass;     /* borrowed */
    struct oriel_sink *sink;
};

struct sink_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_arena arena;
    uint32_t entry_count;
    struct entry *entries;
    uint32_t sink_count;
    struct oriel_sink *sinks[ORIEL_SINK_INPUT_MAX];
    struct oriel_source *result;
};

static enum oriel_status push_sink(void *context, unsigned worker, const struct oriel_batch *batch,
                                   struct oriel_error *error) {
    struct oriel_sink *sink = context;
    return sink->operations->push(sink, worker, batch, error);
}

static void close_input(struct entry *entry) {
    if (entry->source)
        entry->source->operations->close(entry->source);
    entry->source = NULL;
}

static enum oriel_status fill_sinks(struct sink_source *self, unsigned worker_count,
                                    struct oriel_error *error) {
    for (uint32_t i = 0; i < self->entry_count; i++) {
        struct entry *entry = &self->entries[i];
        if (entry->pass) {
            ORIEL_TRY(oriel_pass_run(entry->pass, error));
            continue;
        }
        ORIEL_TRY(entry->source->operations->start(entry->source, worker_count, error));
        ORIEL_TRY(oriel_drive(self->runtime, entry->source, push_sink, entry->sink, error));
        close_input(entry);
    }
    return ORIEL_OK;
}

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct sink_source *self = (struct sink_source *)source;
    struct oriel_sink *last = self->sinks[self->sink_count - 1];
    ORIEL_TRY(fill_sinks(self, worker_count, error));
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
    for (uint32_t i = 0; i < self->entry_count; i++)
        close_input(&self->entries[i]);
    for (uint32_t i = 0; i < self->sink_count; i++)
        self->sinks[i]->operations->close(self->sinks[i]);
    oriel_arena_deinit(&self->arena);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations sink_source_operations = {start, claim, read_result,
                                                                      close_sink_source};

/* Room for `entry_count` entries, which are empty. */
static struct sink_source *make(const struct oriel_runtime *runtime, uint32_t entry_count,
                                struct oriel_schema schema) {
    struct sink_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self)
        return NULL;
    self->source = (struct oriel_source){&sink_source_operations, schema};
    self->runtime = runtime;
    oriel_arena_init(&self->arena, runtime->memory);
    self->entries = oriel_arena_allocate_zeroed(&self->arena, entry_count, sizeof *self->entries);
    if (self->entries)
        return self;
    close_sink_source(&self->source);
    return NULL;
}

enum oriel_status oriel_sink_source_open(const struct oriel_runtime *runtime,
                                         struct oriel_source *const *inputs,
                                         struct oriel_sink *const *sinks, uint32_t input_count,
                                         struct oriel_schema schema, struct oriel_source **out,
                                         struct oriel_error *error) {
    struct sink_source *self = make(runtime, input_count, schema);
    for (uint32_t i = 0; i < input_count; i++) {
        if (self) {
            self->entries[self->entry_count++] =
                (struct entry){.source = inputs[i], .sink = sinks[i]};
            self->sinks[self->sink_count++] = sinks[i];
        } else {
            inputs[i]->operations->close(inputs[i]);
            sinks[i]->operations->close(sinks[i]);
        }
    }
    if (!self)
        return oriel_error_memory(error);
    *out = &self->source;
    return ORIEL_OK;
}

enum oriel_status oriel_fed_source_open(const struct oriel_runtime *runtime,
                                        const struct oriel_sink_input *inputs,
                                        struct oriel_sink *sink, struct oriel_schema schema,
                                        struct oriel_source **out, struct oriel_error *error) {
    uint32_t count = 0;
    for (const struct oriel_sink_input *it = inputs; it; it = it->next)
        count++;
    struct sink_source *self = make(runtime, count, schema);
    if (!self) {
        for (const struct oriel_sink_input *it = inputs; it; it = it->next)
            if (it->source)
                it->source->operations->close(it->source);
        sink->operations->close(sink);
        return oriel_error_memory(error);
    }
    for (const struct oriel_sink_input *it = inputs; it; it = it->next)
        self->entries[self->entry_count++] = (struct entry){it->source, it->pass, sink};
    self->sinks[self->sink_count++] = sink;
    *out = &self->source;
    return ORIEL_OK;
}
