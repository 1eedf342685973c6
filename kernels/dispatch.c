/* The list of instruction sets and the choice between them. Runs on every CPU, so it must be
 * compiled for the oldest one; the tables it points to may not be, but are only called when chosen.
 */
#include "kernels/kernels.h"

#include <string.h>

#if defined(__AVX__)
#error "dispatch.c must be compiled for the baseline CPU, without -march or -mavx flags"
#endif

#define ISA_ANY(id, name, required) ISA(id, name, required)
#if defined(__x86_64__)
#define ISA_X86(id, name, required) ISA(id, name, required)
#else
#define ISA_X86(id, name, required)
#endif
#if defined(__aarch64__)
#define ISA_ARM(id, name, required) ISA(id, name, required)
#else
#define ISA_ARM(id, name, required)
#endif

#define ISA(id, name, required) extern const struct oriel_kernels oriel_kernels_##id;
#include "kernels/isa_list.h"
#undef ISA

static const struct oriel_isa isas[] = {
#define ISA(id, name, required) {name, required, &oriel_kernels_##id},
#include "kernels/isa_list.h"
#undef ISA
};

const struct oriel_isa *oriel_isa_at(size_t index) {
    return index < sizeof isas / sizeof isas[0] ? &isas[index] : NULL;
}

const struct oriel_isa *oriel_isa_by_name(const char *name) {
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (strcmp(isas[i].name, name) == 0)
            return &isas[i];
    }
    return NULL;
}

const struct oriel_isa *oriel_isa_best(unsigned cpu_features) {
    const struct oriel_isa *best = &isas[0];
    for (size_t i = 1; i < sizeof isas / sizeof isas[0]; i++) {
        if ((isas[i].required & ~cpu_features) == 0)
            best = &isas[i];
    }
    return best;
}
