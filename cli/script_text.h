/* The texts of scripts. */
#pragma once

#include <stddef.h>

#include "cli/options.h"

struct script_text {
    const char *name; /* for messages */
    char *bytes;
    size_t length;
};

/* Reads a file, standard input or an argument whole. Returns EXIT_OK; EXIT_ERROR after a message;
 * EXIT_SIGNAL + number when a signal came. */
int script_text_read(const struct script_argument *argument, struct script_text *out);
void script_text_free(struct script_text *text);
