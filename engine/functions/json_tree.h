/*
 * Inside engine/functions: JSON texts as trees. Numbers keep their digits as written, so nothing is
 * lost on the way through a DOUBLE.
 */
#pragma once

#include "engine/base/arena.h"
#include "engine/base/status.h"
#include "engine/base/text.h"
#include "engine/columns/value_text.h"

enum { ORIEL_JSON_DEPTH_MAX = 1000 };

enum oriel_json_kind {
    ORIEL_JSON_NULL,
    ORIEL_JSON_FALSE,
    ORIEL_JSON_TRUE,
    ORIEL_JSON_NUMBER,
    ORIEL_JSON_STRING,
    ORIEL_JSON_ARRAY,
    ORIEL_JSON_OBJECT,
};

struct oriel_json {
    enum oriel_json_kind kind;
    uint32_t position;      /* among its siblings */
    uint32_t count;         /* ARRAY, OBJECT: children */
    struct oriel_text key;  /* of a child of an OBJECT */
    struct oriel_text text; /* NUMBER as written, STRING without escapes */
    struct oriel_json *first, *next;
};

/*
 * Reads one value. *out is NULL when the text is no JSON or is nested too deeply; *end is where the
 * value ended. Of equal keys the last one counts. The tree lies in `arena` and borrows from `text`.
 * Fails only for want of memory.
 */
enum oriel_status oriel_json_read(struct oriel_arena *arena, struct oriel_text text,
                                  struct oriel_json **out, size_t *end, struct oriel_error *error);

/* The first place at or behind `at` that is no blank. */
size_t oriel_json_skip_blanks(struct oriel_text text, size_t at);

/* What stands between two quotes without its escapes; *good is false for an escape that is none. */
enum oriel_status oriel_json_unescape(struct oriel_arena *arena, struct oriel_text inside,
                                      struct oriel_text *out, bool *good,
                                      struct oriel_error *error);

static inline bool oriel_json_is_scalar(const struct oriel_json *json) {
    return json->kind != ORIEL_JSON_ARRAY && json->kind != ORIEL_JSON_OBJECT;
}

/* Names in the order of Java's strings, by UTF-16 units. */
int oriel_json_compare_keys(struct oriel_text a, struct oriel_text b);

/* A number as Java prints it: integers as they are, others as BigDecimal does (1e5 is 1E+5). */
enum oriel_status oriel_json_append_number(struct oriel_text_buffer *text,
                                           struct oriel_text number);

/* Appends the tree without blanks, objects in order of their keys. Needs room in `arena`. */
enum oriel_status oriel_json_append_tree(struct oriel_arena *arena, struct oriel_text_buffer *text,
                                         const struct oriel_json *json);
