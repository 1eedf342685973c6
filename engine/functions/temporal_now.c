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
};

const struct oriel_function_group oriel_functions_temporal_now = {rows,
                                                                  sizeof rows / sizeof rows[0]};
