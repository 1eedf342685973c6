/*
 * Strings of Arrow arrays, by offsets of 32 or 64 bits or as views, into strings of ours.
 */
#pragma once

#include "engine/io/arrow_type.h"

struct oriel_kernels;
struct oriel_string;

/*
 * Rows [base, base + count) of a checked array; `valid` says which are not NULL (NULL: all). The
 * strings point into the array where they are long. False when something is wrong with one of
 * them; which it is then has to be found by other means.
 */
bool oriel_arrow_texts_read(const struct oriel_kernels *kernels,
                            const struct oriel_arrow_type *type, const struct ArrowArray *array,
                            int64_t base, size_t count, const uint64_t *valid,
                            struct oriel_string *out);
