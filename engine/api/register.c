/*
 * Tables that a program gives to the engine.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

#include "engine/api/infer.h"
#include "engine/api/stream_table.h"

enum oriel_status oriel_engine_register_stream(struct oriel_engine *engine, const char *name,
                                               struct ArrowArrayStream *stream,
                                               enum oriel_stream_use use,
                                               struct oriel_error *error) {
    if (!stream || !stream->release)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the stream is NULL or was released");
    if (!engine || !name || !name[0]) {
        stream->release(stream);
        return oriel_error_set(error, ORIEL_ARGUMENT, "engine and name must be given");
    }
    if (!stream->get_schema || !stream->get_next) {
        stream->release(stream);
        return oriel_error_set(error, ORIEL_ARGUMENT, "the stream lacks a callback");
    }
    ORIEL_TRY(oriel_stream_table_make(&engine->memory, stream, use, &engine->streams, error));
    const enum oriel_status status = oriel_session_register_stream(
        engine->session, name, oriel_stream_table_schema(engine->streams), engine->streams, error);
    if (status != ORIEL_OK)
        oriel_stream_table_drop(&engine->streams);
    return status;
}

/* Appends `text` between two `mark`s, those inside doubled. */
static char *append_quoted(char *out, const char *text, char mark) {
    *out++ = mark;
    for (; *text; text++) {
        if (*text == mark)
            *out++ = mark;
        *out++ = *text;
    }
    *out++ = mark;
    return out;
}

static char *append_text(char *out, const char *text) {
    const size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

static enum oriel_status run_definition(struct oriel_engine *engine, const char *sql, size_t length,
                                        struct oriel_error *error) {
    struct oriel_script *script;
    struct oriel_result *result;
    ORIEL_TRY(oriel_script_open(engine, sql, length, "columns", &script, error));
    const enum oriel_status status = oriel_script_next(script, &result, error);
    if (status == ORIEL_OK)
        oriel_result_close(&result);
    oriel_script_close(&script);
    return status;
}

/* Without columns the table gets those of the file. */
static enum oriel_status define(struct oriel_engine *engine, const char *name, const char *format,
                                const char *path, const char *columns, struct oriel_error *error) {
    /* Line 1 is ours, so that positions in `columns` count from its first line, which is line 2. */
    static const char begin[] = "CREATE TABLE ", open[] = " (\n", close[] = "\n)";
    static const char with[] = " WITH ('connector' = 'filesystem', 'format' = ";
    static const char path_key[] = ", 'path' = ";
    const size_t room = sizeof begin + sizeof open + sizeof close + sizeof with + sizeof path_key +
                        2 * strlen(name) + 2 * strlen(path) + strlen(format) +
                        (columns ? strlen(columns) : 0) + 16;
    char *sql = oriel_memory_allocate(&engine->memory, room);
    if (!sql)
        return oriel_error_memory(error);
    char *out = append_quoted(append_text(sql, begin), name, '`');
    if (columns)
        out = append_text(append_text(append_text(out, open), columns), close);
    out = append_quoted(append_text(out, with), format, '\'');
    out = append_quoted(append_text(out, path_key), path, '\'');
    out = append_text(out, ")");
    const enum oriel_status status = run_definition(engine, sql, (size_t)(out - sql), error);
    if (status != ORIEL_OK && error && error->line > 1)
        error->line--;
    oriel_memory_release(&engine->memory, sql, room);
    return status;
}

enum oriel_status oriel_engine_register_csv(struct oriel_engine *engine, const char *name,
                                            const char *path, const char *columns,
                                            struct oriel_error *error) {
    if (!engine || !name || !path || !columns)
        return oriel_error_set(error, ORIEL_ARGUMENT,
                               "engine, name, path and columns must be given");
    return define(engine, name, "csv", path, columns, error);
}

enum oriel_status oriel_engine_register_file(struct oriel_engine *engine, const char *name,
                                             const char *path, const char *columns,
                                             struct oriel_error *error) {
    if (!engine || !name || !path)
        return oriel_error_set(error, ORIEL_ARGUMENT, "engine, name and path must be given");
    enum oriel_table_format format = ORIEL_TABLE_CSV;
    ORIEL_TRY(oriel_engine_find_format(&engine->memory, path, &format, error));
    return define(engine, name, oriel_table_format_name(format), path, columns, error);
}
