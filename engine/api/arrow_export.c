/*
 * A result as an ArrowArrayStream: workers copy each batch into arrays that own their buffers and
 * outlive the result.
 */
#include "engine/api/engine_internal.h"

#include <errno.h>
#include <string.h>

#include "engine/api/arrow_piece.h"
#include "engine/exec/task_pool.h"

/* What the stream owns. */
struct export_stream {
    struct oriel_result *result;
    struct oriel_engine *engine;
    struct oriel_error error;
    bool has_pieces;                 /* the workers make the arrays */
    struct oriel_arrow_piece *piece; /* being handed out, or NULL */
    const struct oriel_batch *batch; /* likewise, of a listing or of what was read in part before */
    size_t row;                      /* its next row */
    unsigned worker_count;
    struct oriel_arrow_slab slabs[]; /* one a worker */
};

static size_t stream_bytes(unsigned worker_count) {
    return sizeof(struct export_stream) + worker_count * sizeof(struct oriel_arrow_slab);
}

static int errno_of(enum oriel_status status) {
    return status == ORIEL_MEMORY ? ENOMEM : status == ORIEL_CANCELLED ? ECANCELED : EIO;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct export_stream *it = stream->private_data;
    const struct oriel_zone *zone = it->result->runtime.zone;
    const struct oriel_arrow_owner owner = {.memory = &it->engine->memory, .engine = it->engine};
    const enum oriel_status status = oriel_arrow_schema_build(
        owner, it->result->schema, zone ? oriel_zone_name(zone) : "UTC", out, &it->error);
    return status == ORIEL_OK ? 0 : errno_of(status);
}

static enum oriel_status begin_piece(void *context, unsigned worker, void **out,
                                     struct oriel_error *error) {
    struct export_stream *it = context;
    struct oriel_arrow_piece *piece;
    ORIEL_TRY(oriel_arrow_piece_open(&it->engine->memory, &it->slabs[worker], &piece, error));
    *out = piece;
    return ORIEL_OK;
}

static enum oriel_status add_to_piece(void *context, void *piece, const struct oriel_batch *batch,
                                      struct oriel_error *error) {
    struct export_stream *it = context;
    return oriel_arrow_piece_add(piece, it->engine, batch, error);
}

static void drop_piece(void *context, void *piece) {
    struct oriel_arrow_piece *it = piece;
    (void)context;
    oriel_arrow_piece_close(&it);
}

static enum oriel_status next_of_pieces(struct export_stream *it, struct ArrowArray *out) {
    const struct oriel_piece_maker maker = {
        .context = it, .begin = begin_piece, .add = add_to_piece, .drop = drop_piece};
    while (!it->piece || !oriel_arrow_piece_take(it->piece, out)) {
        void *piece;
        oriel_arrow_piece_close(&it->piece);
        ORIEL_TRY(oriel_result_pull_piece(it->result, &maker, &piece, &it->error));
        it->piece = piece;
    }
    it->result->row_count += (uint64_t)out->length;
    return ORIEL_OK;
}

static enum oriel_status next_of_batches(struct export_stream *it, struct ArrowArray *out) {
    if (!it->batch || it->row == it->batch->row_count) {
        it->batch = NULL;
        it->row = 0;
        ORIEL_TRY(oriel_result_pull(it->result, &it->batch, &it->error));
    }
    const struct oriel_arrow_owner owner = {.memory = &it->engine->memory, .engine = it->engine};
    size_t count = 0;
    const enum oriel_status status =
        oriel_arrow_array_build(owner, it->batch, it->row, &count, out, &it->error);
    it->row += count;
    return status;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct export_stream *it = stream->private_data;
    memset(out, 0, sizeof *out); /* a released array says that there are no more */
    const enum oriel_status status =
        it->has_pieces ? next_of_pieces(it, out) : next_of_batches(it, out);
    return status == ORIEL_OK || status == ORIEL_DONE ? 0 : errno_of(status);
}

static const char *stream_error(struct ArrowArrayStream *stream) {
    struct export_stream *it = stream->private_data;
    return it->error.message[0] ? it->error.message : NULL;
}

void oriel_stream_error(const struct ArrowArrayStream *stream, struct oriel_error *out) {
    const struct export_stream *it = stream->private_data;
    *out = it->error;
}

static void stream_release(struct ArrowArrayStream *stream) {
    struct export_stream *it = stream->private_data;
    struct oriel_engine *engine = it->engine;
    oriel_result_close(&it->result);
    oriel_arrow_piece_close(&it->piece);
    for (unsigned w = 0; w < it->worker_count; w++)
        oriel_arrow_slab_close(&it->slabs[w]);
    oriel_memory_release(&engine->memory, it, stream_bytes(it->worker_count));
    stream->release = NULL;
    oriel_engine_leave(engine);
}

enum oriel_status oriel_result_export_arrow(struct oriel_result **result,
                                            struct ArrowArrayStream *out,
                                            struct oriel_error *error) {
    if (!result || !*result || !out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "result and out must not be NULL");
    if (!(*result)->schema.field_count)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the result has no rows to export");
    struct oriel_engine *engine = (*result)->engine;
    const struct oriel_task_pool *pool = (*result)->runtime.pool;
    const unsigned worker_count = pool ? oriel_task_pool_worker_count(pool) : 1;
    struct export_stream *stream =
        oriel_memory_allocate_zeroed(&engine->memory, 1, stream_bytes(worker_count));
    if (!stream)
        return oriel_error_memory(error);
    stream->result = *result;
    stream->engine = engine;
    stream->worker_count = worker_count;
    stream->has_pieces = (*result)->execution && (*result)->use == ORIEL_RESULT_FRESH;
    oriel_engine_keep(engine);
    *out =
        (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release, stream};
    *result = NULL;
    return ORIEL_OK;
}
