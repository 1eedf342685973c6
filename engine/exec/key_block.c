/*
 * Cuts batches into the blocks that key tables work on.
 */
#include "engine/exec/key_block.h"

#include "engine/exec/row_key.h"

enum { BLOCK_ROWS = ORIEL_KEY_BLOCK_ROWS };

static bool is_float(const struct oriel_type *type) {
    return type->id == ORIEL_TYPE_FLOAT || type->id == ORIEL_TYPE_DOUBLE;
}

static size_t values_bytes(struct oriel_schema schema) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema.field_count; i++)
        bytes += is_float(&schema.fields[i].type) ? BLOCK_ROWS * sizeof(double) : 0;
    return bytes;
}

enum oriel_status oriel_key_block_init(struct oriel_key_block *block, struct oriel_memory *memory,
                                       struct oriel_schema schema, struct oriel_error *error) {
    *block = (struct oriel_key_block){.memory = memory, .schema = schema};
    block->columns = oriel_memory_allocate(memory, schema.field_count * sizeof *block->columns);
    block->own_hashes = oriel_memory_allocate(memory, BLOCK_ROWS * sizeof *block->own_hashes);
    block->values = oriel_memory_allocate(memory, values_bytes(schema));
    if (!block->columns || !block->own_hashes || !block->values) {
        oriel_key_block_deinit(block);
        return oriel_error_memory(error);
    }
    return ORIEL_OK;
}

void oriel_key_block_deinit(struct oriel_key_block *block) {
    if (!block->memory)
        return;
    oriel_memory_release(block->memory, block->columns,
                         block->schema.field_count * sizeof *block->columns);
    oriel_memory_release(block->memory, block->own_hashes, BLOCK_ROWS * sizeof *block->own_hashes);
    oriel_memory_release(block->memory, block->values, values_bytes(block->schema));
    *block = (struct oriel_key_block){0};
}

static void normalise(const struct oriel_column *column, size_t first, uint32_t row_count,
                      void *out) {
    if (column->type.id == ORIEL_TYPE_FLOAT) {
        const float *values = (const float *)column->values + first;
        for (uint32_t i = 0; i < row_count; i++)
            ((float *)out)[i] = oriel_row_key_normal_f32(values[i]);
    } else {
        const double *values = (const double *)column->values + first;
        for (uint32_t i = 0; i < row_count; i++)
            ((double *)out)[i] = oriel_row_key_normal_f64(values[i]);
    }
}

void oriel_key_block_cut(struct oriel_key_block *block, const struct oriel_kernels *kernels,
                         const struct oriel_column *columns, const uint64_t *hashes, size_t first,
                         uint32_t row_count) {
    char *room = block->values;
    for (uint32_t c = 0; c < block->schema.field_count; c++) {
        const struct oriel_type *type = &block->schema.fields[c].type;
        struct oriel_column *out = &block->columns[c];
        *out = (struct oriel_column){
            .type = *type, .valid = columns[c].valid ? columns[c].valid + first / 64 : NULL};
        if (is_float(type)) {
            normalise(&columns[c], first, row_count, room);
            out->values = room;
            room += BLOCK_ROWS * sizeof(double);
        } else {
            out->values =
                (char *)columns[c].values + first * oriel_physical_size(oriel_type_physical(type));
        }
    }
    block->hashes = hashes ? hashes + first : block->own_hashes;
    if (!hashes)
        oriel_row_key_hash(kernels, block->columns, block->schema.field_count, row_count,
                           block->own_hashes);
}
