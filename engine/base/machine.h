/*
 * What of the machine this process may use.
 */
#pragma once

#include <stdint.h>

/* Cores that the scheduler lets the process run on, at least 1. */
unsigned oriel_machine_core_count(void);

/*
 * Bytes of memory: the least of what is built in and of the limits of the process's control group
 * and the groups above it (Linux, version 1 and 2). `root` stands before /proc and /sys; "" but in
 * tests. UINT64_MAX when nothing can be found out.
 */
uint64_t oriel_machine_memory_bytes(const char *root);
