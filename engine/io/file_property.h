/*
 * Columns that are the same for all rows of a file: its name, size and time, and the values that
 * its folders carry.
 */
#pragma once

#include "engine/columns/batch.h"
#include "engine/io/csv_source.h"
#include "engine/io/file_list.h"

struct oriel_file_properties {
    struct oriel_string path; /* absolute */
    struct oriel_string name;
    int64_t size_bytes;
    int64_t modified_ms;              /* since 1970 */
    const void *const *folder_values; /* of struct oriel_file */
};

/* The name and type of such a column of a request. */
struct oriel_field oriel_file_property_field(const struct oriel_csv_request *request,
                                             const struct oriel_csv_column *column);

/* Reads the path of `file`; texts lie in `arena`. ORIEL_MEMORY only. */
enum oriel_status oriel_file_properties_init(struct oriel_file_properties *properties,
                                             const struct oriel_file *file,
                                             struct oriel_arena *arena, struct oriel_error *error);

/* Fills `count` values. `valid` has a bit for each; bits of NULLs are cleared, others left. True
 * when all are NULL. */
bool oriel_file_properties_fill(const struct oriel_file_properties *properties,
                                const struct oriel_csv_column *column, size_t value_bytes,
                                void *values, uint64_t *valid, size_t count);
