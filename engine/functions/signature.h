/*
 * Inside engine/functions: what the bind functions share. Types in messages are written as DESCRIBE
 * writes them.
 */
#pragma once

#include "engine/functions/function.h"

typedef enum oriel_status oriel_evaluate(const struct oriel_call *call,
                                         struct oriel_evaluation *evaluation,
                                         const struct oriel_column *arguments, size_t row_count,
                                         struct oriel_column *out);

/* "Cannot apply '+' to arguments of type '<INT> + <STRING>'" and, unless NULL, what it takes. */
enum oriel_status oriel_bind_refuse(const struct oriel_binding *binding, const char *forms,
                                    struct oriel_error *error);

/* The number of arguments does not fit. */
enum oriel_status oriel_bind_refuse_count(const struct oriel_binding *binding,
                                          const struct oriel_function *function,
                                          struct oriel_error *error);

/* Whether any argument may be NULL. */
bool oriel_bind_nullable(const struct oriel_binding *binding);

/* Sets the result type with that nullability, and the evaluation. Returns ORIEL_OK. */
enum oriel_status oriel_bind_result(struct oriel_binding *binding, struct oriel_type type,
                                    oriel_evaluate *evaluate);

/*
 * Checks and casts the arguments after a pattern, one letter each; the last letter is repeated, a
 * missing argument ends it. Arguments of the type NULL fit every letter and are cast.
 *   s  character string, as it is             S  character or binary string
 *   i  integer, cast to INT                   l  integer, cast to BIGINT
 *   d  numeric, cast to DOUBLE                n  numeric, as it is
 *   b  BOOLEAN                                t  TIMESTAMP, as it is
 *   D  DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ, as it is
 *   .  anything, as it is
 * `forms` goes to the message.
 */
enum oriel_status oriel_bind_arguments(struct oriel_binding *binding, const char *pattern,
                                       const char *forms, struct oriel_error *error);

/* Zeroed memory of the statement that becomes binding->state; NULL after setting `error`. */
void *oriel_bind_state(struct oriel_binding *binding, size_t size_bytes, struct oriel_error *error);

/* The text of a constant, not null character argument; false if it is none. */
bool oriel_bind_constant_text(const struct oriel_binding *binding, uint32_t argument,
                              struct oriel_text *out);
