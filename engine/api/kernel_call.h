/* What the files of tier 1 share: the kernels by the name of an instruction set. */
#pragma once

#include "engine/base/status.h"
#include "kernels/kernels.h"
#include "oriel/kernel.h"

/* ORIEL_ARGUMENT when there is no such set, or not on this machine. NULL: the best one. */
enum oriel_status oriel_kernel_find(const char *isa, const struct oriel_kernels **out,
                                    struct oriel_error *error);

/* The same where rows get numbers of 32 bits. */
enum oriel_status oriel_kernel_find_for(const char *isa, size_t count,
                                        const struct oriel_kernels **out,
                                        struct oriel_error *error);
