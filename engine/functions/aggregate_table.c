/*
 * The table of aggregates, and binding with DISTINCT.
 */
#include "engine/functions/aggregate_table.h"

static const struct oriel_aggregate *const families[] = {
    oriel_aggregates_count,    oriel_aggregates_sum,  oriel_aggregates_extreme,
    oriel_aggregates_variance, oriel_aggregates_edge, oriel_aggregates_array,
    oriel_aggregates_collect,  oriel_aggregates_json, oriel_aggregates_percentile,
};

const struct oriel_aggregate *oriel_aggregate_at(size_t index) {
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (const struct oriel_aggregate *a = families[f]; a->name; a++) {
            if (index-- == 0)
                return a;
        }
    }
    return NULL;
}

const struct oriel_aggregate *oriel_aggregate_find(const char *name) {
    for (size_t i = 0; oriel_aggregate_at(i); i++) {
        if (strcmp(oriel_aggregate_at(i)->name, name) == 0)
            return oriel_aggregate_at(i);
    }
    return NULL;
}

enum oriel_status oriel_aggregate_bind(const struct oriel_aggregate *aggregate,
                                       struct oriel_aggregate_binding *binding,
                                       struct oriel_error *error) {
    ORIEL_TRY(aggregate->bind(binding, error));
    if (!binding->distinct || (aggregate->flags & ORIEL_AGGREGATE_IGNORES_DISTINCT))
        return ORIEL_OK;
    return oriel_aggregate_make_distinct(binding, error);
}

enum oriel_status oriel_aggregate_type_error(const struct oriel_aggregate_binding *binding,
                                             const char *wanted, struct oriel_error *error) {
    char type[128];
    oriel_type_print(&binding->argument_types[0], false, type, sizeof type);
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "Cannot apply '%s' to arguments of type '%s(<%s>)': %s is wanted",
                          binding->name, binding->name, type, wanted);
}

enum oriel_status oriel_aggregate_null_error(const struct oriel_aggregate_binding *binding,
                                             struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "Illegal use of 'NULL': %s cannot tell its type; write "
                          "CAST(NULL AS INT) or another type",
                          binding->name);
}
