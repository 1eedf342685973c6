#pragma once

/* Declares oriel_<kernel>_<isa> for the instruction set of this compilation (-DORIEL_ISA=...). Only
 * the files that define or bind kernels include it. */

#include "kernels/kernel_types.h"

#define ORIEL_JOIN_TOKENS(name, isa) oriel_##name##_##isa
#define ORIEL_JOIN(name, isa) ORIEL_JOIN_TOKENS(name, isa)

/* The name of a kernel's function in this compilation. */
#define ORIEL_FN(name) ORIEL_JOIN(name, ORIEL_ISA)

#define KERNEL(name, return_type, parameters) return_type ORIEL_FN(name) parameters;
#include "kernels/kernel_list.h"
#undef KERNEL
