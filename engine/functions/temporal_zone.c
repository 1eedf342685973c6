/*
 * Times and zones: TO_TIMESTAMP_LTZ and CONVERT_TZ. An evaluator keeps the zones that it met last.
 */
#include <math.h>

#include "engine/base/civil.h"
#include "engine/base/zone.h"
#include "engine/functions/function_table.h"
#include "engine/functions/text_result.h"
#include "engine/functions/time_pattern.h"
#include "engine/functions/time_text.h"

enum { KEPT_ZONES = 4, NAME_BYTES_MAX = 64, PRECISION_MAX = 9, PRECISION_MS = 3 };

struct zone_cache {
    struct {
        char name[NAME_BYTES_MAX];
        struct oriel_zone *zone; /* NULL: a name of no zone, read as UTC */
    } kept[KEPT_ZONES];
    size_t count;
    size_t next; /* the one that goes when a new one comes */
};

static enum oriel_status open_cache(const struct oriel_call *call,
                                    const struct oriel_runtime *runtime, void **local,
                                    struct oriel_error *error) {
    (void)call;
    *local = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof(struct zone_cache));
    return *local ? ORIEL_OK : oriel_error_memory(error);
}

static void close_cache(const struct oriel_call *call, const struct oriel_runtime *runtime,
                        void *local) {
    (void)call;
    struct zone_cache *cache = local;
    if (!cache)
        return;
    for (size_t i = 0; i < cache->count; i++)
        oriel_zone_close(&cache->kept[i].zone);
    oriel_memory_release(runtime->memory, cache, sizeof *cache);
}

static const struct oriel_function_local zone_local = {open_cache, close_cache};

/* As in Java, a name that is no zone means UTC. */
static enum oriel_status find_zone(struct oriel_evaluation *evaluation, struct oriel_text name,
                                   const struct oriel_zone **out) {
    struct zone_cache *cache = evaluation->local;
    for (size_t i = 0; i < cache->count; i++) {
        if (oriel_text_equal(name, oriel_text_of(cache->kept[i].name))) {
            *out = cache->kept[i].zone;
            return ORIEL_OK;
        }
    }
    *out = NULL;
    if (name.length >= NAME_BYTES_MAX || memchr(name.bytes, 0, name.length))
        return ORIEL_OK;
    const size_t place = cache->next++ % KEPT_ZONES;
    if (place >= cache->count)
        cache->count = place + 1;
    oriel_zone_close(&cache->kept[place].zone);
    memcpy(cache->kept[place].name, name.bytes, name.length);
    cache->kept[place].name[name.length] = '\0';
    struct oriel_error ignored;
    const enum oriel_status status = oriel_zone_open(
        evaluation->runtime->memory, cache->kept[place].name, &cache->kept[place].zone, &ignored);
    if (status == ORIEL_MEMORY)
        return oriel_error_memory(evaluation->error);
    if (status != ORIEL_OK)
        cache->kept[place].zone = NULL;
    *out = cache->kept[place].zone;
    return ORIEL_OK;
}

/* (text yyyy-MM-dd HH:mm:ss, from zone, to zone) */
static enum oriel_status convert_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_zone *from, *to;
    struct oriel_moment moment;
    char printed[ORIEL_TIMESTAMP_TEXT_BYTES];
    if (!oriel_time_pattern_parse_lenient(&oriel_time_pattern_default, text, &moment)) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    ORIEL_TRY(find_zone(evaluation, oriel_text_at(&arguments[1], row), &from));
    if (from)
        moment.ms = oriel_time_pattern_instant(from, moment.ms);
    ORIEL_TRY(find_zone(evaluation, oriel_text_at(&arguments[2], row), &to));
    if (to)
        moment.ms = oriel_zone_to_local(to, moment.ms);
    const size_t length = oriel_timestamp_print(moment.ms, 0, 0, printed);
    return oriel_text_set(call, evaluation, out, row, printed, length);
}

static enum oriel_status convert_tz(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    return oriel_text_each(call, evaluation, arguments, row_count, out, convert_row);
}

static enum oriel_status bind_convert_tz(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(
        oriel_bind_arguments(binding, "s", "'CONVERT_TZ(<STRING>, <STRING>, <STRING>)'", error));
    oriel_bind_result(binding, oriel_type_string(), convert_tz);
    binding->result.nullable = true;
    return ORIEL_OK;
}

/* (text [, pattern [, zone]]); without a zone in UTC. */
static enum oriel_status read_row(const struct oriel_call *call,
                                  struct oriel_evaluation *evaluation,
                                  const struct oriel_column *arguments, size_t row,
                                  struct oriel_column *out) {
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    struct oriel_moment moment;
    bool read;
    if (call->argument_count == 1) {
        read = oriel_time_text_timestamp(text.bytes, text.length, &moment.ms, &moment.ns);
    } else {
        struct oriel_time_pattern pattern;
        read = !oriel_time_pattern_compile(evaluation->batch_arena,
                                           oriel_text_at(&arguments[1], row), false, &pattern) &&
               (oriel_time_pattern_parse(&pattern, text, &moment) ||
                oriel_time_text_lenient(text.bytes, text.length, &moment.ms, &moment.ns));
    }
    if (!read && call->argument_count == 1)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "TO_TIMESTAMP_LTZ: '%.*s' is no timestamp; the form is yyyy-MM-dd "
                              "HH:mm:ss",
                              (int)(text.length < 200 ? text.length : 200), text.bytes);
    if (!read) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    if (call->argument_count > 2) {
        const struct oriel_zone *zone;
        ORIEL_TRY(find_zone(evaluation, oriel_text_at(&arguments[2], row), &zone));
        if (zone)
            moment.ms = oriel_zone_to_instant(zone, moment.ms);
    }
    oriel_moment_write_instant(&call->result, out->values, row, moment);
    return ORIEL_OK;
}

static enum oriel_status read_texts(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row_count,
                                    struct oriel_column *out) {
    return oriel_text_each(call, evaluation, arguments, row_count, out, read_row);
}

/* (number, digits): a count of 10^-digits seconds since 1970. */
static enum oriel_status count_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    int32_t digits = call->argument_count > 1 ? oriel_i32_at(&arguments[1], row) : PRECISION_MS;
    if (digits < 0 || digits > PRECISION_MAX)
        return oriel_error_at(evaluation->error, ORIEL_RUNTIME, call->position,
                              "TO_TIMESTAMP_LTZ: the precision must be 0 to 9, got %d", digits);
    oriel_i128 ns;
    if (call->argument_types[0].id == ORIEL_TYPE_DOUBLE) {
        double value = ((const double *)arguments[0].values)[row];
        for (; digits < PRECISION_MS; digits++)
            value *= 10.0;
        for (; digits > PRECISION_MS; digits--)
            value /= 10.0;
        if (!(fabs(value) < 9.2e18)) {
            oriel_column_set_null(out, row);
            return ORIEL_OK;
        }
        ns = (oriel_i128)(int64_t)value * 1000000;
    } else {
        ns = ((const int64_t *)arguments[0].values)[row];
        for (; digits < PRECISION_MAX; digits++)
            ns *= 10;
    }
    const oriel_i128 ms = (ns - (ns < 0 ? 999999 : 0)) / 1000000;
    if (ms > INT64_MAX || ms < INT64_MIN) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    const struct oriel_moment moment = {.ms = (int64_t)ms, .ns = (int32_t)(ns - ms * 1000000)};
    oriel_moment_write_instant(&call->result, out->values, row, moment);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(count)

/* More than three digits only where they are asked for by a constant. */
static unsigned result_precision(const struct oriel_binding *binding) {
    if (binding->argument_count < 2 || !binding->constants || !binding->constants[1] ||
        oriel_column_is_null(binding->constants[1], 0) ||
        binding->argument_types[1].id != ORIEL_TYPE_INT)
        return PRECISION_MS;
    const int32_t digits = oriel_i32_at(binding->constants[1], 0);
    return digits > PRECISION_MS && digits <= PRECISION_MAX ? (unsigned)digits : PRECISION_MS;
}

static enum oriel_status bind_to_ltz(struct oriel_binding *binding, struct oriel_error *error) {
    static const char forms[] = "'TO_TIMESTAMP_LTZ(<NUMERIC>[, <INT>])', "
                                "'TO_TIMESTAMP_LTZ(<STRING>[, <STRING>[, <STRING>]])'";
    const struct oriel_type *first = &binding->argument_types[0];
    if (!oriel_type_is_numeric(first)) {
        ORIEL_TRY(oriel_bind_arguments(binding, "s", forms, error));
        oriel_bind_result(binding, oriel_type_timestamp_ltz(PRECISION_MS), read_texts);
    } else {
        if (binding->argument_count > 2)
            return oriel_bind_refuse(binding, forms, error);
        const bool real = first->id == ORIEL_TYPE_DOUBLE || first->id == ORIEL_TYPE_FLOAT;
        ORIEL_TRY(oriel_bind_arguments(binding, "ni", forms, error));
        binding->casts[0] = oriel_type_with_null(
            oriel_type_make(real ? ORIEL_TYPE_DOUBLE : ORIEL_TYPE_BIGINT), first->nullable);
        oriel_bind_result(binding, oriel_type_timestamp_ltz(result_precision(binding)), count);
    }
    binding->result.nullable = true;
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"CONVERT_TZ", 3, 3, ORIEL_FUNCTION_STRICT, bind_convert_tz, &zone_local},
    {"TO_TIMESTAMP_LTZ", 1, 3, ORIEL_FUNCTION_STRICT, bind_to_ltz, &zone_local},
};

const struct oriel_function_group oriel_functions_temporal_zone = {rows,
                                                                   sizeof rows / sizeof rows[0]};
