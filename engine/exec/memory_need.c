/*
 * The memory that a plan cannot do without: each worker has buffers for every operator, and an
 * operator writes rows to files only when a share of the limit is used up.
 */
#include "engine/exec/memory_need.h"

#include "engine/exec/build.h"
#include "engine/exec/drive.h"

#define MIB (UINT64_C(1) << 20)

enum {
    STATEMENT_MIB = 4, /* the tree, the plan, a result on its way out */
    /* of each worker */
    SCAN_MIB = 4,
    BREAKER_MIB = 6,
    JOIN_MIB = 10,
    COLUMN_MIB = 1, /* of a scan */
    BATCHES = 4,    /* of a node's rows that are held at once */
    COPIES = 2,     /* of a piece: as it was read, and what becomes of it */
};

static uint64_t row_bytes(struct oriel_schema schema) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < schema.field_count; i++)
        bytes += oriel_physical_size(oriel_type_physical(&schema.fields[i].type));
    return bytes;
}

static uint64_t node_bytes(const struct oriel_plan *plan, const struct oriel_memory *memory) {
    switch (plan->kind) {
    case ORIEL_PLAN_SCAN:
        return (SCAN_MIB + COLUMN_MIB * plan->schema.field_count) * MIB +
               COPIES * oriel_memory_piece_bytes(memory);
    case ORIEL_PLAN_AGGREGATE:
    case ORIEL_PLAN_RANK:
    case ORIEL_PLAN_OVER:
    case ORIEL_PLAN_SORT: return BREAKER_MIB * MIB;
    case ORIEL_PLAN_WINDOW: return oriel_plan_is_streaming(plan) ? 0 : BREAKER_MIB * MIB;
    case ORIEL_PLAN_JOIN: return JOIN_MIB * MIB;
    default: return 0;
    }
}

static uint64_t plan_bytes(const struct oriel_plan *plan, const struct oriel_runtime *runtime) {
    uint64_t bytes =
        node_bytes(plan, runtime->memory) + BATCHES * runtime->batch_rows * row_bytes(plan->schema);
    for (uint32_t i = 0; i < plan->input_count; i++)
        bytes += plan_bytes(plan->inputs[i], runtime);
    return bytes;
}

/* Whether rows of a scan go to the result as they come, so that a piece of the result is made of a
 * piece of the input. */
static bool streams(const struct oriel_plan *plan) {
    while (oriel_plan_is_streaming(plan) || plan->kind == ORIEL_PLAN_LIMIT ||
           plan->kind == ORIEL_PLAN_UNION)
        plan = plan->inputs[0];
    return plan->kind == ORIEL_PLAN_SCAN;
}

static uint64_t worker_bytes(const struct oriel_plan *plan, const struct oriel_runtime *runtime) {
    const uint64_t bytes = plan_bytes(plan, runtime);
    return streams(plan)
               ? bytes + COPIES * oriel_memory_piece_rows(runtime->memory) * row_bytes(plan->schema)
               : bytes;
}

static unsigned long long in_mib(uint64_t bytes) {
    return bytes / MIB + (bytes % MIB != 0);
}

enum oriel_status oriel_memory_name_need(const struct oriel_runtime *runtime,
                                         const struct oriel_plan *const *plans, uint32_t plan_count,
                                         struct oriel_error *error) {
    const size_t limit = runtime->memory->limit_bytes;
    const unsigned workers = oriel_worker_count(runtime);
    uint64_t need = STATEMENT_MIB * MIB;
    if (!limit)
        return oriel_error_memory(error);
    for (uint32_t i = 0; i < plan_count; i++)
        need += workers * worker_bytes(plans[i], runtime);
    if (limit < need)
        return oriel_error_set(error, ORIEL_MEMORY,
                               "out of memory: the limit of %.1f MiB is too small for this query "
                               "on %u thread%s; %llu MiB is enough",
                               (double)limit / (double)MIB, workers, workers == 1 ? "" : "s",
                               in_mib(need));
    return oriel_error_set(error, ORIEL_MEMORY,
                           "out of memory: the limit of %llu MiB is too small for rows of this "
                           "query that have to be in memory together; try %llu MiB",
                           in_mib(limit), 2 * in_mib(limit));
}
