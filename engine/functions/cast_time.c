/*
 * Casts between DATE, TIME, TIMESTAMP and TIMESTAMP_LTZ, over the wall clock of the session's zone.
 */
#include "engine/base/civil.h"
#include "engine/functions/cast.h"
#include "engine/functions/moment.h"

static bool is_time(const struct oriel_type *type) {
    return oriel_type_is_timestamp(type) || type->id == ORIEL_TYPE_DATE ||
           type->id == ORIEL_TYPE_TIME;
}

/* An instant becomes the date and time that the wall clock shows, also before 1970, where a
 * TIMESTAMP is cut towards 1970. */
static enum oriel_status show_instant(const struct oriel_call *call,
                                      struct oriel_evaluation *evaluation,
                                      const struct oriel_column *arguments, size_t row_count,
                                      struct oriel_column *out) {
    const struct oriel_cast *cast = call->state;
    for (size_t row = 0; row < row_count; row++) {
        struct oriel_moment moment =
            oriel_moment_read(&cast->from, arguments[0].values, row, evaluation->runtime->zone);
        oriel_moment_floor(&cast->to, &moment);
        oriel_moment_write_instant(&cast->to, out->values, row, moment);
    }
    return ORIEL_OK;
}

static enum oriel_status convert(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 const struct oriel_column *arguments, size_t row_count,
                                 struct oriel_column *out) {
    const struct oriel_cast *cast = call->state;
    const struct oriel_zone *zone = evaluation->runtime->zone;
    if (cast->from.id == cast->to.id)
        zone = NULL; /* an instant stays the same instant */
    for (size_t row = 0; row < row_count; row++)
        oriel_moment_write(&cast->to, out->values, row,
                           oriel_moment_read(&cast->from, arguments[0].values, row, zone), zone);
    return ORIEL_OK;
}

oriel_evaluate *oriel_cast_time(const struct oriel_cast *cast) {
    const enum oriel_type_id from = cast->from.id, to = cast->to.id;
    if (!is_time(&cast->from) || !is_time(&cast->to))
        return NULL;
    if ((from == ORIEL_TYPE_DATE && to == ORIEL_TYPE_TIME) ||
        (from == ORIEL_TYPE_TIME && to == ORIEL_TYPE_DATE))
        return NULL;
    if (from == ORIEL_TYPE_TIMESTAMP_LTZ && (to == ORIEL_TYPE_DATE || to == ORIEL_TYPE_TIME))
        return show_instant;
    return convert;
}
