/*
 * Runs a plan: builds the pipelines, feeds them by morsels to all workers, and hands out the result
 * in order. Sources of tables come from the caller, so exec knows no file format.
 */
#pragma once

#include "engine/columns/source.h"
#include "engine/plan/plan.h"

/* Opens the source of a SCAN: fields `columns` of `table`, in that order. */
typedef enum oriel_status oriel_open_scan(void *context, const struct oriel_plan *scan,
                                          const struct oriel_runtime *runtime,
                                          struct oriel_source **out, struct oriel_error *error);

struct oriel_execution;

/* Prepares `plan`, which must outlive the execution. Nothing is read yet. */
enum oriel_status oriel_execution_open(const struct oriel_plan *plan,
                                       const struct oriel_runtime *runtime,
                                       oriel_open_scan *open_scan, void *open_scan_context,
                                       struct oriel_execution **out, struct oriel_error *error);
void oriel_execution_close(struct oriel_execution **execution);

/* Prepares several plans, which read the tables that they share (oriel_plans_share_scans) together:
 * the first one that runs fills what the others need. out[i] is for plans[i]. */
enum oriel_status oriel_executions_open(const struct oriel_plan *const *plans, uint32_t count,
                                        const struct oriel_runtime *runtime,
                                        oriel_open_scan *open_scan, void *open_scan_context,
                                        struct oriel_execution **out, struct oriel_error *error);

/* Whether the rows come while another execution runs: then its maker must be known before any of
 * them runs. */
bool oriel_execution_is_fed(const struct oriel_execution *execution);
struct oriel_piece_maker;
void oriel_execution_set_maker(struct oriel_execution *execution,
                               const struct oriel_piece_maker *maker);

/*
 * Called by workers with the batches of one morsel, in order, to turn them into a piece of the
 * result: a formatted text, a copy. Pieces of different morsels are made at the same time.
 */
struct oriel_piece_maker {
    void *context;
    /* Pieces may be delivered on any worker, and are on the one that made them where none waits for
     * it: their bytes are still in its cache. */
    bool delivers_anywhere;
    /* Whether a piece is large enough to be delivered before its morsel ends; NULL: never, beyond
     * what bounds the memory. */
    bool (*is_full)(const void *piece);
    /* A new piece, before the first batch of a morsel; only `worker` adds to it. */
    enum oriel_status (*begin)(void *context, unsigned worker, void **piece,
                               struct oriel_error *error);
    enum oriel_status (*add)(void *context, void *piece, const struct oriel_batch *batch,
                             struct oriel_error *error);
    /* Receives the pieces in order, one at a time, on the thread that called run unless
     * delivers_anywhere; takes them over. */
    enum oriel_status (*deliver)(void *context, void *piece, struct oriel_error *error);
    /* Frees a piece that is not delivered because of an error. */
    void (*drop)(void *context, void *piece);
};

/* Runs everything and delivers all pieces. */
enum oriel_status oriel_execution_run(struct oriel_execution *execution,
                                      const struct oriel_piece_maker *maker,
                                      struct oriel_error *error);

/* The pull form: the next batch, borrowed until the next call; ORIEL_DONE at the end. Runs as much
 * as needed: rounds of some morsels on all workers. */
enum oriel_status oriel_execution_next(struct oriel_execution *execution,
                                       const struct oriel_batch **batch, struct oriel_error *error);

/* The same for pieces: those of `maker`, whose `deliver` is not used and whose context must outlive
 * the execution. The caller owns what it gets. */
enum oriel_status oriel_execution_next_piece(struct oriel_execution *execution,
                                             const struct oriel_piece_maker *maker, void **piece,
                                             struct oriel_error *error);
