/*
 * Inside engine/plan: making nodes of a plan and working on bound expressions. All memory comes
 * from the arena that is passed; NULL means that it ran out.
 */
#pragma once

#include "engine/plan/plan.h"

/* Makes room for item number `count` of a list that grows one by one; returns the list, which may
 * have moved, or NULL. */
void *oriel_plan_grow(struct oriel_arena *arena, void *items, uint32_t count, size_t item_bytes);

struct oriel_plan *oriel_plan_make(struct oriel_arena *arena, enum oriel_plan_kind kind,
                                   struct oriel_position position, uint32_t input_count);

/* A node with one input whose rows have the fields of the input. */
struct oriel_plan *oriel_plan_make_over(struct oriel_arena *arena, enum oriel_plan_kind kind,
                                        struct oriel_plan *input);

/* Rows of `input` where all of `conditions` hold; `input` itself when there are none. */
struct oriel_plan *oriel_plan_make_filter(struct oriel_arena *arena, struct oriel_plan *input,
                                          struct oriel_expression *const *conditions,
                                          uint32_t condition_count);

/* A projection; field i is called names[i] and has the type of expression i. */
struct oriel_plan *oriel_plan_make_project(struct oriel_arena *arena, struct oriel_plan *input,
                                           uint32_t count, struct oriel_expression **expressions,
                                           const char *const *names);

/* A projection to some columns of the input, in that order, with their names. */
struct oriel_plan *oriel_plan_make_columns(struct oriel_arena *arena, struct oriel_plan *input,
                                           uint32_t count, const uint32_t *columns);

/* The input with computed columns behind its own. */
struct oriel_plan *oriel_plan_make_extension(struct oriel_arena *arena, struct oriel_plan *input,
                                             uint32_t count,
                                             struct oriel_expression *const *expressions);

/* Field lists: a copy with room for `extra` more behind. */
struct oriel_field *oriel_plan_copy_fields(struct oriel_arena *arena, struct oriel_schema schema,
                                           uint32_t extra);

/* What a column is with regard to the windows of a table function. */
enum oriel_window_role {
    ORIEL_ROLE_NONE,
    ORIEL_ROLE_START,
    ORIEL_ROLE_END,
    ORIEL_ROLE_TIME,
};

/* The role of a column of `plan`, followed down through plain column references. */
enum oriel_window_role oriel_plan_column_role(const struct oriel_plan *plan, uint32_t column);
