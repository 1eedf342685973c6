/* Runs scripts and shows their results. */
#pragma once

#include "cli/options.h"
#include "cli/summary.h"

struct run {
    struct oriel_engine *engine;
    const struct options *options;
    size_t query_count;   /* queries to come, this one counted; only with -o */
    int is_output_closed; /* nobody reads standard output any more */
    int has_written;      /* a result went to standard output */
    int output_is_terminal;
    struct summary summary;
    int is_prompt; /* standard input is no script */
};

/* For the `print` of an engine's options; `context` is the struct run. A closed output is no
 * error. */
int run_print(void *context, int to_standard_error, const char *bytes, size_t length);

/* Runs the scripts of the options and returns the exit status. */
int run_scripts(struct run *run);

/* Runs one script; EXIT_OK, or EXIT_ERROR or EXIT_SIGNAL + number after its message. */
int run_script(struct run *run, struct oriel_script *script);
