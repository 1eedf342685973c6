/*
 * Tier 1: array kernels for programs that need no engine.
 */
#include "oriel/kernel.h"

#include "engine/base/status.h"
#include "kernels/kernels.h"

static enum oriel_status find_kernels(const char *name, const struct oriel_kernels **out,
                                      struct oriel_error *error) {
    const unsigned features = oriel_cpu_features();
    const struct oriel_isa *isa = name ? oriel_isa_by_name(name) : oriel_isa_best(features);
    if (!isa || (isa->required & ~features))
        return oriel_error_set(error, ORIEL_ARGUMENT, "there is no instruction set '%s' here",
                               name);
    *out = isa->kernels;
    return ORIEL_OK;
}

enum oriel_status oriel_kernel_window_start(const char *isa, const int64_t *time_ms, size_t count,
                                            int64_t size_ms, int64_t offset_ms, int64_t *start_ms,
                                            struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(find_kernels(isa, &kernels, error));
    if (size_ms <= 0)
        return oriel_error_set(error, ORIEL_ARGUMENT, "size_ms must be positive");
    if (count)
        kernels->floor_i64(time_ms, count, size_ms, offset_ms, start_ms);
    return ORIEL_OK;
}

enum oriel_status oriel_kernel_session_breaks(const char *isa, const int64_t *time_ms,
                                              const uint32_t *keys, size_t count, int64_t gap_ms,
                                              uint64_t *breaks, size_t *session_count,
                                              struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(find_kernels(isa, &kernels, error));
    if (gap_ms <= 0)
        return oriel_error_set(error, ORIEL_ARGUMENT, "gap_ms must be positive");
    *session_count = count ? kernels->session_breaks(time_ms, keys, count, gap_ms, breaks) : 0;
    return ORIEL_OK;
}
