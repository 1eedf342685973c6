/* Inside engine/plan: catalogs and databases of a session. */
#pragma once

#include "engine/plan/session_internal.h"

/* Makes default_catalog.default_database and takes it into use. */
enum oriel_status oriel_databases_open(struct oriel_session *session, struct oriel_error *error);
void oriel_databases_close(struct oriel_session *session);

/* CREATE CATALOG, CREATE DATABASE; DROP of either; USE. */
enum oriel_status oriel_database_create(struct oriel_session *session,
                                        const struct ast_statement *statement,
                                        struct oriel_error *error);
enum oriel_status oriel_database_drop(struct oriel_session *session,
                                      const struct ast_statement *statement,
                                      struct oriel_error *error);
enum oriel_status oriel_database_use(struct oriel_session *session,
                                     const struct ast_statement *statement,
                                     struct oriel_error *error);

/* session.c: drops all tables and views of a database. */
void oriel_session_remove_tables(struct oriel_session *session,
                                 const struct oriel_database *database);
