/*
 * Runs the INSERTs of a statement as one: tables that several of them read are read once, and their
 * rows appear together. INSERTs into the same file become one, whose rows stand in their order.
 */
#include <string.h>
#include <sys/stat.h>

#include "engine/api/insert_output.h"
#include "engine/api/scan.h"
#include "engine/plan/bind.h"
#include "engine/plan/share_scans.h"

static bool same_file(const struct oriel_insert *a, const struct oriel_insert *b) {
    return a->path && b->path && !a->folder && !b->folder && strcmp(a->path, b->path) == 0;
}

/* Rows of both can be written as one after the other by one writer. */
static bool can_join(const struct oriel_insert *a, const struct oriel_insert *b) {
    return a->table == b->table && !a->statement->overwrite && !b->statement->overwrite &&
           !a->statement->options.count && !b->statement->options.count;
}

/* The plans of `count` INSERTs into one file, from number `first` on, as one. */
static enum oriel_status join_plans(struct oriel_result *result,
                                    const struct oriel_inserts *inserts, uint32_t first,
                                    uint32_t count, struct oriel_error *error) {
    struct oriel_insert *target = &inserts->items[first];
    struct oriel_arena *arena = &result->arena;
    struct oriel_plan *plan = oriel_arena_allocate_zeroed(arena, 1, sizeof *plan);
    struct oriel_plan **inputs = oriel_arena_allocate_zeroed(arena, count, sizeof *inputs);
    struct oriel_field *fields = oriel_plan_copy_fields(arena, target->plan->schema, 0);
    if (!plan || !inputs || !fields)
        return oriel_error_memory(error);
    *plan = (struct oriel_plan){
        .kind = ORIEL_PLAN_UNION,
        .position = target->plan->position,
        .schema = {target->plan->schema.field_count, fields},
        .inputs = inputs,
    };
    for (uint32_t i = first; i < inserts->count; i++) {
        struct oriel_insert *other = &inserts->items[i];
        if (!same_file(target, other))
            continue;
        inputs[plan->input_count++] = other->plan;
        other->run_plan = NULL;
        for (uint32_t c = 0; c < plan->schema.field_count; c++)
            fields[c].type.nullable |= other->plan->schema.fields[c].type.nullable;
    }
    target->run_plan = plan;
    return ORIEL_OK;
}

static enum oriel_status join_same_files(struct oriel_result *result, struct oriel_inserts *inserts,
                                         struct oriel_error *error) {
    for (uint32_t i = 0; i < inserts->count; i++)
        inserts->items[i].run_plan = inserts->items[i].plan;
    for (uint32_t i = 0; i < inserts->count; i++) {
        const struct oriel_insert *insert = &inserts->items[i];
        uint32_t count = insert->run_plan ? 1 : 0;
        for (uint32_t j = i + 1; j < inserts->count && count; j++) {
            if (!same_file(insert, &inserts->items[j]))
                continue;
            count++;
            inserts->in_turn |= !can_join(insert, &inserts->items[j]);
        }
        if (inserts->in_turn)
            return ORIEL_OK;
        if (count > 1)
            ORIEL_TRY(join_plans(result, inserts, i, count, error));
    }
    return ORIEL_OK;
}

enum oriel_status oriel_inserts_plan(struct oriel_result *result, struct oriel_inserts *inserts,
                                     struct oriel_error *error) {
    struct oriel_arena *arena = &result->arena;
    struct oriel_plan **plans =
        oriel_arena_allocate_zeroed(arena, inserts->count, sizeof(struct oriel_plan *));
    bool *streams = oriel_arena_allocate_zeroed(arena, inserts->count, sizeof *streams);
    if (!plans || !streams)
        return oriel_error_memory(error);
    ORIEL_TRY(join_same_files(result, inserts, error));
    const bool same_columns = result->runtime.rejects != NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < inserts->count; i++) {
        struct oriel_insert *insert = &inserts->items[i];
        if (inserts->in_turn) {
            insert->run_plan = insert->plan;
            ORIEL_TRY(oriel_plans_share_scans(&insert->plan, 1, NULL, same_columns, arena, error));
        } else if (insert->run_plan) {
            plans[count] = insert->run_plan;
            streams[count++] = oriel_insert_takes_rows_as_they_come(insert);
        }
    }
    return inserts->in_turn
               ? ORIEL_OK
               : oriel_plans_share_scans(plans, count, streams, same_columns, arena, error);
}

/* Whether a table at `path` is made of what the INSERT writes. */
static bool is_written(const char *path, const struct oriel_insert *insert) {
    struct stat one, other;
    const char *target = insert->folder ? insert->folder : insert->path;
    if (!target || insert->options.kind != ORIEL_CONNECTOR_FILES)
        return false;
    if (strcmp(path, target) == 0)
        return true;
    return stat(path, &one) == 0 && stat(target, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* In a set no INSERT reads what one before it writes: Flink runs them at the same time. */
static enum oriel_status refuse_written(struct oriel_result *result, const struct oriel_plan *plan,
                                        const struct oriel_inserts *inserts, uint32_t number,
                                        struct oriel_error *error) {
    if (plan->kind == ORIEL_PLAN_SCAN && plan->scan.table->kind == ORIEL_TABLE_FILE) {
        struct oriel_scan_options options;
        ORIEL_TRY(oriel_scan_read_options(result, plan, &options, error));
        for (uint32_t i = 0; i < number; i++) {
            if (is_written(options.table.path, &inserts->items[i]))
                return oriel_error_at(error, ORIEL_INVALID,
                                      inserts->items[number].statement->position,
                                      "the INSERT reads %s, which another INSERT of the same "
                                      "statement set writes",
                                      options.table.path);
        }
    }
    for (uint32_t i = 0; i < plan->input_count; i++)
        ORIEL_TRY(refuse_written(result, plan->inputs[i], inserts, number, error));
    return ORIEL_OK;
}

static enum oriel_status open_executions(struct oriel_result *result,
                                         struct oriel_insert_output *outputs, uint32_t count,
                                         struct oriel_error *error) {
    struct oriel_arena *arena = &result->arena;
    const struct oriel_plan **plans =
        oriel_arena_allocate_zeroed(arena, count, sizeof(struct oriel_plan *));
    struct oriel_execution **executions =
        oriel_arena_allocate_zeroed(arena, count, sizeof(struct oriel_execution *));
    if (!plans || !executions)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < count; i++)
        plans[i] = outputs[i].insert->run_plan;
    ORIEL_TRY(oriel_executions_open(plans, count, &result->runtime, oriel_result_open_scan, result,
                                    executions, error));
    for (uint32_t i = 0; i < count; i++)
        outputs[i].execution = executions[i];
    return ORIEL_OK;
}

/* Those that are fed open first, because the others may run what feeds them. */
static enum oriel_status write_all(struct oriel_result *result, struct oriel_insert_output *outputs,
                                   uint32_t count, struct oriel_error *error) {
    ORIEL_TRY(open_executions(result, outputs, count, error));
    for (uint32_t i = 0; i < count; i++) {
        if (!oriel_execution_is_fed(outputs[i].execution))
            continue;
        ORIEL_TRY(oriel_insert_output_open(result, &outputs[i], error));
        oriel_execution_set_maker(outputs[i].execution, &outputs[i].maker);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!oriel_execution_is_fed(outputs[i].execution))
            ORIEL_TRY(oriel_insert_output_open(result, &outputs[i], error));
        ORIEL_TRY(oriel_insert_output_run(result, &outputs[i], error));
        ORIEL_TRY(oriel_insert_output_finish(result, &outputs[i], error));
    }
    for (uint32_t i = 0; i < count; i++)
        ORIEL_TRY(oriel_insert_output_commit(result, &outputs[i], error));
    return ORIEL_OK;
}

/* Runs INSERTs [first, end) together. */
static enum oriel_status run(struct oriel_result *result, const struct oriel_inserts *inserts,
                             uint32_t first, uint32_t end, struct oriel_error *error) {
    uint32_t count = 0;
    struct oriel_insert_output *outputs =
        oriel_arena_allocate_zeroed(&result->arena, end - first, sizeof *outputs);
    if (!outputs)
        return oriel_error_memory(error);
    for (uint32_t i = first; i < end; i++) {
        if (inserts->items[i].run_plan)
            outputs[count++].insert = &inserts->items[i];
    }
    const enum oriel_status status = write_all(result, outputs, count, error);
    for (uint32_t i = 0; i < count; i++)
        oriel_insert_output_close(&outputs[i]);
    return status;
}

enum oriel_status oriel_inserts_run(struct oriel_result *result,
                                    const struct oriel_inserts *inserts,
                                    struct oriel_error *error) {
    result->has_inserted = true;
    for (uint32_t i = 1; i < inserts->count; i++)
        ORIEL_TRY(refuse_written(result, inserts->items[i].plan, inserts, i, error));
    if (!inserts->in_turn)
        return run(result, inserts, 0, inserts->count, error);
    for (uint32_t i = 0; i < inserts->count; i++)
        ORIEL_TRY(run(result, inserts, i, i + 1, error));
    return ORIEL_OK;
}
