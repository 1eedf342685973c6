/*
 * JSON lines that can only be read in order: blocks are cut behind the last newline.
 */
#include <string.h>

#include "engine/io/json_reader.h"

static enum oriel_status find_cut(void *context, const struct oriel_block *block, bool is_end,
                                  size_t *cut, struct oriel_error *error) {
    (void)context;
    (void)is_end;
    (void)error;
    const char *newline = memrchr(block->bytes, '\n', block->length);
    *cut = newline ? (size_t)(newline - block->bytes) + 1 : 0;
    return ORIEL_OK;
}

static uint64_t count_lines(const char *bytes, size_t length, char next) {
    (void)next;
    return csv_count_byte(bytes, length, '\n');
}

enum oriel_status json_pipe_next(struct json_source *source, struct json_file *file,
                                 struct oriel_block **out, struct oriel_error *error) {
    static const struct oriel_block_format format = {.find_cut = find_cut,
                                                     .count_lines = count_lines};
    ORIEL_TRY(oriel_block_reader_next(&source->blocks, &file->bytes, &format, out, error));
    if (*out)
        (*out)->file = file;
    return ORIEL_OK;
}
