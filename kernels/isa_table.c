/* Binds every kernel of the list to the functions of one instruction set. Compiled once for each,
 * with -DORIEL_ISA=<id>; a kernel without a function for that set is a link error that names it. */
#include "kernels/isa_kernels.h"
#include "kernels/kernels.h"

extern const struct oriel_kernels ORIEL_FN(kernels);

const struct oriel_kernels ORIEL_FN(kernels) = {
#define KERNEL(name, return_type, parameters) .name = ORIEL_FN(name),
#include "kernels/kernel_list.h"
#undef KERNEL
};
