/* Values of Arrow arrays into columns; see arrow_import.h. */
#pragma once

#include "engine/columns/batch.h"
#include "engine/io/arrow_type.h"

/* True for well-formed UTF-8; reads no byte past the end, as buffers of others demand. */
bool oriel_arrow_is_utf8(const void *bytes, size_t length);

/* Finds the bytes of view `row`; false when it leaves its buffer. */
bool oriel_arrow_find_view(const struct ArrowArray *array, int64_t row, struct oriel_text *out);

/* The begin of element or text `row` of a buffer of offsets of 32 or 64 bits. */
int64_t oriel_arrow_offset(const void *offsets, bool is_wide, int64_t row);

/* The integer at `row` of a buffer of integers. Values above INT64_MAX come as negative ones. */
int64_t oriel_arrow_integer(const struct oriel_arrow_type *type, const void *buffer, int64_t row);

/* Fills out row i with the value at rows[i]; rows below 0 are left alone. */
enum oriel_status oriel_arrow_values_read(const struct oriel_arrow_type *type,
                                          const struct ArrowArray *array, const char *name,
                                          const int64_t *rows, size_t count,
                                          struct oriel_column *out, struct oriel_error *error);
