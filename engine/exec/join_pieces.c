/*
 * A partition larger than memory, as a key that very many rows have makes it: each piece of the
 * right side meets all pieces of the left one. The marks of the left rows last until the end.
 */
#include <string.h>

#include "engine/exec/join_pairs.h"
#include "engine/exec/partitions.h"

enum { PIECE_BYTES_MIN = 64 << 10, PIECES_IN_MEMORY = 8 };

struct pieces {
    struct oriel_join_part *part;
    const struct oriel_partitions *left, *right;
    uint32_t partition;
    size_t piece_bytes;
    struct oriel_memory *memory;
    uint8_t *marks; /* of all left rows */
    size_t mark_count;
};

/* Room for the marks of left rows up to `count`. */
static bool grow_marks(struct pieces *self, size_t count) {
    if (count <= self->mark_count)
        return true;
    uint8_t *grown = oriel_memory_resize(self->memory, self->marks, self->mark_count, count);
    if (!grown)
        return false;
    memset(grown + self->mark_count, 0, count - self->mark_count);
    self->marks = grown;
    self->mark_count = count;
    return true;
}

/* Calls `work` with each piece of the left side in part->left, its marks set. */
static enum oriel_status each_left(struct pieces *self,
                                   enum oriel_status (*work)(struct oriel_join_part *part,
                                                             struct oriel_error *error),
                                   struct oriel_error *error) {
    struct oriel_join_part *part = self->part;
    struct oriel_partition_reader reader = {.partitions = self->left, .partition = self->partition};
    enum oriel_status status = ORIEL_OK;
    for (size_t row = 0; status == ORIEL_OK; row += part->left.row_count) {
        oriel_table_clear(&part->left);
        status = oriel_partition_read(&reader, &part->left, self->piece_bytes, error);
        if (status == ORIEL_OK && !grow_marks(self, row + part->left.row_count))
            status = oriel_error_memory(error);
        part->left_matched = self->marks + row;
        if (status == ORIEL_OK)
            status = work(part, error);
    }
    oriel_partition_reader_deinit(&reader);
    return status == ORIEL_DONE ? ORIEL_OK : status;
}

static enum oriel_status match_right(struct pieces *self, struct oriel_error *error) {
    struct oriel_join_part *part = self->part;
    const size_t count = part->right.row_count;
    part->right_matched = oriel_memory_allocate_zeroed(self->memory, count, 1);
    if (!part->right_matched)
        return oriel_error_memory(error);
    enum oriel_status status = each_left(self, oriel_join_match_pairs, error);
    if (status == ORIEL_OK)
        status = oriel_join_emit_right(part, error);
    oriel_memory_release(self->memory, part->right_matched, count);
    part->right_matched = NULL;
    return status;
}

enum oriel_status oriel_join_match_pieces(struct oriel_join_part *part,
                                          const struct oriel_partitions *left,
                                          const struct oriel_partitions *right, uint32_t partition,
                                          struct oriel_error *error) {
    struct oriel_memory *memory = part->room->layout->runtime->memory;
    const size_t share = oriel_memory_available(memory) / PIECES_IN_MEMORY;
    struct pieces self = {.part = part,
                          .left = left,
                          .right = right,
                          .partition = partition,
                          .piece_bytes = share > PIECE_BYTES_MIN ? share : PIECE_BYTES_MIN,
                          .memory = memory};
    struct oriel_partition_reader reader = {.partitions = right, .partition = partition};
    enum oriel_status status = ORIEL_OK;
    while (status == ORIEL_OK) {
        oriel_table_clear(&part->right);
        status = oriel_partition_read(&reader, &part->right, self.piece_bytes, error);
        if (status == ORIEL_OK)
            status = match_right(&self, error);
    }
    oriel_partition_reader_deinit(&reader);
    if (status == ORIEL_DONE)
        status = each_left(&self, oriel_join_emit_left, error);
    oriel_memory_release(memory, self.marks, self.mark_count);
    return status;
}
