/*
 * EXPLAIN ANALYZE: what each operator of a run did. With runtime->profile set, building a plan
 * gives every operator a runtime of its own, whose memory is an account, and wraps its source, so
 * that rows and time are counted; without it nothing is wrapped and nothing counted.
 *
 * Time is CPU time of the threads. Each worker has a clock that runs for one operator at a time:
 * whoever passes a batch on switches it.
 */
#pragma once

#include "engine/columns/source.h"
#include "engine/plan/plan.h"

/* What an operator did. */
struct oriel_operator_figures {
    uint64_t row_count;   /* that it gave */
    uint64_t chunk_count; /* morsels that it gave */
    uint64_t byte_count;  /* read from files */
    uint64_t cpu_ns;
    uint64_t peak_bytes; /* of its memory */
    uint64_t spilled_bytes;
    const char *report; /* how it worked, in words; "" when it has nothing to say */
};

enum { ORIEL_REPORT_BYTES = 160 };

enum oriel_status oriel_profile_open(const struct oriel_runtime *runtime,
                                     struct oriel_profile **out, struct oriel_error *error);
/* After everything that ran with it is closed. */
void oriel_profile_close(struct oriel_profile **profile);

/* The figures of the operator of `node`, or with `writes` of what takes the rows of that root.
 * False: no such operator ran. Sinks and sources are closed before, so that all is counted. */
bool oriel_profile_figures(const struct oriel_profile *profile, const struct oriel_plan *node,
                           bool writes, struct oriel_operator_figures *out);

/* CPU time of all operators. */
uint64_t oriel_profile_cpu_ns(const struct oriel_profile *profile);

/* ---- inside exec ---- */

/* The operator of `node`, a new one the first time; its runtime is a copy of `runtime`. */
enum oriel_status oriel_profile_add(const struct oriel_runtime *runtime,
                                    const struct oriel_plan *node, bool writes,
                                    const struct oriel_runtime **out, struct oriel_error *error);

/* Wraps the source of the operator of `runtime`; with `counts_claim` claiming is its own work and
 * not its input's. Closes the source when it fails. */
enum oriel_status oriel_profiled_source_open(const struct oriel_runtime *runtime,
                                             struct oriel_source *inner, bool counts_claim,
                                             struct oriel_source **out, struct oriel_error *error);

/* The clock of `worker` runs for the operator (NULL: for none) from now on; returns the one before.
 * To be called on the worker's thread. */
struct oriel_operator_profile *oriel_profile_switch(struct oriel_profile *profile, unsigned worker,
                                                    struct oriel_operator_profile *operation);

/* Rows that the operator gave, where no source of its own counts them. */
void oriel_profile_count(struct oriel_operator_profile *operation, uint64_t row_count);

void oriel_profile_spilled(struct oriel_operator_profile *operation, uint64_t byte_count);

/* Room for the words of ORIEL_REPORT_BYTES. */
char *oriel_profile_report(struct oriel_operator_profile *operation);
