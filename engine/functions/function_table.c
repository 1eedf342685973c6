/*
 * The table of functions: each topic's file holds its own rows in order of name, this file lists the
 * topics and looks rows up. A linear walk is enough, since names are looked up only while binding.
 */
#include "engine/functions/function_table.h"

#include <string.h>

static const struct oriel_function_group groups[] = {
    {NULL, 0},
};

enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

const struct oriel_function *oriel_function_find(const char *name) {
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        for (size_t i = 0; i < groups[g].count; i++) {
            if (strcmp(groups[g].rows[i].name, name) == 0)
                return &groups[g].rows[i];
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
            if (taken[g] < groups[g].count &&
                (best == GROUP_COUNT || strcmp(groups[g].rows[taken[g]].name,
                                               groups[best].rows[taken[best]].name) < 0))
                best = g;
        }
        if (best == GROUP_COUNT)
            return NULL;
        if (index-- == 0)
            return &groups[best].rows[taken[best]];
        taken[best]++;
    }
}
