/* The columns that the first lines of a JSON file ask for. */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/type.h"
#include "engine/io/json_source.h"

/*
 * Names in the order in which they first come, from the first megabyte: BIGINT, DOUBLE, BOOLEAN,
 * DATE, TIMESTAMP, TIMESTAMP_LTZ, else STRING, which also holds objects and arrays as text. Where
 * `may_choose_form` sets options->iso_timestamps by what stands there. ORIEL_DATA names a file
 * without an object.
 */
enum oriel_status oriel_json_infer(const struct oriel_runtime *runtime, const char *path,
                                   bool may_choose_form, struct oriel_json_options *options,
                                   struct oriel_arena *arena, struct oriel_schema *out,
                                   struct oriel_error *error);
