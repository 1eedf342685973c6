/*
 * Reads blocks of whole records in order. Blocks are used again, and grow where a record is longer
 * than one.
 */
#include "engine/io/block_reader.h"

#include <string.h>

static const size_t BLOCK_MAX_BYTES = UINT32_MAX - (UINT32_C(1) << 20);

static enum oriel_status reserve(const struct oriel_block_reader *reader, char **bytes,
                                 size_t *capacity, size_t length, struct oriel_error *error) {
    const size_t size = length + reader->padding_bytes;
    if (size <= *capacity)
        return ORIEL_OK;
    if (size > BLOCK_MAX_BYTES)
        return oriel_error_set(error, ORIEL_DATA,
                               "a record is longer than 4 GB; is a quote not closed?");
    char *grown = oriel_memory_resize(reader->runtime->memory, *bytes, *capacity, size);
    if (!grown)
        return oriel_error_memory(error);
    *bytes = grown;
    *capacity = size;
    return ORIEL_OK;
}

void oriel_block_reader_free(struct oriel_block_reader *reader, struct oriel_block *block) {
    block->next = reader->free_blocks;
    reader->free_blocks = block;
}

static enum oriel_status take_block(struct oriel_block_reader *reader, struct oriel_block **out,
                                    struct oriel_error *error) {
    struct oriel_block *block = reader->free_blocks;
    if (block)
        reader->free_blocks = block->next;
    else
        block = oriel_memory_allocate_zeroed(reader->runtime->memory, 1, sizeof *block);
    if (!block)
        return oriel_error_memory(error);
    block->length = 0;
    block->next = NULL;
    *out = block;
    return ORIEL_OK;
}

void oriel_block_reader_deinit(struct oriel_block_reader *reader) {
    if (!reader->runtime)
        return;
    struct oriel_memory *memory = reader->runtime->memory;
    while (reader->free_blocks) {
        struct oriel_block *block = reader->free_blocks;
        reader->free_blocks = block->next;
        oriel_memory_release(memory, block->bytes, block->capacity);
        oriel_memory_release(memory, block, sizeof *block);
    }
    oriel_memory_release(memory, reader->carry, reader->carry_capacity);
    *reader = (struct oriel_block_reader){0};
}

void oriel_block_reader_begin(struct oriel_block_reader *reader) {
    reader->read_offset = 0;
    reader->carry_length = 0;
    reader->lines = 0;
    reader->has_ended = false;
}

static enum oriel_status fill(struct oriel_block_reader *reader, struct oriel_byte_source *bytes,
                              struct oriel_block *block, size_t target, struct oriel_error *error) {
    ORIEL_TRY(reserve(reader, &block->bytes, &block->capacity, target, error));
    while (block->length < target && !reader->has_ended) {
        size_t got;
        ORIEL_TRY(oriel_byte_source_read_next(bytes, reader->runtime, &reader->read_offset,
                                              block->bytes + block->length, target - block->length,
                                              &got, error));
        block->length += got;
        reader->has_ended = got == 0;
    }
    return ORIEL_OK;
}

static void skip_byte_order_mark(struct oriel_block *block) {
    if (block->length >= 3 && memcmp(block->bytes, "\xEF\xBB\xBF", 3) == 0) {
        memmove(block->bytes, block->bytes + 3, block->length - 3);
        block->length -= 3;
    }
}

/* Keeps what stands behind the cut. */
static enum oriel_status keep_rest(struct oriel_block_reader *reader,
                                   const struct oriel_block_format *format,
                                   struct oriel_block *block, size_t cut,
                                   struct oriel_error *error) {
    const size_t rest = block->length - cut;
    ORIEL_TRY(reserve(reader, &reader->carry, &reader->carry_capacity, rest, error));
    if (rest)
        memcpy(reader->carry, block->bytes + cut, rest);
    reader->carry_length = rest;
    block->lines_before = reader->lines;
    reader->lines += format->count_lines(block->bytes, cut, rest ? block->bytes[cut] : '\0');
    block->length = cut;
    return ORIEL_OK;
}

static enum oriel_status read_block(struct oriel_block_reader *reader,
                                    struct oriel_byte_source *bytes,
                                    const struct oriel_block_format *format,
                                    struct oriel_block *block, struct oriel_error *error) {
    bool is_first = reader->read_offset == 0;
    size_t target = reader->carry_length + reader->block_bytes;
    ORIEL_TRY(reserve(reader, &block->bytes, &block->capacity, target, error));
    if (reader->carry_length)
        memcpy(block->bytes, reader->carry, reader->carry_length);
    block->length = reader->carry_length;
    for (;;) {
        size_t cut = 0;
        ORIEL_TRY(fill(reader, bytes, block, target, error));
        if (is_first)
            skip_byte_order_mark(block);
        is_first = false;
        if (block->length)
            ORIEL_TRY(format->find_cut(format->context, block, reader->has_ended, &cut, error));
        if (reader->has_ended)
            return keep_rest(reader, format, block, block->length, error);
        if (cut)
            return keep_rest(reader, format, block, cut, error);
        target = block->length + block->length / 2 + reader->block_bytes;
    }
}

enum oriel_status oriel_block_reader_next(struct oriel_block_reader *reader,
                                          struct oriel_byte_source *bytes,
                                          const struct oriel_block_format *format,
                                          struct oriel_block **out, struct oriel_error *error) {
    *out = NULL;
    if (reader->has_ended && reader->carry_length == 0)
        return ORIEL_OK;
    struct oriel_block *block = NULL;
    ORIEL_TRY(take_block(reader, &block, error));
    const uint64_t taken_before = bytes->taken_bytes;
    const enum oriel_status status = read_block(reader, bytes, format, block, error);
    block->taken_bytes = bytes->taken_bytes - taken_before;
    if (status != ORIEL_OK || block->length == 0)
        oriel_block_reader_free(reader, block);
    else
        *out = block;
    return status;
}
