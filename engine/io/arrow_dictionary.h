/*
 * Strings of Arrow arrays that come as numbers in a dictionary: the dictionary becomes strings of
 * ours once, and the numbers of each batch become codes.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/io/arrow_import.h"

struct oriel_arrow_dictionary {
    struct oriel_memory *memory;
    _Atomic uint64_t *dictionary_count; /* of the runtime */
    struct oriel_dictionary strings;    /* entry_count is 0: none */
    struct oriel_string *entries;
    size_t entry_capacity;
    const void *buffers[2]; /* what the entries were made from: */
    int64_t offset;
    int64_t length;
    uint32_t *codes;
    size_t code_capacity;
};

void oriel_arrow_dictionary_deinit(struct oriel_arrow_dictionary *dictionary);

/* Whether it pays to turn the whole dictionary of `child` into strings for `row_count` rows. One
 * with NULLs is left alone. */
bool oriel_arrow_dictionary_pays(const struct ArrowArray *child, int64_t row_count);

/* Makes the entries from the dictionary of `child`, unless they were made from the same buffers. */
enum oriel_status oriel_arrow_dictionary_enter(struct oriel_arrow_dictionary *dictionary,
                                               const struct oriel_arrow_column *column,
                                               const struct ArrowArray *child,
                                               struct oriel_error *error);

/*
 * Gives `out`, whose `valid` is set, the codes of rows [base, base + count) of `child`; they lie
 * in the array where it has them as they must be, else in `dictionary`. Its `codes` stay NULL when
 * a number is out of range.
 */
enum oriel_status oriel_arrow_codes_read(struct oriel_arrow_dictionary *dictionary,
                                         const struct oriel_arrow_type *indices,
                                         const struct ArrowArray *child, int64_t base, size_t count,
                                         struct oriel_column *out, struct oriel_error *error);
