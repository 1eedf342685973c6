/*
 * Files that stand in the place of a table's connector, so that a job runs over files as it is
 * written.
 */
#pragma once

#include "engine/api/engine_internal.h"
#include "engine/api/table_options.h"

/* Lies in one block with its texts. */
struct oriel_replacement {
    enum oriel_table_options_use use;
    const char *name; /* of the table, without catalog and database */
    const char *path;
    size_t block_bytes;
    struct oriel_replacement *next;
};

/* The file that is read or written in the place of the connector of `table`; NULL: none. */
const char *oriel_replacement_path(const struct oriel_engine *engine,
                                   const struct oriel_table_entry *table,
                                   enum oriel_table_options_use use);

void oriel_replacements_free(struct oriel_engine *engine);
