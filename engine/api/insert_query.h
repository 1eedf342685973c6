/* The query of an INSERT, brought to the columns of its table. */
#pragma once

#include "engine/api/engine_internal.h"

/*
 * Binds the query of `insert` so that its columns are those of `sink`, whose types are written as
 * `types`: implicit casts are added, columns of the PARTITION clause
 * have its value, others that are not listed are NULL. ORIEL_INVALID when the
 * number of columns or a type does not fit.
 */
enum oriel_status oriel_insert_bind(struct oriel_result *result, const struct ast_statement *insert,
                                    const struct ast_type *const *types, struct oriel_schema sink,
                                    struct oriel_plan **out, struct oriel_error *error);
