/*
 * What the first rows of a CSV file tell: the names in its header, and columns that hold what
 * stands there. All texts lie in the arena that is passed.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/type.h"
#include "engine/io/csv_source.h"

enum { ORIEL_CSV_SNIFFED_ROWS = 20000 }; /* at most, and the first megabyte */

/* The names in the first record of a file. Those that are empty are f0, f1 ... by their place. */
struct oriel_csv_header {
    uint32_t count;
    const char *const *names;
};

/*
 * Reads the header. A file without a record has none, and neither has what can be read only once:
 * count is 0. ORIEL_DATA for two columns of one name.
 */
enum oriel_status oriel_csv_read_header(const struct oriel_runtime *runtime, const char *path,
                                        const struct oriel_csv_options *options,
                                        struct oriel_arena *arena, struct oriel_csv_header *out,
                                        struct oriel_error *error);

/* How much of the options is given. */
enum oriel_csv_sniffing {
    ORIEL_CSV_SNIFF_TYPES,     /* options->header says whether there is one */
    ORIEL_CSV_SNIFF_HEADER,    /* whether there is one is found out */
    ORIEL_CSV_SNIFF_DELIMITER, /* and the delimiter: a comma, tab, semicolon or bar */
};

/*
 * The columns that the first rows ask for: BIGINT, DOUBLE, BOOLEAN, DATE, TIMESTAMP, TIMESTAMP_LTZ,
 * else STRING. Fields that are NULL say nothing. Sets options->header and, where it is found out,
 * options->delimiter. ORIEL_DATA names a file without any row.
 */
enum oriel_status oriel_csv_infer(const struct oriel_runtime *runtime, const char *path,
                                  enum oriel_csv_sniffing sniffing,
                                  struct oriel_csv_options *options, struct oriel_arena *arena,
                                  struct oriel_schema *out, struct oriel_error *error);
