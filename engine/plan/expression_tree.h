/*
 * Inside engine/plan: making, walking, copying and comparing bound expressions. NULL means that the
 * arena ran out of memory.
 */
#pragma once

#include "engine/functions/expression.h"

/* Set in the column number of a reference to a row of the enclosing query. */
enum { ORIEL_COLUMN_OUTER_SHIFT = 31 };
#define ORIEL_COLUMN_OUTER (1u << ORIEL_COLUMN_OUTER_SHIFT)

struct oriel_expression *oriel_expression_column(struct oriel_arena *arena, uint32_t column,
                                                 struct oriel_type type,
                                                 struct oriel_position position);

/* A constant with a zeroed value of the type, or NULL; the value is written through
 * ->constant.values. */
struct oriel_expression *oriel_expression_constant(struct oriel_arena *arena,
                                                   struct oriel_type type, bool is_null,
                                                   struct oriel_position position);
struct oriel_expression *oriel_expression_bigint(struct oriel_arena *arena, int64_t value,
                                                 struct oriel_position position);

bool oriel_expression_is_null_constant(const struct oriel_expression *expression);

/* AND of one or more conditions; the condition itself when there is one. */
struct oriel_expression *oriel_expression_all(struct oriel_arena *arena,
                                              struct oriel_expression *const *conditions,
                                              uint32_t count);

/* AND or OR. */
struct oriel_expression *oriel_expression_logic(struct oriel_arena *arena,
                                                enum oriel_expression_kind kind,
                                                struct oriel_expression *const *arguments,
                                                uint32_t count, struct oriel_position position);

/* A list of conditions that all hold. */
struct oriel_conditions {
    uint32_t count;
    struct oriel_expression **items;
};

/* Appends a condition, the parts of an AND one by one; false without memory. */
bool oriel_conditions_add(struct oriel_conditions *conditions, struct oriel_arena *arena,
                          struct oriel_expression *condition);

/* A copy in which column i is replacements[i]; references to an outer row stay. */
struct oriel_expression *oriel_expression_substitute(struct oriel_arena *arena,
                                                     const struct oriel_expression *expression,
                                                     struct oriel_expression *const *replacements);

/* A copy in which column i is map[i]. */
struct oriel_expression *oriel_expression_remap(struct oriel_arena *arena,
                                                const struct oriel_expression *expression,
                                                const uint32_t *map);

/* Sets used[i] for each column i. */
void oriel_expression_mark(const struct oriel_expression *expression, bool *used);

bool oriel_expression_uses(const struct oriel_expression *expression, uint32_t column);

/* Adds 1 to uses[i] for each reference to column i. */
void oriel_expression_count_uses(const struct oriel_expression *expression, uint32_t *uses);

/* Whether all columns lie in [low, high). An expression without columns does. */
bool oriel_expression_within(const struct oriel_expression *expression, uint32_t low,
                             uint32_t high);
bool oriel_expression_has_columns(const struct oriel_expression *expression);
bool oriel_expression_has_outer(const struct oriel_expression *expression);
bool oriel_expression_is_volatile(const struct oriel_expression *expression);

/* The number of nodes as the evaluator meets them, shared ones each time; not counted beyond
 * `limit`. */
uint32_t oriel_expression_count_nodes(const struct oriel_expression *expression, uint32_t limit);

/* Structural equality. */
bool oriel_expression_same(const struct oriel_expression *a, const struct oriel_expression *b);

/* An 8-byte integer constant that is not NULL. */
bool oriel_expression_integer(const struct oriel_expression *expression, int64_t *value);
