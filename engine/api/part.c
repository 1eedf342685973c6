/*
 * Queries in parts: the bound plan is cut at its lowest aggregation, and what is above or below is
 * replaced by rows of states.
 */
#include "engine/plan/part.h"

#include <string.h>

#include "engine/api/engine_internal.h"
#include "engine/api/stream_table.h"
#include "engine/plan/plan_node.h"

enum { NUMBER_SHIFT = 48 }; /* of a part in the places of its rows */

/* Whether Arrow's columns are those of the states: the same names, and values that lie alike. */
static bool are_states(struct oriel_schema wanted, struct oriel_schema given) {
    if (wanted.field_count != given.field_count)
        return false;
    for (uint32_t i = 0; i < wanted.field_count; i++) {
        const struct oriel_field *a = &wanted.fields[i], *b = &given.fields[i];
        if (strcmp(a->name, b->name) != 0 ||
            oriel_type_physical(&a->type) != oriel_type_physical(&b->type) ||
            (a->type.id == ORIEL_TYPE_DECIMAL) != (b->type.id == ORIEL_TYPE_DECIMAL) ||
            (a->type.id == ORIEL_TYPE_DECIMAL && a->type.scale != b->type.scale))
            return false;
    }
    return true;
}

/* A scan of the states, whose stream the engine takes over. */
static enum oriel_status scan_states(struct oriel_result *result, struct oriel_schema schema,
                                     struct oriel_position position, struct oriel_plan **out,
                                     struct oriel_error *error) {
    struct oriel_engine *engine = result->engine;
    struct oriel_arena *arena = &result->arena;
    ORIEL_TRY(oriel_stream_table_make(&engine->memory, result->part->states, ORIEL_STREAM_ONCE,
                                      &engine->streams, error));
    if (!are_states(schema, oriel_stream_table_schema(engine->streams))) {
        oriel_stream_table_drop(&engine->streams);
        return oriel_error_set(error, ORIEL_DATA,
                               "the states are not of this query: their columns are others");
    }
    struct oriel_table_entry *table = oriel_arena_allocate_zeroed(arena, 1, sizeof *table);
    uint32_t *columns = oriel_arena_allocate_zeroed(arena, schema.field_count, sizeof *columns);
    struct oriel_plan *scan = oriel_plan_make(arena, ORIEL_PLAN_SCAN, position, 0);
    if (!table || !columns || !scan)
        return oriel_error_memory(error); /* the stream goes with the engine */
    *table = (struct oriel_table_entry){.kind = ORIEL_TABLE_STREAM,
                                        .name = "states",
                                        .schema = schema,
                                        .rowtime = -1,
                                        .stream = engine->streams};
    for (uint32_t i = 0; i < schema.field_count; i++)
        columns[i] = i;
    scan->schema = schema;
    scan->scan.table = table;
    scan->scan.columns = columns;
    *out = scan;
    return ORIEL_OK;
}

enum oriel_status oriel_statement_make_part(struct oriel_result *result,
                                            struct oriel_error *error) {
    const struct oriel_part_options *part = result->part;
    struct oriel_plan *aggregate;
    struct oriel_schema schema;
    ORIEL_TRY(oriel_part_find(result->plan, &aggregate, error));
    ORIEL_TRY(oriel_part_schema(aggregate, &result->arena, &schema, error));
    if (part->part != ORIEL_PART_PARTIAL)
        ORIEL_TRY(
            scan_states(result, schema, aggregate->position, &aggregate->aggregate.states, error));
    if (part->part == ORIEL_PART_FINISH)
        return ORIEL_OK;
    aggregate->aggregate.gives_states = true;
    aggregate->aggregate.first_row = (uint64_t)part->number << NUMBER_SHIFT;
    aggregate->schema = schema;
    result->plan = aggregate;
    return ORIEL_OK;
}
