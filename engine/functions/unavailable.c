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

static enum oriel_status bind_bitmap(struct oriel_binding *binding, struct oriel_error *error) {
    return oriel_error_at(
        error, ORIEL_UNSUPPORTED, binding->position,
        "%s works on a BITMAP, a type that there is not; COUNT(DISTINCT x) counts "
        "values, and ARRAY_AGG with DISTINCT lists them",
        binding->name);
}

#define BITMAP(name)                                                                               \
    { name, 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_bitmap, NULL }
#define UNAVAILABLE(name)                                                                          \
    { name, 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_unavailable, NULL }

static const struct oriel_function rows[] = {
    BITMAP("BITMAP_AND"),
    BITMAP("BITMAP_ANDNOT"),
    BITMAP("BITMAP_AND_AGG"),
    BITMAP("BITMAP_AND_CARDINALITY_AGG"),
    BITMAP("BITMAP_BUILD"),
    BITMAP("BITMAP_BUILD_AGG"),
    BITMAP("BITMAP_BUILD_CARDINALITY_AGG"),
    BITMAP("BITMAP_CARDINALITY"),
    BITMAP("BITMAP_FROM_BYTES"),
    BITMAP("BITMAP_OR"),
    BITMAP("BITMAP_OR_AGG"),
    BITMAP("BITMAP_OR_CARDINALITY_AGG"),
    BITMAP("BITMAP_TO_ARRAY"),
    BITMAP("BITMAP_TO_BYTES"),
    BITMAP("BITMAP_TO_STRING"),
    BITMAP("BITMAP_XOR"),
    BITMAP("BITMAP_XOR_AGG"),
    BITMAP("BITMAP_XOR_CARDINALITY_AGG"),
    {"CURRENT_WATERMARK", 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_watermark, NULL},
    UNAVAILABLE("ML_PREDICT"),
    UNAVAILABLE("OBJECT_OF"),
    UNAVAILABLE("OBJECT_UPDATE"),
    {"PARSE_JSON", 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_variant, NULL},
    {"PRINTF", 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_format, NULL},
    {"SOURCE_WATERMARK", 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_watermark, NULL},
    {"TRY_PARSE_JSON", 0, ORIEL_ARGUMENTS_ANY, ORIEL_FUNCTION_UNAVAILABLE, bind_variant, NULL},
};

const struct oriel_function_group oriel_functions_unavailable = {rows,
                                                                 sizeof rows / sizeof rows[0]};
