/*
 * One Parquet or Arrow file: opened, its schema read, and its columns matched with those of a
 * table.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/io/arrow_import.h"
#include "engine/io/arrow_module.h"
#include "engine/io/csv_source.h"

struct oriel_arrow_input {
    struct oriel_memory *memory;
    const struct oriel_arrow_shim *shim;
    enum oriel_arrow_format format;
    const char *path; /* borrowed; stands in messages */
    uint64_t size_bytes;
    int64_t modified_ns;
    struct oriel_arrow_file *file;
    struct ArrowSchema schema;
};

/* Opens `path` and reads its schema; on failure the input needs no close. */
enum oriel_status oriel_arrow_input_open(struct oriel_memory *memory,
                                         const struct oriel_arrow_shim *shim,
                                         enum oriel_arrow_format format, const char *path,
                                         struct oriel_arrow_input *out, struct oriel_error *error);
void oriel_arrow_input_close(struct oriel_arrow_input *input);

/* An error of `status` that says what Arrow said of the file. */
enum oriel_status oriel_arrow_input_failed(const struct oriel_arrow_input *input,
                                           enum oriel_status status,
                                           const struct oriel_arrow_message *message,
                                           struct oriel_error *error);

/* Finds the column called `name` of the file and checks that it can be read as `type`. ORIEL_DATA
 * names file and column when it is missing, there twice or of another type, ORIEL_UNSUPPORTED when
 * it is nested. */
enum oriel_status oriel_arrow_input_find(const struct oriel_arrow_input *input,
                                         const struct oriel_field *wanted, int *field,
                                         struct oriel_error *error);

/*
 * The schema of a table over the files of `path`, as the first of them gives it, in `arena`. Nested
 * columns are among them and are refused where they are used; ORIEL_UNSUPPORTED names a column
 * whose type has no counterpart at all, ORIEL_DATA a file without columns or with two of one name.
 */
enum oriel_status oriel_arrow_infer_schema(const struct oriel_runtime *runtime, const char *path,
                                           enum oriel_arrow_format format,
                                           struct oriel_arena *arena, struct oriel_schema *out,
                                           struct oriel_error *error);
