/*
 * Inside aggregation: one worker's groups. A group is a key within a slice, or one session so far
 * of a key. Where the states of a group lie depends on the form of the store:
 *
 *   dense    in blocks, one for each open slice, at the place of the key's id. Slices that no row
 *            has met for long are packed and their blocks used again, so that the working set stays
 *            in the cache and old groups take few bytes. A slice may be opened and packed often.
 *   hashed   one after the other, found through a hash table of (slice, key): when most places of
 *            the blocks would stay empty.
 *   session  in slots, one for each open session, found by key. Closed sessions are gathered,
 *            sorted by their last time, and packed.
 */
#pragma once

#include "engine/exec/aggregate_layout.h"
#include "engine/exec/packed_rows.h"

#define AGGREGATE_NO_SLICE UINT32_MAX
#define AGGREGATE_NO_BLOCK UINT32_MAX

enum {
    AGGREGATE_PIECE_ROWS = 1024,
    AGGREGATE_MANY_KEYS = 1 << 15, /* too many for the cache */
};

/* Packed groups of one slice, or packed sessions. The rows follow. Columns: the key id; of sessions
 * the least and the greatest row time, by which they are sorted; the words of the states. */
struct aggregate_piece {
    struct aggregate_piece *older; /* of the same slice; of the same store */
    uint64_t row_count;
};

static inline const struct oriel_packed_rows *aggregate_piece_rows(
    const struct aggregate_piece *piece) {
    return (const void *)(piece + 1);
}

struct aggregate_slice {
    int64_t start_ms;               /* 0 without a window */
    uint32_t block;                 /* dense: AGGREGATE_NO_BLOCK when it is not open */
    uint32_t packed_count;          /* groups in its pieces */
    struct aggregate_piece *pieces; /* the newest one first */
};

struct aggregate_array {
    void *items;
    size_t item_bytes; /* 0: not used */
    size_t size_bytes;
};

enum aggregate_form { AGGREGATE_DENSE, AGGREGATE_HASHED, AGGREGATE_SESSION };

/* An open slice. Its place p of block_keys * block number + key id. */
struct aggregate_block {
    uint32_t slice;
    uint32_t key_count;  /* that have a group */
    uint64_t last_batch; /* the last that touched it */
};

/* An open slice that rows met; of those with the same hash, the last one. */
struct aggregate_recent {
    int64_t start_ms;
    uint32_t block; /* + 1; 0: none */
};

enum { BLOCKS_ITEMS, BLOCKS_STATES, BLOCKS_TOUCHED, BLOCKS_RECENT, BLOCKS_ARRAYS };

struct aggregate_blocks {
    uint32_t block_keys; /* places of a block */
    uint32_t count, capacity;
    uint32_t limit;          /* of open blocks, while blocks are to be had that no batch needs */
    uint32_t next_victim;    /* where to look for one to pack */
    uint32_t reopened_count; /* slices that were packed too early since `limit` was raised */
    struct aggregate_array arrays[BLOCKS_ARRAYS]; /* owns the states and the next three */
    struct aggregate_block *items;
    uint8_t *touched;                /* by place: whether there is a group */
    struct aggregate_recent *recent; /* by hash of the start */
    size_t group_count;
};

/* The arrays with an entry a group, which grow together; hashed and session. */
enum {
    AGGREGATE_STATES,
    AGGREGATE_KEYS,
    AGGREGATE_SLICES,
    AGGREGATE_FREE_SLOTS,
    AGGREGATE_ARRAYS,
};

/* Sessions: the times of one batch. */
struct aggregate_stretch {
    int64_t least_ms, greatest_ms;
    uint32_t store;
    uint32_t number; /* of the batch in its store */
    bool descends;   /* a row came before the session that its key had open */
};

/* The session that took the last row of a key. Slot 0: there is none. */
struct aggregate_open_session {
    int64_t first_ms, last_ms; /* least and greatest row time so far */
    uint32_t slot;
};

/* Closed sessions on their way into pieces, column by column as in a piece: column c from words +
 * c * room on. */
struct aggregate_closed {
    struct aggregate_array words_array, slots_array; /* own the next two */
    uint64_t *words;
    uint32_t *slots; /* of the last ones, whose states are not in their columns yet */
    uint32_t room;
    uint32_t run; /* so many are sorted and packed together; less than room */
    uint32_t count;
    uint32_t complete_count; /* with their states */
};

struct aggregate_store {
    const struct aggregate_layout *layout;
    enum aggregate_form form;
    struct oriel_key_table keys; /* unused without key columns: the key is 0 */
    bool keys_open;
    bool keyed;               /* radix: pieces hold keys and not ids of keys */
    uint32_t groups_kept;     /* radix: before they are packed */
    uint64_t rows_met;        /* radix: since then */
    uint32_t loose_rounds;    /* radix: until then, so often, each row is a group of its own */
    bool one_by_one;          /* groups come out of files: no radix */
    struct oriel_arena arena; /* what states point to */
    size_t total_count;       /* of groups, those in pieces too; a group in two counts twice */
    uint64_t batch_number;
    char *states; /* of the form: group g at g * stride */

    struct aggregate_slice *slices;
    uint32_t slice_count;
    uint32_t slice_capacity;
    uint32_t *slice_slots; /* slice + 1 by hash of its start */
    uint32_t slice_slot_count;
    uint32_t current_slice; /* of the last row */

    struct aggregate_blocks blocks; /* dense */

    /* hashed and session */
    uint32_t group_count;
    uint32_t group_capacity;
    struct aggregate_array arrays[AGGREGATE_ARRAYS]; /* owns the states and what is next */
    uint32_t *group_keys;                            /* this and the next three: hashed */
    uint32_t *group_slices;
    uint64_t *pair_slots; /* hash << 32 | group + 1 */
    size_t pair_slot_count;

    /* session */
    struct aggregate_array stretches; /* of struct aggregate_stretch */
    uint32_t stretch_count;
    struct aggregate_array order_keys, order_rows; /* room to sort rows or sessions */
    struct aggregate_array open_array;
    struct aggregate_open_session *open_sessions; /* by key id */
    uint32_t open_capacity;
    uint32_t *free_slots; /* a stack with room for all slots */
    uint32_t free_count;
    struct aggregate_closed closed;

    /* On the way into pieces: column c at c * AGGREGATE_PIECE_ROWS. */
    struct oriel_arena pieces_arena;
    struct oriel_packed_column *piece_columns;
    uint64_t *piece_words;
    uint32_t piece_row_count;
    struct aggregate_piece *session_pieces; /* the newest one first */

    /* Room for one batch. */
    int64_t *times;
    int64_t *slice_starts;
    uint32_t *key_ids;
    uint32_t *groups;
    uint64_t *rows;
    uint64_t *window_rows; /* that have a window of a number, with copies */
    uint64_t *no_rows;     /* all bits clear: validity of a key that its grouping set lacks */
    int32_t *set_ordinals;
    struct oriel_column *key_columns;
};

enum oriel_status aggregate_store_open(struct aggregate_store *store,
                                       const struct aggregate_layout *layout,
                                       struct oriel_error *error);
void aggregate_store_close(struct aggregate_store *store);

/*
 * Finds or makes the group of each row that `rows` selects (NULL: all) and writes it to
 * store->groups; others get 0. key ids are in store->key_ids. The slices are those of `times`;
 * NULL: their starts are in store->slice_starts, the same for all rows unless windows are copies.
 * The groups stay where they are until the next call.
 */
enum oriel_status aggregate_store_find_slices(struct aggregate_store *store, const int64_t *times,
                                              const uint64_t *rows, size_t row_count,
                                              struct oriel_error *error);

/*
 * With copies: number 0, 1 ... of the windows of each row, as "slices" in store->slice_starts and
 * the rows that have so many in store->window_rows. `next` is false when none has.
 */
enum oriel_status aggregate_copies_begin(struct aggregate_store *store, const int64_t *times,
                                         size_t row_count, struct oriel_error *error);
bool aggregate_copies_next(struct aggregate_store *store, const uint64_t *rows, size_t row_count,
                           int64_t number);

/* The same for sessions; row times are in `times`. */
enum oriel_status aggregate_store_find_sessions(struct aggregate_store *store, const int64_t *times,
                                                const uint64_t *rows, size_t row_count,
                                                struct oriel_error *error);

/* After the last row: no session is open any more. */
enum oriel_status aggregate_store_finish(struct aggregate_store *store, struct oriel_error *error);

/* Adds a session that stands by itself. */
enum oriel_status aggregate_store_add_session(struct aggregate_store *store, uint32_t key,
                                              int64_t first_ms, int64_t last_ms, uint32_t *group,
                                              struct oriel_error *error);

/* The slice that starts there, or AGGREGATE_NO_SLICE. */
uint32_t aggregate_store_slice_at(const struct aggregate_store *store, int64_t start_ms);

/* Bytes that the next batch of `row_count` rows may need at once, by doubling what is full. */
size_t aggregate_store_growth(const struct aggregate_store *store, size_t row_count);

/* Calls visit(context, key id, {slice start, 0} or {first, last time}, states) for each group. */
typedef enum oriel_status aggregate_visit(void *context, uint32_t key, const int64_t times_ms[2],
                                          const char *states, struct oriel_error *error);
enum oriel_status aggregate_store_each(const struct aggregate_store *store, aggregate_visit *visit,
                                       void *context, struct oriel_error *error);

/* ---- for the forms ---- */

static inline uint32_t aggregate_state_words(const struct aggregate_layout *layout) {
    return (uint32_t)(layout->stride_bytes / sizeof(uint64_t));
}

/* Columns of a piece before the words of the states. */
static inline uint32_t aggregate_piece_lead(const struct aggregate_layout *layout) {
    return aggregate_is_session(layout) ? 3 : 1;
}

/* The same for a piece that holds keys: their words, and one with the bits of their NULLs. */
static inline uint32_t aggregate_keyed_lead(const struct aggregate_layout *layout) {
    uint32_t words = 1;
    for (uint32_t c = 0; c < layout->key_schema.field_count; c++)
        words += oriel_physical_size(oriel_type_physical(&layout->key_schema.fields[c].type)) > 8
                     ? 2
                     : 1;
    return words;
}

/* The slice that starts there, made when there is none. */
enum oriel_status aggregate_store_slice_of(struct aggregate_store *store, int64_t start_ms,
                                           uint32_t *slice, struct oriel_error *error);
/* Room for one more group in the arrays. */
enum oriel_status aggregate_store_grow_groups(struct aggregate_store *store,
                                              struct oriel_error *error);
/* Room for `count` entries in an array; new ones are zero. */
enum oriel_status aggregate_array_grow(const struct aggregate_store *store,
                                       struct aggregate_array *array, size_t count,
                                       struct oriel_error *error);
void aggregate_array_release(const struct aggregate_store *store, struct aggregate_array *array);

/* The starts of the slices of `times` to store->slice_starts. */
void aggregate_store_floor(struct aggregate_store *store, const int64_t *times, size_t row_count);

/* Dense: as aggregate_store_find_slices; *sparse, and at most slices and empty groups made, when
 * blocks are a waste: then the starts are in store->slice_starts. */
enum oriel_status aggregate_dense_find(struct aggregate_store *store, const int64_t *times,
                                       const uint64_t *rows, size_t row_count, bool *sparse,
                                       struct oriel_error *error);
enum { AGGREGATE_BLOCK_KEYS = AGGREGATE_PIECE_ROWS + 64 }; /* room for some keys of a block */
/* Those of key ids first, first + 1 ... (AGGREGATE_PIECE_ROWS of them) that have a group in the
 * block, ascending; returns how many. `keys` has room for AGGREGATE_BLOCK_KEYS. */
uint32_t aggregate_block_keys(const struct aggregate_store *store, uint32_t block, uint32_t first,
                              uint32_t *keys);
/* Packs all open slices and gives the blocks back. */
enum oriel_status aggregate_dense_leave(struct aggregate_store *store, struct oriel_error *error);
void aggregate_dense_release(struct aggregate_store *store);

/* Sessions: the session becomes one of the closed ones. There must be room for it. */
static inline void aggregate_closed_add(struct aggregate_closed *closed, uint32_t key,
                                        const struct aggregate_open_session *session) {
    uint64_t *words = closed->words + closed->count;
    words[0] = key;
    words[closed->room] = (uint64_t)session->first_ms;
    words[2 * (size_t)closed->room] = (uint64_t)session->last_ms;
    closed->slots[closed->count++] = session->slot;
}

/* Before rows or sessions are added: the closed sessions get their states, which are complete now,
 * and their slots are free; there is room for those that a batch closes, and one more. */
enum oriel_status aggregate_closed_settle(struct aggregate_store *store, struct oriel_error *error);
/* Packs all closed sessions. */
enum oriel_status aggregate_closed_leave(struct aggregate_store *store, struct oriel_error *error);

enum oriel_status aggregate_hashed_find(struct aggregate_store *store, const uint64_t *rows,
                                        size_t row_count, struct oriel_error *error);

/* Makes `count` rows, the states of key k at states + k * stride, the words on the way into an
 * empty piece. */
void aggregate_pack_rows(struct aggregate_store *store, const uint32_t *keys, uint32_t count,
                         const char *states);
/* Adds one row to the words on the way into a piece; the caller writes full ones. */
void aggregate_pack_row(struct aggregate_store *store, uint32_t key, const char *states);
/* The same for a row whose leading words are there already. */
void aggregate_pack_states(struct aggregate_store *store, const char *states);
/* Makes a piece of those words; `newest` is the list that it joins. */
enum oriel_status aggregate_pack_write(struct aggregate_store *store,
                                       struct aggregate_piece **newest, struct oriel_error *error);
/* Reads a piece back: key ids, the states at `states`, of sessions the times; room for the rows,
 * `words` for as many. */
void aggregate_piece_read(const struct aggregate_layout *layout,
                          const struct aggregate_piece *piece, uint64_t *words, uint32_t *keys,
                          int64_t *first_ms, int64_t *last_ms, char *states);
