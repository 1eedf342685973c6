/*
 * From tree to plan: resolves names, checks types and window rules, chooses functions, and rewrites
 * (aggregates over windows into slices, ROW_NUMBER with a filter into a rank, filters towards the
 * scan, only the columns that are used).
 */
#pragma once

#include "engine/columns/value_text.h"
#include "engine/plan/plan.h"
#include "engine/plan/session.h"

/* Binds a query into `statement_arena`. */
enum oriel_status oriel_bind_query(struct oriel_session *session,
                                   const struct oriel_runtime *runtime,
                                   const struct ast_query *query,
                                   struct oriel_arena *statement_arena, struct oriel_plan **out,
                                   struct oriel_error *error);

/* The schema of a table or view, for DESCRIBE. */
enum oriel_status oriel_bind_schema(struct oriel_session *session,
                                    const struct oriel_runtime *runtime,
                                    const struct oriel_table_entry *table,
                                    struct oriel_arena *statement_arena, struct oriel_schema *out,
                                    struct oriel_error *error);

/*
 * Binds an INSERT INTO `table`: the plan's fields are the physical columns of the table in its
 * order, cast to their types; columns that the statement leaves out are NULL. That a NOT NULL
 * column gets no NULL is for the writer to check: its field of the plan may be nullable.
 */
enum oriel_status oriel_bind_insert(struct oriel_session *session,
                                    const struct oriel_runtime *runtime,
                                    const struct ast_statement *statement,
                                    const struct oriel_table_entry *table,
                                    struct oriel_arena *statement_arena, struct oriel_plan **out,
                                    struct oriel_error *error);

/* Lines below a node of EXPLAIN, beside its strategies: line 0, 1, ... until nothing is printed. */
struct oriel_explain_details {
    void *context;
    enum oriel_status (*print)(void *context, const struct oriel_plan *node, uint32_t line,
                               struct oriel_text_buffer *out, bool *printed); /* or NULL */
};

/* The plan as a tree for EXPLAIN, a node a line, the root `level` steps to the right; with
 * `details` the strategies and what it prints stand below each node. NULL when memory runs out. */
const char *oriel_plan_explain(const struct oriel_plan *plan, unsigned level,
                               const struct oriel_explain_details *details,
                               struct oriel_arena *arena);

/* Whether a plan has windows, fused with an aggregation or not. */
bool oriel_plan_has_window(const struct oriel_plan *plan);
