/* Statements, settings and hints that are accepted without effect. */
#pragma once

#include "engine/api/engine_internal.h"

bool oriel_statement_is_passed_over(const struct ast_statement *statement);

/* Tells what of the statement has no effect, when the engine is verbose. */
void oriel_note_passed_over(const struct oriel_result *result,
                            const struct ast_statement *statement);
