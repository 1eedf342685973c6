/*
 * The summary of a run, for --summary: what its statements read and wrote, added up.
 */
#pragma once

#include "oriel/oriel.h"

struct table_total {
    char *name; /* allocated */
    unsigned long long rows, rejected;
};

struct summary {
    int is_wanted;
    double begin;
    unsigned long long rows, rejected, without_time, written, windows;
    struct table_total *tables;
    size_t table_count;
};

void summary_begin(struct summary *summary, int is_wanted);

/* After a statement; `result` may be NULL. */
void summary_add(struct summary *summary, const struct oriel_engine *engine,
                 const struct oriel_result *result);

/* Writes the summary to standard error, if it is wanted, and frees it. */
void summary_report(struct summary *summary, const struct oriel_engine *engine);
