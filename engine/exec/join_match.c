/*
 * Finds the matching rows of one partition: the right rows lie in chains by their key, the left
 * ones are looked up batch by batch. Where the condition has ranges, only rows in them are paired.
 * NOT IN (null_aware) looks at groups of the other keys: a left
 * row stays when its group is empty, or when neither it nor any right value is NULL and none is
 * equal.
 */
#include <string.h>

#include "engine/exec/gather.h"
#include "engine/exec/join_range.h"
#include "engine/exec/row_key.h"

enum { NO_ROW = UINT32_MAX };

/* Rows of the right side by the ids of their keys. */
struct chains {
    struct oriel_key_table table;
    uint32_t *heads; /* by id */
    uint32_t *next;  /* by row */
    uint32_t *ids;   /* by row */
};

/* What a partition needs beside its tables. */
struct matching {
    struct oriel_join_part *part;
    const struct oriel_join_layout *layout;
    struct oriel_arena arena;
    struct oriel_column *keys; /* of a slice */
    uint64_t *words;
    struct oriel_column *slice;
    struct chains chains;             /* by the keys (NOT IN: by the group's) */
    struct chains exact;              /* NOT IN: by all keys */
    struct oriel_range_search search; /* of the right rows, if the condition has ranges */
    struct oriel_key_block scratch, exact_scratch;
    uint32_t *found, *exact_found;
    uint8_t *group_has_null; /* NOT IN: by group */
};

static void pick_keys(const struct oriel_column *columns, const uint32_t *keys, uint32_t count,
                      struct oriel_column *out) {
    for (uint32_t k = 0; k < count; k++)
        out[k] = columns[keys[k]];
}

/* Whether a row has a NULL in a key that NULL never matches. */
static bool never_matches(const struct matching *self, const struct oriel_column *keys,
                          uint32_t key_count, size_t row) {
    const struct oriel_plan *plan = self->layout->plan;
    for (uint32_t k = 0; k < key_count; k++)
        if (!plan->join.null_matches[k] && oriel_column_is_null(&keys[k], row))
            return true;
    return false;
}

static enum oriel_status build_chains(struct matching *self, struct chains *chains,
                                      uint32_t key_count, struct oriel_error *error) {
    const struct oriel_table *right = &self->part->right;
    struct oriel_arena *arena = &self->arena;
    const size_t row_count = right->row_count;
    uint32_t id_count = 1;
    chains->ids = oriel_arena_allocate_zeroed(arena, row_count, sizeof(uint32_t));
    chains->next = oriel_arena_allocate_zeroed(arena, row_count, sizeof(uint32_t));
    if (!chains->ids || !chains->next)
        return oriel_error_memory(error);
    if (row_count)
        pick_keys(right->columns, self->layout->plan->join.right_keys, key_count, self->keys);
    if (key_count) {
        const struct oriel_schema schema = {key_count, self->layout->key_schema.fields};
        ORIEL_TRY(oriel_key_table_init(&chains->table, self->layout->runtime, schema, error));
        ORIEL_TRY(oriel_key_table_map(&chains->table, self->keys, row_count, chains->ids, error));
        id_count = chains->table.key_count;
    }
    chains->heads = oriel_arena_allocate_zeroed(arena, id_count, sizeof(uint32_t));
    if (!chains->heads)
        return oriel_error_memory(error);
    memset(chains->heads, 0xFF, id_count * sizeof(uint32_t));
    for (size_t row = row_count; row-- > 0;) {
        if (never_matches(self, self->keys, key_count, row))
            continue;
        chains->next[row] = chains->heads[chains->ids[row]];
        chains->heads[chains->ids[row]] = (uint32_t)row;
    }
    return ORIEL_OK;
}

/* found[i] = first right row for the i-th of some left rows, or NO_ROW. */
static void find_heads(const struct matching *self, const struct chains *chains,
                       struct oriel_key_block *scratch, uint32_t key_count, size_t count,
                       uint32_t *found) {
    pick_keys(self->slice, self->layout->plan->join.left_keys, key_count, self->keys);
    if (key_count)
        oriel_key_table_find(&chains->table, scratch, self->keys, NULL, count, found);
    else
        memset(found, 0, count * sizeof *found);
    for (size_t i = 0; i < count; i++)
        found[i] = found[i] == ORIEL_KEY_NONE || never_matches(self, self->keys, key_count, i)
                       ? NO_ROW
                       : chains->heads[found[i]];
}

bool oriel_join_needs_pairs(const struct oriel_join_layout *layout) {
    const enum oriel_join_kind kind = layout->plan->join.kind;
    return layout->plan->join.residual || (kind != ORIEL_JOIN_SEMI && kind != ORIEL_JOIN_ANTI);
}

/* Pairs a left row with those of the rows of a key that are in the ranges. */
static enum oriel_status match_ranges(struct matching *self, size_t first, size_t i,
                                      struct oriel_error *error) {
    size_t begin, end;
    oriel_range_search_find(&self->search, self->chains.ids[self->found[i]], i, &begin, &end);
    for (; begin < end; begin++)
        ORIEL_TRY(oriel_join_add_pair(self->part, (uint32_t)(first + i), self->search.rows[begin],
                                      error));
    return ORIEL_OK;
}

static enum oriel_status match_equal(struct matching *self, size_t first, size_t count,
                                     struct oriel_error *error) {
    struct oriel_join_part *part = self->part;
    find_heads(self, &self->chains, &self->scratch, self->layout->plan->join.key_count, count,
               self->found);
    const bool needs_pairs = oriel_join_needs_pairs(self->layout);
    const bool has_ranges = self->search.rows != NULL;
    if (has_ranges) {
        const struct oriel_batch slice = {.row_count = count,
                                          .column_count = self->layout->left.field_count,
                                          .columns = self->slice};
        ORIEL_TRY(oriel_range_search_begin(&self->search, &slice, error));
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t right = self->found[i];
        if (right != NO_ROW && has_ranges) {
            ORIEL_TRY(match_ranges(self, first, i, error));
            continue;
        }
        if (right != NO_ROW && !needs_pairs) {
            part->left_matched[first + i] = 1;
            continue;
        }
        for (; right != NO_ROW; right = self->chains.next[right])
            ORIEL_TRY(oriel_join_add_pair(part, (uint32_t)(first + i), right, error));
    }
    return ORIEL_OK;
}

/* NOT IN with a residual: every right row of the group that is equal or not comparable is a
 * candidate. */
static enum oriel_status match_group(struct matching *self, uint32_t left, size_t i,
                                     const struct oriel_column *value, struct oriel_error *error) {
    const struct oriel_plan *plan = self->layout->plan;
    const struct oriel_column *other =
        &self->part->right.columns[plan->join.right_keys[plan->join.key_count - 1]];
    const int null = oriel_column_is_null(value, i);
    for (uint32_t right = self->found[i]; right != NO_ROW; right = self->chains.next[right])
        if (null || oriel_column_is_null(other, right) ||
            oriel_row_key_equal(value, i, other, right, 1))
            ORIEL_TRY(oriel_join_add_pair(self->part, left, right, error));
    return ORIEL_OK;
}

static enum oriel_status match_not_in(struct matching *self, size_t first, size_t count,
                                      struct oriel_error *error) {
    const struct oriel_plan *plan = self->layout->plan;
    const uint32_t last = plan->join.key_count - 1;
    const struct oriel_column *value = &self->slice[plan->join.left_keys[last]];
    find_heads(self, &self->exact, &self->exact_scratch, plan->join.key_count, count,
               self->exact_found);
    find_heads(self, &self->chains, &self->scratch, last, count, self->found);
    for (size_t i = 0; i < count; i++) {
        const uint32_t head = self->found[i];
        if (head == NO_ROW)
            continue;
        if (self->part->room->residual)
            ORIEL_TRY(match_group(self, (uint32_t)(first + i), i, value, error));
        else
            self->part->left_matched[first + i] = oriel_column_is_null(value, i) ||
                                                  self->exact_found[i] != NO_ROW ||
                                                  self->group_has_null[self->chains.ids[head]];
    }
    return ORIEL_OK;
}

static enum oriel_status open_not_in(struct matching *self, struct oriel_error *error) {
    const struct oriel_plan *plan = self->layout->plan;
    const uint32_t last = plan->join.key_count - 1;
    const struct oriel_table *right = &self->part->right;
    ORIEL_TRY(build_chains(self, &self->exact, plan->join.key_count, error));
    ORIEL_TRY(oriel_key_block_init(&self->exact_scratch, self->layout->runtime->memory,
                                   self->layout->key_schema, error));
    const uint32_t group_count = last ? self->chains.table.key_count : 1;
    self->group_has_null =
        oriel_arena_allocate_zeroed(&self->arena, group_count, sizeof *self->group_has_null);
    if (!self->group_has_null)
        return oriel_error_memory(error);
    for (size_t row = 0; row < right->row_count; row++)
        if (oriel_column_is_null(&right->columns[plan->join.right_keys[last]], row))
            self->group_has_null[self->chains.ids[row]] = 1;
    return ORIEL_OK;
}

static enum oriel_status match_all(struct matching *self, struct oriel_error *error) {
    const struct oriel_join_layout *layout = self->layout;
    const struct oriel_plan *plan = layout->plan;
    const struct oriel_join_part *part = self->part;
    const struct oriel_table *left = &part->left;
    struct oriel_arena *arena = &self->arena;
    const size_t step = oriel_slice_rows(layout->runtime->batch_rows);
    self->keys = oriel_arena_allocate_zeroed(arena, plan->join.key_count, sizeof *self->keys);
    self->words = oriel_arena_allocate_zeroed(arena, layout->left.field_count, sizeof(uint64_t));
    self->slice = oriel_arena_allocate_zeroed(arena, layout->left.field_count, sizeof *self->slice);
    self->found = oriel_arena_allocate_zeroed(arena, step, sizeof *self->found);
    self->exact_found = oriel_arena_allocate_zeroed(arena, step, sizeof *self->exact_found);
    if (!self->keys || !self->words || !self->slice || !self->found || !self->exact_found)
        return oriel_error_memory(error);
    const struct oriel_schema schema = {layout->group_key_count, layout->key_schema.fields};
    ORIEL_TRY(oriel_key_block_init(&self->scratch, layout->runtime->memory, schema, error));
    ORIEL_TRY(build_chains(self, &self->chains, layout->group_key_count, error));
    if (plan->join.null_aware)
        ORIEL_TRY(open_not_in(self, error));
    else if (layout->ranges.count)
        ORIEL_TRY(oriel_range_search_init(
            &self->search, part->room, arena, &part->right, self->chains.ids,
            plan->join.key_count ? self->chains.table.key_count : 1, error));
    for (size_t first = 0; first < left->row_count; first += step) {
        const size_t rest = left->row_count - first;
        const size_t count = rest < step ? rest : step;
        ORIEL_TRY(oriel_runtime_check(layout->runtime, error));
        oriel_slice_columns(left->columns, layout->left.field_count, first, count, self->words,
                            self->slice);
        ORIEL_TRY(plan->join.null_aware ? match_not_in(self, first, count, error)
                                        : match_equal(self, first, count, error));
    }
    return oriel_join_flush_pairs(self->part, error);
}

enum oriel_status oriel_join_match_pairs(struct oriel_join_part *part, struct oriel_error *error) {
    const struct oriel_plan *plan = part->room->layout->plan;
    part->room->pair_count = 0;
    if (plan->choices[ORIEL_TOPIC_JOIN].strategy == ORIEL_STRATEGY_SORT && plan->join.key_count &&
        !plan->join.null_aware && part->room->layout->ranges.count == 0)
        return oriel_join_match_sorted(part, error);
    struct matching self = {.part = part, .layout = part->room->layout};
    oriel_arena_init(&self.arena, self.layout->runtime->memory);
    const enum oriel_status status = match_all(&self, error);
    oriel_key_table_deinit(&self.chains.table);
    oriel_key_table_deinit(&self.exact.table);
    oriel_key_block_deinit(&self.scratch);
    oriel_key_block_deinit(&self.exact_scratch);
    oriel_arena_deinit(&self.arena);
    return status;
}

enum oriel_status oriel_join_match(struct oriel_join_part *part, struct oriel_error *error) {
    struct oriel_arena arena;
    oriel_arena_init(&arena, part->room->layout->runtime->memory);
    part->left_matched = oriel_arena_allocate_zeroed(&arena, part->left.row_count, 1);
    part->right_matched = oriel_arena_allocate_zeroed(&arena, part->right.row_count, 1);
    enum oriel_status status =
        part->left_matched && part->right_matched ? ORIEL_OK : oriel_error_memory(error);
    if (status == ORIEL_OK)
        status = oriel_join_match_pairs(part, error);
    if (status == ORIEL_OK)
        status = oriel_join_emit_rest(part, error);
    oriel_arena_deinit(&arena);
    return status;
}
