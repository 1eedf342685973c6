/*
 * Inside exec: the pull form of an execution.
 */
#pragma once

#include "engine/exec/exec.h"

struct oriel_pull;

/* Starts the run of `execution` on a thread of its own and replaces runtime->pool by a pool for it.
 * Where no thread is to be had, the run is done at once and its rows are kept. */
enum oriel_status oriel_pull_open(struct oriel_execution *execution, struct oriel_runtime *runtime,
                                  struct oriel_schema schema, struct oriel_pull **out,
                                  struct oriel_error *error);
/* Stops the run, waits for its end, and brings the runtime's own pool back. */
void oriel_pull_close(struct oriel_pull **pull);

/* The next batch, valid until the next call. */
enum oriel_status oriel_pull_next(struct oriel_pull *pull, const struct oriel_batch **batch,
                                  struct oriel_error *error);
