/*
 * CSV that can only be read in order: where its blocks are cut.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

/* The way through one block. */
struct walk {
    const struct csv_source *source;
    struct csv_scanner scanner;
    size_t at;
};

/* Follows the records of the new bytes. */
static enum oriel_status find_cut(void *context, const struct oriel_block *block, bool is_end,
                                  size_t *cut, struct oriel_error *error) {
    struct walk *walk = context;
    const struct oriel_csv_options *options = &walk->source->options;
    const size_t to = is_end ? block->length : block->length - 1;
    const char *from = block->bytes + walk->at;
    if (walk->scanner.state == CSV_RECORD_START && walk->at == 0 && !walk->source->exact &&
        !memchr(from, '\r', to) && (options->quote < 0 || !memchr(from, options->quote, to))) {
        const char *newline = memrchr(from, '\n', to);
        if (newline) {
            *cut = (size_t)(newline - block->bytes) + 1;
            return ORIEL_OK;
        }
    }
    ORIEL_TRY(csv_scan_exact(&walk->scanner, block->bytes, walk->at, to, is_end, false, &walk->at,
                             error));
    *cut = walk->scanner.cut;
    return ORIEL_OK;
}

enum oriel_status csv_pipe_next(struct csv_source *source, struct csv_file *file,
                                struct oriel_block **out, struct oriel_error *error) {
    struct walk walk = {
        .source = source,
        .scanner = {.options = &source->options, .memory = source->runtime->memory}};
    const struct oriel_block_format format = {
        .context = &walk, .find_cut = find_cut, .count_lines = csv_count_lines};
    ORIEL_TRY(oriel_block_reader_next(&source->blocks, &file->bytes, &format, out, error));
    if (*out)
        (*out)->file = file;
    return ORIEL_OK;
}
