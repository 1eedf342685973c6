/*
 * Texts into arrays and maps: SPLIT, REGEXP_EXTRACT_ALL, STR_TO_MAP.
 */
#include "engine/functions/array_list.h"
#include "engine/functions/function_table.h"
#include "engine/functions/regex.h"
#include "engine/functions/utf8.h"

/* A delimiter of entries, and one of keys and values. */
struct matchers {
    struct oriel_regex *regexes[2];
};

static void close_matchers(const struct oriel_call *call, const struct oriel_runtime *runtime,
                           void *local) {
    (void)call;
    struct matchers *matchers = local;
    for (unsigned i = 0; matchers && i < 2; i++) {
        if (matchers->regexes[i])
            oriel_regex_close(matchers->regexes[i]);
    }
    if (matchers)
        oriel_memory_release(runtime->memory, matchers, sizeof *matchers);
}

static enum oriel_status open_matchers(const struct oriel_call *call,
                                       const struct oriel_runtime *runtime, void **local,
                                       struct oriel_error *error) {
    struct matchers *matchers = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *matchers);
    if (!matchers)
        return oriel_error_memory(error);
    for (unsigned i = 0; i < 2; i++) {
        const enum oriel_status status = oriel_regex_open(runtime, &matchers->regexes[i], error);
        if (status != ORIEL_OK) {
            matchers->regexes[i] = NULL;
            close_matchers(call, runtime, matchers);
            return status;
        }
    }
    *local = matchers;
    return ORIEL_OK;
}

static const struct oriel_function_local matchers_local = {open_matchers, close_matchers};

static enum oriel_status at_call(const struct oriel_call *call, struct oriel_evaluation *evaluation,
                                 enum oriel_status status) {
    if (status != ORIEL_OK && evaluation->error) {
        evaluation->error->line = call->position.line;
        evaluation->error->column = call->position.column;
    }
    return status;
}

static oriel_u128 slot_of_text(const char *bytes, size_t length) {
    const struct oriel_string string = oriel_string_make(bytes, length);
    oriel_u128 slot;
    memcpy(&slot, &string, sizeof slot);
    return slot;
}

/* A copy in the batch arena, since short texts lie inside their column. */
static enum oriel_status keep(struct oriel_evaluation *evaluation, struct oriel_text *text) {
    text->bytes = oriel_arena_copy(evaluation->batch_arena, text->bytes, text->length);
    return text->bytes ? ORIEL_OK : oriel_error_memory(evaluation->error);
}

/* Every match's group; NULL for a bad pattern or a group that it does not have. */
static enum oriel_status extract_all_row(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row,
                                         struct oriel_column *out) {
    struct oriel_regex *regex = ((struct matchers *)evaluation->local)->regexes[0];
    struct oriel_text text = oriel_text_at(&arguments[0], row);
    const int32_t group = call->argument_count > 2 ? oriel_i32_at(&arguments[2], row) : 1;
    bool valid, found = true;
    ORIEL_TRY(oriel_regex_set_pattern(regex, oriel_text_at(&arguments[1], row), &valid,
                                      evaluation->error));
    if (!valid || group < 0 || group > oriel_regex_group_count(regex)) {
        oriel_column_set_null(out, row);
        return ORIEL_OK;
    }
    ORIEL_TRY(keep(evaluation, &text));
    struct oriel_array_list list;
    size_t capacity = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        if (pass)
            ORIEL_TRY(oriel_array_list_open(call, evaluation, capacity, &list));
        ORIEL_TRY(oriel_regex_set_text(regex, text, evaluation->error));
        for (found = true; found;) {
            size_t start, end;
            ORIEL_TRY(
                at_call(call, evaluation, oriel_regex_find_next(regex, &found, evaluation->error)));
            capacity += found && !pass;
            if (!found || !pass)
                continue;
            const bool takes_part = oriel_regex_group(regex, group, &start, &end);
            oriel_array_list_push(
                &list, takes_part ? slot_of_text(text.bytes + start, end - start) : 0, takes_part);
        }
    }
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

/* An empty delimiter parts every character; an empty text is no part. */
static enum oriel_status split_row(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_column *out) {
    struct oriel_text text = oriel_text_at(&arguments[0], row);
    const struct oriel_text delimiter = oriel_text_at(&arguments[1], row);
    struct oriel_array_list list;
    ORIEL_TRY(keep(evaluation, &text));
    ORIEL_TRY(oriel_array_list_open(call, evaluation, text.length + 1, &list));
    size_t start = 0;
    for (size_t i = 0; delimiter.length && i + delimiter.length <= text.length;) {
        if (memcmp(text.bytes + i, delimiter.bytes, delimiter.length) == 0) {
            oriel_array_list_push(&list, slot_of_text(text.bytes + start, i - start), true);
            start = i += delimiter.length;
        } else {
            i++;
        }
    }
    while (!delimiter.length && start < text.length) {
        const size_t width = oriel_utf8_width(text.bytes[start]);
        oriel_array_list_push(&list, slot_of_text(text.bytes + start, width), true);
        start += width;
    }
    if (delimiter.length)
        oriel_array_list_push(&list, slot_of_text(text.bytes + start, text.length - start), true);
    oriel_array_list_finish(&list, list.count, out, row);
    return ORIEL_OK;
}

/* The end of the part that starts at `from`, and where the next one starts, as String.split finds
 * them: a match of nothing at the start of the text does not part. */
struct splitter {
    const struct oriel_call *call;
    struct oriel_evaluation *evaluation;
    struct oriel_regex *regex;
    struct oriel_text text;
};

static enum oriel_status splitter_open(struct splitter *splitter, const struct oriel_column *column,
                                       size_t row) {
    const struct oriel_text pattern = oriel_text_at(column, row);
    bool valid;
    ORIEL_TRY(
        oriel_regex_set_pattern(splitter->regex, pattern, &valid, splitter->evaluation->error));
    if (!valid)
        return oriel_error_at(splitter->evaluation->error, ORIEL_RUNTIME, splitter->call->position,
                              "STR_TO_MAP: '%.*s' is no regular expression",
                              (int)(pattern.length < 100 ? pattern.length : 100), pattern.bytes);
    return oriel_regex_set_text(splitter->regex, splitter->text, splitter->evaluation->error);
}

static enum oriel_status splitter_next(struct splitter *splitter, bool *found, size_t *start,
                                       size_t *end) {
    do {
        ORIEL_TRY(
            at_call(splitter->call, splitter->evaluation,
                    oriel_regex_find_next(splitter->regex, found, splitter->evaluation->error)));
        if (!*found)
            return ORIEL_OK;
        oriel_regex_group(splitter->regex, 0, start, end);
    } while (*end == 0);
    return ORIEL_OK;
}

static enum oriel_status put_entry(const struct oriel_call *call,
                                   struct oriel_evaluation *evaluation,
                                   const struct oriel_column *arguments, size_t row,
                                   struct oriel_text entry, struct oriel_array_list *list) {
    static const struct oriel_type string = {.id = ORIEL_TYPE_VARCHAR, .length = ORIEL_LENGTH_MAX};
    struct splitter splitter = {.call = call,
                                .evaluation = evaluation,
                                .regex = ((struct matchers *)evaluation->local)->regexes[1],
                                .text = entry};
    size_t start = 0, end = 0;
    bool found = false;
    if (call->argument_count > 2) {
        ORIEL_TRY(splitter_open(&splitter, &arguments[2], row));
        ORIEL_TRY(splitter_next(&splitter, &found, &start, &end));
    } else {
        const char *equals = entry.length ? memchr(entry.bytes, '=', entry.length) : NULL;
        found = equals != NULL;
        start = found ? (size_t)(equals - entry.bytes) : 0;
        end = start + 1;
    }
    if (found)
        oriel_map_list_put(list, &string, slot_of_text(entry.bytes, start), true,
                           slot_of_text(entry.bytes + end, entry.length - end), true);
    else
        oriel_map_list_put(list, &string, slot_of_text(entry.bytes, entry.length), true, 0, false);
    return ORIEL_OK;
}

/* Empty entries at the end do not count. */
static enum oriel_status to_map_row(const struct oriel_call *call,
                                    struct oriel_evaluation *evaluation,
                                    const struct oriel_column *arguments, size_t row,
                                    struct oriel_column *out) {
    struct oriel_text text = oriel_text_at(&arguments[0], row);
    struct oriel_array_list list;
    ORIEL_TRY(keep(evaluation, &text));
    ORIEL_TRY(oriel_array_list_open(call, evaluation, 2 * (text.length + 1), &list));
    struct splitter splitter = {.call = call,
                                .evaluation = evaluation,
                                .regex = ((struct matchers *)evaluation->local)->regexes[0],
                                .text = text};
    if (call->argument_count > 1)
        ORIEL_TRY(splitter_open(&splitter, &arguments[1], row));
    size_t from = 0, empty = 0;
    for (bool found = text.length > 0; found;) {
        size_t start = text.length, end = text.length;
        if (call->argument_count > 1) {
            ORIEL_TRY(splitter_next(&splitter, &found, &start, &end));
        } else {
            const char *comma = memchr(text.bytes + from, ',', text.length - from);
            found = comma != NULL;
            if (found)
                end = (start = (size_t)(comma - text.bytes)) + 1;
        }
        if (start == from) {
            empty++;
        } else {
            for (; empty; empty--)
                ORIEL_TRY(put_entry(call, evaluation, arguments, row,
                                    (struct oriel_text){text.bytes, 0}, &list));
            ORIEL_TRY(put_entry(call, evaluation, arguments, row,
                                (struct oriel_text){text.bytes + from, start - from}, &list));
        }
        from = end;
    }
    oriel_array_list_finish(&list, list.count / 2, out, row);
    return ORIEL_OK;
}

ORIEL_TEXT_EACH(extract_all)
ORIEL_TEXT_EACH(split)
ORIEL_TEXT_EACH(to_map)

/* ARRAY<STRING> or MAP<STRING, STRING>. */
static enum oriel_status bind(struct oriel_binding *binding, const char *pattern, const char *forms,
                              enum oriel_type_id id, oriel_evaluate *evaluate,
                              struct oriel_error *error) {
    ORIEL_TRY(oriel_bind_arguments(binding, pattern, forms, error));
    struct oriel_field *fields = oriel_bind_fields(binding, 2, error);
    if (!fields)
        return ORIEL_MEMORY;
    fields[0].type = fields[1].type = oriel_type_string();
    struct oriel_type type = oriel_type_make(id);
    type.fields = fields;
    type.field_count = id == ORIEL_TYPE_MAP ? 2 : 1;
    return oriel_bind_result(binding, type, evaluate);
}

static enum oriel_status bind_extract_all(struct oriel_binding *binding,
                                          struct oriel_error *error) {
    ORIEL_TRY(bind(binding, "ssi", "'REGEXP_EXTRACT_ALL(<STRING>, <STRING>[, <INT>])'",
                   ORIEL_TYPE_ARRAY, extract_all, error));
    binding->result.nullable = true;
    return ORIEL_OK;
}

static enum oriel_status bind_split(struct oriel_binding *binding, struct oriel_error *error) {
    return bind(binding, "s", "'SPLIT(<STRING>, <STRING>)'", ORIEL_TYPE_ARRAY, split, error);
}

static enum oriel_status bind_to_map(struct oriel_binding *binding, struct oriel_error *error) {
    if (binding->argument_count == 2)
        return oriel_bind_refuse(binding, "'STR_TO_MAP(<STRING>[, <STRING>, <STRING>])'", error);
    ORIEL_TRY(bind(binding, "s", "'STR_TO_MAP(<STRING>[, <STRING>, <STRING>])'", ORIEL_TYPE_MAP,
                   to_map, error));
    binding->result.nullable = true;
    return ORIEL_OK;
}

static const struct oriel_function rows[] = {
    {"REGEXP_EXTRACT_ALL", 2, 3, ORIEL_FUNCTION_STRICT, bind_extract_all, &matchers_local},
    {"SPLIT", 2, 2, ORIEL_FUNCTION_STRICT, bind_split, NULL},
    {"STR_TO_MAP", 1, 3, ORIEL_FUNCTION_STRICT, bind_to_map, &matchers_local},
};

const struct oriel_function_group oriel_functions_regexp_split = {rows,
                                                                  sizeof rows / sizeof rows[0]};
