/*
 * Finds and loads the module oriel_arrow.so, which alone links Arrow C++.
 */
#pragma once

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/io/arrow_shim.h"

/* What the format is called in messages: "Parquet" or "Arrow". */
const char *oriel_arrow_format_name(enum oriel_arrow_format format);

/*
 * The module's functions; it stays loaded for the life of the process. ORIEL_UNSUPPORTED when this
 * build has no module, ORIEL_IO when it was built but cannot be loaded, with the reason.
 */
enum oriel_status oriel_arrow_module_load(enum oriel_arrow_format format,
                                          const struct oriel_arrow_shim **out,
                                          struct oriel_error *error);

/* Counts what Arrow takes in `memory`, whose limit it then obeys. */
struct oriel_arrow_account oriel_arrow_account_of(struct oriel_memory *memory);
