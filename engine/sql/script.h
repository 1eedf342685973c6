/* Where the statements of a script begin and end, without parsing them. */
#pragma once

#include "engine/sql/parser.h"

/* One statement: [begin, end) of the script's text without surrounding blanks and comments before
 * it; `next` is where the one after it may begin. */
struct sql_statement_span {
    size_t begin, end, next;
    struct oriel_position position; /* of begin */
    bool has_semicolon;
};

/* The next statement at or after reader->offset; false when there is none. */
bool oriel_script_find_statement(const struct oriel_script_reader *reader,
                                 struct sql_statement_span *span);

/* The position after `length` bytes of text that begin at `position`. */
struct oriel_position oriel_script_advance(struct oriel_position position, const char *text,
                                           size_t length);
