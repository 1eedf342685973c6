/* What a condition says about times, for sources that can leave rows out by them. */
#pragma once

#include "engine/io/arrow_source.h"
#include "engine/plan/plan.h"

/*
 * Finds the first TIMESTAMP or TIMESTAMP_LTZ column of the file that the condition above the scan
 * bounds by constants, the row time of the table before all others. `columns` are those of the
 * scan, `rowtime` a field or -1. Bounds may be wider than the condition, never narrower.
 */
struct oriel_arrow_bounds oriel_scan_bounds_find(const struct oriel_plan *scan,
                                                 const struct oriel_csv_column *columns,
                                                 int32_t rowtime);
