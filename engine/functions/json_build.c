/*
 * JSON_OBJECT, JSON_ARRAY, JSON_STRING: values to JSON; JSON_QUOTE and JSON_UNQUOTE: its strings.
 * The first argument of JSON_OBJECT and JSON_ARRAY is a constant word of letters: N or A, for NULL
 * or ABSENT ON NULL, then one letter a value: v for a value, r for the text of JSON_OBJECT or
 * JSON_ARRAY, which goes in as it is, j for what stood inside JSON(...), which is parsed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/functions/function_table.h"
#include "engine/functions/json_tree.h"
#include "engine/functions/json_value.h"
#include "engine/functions/text_result.h"
#include "engine/functions/utf8.h"

struct build_state {
    bool object;
    bool absent_on_null;
    const char *letters; /* one a value */
};

struct entry {
    struct oriel_text key;
    uint32_t argument;
};

/* By key; of equal keys the last one counts, so it comes first. */
static int compare_entries(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    const int order = oriel_json_compare_keys(x->key, y->key);
    if (order)
        return order;
    return x->argument > y->argument ? -1 : x->argument < y->argument;
}

struct builder {
    const struct oriel_call *call;
    struct oriel_evaluation *evaluation;
    const struct oriel_column *arguments;
    struct oriel_text_buffer text;
    struct entry *entries;
};

/* JSON(text): an empty text is null. */
static enum oriel_status append_parsed(struct builder *builder, struct oriel_text text) {
    struct oriel_arena *arena = builder->evaluation->batch_arena;
    struct oriel_json *json;
    size_t end;
    if (oriel_json_skip_blanks(text, 0) == text.length)
        return oriel_text_buffer_append(&builder->text, "null", 4);
    ORIEL_TRY(oriel_json_read(arena, text, &json, &end, builder->evaluation->error));
    if (!json)
        return oriel_error_at(builder->evaluation->error, ORIEL_RUNTIME, builder->call->position,
                              "JSON: the text is no JSON: '%.*s'",
                              (int)(text.length < 100 ? text.length : 100), text.bytes);
    return oriel_json_append_tree(arena, &builder->text, json);
}

static enum oriel_status append_value(struct builder *builder, uint32_t argument, char letter,
                                      size_t row) {
    const struct oriel_column *column = &builder->arguments[argument];
    if (oriel_column_is_null(column, row))
        return oriel_text_buffer_append(&builder->text, "null", 4);
    if (letter == 'v') {
        const struct oriel_type *type = &builder->call->argument_types[argument];
        const size_t size = oriel_physical_size(oriel_type_physical(type));
        return oriel_json_append(&builder->text, type, (const char *)column->values + row * size);
    }
    const struct oriel_text text = oriel_text_at(column, row);
    return letter == 'j' ? append_parsed(builder, text)
                         : oriel_text_buffer_append(&builder->text, text.bytes, text.length);
}

static enum oriel_status array_row(struct builder *builder, size_t row) {
    const struct build_state *state = builder->call->state;
    ORIEL_TRY(oriel_text_buffer_append(&builder->text, "[", 1));
    for (uint32_t i = 1; i < builder->call->argument_count; i++) {
        if (state->absent_on_null && oriel_column_is_null(&builder->arguments[i], row))
            continue;
        if (builder->text.length > 1)
            ORIEL_TRY(oriel_text_buffer_append(&builder->text, ",", 1));
        ORIEL_TRY(append_value(builder, i, state->letters[i - 1], row));
    }
    return oriel_text_buffer_append(&builder->text, "]", 1);
}

static enum oriel_status object_row(struct builder *builder, size_t row) {
    const struct build_state *state = builder->call->state;
    size_t count = 0;
    for (uint32_t i = 1; i + 1 < builder->call->argument_count; i += 2) {
        if (oriel_column_is_null(&builder->arguments[i], row))
            return oriel_error_at(builder->evaluation->error, ORIEL_RUNTIME,
                                  builder->call->position, "A key of JSON_OBJECT must not be NULL");
        if (!state->absent_on_null || !oriel_column_is_null(&builder->arguments[i + 1], row))
            builder->entries[count++] =
                (struct entry){oriel_text_at(&builder->arguments[i], row), i + 1};
    }
    if (count)
        qsort(builder->entries, count, sizeof builder->entries[0], compare_entries);
    ORIEL_TRY(oriel_text_buffer_append(&builder->text, "{", 1));
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &builder->entries[i];
        if (i && oriel_json_compare_keys(entry[-1].key, entry->key) == 0)
            continue;
        if (i)
            ORIEL_TRY(oriel_text_buffer_append(&builder->text, ",", 1));
        ORIEL_TRY(oriel_json_append_text(&builder->text, entry->key.bytes, entry->key.length));
        ORIEL_TRY(oriel_text_buffer_append(&builder->text, ":", 1));
        ORIEL_TRY(
            append_value(builder, entry->argument, state->letters[entry->argument / 2 - 1], row));
    }
    return oriel_text_buffer_append(&builder->text, "}", 1);
}

static enum oriel_status build(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                               const struct oriel_column *arguments, size_t row_count,
                               struct oriel_column *out) {
    const struct build_state *state = call->state;
    struct builder builder = {.call = call, .evaluation = evaluation, .arguments = arguments};
    builder.entries = oriel_arena_allocate_zeroed(evaluation->batch_arena, call->argument_count,
                                                  sizeof *builder.entries);
    if (!builder.entries)
        return oriel_error_memory(evaluation->error);
    enum oriel_status status = ORIEL_OK;
    memset(out->values, 0, row_count * sizeof(struct oriel_string));
    oriel_text_buffer_init(&builder.text, evaluation->runtime->memory);
    for (size_t row = 0; row < row_count && status == ORIEL_OK; row++) {
        if (!oriel_row_counts(evaluation, out, row))
            continue;
        builder.text.length = 0;
        status = state->object ? object_row(&builder, row) : array_row(&builder, row);
        if (status == ORIEL_MEMORY)
            oriel_error_memory(evaluation->error);
        if (status == ORIEL_OK)
            status =
                oriel_text_set(call, evaluation, out, row, builder.text.bytes, builder.text.length);
    }
    oriel_text_buffer_deinit(&builder.text);
    return status;
}

static enum oriel_status bind_value(struct oriel_binding *binding, uint32_t argument, char letter,
                                    struct oriel_error *error) {
    const struct oriel_type *type = &binding->argument_types[argument];
    const struct oriel_type *part = letter == 'v' ? oriel_json_unwritable(type) : NULL;
    char text[96];
    if (letter != 'v' && type->id == ORIEL_TYPE_NULL)
        binding->casts[argument] = oriel_type_string();
    else if (letter != 'v' && !oriel_type_is_character(type))
        part = type;
    if (part)
        return oriel_error_at(error, ORIEL_INVALID, binding->position,
                              "%s: type %s is not scalar or cannot be converted into JSON; a CAST "
                              "to STRING can",
                              binding->name, oriel_type_print(part, false, text, sizeof text));
    return ORIEL_OK;
}

static enum oriel_status bind_build(struct oriel_binding *binding, bool object,
                                    struct oriel_error *error) {
    struct build_state *state = oriel_bind_state(binding, sizeof *state, error);
    if (!state)
        return ORIEL_MEMORY;
    struct oriel_text word;
    const uint32_t step = object ? 2 : 1;
    if (!oriel_bind_constant_text(binding, 0, &word) ||
        word.length != 1 + (binding->argument_count - 1) / step ||
        (binding->argument_count - 1) % step)
        return oriel_bind_refuse(binding, NULL, error);
    state->object = object;
    state->absent_on_null = word.bytes[0] == 'A';
    state->letters = oriel_arena_copy(binding->statement_arena, word.bytes + 1, word.length - 1);
    if (!state->letters)
        return oriel_error_memory(error);
    for (uint32_t i = 1; i < binding->argument_count; i++) {
        if (object && i % 2) {
            if (!oriel_type_is_character(&binding->argument_types[i]))
                return oriel_error_at(error, ORIEL_INVALID, binding->position,
                                      "A key of JSON_OBJECT must be a text that is not NULL");
            continue;
        }
        ORIEL_TRY(bind_value(binding, i, state->letters[(i - 1) / step], error));
    }
    binding->result = oriel_type_with_null(oriel_type_string(), false);
    binding->evaluate = build;
    return ORIEL_OK;
}

static enum oriel_status bind_object(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_build(binding, true, error);
}

static enum oriel_status bind_array(struct oriel_binding *binding, struct oriel_error *error) {
    return bind_build(binding, false, error);
}

static enum oriel_status string_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    const struct oriel_type *type = &call->argument_types[0];
    const size_t size = oriel_physical_size(oriel_type_physical(type));
    struct oriel_text_buffer text;
    oriel_text_buffer_init(&text, evaluation->runtime->memory);
    enum oriel_status status =
        oriel_json_append(&text, type, (const char *)arguments[0].values + row * size);
    if (status != ORIEL_OK)
        oriel_error_memory(evaluation->error);
    else
        status = oriel_text_set(call, evaluation, out, row, text.bytes, text.length);
    oriel_text_buffer_deinit(&text);
    return status;
}

ORIEL_TEXT_EACH(string)

static enum oriel_status bind_string(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(bind_value(binding, 0, 'v', error));
    return oriel_bind_result(binding, oriel_type_string(), string);
}

/* Characters beyond ASCII as \u and the code in hexadecimal. One of four bytes is written as Flink
 * writes it: its code point, then its second half. */
static enum oriel_status quote_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    static const char escapes[] = "\"\"\\\\//\bb\ff\nn\rr\tt";
    const struct oriel_text text = oriel_text_at(&arguments[0], row);
    char *room;
    ORIEL_TRY(oriel_text_room(call, evaluation, 4 * text.length + 2, &room));
    char *to = room;
    *to++ = '"';
    for (size_t i = 0; i < text.length;) {
        const char c = text.bytes[i];
        size_t e = 0;
        if (c & 0x80) {
            const uint32_t point = oriel_utf8_next(text.bytes, text.length, &i);
            char code[24];
            int length = snprintf(code, sizeof code, "\\u%04x", point);
            if (point > 0xFFFF)
                length =
                    snprintf(code, sizeof code, "\\u%04x\\u%04x", point, 0xDC00 + (point & 0x3FF));
            memcpy(to, code, (size_t)length);
            to += length;
            continue;
        }
        while (escapes[e] && escapes[e] != c)
            e += 2;
        if (escapes[e])
            *to++ = '\\';
        *to++ = escapes[e] ? escapes[e + 1] : c;
        i++;
    }
    *to++ = '"';
    oriel_text_point(out, row, room, (size_t)(to - room));
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(quote)

/* A text that is not in quotes, or has a bad escape, stays as it is. */
static enum oriel_status unquote_row(const struct oriel_call *call,
                                     struct oriel_evaluation *evaluation,
                                     const struct oriel_column *arguments, size_t row,
                                     struct oriel_column *out) {
    struct oriel_text text = oriel_text_at(&arguments[0], row);
    if (text.length > 1 && text.bytes[0] == '"' && text.bytes[text.length - 1] == '"') {
        struct oriel_text inside;
        bool good;
        ORIEL_TRY(oriel_json_unescape(evaluation->batch_arena,
                                      (struct oriel_text){text.bytes + 1, text.length - 2}, &inside,
                                      &good, evaluation->error));
        if (good)
            text = inside;
    }
    return oriel_text_set(call, evaluation, out, row, text.bytes, text.length);
}

ORIEL_TEXT_EACH(unquote)

static enum oriel_status bind_quote(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'JSON_QUOTE(<STRING>)'", error));
    return oriel_bind_result(binding, oriel_type_string(), quote);
}

static enum oriel_status bind_unquote(struct oriel_binding *binding, struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, "s", "'JSON_UNQUOTE(<STRING>)'", error));
    return oriel_bind_result(binding, oriel_type_string(), unquote);
}

static enum oriel_status bind_json(struct oriel_binding *binding, struct oriel_error *error) {
    return oriel_error_at(error, ORIEL_INVALID, binding->position,
                          "The JSON() function works only inside JSON_ARRAY() or as the VALUE of "
                          "JSON_OBJECT(), e.g. JSON_OBJECT('a' VALUE JSON('{\"key\": 1}'))");
}

static const struct oriel_function rows[] = {
    {"JSON", 1, 1, 0, bind_json, NULL},
    {"JSON_ARRAY", 1, ORIEL_ARGUMENTS_ANY, 0, bind_array, NULL},
    {"JSON_OBJECT", 1, ORIEL_ARGUMENTS_ANY, 0, bind_object, NULL},
    {"JSON_QUOTE", 1, 1, ORIEL_FUNCTION_STRICT, bind_quote, NULL},
    {"JSON_STRING", 1, 1, ORIEL_FUNCTION_STRICT, bind_string, NULL},
    {"JSON_UNQUOTE", 1, 1, ORIEL_FUNCTION_STRICT, bind_unquote, NULL},
};

const struct oriel_function_group oriel_functions_json_build = {rows, sizeof rows / sizeof rows[0]};
