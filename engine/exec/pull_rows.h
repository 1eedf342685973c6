/*
 * Inside exec: an execution read batch by batch.
 */
#pragma once

#include "engine/exec/pull.h"

struct oriel_row_pull;

/* As oriel_pull_open. */
enum oriel_status oriel_row_pull_open(struct oriel_execution *execution,
                                      struct oriel_runtime *runtime, struct oriel_schema schema,
                                      struct oriel_row_pull **out, struct oriel_error *error);
void oriel_row_pull_close(struct oriel_row_pull **pull);

/* The next batch, valid until the next call; ORIEL_DONE at the end. */
enum oriel_status oriel_row_pull_next(struct oriel_row_pull *pull, const struct oriel_batch **batch,
                                      struct oriel_error *error);
