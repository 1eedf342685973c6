/*
 * The first record of a file with a header: it is no row, and must name the columns that all files
 * have.
 */
#include <string.h>

#include "engine/io/csv_reader.h"

enum { SHOWN_BYTES = 96 };

static enum oriel_status name_of(const struct csv_source *source, struct csv_worker *worker,
                                 uint32_t field, bool is_last, struct oriel_text *out,
                                 struct oriel_error *error) {
    const uint32_t *entry = worker->index.positions + csv_first_entry(&worker->index, 0) + field;
    const uint32_t begin = entry[0] + 1;
    bool quoted;
    if (csv_value_content(source, &worker->arena, worker->chunk.text + begin, entry[1] - begin, out,
                          &quoted) != CSV_VALUE_OK)
        return oriel_error_memory(error);
    if (is_last && out->length && out->bytes[out->length - 1] == '\r')
        out->length--;
    return ORIEL_OK;
}

static enum oriel_status report(const struct csv_source *source, const struct csv_worker *worker,
                                uint32_t field, struct oriel_text found,
                                struct oriel_error *error) {
    const char *path = worker->chunk.file->path;
    const char *other = source->options.header_path;
    char shown[SHOWN_BYTES], wanted[SHOWN_BYTES];
    const char *name = source->request.fields.fields[field].name;
    csv_escape_text(found.bytes, found.length, shown, sizeof shown);
    csv_escape_text(name, strlen(name), wanted, sizeof wanted);
    oriel_error_set(
        error, ORIEL_DATA, "the header of '%s' has '%s' as column %u, where %s%s%s has '%s'", path,
        shown, field + 1, other ? "'" : "", other ? other : "the table", other ? "'" : "", wanted);
    oriel_error_set_source(error, path, 1, 0);
    return ORIEL_DATA;
}

enum oriel_status csv_header_take(struct csv_source *source, struct csv_worker *worker,
                                  struct oriel_error *error) {
    struct csv_chunk *chunk = &worker->chunk;
    if (!worker->index.record_count)
        return ORIEL_OK; /* the file is empty */
    const uint32_t count = worker->index.record_ends[0] - csv_first_entry(&worker->index, 0);
    if (count != source->field_count) {
        const char *other = source->options.header_path;
        oriel_error_set(error, ORIEL_DATA, "the header of '%s' has %u columns, where %s%s%s has %u",
                        chunk->file->path, count, other ? "'" : "", other ? other : "the table",
                        other ? "'" : "", source->field_count);
        oriel_error_set_source(error, chunk->file->path, 1, 0);
        return ORIEL_DATA;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct oriel_text found;
        ORIEL_TRY(name_of(source, worker, i, i + 1 == count, &found, error));
        const struct oriel_text wanted = oriel_text_of(source->request.fields.fields[i].name);
        if (found.length && !oriel_text_equal(found, wanted))
            return report(source, worker, i, found, error);
    }
    chunk->first_record = 1;
    return ORIEL_OK;
}
