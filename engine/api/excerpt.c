/*
 * Turns the position of an error, which counts the lines of all scripts, into script, line, column
 * and the line's text.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

enum { EXCERPT_BEFORE = 120 }; /* bytes kept before the mistake when the line is long */

static const struct oriel_script_text *find_text(const struct oriel_engine *engine, uint32_t line) {
    for (const struct oriel_script_text *text = engine->texts; text; text = text->next) {
        if (line > text->line_base && line <= text->line_base + text->line_count)
            return text;
    }
    return NULL;
}

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Bytes of the first `count` characters, at most `length`. */
static size_t character_offset(const char *bytes, size_t length, size_t count) {
    size_t offset = 0;
    while (offset < length && count-- > 0) {
        offset++;
        while (offset < length && is_continuation(bytes[offset]))
            offset++;
    }
    return offset;
}

static size_t count_characters(const char *bytes, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !is_continuation(bytes[i]);
    return count;
}

/* Copies the line, cut around the column so that it fits, and finds the column in the copy. */
static void fill_excerpt(struct oriel_error *error, const char *line, size_t length) {
    const size_t mistake =
        error->column ? character_offset(line, length, (size_t)error->column - 1) : 0;
    size_t begin = 0;
    if (length >= ORIEL_ERROR_EXCERPT_SIZE && mistake > EXCERPT_BEFORE)
        begin = mistake - EXCERPT_BEFORE;
    while (begin > 0 && is_continuation(line[begin]))
        begin--;
    size_t end = length;
    if (end - begin >= ORIEL_ERROR_EXCERPT_SIZE)
        end = begin + ORIEL_ERROR_EXCERPT_SIZE - 1;
    while (end < length && end > begin && is_continuation(line[end]))
        end--;
    memcpy(error->excerpt, line + begin, end - begin);
    error->excerpt[end - begin] = '\0';
    if (error->column)
        error->excerpt_column = (uint32_t)count_characters(line + begin, mistake - begin) + 1;
}

enum oriel_status oriel_engine_place_error(const struct oriel_engine *engine,
                                           enum oriel_status status, struct oriel_error *error) {
    if (!error || status == ORIEL_OK || status == ORIEL_DONE || error->line == 0 ||
        error->source[0])
        return status;
    const struct oriel_script_text *text = find_text(engine, error->line);
    if (!text)
        return status;
    const uint32_t line = error->line - text->line_base;
    const char *begin = text->bytes;
    const char *end = text->bytes + text->length;
    for (uint32_t i = 1; i < line && begin < end; i++) {
        const char *newline = memchr(begin, '\n', (size_t)(end - begin));
        begin = newline ? newline + 1 : end;
    }
    const char *newline = memchr(begin, '\n', (size_t)(end - begin));
    if (newline)
        end = newline;
    if (end > begin && end[-1] == '\r')
        end--;
    oriel_error_set_source(error, text->name, line, error->column);
    fill_excerpt(error, begin, (size_t)(end - begin));
    return status;
}

void oriel_engine_find_script(const struct oriel_engine *engine, struct oriel_position position,
                              const char **name, uint32_t *line) {
    const struct oriel_script_text *text = find_text(engine, position.line);
    *name = text ? text->name : "";
    *line = text ? position.line - text->line_base : 0;
}
