/*
 * Bad rows of JSON lines that are passed over; the list of them (rejects.h) says when there are too
 * many.
 */
#include "engine/io/json_reader.h"

enum oriel_status json_reject_claim(struct json_source *source, const struct json_file *file,
                                    struct oriel_morsel *morsel, struct oriel_error *error) {
    struct oriel_reject_chunk *chunk = NULL;
    int64_t lines_before = morsel->begin == 0 ? 0 : ORIEL_LINES_GO_ON;
    if (!source->runtime->rejects)
        return ORIEL_OK;
    if (!file->bytes.seekable)
        lines_before = (int64_t)((const struct oriel_block *)morsel->state)->lines_before;
    ORIEL_TRY(oriel_reject_chunk_claim(source->runtime->rejects, source->reject_source,
                                       source->request.table, lines_before, &chunk, error));
    morsel->rejects = chunk;
    return ORIEL_OK;
}

void json_reject_begin(struct json_worker *worker, const struct oriel_morsel *morsel) {
    worker->rejects = (struct json_reject_state){.chunk = morsel->rejects};
}

static enum oriel_reject_outcome outcome_of(const struct json_reject_state *state,
                                            enum oriel_status status) {
    if (state->overtaken)
        return ORIEL_REJECT_FAILED;
    switch (status) {
    case ORIEL_OK: return state->muted ? ORIEL_REJECT_STOPPED : ORIEL_REJECT_READ;
    case ORIEL_DONE: return ORIEL_REJECT_STOPPED;
    case ORIEL_DATA: return ORIEL_REJECT_ENDED;
    default: return ORIEL_REJECT_FAILED;
    }
}

enum oriel_status json_reject_finish(struct json_worker *worker, const struct oriel_morsel *morsel,
                                     enum oriel_status status, struct oriel_error *error) {
    struct json_reject_state *state = &worker->rejects;
    struct oriel_error failure = {0};
    uint64_t lines = 0;
    if (status == ORIEL_OK) {
        const struct oriel_text own = json_chunk_own(&worker->chunk);
        lines = csv_count_byte(own.bytes, own.length, '\n');
    }
    const enum oriel_status finished =
        oriel_reject_chunk_finish(morsel->rejects, lines, outcome_of(state, status), &failure);
    if (status == ORIEL_OK && state->muted)
        status = ORIEL_DONE;
    state->chunk = NULL;
    if (finished == ORIEL_OK || (status != ORIEL_OK && status != ORIEL_DONE))
        return status;
    *error = failure;
    return finished;
}

/* Line ends of the chunk before the line; lines come in order. */
static uint64_t lines_to(struct json_worker *worker, const char *line) {
    struct json_reject_state *state = &worker->rejects;
    if (!state->line_at)
        state->line_at = json_chunk_own(&worker->chunk).bytes;
    if (line > state->line_at) {
        state->lines += csv_count_byte(state->line_at, (size_t)(line - state->line_at), '\n');
        state->line_at = line;
    }
    return state->lines;
}

enum oriel_status json_reject_row(struct json_worker *worker, const struct oriel_error *described,
                                  const struct json_plan *plan, const char *line,
                                  struct oriel_text raw, struct oriel_error *error) {
    struct json_reject_state *state = &worker->rejects;
    size_t allowed;
    const enum oriel_status status = oriel_reject_chunk_allow(state->chunk, 1, &allowed, error);
    state->overtaken = status == ORIEL_DONE;
    if (status != ORIEL_OK || (!allowed && state->muted))
        return status;
    const struct oriel_reject reject = {
        .file = worker->chunk.file->path,
        .lines = lines_to(worker, line),
        .column = plan ? plan->name : "",
        .reason = described->message,
        .raw = raw,
    };
    ORIEL_TRY(oriel_reject_chunk_add(state->chunk, &reject, error));
    return allowed ? ORIEL_OK : oriel_reject_chunk_fail(state->chunk, &reject, error);
}
