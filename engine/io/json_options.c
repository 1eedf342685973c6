/*
 * The `json.*` options of a table, checked as Flink checks them.
 */
#include <string.h>

#include "engine/io/json_source.h"

void oriel_json_options_init(struct oriel_json_options *options) {
    *options = (struct oriel_json_options){.chunk_bytes = ORIEL_JSON_CHUNK_BYTES};
}

static bool is_text(const char *value, const char *text) {
    return oriel_text_equal_ignoring_case(oriel_text_of(value), oriel_text_of(text));
}

static enum oriel_status parse_bool(const char *key, const char *value, bool *out,
                                    struct oriel_position position, struct oriel_error *error) {
    if (!is_text(value, "true") && !is_text(value, "false"))
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "option '%s' must be true or false, but was: %s", key, value);
    *out = is_text(value, "true");
    return ORIEL_OK;
}

enum oriel_status oriel_json_options_set(struct oriel_json_options *options, const char *key,
                                         const char *value, struct oriel_position position,
                                         struct oriel_error *error) {
    if (strcmp(key, "json.ignore-parse-errors") == 0)
        return parse_bool(key, value, &options->ignore_parse_errors, position, error);
    if (strcmp(key, "json.fail-on-missing-field") == 0)
        return parse_bool(key, value, &options->fail_on_missing_field, position, error);
    if (strcmp(key, "json.encode.decimal-as-plain-number") == 0)
        return parse_bool(key, value, &options->plain_decimals, position, error);
    if (strcmp(key, "json.encode.ignore-null-fields") == 0)
        return parse_bool(key, value, &options->skip_nulls, position, error);
    if (strcmp(key, "json.timestamp-format.standard") != 0)
        return ORIEL_OK;
    if (strcmp(value, "SQL") != 0 && strcmp(value, "ISO-8601") != 0)
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "Unsupported value '%s' for timestamp-format.standard. Supported "
                              "values are [SQL, ISO-8601].",
                              value);
    options->iso_timestamps = strcmp(value, "SQL") != 0;
    return ORIEL_OK;
}

enum oriel_status oriel_json_options_finish(const struct oriel_json_options *options,
                                            struct oriel_position position,
                                            struct oriel_error *error) {
    if (options->fail_on_missing_field && options->ignore_parse_errors)
        return oriel_error_at(error, ORIEL_INVALID, position,
                              "fail-on-missing-field and ignore-parse-errors shouldn't both be "
                              "true.");
    return ORIEL_OK;
}
