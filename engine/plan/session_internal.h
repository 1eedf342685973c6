/*
 * Inside engine/plan: what a session is made of.
 */
#pragma once

#include "engine/plan/session.h"

/* A setting that was SET; key and value lie behind the struct, in its block. */
struct oriel_setting {
    struct oriel_setting *next; /* in order of key */
    const char *key;
    const char *value;
    size_t block_bytes;
};

struct oriel_session {
    struct oriel_memory *memory;
    struct oriel_table_entry *tables; /* in order of name */
    struct oriel_setting *settings;
    struct oriel_database *databases;
    const struct oriel_database *current;
    oriel_infer_table *infer; /* may be NULL */
    void *infer_context;
};

enum oriel_status oriel_setting_set(struct oriel_session *session,
                                    const struct ast_statement *statement,
                                    struct oriel_error *error);
enum oriel_status oriel_setting_reset(struct oriel_session *session,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error);
void oriel_setting_clear(struct oriel_session *session);
