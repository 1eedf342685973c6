/*
 * Functions that Flink has and Oriel has not, so that a script learns that its name is right.
 */
#include "engine/functions/function_table.h"
#include "engine/functions/signature.h"

static enum oriel_status bind_unavailable(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, binding->position,
                          "%s cannot be run yet; SHOW FUNCTIONS lists those that can",
                          binding->name);
}

static enum oriel_status bind_format(struct oriel_binding *binding, struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, binding->position,
                          "%s cannot be run yet; put the text together with || and CAST, and LPAD "
                          "and ROUND for widths and digits",
                          binding->name);
}

static enum oriel_status bind_variant(struct oriel_binding *binding, struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, binding->position,
                          "%s gives a VARIANT, a type that there is not; take values out of the "
                          "text with JSON_VALUE and JSON_QUERY",
                          binding->name);
}

static enum oriel_status bind_watermark(struct oriel_binding *binding, struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_UNSUPPORTED, binding->position,
                          "%s is not supported: nothing is late over files, so there is no "
                          "watermark to ask for; use the event's time",
                          binding->name);
}

#define UNAVAILABLE(name)                                                                          \
    { name, 0, ORIEL_ARGUMENTS_ANY, 0, bind_unavailable, NULL }

static const struct oriel_function rows[] = {
    UNAVAILABLE("BITMAP_AND"),
    UNAVAILABLE("BITMAP_ANDNOT"),
    UNAVAILABLE("BITMAP_AND_AGG"),
    UNAVAILABLE("BITMAP_AND_CARDINALITY_AGG"),
    UNAVAILABLE("BITMAP_BUILD"),
    UNAVAILABLE("BITMAP_BUILD_AGG"),
    UNAVAILABLE("BITMAP_BUILD_CARDINALITY_AGG"),
    UNAVAILABLE("BITMAP_CARDINALITY"),
    UNAVAILABLE("BITMAP_FROM_BYTES"),
    UNAVAILABLE("BITMAP_OR"),
    UNAVAILABLE("BITMAP_OR_AGG"),
    UNAVAILABLE("BITMAP_OR_CARDINALITY_AGG"),
    UNAVAILABLE("BITMAP_TO_ARRAY"),
    UNAVAILABLE("BITMAP_TO_BYTES"),
    UNAVAILABLE("BITMAP_TO_STRING"),
    UNAVAILABLE("BITMAP_XOR"),
    UNAVAILABLE("BITMAP_XOR_AGG"),
    UNAVAILABLE("BITMAP_XOR_CARDINALITY_AGG"),
    {"CURRENT_WATERMARK", 0, ORIEL_ARGUMENTS_ANY, 0, bind_watermark, NULL},
    UNAVAILABLE("ML_PREDICT"),
    UNAVAILABLE("OBJECT_OF"),
    UNAVAILABLE("OBJECT_UPDATE"),
    {"PARSE_JSON", 0, ORIEL_ARGUMENTS_ANY, 0, bind_variant, NULL},
    {"PRINTF", 0, ORIEL_ARGUMENTS_ANY, 0, bind_format, NULL},
    {"SOURCE_WATERMARK", 0, ORIEL_ARGUMENTS_ANY, 0, bind_watermark, NULL},
    {"TRY_PARSE_JSON", 0, ORIEL_ARGUMENTS_ANY, 0, bind_variant, NULL},
};

const struct oriel_function_group oriel_functions_unavailable = {rows,
                                                                 sizeof rows / sizeof rows[0]};
