/*
 * A source whose rows one thread after the other makes in order, such as the merge of sorted runs;
 * what happens to the rows afterwards is done by all workers.
 */
#include <pthread.h>

#include "engine/exec/gather.h"
#include "engine/exec/table_source.h"

enum { MORSEL_BATCHES = 4 };

/* A piece of the output, kept for reuse. */
struct piece {
    struct piece *next;
    struct oriel_table table;
};

struct generator_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_generator *generator;
    pthread_mutex_t lock;
    struct piece *free_pieces;
    struct piece *live_pieces; /* claimed, to be freed if they are never read */
    uint64_t next_number;
    uint64_t next_row;
    bool done;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    (void)source;
    (void)worker_count;
    (void)error;
    return ORIEL_OK;
}

static struct piece *take_piece(struct generator_source *self) {
    struct piece *piece = self->free_pieces;
    if (piece) {
        self->free_pieces = piece->next;
    } else {
        piece = oriel_memory_allocate_zeroed(self->runtime->memory, 1, sizeof *piece);
        if (!piece)
            return NULL;
        oriel_table_init(&piece->table, self->runtime->memory, self->source.schema);
    }
    piece->next = self->live_pieces;
    self->live_pieces = piece;
    return piece;
}

static void give_back(struct generator_source *self, struct piece *piece) {
    struct piece **link = &self->live_pieces;
    while (*link != piece)
        link = &(*link)->next;
    *link = piece->next;
    oriel_table_clear(&piece->table);
    piece->next = self->free_pieces;
    self->free_pieces = piece;
}

static enum oriel_status generate(struct generator_source *self, struct oriel_morsel *morsel,
                                  struct oriel_error *error) {
    if (self->done)
        return ORIEL_DONE;
    struct piece *piece = take_piece(self);
    if (!piece)
        return oriel_error_memory(error);
    const size_t row_count = oriel_slice_rows(self->runtime->batch_rows) * MORSEL_BATCHES;
    enum oriel_status status =
        self->generator->operations->next(self->generator, &piece->table, row_count, error);
    if (status == ORIEL_OK && piece->table.row_count == 0)
        status = ORIEL_DONE;
    if (status != ORIEL_OK) {
        self->done = true;
        give_back(self, piece);
        return status;
    }
    *morsel = (struct oriel_morsel){.number = self->next_number++,
                                    .begin = self->next_row,
                                    .end = self->next_row + piece->table.row_count,
                                    .state = piece};
    self->next_row = morsel->end;
    return ORIEL_OK;
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct generator_source *self = (struct generator_source *)source;
    pthread_mutex_lock(&self->lock);
    const enum oriel_status status = generate(self, morsel, error);
    pthread_mutex_unlock(&self->lock);
    return status;
}

static enum oriel_status read(struct oriel_source *source, unsigned worker,
                              const struct oriel_morsel *morsel, oriel_push *push, void *context,
                              struct oriel_error *error) {
    struct generator_source *self = (struct generator_source *)source;
    struct piece *piece = morsel->state;
    (void)worker;
    const enum oriel_status status =
        oriel_table_push(self->runtime, &piece->table, self->source.schema.field_count, 0,
                         piece->table.row_count, morsel->begin, push, context, error);
    pthread_mutex_lock(&self->lock);
    give_back(self, piece);
    pthread_mutex_unlock(&self->lock);
    return status;
}

static void free_pieces(struct generator_source *self, struct piece *piece) {
    while (piece) {
        struct piece *next = piece->next;
        oriel_table_deinit(&piece->table);
        oriel_memory_release(self->runtime->memory, piece, sizeof *piece);
        piece = next;
    }
}

static void close_source(struct oriel_source *source) {
    struct generator_source *self = (struct generator_source *)source;
    free_pieces(self, self->free_pieces);
    free_pieces(self, self->live_pieces);
    self->generator->operations->close(self->generator);
    pthread_mutex_destroy(&self->lock);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations generator_operations = {start, claim, read,
                                                                    close_source};

enum oriel_status oriel_generator_source_open(const struct oriel_runtime *runtime,
                                              struct oriel_generator *generator,
                                              struct oriel_schema schema, struct oriel_source **out,
                                              struct oriel_error *error) {
    struct generator_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        generator->operations->close(generator);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&generator_operations, schema};
    self->runtime = runtime;
    self->generator = generator;
    pthread_mutex_init(&self->lock, NULL);
    *out = &self->source;
    return ORIEL_OK;
}
