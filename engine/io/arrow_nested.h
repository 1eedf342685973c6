/*
 * Lists, maps and structs of the Arrow C data interface as ARRAY, MAP and ROW.
 */
#pragma once

#include "engine/io/arrow_import.h"

/* Reads a field of any type that has a counterpart, nested at most to ORIEL_ARROW_DEPTH_MAX. */
enum { ORIEL_ARROW_DEPTH_MAX = 16 };
enum oriel_status oriel_arrow_nested_field_read(const struct ArrowSchema *schema,
                                                struct oriel_arena *arena, unsigned depth,
                                                struct oriel_arrow_column *out,
                                                struct oriel_error *error);

/* Checks the arrays below an array whose own buffers are right. */
enum oriel_status oriel_arrow_nested_check(const struct ArrowArray *array,
                                           const struct oriel_arrow_column *column,
                                           struct oriel_error *error);

/* Sets out row i to the value at rows[i], which lies in `arena`; rows below 0 are left alone. */
enum oriel_status oriel_arrow_nested_read(const struct ArrowArray *array,
                                          const struct oriel_arrow_column *column,
                                          const int64_t *rows, size_t count,
                                          struct oriel_arena *arena, struct oriel_column *out,
                                          struct oriel_error *error);
