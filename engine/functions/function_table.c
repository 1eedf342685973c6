/*
 * The table of functions: each topic's file holds its own rows in order of name, this file lists
 * the topics and looks rows up. A linear walk is enough, since names are looked up only while
 * binding.
 */
#include "engine/functions/function_table.h"

#include <string.h>

static const struct oriel_function_group *const groups[] = {
    &oriel_functions_arithmetic,
    &oriel_functions_array_edit,
    &oriel_functions_array_search,
    &oriel_functions_cast,
    &oriel_functions_compare,
    &oriel_functions_compare_in,
    &oriel_functions_compare_set,
    &oriel_functions_hash,
    &oriel_functions_json_build,
    &oriel_functions_json_check,
    &oriel_functions_json_query,
    &oriel_functions_like,
    &oriel_functions_logic,
    &oriel_functions_map,
    &oriel_functions_math,
    &oriel_functions_math_round,
    &oriel_functions_nested,
    &oriel_functions_random,
    &oriel_functions_regexp,
    &oriel_functions_regexp_split,
    &oriel_functions_string_build,
    &oriel_functions_string_case,
    &oriel_functions_string_charset,
    &oriel_functions_string_encode,
    &oriel_functions_string_inet,
    &oriel_functions_string_property,
    &oriel_functions_string_search,
    &oriel_functions_string_slice,
    &oriel_functions_string_trim,
    &oriel_functions_string_url,
    &oriel_functions_temporal_convert,
    &oriel_functions_temporal_extract,
    &oriel_functions_temporal_now,
    &oriel_functions_temporal_overlaps,
    &oriel_functions_temporal_shift,
    &oriel_functions_temporal_zone,
    &oriel_functions_unavailable,
};

enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

const struct oriel_function *oriel_function_find(const char *name) {
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        for (size_t i = 0; i < groups[g]->count; i++) {
            if (strcmp(groups[g]->rows[i].name, name) == 0)
                return &groups[g]->rows[i];
        }
    }
    return NULL;
}

/* Merges the groups, each of which is in order. */
const struct oriel_function *oriel_function_at(size_t index) {
    size_t taken[GROUP_COUNT] = {0};
    for (;;) {
        size_t best = GROUP_COUNT;
        for (size_t g = 0; g < GROUP_COUNT; g++) {
            if (taken[g] < groups[g]->count &&
                (best == GROUP_COUNT ||
                 strcmp(groups[g]->rows[taken[g]].name, groups[best]->rows[taken[best]].name) < 0))
                best = g;
        }
        if (best == GROUP_COUNT)
            return NULL;
        if (index-- == 0)
            return &groups[best]->rows[taken[best]];
        taken[best]++;
    }
}

/* Edit distance of two names, no more than `most` + 1. */
static size_t distance(const char *a, const char *b, size_t most) {
    enum { NAME_BYTES_MAX = 40 };
    const size_t length_a = strlen(a), length_b = strlen(b);
    size_t row[NAME_BYTES_MAX + 1];
    if (length_a > NAME_BYTES_MAX || length_b > NAME_BYTES_MAX)
        return most + 1;
    for (size_t j = 0; j <= length_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            const size_t inserted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < inserted ? replaced : inserted;
        }
    }
    return row[length_b];
}

const char *oriel_function_suggest(const char *name) {
    enum { FAR = 3 };
    const char *best = NULL;
    size_t best_distance = FAR;
    if (strlen(name) < FAR)
        return NULL;
    for (size_t i = 0;; i++) {
        const struct oriel_function *function = oriel_function_at(i);
        if (!function)
            return best;
        const size_t edits = distance(name, function->name, FAR);
        if (edits < best_distance) {
            best_distance = edits;
            best = function->name;
        }
    }
}
