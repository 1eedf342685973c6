/* The prompt on a terminal: line editing and history by libedit. */
#pragma once

#include "cli/run.h"

/* Runs what is typed until the end of input; returns the exit status. */
int prompt_run(struct run *run);
