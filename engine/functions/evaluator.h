/*
 * Inside engine/functions: the nodes of an evaluator.
 */
#pragma once

#include "engine/functions/function.h"

/* Values and validity words for `capacity` rows, in one block that starts at `values`. */
struct oriel_node_buffer {
    struct oriel_node_buffer *next;
    struct oriel_node_buffer *next_free;
    void *values;
    uint64_t *valid;
    size_t size_bytes;
    unsigned size_class;
};

enum { ORIEL_NODE_MASKS = 3 };

struct oriel_node {
    const struct oriel_expression *expression;
    uint32_t child_count;
    struct oriel_node *children;
    struct oriel_column *inputs;      /* CALL: its arguments */
    struct oriel_column column;       /* CONSTANT: expanded, or one row where the call wants that */
    bool is_fixed;                    /* CONSTANT: `column` is set for good */
    struct oriel_node_buffer *buffer; /* of the result; NULL: COLUMN */
    uint64_t *masks;                  /* AND, OR, CASE: three bitmaps */
    void *local;                      /* CALL */
    struct oriel_node *next_with_local;
};

/* Evaluates a node for the rows evaluation->active; *out may be borrowed from batch or node. Rows
 * that are not active hold anything, their strings may point nowhere. */
enum oriel_status oriel_node_evaluate(struct oriel_node *node, const struct oriel_batch *batch,
                                      struct oriel_evaluation *evaluation,
                                      struct oriel_column *out);

/* Fills the buffer of a CONSTANT with its value, `row_count` times, and sets node->column. */
void oriel_node_fill(struct oriel_node *node, size_t row_count);
