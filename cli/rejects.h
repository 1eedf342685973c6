/*
 * The file of --rejects: bad rows as CSV with the columns file, line, column, reason and raw. It
 * appears whole at the end of the run, with the rows found until then.
 */
#pragma once

#include "oriel/oriel.h"

/* Opens a temporary file beside `path`; anything but a regular file is written straight. Returns
 * EXIT_OK, or EXIT_ERROR after a message. */
int rejects_open(const char *path);

/* For the `reject` of an engine's options; counts the rows, also without a file. The context is not
 * used. */
int rejects_add(void *context, const struct oriel_rejected_row *row);

/* Says how many rows there were and gives the file its name; after Ctrl-C (`keep` 0) it is removed.
 * Returns `status`, or EXIT_ERROR after a message. */
int rejects_close(int keep, int status);
