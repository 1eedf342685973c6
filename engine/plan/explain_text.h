/*
 * Inside engine/plan: pieces of EXPLAIN. Names of columns come from the schema that they belong to.
 */
#pragma once

#include "engine/columns/value_text.h"
#include "engine/plan/binder.h"

struct explain {
    struct oriel_arena *arena;
    struct oriel_text_buffer text;
    const struct oriel_explain_details *details; /* NULL: the tree alone */
    bool failed;                                 /* out of memory; nothing more is printed */
};

void oriel_explain_print(struct explain *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *oriel_explain_name(const struct oriel_schema *schema, uint32_t column);
void oriel_explain_columns(struct explain *e, const struct oriel_schema *schema,
                           const uint32_t *columns, uint32_t count);
void oriel_explain_items(struct explain *e, const struct oriel_schema *schema,
                         const struct oriel_sort_item *items, uint32_t count);
void oriel_explain_expression(struct explain *e, const struct oriel_schema *schema,
                              const struct oriel_expression *expression);

/* explain.c: TUMBLE(ts, size 600000 ms) and the like. */
void oriel_explain_window(struct explain *e, const struct oriel_window *window,
                          const struct oriel_schema *input);
