/*
 * The number of a line: the line ends before it.
 */
#include "engine/io/file_line.h"

#include "engine/io/byte_source.h"
#include "engine/io/csv_reader.h"

enum { COUNT_BYTES = 1 << 18 };

enum oriel_status oriel_file_line_of(const struct oriel_runtime *runtime, const char *path,
                                     uint64_t offset, uint64_t *line, struct oriel_error *error) {
    struct oriel_byte_source bytes = {.descriptor = -1};
    *line = 0;
    if (oriel_byte_source_open(&bytes, path, NULL) != ORIEL_OK)
        return ORIEL_OK;
    char *buffer = oriel_memory_allocate(runtime->memory, COUNT_BYTES);
    enum oriel_status status = buffer ? ORIEL_OK : oriel_error_memory(error);
    uint64_t count = 1;
    for (uint64_t at = 0; status == ORIEL_OK && at < offset;) {
        const uint64_t left = offset - at;
        const size_t piece = left < COUNT_BYTES - 1 ? (size_t)left : COUNT_BYTES - 1;
        size_t got = 0;
        status = oriel_byte_source_read_at(&bytes, at, buffer, piece + 1, &got, error);
        const size_t used = got < piece ? got : piece;
        if (used == 0)
            break;
        count += csv_count_lines(buffer, used, used < got ? buffer[used] : '\0');
        at += used;
    }
    oriel_memory_release(runtime->memory, buffer, COUNT_BYTES);
    oriel_byte_source_close(&bytes);
    *line = count;
    return status;
}
