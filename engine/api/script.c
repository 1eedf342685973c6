/*
 * Scripts: statement by statement from the text to a result, and errors back to the line of the
 * text that they are about.
 */
#include "engine/api/engine_internal.h"

#include <string.h>

#include "engine/io/rejects.h"

static uint32_t count_lines(const char *text, size_t length) {
    uint32_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

void oriel_script_text_free(struct oriel_engine *engine, struct oriel_script_text *text) {
    struct oriel_script_text **place = &engine->texts;
    while (*place && *place != text)
        place = &(*place)->next;
    if (*place)
        *place = text->next;
    oriel_memory_release(&engine->memory, text->bytes, text->length + 1);
    oriel_memory_release(&engine->memory, text->name, text->name_bytes);
    oriel_memory_release(&engine->memory, text, sizeof *text);
}

static char *copy_bytes(struct oriel_memory *memory, const char *bytes, size_t length) {
    char *copy = oriel_memory_allocate(memory, length + 1);
    if (copy) {
        if (length)
            memcpy(copy, bytes, length);
        memset(copy + length, 0, ORIEL_BUFFER_PADDING); /* kernels may look there */
    }
    return copy;
}

static enum oriel_status keep_text(struct oriel_engine *engine, const char *bytes, size_t length,
                                   const char *name, struct oriel_script_text **out,
                                   struct oriel_error *error) {
    const uint32_t line_count = count_lines(bytes, length);
    if (length > INT32_MAX || line_count > UINT32_MAX - engine->line_end)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the script is too long");
    struct oriel_script_text *text = oriel_memory_allocate_zeroed(&engine->memory, 1, sizeof *text);
    if (!text)
        return oriel_error_memory(error);
    text->length = length;
    text->name_bytes = strlen(name) + 1;
    text->bytes = copy_bytes(&engine->memory, bytes, length);
    text->name = copy_bytes(&engine->memory, name, text->name_bytes - 1);
    text->line_base = engine->line_end;
    text->line_count = line_count;
    text->next = engine->texts;
    engine->texts = text;
    if (!text->bytes || !text->name) {
        oriel_script_text_free(engine, text);
        return oriel_error_memory(error);
    }
    engine->line_end += line_count;
    *out = text;
    return ORIEL_OK;
}

static enum oriel_status check_characters(const struct oriel_engine *engine,
                                          const struct oriel_script_text *text,
                                          struct oriel_error *error) {
    const size_t valid = engine->isa->kernels->utf8_validate(text->bytes, text->length);
    if (valid == text->length)
        return ORIEL_OK;
    oriel_error_set(error, ORIEL_DATA, "the script is not UTF-8 (byte 0x%02x)",
                    (unsigned char)text->bytes[valid]);
    oriel_error_set_source(error, text->name, count_lines(text->bytes, valid), 0);
    return ORIEL_DATA;
}

enum oriel_status oriel_script_open(struct oriel_engine *engine, const char *text, size_t length,
                                    const char *name, struct oriel_script **out,
                                    struct oriel_error *error) {
    if (!engine || !out || (!text && length))
        return oriel_error_set(error, ORIEL_ARGUMENT, "engine, text and out must not be NULL");
    *out = NULL;
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    struct oriel_script *script = oriel_memory_allocate_zeroed(&engine->memory, 1, sizeof *script);
    if (!script)
        return oriel_error_memory(error);
    enum oriel_status status =
        keep_text(engine, text, length, name ? name : "script", &script->text, error);
    if (status == ORIEL_OK) {
        status = check_characters(engine, script->text, error);
        if (status != ORIEL_OK)
            oriel_script_text_free(engine, script->text);
    }
    if (status != ORIEL_OK) {
        oriel_memory_release(&engine->memory, script, sizeof *script);
        return status;
    }
    script->engine = engine;
    oriel_script_reader_init(&script->reader, script->text->bytes, length);
    script->reader.position.line += script->text->line_base;
    *out = script;
    return ORIEL_OK;
}

void oriel_script_close(struct oriel_script **script) {
    struct oriel_script *it = script ? *script : NULL;
    if (!it)
        return;
    struct oriel_engine *engine = it->engine;
    if (!it->text->is_kept)
        oriel_script_text_free(engine, it->text);
    oriel_memory_release(&engine->memory, it, sizeof *it);
    *script = NULL;
}

static void free_result(struct oriel_result *result) {
    struct oriel_engine *engine = result->engine;
    oriel_execution_close(&result->execution);
    if (result->has_listing)
        oriel_table_deinit(&result->listing);
    oriel_rejects_close(&result->rejects);
    oriel_arena_deinit(&result->arena);
    oriel_memory_release(&engine->memory, result, sizeof *result);
}

void oriel_result_close(struct oriel_result **result) {
    if (!result || !*result)
        return;
    (*result)->engine->has_result = false;
    free_result(*result);
    *result = NULL;
}

static bool defines_something(const struct ast_statement *statement) {
    return statement->kind == AST_STATEMENT_CREATE_TABLE ||
           statement->kind == AST_STATEMENT_CREATE_VIEW;
}

static enum oriel_status open_rejects(struct oriel_result *result, struct oriel_error *error) {
    const struct oriel_engine *engine = result->engine;
    if (!engine->max_rejects && !engine->reject)
        return ORIEL_OK;
    ORIEL_TRY(oriel_rejects_open(&result->runtime, engine->max_rejects, engine->reject,
                                 engine->reject_context, &result->rejects, error));
    result->runtime.rejects = result->rejects;
    return ORIEL_OK;
}

static enum oriel_status run_next(struct oriel_script *script, struct oriel_result *result,
                                  struct oriel_error *error) {
    struct ast_statement *statement;
    struct oriel_script_reader reader = script->reader;
    ORIEL_TRY(oriel_parse_statement(&reader, &result->arena, &statement, error));
    ORIEL_TRY(oriel_engine_start(script->engine, &result->runtime, error));
    ORIEL_TRY(oriel_runtime_check(&result->runtime, error));
    ORIEL_TRY(open_rejects(result, error));
    result->runtime.counts_windows = result->engine->counts_windows;
    if (result->engine->late_report) {
        result->late.last = &result->late.first;
        result->runtime.late = &result->late;
    }
    if (defines_something(statement))
        script->text->is_kept = true;
    ORIEL_TRY(oriel_statement_run(result, statement, error));
    script->reader = reader;
    return ORIEL_OK;
}

static enum oriel_status next(struct oriel_script *script, const struct oriel_part_options *part,
                              struct oriel_result **out, struct oriel_error *error) {
    if (!script || !out)
        return oriel_error_set(error, ORIEL_ARGUMENT, "script and out must not be NULL");
    *out = NULL;
    struct oriel_engine *engine = script->engine;
    if (engine->has_result)
        return oriel_error_set(error, ORIEL_ARGUMENT, "the result before is not closed");
    struct oriel_result *result = oriel_memory_allocate_zeroed(&engine->memory, 1, sizeof *result);
    if (!result)
        return oriel_error_memory(error);
    result->engine = engine;
    result->part = part;
    oriel_arena_init(&result->arena, &engine->memory);
    const enum oriel_status status = run_next(script, result, error);
    if (status != ORIEL_OK) {
        free_result(result);
        return oriel_engine_place_error(engine, status, error);
    }
    engine->has_result = true;
    result->part = NULL;
    *out = result;
    return ORIEL_OK;
}

enum oriel_status oriel_script_next(struct oriel_script *script, struct oriel_result **out,
                                    struct oriel_error *error) {
    return next(script, NULL, out, error);
}

/* What is wrong with the options, or NULL. */
static const char *find_mistake(const struct oriel_part_options *options) {
    if (options->struct_size != sizeof *options)
        return "struct_size of the options is not that of this version";
    if (options->part > ORIEL_PART_FINISH)
        return "there is no such part";
    if (options->number > UINT16_MAX)
        return "the number of a part is at most 65535";
    const bool has_states = options->states && options->states->release;
    return has_states == (options->part != ORIEL_PART_PARTIAL)
               ? NULL
               : "MERGE and FINISH need states, PARTIAL takes none";
}

enum oriel_status oriel_script_next_part(struct oriel_script *script,
                                         const struct oriel_part_options *options,
                                         struct oriel_result **out, struct oriel_error *error) {
    if (!options)
        return oriel_error_set(error, ORIEL_ARGUMENT, "options must not be NULL");
    const char *mistake = find_mistake(options);
    const enum oriel_status status = mistake ? oriel_error_set(error, ORIEL_ARGUMENT, "%s", mistake)
                                             : next(script, options, out, error);
    if (mistake && out)
        *out = NULL;
    if (status != ORIEL_OK && options->states && options->states->release)
        options->states->release(options->states);
    return status;
}

enum oriel_status oriel_script_query_count(const struct oriel_script *script, size_t *count,
                                           struct oriel_error *error) {
    *count = 0;
    struct oriel_script_reader reader = script->reader;
    struct oriel_arena arena;
    oriel_arena_init(&arena, &script->engine->memory);
    enum oriel_status status = ORIEL_OK;
    while (status == ORIEL_OK) {
        struct ast_statement *statement;
        status = oriel_parse_statement(&reader, &arena, &statement, error);
        if (status == ORIEL_OK && statement->kind == AST_STATEMENT_QUERY)
            ++*count;
        oriel_arena_reset(&arena);
    }
    oriel_arena_deinit(&arena);
    if (status == ORIEL_DONE)
        return ORIEL_OK;
    return oriel_engine_place_error(script->engine, status, error);
}

int oriel_script_text_is_complete(const char *text, size_t length) {
    return oriel_script_is_complete(text, length) ? 1 : 0;
}
