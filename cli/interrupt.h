/* Ctrl-C and its kin: they ask the engine to stop, nothing else happens in the handler. */
#pragma once

#include "oriel/oriel.h"

/* From here on SIGINT, SIGTERM and SIGHUP cancel what `engine` runs; SIGPIPE is ignored. NULL:
 * there is no engine any more. */
void interrupt_install(struct oriel_engine *engine);

/* The signal that came, 0: none. */
int interrupt_signal(void);

/* Forgets it, for the next statement of a prompt. */
void interrupt_clear(void);
