/*
 * One reading of a source whose batches go to several takers: sinks of breakers, and results that
 * are written as they come. The first one that needs its rows runs the whole pass.
 */
#pragma once

#include "engine/exec/chain.h"
#include "engine/exec/exec.h"

struct oriel_pass;

/* A taker of a pass. */
struct oriel_feed {
    const struct oriel_plan *scan;  /* a SCAN whose `shared` the pass reads */
    const struct oriel_step *steps; /* from there on; copied */
    uint32_t step_count;
    struct oriel_sink *sink; /* NULL: pieces of a result, see oriel_pass_set_maker */
    /* Of the operators, for their figures. */
    const struct oriel_runtime *scan_runtime;
    const struct oriel_runtime *taker_runtime;
};

/* Takes the source over. */
enum oriel_status oriel_pass_open(const struct oriel_runtime *runtime, struct oriel_source *source,
                                  struct oriel_pass **out, struct oriel_error *error);
void oriel_pass_close(struct oriel_pass **pass);

/* Adds a taker; *number counts those of the pass. */
enum oriel_status oriel_pass_add(struct oriel_pass *pass, const struct oriel_feed *feed,
                                 uint32_t *number, struct oriel_error *error);

/* Where the rows of a taker without a sink go; before the pass runs. `maker` is borrowed. */
void oriel_pass_set_maker(struct oriel_pass *pass, uint32_t number,
                          const struct oriel_piece_maker *maker);

/* Reads the source into all takers, once; later calls return what the first one did. Called by the
 * thread that may run tasks. Sinks that were filled are not finished. */
enum oriel_status oriel_pass_run(struct oriel_pass *pass, struct oriel_error *error);
