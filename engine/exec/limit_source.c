/*
 * LIMIT and OFFSET without a breaker: morsels are read by all workers, and pass on their rows in
 * turn. A worker whose turn it is not keeps its rows, and waits when they become too many; then the
 * morsel before it is certainly being read by another worker.
 */
#include <pthread.h>
#include <string.h>

#include "engine/exec/pipeline.h"
#include "engine/exec/table_source.h"

enum { KEPT_ROWS_MAX = 1 << 16 };

struct limit_source {
    struct oriel_source source;
    const struct oriel_runtime *runtime;
    struct oriel_source *input;
    uint64_t wanted; /* rows of the input that matter */
    uint64_t skip;   /* rows still to drop; changed by the worker whose turn it is */
    uint64_t left;   /* rows still to pass on */
    uint64_t passed; /* rows passed on: the next position */
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint64_t claim_count; /* morsels below were claimed */
    uint64_t turn;        /* morsel whose rows come next */
    uint64_t broken;      /* the first morsel that failed: turns after it will not come */
    _Atomic bool full;    /* all wanted rows were passed on */
};

/* One morsel on its way. */
struct passage {
    struct limit_source *self;
    uint64_t number;
    bool my_turn;
    struct oriel_table kept;
    struct oriel_column *view; /* the columns of a batch, seen as a table's */
    oriel_push *push;
    void *context;
};

static enum oriel_status start(struct oriel_source *source, unsigned worker_count,
                               struct oriel_error *error) {
    struct limit_source *self = (struct limit_source *)source;
    if (self->left == 0) {
        atomic_store(&self->full, true);
        return ORIEL_OK;
    }
    return self->input->operations->start(self->input, worker_count, error);
}

/* After a claim that failed: waits until the rows of all claimed morsels came by. Whether some are
 * still wanted, so that the failure counts. */
static bool wants_more(struct limit_source *self) {
    pthread_mutex_lock(&self->lock);
    while (self->turn < self->claim_count && self->broken == UINT64_MAX)
        pthread_cond_wait(&self->turned, &self->lock);
    pthread_mutex_unlock(&self->lock);
    return !atomic_load_explicit(&self->full, memory_order_relaxed);
}

static enum oriel_status claim(struct oriel_source *source, struct oriel_morsel *morsel,
                               struct oriel_error *error) {
    struct limit_source *self = (struct limit_source *)source;
    if (atomic_load_explicit(&self->full, memory_order_relaxed))
        return ORIEL_DONE;
    const enum oriel_status status = self->input->operations->claim(self->input, morsel, error);
    if (status == ORIEL_OK) {
        pthread_mutex_lock(&self->lock);
        if (self->claim_count <= morsel->number)
            self->claim_count = morsel->number + 1;
        pthread_mutex_unlock(&self->lock);
    } else if (status != ORIEL_DONE && !wants_more(self)) {
        return ORIEL_DONE;
    }
    return status;
}

/* Passes on what is wanted of rows that come now. ORIEL_DONE when nothing more is. */
static enum oriel_status pass_rows(struct passage *passage, const struct oriel_table *table,
                                   struct oriel_error *error) {
    struct limit_source *self = passage->self;
    const uint64_t skipped = self->skip < table->row_count ? self->skip : table->row_count;
    const uint64_t rest = table->row_count - skipped;
    const uint64_t taken = rest < self->left ? rest : self->left;
    const uint64_t position = self->passed;
    self->skip -= skipped;
    self->left -= taken;
    self->passed += taken;
    if (self->left == 0)
        atomic_store_explicit(&self->full, true, memory_order_relaxed);
    /* positions are first_row + row number */
    ORIEL_TRY(oriel_table_push(self->runtime, table, table->schema.field_count, skipped,
                               skipped + taken, position - skipped, passage->push, passage->context,
                               error));
    return self->left ? ORIEL_OK : ORIEL_DONE;
}

/* Waits for the turn of the morsel and passes on what was kept. */
static enum oriel_status take_turn(struct passage *passage, struct oriel_error *error) {
    struct limit_source *self = passage->self;
    pthread_mutex_lock(&self->lock);
    while (self->turn != passage->number && self->broken > passage->number)
        pthread_cond_wait(&self->turned, &self->lock);
    const bool broken = self->turn != passage->number;
    pthread_mutex_unlock(&self->lock);
    if (broken)
        return oriel_error_set(error, ORIEL_CANCELLED, "an earlier part of the input failed");
    passage->my_turn = true;
    if (self->left == 0)
        return ORIEL_DONE;
    const enum oriel_status status = pass_rows(passage, &passage->kept, error);
    oriel_table_clear(&passage->kept);
    return status;
}

static bool turn_has_come(struct passage *passage) {
    struct limit_source *self = passage->self;
    pthread_mutex_lock(&self->lock);
    const bool come = self->turn == passage->number;
    pthread_mutex_unlock(&self->lock);
    return come;
}

static enum oriel_status pass(void *context, const struct oriel_batch *batch,
                              struct oriel_error *error) {
    struct passage *passage = context;
    struct limit_source *self = passage->self;
    if (!passage->my_turn && turn_has_come(passage))
        ORIEL_TRY(take_turn(passage, error));
    if (!passage->my_turn) {
        ORIEL_TRY(oriel_table_append(&passage->kept, batch, NULL, 0, batch->row_count, error));
        if (passage->kept.row_count >= self->wanted)
            return ORIEL_DONE;
        return passage->kept.row_count >= KEPT_ROWS_MAX ? take_turn(passage, error) : ORIEL_OK;
    }
    memcpy(passage->view, batch->columns, batch->column_count * sizeof *passage->view);
    const struct oriel_table view = {
        .schema = self->source.schema, .row_count = batch->row_count, .columns = passage->view};
    return pass_rows(passage, &view, error);
}

/* Hands the turn to the next morsel, or breaks the chain. */
static void end_turn(struct limit_source *self, uint64_t number, bool failed) {
    pthread_mutex_lock(&self->lock);
    if (!failed)
        self->turn++;
    else if (number < self->broken)
        self->broken = number;
    pthread_cond_broadcast(&self->turned);
    pthread_mutex_unlock(&self->lock);
}

static bool is_error(enum oriel_status status) {
    return status != ORIEL_OK && status != ORIEL_DONE;
}

static enum oriel_status read_limited(struct oriel_source *source, unsigned worker,
                                      const struct oriel_morsel *morsel, oriel_push *push,
                                      void *context, struct oriel_error *error) {
    struct limit_source *self = (struct limit_source *)source;
    struct passage passage = {
        .self = self, .number = morsel->number, .push = push, .context = context};
    const size_t view_bytes = self->source.schema.field_count * sizeof *passage.view;
    enum oriel_status status;
    oriel_table_init(&passage.kept, self->runtime->memory, self->source.schema);
    passage.view = oriel_memory_allocate(self->runtime->memory, view_bytes);
    if (passage.view)
        status = self->input->operations->read(self->input, worker, morsel, pass, &passage, error);
    else
        status = oriel_error_memory(error);
    if (!passage.my_turn) {
        /* a failure counts only if rows are still wanted after those before it */
        const enum oriel_status turn = take_turn(&passage, is_error(status) ? NULL : error);
        status = is_error(status) && turn == ORIEL_OK ? status : turn;
    }
    oriel_table_deinit(&passage.kept);
    oriel_memory_release(self->runtime->memory, passage.view, view_bytes);
    /* A failure before the turn came breaks the chain too: the turn of this morsel never ends. */
    const bool failed = is_error(status);
    if (failed || passage.my_turn)
        end_turn(self, morsel->number, failed);
    return failed ? status : ORIEL_OK;
}

static void close_limit(struct oriel_source *source) {
    struct limit_source *self = (struct limit_source *)source;
    self->input->operations->close(self->input);
    pthread_cond_destroy(&self->turned);
    pthread_mutex_destroy(&self->lock);
    oriel_memory_release(self->runtime->memory, self, sizeof *self);
}

static const struct oriel_source_operations limit_operations = {start, claim, read_limited,
                                                                close_limit};

enum oriel_status oriel_limit_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_source *input, int64_t offset, int64_t limit,
                                          struct oriel_source **out, struct oriel_error *error) {
    struct limit_source *self = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *self);
    if (!self) {
        input->operations->close(input);
        return oriel_error_memory(error);
    }
    self->source = (struct oriel_source){&limit_operations, input->schema};
    self->runtime = runtime;
    self->input = input;
    self->skip = offset > 0 ? (uint64_t)offset : 0;
    self->left = limit > 0 ? (uint64_t)limit : 0;
    self->wanted = self->skip + self->left;
    self->broken = UINT64_MAX;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->turned, NULL);
    *out = &self->source;
    return ORIEL_OK;
}
