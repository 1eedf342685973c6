/*
 * Rows with their place in the input as one more column, by which breakers bring rows back into
 * order: BIGINT NOT NULL, after the input's fields.
 */
#pragma once

#include "engine/base/runtime.h"
#include "engine/columns/batch.h"

struct oriel_positioned {
    struct oriel_memory *memory;
    struct oriel_arena arena;
    struct oriel_schema schema; /* the input's fields and the position; the names are borrowed */
    size_t batch_rows;
    struct oriel_column **columns; /* of each worker */
};

enum oriel_status oriel_positioned_init(struct oriel_positioned *positioned,
                                        const struct oriel_runtime *runtime,
                                        struct oriel_schema input, struct oriel_error *error);
void oriel_positioned_deinit(struct oriel_positioned *positioned);

/* `batch` with the position; valid until the worker's next call. */
struct oriel_batch oriel_positioned_batch(const struct oriel_positioned *positioned,
                                          unsigned worker, const struct oriel_batch *batch);

/* A schema of `input` and `extra` fields more, in `arena`; the caller fills those in. */
enum oriel_status oriel_schema_extend(struct oriel_arena *arena, struct oriel_schema input,
                                      uint32_t extra, struct oriel_field **fields,
                                      struct oriel_error *error);

/* BIGINT NOT NULL. */
struct oriel_type oriel_position_type(void);
