/*
 * Inside engine/plan: the columns that a USING or NATURAL join makes one of.
 */
#pragma once

#include "engine/plan/bind.h"

struct using_pair {
    const char *name;
    uint32_t sides[2]; /* columns of the joined scope */
};

struct bind_using {
    uint32_t count;
    struct using_pair *pairs;
};

/* Finds the pairs, hides both columns of each and adds their equality to `conditions`. */
enum oriel_status oriel_using_bind(struct binder *b, const struct ast_from *from,
                                   struct bind_scope *scope, uint32_t left_count,
                                   struct bind_using *using, struct oriel_conditions *conditions);

/* Adds the merged columns behind those of the join, whose kind and nullability are known by now. */
enum oriel_status oriel_using_merge(struct binder *b, const struct bind_using *using,
                                    struct bind_rows *rows);
