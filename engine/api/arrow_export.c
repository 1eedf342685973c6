/*
 * A result as an ArrowArrayStream: each batch is copied into arrays that own their buffers and
 * outlive the result.
 */
#include "engine/api/engine_internal.h"

#include <errno.h>
#include <string.h>

#include "engine/api/arrow_build.h"

/* What the stream owns. */
struct export_stream {
    struct oriel_result *result;
    struct oriel_engine *engine;
    struct oriel_error error;
    const struct oriel_batch *batch; /* being exported, or NULL */
    size_t row;                      /* its next row */
};

static int errno_of(enum oriel_status status) {
    return status == ORIEL_MEMORY ? ENOMEM : status == ORIEL_CANCELLED ? ECANCELED : EIO;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct export_stream *it = stream->private_data;
    const struct oriel_zone *zone = it->result->runtime.zone;
    const struct oriel_arrow_owner owner = {&it->engine->memory, it->engine};
    const enum oriel_status status = oriel_arrow_schema_build(
        owner, it->result->schema, zone ? oriel_zone_name(zone) : "UTC", out, &it->error);
    return status == ORIEL_OK ? 0 : errno_of(status);
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    struct export_stream *it = stream->private_data;
    memset(out, 0, sizeof *out);
    enum oriel_status status = ORIEL_OK;
    if (!it->batch || it->row == it->batch->row_count) {
        status = oriel_result_pull(it->result, &it->batch, &it->error);
        it->row = 0;
    }
    if (status == ORIEL_DONE) {
        it->batch = NULL;
        return 0; /* a released array says that there are no more */
    }
    size_t count = 0;
    if (status == ORIEL_OK)
        status =
            oriel_arrow_array_build((struct oriel_arrow_owner){&it->engine->memory, it->engine},
                                    it->batch, it->row, &count, out, &it->error);
    it->row += count;
    return status == ORIEL_OK ? 0 : errno_of(status);
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
    oriel_memory_release(&engine->memory, it, sizeof *it);
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
    struct export_stream *stream = oriel_memory_allocate_zeroed(&engine->memory, 1, sizeof *stream);
    if (!stream)
        return oriel_error_memory(error);
    stream->result = *result;
    stream->engine = engine;
    oriel_engine_keep(engine);
    *out =
        (struct ArrowArrayStream){stream_schema, stream_next, stream_error, stream_release, stream};
    *result = NULL;
    return ORIEL_OK;
}
