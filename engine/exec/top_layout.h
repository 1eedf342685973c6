/*
 * Inside Top-N and deduplication: where the values of a row that may be kept lie. The windows are
 * kept once for all of their rows, keys once for all windows, and only the other columns, with the
 * position, once for each row. Decided once for the node.
 */
#pragma once

#include "engine/exec/sort_words.h"

struct oriel_runtime;

enum oriel_top_place {
    ORIEL_TOP_STORED, /* in the store, column `index` */
    ORIEL_TOP_KEY,    /* key column `index` */
    ORIEL_TOP_END,    /* the end of the window */
    ORIEL_TOP_START,
};

struct oriel_top_column {
    enum oriel_top_place place;
    uint32_t index;
};

struct oriel_top_layout {
    const struct oriel_plan *plan;          /* RANK */
    struct oriel_schema rows;               /* of whole rows: the input's fields and the position */
    const struct oriel_top_column *columns; /* by field of rows */
    bool has_windows;                       /* end and start of the window are partition columns */
    uint32_t end_column, start_column;
    uint32_t key_count; /* partition columns beside those */
    const uint32_t *keys;
    struct oriel_schema key_schema;
    const struct oriel_sort_item *key_items; /* the order of the keys in the result */
    struct oriel_schema store;               /* the last field is the position */
    const uint32_t *stored;                  /* column of a row for each field of the store */
    /* The order items that can differ within a partition, over rows and over the store. */
    uint32_t item_count;
    const struct oriel_sort_item *items, *store_items;
    struct oriel_sort_layout first_item; /* the first item alone, as if it were never NULL */
    bool first_is_narrow;                /* it tells NULL itself */
    bool first_decides;                  /* equal first words that are no limits: equal rows */
};

/* The lists are in `arena`. `rows` are the input's fields and the position. */
enum oriel_status oriel_top_layout_make(struct oriel_top_layout *layout, struct oriel_arena *arena,
                                        const struct oriel_plan *plan, struct oriel_schema rows,
                                        struct oriel_error *error);

/* words[i] = a word that ascends in the order of the first item. `words` has room for 3 * row_count
 * of them. */
void oriel_top_encode(const struct oriel_top_layout *layout, const struct oriel_batch *batch,
                      uint64_t *words);

/* Whether rows whose first words both are `word` are equal in all items. */
static inline bool oriel_top_is_equal(const struct oriel_top_layout *layout, uint64_t word) {
    return layout->first_decides && (layout->first_is_narrow || (word && word != UINT64_MAX));
}
