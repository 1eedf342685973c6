/*
 * Input that can only be read in order: a FIFO, a terminal, /dev/stdin, a compressed file. Whoever
 * claims a morsel reads on, cuts behind the last whole record and keeps the rest for the next
 * block.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

static const size_t BLOCK_MAX_BYTES = UINT32_MAX - (UINT32_C(1) << 20);

static enum oriel_status reserve_block(struct csv_source *source, struct csv_block *block,
                                       size_t length, struct oriel_error *error) {
    const size_t size = length + source->field_count;
    if (size <= block->capacity)
        return ORIEL_OK;
    if (size > BLOCK_MAX_BYTES)
        return oriel_error_set(error, ORIEL_DATA,
                               "a record is longer than 4 GB; is a quote not closed?");
    char *grown = oriel_memory_resize(source->runtime->memory, block->bytes, block->capacity, size);
    if (!grown)
        return oriel_error_memory(error);
    block->bytes = grown;
    block->capacity = size;
    return ORIEL_OK;
}

static void free_block(struct csv_source *source, struct csv_block *block) {
    oriel_memory_release(source->runtime->memory, block->bytes, block->capacity);
    oriel_memory_release(source->runtime->memory, block, sizeof *block);
}

static enum oriel_status take_block(struct csv_source *source, struct csv_block **out,
                                    struct oriel_error *error) {
    struct csv_block *block = source->free_blocks;
    if (block) {
        source->free_blocks = block->next;
    } else {
        block = oriel_memory_allocate_zeroed(source->runtime->memory, 1, sizeof *block);
        if (!block)
            return oriel_error_memory(error);
    }
    block->length = 0;
    block->next = NULL;
    *out = block;
    return ORIEL_OK;
}

void csv_pipe_deinit(struct csv_source *source) {
    while (source->free_blocks) {
        struct csv_block *block = source->free_blocks;
        source->free_blocks = block->next;
        free_block(source, block);
    }
    oriel_memory_release(source->runtime->memory, source->carry, source->carry_capacity);
    source->carry = NULL;
    source->carry_capacity = source->carry_length = 0;
}

static enum oriel_status fill_block(struct csv_source *source, struct csv_file *file,
                                    struct csv_block *block, size_t target,
                                    struct oriel_error *error) {
    ORIEL_TRY(reserve_block(source, block, target, error));
    while (block->length < target && !source->pipe_ended) {
        size_t got;
        ORIEL_TRY(oriel_byte_source_read_next(&file->bytes, source->runtime, &source->read_offset,
                                              block->bytes + block->length, target - block->length,
                                              &got, error));
        block->length += got;
        source->pipe_ended = got == 0;
    }
    return ORIEL_OK;
}

/* Follows the records of the new bytes; the offset behind the last whole one is in scanner->cut. */
static enum oriel_status find_cut(struct csv_source *source, struct csv_scanner *scanner,
                                  const struct csv_block *block, size_t *at,
                                  struct oriel_error *error) {
    const struct oriel_csv_options *options = &source->options;
    const size_t to = source->pipe_ended ? block->length : block->length - 1;
    const char *from = block->bytes + *at;
    if (scanner->state == CSV_RECORD_START && *at == 0 && !source->exact &&
        !memchr(from, '\r', to) && (options->quote < 0 || !memchr(from, options->quote, to))) {
        const char *newline = memrchr(from, '\n', to);
        if (newline) {
            scanner->cut = (size_t)(newline - block->bytes) + 1;
            return ORIEL_OK;
        }
    }
    return csv_scan_exact(scanner, block->bytes, *at, to, source->pipe_ended, false, at, error);
}

static void skip_byte_order_mark(struct csv_block *block) {
    if (block->length >= 3 && memcmp(block->bytes, "\xEF\xBB\xBF", 3) == 0) {
        memmove(block->bytes, block->bytes + 3, block->length - 3);
        block->length -= 3;
    }
}

static enum oriel_status keep_rest(struct csv_source *source, struct csv_block *block, size_t cut,
                                   struct oriel_error *error) {
    const size_t rest = block->length - cut;
    if (rest > source->carry_capacity) {
        char *grown = oriel_memory_resize(source->runtime->memory, source->carry,
                                          source->carry_capacity, rest);
        if (!grown)
            return oriel_error_memory(error);
        source->carry = grown;
        source->carry_capacity = rest;
    }
    if (rest)
        memcpy(source->carry, block->bytes + cut, rest);
    source->carry_length = rest;
    block->lines_before = source->lines;
    source->lines += csv_count_lines(block->bytes, cut, rest ? block->bytes[cut] : '\0');
    block->length = cut;
    return ORIEL_OK;
}

static enum oriel_status read_block(struct csv_source *source, struct csv_file *file,
                                    struct csv_block *block, struct oriel_error *error) {
    const bool is_first = source->read_offset == 0;
    struct csv_scanner scanner = {.options = &source->options, .memory = source->runtime->memory};
    size_t target = source->carry_length + source->options.chunk_bytes;
    size_t at = 0;
    ORIEL_TRY(reserve_block(source, block, target, error));
    if (source->carry_length)
        memcpy(block->bytes, source->carry, source->carry_length);
    block->length = source->carry_length;
    for (;;) {
        ORIEL_TRY(fill_block(source, file, block, target, error));
        if (is_first && at == 0)
            skip_byte_order_mark(block);
        if (block->length == 0)
            return keep_rest(source, block, 0, error);
        ORIEL_TRY(find_cut(source, &scanner, block, &at, error));
        if (source->pipe_ended)
            return keep_rest(source, block, block->length, error);
        if (scanner.cut > 0)
            return keep_rest(source, block, scanner.cut, error);
        target = block->length + block->length / 2 + source->options.chunk_bytes;
    }
}

enum oriel_status csv_pipe_next(struct csv_source *source, struct csv_file *file,
                                struct csv_block **out, struct oriel_error *error) {
    *out = NULL;
    if (source->pipe_ended && source->carry_length == 0)
        return ORIEL_OK;
    struct csv_block *block = NULL;
    ORIEL_TRY(take_block(source, &block, error));
    const uint64_t taken_before = file->bytes.taken_bytes;
    const enum oriel_status status = read_block(source, file, block, error);
    block->taken_bytes = file->bytes.taken_bytes - taken_before;
    if (status != ORIEL_OK || block->length == 0) {
        block->next = source->free_blocks;
        source->free_blocks = block;
        return status;
    }
    *out = block;
    return ORIEL_OK;
}
