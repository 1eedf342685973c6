/*
 * The typed plan of one query: a read-only tree that exec turns into pipelines. It lies in the
 * statement arena and owns nothing else.
 *
 * Every node states the order of its rows, so that results are the same bytes for every thread
 * count, batch size and ISA: FILTER, PROJECT and WINDOW (but SESSION) keep the order of their
 * input, the others define one, see each node.
 */
#pragma once

#include "engine/base/strategy.h"
#include "engine/functions/aggregate.h"
#include "engine/functions/expression.h"
#include "engine/plan/catalog.h"

struct oriel_late_window;

enum oriel_plan_kind {
    ORIEL_PLAN_SCAN,
    ORIEL_PLAN_VALUES,
    ORIEL_PLAN_FILTER,
    ORIEL_PLAN_PROJECT,
    ORIEL_PLAN_WINDOW,    /* a window table function: rows with their windows */
    ORIEL_PLAN_AGGREGATE, /* GROUP BY, DISTINCT; with `window` the window is assigned here, in
                             slices */
    ORIEL_PLAN_RANK,      /* ROW_NUMBER and friends with a range: Top-N, deduplication */
    ORIEL_PLAN_SORT,
    ORIEL_PLAN_LIMIT,
    ORIEL_PLAN_JOIN,
    ORIEL_PLAN_OVER,   /* aggregates with OVER */
    ORIEL_PLAN_UNION,  /* UNION ALL: all rows of input 0, then 1, ... */
    ORIEL_PLAN_UNNEST, /* a row for each element of a collection */
};

enum oriel_window_kind {
    ORIEL_WINDOW_TUMBLE,
    ORIEL_WINDOW_HOP,
    ORIEL_WINDOW_CUMULATE,
    ORIEL_WINDOW_SESSION,
};

/* How rows get windows; facts 1 to 9 and 15 to 19 of tests/flink/README.md. */
struct oriel_window {
    enum oriel_window_kind kind;
    int64_t size_ms;                /* TUMBLE, HOP size; CUMULATE max size; SESSION gap */
    int64_t slide_ms;               /* HOP slide; CUMULATE step */
    int64_t offset_ms;              /* any value */
    uint32_t time_column;           /* TIMESTAMP or TIMESTAMP_LTZ of any precision, in the input */
    struct oriel_position position; /* of the call */
    bool drop_null_time; /* batch mode: such rows vanish and are counted; else they are an error */
    uint32_t key_count;  /* SESSION: PARTITION BY, columns of the input */
    const uint32_t *keys;
};

enum oriel_key_kind {
    ORIEL_KEY_COLUMN,       /* a column of the input */
    ORIEL_KEY_WINDOW_START, /* of the node's own window; TIMESTAMP(3) */
    ORIEL_KEY_WINDOW_END,
    ORIEL_KEY_WINDOW_TIME,
};

struct oriel_key {
    enum oriel_key_kind kind;
    uint32_t column;
};

/* A window operator whose late rows a scan counts, its values over the scan's fields. */
struct oriel_watch {
    const struct oriel_watch *next;
    const struct oriel_window *window;
    struct oriel_expression *condition; /* rows where it is TRUE reach the window; NULL: all */
    struct oriel_expression *time;
    struct oriel_expression **keys; /* SESSION: window->key_count */
    struct oriel_late_window *report;
};

struct oriel_sort_item {
    uint32_t column;
    bool descending;
    bool nulls_first;
};

enum oriel_rank_function { ORIEL_RANK_ROW_NUMBER, ORIEL_RANK_RANK, ORIEL_RANK_DENSE_RANK };

enum oriel_over_function {
    ORIEL_OVER_AGGREGATE,
    ORIEL_OVER_LAG, /* the value `number` rows before, LEAD: a negative number; of the arguments the
                       second is what stands where there is no such row */
    ORIEL_OVER_NTILE, /* the place among `number` parts of the partition */
    ORIEL_OVER_PERCENT_RANK,
    ORIEL_OVER_CUME_DIST,
};

/*
 * An aggregate over a frame of rows around each row, in the order of the node. Bounds count from
 * the current row towards the start and towards the end; negative ones lie on its other side. With
 * `range` they are differences of the order value, in its own unscaled units, and rows that are
 * equal in order belong together; without, they are numbers of rows. Functions that are no
 * aggregate look at the whole partition and have no frame.
 */
struct oriel_over_call {
    enum oriel_over_function function;
    int64_t number;
    struct oriel_aggregate_call aggregate; /* without a filter; of the others only the arguments,
                                              the result and no function */
    bool range;
    bool start_unbounded, end_unbounded;
    oriel_i128 start, end; /* 0: CURRENT ROW */
};

enum oriel_join_kind {
    ORIEL_JOIN_INNER,
    ORIEL_JOIN_LEFT,
    ORIEL_JOIN_RIGHT,
    ORIEL_JOIN_FULL,
    ORIEL_JOIN_SEMI, /* left rows with a match */
    ORIEL_JOIN_ANTI, /* left rows without one */
};

/* How a node does its work, where there are several ways. */
struct oriel_choice {
    enum oriel_strategy strategy; /* AUTO: the operator decides while it runs */
    const char *reason;           /* a few words; NULL: the topic has no meaning for the node */
};

/* A table that is read once for several SCANs; see share_scans.h. */
struct oriel_shared_scan {
    struct oriel_plan *scan; /* what is read: a SCAN of all columns that they need */
    uint32_t reader_count;
    const struct oriel_plan *first_reader;
};

struct oriel_plan {
    enum oriel_plan_kind kind;
    struct oriel_position position;
    struct oriel_schema schema; /* of the rows it gives */
    uint32_t input_count;
    struct oriel_plan **inputs;
    struct oriel_choice choices[ORIEL_TOPIC_COUNT]; /* see rewrite_strategy.c */

    union {
        struct { /* field i is column columns[i] of the table; order: of the input. Over a table
                    with a watermark (table->rowtime) a NULL or bad row time is an error of the
                    input in streaming mode, also where the column is not among `columns` */
            const struct oriel_table_entry *table;
            const uint32_t *columns;
            const struct ast_option *const *hints; /* OPTIONS hint, may be NULL */
            uint32_t hint_count;
            /* Of the filter right above, over the fields; a source may leave rows out for which it
             * is not TRUE. NULL: none. */
            const struct oriel_expression *condition;
            struct oriel_expression
                *watermark;                    /* of the table, over the fields; NULL: not needed */
            const struct oriel_watch *watches; /* count late rows for these, if there are any */
            const struct oriel_shared_scan *shared; /* NULL: the table is read for this node */
            const uint32_t *shared_columns;         /* of field i: its field of the shared scan */
        } scan;
        struct { /* fields: those of the input, then those of an element (the fields of a ROW, key
                    and value of a MAP), then its number from 1 (INT NOT NULL) if asked for. Order:
                    of the input, then of the elements. A NULL among ROWs is no element */
            uint32_t column; /* ARRAY, MAP or MULTISET */
            bool outer;      /* a row without elements stays, with NULLs */
            bool ordinality;
        } unnest;
        struct { /* row_count * field_count constants, row by row */
            uint32_t row_count;
            struct oriel_expression **cells;
        } values;
        struct {
            struct oriel_expression *condition; /* BOOLEAN; rows where it is TRUE stay */
        } filter;
        struct { /* with `requires_time` a NULL in `time_column` is an error of the input: it is the
                    computed row time of a table, in streaming mode */
            struct oriel_expression **expressions;
            bool requires_time;
            uint32_t time_column;
        } project;
        struct { /* fields: those of the input, window_start, window_end, window_time. Order: of the
                    input, HOP latest window first, CUMULATE smallest end first; SESSION by session
                    end, start, keys, input order */
            struct oriel_window window;
            /* Conditions of the filter right above that keep windows to the range of the run. */
            const struct oriel_expression *range[2];
            bool is_group_window; /* of GROUP BY TUMBLE(ts, ...): HOP sizes need not be multiples */
        } window;
        struct { /* fields: the keys, the aggregates, then the grouping id if `grouping_id`.
                    Order: by the keys that `order` names, ascending, NULLs first, NaN last, then by
                    grouping id. */
            const struct oriel_window *window; /* NULL: none assigned here */
            uint32_t key_count;
            const struct oriel_key *keys;
            uint32_t aggregate_count;
            const struct oriel_aggregate_call *aggregates;
            uint32_t set_count;   /* GROUPING SETS; 1 with all keys for a plain GROUP BY */
            const uint64_t *sets; /* bit k set: key k takes part in the set */
            bool grouping_id;     /* BIGINT: bit (key_count - 1 - k) set when key k is absent */
            bool global;          /* no GROUP BY at all: one row, also for no input */
            uint32_t order_count;
            const uint32_t *order; /* positions in `keys`; all of them */
            /* Of a query in parts, see part.h. */
            struct oriel_plan *states; /* rows of states in the place of the input; NULL: none */
            bool gives_states;         /* fields: those of oriel_part_schema */
            uint64_t first_row;        /* place of the input's first row in the whole */
        } aggregate;
        struct { /* fields: those of the input, then the rank (BIGINT NOT NULL). Rows whose rank
                    lies in [low, high]. Order: the columns of `order` ascending, NULLs first, then
                    rank, then input order */
            enum oriel_rank_function function;
            uint32_t partition_count;
            const uint32_t *partition;
            uint32_t item_count;
            const struct oriel_sort_item *items;
            bool last_of_equals; /* keep-last deduplication: among equal rows the last arrival is
                                    first */
            int64_t low, high;   /* high INT64_MAX: no bound */
            uint32_t order_count;
            const uint32_t *order;
        } rank;
        struct { /* fields: those of the input, then one for each call. Order: of the input. Within
                    a partition rows are taken by `items`, then input order; RANGE with bounds needs
                    exactly one item, of an integer, DECIMAL or time type */
            uint32_t partition_count;
            const uint32_t *partition;
            uint32_t item_count;
            const struct oriel_sort_item *items;
            uint32_t call_count;
            const struct oriel_over_call *calls;
        } over;
        struct { /* stable on the order of the input */
            uint32_t item_count;
            const struct oriel_sort_item *items;
            int64_t limit; /* first rows wanted; INT64_MAX: all */
        } sort;
        struct {
            int64_t offset, limit; /* limit INT64_MAX: all */
        } limit;
        struct { /* fields: left, right; SEMI and ANTI: left only. Order: window_end and
                    window_start
                    (`order` names left columns of equi keys; unmatched rows of either side by their
                    own), then position in the left input, position in the right input, unmatched
                    right rows last */
            enum oriel_join_kind kind;
            uint32_t key_count;
            const uint32_t *left_keys, *right_keys; /* of equal types */
            const bool *null_matches;               /* IS NOT DISTINCT FROM */
            struct oriel_expression *residual;      /* over left and right fields; NULL: none */
            /* ANTI for NOT IN; the last key is the compared value. A left row stays when no right
             * row that matches in the other keys equals it, and, if there are such rows at all,
             * neither its value nor one of theirs is NULL. There is no residual then. */
            bool null_aware;
            uint32_t order_count;
            const uint32_t *order; /* positions in the key lists */
        } join;
    };
};
