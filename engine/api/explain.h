/* EXPLAIN and EXPLAIN ANALYZE: what stands below the nodes of a plan. */
#pragma once

#include "engine/api/insert_target.h"
#include "engine/exec/profile.h"
#include "engine/plan/binder.h"

struct oriel_explain {
    struct oriel_result *result;
    struct oriel_profile *profile; /* ANALYZE, after the run; else NULL */
};

/* For oriel_explain_details; `context` is a struct oriel_explain. */
enum oriel_status oriel_explain_node(void *context, const struct oriel_plan *node, uint32_t line,
                                     struct oriel_text_buffer *out, bool *printed);

/* "12.3 MB" into `out`, which is returned. */
enum { ORIEL_SIZE_TEXT_BYTES = 32 };
const char *oriel_explain_size(uint64_t byte_count, char *out);

/* The lines of an INSERT above its plan. */
enum oriel_status oriel_explain_insert(const struct oriel_explain *explain,
                                       const struct oriel_insert *insert,
                                       struct oriel_text_buffer *out);

enum oriel_status oriel_explain_add_text(struct oriel_text_buffer *out, const char *text);

/* printf; ORIEL_MEMORY when there is none. */
enum oriel_status oriel_explain_add(struct oriel_text_buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
