/*
 * Reading JSON paths, and walking trees with them.
 */
#include "engine/functions/json_path.h"

#include <strings.h>

#include "engine/base/number_text.h"

struct path_reader {
    struct oriel_arena *arena;
    struct oriel_text text;
    size_t at;
};

static void skip_blanks(struct path_reader *reader) {
    while (reader->at < reader->text.length && reader->text.bytes[reader->at] == ' ')
        reader->at++;
}

static char peek(const struct path_reader *reader) {
    return reader->at < reader->text.length ? reader->text.bytes[reader->at] : '\0';
}

/* Takes `lax` or `strict` and the blanks around it. */
static void read_mode(struct path_reader *reader, struct oriel_json_path *out) {
    static const char *const modes[] = {"lax", "strict"};
    size_t at = oriel_json_skip_blanks(reader->text, 0);
    for (size_t i = 0; i < 2; i++) {
        const size_t length = strlen(modes[i]), end = at + length;
        if (end < reader->text.length &&
            strncasecmp(reader->text.bytes + at, modes[i], length) == 0 &&
            oriel_json_skip_blanks(reader->text, end) > end) {
            out->lax = i == 0;
            reader->at = oriel_json_skip_blanks(reader->text, end);
        }
    }
}

/* .name up to the next . or [; false for an empty one or one with blanks. */
static bool read_name(struct path_reader *reader, struct oriel_json_step *step) {
    const size_t start = reader->at;
    for (; reader->at < reader->text.length; reader->at++) {
        const char c = peek(reader);
        if (c == '.' || c == '[' || c == '(')
            break;
        if (c == ' ')
            return false;
    }
    step->kind = ORIEL_JSON_STEP_KEY;
    step->key = (struct oriel_text){reader->text.bytes + start, reader->at - start};
    return step->key.length > 0;
}

/* ['name'] behind the opening bracket and its blanks. A backslash takes the next character. */
static bool read_quoted(struct path_reader *reader, struct oriel_json_step *step,
                        const char **unsupported, bool *memory) {
    const char quote = peek(reader);
    char *const room = oriel_arena_allocate(reader->arena, reader->text.length + 1);
    size_t length = 0;
    if (!room) {
        *memory = true;
        return false;
    }
    for (reader->at++; peek(reader) != quote; reader->at++) {
        if (peek(reader) == '\\')
            reader->at++;
        if (reader->at >= reader->text.length)
            return false;
        room[length++] = peek(reader);
    }
    reader->at++;
    skip_blanks(reader);
    step->kind = ORIEL_JSON_STEP_KEY;
    step->key = (struct oriel_text){room, length};
    if (peek(reader) == ',')
        *unsupported = "several names in brackets";
    return peek(reader) == ']' || *unsupported;
}

static bool read_integer(struct oriel_text text, int32_t *out) {
    int64_t value;
    while (text.length && text.bytes[0] == ' ')
        text.bytes++, text.length--;
    while (text.length && text.bytes[text.length - 1] == ' ')
        text.length--;
    if (oriel_integer_parse(text.bytes, text.length, INT32_MIN, INT32_MAX, &value) !=
        ORIEL_INTEGER_OK)
        return false;
    *out = (int32_t)value;
    return true;
}

/* [1], [0,2] or [1:3]; the reader stands behind the opening bracket. */
static bool read_numbers(struct path_reader *reader, struct oriel_json_step *step, bool *memory) {
    const char *const start = reader->text.bytes + reader->at;
    const char *const close = memchr(start, ']', reader->text.length - reader->at);
    if (!close)
        return false;
    const size_t length = (size_t)(close - start);
    reader->at += length;
    const char *const colon = memchr(start, ':', length);
    if (colon) {
        const struct oriel_text from = {start, (size_t)(colon - start)};
        const struct oriel_text to = {colon + 1, (size_t)(close - colon - 1)};
        step->kind = ORIEL_JSON_STEP_SLICE;
        step->has_from = from.length > 0;
        step->has_to = to.length > 0;
        return (step->has_from || step->has_to) &&
               (!step->has_from || read_integer(from, &step->from)) &&
               (!step->has_to || read_integer(to, &step->to));
    }
    int32_t *const indexes =
        oriel_arena_allocate_zeroed(reader->arena, length + 1, sizeof *indexes);
    if (!indexes) {
        *memory = true;
        return false;
    }
    step->kind = ORIEL_JSON_STEP_INDEXES;
    step->indexes = indexes;
    for (const char *from = start; from <= close;) {
        const char *comma = memchr(from, ',', (size_t)(close - from));
        const char *const end = comma ? comma : close;
        if (!read_integer((struct oriel_text){from, (size_t)(end - from)},
                          &indexes[step->index_count++]))
            return false;
        from = end + 1;
    }
    return true;
}

/* One step; false when it is none. */
static bool read_step(struct path_reader *reader, struct oriel_json_step *step,
                      struct oriel_json_path *path, bool *memory) {
    if (peek(reader) == '.') {
        reader->at++;
        if (peek(reader) == '.') {
            step->deep = true;
            reader->at++;
        }
        skip_blanks(reader);
        if (peek(reader) == '*') {
            step->kind = ORIEL_JSON_STEP_ALL;
            reader->at++;
            return true;
        }
        if (peek(reader) != '[')
            return read_name(reader, step);
    }
    if (peek(reader) != '[')
        return false;
    reader->at++;
    skip_blanks(reader);
    bool good;
    if (peek(reader) == '*') {
        step->kind = ORIEL_JSON_STEP_ALL;
        reader->at++;
        good = true;
    } else if (peek(reader) == '?') {
        path->unsupported = "a filter";
        return true;
    } else if (peek(reader) == '\'' || peek(reader) == '"') {
        good = read_quoted(reader, step, &path->unsupported, memory);
    } else {
        good = read_numbers(reader, step, memory);
    }
    skip_blanks(reader);
    good = good && (peek(reader) == ']' || path->unsupported);
    reader->at++;
    return good;
}

static bool is_definite(const struct oriel_json_step *step) {
    return !step->deep && (step->kind == ORIEL_JSON_STEP_KEY ||
                           (step->kind == ORIEL_JSON_STEP_INDEXES && step->index_count == 1));
}

enum oriel_status oriel_json_path_read(struct oriel_arena *arena, struct oriel_text text,
                                       struct oriel_json_path *out, struct oriel_error *error) {
    struct path_reader reader = {.arena = arena, .text = text};
    *out = (struct oriel_json_path){.definite = true, .good = true};
    read_mode(&reader, out);
    while (reader.text.length > reader.at && reader.text.bytes[reader.text.length - 1] == ' ')
        reader.text.length--;
    out->good = reader.at < reader.text.length;
    struct oriel_json_step **link = &out->first;
    bool first_name = out->good && peek(&reader) != '$';
    reader.at += !first_name;
    while (out->good && !out->unsupported) {
        skip_blanks(&reader);
        const size_t left = reader.text.length - reader.at;
        if (left == 0 || (left == 1 && out->first && peek(&reader) != '.'))
            break; /* one character too many is passed over, as in Flink */
        struct oriel_json_step *const step = oriel_arena_allocate_zeroed(arena, 1, sizeof *step);
        bool memory = false;
        if (!step)
            return oriel_error_memory(error);
        out->good = first_name && peek(&reader) != '[' && peek(&reader) != '.'
                        ? read_name(&reader, step)
                        : read_step(&reader, step, out, &memory);
        if (memory)
            return oriel_error_memory(error);
        first_name = false;
        if (out->good && peek(&reader) == '(')
            out->unsupported = "a function";
        out->definite &= is_definite(step);
        *link = step;
        link = &step->next;
    }
    return ORIEL_OK;
}

/* Nodes found so far, as children of an array. */
struct found {
    struct oriel_arena *arena;
    struct oriel_json array;
    struct oriel_json **link;
    bool memory;
};

static void add(struct found *found, const struct oriel_json *node) {
    struct oriel_json *const copy = oriel_arena_allocate(found->arena, sizeof *copy);
    if (!copy) {
        found->memory = true;
        return;
    }
    *copy = *node;
    copy->next = NULL;
    *found->link = copy;
    found->link = &copy->next;
    found->array.count++;
}

static const struct oriel_json *child_at(const struct oriel_json *array, int64_t index) {
    if (index < 0)
        index += array->count;
    const struct oriel_json *child = index < 0 ? NULL : array->first;
    for (; child && index > 0; index--)
        child = child->next;
    return child;
}

static void take_slice(const struct oriel_json_step *step, const struct oriel_json *node,
                       struct found *found) {
    int64_t from = step->has_from ? step->from : 0;
    int64_t to = step->has_to ? (int64_t)step->to : (int64_t)node->count;
    int64_t at = 0;
    /* Where both ends are written, neither counts from the end. */
    if (!step->has_to && from < 0)
        from += node->count;
    if (!step->has_from && to < 0)
        to += node->count;
    for (const struct oriel_json *child = node->first; child; child = child->next, at++) {
        if (at >= from && at < to)
            add(found, child);
    }
}

static void take_step(const struct oriel_json_step *step, const struct oriel_json *node,
                      struct found *found) {
    switch (step->kind) {
    case ORIEL_JSON_STEP_KEY:
        if (node->kind != ORIEL_JSON_OBJECT)
            return;
        for (const struct oriel_json *child = node->first; child; child = child->next) {
            if (child->key.length == step->key.length &&
                memcmp(child->key.bytes, step->key.bytes, step->key.length) == 0)
                add(found, child);
        }
        return;
    case ORIEL_JSON_STEP_INDEXES:
        for (uint32_t i = 0; node->kind == ORIEL_JSON_ARRAY && i < step->index_count; i++) {
            const struct oriel_json *const child = child_at(node, step->indexes[i]);
            if (child)
                add(found, child);
        }
        return;
    case ORIEL_JSON_STEP_SLICE:
        if (node->kind == ORIEL_JSON_ARRAY)
            take_slice(step, node, found);
        return;
    case ORIEL_JSON_STEP_ALL:
        for (const struct oriel_json *child = node->first; child; child = child->next)
            add(found, child);
    }
}

/* The node itself, then its children, depth first. */
static void take_deep(const struct oriel_json_step *step, const struct oriel_json *node,
                      struct found *found) {
    take_step(step, node, found);
    for (const struct oriel_json *child = node->first; child && !found->memory; child = child->next)
        take_deep(step, child, found);
}

enum oriel_status oriel_json_path_find(struct oriel_arena *arena,
                                       const struct oriel_json_path *path,
                                       const struct oriel_json *root, const struct oriel_json **out,
                                       struct oriel_error *error) {
    struct oriel_json start = *root;
    start.next = NULL;
    struct oriel_json *nodes = &start;
    bool definite = true;
    *out = NULL;
    for (const struct oriel_json_step *step = path->first; step; step = step->next) {
        /* Up to the first step that may find several, strict mode wants each to find something. */
        if (definite && !path->lax &&
            (!nodes ||
             (nodes->kind != ORIEL_JSON_ARRAY && !step->deep &&
              (step->kind == ORIEL_JSON_STEP_INDEXES || step->kind == ORIEL_JSON_STEP_SLICE))))
            return ORIEL_OK;
        definite &= is_definite(step);
        struct found found = {.arena = arena, .link = &found.array.first};
        for (const struct oriel_json *node = nodes; node; node = node->next) {
            if (step->deep)
                take_deep(step, node, &found);
            else
                take_step(step, node, &found);
            if (found.memory)
                return oriel_error_memory(error);
        }
        nodes = found.array.first;
    }
    if (path->definite) {
        *out = path->first ? nodes : root;
        return ORIEL_OK;
    }
    struct oriel_json *const all = oriel_arena_allocate_zeroed(arena, 1, sizeof *all);
    if (!all)
        return oriel_error_memory(error);
    all->kind = ORIEL_JSON_ARRAY;
    for (const struct oriel_json *node = nodes; node; node = node->next)
        all->count++;
    all->first = nodes;
    *out = all;
    return ORIEL_OK;
}
