/* CREATE TABLE ... AS query: a table and the INSERT that fills it. */
#pragma once

#include "engine/api/insert_target.h"

struct oriel_create_as {
    struct oriel_made_table made;
    struct oriel_inserts inserts;
};

/* Makes the table and prepares its INSERT; on an error nothing is left to close. */
enum oriel_status oriel_create_as_prepare(struct oriel_result *result,
                                          const struct ast_statement *statement,
                                          struct oriel_create_as *out, struct oriel_error *error);

/* The table goes into the session if its rows were written. */
void oriel_create_as_close(struct oriel_result *result, const struct oriel_create_as *create,
                           bool is_written);
