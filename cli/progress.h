/*
 * The progress bar on standard error. A thread draws it while a statement runs for more than half a
 * second; whoever else writes to the terminal pauses it.
 */
#pragma once

#include "oriel/oriel.h"

/* Starts the thread; without a call all others do nothing. */
void progress_start(const struct oriel_engine *engine);
void progress_stop(void);

/* Around a statement. */
void progress_begin_statement(void);
void progress_end_statement(void);

/* Erases the bar and keeps it away until resume. Any thread. */
void progress_pause(void);
void progress_resume(void);

/* Keeps the bar away until the next statement: rows are being shown. */
void progress_hide(void);

/* Seconds since a fixed point. */
double progress_clock(void);
