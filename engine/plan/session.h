/*
 * The catalog and the settings of a session, and the statements that change them.
 */
#pragma once

#include "engine/plan/catalog.h"

struct oriel_session;

enum oriel_status oriel_session_open(struct oriel_memory *memory, struct oriel_session **out,
                                     struct oriel_error *error);
void oriel_session_close(struct oriel_session **session);

/* The table or view with that name, or NULL. */
const struct oriel_table_entry *oriel_session_find(const struct oriel_session *session,
                                                   const struct ast_name *name);

/* The database that the name of a table names with all but its last part, or that is in use; NULL
 * when there is none such. */
const struct oriel_database *oriel_session_database(const struct oriel_session *session,
                                                    const struct ast_name *name);

/* The database of that name, or NULL; the one in use; number `index`, NULL past the end. */
const struct oriel_database *oriel_session_find_database(const struct oriel_session *session,
                                                         const struct ast_name *name);
const struct oriel_database *oriel_session_current(const struct oriel_session *session);
/* Takes another one into use for a while; returns the one before. */
const struct oriel_database *oriel_session_set_current(struct oriel_session *session,
                                                       const struct oriel_database *database);
const struct oriel_database *oriel_session_database_at(const struct oriel_session *session,
                                                       size_t index);

/* The error that the first `parts` parts of `name` name no database. */
enum oriel_status oriel_session_no_database(const struct oriel_session *session,
                                            const struct ast_name *name, uint32_t parts,
                                            struct oriel_error *error);

/* Table number `index` of a database (NULL: of the one in use) in order of name; NULL past the end.
 */
const struct oriel_table_entry *oriel_session_table_at(const struct oriel_session *session,
                                                       const struct oriel_database *database,
                                                       size_t index);

/* Whether a setting changes what this program does. */
bool oriel_session_setting_counts(const char *key);

/* CREATE TABLE, VIEW, CATALOG, DATABASE, DROP, SET, RESET, USE. CREATE VIEW binds its query to
 * check it. */
enum oriel_status oriel_session_execute(struct oriel_session *session,
                                        const struct oriel_runtime *runtime,
                                        const struct ast_statement *statement,
                                        struct oriel_error *error);

/* The table of a CREATE TABLE ... AS query. */
struct oriel_made_table {
    struct oriel_table_entry *entry;
    bool exists;                 /* IF NOT EXISTS found it; it belongs to the session */
    struct oriel_schema columns; /* of the query, named as in the table; not when it exists */
};

/* Makes the table without its rows; names of columns lie in `arena`. It is not seen before
 * oriel_session_put puts it into the session, in the place of the one that it replaces; else
 * oriel_session_discard frees it. */
enum oriel_status oriel_session_make_as(struct oriel_session *session,
                                        const struct oriel_runtime *runtime,
                                        const struct ast_statement *statement,
                                        struct oriel_arena *arena, struct oriel_made_table *out,
                                        struct oriel_error *error);
void oriel_session_put(struct oriel_session *session, struct oriel_table_entry *entry);
void oriel_session_discard(struct oriel_session *session, struct oriel_table_entry *entry);

/* Adds a stream of the program as a table; `schema` is copied. */
enum oriel_status oriel_session_register_stream(struct oriel_session *session, const char *name,
                                                struct oriel_schema schema, void *stream,
                                                struct oriel_error *error);

/*
 * Fills the schema of a table that declares no columns, from its file; names and types lie in
 * `arena`. Tables of CREATE TABLE have their options; those of FROM 'path' have only the option
 * 'path', and get the others. `position` is where the file is named.
 */
typedef enum oriel_status oriel_infer_table(void *context, const struct oriel_runtime *runtime,
                                            struct oriel_table_entry *table,
                                            struct oriel_arena *arena,
                                            struct oriel_position position,
                                            struct oriel_error *error);
void oriel_session_set_inference(struct oriel_session *session, oriel_infer_table *infer,
                                 void *context);

/* A setting's value, its default, or NULL when Flink and Oriel know no such key and it was not SET.
 */
const char *oriel_session_setting(const struct oriel_session *session, const char *key);

/* Setting number `index` that was SET, in order of key; false past the end. */
bool oriel_session_setting_at(const struct oriel_session *session, size_t index, const char **key,
                              const char **value);
