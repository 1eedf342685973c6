/*
 * The present: constant for a statement, taken from the runtime's start.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/moment.h"

#include "engine/base/civil.h"
#include "engine/base/zone.h"
#include "engine/functions/time_unit.h"

static enum oriel_status now(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                             const struct oriel_column *arguments, size_t row_count,
                             struct oriel_column *out) {
    (void)arguments;
    const struct oriel_zone *zone = evaluation->runtime->zone;
    const int64_t start_ms = evaluation->runtime->start_ms;
    struct oriel_moment moment = {.ms = start_ms};
    if (zone && call->result.id != ORIEL_TYPE_TIMESTAMP_LTZ)
        moment.ms = oriel_zone_to_local(zone, start_ms);
    for (size_t row = 0; row < row_count; row++)
        oriel_moment_write_instant(&call->result, out->values, row, moment);
    return ORIEL_OK;
}

static enum oriel_status now_seconds(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row_count,
                                     struct oriel_column *out) {
    (void)call, (void)arguments;
    for (size_t row = 0; row < row_count; row++)
        ((int64_t *)out->values)[row] = oriel_floor_div(evaluation->runtime->start_ms, 1000);
    return ORIEL_OK;
}

static enum oriel_status bind_type(struct oriel_binding *binding, struct oriel_type type) {
    return oriel_bind_result(binding, type, now);
}

static enum oriel_status bind_date(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    return bind_type(binding, oriel_type_make(ORIEL_TYPE_DATE));
}

static enum oriel_status bind_time(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    return bind_type(binding, oriel_type_make(ORIEL_TYPE_TIME));
}

static enum oriel_status bind_instant(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    return bind_type(binding, oriel_type_timestamp_ltz(3));
}

static enum oriel_status bind_local(struct oriel_binding *binding, struct oriel_error *error) {
    (void)error;
    return bind_type(binding, oriel_type_timestamp(3));
}

/* A table may declare such a column; what cannot be is to use it. */
static enum oriel_status refuse_processing_time(const struct oriel_call *call,
                                                struct oriel_evaluation *evaluation,
                                                const struct oriel_column *arguments,
                                                size_t row_count, struct oriel_column *out) {
    (void)arguments, (void)row_count, (void)out;
    return oriel_error_at(evaluation->error, ORIEL_INVALID, call->position,
                          "PROCTIME() is the time at which a row is processed, which means nothing "
                          "over files; use the event's time: a TIMESTAMP column with a WATERMARK");
}

static enum oriel_status bind_processing_time(struct oriel_binding *binding,
                                              struct oriel_error *error) {
    (void)error;
    return oriel_bind_result(binding, oriel_type_with_null(oriel_type_timestamp_ltz(3), false),
                             refuse_processing_time);
}

enum oriel_status oriel_now_seconds_bind(struct oriel_binding *binding) {
    return oriel_bind_result(binding, oriel_type_make(ORIEL_TYPE_BIGINT), now_seconds);
}

static const struct oriel_function rows[] = {
    {"CURRENT_DATE", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_date, NULL},
    {"CURRENT_ROW_TIMESTAMP", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_instant,
     NULL},
    {"CURRENT_TIME", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_time, NULL},
    {"CURRENT_TIMESTAMP", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_instant,
     NULL},
    {"LOCALTIME", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_time, NULL},
    {"LOCALTIMESTAMP", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_local, NULL},
    {"NOW", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_STATEMENT, bind_instant, NULL},
    {"PROCTIME", 0, 0, ORIEL_FUNCTION_STRICT | ORIEL_FUNCTION_VOLATILE, bind_processing_time, NULL},
};

const struct oriel_function_group oriel_functions_temporal_now = {rows,
                                                                  sizeof rows / sizeof rows[0]};
