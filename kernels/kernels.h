#pragma once

/* The interface of kernels/: one table of function pointers for each instruction set (ISA). A
 * caller picks a table once, keeps the pointer and calls through it; no kernel tests CPU features.
 */

#include "kernels/kernel_types.h"

struct oriel_kernels {
#define KERNEL(name, return_type, parameters) return_type(*name) parameters;
#include "kernels/kernel_list.h"
#undef KERNEL
};

/* CPU features, in the levels of the x86-64 psABI. */
enum {
    ORIEL_CPU_X86_64_V2 = 1,
    ORIEL_CPU_X86_64_V3 = 2,
    ORIEL_CPU_X86_64_V4 = 4,
    ORIEL_CPU_NEON = 8,
};

struct oriel_isa {
    const char *name;  /* "reference", "x86-64-v3", "neon", ... */
    unsigned required; /* ORIEL_CPU_ bits that the CPU must have */
    const struct oriel_kernels *kernels;
};

/* The ISA at `index`, in rising preference, starting with "reference"; NULL past the end. */
const struct oriel_isa *oriel_isa_at(size_t index);

/* The ISA of that name, whether or not this CPU has it; NULL when this build knows none. */
const struct oriel_isa *oriel_isa_by_name(const char *name);

/* The most preferred ISA that needs no more than `cpu_features`. Never NULL. */
const struct oriel_isa *oriel_isa_best(unsigned cpu_features);

/* The ORIEL_CPU_ bits of this machine, including what its operating system must save. */
unsigned oriel_cpu_features(void);
