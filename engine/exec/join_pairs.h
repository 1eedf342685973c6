/*
 * Inside joins: one partition of both sides, the pairs of rows that match in it, and what becomes
 * of them.
 */
#pragma once

#include "engine/exec/key_table.h"
#include "engine/exec/sorter.h"
#include "engine/plan/join_range.h"

/* Decided once for the node. */
struct oriel_join_layout {
    const struct oriel_plan *plan;
    const struct oriel_runtime *runtime;
    uint32_t left_count, right_count; /* fields of the inputs; each table has a position behind */
    struct oriel_schema left, right;  /* of the tables, with the position */
    struct oriel_schema pair;         /* left and right fields, for the residual */
    struct oriel_join_ranges ranges;  /* among the conditions of the residual */
    struct oriel_schema key_schema;   /* of the keys, from the right side */
    uint32_t group_key_count;         /* null_aware: keys without the last; else all */
    struct oriel_schema output;       /* plan's fields, hidden order columns, both positions */
    bool hidden_order;                /* the order columns are coalesced into hidden ones */
    struct oriel_sorter *sorter;
};

/* Room that a worker uses for one partition after the other. */
struct oriel_join_room {
    const struct oriel_join_layout *layout;
    struct oriel_arena arena;
    struct oriel_evaluator *residual;                   /* or NULL */
    struct oriel_evaluator *left_bounds, *right_bounds; /* of the ranges, if there are any */
    struct oriel_column_buffers left, right;
    struct oriel_column *left_columns, *right_columns; /* gathered */
    struct oriel_column *pair_columns;
    struct oriel_column *out;
    int64_t *left_positions, *right_positions; /* constants for sides that are missing */
    void *null_values;                         /* zeros for batch_rows values */
    uint64_t *null_valid;
    uint64_t *selection;
    uint32_t *kept;
    uint32_t *left_rows, *right_rows; /* pairs being collected */
    size_t pair_count;
};

enum oriel_status oriel_join_room_init(struct oriel_join_room *room,
                                       const struct oriel_join_layout *layout,
                                       struct oriel_error *error);
void oriel_join_room_deinit(struct oriel_join_room *room);

/* One partition being joined. */
struct oriel_join_part {
    unsigned worker;
    struct oriel_join_room *room;
    struct oriel_table left, right;
    uint8_t *left_matched, *right_matched;
};

/* Adds a pair of rows with equal keys. */
enum oriel_status oriel_join_add_pair(struct oriel_join_part *part, uint32_t left, uint32_t right,
                                      struct oriel_error *error);
/* Works on the pairs that were added: the residual, the marks, the output. */
enum oriel_status oriel_join_flush_pairs(struct oriel_join_part *part, struct oriel_error *error);

/* After all pairs: gives out the rows that the marks decide on. */
enum oriel_status oriel_join_emit_rest(struct oriel_join_part *part, struct oriel_error *error);
/* Those of one side alone. */
enum oriel_status oriel_join_emit_left(struct oriel_join_part *part, struct oriel_error *error);
enum oriel_status oriel_join_emit_right(struct oriel_join_part *part, struct oriel_error *error);

/* Finds the pairs of a partition whose tables are loaded, and gives everything out. */
enum oriel_status oriel_join_match(struct oriel_join_part *part, struct oriel_error *error);

/* The same without the rows that the marks decide on; the marks are the caller's, and are added to.
 */
enum oriel_status oriel_join_match_pairs(struct oriel_join_part *part, struct oriel_error *error);

/* Whether pairs are needed to know which left rows have a match. */
bool oriel_join_needs_pairs(const struct oriel_join_layout *layout);

/* Finds the pairs by sorting both tables by the keys; not for NOT IN. The marks are there. */
enum oriel_status oriel_join_match_sorted(struct oriel_join_part *part, struct oriel_error *error);

/* Joins a partition that memory cannot hold, whose rows are all in the file: a piece of the right
 * side at a time, along which the left side passes. Not for NOT IN. */
struct oriel_partitions;
enum oriel_status oriel_join_match_pieces(struct oriel_join_part *part,
                                          const struct oriel_partitions *left,
                                          const struct oriel_partitions *right, uint32_t partition,
                                          struct oriel_error *error);
