/*
 * Columns of Parquet and Arrow files on their way into columns of a table: what types go together,
 * and fast ways for those that are frequent.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/io/arrow_dictionary.h"

enum oriel_arrow_way {
    ORIEL_ARROW_WAY_ANY,        /* value by value */
    ORIEL_ARROW_WAY_COPY,       /* the bytes as they are */
    ORIEL_ARROW_WAY_SCALE_I64,  /* 64-bit times in another unit */
    ORIEL_ARROW_WAY_SCALE_I128, /* the same into 128 bits */
    ORIEL_ARROW_WAY_TEXT,       /* strings by offsets or views */
    ORIEL_ARROW_WAY_DICTIONARY, /* numbers of strings in a dictionary */
};

/* How one column is read. */
struct oriel_arrow_target {
    const struct oriel_kernels *kernels;
    struct oriel_arrow_column column; /* of the file, fitted */
    struct oriel_type wanted;
    enum oriel_arrow_way way;
    struct oriel_arena *arena; /* of the batch, for nested values; NULL: there are none */
    void *values;              /* buffers of batch_rows values */
    uint64_t *valid;           /* and their validity */
    struct oriel_arrow_dictionary dictionary;
};

/*
 * Makes reading `column` give values of the type `wanted`: the same kind of value, integers and
 * floating-point numbers also from narrower ones, times and timestamps from any unit, with or
 * without zone (the wall clock of UTC), strings from bytes (checked) and back. Times finer than
 * `wanted` are cut. False when the types do not go together.
 */
bool oriel_arrow_column_fit(struct oriel_arrow_column *column, const struct oriel_type *wanted);

/* Chooses the way. The buffers, owned by the caller, must be set. */
void oriel_arrow_target_choose(struct oriel_arrow_target *target);
void oriel_arrow_target_deinit(struct oriel_arrow_target *target);

/* Forgets the dictionary; called before arrays of another part. */
void oriel_arrow_target_reset(struct oriel_arrow_target *target);

/*
 * Rows [first, first + count) of child `index` of a checked array. `out` borrows the buffers of the
 * target, or of the array where its values need no change; its `valid` is NULL when no row is NULL.
 * Strings point into the array. `rows` is room for `count` numbers. The dictionary is remembered
 * while its buffers stay where they are, so an array must not be released before the next one of
 * its part is there.
 */
enum oriel_status oriel_arrow_target_read(struct oriel_arrow_target *target,
                                          const struct ArrowArray *array, uint32_t index,
                                          size_t first, size_t count, int64_t *rows,
                                          struct oriel_column *out, struct oriel_error *error);
