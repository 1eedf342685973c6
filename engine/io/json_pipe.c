/*
 * JSON lines that can only be read in order: a FIFO, a terminal, /dev/stdin, a compressed file.
 * Whoever claims a morsel reads on, cuts behind the last newline and keeps the rest for the next
 * block.
 */
#include <string.h>

#include "engine/io/json_reader.h"

enum { BLOCK_PADDING_BYTES = 64 };

static void free_block(struct json_source *source, struct json_block *block) {
    oriel_memory_release(source->runtime->memory, block->bytes, block->capacity);
    oriel_memory_release(source->runtime->memory, block, sizeof *block);
}

void json_pipe_deinit(struct json_source *source) {
    while (source->free_blocks) {
        struct json_block *block = source->free_blocks;
        source->free_blocks = block->next;
        free_block(source, block);
    }
    oriel_memory_release(source->runtime->memory, source->carry, source->carry_capacity);
    source->carry = NULL;
    source->carry_capacity = source->carry_length = 0;
}

static enum oriel_status take_block(struct json_source *source, struct json_block **out,
                                    struct oriel_error *error) {
    struct json_block *block = source->free_blocks;
    if (block)
        source->free_blocks = block->next;
    else
        block = oriel_memory_allocate_zeroed(source->runtime->memory, 1, sizeof *block);
    if (!block)
        return oriel_error_memory(error);
    block->length = 0;
    block->next = NULL;
    *out = block;
    return ORIEL_OK;
}

static enum oriel_status reserve(struct json_source *source, char **bytes, size_t *capacity,
                                 size_t length, struct oriel_error *error) {
    if (length + BLOCK_PADDING_BYTES <= *capacity)
        return ORIEL_OK;
    const size_t wanted = length + length / 2 + BLOCK_PADDING_BYTES;
    char *grown = oriel_memory_resize(source->runtime->memory, *bytes, *capacity, wanted);
    if (!grown)
        return oriel_error_memory(error);
    *bytes = grown;
    *capacity = wanted;
    return ORIEL_OK;
}

/* Keeps what stands behind the last whole line. */
static enum oriel_status keep_rest(struct json_source *source, struct json_block *block, size_t cut,
                                   struct oriel_error *error) {
    const size_t rest = block->length - cut;
    ORIEL_TRY(reserve(source, &source->carry, &source->carry_capacity, rest, error));
    if (rest)
        memcpy(source->carry, block->bytes + cut, rest);
    source->carry_length = rest;
    block->length = cut;
    block->lines_before = source->lines;
    source->lines += csv_count_byte(block->bytes, cut, '\n');
    return ORIEL_OK;
}

static enum oriel_status read_block(struct json_source *source, struct json_file *file,
                                    struct json_block *block, struct oriel_error *error) {
    const bool is_first = source->read_offset == 0;
    size_t target = source->carry_length + source->options.chunk_bytes;
    ORIEL_TRY(reserve(source, &block->bytes, &block->capacity, target, error));
    if (source->carry_length)
        memcpy(block->bytes, source->carry, source->carry_length);
    block->length = source->carry_length;
    for (;;) {
        ORIEL_TRY(reserve(source, &block->bytes, &block->capacity, target, error));
        while (block->length < target && !source->pipe_ended) {
            size_t got;
            ORIEL_TRY(oriel_byte_source_read_next(
                &file->bytes, source->runtime, &source->read_offset, block->bytes + block->length,
                target - block->length, &got, error));
            block->length += got;
            source->pipe_ended = got == 0;
        }
        if (is_first && block->length >= 3 && memcmp(block->bytes, "\xEF\xBB\xBF", 3) == 0)
            memset(block->bytes, ' ', 3);
        if (source->pipe_ended)
            return keep_rest(source, block, block->length, error);
        const char *newline = memrchr(block->bytes, '\n', block->length);
        if (newline)
            return keep_rest(source, block, (size_t)(newline - block->bytes) + 1, error);
        target = block->length + block->length / 2 + source->options.chunk_bytes;
    }
}

enum oriel_status json_pipe_next(struct json_source *source, struct json_file *file,
                                 struct json_block **out, struct oriel_error *error) {
    *out = NULL;
    if (source->pipe_ended && source->carry_length == 0)
        return ORIEL_OK;
    struct json_block *block = NULL;
    ORIEL_TRY(take_block(source, &block, error));
    const uint64_t taken_before = file->bytes.taken_bytes;
    const enum oriel_status status = read_block(source, file, block, error);
    block->taken_bytes = file->bytes.taken_bytes - taken_before;
    if (status != ORIEL_OK || block->length == 0) {
        block->next = source->free_blocks;
        source->free_blocks = block;
        return status;
    }
    block->file = file;
    *out = block;
    return ORIEL_OK;
}
