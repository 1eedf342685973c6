/*
 * The passes of the plans that are built together: which one reads a shared table.
 */
#include "engine/exec/build.h"

struct entry {
    const struct oriel_shared_scan *shared;
    struct oriel_pass *pass;
    struct entry *next;
};

struct oriel_passes {
    struct oriel_memory *memory;
    struct oriel_arena arena;
    struct entry *first;
};

enum oriel_status oriel_passes_open(const struct oriel_runtime *runtime, struct oriel_passes **out,
                                    struct oriel_error *error) {
    struct oriel_passes *passes = oriel_memory_allocate_zeroed(runtime->memory, 1, sizeof *passes);
    if (!passes)
        return oriel_error_memory(error);
    passes->memory = runtime->memory;
    oriel_arena_init(&passes->arena, runtime->memory);
    *out = passes;
    return ORIEL_OK;
}

void oriel_passes_close(struct oriel_passes **passes) {
    struct oriel_passes *it = *passes;
    if (!it)
        return;
    *passes = NULL;
    for (struct entry *entry = it->first; entry; entry = entry->next)
        oriel_pass_close(&entry->pass);
    oriel_arena_deinit(&it->arena);
    oriel_memory_release(it->memory, it, sizeof *it);
}

static enum oriel_status open_pass(const struct oriel_builder *builder,
                                   const struct oriel_plan *scan, struct oriel_pass **out,
                                   struct oriel_error *error) {
    const struct oriel_runtime *runtime;
    struct oriel_source *source;
    ORIEL_TRY(oriel_operator_runtime(builder->runtime, scan, &runtime, error));
    ORIEL_TRY(oriel_source_build(builder, scan, &source, error));
    return oriel_pass_open(runtime, source, out, error);
}

enum oriel_status oriel_passes_find(const struct oriel_builder *builder,
                                    const struct oriel_shared_scan *shared, struct oriel_pass **out,
                                    struct oriel_error *error) {
    struct oriel_passes *passes = builder->passes;
    for (struct entry *it = passes->first; it; it = it->next) {
        if (it->shared == shared) {
            *out = it->pass;
            return ORIEL_OK;
        }
    }
    struct entry *entry = oriel_arena_allocate_zeroed(&passes->arena, 1, sizeof *entry);
    if (!entry)
        return oriel_error_memory(error);
    ORIEL_TRY(open_pass(builder, shared->scan, &entry->pass, error));
    entry->shared = shared;
    entry->next = passes->first;
    passes->first = entry;
    *out = entry->pass;
    return ORIEL_OK;
}
