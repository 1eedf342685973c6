/*
 * Tier 1: windows of times, for programs that need no engine. Rows go through in blocks, whose
 * boundaries lie on the stack.
 */
#include "engine/api/kernel_call.h"

enum { BLOCK_ROWS = 1024 };

enum oriel_status oriel_kernel_find(const char *isa, const struct oriel_kernels **out,
                                    struct oriel_error *error) {
    const unsigned features = oriel_cpu_features();
    const struct oriel_isa *found = isa ? oriel_isa_by_name(isa) : oriel_isa_best(features);
    if (!found || (found->required & ~features))
        return oriel_error_set(error, ORIEL_ARGUMENT, "there is no instruction set '%s' here", isa);
    *out = found->kernels;
    return ORIEL_OK;
}

enum oriel_status oriel_kernel_find_for(const char *isa, size_t count,
                                        const struct oriel_kernels **out,
                                        struct oriel_error *error) {
    if (count > ORIEL_KERNEL_COUNT_MAX)
        return oriel_error_set(error, ORIEL_ARGUMENT, "%zu rows are too many for one call", count);
    return oriel_kernel_find(isa, out, error);
}

static enum oriel_status check_size(const char *name, int64_t size, struct oriel_error *error) {
    return size > 0 ? ORIEL_OK
                    : oriel_error_set(error, ORIEL_ARGUMENT, "%s must be positive", name);
}

static enum oriel_status check_parts(const char *name, int64_t size, const char *part_name,
                                     int64_t part, struct oriel_error *error) {
    ORIEL_TRY(check_size(name, size, error));
    ORIEL_TRY(check_size(part_name, part, error));
    return size % part == 0 ? ORIEL_OK
                            : oriel_error_set(error, ORIEL_ARGUMENT,
                                              "%s must be a whole multiple of %s", name, part_name);
}

/* Bounds wrap like Java's. */
static int64_t wrap_add(int64_t left, int64_t right) {
    return (int64_t)((uint64_t)left + (uint64_t)right);
}

enum oriel_status oriel_kernel_tumble(const char *isa, const int64_t *time_ms, size_t count,
                                      int64_t size_ms, int64_t offset_ms, int64_t *start_ms,
                                      struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find(isa, &kernels, error));
    ORIEL_TRY(check_size("size_ms", size_ms, error));
    if (count)
        kernels->floor_i64(time_ms, count, size_ms, offset_ms, start_ms);
    return ORIEL_OK;
}

enum oriel_status oriel_kernel_hop(const char *isa, const int64_t *time_ms, size_t count,
                                   int64_t size_ms, int64_t slide_ms, int64_t offset_ms,
                                   int64_t *start_ms, struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find(isa, &kernels, error));
    ORIEL_TRY(check_parts("size_ms", size_ms, "slide_ms", slide_ms, error));
    const int64_t window_count = size_ms / slide_ms;
    int64_t last[BLOCK_ROWS];
    for (size_t begin = 0; begin < count; begin += BLOCK_ROWS) {
        const size_t rows = count - begin < BLOCK_ROWS ? count - begin : BLOCK_ROWS;
        kernels->floor_i64(time_ms + begin, rows, slide_ms, offset_ms, last);
        for (size_t i = 0; i < rows; i++) {
            int64_t start = wrap_add(last[i], slide_ms - size_ms);
            for (int64_t window = 0; window < window_count; window++) {
                *start_ms++ = start;
                start = wrap_add(start, slide_ms);
            }
        }
    }
    return ORIEL_OK;
}

enum oriel_status oriel_kernel_cumulate(const char *isa, const int64_t *time_ms, size_t count,
                                        int64_t max_size_ms, int64_t step_ms, int64_t offset_ms,
                                        uint32_t *rows, int64_t *start_ms, int64_t *end_ms,
                                        size_t *window_count, struct oriel_error *error) {
    const struct oriel_kernels *kernels = NULL;
    ORIEL_TRY(oriel_kernel_find_for(isa, count, &kernels, error));
    ORIEL_TRY(check_parts("max_size_ms", max_size_ms, "step_ms", step_ms, error));
    int64_t starts[BLOCK_ROWS], steps[BLOCK_ROWS];
    size_t written = 0;
    for (size_t begin = 0; begin < count; begin += BLOCK_ROWS) {
        const size_t block = count - begin < BLOCK_ROWS ? count - begin : BLOCK_ROWS;
        kernels->floor_i64(time_ms + begin, block, max_size_ms, offset_ms, starts);
        kernels->floor_i64(time_ms + begin, block, step_ms, offset_ms, steps);
        for (size_t i = 0; i < block; i++) {
            int64_t end = steps[i];
            for (int64_t done = (int64_t)((uint64_t)end - (uint64_t)starts[i]); done < max_size_ms;
                 done += step_ms) {
                end = wrap_add(end, step_ms);
                rows[written] = (uint32_t)(begin + i);
                start_ms[written] = starts[i];
                end_ms[written++] = end;
            }
        }
    }
    *window_count = written;
    return ORIEL_OK;
}
