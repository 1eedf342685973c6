/*
 * Inside exec: the pull form of an execution.
 */
#pragma once

#include "engine/exec/exec.h"

struct oriel_pull;

/* Starts the run of `execution` on a thread of its own and replaces runtime->pool by a pool for it.
 * Workers make pieces by `maker`, whose `deliver` is not used. Where no thread is to be had, the
 * run is done at once and its pieces are kept. */
enum oriel_status oriel_pull_open(struct oriel_execution *execution, struct oriel_runtime *runtime,
                                  const struct oriel_piece_maker *maker, struct oriel_pull **out,
                                  struct oriel_error *error);
/* Stops the run, waits for its end, drops what was not taken, and brings the runtime's own pool
 * back. */
void oriel_pull_close(struct oriel_pull **pull);

/* The next piece, which the caller then owns; ORIEL_DONE at the end. */
enum oriel_status oriel_pull_next(struct oriel_pull *pull, void **piece, struct oriel_error *error);
