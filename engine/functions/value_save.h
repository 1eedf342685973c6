/*
 * Inside engine/functions: values of any type as bytes, for states that are spilled. Only the same
 * process reads them back.
 */
#pragma once

#include "engine/columns/value.h"

/* Bytes that saving needs; the value is not NULL. */
size_t oriel_value_saved_bytes(const struct oriel_type *type, const void *value);

/* Writes the value; returns the place behind it. */
char *oriel_value_save(const struct oriel_type *type, const void *value, char *out);

/* Reads what save wrote into `value`; strings and nested values go to the arena. Returns the place
 * behind it, NULL when memory runs out. */
const char *oriel_value_load(const struct oriel_type *type, const char *bytes,
                             struct oriel_arena *arena, void *value);
