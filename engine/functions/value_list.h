/*
 * Inside engine/functions: lists of values as states of aggregates. Values lie in chunks, column by
 * column, each with its place in the input order, so that lists can be put together in any order.
 * Merging copies nothing: the result refers to the chunks of both, which are only ever added to.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"

enum { ORIEL_LIST_COLUMNS_MAX = 2 };

struct oriel_list_layout {
    uint32_t column_count;
    struct oriel_type types[ORIEL_LIST_COLUMNS_MAX];
    bool ordered; /* places are kept, and reading is in their order; else in any order */
};

struct oriel_list_chunk;
struct oriel_list_node;

struct oriel_value_list {                 /* all zero: empty */
    struct oriel_list_chunk *chunk;       /* the list's own, newest first */
    const struct oriel_list_node *merged; /* what merges brought */
    uint64_t count;
};

/* Adds row `row` of the columns, which may be NULL there; strings and nested values are copied.
 * False when memory runs out. */
bool oriel_value_list_add(const struct oriel_list_layout *layout, struct oriel_value_list *list,
                          const struct oriel_column *columns, size_t row, uint64_t place,
                          struct oriel_arena *arena);

/* What `from` points to must live as long as `into`. */
bool oriel_value_list_merge(struct oriel_value_list *into, const struct oriel_value_list *from,
                            struct oriel_arena *arena);

/* The values as columns of list->count rows, which may point to the list's strings. Room comes from
 * `arena`. */
enum oriel_status oriel_value_list_read(const struct oriel_list_layout *layout,
                                        const struct oriel_value_list *list,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_arena *arena, struct oriel_column *columns,
                                        struct oriel_error *error);

size_t oriel_value_list_saved_bytes(const struct oriel_list_layout *layout,
                                    const struct oriel_value_list *list);
void oriel_value_list_save(const struct oriel_list_layout *layout,
                           const struct oriel_value_list *list, char *out);
bool oriel_value_list_load(const struct oriel_list_layout *layout, struct oriel_value_list *list,
                           const char *bytes, struct oriel_arena *arena);
