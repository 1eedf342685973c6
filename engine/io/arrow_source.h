/*
 * Parquet and Arrow files as a source of batches. Row groups and record batches are the morsels;
 * each worker has a reader of its own, and only the wanted columns are read.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/source.h"
#include "engine/io/arrow_shim.h"
#include "engine/io/csv_source.h"

/* Rows whose time is outside are not wanted: row groups that hold no others are left out. */
struct oriel_arrow_bounds {
    int32_t field; /* a TIMESTAMP or TIMESTAMP_LTZ of the request; -1: no bounds */
    int64_t low_ms;
    int64_t high_ms; /* the last one that is wanted */
};

/*
 * Opens a source over files, which are opened as they are read; takes the list over, also when it
 * fails. Columns are found by name in each file; `request->fields` must all be there that are
 * wanted. ORIEL_DATA names the file, and the column or row that is wrong; rows before it have been
 * pushed. The request is borrowed until the source is closed.
 */
enum oriel_status oriel_arrow_source_open(const struct oriel_runtime *runtime,
                                          struct oriel_file_list *files,
                                          enum oriel_arrow_format format,
                                          const struct oriel_csv_request *request,
                                          const struct oriel_arrow_bounds *bounds,
                                          struct oriel_source **out, struct oriel_error *error);
