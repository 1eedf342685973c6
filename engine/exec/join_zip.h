/*
 * Inside joins of two inputs that both come in the order of the keys: the left rows, batch by
 * batch, go along the right rows, which are kept as they came.
 */
#pragma once

#include "engine/exec/join_emit.h"
#include "engine/exec/kept_rows.h"
#include "engine/exec/sort_words.h"
#include "engine/plan/plan_order.h"

/* How the keys of both inputs are compared. */
struct oriel_zip_order {
    struct oriel_join_order order; /* key_count 0: the inputs do not come in order */
    struct oriel_sort_layout left, right;
};

/* Lists in `arena`. */
enum oriel_status oriel_join_zip_order(const struct oriel_plan *plan, struct oriel_arena *arena,
                                       struct oriel_zip_order *out, struct oriel_error *error);

/* Layouts of the keys of both sides, in the order of `keys` (NULL: as they are in the plan), which
 * differ in nothing but the columns. */
enum oriel_status oriel_join_key_layouts(const struct oriel_plan *plan, const uint32_t *keys,
                                         struct oriel_arena *arena, struct oriel_sort_layout *left,
                                         struct oriel_sort_layout *right,
                                         struct oriel_error *error);

/* One worker's way along the right rows. */
struct oriel_join_zip {
    const struct oriel_plan *plan;
    const struct oriel_runtime *runtime;
    const struct oriel_zip_order *order;
    const struct oriel_kept_rows *right;
    struct oriel_arena arena;
    size_t *key_sizes; /* bytes of a value */
    /* the left batch */
    const struct oriel_column *left;
    size_t left_count;
    /* the next right row */
    size_t segment, at;
    /* right rows of the last key that matched */
    struct oriel_pick *run;
    size_t run_count, run_capacity;
    bool is_placed;
    /* Words are made when rows that are not the same bytes must be compared. */
    struct oriel_zip_words {
        uint64_t *words; /* of rows [begin, end) */
        size_t begin, end;
    } left_words, right_words, run_words; /* right: rows of the segment */
};

enum oriel_status oriel_join_zip_init(struct oriel_join_zip *zip, const struct oriel_plan *plan,
                                      const struct oriel_runtime *runtime,
                                      const struct oriel_zip_order *order,
                                      const struct oriel_kept_rows *right,
                                      struct oriel_error *error);
void oriel_join_zip_deinit(struct oriel_join_zip *zip);

/* Before the first batch of a morsel. */
void oriel_join_zip_begin(struct oriel_join_zip *zip);

/* Gives all rows of a left batch with their matches to `emit`; not the flush. */
enum oriel_status oriel_join_zip_push(struct oriel_join_zip *zip, const struct oriel_batch *batch,
                                      struct oriel_join_emit *emit, struct oriel_error *error);

/* The most right rows that are equal in the keys. */
enum oriel_status oriel_join_zip_longest(struct oriel_join_zip *zip, uint64_t *out,
                                         struct oriel_error *error);
