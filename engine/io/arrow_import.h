/*
 * Arrow arrays into our columns: every length, offset, index and text is checked before it is used.
 */
#pragma once

#include "engine/columns/batch.h"
#include "engine/io/arrow_type.h"

/* A column of a registered stream or a file. */
struct oriel_arrow_column {
    const char *name;
    struct oriel_arrow_type type; /* of the values, or of the dictionary's values */
    bool has_dictionary;
    struct oriel_arrow_type indices; /* with a dictionary */
    /* Of a list the elements, of a map keys and values, of a struct its fields. */
    uint32_t child_count;
    struct oriel_arrow_column *children;
    const struct oriel_type *wanted; /* of a part: the type its values get; NULL: type.type */
};

/* Reads the schema of a stream into `arena`. ORIEL_UNSUPPORTED names a column of a type without a
 * counterpart, ORIEL_DATA what breaks the specification. */
enum oriel_status oriel_arrow_schema_read(const struct ArrowSchema *schema,
                                          struct oriel_arena *arena,
                                          struct oriel_arrow_column **out, uint32_t *out_count,
                                          struct oriel_error *error);

/* Reads one child of such a schema; ORIEL_UNSUPPORTED when it is nested. */
enum oriel_status oriel_arrow_field_read(const struct ArrowSchema *schema,
                                         struct oriel_arena *arena, struct oriel_arrow_column *out,
                                         struct oriel_error *error);

/* Checks the lengths and buffers of an array of that schema, once before its rows are read. */
enum oriel_status oriel_arrow_array_check(const struct ArrowArray *array,
                                          const struct oriel_arrow_column *columns,
                                          uint32_t column_count, struct oriel_error *error);

/* Checks child `index` alone, against the rows of its parent. */
enum oriel_status oriel_arrow_column_check(const struct ArrowArray *array, uint32_t index,
                                           const struct oriel_arrow_column *column,
                                           struct oriel_error *error);

/*
 * Converts `count` rows from `first` of column `index` of a checked array. Strings of `out` point
 * into the array, nested values into `arena`, which may be NULL when there are none.
 * `rows` is room for `count` numbers; `error` names the column and row.
 */
enum oriel_status oriel_arrow_column_read(const struct ArrowArray *array, uint32_t index,
                                          const struct oriel_arrow_column *column, size_t first,
                                          size_t count, int64_t *rows, struct oriel_arena *arena,
                                          struct oriel_column *out, struct oriel_error *error);

/* What the parts of the import give each other. */

/* Checks the buffers of one array without those below it. */
enum oriel_status oriel_arrow_buffers_check(const struct ArrowArray *array,
                                            const struct oriel_arrow_type *type, const char *name,
                                            struct oriel_error *error);

/* Turns places in an array, -1 for none, into those of its values: through the dictionary, and -1
 * where the value is NULL. */
enum oriel_status oriel_arrow_rows_find(const struct ArrowArray *array,
                                        const struct oriel_arrow_column *column, int64_t *rows,
                                        size_t count, struct oriel_error *error);
