/*
 * EXPLAIN of a query, an INSERT, a CREATE TABLE ... AS or a STATEMENT SET: the plans as trees. With
 * ANALYZE the statement runs first, the rows of a query being thrown away, and every operator shows
 * what it did.
 */
#include "engine/api/explain.h"

#include <inttypes.h>
#include <time.h>

#include "engine/api/create_as.h"
#include "engine/api/discard.h"
#include "engine/plan/share_scans.h"

/* What is explained: a query, INSERTs, or a CREATE TABLE ... AS with its INSERT. */
struct subject {
    struct oriel_plan *query;
    struct oriel_inserts inserts;
    bool creates;
    struct oriel_create_as create;
};

static enum oriel_status bind(struct oriel_result *result, const struct ast_statement *statement,
                              struct subject *subject, struct oriel_error *error) {
    const struct ast_statement *inner = statement->inner;
    if (inner && inner->kind == AST_STATEMENT_QUERY) {
        ORIEL_TRY(oriel_bind_query(result->engine->session, &result->runtime, inner->query,
                                   &result->arena, &subject->query, error));
        return oriel_plans_share_scans(&subject->query, 1, NULL, result->runtime.rejects != NULL,
                                       &result->arena, error);
    }
    if (inner && inner->kind == AST_STATEMENT_CREATE_TABLE && inner->query) {
        ORIEL_TRY(oriel_create_as_prepare(result, inner, &subject->create, error));
        subject->creates = true;
        subject->inserts = subject->create.inserts;
        return ORIEL_OK;
    }
    if (!inner ||
        (inner->kind != AST_STATEMENT_INSERT && inner->kind != AST_STATEMENT_STATEMENT_SET))
        return oriel_error_at(error, ORIEL_INVALID, statement->position,
                              "EXPLAIN needs a query, an INSERT, a CREATE TABLE ... AS or a "
                              "STATEMENT SET");
    return oriel_inserts_prepare(result, inner, NULL, &subject->inserts, error);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static enum oriel_status run_query(struct oriel_result *result, const struct oriel_plan *plan,
                                   struct oriel_error *error) {
    ORIEL_TRY(oriel_execution_open(plan, &result->runtime, oriel_result_open_scan, result,
                                   &result->execution, error));
    struct oriel_discard discard = {0};
    const struct oriel_piece_maker maker = oriel_discard_maker(&discard);
    const enum oriel_status status = oriel_execution_run(result->execution, &maker, error);
    oriel_execution_close(&result->execution);
    result->row_count = atomic_load(&discard.row_count);
    return status;
}

static enum oriel_status run(struct oriel_result *result, const struct subject *subject,
                             struct oriel_error *error) {
    ORIEL_TRY(oriel_engine_start_pool(result->engine, &result->runtime, error));
    ORIEL_TRY(oriel_profile_open(&result->runtime, &result->runtime.profile, error));
    return subject->query ? run_query(result, subject->query, error)
                          : oriel_inserts_run(result, &subject->inserts, error);
}

static enum oriel_status print_plan(struct oriel_explain *explain, const struct oriel_plan *plan,
                                    unsigned level, struct oriel_text_buffer *out) {
    const struct oriel_explain_details details = {explain, oriel_explain_node};
    const char *text = oriel_plan_explain(plan, level, &details, &explain->result->arena);
    return text ? oriel_explain_add_text(out, text) : ORIEL_MEMORY;
}

static enum oriel_status print_total(const struct oriel_explain *explain, double seconds,
                                     struct oriel_text_buffer *out) {
    const struct oriel_result *result = explain->result;
    char size[ORIEL_SIZE_TEXT_BYTES];
    return oriel_explain_add(
        out, "Total: %" PRIu64 " rows %s in %.3f s; CPU %.3f s on %u thread%s; peak memory %s\n",
        result->row_count, result->has_inserted ? "written" : "thrown away", seconds,
        (double)oriel_profile_cpu_ns(explain->profile) / 1e9, result->runtime.thread_count,
        result->runtime.thread_count == 1 ? "" : "s",
        oriel_explain_size(atomic_load(&result->engine->memory.peak_bytes), size));
}

static enum oriel_status print_all(struct oriel_explain *explain, const struct subject *subject,
                                   struct oriel_text_buffer *out) {
    if (subject->query)
        return print_plan(explain, subject->query, 0, out);
    for (uint32_t i = 0; i < subject->inserts.count; i++) {
        ORIEL_TRY(oriel_explain_insert(explain, &subject->inserts.items[i], out));
        ORIEL_TRY(print_plan(explain, subject->inserts.items[i].plan, 1, out));
    }
    return ORIEL_OK;
}

static enum oriel_status show(struct oriel_result *result, const struct oriel_text_buffer *text,
                              struct oriel_error *error) {
    static const char *const heading = "result";
    const char *copy = oriel_arena_copy(&result->arena, text->bytes, text->length);
    if (!copy)
        return oriel_error_memory(error);
    result->row_count = 0; /* of the text */
    ORIEL_TRY(oriel_listing_begin(result, ORIEL_RESULT_TEXT, &heading, 1, error));
    return oriel_listing_add(result, &copy, error);
}

enum oriel_status oriel_statement_explain(struct oriel_result *result,
                                          const struct ast_statement *statement,
                                          struct oriel_error *error) {
    struct subject subject = {0};
    ORIEL_TRY(bind(result, statement, &subject, error));
    const double begin = seconds_now();
    enum oriel_status status = statement->analyze ? run(result, &subject, error) : ORIEL_OK;
    struct oriel_explain explain = {result, result->runtime.profile};
    result->runtime.profile = NULL;
    if (status == ORIEL_OK) {
        const double seconds = seconds_now() - begin;
        struct oriel_text_buffer text;
        oriel_text_buffer_init(&text, &result->engine->memory);
        status = print_all(&explain, &subject, &text);
        if (status == ORIEL_OK && explain.profile)
            status = print_total(&explain, seconds, &text);
        status = status == ORIEL_OK ? show(result, &text, error) : oriel_error_memory(error);
        oriel_text_buffer_deinit(&text);
    }
    oriel_profile_close(&explain.profile);
    if (subject.creates)
        oriel_create_as_close(result, &subject.create, status == ORIEL_OK && statement->analyze);
    return status;
}
